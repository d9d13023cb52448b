"""What buttons mean: a press in one's turn is «I am done», and anybody's between the turns «so it is»."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from companion.kernel.messages import Signal

from ..moves import HoldFair, Move, ScoreCrown, SetOrder
from ..state import State
from .turns import end_turn_moves

_BETWEEN: Final[Mapping[str, Move]] = {"king": ScoreCrown(), "order": SetOrder(), "fair": HoldFair()}
"""Points that nobody gets and an order that stays show in no piece."""


def signalled(state: State, signal: Signal) -> tuple[Move, ...]:
    if signal.kind == "press" and state.phase == "turn" and signal.seat == state.turn:
        return tuple(end_turn_moves(state))
    if signal.kind == "press" and state.phase in _BETWEEN:
        return (_BETWEEN[state.phase],)
    return ()
