"""The king's track: markers that go forward and back, and stacks in which the lower one counts as ahead."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from companion.games.tiletum.state import HIDDEN, State, without
from companion.kernel.rules import Breach, RuleLog, SeatNo, broken, changed

from ..moves import Move, Reveal


def ranking(state: State) -> tuple[SeatNo, ...]:
    """Return the seats from the front; in a stack the lower marker is ahead."""
    return tuple(sorted(range(state.players), key=lambda seat: (-state.crown[seat], state.stacked.index(seat))))


def step_forward(state: State, seat: SeatNo, steps: int, log: RuleLog) -> State:
    """Move a marker forward, at most to the end of the track; on a field with others it lies on top."""
    last = state.box.crown.last
    field = min(state.crown[seat] + steps, last)
    if field == state.crown[seat]:
        log.tell("crown.last", seat=state.colour(seat), last=last)
        return state
    log.tell("crown.step", seat=state.colour(seat), field=field)
    return replace(state, crown=changed(state.crown, seat, field), stacked=(*without(state.stacked, seat), seat))


# Corruption


def reveal_due(state: State) -> bool:
    """Whether the start player still has to turn up a corruption marker in this turn."""
    hidden = state.corruption.count(HIDDEN)
    return state.turn == state.order[0] and len(state.corruption) - hidden == state.lap and hidden > 0


def next_marker(state: State) -> int:
    """Return the place of the rightmost marker that lies face down."""
    return max((place for place, value in enumerate(state.corruption) if value == HIDDEN), default=-1)


@lru_cache(maxsize=256)
def _hidden_values(markers: tuple[int, ...], shown: tuple[int, ...]) -> tuple[int, ...]:
    left = list(markers)
    for value in shown:
        if value in left:
            left.remove(value)
    return tuple(sorted(set(left)))


def hidden_values(state: State) -> tuple[int, ...]:
    """Return the values that a marker that lies face down may have."""
    return _hidden_values(state.box.corruption.markers, tuple(value for value in state.corruption if value != HIDDEN))


def reveal_moves(state: State) -> Iterator[Move]:
    if reveal_due(state):
        place = next_marker(state)
        yield from (Reveal(place, value) for value in hidden_values(state))


def check_reveal(state: State, move: Reveal) -> Iterator[Breach]:
    if not reveal_due(state):
        yield broken("corruption.reveal", seat=state.colour(state.order[0]))
        return
    if move.place != next_marker(state):
        yield broken("corruption.rightmost", place=next_marker(state) + 1)
    if move.value not in hidden_values(state):
        yield broken("corruption.markers", value=move.value)


def reveal(state: State, move: Reveal, log: RuleLog) -> State:
    log.tell("corruption.reveal", seat=state.colour(state.turn), value=move.value)
    log.tell("corruption.rightmost", place=move.place + 1)
    state = replace(state, corruption=changed(state.corruption, move.place, move.value))
    return move_all_back(state, move.value, log) if move.value else state


def move_all_back(state: State, steps: int, log: RuleLog) -> State:
    """Move all markers back, whole stacks at a time from the left: the first to arrive on a field lies below."""
    lowest = state.box.crown.lowest
    log.tell("corruption.back", steps=steps)
    for seat, field in enumerate(state.crown):
        if field - steps < lowest:
            log.tell("corruption.left-end", seat=state.colour(seat))
    stacked = tuple(sorted(state.stacked, key=lambda seat: state.crown[seat]))
    return replace(state, crown=tuple(max(lowest, field - steps) for field in state.crown), stacked=stacked)
