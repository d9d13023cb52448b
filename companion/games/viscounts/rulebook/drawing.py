"""Phase 6: Karten nachziehen. Up to the limit, from the pile, and from the discards when the pile is empty."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, SeatNo, Story, broken

from ..moves import DrawUp, Move
from ..state import NOBODY, NONE, Due, State, collided, does, hand_at_least
from . import solo
from .deck import with_hand
from .effects import off_breaches, reshuffled


def hand_limit(state: State, seat: SeatNo) -> int:
    return state.box.hand + does(state, seat, "hand") + (state.leader == seat)


def draw_moves(state: State) -> Iterator[Move]:
    if state.phase == "drawing" or not collided(state, state.turn):
        yield DrawUp(state.turn)


def check_draw(state: State, move: DrawUp) -> Iterator[Breach]:
    if state.phase != "drawing" and collided(state, move.seat):
        yield broken("collision.must", seat=state.colour_of(move.seat))
    yield from off_breaches(state, move.seat, move.off)


def draw_up(state: State, move: DrawUp, story: Story) -> State:
    return turn_over(drawn(state, move.seat, story), story)


def drawn(state: State, seat: SeatNo, story: Story) -> State:
    limit = hand_limit(state, seat)
    if limit > state.box.hand:
        story.tell("draw.limit", seat=state.colour_of(seat), cards=limit)
    least, most = hand_at_least(state, seat), state.hands[seat]
    if limit > len(state.hidden[seat]) and state.discards[seat]:
        state = reshuffled(state, seat, story)
    full = min(limit, len(state.hidden[seat]))
    if least > full:
        story.tell("draw.over", seat=state.colour_of(seat), cards=limit)
    elif most <= full:
        story.tell("draw.cards", seat=state.colour_of(seat), cards=full)
    return with_hand(state, seat, max(least, full), max(most, full))


def rivals_turn_over(state: State, _due: Due, story: Story) -> State:
    return turn_over(state, story)


def turn_over(state: State, story: Story) -> State:
    """The next seat clockwise; after the last one of the last round nobody."""
    seat = (state.turn + 1) % state.players
    if seat != first_seat(state):
        return turn_of(state, seat, story)
    if state.round == state.last_round:
        story.tell("end.rounds", rounds=state.round + 1)
        story.tell("end.abilities")
        return replace(state, phase="over", played=NONE, dismissed=NONE)
    if state.last_round >= 0:
        story.tell("end.last")
    return turn_of(replace(state, round=state.round + 1), seat, story)


def first_seat(state: State) -> SeatNo:
    """Who begins; in the solo game always the player."""
    return 0 if state.rival != NOBODY else state.options.first


def turn_of(state: State, seat: SeatNo, story: Story) -> State:
    """A turn begins; an empty player board has nothing to slide."""
    if seat == state.rival:
        return solo.begun(state, story)
    story.tell("turn.order", seat=state.colour_of(seat), round=state.round + 1)
    phase = "sliding" if any(state.rows[seat]) else "playing"
    return replace(state, phase=phase, turn=seat, played=NONE, dismissed=NONE)
