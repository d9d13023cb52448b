"""Measures the cost of code so that a busy machine gives the same result."""

from __future__ import annotations

import sys
from collections.abc import Callable
from time import thread_time
from typing import Any

import cv2


def calls(act: Callable[[], object]) -> int:
    """The number of function calls in some work, the same on every machine."""
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
    """The least CPU time of this thread, for work of OpenCV. Other programs share the machine's caches: compare
    two costs, with a wide margin."""
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
