"""Corners that a person tapped in the camera's picture, kept in the companion's home for the next start.

With them the small picture is kept in which they were tapped: after a restart they count only while the camera still
hangs where it hung then.
"""

from __future__ import annotations

import logging
from pathlib import Path
from typing import TYPE_CHECKING, Final

import msgspec

from companion.kernel import safe_file

if TYPE_CHECKING:
    from vision.cameras import Frame
    from vision.layout import Point

_log = logging.getLogger(__name__)

FOLDER: Final = "corners"


class Tapped(msgspec.Struct, frozen=True):
    """Top left, top right, bottom right, bottom left, as fractions of the picture; the small picture is a PNG."""

    points: tuple[tuple[float, float], ...]
    picture: bytes


class KeptCorners:
    """A file for each game, because each has a table of its own size."""

    def __init__(self, home: Path) -> None:
        self._folder = home / FOLDER

    def keep(self, game: str, points: list[Point], small: Frame) -> None:
        """Raises OSError where nothing can be written."""
        import cv2

        _, picture = cv2.imencode(".png", small.image)
        safe_file.write(self._path(game), msgspec.json.encode(Tapped(tuple(points), picture.tobytes())))

    def forget(self, game: str) -> None:
        self._path(game).unlink(missing_ok=True)

    def read(self, game: str) -> tuple[list[Point], Frame] | None:
        """What was kept; without it corners are tapped again, also where a damaged file was moved aside."""
        import cv2
        import numpy as np

        from vision.cameras import Frame

        def understood(data: bytes) -> tuple[list[Point], Frame]:
            kept = msgspec.json.decode(data, type=Tapped)
            image = cv2.imdecode(np.frombuffer(kept.picture, np.uint8), cv2.IMREAD_COLOR) if kept.picture else None
            if image is None or len(kept.points) != 4:
                raise ValueError("four points and a picture should be in it")
            return list(kept.points), Frame(np.asarray(image, np.uint8), 0.0, 0)

        try:
            return safe_file.read(self._path(game), understood)
        except OSError as error:
            _log.warning("The corners in %s cannot be read: %s; tap them again.", self._path(game), error)
            return None

    def _path(self, game: str) -> Path:
        return self._folder / f"{game}.json"
