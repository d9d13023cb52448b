"""Cameras for files: a video, a folder of pictures, or one picture.

Times are those of the video, not of the clock, so that the same file always gives the same Readings. `small` advances
to the next frame; `full` returns the frame that `small` has just returned.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from vision.cameras.camera import CameraError, Frame, Image, coloured

PICTURES: Final = (".jpg", ".jpeg", ".png", ".bmp", ".webp", ".tif", ".tiff")
FRAMES_PER_SECOND: Final = 10.0
USUAL_FILM_RATE: Final = 25.0


def read_picture(path: Path) -> Image:
    """Read a picture file. Raises CameraError."""
    if not path.is_file():
        raise CameraError(f"There is no picture {path}.")
    try:
        data = np.fromfile(path, np.uint8)
        image = cv2.imdecode(data, cv2.IMREAD_COLOR) if data.size else None
    except (OSError, cv2.error) as error:
        raise CameraError(f"The picture {path} cannot be read: {error}.") from error
    if image is None:
        raise CameraError(f"{path} is not a picture that can be read.")
    return np.asarray(image, np.uint8)


class _Shown(ABC):
    """What the cameras of this module share: the current frame, and advancing to the next."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.over = False
        self._frame: Frame | None = None

    def small(self) -> Frame | None:
        self._frame = self._next() or self._frame
        return None if self.over or self._frame is None else self._frame.shrunk()

    def full(self) -> Frame:
        if self._frame is None:
            self._frame = self._next()
        if self._frame is None:
            raise CameraError(f"{self.name} shows nothing.")
        return self._frame

    def close(self) -> None:
        self.over = True

    @abstractmethod
    def _next(self) -> Frame | None: ...


class FilmCamera(_Shown):
    """Plays a video file once."""

    def __init__(self, path: Path, start: float = 0.0) -> None:
        super().__init__(f"video:{path}")
        if not path.is_file():
            raise CameraError(f"There is no film {path}.")
        self._film: Any = cv2.VideoCapture(str(path))
        # A damaged file may open without any frame, so the first one is read at once.
        self._first = self._read() if self._film.isOpened() else None
        if self._first is None:
            self._film.release()
            raise CameraError(f"{path} is not a film that can be played.")
        rate = self._film.get(cv2.CAP_PROP_FPS)
        self._rate = rate if 1 <= rate <= 240 else USUAL_FILM_RATE
        self._start = start
        self._number = 0

    def close(self) -> None:
        super().close()
        self._film.release()

    def _next(self) -> Frame | None:
        image, self._first = self._first, None
        if image is None and not self.over:
            image = self._read()
        if image is None:
            self.over = True
            return None
        frame = Frame(image, self._start + self._number / self._rate, self._number + 1)
        self._number += 1
        return frame

    def _read(self) -> Image | None:
        ok, image = self._film.read()
        return coloured(np.asarray(image, np.uint8)) if ok and image is not None else None


class FolderCamera(_Shown):
    """The pictures of a folder in the order of their names, each shown long enough for the table to be still."""

    def __init__(self, folder: Path, hold: float = 1.0, start: float = 0.0) -> None:
        super().__init__(f"folder:{folder}")
        if not folder.is_dir():
            raise CameraError(f"There is no folder {folder}.")
        self._paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES)
        if not self._paths:
            raise CameraError(f"There are no pictures in the folder {folder}.")
        self._frames_each = max(1, round(hold * FRAMES_PER_SECOND))
        self._start = start
        self._number = 0
        self._image: Image | None = None
        self.skipped: list[Path] = []

    def _next(self) -> Frame | None:
        if self._number % self._frames_each == 0:
            self._image = self._readable()
        if self.over or self._image is None:
            self.over = True
            return None
        frame = Frame(self._image, self._start + self._number / FRAMES_PER_SECOND, self._number + 1)
        self._number += 1
        return frame

    def _readable(self) -> Image | None:
        while self._paths:
            path = self._paths.pop(0)
            try:
                return read_picture(path)
            except CameraError:
                # A broken picture is skipped; `skipped` lists them.
                self.skipped.append(path)
        return None


class PictureCamera(_Shown):
    """Shows one picture for ever."""

    def __init__(self, path: Path, start: float = 0.0) -> None:
        super().__init__(f"picture:{path}")
        self._image = read_picture(path)
        self._start = start
        self._number = 0

    def _next(self) -> Frame | None:
        if self.over:
            return None
        frame = Frame(self._image, self._start + self._number / FRAMES_PER_SECOND, self._number + 1)
        self._number += 1
        return frame
