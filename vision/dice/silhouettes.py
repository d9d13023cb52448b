"""The silhouette of a die that lies flat, beside what stands there: more of it is a die on its edge, or on another.

From above, the face that a tilted die shows looks much like any other, and so does the upper one of two. What gives
them away are their sides: a camera that does not hang right over them sees more of those than one flat die has.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.layout import Piece, Point
from vision.picture.background import SCALE, Mask, Over
from vision.picture.table_picture import TablePicture

_TURNS: Final = tuple(range(0, 90, 9))
_EDGE_MM: Final = 1.5
"""By so much a die seems larger on every side: edges are blurred, and nobody knows its middle better than that."""
_REACH: Final = 2.0
"""So many edges about a die its silhouette is looked at."""
_NEIGHBOUR: Final = 0.85
"""So many edges about the middle of another die everything is that one's."""


def beyond(
    sight: TablePicture, over: Over, free: Mask, at: Point, piece: Piece, others: Sequence[Point], high: float = 1.0
) -> float:
    """How much (as a share of a face) stands there beyond the silhouette of a die at a place, however it is turned.

    The silhouette is `high` edges high; what belongs to `others`, is not `free`, or hides ground that was never seen,
    does not count.
    """
    x, y = over.ground.to_pixels(at)
    half = round(_REACH * max(piece.size) * SCALE)
    rows, columns = over.standing_out.shape
    top, left = max(0, round(y) - half), max(0, round(x) - half)
    window = slice(top, min(rows, round(y) + half)), slice(left, min(columns, round(x) + half))
    standing = over.standing_out[window] & (1 - over.ground.holes()[window]) & free[window]
    if not standing.size:
        return 0.0
    corner = np.array([left, top])
    for other in others:
        start, end = (_pixels(over, point, corner) for point in (other, _lean(other, sight, piece.height)))
        cv2.line(standing, start, end, 0, max(1, round(2 * _NEIGHBOUR * max(piece.size) * SCALE)))
    least = min(_left(standing, _hull(sight, over, at, piece, turn, high) - corner) for turn in _TURNS)
    return least / (piece.size[0] * piece.size[1] * SCALE**2)


def _left(standing: Mask, hull: npt.NDArray[np.float64]) -> float:
    """The pixels that stand out, hang together with a silhouette, and are not within it."""
    own = np.zeros_like(standing)
    cv2.fillConvexPoly(own, cv2.convexHull(np.round(hull * 16).astype(np.int32)), 1, cv2.LINE_8, 4)
    _, labels = cv2.connectedComponents(standing)
    mine = np.unique(labels[(own & standing) > 0])
    within = cv2.dilate(own, _disc(max(1, round(_EDGE_MM * SCALE))))
    return float((np.isin(labels, mine[mine > 0]) & (within == 0)).sum())


@lru_cache(maxsize=8)
def _disc(radius: int) -> Mask:
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (2 * radius + 1, 2 * radius + 1)), np.uint8)


def _hull(
    sight: TablePicture, over: Over, at: Point, piece: Piece, degrees: float, high: float
) -> npt.NDArray[np.float64]:
    """The corners of a die that lies flat, those on the table and those above, in pixels of the zone."""
    turn, half = math.radians(degrees), np.asarray(piece.size) / 2
    axes = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    upper = np.array([_lean(at, sight, piece.height)])
    foot = np.array([_foot(at, sight, piece.height, piece.height * high)])
    corners = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * half @ axes
    return over.ground.all_to_pixels(np.concatenate([foot + corners, upper + corners]))


def _lean(foot: Point, sight: TablePicture, height: float) -> Point:
    """Where on the table something is seen that is so high above a foot."""
    x, y, eye = sight.plane.eye()
    lean = height / max(eye - height, 1.0)
    return foot[0] + (foot[0] - x) * lean, foot[1] + (foot[1] - y) * lean


def _foot(foot: Point, sight: TablePicture, taken: float, height: float) -> Point:
    """The foot of what was taken to be so high, and is another height."""
    x, y, eye = sight.plane.eye()
    seen = _lean(foot, sight, taken)
    back = (max(eye - height, 1.0)) / eye
    return x + (seen[0] - x) * back, y + (seen[1] - y) * back


def _pixels(over: Over, point: Point, corner: npt.NDArray[np.int64]) -> tuple[int, int]:
    x, y = np.asarray(over.ground.to_pixels(point)) - corner
    return round(float(x)), round(float(y))
