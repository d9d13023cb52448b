"""What systemd is told: that the companion is ready, how it is, that it is alive, and that it stops.

It is told by hand: a datagram to the socket that systemd names. Where nobody is named, nothing is said.
"""

from __future__ import annotations

import logging
import os
import socket
from collections.abc import Mapping
from typing import Final, Protocol

_log = logging.getLogger(__name__)

_SHARE: Final = 3
"""So many signs of life fit into the time after which systemd gives up: one may be late, one may be lost."""


class Progress(Protocol):
    """Something that has to go on."""

    @property
    def steps(self) -> int:
        """Grows with everything that is done."""

    @property
    def waits(self) -> bool:
        """Whether it rightly does nothing, and says in its health why."""


class Systemd:
    """The process that started this one, if that wants to hear of it."""

    def __init__(self, address: str = "", watchdog: float | None = None) -> None:
        self._address = f"\0{address[1:]}" if address.startswith("@") else address
        self.interval = watchdog / _SHARE if watchdog else None
        self._status = ""
        self._deaf = False

    @classmethod
    def from_environment(cls, environment: Mapping[str, str] | None = None) -> Systemd:
        given = os.environ if environment is None else environment
        usec, pid = given.get("WATCHDOG_USEC", ""), given.get("WATCHDOG_PID", "")
        # A watchdog may be meant for another process that handed its environment down to this one.
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
                line.setblocking(False)  # whoever does not read must not make us wait
                line.sendto("\n".join(words).encode(), self._address)
            self._deaf = False
        except OSError as error:
            if not self._deaf:
                _log.warning("systemd does not hear us at %s: %s.", self._address, error.strerror or error)
            self._deaf = True


class Heartbeat:
    """Tells systemd that we are alive, but only if everything that has to go on has gone on since it was told last."""

    def __init__(self, systemd: Systemd, *parts: Progress) -> None:
        self._systemd = systemd
        self._parts = parts
        self._done = [part.steps for part in parts]
        self._due = float("-inf")

    def beat(self, now: float) -> bool:
        """Called often; whether systemd was told."""
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
