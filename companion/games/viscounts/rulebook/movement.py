"""Phase 2: Bewegen. A viscount follows the arrows clockwise, as far as the card says, and further for silver."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, RuleLog, SeatNo, broken, changed

from ..box import SILVER, Effect
from ..components import FAR, ways
from ..moves import Move, Travel
from ..state import State, card, clockwise, does
from .effects import apply_all, off_breaches, pay_goods, some

MEETING = Effect(rearrange=True)


def least(state: State) -> int:
    """The steps that the card just played asks for."""
    return card(state, state.played).silver


def price(state: State, seat: SeatNo, space: int) -> int:
    """The silver for a way to a space; FAR if no way leads there."""
    steps = ways(state.order, state.viscounts[seat], least(state))[space]
    if steps == FAR:
        return FAR
    free = least(state) + does(state, seat, "step")
    return max(0, steps - free)


def travel_moves(state: State) -> Iterator[Move]:
    seat = state.turn
    for space in range(3 * len(state.order)):
        if price(state, seat, space) <= state.has(seat, SILVER):
            yield Travel(seat, space)


def check_travel(state: State, move: Travel) -> Iterator[Breach]:
    seat = state.colour_of(move.seat)
    if not 0 <= move.space < 3 * len(state.order):
        yield broken("move.arrows", seat=seat, space=state.space_name(move.space))
        return
    cost, silver = price(state, move.seat, move.space), state.has(move.seat, SILVER)
    facts = {"price": cost, "silver": silver, "steps": least(state)}
    if cost and too_near(state, move) and (cost > silver or move.off[SILVER] >= cost):
        yield broken("move.steps", seat=seat, space=state.space_name(move.space), **facts)
    elif cost > silver and gone_back(state, move):
        yield broken("move.back", seat=seat, space=state.space_name(move.space), **facts)
    elif cost > silver:
        yield broken("move.silver", seat=seat, space=state.space_name(move.space), **facts)
    yield from off_breaches(state, move.seat, move.off)


def too_near(state: State, move: Travel) -> bool:
    """Whether a viscount gets there by fewer steps than the card asks for."""
    return ways(state.order, state.viscounts[move.seat], 1)[move.space] < least(state)


def gone_back(state: State, move: Travel) -> bool:
    """Whether a space lies behind a viscount: the way there is longer than the way back."""
    here = state.viscounts[move.seat]
    return ways(state.order, move.space, 1)[here] < ways(state.order, here, 1)[move.space]


def travel(state: State, move: Travel, log: RuleLog) -> State:
    seat, cost = move.seat, price(state, move.seat, move.space)
    log.tell("move.steps", seat=state.colour_of(seat), steps=least(state), space=state.space_name(move.space))
    further = ways(state.order, state.viscounts[seat], least(state))[move.space] > least(state)
    if further and does(state, seat, "step"):
        log.tell("move.step", seat=state.colour_of(seat))
    if cost:
        log.tell("move.silver", seat=state.colour_of(seat), price=cost, space=state.space_name(move.space))
    return arrived(pay_goods(state, seat, some(SILVER, cost)), move, log)


def arrived(state: State, move: Travel, log: RuleLog) -> State:
    """Whoever is met may rearrange their cards."""
    met = [
        other
        for other in clockwise(state, move.seat)
        if other != move.seat
        and state.viscounts[other] == move.space
        and (other == state.rival or any(state.rows[other]))
    ]
    for other in met:
        log.tell("move.meet", seat=state.colour_of(move.seat), other=state.colour_of(other))
    state = replace(state, viscounts=changed(state.viscounts, move.seat, move.space), phase="action")
    return apply_all(state, ((other, MEETING) for other in met), log)
