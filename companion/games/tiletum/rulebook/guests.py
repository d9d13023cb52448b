"""Gast: guests come to the offer, to the warehouse and into rooms; finished buildings bring their markers."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from companion.games.tiletum.state import EMPTY, NOWHERE, State, guest_stack, is_finished, is_full
from companion.kernel.rules import Breach, Fact, Note, RuleLog, SeatNo, broken, changed

from ..box import ACTIONS, GUEST
from ..components import all_guests, character_of, section_of
from ..moves import Lodge, Move, OfferGuest, PutMarker, SweepGuests, TakeGuest
from .actions import available, check_points, spend
from .goods import (
    Source,
    action_word,
    check_room,
    deviation_breaches,
    gain,
    gain_action_points,
    has_room,
    out_of_warehouse,
    store,
)

# The offer


def guests_due(state: State) -> bool:
    """Whether guests have to be turned up."""
    return EMPTY in state.guests and bool(guest_stack(state))


def offer_guest_moves(state: State) -> Iterator[Move]:
    if EMPTY in state.guests:
        stack = guest_stack(state)
        for place, guest in enumerate(state.guests):
            if not guest:
                yield from _offers(place, stack)


@lru_cache(maxsize=1024)
def _offers(place: int, guests: tuple[str, ...]) -> tuple[Move, ...]:
    return tuple(OfferGuest(place, guest) for guest in guests)


def check_offer_guest(state: State, move: OfferGuest) -> Iterator[Breach]:
    if not 0 <= move.place < len(state.guests) or state.guests[move.place]:
        yield broken("setup.place", where="where guests", place=move.place + 1)
        return
    if move.guest not in guest_stack(state):
        yield broken("setup.once", tile=move.guest)


def offer_guest(state: State, move: OfferGuest, log: RuleLog) -> State:
    log.tell("setup.guests" if state.phase == "lots" else "guest.refill", guest=move.guest)
    if move.guest in state.aside:
        log.tell("guest.too-few", guests=len(state.aside))
        state = replace(state, aside=())
    state = replace(state, guests=changed(state.guests, move.place, move.guest))
    return mix_back(state, log)


def mix_back(state: State, log: RuleLog) -> State:
    """Put the discarded guests back into the stack once the offer is full."""
    if state.aside and EMPTY not in state.guests:
        log.tell("guest.mixed-back", guests=len(state.aside))
        return replace(state, aside=())
    return state


def guest_moves(state: State) -> Iterator[Move]:
    """Yield what guest points can buy."""
    points, seat, prices = available(state, GUEST), state.turn, state.box.prices
    if not points:
        return
    if not guests_due(state):
        if points >= prices.guest and has_room(state, seat):
            yield from (TakeGuest(seat, place) for place, guest in enumerate(state.guests) if guest)
        if points >= prices.sweep and any(state.guests):
            yield SweepGuests(seat)
    for guest in state.warehouse[seat]:
        if guest in all_guests(state.box):
            yield from _lodge_moves(state, seat, guest, points)


def check_take_guest(state: State, move: TakeGuest) -> Iterator[Breach]:
    if not 0 <= move.place < len(state.guests) or not state.guests[move.place]:
        yield broken("guest.take", place=move.place + 1)
        return
    if guests_due(state):
        yield broken("guest.refill")
    yield from check_room(state, move.seat)
    yield from check_points(state, move.seat, GUEST, state.box.prices.guest)


def take_guest(state: State, move: TakeGuest, log: RuleLog) -> State:
    guest = state.guests[move.place]
    state = spend(state, move.seat, GUEST, state.box.prices.guest, log)
    log.tell("guest.take", seat=state.colour(move.seat), guest=guest)
    state = replace(state, guests=changed(state.guests, move.place, EMPTY))
    return _tell_if_none_left(store(state, move.seat, guest, log), log)


def _tell_if_none_left(state: State, log: RuleLog) -> State:
    if EMPTY in state.guests and not guest_stack(state):
        log.tell("guest.none-left")
    return state


def check_sweep_guests(state: State, move: SweepGuests) -> Iterator[Breach]:
    if not any(state.guests):
        yield broken("guest.sweep")
        return
    if guests_due(state):
        yield broken("guest.refill")
    yield from check_points(state, move.seat, GUEST, state.box.prices.sweep)


def sweep_guests(state: State, move: SweepGuests, log: RuleLog) -> State:
    gone = tuple(guest for guest in state.guests if guest)
    state = spend(state, move.seat, GUEST, state.box.prices.sweep, log)
    log.tell("guest.sweep", seat=state.colour(move.seat), guests=len(gone))
    return clear_offer(state)


def clear_offer(state: State) -> State:
    gone = tuple(guest for guest in state.guests if guest)
    return replace(state, guests=(EMPTY,) * len(state.guests), aside=tuple(sorted((*state.aside, *gone))))


# Rooms


def building_with(state: State, seat: SeatNo, character: str) -> int:
    """Return the building where a seat's guests of a character live; NOWHERE if there are none."""
    for building, rooms in enumerate(state.rooms[seat]):
        if any(guest and character_of(state.box, guest) == character for guest in rooms):
            return building
    return NOWHERE


