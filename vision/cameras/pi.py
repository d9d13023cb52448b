"""The Raspberry Pi camera, through picamera2.

One configuration has both streams, so nothing is switched during a game: `main` is read, `lores` shows movement.
Exposure, gain, colour gains and focus (with a motor) are adjusted once and then fixed. If they changed when a sleeve
comes into the picture, everything on the table would seem to change.
"""

from __future__ import annotations

import importlib
import math
import time
from typing import Any, Final

import cv2
import numpy as np

from vision.cameras.camera import FULL_SIZE, CameraError, Clock, Frame, Image

SMALL_SIZE: Final = (320, 180)
PATIENCE: Final = 3.0
"""Seconds without a frame after which the cable counts as loose. Without a limit, picamera2 waits for ever."""

STEADY: Final = 0.02
STEADY_FRAMES: Final = 5
MOST_SETTLING_FRAMES: Final = 90

_FOCUS_BY_HAND, _FOCUS_ONCE, _FOCUS_NOW = 0, 1, 0
"""libcamera's values of AfMode (manual, auto) and AfTrigger (start)."""
_SEARCHING: Final = 1
"""libcamera's value of AfState while the lens still moves."""


class PiCamera:
    """The camera on the ribbon cable."""

    def __init__(
        self,
        number: int = 0,
        size: tuple[int, int] = FULL_SIZE,
        small_size: tuple[int, int] = SMALL_SIZE,
        clock: Clock = time.monotonic,
        library: Any = None,
    ) -> None:
        self.name = f"pi:{number}"
        self._clock = clock
        self._number = 0
        self._small_size = small_size
        self._camera: Any = None
        try:
            self._camera = (library or _picamera2()).Picamera2(number)
            self._camera.configure(
                # libcamera names formats by their order in a word: RGB888 is blue, green, red in memory. Without a
                # queue, a capture is always a new frame, never an old one from before a hand came in.
                self._camera.create_video_configuration(
                    main={"size": size, "format": "RGB888"},
                    lores={"size": small_size, "format": "YUV420"},
                    queue=False,
                )
            )
            self._camera.start()
            self.settle()
        except CameraError:
            self.close()
            raise
        except (RuntimeError, OSError, IndexError, TimeoutError) as error:
            self.close()
            raise CameraError(f"The Pi camera {number} does not start: {error}. Check its ribbon cable.") from error

    def settle(self) -> None:
        """Adjust exposure, white balance and focus automatically, then fix them."""
        self._camera.set_controls({"AeEnable": True, "AwbEnable": True})
        focuses = "AfMode" in self._camera.camera_controls
        if focuses:
            self._camera.set_controls({"AfMode": _FOCUS_ONCE, "AfTrigger": _FOCUS_NOW})
        steady, last = 0, self._values()
        for _ in range(MOST_SETTLING_FRAMES):
            values = self._values()
            # The position of a searching lens is nan, which is not close to anything.
            steady = steady + 1 if np.allclose(values, last, rtol=STEADY) else 0
            last = values
            if steady >= STEADY_FRAMES:
                break
        exposure, gain, red, blue, lens = last
        held: dict[str, Any] = {"AeEnable": False, "ExposureTime": int(exposure), "AnalogueGain": gain}
        held |= {"AwbEnable": False, "ColourGains": (red, blue)}
        if focuses and not math.isnan(lens):
            held |= {"AfMode": _FOCUS_BY_HAND, "LensPosition": lens}
        self._camera.set_controls(held)

    def small(self) -> Frame | None:
        width, height = self._small_size
        planes = self._captured("lores")
        # The hardware may pad rows; the padding is cut off after the conversion.
        image = cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420)[:height, :width]
        return self._frame(np.ascontiguousarray(image, np.uint8))

    def full(self) -> Frame:
        return self._frame(np.ascontiguousarray(self._captured("main"), np.uint8))

    def close(self) -> None:
        camera, self._camera = self._camera, None
        if camera is None:
            return
        try:
            # A capture that timed out still waits in picamera2's queue, and would block closing.
            camera.cancel_all_and_flush()
            camera.stop()
        except (RuntimeError, OSError, TimeoutError, AttributeError):
            pass  # A camera with a loose cable cannot be stopped, but it can still be closed.
        camera.close()

    def _captured(self, stream: str) -> Image:
        if self._camera is None:
            raise CameraError(f"The camera {self.name} is closed.")
        try:
            image: Image = self._camera.capture_array(stream, wait=PATIENCE)
        except (RuntimeError, OSError, TimeoutError) as error:
            why = str(error) or f"nothing came for {PATIENCE:g} seconds"
            raise CameraError(f"The camera {self.name} gives no picture: {why}.") from error
        return image

    def _values(self) -> tuple[float, float, float, float, float]:
        facts = self._camera.capture_metadata(wait=PATIENCE)
        red, blue = facts.get("ColourGains", (1.0, 1.0))
        lens = math.nan if facts.get("AfState") == _SEARCHING else float(facts.get("LensPosition", 0.0))
        return float(facts["ExposureTime"]), float(facts["AnalogueGain"]), float(red), float(blue), lens

    def _frame(self, image: Image) -> Frame:
        self._number += 1
        return Frame(image, self._clock(), self._number)


def _picamera2() -> Any:
    try:
        return importlib.import_module("picamera2")
    except ImportError as error:
        raise CameraError(
            "The Pi camera needs picamera2, which comes with Raspberry Pi OS: sudo apt install python3-picamera2, "
            "and a virtual environment made with --system-site-packages."
        ) from error
