"""Which face a label has: the stand-in artwork, looked up by label and drawn once for each size."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

from . import cards, goods, landscape, signs
from .paint import CREAM, Canvas, Image, Point, seed_of, textured

VARIANTS: Final = landscape.VARIANTS

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
    elif word in goods.GOODS and 1 <= number <= 3:
        goods.tile(canvas, word, number)
    elif label in landscape.KINDS:
        landscape.field(canvas, label, variant)
    elif word == "rank" and 1 <= number <= 4:
        cards.rank(canvas, number)
    elif label in ("mercy", "no_mercy"):
        cards.mercy(canvas, label == "mercy")
    elif word in _PEOPLE and number:
        cards.follower(canvas, number)
    elif len(label) == 1 and label.isalpha() and label.isupper():
        cards.letter(canvas, label)
    elif lettered := _LETTERED.fullmatch(label):
        signs.lettered(canvas, lettered[1], _parts(label))
    elif portrait := _PORTRAIT.fullmatch(label):
        cards.emblem(canvas, portrait[1], parted=True)
        signs.ends(canvas, _parts(label))
    elif family == "token" and _GAINS.fullmatch(label):
        signs.gains(canvas, _parts(label))
    elif label.startswith("card "):
        signs.portrait(canvas, label.removeprefix("card "))
    else:
        cards.emblem(canvas, label)


def _parts(label: str) -> list[tuple[str, int]]:
    """What a face shows of what: `gold2 points1` is two of gold and one of points."""
    return [(word, int(number)) for word, number in _PART.findall(label)]
