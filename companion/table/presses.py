"""Buttons that were pressed: each counts once, and after what hands are still doing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.kernel.messages import Signal
from companion.table.observations import is_late

BUSY: Final = 3.0
"""Seconds for which a press waits for hands that are over the table: people press when they are done, and what they
have just done is seen only when their hands are gone."""


class Presses:
    """The signals of one table, in the order in which they were heard."""

    def __init__(self) -> None:
        self._heard: dict[tuple[str, str, int | None], float] = {}
        self._waiting: list[tuple[Signal, float]] = []

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def known(self, signal: Signal) -> bool:
        """The same signal twice is one; a clock that was set back is another clock."""
        last = self._heard.get(_key(signal))
        return last is not None and is_late(signal.at, last)

    def add(self, signal: Signal, now: float) -> None:
        self._heard[_key(signal)] = signal.at
        self._waiting.append((signal, now))

    def due(self, busy: bool, now: float) -> Iterator[Signal]:
        """Those that wait no longer."""
        while self._waiting and not (busy and self._held(*self._waiting[0], now)):
            yield self._waiting.pop(0)[0]

    def _held(self, signal: Signal, since: float, now: float) -> bool:
        return signal.kind == "press" and now - since < BUSY

    def forget(self, signal: Signal) -> None:
        """It could not be written down, and counts when it is pressed again."""
        self._heard.pop(_key(signal), None)


def _key(signal: Signal) -> tuple[str, str, int | None]:
    return signal.kind, signal.source, signal.seat
