"""From a label to a thing: whether it is a wooden figure, a die or a printed piece, in which colour and size."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

import msgspec

from vision import layout as layouts

from . import solids
from .paint import PLASTIC, WOOD, Colour, Point, rgb, seed_of

_WORDS: Final = re.compile(r"[a-z]+|\d+")
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
    piece = layout.piece(zone) or _usual(zone)
    look = piece.looks.get(label, label)
    return _thing(label, look, zone.holds, zone.kind, piece.size, piece.height, piece.round)


@lru_cache(maxsize=1024)
def _thing(label: str, look: str, family: str, kind: str, size: Point, height: float, is_round: bool) -> Thing:
    words = [_SYNONYMS.get(word, word) for word in _WORDS.findall(look.lower())]
    colour = next((word for word in words if word in WOOD), "")
    if kind == "dice" or "die" in words:
        return _die(label, look, family, size, height, colour, words)
    shape = next((word for word in words if word in solids.SHAPES), "")
    painted = bool(colour) and all(word in WOOD or word in solids.SHAPES for word in words)
    if not (shape or painted):
        return Thing(label, look, family, size, height or 0.4, is_round)
    shape = shape or _shape_of_family(family, kind, height, is_round)
    paint = WOOD[colour] if colour else list(WOOD.values())[seed_of(label) % len(WOOD)]
    # A pawn and a disc of one family differ in height; the family's own height is only its usual one.
    tall = height or solids.DEFAULT_HEIGHT[shape]
    return Thing(label, look, family, size, tall, shape in ("disc", "pawn"), shape, paint)


def _die(label: str, look: str, family: str, size: Point, height: float, colour: str, words: list[str]) -> Thing:
    value = next((int(word) for word in words if word in "123456"), 1)
    body = colour or "white"
    paint = next((paint for word, paint in PLASTIC.items() if word in label), WOOD[body])
    dark_pips = body in ("white", "yellow", "pink", "natural", "orange")
    pips = rgb(28, 26, 28) if dark_pips else rgb(240, 238, 232)
    return Thing(label, look, family, size, height or size[0], False, "die", paint, pips, value)


def _shape_of_family(family: str, kind: str, height: float, is_round: bool) -> str:
    for word in _WORDS.findall(family.lower()):
        one: str = word.removesuffix("s")
        singular = _SYNONYMS.get(one, one)
        if singular in solids.SHAPES:
            return singular
    return "disc" if kind == "track" or (is_round and height <= 6) else "statue"


def _usual(zone: layouts.Zone) -> layouts.Piece:
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
