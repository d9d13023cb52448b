"""Phase 3: the townsfolk beside a viscount may be dismissed, and lends its symbols to the action."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, SeatNo, Story, broken

from ..box import SILVER
from ..moves import Dismiss, Move
from ..state import State, card, does, segment_with, townsfolk_at
from .actions import actions_here, possible
from .discarding import out_of_the_game
from .effects import apply, off_breaches, pay_goods, some
from .hiring import pile_taken
from .payment import matches


def price(state: State, seat: SeatNo, name: str) -> int:
    silver = card(state, name).silver
    return min(1, silver) if does(state, seat, "dismiss") else silver


def helped(state: State, seat: SeatNo, name: str) -> State:
    """As if somebody had been dismissed and paid for."""
    return replace(pay_goods(state, seat, some(SILVER, price(state, seat, name))), dismissed=name)


def dismiss_moves(state: State) -> Iterator[Move]:
    move = Dismiss(state.turn)
    if not any(True for _ in check_dismiss(state, move)):
        yield move


def check_dismiss(state: State, move: Dismiss) -> Iterator[Breach]:
    seat, name = move.seat, townsfolk_at(state, segment_with(state, move.seat))
    colour, cost = state.colour_of(seat), price(state, seat, name)
    if state.dismissed:
        yield broken("dismiss.once", seat=colour)
        return
    if cost > state.has(seat, SILVER):
        yield broken("dismiss.silver", seat=colour, card=name, price=cost, silver=state.has(seat, SILVER))
        return
    fitting = [action for action in actions_here(state, seat) if matches(state, seat, name, action)]
    if not fitting:
        yield broken("dismiss.symbols", seat=colour, card=name)
    elif not any(possible(helped(state, seat, name), seat, action) for action in fitting):
        yield broken("dismiss.action", seat=colour, card=name)
    yield from off_breaches(state, seat, move.off)


def dismiss(state: State, move: Dismiss, story: Story) -> State:
    seat, segment = move.seat, segment_with(state, move.seat)
    name = townsfolk_at(state, segment)
    colour, cost = state.colour_of(seat), price(state, seat, name)
    story.tell("dismiss.silver", seat=colour, card=name, price=cost, silver=state.has(seat, SILVER))
    if does(state, seat, "dismiss"):
        story.tell("build.second-post", seat=colour)
    state = helped(state, seat, name)
    if state.offer[segment]:
        state = out_of_the_game(pile_taken(state, segment), name)
    else:
        story.tell("hire.printed", seat=colour, card=name)
    story.tell("dismiss.effect", seat=colour, card=name)
    return apply(state, seat, card(state, name).hired, story)
