"""Votes: the common result of several pictures of one still zone, so that one bad picture changes nothing."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from companion.kernel.messages import Found, ZoneReading
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks
from vision.layout import Grid, Slots, Zone

Said = TypeVar("Said")

_BESIDE: Final = 8.0
"""Maximum distance in millimetres between the same thing in two pictures."""


def enough(votes: Sequence[ZoneReading], most: int) -> bool:
    """Whether there are enough votes: two that agree, even on an unreadable zone, or `most` of them."""
    return len(votes) >= most or (len(votes) > 1 and all(vote.contents == votes[0].contents for vote in votes))


def agreed(zone: Zone, votes: Sequence[ZoneReading]) -> ZoneReading:
    """The majority of several readings of a zone: for each cell, for each marker, or for the zone as a whole."""
    seen = [vote for vote in votes if vote.contents is not None]
    contents = _majority(votes) if 2 * len(seen) > len(votes) else None
    if contents is None:
        return ZoneReading(zone.kind, None, 0.0, _odd(votes))
    # Pictures of one still moment share their errors, so together they are only as certain as the least certain one.
    agreeing = [vote for vote in seen if vote.contents == contents] or seen
    best = max(agreeing, key=lambda vote: vote.confidence)
    return ZoneReading(zone.kind, contents, min(vote.confidence for vote in agreeing), _upheld(zone, best, contents))


def _odd(votes: Sequence[ZoneReading]) -> tuple[Found, ...]:
    """The unknown pieces that prevent a zone from being read, as found by the majority of votes."""
    found = [[piece for piece in vote.found if piece.label == UNKNOWN] for vote in votes]

    def often(piece: Found) -> bool:
        same = [any(_same(piece, other) for other in one) for one in found]
        return 2 * sum(same) > len(votes)

    each: list[Found] = []
    for piece in (piece for one in reversed(found) for piece in one if often(piece)):
        if not any(_same(piece, other) for other in each):
            each.append(piece)
    return tuple(each)


def _same(one: Found, other: Found) -> bool:
    return one.odd == other.odd and math.dist((one.x, one.y), (other.x, other.y)) < _BESIDE


def _majority(votes: Sequence[ZoneReading]) -> Contents | None:
    """The contents that more than half of the votes agree on; None if there is nothing left."""
    contents = [vote.contents for vote in votes]
    cells = [one.at for one in contents if isinstance(one, Cells)]
    fields = [one.field for one in contents if isinstance(one, Marks)]
    if cells:
        at = {cell: _most([one.get(cell, UNKNOWN) for one in cells], len(votes), UNKNOWN) for cell in _keys(cells)}
        return Cells(at) if any(label != UNKNOWN for label in at.values()) else None
    if fields:
        field = {marker: _most([one.get(marker) for one in fields], len(votes), None) for marker in _keys(fields)}
        return Marks({marker: number for marker, number in field.items() if number is not None})
    return _most(contents, len(votes), None)


def _most(says: Sequence[Said], votes: int, otherwise: Said) -> Said:
    return next((one for one in says if 2 * says.count(one) > votes), otherwise)


def _keys(ballots: Sequence[Mapping[str, object]]) -> list[str]:
    return list(dict.fromkeys(key for ballot in ballots for key in ballot))


def _upheld(zone: Zone, best: ZoneReading, contents: Contents) -> tuple[Found, ...]:
    """The pieces that a reading found, without those on which it was outvoted."""
    match best.contents, contents:
        case Cells(at=says), Cells(at=won) if isinstance(zone, Grid | Slots):
            places = zone.places()

            def place(piece: Found) -> str:
                return min(places, key=lambda name: math.dist(places[name].centre, (piece.x, piece.y)))

            return tuple(piece for piece in best.found if says.get(place(piece)) == won.get(place(piece)))
        case Marks(field=says_field), Marks(field=won_field):
            return tuple(piece for piece in best.found if says_field.get(piece.label) == won_field.get(piece.label))
        case _:
            return best.found
