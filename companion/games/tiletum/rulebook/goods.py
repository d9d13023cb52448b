"""Goods and points: what bonuses bring, and what the warehouse holds."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from companion.kernel.rules import Breach, Fact, Note, SeatNo, broken
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
from ..moves import EXACT, Deviation, Off
from ..state import FREE, WILD, RuleLog, State, changed, without
from .kings_track import step

Source = tuple[str, Note]
"""What brings points: the heading on the score sheet, and the reason."""

FREE_WALKS: Final = ("anyarchitect", "anymerchant")
COUNTED: Final = (*GOODS, "points", "steps")
"""What `off` counts, in its order."""


def gain(state: State, seat: SeatNo, bonus: Bonus, source: Source, log: RuleLog) -> State:
    """All that a bonus of this source brings."""
    goods = bonus_goods(bonus)
    if any(goods):
        state = earn(state, seat, goods, log)
    if bonus.any:
        log.tell("bonus.choice", seat=state.colour_of(seat), goods=bonus.any)
        state = replace(state, owed=state.owed + bonus.any)
    if bonus.points:
        log.tell("bonus.score", seat=state.colour_of(seat), points=bonus.points)
        state = score(state, seat, bonus.points, source, log)
    if bonus.crown:
        state = step(state, seat, bonus.crown, log)
    return _free(_action_points(state, seat, bonus, log), seat, bonus, log)


def _free(state: State, seat: SeatNo, bonus: Bonus, log: RuleLog) -> State:
    """What a bonus gives for no action points, for this turn."""
    given = {what: getattr(bonus, what) for what in (*FREE, *FREE_WALKS) if getattr(bonus, what)}
    if not given:
        return state
    words = tuple(f"{what}{number}" for what, number in given.items())
    log.tell("bonus.free", seat=state.colour_of(seat), amounts=words)
    free = tuple(had + given.get(what, 0) for what, had in zip(FREE, state.free, strict=True))
    for number, what in enumerate(FREE_WALKS):
        if what in given:  # a walk before it is over: only what comes next is free
            ways = changed(state.ways, number, None)
            state = replace(state, saved=changed(state.saved, number, max(0, state.saved[number])), ways=ways)
    return replace(state, free=free)


def still_free(state: State) -> tuple[str, ...]:
    """What bonuses gave for no action points and is not used yet, in words."""
    walks = tuple(f"{what}1" for what, saved in zip(FREE_WALKS, state.saved, strict=True) if not saved)
    return tuple(f"{what}{number}" for what, number in zip(FREE, state.free, strict=True) if number) + walks


def _action_points(state: State, seat: SeatNo, bonus: Bonus, log: RuleLog) -> State:
    extra = {ARCHITECT: bonus.architect, MERCHANT: bonus.merchant, GUEST: bonus.guest, CONTRACT: bonus.contract}
    for action, points in extra.items():
        if points:
            state = more_points(state, seat, action, points, log)
    return state


def more_points(state: State, seat: SeatNo, action: int, points: int, log: RuleLog) -> State:
    """Action points besides those of the die."""
    log.tell("bonus.points", seat=state.colour_of(seat), action=action_word(action), points=points)
    return settled(state, action, points)


def settled(state: State, action: int, points: int) -> State:
    """So many points more for an action, or fewer: what it has borrowed from joker and helpers is made up for first."""
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


def earn(state: State, seat: SeatNo, goods: tuple[int, ...], log: RuleLog) -> State:
    for good, number in enumerate(goods):
        if number:
            log.tell("bonus.goods", seat=state.colour_of(seat), good=GOODS[good], number=number)
    return add_goods(state, seat, goods)


def add_goods(state: State, seat: SeatNo, goods: tuple[int, ...]) -> State:
    mine = tuple(had + more for had, more in zip(state.goods[seat], goods, strict=True))
    return replace(state, goods=changed(state.goods, seat, mine))


def pay_goods(state: State, seat: SeatNo, goods: tuple[int, ...]) -> State:
    return add_goods(state, seat, tuple(-number for number in goods))


def some(good: int, number: int) -> tuple[int, ...]:
    """So many of one good."""
    return tuple(number if index == good else 0 for index in range(len(GOODS)))


def can_pay(state: State, seat: SeatNo, goods: tuple[int, ...]) -> bool:
    return all(had >= number for had, number in zip(state.goods[seat], goods, strict=True))


def score(state: State, seat: SeatNo, points: int, source: Source, log: RuleLog) -> State:
    """Points with their reason for the score sheet. They fall below 0 only where a table wants it."""
    now = state.points[seat] + points
    if now < 0 and not state.options.below_zero:
        log.tell("king.below-zero", seat=state.colour_of(seat))
        now = 0
    earned = state.earned or ((),) * state.players
    label, because = source
    mine = with_reason(earned[seat], label, now - state.points[seat], because)
    return replace(
        state,
        points=changed(state.points, seat, now),
        earned=changed(earned, seat, mine) if mine or any(earned) else (),
    )


# Goods and markers that are not as they should be

Blame = Callable[[str, int], str]
"""The rule that is broken when somebody has so many of something too many (or, negative, too few)."""


def off_breaches(state: State, seat: SeatNo, off: Off, blame: Blame) -> Iterator[Breach]:
    if off == EXACT:
        return
    for what, by in zip(COUNTED, off, strict=True):
        if by:
            way, amount = "too_many" if by > 0 else "too_few", f"{what}{abs(by)}"
            facts: dict[str, Fact] = {"what": what, "by": abs(by), "way": way, "amount": amount}
            yield broken(blame(what, by), seat=state.colour_of(seat), **facts)


def astray_breaches(state: State, astray: Deviation, rule: str) -> Iterator[Breach]:
    """The same, where everybody's points are counted at once."""
    if len(astray) > state.players:
        yield broken("setup.players", seat=len(astray), players=state.players)
        return
    for seat, by in enumerate(astray):
        gold, food, wool, stone, iron, _, steps = EXACT
        yield from off_breaches(state, seat, (gold, food, wool, stone, iron, by, steps), lambda _what, _by: rule)


def exactly(_what: str, _by: int) -> str:
    """The rule where no other says what was wrong."""
    return "bonus.exact"


def has_room(state: State, seat: SeatNo) -> bool:
    return len(state.warehouse[seat]) < state.box.warehouse


def check_room(state: State, seat: SeatNo) -> Iterator[Breach]:
    if not has_room(state, seat):
        yield broken("warehouse.room", seat=state.colour_of(seat), places=state.box.warehouse)


def store(state: State, seat: SeatNo, tile: str, log: RuleLog) -> State:
    state = stored(state, seat, tile)
    free = state.box.warehouse - len(state.warehouse[seat])
    log.tell("warehouse.room", seat=state.colour_of(seat), tile=tile, free=free)
    return state


def stored(state: State, seat: SeatNo, tile: str) -> State:
    """Tiles lie there in no order."""
    return replace(state, warehouse=changed(state.warehouse, seat, tuple(sorted((*state.warehouse[seat], tile)))))


def taken_out(state: State, seat: SeatNo, tile: str) -> State:
    return replace(state, warehouse=changed(state.warehouse, seat, without(state.warehouse[seat], tile)))
