"""Solid pieces: wooden figures, discs, tiles and dice as facets in millimetres above the table.

Facets are listed from the bottom up, so that drawing them in order lets the upper ones cover the lower:
a camera above the table sees them so. They know nothing of cameras.

A `Thing` is what a label stands for: a wooden figure, a die or a printed piece, in its colour and size.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision import layout as layouts

from .paint import PLASTIC, WOOD, Colour, Point, oval, rgb, rounded, seed_of

Floats = NDArray[np.float64]

BODY, MARK = 0, 1
"""A facet is painted in the piece's own colour, or in that of its marks (pips)."""

DEFAULT_HEIGHT: Final = {
    "disc": 4.0, "cube": 10.0, "house": 11.0, "pawn": 22.0, "statue": 15.0, "meeple": 9.0, "die": 14.0,
}  # fmt: skip


class Facet:
    """A flat polygon: its corners, which way it faces, how bright it is painted, and with what."""

    __slots__ = ("mark", "normal", "points", "tone")

    def __init__(self, points: Sequence[tuple[float, float, float]], tone: float = 1.0, mark: int = BODY) -> None:
        self.points: Floats = np.asarray(points, np.float64)
        self.tone, self.mark = tone, mark
        # Seen from outside the corners go clockwise, and the table's y axis points down.
        a, b, c = self.points[:3] * (1, 1, -1)
        across = np.cross(b - a, c - b)
        length = float(np.linalg.norm(across)) or 1.0
        self.normal: Floats = across / length * (-1, -1, 1)


class Solid:
    """A piece at the origin: facets from the bottom up, the outline on the table, and the printed top if any."""

    def __init__(
        self, facets: Sequence[Facet], outline: Sequence[Point], height: float, top: Sequence[Point] = ()
    ) -> None:
        self.facets = tuple(facets)
        self.outline: Floats = np.asarray(outline, np.float64)
        self.height = height
        self.top: Floats = np.asarray([(x, y, height) for x, y in top], np.float64).reshape(-1, 3)
        stacked = [facet.points for facet in self.facets] or [np.zeros((0, 3))]
        self.points: Floats = np.concatenate(stacked)
        self.cuts = np.cumsum([len(points) for points in stacked])[:-1]


@lru_cache(maxsize=256)
def flat(width: float, depth: float, height: float, is_round: bool) -> Solid:
    """A tile, card or token: walls of card and a printed top."""
    outline = oval(0, 0, width / 2, depth / 2) if is_round else rounded(0, 0, width, depth, min(width, depth) * 0.03, 2)
    return Solid(_walls(outline, 0.0, height, 0.9), outline, height, top=outline)


@lru_cache(maxsize=256)
def figure(shape: str, width: float, depth: float, height: float, value: int = 0) -> Solid:
    """A wooden piece, or a die that shows `value`."""
    if shape == "die":
        return _die(width, height, value)
    return _SHAPES[shape](width, depth, height)


@lru_cache(maxsize=16)
def tilted(solid: Solid, degrees: float) -> Solid:
    """A solid that leans to one side and rests on an edge. What is painted on it is drawn last: it is no farther away
    than what it is painted on."""
    turn = math.radians(degrees)
    onto = np.array([[1, 0, 0], [0, math.cos(turn), -math.sin(turn)], [0, math.sin(turn), math.cos(turn)]])
    low = min(float((facet.points @ onto.T)[:, 2].min()) for facet in solid.facets)
    leaning = [
        Facet([(x, y, z - low) for x, y, z in (facet.points @ onto.T).tolist()], facet.tone, facet.mark)
        for facet in sorted(solid.facets, key=lambda facet: facet.mark)
    ]
    points = np.concatenate([facet.points for facet in leaning])
    hull = cv2.convexHull(points[:, :2].astype(np.float32)).reshape(-1, 2)
    return Solid(leaning, [(float(x), float(y)) for x, y in hull], float(points[:, 2].max()))


