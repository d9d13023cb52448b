"""Which face a label has: the stand-in artwork, looked up by label and drawn once for each size.

Painted here are goods tiles (bread, marble, tools), fields of the landscape, and faces with letters, numbers and small
signs: licences for places, tokens that bring things, portraits. Cards are in `cards`.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Final

from . import cards
from .paint import (
    CREAM,
    INK,
    WOOD,
    Canvas,
    Colour,
    Image,
    Point,
    lit,
    mixed,
    rgb,
    seed_of,
    textured,
    turned,
)

_COUNTED: Final = re.compile(r"([a-z]+)_?(\d+)")
_GAINS: Final = re.compile(r"[a-z]+\d+(_[a-z]+\d+)*")
_PART: Final = re.compile(r"([a-z]+)(\d+)")
_LETTERED: Final = re.compile(r"([A-Z]{1,4})( [a-z]+\d+)+")
_PORTRAIT: Final = re.compile(r"([a-z ]+):( [a-z]+\d+)+")
_PEOPLE: Final = ("follower", "assistant")


@lru_cache(maxsize=1024)
def face(label: str, family: str, size: Point, pixels_per_mm: float, variant: int = 0) -> Image:
    """The printed side of a flat piece, upright; any label has one."""
    canvas = Canvas(size[0], size[1], pixels_per_mm, CREAM)
    _draw(canvas, label, family, variant % VARIANTS)
    return textured(canvas.finished(), 3.0, seed_of(label))


def _draw(canvas: Canvas, label: str, family: str, variant: int) -> None:
    counted = _COUNTED.fullmatch(label)
    word, number = (counted[1], int(counted[2])) if counted else (label, 0)
    if label in ("back", "used"):
        cards.back(canvas, family)
    elif word in GOODS and 1 <= number <= 3:
        goods_tile(canvas, word, number)
    elif label in LANDSCAPES:
        landscape(canvas, label, variant)
    elif word == "rank" and 1 <= number <= 4:
        cards.rank(canvas, number)
    elif label in ("mercy", "no_mercy"):
        cards.mercy(canvas, label == "mercy")
    elif word in _PEOPLE and number:
        cards.follower(canvas, number)
    elif len(label) == 1 and label.isalpha() and label.isupper():
        cards.letter(canvas, label)
    elif lettered := _LETTERED.fullmatch(label):
        licence_tile(canvas, lettered[1], _parts(label))
    elif portrait := _PORTRAIT.fullmatch(label):
        cards.emblem(canvas, portrait[1], parted=True)
        card_ends(canvas, _parts(label))
    elif family == "token" and _GAINS.fullmatch(label):
        gain_token(canvas, _parts(label))
    elif label.startswith("card "):
        portrait_card(canvas, label.removeprefix("card "))
    else:
        cards.emblem(canvas, label)


def _parts(label: str) -> list[tuple[str, int]]:
    """What a face shows of what: `gold2 points1` is two of gold and one of points."""
    return [(word, int(number)) for word, number in _PART.findall(label)]


GOODS: Final = ("bread", "marble", "tool")

_GOODS_PLACES: Final[dict[int, tuple[tuple[float, float, float], ...]]] = {
    1: ((0.5, 0.5, -32.0),),
    2: ((0.33, 0.34, -24.0), (0.67, 0.66, -24.0)),
    3: ((0.32, 0.33, -20.0), (0.69, 0.40, 24.0), (0.44, 0.71, 8.0)),
}
_GOODS_SIZE: Final = {1: 0.60, 2: 0.42, 3: 0.36}
_GOODS_GROUND: Final = {"bread": rgb(243, 226, 186), "marble": rgb(226, 230, 228), "tool": rgb(232, 222, 200)}
_GOODS_FRAME: Final = {"bread": rgb(176, 112, 48), "marble": rgb(98, 122, 150), "tool": rgb(112, 92, 76)}


def goods_tile(canvas: Canvas, good: str, number: int) -> None:
    """A goods tile that fills the canvas."""
    side = min(canvas.width, canvas.height)
    edge = side * 0.045
    canvas.rectangle(0, 0, canvas.width, canvas.height, CREAM)
    canvas.rectangle(edge, edge, canvas.width - edge, canvas.height - edge, _GOODS_GROUND[good], side * 0.06)
    line = edge * 1.5
    canvas.frame(line, line, canvas.width - line, canvas.height - line, _GOODS_FRAME[good], edge * 0.7)
    for x, y, angle in _GOODS_PLACES[number]:
        _goods_symbol(canvas, good, x * canvas.width, y * canvas.height, _GOODS_SIZE[number] * side, angle)


def _goods_symbol(canvas: Canvas, good: str, x: float, y: float, size: float, angle: float) -> None:
    {"bread": _bread, "marble": _marble, "tool": _tool}[good](canvas, x, y, size, angle)


def _bread(canvas: Canvas, x: float, y: float, size: float, angle: float) -> None:
    crust, crumb = rgb(186, 110, 44), rgb(222, 158, 84)
    canvas.ellipse(x + size * 0.03, y + size * 0.05, size * 0.56, size * 0.33, angle, rgb(190, 170, 132))
    canvas.ellipse(x, y, size * 0.56, size * 0.32, angle, crust, INK, size * 0.035)
    canvas.ellipse(x - size * 0.02, y - size * 0.05, size * 0.46, size * 0.21, angle, crumb)
    for along in (-0.26, 0.0, 0.26):
        cut: list[Point] = [(along - 0.07, -0.17), (along + 0.07, 0.15)]
        canvas.line(turned(cut, x, y, angle, size), rgb(248, 218, 160), size * 0.075)
        canvas.line(turned([(px + 0.03, py) for px, py in cut], x, y, angle, size), lit(crust, 0.75), size * 0.025)


def _marble(canvas: Canvas, x: float, y: float, size: float, angle: float) -> None:
    """A sawn block, seen from a corner."""
    top: list[Point] = [(0, -0.46), (0.46, -0.22), (0, 0.03), (-0.46, -0.22)]
    left: list[Point] = [(-0.46, -0.22), (0, 0.03), (0, 0.5), (-0.46, 0.24)]
    right: list[Point] = [(0.46, -0.22), (0, 0.03), (0, 0.5), (0.46, 0.24)]
    line = size * 0.035
    for side, colour in ((top, rgb(250, 251, 250)), (left, rgb(196, 208, 218)), (right, rgb(148, 166, 186))):
        canvas.polygon(turned(side, x, y, angle, size), colour, rgb(60, 74, 96), line)
    for vein in (
        [(-0.22, -0.3), (-0.02, -0.22), (0.14, -0.3)],
        [(-0.38, 0.0), (-0.22, 0.14), (-0.14, 0.36)],
        [(0.1, 0.12), (0.24, 0.06), (0.32, 0.22)],
    ):
        canvas.line(turned(vein, x, y, angle, size), rgb(118, 136, 158), size * 0.03)


def _tool(canvas: Canvas, x: float, y: float, size: float, angle: float) -> None:
    """A mason's hammer."""
    handle: list[Point] = [(-0.06, -0.2), (0.06, -0.2), (0.08, 0.55), (-0.08, 0.55)]
    head: list[Point] = [(-0.36, -0.42), (0.22, -0.42), (0.42, -0.3), (0.22, -0.16), (-0.36, -0.16)]
    shine: list[Point] = [(-0.32, -0.38), (0.2, -0.38), (0.3, -0.32), (-0.32, -0.32)]
    line = size * 0.035
    canvas.polygon(turned(handle, x, y, angle + 40, size), rgb(160, 104, 56), INK, line)
    canvas.line(turned([(0.0, 0.0), (0.01, 0.5)], x, y, angle + 40, size), rgb(196, 142, 86), size * 0.04)
    canvas.polygon(turned(head, x, y, angle + 40, size), rgb(84, 92, 104), INK, line)
    canvas.polygon(turned(shine, x, y, angle + 40, size), rgb(150, 160, 172))


