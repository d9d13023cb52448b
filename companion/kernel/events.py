"""The event bus: what the table publishes, for any number of subscribers. None of them can keep the table waiting.

Updates are numbered from the start of an edition. An edition ends when another table is opened, or the companion
starts again: numbers of another edition say nothing.
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
"""Updates that a listener may have missed and still catch up with."""
PATIENCE: Final = 200
"""Updates that may wait for a listener before it is told that it missed too much."""


class Snapshot(msgspec.Struct, frozen=True):
    """How things stand after an Update: what a listener needs that knows nothing yet."""

    edition: str
    number: int
    table: dict[str, Any] = {}


class Missed(msgspec.Struct, frozen=True):
    """Too much was missed to tell it one by one: how things stand now has to be asked for."""

    edition: str


News = Update | Missed


class Subscription:
    """One listener's share of the news, in order. Close it, or it is kept for ever."""

    def __init__(self, bus: EventBus, patience: int) -> None:
        self._bus = bus
        self._news: queue.Queue[News | None] = queue.Queue(patience)

    def get(self, timeout: float | None = None) -> News | None:
        """The next news; None after so many seconds without any, or when there will be none."""
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
        """The number before the oldest Update that is kept."""

    @property
    def edition(self) -> str:
        return self._snapshot.edition

    @property
    def snapshot(self) -> Snapshot:
        return self._snapshot

    def open(self, number: int, table: dict[str, Any]) -> None:
        """Another table: a new edition begins after Update `number`, and what listeners knew is void."""
        with self._changed:
            self._past.clear()
            self._first = number
            self._snapshot = Snapshot(secrets.token_hex(4), number, table)
            for listener in self._listeners:
                listener.hear(Missed(self.edition))

    def publish(self, updates: Iterable[Update], table: dict[str, Any]) -> None:
        """Tell everybody, and keep it for those who missed it. `table` is how things stand after the last of them."""
        told = tuple(updates)
        with self._changed:
            if told:
                # Before anybody hears of it: who hears the last of them finds how things stand after it.
                self._snapshot = Snapshot(self.edition, told[-1].number, table)
            for update in told:
                if len(self._past) == self._past.maxlen:
                    self._first = self._past[0].number
                self._past.append(update)
                self._tell(update)

    def aside(self, kind: str, body: dict[str, Any]) -> None:
        """Tell whoever listens now something that did not happen at the table; nobody catches up on it."""
        with self._changed:
            self._tell(Update(self._snapshot.number, kind, body))

    def _tell(self, update: Update) -> None:
        for listener in self._listeners:
            listener.hear(update)

    def listen(self, patience: int = PATIENCE) -> tuple[Subscription, Snapshot]:
        """A listener, and how things stand at the moment from which on it hears everything."""
        listener = Subscription(self, patience)
        with self._changed:
            self._listeners.add(listener)
            return listener, self._snapshot

    def leave(self, listener: Subscription) -> None:
        with self._changed:
            self._listeners.discard(listener)
            listener.hear(None)

    def since(self, number: int, edition: str | None = None) -> tuple[Update, ...] | Missed:
        """What came after Update `number`, or that it was too much. Without an edition the present one is meant."""
        with self._changed:
            if edition not in (None, self.edition) or not self._first <= number <= self._snapshot.number:
                return Missed(self.edition)
            return tuple(update for update in self._past if update.number > number)

    def close(self) -> None:
        """There will be no more news."""
        with self._changed:
            for listener in self._listeners:
                listener.hear(None)
            self._listeners.clear()
