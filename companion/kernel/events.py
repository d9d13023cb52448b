"""The event bus: what the table publishes, for any number of subscribers. None of them can keep the table waiting.

Updates are numbered within an edition. A new edition begins when another table is opened or the companion starts
again; numbers of different editions cannot be compared.
"""

from __future__ import annotations

import queue
import secrets
import threading
from collections import deque
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from companion.kernel.messages import Update

KEPT: Final = 500
"""Number of Updates that are kept for subscribers that missed some."""
PATIENCE: Final = 200
"""Number of Updates that may wait for a subscriber before they are dropped and it gets `Missed`."""


class Snapshot(msgspec.Struct, frozen=True):
    """The full status after an Update, for a subscriber that knows nothing yet."""

    edition: str
    number: int
    table: dict[str, Any] = {}


class Missed(msgspec.Struct, frozen=True):
    """Too many Updates were missed to send them one by one; the subscriber should take a new Snapshot."""

    edition: str


News = Update | Missed


class Subscription:
    """One subscriber's queue of news, in order. It is kept until it is closed."""

    def __init__(self, bus: EventBus, patience: int) -> None:
        self._bus = bus
        self._news: queue.Queue[News | None] = queue.Queue(patience)

    def get(self, timeout: float | None = None) -> News | None:
        """The next news; None after `timeout` seconds without any, or if there will be no more."""
        try:
            return self._news.get(timeout=timeout)
        except queue.Empty:
            return None

    def hear(self, news: News | None) -> None:
        """Called by the event bus. A subscriber that is too slow loses what waits, and is told so."""
        try:
            self._news.put_nowait(news)
        except queue.Full:
            self._forget()
            self._news.put_nowait(Missed(self._bus.edition) if news is not None else None)

    def _forget(self) -> None:
        while True:
            try:
                self._news.get_nowait()
            except queue.Empty:
                return

    def close(self) -> None:
        self._bus.leave(self)


class EventBus:
    """Only the game thread publishes; any thread may listen."""

    def __init__(self, kept: int = KEPT) -> None:
        self._changed = threading.Lock()
        self._past: deque[Update] = deque(maxlen=kept)
        self._listeners: set[Subscription] = set()
        self._snapshot = Snapshot(secrets.token_hex(4), 0)
        self._first = 0
        """The number before that of the oldest Update that is kept."""

    @property
    def edition(self) -> str:
        return self._snapshot.edition

    @property
    def snapshot(self) -> Snapshot:
        return self._snapshot

    def open(self, number: int, table: dict[str, Any]) -> None:
        """Begin a new edition for another table, after Update `number`. All that subscribers knew is out of date."""
        with self._changed:
            self._past.clear()
            self._first = number
            self._snapshot = Snapshot(secrets.token_hex(4), number, table)
            for listener in self._listeners:
                listener.hear(Missed(self.edition))

    def publish(self, updates: Iterable[Update], table: dict[str, Any]) -> None:
        """Send Updates to all subscribers, and keep them for later. `table` is the status after the last one."""
        told = tuple(updates)
        with self._changed:
            if told:
                # First, so that a subscriber that has got the last Update finds the status after it.
                self._snapshot = Snapshot(self.edition, told[-1].number, table)
            for update in told:
                if len(self._past) == self._past.maxlen:
                    self._first = self._past[0].number
                self._past.append(update)
                self._tell(update)

    def aside(self, kind: str, body: dict[str, Any]) -> None:
        """Send something that did not happen at the table to the subscribers of this moment only; it is not kept."""
        with self._changed:
            self._tell(Update(self._snapshot.number, kind, body))

    def _tell(self, update: Update) -> None:
        for listener in self._listeners:
            listener.hear(update)

    def listen(self, patience: int = PATIENCE) -> tuple[Subscription, Snapshot]:
        """A new subscription, and the status at the moment from which on it gets every Update."""
        listener = Subscription(self, patience)
        with self._changed:
            self._listeners.add(listener)
            return listener, self._snapshot

    def leave(self, listener: Subscription) -> None:
        with self._changed:
            self._listeners.discard(listener)
            listener.hear(None)

    def since(self, number: int, edition: str | None = None) -> tuple[Update, ...] | Missed:
        """The Updates after `number`, or `Missed` if they are no longer kept. The default is the current edition."""
        with self._changed:
            if edition not in (None, self.edition) or not self._first <= number <= self._snapshot.number:
                return Missed(self.edition)
            return tuple(update for update in self._past if update.number > number)

    def close(self) -> None:
        """Tell all subscribers that there will be no more news."""
        with self._changed:
            for listener in self._listeners:
                listener.hear(None)
            self._listeners.clear()
