"""Cards and tokens: nobility ranks, mercy, followers, letters, and the backs of everything."""

from __future__ import annotations

import math
import re
from typing import Final

from .paint import (
    CREAM,
    INK,
    WOOD,
    Canvas,
    Colour,
    Point,
    lit,
    mixed,
    oval,
    rgb,
    seed_of,
    turned,
)

_RANKS: Final[dict[int, tuple[Colour, Colour]]] = {
    1: (rgb(120, 30, 44), rgb(238, 196, 72)),
    2: (rgb(40, 66, 124), rgb(214, 216, 222)),
    3: (rgb(44, 98, 66), rgb(206, 148, 84)),
    4: (rgb(104, 84, 60), rgb(196, 180, 150)),
}
_SEVERAL: Final = re.compile(r".+ ([a-z]+|\+)\d+")
"""Labels of several words of which the last brings so many of something: `abbot gold5`, `red +2`."""
_GOLD: Final = rgb(222, 184, 92)


def rank(canvas: Canvas, number: int) -> None:
    """A nobility card: king, duke, count, baron, with as many points on the crown as the rank is high."""
    cloth, metal = _RANKS.get(number, _RANKS[4])
    w, h = canvas.width, canvas.height
    _card(canvas, cloth)
    canvas.ellipse(w / 2, h * 0.42, w * 0.33, h * 0.26, 0, mixed(cloth, CREAM, 0.82), metal, w * 0.02)
    _crown(canvas, w / 2, h * 0.42, w * 0.46, metal, 6 - number)
    canvas.rectangle(w * 0.2, h * 0.76, w * 0.8, h * 0.9, mixed(cloth, CREAM, 0.85), w * 0.03)
    canvas.text("I" * number if number < 4 else "IV", w / 2, h * 0.83, h * 0.085, INK)
    for x, y in ((0.14, 0.1), (0.86, 0.1)):
        canvas.circle(x * w, y * h, w * 0.055, metal, lit(metal, 0.6), w * 0.012)


def _crown(canvas: Canvas, x: float, y: float, size: float, metal: Colour, points: int) -> None:
    half, line = size / 2, size * 0.03
    outline: list[Point] = [(x - half * 0.85, y + half * 0.6), (x - half, y - half * 0.35)]
    for point in range(points):
        left = x - half + size * point / points
        tip = left + size / points / 2
        outline += [(left, y - half * 0.1), (tip, y - half * 0.8), (left + size / points, y - half * 0.1)]
    outline += [(x + half, y - half * 0.35), (x + half * 0.85, y + half * 0.6)]
    canvas.polygon(outline, metal, lit(metal, 0.45), line)
    for point in range(points):
        tip = x - half + size * (point + 0.5) / points
        canvas.circle(tip, y - half * 0.8, size * 0.05, rgb(196, 40, 50), lit(metal, 0.4), line * 0.5)
    canvas.rectangle(x - half * 0.85, y + half * 0.34, x + half * 0.85, y + half * 0.6, lit(metal, 0.8))
    for share in (-0.5, 0.0, 0.5):
        canvas.ellipse(x + share * size * 0.8, y + half * 0.47, size * 0.06, size * 0.04, 0, rgb(60, 110, 170))


def mercy(canvas: Canvas, granted: bool) -> None:
    """A mercy card: the open hand with a heart, or the closed gate."""
    w, h = canvas.width, canvas.height
    ground = rgb(236, 214, 214) if granted else rgb(92, 92, 100)
    _card(canvas, rgb(170, 52, 70) if granted else rgb(52, 52, 60))
    canvas.rectangle(w * 0.14, h * 0.1, w * 0.86, h * 0.9, ground, w * 0.06)
    if granted:
        _heart(canvas, w / 2, h * 0.46, w * 0.5)
        for at in range(8):
            turn = math.radians(at * 45 + 22)
            canvas.line(
                [(w / 2 + math.cos(turn) * w * s, h * 0.46 + math.sin(turn) * w * s) for s in (0.3, 0.36)],
                _GOLD,
                w * 0.025,
            )
    else:
        for x in (0.28, 0.39, 0.5, 0.61, 0.72):
            canvas.line([(x * w, 0.2 * h), (x * w, 0.8 * h)], rgb(30, 30, 34), w * 0.05)
        for y in (0.32, 0.5, 0.68):
            canvas.line([(0.2 * w, y * h), (0.8 * w, y * h)], rgb(150, 150, 156), w * 0.035)


