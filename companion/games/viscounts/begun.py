"""What people may be in the middle of: a good that somebody takes may be all that shows so far of a building."""

from __future__ import annotations

from typing import Final

from companion.rules import Story

from . import moves
from .moves import Move
from .phases import carried_out, legal
from .state import State
from .view import view

ON_A_PLAYER_BOARD: Final = (moves.TakeGood, moves.Trade, moves.Flip, moves.Choose)
"""Moves that change only what lies on player boards."""


def half_of_another(state: State, move: Move) -> bool:
    """Whether another kind of move would change the same places in the same way, and others besides: its reward may lie
    there before its piece does."""
    if not isinstance(move, ON_A_PLAYER_BOARD):
        return False
    now, done = view(state).zones, view(carried_out(state, move, Story())).zones
    changed = [zone for zone, contents in done.items() if contents != now[zone]]
    for other in legal(state):
        if type(other) is not type(move):
            then = view(carried_out(state, other, Story())).zones
            if then != done and all(then[zone] == done[zone] for zone in changed):
                return True
    return False
