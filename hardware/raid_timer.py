"""The raid's timer and the thread that runs it; the game says how many seconds a raid has.

All players press to be ready, the king starts, the time runs, each of the last five seconds is heard, it stops. A raid
can be paused, resumed, or called off; a practice raid is the same but does not count.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final, Literal

import msgspec

_log = logging.getLogger(__name__)

SECONDS: Final = 20.0
LAST: Final = 5
"""The number of last seconds that are told one by one."""

Phase = Literal["gathering", "set", "running", "paused", "stopped", "off"]
UNDER_WAY: Final = ("gathering", "set", "running", "paused")
Kind = Literal["ready", "all_ready", "started", "tick", "last_five", "paused", "resumed", "stopped", "called_off"]


class RaidEvent(msgspec.Struct, frozen=True):
    """An event of a raid. `at` is its exact time on the clock, `left` the seconds left then."""

    kind: Kind
    at: float
    left: float
    seat: int | None = None
    late: float = 0.0
    practice: bool = False


class RaidSeen(msgspec.Struct, frozen=True):
    """The state of a raid at one moment. `deadline` is its end on the clock while it runs; `since` is when its phase
    began, if it has begun."""

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
        self._next = 0.0  # the seconds left at the next tick

    def ready(self, seat: int, now: float) -> Iterator[RaidEvent]:
        """A player is ready. No effect if the seat is ready already or does not play."""
        if self.phase != "gathering" or seat not in self.seats or seat in self.ready_seats:
            return
        self.ready_seats |= {seat}
        yield self._event("ready", now, seat)
        if self.ready_seats == frozenset(self.seats):
            self.phase, self._since = "set", now
            yield self._event("all_ready", now)

    def start(self, seat: int, now: float) -> Iterator[RaidEvent]:
        """The king starts, once all players are ready."""
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
        # The largest multiple of the tick below the time left.
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
        """When it stops, while it runs."""
        return self._deadline if self.phase == "running" else None

    @property
    def due(self) -> float | None:
        """When `advance` has to be called next."""
        return self._deadline - max(self._next, 0.0) if self.phase == "running" else None

    def advance(self, now: float) -> Iterator[RaidEvent]:
        """The events until now. Of several missed ticks only the last is returned."""
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


Tell = Callable[[RaidEvent], None]

_CLOSE: Final = 0.0015
"""Seconds before an event at which the thread stops sleeping and polls the clock."""


class RaidTimer:
    """Runs one raid at a time. Its thread calls `tell` for each event, in order, without delay."""

    def __init__(self, tell: Tell, clock: Callable[[], float] = time.monotonic) -> None:
        self._tell, self._clock = tell, clock
        self._changed = threading.Condition()
        self._raid: Raid | None = None
        self._events: list[RaidEvent] = []
        self._open = True
        self._thread = threading.Thread(target=self._run, name="raid timer", daemon=True)
        self._thread.start()

    @property
    def raid(self) -> Raid | None:
        return self._raid

    def seen(self) -> RaidSeen | None:
        """The state of the raid. Any thread may call it."""
        with self._changed:
            return None if self._raid is None else self._raid.seen(self._clock())

    def gather(self, raid: Raid) -> None:
        """Wait for the players to be ready for this raid; call off another one under way."""
        with self._changed:
            if self._raid is not None:
                self._events += self._raid.call_off(self._clock())
            self._raid = raid
            self._changed.notify()

    def ready(self, seat: int, at: float | None = None) -> None:
        self._do(lambda raid, now: raid.ready(seat, now), at)

    def start(self, seat: int, at: float | None = None) -> None:
        """The king starts. The time runs from the press, not from its handling."""
        self._do(lambda raid, now: raid.start(seat, now), at)

    def pause(self) -> None:
        self._do(lambda raid, now: raid.pause(now))

    def resume(self) -> None:
        self._do(lambda raid, now: raid.resume(now))

    def call_off(self) -> None:
        self._do(lambda raid, now: raid.call_off(now))

    def _do(self, act: Callable[[Raid, float], Iterable[RaidEvent]], at: float | None = None) -> None:
        with self._changed:
            if self._raid is not None:
                now = self._clock()
                # Events due before this act come first, so that a raid that is over is not paused.
                self._events += self._passed(now)
                self._events += act(self._raid, now if at is None else min(at, now))
                self._changed.notify()

    def _passed(self, now: float) -> Iterator[RaidEvent]:
        while self._raid is not None and (due := self._raid.due) is not None and now >= due:
            yield from self._raid.advance(now)

    def _run(self) -> None:
        while self._open:
            with self._changed:
                if not self._events and self._open:
                    due = self._raid.due if self._raid is not None else None
                    if due is None:
                        self._changed.wait()
                    elif (patience := due - self._clock() - _CLOSE) > 0:
                        self._changed.wait(patience)
                    self._events += self._passed(self._clock())
                events, self._events = self._events, []
            for event in events:
                self._told(event)

    def _told(self, event: RaidEvent) -> None:
        try:
            self._tell(event)
        except Exception:
            # A broken light must not stop the clock.
            _log.exception("The event of the raid could not be reported: %s.", event.kind)

    def close(self) -> None:
        self._open = False
        with self._changed:
            self._changed.notify()
        self._thread.join(1.0)
