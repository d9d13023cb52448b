"""A space in which things that are the same lie close: whitened by how far they stray when they are seen again."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Ints = NDArray[np.int64]

_AXES: Final = 300
_SHRINK: Final = 0.03
"""So much of the scatter is taken to be the same in all directions, since few examples were seen of it."""
_ENOUGH: Final = 5000
"""So many rows show the directions in which they differ."""


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
