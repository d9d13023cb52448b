"""The Raspberry Pi's own camera, through picamera2.

One configuration carries both streams, so nothing is switched while people play: `main` is read, `lores`
shows movement. Exposure, gain, colour gains and (where a motor moves the lens) focus find their values once and are
then held, because a picture that brightens or sharpens by itself when a sleeve comes in looks like a table on which
everything has changed.
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
"""Seconds without a frame after which the cable is taken to be loose; picamera2 itself would wait for ever."""

STEADY: Final = 0.02
STEADY_FRAMES: Final = 5
MOST_SETTLING_FRAMES: Final = 90

_FOCUS_BY_HAND, _FOCUS_ONCE, _FOCUS_NOW = 0, 1, 0
"""libcamera's numbers for AfMode (manual, auto) and AfTrigger (start)."""
_SEARCHING: Final = 1
"""libcamera's number for an AfState in which the lens still moves."""


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
                # libcamera names formats by their order in a word: RGB888 lies as blue, green, red in memory.
                # Without a queue a capture is always a new frame, never one from before the hand came in.
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
        """Let exposure, white balance and focus find their values, then hold them."""
        self._camera.set_controls({"AeEnable": True, "AwbEnable": True})
        focuses = "AfMode" in self._camera.camera_controls
        if focuses:
            self._camera.set_controls({"AfMode": _FOCUS_ONCE, "AfTrigger": _FOCUS_NOW})
        steady, last = 0, self._values()
        for _ in range(MOST_SETTLING_FRAMES):
            values = self._values()
            # A lens that is searching is at nan, which is like nothing.
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
        # The rows may be padded to the hardware's liking; the padding is cut off after the conversion.
        image = cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420)[:height, :width]
        return self._frame(np.ascontiguousarray(image, np.uint8))

    def full(self) -> Frame:
        return self._frame(np.ascontiguousarray(self._captured("main"), np.uint8))

    def close(self) -> None:
        camera, self._camera = self._camera, None
        if camera is None:
            return
        try:
            # A capture that timed out still waits in picamera2's queue, and closing would wait behind it.
            camera.cancel_all_and_flush()
            camera.stop()
        except (RuntimeError, OSError, TimeoutError, AttributeError):
            pass  # A camera whose cable is loose cannot be stopped, but it can still be let go.
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