def _lodge_moves(state: State, seat: SeatNo, guest: str, points: int) -> Iterator[Move]:
    home = building_with(state, seat, character_of(state.box, guest))
    for building, floors in enumerate(state.box.buildings.floors):
        if home in (NOWHERE, building):
            for room, floor in enumerate(floors):
                if floor <= points and not state.rooms[seat][building][room]:
                    yield Lodge(seat, guest, building, floor)


def check_lodge(state: State, move: Lodge) -> Iterator[Breach]:
    seat = state.colour(move.seat)
    if move.guest not in all_guests(state.box) or move.guest not in state.warehouse[move.seat]:
        yield broken("warehouse.own", seat=seat, tile=move.guest)
        return
    floors = state.box.buildings.floors[move.building] if 0 <= move.building < len(state.box.buildings.floors) else ()
    if move.floor not in floors or state.rooms[move.seat][move.building][floors.index(move.floor)]:
        yield broken("guest.room", seat=seat, building=move.building + 1, floor=move.floor)
        return
    character = character_of(state.box, move.guest)
    home = building_with(state, move.seat, character)
    if home not in (NOWHERE, move.building):
        yield broken("guest.same", seat=seat, character=character, building=home + 1)
    yield from check_points(state, move.seat, GUEST, move.floor)
    yield from deviation_breaches(state, move.seat, move.off, lambda _what, _by: "guest.bonus")


def lodge(state: State, move: Lodge, log: RuleLog) -> State:
    state = spend(state, move.seat, GUEST, move.floor, log)
    facts = {"seat": state.colour(move.seat), "guest": move.guest}
    log.tell("guest.lodge", **facts, building=move.building + 1, floor=move.floor, points=move.floor)
    character = character_of(state.box, move.guest)
    if building_with(state, move.seat, character) == move.building:
        log.tell("guest.same", seat=facts["seat"], character=character, building=move.building + 1)
    return move_in(out_of_warehouse(state, move.seat, move.guest), move, log)


def move_in(state: State, move: Lodge, log: RuleLog) -> State:
    """Put a guest into a room, with its bonus, and take the house of the roof for the last room."""
    seat, building = state.colour(move.seat), move.building
    room = state.box.buildings.floors[building].index(move.floor)
    rooms = changed(state.rooms[move.seat][building], room, move.guest)
    state = replace(state, rooms=changed(state.rooms, move.seat, changed(state.rooms[move.seat], building, rooms)))
    log.tell("guest.bonus", seat=seat, guest=move.guest)
    source = "score_guest", Note("score.guest", {"guest": move.guest})
    state = gain(state, move.seat, all_guests(state.box)[move.guest][1].bonus, source, log)
    if is_full(state, move.seat, building) and building < state.box.buildings.roofs:
        log.tell("guest.roof", seat=seat, building=building + 1)
    return state


def repeat_bonuses(state: State, seat: SeatNo, building: int, source: Source, log: RuleLog) -> State:
    """Give the bonuses of a building's guests once more."""
    log.tell("helper.again", seat=state.colour(seat), building=building + 1)
    for guest in filter(None, state.rooms[seat][building]):
        state = gain(state, seat, all_guests(state.box)[guest][1].bonus, source, log)
    return state


# Finished buildings


def markers_due(state: State, seat: SeatNo) -> Iterator[int]:
    """Yield the finished buildings whose marker is not laid out yet."""
    for building, section in enumerate(state.markers[seat]):
        if section == NOWHERE and state.box.buildings.markers[building] and is_finished(state, seat, building):
            yield building


def possible_sections(state: State, seat: SeatNo, building: int) -> tuple[int, ...]:
    """Return the sections where the marker of a building may lie: those of its guests."""
    return tuple(sorted({section_of(state.box, guest) for guest in state.rooms[seat][building] if guest}))


def marker_moves(state: State) -> Iterator[Move]:
    seat = state.turn
    for building in markers_due(state, seat):
        yield from (PutMarker(seat, building, section) for section in possible_sections(state, seat, building))


def check_put_marker(state: State, move: PutMarker) -> Iterator[Breach]:
    seat = state.colour(move.seat)
    if move.building not in markers_due(state, move.seat):
        yield broken("guest.finished", seat=seat, building=move.building + 1)
        return
    if move.section not in possible_sections(state, move.seat, move.building):
        yield broken("guest.section", section=action_word(move.section), building=move.building + 1)


def put_marker(state: State, move: PutMarker, log: RuleLog) -> State:
    seat, amount = state.colour(move.seat), state.box.buildings.markers[move.building]
    facts: dict[str, Fact] = {"seat": seat, "building": move.building + 1}
    log.tell("guest.marker", **facts, points=amount, section=ACTIONS[move.section])
    if len(possible_sections(state, move.seat, move.building)) > 1:
        log.tell("guest.section", **facts, section=ACTIONS[move.section])
    mine = changed(state.markers[move.seat], move.building, move.section)
    state = replace(state, markers=changed(state.markers, move.seat, mine))
    if state.options.marker_at_once and state.stage == "die_used" and move.section == state.section:
        return gain_action_points(state, move.seat, move.section, amount, log)
    return state
