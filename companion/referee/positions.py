"""Positions of a search with the moves to them, and how likely they are."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final, NamedTuple

from companion.kernel.rules import MOST_BREACHES, Breach
from companion.kernel.views import UNKNOWN, Cells, View, changed_zones

LAST_MOVES: Final = 4
"""Maximum number of last moves that may be a single half-done one."""
MOST_OTHERWISE: Final = 3
"""Maximum number of different moves then: those taken back and those made instead."""


class Position(NamedTuple):
    """A possible state, the moves that led there, and its distance from what was seen.

    `idle` counts the last moves that did not reduce the distance; `unseen` are the invisible ones; `before` is the
    state before the last move.
    """

    state: Any
    moves: tuple[Any, ...]
    mismatches: int
    idle: int = 0
    unseen: tuple[Any, ...] = ()
    before: Any = None


class Forbidden(NamedTuple):
    """A forbidden move that may have been made in a position."""

    position: Position
    move: Any
    breaches: tuple[Breach, ...]


class Searched(NamedTuple):
    """The result of a search: ways that lead to what was seen, positions on the way, and forbidden moves there."""

    ways: list[Position]
    positions: list[Position]
    forbidden: list[Forbidden]


def drawn(moves: Sequence[Any]) -> bool:
    """Whether one of these moves is of chance. People do not take such a move back if a legal move explains the table
    as well."""
    return any(move is not None and not hasattr(move, "seat") for move in moves)


def leads_on(position: Position, ways: Sequence[Position]) -> bool:
    """Whether a position has no visible move yet, or is near the end of one of the ways."""
    done = len(position.moves)
    return position.moves == position.unseen or any(
        len(way.moves) - done <= LAST_MOVES and way.moves[:done] == position.moves for way in ways
    )


def unclear(seen: View, now: View, then: View) -> bool:
    """Whether a zone that would change has an unreadable place."""
    zones = map(seen.zones.get, changed_zones(now, then))
    return any(isinstance(zone, Cells) and UNKNOWN in zone.at.values() for zone in zones)


def few_differ(moves: Sequence[Any], instead_of: Sequence[Any]) -> bool:
    """Whether few moves differ. People do not deal all cards again to swap two of them, and do not take back several
    moves to make most of them again."""
    same = next((n for n, (one, other) in enumerate(zip(moves, instead_of, strict=False)) if one != other), None)
    one, other = Counter(moves[same:]), Counter(instead_of[same:])
    if same is not None and one & other and len(moves) > len(instead_of):
        return False
    one, other = Counter(moves), Counter(instead_of)
    return not instead_of or ((one - other) + (other - one)).total() <= MOST_OTHERWISE


def strange(forbidden: Forbidden) -> tuple[int, int, int, int]:
    """A sort key: unlikely forbidden moves are last. A broken rule counts as much as an unseen move of another seat;
    passing and then acting is the least likely. With as many rules, fewer faults come first: two wrong markers are two
    faults, even if one rule names both.
    """
    position, broken = forbidden.position, len({breach.rule for breach in forbidden.breaches})
    seat = getattr(forbidden.move, "seat", None)
    unseen = sum(MOST_BREACHES if getattr(move, "seat", None) == seat else 1 for move in position.unseen)
    return broken + unseen, broken, len(forbidden.breaches), len(position.moves)
