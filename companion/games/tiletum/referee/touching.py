"""Where on the table a move may change something, whatever it costs and brings."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, Final

from .. import moves
from ..box import ACTIONS
from ..components import city_names
from ..moves import Move
from ..rulebook.figures import standing
from ..state import State
from .view import tile_cell

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
