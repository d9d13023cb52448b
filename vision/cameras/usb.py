"""A USB camera, through OpenCV. Automatic exposure, white balance and focus are fixed if the camera supports it."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from typing import Any, Final

import cv2
import numpy as np

from vision.cameras.camera import FULL_SIZE, CameraError, Clock, Frame, coloured

SETTLING_FRAMES: Final = 20

BY_ITSELF: Final = 3.0
BY_HAND: Final = 1.0
"""Exposure modes of Video4Linux: 3 is automatic, 1 is manual."""


class UsbCamera:
    """A camera by its number or device path."""

    def __init__(
        self,
        source: int | str = 0,
        size: tuple[int, int] = FULL_SIZE,
        clock: Clock = time.monotonic,
        capture: Callable[[int | str], Any] | None = None,
    ) -> None:
        self.name = f"usb:{source}"
        self.held: tuple[str, ...] = ()
        self._clock = clock
        self._number = 0
        self._capture = (capture or _opened)(source)
        if not self._capture.isOpened():
            self.close()
            raise CameraError(f"There is no camera at {self.name}; plug it in, or choose another number.")
        # USB 2 is too slow for uncompressed 1080p, and old frames are useless.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
        self.settle()

    def settle(self) -> None:
        """Let the camera adjust itself for some frames, then fix the values. `held` names those that could be fixed."""
        self._capture.set(cv2.CAP_PROP_AUTO_EXPOSURE, BY_ITSELF)
        self._capture.set(cv2.CAP_PROP_AUTO_WB, 1)
        for _ in range(SETTLING_FRAMES):
            self._capture.grab()
        held = {
            "exposure": self._hold(cv2.CAP_PROP_AUTO_EXPOSURE, BY_HAND, cv2.CAP_PROP_EXPOSURE),
            "white balance": self._hold(cv2.CAP_PROP_AUTO_WB, 0, cv2.CAP_PROP_WB_TEMPERATURE),
            "focus": self._hold(cv2.CAP_PROP_AUTOFOCUS, 0, cv2.CAP_PROP_FOCUS),
        }
        self.held = tuple(name for name, done in held.items() if done)

    def small(self) -> Frame | None:
        return self._read().shrunk()

    def full(self) -> Frame:
        # The driver keeps one old frame.
        self._capture.grab()
        return self._read()

    def close(self) -> None:
        self._capture.release()

    def _hold(self, automatic: int, off: float, value: int) -> bool:
        chosen = self._capture.get(value)
        if not self._capture.set(automatic, off):
            return False
        # Some cameras return to their factory value when automatic mode is switched off.
        self._capture.set(value, chosen)
        return True

    def _read(self) -> Frame:
        try:
            ok, image = self._capture.read()
        except cv2.error as error:
            raise CameraError(f"The camera {self.name} gives no picture: {error}.") from error
        if not ok or image is None:
            raise CameraError(f"The camera {self.name} gives no picture; its cable may be loose.")
        self._number += 1
        return Frame(coloured(np.asarray(image, np.uint8)), self._clock(), self._number)


def _opened(source: int | str) -> Any:
    # By default, OpenCV waits ten seconds for a camera that is gone.
    os.environ.setdefault("OPENCV_VIDEOIO_V4L_SELECT_TIMEOUT", "3")
    return cv2.VideoCapture(source, cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY)
