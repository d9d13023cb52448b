"""Names by colour alone, where the taught labels allow it: statues in the players' colours, cubes, discs."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.figures.finder import CLEAR, Found
from vision.figures.paint import NEAR, STRONG, tint

Floats = NDArray[np.float32]

SPREAD: Final = 5.0
"""How far (Lab) the colour of one piece strays with light, place and side."""
ALIKE: Final = 12.0
"""A colour (Lab) farther from every taught one may be something else: a shadow is greyish too."""
STRANGE: Final = 26.0
"""A colour (Lab) farther from every taught one was never taught."""
APART: Final = 15.0
"""Labels whose middle colours are closer (Lab) than this are not told by colour alone."""
_LIGHTNESS: Final = 0.6
"""How much lightness counts beside hue: it strays most."""
_LEAST, _MOST = 0.35, 1.9
"""A figure smaller or larger than the taught ones by these shares is half hidden, or two."""
POSSIBLE: Final = 0.26
"""A foot at least this likely may be one if a taught colour is seen there."""
VIVID: Final = 0.75
"""A foot at least this likely is one even where a drawing might look so."""
_HARDLY: Final = 0.15
"""What shows less than this share of a taught figure is a print, unless its foot is clear."""


class Colours:
    """The taught colours, and how large the taught figures are."""

    def __init__(self, labels: Sequence[str], shown: Sequence[Found | None]) -> None:
        pairs = [(label, one) for label, one in zip(labels, shown, strict=True) if one is not None and one.area > 0]
        clear = {label for label, one in pairs if not one.doubtful}
        kept = [(label, one) for label, one in pairs if not one.doubtful or label not in clear]
        self.labels = list(dict.fromkeys(label for label, _ in kept))
        self.known = [_middling([one.colour for own, one in kept if own == label]) for label in self.labels]
        small, large = np.percentile([one.area for _, one in kept], (20, 90)) if kept else (0.0, math.inf)
        self._least, self._most = _LEAST * float(small), _MOST * float(large)
        self._middles = np.array([np.median(known, axis=0) for known in self.known], np.float32).reshape(-1, 3)
        self.enough = set(labels) == set(self.labels) and self._told_apart()

    def _told_apart(self) -> bool:
        middles = self._middles
        return all(float(_distances(one, middles[at + 1 :]).min()) > APART for at, one in enumerate(middles[:-1]))

    def apart(self, colours: Floats) -> Floats:
        """How far colours are from the examples of each label (colours, labels)."""
        return np.stack([_distances(colours[:, None], known[None]).min(1) for known in self.known], axis=1)

    def likely(self, figure: Found, apart: Floats) -> bool:
        """Whether that may be one of the taught figures at all: not if hardly any of it is seen.

        If the ground is unknown, an untaught colour is a part of it, unless it is vivid.
        """
        enough = not self.hardly(figure.area)
        if not figure.on_known and float(apart.min()) > STRANGE:
            return enough and figure.clear >= VIVID
        return enough or figure.clear >= (POSSIBLE if float(apart.min()) <= ALIKE else CLEAR)

    def hardly(self, area: float) -> bool:
        """Whether so much of a figure is next to nothing."""
        return area < _HARDLY / _LEAST * self._least

    def has(self, label: str, apart: Floats) -> bool:
        """Whether a colour is that of a label, or of one that is painted alike."""
        if label not in self.labels:
            return True
        own, nearest = self.labels.index(label), int(apart.argmin())
        return float(apart[own] - apart[nearest]) <= APART or self._painted_alike(own, nearest)

    def _painted_alike(self, one: int, other: int) -> bool:
        """Whether two labels have the same strong paint: a roof may lie darker in the light than a column."""
        first, second = tint(self._middles[[one, other]])
        strong = float(min(np.hypot(*first), np.hypot(*second)))
        return strong > STRONG and float(np.hypot(*(first - second))) <= NEAR * strong

    def fits(self, area: float) -> bool:
        return self._least <= area <= self._most

    def name(self, apart: Floats) -> tuple[str | None, float]:
        """The likeliest label and its probability; none for an untaught colour."""
        best = int(apart.argmin())
        if apart[best] > STRANGE:
            return None, 0.0
        scores = np.exp(-(np.minimum(apart, 8 * SPREAD) ** 2 - apart[best] ** 2) / (2 * SPREAD**2))
        chance = float(1 / scores.sum())
        return self.labels[best], chance if apart[best] <= ALIKE else min(chance, 0.5)


def _middling(colours: Sequence[Floats]) -> Floats:
    """The examples of a label without those far from their middle: a neighbour's colour, or a gleam."""
    known = np.asarray(colours, np.float32)
    apart = _distances(np.median(known, axis=0), known)
    return known[apart <= max(float(np.median(apart)) * 2, SPREAD)]


def _distances(colour: Floats, known: Floats) -> Floats:
    away = (known - colour) * np.array([_LIGHTNESS, 1, 1], np.float32)
    return np.asarray(np.sqrt((away * away).sum(-1)), np.float32)
