"""The end of a turn: collisions of virtue and corruption, and drawing cards."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, RuleLog, SeatNo, broken

from ..box import Effect
from ..components import rival_abilities
from ..moves import Collide, DrawUp, Move
from ..state import (
    EMPTY,
    NO_SEAT,
    Due,
    State,
    clockwise,
    criminals,
    hand_at_least,
    has_ability,
    has_collided,
    row_cards,
)
from . import solo
from .deck import with_hand
from .effects import apply, apply_all, deviation_breaches, purify, put_first, reshuffle, separate_markers


def collide_moves(state: State) -> Iterator[Move]:
    if has_collided(state, state.turn):
        yield Collide(state.turn)


def check_collide(state: State, move: Collide) -> Iterator[Breach]:
    if not has_collided(state, move.seat):
        yield broken("collision.due", seat=state.colour(move.seat))
        return
    yield from deviation_breaches(state, move.seat, move.off)


def collide(state: State, move: Collide, log: RuleLog) -> State:
    """Resolve a collision: second workshops, then townsfolk on all boards; the rewards come after that."""
    log.tell("collision.due", seat=state.colour(move.seat))
    phase = state.phase if move.seat == state.rival else "drawing"
    state = put_first(replace(state, phase=phase), Due(move.seat, "reward"))
    seats = clockwise(state, move.seat)
    for seat in seats:
        if has_ability(state, seat, "virtue"):
            if criminals(state, seat):
                log.tell("collision.criminal", seat=state.colour(seat))
            else:
                log.tell("collision.workshop", seat=state.colour(seat))
                state = purify(state, seat, 1, log)
    found: list[tuple[SeatNo, Effect]] = []
    if state.rival != NO_SEAT and has_collision_slot(state) and not criminals(state, state.rival):
        found.append((state.rival, Effect(flip_debt=1)))
    found += [(seat, card.collision) for seat in seats for card in row_cards(state, seat) if card.collision != Effect()]
    for seat, _ in found:
        log.tell("collision.townsfolk", seat=state.colour(seat))
    return apply_all(state, found, log)


def has_collision_slot(state: State) -> bool:
    """Whether the solo game's opponent flips a debt with every collision."""
    return "collision" in rival_abilities(state.box, state.options.opponent, state.built[state.rival])


def gain_collision_reward(state: State, due: Due, log: RuleLog) -> State:
    """Step 3: give what stands above the field of both markers. The same field counts for the other seats."""
    field = state.corruption[due.seat]
    log.tell("collision.reward", seat=state.colour(due.seat), field=field)
    state = put_first(state, Due(due.seat, "others", where=field))
    if due.seat == state.rival:
        return apply(state, due.seat, state.box.solo.track.fields[field - 1], log)
    return apply(state, due.seat, state.box.track.fields[field - 1].gains, log)


def reward_others(state: State, due: Due, log: RuleLog) -> State:
    """Step 4: give what stands below the field to all other seats that fulfil its condition."""
    facts = state.box.track.fields[due.where - 1]
    got = [
        seat
        for seat in clockwise(state, due.seat)[1:]
        if facts.criminals == "any" or (facts.criminals == "some") == bool(criminals(state, seat))
    ]
    for seat in got:
        log.tell("collision.others", seat=state.colour(seat), field=due.where)
    state = put_first(state, Due(due.seat, "part"))
    return apply_all(state, ((seat, facts.others) for seat in got), log)


def end_collision(state: State, due: Due, log: RuleLog) -> State:
    log.tell("collision.part", seat=state.colour(due.seat))
    return separate_markers(state, due.seat)


def hand_limit(state: State, seat: SeatNo) -> int:
    return state.box.hand + has_ability(state, seat, "hand") + (state.leader == seat)


def draw_moves(state: State) -> Iterator[Move]:
    if state.phase == "drawing" or not has_collided(state, state.turn):
        yield DrawUp(state.turn)


def check_draw(state: State, move: DrawUp) -> Iterator[Breach]:
    if state.phase != "drawing" and has_collided(state, move.seat):
        yield broken("collision.must", seat=state.colour(move.seat))
    yield from deviation_breaches(state, move.seat, move.off)


def draw_up(state: State, move: DrawUp, log: RuleLog) -> State:
    return next_turn(fill_hand(state, move.seat, log), log)


def fill_hand(state: State, seat: SeatNo, log: RuleLog) -> State:
    limit = hand_limit(state, seat)
    if limit > state.box.hand:
        log.tell("draw.limit", seat=state.colour(seat), cards=limit)
    least, most = hand_at_least(state, seat), state.hands[seat]
    if limit > len(state.hidden[seat]) and state.discards[seat]:
        state = reshuffle(state, seat, log)
    full = min(limit, len(state.hidden[seat]))
    if least > full:
        log.tell("draw.over", seat=state.colour(seat), cards=limit)
    elif most <= full:
        log.tell("draw.cards", seat=state.colour(seat), cards=full)
    return with_hand(state, seat, max(least, full), max(most, full))


def end_rival_turn(state: State, _due: Due, log: RuleLog) -> State:
    return next_turn(state, log)


def next_turn(state: State, log: RuleLog) -> State:
    """Begin the turn of the next seat clockwise; after the last seat of the last round the game is over."""
    seat = (state.turn + 1) % state.players
    if seat != first_seat(state):
        return begin_turn(state, seat, log)
    if state.round == state.last_round:
        log.tell("end.rounds", rounds=state.round + 1)
        log.tell("end.abilities")
        return replace(state, phase="over", played=EMPTY, dismissed=EMPTY)
    if state.last_round >= 0:
        log.tell("end.last")
    return begin_turn(replace(state, round=state.round + 1), seat, log)


def first_seat(state: State) -> SeatNo:
    """Return the seat that begins; in the solo game always the player."""
    return 0 if state.rival != NO_SEAT else state.options.first


def begin_turn(state: State, seat: SeatNo, log: RuleLog) -> State:
    """Begin a turn; an empty player board has nothing to slide."""
    if seat == state.rival:
        return solo.begin_turn(state, log)
    log.tell("turn.order", seat=state.colour(seat), round=state.round + 1)
    phase = "sliding" if any(state.rows[seat]) else "playing"
    return replace(state, phase=phase, turn=seat, played=EMPTY, dismissed=EMPTY)
