"""How people carry out a move, piece by piece."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from companion.games.viscounts import GAME, moves
from companion.games.viscounts.moves import LayOut, Move
from companion.games.viscounts.state import State
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


MADE_ALONE: Final = 0.85
"""How often a plain move is made alone."""

_BACK: Final = Habit(back=True)
_SHOWN: Final = Habit("shown")
_LAID: Final = Habit("alone")
"""Of two cards laid on a pile in one go only the upper one is visible, so the lower one could not be known."""

HABITS: Final[Mapping[type[Any], Habit]] = {
    moves.LayOut: Habit("silent"),
    moves.PutSegment: _SHOWN,
    moves.TurnCastle: _SHOWN,
    moves.OfferCard: _SHOWN,
    moves.OfferHero: _SHOWN,
    moves.TurnUp: Habit(),
    moves.ShowPrinted: Habit(),
    moves.TurnUpManuscript: Habit(),
    moves.TakePair: _BACK,
    moves.TurnScheme: Habit(),
    moves.AddScheme: Habit(),
    moves.Slide: _BACK,
    moves.PlayCard: Habit(),
    moves.Travel: _BACK,
    moves.Dismiss: Habit(),
    moves.Trade: _BACK,
    moves.Build: _BACK,
    moves.Employ: _BACK,
    moves.Copy: Habit(),
    moves.Skip: Habit("silent"),
    moves.Hire: Habit(),
    moves.Collide: _BACK,
    moves.DrawUp: Habit("silent"),
    moves.TakeGood: _BACK,
    moves.Flip: _BACK,
    moves.Rearrange: _BACK,
    moves.Discard: _LAID,
    moves.Destroy: _LAID,
    moves.Shift: _BACK,
    moves.Climb: _BACK,
    moves.Push: _BACK,
    moves.Choose: Habit(),
    moves.Decline: Habit("silent"),
    moves.Alter: Habit(),
    moves.TakeHonour: Habit(),
}

PIECES_OF_ZONE: Final[Mapping[str, str]] = {
    "townsfolk": "cards",
    "discards": "cards",
    "row": "cards",
    "heroes": "cards",
    "gone": "cards",
    "manuscripts": "scripts",
    "scripts": "scripts",
    "plots": "buildings",
    "trading_post": "buildings",
    "guildhall": "buildings",
    "workshop": "buildings",
    "first": "workers",
    "second": "workers",
    "third": "workers",
    "stock": "workers",
    "honours": "honours",
}


def habit(move: Move) -> Habit:
    """Return the habit for a kind of move."""
    return HABITS[type(move)]


def in_one_go(state: State, move: Move, rng: Random) -> int:
    """Draw how many moves people make from here before the table lies still."""
    if state.phase == "laying_out":
        # Everything is laid out before people sit down.
        return 2 * len(state.order)
    if isinstance(move, moves.Hire | moves.Dismiss | moves.Copy):
        return 2  # the card below is visible as soon as the upper one is gone
    return 1 if rng.random() < MADE_ALONE else 2


def signal(state: State, move: Move) -> Signal | None:
    """Return the press that goes with a move."""
    if isinstance(move, moves.Decline) and not GAME.check(state, moves.DrawUp(move.seat)):
        return None  # a press would mean the end of the turn
    if isinstance(move, moves.DrawUp | moves.Decline) and move.seat < len(state.seats):
        return Signal("press", f"seat {state.colour(move.seat)}", 0.0, seat=move.seat)
    return None


def sort_of(zone: str) -> str:
    """Return the sort of piece that a zone holds."""
    return PIECES_OF_ZONE.get(zone.split()[0], zone)
