"""The event bus: publishes the table's Updates to any number of subscribers. A slow subscriber never delays the table.

All events are in one log, and each subscriber only has its place in it. Updates are numbered within an edition. A new
edition begins when another table is opened or the companion starts again; numbers of different editions cannot be
compared.
"""

from __future__ import annotations

import secrets
import threading
from collections import deque
from collections.abc import Callable, Iterable
from itertools import islice
from typing import Any, Final

import msgspec

from companion.kernel.messages import Update

KEPT: Final = 500
"""Number of events that are kept. A subscriber that is further behind gets `Missed`."""


class Snapshot(msgspec.Struct, frozen=True):
    """The full status after an Update, for a subscriber that knows nothing yet."""

    edition: str
    number: int
    table: dict[str, Any] = {}


class Missed(msgspec.Struct, frozen=True):
    """Too many Updates were missed to send them one by one; the subscriber should take a new Snapshot."""

    edition: str


News = Update | Missed


class Event:
    """An Update in the log. Only the subscribers at its time get a `passing` event."""

    __slots__ = ("encoded", "passing", "update")

    def __init__(self, update: Update, passing: bool = False) -> None:
        self.update, self.passing = update, passing
        self.encoded = b""
        """The event as phones get it. It is encoded once, for all of them."""


class Subscription:
    """One subscriber's place in the log."""

    def __init__(self, bus: EventBus, place: int) -> None:
        self._bus, self._place = bus, place
        self._closed = False

    def get(self, timeout: float | None = None) -> News | None:
        """The next news; None after `timeout` seconds without any, or if there will be no more."""
        end, snapshot = self._bus.wait(self._place, timeout, lambda: self._closed or self._bus.closed)
        if self._closed or end == self._place:
            return None
        events = self._bus.between(self._place, self._place + 1)
        self._place = end if events is None else self._place + 1
        return Missed(snapshot.edition) if events is None else events[0].update

    def close(self) -> None:
        self._closed = True
        self._bus.wake()


class EventBus:
    """Only the game thread publishes; any thread may listen. A place in the log is the number of events before it."""

    def __init__(self, kept: int = KEPT) -> None:
        self._changed = threading.Condition()
        self._log: deque[Event] = deque(maxlen=kept)
        self._end = 0
        """The place after the last event."""
        self._snapshot = Snapshot(secrets.token_hex(4), 0)
        self._first = 0
        """The number before that of the oldest Update that is kept."""
        self.closed = False
        """Whether there will be no more events."""

    @property
    def edition(self) -> str:
        return self._snapshot.edition

    @property
    def snapshot(self) -> Snapshot:
        return self._snapshot

    # Publishing

    def open(self, number: int, table: dict[str, Any]) -> None:
        """Begin a new edition for another table, after Update `number`. Earlier snapshots become invalid."""
        with self._changed:
            self._log.clear()
            self._end += 1  # so that no event is left after any earlier place
            self._first = number
            self._snapshot = Snapshot(secrets.token_hex(4), number, table)
            self._changed.notify_all()

    def publish(self, updates: Iterable[Update], table: dict[str, Any]) -> None:
        """Add Updates to the log. `table` is the status after the last one."""
        told = tuple(updates)
        if not told:
            return
        with self._changed:
            for update in told:
                self._add(Event(update))
            self._snapshot = Snapshot(self.edition, told[-1].number, table)
            self._changed.notify_all()

    def aside(self, kind: str, body: dict[str, Any]) -> None:
        """Publish an event that is no Update of the table to the current subscribers."""
        with self._changed:
            self._add(Event(Update(self._snapshot.number, kind, body), passing=True))
            self._changed.notify_all()

    def _add(self, event: Event) -> None:
        if len(self._log) == self._log.maxlen and not self._log[0].passing:
            self._first = self._log[0].update.number
        self._log.append(event)
        self._end += 1

    # Listening

    def listen(self) -> tuple[Subscription, Snapshot]:
        """A new subscription, and the status before its first Update."""
        place, snapshot = self.now()
        return Subscription(self, place), snapshot

    def now(self) -> tuple[int, Snapshot]:
        """The place after the last event, and the status there."""
        with self._changed:
            return self._end, self._snapshot

    def wait(
        self, place: int, timeout: float | None = None, enough: Callable[[], bool] = lambda: False
    ) -> tuple[int, Snapshot]:
        """Wait until there is an event after a place, it is `enough`, or `timeout` seconds are over; then the same as
        `now`."""
        with self._changed:
            self._changed.wait_for(lambda: self._end != place or enough(), timeout)
            return self._end, self._snapshot

    def wake(self) -> None:
        """Let all waiting threads check their `enough` again."""
        with self._changed:
            self._changed.notify_all()

    def between(self, start: int, end: int) -> tuple[Event, ...] | None:
        """The events between two places; None if some of them are no longer kept."""
        with self._changed:
            first = self._end - len(self._log)
            if start < first:
                return None
            return tuple(self._log[place - first] for place in range(start, min(end, self._end)))

    def since(self, number: int, edition: str, end: int | None = None) -> tuple[Event, ...] | None:
        """The Updates after `number` in an edition, up to a place; None if some of them are no longer kept."""
        with self._changed:
            if edition != self.edition or not self._first <= number <= self._snapshot.number:
                return None
            first = self._end - len(self._log)
            kept = islice(self._log, None if end is None else max(end - first, 0))
            return tuple(event for event in kept if not event.passing and event.update.number > number)

    def close(self) -> None:
        """Tell all subscribers that there will be no more news."""
        self.closed = True
        self.wake()
