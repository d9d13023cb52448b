"""Reads zones of named places (`grid`, `slots`) that hold flat pieces with faces."""

from __future__ import annotations

from typing import Final

import numpy as np

from companion.messages import UNKNOWN, Cells, Found, ZoneReading
from vision.faces import Faces
from vision.layout import Grid, Slots
from vision.sight import Sight

NUDGES: Final = (
    np.array([(x, y) for x in (-2.0, 0.0, 2.0) for y in (-2.0, 0.0, 2.0) if x or y]),
    np.array([(-1.0, 0.0), (1.0, 0.0), (0.0, -1.0), (0.0, 1.0)]),
)
"""How far a piece may lie off its place, in millimetres."""


def read(sight: Sight, zone: Grid | Slots, faces: Faces) -> ZoneReading:
    places = zone.places()
    centres = np.array([box.centre for box in places.values()])
    guesses = faces.guesses(sight, centres, NUDGES, zone.turns)
    at: dict[str, str | None] = {}
    found: list[Found] = []
    lowest = 1.0
    for (name, box), guess in zip(places.items(), guesses, strict=True):
        if not guess.sure or not sight.plane.sees(box):
            at[name] = UNKNOWN
            continue
        at[name] = guess.label
        lowest = min(lowest, guess.confidence)
        if guess.label is not None:
            found.append(Found(guess.label, round(guess.x, 2), round(guess.y, 2), guess.angle, guess.confidence))
    seen = any(label != UNKNOWN for label in at.values())
    return ZoneReading(zone.kind, Cells(at) if seen else None, lowest if seen else 0.0, tuple(found))
