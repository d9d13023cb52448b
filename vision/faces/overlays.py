"""Faces that differ in a digit: each laid over what is seen, at full sharpness, turned and shifted until it fits best.

Rings around a centre are quick and know no turn, but a digit in the middle of a token is only a few points of them.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from vision.layout import Box, Point
from vision.picture.table_picture import TablePicture

Floats = NDArray[np.float32]

_SHARP: Final = 4.0
"""Pixels a millimetre."""
_COARSER: Final = 3
"""For a first look at all turns, so many pixels are one."""
_SHADE_MM: Final = 3.0
"""What changes over more than this is light and shade, not print."""
_ASIDE_MM: Final = 3.0
"""So far beside where a face was found it is looked for: a sign with corners seems to lie aside where it is turned."""
_AROUND_MM: Final = 0.8
"""… and so far beside where a first look found it."""
_TURNS: Final = tuple(range(0, 360, 10))
_FINER: Final = (0.0, -4.0, 4.0)
_FINEST: Final = (-2.0, 2.0)
_ANOTHER: Final = 30
"""Turns that are so many degrees apart are two: a sign with three corners looks the same three times."""
_BEST: Final = 4
"""So many of them are looked at closely …"""
_WORSE: Final = 0.12
"""… if at a first look they fit hardly worse than the best."""


class Overlay(msgspec.Struct, frozen=True, eq=False, dict=True):
    """The print of a face: what lies within its radius, and a little more, without light and shade."""

    print: Floats

    @cached_property
    def coarse(self) -> Floats:
        side = self.print.shape[0] // _COARSER
        return np.asarray(cv2.resize(self.print, (side, side), interpolation=cv2.INTER_AREA), np.float32)

    @cached_property
    def turned(self) -> Floats:
        """The middle of the face at every turn, for a first look."""
        inner = _inner(self.coarse.shape[0], _SHARP / _COARSER)
        return _even(np.stack([_turn(self.coarse, turn)[inner, inner] for turn in _TURNS]))

    @cached_property
    def squares(self) -> Floats:
        """Every square of what is seen over which the middle of a face may lie, row by row."""
        inner = _inner(self.coarse.shape[0], _SHARP / _COARSER)
        side = inner.stop - inner.start
        return _even(sliding_window_view(self.coarse, (side, side)).reshape(-1, side, side))


def overlay(sight: TablePicture, centre: Point, radius: float, height: float) -> Overlay:
    side = 2 * (radius + _ASIDE_MM)
    patch = sight.patch(Box(centre, (side, side)), _SHARP, height)
    grey = np.asarray(patch, np.float32).mean(2)
    return Overlay(np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), _SHADE_MM * _SHARP), np.float32))


def fit(seen: Overlay, taught: Overlay, turning: bool = True) -> float:
    """How well a face fits over another one where it fits best: 1 is exactly, 0 not at all."""
    first = _first_look(seen, taught, turning)
    across = math.isqrt(len(first))
    best = -1.0
    for number in _peaks(first.max(0).tolist()):
        row, column = divmod(int(first[:, number].argmax()), across)
        near = _near(seen, (column, row))
        fits = {turn: _closely(near, taught, turn) for turn in (_TURNS[number] + finer for finer in _FINER)}
        top = max(fits, key=fits.__getitem__)
        best = max(best, fits[top], *(_closely(near, taught, top + finer) for finer in _FINEST))
    return best


def fit_roughly(seen: Overlay, taught: Overlay, turning: bool = True) -> float:
    """The same, at a first look."""
    return float(_first_look(seen, taught, turning).max())


def _first_look(seen: Overlay, taught: Overlay, turning: bool) -> Floats:
    """How well a face fits over each square of what is seen, at each turn."""
    return np.asarray(seen.squares @ (taught.turned if turning else taught.turned[:1]).T, np.float32)


def _even(squares: Floats) -> Floats:
    """Each square in a row, without its mean, and of length 1, so that products say how alike two are."""
    flat = squares.reshape(len(squares), -1)
    flat = flat - flat.mean(1, keepdims=True)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6), np.float32)


def _peaks(fits: list[float]) -> Iterable[int]:
    """The numbers of the turns that fit best, each but once."""
    found: list[int] = []
    for number in sorted(range(len(fits)), key=fits.__getitem__, reverse=True):
        if fits[number] < max(fits) - _WORSE:
            break
        apart = [(_TURNS[number] - _TURNS[other]) % 360 for other in found]
        if all(_ANOTHER <= turn <= 360 - _ANOTHER for turn in apart):
            found.append(number)
        if len(found) == _BEST:
            break
    return found


def _near(seen: Overlay, place: tuple[int, int]) -> Floats:
    """What is seen about the place (of its corner) where a first look found a face."""
    side, around = seen.print.shape[0], round(_AROUND_MM * _SHARP)
    inner = _inner(side, _SHARP)
    length = inner.stop - inner.start + 2 * around
    left, top = (min(max(round(at * side / seen.coarse.shape[0]) - around, 0), side - length) for at in place)
    return seen.print[top : top + length, left : left + length]


def _closely(near: Floats, taught: Overlay, turn: float) -> float:
    inner = _inner(taught.print.shape[0], _SHARP)
    print_ = _turn(taught.print, turn)[inner, inner]
    return float(cv2.matchTemplate(near, print_, cv2.TM_CCOEFF_NORMED).max())


def _turn(print_: Floats, degrees: float) -> Floats:
    if not degrees:
        return print_
    side = print_.shape[0]
    matrix = cv2.getRotationMatrix2D(((side - 1) / 2, (side - 1) / 2), degrees, 1.0)
    return np.asarray(cv2.warpAffine(print_, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE), np.float32)


def _inner(side: int, sharp: float) -> slice:
    """The square that stays within a round face whichever way it is turned."""
    edge = round((side - (side - 2 * _ASIDE_MM * sharp) / np.sqrt(2)) / 2)
    return slice(edge, side - edge)
