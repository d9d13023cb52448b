"""How well shapes are told on freshly rendered rigs: three figures in five colours, two examples of each label.

    python -m vision.figures.training.trial --seed 70 --rigs 40
    python -m vision.figures.training.trial --seed 70 --rigs 40 --alike

Choose a seed with which nothing was trained. The masks are the reader's own; only the finding of places is left out.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.figures import closeups, network
from vision.figures.places import STRANGE_COLOUR, STRANGE_SHAPE, SURE, colour_of
from vision.figures.training.scenes import Episode
from vision.figures.windows import planes
from vision.figures.words import Features, Words

Floats = NDArray[np.float32]

PAINTS: Final = ((0.03, 0.03, 0.5), (0.4, 0.1, 0.03), (0.04, 0.5, 0.7), (0.08, 0.25, 0.04), (0.7, 0.75, 0.8))
"""Red, blue, yellow, green and white, as linear light."""
SHAPES: Final = 3
TAUGHT: Final = 2
READ: Final = 3


class Trial(msgspec.Struct, frozen=True, eq=False):
    """One rig's close-ups and colours, with their labels; the first ones teach."""

    close: Floats
    colours: Floats
    labels: list[str]
    taught: int


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
    close, behind = (
        np.stack([closeups.close_up(patch, at[:2], side) for patch, at in zip(pictures, found, strict=True)])
        for pictures in (seen, ground)
    )
    colours = np.stack([colour_of(patch, mask) for patch, mask in zip(seen, masks, strict=True)])
    return Trial(closeups.planes(close, behind, leans), colours, labels, taught)


def outcomes(one: Trial, shapes: Floats) -> NDArray[np.int64]:
    """How many were read exactly, wrongly, and not for sure."""
    features = Features(one.colours, shapes)
    words = Words(one.labels[: one.taught], features.rows(slice(None, one.taught)))
    seen = features.rows(slice(one.taught, None))
    scores = words.scores(seen)
    names = list(words.labels)
    apart = np.linalg.norm(seen.colours[:, None] - words.known.colours[None], axis=2).min(1)
    alike = (seen.shapes @ words.known.shapes.T).max(1)
    sure = (np.exp(scores.max(1)) >= SURE) & (apart <= STRANGE_COLOUR) & (alike >= STRANGE_SHAPE)
    right = np.array([names[best] for best in scores.argmax(1)]) == np.array(one.labels[one.taught :])
    return np.array([(sure & right).sum(), (sure & ~right).sum(), (~sure).sum()])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=70)
    parser.add_argument("--rigs", type=int, default=40)
    parser.add_argument("--alike", action="store_true", help="only figures that are hard to tell")
    parser.add_argument("--network", type=Path, default=Path(network.__file__).with_name(network.SHAPES))
    wanted = parser.parse_args()
    net: Any = cv2.dnn.readNetFromONNX(str(wanted.network))
    total = np.zeros(3, np.int64)
    for number in range(wanted.rigs):
        one = trial(wanted.seed * 1_000_000 + number, wanted.alike)
        net.setInput(one.close)
        found = net.forward("shapes")
        total += outcomes(one, found / np.maximum(np.linalg.norm(found, axis=1, keepdims=True), 1e-9))
    exact, wrong, unknown = total
    print(f"{exact} exact, {wrong} wrong, {unknown} unknown of {total.sum()}")


if __name__ == "__main__":
    main()
