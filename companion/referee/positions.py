"""Positions of a search, the ways to them, and which of several is the likelier."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from companion.kernel.rules import MOST_BREACHES, Breach
from companion.kernel.views import UNKNOWN, Cells, View, changed_zones

LAST_MOVES: Final = 4
"""The last moves of a way, so many, may be a single one that is half done."""
MOST_OTHERWISE: Final = 3
"""So many moves may be different then, those taken back and those made instead."""


class Position(NamedTuple):
    """A state that could have come about, the moves that led there, and how far it is from what was seen.

    `idle` counts the moves in a row that brought it no nearer; `unseen` are those that leave no trace; `before` is the
    state before the last move.
    """

    state: Any
    moves: tuple[Any, ...]
    mismatches: int
    idle: int = 0
    unseen: tuple[Any, ...] = ()
    before: Any = None


class Forbidden(NamedTuple):
    """A forbidden move that could have been made in a position."""

    position: Position
    move: Any
    breaches: tuple[Breach, ...]


class Searched(NamedTuple):
    """What a search came to: ways that lead to what was seen, positions on the way, and what was forbidden there."""

    ways: list[Position]
    positions: list[Position]
    forbidden: list[Forbidden]


def drawn(moves: Sequence[Any]) -> bool:
    """Whether chance has turned something up by one of these moves: nobody puts that back who could as well have done
    something that is allowed."""
    return any(move is not None and not hasattr(move, "seat") for move in moves)


def leads_on(position: Position, ways: Sequence[Position]) -> bool:
    """Whether nothing was seen to be done yet, or whether it is near the end of one of the ways."""
    done = len(position.moves)
    return position.moves == position.unseen or any(
        len(way.moves) - done <= LAST_MOVES and way.moves[:done] == position.moves for way in ways
    )


def unclear(seen: View, now: View, then: View) -> bool:
    """Whether a place of a zone that would change cannot be made out."""
    zones = map(seen.zones.get, changed_zones(now, then))
    return any(isinstance(zone, Cells) and UNKNOWN in zone.at.values() for zone in zones)


def few_differ(moves: Sequence[Any], instead_of: Sequence[Any]) -> bool:
    """Whether little was done otherwise: nobody deals the cards anew to swap two of them, or takes back what came after
    a move, makes it again, and goes on."""
    same = next((n for n, (one, other) in enumerate(zip(moves, instead_of, strict=False)) if one != other), None)
    one, other = Counter(moves[same:]), Counter(instead_of[same:])
    if same is not None and one & other and len(moves) > len(instead_of):
        return False
    one, other = Counter(moves), Counter(instead_of)
    return not instead_of or ((one - other) + (other - one)).total() <= MOST_OTHERWISE


def strange(forbidden: Forbidden) -> tuple[int, int, int, int]:
    """A rule broken and a move of others that nobody saw weigh the same; nobody passes first and acts then, whatever
    else they do wrong. Of as many rules the fewer faults: two markers that are off are two, though one rule names them.
    """
    position, broken = forbidden.position, len({breach.rule for breach in forbidden.breaches})
    seat = getattr(forbidden.move, "seat", None)
    unseen = sum(MOST_BREACHES if getattr(move, "seat", None) == seat else 1 for move in position.unseen)
    return broken + unseen, broken, len(forbidden.breaches), len(position.moves)
