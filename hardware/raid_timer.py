"""The thread that drives a raid on the monotonic clock: a changed wall clock, a busy camera or a phone move nothing."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from hardware.raid import Raid, RaidEvent, RaidSeen

_log = logging.getLogger(__name__)

Tell = Callable[[RaidEvent], None]

_CLOSE: Final = 0.0015
"""Seconds before something is due at which the thread stops sleeping and looks at the clock."""


class RaidTimer:
    """Drives one raid at a time. `tell` is called in this thread, in order, as soon as something happens."""

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
        """How the raid stands; from any thread."""
        with self._changed:
            return None if self._raid is None else self._raid.seen(self._clock())

    def gather(self, raid: Raid) -> None:
        """A raid begins to gather; one that was under way is called off."""
        with self._changed:
            if self._raid is not None:
                self._events += self._raid.call_off(self._clock())
            self._raid = raid
            self._changed.notify()

    def ready(self, seat: int, at: float | None = None) -> None:
        self._do(lambda raid, now: raid.ready(seat, now), at)

    def start(self, seat: int, at: float | None = None) -> None:
        """The king starts. The time runs from the press, not from when the press was heard of."""
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
                # What was due before this act comes first: nobody pauses a raid that is over.
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
            # A light that fails must not stop the clock.
            _log.exception("Nobody could be told that the raid has %s.", event.kind)

    def close(self) -> None:
        self._open = False
        with self._changed:
            self._changed.notify()
        self._thread.join(1.0)
