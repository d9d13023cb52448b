"""Cards of honour that somebody takes without having earned them: the rules hand them out by themselves."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from companion.kernel.rules import Breach, broken, changed

from ..box import RIBBONS
from ..moves import TakeHonour
from ..state import NOBODY, State

LEADER: Final = len(RIBBONS)
"""The leader's card, after those of the clerics."""


def check_take(state: State, move: TakeHonour) -> Iterator[Breach]:
    seat = state.colour_of(move.seat)
    if 0 <= move.honour < LEADER:
        yield broken("script.bonus", seat=seat, ribbon=f"ribbon {RIBBONS[move.honour]}")
    else:
        needs = 1 if state.leader == NOBODY else state.top[state.leader] + 1
        yield broken("workers.leader", seat=seat, workers=state.top[move.seat], needs=needs)


def taken(state: State, move: TakeHonour) -> State | None:
    """The card lies with somebody; None where no such card can be taken from anywhere."""
    if move.honour == LEADER:
        return replace(state, leader=move.seat) if state.leader != move.seat else None
    if not 0 <= move.honour < LEADER or state.bonus[move.honour] != NOBODY:
        return None
    return replace(state, bonus=changed(state.bonus, move.honour, move.seat))
