"""How people make each move of The Council of Four: alone or several at once, with a button, and what nobody sees."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from companion.games.council_of_four import moves
from companion.games.council_of_four.moves import Move
from companion.games.council_of_four.state import State
from companion.kernel.messages import Signal
from companion.kernel.worlds import Manner

ALONE: Final = 0.8
"""How often a plain move is made by itself."""

MANNERS: Final[Mapping[type[Any], Manner]] = {
    moves.LayOut: Manner("silent"),
    moves.PutToken: Manner("shown"),
    moves.PutCouncillor: Manner("shown"),
    moves.TurnUp: Manner(),
    moves.DrawNeutral: Manner("shown"),
    moves.Elect: Manner(back=True),
    moves.BuyPermit: Manner(),
    moves.BuildWithKing: Manner(),
    moves.Build: Manner(),
    moves.Hire: Manner(back=True),
    moves.Swap: Manner(),
    moves.Send: Manner(back=True),
    moves.BuyAction: Manner(back=True),
    moves.CopyToken: Manner(),
    moves.TakeFree: Manner(),
    moves.CopyPermit: Manner(),
    moves.Decline: Manner("silent"),
    moves.TakeBonus: Manner(),
    moves.Sweep: Manner("alone"),
    moves.EndTurn: Manner("silent"),
}

SORTS: Final[Mapping[str, str]] = {
    "council": "councillors",
    "pool": "councillors",
    "city": "emporiums",
    "stock": "emporiums",
    "permits": "permits",
    "bonuses": "honours",
    "reward": "honours",
    "honours": "honours",
    "gold": "markers",
    "nobility": "markers",
    "points": "markers",
    "supply": "assistants",
    "assistants": "assistants",
}


def manner(move: Move) -> Manner:
    return MANNERS[type(move)]


def in_one_go(state: State, _move: Move, rng: Random) -> int:
    if state.phase == "laying_out":
        return len(state.offers)  # all that chance lays out lies there when people sit down, the open permits last
    if state.phase == "turn" and rng.random() >= ALONE:
        return rng.choice((2, 2, 3))
    return 1


def signal(state: State, move: Move) -> Signal | None:
    if isinstance(move, moves.EndTurn):
        return Signal("press", f"seat {state.colour(move.seat)}", 0.0, seat=move.seat)
    return None


def sort_of(zone: str) -> str:
    return SORTS.get(zone.split()[0], zone)
