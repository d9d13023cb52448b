"""Schuldscheine und Urkunden: debts are paid and deeds approved by turning them over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from msgspec.structs import replace

from companion.kernel.rules import Breach, RuleLog, SeatNo, broken, changed

from ..box import GOODS, RESOURCES, Effect
from ..moves import FREE, Flip, Move, Paper, TakeGood
from ..state import State, row_cards
from .effects import add_goods, apply_all, goods_of, goods_word

PAID = Effect(any=1)
KINDS: Final[dict[str, tuple[Paper, ...]]] = {
    "flip": ("debt", "deed"),
    "flip_debt": ("debt",),
    "flip_deed": ("deed",),
}
"""The kinds of paper that a task allows to be turned over."""


def papers(state: State, seat: SeatNo, what: str) -> list[Paper]:
    """Return the kinds of paper that a seat can turn over."""
    lying: dict[Paper, int] = {"debt": state.debts[seat][0], "deed": state.deeds[seat][0]}
    return [paper for paper in KINDS[what] if lying[paper]]


def flip_moves(state: State, seat: SeatNo, what: str) -> Iterator[Move]:
    yield from (Flip(seat, paper) for paper in papers(state, seat, what))


def check_flip(state: State, move: Flip, what: str) -> Iterator[Breach]:
    seat = state.colour(move.seat)
    if move.paper not in KINDS[what]:
        yield broken("symbol.flip", seat=seat, paper=move.paper, right=KINDS[what][0])
    elif move.paper not in papers(state, move.seat, what):
        yield broken("debt.flip" if move.paper == "debt" else "deed.flip", seat=seat)
    if move.pays != FREE:
        yield broken("action.free", seat=seat, pays=goods_word(move.pays))


def flip(state: State, move: Flip, log: RuleLog) -> State:
    seat, colour = move.seat, state.colour(move.seat)
    if move.paper == "deed":
        acquired, approved = state.deeds[seat]
        log.tell("deed.flip", seat=colour)
        return replace(state, deeds=changed(state.deeds, seat, (acquired - 1, approved + 1)))
    unpaid, paid = state.debts[seat]
    log.tell("debt.flip", seat=colour)
    state = replace(state, debts=changed(state.debts, seat, (unpaid - 1, paid + 1)))
    found = [card.on_flip for card in row_cards(state, seat) if card.on_flip != Effect()]
    if found:
        log.tell("debt.collector", seat=colour)
    return apply_all(state, ((seat, effect) for effect in (PAID, *found)), log)


# A resource of one's choice


def good_moves(seat: SeatNo) -> Iterator[Move]:
    yield from (TakeGood(seat, good) for good in RESOURCES)


def check_good(state: State, move: TakeGood) -> Iterator[Breach]:
    if move.good not in RESOURCES:
        yield broken("symbol.any", seat=state.colour(move.seat), good=move.good)


def take_good(state: State, move: TakeGood, log: RuleLog) -> State:
    log.tell("symbol.any", seat=state.colour(move.seat), good=move.good)
    good = next(number for number, name in enumerate(GOODS) if name == move.good)
    return add_goods(state, move.seat, goods_of(good, 1))
