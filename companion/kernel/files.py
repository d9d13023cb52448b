"""Plain data as typed data, one thread at a time.

msgspec finds out about a type when it first meets it. A second thread that meets the same type meanwhile brings the
whole process down, and files are read by whichever thread needs them first: two phones may open the set-up at once.
"""

from __future__ import annotations

import threading
from typing import Any, Final, TypeVar

import msgspec

T = TypeVar("T")
_TURN: Final = threading.RLock()


def converted(raw: Any, kind: type[T]) -> T:
    """Checked data of a type. Raises `msgspec.ValidationError`."""
    with _TURN:
        return msgspec.convert(raw, kind)
