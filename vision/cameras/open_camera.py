"""Opens the camera that a rig file names; `CAMERAS` in `companion/kernel/camera_source.py` lists the kinds."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from companion.kernel.camera_source import CAMERAS, CameraSource, source_of
from vision.cameras.camera import FULL_SIZE, Camera, CameraError, Clock
from vision.cameras.files import FilmCamera, FolderCamera, PictureCamera
from vision.cameras.pi import PiCamera
from vision.cameras.usb import UsbCamera
from vision.cameras.watchdog import WatchedCamera

Opener = Callable[[CameraSource, tuple[int, int]], Camera]
"""Opens a camera, with pictures of this size if possible. Raises CameraError."""


def _pi(source: CameraSource, size: tuple[int, int]) -> Camera:
    if source.place and not source.place.isdigit():
        raise CameraError(f"'{source}' is not a Pi camera; write pi for the first, or pi:1 for the second.")
    return PiCamera(int(source.place or 0), size)


def _usb(source: CameraSource, size: tuple[int, int]) -> Camera:
    return UsbCamera(int(source.place) if source.place.isdigit() else source.place or 0, size)


def _path(source: CameraSource) -> Path:
    if not source.place:
        raise CameraError(f"'{source}' names no file; write {CAMERAS[source.kind]}.")
    return Path(source.place).expanduser()


OPENERS: Final[Mapping[str, Opener]] = {
    "pi": _pi,
    "usb": _usb,
    "video": lambda source, _: FilmCamera(_path(source)),
    "folder": lambda source, _: FolderCamera(_path(source)),
    "picture": lambda source, _: PictureCamera(_path(source)),
}


def open_camera(written: str, size: tuple[int, int] = FULL_SIZE, openers: Mapping[str, Opener] = OPENERS) -> Camera:
    """Open the camera that is written like this, with pictures of this size if possible. Raises CameraError."""
    source = source_of(written)
    if source.kind not in openers:
        *others, last = CAMERAS.values()
        raise CameraError(f"'{source}' is not a camera; write {', '.join(others)} or {last}.")
    return openers[source.kind](source, size)


def watch_camera(
    written: str,
    clock: Clock = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    size: tuple[int, int] = FULL_SIZE,
    openers: Mapping[str, Opener] = OPENERS,
) -> WatchedCamera:
    """A watched camera. A live one is opened again when it fails or freezes.

    Raises CameraError only for a kind that does not exist, and for a missing file.
    """
    source = source_of(written)
    if source.is_live and source.kind in openers:
        return WatchedCamera(lambda: open_camera(written, size, openers), str(source), clock, sleep)
    # A missing file does not come back by itself, and the picture in a file never changes.
    kept = open_camera(written, size, openers)
    return WatchedCamera(lambda: kept, str(source), clock, sleep, frozen_after=None)
