"""Arbeiter einsetzen: three rings of five sections, workers who climb, and others who are pushed off.

Three own workers in a section of the first ring make one of them climb, and the other two move to both sides; in the
second ring one climbs and the others stay. When no more workers have to climb, crowded sections push workers off.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, RuleLog, SeatNo, broken, changed

from ..components import section_word
from ..moves import FREE, Climb, Employ, Move, Push, Shift
from ..state import NO_SEAT, Due, State, section_at, segment_with, workers_left
from .effects import apply, deviation_breaches, goods_word, pay_goods, put_first
from .payment import check_pays, payments, strength

FIRST, SECOND = 1, 2
"""The rings from which workers climb and are pushed."""


# Putting workers in


def employ_moves(state: State, seat: SeatNo) -> Iterator[Move]:
    section = section_at(state, segment_with(state, seat))
    left = workers_left(state, seat)
    for number, nobles in enumerate(state.box.employing.nobles[:left], start=1):
        for pays in payments(state, seat, "workers", nobles):
            yield Employ(seat, number, section, pays)


def check_employ(state: State, move: Employ) -> Iterator[Breach]:
    seat, nobles = state.colour(move.seat), state.box.employing.nobles
    if not 1 <= move.number <= len(nobles):
        yield broken("workers.most", seat=seat, number=len(nobles))
        return
    if move.number > workers_left(state, move.seat):
        yield broken("workers.left", seat=seat, workers=workers_left(state, move.seat))
    if move.section != section_at(state, segment_with(state, move.seat)):
        section = section_word(section_at(state, segment_with(state, move.seat)))
        yield broken("workers.beside", seat=seat, section=section)
    need = nobles[move.number - 1]
    for breach in check_pays(state, move.seat, "workers.nobles", move.pays, need, "workers"):
        yield broken(breach.rule, **breach.facts, number=move.number)
    yield from deviation_breaches(state, move.seat, move.off)


def employ(state: State, move: Employ, log: RuleLog) -> State:
    facts = {"number": move.number, "needs": state.box.employing.nobles[move.number - 1]}
    facts["has"] = strength(state, move.seat, "workers")
    log.tell("workers.nobles", seat=state.colour(move.seat), pays=goods_word(move.pays), **facts)
    return put_workers(pay_goods(state, move.seat, move.pays), move)


def free_employ_moves(state: State, seat: SeatNo, number: int) -> Iterator[Move]:
    here = min(number, workers_left(state, seat))
    if here:
        yield from (Employ(seat, here, section) for section in range(len(state.order)))


def check_free_employ(state: State, move: Employ, number: int) -> Iterator[Breach]:
    here = min(number, workers_left(state, move.seat))
    if move.number != here or not 0 <= move.section < len(state.order):
        yield broken("symbol.workers", seat=state.colour(move.seat), workers=here)
    if move.pays != FREE:
        yield broken("action.free", seat=state.colour(move.seat), pays=goods_word(move.pays))
    yield from deviation_breaches(state, move.seat, move.off)


def free_employ(state: State, move: Employ, log: RuleLog) -> State:
    log.tell("symbol.workers", seat=state.colour(move.seat), workers=move.number)
    return put_workers(state, move)


def put_workers(state: State, move: Employ) -> State:
    return mark_castle_due(with_workers(state, FIRST, move.section, move.seat, move.number), move.seat)


def with_workers(state: State, ring: int, section: int, seat: SeatNo, more: int) -> State:
    """Return the state with more (or, negative, fewer) workers in a section."""
    here = state.rings[ring - 1]
    workers = changed(here[section], seat, here[section][seat] + more)
    first, second = changed(state.rings, ring - 1, changed(here, section, workers))
    return replace(state, rings=(first, second))


def mark_castle_due(state: State, seat: SeatNo) -> State:
    """Note that a seat's workers have moved, so that they may have to climb."""
    if any(due.what == "castle" and due.seat == seat for group in state.due for due in group):
        return state
    return put_first(state, Due(seat, "castle"))


# One worker moves


def shift_moves(state: State, seat: SeatNo) -> Iterator[Move]:
    sections = len(state.order)
    for section in range(sections):
        if state.rings[0][section][seat]:
            yield Shift(seat, section, (section + 1) % sections)
            yield Shift(seat, section, (section - 1) % sections)


def check_shift(state: State, move: Shift) -> Iterator[Breach]:
    seat, sections = state.colour(move.seat), len(state.order)
    if not 0 <= move.section < sections or not state.rings[0][move.section][move.seat]:
        yield broken("symbol.move", seat=seat)
    elif (move.to - move.section) % sections not in (1, sections - 1) or not 0 <= move.to < sections:
        yield broken("symbol.neighbour", seat=seat)


def shift(state: State, move: Shift, log: RuleLog) -> State:
    log.tell("symbol.move", seat=state.colour(move.seat))
    state = with_workers(state, FIRST, move.section, move.seat, -1)
    return mark_castle_due(with_workers(state, FIRST, move.to, move.seat, 1), move.seat)


