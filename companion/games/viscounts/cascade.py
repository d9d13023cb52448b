"""What would follow in the castle, step by step: who climbs, who goes aside, who is pushed off, who leads.

The rules of `castle` play it on trial, so that what people are told is what would happen. Where somebody may choose,
the steps take the first section and a worker of somebody else; rewards that are a choice of their own are left alone.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.kernel.rules import SeatNo, Story

from .box import Effect
from .moves import Climb, Move, Push
from .rulebook.castle import FIRST, castle_moves, climb, push, with_workers
from .rulebook.effects import for_rival
from .rulebook.solo import expected
from .state import Due, State

Kind = Literal["climb", "top", "push"]


class Step(msgspec.Struct, frozen=True):
    """One thing that happens in the castle. `owners` are those whose worker may be pushed off; `leads`: whoever climbs
    becomes leader of the castle by it; `choices`: in so many sections the same could be done first."""

    kind: Kind
    ring: int
    section: int
    seat: SeatNo
    reward: Effect
    owners: tuple[SeatNo, ...] = ()
    leads: bool = False
    choices: int = 1


def due_steps(state: State, seat: SeatNo) -> Iterator[Step]:
    """Everything that has to happen until somebody's workers are at rest."""
    while True:
        found = list(_next(state, seat))
        if not found:
            return
        if isinstance(found[0], Climb):
            step, state = _climbed(state, found[0], len(found))
        else:
            step, state = _pushed(state, [move for move in found if isinstance(move, Push)])
        yield step
        state = replace(state, due=())


def steps_after(state: State, seat: SeatNo, section: int, number: int) -> tuple[Step, ...]:
    """What would follow if somebody put so many workers into a section."""
    return tuple(due_steps(with_workers(replace(state, due=()), FIRST, section, seat, number), seat))


def _next(state: State, seat: SeatNo) -> Iterator[Move]:
    """What is to be done now; the solo game's opponent has its own way to choose."""
    return expected(state, Due(seat, "castle")) if seat == state.rival else castle_moves(state, seat)


def _climbed(state: State, move: Climb, choices: int) -> tuple[Step, State]:
    after = climb(state, move, Story())
    top = move.ring != FIRST
    reward = state.box.castle.third if top else state.box.castle.sections[move.section]
    leads = after.leader != state.leader
    step = Step(
        "top" if top else "climb",
        move.ring,
        move.section,
        move.seat,
        _for(state, move.seat, reward),
        leads=leads,
        choices=choices,
    )
    return step, after


def _pushed(state: State, moves: list[Push]) -> tuple[Step, State]:
    """Those whose worker may go from the first crowded section; others before the one who pushes."""
    here = [move for move in moves if (move.ring, move.section) == (moves[0].ring, moves[0].section)]
    here.sort(key=lambda move: move.owner == move.seat)
    owners = tuple(move.owner for move in here)
    move, reward = here[0], state.box.castle.pushed[here[0].ring - 1]
    if len(owners) == 1:
        reward = _for(state, move.owner, reward)
    return Step("push", move.ring, move.section, move.seat, reward, owners), push(state, move, Story())


def _for(state: State, seat: SeatNo, effect: Effect) -> Effect:
    return for_rival(effect) if seat == state.rival else effect
