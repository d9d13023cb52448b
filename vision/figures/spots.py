"""How much of each taught colour shows on faces where it is not printed: a witness that needs no network.

On a known face everything that looks otherwise stands on it, or shades it. What of that has the colour of a taught
figure is that figure; measured beside what single figures showed when they were taught, it says how many there are.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.figures.paint import STRONG, tint
from vision.layout import Box
from vision.picture.background import lab
from vision.picture.table_picture import Patch

Floats = NDArray[np.float32]

SOME: Final = 0.45
"""With less than this share of a figure's colour there is none."""
COLOURED: Final = ((0.5, 1.45), (1.5, 2.6), (2.3, 4.0))
TOGETHER: Final = ((1.3, 3.0), (3.2, 4.45), (4.6, 6.9))
"""How much one, two and three figures show of their colour, and show and hide of their place together, beside a single
figure: those that touch hide each other, and the seam between two is no edge."""
BROKEN: Final = 0.8
"""What hides less than this beside a single figure, in one spot, is broken up by prints of its own colour."""
_LESS: Final = 0.55
_OTHERWISE: Final = 0.35
"""How unlike the face (0 to 1) a pixel of a figure is."""
_TINT, _NOISE = 0.25, 4.0
"""How far a pixel may be from the taught colour: a share of its strength, and so far (Lab) besides."""
_WEAKEST: Final = 12.0
"""Grey has hardly any strength; it strays as far as weak colours do."""
_PAIR: Final = np.ones((2, 2), np.uint8)
_DARKEST, _BRIGHTEST = 0.35, 1.6
"""A figure's sides are darker than its middling colour, and its gleam is brighter."""


class Shown(msgspec.Struct, frozen=True):
    """What is seen of figures on a place, in single figures: of each colour, and how much is hidden."""

    colours: dict[str, float]
    hidden: float

    def labels(self) -> list[str]:
        """Of whose colour there is enough for a figure."""
        return [label for label, share in self.colours.items() if share >= SOME]

    def fits(self, label: str, number: int, weak: bool) -> bool:
        """Whether there may be so many figures of a label. Of more than three touching figures nothing is said; those
        of a weak colour may hide little, since prints beneath them look the same."""
        if not 0 < number <= len(COLOURED):
            return False
        colour, all_of_it = self.colours[label], self.colours[label] + self.hidden
        (least, most), (little, much) = COLOURED[number - 1], TOGETHER[number - 1]
        return least <= colour <= most and (weak or little <= all_of_it <= much)

    def told(self, label: str, most: int, weak: bool) -> int:
        """The number of figures, at most `most`, if no other number fits; 0 if it is uncertain."""
        if not 0 < most <= len(COLOURED):
            return 0
        if weak and self.hidden < BROKEN:
            # Grey on grey stones hides little, and shows less colour than it has: only what can be no fewer is told.
            return most if most > 1 and most - _LESS <= self.colours[label] <= COLOURED[most - 1][1] else 0
        numbers = [number for number in range(1, most + 1) if self.fits(label, number, weak=False)]
        return numbers[0] if len(numbers) == 1 else 0


class Spots:
    """The taught colours, and how much of each a single figure shows, and hides."""

    def __init__(self, known: Mapping[str, Floats]) -> None:
        self._middles = {label: np.median(colours, axis=0) for label, colours in known.items()}
        self._shown: dict[str, list[float]] = {}
        self._hidden: list[float] = []

    @property
    def taught(self) -> bool:
        """Whether it is known of every label how much of it shows."""
        return bool(self._middles) and self._shown.keys() == self._middles.keys()

    @property
    def weak(self) -> frozenset[str]:
        """Labels of hardly any colour, such as prints and shadows have too."""
        return frozenset(name for name, middle in self._middles.items() if np.hypot(*tint(middle)) <= STRONG)

    def learn(self, label: str, seen: Patch, unlike: Floats, hidden: float, lean: float) -> None:
        """A face with one figure of that label on it."""
        if label in self._middles:
            area = _area(lab(seen), unlike, self._middles[label]) / _leaning(lean)
            self._shown.setdefault(label, []).append(area)
            self._hidden.append(hidden / _leaning(lean))

    def look(self, seen: Patch, unlike: Floats, hidden: float, lean: float) -> Shown:
        """What is seen of figures on a face of which so much (mm²) is hidden."""
        colours, larger = lab(seen), _leaning(lean)
        shares = {
            label: _area(colours, unlike, middle) / larger / max(float(np.median(self._shown[label])), 1.0)
            for label, middle in self._middles.items()
        }
        return Shown(shares, hidden / larger / max(float(np.median(self._hidden)), 1.0))


def lean_at(eye: tuple[float, float, float], box: Box) -> float:
    """How far a figure leans away from the camera there, for each millimetre of its height."""
    return math.hypot(box.centre[0] - eye[0], box.centre[1] - eye[1]) / max(eye[2], 1.0)


def _area(colours: Floats, unlike: Floats, middle: Floats) -> float:
    """Pixels that have a colour (Lab) where the face has not."""
    strength = tint(middle)
    light = (colours[..., 0] + 8) / 50
    away = np.hypot(colours[..., 1] - strength[0] * light, colours[..., 2] - strength[1] * light)
    near = away < _TINT * max(float(np.hypot(*strength)), _WEAKEST) * light + _NOISE
    near &= (colours[..., 0] > _DARKEST * middle[0]) & (colours[..., 0] < _BRIGHTEST * middle[0])
    mask = (near & (unlike > _OTHERWISE)).astype(np.uint8)
    mask = cv2.dilate(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _PAIR), _PAIR)
    return float(mask.sum())


def _leaning(lean: float) -> float:
    """Farther from the camera more of a figure's side is seen."""
    return 1 + 0.6 * lean
