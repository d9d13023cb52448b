"""Turns: main and quick actions, and passing on."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, SeatNo, broken

from ..moves import BuyAction, EndTurn, Hire, Move, Send
from ..state import RuleLog, State
from .cards import amount, costs, dismiss, draw, hire, off_breaches, pay
from .councils import elect_moves
from .permits import swap_moves


def quick_moves(state: State) -> Iterator[Move]:
    seat, prices = state.turn, state.box.prices
    if state.gold[seat] >= prices.assistant and state.supply:
        yield Hire(seat)
    yield from swap_moves(state)
    if state.assistants[seat] >= prices.send:
        yield from elect_moves(state, Send)
    if state.assistants[seat] >= prices.main_action:
        yield BuyAction(seat)


def check_hire(state: State, move: Hire) -> Iterator[Breach]:
    price = state.box.prices.assistant
    if state.gold[move.seat] < price:
        yield broken("quick.hire", seat=state.colour(move.seat), has=state.gold[move.seat], price=price)
    if not state.supply:
        yield broken("quick.hire-supply", seat=state.colour(move.seat))
    yield from off_breaches(state, move.seat, move.off, costs(amount("gold", price), amount("assistants", 1)))


def hire_one(state: State, move: Hire, log: RuleLog) -> State:
    log.tell("quick.hire", seat=state.colour(move.seat), gold=state.box.prices.assistant)
    return hire(pay(state, move.seat, state.box.prices.assistant), move.seat, 1, log)


def check_buy_action(state: State, move: BuyAction) -> Iterator[Breach]:
    price = state.box.prices.main_action
    if state.assistants[move.seat] < price:
        yield broken("quick.main", seat=state.colour(move.seat), has=state.assistants[move.seat], price=price)
    yield from off_breaches(state, move.seat, move.off, costs(amount("assistants", price), amount("main", 1)))


def buy_action(state: State, move: BuyAction, log: RuleLog) -> State:
    log.tell("quick.main", seat=state.colour(move.seat), assistants=state.box.prices.main_action)
    return replace(dismiss(state, move.seat, state.box.prices.main_action), main=state.main + 1)


def begin_turn(state: State, seat: SeatNo, log: RuleLog) -> State:
    log.tell("turn.order", seat=state.colour(seat), round=state.round)
    state = replace(state, turn=seat, main=1, acted=False, quick=False, choices=())
    return draw(state, seat, 1, log)


def done_main(state: State, log: RuleLog) -> State:
    log.tell("turn.main", seat=state.colour(state.turn), left=state.main - 1)
    return replace(state, main=state.main - 1, acted=True)


def done_quick(state: State, log: RuleLog) -> State:
    log.tell("turn.quick", seat=state.colour(state.turn))
    if not state.acted:
        log.tell("turn.any-order", seat=state.colour(state.turn))
    return replace(state, quick=True)


def end_turn_moves(state: State) -> Iterator[Move]:
    if state.acted and not state.choices:
        yield EndTurn(state.turn)


def check_end_turn(state: State, move: EndTurn) -> Iterator[Breach]:
    if not state.acted:
        yield broken("turn.must", seat=state.colour(move.seat))


def end_turn(state: State, move: EndTurn, log: RuleLog) -> State:
    following = (move.seat + 1) % state.players
    if following == state.ending:
        log.tell("end.over", seat=state.colour(state.ending))
        return replace(state, phase="over", main=0, quick=False, acted=False)
    again = following == state.options.first
    return begin_turn(replace(state, round=state.round + again), following, log)
