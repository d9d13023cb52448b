"""The table top of a demo with pictures: a rendered table on which hands move pieces, under a camera with mishaps."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Collection
from pathlib import Path
from random import Random
from typing import Any, Final

import cv2
import msgspec
import numpy as np

from companion.daemon.camera_thread import Look
from companion.daemon.table_map import layout_of
from companion.kernel.game import Game
from companion.kernel.views import Pointing, View
from companion.simulation.camera import Moment
from vision.accuracy.tables import Rig, shot, taught_truth
from vision.cameras import CameraError, WatchedCamera
from vision.kit import store
from vision.kit.kit import Kit
from vision.kit.teaching_tables import everything
from vision.layout import Layout
from vision.picture.motion import STILL_FOR
from vision.rendered import Camera, any_camera
from vision.rendered.camera import Size
from vision.rendered.light import sensed
from vision.rendered.paint import Image
from vision.rendered.stage import HANDS_STAY, RenderedCamera, Stage
from vision.table_reader import TableReader
from vision.watcher import TableWatcher

LIGHT: Final = "even"
TABLE_TOP: Final = "wood"
PUSHED: Final = 1.5
"""Degrees by which a knock turns and tilts the camera."""
LAID: Final = 30.0
"""Seconds that the players have for laying the table."""
_UNDER_A_HAND: Final = 3.0
"""Brightness of a picture while the lens is covered."""


class LiveStage(Stage):
    """A stage in real time, seen by a camera that can be covered, unplugged and knocked."""

    def __init__(
        self, layout: Layout, camera: Camera, rng: Random, mishaps: Mishaps, clock: Callable[[], float]
    ) -> None:
        super().__init__(layout, camera, LIGHT, rng, TABLE_TOP)
        self._mishaps, self._clock = mishaps, clock
        self._knocks = mishaps.knocks
        self._straight = camera

    def open(self) -> RenderedCamera:
        self._must_be_plugged_in()
        return RenderedCamera(self._full, self._small, self._clock, "demo")

    def _must_be_plugged_in(self) -> None:
        if self._mishaps.unplugged:
            raise CameraError("it is unplugged")

    def _full(self) -> Image:
        self._must_be_plugged_in()
        return self._dark(self._size) if self._mishaps.covered else super()._full()

    def _small(self) -> Image:
        self._must_be_plugged_in()
        image = super()._small()
        return self._dark((image.shape[1], image.shape[0])) if self._mishaps.covered else image

    def _dark(self, size: Size) -> Image:
        return sensed(np.full((size[1], size[0], 3), _UNDER_A_HAND, np.float32), self._lamp.noise, self._noise)

    def _seen(self) -> Any:
        if self._knocks != self._mishaps.knocks:
            self._knocks = self._mishaps.knocks
            # The camera has moved: everything has to be drawn again.
            self._seen_from, self._table, self._shot = self._pushed(self._knocks), None, None
        return super()._seen()

    def _pushed(self, knocks: int) -> Camera:
        """The camera after so many knocks: every second one pushes it back."""
        off = PUSHED if knocks % 2 else 0.0
        straight = self._straight
        return msgspec.structs.replace(straight, roll=straight.roll + off, tilt_degrees=straight.tilt_degrees + off)


class Mishaps:
    """The camera's mishaps. Any thread may cause them."""

    covered = unplugged = False
    knocks = 0

    def knock(self) -> None:
        self.knocks += 1


class RenderedTableTop(Mishaps):
    """The stage of the open game and the watcher that reads it. The camera thread calls `look`."""

    pixels = True

    def __init__(self, seed: str, place: Path, clock: Callable[[], float] = time.monotonic) -> None:
        """`place` is the folder of taught pieces."""
        self._seed, self._place, self._clock = seed, place, clock
        self._changed = threading.Condition()
        self._game: Game[Any, Any] | None = None
        self._first: View | None = None
        self._stage: LiveStage | None = None
        self._watcher: TableWatcher | None = None
        self._since = 0.0

    # For the camera thread

    def use(self, game: Game[Any, Any]) -> None:
        """Set the stage for this game."""
        with self._changed:
            if self._game is not game:
                self._game, self._first, self._stage, self._watcher = game, None, None, None

    def look(self, game: Game[Any, Any], box: Any) -> Look:
        layout = layout_of(game, box)
        rng = Random(f"eyes/{self._seed}")
        rig = Rig(any_camera(rng, layout), TABLE_TOP)
        folder = self._place / "kit" / f"{game.name}-{self._seed}"
        reader = TableReader(layout, _taught(folder, layout, rig, rng))
        stage = LiveStage(layout, rig.camera, rng, self, self._clock)
        camera = WatchedCamera(stage.open, "demo", self._clock)
        with self._changed:
            # The first picture must show the laid table without hands: the watcher compares later ones with it.
            if not self._changed.wait_for(lambda: self._first is not None, LAID):
                raise CameraError("The table of the demo was not laid.")
            assert self._first is not None
            stage.lay(self._first)
            self._stage, self._watcher = stage, TableWatcher(camera, reader)
            return Look(self._watcher, camera.close, "rendered", folder)

    # For the people

    @property
    def blind(self) -> bool:
        watcher = self._watcher
        return self.covered or self.unplugged or (watcher is not None and watcher.status.camera is not None)

    @property
    def settled(self) -> bool:
        """Whether every zone was read since the hands left the table."""
        watcher = self._watcher
        if self.blind:
            return True
        return watcher is not None and watcher.status.at > self._since + STILL_FOR and not watcher.status.unread

    def show(self, moment: Moment) -> float:
        with self._changed:
            stage = self._stage
            if stage is None:
                self._first = moment.view
                self._changed.notify_all()
                return 0.0
        touched = stage.change(moment.view)
        for dial in moment.turned:
            shown = moment.view.zones[dial]
            stage.turn(dial, shown.value if isinstance(shown, Pointing) else None)
        zones = {**dict.fromkeys(moment.turned), **touched}
        if not zones:
            return 0.0
        stage.reach(zones, touched)
        return HANDS_STAY

    def rest(self, moment: Moment) -> None:
        stage = self._stage
        if stage is None:
            return
        stage.withdraw()
        if moment.covered:
            stage.reach(moment.covered)
        self._since = self._clock()

    def look_again(self, _zones: Collection[str]) -> None:
        """Nothing to do: the camera thread follows the table itself."""

    def step(self) -> None:
        """Nothing to do: the camera has its own thread."""


def _taught(folder: Path, layout: Layout, rig: Rig, rng: Random) -> Kit:
    """A kit made from pictures of every piece, as people make one. Phones can teach it more."""
    folder.mkdir(parents=True, exist_ok=True)
    kit = Kit(layout)
    for number, view in enumerate(everything(layout), start=1):
        scene, image = shot(layout, view, rig, LIGHT, rng)
        picture = folder / f"every piece {number}.png"
        cv2.imwrite(str(picture), image)
        kit, _ = store.teach(folder, layout, picture, taught_truth(layout, scene, view))
    return kit
