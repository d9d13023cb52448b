"""Ein Manuskript kopieren: one beside the viscount, its effect, and the cleric's card for three of a ribbon."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from companion.kernel.rules import Breach, RuleLog, SeatNo, broken, changed

from ..box import RIBBONS
from ..moves import FREE, Copy, Move
from ..state import (
    EMPTY,
    NO_SEAT,
    UNSEEN,
    State,
    manuscript,
    script_at,
    segment_with,
    unseen_manuscripts,
)
from .effects import apply, deviation_breaches, goods_word, pay_goods
from .payment import check_pays, payments, strength

FREE_COSTS: Final = (3, 4)
"""The costs of manuscripts that an effect may bring."""


def copy_moves(state: State, seat: SeatNo) -> Iterator[Move]:
    segment = segment_with(state, seat)
    cost = manuscript(state, script_at(state, segment)).cost
    yield from (Copy(seat, segment, pays) for pays in payments(state, seat, "manuscript", cost))


def check_copy(state: State, move: Copy) -> Iterator[Breach]:
    segment = segment_with(state, move.seat)
    if move.segment != segment:
        yield broken("script.beside", seat=state.colour(move.seat), segment=state.segment_name(segment))
        return
    cost = manuscript(state, script_at(state, segment)).cost
    yield from check_pays(state, move.seat, "script.cost", move.pays, cost, "manuscript")
    yield from deviation_breaches(state, move.seat, move.off)


def copy(state: State, move: Copy, log: RuleLog) -> State:
    name = script_at(state, move.segment)
    facts = {"needs": manuscript(state, name).cost, "has": strength(state, move.seat, "manuscript")}
    pays = goods_word(move.pays)
    log.tell("script.cost", seat=state.colour(move.seat), manuscript=name, pays=pays, **facts)
    return take_manuscript(pay_goods(state, move.seat, move.pays), move, log)


def free_copies(state: State) -> list[int]:
    """Return the segments whose manuscript may be taken without paying; printed ones cannot be taken so."""
    return [
        segment
        for segment, name in enumerate(state.scripts)
        if name not in (EMPTY, UNSEEN) and manuscript(state, name).cost in FREE_COSTS
    ]


def free_copy_moves(state: State, seat: SeatNo) -> Iterator[Move]:
    yield from (Copy(seat, segment) for segment in free_copies(state))


def check_free_copy(state: State, move: Copy) -> Iterator[Breach]:
    if move.segment not in free_copies(state):
        yield broken("symbol.manuscript", seat=state.colour(move.seat))
    if move.pays != FREE:
        yield broken("action.free", seat=state.colour(move.seat), pays=goods_word(move.pays))
    yield from deviation_breaches(state, move.seat, move.off)


def free_copy(state: State, move: Copy, log: RuleLog) -> State:
    name = state.scripts[move.segment]
    log.tell("symbol.manuscript", seat=state.colour(move.seat), manuscript=name)
    return take_manuscript(state, move, log)


def take_manuscript(state: State, move: Copy, log: RuleLog) -> State:
    """Give a manuscript to a seat, with its effect; a printed one stays where it is."""
    seat, name = move.seat, script_at(state, move.segment)
    if state.scripts[move.segment]:
        state = _from_pile(state, move.segment, seat, name)
        state = _award_cleric_card(state, seat, name, log)
    else:
        log.tell("script.printed", seat=state.colour(seat), manuscript=name)
    effect = manuscript(state, name).effect
    if not manuscript(state, name).counts:
        log.tell("script.effect", seat=state.colour(seat), manuscript=name)
    return apply(state, seat, effect, log)


def _from_pile(state: State, segment: int, seat: SeatNo, name: str) -> State:
    gone = state.copied[segment] + 1
    mine = tuple(sorted((*state.manuscripts[seat], name)))
    return replace(
        state,
        manuscripts=changed(state.manuscripts, seat, mine),
        copied=changed(state.copied, segment, gone),
        scripts=changed(state.scripts, segment, UNSEEN if gone < state.box.piles.manuscripts else EMPTY),
    )


def _award_cleric_card(state: State, seat: SeatNo, name: str, log: RuleLog) -> State:
    """Give the cleric's card to the first seat with three manuscripts of a ribbon."""
    ribbon = manuscript(state, name).ribbon
    if not ribbon:
        return state
    mine = sum(manuscript(state, one).ribbon == ribbon for one in state.manuscripts[seat])
    number = RIBBONS.index(ribbon)
    if state.bonus[number] != NO_SEAT or mine < state.box.ribbons.number:
        return state
    log.tell("script.bonus", seat=state.colour(seat), ribbon=f"ribbon {ribbon}")
    return replace(state, bonus=changed(state.bonus, number, seat))


def unseen_scripts(state: State) -> tuple[str, ...]:
    """Return the manuscripts that may be turned up; at the beginning those with grey backs lie on top, if they are
    known."""
    left = unseen_manuscripts(state)
    if state.phase == "lots" and "start.grey" not in state.box.unverified:
        return tuple(name for name in left if name in state.box.start.grey)
    return left
