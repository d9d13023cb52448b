"""The thread that runs the table watcher on a camera, and the file of tapped corners.

The file also holds the small picture in which they were tapped: after a restart the corners are valid only if the
camera has not moved since.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import msgspec

from companion.daemon.health import Health, State, told
from companion.daemon.journal_folder import Opened
from companion.kernel import files
from companion.kernel.game import Game
from companion.kernel.messages import Reading, Update
from companion.text.sentences import both_words

if TYPE_CHECKING:
    from vision.cameras import Frame
    from vision.layout import Point
    from vision.plane.tracker import PlaneState
    from vision.watcher import TableWatcher

_log = logging.getLogger(__name__)

FOLDER: Final = "corners"


class Tapped(msgspec.Struct, frozen=True):
    """Top left, top right, bottom right, bottom left, as fractions of the picture; the small picture is a PNG."""

    points: tuple[tuple[float, float], ...]
    picture: bytes


class StoredCorners:
    """Stores tapped corners in a file for each game, because table sizes differ."""

    def __init__(self, home: Path) -> None:
        self._folder = home / FOLDER

    def keep(self, game: str, points: list[Point], small: Frame) -> None:
        """Store the corners. Raises OSError if that fails."""
        import cv2

        _, picture = cv2.imencode(".png", small.image)
        files.write(self._path(game), msgspec.json.encode(Tapped(tuple(points), picture.tobytes())))

    def forget(self, game: str) -> None:
        self._path(game).unlink(missing_ok=True)

    def read(self, game: str) -> tuple[list[Point], Frame] | None:
        """The stored corners; None if there are none, or the file was damaged and moved aside."""
        import cv2
        import numpy as np

        from vision.cameras import Frame

        def understood(data: bytes) -> tuple[list[Point], Frame]:
            kept = msgspec.json.decode(data, type=Tapped)
            image = cv2.imdecode(np.frombuffer(kept.picture, np.uint8), cv2.IMREAD_COLOR) if kept.picture else None
            if image is None or len(kept.points) != 4:
                raise ValueError("four points and a picture should be in it")
            return list(kept.points), Frame(np.asarray(image, np.uint8), 0.0, 0)

        try:
            return files.read(self._path(game), understood)
        except OSError as error:
            _log.warning("The corners in %s cannot be read: %s; tap them again.", self._path(game), error)
            return None

    def _path(self, game: str) -> Path:
        return self._folder / f"{game}.json"


PREPARES: Final = 300.0
"""Seconds to open a camera and a kit with many pictures on a slow Pi; after them the thread counts as stuck."""
FIRST_PAUSE: Final = 1.0
LONGEST_PAUSE: Final = 30.0
STOP_TIMEOUT: Final = 3.0
"""Seconds that `stop` waits for the thread to finish the current picture."""
NO_PICTURE: Final = 15.0
"""Seconds without a picture after which the camera counts as lost; a slow Pi reads a table in less."""


class Look(NamedTuple):
    """Everything needed to watch a game's table, a function that releases it, and what is missing."""

    watcher: TableWatcher
    close: Callable[[], None]
    remark: str = ""
    """The key of a sentence under `camera`, for the health of a camera that works."""
    kit: Path | None = None
    """Folder of taught pieces."""


MakeLook = Callable[[Game[Any, Any], Any], Look]
"""Makes the Look for a game and its box; the layout may depend on the box."""
Wanted = tuple[Game[Any, Any], Any]


