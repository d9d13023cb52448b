"""The light of a picture from what was taught: empty places, and pieces, had these colours, and now have those."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]

_STARTS: Final = 80
_WIDTHS: Final = (0.25, 0.2, 0.15, 0.12)
"""How far colours may be off (in the logarithm) in each round; whatever lies on a place is no ground."""
_FIRST_WIDTH: Final = 0.15
_USUAL: Final = 0.02
"""How much a light that is far from the taught one counts against itself."""
_STIFF: Final = 0.02
_COLOURS: Final = 4
_APART: Final = 0.05


class TaughtLight:
    """The taught colours, in logarithms: of the ground of each place, and the few that pieces mostly have."""

    def __init__(self, centres: Doubles, means: Sequence[Doubles], empty: Sequence[NDArray[np.bool_]]) -> None:
        """`means` are the colours of all places in each picture, `empty` says which were known to be empty."""
        off = centres - centres.mean(0)
        x, y = off.T / max(float(np.abs(off).max()), 1.0)
        self._terms = np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])
        total, seen = np.zeros((len(centres), 3)), np.zeros(len(centres))
        self.ground: Doubles = total
        for number in sorted(range(len(means)), key=lambda one: -int(empty[one].sum())):
            light = np.zeros((len(centres), 3))
            if seen.any():
                light = self._fitted(means[number] - self.ground, (empty[number] & (seen > 0)).astype(np.float64))
            total[empty[number]] += (means[number] - light)[empty[number]]
            seen[empty[number]] += 1
            known = total[seen > 0] / seen[seen > 0, None]
            self.ground = np.tile(np.median(known, 0), (len(centres), 1))
            self.ground[seen > 0] = known
        self.known = seen > 0
        self.pieces = np.zeros((0, 3))

    def learn_pieces(self, colours: Doubles) -> None:
        self.pieces = _farthest(colours)

    def taught(self, means: Doubles, empty: NDArray[np.bool_]) -> Doubles:
        """The light at each place of a picture whose empty places are known, relative to the first picture's."""
        return self._fitted(means - self.ground, (empty & self.known).astype(np.float64))

    def seen(self, means: Doubles, chosen: NDArray[np.bool_], measured: bool) -> Doubles:
        """The light at each place of a picture of which nothing else is known. Only the `chosen` places were seen.

        Where markers `measured` the light, it can be only a little off."""
        off = means[:, None] - np.concatenate([self.ground[:, None], np.tile(self.pieces, (len(means), 1, 1))], 1)
        numbers = np.flatnonzero(chosen)
        starts = off[np.random.default_rng(0).permutation(numbers)[:_STARTS], 0]
        votes = [
            _agreeing(off[numbers] - one, _FIRST_WIDTH).max(1).sum() - _USUAL * len(numbers) * float(one @ one)
            for one in starts
        ]
        light = np.tile(np.zeros(3) if measured else starts[int(np.argmax(votes))], (len(off), 1))
        for width in _WIDTHS[-1:] if measured else _WIDTHS:
            agreeing = _agreeing(off - light[:, None], width) * chosen[:, None]
            best = agreeing.argmax(1)
            light = self._fitted(off[np.arange(len(off)), best], agreeing.max(1))
        return light

    def _fitted(self, off: Doubles, weights: Doubles) -> Doubles:
        """A smooth surface through what places are off."""
        ridge = np.diag([0, 1, 1, 2, 2, 2.0]) * _STIFF * len(off) + 1e-6 * np.eye(6)
        weighed = self._terms * weights[:, None]
        slopes = np.linalg.solve(self._terms.T @ weighed + ridge, weighed.T @ off)
        return np.asarray(self._terms @ slopes, np.float64)


def _agreeing(off: Doubles, width: float) -> Doubles:
    return np.asarray(np.exp(-np.square(off).sum(2) / (2 * width**2)), np.float64)


def _farthest(colours: Doubles) -> Doubles:
    """The few of these colours that are farthest from each other."""
    if not len(colours):
        return colours
    chosen = [np.median(colours, 0)]
    while len(chosen) < _COLOURS:
        far = np.min([np.square(colours - one).sum(1) for one in chosen], 0)
        if far.max() < _APART:
            break
        chosen.append(colours[int(far.argmax())])
    return np.array(chosen)
