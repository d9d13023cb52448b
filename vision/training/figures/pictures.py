"""Render the training pictures into a folder, in chunks that depend only on the seed and their number.

python -m vision.training.figures.pictures FOLDER --seed 7 --chunks 40
python -m vision.training.figures.pictures FOLDER --seed 12 --chunks 40 --alike
python -m vision.training.figures.pictures FOLDER --seed 9 --chunks 27 --areas
"""

from __future__ import annotations

import argparse
from functools import partial
from multiprocessing import Pool
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from vision.training.figures.areas import MOST, area
from vision.training.figures.scenes import Episode, Sample

SHAPES: Final = 6
TIMES: Final = 8
"""Number of pictures of each figure of a family."""
EMPTY: Final = 8
HANDS: Final = 8
EACH: Final = SHAPES * TIMES + EMPTY + HANDS
EPISODES: Final = 25
"""Rigs in a chunk."""
AREAS: Final = 200
"""Areas in a chunk, each of another rig."""


def episode(seed: int, stark: bool) -> list[Sample]:
    """Several pictures of each figure, then empty places, then places with a hand over them."""
    rig = Episode(seed, SHAPES, stark)
    shown = [rig.sample(which) for which in range(SHAPES) for _ in range(TIMES)]
    empty = [rig.sample(None) for _ in range(EMPTY)]
    hands = [rig.sample(number % SHAPES if number % 3 else None, hand=True) for number in range(HANDS)]
    return [*shown, *empty, *hands]


def chunk(task: tuple[Path, int, int, bool]) -> None:
    folder, seed, number, stark = task
    path = folder / f"chunk{number:04}_{seed}.npz"
    if path.exists():
        return
    cv2.setNumThreads(1)
    _save(
        path, [sample for i in range(EPISODES) for sample in episode(seed * 1_000_000 + number * EPISODES + i, stark)]
    )


def alike_chunk(task: tuple[Path, int, int, bool]) -> None:
    """Families that are hard to distinguish, every second rig in stark light; without empty places and hands."""
    folder, seed, number, _ = task
    path = folder / f"alike{number:04}_{seed}.npz"
    if path.exists():
        return
    cv2.setNumThreads(1)
    rigs = [Episode(seed * 1_000_000 + number * EPISODES + i, SHAPES, i % 2 == 1, close=True) for i in range(EPISODES)]
    _save(path, [rig.sample(which) for rig in rigs for which in range(SHAPES) for _ in range(TIMES)])


def _save(path: Path, samples: list[Sample]) -> None:
    draft = path.with_suffix(".new.npz")
    np.savez(
        draft,
        seen=np.stack([s.seen for s in samples]),
        ground=np.stack([s.ground for s in samples]),
        lean=np.array([s.lean for s in samples], np.float32),
        mask=np.stack([s.mask for s in samples]),
        sizes=np.array([s.sizes for s in samples], np.float32),
        kinds=np.array([s.kind for s in samples], np.int64),
    )
    draft.replace(path)


def area_chunk(task: tuple[Path, int, int, bool], shaded: bool = False) -> None:
    folder, seed, number, bright = task
    path = folder / f"areas{number:04}_{seed}.npz"
    if path.exists():
        return
    cv2.setNumThreads(1)
    samples = [area(seed * 1_000_000 + number * AREAS + i, bright, shaded) for i in range(AREAS)]
    feet = np.zeros((len(samples), MOST, 4), np.float32)
    for row, sample in enumerate(samples):
        feet[row, : len(sample.feet)] = sample.feet
    draft = path.with_suffix(".new.npz")
    np.savez(
        draft,
        seen=np.stack([s.seen for s in samples]),
        ground=np.stack([s.ground for s in samples]),
        known=np.array([s.known for s in samples]),
        eye=np.array([s.eye for s in samples], np.float32),
        cells=np.stack([s.cells for s in samples]),
        feet=feet,
    )
    draft.replace(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=7)
    parser.add_argument("--chunks", type=int, default=40)
    parser.add_argument("--stark", action="store_true", help="only light with dark, sharp shadows")
    parser.add_argument("--areas", action="store_true", help="areas with many figures, for the finder")
    parser.add_argument("--alike", action="store_true", help="figures hard to tell from each other, for the shapes")
    parser.add_argument("--bright", action="store_true", help="areas of light colours, with arms over some")
    parser.add_argument("--shaded", action="store_true", help="areas of grey figures in hard light, often on tiles")
    parser.add_argument("--workers", type=int, default=2)
    wanted = parser.parse_args()
    wanted.folder.mkdir(parents=True, exist_ok=True)
    with Pool(wanted.workers) as pool:
        tasks = [(wanted.folder, wanted.seed, number, wanted.stark or wanted.bright) for number in range(wanted.chunks)]
        make = alike_chunk if wanted.alike else chunk
        if wanted.areas:
            make = partial(area_chunk, shaded=wanted.shaded)
        for _ in pool.imap_unordered(make, tasks):
            print(".", end="", flush=True)
    print()


if __name__ == "__main__":
    main()
