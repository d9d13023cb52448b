"""What something costs, measured so that a busy machine gives the same answer."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import thread_time
from typing import Any

import cv2


def calls(act: Callable[[], object]) -> int:
    """How many functions are called while something is done: the same on every machine."""
    number = 0

    def count(_frame: Any, event: str, _argument: Any) -> None:
        nonlocal number
        number += event in ("call", "c_call")

    sys.setprofile(count)
    try:
        act()
    finally:
        sys.setprofile(None)
    return number


def cpu_seconds(act: Callable[[], object], times: int = 5) -> float:
    """What this thread spends at best, for what OpenCV does. Other programs still share the machine's caches: compare
    two costs, and leave much room."""
    threads, spent = cv2.getNumThreads(), []
    cv2.setNumThreads(1)
    try:
        for _ in range(times):
            began = thread_time()
            act()
            spent.append(thread_time() - began)
    finally:
        cv2.setNumThreads(threads)
    return min(spent)
