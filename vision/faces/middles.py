"""Finds the exact position of a flat piece that was put down roughly on its place, from its outline."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.layout import Box, Piece, Point
from vision.picture.table_picture import TablePicture

Floats = NDArray[np.float32]

_ASIDE: Final = np.linspace(-3.0, 3.0, 13)
"""So many millimetres beside the middle of its place a piece may lie."""
_ROOM_MM: Final = 2.0
"""On a place that is so much larger than its piece, people lay it more or less in the middle."""
_TURNED: Final = (-6.0, -3.0, 0.0, 3.0, 6.0)
_ACROSS: Final = ((0.4, 0.5), (0.8, 1.0))
"""So far inside and outside its outline, in millimetres, a piece and its ground are compared."""
_POINTS: Final = 72
_NOISE: Final = 6.0
"""By so much (of 255) any two places differ."""
_CLEAR: Final = 2.0
"""An outline that stands out so many times as much as other places is one."""


def middle(sight: TablePicture, place: Box, piece: Piece) -> Point:
    """The middle of the piece on a place; the middle of the place where it has no room, or no outline is clear."""
    if min(place.size[0] - piece.size[0], place.size[1] - piece.size[1]) < _ROOM_MM:
        return place.centre
    around = sight.plane.near(np.array([place.centre]), piece.height)[:, 0]
    offsets = np.array([(x, y) for x in _ASIDE for y in _ASIDE])
    angles = (0.0,) if piece.round else _TURNED
    scores = [_edges(sight, around, offsets, _outline(piece, place.angle + angle)) for angle in angles]
    best = max(scores, key=lambda score: float(score.max()))
    even = np.asarray(cv2.blur(best.reshape(len(_ASIDE), -1), (3, 3), borderType=cv2.BORDER_REPLICATE))
    row, column = np.unravel_index(int(even.argmax()), even.shape)
    last = len(_ASIDE) - 1
    if not (0 < row < last and 0 < column < last) or even.max() < _CLEAR * float(np.median(even)):
        return place.centre
    return float(place.centre[0] + _ASIDE[row]), float(place.centre[1] + _ASIDE[column])


def _outline(piece: Piece, angle: float) -> tuple[Floats, Floats]:
    """Points along the outline of a piece about (0, 0), and which way is out."""
    share = (np.arange(_POINTS) + 0.5) / _POINTS
    if piece.round:
        out = np.column_stack([np.cos(2 * np.pi * share), np.sin(2 * np.pi * share)])
        return np.asarray(out * (min(piece.size) / 2), np.float32), np.asarray(out, np.float32)
    side, along = np.divmod(share * 4, 1)
    # Corners are rounded and worn.
    along = (along - 0.5) * 0.84
    turn = np.radians(angle + 90 * side)
    out = np.column_stack([np.cos(turn), np.sin(turn)])
    across = np.column_stack([-np.sin(turn), np.cos(turn)])
    upright = side % 2 == 0
    reach, length = (np.where(upright, *sizes) for sizes in (piece.size, piece.size[::-1]))
    points = out * (reach / 2)[:, None] + across * (along * length)[:, None]
    return np.asarray(points, np.float32), np.asarray(out, np.float32)


def _edges(
    sight: TablePicture, around: NDArray[np.float64], offsets: NDArray[np.float64], outline: tuple[Floats, Floats]
) -> Floats:
    """How much the picture changes across an outline about each of these offsets, on the whole."""
    points, out = outline
    score = np.zeros(len(offsets))
    for inner, outer in _ACROSS:
        within, beyond = (_seen(sight, around, offsets, points + out * step) for step in (-inner, outer))
        apart = np.linalg.norm(within.mean(1) - beyond.mean(1), axis=1)
        # One strong edge, of a print or a shadow, is no outline: all the way round it has to be the same.
        score += apart / (np.sqrt(within.var(1).sum(1) + beyond.var(1).sum(1)) + _NOISE)
    return np.asarray(score, np.float32)


def _seen(sight: TablePicture, around: NDArray[np.float64], offsets: NDArray[np.float64], points: Floats) -> Floats:
    where = (offsets[:, None] + points).reshape(-1, 2)
    x, y = (around @ np.column_stack([where, np.ones(len(where))]).T).astype(np.float32)
    rows = len(offsets)
    seen = cv2.remap(sight.image, x.reshape(rows, -1), y.reshape(rows, -1), cv2.INTER_LINEAR)
    return np.asarray(seen, np.float32).reshape(rows, len(points), 3)
