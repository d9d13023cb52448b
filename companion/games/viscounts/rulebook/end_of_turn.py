"""The end of a turn: collisions of virtue and corruption, and drawing cards."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, RuleLog, SeatNo, broken

from ..box import Effect
from ..components import rival_does
from ..moves import Collide, DrawUp, Move
from ..state import (
    NOBODY,
    NONE,
    Due,
    State,
    clockwise,
    collided,
    criminals,
    does,
    hand_at_least,
    row_cards,
)
from . import solo
from .deck import with_hand
from .effects import apply, apply_all, off_breaches, parted, purify, put_first, reshuffled


def collide_moves(state: State) -> Iterator[Move]:
    if collided(state, state.turn):
        yield Collide(state.turn)


def check_collide(state: State, move: Collide) -> Iterator[Breach]:
    if not collided(state, move.seat):
        yield broken("collision.due", seat=state.colour_of(move.seat))
        return
    yield from off_breaches(state, move.seat, move.off)


def collide(state: State, move: Collide, log: RuleLog) -> State:
    """Second workshops, then townsfolk on all boards; the rewards wait until that is done."""
    log.tell("collision.due", seat=state.colour_of(move.seat))
    phase = state.phase if move.seat == state.rival else "drawing"
    state = put_first(replace(state, phase=phase), Due(move.seat, "reward"))
    everybody = clockwise(state, move.seat)
    for seat in everybody:
        if does(state, seat, "virtue"):
            if criminals(state, seat):
                log.tell("collision.criminal", seat=state.colour_of(seat))
            else:
                log.tell("collision.workshop", seat=state.colour_of(seat))
                state = purify(state, seat, 1, log)
    found: list[tuple[SeatNo, Effect]] = []
    if state.rival != NOBODY and has_collision_slot(state) and not criminals(state, state.rival):
        found.append((state.rival, Effect(flip_debt=1)))
    found += [
        (seat, card.collision) for seat in everybody for card in row_cards(state, seat) if card.collision != Effect()
    ]
    for seat, _ in found:
        log.tell("collision.townsfolk", seat=state.colour_of(seat))
    return apply_all(state, found, log)


def has_collision_slot(state: State) -> bool:
    """Whether the solo game's opponent flips a debt with every collision."""
    return "collision" in rival_does(state.box, state.options.opponent, state.built[state.rival])


def rewarded(state: State, due: Due, log: RuleLog) -> State:
    """Step 3: what stands above the field of both markers. The same field counts for the others."""
    field = state.corruption[due.seat]
    log.tell("collision.reward", seat=state.colour_of(due.seat), field=field)
    state = put_first(state, Due(due.seat, "others", where=field))
    if due.seat == state.rival:
        return apply(state, due.seat, state.box.solo.track.fields[field - 1], log)
    return apply(state, due.seat, state.box.track.fields[field - 1].gains, log)


def others_rewarded(state: State, due: Due, log: RuleLog) -> State:
    """Step 4: what stands below it, for all others of whom it is true."""
    facts = state.box.track.fields[due.where - 1]
    got = [
        seat
        for seat in clockwise(state, due.seat)[1:]
        if facts.criminals == "any" or (facts.criminals == "some") == bool(criminals(state, seat))
    ]
    for seat in got:
        log.tell("collision.others", seat=state.colour_of(seat), field=due.where)
    state = put_first(state, Due(due.seat, "part"))
    return apply_all(state, ((seat, facts.others) for seat in got), log)


def markers_parted(state: State, due: Due, log: RuleLog) -> State:
    log.tell("collision.part", seat=state.colour_of(due.seat))
    return parted(state, due.seat)


def hand_limit(state: State, seat: SeatNo) -> int:
    return state.box.hand + does(state, seat, "hand") + (state.leader == seat)


def draw_moves(state: State) -> Iterator[Move]:
    if state.phase == "drawing" or not collided(state, state.turn):
        yield DrawUp(state.turn)


def check_draw(state: State, move: DrawUp) -> Iterator[Breach]:
    if state.phase != "drawing" and collided(state, move.seat):
        yield broken("collision.must", seat=state.colour_of(move.seat))
    yield from off_breaches(state, move.seat, move.off)


def draw_up(state: State, move: DrawUp, log: RuleLog) -> State:
    return turn_over(drawn(state, move.seat, log), log)


def drawn(state: State, seat: SeatNo, log: RuleLog) -> State:
    limit = hand_limit(state, seat)
    if limit > state.box.hand:
        log.tell("draw.limit", seat=state.colour_of(seat), cards=limit)
    least, most = hand_at_least(state, seat), state.hands[seat]
    if limit > len(state.hidden[seat]) and state.discards[seat]:
        state = reshuffled(state, seat, log)
    full = min(limit, len(state.hidden[seat]))
    if least > full:
        log.tell("draw.over", seat=state.colour_of(seat), cards=limit)
    elif most <= full:
        log.tell("draw.cards", seat=state.colour_of(seat), cards=full)
    return with_hand(state, seat, max(least, full), max(most, full))


def rivals_turn_over(state: State, _due: Due, log: RuleLog) -> State:
    return turn_over(state, log)


def turn_over(state: State, log: RuleLog) -> State:
    """The next seat clockwise; after the last one of the last round nobody."""
    seat = (state.turn + 1) % state.players
    if seat != first_seat(state):
        return turn_of(state, seat, log)
    if state.round == state.last_round:
        log.tell("end.rounds", rounds=state.round + 1)
        log.tell("end.abilities")
        return replace(state, phase="over", played=NONE, dismissed=NONE)
    if state.last_round >= 0:
        log.tell("end.last")
    return turn_of(replace(state, round=state.round + 1), seat, log)


def first_seat(state: State) -> SeatNo:
    """Who begins; in the solo game always the player."""
    return 0 if state.rival != NOBODY else state.options.first


def turn_of(state: State, seat: SeatNo, log: RuleLog) -> State:
    """A turn begins; an empty player board has nothing to slide."""
    if seat == state.rival:
        return solo.begun(state, log)
    log.tell("turn.order", seat=state.colour_of(seat), round=state.round + 1)
    phase = "sliding" if any(state.rows[seat]) else "playing"
    return replace(state, phase=phase, turn=seat, played=NONE, dismissed=NONE)
