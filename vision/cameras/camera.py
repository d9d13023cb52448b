"""The Camera protocol, and frames."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol, runtime_checkable

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from companion.kernel.camera_source import without_password

Image = NDArray[np.uint8]
Clock = Callable[[], float]

SMALL_WIDTH: Final = 320
FULL_SIZE: Final = (1920, 1080)


class CameraError(Exception):
    """A camera cannot be opened or returns no picture; the message is a sentence without a password."""

    def __init__(self, says: str) -> None:
        super().__init__(without_password(says))


class Frame(msgspec.Struct, frozen=True, eq=False):
    """One picture in blue, green and red, with the monotonic second when it was taken, and its number in the stream."""

    image: Image
    at: float
    number: int

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return self.image.shape[1], self.image.shape[0]

    def shrunk(self, width: int = SMALL_WIDTH) -> Frame:
        """The same picture in this width, for cameras without a small stream."""
        if self.image.shape[1] <= width:
            return self
        height = max(1, round(self.image.shape[0] * width / self.image.shape[1]))
        small = cv2.resize(self.image, (width, height), interpolation=cv2.INTER_AREA)
        return Frame(np.asarray(small, np.uint8), self.at, self.number)


class Camera(Protocol):
    """A source of frames. `full` raises CameraError if there is none; `small` returns None if there is no new one."""

    @property
    def name(self) -> str: ...

    def small(self) -> Frame | None: ...

    def full(self) -> Frame: ...

    def close(self) -> None: ...


@runtime_checkable
class Settling(Protocol):
    """A camera that can adjust exposure and colours, and then keeps them fixed."""

    def settle(self) -> None: ...


def coloured(image: Image) -> Image:
    """Convert a grey picture or one with alpha to three channels."""
    if image.ndim == 2:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_GRAY2BGR), np.uint8)
    if image.shape[2] == 4:
        return np.asarray(cv2.cvtColor(image, cv2.COLOR_BGRA2BGR), np.uint8)
    return image
