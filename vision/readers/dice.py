"""Reads `dice` zones: loose dice, value and colour, found by the same eyes as dice in any photograph."""

from __future__ import annotations

from collections import Counter
from typing import Final

import numpy as np

from companion.messages import Found, Pieces, ZoneReading
from vision import dice
from vision.dice.colour import light_of
from vision.layout import Dice, Piece
from vision.sight import Sight

SURE: Final = 0.5
"""On a table more than in a photograph, a die that is not there costs more than one that is asked for."""


def read(sight: Sight, zone: Dice, piece: Piece) -> ZoneReading:
    """The dice in the zone. The label of a die is its colour and value: `red 5`."""
    area = zone.area()
    if not sight.plane.sees(area):
        return ZoneReading(zone.kind, None, 0.0)
    # A margin, because the tops of dice at the edge are seen outside the zone on the table.
    corners = sight.plane.to_pixels(area.grown(max(piece.size)).corners())
    left, top = np.maximum(np.floor(corners.min(0)), 0).astype(int)
    right, bottom = np.ceil(corners.max(0)).astype(int)
    crop = np.ascontiguousarray(sight.image[top:bottom, left:right])
    size = max(piece.size) * sight.plane.scale(area.centre, piece.height)
    found = []
    for die in dice.find(crop, size_px=size, sure=SURE, light=light_of(sight.image)):
        x, y = sight.plane.to_table([(die.x + left, die.y + top)], piece.height)[0]
        if area.grown(max(piece.size) / 4).holds((float(x), float(y))):
            place = round(float(x), 2), round(float(y), 2)
            found.append(Found(f"{die.colour} {die.value}", *place, 0.0, round(die.confidence, 3)))
    counts = Counter(one.label for one in found)
    lowest = min((one.confidence for one in found), default=0.9)
    return ZoneReading(zone.kind, Pieces(dict(counts)), lowest, tuple(found))
