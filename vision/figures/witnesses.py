"""Tells figures by their colour from two witnesses: the feet the network found, and the paint that is seen.

Both must agree on how many figures there are; a foot without paint, and paint without a foot, are doubtful.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.figures.colours import ALIKE, STRANGE, Colours
from vision.figures.finder import CLEAR, Found, Seen
from vision.figures.paint import Blobs, Paints
from vision.figures.places import SURE, FigureGuess
from vision.layout import Box, Point

Floats = NDArray[np.float32]

LEAST, EACH = 0.62, 0.8
"""How much paint (as a share of what is usual) a single figure must show, and each of several in one blob."""
MOST, EDGE = 1.3, 0.15
"""How much each of them may show, and all of them besides."""
CROWD: Final = 3
"""So many figures that touch are a crowd."""
ROUNDED: Final = (-0.3, 0.5)
"""How far from one for each the paint of a crowd may be: the gaps between its figures count as paint too."""
TODAY, _ENOUGH = (0.8, 1.25), 3
"""How much more or less paint figures may show than when they were taught, and how many must say so."""
HUDDLED: Final = (1.0, 1.33)
"""How much paint each of two or three touching figures shows, the gaps between them counted."""
LEAST_EACH: Final = 0.92
"""Less than this no figure of a huddle shows."""
NOT_FEWER: Final = 0.7
"""Each of several white or black figures shows at least so much, dark sides and all."""
SPECK: Final = 0.4
"""Less paint than this share of a figure's is a print, a reflection or the edge of something."""
SHADOW: Final = 0.7
"""What may be a shadow by this share of its cells is none but a shadow …"""
CLEARER, GREY = 0.6, 0.53
"""… unless its foot is this likely, or with a taught colour so likely: grey figures look like shadows, too."""
BLACK: Final = 0.5
"""What is darker than shadows mostly are by this share of its cells is black wood, where that was taught."""
DRAWN, STANDING = 0.66, 0.5
"""On unknown ground a grey foot less likely than this may be a drawn stone."""
_HARDLY_SHADOW: Final = 0.5
"""What may be a shadow by less than this share is a thing, whose colour says what it is."""
_OWN: Final = 0.6
"""Within so many of its widths about its foot what is seen of a figure is its own."""
WEAKER: Final = 0.6
"""A foot so much less likely than the others of its blob is none, if the paint is not enough for it."""


def by_colour(
    seen: Seen, colours: Colours, paints: Paints, height: float, standing: Sequence[Box] = ()
) -> list[FigureGuess]:
    """Every figure of a view, and every doubtful one. In the boxes of `standing` something stands for sure."""
    blobs = paints.look(seen.view)
    shares = [paints.share(blob) for blob in blobs.blobs]
    over = blobs.over([figure.foot for figure in seen.figures], height)
    apart = colours.apart(np.array([figure.colour for figure in seen.figures], np.float32).reshape(-1, 3))
    # A little white or black may be a gleam or the deepest shadow.
    enough = [LEAST if blob.label in paints.plain else SPECK for blob in blobs.blobs]
    attached: list[list[int]] = [[] for _ in shares]
    guesses = []
    for number, (figure, at) in enumerate(zip(seen.figures, over, strict=True)):
        if at >= 0 and shares[at] >= enough[at]:
            attached[at].append(number)
        elif (guess := _without_paint(figure, apart[number], colours, paints, standing)) is not None:
            guesses.append(guess)
    today = _in_this_light(blobs, shares, attached, seen, paints)
    for blob, usual, share, own, least in zip(blobs.blobs, shares, today, attached, enough, strict=True):
        if share >= least and not own:
            foot = blobs.below(blob, height)
            if blob.label not in paints.plain or not _shown_by(foot, colours.labels[blob.label], seen, apart, colours):
                guesses.append(FigureGuess(colours.labels[blob.label], False, 0.0, *foot))
        elif own:
            figures, label = [seen.figures[number] for number in own], colours.labels[blob.label]
            told = _in_blob(share, usual, figures, apart[own], colours, label, paints.black(blob.label))
            if blob.label in paints.plain and not all(guess.sure for guess in told):
                each = zip(figures, apart[own], strict=True)
                alone = [_without_paint(figure, row, colours, paints, standing) for figure, row in each]
                told = _not_refuted(share, alone) or told
            guesses += told
    return guesses


def _shown_by(foot: Point, label: str, seen: Seen, apart: Floats, colours: Colours) -> bool:
    """Whether a figure of that label was found where white or black is seen: a gleam parts its head from its body."""
    near = _OWN * min(seen.piece.size)
    each = zip(seen.figures, apart, strict=True)
    return any(math.dist(figure.foot, foot) < near and colours.name(row)[0] == label for figure, row in each)


def _in_this_light(
    blobs: Blobs, shares: Sequence[float], attached: Sequence[Sequence[int]], seen: Seen, paints: Paints
) -> list[float]:
    """The shares, if most single figures of a label show somewhat more or less paint today than when taught.

    How much black is seen changes from figure to figure, with the gleam on each."""
    usual: dict[int, float] = {}
    for label in {blob.label for blob in blobs.blobs}:
        single = [
            share
            for blob, share, own in zip(blobs.blobs, shares, attached, strict=True)
            if blob.label == label and len(own) == 1 and seen.figures[own[0]].clear >= CLEAR
        ]
        some = len(single) >= _ENOUGH and not paints.black(label)
        usual[label] = float(np.clip(np.median(single), *TODAY)) if some else 1.0
    return [share / usual[blob.label] for blob, share in zip(blobs.blobs, shares, strict=True)]


