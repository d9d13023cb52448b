"""A round: dice are rolled, turns are taken, and the board is prepared for the next round."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from companion.games.tiletum.state import (
    HIDDEN,
    NO_DEBTS,
    NO_FREE,
    NO_FREE_WALKS,
    NO_POINTS,
    NO_WAYS,
    NONE_LENT,
    NOWHERE,
    State,
    dice_missing,
    in_bag,
    section_for,
    section_value,
)
from companion.kernel.rules import Breach, RuleLog, SeatNo, broken

from ..box import ACTIONS, PIPS
from ..moves import EndTurn, Move, PutDie, TidyUp
from .actions import action_begun, points_left
from .contracts import start_refill
from .goods import action_word, has_room
from .guests import markers_due
from .king_phase import after_turns
from .setup import tiles_due


def die_label(colour: str, value: int) -> str:
    return f"die {colour} {value}"


def die_word(colour: str) -> str:
    """Return a die by its colour; the prefix tells it from a player's colour."""
    return f"die {colour}"


@lru_cache(maxsize=256)
def _put_dice(colours: tuple[str, ...], sections: tuple[int, ...]) -> tuple[Move, ...]:
    return tuple(
        PutDie(section, colour, value) for colour in colours for value, section in enumerate(sections, start=1)
    )


def roll_moves(state: State) -> Iterator[Move]:
    sections = tuple(section_for(state, value) for value in range(1, PIPS + 1))
    return iter(_put_dice(in_bag(state), sections))


def check_put_die(state: State, move: PutDie) -> Iterator[Breach]:
    if move.colour not in state.box.dice.colours or not 1 <= move.value <= PIPS:
        yield broken("roll.bag", die=die_word(move.colour))
        return
    if move.colour not in in_bag(state):
        yield broken("roll.bag", die=die_word(move.colour))
    if not 0 <= move.section < len(ACTIONS) or section_value(state, move.section) != move.value:
        right = section_for(state, move.value)
        yield broken("roll.sorted", die=die_word(move.colour), value=move.value, section=action_word(right))


def put_die(state: State, move: PutDie, log: RuleLog) -> State:
    die, section = die_word(move.colour), action_word(move.section)
    log.tell("roll.bag", die=die, value=move.value)
    log.tell("roll.sorted", die=die, value=move.value, section=section)
    wheel = tuple(sorted((*state.wheel, (move.section, move.colour, move.value))))
    state = replace(state, wheel=wheel)
    if dice_missing(state):
        return state
    log.tell("roll.dice", dice=len(wheel), players=state.players)
    return begin_turn(replace(state, phase="turn", lap=0), state.order[0], log)


def begin_turn(state: State, seat: SeatNo, log: RuleLog) -> State:
    log.tell("turn.order", seat=state.colour(seat), round=state.round + 1, turn=state.lap + 1)
    return replace(
        state,
        turn=seat,
        stage="no_die",
        recoloured=False,
        raised=0,
        section=NOWHERE,
        ap=NO_POINTS,
        borrowed=NO_DEBTS,
        ways=NO_WAYS,
        free=NO_FREE,
        lent=NONE_LENT,
        saved=NO_FREE_WALKS,
        advanced=0,
        swapped=False,
        owed=0,
    )


def end_turn_moves(state: State) -> Iterator[Move]:
    move = EndTurn(state.turn)
    if not any(True for _ in check_end_turn(state, move)):
        yield move


def check_end_turn(state: State, move: EndTurn) -> Iterator[Breach]:
    seat = state.colour(move.seat)
    if state.stage != "die_used":
        yield broken("turn.die", seat=seat)
        return
    if state.owed:
        yield broken("bonus.choice", seat=seat, goods=state.owed)
    if any(True for _ in markers_due(state, move.seat)):
        yield broken("guest.marker", seat=seat)
    if must_take_tile(state):
        yield broken("tile.must", seat=seat, tile=state.section_tiles[state.section])


def must_take_tile(state: State) -> bool:
    """Whether the tile of the section has to be taken before the turn ends."""
    return not state.options.leave_tile and may_take_tile(state)


def may_take_tile(state: State) -> bool:
    """Whether the tile of the section may still be taken."""
    if not state.section_tiles[state.section] or not has_room(state, state.turn):
        return False
    return not (state.options.section_tile == "before_action" and action_begun(state))


def end_turn(state: State, move: EndTurn, log: RuleLog) -> State:
    left = points_left(state)
    if left:
        log.tell("points.lost", seat=state.colour(move.seat), points=left)
    state = start_refill(state, log)
    place = state.order.index(move.seat) + 1
    if place < state.players:
        return begin_turn(state, state.order[place], log)
    state = replace(state, lap=state.lap + 1)
    if state.lap < state.box.turns:
        return begin_turn(state, state.order[0], log)
    log.tell("turn.three", round=state.round + 1, turns=state.lap)
    state = replace(state, ap=NO_POINTS, borrowed=NO_DEBTS, ways=NO_WAYS, stage="no_die")
    return after_turns(replace(state, free=NO_FREE, lent=NONE_LENT, saved=NO_FREE_WALKS))


def check_tidy_up(_state: State, _move: TidyUp) -> Iterator[Breach]:
    return iter(())


def tidy_up(state: State, _move: TidyUp, log: RuleLog) -> State:
    dice = len(state.wheel) + sum(map(len, state.dice))
    log.tell("tidy.dice", dice=dice)
    log.tell("tidy.corruption", markers=state.box.corruption.laid)
    log.tell("tidy.wheel")
    state = replace(
        state,
        wheel=(),
        dice=((),) * state.players,
        corruption=(HIDDEN,) * state.box.corruption.laid,
        turned=state.turned + 1,
        round=state.round + 1,
        phase="refilling",
    )
    return state if tiles_due(state) else replace(state, phase="rolling")