class CameraThread:
    """Reads the table while a game is open; without a game there is no layout."""

    def __init__(
        self, make_look: MakeLook, publish: Callable[[Reading], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._make_look, self._publish, self._clock = make_look, publish, clock
        self._changed = threading.Condition()
        self._wanted: Wanted | None = None  # the game and the box it was opened with
        self._stopping = False
        self._look: Look | None = None
        self._trouble = ""
        self.corners: StoredCorners | None = None
        self._since: float | None = None  # when preparing began; None if it is not preparing
        self.steps = 0
        self._frames = 0
        self._saw_at = 0.0
        """When the last reliable picture was seen."""
        self._thread = threading.Thread(target=self._run, name="camera", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify_all()
        if self._thread.is_alive():
            self._thread.join(STOP_TIMEOUT)
        if self._thread.is_alive():
            _log.warning("The camera thread is still busy and is left behind.")

    @property
    def waits(self) -> bool:
        """Whether no steps are expected: there is no game, a reported problem, or the camera is being opened."""
        look, since = self._look, self._since
        if since is not None:
            return self._clock() - since < PREPARES
        return (
            self._wanted is None or bool(self._trouble) or (look is not None and look.watcher.status.camera is not None)
        )

    @property
    def look(self) -> Look | None:
        """The Look in use. Any thread may call it."""
        return self._look

    @property
    def game(self) -> Game[Any, Any] | None:
        wanted = self._wanted
        return None if wanted is None else wanted[0]

    @property
    def trouble(self) -> str:
        """Why there is no Look in use; empty if there is no known problem."""
        return self._trouble

    # After the table

    def opened(self, opened: Opened) -> None:
        with self._changed:
            self._wanted = opened.game, opened.table.state.box
            self._changed.notify_all()

    def follow(self, _opened: Opened | None, updates: tuple[Update, ...]) -> None:
        look = self._look
        look_again = getattr(look.watcher, "look_again", None) if look is not None else None
        for update in updates:
            if update.kind == "look_again" and look_again is not None:
                look_again(update.body["zones"])

    # The thread

    def _run(self) -> None:
        pause = FIRST_PAUSE
        while (wanted := self._next()) is not None:
            steps = self.steps
            try:
                self._watch(wanted)
            except Exception as error:  # whatever fails in camera, kit or layout, people can enter moves by hand
                self._trouble = str(error) or type(error).__name__
                _log.warning("The table cannot be watched: %s", self._trouble, exc_info=not self._trouble.endswith("."))
                pause = FIRST_PAUSE if self.steps > steps + 1 else min(LONGEST_PAUSE, pause * 2)
                with self._changed:
                    self._changed.wait_for(lambda: self._stopping, pause)

    def _next(self) -> Wanted | None:
        """Wait for a game to watch; None when the thread has to stop."""
        with self._changed:
            self._changed.wait_for(lambda: self._stopping or self._wanted is not None)
            return None if self._stopping else self._wanted

    def _watch(self, wanted: Wanted) -> None:
        game, box = wanted
        self._since = self._saw_at = self._clock()
        self._frames = 0
        looked = False

        def over() -> bool:
            """Whether to stop. Called before every step; the first step still opens the camera."""
            nonlocal looked
            if looked:
                self._since = None
            looked = True
            self.steps += 1
            if self._look is not None and self._look.watcher.status.frames != self._frames:
                self._frames, self._saw_at = self._look.watcher.status.frames, self._clock()
            return self._stopping or self._wanted != wanted

        try:
            self._look = look = self._make_look(game, box)
            self._trouble = ""
            kept = None if self.corners is None else self.corners.read(game.name)
            if kept is not None:
                look.watcher.use_corners(*kept)
            look.watcher.run(over, self._publish)
        finally:
            self._since = None
            if self._look is not None:
                self._look.close()
            self._look = None

    # What phones are told

    @property
    def blind(self) -> str:
        """Why the table cannot be read, as a key of the words under `blind`; empty if it can."""
        look = self._look
        if self._wanted is None:
            return ""
        if self._trouble:
            return "failed"
        if look is None or (self._since is not None and not look.watcher.status.frames):
            return "opening"
        status = look.watcher.status
        if status.camera is not None:
            return status.camera.kind
        if self.picture_age >= NO_PICTURE:
            return "unplugged"
        if not status.frames:
            return "opening"
        return "" if status.plane.state == "locked" else _plane_key(status.plane)

    @property
    def knocks(self) -> int:
        look = self._look
        return 0 if look is None else look.watcher.status.knocks

    @property
    def picture_age(self) -> float:
        """Seconds since the last reliable picture."""
        return self._clock() - self._saw_at

    @property
    def closed(self) -> str:
        """Why there are no pictures yet, as a key of the daemon's words: the camera is off, or is being opened."""
        return "camera.closed" if self._wanted is None else "blind.opening"

    # Health

    def health(self) -> Iterator[Health]:
        look = self._look
        if self._trouble:
            yield told("camera", "failed", "camera.failed", english=self._trouble)
        elif look is None:
            yield told("camera", "absent", self.closed)
        elif (trouble := look.watcher.status.camera) is not None:
            yield told("camera", "troubled", f"camera.{trouble.kind}", english=trouble.says)
        else:
            remark = both_words(f"camera.{look.remark}") if look.remark else ""
            yield told("camera", "ok", "camera.frames", frames=look.watcher.status.frames, remark=remark)
        if look is not None and look.watcher.status.frames:
            yield _plane_health(look.watcher.status.plane)


def plane_said(plane: PlaneState) -> tuple[State, str, dict[str, object]]:
    """The health of the plane: its state, the key of the sentence, and its facts."""
    if plane.state != "locked":
        return "troubled", f"plane.{_plane_key(plane)}", {}
    facts: dict[str, object] = {"markers": plane.markers, "mm": round(plane.error_mm, 1)}
    if not plane.markers:
        return "ok", "plane.by_hand", facts
    return ("troubled", "plane.shifted", facts) if plane.shifted else ("ok", "plane.locked", facts)


def _plane_key(plane: PlaneState) -> str:
    return (plane.why or "not found").replace(" ", "_")


def _plane_health(plane: PlaneState) -> Health:
    state, key, facts = plane_said(plane)
    return told("plane", state, key, **facts)


def opener(source: str, kits: Path) -> MakeLook:
    """A MakeLook for this camera, with the kit in this folder or in its subfolder named after the game."""

    def make(game: Game[Any, Any], box: Any) -> Look:
        # Imported in the camera thread, because these libraries take seconds to load on a Pi.
        from companion.daemon.table_map import layout_of
        from vision.cameras import watch_camera
        from vision.kit import store
        from vision.table_reader import TableReader
        from vision.watcher import TableWatcher

        table = layout_of(game, box)
        own = kits / game.name
        folder = own if own.is_dir() or not (kits / "teachings").is_dir() else kits
        taught = store.load(folder, table) if (folder / "teachings").is_dir() else None
        remark = "" if taught is not None else "untaught"
        camera = watch_camera(source, size=table.picture)
        return Look(TableWatcher(camera, TableReader(table, taught)), camera.close, remark, folder)

    return make
