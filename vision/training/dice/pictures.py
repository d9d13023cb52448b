"""Render the training pictures into a folder, in chunks of 250 scenes, the first step of the training.

    python -m vision.training.dice.pictures FOLDER --seed 20 --chunks 64

A chunk depends only on the seed and its number, so an interrupted run continues where it stopped.
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
from pathlib import Path

import cv2
import numpy as np

from vision.training.dice.scenes import render
from vision.training.dice.shapes import Shape, stock

SCENES = 250
SHAPES = 500


@functools.cache
def _stock(seed: int) -> list[Shape]:
    return stock(seed, SHAPES)


def chunk(folder: Path, seed: int, number: int, busy: bool) -> None:
    """One chunk: the pictures, and a row per die with its scene, value, x, y, size and visible share."""
    path = folder / f"{seed}-{number:04d}.npz"
    if path.exists():
        return
    cv2.setNumThreads(1)
    images, rows = [], []
    for index in range(SCENES):
        scene = render(np.random.default_rng([seed, number, index]), _stock(seed), busy=busy)
        images.append(scene.image)
        rows += [(index, die.value, die.x, die.y, die.size, die.seen) for die in scene.dice]
    np.savez(path, images=np.stack(images), dice=np.array(rows, np.float32).reshape(-1, 6))


def main() -> None:
    """Read the command line and render."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--chunks", type=int, default=64)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--busy", action="store_true", help="crowds of things that are no dice")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    _stock(options.seed)
    with multiprocessing.get_context("fork").Pool(options.processes) as pool:
        pool.starmap(
            chunk, [(options.folder, options.seed, n, options.busy) for n in range(options.chunks)], chunksize=1
        )


if __name__ == "__main__":
    main()
