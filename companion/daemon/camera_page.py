"""What phones show of the camera: the picture with its readings, its quality, tapped corners, taught pieces, problems.

The camera thread is not slowed down: it only keeps its newest full picture and takes over requests. The thread of the
request draws, cuts and learns, one request at a time.

While the camera cannot see the table, certain problems are shown at once, others after a delay. A knocked camera often
finds the table again within a second. That is shown too, for some seconds, because other things on the table may have
moved as well.
"""

from __future__ import annotations

import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol, runtime_checkable

import msgspec

from companion.daemon.camera_thread import NO_PICTURE, CameraThread, Look, StoredCorners, plane_said
from companion.daemon.refusals import refused
from companion.kernel.messages import Body, Found, NewPiece, Reading
from companion.text.sentences import Bilingual, both_words

if TYPE_CHECKING:
    from vision.kit.kit import Truth
    from vision.layout import Grid, Layout, Point, Slots, Track
    from vision.picture.preview import Shown


DRAWN: Final = 12
"""Number of drawings of the newest picture that are cached for other phones."""
NEXT_PICTURE: Final = 5.0
"""Seconds to wait for the camera thread's next picture."""


class CameraPage:
    """Answers the camera page. `ignored`: the zones that people excluded, `learned`: the pieces that they described."""

    def __init__(
        self,
        camera_thread: CameraThread,
        home: Path,
        ignored: Callable[[], list[str]] = list,
        learned: Callable[[], Iterable[NewPiece]] = tuple,
    ) -> None:
        self._camera_thread, self._ignored, self._learned = camera_thread, ignored, learned
        self._corners = StoredCorners(home)
        camera_thread.corners = self._corners
        self._turn, self._learning = threading.Lock(), threading.Lock()
        self._drawn: dict[tuple[Any, ...], bytes | None] = {}
        self._drawn_of: Shown | None = None
        self._taught_from: Shown | None = None
        self._checked: tuple[Shown | None, Body] = None, {}

    # State of the camera

    def camera(self) -> Body:
        look = self._camera_thread.look
        if look is None:
            state, says = self._blind()
            return {"state": state, "says": says, "picture": False, "zones": {}}
        look.watcher.show()
        shown, status = look.watcher.shown, look.watcher.status
        kind, why = ("", "") if status.camera is None else (status.camera.kind, status.camera.says)
        since = self._camera_thread.picture_age
        if not kind and since >= NO_PICTURE:
            kind, why = "unplugged", f"No picture for {since:.0f} seconds."
        # While the table does not change, only small pictures are taken: they confirm the last full one.
        age = {} if shown is None or not kind else {"age": round(since + status.at - shown.full.at)}
        return {
            "state": "troubled" if kind else "ok",
            "says": both_words(f"camera.{kind}", english=why) if kind else both_words("camera.sees"),
            **age,
            "plane": _plane(look),
            "zones": self._zones(look, shown),
            "picture": shown is not None,
            **({} if shown is None else {"size": list(shown.full.size), **self._checks(look, shown)}),
        }

    def _blind(self) -> tuple[str, dict[str, str]]:
        trouble = self._camera_thread.trouble
        return (
            ("failed", both_words("camera.failed", english=trouble))
            if trouble
            else ("absent", both_words(self._camera_thread.closed))
        )

    def _zones(self, look: Look, shown: Shown | None) -> Body:
        from vision.picture.preview import names_at

        unread, ignored = look.watcher.status.unread, self._ignored()
        zones = {} if shown is None else shown.zones
        names = {} if shown is None or shown.plane is None else names_at(look.watcher.layout, shown.plane)
        return {
            name: {
                "at": [round(part, 4) for part in names[name]] if name in names else None,
                "state": "ignored"
                if name in ignored
                else "seen"
                if zone.contents is not None and name not in unread
                else "covered"
                if zone.covered
                else "unclear",
                "contents": None if zone.contents is None else msgspec.to_builtins(zone.contents),
                "odd": [] if zone.contents is not None else self._odd(look, name, zone.found),
            }
            for name, zone in zones.items()
        }

    def _odd(self, look: Look, zone: str, found: Iterable[Found]) -> list[Body]:
        """The pieces that keep a zone from being read, in words, with their place as fractions of the table."""
        game, area = self._camera_thread.game, look.watcher.layout.area
        speakers = None if game is None else Bilingual(game.catalogue)
        return [
            {
                "says": {} if speakers is None else speakers.odd(zone, piece.odd),
                "x": round(piece.x / area.width, 4),
                "y": round(piece.y / area.height, 4),
            }
            for piece in found
            if piece.odd
        ]

    def _checks(self, look: Look, shown: Shown) -> Body:
        """The quality of light and lens, computed once for each picture."""
        from vision.picture import quality

        if shown.plane is None:
            return {}
        with self._turn:
            if self._checked[0] is not shown:
                image, plane, layout = shown.full.image, shown.plane, look.watcher.layout
                light, lens = quality.light(image, plane, layout), quality.lens(image, plane, layout)
                self._checked = (
                    shown,
                    {
                        "light": {
                            "state": "ok" if light.what == "good" else "troubled",
                            "says": both_words(
                                f"light.{light.what}", white=round(light.white), share=_percent(light.evenness)
                            ),
                            "white": light.white,
                            "evenness": light.evenness,
                        },
                        "lens": {
                            "state": {"sharp": "ok", "blurred": "troubled", "unknown": "absent"}[lens.what],
                            "says": both_words(f"lens.{lens.what}", mm=lens.edge_mm),
                            "edge_mm": lens.edge_mm,
                        },
                    },
                )
            return self._checked[1]

    # Pictures

    def picture(self, overlay: bool, zone: str | None, cell: str | None) -> bytes | None:
        """The newest picture, or a zone of it from straight above, as a JPEG; None if there is none."""
        look = self._camera_thread.look
        if look is None:
            return None
        look.watcher.show()
        shown = look.watcher.shown
        if shown is None:
            return None
        with self._turn:
            if self._drawn_of is not shown or len(self._drawn) >= DRAWN:
                self._drawn_of, self._drawn = shown, {}
            wanted = overlay, zone, cell
            if wanted not in self._drawn:
                self._drawn[wanted] = _drawn(look.watcher.layout, shown, *wanted)
            return self._drawn[wanted]

    # Corners

    def tap(self, points: list[tuple[float, float]]) -> None:
        """Use these four corners of the play area, or the markers again if there are none. Raises `Refused`."""
        look, game = self._camera_thread.look, self._camera_thread.game
        shown = None if look is None else look.watcher.shown
        if look is None or game is None:
            raise refused("no_camera")
        if not points:
            self._corners.forget(game.name)
            look.watcher.use_corners(())
            return
        if shown is None:
            raise refused("no_picture")
        if len(points) != 4 or not all(0.0 <= fraction <= 1.0 for point in points for fraction in point):
            raise refused("not_corners")
        self._must_make_a_table(points, look, shown)
        try:
            self._corners.keep(game.name, points, shown.small)
        except OSError as error:
            raise refused("not_kept", english=error) from error
        look.watcher.use_corners(points)

    def _must_make_a_table(self, points: list[tuple[float, float]], look: Look, shown: Shown) -> None:
        from vision.plane.plane import NoPlane, from_corners

        width, height = shown.full.size
        try:
            from_corners([(x * width, y * height) for x, y in points], look.watcher.layout, shown.full.size)
        except NoPlane as error:
            raise refused("not_corners") from error

    # Teaching

    def teach(self, zone: str, cell: str | None, x: float | None, y: float | None, label: str) -> Body:
        """Learn the name of a piece in a zone, at a cell or at the tapped point of the zone's picture.

        Raises `Refused`."""
        from vision.kit import store
        from vision.kit.kit import KitError
        from vision.picture.table_picture import BadPicture
        from vision.plane.plane import NoPlane

        look = self._camera_thread.look
        if look is None or look.kit is None:
            raise refused("no_camera")
        with self._learning, tempfile.TemporaryDirectory(prefix="companion-") as folder:
            shown = self._another_picture(look)
            if shown is None or shown.plane is None:
                raise refused("no_picture")
            layout = look.watcher.layout.grown(self._learned())
            truth = _truth(layout, shown, zone, cell, x, y, label)
            corners = [] if shown.plane.markers else look.watcher.tapped_corners()
            picture = _written(Path(folder), shown)
            try:
                kit, gained = store.teach(look.kit, layout, picture, truth, corners)
            except (KitError, NoPlane, BadPicture, OSError) as error:
                raise refused("not_learned", english=error) from error
            self._taught_from = shown
        kit.let_go()
        look.watcher.use_kit(kit)
        return {"learned": dict(gained), "pictures": len(kit.teachings)}

    def _another_picture(self, look: Look) -> Shown | None:
        """The newest picture, after a lesson the next one, because a kit learns from each picture only once."""
        over = time.monotonic() + NEXT_PICTURE
        while (shown := look.watcher.shown) is self._taught_from and shown is not None and time.monotonic() < over:
            look.watcher.show()
            time.sleep(0.05)
        return None if shown is self._taught_from else shown


