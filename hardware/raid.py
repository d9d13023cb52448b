"""The tax raid as a clockwork: who is ready, when it runs, what is left, and when it stops. It has no clock of its own.

Everybody presses to be ready, the king starts, the time runs, the last five seconds are told, it stops. A raid can be
paused and go on, or be called off; a practice raid is the same and counts for nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, Literal

import msgspec

SECONDS: Final = 20.0
LAST: Final = 5
"""The last so many seconds are told one by one."""

Phase = Literal["gathering", "set", "running", "paused", "stopped", "off"]
UNDER_WAY: Final = ("gathering", "set", "running", "paused")
Kind = Literal["ready", "all_ready", "started", "tick", "last_five", "paused", "resumed", "stopped", "called_off"]


class RaidEvent(msgspec.Struct, frozen=True):
    """Something that happened to a raid. `at` is when it should happen on the clock, `left` the seconds then left."""

    kind: Kind
    at: float
    left: float
    seat: int | None = None
    late: float = 0.0
    practice: bool = False


class RaidSeen(msgspec.Struct, frozen=True):
    """How a raid stands at one moment. `deadline` is when it stops on the clock, while it runs; `since` when its phase
    began, as far as it has begun."""

    phase: Phase
    king: int
    seconds: float
    ready: tuple[int, ...]
    left: float
    deadline: float | None = None
    since: float | None = None
    practice: bool = False


class Raid:
    """One raid. Every act takes the time at which it happens and returns the events it causes."""

    def __init__(
        self, seats: Iterable[int], king: int, seconds: float = SECONDS, practice: bool = False, tick: float = 1.0
    ) -> None:
        self.seats = tuple(seats)
        self.king, self.seconds, self.practice = king, float(seconds), practice
        self.phase: Phase = "gathering"
        self.ready_seats: frozenset[int] = frozenset()
        self._tick = tick
        self._deadline = 0.0
        self._left = self.seconds  # while it does not run
        self._since: float | None = None
        self._next = 0.0  # how much is left at the next tick

    def ready(self, seat: int, now: float) -> Iterator[RaidEvent]:
        """A player puts a hand down. Whoever is ready already, or does not play, changes nothing."""
        if self.phase != "gathering" or seat not in self.seats or seat in self.ready_seats:
            return
        self.ready_seats |= {seat}
        yield self._event("ready", now, seat)
        if self.ready_seats == frozenset(self.seats):
            self.phase, self._since = "set", now
            yield self._event("all_ready", now)

    def start(self, seat: int, now: float) -> Iterator[RaidEvent]:
        """The king starts, once everybody is ready."""
        if self.phase != "set" or seat != self.king:
            return
        yield from self._run("started", now)

    def pause(self, now: float) -> Iterator[RaidEvent]:
        if self.phase == "running" and now < self._deadline:
            self._left, self.phase, self._since = self._deadline - now, "paused", now
            yield self._event("paused", now)

    def resume(self, now: float) -> Iterator[RaidEvent]:
        if self.phase == "paused":
            yield from self._run("resumed", now)

    def call_off(self, now: float) -> Iterator[RaidEvent]:
        if self.phase not in ("stopped", "off"):
            self._left, self.phase, self._since = self.left(now), "off", now
            yield self._event("called_off", now)

    def _run(self, kind: Kind, now: float) -> Iterator[RaidEvent]:
        self._deadline, self.phase, self._since = now + self._left, "running", now
        # The next whole tick below what is left now.
        whole = self._left / self._tick
        self._next = (int(whole) if whole > int(whole) else int(whole) - 1) * self._tick
        yield self._event(kind, now)

    def left(self, now: float) -> float:
        """Seconds left."""
        return max(0.0, self._deadline - now) if self.phase == "running" else self._left

    def seen(self, now: float) -> RaidSeen:
        ready = tuple(sorted(self.ready_seats))
        return RaidSeen(
            self.phase, self.king, self.seconds, ready, self.left(now), self.deadline, self._since, self.practice
        )

    @property
    def deadline(self) -> float | None:
        """When it stops, if it runs."""
        return self._deadline if self.phase == "running" else None

    @property
    def due(self) -> float | None:
        """When something happens by itself next."""
        return self._deadline - max(self._next, 0.0) if self.phase == "running" else None

    def advance(self, now: float) -> Iterator[RaidEvent]:
        """What happened by itself until now. After a long sleep only the last tick that was missed is told."""
        if self.phase != "running" or (due := self.due) is None or now < due:
            return
        if now >= self._deadline:
            self._left, self.phase, self._since = 0.0, "stopped", self._deadline
            late = now - self._deadline
            yield RaidEvent("stopped", self._deadline, 0.0, late=late, practice=self.practice)
            return
        missed = int((self._next - (self._deadline - now)) / self._tick)
        left = self._next - missed * self._tick
        self._next = left - self._tick
        last = left <= LAST + 1e-9
        yield RaidEvent("last_five" if last else "tick", self._deadline - left, left, practice=self.practice)

    def _event(self, kind: Kind, now: float, seat: int | None = None) -> RaidEvent:
        return RaidEvent(kind, now, self.left(now), seat, practice=self.practice)
