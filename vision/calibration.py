"""How sure a reader may be: fitted on examples whose answer is known, never set by hand.

Several witnesses (distances, likenesses) speak for or against an answer. `Line` weighs them by a logistic fit in which
no witness may count against its own meaning, and draws the line above which, on those examples, no more answers were
wrong than asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

ERROR: Final = 1e-3
"""The share of wrong answers that is asked for where a layout does not say otherwise."""
_ROUNDS: Final = 30
_RIDGE: Final = 1e-2


class Line:
    """The score of an answer, and the score from which on it is told.

    `signs` says of each witness whether more of it speaks for the answer (1) or against it (-1).
    """

    def __init__(self, witnesses: Floats, right: NDArray[np.bool_], weights: Floats, signs: Sequence[int]) -> None:
        self._weights = _monotone(witnesses, right.astype(np.float64), weights, np.array(signs, np.float64))
        scores = self.score(witnesses)
        order = np.argsort(-scores)
        self._scores = scores[order]
        self._wrong = np.cumsum((weights * ~right)[order])
        self._told = np.cumsum(weights[order])
        self.examples = len(scores)

    def score(self, witnesses: Floats) -> Floats:
        """The logarithm of the odds that the answer is right."""
        return np.asarray(self._weights[0] + witnesses @ self._weights[1:], np.float64)

    def chance(self, witnesses: Floats) -> Floats:
        return np.asarray(1 / (1 + np.exp(-np.clip(self.score(witnesses), -30, 30))), np.float64)

    def from_on(self, error: float = ERROR) -> float:
        """The score from which on an answer is told: there at most so many of the known answers are wrong."""
        fine = np.flatnonzero(self._wrong <= error * self._told)
        return float(self._scores[fine[-1]]) if len(fine) else float("inf")


def _monotone(witnesses: Floats, right: Floats, weights: Floats, signs: Floats) -> Floats:
    """Logistic weights, the constant first. A witness that the fit would turn round is left out."""
    used = np.ones(witnesses.shape[1], bool)
    found = np.zeros(1 + len(used))
    while True:
        fit = _logistic(witnesses[:, used], right, weights)
        turned = fit[1:] * signs[used]
        if not used.any() or turned.min() >= 0:
            break
        used[np.flatnonzero(used)[turned.argmin()]] = False
    found[0], found[1:][used] = fit[0], fit[1:]
    return found


def _logistic(witnesses: Floats, right: Floats, weights: Floats) -> Floats:
    mean, spread = witnesses.mean(0), witnesses.std(0) + 1e-6
    rows = np.column_stack([np.ones(len(witnesses)), (witnesses - mean) / spread])
    found = np.zeros(rows.shape[1])
    for _ in range(_ROUNDS):
        chance = 1 / (1 + np.exp(-np.clip(rows @ found, -30, 30)))
        slope = rows.T @ (weights * (right - chance)) - _RIDGE * found
        bend = rows.T @ (rows * (weights * chance * (1 - chance) + 1e-9)[:, None]) + _RIDGE * np.eye(len(found))
        found = found + np.linalg.solve(bend, slope)
    found[1:] /= spread
    found[0] -= float(found[1:] @ mean)
    return np.asarray(found, np.float64)