def _plane(look: Look) -> Body:
    plane = look.watcher.status.plane
    state, key, facts = plane_said(plane)
    return {
        "state": state,
        "says": both_words(key, **facts),
        "error_mm": round(plane.error_mm, 2),
        "markers": plane.markers,
        "shifted": list(plane.shifted),
        "by_hand": key == "plane.by_hand",
    }


def _drawn(layout: Layout, shown: Shown, overlay: bool, zone: str | None, cell: str | None) -> bytes | None:
    from vision.picture import preview
    from vision.picture.preview import draw

    image = shown.full.image
    if zone is not None:
        box = preview.part(layout.zones[zone], cell) if zone in layout.zones else None
        return None if box is None or shown.plane is None else preview.cut_out(image, shown.plane, box)
    if overlay and shown.plane is not None:
        image = draw(image, layout, shown.plane, Reading(shown.zones, shown.full.at), words=False)
    return preview.whole(image)


def _truth(
    layout: Layout, shown: Shown, name: str, cell: str | None, x: float | None, y: float | None, label: str
) -> Truth:
    """The pieces known to be in the zone, with the named one."""
    from vision.layout import Grid, Pool, Slots, Track, Tray
    from vision.picture import preview

    zone = layout.zones.get(name)
    piece = None if zone is None else layout.piece(zone)
    if zone is None or piece is None:
        raise refused("nothing_to_teach")
    if label not in (zone.labels or piece.labels):
        raise refused("unknown_label", label)
    whole = preview.part(zone)
    point = None if x is None or y is None or whole is None else preview.tapped(whole, x, y)
    if isinstance(zone, Grid | Slots | Track):
        place = cell if cell is not None else _place(zone, point)
        if place is None or place not in zone.places():
            raise refused("no_place")
        return {name: {label: int(place)} if isinstance(zone, Track) else {place: label}}
    if not isinstance(zone, Tray | Pool) or point is None or not zone.area().holds(point):
        raise refused("no_place" if isinstance(zone, Tray | Pool) else "nothing_to_teach")
    near = max(piece.size) / 2
    others = [one for one in shown.zones[name].found if abs(one.x - point[0]) + abs(one.y - point[1]) > near]
    return {
        name: [
            *({"label": one.label, "x": one.x, "y": one.y, "angle": one.angle} for one in others),
            {"label": label, "x": point[0], "y": point[1]},
        ]
    }


