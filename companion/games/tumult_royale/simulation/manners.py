"""How people make each move of Tumult Royale: alone or many at once, with which button, and what nobody can see."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from companion.games.tumult_royale import moves
from companion.games.tumult_royale.moves import Move
from companion.games.tumult_royale.state import State
from companion.kernel.messages import Signal
from companion.kernel.worlds import Manner

ALONE: Final = 0.8
"""How often a plain move is made by itself."""
ALL_SET_ASIDE: Final = 0.6

MANNERS: Final[Mapping[type[Any], Manner]] = {
    moves.LayOut: Manner("silent"),
    moves.DealCard: Manner("many"),
    moves.ShowBoard: Manner("shown"),
    moves.ShowField: Manner("shown"),
    moves.FirstStatue: Manner(back=True),
    moves.Spin: Manner("alone", turns=("disc",)),
    moves.ForgetSpin: Manner("alone", told=True),
    moves.SetAside: Manner("many"),
    moves.Ready: Manner("rush"),
    moves.StartRaid: Manner("rush"),
    moves.Look: Manner("rush"),
    moves.Rob: Manner("rush"),
    moves.PutBack: Manner("rush"),
    moves.Stop: Manner("rush"),
    moves.LayDown: Manner("rush"),
    moves.TurnUp: Manner("many"),
    moves.Atone: Manner(back=True),
    moves.Place: Manner(back=True),
    moves.Pass: Manner("silent"),
    moves.TakeConsolation: Manner(back=True),
    moves.GiveBack: Manner(),
    moves.Exchange: Manner(back=True),
    moves.Crown: Manner(back=True),
    moves.Uncover: Manner(),
    moves.TurnMercy: Manner(back=True),
    moves.Mix: Manner("alone"),
}

SORTS: Final[Mapping[str, str]] = {
    "rack": "statues",
    "statues": "statues",
    "chronicle": "statues",
    "castle": "tiles",
    "middle": "tiles",
    "supply": "followers",
    "followers": "followers",
}


def manner(move: Move) -> Manner:
    return MANNERS[type(move)]


def in_one_go(state: State, move: Move, rng: Random) -> int:
    match move:
        case moves.TurnUp():
            lying = state.hidden_middle + sum(state.hidden_castles) + len(state.middle) + sum(map(len, state.castles))
            return -(-lying // rng.randint(2, 5))
        case moves.SetAside():
            return state.aside.count(False) if rng.random() < ALL_SET_ASIDE else 1
        case moves.DealCard():
            return rng.choice((1, state.players, state.players))
        case _ if manner(move).way in ("plain", "silent") and rng.random() >= ALONE:
            return rng.choice((2, 2, 3))
        case _:
            return 1


def signal(state: State, move: Move) -> Signal | None:
    match move:
        case moves.Ready():
            return Signal("timer", "raid ready", 0.0, seat=move.seat)
        case moves.StartRaid():
            return Signal("timer", "raid started", 0.0)
        case moves.Stop():
            return Signal("timer", "raid stopped", 0.0)
        case moves.Pass():
            return Signal("press", f"seat {state.colour(move.seat)}", 0.0, seat=move.seat)
        case _:
            return None


def sort_of(zone: str) -> str:
    return SORTS.get(zone.split()[0], zone)
