"""What dice lie on: wood, felt, paper, stone, leather, stripes, prints and patchworks (BGR, 0..1)."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.training.dice.shapes import Floats

_WORDS = ("the", "die", "was", "cast", "upon", "a", "table", "and", "nobody", "could", "say", "who", "had", "won")


def fractal(rng: np.random.Generator, side: int, coarse: int, octaves: int, stretch: float = 1.0) -> Floats:
    """Noise of several sizes, mean 0, roughly within -1..1; `stretch` > 1 draws it out along x."""
    total = np.zeros((side, side), np.float32)
    weight = 1.0
    for octave in range(octaves):
        rows = min(side, coarse * 2**octave)
        columns = max(2, int(rows / stretch))
        grain = rng.standard_normal((rows + 2, columns + 2)).astype(np.float32)
        total += weight * cv2.resize(grain, (side, side), interpolation=cv2.INTER_CUBIC)
        weight *= 0.6
    return total / 2.2


def any_colour(rng: np.random.Generator, low: float = 0.02, high: float = 0.98) -> Floats:
    """A colour, as often dull as bright."""
    grey = rng.uniform(low, high)
    return (grey + rng.normal(0, rng.choice([0.03, 0.1, 0.25]), 3)).clip(low, high).astype(np.float32)


def _between(one: Floats, two: Floats, share: Floats) -> Floats:
    return np.asarray(one + (two - one) * share[..., None].clip(0, 1))


def plain(rng: np.random.Generator, side: int) -> Floats:
    """Paper, card, lacquer: one colour with a little life."""
    light = any_colour(rng) if rng.random() < 0.6 else np.full(3, rng.uniform(0.7, 1.0)) + rng.normal(0, 0.02, 3)
    life = fractal(rng, side, 4, 3) * rng.uniform(0, 0.04) + rng.standard_normal((side, side)) * rng.uniform(0, 0.03)
    return (light + life[..., None]).astype(np.float32)


def wood(rng: np.random.Generator, side: int) -> Floats:
    """Grain drawn out along the board, sometimes with joints between planks."""
    base: Floats = np.array(
        [[0.25, 0.45, 0.68], [0.1, 0.22, 0.42], [0.5, 0.68, 0.85], [0.15, 0.25, 0.55], [0.3, 0.35, 0.4]][
            rng.integers(5)
        ],
        np.float32,
    )
    base = base * rng.uniform(0.6, 1.15) + rng.normal(0, 0.03, 3)
    grain = fractal(rng, side, int(rng.integers(6, 40)), 3, rng.uniform(5, 30))
    if rng.random() < 0.4:
        grain = np.sin(grain * rng.uniform(3, 9))
    share = 0.5 + rng.uniform(0.1, 0.5) * grain
    image = _between(base, base * rng.uniform(0.45, 0.85), share)
    if rng.random() < 0.35:
        step = int(rng.integers(side // 6, side))
        for y in range(int(rng.integers(step)), side, step):
            cv2.line(image, (0, y), (side, y), (base * 0.3).tolist(), int(rng.integers(1, 5)))
    return turned(rng, image)


def cloth(rng: np.random.Generator, side: int) -> Floats:
    """Felt or woven cloth: coloured, fine grained, with soft folds."""
    light = any_colour(rng)
    fibre = rng.standard_normal((side, side)).astype(np.float32) * rng.uniform(0.02, 0.12)
    if rng.random() < 0.5:
        x, y = np.meshgrid(np.arange(side), np.arange(side))
        pitch = rng.uniform(3, 9)
        fibre += (np.sin(x * 6.3 / pitch) * np.sin(y * 6.3 / pitch) * rng.uniform(0.02, 0.15)).astype(np.float32)
    folds = fractal(rng, side, 3, 2) * rng.uniform(0, 0.15)
    return turned(rng, light * (1 + fibre + folds)[..., None])


def stone(rng: np.random.Generator, side: int) -> Floats:
    """Marble, slate, leather, concrete: veins and grain."""
    grain = fractal(rng, side, int(rng.integers(3, 30)), 5)
    share = np.abs(grain) if rng.random() < 0.5 else (0.5 + grain * 0.5).clip(0, 1)
    return _between(any_colour(rng), any_colour(rng), share ** float(rng.choice([0.5, 1.0, 2.0])))


def stripes(rng: np.random.Generator, side: int) -> Floats:
    """Stripes or checks, printed or woven."""
    x, y = np.meshgrid(np.arange(side, dtype=np.float32), np.arange(side, dtype=np.float32))
    pitch, bend = rng.uniform(8, 90), fractal(rng, side, 3, 2) * rng.uniform(0, 20)
    wave = np.sin((x + bend) * 6.3 / pitch)
    if rng.random() < 0.4:
        wave = wave * np.sin((y + bend) * 6.3 / pitch)
    share = (wave * rng.choice([1.0, 8.0]) + rng.uniform(-0.6, 0.6)) * 0.5 + 0.5
    image = _between(any_colour(rng), any_colour(rng), share)
    return turned(rng, image + rng.standard_normal((side, side, 1)).astype(np.float32) * rng.uniform(0, 0.05))


def dots(rng: np.random.Generator, side: int) -> Floats:
    """Dotted cloth: round marks without any die around them."""
    image = plain(rng, side)
    colour, pitch = any_colour(rng).tolist(), rng.uniform(12, 70)
    radius = max(1, int(pitch * rng.uniform(0.12, 0.38)))
    jitter = rng.choice([0.0, 0.25]) * pitch
    offset = rng.choice([0.0, 0.5])
    for row, y in enumerate(np.arange(0, side, pitch)):
        for x in np.arange(0, side + pitch, pitch):
            at = (int(x - offset * pitch * (row % 2) + rng.normal(0, 1) * jitter), int(y + rng.normal(0, 1) * jitter))
            cv2.circle(image, at, radius, colour, -1, cv2.LINE_AA)
    return turned(rng, image)


def print_sheet(rng: np.random.Generator, side: int) -> Floats:
    """A newspaper or a form: lines of text on paper."""
    image = plain(rng, side) * 0.3 + rng.uniform(0.5, 0.68)
    ink, scale = any_colour(rng, 0, 0.4).tolist(), rng.uniform(0.25, 1.4)
    y = 0.0
    while y < side + 30:
        line = " ".join(rng.choice(_WORDS, 14))
        cv2.putText(image, line, (int(rng.integers(-60, 10)), int(y)), int(rng.integers(0, 8)), scale, ink,
                    int(rng.integers(1, 3)), cv2.LINE_AA)  # fmt: skip
        y += scale * rng.uniform(26, 40)
    return turned(rng, image)


def picture(rng: np.random.Generator, side: int) -> Floats:
    """A printed picture or a busy board: blobs, leaves, lines and shapes over each other."""
    image = _between(any_colour(rng), any_colour(rng), 0.5 + fractal(rng, side, int(rng.integers(2, 12)), 5))
    for _ in range(int(rng.integers(4, 40))):
        colour, kind = any_colour(rng).tolist(), rng.integers(4)
        x, y = (int(n) for n in rng.integers(0, side, 2))
        reach = int(rng.integers(4, side // 3))
        if kind == 0:
            axes = (reach, max(1, int(reach * rng.uniform(0.1, 1))))
            cv2.ellipse(image, (x, y), axes, rng.uniform(0, 180), 0, 360, colour, -1, cv2.LINE_AA)
        elif kind == 1:
            corners = (rng.normal(0, reach / 2, (int(rng.integers(3, 7)), 2)) + np.array([x, y])).astype(np.int32)
            cv2.fillPoly(image, [corners], colour, cv2.LINE_AA)
        elif kind == 2:
            end = (int(rng.integers(0, side)), int(rng.integers(0, side)))
            cv2.line(image, (x, y), end, colour, int(rng.integers(1, 12)), cv2.LINE_AA)
        else:
            cv2.circle(image, (x, y), max(1, reach // 5), colour, int(rng.choice([-1, 1, 2, 4])), cv2.LINE_AA)
    return image


def turned(rng: np.random.Generator, image: Floats) -> Floats:
    """The ground turned by any angle; the mirrored border fills the corners."""
    side = image.shape[0]
    matrix = cv2.getRotationMatrix2D((side / 2, side / 2), float(rng.uniform(0, 360)), float(rng.uniform(1, 1.4)))
    return cv2.warpAffine(image.astype(np.float32), matrix, (side, side), borderMode=cv2.BORDER_REFLECT)


_KINDS: list[tuple[Callable[[np.random.Generator, int], Floats], float]] = [
    (plain, 0.24), (wood, 0.22), (cloth, 0.14), (stone, 0.12), (stripes, 0.08), (dots, 0.04), (print_sheet, 0.06),
    (picture, 0.1),
]  # fmt: skip


def ground(rng: np.random.Generator, side: int) -> Floats:
    """Any ground; now and then two that meet, like a sheet of paper on a table."""
    weights = np.array([weight for _, weight in _KINDS])
    pick = rng.choice(len(_KINDS), 2, p=weights / weights.sum())
    image = _KINDS[pick[0]][0](rng, side)
    if rng.random() < 0.3:
        sheet = np.zeros((side, side), np.float32)
        middle, reach = rng.uniform(0, side, 2), rng.uniform(0.3, 1.0) * side
        angle = rng.uniform(0, 6.3)
        corners = [middle + reach * np.array([np.cos(angle + k * 1.57), np.sin(angle + k * 1.57)]) for k in range(4)]
        cv2.fillPoly(sheet, [np.array(corners, np.int32)], 1.0, cv2.LINE_AA)
        image = image * (1 - sheet[..., None]) + _KINDS[pick[1]][0](rng, side) * sheet[..., None]
    return np.asarray(image.clip(0, 1), np.float32)
