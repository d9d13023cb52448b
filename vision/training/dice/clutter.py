"""Things on a table that are no dice: coins, buttons, chips, dominoes, pens, cards, rings, letters (BGR, 0..1)."""

from __future__ import annotations

import cv2
import numpy as np

from vision.training.dice.grounds import any_colour
from vision.training.dice.shapes import Floats


def _disc(rng: np.random.Generator, image: Floats, at: tuple[int, int], size: int) -> None:
    """A coin, a chip or a button: a disc with a rim and marks or holes on it."""
    colour, mark = any_colour(rng), any_colour(rng).tolist()
    radius = max(3, size // 2)
    cv2.circle(image, (at[0] + 2, at[1] + 3), radius, (colour * 0.3).tolist(), -1, cv2.LINE_AA)
    cv2.circle(image, at, radius, colour.tolist(), -1, cv2.LINE_AA)
    cv2.circle(image, at, max(1, int(radius * 0.85)), mark, max(1, radius // 12), cv2.LINE_AA)
    marks = int(rng.integers(0, 9))
    ring = rng.uniform(0.3, 0.85) * radius
    for k in range(marks):
        angle = 6.283 * k / marks
        spot = (int(at[0] + ring * np.cos(angle)), int(at[1] + ring * np.sin(angle)))
        cv2.circle(image, spot, max(1, int(radius * 0.15)), mark, -1, cv2.LINE_AA)


def _domino(rng: np.random.Generator, image: Floats, at: tuple[int, int], size: int) -> None:
    """Two halves of pips with a bar between them: flat, so no die."""
    colour = any_colour(rng)
    mark = np.full(3, 0.05 if colour.mean() > 0.5 else 0.95, np.float32)
    half = max(6, size // 2)
    tile = np.empty((4 * half, 2 * half, 3), np.float32)
    tile[:] = colour
    cv2.rectangle(tile, (0, 0), (2 * half - 1, 4 * half - 1), (colour * 0.5).tolist(), 1)
    cv2.line(tile, (3, 2 * half), (2 * half - 3, 2 * half), mark.tolist(), max(1, half // 10))
    for upper in (0, 1):
        for _ in range(int(rng.integers(0, 7))):
            x, y = rng.integers(-1, 2, 2)
            spot = (int(half * (1 + 0.55 * x)), int(half * (1 + 2 * upper + 0.55 * y)))
            cv2.circle(tile, spot, max(1, half // 6), mark.tolist(), -1, cv2.LINE_AA)
    _stick(rng, image, tile, at)


def _card(rng: np.random.Generator, image: Floats, at: tuple[int, int], size: int) -> None:
    """A card or tile with a letter or a few marks, flat on the table."""
    side = max(10, int(size * rng.uniform(0.8, 2.5)))
    tile = np.empty((int(side * rng.uniform(1, 1.5)), side, 3), np.float32)
    tile[:] = any_colour(rng)
    colour = any_colour(rng).tolist()
    if rng.random() < 0.6:
        letter = chr(int(rng.integers(48, 91)))
        cv2.putText(tile, letter, (side // 5, int(side * 0.8)), 0, side / 35, colour, max(1, side // 12), cv2.LINE_AA)
    else:
        for _ in range(int(rng.integers(1, 12))):
            spot = (int(rng.uniform(0.1, 0.9) * side), int(rng.uniform(0.1, 0.9) * tile.shape[0]))
            if rng.random() < 0.5:
                cv2.circle(tile, spot, max(1, side // 12), colour, -1, cv2.LINE_AA)
            else:
                cv2.drawMarker(tile, spot, colour, int(rng.integers(7)), max(3, side // 6), max(1, side // 20))
    cv2.rectangle(tile, (0, 0), (side - 1, tile.shape[0] - 1), any_colour(rng).tolist(), max(1, side // 25))
    _stick(rng, image, tile, at)


def _stick(rng: np.random.Generator, image: Floats, tile: Floats, at: tuple[int, int]) -> None:
    """Lay a flat tile on the table at any angle."""
    height, width = tile.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), float(rng.uniform(0, 360)), 1.0)
    matrix[:, 2] += np.array(at) - (width / 2, height / 2)
    shape = (image.shape[1], image.shape[0])
    cover = cv2.warpAffine(np.ones((height, width), np.float32), matrix, shape)[..., None]
    shade = cv2.GaussianBlur(np.roll(cover[..., 0], (2, 2), (0, 1)), (0, 0), 2)[..., None]
    image *= 1 - 0.4 * shade
    image[:] = image * (1 - cover) + cv2.warpAffine(tile, matrix, shape) * cover


def _pen(rng: np.random.Generator, image: Floats, at: tuple[int, int], size: int) -> None:
    """A pen, a cable or a key ring."""
    colour = any_colour(rng)
    thick = max(2, int(size * rng.uniform(0.1, 0.5)))
    if rng.random() < 0.3:
        cv2.circle(image, at, size, colour.tolist(), max(1, thick // 3), cv2.LINE_AA)
        return
    angle, reach = rng.uniform(0, 6.3), size * rng.uniform(2, 8)
    step = np.array([np.cos(angle), np.sin(angle)]) * reach
    start, end = (np.array(at) - step).astype(int), (np.array(at) + step).astype(int)
    for k, light in ((0, 0.5), (1, 1.0), (3, 1.4)):
        width = max(1, thick // (k + 1))
        cv2.line(image, tuple(map(int, start)), tuple(map(int, end)), (colour * light).clip(0, 1).tolist(), width,
                 cv2.LINE_AA)  # fmt: skip


def _spots(rng: np.random.Generator, image: Floats, at: tuple[int, int], size: int) -> None:
    """Loose round marks: crumbs, holes, rivets, beads."""
    colour = any_colour(rng).tolist()
    for _ in range(int(rng.integers(1, 9))):
        spot = (int(at[0] + rng.normal(0, size / 2)), int(at[1] + rng.normal(0, size / 2)))
        cv2.circle(image, spot, max(1, int(size * rng.uniform(0.05, 0.2))), colour, -1, cv2.LINE_AA)


def _writing(rng: np.random.Generator, image: Floats, at: tuple[int, int], size: int) -> None:
    """A word or a number in big letters."""
    word = "".join(chr(int(c)) for c in rng.integers(48, 123, int(rng.integers(1, 6))))
    cv2.putText(image, word, at, int(rng.integers(8)), size / 30, any_colour(rng).tolist(),
                max(1, size // 15), cv2.LINE_AA)  # fmt: skip


def litter(rng: np.random.Generator, image: Floats, size: float) -> None:
    """Strew a few things over the picture, in place, about as large as the dice."""
    kinds = [_disc, _disc, _domino, _card, _card, _pen, _pen, _pen, _spots, _spots, _writing]
    for _ in range(int(rng.choice([0, 0, 0, 0, 1, 2, 4]))):
        at = (int(rng.integers(0, image.shape[1])), int(rng.integers(0, image.shape[0])))
        own = int(size * rng.uniform(0.4, 1.6)) + 4
        kinds[rng.integers(len(kinds))](rng, image, at, own)
