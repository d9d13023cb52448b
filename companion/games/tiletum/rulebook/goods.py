"""Goods and points: what bonuses bring, and what the warehouse holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from companion.games.tiletum.state import FREE, WILD, State, without
from companion.kernel.rules import Breach, Fact, Note, RuleLog, SeatNo, broken, changed
from companion.kernel.rules import earn as with_reason

from ..box import (
    ACTIONS,
    ARCHITECT,
    CONTRACT,
    GOODS,
    GUEST,
    JOKER,
    MERCHANT,
    Bonus,
)
from ..components import bonus_goods
from ..moves import EXACT, Deviation, PointDeviations
from .kings_track import step_forward

Source = tuple[str, Note]
"""The origin of points: the heading on the score sheet, and the reason."""

FREE_WALKS: Final = ("anyarchitect", "anymerchant")
COUNTED: Final = (*GOODS, "points", "steps")
"""What a deviation counts, in its order."""


def gain(state: State, seat: SeatNo, bonus: Bonus, source: Source, log: RuleLog) -> State:
    """Give a seat everything that a bonus brings."""
    goods = bonus_goods(bonus)
    if any(goods):
        state = gain_goods(state, seat, goods, log)
    if bonus.any:
        log.tell("bonus.choice", seat=state.colour(seat), goods=bonus.any)
        state = replace(state, owed=state.owed + bonus.any)
    if bonus.points:
        log.tell("bonus.score", seat=state.colour(seat), points=bonus.points)
        state = add_points(state, seat, bonus.points, source, log)
    if bonus.crown:
        state = step_forward(state, seat, bonus.crown, log)
    return _gain_free_actions(_gain_action_points(state, seat, bonus, log), seat, bonus, log)


def _gain_free_actions(state: State, seat: SeatNo, bonus: Bonus, log: RuleLog) -> State:
    """Give what a bonus allows without action points in this turn."""
    given = {what: getattr(bonus, what) for what in (*FREE, *FREE_WALKS) if getattr(bonus, what)}
    if not given:
        return state
    words = tuple(f"{what}{number}" for what, number in given.items())
    log.tell("bonus.free", seat=state.colour(seat), amounts=words)
    free = tuple(had + given.get(what, 0) for what, had in zip(FREE, state.free, strict=True))
    for number, what in enumerate(FREE_WALKS):
        if what in given:  # the current walk ends: only the next one is free
            ways = changed(state.ways, number, None)
            state = replace(state, saved=changed(state.saved, number, max(0, state.saved[number])), ways=ways)
    return replace(state, free=free)


def free_actions_left(state: State) -> tuple[str, ...]:
    """Return what bonuses gave without action points and is not used yet, in words."""
    walks = tuple(f"{what}1" for what, saved in zip(FREE_WALKS, state.saved, strict=True) if not saved)
    return tuple(f"{what}{number}" for what, number in zip(FREE, state.free, strict=True) if number) + walks


def _gain_action_points(state: State, seat: SeatNo, bonus: Bonus, log: RuleLog) -> State:
    extra = {ARCHITECT: bonus.architect, MERCHANT: bonus.merchant, GUEST: bonus.guest, CONTRACT: bonus.contract}
    for action, points in extra.items():
        if points:
            state = gain_action_points(state, seat, action, points, log)
    return state


def gain_action_points(state: State, seat: SeatNo, action: int, points: int, log: RuleLog) -> State:
    """Give action points besides those of the die."""
    log.tell("bonus.points", seat=state.colour(seat), action=action_word(action), points=points)
    return add_action_points(state, action, points)


def add_action_points(state: State, action: int, points: int) -> State:
    """Add points to an action, or take them; points borrowed from joker and helpers are given back first."""
    if action in (JOKER, WILD):
        return replace(state, ap=changed(state.ap, action, state.ap[action] + points))
    balance = state.ap[action] - state.borrowed[action] + points
    return replace(
        state,
        ap=changed(state.ap, action, max(0, balance)),
        borrowed=changed(state.borrowed, action, max(0, -balance)),
    )


def action_word(action: int) -> str:
    return ACTIONS[action] if 0 <= action < len(ACTIONS) else "wild" if action == WILD else str(action)


def gain_goods(state: State, seat: SeatNo, goods: tuple[int, ...], log: RuleLog) -> State:
    for good, number in enumerate(goods):
        if number:
            log.tell("bonus.goods", seat=state.colour(seat), good=GOODS[good], number=number)
    return add_goods(state, seat, goods)


def add_goods(state: State, seat: SeatNo, goods: tuple[int, ...]) -> State:
    mine = tuple(had + more for had, more in zip(state.goods[seat], goods, strict=True))
    return replace(state, goods=changed(state.goods, seat, mine))


def pay_goods(state: State, seat: SeatNo, goods: tuple[int, ...]) -> State:
    return add_goods(state, seat, tuple(-number for number in goods))


def goods_of(good: int, number: int) -> tuple[int, ...]:
    """Return a number of one good, as goods."""
    return tuple(number if index == good else 0 for index in range(len(GOODS)))


def can_pay(state: State, seat: SeatNo, goods: tuple[int, ...]) -> bool:
    return all(had >= number for had, number in zip(state.goods[seat], goods, strict=True))


def add_points(state: State, seat: SeatNo, points: int, source: Source, log: RuleLog) -> State:
    """Add points with their reason for the score sheet. They fall below 0 only if the table chose so."""
    now = state.points[seat] + points
    if now < 0 and not state.options.below_zero:
        log.tell("king.below-zero", seat=state.colour(seat))
        now = 0
    earned = state.earned or ((),) * state.players
    label, because = source
    mine = with_reason(earned[seat], label, now - state.points[seat], because)
    return replace(
        state,
        points=changed(state.points, seat, now),
        earned=changed(earned, seat, mine) if mine or any(earned) else (),
    )


# Deviations: wrong numbers of goods and wrong markers

Blame = Callable[[str, int], str]
"""Chooses the rule that is broken by a number of things too many (or, negative, too few)."""


def deviation_breaches(state: State, seat: SeatNo, deviation: Deviation, blame: Blame) -> Iterator[Breach]:
    """Yield a breach for everything of which a seat has too many or too few."""
    if deviation == EXACT:
        return
    for what, by in zip(COUNTED, deviation, strict=True):
        if by:
            way, amount = "too_many" if by > 0 else "too_few", f"{what}{abs(by)}"
            facts: dict[str, Fact] = {"what": what, "by": abs(by), "way": way, "amount": amount}
            yield broken(blame(what, by), seat=state.colour(seat), **facts)


def point_deviation_breaches(state: State, deviations: PointDeviations, rule: str) -> Iterator[Breach]:
    """Yield breaches for points that were counted wrongly, if all seats count at once."""
    if len(deviations) > state.players:
        yield broken("setup.players", seat=len(deviations), players=state.players)
        return
    for seat, by in enumerate(deviations):
        gold, food, wool, stone, iron, _, steps = EXACT
        yield from deviation_breaches(state, seat, (gold, food, wool, stone, iron, by, steps), lambda _what, _by: rule)


def blame_reward(_what: str, _by: int) -> str:
    """Return the rule that is broken if no other rule says what was wrong."""
    return "bonus.exact"


def has_room(state: State, seat: SeatNo) -> bool:
    return len(state.warehouse[seat]) < state.box.warehouse


def check_room(state: State, seat: SeatNo) -> Iterator[Breach]:
    if not has_room(state, seat):
        yield broken("warehouse.room", seat=state.colour(seat), places=state.box.warehouse)


def store(state: State, seat: SeatNo, tile: str, log: RuleLog) -> State:
    state = into_warehouse(state, seat, tile)
    free = state.box.warehouse - len(state.warehouse[seat])
    log.tell("warehouse.room", seat=state.colour(seat), tile=tile, free=free)
    return state


def into_warehouse(state: State, seat: SeatNo, tile: str) -> State:
    """Put a tile into the warehouse, where the order does not matter."""
    return replace(state, warehouse=changed(state.warehouse, seat, tuple(sorted((*state.warehouse[seat], tile)))))


def out_of_warehouse(state: State, seat: SeatNo, tile: str) -> State:
    return replace(state, warehouse=changed(state.warehouse, seat, without(state.warehouse[seat], tile)))
