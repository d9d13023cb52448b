"""Turns: their beginning and end, and the quick actions for an assistant and for another main action.

The other quick actions are in `permits` (swapping) and `councils` (sending an assistant).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.council_of_four.state import State
from companion.kernel.rules import Breach, RuleLog, SeatNo, broken

from ..moves import BuyAction, EndTurn, Hire, Move, Send
from .cards import amount, blame_quick_action, deviation_breaches, draw, gain_assistants, pay_gold, return_assistants
from .councils import elect_moves
from .permits import swap_moves


def quick_moves(state: State) -> Iterator[Move]:
    """Yield all quick actions that the seat can pay for."""
    seat, prices = state.turn, state.box.prices
    if state.gold[seat] >= prices.assistant and state.supply:
        yield Hire(seat)
    yield from swap_moves(state)
    if state.assistants[seat] >= prices.send:
        yield from elect_moves(state, Send)
    if state.assistants[seat] >= prices.main_action:
        yield BuyAction(seat)


def check_hire(state: State, move: Hire) -> Iterator[Breach]:
    """Check that the seat has the gold, and the supply an assistant."""
    price = state.box.prices.assistant
    if state.gold[move.seat] < price:
        yield broken("quick.hire", seat=state.colour(move.seat), has=state.gold[move.seat], price=price)
    if not state.supply:
        yield broken("quick.hire-supply", seat=state.colour(move.seat))
    yield from deviation_breaches(
        state, move.seat, move.off, blame_quick_action(amount("gold", price), amount("assistants", 1))
    )


def hire(state: State, move: Hire, log: RuleLog) -> State:
    """Pay gold for an assistant."""
    log.tell("quick.hire", seat=state.colour(move.seat), gold=state.box.prices.assistant)
    return gain_assistants(pay_gold(state, move.seat, state.box.prices.assistant), move.seat, 1, log)


def check_buy_action(state: State, move: BuyAction) -> Iterator[Breach]:
    """Check that the seat has the assistants."""
    price = state.box.prices.main_action
    if state.assistants[move.seat] < price:
        yield broken("quick.main", seat=state.colour(move.seat), has=state.assistants[move.seat], price=price)
    yield from deviation_breaches(
        state, move.seat, move.off, blame_quick_action(amount("assistants", price), amount("main", 1))
    )


def buy_action(state: State, move: BuyAction, log: RuleLog) -> State:
    """Return assistants for another main action."""
    log.tell("quick.main", seat=state.colour(move.seat), assistants=state.box.prices.main_action)
    return replace(return_assistants(state, move.seat, state.box.prices.main_action), main=state.main + 1)


def begin_turn(state: State, seat: SeatNo, log: RuleLog) -> State:
    """Begin a seat's turn, and draw a card."""
    log.tell("turn.order", seat=state.colour(seat), round=state.round)
    state = replace(state, turn=seat, main=1, acted=False, quick=False, choices=())
    return draw(state, seat, 1, log)


def count_main_action(state: State, log: RuleLog) -> State:
    """Count a main action of this turn."""
    log.tell("turn.main", seat=state.colour(state.turn), left=state.main - 1)
    return replace(state, main=state.main - 1, acted=True)


def count_quick_action(state: State, log: RuleLog) -> State:
    """Count the quick action of this turn."""
    log.tell("turn.quick", seat=state.colour(state.turn))
    if not state.acted:
        log.tell("turn.any-order", seat=state.colour(state.turn))
    return replace(state, quick=True)


def end_turn_moves(state: State) -> Iterator[Move]:
    """Yield the end of the turn once it is allowed."""
    if state.acted and not state.choices:
        yield EndTurn(state.turn)


def check_end_turn(state: State, move: EndTurn) -> Iterator[Breach]:
    """Check that a main action was done."""
    if not state.acted:
        yield broken("turn.must", seat=state.colour(move.seat))


def end_turn(state: State, move: EndTurn, log: RuleLog) -> State:
    """Give the turn to the next seat; the game is over when the seat that ended it would be next."""
    following = (move.seat + 1) % state.players
    if following == state.ending:
        log.tell("end.over", seat=state.colour(state.ending))
        return replace(state, phase="over", main=0, quick=False, acted=False)
    again = following == state.options.first
    return begin_turn(replace(state, round=state.round + again), following, log)
