"""What people may be in the middle of: the legal moves that change all the zones which do not look as they should."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from companion.kernel.messages import Cells, Contents, Marks, Pieces, View

from .. import moves
from ..box import ACTIONS
from ..components import city_names
from ..moves import BuyGood, DropFavour, Gather, Move, Swap, TakeGood
from ..rulebook.figures import standing
from ..rulebook.phases import carried_out, legal
from ..state import RuleLog, State
from .seeing import Seen
from .view import tile_cell
from .view import view as should_be

DEALS: Final = (Gather, Swap, BuyGood, TakeGood)
"""What shows in nothing but goods."""


def moves_in_progress(state: State, view: View) -> Iterator[Move]:
    changed = Seen(state, view).changed
    return (move for move in legal(state) if changed <= zones(state, move))


def may_be_partial(state: State, move: Move) -> bool:
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


WHEEL: Final = tuple(f"wheel {name}" for name in ACTIONS)
_STORED: Final[dict[type[Any], str]] = {
    moves.TakeTile: "sections",
    moves.TakeFromCity: "city_tiles",
    moves.TakeGuest: "guests",
    moves.TakeContract: "contracts",
    moves.TakeFavour: "favours",
}
"""Tiles go from there to a warehouse."""
_EFFECTS: Final[dict[type[Any], tuple[str, ...]]] = {
    moves.TakeDie: ("dice", *WHEEL),
    moves.TurnDie: ("dice", "goods"),
    moves.Gather: ("goods",),
    moves.Swap: ("goods",),
    moves.BuyGood: ("goods",),
    moves.TakeGood: ("goods",),
    moves.Advance: ("crown",),
    moves.SweepGuests: ("guests",),
    moves.PutHouse: ("houses", "stock", "goods", "points", "crown"),
    moves.Lodge: ("rooms", "warehouse", "roofs", "stock", "goods", "points", "crown"),
    moves.Fulfil: ("warehouse", "fields", "pillars", "stock", "goods", "points", "crown"),
    moves.UseHelper: ("warehouse", "goods", "points", "crown"),
    moves.PlaceCrest: ("warehouse", "crests", "goods", "points", "crown"),
    moves.JoinCathedral: ("cathedrals", "honours", "goods", "points"),
    moves.EndTurn: (),
    moves.Slide: ("contracts",),
    moves.DropFavour: ("favours",),
    moves.Reveal: ("corruption", "crown"),
    moves.OfferContract: ("contracts",),
    moves.OfferGuest: ("guests",),
    moves.PutVenue: ("venues",),
    moves.PutFair: ("fairs",),
    moves.PutCost: ("costs",),
    moves.ScoreCrown: ("points",),
    moves.SetOrder: ("order", "crown"),
    moves.HoldFair: ("points",),
}
OWN: Final = frozenset(
    ("goods", "warehouse", "dice", "rooms", "crests", "fields", "pillars", "roofs", "markers", "stock", "honours")
)
"""The zones of which everybody has one."""
COUNTED: Final = ("goods", "points", "crown")
"""What may be off after a move."""


@lru_cache(maxsize=1024)
def _of(colour: str, sorts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(f"{sort} {colour}" if sort in OWN else sort for sort in sorts)


def zones(state: State, move: Move) -> frozenset[str]:
    colour, kind = state.colour_of(getattr(move, "seat", 0)), type(move)
    if kind in _EFFECTS:
        return _of(colour, _EFFECTS[kind])
    if kind in _STORED:
        return _of(colour, (_STORED[kind], "warehouse"))
    names = city_names(state.box)
    match move:
        case moves.Walk():
            ends = standing(state, move.seat, move.figure), move.city
            return frozenset(f"city {names[city]}" for city in ends if state.is_city(city))
        case moves.PutPillar():
            return _of(colour, (f"city {state.city_name(move.city)}", "stock"))
        case moves.PutMarker():
            return _of(colour, (f"extras {ACTIONS[move.section]}", "markers"))
        case moves.PutTile():
            return frozenset((tile_cell(move.place)[0],))
        case moves.PutDie():
            return frozenset((f"wheel {ACTIONS[move.section]}",))
        case moves.TidyUp():
            dice = (f"dice {seat.colour}" for seat in state.seats)
            return frozenset((*WHEEL, *dice, "corruption", "dial"))
        case _:
            return frozenset()


def zones_if_off(state: State, move: Move) -> frozenset[str]:
    """The same, where goods and markers may not be as they should be."""
    return zones(state, move) | _of(state.colour_of(getattr(move, "seat", 0)), COUNTED)
