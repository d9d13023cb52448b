"""Fingers on the desk's buttons: people without a phone press when a raid gathers, and the king starts it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Final

from companion.kernel.messages import Signal
from hardware.desk import Desk
from hardware.raid import UNDER_WAY, Raid

HELD: Final = 0.12
"""Seconds that a finger stays on a button."""
APART: Final = 0.5
"""Seconds at pace 1 between two people who press."""
TAKES_BREATH: Final = 2.0
"""Seconds at pace 1 that the king lets pass before he starts."""


_BEGUN: Final = ("running", "paused", "stopped")


class Fingers:
    """All of it happens in the people's thread. A seat that a phone has taken is left to the phone."""

    def __init__(self, desk: Desk, pace: Callable[[], float]) -> None:
        self._desk, self._pace = desk, pace
        self.phones: Callable[[], Collection[int]] = frozenset
        """Asks for the seats that phones have taken."""
        self._timer = desk.hands.timer
        self._colours: Sequence[str] = ()
        self._due = False
        self._wanted: set[int] = set()
        self._starts = False
        self._past: Raid | None = None
        self._down = ""
        self._waited = 0.0

    def seat(self, colours: Sequence[str]) -> None:
        self._colours = colours

    # The raid that people wait for

    def rush(self, on: bool) -> None:
        raid = self._timer.raid
        self._due = on
        if on and raid is not None and raid.phase in ("stopped", "off"):
            self._past = raid
        if not on and (self._raid is None or self._raid.phase in _BEGUN):
            self._wanted, self._starts = set(), False

    @property
    def _raid(self) -> Raid | None:
        """The raid that is due: neither the one before it, nor a practice."""
        raid = self._timer.raid
        return None if raid is None or raid is self._past or raid.practice else raid

    def want(self, signal: Signal) -> None:
        if signal.source == "raid ready" and signal.seat is not None:
            self._wanted.add(signal.seat)
        self._starts = self._starts or signal.source == "raid started"

    def happened(self, signal: Signal) -> bool:
        raid = self._raid
        if raid is None:
            return False
        begun = raid.phase in _BEGUN
        match signal.source:
            case "raid ready":
                # A phone that is not ready yet keeps nobody else from being ready.
                return begun or signal.seat in raid.ready_seats or signal.seat in self.phones()
            case "raid started":
                return begun
            case _:
                return raid.phase == "stopped"

    @property
    def left(self) -> float:
        raid = self._raid
        deadline = None if raid is None else raid.deadline
        return 0.0 if raid is None or deadline is None else raid.left(self._desk.clock())

    @property
    def awaited(self) -> tuple[int, ...]:
        """The seats whose phones everybody waits for."""
        raid, phones = self._timer.raid, self.phones()
        if raid is None or not (raid.practice or (self._due and raid is not self._past)):
            return ()
        if raid.phase == "gathering":
            return tuple(seat for seat in self._getting_ready(raid) if seat in phones)
        starts = raid.phase == "paused" or (raid.phase == "set" and self._may_start(raid))
        return (raid.king,) if starts and raid.king in phones else ()

    @property
    def under_way(self) -> bool:
        raid = self._raid
        return raid is not None and raid.phase in UNDER_WAY

    # Pressing

    def press(self, signal: Signal) -> None:
        self._let_go()
        self._press(signal.source.removeprefix("seat "))

    def step(self, seconds: float) -> None:
        """Time goes on: fingers are lifted, and whoever is not ready yet gets ready."""
        self._waited += seconds
        if self._down:
            if self._waited >= HELD:
                self._let_go()
            return
        raid = self._timer.raid
        if raid is None or not (raid.practice or (self._due and raid is not self._past)):
            return
        phones, waited = self.phones(), self._waited * max(1.0, self._pace())
        if raid.phase == "gathering" and waited >= APART:
            for seat in [seat for seat in self._getting_ready(raid) if seat not in phones][:1]:
                self._press(self._colours[seat])
        elif raid.phase == "set" and waited >= TAKES_BREATH and self._may_start(raid) and raid.king not in phones:
            self._press(self._colours[raid.king])

    def _getting_ready(self, raid: Raid) -> list[int]:
        """Who should be ready by now and is not: everybody in a practice, otherwise those whose turn it is."""
        return [seat for seat in raid.seats if seat not in raid.ready_seats and (raid.practice or seat in self._wanted)]

    def _may_start(self, raid: Raid) -> bool:
        return raid.practice or self._starts

    def _press(self, colour: str) -> None:
        self._desk.down(colour)
        self._down, self._waited = colour, 0.0

    def _let_go(self) -> None:
        if self._down:
            self._desk.up(self._down)
            self._down, self._waited = "", 0.0
