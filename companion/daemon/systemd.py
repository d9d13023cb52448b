"""Notifies systemd that the companion is ready, how it is, that it is alive, and that it stops.

Each notification is a datagram to the socket in `NOTIFY_SOCKET`. Without that variable nothing is sent.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Mapping
from typing import Final, Protocol

_log = logging.getLogger(__name__)

_SHARE: Final = 3
"""Number of heartbeats in systemd's watchdog time: one may be late and one may be lost."""


class Progress(Protocol):
    """A part that must not get stuck."""

    @property
    def steps(self) -> int:
        """A number that grows while the part works."""

    @property
    def waits(self) -> bool:
        """Whether it has nothing to do now, for a reason that its health tells."""


class Systemd:
    """Sends notifications to systemd, if it started this process and expects them."""

    def __init__(self, address: str = "", watchdog: float | None = None) -> None:
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self.interval = watchdog / _SHARE if watchdog else None
        self._status = ""
        self._deaf = False

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Systemd:
        given = os.environ if environment is None else environment
        usec, pid = given.get("WATCHDOG_USEC", ""), given.get("WATCHDOG_PID", "")
        # The watchdog may be meant for a parent process, whose environment this one inherited.
        ours = usec.isdecimal() and int(usec) > 0 and pid in ("", str(os.getpid()))
        return cls(given.get("NOTIFY_SOCKET", ""), int(usec) / 1e6 if ours else None)

    def ready(self, status: str) -> None:
        self._status = status
        self._say("READY=1", f"STATUS={_one_line(status)}")

    def status(self, status: str) -> None:
        if status != self._status:
            self._status = status
            self._say(f"STATUS={_one_line(status)}")

    def alive(self) -> None:
        self._say("WATCHDOG=1")

    def stopping(self) -> None:
        self._say("STOPPING=1", "STATUS=Stopping.")

    def _say(self, *words: str) -> None:
        if not self._address:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as line:
                line.setblocking(False)  # do not wait if systemd does not read
                line.sendto("\n".join(words).encode(), self._address)
            self._deaf = False
        except OSError as error:
            if not self._deaf:
                _log.warning("systemd does not hear us at %s: %s.", self._address, error.strerror or error)
            self._deaf = True


class Heartbeat:
    """Tells systemd that the companion is alive, if every part has made progress since the last time."""

    def __init__(self, systemd: Systemd, *parts: Progress) -> None:
        self._systemd = systemd
        self._parts = parts
        self._done = [part.steps for part in parts]
        self._due = float("-inf")

    def beat(self, now: float) -> bool:
        """Send a heartbeat if one is due. Has to be called often. Returns whether one was sent."""
        if self._systemd.interval is None or now < self._due:
            return False
        if not all(part.waits or part.steps > done for part, done in zip(self._parts, self._done, strict=True)):
            return False
        self._done = [part.steps for part in self._parts]
        self._due = now + self._systemd.interval
        self._systemd.alive()
        return True


def _one_line(text: str) -> str:
    return " ".join(text.split())
