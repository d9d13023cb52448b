"""What buttons mean: a press in one's turn is «I am done»."""

from __future__ import annotations

from companion.messages import Signal

from .moves import Move
from .state import State
from .turns import end_turn_moves


def signalled(state: State, signal: Signal) -> tuple[Move, ...]:
    if signal.kind == "press" and state.phase == "turn" and signal.seat == state.turn:
        return tuple(end_turn_moves(state))
    return ()
