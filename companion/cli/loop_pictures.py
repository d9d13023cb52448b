"""What a watcher sees of a simulated evening in rendered pictures, for `companion loop`.

A module of its own: most commands look at no picture, and loading these libraries takes longer than their work.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random
from time import perf_counter
from typing import Any, Final

from companion.kernel.messages import Reading
from companion.kernel.views import Pointing
from companion.simulation.camera import Moment
from vision.accuracy.tables import Rig, taught
from vision.layout import Layout
from vision.rendered import TABLE_TOPS, Light, any_camera
from vision.rendered.stage import HANDS_STAY, Stage, watch
from vision.table_reader import TableReader
from vision.watcher import TableWatcher

SECOND_LOOK: Final = 4.0
"""Seconds to wait for a second look."""


class TimedStage(Stage):
    """A stage that measures the time of drawing, so that it does not count as reading."""

    drawing = 0.0

    def _full(self) -> Any:
        return self._timed(super()._full)

    def _small(self) -> Any:
        return self._timed(super()._small)

    def _timed(self, draw: Any) -> Any:
        started = perf_counter()
        image = draw()
        self.drawing += perf_counter() - started
        return image


class PixelObserver:
    """A camera above one table, with a kit taught from one picture."""

    def __init__(self, layout: Layout, rng: Random, light: Light) -> None:
        rig = Rig(any_camera(rng, layout), rng.choice(TABLE_TOPS))
        self._stage = TimedStage(layout, rig.camera, light, rng, rig.table_top)
        self._watcher = TableWatcher(self._stage.camera(), TableReader(layout, taught(layout, rig, light, rng)))
        self._begun = False
        self.seconds: list[float] = []
        """The CPU time of each Reading, without the drawing of its pictures."""

    def show(self, moment: Moment, now: float) -> Iterator[Reading]:
        """The Readings of a moment: hands reach in and change the table, then leave, or stay over covered zones."""
        stage = self._stage
        stage.now = max(stage.now, now)
        if not self._begun:
            # The first picture must not show a hand: the watcher compares later pictures with it.
            self._begun = True
            stage.lay(moment.view)
            yield from self._watched()
            return
        touched = stage.change(moment.view)
        for dial in moment.turned:
            shown = moment.view.zones[dial]
            stage.turn(dial, shown.value if isinstance(shown, Pointing) else None)
        zones = {**dict.fromkeys((*moment.covered, *moment.turned)), **touched}
        if zones:
            stage.reach(zones, touched)
            yield from self._watched(HANDS_STAY)
        stage.withdraw()
        if moment.covered:
            stage.reach(moment.covered)
            yield from self._watched(HANDS_STAY)
        else:
            yield from self._watched()

    def look_again(self, zones: Collection[str], now: float) -> Iterator[Reading]:
        self._stage.now = max(self._stage.now, now)
        self._watcher.look_again(zones)
        yield from self._watched(SECOND_LOOK)

    def spread(self, zones: Collection[str], now: float) -> Iterator[Reading]:
        self._stage.now = max(self._stage.now, now)
        self._stage.spread(zones)
        self._stage.reach(zones)
        yield from self._watched(HANDS_STAY)
        self._stage.withdraw()
        yield from self._watched()

    def _watched(self, *seconds: float) -> list[Reading]:
        started, drawn = perf_counter(), self._stage.drawing
        readings = watch(self._watcher, self._stage, *seconds)
        if readings:
            reading = perf_counter() - started - (self._stage.drawing - drawn)
            self.seconds += [reading / len(readings)] * len(readings)
        return readings
