"""The inbox: one queue into which all sources put messages, and from which the game thread takes them, one at a time.

It cannot grow without end. Of Readings and Ticks only the newest unread one matters, and replaces the one before.
Presses and dials beyond what people can do, from a switch that chatters or a board gone wild, are dropped and counted;
what the timer says and which part was lost never is. Commands are never dropped either: when too many wait, or the
companion stops, the next one is refused to the phone that brings it, and counted.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from typing import Final

from companion.daemon.health import Health, told
from companion.kernel.messages import Command, Message, Reading, Signal, Tick

ROOM: Final = 1000
"""Messages that may wait before Commands are refused; a game thread that is so far behind is in trouble."""
PRESSES: Final = 200
"""Presses and dials that may wait: eight people cannot do so many before the table has taken the first."""


class NotAccepted(Exception):
    """A Command that the inbox does not take; the message says why and what to do."""


class Inbox:
    """Messages in the order in which they came."""

    def __init__(self, room: int = ROOM, presses: int = PRESSES) -> None:
        self._room, self._presses = room, presses
        self._pressed = 0
        """Presses and dials that wait."""
        self.dropped = self.refused = 0
        """Presses and dials that were not taken since the start, and Commands."""
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
            if _floods(message):
                if self._pressed >= self._presses:
                    self.dropped += 1
                    return
                self._pressed += 1
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
            self.refused += 1
            raise NotAccepted(f"{len(self._waiting)} messages wait for the table, so {command.kind!r} was not taken.")

    def take(self, timeout: float) -> Message | None:
        """The next message; None when there was none for so many seconds, or none will come any more."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed, max(0.0, timeout))
            if not self._waiting:
                return None
            message = self._waiting.popitem(last=False)[1]
            self._pressed -= _floods(message)
            return message

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

    def health(self) -> Iterator[Health]:
        """Nothing to tell while everything was taken."""
        full = self._pressed >= self._presses or len(self) >= self._room
        if self.dropped or self.refused:
            yield told(
                "inbox", "troubled" if full else "ok", "inbox.dropped", presses=self.dropped, orders=self.refused
            )

    def __len__(self) -> int:
        return len(self._waiting)


def _floods(message: Message) -> bool:
    """Whether it comes from a part that may repeat itself without end."""
    return isinstance(message, Signal) and message.kind not in ("timer", "lost", "back")
