"""Where a taught colour is seen: blobs of strong paint, which say how many figures there can be.

A network may take two figures for one, or a drawn tree for a figure. The paint is a second witness: blue pieces show
about so much blue each. White and black are witnesses where the ground is known: no light makes it so white, and no
shadow so black. Grey is none: shadows and prints are as grey.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from typing import Any, Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.figures.areas import CELL, FINE, View, colours_of
from vision.figures.finder import opened
from vision.layout import Point

Floats = NDArray[np.float32]

STRONG: Final = 14.0
"""How far from grey (in a tint) paint is strong."""
NEAR: Final = 0.25
"""How far a square may be from the taught paint, as a share of how strong that would be in its light."""
_NOISE: Final = 4.0
"""… and so far besides (Lab), which matters where it is dark."""
_DARK: Final = 8.0
"""Added to lightness, so that black has no tint."""
_TOUCHES: Final = 4
"""A figure shows at least so many squares of its blob where it should."""
_CHANGED: Final = 10.0
"""How far (Lab) a square differs from the ground if something stands there."""
_DARKEST, _BRIGHTEST = 0.2, 1.6
"""A figure's sides are darker than its middling colour, and its gleam is brighter."""
_WHITE, _BLACK = 60.0, 25.0
"""A taught colour without a tint is white from this lightness on, and black below that."""
_SHADED, _BARELY = 0.45, 12.0
"""White in the shade is darker than taught by this share at most, black in the light brighter by so much."""
_GLEAMING: Final = 0.4
"""Less black than this share of a figure's foot is what a gleam has left of it, and says nothing of the others."""
_WHITER, _BLACKER = 1.12, 0.5
"""White is so much brighter than its ground (or of another tint than the ground in the shade), black so much darker."""
_PLAIN: Final = 7.0
"""How far (Lab) noise takes white and black from grey."""
_UNLIKE: Final = 4.0
"""So much (Lab) nearer to white than to the ground in the shade white in the shade is."""


class Blob(msgspec.Struct, frozen=True, eq=False):
    """Paint of one label that hangs together: its area (mm²), its middle (in cells), and how things lean there."""

    label: int
    area: float
    middle: Point
    lean: Point


class Blobs(msgspec.Struct, frozen=True, eq=False):
    """All paint of a view; in the map a blob's number is one more than its place in the list."""

    view: View
    numbers: NDArray[np.int32]
    blobs: tuple[Blob, ...]

    def below(self, blob: Blob, height: float) -> Point:
        """Where a single figure that shows this blob would stand, about."""
        up = 0.4 * height * self.view.scale / CELL
        return self.view.to_table(blob.middle[0] - blob.lean[0] * up, blob.middle[1] - blob.lean[1] * up)

    def over(self, feet: Sequence[Point], height: float) -> list[int]:
        """For each figure which blob it shows between its foot and its head, or -1."""
        if not feet or not self.blobs:
            return [-1] * len(feet)
        x, y = self.view.to_cells(np.asarray(feet)).T
        rows, columns = self.view.leans.shape[1:]
        at = np.clip(y.astype(int), 0, rows - 1), np.clip(x.astype(int), 0, columns - 1)
        right, down = (self.view.leans[way][at] / 2 * height * self.view.scale / FINE for way in (0, 1))
        steps = np.array(list(product((0.15, 0.4, 0.65), (-1, 0, 1), (-1, 0, 1)))).T[:, :, None]
        column = (x * (CELL / FINE) + right * steps[0]).astype(int) + steps[1].astype(int)
        row = (y * (CELL / FINE) + down * steps[0]).astype(int) + steps[2].astype(int)
        rows, columns = self.numbers.shape
        shown = self.numbers[np.clip(row, 0, rows - 1), np.clip(column, 0, columns - 1)]
        votes = np.zeros((len(feet), len(self.blobs) + 1), np.int64)
        np.add.at(votes, (np.broadcast_to(np.arange(len(feet)), shown.shape), shown), 1)
        votes[:, 0] = _TOUCHES - 1
        return [int(best) - 1 for best in votes.argmax(1)]


def tint(colours: Floats) -> Floats:
    """Colour without brightness: what stays the same on a figure's lit and shaded sides."""
    return np.asarray(colours[..., 1:] / (colours[..., :1] + _DARK) * 50, np.float32)


