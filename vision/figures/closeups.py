"""Close-ups: a figure found in its window, taken to the middle and enlarged, so that its shape can be judged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.figures import network
from vision.figures.windows import SIDE as WINDOW_SIDE
from vision.figures.windows import WINDOW_MM

Floats = NDArray[np.float32]

SIDE: Final = 48
"""Pixels of a close-up's side."""
ROOM: Final = 1.3
"""A close-up is so much larger than the largest figure of the family."""
SMALLEST_MM, LARGEST_MM = 20.0, 1.1 * WINDOW_MM
_PER_MM: Final = WINDOW_SIDE / WINDOW_MM


class Look(msgspec.Struct, frozen=True):
    """How a close-up is taken: moved (mm), wider or narrower, as in a mirror."""

    right: float = 0.0
    down: float = 0.0
    width: float = 1.0
    mirrored: bool = False


STRAIGHT: Final = Look()
LOOKS: Final = (
    STRAIGHT,
    *(Look(right=1.0), Look(right=-1.0), Look(down=1.0), Look(down=-1.0)),
    *(Look(width=0.87), Look(width=1.15), Look(mirrored=True)),
)
"""Several looks at one figure: each is misled by other pixels, so that their mean strays less than any of them."""


def extent(figure: Floats) -> tuple[float, float, float]:
    """A mask's middle (mm from the window's middle, for windows of the usual size) and its longer side."""
    step = WINDOW_MM / figure.shape[0]
    own = figure > 0.5
    if own.sum() < 3:
        return 0.0, 0.0, 0.0
    rows, columns = np.flatnonzero(own.any(1)), np.flatnonzero(own.any(0))
    middle = (figure.shape[0] - 1) / 2
    x, y = (columns[0] + columns[-1]) / 2 - middle, (rows[0] + rows[-1]) / 2 - middle
    longer = max(columns[-1] - columns[0], rows[-1] - rows[0]) + 1
    return float(x * step), float(y * step), float(longer * step)


def side_of(sizes: Sequence[float]) -> float:
    """The side (mm) of close-ups for a family of these sizes; a few larger ones may be mistaken."""
    return float(np.clip(float(np.percentile(sizes, 85)) * ROOM, SMALLEST_MM, LARGEST_MM))


def close_up(patch: Floats, at: tuple[float, float], side: float) -> Floats:
    """The part of a window around a point (mm from its middle) with that side (mm)."""
    scale = side * _PER_MM / SIDE
    onto = np.array([[scale, 0, 0], [0, scale, 0.0]])
    middle = (WINDOW_SIDE - 1) / 2 + np.asarray(at) * _PER_MM
    onto[:, 2] = middle - scale * (SIDE - 1) / 2
    return np.asarray(
        cv2.warpAffine(
            patch, onto, (SIDE, SIDE), flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP, borderMode=cv2.BORDER_REPLICATE
        ),
        np.float32,
    )


def planes(seen: Floats, ground: Floats, lean: Floats) -> Floats:
    """The second network's input (n, 7, side, side): close-ups, the ground there, and how much things lean."""
    made = np.empty((len(seen), 7, SIDE, SIDE), np.float32)
    made[:, 0:3] = np.clip(seen, 0, 1.4).transpose(0, 3, 1, 2) * 2 - 1
    made[:, 3:6] = np.clip(ground, 0, 1.4).transpose(0, 3, 1, 2) * 2 - 1
    made[:, 6] = np.asarray(lean, np.float32).reshape(-1, 1, 1) * 2
    return made


def directions(
    seen: Floats,
    ground: Floats,
    lean: Floats,
    places: Sequence[tuple[float, float]],
    side: float,
    looks: Sequence[Look],
    net: str = network.SHAPES,
) -> Floats:
    """The shapes of the figures at these places of their windows, as unit vectors: the means of all looks."""
    close, behind = (
        np.concatenate([_taken(pictures, places, side, look) for look in looks]) for pictures in (seen, ground)
    )
    each = network.shapes(planes(close, behind, np.tile(lean, len(looks))), net)
    total = each.reshape(len(looks), len(seen), -1).sum(0)
    return np.asarray(total / np.maximum(np.linalg.norm(total, axis=1, keepdims=True), 1e-9), np.float32)


def _taken(pictures: Floats, places: Sequence[tuple[float, float]], side: float, look: Look) -> Floats:
    taken = np.stack(
        [
            close_up(picture, (x + look.right, y + look.down), side * look.width)
            for picture, (x, y) in zip(pictures, places, strict=True)
        ]
    )
    return taken[:, :, ::-1] if look.mirrored else taken
