"""The surroundings of dice: grounds, things that are no dice, and busy boards (BGR, 0..1)."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np

from vision.training.dice.shapes import Floats

# Grounds: wood, felt, paper, stone, leather, stripes, prints and patchworks

_WORDS = ("the", "die", "was", "cast", "upon", "a", "table", "and", "nobody", "could", "say", "who", "had", "won")


def fractal(rng: np.random.Generator, side: int, coarse: int, octaves: int, stretch: float = 1.0) -> Floats:
    """Noise of several sizes, mean 0, roughly within -1..1; `stretch` > 1 stretches it along x."""
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
    """A random colour, dull or bright."""
    grey = rng.uniform(low, high)
    return (grey + rng.normal(0, rng.choice([0.03, 0.1, 0.25]), 3)).clip(low, high).astype(np.float32)


def _between(one: Floats, two: Floats, share: Floats) -> Floats:
    return np.asarray(one + (two - one) * share[..., None].clip(0, 1))


def plain(rng: np.random.Generator, side: int) -> Floats:
    """Paper, card, lacquer: one colour with slight variation."""
    light = any_colour(rng) if rng.random() < 0.6 else np.full(3, rng.uniform(0.7, 1.0)) + rng.normal(0, 0.02, 3)
    life = fractal(rng, side, 4, 3) * rng.uniform(0, 0.04) + rng.standard_normal((side, side)) * rng.uniform(0, 0.03)
    return (light + life[..., None]).astype(np.float32)


def wood(rng: np.random.Generator, side: int) -> Floats:
    """Grain along the board, sometimes with joints between planks."""
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
    """Any ground, sometimes two, like a sheet of paper on a table."""
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


# Things that are no dice: coins, buttons, chips, dominoes, pens, cards, rings, letters


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
    """Draw a few things of about the size of dice into the picture."""
    kinds = [_disc, _disc, _domino, _card, _card, _pen, _pen, _pen, _spots, _spots, _writing]
    for _ in range(int(rng.choice([0, 0, 0, 0, 1, 2, 4]))):
        at = (int(rng.integers(0, image.shape[1])), int(rng.integers(0, image.shape[0])))
        own = int(size * rng.uniform(0.4, 1.6)) + 4
        kinds[rng.integers(len(kinds))](rng, image, at, own)


# Busy boards: number tokens, draughts, pawns from above, beads, each a little like a one or a six


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
    """Draw many things of one or two kinds into the picture, scattered or in rows as on a board."""
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
