"""Aktionsphase: everybody takes a die three times, in the order of play."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, SeatNo, broken

from ..moves import EndTurn, Move
from ..state import (
    NO_DEBTS,
    NO_FREE,
    NO_FREE_WALKS,
    NO_POINTS,
    NO_WAYS,
    NONE_LENT,
    NOWHERE,
    State,
    Story,
)
from .actions import action_begun, points_left
from .contracts import open_offer
from .guests import markers_due
from .king_phase import after_turns
from .warehouse import has_room


def begin_turn(state: State, seat: SeatNo, story: Story) -> State:
    story.tell("turn.order", seat=state.colour_of(seat), round=state.round + 1, turn=state.lap + 1)
    return replace(
        state,
        turn=seat,
        stage="no_die",
        recoloured=False,
        raised=0,
        section=NOWHERE,
        ap=NO_POINTS,
        borrowed=NO_DEBTS,
        ways=NO_WAYS,
        free=NO_FREE,
        lent=NONE_LENT,
        saved=NO_FREE_WALKS,
        advanced=0,
        swapped=False,
        owed=0,
    )


def end_turn_moves(state: State) -> Iterator[Move]:
    move = EndTurn(state.turn)
    if not any(True for _ in check_end_turn(state, move)):
        yield move


def check_end_turn(state: State, move: EndTurn) -> Iterator[Breach]:
    seat = state.colour_of(move.seat)
    if state.stage != "die_used":
        yield broken("turn.die", seat=seat)
        return
    if state.owed:
        yield broken("bonus.choice", seat=seat, goods=state.owed)
    if any(True for _ in markers_due(state, move.seat)):
        yield broken("guest.marker", seat=seat)
    if tile_is_due(state):
        yield broken("tile.must", seat=seat, tile=state.section_tiles[state.section])


def tile_is_due(state: State) -> bool:
    """Whether the tile of the section has to be taken before the turn is over."""
    return not state.options.leave_tile and tile_is_open(state)


def tile_is_open(state: State) -> bool:
    """Whether the tile of the section may still be taken."""
    if not state.section_tiles[state.section] or not has_room(state, state.turn):
        return False
    return not (state.options.section_tile == "before_action" and action_begun(state))


def end_turn(state: State, move: EndTurn, story: Story) -> State:
    left = points_left(state)
    if left:
        story.tell("points.lost", seat=state.colour_of(move.seat), points=left)
    state = open_offer(state, story)
    place = state.order.index(move.seat) + 1
    if place < state.players:
        return begin_turn(state, state.order[place], story)
    state = replace(state, lap=state.lap + 1)
    if state.lap < state.box.turns:
        return begin_turn(state, state.order[0], story)
    story.tell("turn.three", round=state.round + 1, turns=state.lap)
    state = replace(state, ap=NO_POINTS, borrowed=NO_DEBTS, ways=NO_WAYS, stage="no_die")
    return after_turns(replace(state, free=NO_FREE, lent=NONE_LENT, saved=NO_FREE_WALKS))
