"""Krone: action points for steps on the king's track."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from companion.kernel.rules import Breach, SeatNo, broken

from ..box import CROWN
from ..moves import Advance, Move
from ..state import State, Story
from .actions import available, check_points, spend
from .kings_track import step


def crown_moves(state: State) -> Iterator[Move]:
    points = available(state, CROWN)
    if points:
        room = state.box.crown.last - state.crown[state.turn]
        steps = min(points // state.box.prices.crown, room, _limit(state))
        yield from _advances(state.turn, steps)


@lru_cache(maxsize=256)
def _advances(seat: SeatNo, most: int) -> tuple[Move, ...]:
    return tuple(Advance(seat, steps) for steps in range(1, most + 1))


def _limit(state: State) -> int:
    """By a house rule no more steps a turn than the wheel alone would give."""
    most = max(state.box.wheel.points)
    return most - state.advanced if state.options.crown_limit else state.box.crown.last - state.box.crown.lowest


def check_advance(state: State, move: Advance) -> Iterator[Breach]:
    seat = state.colour_of(move.seat)
    if move.steps < 1:
        yield broken("crown.step", seat=seat)
        return
    if state.crown[move.seat] + move.steps > state.box.crown.last:
        yield broken("crown.last", seat=seat, last=state.box.crown.last)
    if move.steps > _limit(state):
        yield broken("crown.six", seat=seat, most=max(state.box.wheel.points))
    yield from check_points(state, move.seat, CROWN, move.steps * state.box.prices.crown)


def advance(state: State, move: Advance, story: Story) -> State:
    state = spend(state, move.seat, CROWN, move.steps * state.box.prices.crown, story)
    if state.options.crown_limit and state.advanced + move.steps == max(state.box.wheel.points):
        story.tell("crown.six", seat=state.colour_of(move.seat), most=max(state.box.wheel.points))
    return step(replace(state, advanced=state.advanced + move.steps), move.seat, move.steps, story)
