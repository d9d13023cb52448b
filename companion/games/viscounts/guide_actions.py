"""What the symbols of a row buy at the viscount's space: trades, buildings, workers, a manuscript."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

from msgspec.structs import replace

from companion.kernel.capabilities import Remark
from companion.kernel.rules import Fact, SeatNo, changed

from .box import BUILDINGS, GOODS, SILVER, Action
from .components import card_symbols, reward_word, section_word, symbols_word
from .guide_board import plot, script, swap
from .guide_castle import steps_after
from .moves import FREE, Dismiss
from .rulebook import recruitment, trade
from .rulebook.actions import OUTER_PATH, actions_here
from .rulebook.buildings import cost_of, free_slots, plots_here
from .rulebook.effects import goods_word
from .rulebook.payment import GOOD, payments, strength, swaps
from .state import (
    EMPTY,
    NOWHERE,
    UNSEEN,
    State,
    card,
    manuscript,
    script_at,
    section_at,
    segment_with,
    symbols,
    townsfolk_at,
    workers_left,
)

How = Literal["free", "pays", "short"]


def from_row(state: State, seat: SeatNo) -> Iterator[Remark]:
    """Yield what a seat's symbols allow at its viscount's space.

    For the solo game's opponent only the symbols are told, because its schemes decide what it does.
    """
    if state.viscounts[seat] == NOWHERE:
        return
    if seat != state.turn:
        state = replace(state, dismissed=EMPTY)
    facts: dict[str, Fact] = {"seat": state.colour(seat)}
    outer = actions_here(state, seat) == OUTER_PATH
    have = symbols_word(symbols(state, seat, state.dismissed))
    where = {"space": state.space_name(state.viscounts[seat]), "amount": have}
    yield Remark("row_outer" if outer else "row_inner", {**facts, **where})
    if seat == state.rival:
        return
    for action in actions_here(state, seat):
        for one in swaps(state, seat, action):
            yield swap(one)
    yield from (_outside(state, seat) if outer else _inside(state, seat))
    yield from _helper(state, seat)
    if not _acting_now(state, seat):
        yield Remark("row_moves_on", facts)


def from_space(state: State, seat: SeatNo, space: int) -> Iterator[Remark]:
    """Yield the same for a space where the viscount does not stand yet."""
    return from_row(replace(state, viscounts=changed(state.viscounts, seat, space)), seat)


def _acting_now(state: State, seat: SeatNo) -> bool:
    """Whether the cards that lie there now are the ones that will count."""
    return state.turn == seat and state.phase in ("moving", "action")


# How something is paid


def _payment(state: State, seat: SeatNo, action: Action, need: int) -> tuple[How, dict[str, Fact]]:
    """Return whether the symbols are enough, what else is paid, or what is missing."""
    has = strength(state, seat, action)
    facts: dict[str, Fact] = {"needs": need, "has": has, "missing": max(0, need - has), "good": GOODS[GOOD[action]]}
    ways = payments(state, seat, action, need)
    if not ways:
        return "short", facts
    if ways == (FREE,):
        return "free", facts
    return "pays", {**facts, "pays": " or ".join(map(goods_word, ways))}


# On the outer path


def _outside(state: State, seat: SeatNo) -> Iterator[Remark]:
    yield from _trade(state, seat)
    free = plots_here(state, seat)
    if not free:
        yield Remark("no_plots", {})
        return
    for kind, name in enumerate(BUILDINGS):
        if not free_slots(state, seat, kind):
            yield Remark("none_left", {"building": name})
            continue
        how, facts = _payment(state, seat, "build", cost_of(state.box, kind))
        yield Remark(f"build_{how}", {"building": name, **facts})
    for number in free:
        yield from plot(state, segment_with(state, seat), number, brief=True)


def _trade(state: State, seat: SeatNo) -> Iterator[Remark]:
    offered, has = trade.exchange(state, seat), strength(state, seat, "trade")
    most, free = trade.most_trades(state, seat), has // offered.merchants
    facts: dict[str, Fact] = {"needs": offered.merchants, "amount": reward_word(offered.gives), "has": has}
    if not most:
        yield Remark("trade_short", {**facts, "silver": state.has(seat, SILVER)})
    elif most == free:
        yield Remark("trade_free", {**facts, "times": most})
    else:
        yield Remark("trade_silver", {**facts, "times": most, "free": free, "silver": trade.price(state, seat, most)})


# On the inner path


def _inside(state: State, seat: SeatNo) -> Iterator[Remark]:
    segment = segment_with(state, seat)
    section = section_at(state, segment)
    yield Remark("workers_to", {"section": section_word(section)})
    for number, need in enumerate(state.box.employing.nobles[: workers_left(state, seat)], start=1):
        how, facts = _payment(state, seat, "workers", need)
        facts |= {"number": number, "steps": len(steps_after(state, seat, section, number))}
        moves_on = how != "short" and facts["steps"]
        yield Remark(f"workers_{how}_then" if moves_on else f"workers_{how}", facts)
        if how == "short":
            break  # more of them cost more
    name = script_at(state, segment)
    if state.scripts[segment] != UNSEEN:
        how, facts = _payment(state, seat, "manuscript", manuscript(state, name).cost)
        yield Remark(f"copy_{how}", {"manuscript": name, **facts})
        yield from tuple(script(state, name, seat))[1:]


# A helper


def _helper(state: State, seat: SeatNo) -> Iterator[Remark]:
    """Explain that the townsfolk beside the viscount could be dismissed for its symbols."""
    segment = segment_with(state, seat)
    if state.offer[segment] == UNSEEN or state.dismissed != EMPTY:
        return
    name = townsfolk_at(state, segment)
    facts: dict[str, Fact] = {
        "card": name,
        "price": recruitment.price(state, seat, name),
        "amount": symbols_word(card_symbols(state.box)[name]),
        "brings": reward_word(card(state, name).hired),
    }
    refused = [breach.rule for breach in recruitment.check_dismiss(state, Dismiss(seat))]
    if not refused:
        yield Remark("dismiss", facts)
    elif "dismiss.silver" in refused:
        yield Remark("dismiss_dear", {**facts, "silver": state.has(seat, SILVER)})
    else:
        yield Remark("dismiss_useless", facts)
