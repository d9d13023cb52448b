"""Phase 2: Bewegen. A viscount follows the arrows clockwise, as far as the card says, and further for silver."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, RuleLog, SeatNo, broken, changed

from ..box import SILVER, Effect
from ..components import LEFT, RIGHT, UNREACHABLE, space_of, steps_to_spaces
from ..moves import Move, Travel
from ..state import State, card, clockwise, has_ability
from .effects import apply_all, deviation_breaches, goods_of, pay_goods

MEETING = Effect(rearrange=True)


def least_steps(state: State) -> int:
    """Return the least number of steps for the card just played."""
    return card(state, state.played).silver


def price(state: State, seat: SeatNo, space: int) -> int:
    """Return the silver for a way to a space; UNREACHABLE if no way leads there."""
    steps = steps_to_spaces(state.order, state.viscounts[seat], least_steps(state))[space]
    if steps == UNREACHABLE:
        return UNREACHABLE
    free = least_steps(state) + has_ability(state, seat, "step")
    return max(0, steps - free)


def travel_moves(state: State) -> Iterator[Move]:
    seat = state.turn
    for space in range(3 * len(state.order)):
        if price(state, seat, space) <= state.has(seat, SILVER):
            yield Travel(seat, space)


def check_travel(state: State, move: Travel) -> Iterator[Breach]:
    seat = state.colour(move.seat)
    if not 0 <= move.space < 3 * len(state.order):
        yield broken("move.arrows", seat=seat, space=state.space_name(move.space))
        return
    cost, silver = price(state, move.seat, move.space), state.has(move.seat, SILVER)
    facts = {"price": cost, "silver": silver, "steps": least_steps(state)}
    if cost and is_too_near(state, move) and (cost > silver or move.off[SILVER] >= cost):
        yield broken("move.steps", seat=seat, space=state.space_name(move.space), **facts)
    elif cost > silver and is_backwards(state, move):
        yield broken("move.back", seat=seat, space=state.space_name(move.space), **facts)
    elif cost > silver:
        yield broken("move.silver", seat=seat, space=state.space_name(move.space), **facts)
    yield from deviation_breaches(state, move.seat, move.off)


def is_too_near(state: State, move: Travel) -> bool:
    """Whether a viscount gets there by fewer steps than the card asks for."""
    return steps_to_spaces(state.order, state.viscounts[move.seat], 1)[move.space] < least_steps(state)


def is_backwards(state: State, move: Travel) -> bool:
    """Whether a space lies behind a viscount: the way there is longer than the way back."""
    here = state.viscounts[move.seat]
    return steps_to_spaces(state.order, move.space, 1)[here] < steps_to_spaces(state.order, here, 1)[move.space]


def travel(state: State, move: Travel, log: RuleLog) -> State:
    seat, cost = move.seat, price(state, move.seat, move.space)
    log.tell("move.steps", seat=state.colour(seat), steps=least_steps(state), space=state.space_name(move.space))
    further = steps_to_spaces(state.order, state.viscounts[seat], least_steps(state))[move.space] > least_steps(state)
    if further and has_ability(state, seat, "step"):
        log.tell("move.step", seat=state.colour(seat))
    if cost:
        log.tell("move.silver", seat=state.colour(seat), price=cost, space=state.space_name(move.space))
    return move_viscount(pay_goods(state, seat, goods_of(SILVER, cost)), move, log)


def move_viscount(state: State, move: Travel, log: RuleLog) -> State:
    """Move a viscount; seats that it meets may rearrange their cards."""
    met = [
        other
        for other in clockwise(state, move.seat)
        if other != move.seat
        and state.viscounts[other] == move.space
        and (other == state.rival or any(state.rows[other]))
    ]
    for other in met:
        log.tell("move.meet", seat=state.colour(move.seat), other=state.colour(other))
    state = replace(state, viscounts=changed(state.viscounts, move.seat, move.space), phase="action")
    return apply_all(state, ((other, MEETING) for other in met), log)


def outer_space_after(state: State, seat: SeatNo, steps: int) -> int:
    """Return the space where a viscount on the outer path ends after a number of steps along that path."""
    segment, where = divmod(state.viscounts[seat], 3)
    place, right = divmod(state.order.index(segment) * 2 + (where != LEFT) + steps, 2)
    return space_of(state.order[place % len(state.order)], RIGHT if right else LEFT)
