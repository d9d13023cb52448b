"""The actions of a turn, and the king's track."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from companion.games.tiletum.state import NOWHERE, WILD, State, extra_points
from companion.kernel.rules import Breach, RuleLog, SeatNo, broken

from ..box import CROWN, JOKER
from ..moves import Advance, Move
from .goods import action_word, add_action_points, gain_action_points
from .kings_track import step_forward


def open_section(state: State, seat: SeatNo, value: int, log: RuleLog) -> State:
    """Give the action points of the section where the die is used, with those of own markers beside it."""
    points, extra = state.box.wheel.points[value - 1], extra_points(state, seat, state.section)
    log.tell("points.section", seat=state.colour(seat), action=action_word(state.section), points=points)
    if extra:
        log.tell("points.marker", seat=state.colour(seat), action=action_word(state.section), points=extra)
    if state.raised:
        state = gain_action_points(state, seat, state.section, state.raised, log)
    return add_action_points(state, state.section, points + extra)


def action_begun(state: State) -> bool:
    """Whether action points of the die are spent; those of helpers and bonuses may be spent before them."""
    return state.stage == "die_used" and points_left(state) < state.box.wheel.points[state.dice[state.turn][-1][1] - 1]


def available(state: State, action: int) -> int:
    """Return the points that can be spent on an action, with those of the joker and of helpers for any action."""
    own = state.ap[action]
    return own + _can_borrow(state, action) if state.ap[JOKER] or state.ap[WILD] else own


def _can_borrow(state: State, action: int) -> int:
    """Return how many points joker and helpers still have for an action.

    The joker's points are for one action, those of a helper for any. At the table people do not say which they spend,
    so nothing depends on the order of acts: it is enough that the points could be divided so.
    """
    wild, borrowed = state.ap[WILD], state.borrowed
    others = sum(borrowed) - borrowed[action]
    most = _joker_points(state, action) + wild - others if others <= wild else 0
    for other, number in enumerate(borrowed):
        if other != action and number:
            most = max(most, wild - others + min(number, _joker_points(state, other)))
    return max(0, most - borrowed[action])


def _joker_points(state: State, action: int) -> int:
    """Return the joker's points if they are for an action. By a house rule the markers beside that action count too."""
    points = state.ap[JOKER]
    if points and state.section == JOKER and state.options.joker_marker == "chosen_too":
        points += extra_points(state, state.turn, action)
    return points


def joker_is_for(state: State) -> int:
    """Return the action that the joker's points must have been used for; NOWHERE if helpers alone would be enough."""
    if sum(state.borrowed) <= state.ap[WILD]:
        return NOWHERE
    return max(range(len(state.borrowed)), key=lambda action: min(state.borrowed[action], _joker_points(state, action)))


def points_left(state: State) -> int:
    joker = joker_is_for(state)
    extra = 0 if joker == NOWHERE else _joker_points(state, joker) - state.ap[JOKER]
    return sum(state.ap) + extra - sum(state.borrowed)


def check_points(state: State, seat: SeatNo, action: int, points: int) -> Iterator[Breach]:
    have = available(state, action)
    if have >= points:
        return
    joker = joker_is_for(state)
    if joker not in (NOWHERE, action) and have + state.ap[JOKER] >= points:
        yield broken("points.joker", seat=state.colour(seat), action=action_word(joker))
    else:
        word = action_word(action)
        yield broken("points.spend", seat=state.colour(seat), action=word, points=points, have=have)


def spend(state: State, seat: SeatNo, action: int, points: int, log: RuleLog) -> State:
    """Spend the points of the action itself first, then those of joker and helpers."""
    colour, before = state.colour(seat), joker_is_for(state)
    log.tell("points.spend", seat=colour, action=action_word(action), points=points)
    state = add_action_points(state, action, -points)
    joker = joker_is_for(state)
    if joker not in (NOWHERE, before):
        log.tell("points.joker", seat=colour, action=action_word(joker))
        extra = _joker_points(state, joker) - state.ap[JOKER]
        if extra:
            log.tell("points.marker", seat=colour, action=action_word(joker), points=extra)
    return state


def crown_moves(state: State) -> Iterator[Move]:
    points = available(state, CROWN)
    if points:
        room = state.box.crown.last - state.crown[state.turn]
        steps = min(points // state.box.prices.crown, room, _limit(state))
        yield from _advances(state.turn, steps)


@lru_cache(maxsize=256)
def _advances(seat: SeatNo, most: int) -> tuple[Move, ...]:
    return tuple(Advance(seat, steps) for steps in range(1, most + 1))


def _limit(state: State) -> int:
    """Return how many more steps are allowed: by a house rule no more in a turn than the wheel alone gives."""
    most = max(state.box.wheel.points)
    return most - state.advanced if state.options.crown_limit else state.box.crown.last - state.box.crown.lowest


def check_advance(state: State, move: Advance) -> Iterator[Breach]:
    seat = state.colour(move.seat)
    if move.steps < 1:
        yield broken("crown.step", seat=seat)
        return
    if state.crown[move.seat] + move.steps > state.box.crown.last:
        yield broken("crown.last", seat=seat, last=state.box.crown.last)
    if move.steps > _limit(state):
        yield broken("crown.six", seat=seat, most=max(state.box.wheel.points))
    yield from check_points(state, move.seat, CROWN, move.steps * state.box.prices.crown)


def advance(state: State, move: Advance, log: RuleLog) -> State:
    state = spend(state, move.seat, CROWN, move.steps * state.box.prices.crown, log)
    if state.options.crown_limit and state.advanced + move.steps == max(state.box.wheel.points):
        log.tell("crown.six", seat=state.colour(move.seat), most=max(state.box.wheel.points))
    return step_forward(replace(state, advanced=state.advanced + move.steps), move.seat, move.steps, log)
