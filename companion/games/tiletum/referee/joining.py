"""Joining a game that has long begun: the moments that look like a table nobody has watched so far."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.messages import View, differences

from ..rulebook.contracts import open_offer
from ..rulebook.king_phase import after_turns
from ..state import HIDDEN, NONE, NOWHERE, RuleLog, State
from .adopt import adopt
from .view import view as should_be


def joins(state: State, view: View) -> tuple[State, ...]:
    """Whose turn it is shows in the dice on the boards; which marker of a stack lies below does not."""
    if any(zone not in view.zones for zone in should_be(state).zones):
        return ()
    seen = adopt(replace(state, phase="tidying"), view)
    seen = replace(seen, stacked=seen.order)
    laid = NOWHERE not in seen.venues and NONE not in seen.fairs
    if not laid or any(not seen.costs[city] for city in seen.map.cathedrals):
        return ()
    return tuple(moment for moment in _moments(seen) if not differences(view, should_be(moment)))


def _moments(state: State) -> Iterator[State]:
    """Between two turns, or at the end of a round."""
    dice = [len(mine) for mine in state.dice]
    lap = min(dice)
    state = open_offer(state, RuleLog())
    if lap == state.box.turns:
        ended = replace(state, lap=lap)
        yield after_turns(ended)
        yield from (replace(ended, phase=phase) for phase in ("king", "order", "fair", "tidying"))
        return
    if max(dice) > lap + 1 or not state.wheel:
        return
    waiting = [seat for seat in state.order if dice[seat] == lap]
    shown = sum(value != HIDDEN for value in state.corruption)
    if shown in (lap, lap + 1):
        yield replace(state, phase="turn", lap=lap, turn=waiting[0])
    before = [seat for seat in state.order if dice[seat] > lap]
    if before:
        yield replace(state, phase="turn", lap=lap, turn=before[-1], stage="die_taken")
