"""Architektur and Händler: figures walk, build pillars and houses, and fetch bonus tiles."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec
from msgspec.structs import replace

from companion.games.tiletum.state import (
    EMPTY,
    NO_SEAT,
    NOT_FREE,
    CurrentWalk,
    State,
    free_house_places,
    houses_in_stock,
    pillars_in_stock,
)
from companion.kernel.rules import Breach, Fact, Note, RuleLog, SeatNo, broken, changed

from ..box import ARCHITECT, MERCHANT, Box, Figure
from ..components import board_map, cities
from ..moves import NO_BUILDING, Move, PutHouse, PutPillar, TakeFromCity, Walk
from .actions import available, check_points, spend
from .goods import add_action_points, blame_reward, check_room, deviation_breaches, gain, has_room, store
from .guests import repeat_bonuses

FIGURES: Final[tuple[Figure, ...]] = ("architect", "merchant")
ACTION_OF: Final[dict[Figure, int]] = {"architect": ARCHITECT, "merchant": MERCHANT}


def city_of(state: State, seat: SeatNo, figure: Figure) -> int:
    """Return the city where a figure stands."""
    return (state.architects if figure == "architect" else state.merchants)[seat]


def architect_moves(state: State) -> Iterator[Move]:
    seat, points = state.turn, available(state, ARCHITECT)
    yield from _walk_moves(state, "architect")
    here, prices = state.architects[seat], state.box.prices
    for city in _building_sites(state, "architect", here):
        if may_put_pillar(state, seat, city):
            yield PutPillar(seat, city)
    city = here
    if points >= prices.tile and state.city_tiles[city] and has_room(state, seat):
        yield TakeFromCity(seat, city, "architect")


def merchant_moves(state: State) -> Iterator[Move]:
    seat, points = state.turn, available(state, MERCHANT)
    yield from _walk_moves(state, "merchant")
    here, prices = state.merchants[seat], state.box.prices
    for city in _building_sites(state, "merchant", here) if houses_in_stock(state, seat) > 0 else ():
        for place in free_house_places(state, city) if seat not in state.houses[city] else ():
            if state.houses[city][place] == NO_SEAT:
                yield from (PutHouse(seat, city, place, one) for one in house_buildings(state, seat, city, place))
    city = here
    if points >= prices.tile and state.city_tiles[city] and has_room(state, seat):
        yield TakeFromCity(seat, city, "merchant")


def _building_sites(state: State, figure: Figure, here: int) -> Iterable[int]:
    """Return the cities where a pillar or a house can be paid for, or is free."""
    if may_build(state, figure, here=False):
        return [city for city in range(len(state.houses)) if city != here or may_build(state, figure, here=True)]
    return (here,) if may_build(state, figure, here=True) else ()


def house_buildings(state: State, seat: SeatNo, city: int, place: int) -> tuple[int, ...]:
    """Return the buildings to choose from for a place that repeats the bonuses of a building's guests."""
    inhabited = tuple(building for building, rooms in enumerate(state.rooms[seat]) if any(rooms))
    return inhabited if cities(state.box)[city].houses[place].again and inhabited else (NO_BUILDING,)


def before_walk(state: State, seat: SeatNo, figure: Figure) -> tuple[State, int]:
    """Return the state before the current walk, as far as action points go, and the city where it began."""
    number = FIGURES.index(figure)
    way = state.ways[number]
    if way is None or seat != state.turn:
        return state, city_of(state, seat, figure)
    free = changed(state.free, number, state.free[number] + (way.steps or 0))
    saved = state.saved if isinstance(way.saved, msgspec.UnsetType) else changed(state.saved, number, way.saved)
    before = replace(_end_walk(state, figure), free=free, saved=saved)
    return add_action_points(before, ACTION_OF[figure], way.points), way.city


class WalkCost(NamedTuple):
    """What a walk costs: action points, free steps, and how many steps the free walk saves from then on."""

    points: int
    steps: int
    saved: int


def walk_cost(state: State, figure: Figure, far: int) -> WalkCost:
    """Return the cost of a walk. The longest walk since a free one was given is the free one; the others are paid."""
    number = FIGURES.index(figure)
    saved = state.saved[number]
    left = far if saved == NOT_FREE else min(far, saved)
    steps = min(left, state.free[number])
    return WalkCost((left - steps) * state.box.prices.walk, steps, saved if saved == NOT_FREE else max(far, saved))


def _end_walk(state: State, figure: Figure) -> State:
    """End the current walk: a later one counts separately."""
    return replace(state, ways=changed(state.ways, FIGURES.index(figure), None)) if any(state.ways) else state


def _walk_moves(state: State, figure: Figure) -> Iterator[Move]:
    before, start = before_walk(state, state.turn, figure)
    number = FIGURES.index(figure)
    steps = available(before, ACTION_OF[figure]) // state.box.prices.walk + before.free[number]
    if NOT_FREE < before.saved[number] <= steps:
        steps = len(state.houses)  # a walk of any length is free, and the earlier ones can be paid
    if steps:
        yield from _walks(state.box, state.turn, figure, start, steps, city_of(state, state.turn, figure))


