"""Reads zones of named places (`grid`, `slots`) that hold flat pieces with faces."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from companion.messages import UNKNOWN, Cells, Found, ZoneReading
from vision.faces import CLEAR, SURE, Capsule, Faces, Guess, hidden
from vision.layout import Box, Grid, Slots
from vision.plane import Points
from vision.prints import Laid, Print
from vision.sight import Sight

ENOUGH: Final = 0.42
"""A face of which a smaller share shows beside the figures that stand on it is covered."""
PARTLY: Final = (0.5, 0.35)
"""What a figure stands on is less like its examples, for the shadow on it, and must lead the more."""
_AROUND: Final = np.array([(x, y) for x in (-1.0, 0.0, 1.0) for y in (-1.0, 0.0, 1.0)])
NUDGES: Final = (
    np.array([(x, y) for x in (-2.0, 0.0, 2.0) for y in (-2.0, 0.0, 2.0) if x or y]),
    np.array([(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)]),
)
"""How far a piece may lie off its place, in millimetres."""


def whole(sight: Sight, zone: Grid | Slots, faces: Faces) -> dict[str, Guess]:
    """What lies on each place, as far as nothing hides it."""
    places = zone.places()
    guesses = faces.guesses(sight, np.array([box.centre for box in places.values()]), NUDGES, zone.turns)
    return dict(zip(places, guesses, strict=True))


def read(
    sight: Sight,
    zone: Grid | Slots,
    faces: Faces,
    seen: Mapping[str, Guess],
    over: Sequence[Capsule] = (),
    laid: Laid | None = None,
) -> ZoneReading:
    """What lies on each place, from a look at the whole of it. `over` is what stands there and hides a part; where the
    faces are known as pictures, `laid` says what explains most of each place."""
    told = _doubtful_told(sight, zone, faces, seen, over) if laid is None else _explained(seen, laid)
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


def _explained(seen: Mapping[str, Guess], laid: Laid) -> dict[str, Guess | None]:
    """What explains each place, unless the look at the whole is sure of something else."""
    return {name: _agreed(seen[name], one) for name, one in laid.prints.items()}


def _agreed(guess: Guess, one: Print) -> Guess | None:
    if guess.sure:
        return guess if guess.label == one.label or not one.sure else None
    return structs.replace(guess, label=one.label, likeness=SURE, lead=CLEAR) if one.sure else None


def _doubtful_told(
    sight: Sight, zone: Grid | Slots, faces: Faces, seen: Mapping[str, Guess], over: Sequence[Capsule]
) -> dict[str, Guess | None]:
    """What lies on each place; on those that something hides in part, told by what shows."""
    places = zone.places()
    under = _under(np.array([box.centre for box in places.values()]), over, max(faces.piece.size) / 2)
    parts = [name for name, hides in zip(places, under, strict=True) if hides and not seen[name].plain]
    partly = _partly(sight, {name: places[name] for name in parts}, faces, over)
    told: dict[str, Guess | None] = {name: guess if guess.sure else None for name, guess in seen.items()}
    for name, guess in partly.items():
        told[name] = guess if guess.likeness >= PARTLY[0] and guess.lead >= PARTLY[1] else None
    return told


def _under(centres: Points, over: Sequence[Capsule], reach: float) -> NDArray[np.bool_]:
    """Of which places something hides a part."""
    return hidden(centres, [Capsule(thing.start, thing.end, thing.radius + reach) for thing in over])


def _partly(sight: Sight, places: Mapping[str, Box], faces: Faces, over: Sequence[Capsule]) -> dict[str, Guess]:
    """What lies on these places, told by what shows of it; figures stand on something."""
    shown: dict[str, NDArray[np.bool_]] = {}
    for name, box in places.items():
        near = [thing for thing in over if math.dist(thing.start, box.centre) < 4 * faces.radius]
        # A millimetre aside as much is hidden as at the middle.
        shows = faces.shown(np.array([box.centre]), near)
        if shows.mean() >= ENOUGH:
            shown[name] = shows
    if not shown:
        return {}
    points = np.concatenate([places[name].centre + _AROUND for name in shown])
    seen = np.concatenate(list(shown.values()))
    return dict(zip(shown, faces.partly(sight, points, seen, faces.pieces(), len(shown)), strict=True))
