"""Measures the usual deviation of shapes of one kind of figure on newly rendered rigs, for the reader.

    python -m vision.training.figures.strays vision/figures/strays.npy --seed 90 --rigs 60

Run it again whenever the shapes' network has changed, with a seed that was not used for training.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from vision.figures.closeups import LOOKS
from vision.training.figures.trial import trial

Floats = NDArray[np.float32]


def strays(shapes: Floats, kinds: Sequence[str]) -> Floats:
    """The distance of each shape from the mean of its kind, as if that mean were exact."""
    found = []
    for kind in dict.fromkeys(kinds):
        own = shapes[[other == kind for other in kinds]]
        found.append((own - own.mean(0)) * np.sqrt(len(own) / (len(own) - 1)))
    return np.concatenate(found)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path)
    parser.add_argument("--seed", type=int, default=90)
    parser.add_argument("--rigs", type=int, default=60)
    wanted = parser.parse_args()
    rows = []
    for number in range(wanted.rigs):
        one = trial(wanted.seed * 1_000_000 + number, alike=number % 2 == 0)
        rows.append(strays(one.shapes(LOOKS), [label.split()[1] for label in one.labels]))
    every = np.concatenate(rows).astype(np.float64)
    np.save(wanted.file, (every.T @ every / len(every)).astype(np.float32))


if __name__ == "__main__":
    main()