@lru_cache(maxsize=4096)
def _walks(box: Box, seat: SeatNo, figure: Figure, start: int, steps: int, here: int) -> tuple[Move, ...]:
    far = board_map(box).far[start]
    return tuple(Walk(seat, figure, city) for city, way in enumerate(far) if way <= steps and city != here)


def check_walk(state: State, move: Walk) -> Iterator[Breach]:
    if not state.is_city(move.city):
        yield broken("walk.city", city=state.city_name(move.city))
        return
    if move.city == city_of(state, move.seat, move.figure):
        facts: dict[str, Fact] = {"figure": figure_word(move.figure), "city": state.city_name(move.city)}
        yield broken("walk.here", seat=state.colour(move.seat), **facts)
        return
    before, start = before_walk(state, move.seat, move.figure)
    price = walk_cost(before, move.figure, state.map.far[start][move.city]).points
    yield from check_points(before, move.seat, ACTION_OF[move.figure], price)


def walk(state: State, move: Walk, log: RuleLog) -> State:
    """Move a figure. Until it does something in its city it may continue or turn back: the way counts from its
    start."""
    before, start = before_walk(state, move.seat, move.figure)
    steps, city = state.map.far[start][move.city], state.city_name(move.city)
    if before is not state:
        log.tell("walk.on", seat=state.colour(move.seat), city=state.city_name(start))
    state = move_figure(before, move.seat, move.figure, move.city)
    if not steps:
        return state
    number, price = FIGURES.index(move.figure), walk_cost(state, move.figure, steps)
    before_it = msgspec.UNSET if state.saved[number] == NOT_FREE else state.saved[number]
    way = CurrentWalk(start, price.points, price.steps or msgspec.UNSET, before_it)
    if price.points:
        state = spend(state, move.seat, ACTION_OF[move.figure], price.points, log)
    if price.points < steps * state.box.prices.walk:
        log.tell("points.free", seat=state.colour(move.seat))
    rule = "architect.walk" if move.figure == "architect" else "merchant.walk"
    log.tell(rule, seat=state.colour(move.seat), city=city, steps=steps)
    free, saved = (
        changed(state.free, number, state.free[number] - price.steps),
        changed(state.saved, number, price.saved),
    )
    return replace(state, ways=changed(state.ways, number, way), free=free, saved=saved)


def move_figure(state: State, seat: SeatNo, figure: Figure, city: int) -> State:
    if figure == "architect":
        return replace(state, architects=changed(state.architects, seat, city))
    return replace(state, merchants=changed(state.merchants, seat, city))


# Pillars and houses that a bonus gives


def use_free_building(state: State, figure: Figure, here: bool) -> State | None:
    """Return the state after a free pillar or house is used, in the figure's city or elsewhere; None if there is none.

    A pillar or house for any city that was built in the figure's city may later count as paid with an action point, and
    is free again then: people do not say which one they used.
    """
    number, price = FIGURES.index(figure), _price(state, figure)
    where_it_stands, anywhere = 2 + number, 4 + number
    if here and state.free[where_it_stands]:
        return replace(state, free=changed(state.free, where_it_stands, state.free[where_it_stands] - 1))
    if state.free[anywhere]:
        lent = changed(state.lent, number, state.lent[number] + here)
        return replace(state, free=changed(state.free, anywhere, state.free[anywhere] - 1), lent=lent)
    if not here and state.lent[number] and available(state, ACTION_OF[figure]) >= price:
        return replace(state, lent=changed(state.lent, number, state.lent[number] - 1))
    return None


def _price(state: State, figure: Figure) -> int:
    return state.box.prices.pillar if figure == "architect" else state.box.prices.house


def may_build(state: State, figure: Figure, here: bool) -> bool:
    """Whether a bonus or an action point is left for a building."""
    if use_free_building(state, figure, here) is not None:
        return True
    return here and available(state, ACTION_OF[figure]) >= _price(state, figure)


def _check_building(state: State, seat: SeatNo, city: int, figure: Figure) -> Iterator[Breach]:
    """Check that it is built where the figure stands for an action point, or by a bonus."""
    here = city_of(state, seat, figure) == city
    if use_free_building(state, figure, here) is None:
        yield from _check_standing(state, seat, city, figure)
        yield from check_points(state, seat, ACTION_OF[figure], _price(state, figure))


def _pay_for_building(state: State, seat: SeatNo, city: int, figure: Figure, log: RuleLog) -> State:
    """Pay for a pillar or a house."""
    here = city_of(state, seat, figure) == city
    free = use_free_building(state, figure, here)
    if here:
        state = _end_walk(state, figure)
        free = use_free_building(state, figure, here)
    if free is None:
        return spend(state, seat, ACTION_OF[figure], _price(state, figure), log)
    if sum(free.free) == sum(state.free):  # the earlier one counts as paid now
        return spend(free, seat, ACTION_OF[figure], _price(state, figure), log)
    log.tell("points.free", seat=state.colour(seat))
    return free


