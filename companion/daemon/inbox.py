"""The inbox: one queue into which all sources put messages, and from which one owner takes them, one at a time.

It cannot grow without end. Of Readings and Ticks only the newest unread one matters, and replaces the one before.
Signals are never dropped, for people press no faster than they can. Commands are never dropped either: when too many
wait, or the companion stops, the next one is refused to whoever brings it, and nobody believes that it was taken.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final

from companion.messages import Command, Message, Reading, Tick

ROOM: Final = 1000
"""Messages that may wait before Commands are refused; an owner that is so far behind is in trouble."""


class NotAccepted(Exception):
    """A Command that the inbox does not take; the message says why and what to do."""


class Inbox:
    """Messages in the order in which they came."""

    def __init__(self, room: int = ROOM) -> None:
        self._room = room
        self._changed = threading.Condition()
        self._waiting: OrderedDict[int, Message] = OrderedDict()
        self._newest: dict[type[Message], int] = {}
        self._number = 0
        self._closed = False

    def put(self, message: Message) -> None:
        """Nobody waits here. Raises `NotAccepted` for a Command that cannot be taken."""
        with self._changed:
            if isinstance(message, Command):
                self._refuse(message)
            if self._closed:
                return
            if isinstance(message, Reading | Tick):
                self._waiting.pop(self._newest.get(type(message), -1), None)
                self._newest[type(message)] = self._number
            self._waiting[self._number] = message
            self._number += 1
            self._changed.notify()

    def _refuse(self, command: Command) -> None:
        if self._closed:
            raise NotAccepted(f"The companion is stopping and takes no {command.kind!r} any more; try again later.")
        if len(self._waiting) >= self._room:
            raise NotAccepted(f"{len(self._waiting)} messages wait for the table, so {command.kind!r} was not taken.")

    def take(self, timeout: float) -> Message | None:
        """The next message; None when there was none for so many seconds, or none will come any more."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed, max(0.0, timeout))
            return self._waiting.popitem(last=False)[1] if self._waiting else None

    def close(self) -> None:
        """Accept nothing more. What was accepted can still be taken."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def over(self) -> bool:
        """Whether it is closed, and everything was taken."""
        with self._changed:
            return self._closed and not self._waiting

    def __len__(self) -> int:
        return len(self._waiting)