def _without_paint(
    figure: Found, apart: Floats, colours: Colours, paints: Paints, standing: Sequence[Box]
) -> FigureGuess | None:
    """A figure of no strong colour is told by the network alone."""
    as_before = figure.shadow > SHADOW and figure.dark < BLACK
    shadow = as_before and figure.clear < CLEARER
    if not colours.likely(figure, apart) or (shadow and float(apart.min()) > ALIKE):
        return None
    if as_before and figure.clear < CLEAR and colours.hardly(figure.area):
        # Where shadows of several pieces meet, or run along an edge.
        return None
    if as_before and float(apart.min()) > STRANGE:
        # A drawn tree, seen where it was before.
        return None
    label, chance = colours.name(apart)
    strong = label is not None and colours.labels.index(label) in paints.strong
    plain = label is not None and colours.labels.index(label) in paints.plain
    if plain and figure.clear < CLEAR and figure.on_known and not colours.fits(figure.area):
        # A figure there would show some white or black.
        return None
    if strong and figure.clear < CLEAR and not figure.on_known:
        return None
    enough = STANDING if any(box.holds(figure.foot) for box in standing) else DRAWN
    drawn = not figure.on_known and figure.clear < enough
    as_grey = as_before and figure.clear < GREY
    doubtful = figure.doubtful or as_grey or drawn or strong or label is None
    sure = not doubtful and chance >= SURE and colours.fits(figure.area)
    if as_before:
        chance = min(chance, SURE)
    return FigureGuess(label, sure, chance if sure else min(chance, 0.5), *figure.foot)


def _in_blob(
    share: float,
    usual: float,
    figures: Sequence[Found],
    apart: Floats,
    colours: Colours,
    label: str,
    black: bool,
) -> list[FigureGuess]:
    """The figures that show one blob: as many as it has paint for (today, and as usual), or else all are doubtful."""
    # A foot may seem to stand beneath its neighbour, and be hardly clear there: it is of no paint but its own.
    strange = any(_of_another(figure, row, colours, label) for figure, row in zip(figures, apart, strict=True))
    ranked = sorted(range(len(figures)), key=lambda number: -figures[number].clear)
    clear = [figures[number].clear for number in ranked]
    while not strange and len(ranked) > 1 and share < EACH * len(ranked):
        if clear[len(ranked) - 1] >= WEAKER * clear[len(ranked) - 2]:
            break
        ranked.pop()
    least = LEAST if len(ranked) == 1 else EACH * len(ranked)
    agreed = least <= share <= MOST * len(ranked) + EDGE
    # In a crowd the paint must be nearer to this number of figures than to any other, and every foot must be clear.
    rounded = ROUNDED[0] <= share - len(ranked) <= ROUNDED[1] and clear[len(ranked) - 1] >= CLEAR
    agreed &= len(ranked) < CROWD or rounded
    # Cells that show hardly any of a figure say nothing about its colour.
    told = [one for one in ranked if figures[one].clear >= CLEAR and figures[one].area > 0]
    alike = not strange and all(colours.name(apart[one])[0] in (label, None) for one in told)
    agreed &= alike
    # Of a small huddle the usual amount of paint must not say otherwise.
    agreed &= len(ranked) == 1 or _by_paint(usual, clear) in (0, len(ranked))
    number = _by_paint(share, clear)
    # How much black is seen changes with the gleam on it: it makes no figure that has no foot.
    number = 0 if black and number > len(figures) else number
    if alike and not agreed and number >= max(len(told), 2) and number == _by_paint(usual, clear):
        # Feet in a huddle hide each other; its paint does not.
        feet = [figures[one].foot for one in ranked]
        return [FigureGuess(label, True, SURE, *feet[one % len(feet)]) for one in range(number)]
    chance = min(1.0, share / len(ranked)) if agreed else 0.0
    return [FigureGuess(label, agreed, chance, *figures[number].foot) for number in ranked]


def _of_another(figure: Found, apart: Floats, colours: Colours, label: str) -> bool:
    """Whether a whole figure is seen there whose colour is surely that of another label."""
    named, chance = colours.name(apart)
    thing = figure.on_known and figure.shadow < _HARDLY_SHADOW and colours.fits(figure.area)
    return thing and named not in (label, None) and chance >= SURE


def _not_refuted(share: float, alone: Sequence[FigureGuess | None]) -> list[FigureGuess]:
    """Figures that the network alone is sure of, unless their white or black is that of more or of fewer."""
    sure = [guess for guess in alone if guess is not None and guess.sure]
    agreed = len(sure) == len(alone) and NOT_FEWER * len(sure) <= share <= MOST * len(sure)
    return sure if agreed else []


def _by_paint(share: float, clear: Sequence[float]) -> int:
    """How many figures of a small huddle there are, going by their paint alone; 0 where that does not say."""
    for number in (2, 3):
        if HUDDLED[0] * number <= share <= HUDDLED[1] * number:
            more = share >= LEAST_EACH * (number + 1)
            return 0 if more and len(clear) > number else number
    return 0