def _heart(canvas: Canvas, x: float, y: float, size: float) -> None:
    outline: list[Point] = []
    for step in range(40):
        at = 2 * math.pi * step / 40
        across = 16 * math.sin(at) ** 3
        up = 13 * math.cos(at) - 5 * math.cos(2 * at) - 2 * math.cos(3 * at) - math.cos(4 * at)
        outline.append((x + across / 34 * size, y - up / 34 * size))
    canvas.polygon(outline, rgb(196, 30, 48), rgb(96, 10, 24), size * 0.035)
    canvas.ellipse(x - size * 0.2, y - size * 0.16, size * 0.1, size * 0.06, -40, rgb(240, 130, 140))


def follower(canvas: Canvas, worth: int) -> None:
    """A round token with heads of the people and a number."""
    side = canvas.width
    ground = {1: rgb(222, 202, 160), 3: rgb(206, 170, 170), 5: rgb(176, 200, 206), 10: rgb(226, 180, 96)}.get(
        worth, CREAM
    )
    middle = side / 2
    canvas.rectangle(0, 0, side, canvas.height, lit(ground, 0.72))
    canvas.circle(middle, middle, side * 0.46, lit(ground, 0.6))
    canvas.circle(middle, middle, side * 0.42, ground)
    for x in {1: (0.5,), 3: (0.34, 0.66), 5: (0.34, 0.66)}.get(worth, (0.28, 0.5, 0.72)):
        coat = lit(ground, 0.5)
        canvas.ellipse(x * side, side * 0.5, side * 0.13, side * 0.12, 0, coat)
        canvas.circle(x * side, side * 0.3, side * 0.085, rgb(236, 196, 160), INK, side * 0.015)
    canvas.rectangle(side * 0.08, side * 0.52, side * 0.92, side * 0.8, ground)
    canvas.text(str(worth), middle, side * 0.68, side * 0.27, INK, 0.2)


def letter(canvas: Canvas, sign: str) -> None:
    """A letter tile of pale wood, its worth small in the corner."""
    w, h = canvas.width, canvas.height
    canvas.rectangle(0, 0, w, h, rgb(226, 200, 152))
    for line in range(7):
        y = h * (0.08 + line * 0.14)
        canvas.line([(0, y), (w * 0.4, y + h * 0.02), (w, y - h * 0.01)], rgb(214, 186, 136), h * 0.02)
    canvas.frame(0, 0, w, h, rgb(178, 146, 98), w * 0.05)
    plain = {"Ä": "A", "Ö": "O", "Ü": "U"}.get(sign, sign)
    dots = plain != sign
    canvas.text(plain, w * 0.47, h * (0.52 if dots else 0.47), h * (0.5 if dots else 0.56), INK, 0.2)
    if dots:
        for x in (0.36, 0.58):
            canvas.circle(w * x, h * 0.14, w * 0.05, INK)
    worth = _WORTH.get(plain, 1)
    canvas.text(str(worth), w * 0.84, h * (0.84 if worth < 10 else 0.12), h * 0.16, INK, 0.16)


_WORTH: Final = {
    letter: worth
    for worth, letters in {2: "HGLO", 3: "MBWZ", 4: "CFKP", 6: "J", 8: "XV", 10: "QY"}.items()
    for letter in letters
}


