"""What a button means: whoever presses theirs is done, or leaves alone what they may do."""

from __future__ import annotations

from companion.kernel.messages import Signal

from ..moves import Decline, DrawUp, Move
from ..state import State
from .phases import breaches


def signalled(state: State, signal: Signal) -> tuple[Move, ...]:
    if signal.kind != "press" or signal.seat is None:
        return ()
    meant: tuple[Move, ...] = (DrawUp(signal.seat), Decline(signal.seat))
    return tuple(move for move in meant if not any(True for _ in breaches(state, move)))
