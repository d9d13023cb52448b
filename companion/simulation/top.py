"""The table top of a demo without pictures: an onlooker reads it in real time, may be kept from seeing, looks again.

All of it happens in the thread of the people who move the pieces; others only ask.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Collection
from typing import Any

import msgspec

from companion.kernel.messages import Reading, View
from companion.kernel.rules import Game
from companion.simulation.moments import Moment
from companion.simulation.onlooker import Onlooker


class PlainTop:
    """How the table lies, and who reads it. `covered` and `unplugged` may be set by anybody at any time."""

    pixels = False

    def __init__(self, onlooker: Onlooker, put: Callable[[Reading], None], clock: Callable[[], float]) -> None:
        self._onlooker, self._put, self._clock = onlooker, put, clock
        self._moment = Moment(View({}))
        self._saw = True
        self._asked: deque[str] = deque()
        self._coming: list[Reading] = []
        self.covered = self.unplugged = False

    @property
    def blind(self) -> bool:
        return self.covered or self.unplugged

    @property
    def settled(self) -> bool:
        """Whether everything that can be seen has been told."""
        return self.blind or not (self._coming or self._asked)

    def knock(self) -> None:
        """There is no camera to be pushed."""

    def use(self, _game: Game[Any, Any]) -> None:
        """Any game's pieces find room on a table that nobody sees."""

    def show(self, moment: Moment) -> float:
        """Hands begin; how many seconds they need, which here is no matter."""
        self._moment = moment
        return 0.0

    def rest(self, moment: Moment) -> None:
        """Hands are away, but for those that stay over what is covered."""
        self._moment = moment
        self._look(moment)

    def look_again(self, zones: Collection[str]) -> None:
        """From any thread."""
        self._asked.extend(zones)

    def step(self) -> None:
        """Tell what has been read by now."""
        now = self._clock()
        if self.blind is self._saw:
            self._saw = not self.blind
            self._look(msgspec.structs.replace(self._moment, turned=()))
        if self._asked:
            zones = sorted({self._asked.popleft() for _ in range(len(self._asked))})
            if self._saw:
                self._coming += self._onlooker.look_again(zones, now)
        while self._coming and self._coming[0].at <= now:
            self._put(self._coming.pop(0))

    def _look(self, moment: Moment) -> None:
        if not self._saw:
            moment = msgspec.structs.replace(moment, covered=tuple(moment.view.zones))
        self._coming += self._onlooker.show(moment, self._clock())
