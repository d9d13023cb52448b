"""The inbox: one bounded queue of messages from all sources to the game thread.

A new Reading or Tick replaces an unread older one. If a chattering switch or a broken board sends more presses and dial
turns than people can make, they are dropped and counted; Signals of the timer and of lost parts are never dropped.
Commands are never dropped either: if too many wait, or the companion stops, the next one is refused and counted.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Iterator
from typing import Final

from companion.daemon.health import Health, told
from companion.kernel.messages import Command, Message, Reading, Signal, Tick

ROOM: Final = 1000
"""Number of waiting messages above which Commands are refused; the game thread is stuck then."""
PRESSES: Final = 200
"""Maximum number of waiting presses and dial turns, more than eight people can make while the table handles one."""


class NotAccepted(Exception):
    """The inbox refuses a Command; the message says why and what to do."""


class Inbox:
    """Messages in the order of their arrival."""

    def __init__(self, room: int = ROOM, presses: int = PRESSES) -> None:
        self._room, self._presses = room, presses
        self._pressed = 0
        """Number of waiting presses and dial turns."""
        self.dropped = self.refused = 0
        """Number of dropped presses and dial turns, and of refused Commands, since the start."""
        self._changed = threading.Condition()
        self._waiting: OrderedDict[int, Message] = OrderedDict()
        self._newest: dict[type[Message], int] = {}
        self._number = 0
        self._closed = False

    def put(self, message: Message) -> None:
        """Add a message without waiting. Raises `NotAccepted` for a Command if the inbox is full or closed."""
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
        """The next message; None after the timeout, or if the inbox is closed and empty."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._closed, max(0.0, timeout))
            if not self._waiting:
                return None
            message = self._waiting.popitem(last=False)[1]
            self._pressed -= _floods(message)
            return message

    def close(self) -> None:
        """Accept no more messages. Waiting ones can still be taken."""
        with self._changed:
            self._closed = True
            self._changed.notify_all()

    @property
    def over(self) -> bool:
        """Whether the inbox is closed and empty."""
        with self._changed:
            return self._closed and not self._waiting

    def health(self) -> Iterator[Health]:
        """Empty while no message was dropped or refused."""
        full = self._pressed >= self._presses or len(self) >= self._room
        if self.dropped or self.refused:
            yield told(
                "inbox", "troubled" if full else "ok", "inbox.dropped", presses=self.dropped, orders=self.refused
            )

    def __len__(self) -> int:
        return len(self._waiting)


def _floods(message: Message) -> bool:
    """Whether a broken part could send messages like this without end."""
    return isinstance(message, Signal) and message.kind not in ("timer", "lost", "back")
