"""Reads zones of named places (`grid`, `slots`) that hold flat pieces with faces."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from msgspec import structs

from companion.kernel.messages import Found, ZoneReading
from companion.kernel.views import UNKNOWN, Cells
from vision.faces.covered import Laid, Print
from vision.faces.empty_places import Presence
from vision.faces.examples import CLEAR, SURE, Guess
from vision.faces.faces import Faces
from vision.layout import Grid, Point, Slots
from vision.picture.background import Ground
from vision.picture.table_picture import TablePicture

NUDGES: Final = (
    np.array([(x, y) for x in (-2.0, 0.0, 2.0) for y in (-2.0, 0.0, 2.0) if x or y]),
    np.array([(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)]),
)
"""How far a piece may lie off its place, in millimetres."""
AS_BARE: Final = 0.05
"""A place of which no more than this share is anything but its ground has nothing lying on its middle."""
LIT: Final = 0.7
"""… if some of it is lit: what is dim all over may be a sleeve, as plain as the paper under it."""


def whole(
    sight: TablePicture, zone: Grid | Slots, faces: Faces, there: Mapping[str, Presence] | None = None
) -> dict[str, Guess]:
    """What lies on each place, as far as nothing hides it. Only what is not plainly empty is looked at closely."""
    there = there or {}
    centres = {name: box.centre for name, box in zone.places().items()}
    told = {name: _nothing(centres[name], one) for name, one in there.items() if one.plainly_empty}
    asked = [name for name in centres if name not in told]
    guesses = faces.guesses(sight, np.array([centres[name] for name in asked]), NUDGES, zone.turns) if asked else []
    for name, guess in zip(asked, guesses, strict=True):
        one = there.get(name)
        told[name] = guess if one is None or not one.empty else _likely_empty(guess, one)
    return {name: told[name] for name in centres}


def read(
    sight: TablePicture,
    zone: Grid | Slots,
    seen: Mapping[str, Guess],
    laid: Laid | None = None,
    there: Mapping[str, Presence] | None = None,
    bare: Mapping[str, Ground] | None = None,
) -> ZoneReading:
    """What lies on each place, from a look at the whole of it; where figures may stand on it, `laid` says what explains
    most of each place. `there` says which places are not empty, `bare` how they look when they are."""
    there, bare = there or {}, bare or {}
    told = {name: _told(sight, guess, there.get(name), bare.get(name)) for name, guess in seen.items()}
    if laid is not None:
        told = {name: _agreed(seen[name], one) for name, one in laid.prints.items()}
    at: dict[str, str | None] = {}
    found: list[Found] = []
    lowest = 1.0
    visible = sight.plane.sees_each(list(zone.places().values()))
    for name, inside in zip(zone.places(), visible, strict=True):
        guess = told[name]
        if guess is None or not inside:
            at[name] = UNKNOWN
            continue
        at[name] = guess.label
        lowest = min(lowest, guess.confidence)
        if guess.label is not None:
            found.append(Found(guess.label, round(guess.x, 2), round(guess.y, 2), guess.angle, guess.confidence))
    known = any(label != UNKNOWN for label in at.values())
    return ZoneReading(zone.kind, Cells(at) if known else None, lowest if known else 0.0, tuple(found))


def _likely_empty(guess: Guess, there: Presence) -> Guess:
    """A place that is likely empty: a face that is plain to see is told all the same, and one that was only just
    recognised makes the place doubtful."""
    if guess.plain:
        return guess
    return structs.replace(guess, lead=0.0) if guess.sure else _nothing((guess.x, guess.y), there)


def _nothing(centre: Point, there: Presence) -> Guess:
    return Guess(None, there.chance, 1.0, 0.0, *centre)


def _told(sight: TablePicture, guess: Guess, there: Presence | None, bare: Ground | None) -> Guess | None:
    """A face that was recognised, where not more speaks for an empty place; or an empty place in a shadow: all over it
    shows its own ground, as it would not through a hand."""
    if guess.sure and (there is None or there.empty or there.odds < 0):
        return guess
    if bare is None or not bare.known or (there is not None and there.filled):
        return None
    over = bare.look(sight)
    if over.lit < LIT or float(over.in_shadow().mean()) < 1 - AS_BARE:
        return None
    return structs.replace(guess, label=None, likeness=SURE, lead=1.0)


def _agreed(guess: Guess, one: Print) -> Guess | None:
    """What explains a place, unless the look at the whole is sure of something else."""
    if guess.sure:
        return guess if guess.label == one.label or not one.sure else None
    return structs.replace(guess, label=one.label, likeness=SURE, lead=CLEAR) if one.sure else None
