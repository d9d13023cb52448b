"""Spielaufbau: how the table looks before the first round, and what chance lays out then and after each round."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from companion.games.tiletum.state import (
    EMPTY,
    HIDDEN,
    NO_SEAT,
    NOWHERE,
    Options,
    State,
    contract_stack,
    guest_stack,
    tile_stack,
)
from companion.kernel.game import at_table, chosen, one_of_them
from companion.kernel.rules import Breach, RuleLog, Seat, broken, changed

from ..box import ACTIONS, GOODS, Box
from ..components import board_map, cities, city_names
from ..moves import LayOut, Move, PutCost, PutFair, PutTile, PutVenue
from .contracts import offer_contract_moves
from .fairs import fair_word
from .guests import offer_guest_moves

FAVOUR = "favour"


def setup(box: Box, seats: tuple[Seat, ...], options: Mapping[str, Any] | None = None) -> State:
    """Return the table before anything is laid out. Raises `BadSetup` with a sentence."""
    at_table("Tiletum", 2, box.colours, seats)
    picked = chosen(Options, options)
    one_of_them("first", picked.first, seats)
    return _empty_table(box, seats, picked)


def _empty_table(box: Box, seats: tuple[Seat, ...], options: Options) -> State:
    players, home = len(seats), board_map(box).home
    order = tuple((options.first + place) % players for place in range(players))
    houses = tuple((NO_SEAT,) * len(city.houses) for city in cities(box))
    at_home = (*range(players), *houses[home][players:])
    goods = tuple(box.start.goods.get(good, 0) for good in GOODS)
    return State(
        box=box,
        seats=seats,
        options=options,
        phase="laying_out",
        round=0,
        goods=tuple((goods[0] + box.start.gold[order.index(seat)], *goods[1:]) for seat in range(players)),
        points=(0,) * players,
        warehouse=((),) * players,
        dice=((),) * players,
        rooms=(tuple((EMPTY,) * len(floors) for floors in box.buildings.floors),) * players,
        crests=((EMPTY,) * len(box.buildings.floors),) * players,
        markers=((NOWHERE,) * len(box.buildings.floors),) * players,
        fulfilled=((),) * players,
        architects=(home,) * players,
        merchants=(home,) * players,
        houses=changed(houses, home, at_home),
        pillars=(0,) * len(houses),
        joined=((),) * len(houses),
        costs=(EMPTY,) * len(houses),
        city_tiles=(EMPTY,) * len(houses),
        venues=(home, *(NOWHERE,) * (box.rounds - 1)),
        fairs=(EMPTY,) * box.rounds,
        turned=0,
        wheel=(),
        section_tiles=(EMPTY,) * len(ACTIONS),
        crown=(box.crown.start,) * players,
        stacked=order,
        favours=(EMPTY,) * (3 if options.favours == "three" else 1),
        corruption=(HIDDEN,) * box.corruption.laid,
        order=order,
        contracts=(EMPTY,) * len(box.offers.contracts),
        guests=(EMPTY,) * box.offers.guests,
        turn=options.first,
    )


def check_lay_out(_state: State, _move: LayOut) -> Iterator[Breach]:
    return iter(())


def lay_out(state: State, _move: LayOut, log: RuleLog) -> State:
    box = state.box
    facts = {"houses": box.figures.houses, "pillars": box.figures.pillars}
    log.tell("setup.pieces", city=state.city_name(state.map.home), **facts)
    for seat in state.order:
        log.tell("setup.start", seat=state.colour(seat), gold=state.has(seat, 0))
    log.tell("setup.crown", field=box.crown.start, seats=tuple(map(state.colour, state.order)))
    log.tell("setup.corruption", markers=box.corruption.laid)
    return replace(state, phase="lots")


# What chance lays out


def lot_moves(state: State) -> Iterator[Move]:
    """Yield all that may be laid out next, in any order."""
    for round_ in range(len(state.venues)):
        if state.venues[round_] == NOWHERE:
            yield from (PutVenue(round_, city) for city in cities_left(state))
    for round_, fair in enumerate(state.fairs):
        if not fair:
            yield from (PutFair(round_, name) for name in state.box.fairs if name not in state.fairs)
    for city in state.map.cathedrals:
        if not state.costs[city]:
            yield from (PutCost(city, cost) for cost in costs_left(state))
    yield from tile_moves(state)
    yield from offer_contract_moves(state)
    yield from offer_guest_moves(state)


def cities_left(state: State) -> tuple[int, ...]:
    """Return the city tiles that are not used for a fair yet."""
    names = city_names(state.box)
    return tuple(city for city in map(names.index, state.box.map.fair_cities) if city not in state.venues)


def costs_left(state: State) -> tuple[str, ...]:
    lying = Counter(state.costs)
    return tuple(name for name, cost in state.box.costs.items() if lying[name] < cost.number)


def check_put_venue(state: State, move: PutVenue) -> Iterator[Breach]:
    if not 0 <= move.round < len(state.venues) or state.venues[move.round] != NOWHERE:
        yield broken("setup.place", where="where venues", place=move.round + 1)
        return
    if move.city not in cities_left(state):
        yield broken("setup.venues", city=state.city_name(move.city))


def put_venue(state: State, move: PutVenue, log: RuleLog) -> State:
    log.tell("setup.venues", round=move.round + 1, city=state.city_name(move.city))
    return replace(state, venues=changed(state.venues, move.round, move.city))


def check_put_fair(state: State, move: PutFair) -> Iterator[Breach]:
    if not 0 <= move.round < len(state.fairs) or state.fairs[move.round]:
        yield broken("setup.place", where="where fairs", place=move.round + 1)
        return
    if move.fair not in state.box.fairs or move.fair in state.fairs:
        yield broken("setup.once", tile=fair_word(move.fair))


def put_fair(state: State, move: PutFair, log: RuleLog) -> State:
    log.tell("setup.fairs", round=move.round + 1, fair=fair_word(move.fair))
    return replace(state, fairs=changed(state.fairs, move.round, move.fair))


def check_put_cost(state: State, move: PutCost) -> Iterator[Breach]:
    if move.city not in state.map.cathedrals or state.costs[move.city]:
        yield broken("setup.costs", city=state.city_name(move.city))
        return
    if move.cost not in costs_left(state):
        yield broken("setup.once", tile=cost_word(move.cost))


def put_cost(state: State, move: PutCost, log: RuleLog) -> State:
    log.tell("setup.costs", city=state.city_name(move.city), cost=cost_word(move.cost))
    return replace(state, costs=changed(state.costs, move.city, move.cost))


def cost_word(name: str) -> str:
    return f"cost {name}"


# Bonus tiles


@lru_cache(maxsize=16)
def _favour_places(number: int) -> tuple[str, ...]:
    return tuple(f"{FAVOUR} {place}" for place in range(1, number + 1))


def tiles_due(state: State) -> tuple[str, ...]:
    """Return the places where a bonus tile is missing: sections, the king's track, and cities before the first
    round."""
    if not tile_stack(state):
        return ()
    places: list[str] = [ACTIONS[action] for action, tile in enumerate(state.section_tiles) if not tile]
    if not _last_round_is_next(state):
        places += _favours_missing(state)
    if state.phase == "lots":
        names = city_names(state.box)
        places += [names[city] for city in state.map.tiles if not state.city_tiles[city]]
    return tuple(places)


def _last_round_is_next(state: State) -> bool:
    return state.round + (state.phase == "tidying") == state.box.rounds - 1


def _favours_missing(state: State) -> list[str]:
    named = _favour_places(len(state.favours))
    return [place for place, tile in zip(named, state.favours, strict=True) if not tile]


def possible_tile_places(state: State) -> tuple[str, ...]:
    """Return the places where a bonus tile may be laid; for the last round the king's track needs none, but may get
    one."""
    due = tiles_due(state) if state.phase != "rolling" else ()
    spare = state.phase in ("tidying", "refilling", "rolling") and _last_round_is_next(state) and tile_stack(state)
    return (*due, *_favours_missing(state)) if spare else due


def tile_places(state: State) -> tuple[str, ...]:
    """Return all places for bonus tiles, free or not."""
    names = city_names(state.box)
    return (*ACTIONS, *_favour_places(len(state.favours)), *(names[city] for city in state.map.tiles))


@lru_cache(maxsize=4096)
def _put_tiles(place: str, tiles: tuple[str, ...]) -> tuple[Move, ...]:
    return tuple(PutTile(place, tile) for tile in dict.fromkeys(tiles))


def tile_moves(state: State) -> Iterator[Move]:
    stack = tile_stack(state)
    for place in possible_tile_places(state):
        yield from _put_tiles(place, stack)


def check_put_tile(state: State, move: PutTile) -> Iterator[Breach]:
    if move.place not in possible_tile_places(state):
        yield broken("setup.tile-place", where=move.place)
        return
    if move.tile not in tile_stack(state):
        yield broken("setup.once", tile=move.tile)


def put_tile(state: State, move: PutTile, log: RuleLog) -> State:
    log.tell("setup.tiles" if state.phase == "lots" else "tidy.replace", where=move.place, tile=move.tile)
    if tile_stack(state) is state.discards:
        log.tell("tidy.reshuffle", tiles=len(state.discards))
        state = replace(state, discards=())
    return lay_tile(state, move)


def lay_tile(state: State, move: PutTile) -> State:
    if move.place in ACTIONS:
        action = ACTIONS.index(move.place)
        return replace(state, section_tiles=changed(state.section_tiles, action, move.tile))
    if move.place.startswith(FAVOUR):
        place = int(move.place.split()[1]) - 1
        return replace(state, favours=changed(state.favours, place, move.tile))
    city = city_names(state.box).index(move.place)
    return replace(state, city_tiles=changed(state.city_tiles, city, move.tile))


def after_lot(state: State) -> State:
    """Begin to roll the dice once everything is laid out."""
    if tiles_due(state):
        return state
    if state.phase == "lots":
        missing = (
            NOWHERE in state.venues
            or EMPTY in state.fairs
            or any(not state.costs[city] for city in state.map.cathedrals)
            or (EMPTY in state.contracts and contract_stack(state))
            or (EMPTY in state.guests and guest_stack(state))
        )
        if missing:
            return state
    return replace(state, phase="rolling")
