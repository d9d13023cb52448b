"""Architektur and Händler: figures walk, put up pillars and houses, and bring bonus tiles home."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from msgspec.structs import replace

from companion.rules import Breach, SeatNo, broken

from .actions import available, check_points, spend
from .box import ARCHITECT, MERCHANT, Box, Figure
from .components import cities, the_map
from .gains import exactly, gain, off_breaches, settled
from .moves import Move, PutHouse, PutPillar, TakeFromCity, Walk
from .state import (
    NOBODY,
    NONE,
    State,
    Story,
    Way,
    changed,
    free_house_places,
    houses_in_stock,
    pillars_in_stock,
)
from .warehouse import check_room, has_room, store

FIGURES: Final[tuple[Figure, ...]] = ("architect", "merchant")
ACTION_OF: Final[dict[Figure, int]] = {"architect": ARCHITECT, "merchant": MERCHANT}


def standing(state: State, seat: SeatNo, figure: Figure) -> int:
    """The city where a figure stands."""
    return (state.architects if figure == "architect" else state.merchants)[seat]


def architect_moves(state: State) -> Iterator[Move]:
    seat, points = state.turn, available(state, ARCHITECT)
    yield from _walk_moves(state, "architect")
    if not points:
        return
    city, prices = state.architects[seat], state.box.prices
    if points >= prices.pillar and may_put_pillar(state, seat, city):
        yield PutPillar(seat, city)
    if points >= prices.tile and state.city_tiles[city] and has_room(state, seat):
        yield TakeFromCity(seat, city, "architect")


def merchant_moves(state: State) -> Iterator[Move]:
    seat, points = state.turn, available(state, MERCHANT)
    yield from _walk_moves(state, "merchant")
    if not points:
        return
    city, prices = state.merchants[seat], state.box.prices
    if points >= prices.house and seat not in state.houses[city] and houses_in_stock(state, seat) > 0:
        for place in free_house_places(state, city):
            if state.houses[city][place] == NOBODY:
                yield PutHouse(seat, city, place)
    if points >= prices.tile and state.city_tiles[city] and has_room(state, seat):
        yield TakeFromCity(seat, city, "merchant")


def set_out(state: State, seat: SeatNo, figure: Figure) -> tuple[State, int]:
    """The state before a figure set out, as far as action points go, and the city where it did."""
    way = state.ways[FIGURES.index(figure)]
    if way is None or seat != state.turn:
        return state, standing(state, seat, figure)
    return settled(_arrived(state, figure), ACTION_OF[figure], way.points), way.city


def _arrived(state: State, figure: Figure) -> State:
    """A walk is over: what comes next is another one."""
    return replace(state, ways=changed(state.ways, FIGURES.index(figure), None)) if any(state.ways) else state


def _walk_moves(state: State, figure: Figure) -> Iterator[Move]:
    before, start = set_out(state, state.turn, figure)
    steps = available(before, ACTION_OF[figure]) // state.box.prices.walk
    if steps:
        yield from _walks(state.box, state.turn, figure, start, steps, standing(state, state.turn, figure))


@lru_cache(maxsize=4096)
def _walks(box: Box, seat: SeatNo, figure: Figure, start: int, steps: int, here: int) -> tuple[Move, ...]:
    far = the_map(box).far[start]
    return tuple(Walk(seat, figure, city) for city, way in enumerate(far) if way <= steps and city != here)


def check_walk(state: State, move: Walk) -> Iterator[Breach]:
    if not state.is_city(move.city) or move.city == standing(state, move.seat, move.figure):
        yield broken("walk.city", city=state.city_name(move.city))
        return
    before, start = set_out(state, move.seat, move.figure)
    price = state.map.far[start][move.city] * state.box.prices.walk
    yield from check_points(before, move.seat, ACTION_OF[move.figure], price)


def walk(state: State, move: Walk, story: Story) -> State:
    """Until a figure does something where it stands, it may go on or back: the way counts from where it set out."""
    before, start = set_out(state, move.seat, move.figure)
    steps, city = state.map.far[start][move.city], state.city_name(move.city)
    if before is not state:
        story.tell("walk.on", seat=state.colour_of(move.seat), city=state.city_name(start))
    state = stand(before, move.seat, move.figure, move.city)
    if not steps:
        return state
    points = steps * state.box.prices.walk
    state = spend(state, move.seat, ACTION_OF[move.figure], points, story)
    rule = "architect.walk" if move.figure == "architect" else "merchant.walk"
    story.tell(rule, seat=state.colour_of(move.seat), city=city, steps=steps)
    return replace(state, ways=changed(state.ways, FIGURES.index(move.figure), Way(start, points)))


def stand(state: State, seat: SeatNo, figure: Figure, city: int) -> State:
    if figure == "architect":
        return replace(state, architects=changed(state.architects, seat, city))
    return replace(state, merchants=changed(state.merchants, seat, city))


def _check_standing(state: State, seat: SeatNo, city: int, figure: Figure) -> Iterator[Breach]:
    """Whatever a figure does, it does where it stands."""
    if standing(state, seat, figure) != city:
        yield broken("walk.stands", seat=state.colour_of(seat), figure=figure_word(figure), city=state.city_name(city))


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
    yield from _check_standing(state, move.seat, move.city, "architect")
    if not state.is_city(move.city):
        return
    city, seat = move.city, state.colour_of(move.seat)
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
    yield from check_points(state, move.seat, ARCHITECT, state.box.prices.pillar)


def put_pillar(state: State, move: PutPillar, story: Story) -> State:
    state = spend(_arrived(state, "architect"), move.seat, ARCHITECT, state.box.prices.pillar, story)
    story.tell("architect.pillar", seat=state.colour_of(move.seat), city=state.city_name(move.city))
    return pillar_stands(state, move.seat, move.city)


def pillar_stands(state: State, seat: SeatNo, city: int) -> State:
    return replace(state, pillars=changed(state.pillars, city, state.pillars[city] | 1 << seat))


# Houses


def check_put_house(state: State, move: PutHouse) -> Iterator[Breach]:
    yield from _check_standing(state, move.seat, move.city, "merchant")
    if not state.is_city(move.city):
        return
    city, seat = move.city, state.colour_of(move.seat)
    name, places = state.city_name(city), free_house_places(state, city)
    if move.place not in places or state.houses[city][move.place] != NOBODY:
        yield broken("merchant.room", city=name, place=move.place + 1)
    if move.seat in state.houses[city]:
        yield broken("merchant.once", seat=seat, city=name)
    if houses_in_stock(state, move.seat) <= 0:
        yield broken("merchant.stock", seat=seat)
    yield from check_points(state, move.seat, MERCHANT, state.box.prices.house)
    yield from off_breaches(state, move.seat, move.off, exactly)


def put_house(state: State, move: PutHouse, story: Story) -> State:
    state = spend(_arrived(state, "merchant"), move.seat, MERCHANT, state.box.prices.house, story)
    city = state.city_name(move.city)
    story.tell("merchant.house", seat=state.colour_of(move.seat), city=city, place=move.place + 1)
    return house_stands(state, move.seat, move.city, move.place, story)


def house_stands(state: State, seat: SeatNo, city: int, place: int, story: Story) -> State:
    """A house, with what its place brings."""
    owners = changed(state.houses[city], place, seat)
    state = replace(state, houses=changed(state.houses, city, owners))
    return gain(state, seat, cities(state.box)[city].houses[place], story)


# Bonus tiles of the map


def check_take_from_city(state: State, move: TakeFromCity) -> Iterator[Breach]:
    yield from _check_standing(state, move.seat, move.city, move.figure)
    if not state.is_city(move.city):
        return
    if not state.city_tiles[move.city]:
        yield broken("city.tile", city=state.city_name(move.city))
        return
    yield from check_room(state, move.seat)
    yield from check_points(state, move.seat, ACTION_OF[move.figure], state.box.prices.tile)


def take_from_city(state: State, move: TakeFromCity, story: Story) -> State:
    tile = state.city_tiles[move.city]
    state = spend(_arrived(state, move.figure), move.seat, ACTION_OF[move.figure], state.box.prices.tile, story)
    story.tell("city.tile", seat=state.colour_of(move.seat), tile=tile, city=state.city_name(move.city))
    return store(replace(state, city_tiles=changed(state.city_tiles, move.city, NONE)), move.seat, tile, story)