def _check_standing(state: State, seat: SeatNo, city: int, figure: Figure) -> Iterator[Breach]:
    """Check that a figure acts in its own city."""
    if city_of(state, seat, figure) != city:
        yield broken("walk.stands", seat=state.colour(seat), figure=figure_word(figure), city=state.city_name(city))


def figure_word(figure: str) -> str:
    return f"figure {figure}"


# Pillars


def may_put_pillar(state: State, seat: SeatNo, city: int) -> bool:
    bits = state.pillars[city]
    return (
        bits.bit_count() < cities(state.box)[city].pillars
        and not bits >> seat & 1
        and pillars_in_stock(state, seat) > 0
    )


def check_put_pillar(state: State, move: PutPillar) -> Iterator[Breach]:
    if not state.is_city(move.city):
        yield broken("walk.city", city=state.city_name(move.city))
        return
    city, seat = move.city, state.colour(move.seat)
    name, bits = state.city_name(city), state.pillars[city]
    places = cities(state.box)[city].pillars
    if not places:
        yield broken("architect.cathedral", city=name)
        return
    if bits >> move.seat & 1:
        yield broken("architect.once", seat=seat, city=name)
    elif bits.bit_count() >= places:
        yield broken("architect.room", city=name, places=places)
    if pillars_in_stock(state, move.seat) <= 0:
        yield broken("architect.stock", seat=seat)
    yield from _check_building(state, move.seat, move.city, "architect")


def put_pillar(state: State, move: PutPillar, log: RuleLog) -> State:
    state = _pay_for_building(state, move.seat, move.city, "architect", log)
    log.tell("architect.pillar", seat=state.colour(move.seat), city=state.city_name(move.city))
    return build_pillar(state, move.seat, move.city)


def build_pillar(state: State, seat: SeatNo, city: int) -> State:
    return replace(state, pillars=changed(state.pillars, city, state.pillars[city] | 1 << seat))


# Houses


def check_put_house(state: State, move: PutHouse) -> Iterator[Breach]:
    if not state.is_city(move.city):
        yield broken("walk.city", city=state.city_name(move.city))
        return
    city, seat = move.city, state.colour(move.seat)
    name, places = state.city_name(city), free_house_places(state, city)
    if move.place not in places or state.houses[city][move.place] != NO_SEAT:
        yield broken("merchant.room", city=name, place=move.place + 1)
    elif move.building not in (buildings := house_buildings(state, move.seat, city, move.place)):
        again = int(NO_BUILDING not in buildings)
        yield broken("merchant.building", city=name, place=move.place + 1, again=again)
    if move.seat in state.houses[city]:
        yield broken("merchant.once", seat=seat, city=name)
    if houses_in_stock(state, move.seat) <= 0:
        yield broken("merchant.stock", seat=seat)
    yield from _check_building(state, move.seat, move.city, "merchant")
    yield from deviation_breaches(state, move.seat, move.off, blame_reward)


def put_house(state: State, move: PutHouse, log: RuleLog) -> State:
    state = _pay_for_building(state, move.seat, move.city, "merchant", log)
    city = state.city_name(move.city)
    log.tell("merchant.house", seat=state.colour(move.seat), city=city, place=move.place + 1)
    return build_house(state, move, log)


def build_house(state: State, move: PutHouse, log: RuleLog) -> State:
    """Put up a house, with the reward of its place."""
    seat, city, place = move.seat, move.city, move.place
    owners = changed(state.houses[city], place, seat)
    state = replace(state, houses=changed(state.houses, city, owners))
    source = "score_place", Note("score.place", {"city": state.city_name(city)})
    state = gain(state, seat, cities(state.box)[city].houses[place], source, log)
    return state if move.building == NO_BUILDING else repeat_bonuses(state, seat, move.building, source, log)


# Bonus tiles of the map


def check_take_from_city(state: State, move: TakeFromCity) -> Iterator[Breach]:
    if not state.is_city(move.city):
        yield broken("walk.city", city=state.city_name(move.city))
        return
    yield from _check_standing(state, move.seat, move.city, move.figure)
    if not state.city_tiles[move.city]:
        yield broken("city.tile", city=state.city_name(move.city))
        return
    yield from check_room(state, move.seat)
    yield from check_points(state, move.seat, ACTION_OF[move.figure], state.box.prices.tile)


def take_from_city(state: State, move: TakeFromCity, log: RuleLog) -> State:
    tile = state.city_tiles[move.city]
    state = spend(_end_walk(state, move.figure), move.seat, ACTION_OF[move.figure], state.box.prices.tile, log)
    log.tell("city.tile", seat=state.colour(move.seat), tile=tile, city=state.city_name(move.city))
    return store(replace(state, city_tiles=changed(state.city_tiles, move.city, EMPTY)), move.seat, tile, log)
