"""Königsphase: the leader's bonus tile, the points of the king's track, the new order, and markers going back."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.tiletum.state import EMPTY, State
from companion.kernel.rules import Breach, Note, RuleLog, broken, changed

from ..moves import DropFavour, Move, ScoreCrown, SetOrder, TakeFavour
from .goods import add_points, check_room, has_room, point_deviation_breaches, store
from .kings_track import ranking


def last_round(state: State) -> bool:
    return state.round == state.box.rounds - 1


def after_turns(state: State) -> State:
    """Begin the king's phase: the leader takes or discards a tile, if there is one; in the last round there are points
    instead."""
    return replace(state, phase="favour" if any(state.favours) and not last_round(state) else "king")


def favour_moves(state: State) -> Iterator[Move]:
    leader = ranking(state)[0]
    for place, tile in enumerate(state.favours):
        if tile:
            if has_room(state, leader):
                yield TakeFavour(leader, place)
            yield DropFavour(leader, place)


def check_favour(state: State, move: TakeFavour | DropFavour) -> Iterator[Breach]:
    leader = ranking(state)[0]
    if not 0 <= move.place < len(state.favours) or not state.favours[move.place]:
        yield broken("king.favour", seat=state.colour(move.seat))
        return
    if move.seat != leader:
        yield broken("king.leader", seat=state.colour(move.seat), leader=state.colour(leader))


def check_take_favour(state: State, move: TakeFavour) -> Iterator[Breach]:
    found = tuple(check_favour(state, move))
    yield from found
    if not found:
        yield from check_room(state, move.seat)


def take_favour(state: State, move: TakeFavour, log: RuleLog) -> State:
    tile = state.favours[move.place]
    log.tell("king.favour", seat=state.colour(move.seat), tile=tile)
    _tell_tie(state, log)
    return store(_without_favour(state, move.place), move.seat, tile, log)


def drop_favour(state: State, move: DropFavour, log: RuleLog) -> State:
    tile = state.favours[move.place]
    log.tell("king.discard", seat=state.colour(move.seat), tile=tile)
    _tell_tie(state, log)
    return replace(_without_favour(state, move.place), discards=tuple(sorted((*state.discards, tile))))


def _without_favour(state: State, place: int) -> State:
    return replace(state, favours=changed(state.favours, place, EMPTY), phase="king")


def _tell_tie(state: State, log: RuleLog) -> None:
    first, second, *_ = ranking(state)
    if state.crown[first] == state.crown[second]:
        log.tell("king.tie", seat=state.colour(first), field=state.crown[first])


def check_score_crown(state: State, move: ScoreCrown) -> Iterator[Breach]:
    return point_deviation_breaches(state, move.astray, "king.plus")


def score_crown(state: State, _move: ScoreCrown, log: RuleLog) -> State:
    crown = state.box.crown
    if last_round(state):
        leader = ranking(state)[0]
        log.tell("king.last-round", seat=state.colour(leader), points=crown.last_round)
        _tell_tie(state, log)
        source = "score_crown", Note("score.leader", {"round": state.round + 1})
        state = add_points(state, leader, crown.last_round, source, log)
    for seat in range(state.players):
        field = state.crown[seat]
        points = crown.worth(field)
        if points > 0:
            log.tell("king.plus", seat=state.colour(seat), field=field, points=points)
        elif points < 0:
            log.tell("king.minus", seat=state.colour(seat), field=field, points=-points)
        source = "score_crown", Note("score.crown", {"round": state.round + 1, "field": field})
        state = add_points(state, seat, points, source, log)
    return replace(state, phase="order")


def check_set_order(_state: State, _move: SetOrder) -> Iterator[Breach]:
    return iter(())


def set_order(state: State, _move: SetOrder, log: RuleLog) -> State:
    order = ranking(state)
    log.tell("king.order", seats=tuple(state.colour(seat) for seat in order))
    state = replace(state, order=order, phase="fair", stood=state.crown)
    return _back_to_start(state, log)


def _back_to_start(state: State, log: RuleLog) -> State:
    """Move markers behind the start to it, from right to left, so that the one furthest behind lies on top."""
    start = state.box.crown.start
    behind = [seat for seat in state.order if state.crown[seat] < start]
    for seat in behind:
        log.tell("king.reset", seat=state.colour(seat), field=start)
    ahead = tuple(seat for seat in state.stacked if seat not in behind)
    crown = tuple(max(start, field) for field in state.crown)
    return replace(state, crown=crown, stacked=(*ahead, *behind))