def _place(zone: Grid | Slots | Track, point: Point | None) -> str | None:
    """The zone's place at the tapped point."""
    if point is None:
        return None
    return next((name for name, box in zone.places().items() if box.holds(point)), None)


def _written(folder: Path, shown: Shown) -> Path:
    from vision.picture.preview import jpeg

    picture = folder / f"shown-{shown.full.number}.jpg"
    picture.write_bytes(jpeg(shown.full.image, 95))
    return picture


def _percent(share: float) -> int:
    return round(100 * share)


PATIENCE: Final[Mapping[str, float]] = {
    "unplugged": 2.0,
    "opening": 10.0,
    "hidden": 5.0,
    "not_found": 5.0,
    "unclear": 5.0,
}
"""Seconds before a problem is shown, because it may pass by itself. Problems not listed are shown at once."""
AFTERWARDS: Final = 10.0
"""Seconds for which a knock is shown after the table was found again."""


@runtime_checkable
class SightStatus(Protocol):
    """The part that reads the table."""

    @property
    def blind(self) -> str:
        """Why the table cannot be read, as a key of the words under `blind`; empty if it can."""

    @property
    def knocks(self) -> int:
        """Number of times the camera has moved."""


class CameraTroubles:
    """Tracks the problems of one camera. `now` has to be called regularly, from any thread."""

    def __init__(self, sight: SightStatus, clock: Callable[[], float] = time.monotonic) -> None:
        self._sight, self._clock = sight, clock
        self._changed = threading.Lock()
        self._since: float | None = None
        self._told = False
        self._knocks = sight.knocks
        self._knocked_at = float("-inf")

    def now(self) -> Body | None:
        """The problem, since when (monotonic seconds), and a sentence; None if there is none."""
        with self._changed:
            kind = self._kind(self._clock())
            if not kind:
                return None
            since = self._knocked_at if self._since is None else self._since
            return {"kind": kind, "since": since, "says": both_words(f"blind.{kind}")}

    def _kind(self, now: float) -> str:
        kind, knocks = self._sight.blind, self._sight.knocks
        if knocks != self._knocks:
            self._knocks, self._knocked_at = knocks, now
        if not kind:
            self._told, self._since = False, None
            return "found_again" if now - self._knocked_at < AFTERWARDS else ""
        self._since = now if self._since is None else self._since
        self._told = self._told or now - self._since >= PATIENCE.get(kind, 0.0)
        return kind if self._told else ""
