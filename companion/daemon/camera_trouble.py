"""What phones show while the camera cannot see the table: certain problems at once, others after a delay.

A knocked camera often finds the table again within a second. That is shown too, for some seconds, because other
things on the table may have moved as well.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from typing import Any, Final, Protocol, runtime_checkable

from companion.text.sentences import both_words

Body = dict[str, Any]

PATIENCE: Final[Mapping[str, float]] = {
    "unplugged": 2.0,
    "opening": 10.0,
    "hidden": 5.0,
    "not_found": 5.0,
    "unclear": 5.0,
}
"""Seconds before a problem is shown, because it may pass by itself. Problems not listed are shown at once."""
AFTERWARDS: Final = 10.0
"""Seconds for which a knock is shown after the table was found again."""


@runtime_checkable
class SightStatus(Protocol):
    """The part that reads the table."""

    @property
    def blind(self) -> str:
        """Why the table cannot be read, as a key of the words under `blind`; empty if it can."""

    @property
    def knocks(self) -> int:
        """Number of times the camera has moved."""


class CameraTroubles:
    """Tracks the problems of one camera. `now` has to be called regularly, from any thread."""

    def __init__(self, sight: SightStatus, clock: Callable[[], float] = time.monotonic) -> None:
        self._sight, self._clock = sight, clock
        self._changed = threading.Lock()
        self._since: float | None = None
        self._told = False
        self._knocks = sight.knocks
        self._knocked_at = float("-inf")

    def now(self) -> Body | None:
        """The problem, since when (monotonic seconds), and a sentence; None if there is none."""
        with self._changed:
            kind = self._kind(self._clock())
            if not kind:
                return None
            since = self._knocked_at if self._since is None else self._since
            return {"kind": kind, "since": since, "says": both_words(f"blind.{kind}")}

    def _kind(self, now: float) -> str:
        kind, knocks = self._sight.blind, self._sight.knocks
        if knocks != self._knocks:
            self._knocks, self._knocked_at = knocks, now
        if not kind:
            self._told, self._since = False, None
            return "found_again" if now - self._knocked_at < AFTERWARDS else ""
        self._since = now if self._since is None else self._since
        self._told = self._told or now - self._since >= PATIENCE.get(kind, 0.0)
        return kind if self._told else ""
