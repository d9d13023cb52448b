"""What shows on each place, as numbers: the directions of its edges and its colours, block by block."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.layout import Box
from vision.picture.table_picture import TablePicture
from vision.plane.plane import Points

Floats = NDArray[np.float32]

SIDE: Final = 32
"""Pixels of a place."""
_BLOCK: Final = 4
_MARGIN: Final = 6
_SHOWN: Final = 0.92
"""So much of a place is looked at: on its rim lie its neighbours."""
_BINS: Final = 8
"""Directions of edges."""
_DARK: Final = 8.0
"""Added to values of 0 to 255 before their logarithm: sensors' noise is no colour."""
_SHADED: Final = 0.25
"""The share of places on a disturbed picture across which a shadow falls."""
_FAINT: Final = 0.02
"""Edges fainter than this, in the logarithm, are noise."""
BLOCKS: Final = SIDE // _BLOCK


_SHADOWS: Final = ((0.0, 2 * np.pi), (-0.4, 0.4), (0.1, 0.6), (0.01, 0.1))
"""Shadows turn every way, fall across the middle or beside it, are so deep, and so soft."""


class Disturbance(msgspec.Struct, frozen=True):
    """A change of a picture as another evening brings it."""

    turn: float = 0.0  # radians
    scale: float = 1.0
    shift: tuple[float, float] = (0.0, 0.0)  # in sizes of a place
    blur: float = 0.0  # pixels
    gain: tuple[float, float, float] = (1.0, 1.0, 1.0)
    noise: float = 0.0
    shaded: float = 0.0  # the share of places across which a shadow falls
    seed: int = 0


AS_IT_IS: Final = Disturbance()


def disturbed(rng: np.random.Generator) -> Disturbance:
    across, down = rng.uniform(-0.08, 0.08, 2).tolist()
    blue, green, red = np.exp(rng.normal(0, 0.2) + rng.normal(0, 0.05, 3)).tolist()
    return Disturbance(
        turn=float(rng.normal(0, 0.012)),
        scale=float(rng.normal(1, 0.01)),
        shift=(across, down),
        blur=max(0.0, float(rng.normal(0.2, 0.5))),
        gain=(blue, green, red),
        noise=abs(float(rng.normal(0, 3))),
        shaded=_SHADED,
        seed=int(rng.integers(1 << 30)),
    )


class Patches(msgspec.Struct, frozen=True, eq=False):
    """Edges (places, rows, columns, directions) and logarithms of colours (places, rows, columns, 3)."""

    edges: Floats
    colours: Floats


def patches(sight: TablePicture, places: Sequence[Box], change: Disturbance = AS_IT_IS) -> Patches:
    """What shows on places of one size."""
    log = np.log(_seen(sight, places, change) + np.float32(_DARK))
    return Patches(_blocks(_edges(log.mean(3))), _blocks(log))


