"""What presses mean: a press at once, and besides a long one when the button is held, or a double one when it is
pressed twice in a hurry. Pure: changes come in, signals come out, and `due` says when to ask again."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.kernel.messages import Signal
from hardware.debounce import Change

LONG: Final = 0.8
"""Seconds after which a press that is held is a long one."""
DOUBLE: Final = 0.35
"""Two presses within so many seconds are a double one."""


class Presses:
    """The presses of one button. Every signal bears the time at which the finger went down."""

    def __init__(self, source: str, long: float = LONG, double: float = DOUBLE) -> None:
        self._source = source
        self._long, self._double = long, double
        self._held: float | None = None
        self._before: float | None = None

    def changed(self, change: Change) -> Iterator[Signal]:
        if not change.down:
            self._held = None
            return
        self._held = change.at
        yield Signal("press", self._source, change.at)
        if self._before is not None and change.at - self._before <= self._double:
            yield Signal("double_press", self._source, change.at)
            self._before = None
        else:
            self._before = change.at

    @property
    def due(self) -> float | None:
        return None if self._held is None else self._held + self._long

    def waited(self, now: float) -> Iterator[Signal]:
        if self._held is not None and now >= self._held + self._long:
            yield Signal("long_press", self._source, self._held)
            self._held = None
