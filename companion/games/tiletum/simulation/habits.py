"""How people carry out a move, piece by piece."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from companion.games.tiletum import GAME, moves
from companion.games.tiletum.moves import NO_BUILDING, LayOut, Move
from companion.games.tiletum.rulebook.setup import tiles_due
from companion.games.tiletum.state import State, dice_missing
from companion.kernel import simulation
from companion.kernel.messages import Signal
from companion.kernel.simulation import Habit
from companion.kernel.views import View


def done(lying: View, state: State, move: Move, _world: Any) -> View:
    """Return the table after a move from `state`, starting from the pieces as they lie. Raises `Impossible`."""
    return simulation.done(GAME, lying, state, move)


def laid(state: State, world: Any, _rng: Random) -> View:
    """Return the whole table of a state just after the set-up, with all that chance laid out."""
    return simulation.laid(GAME, state, world, LayOut())


MADE_ALONE: Final = 0.8
"""How often a plain move is made alone."""

_BACK: Final = Habit(back=True)

HABITS: Final[Mapping[type[Any], Habit]] = {
    moves.LayOut: Habit("silent"),
    moves.PutVenue: Habit("shown"),
    moves.PutFair: Habit("shown"),
    moves.PutCost: Habit("shown"),
    moves.PutTile: Habit(),
    moves.OfferContract: Habit(),
    moves.OfferGuest: Habit(),
    moves.PutDie: Habit("many"),
    moves.Reveal: Habit(),
    moves.TakeDie: _BACK,
    moves.TurnDie: _BACK,
    moves.Gather: _BACK,
    moves.TakeTile: _BACK,
    moves.Walk: _BACK,
    moves.PutPillar: _BACK,
    moves.PutHouse: _BACK,
    moves.TakeFromCity: _BACK,
    moves.TakeGuest: _BACK,
    # Guests that are turned up and put aside in one go are never seen by a camera.
    moves.SweepGuests: Habit("alone"),
    moves.Lodge: _BACK,
    moves.PutMarker: Habit(),
    moves.TakeContract: _BACK,
    # If goods go to and fro in one go, neither how often nor the points it cost can be seen.
    moves.Swap: Habit("alone", back=True),
    moves.Advance: _BACK,
    moves.BuyGood: _BACK,
    moves.TakeGood: _BACK,
    moves.Fulfil: _BACK,
    moves.UseHelper: _BACK,
    moves.PlaceCrest: _BACK,
    moves.JoinCathedral: _BACK,
    moves.EndTurn: Habit("silent"),
    moves.Slide: Habit(),
    moves.TakeFavour: Habit(),
    moves.DropFavour: Habit(),
    moves.ScoreCrown: Habit(),
    moves.SetOrder: Habit(),
    moves.HoldFair: Habit(),
    moves.TidyUp: Habit("alone", turns=("dial",)),
}

PIECES_OF_ZONE: Final[Mapping[str, str]] = {
    "wheel": "dice",
    "dice": "dice",
    "sections": "tiles",
    "city_tiles": "tiles",
    "favours": "tiles",
    "contracts": "tiles",
    "guests": "tiles",
    "warehouse": "tiles",
    "rooms": "tiles",
    "crests": "tiles",
    "fields": "tiles",
    "pillars": "figures",
    "city": "figures",
    "houses": "figures",
    "stock": "figures",
    "roofs": "figures",
    "extras": "markers",
    "markers": "markers",
    "points": "discs",
    "order": "discs",
    "cathedrals": "cathedrals",
    "honours": "cathedrals",
}


_ONE_AT_A_TIME: Final = Habit("alone", back=True)


def habit(move: Move) -> Habit:
    """Return the habit for a move.

    A move that repeats the bonuses of guests is made alone: some bonuses leave no trace, so otherwise it could not be
    told which building was chosen.
    """
    if getattr(move, "building", NO_BUILDING) != NO_BUILDING and isinstance(move, moves.UseHelper | moves.PutHouse):
        return _ONE_AT_A_TIME
    return HABITS[type(move)]


def in_one_go(state: State, move: Move, rng: Random) -> int:
    """Draw how many moves people make from here before the table lies still."""
    match state.phase:
        case "laying_out":
            # Everything is laid out before people sit down: bonus tiles, contracts and guests last.
            tiles = len(state.section_tiles) + len(state.favours) + len(state.map.tiles)
            return tiles + len(state.contracts) + len(state.guests)
        case "rolling" if isinstance(move, moves.PutDie):
            return dice_missing(state)
        case "refilling":
            return len(tiles_due(state))
        case _:
            return 1 if rng.random() < MADE_ALONE else rng.choice((2, 2, 3))


def signal(state: State, move: Move) -> Signal | None:
    """Return the press that goes with a move."""
    if isinstance(move, moves.EndTurn):
        return Signal("press", f"seat {state.colour(move.seat)}", 0.0, seat=move.seat)
    if isinstance(move, moves.HoldFair):
        return Signal("press", f"seat {state.colour(0)}", 0.0, seat=0)
    return None


def sort_of(zone: str) -> str:
    """Return the sort of piece that a zone holds."""
    return PIECES_OF_ZONE.get(zone.split()[0], zone)