def back(canvas: Canvas, family: str) -> None:
    """The back of a family of pieces: each its own cloth and its own rosette."""
    seed = seed_of(family or "tile")
    cloths = (rgb(28, 74, 88), rgb(110, 40, 44), rgb(62, 56, 104), rgb(96, 68, 42), rgb(40, 84, 56))
    cloth = cloths[seed % len(cloths)]
    w, h = canvas.width, canvas.height
    side = min(w, h)
    _card(canvas, cloth)
    for step in range(1, 9):
        reach = side * 0.11 * step
        canvas.frame(reach, reach, w - reach, h - reach, lit(cloth, 1.12 if step % 2 else 0.92), side * 0.02)
    canvas.frame(side * 0.1, side * 0.1, w - side * 0.1, h - side * 0.1, _GOLD, side * 0.025)
    petals = 5 + seed // 8 % 4
    for petal in range(petals):
        angle = 360 * petal / petals
        shape = turned(oval(0, -0.16, 0.06, 0.13), w / 2, h / 2, angle, side)
        canvas.polygon(shape, _GOLD, lit(cloth, 0.7), side * 0.01)
    canvas.circle(w / 2, h / 2, side * 0.07, lit(_GOLD, 0.9), lit(cloth, 0.6), side * 0.015)
    edge = side * 0.03
    canvas.frame(0, 0, w, h, lit(cloth, 0.7), edge)


def emblem(canvas: Canvas, label: str, parted: bool = False) -> None:
    """A face for a label without artwork: shield, charge and colours follow from the word itself."""
    seed = seed_of(label)
    colours = list(WOOD.values())
    ground = mixed(colours[seed % len(colours)], CREAM, 0.62)
    charge = colours[(seed // 13 + 5) % len(colours)]
    w, h = canvas.width, canvas.height
    side = min(w, h)
    x, y = w / 2, h / 2
    _card(canvas, CREAM, inner=ground)
    several = parted or _SEVERAL.fullmatch(label) is not None
    if several:
        _parted(canvas, colours[(seed // 389) % len(colours)], seed // 53 % 4)
    points, inner = 3 + seed // 7 % 6, 0.18 + (seed // 101 % 4) * 0.06
    star: list[Point] = []
    for step in range(points * 2):
        reach = 0.4 if step % 2 == 0 else inner
        at = math.pi * step / points
        star.append((math.sin(at) * reach, -math.cos(at) * reach))
    canvas.polygon(turned(star, x, y, seed // 31 % 90, side), charge, INK, side * 0.02)
    canvas.circle(x, y, side * (0.27 if several else 0.2), mixed(ground, CREAM, 0.7), INK, side * 0.02)
    parts = label.replace("_", " ").split()
    sign = parts[-1][:2] if len(parts) > 1 and parts[-1].isdecimal() else "".join(part[0] for part in parts)[:2].upper()
    sign = sign.encode("ascii", "ignore").decode() or "?"
    canvas.text(sign, x, y, side * (0.2 if len(sign) == 1 or several else 0.15), INK, 0.18)
    band = seed // 211 % 4
    corners = ((0.16, 0.16), (0.84, 0.16), (0.84, 0.84), (0.16, 0.84))
    for corner in range(band + 1):
        canvas.circle(corners[corner][0] * w, corners[corner][1] * h, side * 0.05, charge, INK, side * 0.012)


def _parted(canvas: Canvas, colour: Colour, way: int) -> None:
    """A shield of two colours: words that bring several things have many neighbours, and must not look like them."""
    w, h = canvas.width, canvas.height
    low, high, middle = 0.06, 0.94, 0.5
    shapes: tuple[tuple[tuple[Point, ...], ...], ...] = (
        (((low, middle), (high, middle), (high, high), (low, high)),),
        (((low, low), (high, high), (low, high)),),
        (((low, 0.36), (high, 0.36), (high, 0.64), (low, 0.64)),),
        (
            ((low, low), (middle, low), (middle, middle), (low, middle)),
            ((middle, middle), (high, middle), (high, high), (middle, high)),
        ),
    )
    for shape in shapes[way]:
        canvas.polygon([(x * w, y * h) for x, y in shape], mixed(colour, CREAM, 0.25))


def _card(canvas: Canvas, cloth: Colour, inner: Colour | None = None) -> None:
    side = min(canvas.width, canvas.height)
    canvas.rectangle(0, 0, canvas.width, canvas.height, CREAM)
    edge = side * 0.05
    canvas.rectangle(edge, edge, canvas.width - edge, canvas.height - edge, inner or cloth, side * 0.06)
