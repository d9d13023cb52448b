"""A second look at one die of a table: its pips on the upper face, compared with the six patterns in every pose.

The net finds dice in any photograph and is careful; a table says much more: how large a die is, how high its upper
face lies, and what stands there at all. With that even a die in the dark can be counted pip by pip.

From above, the face of a tilted die looks much like any other, and so does the upper one of two dice. Their sides give
them away: a camera that does not hang right over them sees more than the silhouette of one flat die.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.layout import Box, Piece, Point
from vision.picture.background import SCALE, Mask, Over, lab
from vision.picture.table_picture import TablePicture

Floats = npt.NDArray[np.float32]

_SCALE: Final = 3.0
"""Pixels to a millimetre when a face is looked at."""
_PITCH: Final = 0.25
"""So many edges apart pips stand."""
_PIP: Final = 0.075
"""Half of so many edges a pip is wide, its blurred rim left out."""
_MOST: Final = 40.0
"""A pip differs from its body by more (Lab) than matters."""
_STEP_MM: Final = 0.75
_PIP_TURNS: Final = tuple(range(0, 180, 8))
_PATTERNS: Final = (
    (1, ("...", ".o.", "...")),
    (2, ("o..", "...", "..o")),
    (3, ("o..", ".o.", "..o")),
    (4, ("o.o", "...", "o.o")),
    (5, ("o.o", ".o.", "o.o")),
    (6, ("o.o", "o.o", "o.o")),
)
_BETWEEN: Final = (
    *((x, y) for x in (-0.5, 0.5) for y in (-0.5, 0.5)),
    *((x, y) for x in (-1.45, 1.45) for y in (-0.5, 0.5)),
    *((x, y) for y in (-1.45, 1.45) for x in (-0.5, 0.5)),
)
"""Places on every face without a pip, in steps from pip to pip."""


class Face(msgspec.Struct, frozen=True):
    """An upper face: its value, its middle on the table, how clearly pips differ from the body (Lab), and by how much
    more clearly than with any other value."""

    value: int
    at: Point
    clear: float
    lead: float


def look(sight: TablePicture, centre: Point, piece: Piece, body: Floats, reach: float = 2.0, above: int = 0) -> Face:
    """The likeliest face of a die whose middle is within `reach` millimetres of a place and whose body has a colour.

    Its value is more than `above`.
    """
    edge = max(piece.size)
    side = 2 * (reach + 0.6 * edge)
    seen = lab(sight.patch(Box(centre, (side, side)), _SCALE, piece.height))
    unlike = np.minimum(np.linalg.norm(seen - body, axis=2), _MOST).astype(np.float32)
    width = max(1, round(2 * _PIP * edge * _SCALE))
    spots = cv2.blur(unlike, (width, width))
    points, offsets = _lattice(edge, reach)
    pixels = np.clip(((points + side / 2) * _SCALE - 0.5).round().astype(int), 0, spots.shape[0] - 1)
    shown = spots[pixels[..., 1], pixels[..., 0]]
    best = []
    for value, pips in _masks()[above:]:
        clear = shown[:, pips].min(1) - shown[:, ~pips].max(1)
        at = int(clear.argmax())
        best.append((float(clear[at]), value, at))
    (clear, value, at), (second, _, _) = sorted(best, reverse=True)[:2]
    x, y = offsets[at].tolist()
    return Face(value, (centre[0] + x, centre[1] + y), clear, clear - second)


@lru_cache(maxsize=8)
def _lattice(edge: float, reach: float) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Where to look in every pose: points (poses, 9 pips and the places between them, 2) and each pose's offset."""
    steps = np.arange(-reach, reach + 1e-6, _STEP_MM)
    moved = np.array([(x, y) for x in steps for y in steps])
    pips = [(x, y) for y in (-1.0, 0.0, 1.0) for x in (-1.0, 0.0, 1.0)]
    flat = np.array([*pips, *_BETWEEN]) * _PITCH * edge
    turned = []
    for degrees in _PIP_TURNS:
        turn = np.radians(degrees)
        turned.append(flat @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]))
    points = (moved[:, None, None] + np.stack(turned)[None]).reshape(-1, len(flat), 2)
    return points, np.repeat(moved, len(_PIP_TURNS), axis=0)


@lru_cache(maxsize=1)
def _masks() -> tuple[tuple[int, npt.NDArray[np.bool_]], ...]:
    """For each value which of the points should show a pip."""
    return tuple(
        (value, np.array([sign == "o" for row in rows for sign in row] + [False] * len(_BETWEEN)))
        for value, rows in _PATTERNS
    )


_SILHOUETTE_TURNS: Final = tuple(range(0, 90, 9))
_EDGE_MM: Final = 1.5
"""By so much a die seems larger on every side: edges are blurred, and its middle is known no better than that."""
_REACH: Final = 2.0
"""So many edges about a die its silhouette is looked at."""
_NEIGHBOUR: Final = 0.85
"""So many edges about the middle of another die everything is that one's."""


def beyond_silhouette(
    sight: TablePicture, over: Over, free: Mask, at: Point, piece: Piece, others: Sequence[Point], high: float = 1.0
) -> float:
    """How much (as a share of a face) stands out beyond the silhouette of a die at a place, however it is turned.

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
    least = min(_left(standing, _hull(sight, over, at, piece, turn, high) - corner) for turn in _SILHOUETTE_TURNS)
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
