"""Spielablauf: turns go round, each with one main action and perhaps a quick one, until the last round is over."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, SeatNo, broken

from ..moves import EndTurn, Move
from ..state import State, Story
from .cards import draw


def begin_turn(state: State, seat: SeatNo, story: Story) -> State:
    story.tell("turn.order", seat=state.colour(seat), round=state.round)
    state = replace(state, turn=seat, main=1, acted=False, quick=False, choices=())
    return draw(state, seat, 1, story)


def done_main(state: State, story: Story) -> State:
    story.tell("turn.main", seat=state.colour(state.turn), left=state.main - 1)
    return replace(state, main=state.main - 1, acted=True)


def done_quick(state: State, story: Story) -> State:
    story.tell("turn.quick", seat=state.colour(state.turn))
    if not state.acted:
        story.tell("turn.any-order", seat=state.colour(state.turn))
    return replace(state, quick=True)


def end_turn_moves(state: State) -> Iterator[Move]:
    if state.acted and not state.choices:
        yield EndTurn(state.turn)


def check_end_turn(state: State, move: EndTurn) -> Iterator[Breach]:
    if not state.acted:
        yield broken("turn.must", seat=state.colour(move.seat))


def end_turn(state: State, move: EndTurn, story: Story) -> State:
    following = (move.seat + 1) % state.players
    if following == state.ending:
        story.tell("end.over", seat=state.colour(state.ending))
        return replace(state, phase="over", main=0, quick=False, acted=False)
    again = following == state.options.first
    return begin_turn(replace(state, round=state.round + again), following, story)