@lru_cache(maxsize=16)
def needle(radius: float) -> Solid:
    """A dial's arrow, pointing up at angle 0, with a brass pin in the middle."""
    arrow = [(0.0, -0.82), (0.13, -0.56), (0.045, -0.58), (0.045, 0.42), (0.11, 0.52), (0.0, 0.48),
             (-0.11, 0.52), (-0.045, 0.42), (-0.045, -0.58), (-0.13, -0.56)]  # fmt: skip
    outline = [(x * radius, y * radius) for x, y in arrow]
    shaft = rounded(0, -0.15 * radius, 0.09 * radius, 1.3 * radius, 0)
    pin = [(x, y, 3.0) for x, y in oval(0, 0, radius * 0.08, radius * 0.08, steps=16)]
    return Solid([*_walls(outline, 1.0, 2.0), _level(outline, 2.0, 1.0), Facet(pin, 1.0, MARK)], shaft, 2.0)


def _walls(outline: Sequence[Point], low: float, high: float, tone: float = 1.0) -> list[Facet]:
    pairs = zip(outline, [*outline[1:], outline[0]], strict=True)
    return [Facet([(*p, low), (*q, low), (*q, high), (*p, high)], tone) for p, q in pairs]


def _level(outline: Sequence[Point], height: float, tone: float) -> Facet:
    return Facet([(x, y, height) for x, y in outline], tone)


def _stack(rings: Sequence[tuple[float, float, float]], radius: float) -> list[Facet]:
    """Turned wood: discs of (share of the radius, height, tone), lying on one another."""
    return [_level(oval(0, 0, radius * share, radius * share, steps=16), z, tone) for share, z, tone in rings]


def _ball(centre: float, size: float, radius: float) -> list[tuple[float, float, float]]:
    """Rings of a ball whose size is a share of the radius."""
    rings = []
    for degrees in (-30, 0, 25, 45, 60, 72):
        up = math.radians(degrees)
        rings.append((size * math.cos(up), centre + size * radius * math.sin(up), 0.66 + 0.44 * max(0.0, math.sin(up))))
    return rings


def _disc(width: float, depth: float, height: float) -> Solid:
    outline = oval(0, 0, width / 2, depth / 2)
    rim = oval(0, 0, width * 0.46, depth * 0.46)
    top = _level(outline, height, 0.92), _level(rim, height, 1.04)
    return Solid([*_walls(outline, 0, height), *top], outline, height)


def _cube(width: float, depth: float, height: float) -> Solid:
    outline = rounded(0, 0, width, depth, width * 0.06, 2)
    inner = rounded(0, 0, width * 0.9, depth * 0.9, width * 0.05, 2)
    top = _level(outline, height, 0.93), _level(inner, height, 1.03)
    return Solid([*_walls(outline, 0, height), *top], outline, height)


def _house(width: float, depth: float, height: float) -> Solid:
    half, deep, eaves = width / 2, depth / 2, height * 0.55
    outline = rounded(0, 0, width, depth, 0)
    gables = [
        Facet([(-half, deep, eaves), (-half, -deep, eaves), (-half, 0, height)]),
        Facet([(half, -deep, eaves), (half, deep, eaves), (half, 0, height)]),
    ]
    roofs = [
        Facet([(-half, -deep, eaves), (half, -deep, eaves), (half, 0, height), (-half, 0, height)], 1.02),
        Facet([(half, deep, eaves), (-half, deep, eaves), (-half, 0, height), (half, 0, height)], 1.02),
    ]
    return Solid([*_walls(outline, 0, eaves), *gables, *roofs], outline, height)


def _pawn(width: float, _depth: float, height: float) -> Solid:
    radius = width / 2
    head = 0.62
    rings = [(1.0, 0.0, 0.55), (1.0, height * 0.1, 0.8), (0.86, height * 0.16, 0.92), (0.62, height * 0.28, 0.74),
             (0.46, height * 0.45, 0.68), (0.38, height * 0.62, 0.6)]  # fmt: skip
    rings += _ball(height - head * radius, head, radius)
    return Solid(_stack(rings, radius), oval(0, 0, radius, radius, steps=16), height)


