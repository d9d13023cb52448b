"""Quick actions that need no councillor and no permit: an assistant for gold, a main action for assistants."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, broken

from ..moves import BuyAction, Hire, Move, Send
from ..state import State, Story
from .councils import elect_moves
from .gains import amount, costs, dismiss, hire, off_breaches, pay
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


def hire_one(state: State, move: Hire, story: Story) -> State:
    story.tell("quick.hire", seat=state.colour(move.seat), gold=state.box.prices.assistant)
    return hire(pay(state, move.seat, state.box.prices.assistant), move.seat, 1, story)


def check_buy_action(state: State, move: BuyAction) -> Iterator[Breach]:
    price = state.box.prices.main_action
    if state.assistants[move.seat] < price:
        yield broken("quick.main", seat=state.colour(move.seat), has=state.assistants[move.seat], price=price)
    yield from off_breaches(state, move.seat, move.off, costs(amount("assistants", price), amount("main", 1)))


def buy_action(state: State, move: BuyAction, story: Story) -> State:
    story.tell("quick.main", seat=state.colour(move.seat), assistants=state.box.prices.main_action)
    return replace(dismiss(state, move.seat, state.box.prices.main_action), main=state.main + 1)
