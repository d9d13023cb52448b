"""Eyes of the closed loop that look at pictures: a rendered table, people's hands over it, and the gaze."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from random import Random
from time import perf_counter
from typing import Any, Final

from companion.kernel.messages import Pointing, Reading
from companion.simulation.moments import Moment
from vision.accuracy.tables import Rig, taught
from vision.layout import Layout
from vision.rendered import TABLE_TOPS, Light, any_camera
from vision.rendered.stage import HANDS_STAY, Stage, watch
from vision.table_reader import Eyes
from vision.watcher import Gaze

SECOND_LOOK: Final = 4.0
"""Seconds for which a second look is waited for."""


class TimedStage(Stage):
    """A stage with a stop-watch: drawing a picture is not reading it."""

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


class Onlooker:
    """One rig above one table, taught from one picture."""

    def __init__(self, layout: Layout, rng: Random, light: Light) -> None:
        rig = Rig(any_camera(rng, layout), rng.choice(TABLE_TOPS))
        self._stage = TimedStage(layout, rig.camera, light, rng, rig.table_top)
        self._gaze = Gaze(self._stage.camera(), Eyes(layout, taught(layout, rig, light, rng)))
        self._begun = False
        self.seconds: list[float] = []
        """What each Reading cost, without the drawing of its pictures."""

    def show(self, moment: Moment, now: float) -> Iterator[Reading]:
        """What is read of a moment: hands reach in and change the table; they go, or stay over what is covered."""
        stage = self._stage
        stage.now = max(stage.now, now)
        if not self._begun:
            # A hand in the very first picture would be taken for the table.
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
        self._gaze.look_again(zones)
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
        readings = watch(self._gaze, self._stage, *seconds)
        if readings:
            reading = perf_counter() - started - (self._stage.drawing - drawn)
            self.seconds += [reading / len(readings)] * len(readings)
        return readings
