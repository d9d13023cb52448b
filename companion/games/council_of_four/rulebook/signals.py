"""What buttons mean: a press in one's turn is «I am done»."""

from __future__ import annotations

from companion.kernel.messages import Signal

from ..moves import EndTurn, Move
from ..state import State


def signalled(state: State, signal: Signal) -> tuple[Move, ...]:
    if (
        signal.kind == "press"
        and state.phase == "turn"
        and signal.seat == state.turn
        and state.acted
        and not state.choices
    ):
        return (EndTurn(state.turn),)
    return ()
