"""How sure a reader may be: fitted on examples whose answer is known, never set by hand.

Examples are compared in a space in which things that are the same lie close: it is whitened by how far they stray when
they are seen again.

Several witnesses (distances, likenesses) speak for or against an answer. `Line` weighs them by a logistic fit in which
no witness may count against its own meaning, and draws the line above which, on those examples, no more answers were
wrong than asked for.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]
Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

ERROR: Final = 1e-3
"""The share of wrong answers that is asked for where a layout does not say otherwise."""
_ROUNDS: Final = 30
_RIDGE: Final = 1e-2
_AXES: Final = 300
_SHRINK: Final = 0.03
"""So much of the scatter is taken to be the same in all directions, since few examples were seen of it."""
_ENOUGH: Final = 5000
"""So many rows show the directions in which they differ."""


class Line:
    """The score of an answer, and the score from which on it is told.

    `signs` says of each witness whether more of it speaks for the answer (1) or against it (-1).
    """

    def __init__(self, witnesses: Doubles, right: NDArray[np.bool_], weights: Doubles, signs: Sequence[int]) -> None:
        self._weights = _monotone(witnesses, right.astype(np.float64), weights, np.array(signs, np.float64))
        scores = self.score(witnesses)
        order = np.argsort(-scores)
        self._scores = scores[order]
        self._wrong = np.cumsum((weights * ~right)[order])
        self._told = np.cumsum(weights[order])
        self.examples = len(scores)

    def score(self, witnesses: Doubles) -> Doubles:
        """The logarithm of the odds that the answer is right."""
        return np.asarray(self._weights[0] + witnesses @ self._weights[1:], np.float64)

    def chance(self, witnesses: Doubles) -> Doubles:
        return np.asarray(1 / (1 + np.exp(-np.clip(self.score(witnesses), -30, 30))), np.float64)

    def from_on(self, error: float = ERROR) -> float:
        """The score from which on an answer is told: there at most so many of the known answers are wrong."""
        fine = np.flatnonzero(self._wrong <= error * self._told)
        return float(self._scores[fine[-1]]) if len(fine) else float("inf")


def _monotone(witnesses: Doubles, right: Doubles, weights: Doubles, signs: Doubles) -> Doubles:
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


def _logistic(witnesses: Doubles, right: Doubles, weights: Doubles) -> Doubles:
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


class Principal:
    """The directions in which rows differ most."""

    def __init__(self, rows: Floats, weights: Floats) -> None:
        chosen = np.random.default_rng(2).permutation(len(rows))[:_ENOUGH]
        self._mean = rows.mean(0)
        off = (rows[chosen] - self._mean) * np.sqrt(weights[chosen])[:, None]
        if len(off) < off.shape[1]:
            values, vectors = np.linalg.eigh(off @ off.T)
            # Rows that are the same span nothing.
            kept = values > 1e-6 * values[-1]
            axes = off.T @ (vectors[:, kept] / np.sqrt(values[kept]))
        else:
            _, axes = np.linalg.eigh(off.T @ off)
        self._axes = np.ascontiguousarray(axes[:, ::-1][:, :_AXES], np.float32)

    def of(self, rows: Floats) -> Floats:
        return np.asarray((rows - self._mean) @ self._axes, np.float32)


def whitening(rows: Floats, group: Ints, weights: Floats) -> Floats:
    """The matrix after which rows of one group stray equally far in each direction."""
    _, number, count = np.unique(group, return_inverse=True, return_counts=True)
    means = np.zeros((len(count), rows.shape[1]), np.float32)
    np.add.at(means, number, rows)
    means /= count[:, None]
    several = count[number] / np.maximum(count[number] - 1, 1) * (count[number] > 1)
    off = (rows - means[number]) * np.sqrt(weights * several).astype(np.float32)[:, None]
    scatter = (off.T @ off).astype(np.float64) / float(weights.sum())
    even = max(float(np.trace(scatter)) / len(scatter), 1e-9)
    scatter = (1 - _SHRINK) * scatter + _SHRINK * even * np.eye(len(scatter))
    return np.asarray(np.linalg.inv(np.linalg.cholesky(scatter)).T, np.float32)


def squares(some: Floats, others: Floats) -> Floats:
    """The mean squared distance of each of some rows from each of others."""
    far = (some * some).sum(1)[:, None] + (others * others).sum(1) - 2 * some @ others.T
    return np.asarray(np.maximum(far, 0) / np.float32(max(1, some.shape[1])), np.float32)
