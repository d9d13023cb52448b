"""The files of the dashboard: a fixed list, read once at the start. What is not in the list does not exist.

No address that a phone asks for ever becomes a path: it is only looked up.
"""

from __future__ import annotations

import gzip
import hashlib
import mimetypes
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec

FOLDER: Final = Path(__file__).parent / "static"

_KINDS: Final = {
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".html": "text/html; charset=utf-8",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
    ".json": "application/json",
    ".txt": "text/plain; charset=utf-8",
    ".woff2": "font/woff2",
}
_TEXT: Final = ("text/", "image/svg", "application/manifest", "application/json")
_WORTH_IT: Final = 0.95
"""A file that does not get smaller than this share of itself is sent as it is."""


class Asset(msgspec.Struct, frozen=True):
    """One file: its bytes, also squeezed where that helps, and a name for exactly this content."""

    kind: str
    body: bytes
    squeezed: bytes | None
    mark: str


class Assets:
    """Every file there was at the start."""

    def __init__(self, files: Mapping[str, Asset]) -> None:
        self._files = dict(files)
        marks = "".join(f"{name}{asset.mark}" for name, asset in sorted(self._files.items()))
        self.version = _mark(marks.encode())
        """Changes when any file does."""

    def get(self, name: str) -> Asset | None:
        return self._files.get(name)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(sorted(self._files))


def asset(body: bytes, kind: str) -> Asset:
    squeezed = gzip.compress(body, 9, mtime=0) if kind.startswith(_TEXT) else b""
    smaller = squeezed and len(squeezed) < _WORTH_IT * len(body)
    return Asset(kind, body, squeezed if smaller else None, _mark(body))


def load(folder: Path = FOLDER) -> Assets:
    files = {}
    for path in sorted(folder.rglob("*")):
        name = path.relative_to(folder).as_posix()
        if path.is_file() and not any(part.startswith(".") for part in name.split("/")):
            files[name] = asset(path.read_bytes(), _kind(path))
    return Assets(files)


def _kind(path: Path) -> str:
    return _KINDS.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"


def _mark(body: bytes) -> str:
    return hashlib.sha256(body).hexdigest()[:12]
