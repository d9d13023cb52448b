"""What phones are told while the camera cannot see the table: at once where that is certain, and not for every hand.

A camera that was knocked often finds the table again within a second. That is told too, for a moment: things that stood
near it may have moved.
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
"""Seconds for which a trouble may pass by itself before it is told; others are told at once."""
AFTERWARDS: Final = 10.0
"""Seconds for which a knock is told after the table was found again."""


@runtime_checkable
class Sight(Protocol):
    """Whatever reads the table."""

    @property
    def blind(self) -> str:
        """Why the table cannot be read now: a key of the words under `blind`; empty while it can."""

    @property
    def knocks(self) -> int:
        """How often the camera was found to have moved."""


class CameraTroubles:
    """Follows one camera. `now` may be asked by any thread, and has to be asked again and again."""

    def __init__(self, sight: Sight, clock: Callable[[], float] = time.monotonic) -> None:
        self._sight, self._clock = sight, clock
        self._changed = threading.Lock()
        self._since: float | None = None
        self._told = False
        self._knocks = sight.knocks
        self._knocked_at = float("-inf")

    def now(self) -> Body | None:
        """The trouble, since when (monotonic seconds), and a sentence; None while all is well."""
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
