"""The camera that a rig file names, such as `usb:0`, and its name without passwords."""

from __future__ import annotations

import re
from typing import Final

import msgspec

CAMERAS: Final = {
    "pi": "pi or pi:1",
    "usb": "usb:0 or usb:/dev/video2",
    "video": "video:FILE",
    "folder": "folder:DIR",
    "picture": "picture:FILE",
}
"""Every kind of camera, with the way to write it. `vision/cameras/open_camera.py` has the function that opens each."""

FROM_FILES: Final = frozenset({"video", "folder", "picture"})
"""Cameras that play files: a missing file does not come back, and its picture may stay the same. Others are live."""

_USER: Final = re.compile(r"(?<=://)\S*@")
_QUERY: Final = re.compile(r"(://[^\s?'\"]*\?)[^\s'\"]+")


class CameraSource(msgspec.Struct, frozen=True):
    """What stands before the first colon in lower case, and all that stands behind it as it was written."""

    kind: str
    place: str = ""

    @property
    def is_live(self) -> bool:
        return self.kind not in FROM_FILES

    def __str__(self) -> str:
        """The source as people may read it: a network address has lost its password."""
        return without_password(f"{self.kind}:{self.place}" if self.place else self.kind)

    def __repr__(self) -> str:
        return str(self)


def source_of(written: str) -> CameraSource:
    kind, _, place = written.strip().partition(":")
    return CameraSource(kind.strip().lower(), place.strip())


def without_password(text: str) -> str:
    """The text with `…` instead of users, passwords and queries of network addresses; a query may hold a password."""
    return _QUERY.sub(r"\1…", _USER.sub("…@", text))
