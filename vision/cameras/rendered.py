"""A camera that asks a function for its pictures: the rendered table of the demo, the loop and the tests."""

from __future__ import annotations

import time
from collections.abc import Callable

from vision.cameras.frames import Clock, Frame, Image


class RenderedCamera:
    """Pictures made on demand. `ask_small` may draw a cheaper small one; otherwise the full one is shrunk."""

    def __init__(
        self,
        ask: Callable[[], Image],
        ask_small: Callable[[], Image] | None = None,
        clock: Clock = time.monotonic,
        name: str = "rendered",
    ) -> None:
        self.name = name
        self._ask = ask
        self._ask_small = ask_small
        self._clock = clock
        self._number = 0

    def small(self) -> Frame | None:
        if self._ask_small is None:
            return self.full().shrunk()
        return self._frame(self._ask_small())

    def full(self) -> Frame:
        return self._frame(self._ask())

    def close(self) -> None:
        """There is nothing to let go."""

    def _frame(self, image: Image) -> Frame:
        self._number += 1
        return Frame(image, self._clock(), self._number)
