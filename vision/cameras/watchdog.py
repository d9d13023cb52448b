"""A watched camera: notices when a camera is unplugged, frozen or black, says so, and tries again.

`small` and `full` return a good frame or None, and never raise. `trouble` says what is wrong.
"""

from __future__ import annotations

import contextlib
import time
import zlib
from collections.abc import Callable
from typing import Final, Literal

import msgspec

from companion.kernel.camera_source import without_password
from vision.cameras.camera import Camera, Clock, Frame, Image, Settling

Kind = Literal["unplugged", "frozen", "black"]

FIRST_PAUSE: Final = 0.5
LONGEST_PAUSE: Final = 30.0
SHORT_SLEEP: Final = 0.1
"""Pauses consist of short sleeps, so that the loop can be stopped quickly."""

BLACK_LEVEL: Final = 10.0
DRIFT: Final = 1.7
DRIFT_SECONDS: Final = 5.0
"""Exposure is fixed. If the picture is brighter or darker by this factor for so many seconds, it is adjusted again."""


class CameraTrouble(msgspec.Struct, frozen=True):
    """What is wrong with a camera, since when (monotonic seconds), and how often it was retried."""

    kind: Kind
    since: float
    says: str
    tries: int = 0


class WatchedCamera:
    """Watches any camera. It is opened by a function at the first frame, so that it can be opened again."""

    def __init__(
        self,
        opener: Callable[[], Camera],
        name: str,
        clock: Clock = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
        frozen_after: float | None = 3.0,
        black_after: float = 1.0,
    ) -> None:
        self.name = without_password(name)
        self.trouble: CameraTrouble | None = None
        self._opener = opener
        self._clock = clock
        self._sleep = sleep
        self._frozen_after = frozen_after
        self._black_after = black_after
        self._camera: Camera | None = None
        self._pause = FIRST_PAUSE
        self._next_try = float("-inf")
        self._print = 0
        self._same_since: float | None = None
        self._black_since: float | None = None
        self._light: float | None = None
        self._drifting_since: float | None = None

    def small(self) -> Frame | None:
        frame = self._asked(lambda camera: camera.small())
        return frame if frame is not None and self._sound(frame.image) else None

    def full(self) -> Frame | None:
        """A full frame, unless there is trouble. Trouble ends only with a good small frame."""
        return self._asked(lambda camera: camera.full()) if self.trouble is None else None

    def close(self) -> None:
        self._let_go()

    def _asked(self, ask: Callable[[Camera], Frame | None]) -> Frame | None:
        camera = self._camera or self._opened()
        if camera is None:
            return None
        try:
            return ask(camera)
        except Exception as error:  # drivers may raise anything, which must not stop the game
            self._fails("unplugged", str(error) or type(error).__name__)
            self._let_go()
            return None

    def _opened(self) -> Camera | None:
        wait = self._next_try - self._clock()
        if wait > 0:
            self._sleep(min(wait, SHORT_SLEEP))
            return None
        try:
            self._camera = self._opener()
        except Exception as error:  # as above: an opener may fail in any way
            self._fails("unplugged", str(error) or type(error).__name__)
        return self._camera

    def _sound(self, image: Image) -> bool:
        """Whether a frame is good. Also notes the beginning and the end of trouble."""
        brightness = float(image[::4, ::4].mean())
        if self._black(brightness):
            return False
        if brightness < BLACK_LEVEL:
            return self.trouble is None
        if self._frozen(image):
            self._let_go()
            return False
        if self.trouble is not None:
            # Exposure that was adjusted in the dark is wrong in the light.
            self._recovers(settle=self.trouble.kind == "black")
        self._follow_the_light(brightness)
        return True

    def _black(self, brightness: float) -> bool:
        now = self._clock()
        if brightness >= BLACK_LEVEL:
            self._black_since = None
            return False
        self._same_since = None
        self._black_since = now if self._black_since is None else self._black_since
        if now - self._black_since < self._black_after:
            return False
        if self.trouble is None or self.trouble.kind != "black" or now >= self._next_try:
            self._fails("black", "its pictures are black: is the lens covered, or the light off?")
            self._settle()
        return True

    def _frozen(self, image: Image) -> bool:
        # Because of sensor noise, two real frames always differ, so a checksum is enough.
        now, fingerprint = self._clock(), zlib.crc32(image[::2].tobytes())
        if fingerprint != self._print or self._same_since is None:
            self._print, self._same_since = fingerprint, now
            return False
        if self._frozen_after is None or now - self._same_since < self._frozen_after:
            # A camera that shows the same frozen picture after it was opened again has not recovered.
            return self.trouble is not None and self.trouble.kind == "frozen"
        self._fails("frozen", f"it has shown the same picture for {now - self._same_since:.0f} seconds")
        return True

    def _follow_the_light(self, brightness: float) -> None:
        now = self._clock()
        if self._light is None:
            self._light = brightness
        if 1 / DRIFT < brightness / self._light < DRIFT:
            self._drifting_since = None
        elif self._drifting_since is None:
            self._drifting_since = now
        elif now - self._drifting_since >= DRIFT_SECONDS:
            self._settle()

    def _settle(self) -> None:
        self._light = self._drifting_since = None
        camera: object = self._camera
        if isinstance(camera, Settling):
            try:
                camera.settle()
            except Exception as error:  # as above
                self._fails("unplugged", str(error) or type(error).__name__)
                self._let_go()

    def _fails(self, kind: Kind, why: str) -> None:
        now = self._clock()
        goes_on = self.trouble is not None and self.trouble.kind == kind
        since = self.trouble.since if self.trouble and goes_on else now
        tries = self.trouble.tries + 1 if self.trouble and goes_on else 0
        why = without_password(why)  # a driver may name the whole address
        says = why if why.endswith((".", "?")) else f"{why}."
        self.trouble = CameraTrouble(kind, since, f"Camera {self.name}: {says}", tries)
        self._next_try = now + self._pause
        self._pause = min(LONGEST_PAUSE, self._pause * 2)

    def _recovers(self, settle: bool) -> None:
        self.trouble = None
        self._pause = FIRST_PAUSE
        self._next_try = float("-inf")
        if settle:
            self._settle()

    def _let_go(self) -> None:
        camera, self._camera = self._camera, None
        self._light = self._drifting_since = None
        if camera is not None:
            with contextlib.suppress(Exception):  # a camera that is gone may fail to close
                camera.close()
