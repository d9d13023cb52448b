"""Measures how well shapes are named on newly rendered rigs: three figures in five colours, two examples of each label.

    python -m vision.training.figures.trial --seed 70 --rigs 40
    python -m vision.training.figures.trial --seed 70 --rigs 40 --alike
    python -m vision.training.figures.trial --seed 90 --rigs 60 --strays vision/figures/strays.npy

The last one writes the usual deviation of shapes of one kind, for the reader; run it again whenever the shapes' network
has changed. Choose a seed that was not used for training. The masks are the reader's own; only finding the places is
left out.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.figures import closeups, network
from vision.figures.closeups import LOOKS, STRAIGHT, Look
from vision.figures.places import DOUBTFUL, SURE, colour_of
from vision.figures.windows import planes
from vision.figures.words import Features, Words
from vision.training.figures.scenes import Episode

Floats = NDArray[np.float32]

PAINTS: Final = ((0.03, 0.03, 0.5), (0.4, 0.1, 0.03), (0.04, 0.5, 0.7), (0.08, 0.25, 0.04), (0.7, 0.75, 0.8))
"""Red, blue, yellow, green and white, as linear light."""
SHAPES: Final = 3
TAUGHT: Final = 2
READ: Final = 3


class Trial(msgspec.Struct, frozen=True, eq=False):
    """One rig's windows, the figures' places in them, their colours and labels; the first ones are the examples."""

    seen: Floats
    ground: Floats
    leans: Floats
    places: list[tuple[float, float]]
    side: float
    colours: Floats
    labels: list[str]
    taught: int

    def shapes(self, looks: Sequence[Look], net: str = network.SHAPES) -> Floats:
        return closeups.directions(self.seen, self.ground, self.leans, self.places, self.side, looks, net)


def trial(seed: int, alike: bool) -> Trial:
    """Render one rig, in stark light every second time."""
    rig = Episode(seed, SHAPES, seed % 2 == 1, close=alike)
    rig.colours = [np.array(paint) for paint in PAINTS]
    labels = [f"{colour} {shape}" for colour in range(len(PAINTS)) for shape in range(SHAPES)]
    labels = [*labels * TAUGHT, *labels * READ]
    samples = [rig.sample(int(shape), colour=int(colour)) for colour, shape in (label.split() for label in labels)]
    seen, ground = (
        np.stack(part).astype(np.float32) / 180 for part in zip(*((s.seen, s.ground) for s in samples), strict=True)
    )
    leans = np.array([sample.lean for sample in samples], np.float32)
    masks = network.masks(planes(seen, ground, leans)).figure
    found = [closeups.extent(mask) for mask in masks]
    taught = len(labels) * TAUGHT // (TAUGHT + READ)
    side = closeups.side_of([size for _, _, size in found[:taught]])
    colours = np.stack([colour_of(patch, mask) for patch, mask in zip(seen, masks, strict=True)])
    return Trial(seen, ground, leans, [(x, y) for x, y, _ in found], side, colours, labels, taught)


def outcomes(one: Trial, net: str = network.SHAPES) -> NDArray[np.int64]:
    """The numbers of figures that were read rightly, wrongly, and not with certainty."""
    first, again = (Features(one.colours, one.shapes(looks, net)) for looks in ((STRAIGHT,), LOOKS))
    words = Words(one.labels[: one.taught], again.rows(slice(None, one.taught)))
    read = slice(one.taught, None)
    named = [
        at_once if at_once[1] >= DOUBTFUL else closely
        for at_once, closely in zip(words.named(first.rows(read)), words.named(again.rows(read)), strict=True)
    ]
    sure = np.array([chance >= SURE for _, chance in named])
    right = np.array([label for label, _ in named]) == np.array(one.labels[one.taught :])
    return np.array([(sure & right).sum(), (sure & ~right).sum(), (~sure).sum()])


def strays(shapes: Floats, kinds: Sequence[str]) -> Floats:
    """The distance of each shape from the mean of its kind, as if that mean were exact."""
    found = []
    for kind in dict.fromkeys(kinds):
        own = shapes[[other == kind for other in kinds]]
        found.append((own - own.mean(0)) * np.sqrt(len(own) / (len(own) - 1)))
    return np.concatenate(found)


def _write_strays(file: Path, seed: int, rigs: int) -> None:
    rows = []
    for number in range(rigs):
        one = trial(seed * 1_000_000 + number, alike=number % 2 == 0)
        rows.append(strays(one.shapes(LOOKS), [label.split()[1] for label in one.labels]))
    every = np.concatenate(rows).astype(np.float64)
    np.save(file, (every.T @ every / len(every)).astype(np.float32))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=70)
    parser.add_argument("--rigs", type=int, default=40)
    parser.add_argument("--alike", action="store_true", help="only figures that are hard to tell")
    parser.add_argument("--network", type=Path, default=Path(network.__file__).with_name(network.SHAPES))
    parser.add_argument("--strays", type=Path, metavar="FILE", help="write how shapes of one kind deviate")
    wanted = parser.parse_args()
    if wanted.strays:
        _write_strays(wanted.strays, wanted.seed, wanted.rigs)
        return
    total = np.zeros(3, np.int64)
    for number in range(wanted.rigs):
        one = trial(wanted.seed * 1_000_000 + number, wanted.alike)
        total += outcomes(one, str(wanted.network.resolve()))
    exact, wrong, unknown = total
    print(f"{exact} exact, {wrong} wrong, {unknown} unknown of {total.sum()}")


if __name__ == "__main__":
    main()
