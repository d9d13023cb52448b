"""Helpers for tests of the serial link: a cable, an inbox, a clock, a foreign device."""

from __future__ import annotations

import os
import select
import threading
import time
import tty
from pathlib import Path

from companion.kernel.messages import Signal

GENEROUS = 60.0
"""Seconds that a test waits for what comes at once on an idle machine."""


class Inbox:
    """Takes Signals and lets a test wait for them."""

    def __init__(self) -> None:
        self.signals: list[Signal] = []
        self._changed = threading.Condition()

    def put(self, signal: Signal) -> None:
        with self._changed:
            self.signals.append(signal)
            self._changed.notify_all()

    def wait_for(self, *kinds: str) -> list[Signal]:
        with self._changed:
            self._changed.wait_for(lambda: self.kinds() == list(kinds), GENEROUS)
        assert self.kinds() == list(kinds)
        return self.signals

    def kinds(self) -> list[str]:
        return [signal.kind for signal in self.signals]


class Clock:
    """The computer's clock, which a test can put forward."""

    def __init__(self) -> None:
        self.ahead = 0.0

    def __call__(self) -> float:
        return time.monotonic() + self.ahead


class Cable:
    """A path to the connected device, like udev's links."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def plug(self, port: str) -> None:
        aside = self.path.with_suffix(".next")
        aside.symlink_to(port)
        aside.rename(self.path)


class Stranger:
    """A foreign device, which echoes the bytes it gets."""

    def __init__(self, answer: bytes) -> None:
        self._answer = answer
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        self.port = os.ttyname(self._slave)
        self._stop, self._stopping = os.pipe()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def _run(self) -> None:
        while self._stop not in select.select([self._master, self._stop], [], [])[0]:
            os.read(self._master, 4096)
            os.write(self._master, self._answer)

    def unplug(self) -> None:
        os.write(self._stopping, b"!")
        self._thread.join()
        for end in (self._master, self._slave, self._stop, self._stopping):
            os.close(end)
