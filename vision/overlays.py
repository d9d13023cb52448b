"""Faces that differ in a digit: each laid over what is seen, at full sharpness, turned and shifted until it fits best.

Rings around a centre are quick and know no turn, but a digit in the middle of a token is only a few points of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import Any, Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.layout import Box, Point
from vision.sight import Sight

Floats = NDArray[np.float32]

_SHARP: Final = 4.0
"""Pixels a millimetre."""
_COARSER: Final = 3
"""For a first look at all turns, so many pixels are one."""
_SHADE_MM: Final = 3.0
"""What changes over more than this is light and shade, not print."""
_ASIDE_MM: Final = 1.5
"""So far beside where a face was found it is looked for."""
_TURNS: Final = tuple(range(0, 360, 10))
_FINER: Final = (-6.0, -4.0, -2.0, 0.0, 2.0, 4.0, 6.0)
_ANOTHER: Final = 30
"""Turns that are so many degrees apart are two: a sign with three corners looks the same three times."""
_BEST: Final = 3
"""So many of them are looked at closely."""
_UPRIGHT: Final = (0,)


class Overlay(msgspec.Struct, frozen=True, eq=False, dict=True):
    """The print of a face: what lies within its radius, and a little more, without light and shade."""

    print: Floats

    @cached_property
    def coarse(self) -> Floats:
        side = self.print.shape[0] // _COARSER
        return np.asarray(cv2.resize(self.print, (side, side), interpolation=cv2.INTER_AREA), np.float32)


def overlay(sight: Sight, centre: Point, radius: float, height: float) -> Overlay:
    side = 2 * (radius + _ASIDE_MM)
    patch = sight.patch(Box(centre, (side, side)), _SHARP, height)
    grey = np.asarray(patch, np.float32).mean(2)
    return Overlay(np.asarray(grey - cv2.GaussianBlur(grey, (0, 0), _SHADE_MM * _SHARP), np.float32))


def fit(seen: Overlay, taught: Overlay, turning: bool = True) -> float:
    """How well a face fits over another one where it fits best: 1 is exactly, 0 not at all."""
    fits = [_fit(seen.coarse, taught.coarse, turn, _SHARP / _COARSER) for turn in (_TURNS if turning else _UPRIGHT)]
    turns = [_UPRIGHT[0]] if not turning else _peaks(fits)
    return max(_fit(seen.print, taught.print, turn + finer, _SHARP) for turn in turns for finer in _FINER)


def _peaks(fits: list[float]) -> Iterable[int]:
    """The turns that fit best, each but once."""
    found: list[int] = []
    for number in sorted(range(len(fits)), key=fits.__getitem__, reverse=True):
        turn = _TURNS[number]
        if all(min((turn - other) % 360, (other - turn) % 360) >= _ANOTHER for other in found):
            found.append(turn)
        if len(found) == _BEST:
            break
    return found


def _fit(seen: Floats, taught: Floats, turn: float, sharp: float) -> float:
    side = taught.shape[0]
    turned: Any = taught
    if turn:
        middle = (side - 1) / 2
        matrix = cv2.getRotationMatrix2D((middle, middle), turn, 1.0)
        turned = cv2.warpAffine(taught, matrix, (side, side), borderMode=cv2.BORDER_REPLICATE)
    inner, around = _squares(side, _ASIDE_MM * sharp)
    return float(cv2.matchTemplate(seen[around, around], turned[inner, inner], cv2.TM_CCOEFF_NORMED).max())


def _squares(side: int, aside: float) -> Iterator[slice]:
    """The square that stays within a round face whichever way it is turned, and where it is looked for."""
    edge = round((side - (side - 2 * aside) / np.sqrt(2)) / 2)
    for room in (0, round(aside)):
        yield slice(max(0, edge - room), side - max(0, edge - room))
