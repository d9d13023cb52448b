"""Legal moves that may be half done, and the zones that a move may change."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, Final

from companion.games.tiletum.state import State
from companion.kernel.rules import RuleLog
from companion.kernel.views import Cells, Contents, Marks, Pieces, View, changed_zones

from .. import moves
from ..box import ACTIONS
from ..components import city_names
from ..moves import BuyGood, DropFavour, Gather, Move, Swap, TakeGood
from ..rulebook.figures import city_of
from ..rulebook.phases import carry_out, legal_moves
from .seen_table import Seen
from .view import tile_cell
from .view import view as should_be

ONLY_GOODS: Final = (Gather, Swap, BuyGood, TakeGood)
"""Moves that change nothing visible but goods."""


def moves_in_progress(state: State, view: View) -> Iterator[Move]:
    """Yield the legal moves that may be half done: those that can change every zone that looks wrong."""
    changed = Seen(state, view).changed
    return (move for move in legal_moves(state) if changed <= changeable_zones(state, move))


def may_be_partial(state: State, move: Move) -> bool:
    """Whether the same table may be the first half of another move.

    A tile that lies nowhere may be in a hand; guests that bring their bonuses again may bring more than is visible yet;
    steps may come from a tile that is discarded after them. As many goods as the die brings may be goods of choice. A
    single good may be a bonus; it is no part of another exchange, because two exchanges together could be a third one.
    """
    if isinstance(move, DropFavour) or (isinstance(move, Gather) and state.owed >= state.dice[move.seat][-1][1]):
        return True
    if isinstance(move, Gather | BuyGood) or (isinstance(move, Swap) and move.gives not in move.gets):
        return False
    now, then = should_be(state), _after(state, move)
    done = set(changed_zones(now, then))
    others = (
        (other for other in legal_moves(state) if done <= changeable_zones(state, other) and other != move)
        if done
        else ()
    )
    for other in others:
        if isinstance(move, ONLY_GOODS) and isinstance(other, ONLY_GOODS):
            continue
        more = _after(state, other)
        if more != then and all(_goes_as_far(now.zones[zone], then.zones[zone], more.zones[zone]) for zone in done):
            return True
    return False


def _after(state: State, move: Move) -> View:
    return should_be(carry_out(state, move, RuleLog()))


def _goes_as_far(now: Contents, then: Contents, more: Contents) -> bool:
    """Whether everything that changed in a zone changes in the same way, or further, by another move.

    This is not `views.on_the_way`: all three are positions, so no piece is in a hand and nothing is unseen.
    """
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
"""The zones from which tiles go to a warehouse."""
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
"""The zones that a kind of move may change; zones of a player board without their colour."""
OWN: Final = frozenset(
    ("goods", "warehouse", "dice", "rooms", "crests", "fields", "pillars", "roofs", "markers", "stock", "honours")
)
"""The zones of which each seat has one."""
COUNTED: Final = ("goods", "points", "crown")
"""The zones in which a deviation may show."""


@lru_cache(maxsize=1024)
def _zones_of(colour: str, sorts: tuple[str, ...]) -> frozenset[str]:
    return frozenset(f"{sort} {colour}" if sort in OWN else sort for sort in sorts)


def changeable_zones(state: State, move: Move) -> frozenset[str]:
    """Return the zones that a move may change, whatever its cost and reward."""
    colour, kind = state.colour(getattr(move, "seat", 0)), type(move)
    if kind in _EFFECTS:
        return _zones_of(colour, _EFFECTS[kind])
    if kind in _STORED:
        return _zones_of(colour, (_STORED[kind], "warehouse"))
    names = city_names(state.box)
    match move:
        case moves.Walk():
            ends = city_of(state, move.seat, move.figure), move.city
            return frozenset(f"city {names[city]}" for city in ends if state.is_city(city))
        case moves.PutPillar():
            return _zones_of(colour, (f"city {state.city_name(move.city)}", "stock"))
        case moves.PutMarker():
            return _zones_of(colour, (f"extras {ACTIONS[move.section]}", "markers"))
        case moves.PutTile():
            return frozenset((tile_cell(move.place)[0],))
        case moves.PutDie():
            return frozenset((f"wheel {ACTIONS[move.section]}",))
        case moves.TidyUp():
            dice = (f"dice {seat.colour}" for seat in state.seats)
            return frozenset((*WHEEL, *dice, "corruption", "dial"))
        case _:
            return frozenset()


def zones_with_deviation(state: State, move: Move) -> frozenset[str]:
    """Return the same zones if goods and markers may be wrong too."""
    return changeable_zones(state, move) | _zones_of(state.colour(getattr(move, "seat", 0)), COUNTED)
