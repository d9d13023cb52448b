"""Busy boards: round and square things in plenty that a reader of dice must leave alone (BGR, 0..1).

Number tokens, draughts, pawns from above, beads, printed squares and markers: each looks a little like a one or a six.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.training.dice.grounds import any_colour
from vision.training.dice.shapes import Floats


def _shadow(image: Floats, at: tuple[int, int], radius: int, rng: np.random.Generator) -> None:
    """A soft dark rim to one side."""
    shift = rng.uniform(-0.3, 0.3, 2) * radius
    spot = (int(at[0] + shift[0]), int(at[1] + shift[1]))
    reach = int(radius * 1.8) + 3
    top, left = max(0, spot[1] - reach), max(0, spot[0] - reach)
    part = image[top : spot[1] + reach, left : spot[0] + reach]
    if part.size == 0:
        return
    shade = np.zeros(part.shape[:2], np.float32)
    cv2.circle(shade, (spot[0] - left, spot[1] - top), radius, 1.0, -1)
    shade = cv2.GaussianBlur(shade, (0, 0), max(0.8, radius * 0.12))
    part *= 1 - rng.uniform(0.1, 0.6) * shade[..., None]


def _token(rng: np.random.Generator, image: Floats, at: tuple[int, int], size: int) -> None:
    """A round token with a number, a dot or rings on it."""
    radius = max(2, int(size * rng.uniform(0.25, 0.6)))
    colour, ink = any_colour(rng), any_colour(rng).tolist()
    _shadow(image, at, radius, rng)
    cv2.circle(image, at, radius, colour.tolist(), -1, cv2.LINE_AA)
    kind = rng.integers(5)
    if kind == 0:
        foot = (at[0] - radius // 2, at[1] + radius // 3)
        cv2.putText(image, str(rng.integers(2, 13)), foot, int(rng.integers(8)), radius / 22, ink, max(1, radius // 8),
                    cv2.LINE_AA)  # fmt: skip
        for k in range(int(rng.integers(0, 6))):
            cv2.circle(
                image, (at[0] + int((k - 2) * radius * 0.22), at[1] + int(radius * 0.65)), max(1, radius // 10), ink, -1
            )
    elif kind == 1:
        for share in np.sort(rng.uniform(0.2, 0.95, int(rng.integers(1, 5))))[::-1]:
            cv2.circle(
                image,
                at,
                max(1, int(radius * share)),
                any_colour(rng).tolist(),
                int(rng.choice([-1, 1, 2])),
                cv2.LINE_AA,
            )
    elif kind == 2:
        for k in range(6):
            shade = (colour * (1 + 0.09 * k)).clip(0, 1).tolist()
            spot = (at[0] - int(k * radius * 0.05), at[1] - int(k * radius * 0.05))
            cv2.circle(image, spot, max(1, int(radius * (1 - k * 0.16))), shade, -1, cv2.LINE_AA)
        cv2.circle(
            image, (at[0] - radius // 4, at[1] - radius // 4), max(1, radius // 6), (1.0, 1.0, 1.0), -1, cv2.LINE_AA
        )
    elif kind == 3:
        cv2.drawMarker(image, at, ink, int(rng.integers(7)), radius, max(1, radius // 6))


def _square(rng: np.random.Generator, image: Floats, at: tuple[int, int], size: int) -> None:
    """A printed or loose square with a sign in it: flat, sharp-cornered, no pips."""
    half = max(4, int(size * rng.uniform(0.35, 0.9)))
    tile = np.empty((2 * half, 2 * half, 3), np.float32)
    tile[:] = any_colour(rng)
    ink = any_colour(rng).tolist()
    kind = rng.integers(4)
    if kind == 0:
        points = rng.normal(0, half * 0.45, (int(rng.integers(3, 9)), 2)) + half
        cv2.fillPoly(tile, [points.astype(np.int32)], ink, cv2.LINE_AA)
    elif kind == 1:
        spikes = int(rng.integers(4, 9))
        turn = np.arange(2 * spikes) * np.pi / spikes
        reach = np.where(np.arange(2 * spikes) % 2, 0.3, 0.75) * half
        star = np.stack([half + reach * np.cos(turn), half + reach * np.sin(turn)], 1)
        cv2.fillPoly(tile, [star.astype(np.int32)], ink, cv2.LINE_AA)
    elif kind == 2:
        cv2.circle(tile, (half, half), max(2, int(half * rng.uniform(0.5, 0.9))), ink, -1, cv2.LINE_AA)
    else:
        letter = chr(int(rng.integers(48, 91)))
        cv2.putText(tile, letter, (half // 2, int(half * 1.5)), int(rng.integers(8)), half / 18, ink, max(1, half // 6))
    if rng.random() < 0.5:
        cv2.rectangle(tile, (0, 0), (2 * half - 1, 2 * half - 1), any_colour(rng).tolist(), max(1, half // 10))
    _lay(rng, image, tile, at)


def _marker(rng: np.random.Generator, image: Floats, at: tuple[int, int], size: int) -> None:
    """A square marker of black and white cells, whole or inverted."""
    cells = int(rng.integers(3, 9))
    pattern = np.zeros((cells + 2, cells + 2), np.float32)
    pattern[1:-1, 1:-1] = rng.integers(0, 2, (cells, cells))
    side = max(8, int(size * rng.uniform(0.6, 2.5)))
    tile = cv2.resize(np.pad(pattern, 1, constant_values=1.0), (side, side), interpolation=cv2.INTER_NEAREST)
    dark, light = any_colour(rng, 0.0, 0.3), any_colour(rng, 0.6, 1.0)
    _lay(rng, image, np.asarray(dark + (light - dark) * tile[..., None], np.float32), at)


def _lay(rng: np.random.Generator, image: Floats, tile: Floats, at: tuple[int, int]) -> None:
    """Lay a flat square down at any angle."""
    side = tile.shape[0]
    matrix = cv2.getRotationMatrix2D((side / 2, side / 2), float(rng.choice([0.0, rng.uniform(0, 360)])), 1.0)
    reach = int(side * 0.75) + 1
    left, top = at[0] - reach, at[1] - reach
    matrix[:, 2] += reach - side / 2
    cover = cv2.warpAffine(np.ones((side, side), np.float32), matrix, (2 * reach, 2 * reach))
    moved = cv2.warpAffine(tile, matrix, (2 * reach, 2 * reach))
    y0, x0 = max(0, top), max(0, left)
    y1, x1 = min(image.shape[0], top + 2 * reach), min(image.shape[1], left + 2 * reach)
    if y1 <= y0 or x1 <= x0:
        return
    own = (slice(y0 - top, y1 - top), slice(x0 - left, x1 - left))
    share = cover[own][..., None]
    image[y0:y1, x0:x1] = image[y0:y1, x0:x1] * (1 - share) + moved[own] * share


_Thing = Callable[[np.random.Generator, Floats, tuple[int, int], int], None]
_THINGS: tuple[_Thing, ...] = (_token, _token, _square, _marker)


def crowd(rng: np.random.Generator, image: Floats, size: float) -> None:
    """Cover the picture with many things of a kind or two, strewn or in rows as on a board, in place."""
    kinds = [_THINGS[int(k)] for k in rng.integers(0, len(_THINGS), 2)]
    side = image.shape[0]
    pitch = size * rng.uniform(0.9, 2.2)
    rows = rng.random() < 0.6
    for n, y in enumerate(np.arange(pitch * rng.random(), side, pitch)):
        for x in np.arange(pitch * (0.5 * (n % 2) + rng.random() * 0.1), side, pitch):
            if rng.random() < 0.35:
                continue
            spot = np.array([x, y]) if rows else rng.uniform(0, side, 2)
            own = int(size * (1.0 if rows else rng.uniform(0.5, 1.4))) + 2
            kinds[int(rng.integers(2))](rng, image, (int(spot[0]), int(spot[1])), own)
