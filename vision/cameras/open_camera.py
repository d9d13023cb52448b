"""Opens a camera by its name: "pi", "usb:0", "usb:/dev/video2", "video:FILE", "folder:DIR" or "picture:FILE"."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from vision.cameras.camera import FULL_SIZE, Camera, CameraError, Clock
from vision.cameras.files import FilmCamera, FolderCamera, PictureCamera
from vision.cameras.pi import PiCamera
from vision.cameras.usb import UsbCamera
from vision.cameras.watchdog import WatchedCamera

KNOWN: Final = "pi, pi:1, usb:0, usb:/dev/video2, video:FILE, folder:DIR or picture:FILE"


def open_camera(spec: str, size: tuple[int, int] = FULL_SIZE) -> Camera:
    """Open a camera by its name, with pictures of this size if possible. Raises CameraError."""
    kind, _, rest = spec.strip().partition(":")
    match kind.lower():
        case "pi":
            if rest and not rest.isdigit():
                raise CameraError(f"{spec!r} is not a Pi camera; write pi for the first, or pi:1 for the second.")
            return PiCamera(int(rest or 0), size)
        case "usb":
            return UsbCamera(int(rest) if rest.isdigit() else rest or 0, size)
        case "video":
            return FilmCamera(_path(spec, rest))
        case "folder":
            return FolderCamera(_path(spec, rest))
        case "picture":
            return PictureCamera(_path(spec, rest))
        case _:
            raise CameraError(f"{spec!r} is not a camera; write {KNOWN}.")


def watch_camera(
    spec: str,
    clock: Clock = time.monotonic,
    sleep: Callable[[float], None] = time.sleep,
    size: tuple[int, int] = FULL_SIZE,
) -> WatchedCamera:
    """A watched camera by its name. Raises CameraError only for an invalid name or a missing file."""
    kind = spec.strip().partition(":")[0].lower()
    if kind not in ("pi", "usb"):
        # A missing file does not come back by itself, and the picture in a file never changes.
        kept = open_camera(spec)
        return WatchedCamera(lambda: kept, spec, clock, sleep, frozen_after=None)
    return WatchedCamera(lambda: open_camera(spec, size), spec, clock, sleep)


def _path(spec: str, rest: str) -> Path:
    if not rest:
        raise CameraError(f"{spec!r} names no file; write {KNOWN}.")
    return Path(rest).expanduser()