LANDSCAPES: Final = ("meadow", "forest", "mountain", "village", "castle")
VARIANTS: Final = 3
"""How many paintings there are of each kind: on a printed board no two woods are quite alike."""

_GRASS: Final = rgb(142, 176, 82)


def landscape(canvas: Canvas, kind: str, variant: int) -> None:
    """One field that fills the canvas."""
    rng = Random(f"{kind}/{variant}")
    _PAINTERS[kind](canvas, rng)
    side = min(canvas.width, canvas.height)
    canvas.frame(0, 0, canvas.width, canvas.height, rgb(84, 78, 52), side * 0.035)


def _patches(canvas: Canvas, rng: Random, colour: Colour, number: int = 9) -> None:
    """Uneven ground, as brushed on."""
    canvas.rectangle(0, 0, canvas.width, canvas.height, colour)
    for _ in range(number):
        x, y = rng.uniform(0, canvas.width), rng.uniform(0, canvas.height)
        size = canvas.width * rng.uniform(0.1, 0.25)
        canvas.ellipse(x, y, size, size * 0.5, rng.uniform(-20, 20), lit(colour, rng.uniform(0.93, 1.07)))


def _meadow(canvas: Canvas, rng: Random) -> None:
    _patches(canvas, rng, _GRASS, 14)
    w, h = canvas.width, canvas.height
    for _ in range(16):
        x, y = rng.uniform(0.06, 0.94) * w, rng.uniform(0.1, 0.94) * h
        for lean in (-0.02, 0.0, 0.02):
            canvas.line([(x, y), (x + lean * w, y - 0.06 * h)], rgb(96, 138, 52), w * 0.012)
    for _ in range(9):
        x, y = rng.uniform(0.1, 0.9) * w, rng.uniform(0.1, 0.9) * h
        petal = rng.choice((rgb(250, 240, 200), rgb(244, 210, 70), rgb(226, 120, 110)))
        canvas.circle(x, y, w * 0.026, petal)
        canvas.circle(x, y, w * 0.01, rgb(200, 150, 40))