# Climbing and pushing


def climbers(state: State, seat: SeatNo, ring: int) -> list[int]:
    """Return the sections of a ring where a seat's workers have to climb."""
    return [section for section, workers in enumerate(state.rings[ring - 1]) if workers[seat] >= state.box.castle.climb]


def crowded(state: State) -> list[tuple[int, int]]:
    """Return rings and sections with too many workers."""
    return [
        (ring, section)
        for ring in (FIRST, SECOND)
        for section, workers in enumerate(state.rings[ring - 1])
        if sum(workers) > state.box.castle.limit
    ]


def is_settled(state: State, seat: SeatNo) -> bool:
    """Whether no worker has to climb or to be pushed off."""
    return not (climbers(state, seat, FIRST) or climbers(state, seat, SECOND) or crowded(state))


def castle_moves(state: State, seat: SeatNo) -> Iterator[Move]:
    """Yield the next climbs or pushes: the first ring before the second, pushes last; sections in any order."""
    for ring in (FIRST, SECOND):
        sections = climbers(state, seat, ring)
        if sections:
            yield from (Climb(seat, ring, section) for section in sections)
            return
    for ring, section in crowded(state):
        workers = state.rings[ring - 1][section]
        yield from (Push(seat, ring, section, owner) for owner, number in enumerate(workers) if number)


def check_climb(state: State, move: Climb) -> Iterator[Breach]:
    seat = state.colour(move.seat)
    if move.ring not in (FIRST, SECOND) or not 0 <= move.section < len(state.order):
        yield broken("workers.climb", seat=seat, workers=0)
        return
    workers = state.rings[move.ring - 1][move.section][move.seat]
    if workers < state.box.castle.climb:
        yield broken("workers.climb" if move.ring == FIRST else "workers.third", seat=seat, workers=workers)
    elif move.ring == SECOND and climbers(state, move.seat, FIRST):
        yield broken("workers.order", seat=seat)
    yield from deviation_breaches(state, move.seat, move.off)


def climb(state: State, move: Climb, log: RuleLog) -> State:
    seat, section = move.seat, move.section
    if seat != state.turn:
        log.tell("workers.active", seat=state.colour(seat), next=state.colour(state.turn))
    number = len(climbers(state, seat, move.ring))
    if number > 1 and seat != state.rival:
        log.tell("workers.choice", seat=state.colour(seat), sections=number)
    if move.ring == SECOND:
        return _climb_to_top(state, move, log)
    log.tell("workers.climb", seat=state.colour(seat), workers=state.rings[0][section][seat])
    sections = len(state.order)
    state = with_workers(state, FIRST, section, seat, -state.box.castle.climb)
    state = with_workers(state, SECOND, section, seat, 1)
    for beside in ((section + 1) % sections, (section - 1) % sections):
        state = with_workers(state, FIRST, beside, seat, 1)
    log.tell("workers.reward", seat=state.colour(seat))
    return apply(state, seat, state.box.castle.sections[section], log)


def _climb_to_top(state: State, move: Climb, log: RuleLog) -> State:
    seat = move.seat
    log.tell("workers.third", seat=state.colour(seat), workers=state.rings[1][move.section][seat])
    state = with_workers(state, SECOND, move.section, seat, -1)
    state = replace(state, top=changed(state.top, seat, state.top[seat] + 1))
    holder = state.leader
    if holder == NO_SEAT or (holder != seat and state.top[seat] > state.top[holder]):
        log.tell("workers.leader", seat=state.colour(seat), workers=state.top[seat])
        state = replace(state, leader=seat)
    return apply(state, seat, state.box.castle.third, log)


def check_push(state: State, move: Push) -> Iterator[Breach]:
    seat = state.colour(move.seat)
    if climbers(state, move.seat, FIRST) or climbers(state, move.seat, SECOND):
        yield broken("workers.order", seat=seat)
        return
    if move.ring not in (FIRST, SECOND) or not 0 <= move.section < len(state.order):
        yield broken("workers.push", seat=seat, most=state.box.castle.limit, number=0)
        return
    workers = state.rings[move.ring - 1][move.section]
    if (move.ring, move.section) not in crowded(state):
        yield broken("workers.push", seat=seat, most=state.box.castle.limit, number=sum(workers))
    elif not 0 <= move.owner < len(workers) or not workers[move.owner]:
        yield broken("workers.absent", seat=seat, owner=state.colour(move.owner))


def push(state: State, move: Push, log: RuleLog) -> State:
    log.tell("workers.push", seat=state.colour(move.seat), owner=state.colour(move.owner))
    state = with_workers(state, move.ring, move.section, move.owner, -1)
    log.tell("workers.pushed", seat=state.colour(move.owner), ring=move.ring)
    return apply(state, move.owner, state.box.castle.pushed[move.ring - 1], log)