def _statue(width: float, depth: float, height: float) -> Solid:
    """A plinth with a standing person: robe, shoulders, head."""
    plinth = rounded(0, 0, width, depth, width * 0.1, 2)
    foot = height * 0.22
    radius = width / 2
    robe = [(0.74, foot, 0.62), (0.66, height * 0.35, 0.7), (0.58, height * 0.5, 0.78)]
    shoulders = [
        _level(oval(0, 0, radius * 0.72, radius * 0.48, steps=16), height * 0.62, 0.86),
        _level(oval(0, 0, radius * 0.6, radius * 0.38, steps=16), height * 0.68, 0.98),
    ]
    head = _stack(_ball(height - 0.36 * radius, 0.36, radius), radius)
    facets = [*_walls(plinth, 0, foot), _level(plinth, foot, 0.95), *_stack(robe, radius), *shoulders, *head]
    return Solid(facets, plinth, height)


def _meeple(width: float, depth: float, height: float) -> Solid:
    """A wooden person lying on its back."""
    right = [(0.0, -0.5), (0.11, -0.47), (0.17, -0.38), (0.13, -0.26), (0.42, -0.14), (0.5, -0.02), (0.44, 0.08),
             (0.2, 0.08), (0.34, 0.4), (0.32, 0.5), (0.1, 0.5), (0.0, 0.3)]  # fmt: skip
    outline = [(x * width, y * depth) for x, y in [*right, *((-x, y) for x, y in reversed(right[1:-1]))]]
    hull = rounded(0, 0, width * 0.8, depth * 0.9, width * 0.2)
    return Solid([*_walls(outline, 0, height, 0.95), _level(outline, height, 1.02)], hull, height)


_PIPS: Final[dict[int, tuple[Point, ...]]] = {
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (-1, 0), (-1, 1), (1, -1), (1, 0), (1, 1)),
}


def _die(width: float, height: float, value: int) -> Solid:
    half, edge = width / 2, width * 0.1
    waist = rounded(0, 0, width, width, width * 0.16, 3)
    top = rounded(0, 0, width - 2 * edge, width - 2 * edge, width * 0.12, 3)
    bevel = [
        Facet([(*p, height - edge), (*q, height - edge), (*s, height), (*r, height)], 1.04)
        for p, q, r, s in zip(waist, [*waist[1:], waist[0]], top, [*top[1:], top[0]], strict=True)
    ]
    sides = _side_pips(half, height, value)
    dot = width * 0.095
    rings = (oval(px * width * 0.25, py * width * 0.25, dot, dot, steps=12) for px, py in _PIPS[value])
    pips = [Facet([(x, y, height) for x, y in ring], 1.0, MARK) for ring in rings]
    return Solid([*_walls(waist, 0, height - edge), *sides, *bevel, _level(top, height, 1.05), *pips], waist, height)


def _side_pips(half: float, height: float, value: int) -> list[Facet]:
    """Pips on the four walls: opposite sides make seven, as on every die."""
    first = next(other for other in (1, 2, 3) if other not in (value, 7 - value))
    second = next(other for other in (1, 2, 3) if other not in (value, 7 - value, first))
    facets = []
    for turn, number in zip((0, 90, 180, 270), (first, second, 7 - first, 7 - second), strict=True):
        cos, sin = round(math.cos(math.radians(turn))), round(math.sin(math.radians(turn)))
        for px, py in _PIPS[number]:
            ring = oval(px * half * 0.5, height / 2 + py * half * 0.5, half * 0.18, half * 0.18, steps=12)
            # On the wall that faces up the picture: along it x, across it the height.
            wall = [(x, -half, z) for x, z in ring]
            facets.append(Facet([(x * cos - y * sin, x * sin + y * cos, z) for x, y, z in wall], 0.9, MARK))
    return facets


_SHAPES: Final[dict[str, Callable[[float, float, float], Solid]]] = {
    "disc": _disc, "cube": _cube, "house": _house, "pawn": _pawn, "statue": _statue, "meeple": _meeple,
}  # fmt: skip