class Paints:
    """The taught labels whose paint is strong, and how much of it one figure shows."""

    def __init__(self, known: Sequence[Floats]) -> None:
        middles = [np.median(colours, axis=0) for colours in known]
        self.strong = {
            number: (tint(middle), float(middle[0]))
            for number, middle in enumerate(middles)
            if float(np.linalg.norm(tint(middle))) > STRONG
        }
        self.plain = {
            number: middle
            for number, middle in enumerate(middles)
            if number not in self.strong and not _BLACK <= float(middle[0]) <= _WHITE
        }
        self._usual: dict[int, float] = {}

    def learn(self, label: int, shown: Sequence[tuple[View, Point]], height: float, foot_mm2: float = 0.0) -> None:
        """How much paint the examples of a label show; without any it is no witness. A figure's foot is so large."""
        areas = []
        for view, foot in shown:
            blobs = self._blobs(view, self._masks_of(label, view))
            (at,) = blobs.over([foot], height)
            if at >= 0 and blobs.blobs[at].label == label:
                areas.append(blobs.blobs[at].area / _leaning(blobs.blobs[at]))
        if self.black(label) and areas:
            # A gleam takes black away, and nothing adds to it.
            areas = [most] if (most := max(areas)) >= _GLEAMING * foot_mm2 else []
        if areas:
            self._usual[label] = float(np.median(areas))
        else:
            self.strong.pop(label, None)

    def _masks_of(self, label: int, view: View) -> Iterable[tuple[int, NDArray[np.bool_]]]:
        """Where an example's paint is seen, among all strong ones; black is the darkest, and white is not told."""
        if label in self.strong:
            return self._masks(view)
        return [(label, _black(view.colours, self.plain[label]))] if self.black(label) else ()

    def black(self, label: int) -> bool:
        return label in self.plain and float(self.plain[label][0]) < _BLACK

    def share(self, blob: Blob) -> float:
        """How many figures a blob is, going by its area. White ones are as large as the others."""
        others = [area for label, area in self._usual.items() if label in self.strong] or list(self._usual.values())
        usual = self._usual.get(blob.label) or float(np.median(others))
        return blob.area / (usual * _leaning(blob))

    def look(self, view: View) -> Blobs:
        """The paint in a view; on known ground only what was not there before."""
        return self._blobs(view, self._masks(view))

    def _blobs(self, view: View, masks: Iterable[tuple[int, NDArray[np.bool_]]]) -> Blobs:
        """What hangs together of where the paint of each label is seen."""
        numbers = np.zeros(view.colours.shape[:2], np.int32)
        blobs: list[Blob] = []
        each = (FINE / view.scale) ** 2
        for label, mask in masks:
            count, parts, stats, middles = cv2.connectedComponentsWithStats(opened(mask), connectivity=4)
            numbers = np.where(parts > 0, parts + len(blobs), numbers)
            for part in range(1, count):
                area = float(stats[part, cv2.CC_STAT_AREA]) * each
                x, y = ((float(value) + 0.5) * FINE / CELL for value in middles[part])
                lean = view.leans[:2, int(y), int(x)] / 2
                blobs.append(Blob(label, area, (x, y), (float(lean[0]), float(lean[1]))))
        return Blobs(view, numbers, tuple(blobs))

    def _masks(self, view: View) -> Iterator[tuple[int, NDArray[np.bool_]]]:
        """Where the paint of each label is seen."""
        seen, light = view.colours, (view.colours[..., 0] + _DARK) / 50
        known = (view.known & ~view.guessed).repeat(CELL // FINE, 0).repeat(CELL // FINE, 1)
        changed = np.ones(known.shape, bool)
        if known.any():
            ground = colours_of(view.ground)
            changed = ~known | (_squared(seen - ground) > _CHANGED**2)
            if self._usual:
                yield from ((label, known & _plain(seen, ground, middle)) for label, middle in self.plain.items())
        for label, (middle, usual) in self.strong.items():
            allowed = NEAR * float(np.hypot(*middle)) * light + _NOISE
            mask = changed & (_squared(seen[..., 1:] - middle * light[..., None]) < allowed * allowed)
            yield label, mask & (seen[..., 0] > _DARKEST * usual) & (seen[..., 0] < _BRIGHTEST * usual)


def _plain(seen: Floats, ground: Floats, middle: Floats) -> NDArray[np.bool_]:
    """Where white, or black, is seen that nothing but a thing can be."""
    if float(middle[0]) < _BLACK:
        return np.asarray(_black(seen, middle) & (seen[..., 0] < _BLACKER * ground[..., 0]), bool)
    lightness, light = seen[..., 0], (seen[..., :1] + _DARK) / 50
    apart = np.sqrt(_squared(seen[..., 1:] - tint(middle) * light))
    near = apart < _PLAIN
    shade = np.sqrt(_squared(seen[..., 1:] - tint(ground) * light))
    whiter = (lightness > _WHITER * ground[..., 0]) | (shade > apart + _UNLIKE)
    return np.asarray(near & whiter & (lightness > _SHADED * middle[0]), bool)


def _black(seen: Floats, middle: Floats) -> NDArray[np.bool_]:
    """Where it is as black as that, on whatever ground."""
    apart = np.sqrt(_squared(seen[..., 1:] - tint(middle) * (seen[..., :1] + _DARK) / 50))
    return np.asarray((apart < _PLAIN) & (seen[..., 0] < middle[0] + _BARELY), bool)


def _squared(away: NDArray[np.floating[Any]]) -> Floats:
    return np.asarray((away * away).sum(-1), np.float32)


def _leaning(blob: Blob) -> float:
    """Farther from the camera more of a figure's side is seen."""
    return 1 + 0.6 * math.hypot(*blob.lean)
