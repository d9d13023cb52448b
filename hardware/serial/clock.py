"""The board's milliseconds, told in this computer's monotonic seconds."""

from __future__ import annotations

from collections import deque
from typing import NamedTuple

from hardware.firmware.protocol import TICKS

SAMPLES = 8
"""Round trips that are remembered; older ones would have drifted away."""

OLDEST = 0.05
"""Seconds before its arrival that a press can have happened at most; no healthy line is slower."""


class RoundTrip(NamedTuple):
    seconds: float
    middle: float
    ticks: int


class BoardClock:
    """Learns from pings what time it was here when the board's clock showed a number."""

    def __init__(self) -> None:
        self._trips: deque[RoundTrip] = deque(maxlen=SAMPLES)

    @property
    def round_trip(self) -> float | None:
        """Seconds that the latest ping took there and back."""
        return self._trips[-1].seconds if self._trips else None

    def measure(self, sent: float, arrived: float, ticks: int) -> None:
        """A ping left at `sent`, the board read its clock as `ticks`, the answer came at `arrived`."""
        self._trips.append(RoundTrip(arrived - sent, (sent + arrived) / 2, ticks))

    def time_of(self, ticks: int, now: float) -> float:
        """When the board's clock showed `ticks`: never later than now, never long before."""
        if not self._trips:
            return now
        quickest = min(self._trips)  # the shorter the trip, the less its middle can be wrong
        since = (ticks - quickest.ticks + TICKS // 2) % TICKS - TICKS // 2
        return max(now - OLDEST, min(now, quickest.middle + since / 1000))