def _seen(sight: TablePicture, places: Sequence[Box], change: Disturbance) -> Floats:
    size = np.array(places[0].size)
    centres = np.array([box.centre for box in places])
    middle = centres.mean(0)
    cos, sin = np.cos(change.turn) * change.scale, np.sin(change.turn) * change.scale
    centres = (centres - middle) @ np.array([[cos, sin], [-sin, cos]]) + middle + np.array(change.shift) * size
    side = SIDE + 2 * _MARGIN
    steps = ((np.arange(side) + 0.5) / SIDE - 0.5 - _MARGIN / SIDE) * _SHOWN
    across, down = (grid.ravel() for grid in np.meshgrid(steps * size[0], steps * size[1]))
    angles = np.array([np.radians(box.angle) for box in places])[:, None] + change.turn
    cos, sin = np.cos(angles) * change.scale, np.sin(angles) * change.scale
    right, below = cos * across - sin * down, sin * across + cos * down
    image, near = _reduced(sight, centres, size)
    x, y = (one[:, :1] * right + one[:, 1:2] * below + one[:, 2:] for one in near)
    shape = (len(places) * side, side)
    x, y = (np.asarray(axis.reshape(shape), np.float32) for axis in (x, y))
    pixels = cv2.remap(image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    seen = np.asarray(pixels, np.float32).reshape(len(places), side, side, 3)
    return seen if change == AS_IT_IS else _changed(seen, change)


def _changed(seen: Floats, change: Disturbance) -> Floats:
    rng = np.random.default_rng(change.seed)
    count, side = seen.shape[:2]
    shaded = np.flatnonzero(rng.random(count) < change.shaded)
    seen[shaded] *= _shadows(rng, len(shaded), side)[..., None]
    if change.blur > 0.3:
        flat = cv2.GaussianBlur(seen.reshape(count * side, side, 3), (0, 0), change.blur)
        seen = np.asarray(flat, np.float32).reshape(seen.shape)
    noise = rng.standard_normal(seen.shape, np.float32)
    return np.clip(seen * np.array(change.gain, np.float32) + np.float32(change.noise) * noise, 0, 255)


def _shadows(rng: np.random.Generator, count: int, side: int) -> Floats:
    """What a shadow with a straight and soft edge leaves of the light on each of so many places."""
    turn, beside, depth, soft = (rng.uniform(*ends, (count, 1, 1)) for ends in _SHADOWS)
    steps = np.arange(side) / side - 0.5
    across = np.cos(turn) * steps + np.sin(turn) * steps[:, None] + beside
    return np.asarray(1 - depth / (1 + np.exp(-across / soft)), np.float32)


def _reduced(
    sight: TablePicture, centres: Points, size: NDArray[np.float64]
) -> tuple[NDArray[np.uint8], NDArray[np.float64]]:
    """The picture, no sharper than is looked at, and where the places are in it."""
    near = sight.plane.near(centres)
    finer = float(np.median(np.linalg.norm(near[:, :, 0], axis=0))) * float(size.max()) * _SHOWN / SIDE
    if finer <= 1.25:
        return sight.image, near
    rows, columns = sight.image.shape[:2]
    small = max(1, round(columns / finer)), max(1, round(rows / finer))
    image = np.asarray(cv2.resize(sight.image, small, interpolation=cv2.INTER_AREA), np.uint8)
    factor = np.array([small[0] / columns, small[1] / rows])[:, None, None]
    near = near * factor
    near[:, :, 2] += factor[:, :, 0] / 2 - 0.5
    return image, near


def _edges(grey: Floats) -> Floats:
    """How strong edges are in each direction at each pixel, as a share of all edges around."""
    count, side, _ = grey.shape
    flat = np.ascontiguousarray(grey.reshape(count * side, side))
    dx, dy = (cv2.Sobel(flat, cv2.CV_32F, *way, scale=0.25) for way in ((1, 0), (0, 1)))
    strength, angle = cv2.cartToPolar(dx, dy)
    around = cv2.blur(cv2.blur(strength, (_BLOCK, _BLOCK)) ** 2, (5 * _BLOCK, 5 * _BLOCK))
    strength /= np.sqrt(np.maximum(around, 0)) + np.float32(_FAINT)
    angle *= np.float32(_BINS / (2 * np.pi))
    below = angle.astype(np.int32)
    share = angle - below
    edges = np.zeros((flat.size, _BINS), np.float32)
    rows, first = np.arange(flat.size), below.ravel() % _BINS
    edges[rows, first] = (strength * (1 - share)).ravel()
    edges[rows, (first + 1) % _BINS] = (strength * share).ravel()
    return edges.reshape(count, side, side, _BINS)


def _blocks(pixels: Floats) -> Floats:
    """The means of blocks of pixels, without the margin."""
    inner = pixels[:, _MARGIN:-_MARGIN, _MARGIN:-_MARGIN]
    count, _, _, depth = inner.shape
    rows = inner.reshape(count * BLOCKS, _BLOCK, -1).sum(1).reshape(count, BLOCKS, BLOCKS, _BLOCK, depth)
    return np.asarray(rows.sum(3) / np.float32(_BLOCK**2), np.float32)
