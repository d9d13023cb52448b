"""What people may be in the middle of: a good that somebody takes may be all that shows so far of a building, and a
marker all that shows of a card."""

from __future__ import annotations

from typing import Final

from companion.kernel.rules import RuleLog

from .. import moves
from ..moves import Move
from ..rulebook.phases import carried_out, legal
from ..state import State
from .view import view

ON_A_PLAYER_BOARD: Final = (moves.TakeGood, moves.Trade, moves.Flip, moves.Choose)
"""Moves that change only what lies on player boards."""
ON_A_PILE: Final = (moves.Discard, moves.Destroy)
"""Moves of a card that shows nothing where just such a card lies already: the last discard drawn from the pile that was
made of it, or the same card of somebody else out of the game."""


def half_of_another(state: State, move: Move) -> bool:
    """Whether another move would change the same places in the same way, and others besides: its reward may lie there
    before its piece does. Markers that are back at their ends show that a collision is over, and not whether what it
    offers was left alone."""
    if isinstance(move, moves.Rearrange):
        return _slid_instead(state, move)
    if not isinstance(move, (*ON_A_PLAYER_BOARD, *ON_A_PILE, moves.Decline)):
        return False
    now, done = view(state).zones, view(carried_out(state, move, RuleLog())).zones
    changed = [zone for zone, contents in done.items() if contents != now[zone]]
    if isinstance(move, moves.Decline) and not changed:
        return False
    for other in legal(state):
        if isinstance(move, ON_A_PILE) or type(other) is not type(move):
            then = view(carried_out(state, other, RuleLog())).zones
            if then != done and all(then[zone] == done[zone] for zone in changed):
                return True
    return False


def _slid_instead(state: State, move: moves.Rearrange) -> bool:
    """Whether the cards would lie there as well if they had been left alone, and had slid for the next turn."""
    alone, slide = moves.Decline(move.seat), moves.Slide(move.seat)
    if alone not in legal(state):
        return False
    left = carried_out(state, alone, RuleLog())
    return slide in legal(left) and view(carried_out(left, slide, RuleLog())) == view(
        carried_out(state, move, RuleLog())
    )
