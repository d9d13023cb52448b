"""Joining a game that has long begun: the moments that look like a table nobody has watched so far."""

from __future__ import annotations

from msgspec.structs import replace

from companion.kernel.messages import View, differences

from ..state import NOBODY, NONE, State
from .adopt import adopt, ending
from .view import view as should_be


def joins(state: State, view: View) -> tuple[State, ...]:
    """Whose turn it is nobody can see, nor how many cards are in the hands: those are not counted then. Nor can anybody
    see whether the main action of this turn is done: there may still be one, and none is asked for."""
    if any(zone not in view.zones for zone in should_be(state).zones):
        return ()
    seen = adopt(replace(state, phase="turn", round=1, counted=False), view)
    laid = all(token or city == seen.map.purple for city, token in enumerate(seen.tokens))
    if not laid or any(NONE in council for council in seen.councils):
        return ()
    seen = replace(seen, main=1, acted=True, quick=False, neutral=_nothing_left_to_draw(seen))
    if differences(view, should_be(seen)):
        return ()
    first = state.options.first
    order = [(first + number) % state.players for number in range(state.players)]
    moments = (replace(seen, turn=seat, ending=NOBODY) for seat in order)
    return tuple(replace(moment, ending=ending(moment)) for moment in moments)


def _nothing_left_to_draw(state: State) -> tuple[str, ...]:
    return tuple(permit or "drawn" for permit in state.neutral)
