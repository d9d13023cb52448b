"""A second look at one die of a table: its pips on the upper face, compared with the six patterns in every pose.

The net finds dice in any photograph and is careful; a table says much more: how large a die is, how high its upper
face lies, and what stands there at all. With that even a die in the dark can be counted pip by pip.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

import cv2
import msgspec
import numpy as np
import numpy.typing as npt

from vision.layout import Box, Piece, Point
from vision.picture.background import lab
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
_TURNS: Final = tuple(range(0, 180, 8))
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
    for degrees in _TURNS:
        turn = np.radians(degrees)
        turned.append(flat @ np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]))
    points = (moved[:, None, None] + np.stack(turned)[None]).reshape(-1, len(flat), 2)
    return points, np.repeat(moved, len(_TURNS), axis=0)


@lru_cache(maxsize=1)
def _masks() -> tuple[tuple[int, npt.NDArray[np.bool_]], ...]:
    """For each value which of the points should show a pip."""
    return tuple(
        (value, np.array([sign == "o" for row in rows for sign in row] + [False] * len(_BETWEEN)))
        for value, rows in _PATTERNS
    )