SHAPES: Final = (*_SHAPES, "die")


_WORD: Final = re.compile(r"[a-z]+|\d+")
_SYNONYMS: Final[dict[str, str]] = {
    "gray": "grey", "violet": "purple", "token": "disc", "marker": "disc", "figure": "statue", "dice": "die",
}  # fmt: skip
_TILE: Final = layouts.Piece(size=(25.0, 25.0), height=2.0)
_MARKER: Final = layouts.Piece(size=(14.0, 14.0), height=4.0, round=True)
_DIE: Final = layouts.Piece(size=(16.0, 16.0), height=16.0)


class Thing(msgspec.Struct, frozen=True):
    """What a label stands for on one table. `shape` is empty for printed pieces, whose face is `look`'s."""

    label: str
    look: str
    family: str
    size: Point
    height: float
    is_round: bool
    shape: str = ""
    colour: Colour = (0, 0, 0)
    mark: Colour = (0, 0, 0)
    value: int = 0

    @property
    def reach(self) -> float:
        """How far it extends from its centre, however it lies."""
        return float(max(self.size) / 2 if self.is_round else (self.size[0] ** 2 + self.size[1] ** 2) ** 0.5 / 2)


def thing(label: str, zone: layouts.Zone, layout: layouts.Layout) -> Thing:
    """What to draw for a label that lies in a zone."""
    piece = layout.piece(zone) or _usual_piece(zone)
    look = piece.looks.get(label, label)
    return _thing(label, look, zone.holds, zone.kind, piece.size, piece.height, piece.round)


@lru_cache(maxsize=1024)
def _thing(label: str, look: str, family: str, kind: str, size: Point, height: float, is_round: bool) -> Thing:
    words = [_SYNONYMS.get(word, word) for word in _WORD.findall(look.lower())]
    colour = next((word for word in words if word in WOOD), "")
    if kind == "dice" or "die" in words:
        return _die_thing(label, look, family, size, height, colour, words)
    shape = next((word for word in words if word in SHAPES), "")
    painted = bool(colour) and all(word in WOOD or word in SHAPES for word in words)
    if not (shape or painted):
        return Thing(label, look, family, size, height or 0.4, is_round)
    shape = shape or _shape_of_family(family, kind, height, is_round)
    paint = WOOD[colour] if colour else list(WOOD.values())[seed_of(label) % len(WOOD)]
    # A pawn and a disc of one family differ in height; the family's own height is only its usual one.
    tall = height or DEFAULT_HEIGHT[shape]
    return Thing(label, look, family, size, tall, shape in ("disc", "pawn"), shape, paint)


def _die_thing(label: str, look: str, family: str, size: Point, height: float, colour: str, words: list[str]) -> Thing:
    value = next((int(word) for word in words if word in "123456"), 1)
    body = colour or "white"
    paint = next((paint for word, paint in PLASTIC.items() if word in label), WOOD[body])
    dark_pips = body in ("white", "yellow", "pink", "natural", "orange")
    pips = rgb(28, 26, 28) if dark_pips else rgb(240, 238, 232)
    return Thing(label, look, family, size, height or size[0], False, "die", paint, pips, value)


def _shape_of_family(family: str, kind: str, height: float, is_round: bool) -> str:
    for word in _WORD.findall(family.lower()):
        one: str = word.removesuffix("s")
        singular = _SYNONYMS.get(one, one)
        if singular in SHAPES:
            return singular
    return "disc" if kind == "track" or (is_round and height <= 6) else "statue"


def _usual_piece(zone: layouts.Zone) -> layouts.Piece:
    """A piece that suits a zone which names no family."""
    match zone:
        case layouts.Grid() | layouts.Slots():
            width, height = next(iter(zone.places().values())).size
            return layouts.Piece(size=(width * 0.86, height * 0.86), height=2.0)
        case layouts.Track():
            return _MARKER
        case layouts.Dice():
            return _DIE
        case _:
            return _TILE
