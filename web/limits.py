"""How often somebody may ask for something: a purse that fills slowly and pays for each time. It has no clock."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Final

MOST_PURSES: Final = 4096
"""Whoever has not asked for longest is forgotten first; without an end, asking alone would fill the memory."""


class Limit:
    """So many times at once, and then one every so many seconds, for each who asks."""

    def __init__(self, burst: int, seconds: float) -> None:
        self._burst, self._seconds = burst, seconds
        self._changed = threading.Lock()
        self._purses: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, who: str, now: float) -> float:
        """0.0, and one time is paid for; or the seconds until it can be."""
        with self._changed:
            left, since = self._purses.pop(who, (float(self._burst), now))
            left = min(float(self._burst), left + max(0.0, now - since) / self._seconds)
            paid = left >= 1.0
            self._purses[who] = (left - 1.0 if paid else left, now)
            while len(self._purses) > MOST_PURSES:
                self._purses.popitem(last=False)
            return 0.0 if paid else (1.0 - left) * self._seconds
