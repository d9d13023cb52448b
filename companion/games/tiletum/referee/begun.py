"""What people may be in the middle of: the legal moves that change all the zones which do not look as they should."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.kernel.messages import Cells, Contents, Marks, Pieces, View

from ..moves import BuyGood, DropFavour, Gather, Move, Swap, TakeGood
from ..rulebook.phases import carried_out, legal
from ..state import RuleLog, State
from .seeing import Seen
from .touching import zones
from .view import view as should_be

DEALS: Final = (Gather, Swap, BuyGood, TakeGood)
"""What shows in nothing but goods."""


def begun(state: State, view: View) -> Iterator[Move]:
    changed = Seen(state, view).changed
    return (move for move in legal(state) if changed <= zones(state, move))


def half_of_another(state: State, move: Move) -> bool:
    """A tile that lies nowhere may still be in somebody's hand, guests that come again may bring more than shows yet,
    and steps may come from a tile that is put away after them. As many goods as the die brings may be goods of choice
    that are owed. A good that came alone may be a bonus; it is no part of another deal, for two deals that are told
    together could be a third one."""
    if isinstance(move, DropFavour) or (isinstance(move, Gather) and state.owed >= state.dice[move.seat][-1][1]):
        return True
    if isinstance(move, Gather | BuyGood) or (isinstance(move, Swap) and move.gives not in move.gets):
        return False
    now, then = should_be(state).zones, _after(state, move)
    done = {zone for zone, contents in then.items() if contents != now[zone]}
    others = (other for other in legal(state) if done <= zones(state, other) and other != move) if done else ()
    for other in others:
        if isinstance(move, DEALS) and isinstance(other, DEALS):
            continue
        more = _after(state, other)
        if more != then and all(_on_the_way(now[zone], then[zone], more[zone]) for zone in done):
            return True
    return False


def _after(state: State, move: Move) -> dict[str, Contents]:
    return should_be(carried_out(state, move, RuleLog())).zones


def _on_the_way(now: Contents, then: Contents, more: Contents) -> bool:
    """Whether all that has changed in a zone changes just so, or even more, on the way to something else."""
    match now, then, more:
        case Cells(at=a), Cells(at=b), Cells(at=c):
            return all(label in (a.get(cell), c.get(cell)) for cell, label in b.items())
        case Marks(field=a), Marks(field=b), Marks(field=c):
            return all(field in (a.get(marker), c.get(marker)) for marker, field in b.items())
        case Pieces(count=a), Pieces(count=b), Pieces(count=c):
            labels = a.keys() | b.keys() | c.keys()
            return all(_between(a.get(label, 0), b.get(label, 0), c.get(label, 0)) for label in labels)
        case _:
            return then == more


def _between(now: int, then: int, more: int) -> bool:
    return min(now, more) <= then <= max(now, more)