def _forest(canvas: Canvas, rng: Random) -> None:
    _patches(canvas, rng, rgb(70, 110, 56))
    w, h = canvas.width, canvas.height
    for place in range(9):
        x = (0.2, 0.5, 0.8)[place % 3] + rng.uniform(-0.05, 0.05)
        y = (0.2, 0.48, 0.76)[place // 3] + rng.uniform(-0.05, 0.05)
        size = rng.uniform(0.14, 0.18)
        canvas.ellipse((x + 0.03) * w, (y + 0.06) * h, size * w, size * 0.7 * h, 0, rgb(40, 70, 34))
        tone = rng.uniform(0.9, 1.15)
        canvas.circle(x * w, y * h, size * w, lit(rgb(44, 92, 46), tone), rgb(26, 54, 28), w * 0.012)
        canvas.circle((x - 0.03) * w, (y - 0.04) * h, size * 0.62 * w, lit(rgb(72, 128, 60), tone))
        canvas.circle((x - 0.05) * w, (y - 0.06) * h, size * 0.26 * w, lit(rgb(112, 164, 84), tone))


def _mountain(canvas: Canvas, rng: Random) -> None:
    _patches(canvas, rng, rgb(150, 152, 112))
    w, h = canvas.width, canvas.height
    for x, foot, tall, wide in ((0.3, 0.62, 0.46, 0.28), (0.72, 0.66, 0.5, 0.28), (0.5, 0.92, 0.62, 0.4)):
        x += rng.uniform(-0.03, 0.03)
        peak = foot - tall + rng.uniform(-0.02, 0.02)
        top, left, right = (x * w, peak * h), ((x - wide) * w, foot * h), ((x + wide) * w, foot * h)
        canvas.polygon([top, right, left], rgb(140, 132, 126), rgb(66, 60, 58), w * 0.016)
        canvas.polygon([top, right, ((x + 0.04) * w, foot * h)], rgb(98, 92, 92))
        snow = peak + tall * 0.32
        canvas.polygon(
            [
                (x * w, peak * h),
                ((x + wide * 0.32) * w, snow * h),
                ((x + 0.03) * w, (snow - 0.05) * h),
                ((x - 0.02) * w, (snow + 0.03) * h),
                ((x - wide * 0.32) * w, snow * h),
            ],
            rgb(246, 248, 250),
        )


def _village(canvas: Canvas, rng: Random) -> None:
    _patches(canvas, rng, rgb(196, 186, 112))
    w, h = canvas.width, canvas.height
    canvas.line([(0, 0.62 * h), (0.4 * w, 0.56 * h), (0.62 * w, 0.66 * h), (w, 0.6 * h)], rgb(222, 204, 156), h * 0.1)
    for x, y, size in ((0.28, 0.34, 0.26), (0.7, 0.38, 0.3), (0.46, 0.8, 0.28)):
        x, y = x + rng.uniform(-0.03, 0.03), y + rng.uniform(-0.03, 0.03)
        _house(canvas, x * w, y * h, size * w, rng.choice((rgb(178, 62, 44), rgb(192, 82, 48), rgb(164, 50, 44))))


def _house(canvas: Canvas, x: float, y: float, size: float, roof: Colour) -> None:
    half = size / 2
    canvas.rectangle(x - half * 0.8, y - half * 0.2, x + half * 0.8, y + half * 0.7, rgb(242, 230, 200))
    canvas.frame(x - half * 0.8, y - half * 0.2, x + half * 0.8, y + half * 0.7, rgb(70, 52, 40), size * 0.04)
    eaves, ridge = y - half * 0.15, y - half
    tiles = [(x - half, eaves), (x - half * 0.5, ridge), (x + half * 0.5, ridge), (x + half, eaves)]
    canvas.polygon(tiles, roof, rgb(80, 34, 28), size * 0.04)
    canvas.line([(x - half * 0.8, y - half * 0.5), (x + half * 0.8, y - half * 0.5)], lit(roof, 0.8), size * 0.03)
    canvas.rectangle(x - half * 0.15, y + half * 0.2, x + half * 0.2, y + half * 0.7, rgb(98, 64, 40))
    canvas.rectangle(x - half * 0.6, y + half * 0.1, x - half * 0.3, y + half * 0.4, rgb(110, 150, 180))


def _castle(canvas: Canvas, rng: Random) -> None:
    _patches(canvas, rng, mixed(_GRASS, rgb(190, 180, 130), 0.6))
    w, h = canvas.width, canvas.height
    stone, dark, line = rgb(186, 182, 176), rgb(70, 66, 66), w * 0.018
    shift = rng.uniform(-0.02, 0.02)
    canvas.ellipse(0.52 * w, 0.84 * h, 0.42 * w, 0.1 * h, 0, rgb(104, 116, 70))
    canvas.rectangle(0.24 * w, 0.42 * h, 0.76 * w, 0.84 * h, stone)
    canvas.frame(0.24 * w, 0.42 * h, 0.76 * w, 0.84 * h, dark, line)
    for x in (0.2, 0.8):
        x += shift
        canvas.rectangle((x - 0.1) * w, 0.28 * h, (x + 0.1) * w, 0.86 * h, lit(stone, 0.92 if x > 0.5 else 1.06))
        canvas.frame((x - 0.1) * w, 0.28 * h, (x + 0.1) * w, 0.86 * h, dark, line)
        roof = [((x - 0.13) * w, 0.29 * h), (x * w, 0.08 * h), ((x + 0.13) * w, 0.29 * h)]
        canvas.polygon(roof, rgb(58, 84, 146), rgb(30, 40, 74), line)
        canvas.rectangle((x - 0.025) * w, 0.4 * h, (x + 0.025) * w, 0.5 * h, dark)
    for x in (0.34, 0.46, 0.58, 0.68):
        canvas.rectangle((x - 0.035) * w, 0.34 * h, (x + 0.035) * w, 0.44 * h, stone)
        canvas.frame((x - 0.035) * w, 0.34 * h, (x + 0.035) * w, 0.44 * h, dark, line * 0.7)
    canvas.ellipse(0.5 * w, 0.68 * h, 0.09 * w, 0.09 * h, 0, rgb(84, 54, 34))
    canvas.rectangle(0.41 * w, 0.68 * h, 0.59 * w, 0.84 * h, rgb(84, 54, 34))
    canvas.line([(0.5 * w, 0.34 * h), (0.5 * w, 0.14 * h)], dark, line)
    canvas.polygon([(0.5 * w, 0.14 * h), (0.66 * w, 0.19 * h), (0.5 * w, 0.25 * h)], rgb(206, 44, 40))


_PAINTERS: Final[dict[str, Callable[[Canvas, Random], None]]] = {
    "meadow": _meadow, "forest": _forest, "mountain": _mountain, "village": _village, "castle": _castle,
}  # fmt: skip


_SIGN_COLOURS: Final = ("yellow", "red", "blue", "green", "purple", "white", "orange")
"""The paints of the signs, whose shapes are different too."""
_SIGN_KINDS: Final = ("gold", "points", "cards", "assistants", "nobility")
"""What has a sign of its own: the first, the second, …"""
_SKIN: Final = rgb(236, 196, 160)


def licence_tile(canvas: Canvas, letters: str, parts: Sequence[tuple[str, int]]) -> None:
    """A tile of parchment: letters above, and below what it brings."""
    w, h = canvas.width, canvas.height
    canvas.rectangle(0, 0, w, h, rgb(176, 150, 108))
    canvas.rectangle(w * 0.04, h * 0.04, w * 0.96, h * 0.96, rgb(232, 216, 180), w * 0.05)
    canvas.rectangle(w * 0.1, h * 0.1, w * 0.9, h * 0.5, rgb(246, 238, 218), w * 0.04)
    for place, letter in enumerate(letters):
        x = w * (0.5 + (place - (len(letters) - 1) / 2) * 0.26)
        canvas.text(letter, x, h * 0.3, h * 0.27, INK, 0.2)
    _row(canvas, parts, h * 0.72, w * 0.28, w * 0.3)


def gain_token(canvas: Canvas, parts: Sequence[tuple[str, int]]) -> None:
    """A token that brings so many of this and so many of that."""
    w, h = canvas.width, canvas.height
    canvas.rectangle(0, 0, w, h, rgb(158, 132, 92))
    canvas.circle(w / 2, h / 2, w * 0.45, rgb(234, 220, 188), rgb(96, 74, 50), w * 0.02)
    large, small = w * 0.72, w * 0.42
    _row(canvas, parts, h / 2, large if len(parts) == 1 else small, w * 0.38)


def card_ends(canvas: Canvas, parts: Sequence[tuple[str, int]]) -> None:
    """What a card says below and above a portrait that others may share: what it brings, and last what it is worth."""
    w, h = canvas.width, canvas.height
    canvas.rectangle(w * 0.06, h * 0.79, w * 0.94, h * 0.96, rgb(232, 216, 180), w * 0.03)
    _row(canvas, parts[-1:], h * 0.1, w * 0.17, 0.0, w * 0.17)
    step = w * min(0.19, 0.86 / max(1, len(parts) - 1))
    _row(canvas, parts[:-1], h * 0.875, step * 0.92, step)


def portrait_card(canvas: Canvas, colour: str) -> None:
    """A card with a person in clothes of one colour, or of all colours where there is no such paint."""
    w, h = canvas.width, canvas.height
    paints = [WOOD[colour]] if colour in WOOD else [WOOD[one] for one in ("red", "yellow", "green", "blue", "purple")]
    canvas.rectangle(0, 0, w, h, CREAM)
    ground = mixed(paints[0], CREAM, 0.35) if len(paints) == 1 else rgb(214, 206, 190)
    canvas.rectangle(w * 0.06, h * 0.04, w * 0.94, h * 0.96, ground, w * 0.05)
    coat = [(-0.36, 0.44), (-0.26, 0.06), (0.0, -0.04), (0.26, 0.06), (0.36, 0.44)]
    for place, paint in enumerate(paints):
        narrower = 1 - place / len(paints)
        shape = [(w * (0.5 + x * narrower), h * (0.5 + y)) for x, y in coat]
        canvas.polygon(shape, paint, lit(paint, 0.5), w * 0.015)
    canvas.circle(w / 2, h * 0.34, w * 0.17, _SKIN, INK, w * 0.015)
    hat = [(w * (0.5 + x), h * (0.2 + y)) for x, y in ((-0.24, 0.06), (-0.14, -0.06), (0.14, -0.06), (0.24, 0.06))]
    canvas.polygon(hat, lit(paints[-1], 0.8), INK, w * 0.015)


def _row(
    canvas: Canvas, parts: Sequence[tuple[str, int]], y: float, size: float, step: float, x: float | None = None
) -> None:
    middle = canvas.width / 2 if x is None else x
    for place, (word, number) in enumerate(parts):
        kind = _SIGN_KINDS.index(word) if word in _SIGN_KINDS else seed_of(word) % len(_SIGN_COLOURS)
        _sign(canvas, kind, middle + (place - (len(parts) - 1) / 2) * step, y, size, str(number))


def _sign(canvas: Canvas, kind: int, x: float, y: float, size: float, number: str) -> None:
    """One of a few signs, each of a shape and colour of its own, with a number on it."""
    paint = WOOD[_SIGN_COLOURS[kind]]
    canvas.polygon(turned(_outline(kind), x, y, 0, size / 2), paint, lit(paint, 0.4), size * 0.05)
    canvas.text(number, x, y, size * 0.52, _ink_on(paint), 0.24)


def _outline(kind: int) -> list[Point]:
    """A polygon with three to six corners, or a star."""
    if kind == len(_SIGN_COLOURS) - 1:
        reach = (1.0, 0.62)
        return [_around(step / 10, reach[step % 2]) for step in range(10)]
    corners = (24, 3, 4, 5, 6, 8)[kind]
    return [_around((step + 0.5) / corners, 1.0) for step in range(corners)]


def _around(share: float, reach: float) -> Point:
    turn = 2 * math.pi * share
    return math.sin(turn) * reach, -math.cos(turn) * reach


def _ink_on(paint: Colour) -> Colour:
    return INK if sum(paint) > 330 else CREAM
