"""What standing pieces hide of the table from the camera."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.layout import Piece, Point
from vision.picture.sight import Sight
from vision.plane.plane import Points

_BROAD: Final = 0.7
"""A figure hides so many of its widths on either side: half of it, its corners, and its shadow."""


class Capsule(msgspec.Struct, frozen=True):
    """What hides a part of the table: everything within a radius of a line, in millimetres."""

    start: Point
    end: Point
    radius: float


def hiding(sight: Sight, foot: Point, piece: Piece, breadth: float) -> Capsule:
    """What a standing piece of a breadth hides: the table from its foot to where its head is seen."""
    x, y, height = sight.plane.eye()
    lean = piece.height / max(height - piece.height, 1.0)
    head = foot[0] + (foot[0] - x) * lean, foot[1] + (foot[1] - y) * lean
    return Capsule(foot, head, breadth * _BROAD)


def hidden(points: Points, things: Sequence[Capsule]) -> NDArray[np.bool_]:
    """Which of these table points lie under one of the things."""
    start, end = (np.array([getattr(thing, name) for thing in things]).reshape(-1, 2) for name in ("start", "end"))
    across, down = (end - start).T[:, :, None]
    x, y = points.reshape(-1, 2).T[:, None] - start.T[:, :, None]
    share = np.clip((x * across + y * down) / np.maximum(across**2 + down**2, 1e-9), 0, 1)
    off = (x - share * across) ** 2 + (y - share * down) ** 2
    radius = np.array([thing.radius for thing in things])
    return np.asarray((off < radius[:, None] ** 2).any(0).reshape(points.shape[:-1]))
