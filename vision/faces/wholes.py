"""Oblong faces that are the same in the middle: cards of one portrait that differ in a sign at one of their ends.

`rings` and `overlays` see no more of a face than the circle within it. Where that is the same on several faces, the
whole of each is laid over what is seen, and only those spots count in which they differ.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.layout import Box, Piece, Point
from vision.picture.table_picture import WHITE, TablePicture

Floats = NDArray[np.float32]

OBLONG: Final = 1.2
"""From here on the longer side leaves room for something beyond the circle."""
CLEAR_WHOLE: Final = 0.4
"""So far from the next face towards the best one it must look where they differ: 0 is in the middle, 1 as taught."""
_SHARP: Final = 2.5
"""Pixels a millimetre: about what a camera sees of a large table."""
_MARGIN_MM: Final = 3.0
"""So far beside where it was found the whole of a face is looked for."""
_TURNS: Final = tuple(over + turn for over in (0.0, 180.0) for turn in range(-8, 9, 2))
_FINER: Final = (-1.0, 0.0, 1.0)
_STEPS: Final = 30
"""So often a first place is bettered."""
_SOFT_MM: Final = 0.5
_SHADE_MM: Final = 6.0
"""What changes over more than this is light and shade, not print."""
_DARK: Final = 0.02
"""Added to colours, so that black has no tint."""
_OTHER: Final = 0.15
"""Colours that are so far apart are more than light and shade."""
_DIFFERS: Final = 0.1
"""Faces differ where their colours are so far apart, as a share of white …"""
_SPOT_MM: Final = 1.2
"""… in spots that are so wide: a line that is thinner lay a little aside when it was taught."""
_FEW: Final = 0.15
"""Faces that differ in no more than this share of them are the same but for a few spots."""
_LEAST_MM2: Final = 4.0
"""Faces that differ in less than this cannot be told apart."""


class Whole(msgspec.Struct, frozen=True, eq=False):
    """A whole face as it was seen, upright, with a margin, in bytes relative to the light."""

    picture: NDArray[np.uint8]

    def soft(self) -> Floats:
        seen = self.picture.astype(np.float32) / WHITE
        return np.asarray(cv2.GaussianBlur(seen, (0, 0), _SOFT_MM * _SHARP), np.float32)


def oblong(piece: Piece) -> bool:
    return not piece.round and max(piece.size) >= OBLONG * min(piece.size)


def whole(sight: TablePicture, centre: Point, angle: float, piece: Piece) -> Whole:
    return Whole(sight.bytes(Box(centre, piece.size, angle).grown(_MARGIN_MM), _SHARP, piece.height))


def but_for_spots(one: Whole, other: Whole) -> bool:
    """Whether two faces are the same but for a few spots."""
    frame = _within(one.soft())
    return bool(_spots(frame - _laid_over(other.soft(), frame)).mean() <= _FEW)


class Doubles:
    """Faces that are the same in the middle, laid over each other."""

    def __init__(self, taught: Mapping[str, Sequence[Whole]]) -> None:
        self.labels = tuple(taught)
        first = next(iter(taught.values()))[0]
        self._frame = _within(first.soft())
        laid = [np.mean([_laid_over(one.soft(), self._frame) for one in many], 0) for many in taught.values()]
        self._faces = [np.asarray(one, np.float32) for one in laid]

    def nearest(self, seen: Whole) -> tuple[str, float]:
        """The face that what is seen looks like where it differs from each other one, and by how much at least."""
        laid = _laid_over(seen.soft(), self._frame)
        leads = [min(_towards(laid, one, other) for other in self._faces if other is not one) for one in self._faces]
        best = int(np.argmax(leads))
        return self.labels[best], min(leads[best], 1.0)


def _within(picture: Floats) -> Floats:
    edge = round(_MARGIN_MM * _SHARP)
    return picture[edge:-edge, edge:-edge]


def _print(picture: Floats) -> Floats:
    """In grey, without light and shade."""
    grey = picture.mean(2)
    return np.asarray(grey - _smooth(grey), np.float32)


def _laid_over(picture: Floats, frame: Floats) -> Floats:
    """The part of a picture over which a face fits best, turned as it is, in the light of that face; it may lie upside
    down."""
    found, wanted = _print(picture), _print(frame)
    small, little = _half(found), _half(wanted)
    first = max(_TURNS, key=lambda turn: _best_fit(_turned(small, turn), little)[0])
    fits = {turn: _best_fit(_turned(found, turn), wanted) for turn in (first + finer for finer in _FINER)}
    turn = max(fits, key=lambda one: fits[one][0])
    _, left, top = fits[turn]
    return _in_the_light_of(frame, _exactly(_turned(picture, turn), frame, (left, top)))


def _exactly(picture: Floats, frame: Floats, start: tuple[int, int]) -> Floats:
    """The part of a picture that lies just over a face, a little slanted if need be, from about where it begins."""
    rows, columns = frame.shape[:2]
    about = np.array([[1, 0, start[0]], [0, 1, start[1]]], np.float32)
    stop = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, _STEPS, 1e-4)
    try:
        _, where = cv2.findTransformECC(_print(frame), _print(picture), about.copy(), cv2.MOTION_AFFINE, stop)
    except cv2.error:
        where = about
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(picture, where, (columns, rows), flags=flags), np.float32)


def _half(print_: Floats) -> Floats:
    return np.asarray(cv2.resize(print_, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA), np.float32)


def _in_the_light_of(frame: Floats, laid: Floats) -> Floats:
    """A face as bright as another one everywhere, as far as they are the same: light and flicker change it smoothly."""
    roughly = laid * np.median((frame + _DARK) / (laid + _DARK), (0, 1))
    same = (np.abs(frame - roughly).max(2, keepdims=True) < _OTHER).astype(np.float32)
    here, there = (_smooth((one + _DARK) * same) for one in (frame, roughly))
    return np.asarray(roughly * here / np.maximum(there, 1e-6), np.float32)


def _smooth(picture: Floats) -> Floats:
    return np.asarray(cv2.GaussianBlur(picture, (0, 0), _SHADE_MM * _SHARP), np.float32)


def _best_fit(found: Floats, wanted: Floats) -> tuple[float, int, int]:
    """How well a print fits over another at best, and where: its left and its top."""
    _, fit, _, (left, top) = cv2.minMaxLoc(cv2.matchTemplate(found, wanted, cv2.TM_CCOEFF_NORMED))
    return fit, left, top


def _turned(picture: Floats, degrees: float) -> Floats:
    rows, columns = picture.shape[:2]
    matrix = cv2.getRotationMatrix2D(((columns - 1) / 2, (rows - 1) / 2), degrees, 1.0)
    return np.asarray(cv2.warpAffine(picture, matrix, (columns, rows), borderMode=cv2.BORDER_REPLICATE), np.float32)


def _towards(seen: Floats, one: Floats, other: Floats) -> float:
    """How far what is seen lies from another face towards this one, where they differ: 1 is this one, -1 the other."""
    difference, middle = one - other, (one + other) / 2
    spots = _spots(difference)
    if spots.sum() < _LEAST_MM2 * _SHARP**2:
        return 0.0
    off = (seen - middle)[spots]
    return float(2 * (off * difference[spots]).sum() / np.square(difference[spots]).sum())


def _spots(difference: Floats) -> NDArray[np.bool_]:
    """Where faces differ, but for thin lines."""
    far = (np.abs(difference).max(2) > _DIFFERS).astype(np.uint8)
    wide = round(_SPOT_MM * _SHARP)
    return np.asarray(cv2.morphologyEx(far, cv2.MORPH_OPEN, np.ones((wide, wide), np.uint8)), bool)
