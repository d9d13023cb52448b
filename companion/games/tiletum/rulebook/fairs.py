"""Messephase: each seat with a house or its merchant in the city of the fair scores the fair tile."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.tiletum.state import State, finished_buildings, full_buildings, houses_on_map, pillars_on_map
from companion.kernel.rules import Breach, Fact, Note, RuleLog, SeatNo

from ..box import Counted
from ..moves import HoldFair
from .goods import add_points, point_deviation_breaches
from .king_phase import last_round


def takes_part(state: State, seat: SeatNo) -> bool:
    venue = state.venues[state.round]
    return state.merchants[seat] == venue or seat in state.houses[venue]


def count_of(state: State, seat: SeatNo, what: Counted) -> int:
    """Return how many of something a fair tile counts for a seat."""
    match what:
        case "house":
            return houses_on_map(state, seat)
        case "pillar":
            return pillars_on_map(state, seat)
        case "contract":
            return len(state.fulfilled[seat])
        case "crest":
            return sum(map(bool, state.crests[seat]))
        case "cathedral":
            return sum(seat in joined for joined in state.joined)
        case "building" if state.options.fair_buildings == "with_crest":
            return finished_buildings(state, seat)
        case "building":
            return full_buildings(state, seat)
        case "upper_guest":
            return _upper_guests(state, seat)


def _upper_guests(state: State, seat: SeatNo) -> int:
    return sum(
        bool(guest) and floor > 1
        for rooms, floors in zip(state.rooms[seat], state.box.buildings.floors, strict=True)
        for guest, floor in zip(rooms, floors, strict=True)
    )


def fair_points(state: State, seat: SeatNo, name: str) -> int:
    """Return what a fair tile brings.

    The tile of the king's track counts the field of a marker before markers behind the start went back there, which may
    cost points; by a house rule the field after that.
    """
    fair, crown = state.box.fairs[name], state.box.crown
    if _counts_before_reset(state, name):
        return fair.points + crown.worth((state.stood or state.crown)[seat])
    if fair.crown:
        return fair.points + crown.worth(max(state.crown[seat], crown.start))
    return fair.points * min(count_of(state, seat, what) for what in fair.per)


def _counts_before_reset(state: State, name: str) -> bool:
    return state.box.fairs[name].crown and state.options.fair_crown == "before_reset"


def check_hold_fair(state: State, move: HoldFair) -> Iterator[Breach]:
    return point_deviation_breaches(state, move.astray, "fair.points")


def hold_fair(state: State, _move: HoldFair, log: RuleLog) -> State:
    name, venue = state.fairs[state.round], state.city_name(state.venues[state.round])
    for seat in range(state.players):
        if not takes_part(state, seat):
            log.tell("fair.absent", seat=state.colour(seat), city=venue)
            continue
        points = fair_points(state, seat, name)
        log.tell("fair.present", seat=state.colour(seat), city=venue)
        if _counts_before_reset(state, name) and state.stood and state.stood[seat] != state.crown[seat]:
            log.tell("fair.crown", seat=state.colour(seat), field=state.stood[seat])
        log.tell("fair.points", seat=state.colour(seat), fair=fair_word(name), points=points)
        facts: dict[str, Fact] = {"round": state.round + 1, "city": venue, "fair": fair_word(name)}
        state = add_points(state, seat, points, ("score_fair", Note("score.fair", facts)), log)
    state = replace(state, stood=())
    if last_round(state):
        log.tell("end.over", round=state.round + 1)
        return replace(state, phase="over")
    return replace(state, phase="tidying")


def fair_word(name: str) -> str:
    return f"fair {name}"
