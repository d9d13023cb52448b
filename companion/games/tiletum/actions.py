"""Action points: what a section gives, what is spent, the joker, and what the markers of buildings add."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.rules import Breach, SeatNo, broken

from .box import JOKER
from .gains import action_word
from .state import NOWHERE, WILD, State, Story, changed, extra_points


def open_section(state: State, seat: SeatNo, value: int, story: Story) -> State:
    """The points of the section where the die is used, with those of own markers beside it."""
    points, extra = state.box.wheel.points[value - 1], extra_points(state, seat, state.section)
    story.tell("points.section", seat=state.colour_of(seat), action=action_word(state.section), points=points)
    if extra:
        story.tell("points.marker", seat=state.colour_of(seat), action=action_word(state.section), points=extra)
    have = state.ap[state.section] + points + extra
    return replace(state, ap=changed(state.ap, state.section, have))


def available(state: State, action: int) -> int:
    """The points that can be spent on an action, with those of the joker and of helpers for anything."""
    own = state.ap[action] + state.ap[WILD]
    if state.ap[JOKER] and state.joker in (NOWHERE, action):
        return own + state.ap[JOKER] + _chosen_too(state, action)
    return own


def _chosen_too(state: State, action: int) -> int:
    """By a house rule the markers beside the action that a joker stands for count as well, once it is chosen."""
    if state.joker != NOWHERE or state.section != JOKER or state.options.joker_marker != "chosen_too":
        return 0
    return extra_points(state, state.turn, action)


def check_points(state: State, seat: SeatNo, action: int, points: int) -> Iterator[Breach]:
    have = available(state, action)
    if have >= points:
        return
    if state.ap[JOKER] and state.joker not in (NOWHERE, action) and have + state.ap[JOKER] >= points:
        yield broken("points.joker", seat=state.colour_of(seat), action=action_word(state.joker))
    else:
        word = action_word(action)
        yield broken("points.spend", seat=state.colour_of(seat), action=word, points=points, have=have)


def spend(state: State, seat: SeatNo, action: int, points: int, story: Story) -> State:
    """First the points of the action itself, then what binds nobody, then the joker's: those are bound from then on."""
    word, ap, left = action_word(action), list(state.ap), points
    pools = (action, JOKER, WILD) if state.joker == action else (action, WILD)
    for pool in pools:
        used = min(left, ap[pool])
        ap[pool] -= used
        left -= used
    state = replace(state, ap=tuple(ap), acted=True)
    story.tell("points.spend", seat=state.colour_of(seat), action=word, points=points)
    return _bound(state, seat, action, left, story) if left else state


def _bound(state: State, seat: SeatNo, action: int, points: int, story: Story) -> State:
    """The joker's points are used for an action for the first time."""
    extra, word = _chosen_too(state, action), action_word(action)
    story.tell("points.joker", seat=state.colour_of(seat), action=word)
    if extra:
        story.tell("points.marker", seat=state.colour_of(seat), action=word, points=extra)
    return replace(state, ap=changed(state.ap, JOKER, state.ap[JOKER] + extra - points), joker=action)
