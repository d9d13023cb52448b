"""The landscape: meadow, forest, mountain, village and castle as small painted squares."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Final

from .paint import Canvas, Colour, lit, mixed, rgb

KINDS: Final = ("meadow", "forest", "mountain", "village", "castle")
VARIANTS: Final = 3
"""How many paintings there are of each kind: on a printed board no two woods are quite alike."""

_GRASS: Final = rgb(142, 176, 82)


def field(canvas: Canvas, kind: str, variant: int) -> None:
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
