"""Faces that speak by letters, numbers and small signs: licences for places, tokens that bring things, portraits."""

from __future__ import annotations

import math
from collections.abc import Sequence
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
    rgb,
    seed_of,
    turned,
)

_COLOURS: Final = ("yellow", "red", "blue", "green", "purple", "white", "orange")
"""The paints of the signs, whose shapes are different too."""
_KINDS: Final = ("gold", "points", "cards", "assistants", "nobility")
"""What has a sign of its own: the first, the second, …"""
_SKIN: Final = rgb(236, 196, 160)


def lettered(canvas: Canvas, letters: str, parts: Sequence[tuple[str, int]]) -> None:
    """A tile of parchment: letters above, and below what it brings."""
    w, h = canvas.width, canvas.height
    canvas.rectangle(0, 0, w, h, rgb(176, 150, 108))
    canvas.rectangle(w * 0.04, h * 0.04, w * 0.96, h * 0.96, rgb(232, 216, 180), w * 0.05)
    canvas.rectangle(w * 0.1, h * 0.1, w * 0.9, h * 0.5, rgb(246, 238, 218), w * 0.04)
    for place, letter in enumerate(letters):
        x = w * (0.5 + (place - (len(letters) - 1) / 2) * 0.26)
        canvas.text(letter, x, h * 0.3, h * 0.27, INK, 0.2)
    _row(canvas, parts, h * 0.72, w * 0.28, w * 0.3)


def gains(canvas: Canvas, parts: Sequence[tuple[str, int]]) -> None:
    """A token that brings so many of this and so many of that."""
    w, h = canvas.width, canvas.height
    canvas.rectangle(0, 0, w, h, rgb(158, 132, 92))
    canvas.circle(w / 2, h / 2, w * 0.45, rgb(234, 220, 188), rgb(96, 74, 50), w * 0.02)
    large, small = w * 0.72, w * 0.42
    _row(canvas, parts, h / 2, large if len(parts) == 1 else small, w * 0.38)


def ends(canvas: Canvas, parts: Sequence[tuple[str, int]]) -> None:
    """What a card says below and above a portrait that others may share: what it brings, and last what it is worth."""
    w, h = canvas.width, canvas.height
    canvas.rectangle(w * 0.06, h * 0.79, w * 0.94, h * 0.96, rgb(232, 216, 180), w * 0.03)
    _row(canvas, parts[-1:], h * 0.1, w * 0.17, 0.0, w * 0.17)
    step = w * min(0.19, 0.86 / max(1, len(parts) - 1))
    _row(canvas, parts[:-1], h * 0.875, step * 0.92, step)


def portrait(canvas: Canvas, colour: str) -> None:
    """A card with somebody in clothes of one colour, or of all colours where there is no such paint."""
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
        kind = _KINDS.index(word) if word in _KINDS else seed_of(word) % len(_COLOURS)
        _sign(canvas, kind, middle + (place - (len(parts) - 1) / 2) * step, y, size, str(number))


def _sign(canvas: Canvas, kind: int, x: float, y: float, size: float, number: str) -> None:
    """One of a few signs, each of a shape and colour of its own, with a number on it."""
    paint = WOOD[_COLOURS[kind]]
    canvas.polygon(turned(_outline(kind), x, y, 0, size / 2), paint, lit(paint, 0.4), size * 0.05)
    canvas.text(number, x, y, size * 0.52, _ink_on(paint), 0.24)


def _outline(kind: int) -> list[Point]:
    """A polygon with three to six corners, or a star."""
    if kind == len(_COLOURS) - 1:
        reach = (1.0, 0.62)
        return [_around(step / 10, reach[step % 2]) for step in range(10)]
    corners = (24, 3, 4, 5, 6, 8)[kind]
    return [_around((step + 0.5) / corners, 1.0) for step in range(corners)]


def _around(share: float, reach: float) -> Point:
    turn = 2 * math.pi * share
    return math.sin(turn) * reach, -math.cos(turn) * reach


def _ink_on(paint: Colour) -> Colour:
    return INK if sum(paint) > 330 else CREAM
