"""What could have happened: the moves, legal or not, that would explain what lies on the table.

Where the order of several acts does not matter (what chance lays out, dice that were rolled), only one order is
proposed: many things done at once are then one short chain, and not every way to arrange them.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations_with_replacement
from typing import Any, Final

from msgspec.structs import replace

from companion.messages import UNKNOWN, View
from companion.rules import SeatNo

from . import moves
from .any_time import helper_buildings
from .box import ACTIONS, FOOD, GOLD, GOODS, STONE, Figure
from .components import all_guests, city_names, crests, helpers, needed
from .dice import die_good
from .fairs import fair_word
from .gains import some
from .kings_track import due, ranking
from .moves import EXACT, Move
from .pretending import intended
from .seeing import Seen
from .setting_up import FAVOUR, cost_word, tiles_due
from .state import HIDDEN, NOBODY, NONE, NOWHERE, State
from .view import cathedral_top, corruption_label, house_label, marker_label, pillar_label, venue_label

MOST_CHANGED: Final = 12
"""One act changes no more zones than this: a helper that brings the bonuses of a whole building again."""
FIGURES: Final[tuple[Figure, ...]] = ("architect", "merchant")


def candidates(state: State, view: View) -> Iterator[Move]:
    """Likeliest first; each move once."""
    seen = Seen(state, view)
    match state.phase:
        case "laying_out":
            yield moves.LayOut()
        case "lots" | "refilling":
            yield from _first(_lots(seen))
        case "rolling":
            yield from _first(_offered(seen))
            yield from _first(_rolled(seen))
        case "turn":
            yield from dict.fromkeys(_of_a_turn(seen))
        case "favour":
            yield from dict.fromkeys(_favours(seen))
        case "over":
            return
        case _:
            yield from _first(_offered(seen))
            yield from _of_the_table(state)


def _first(found: Iterator[Move]) -> Iterator[Move]:
    """The first thing that can be told, in the order of the book."""
    yield from next(([move] for move in found), [])


def _of_the_table(state: State) -> Iterator[Move]:
    match state.phase:
        case "king":
            yield moves.ScoreCrown()
        case "order":
            yield moves.SetOrder()
        case "fair":
            yield moves.HoldFair()
        case "tidying":
            yield moves.TidyUp()
        case _:
            return


# What chance lays out


def _lots(seen: Seen) -> Iterator[Move]:
    state, names = seen.state, city_names(seen.state.box)
    for number, venue in enumerate(state.venues):
        label = seen.numbered("venues", number) if venue == NOWHERE else None
        yield from (moves.PutVenue(number, city) for city, name in enumerate(names) if venue_label(name) == label)
    for number, fair in enumerate(state.fairs):
        label = NONE if fair else seen.numbered("fairs", number)
        yield from (moves.PutFair(number, name) for name in state.box.fairs if fair_word(name) == label)
    for city in state.map.cathedrals if state.phase == "lots" else ():
        label = NONE if state.costs[city] else seen.cell("costs", names[city])
        yield from (moves.PutCost(city, name) for name in state.box.costs if cost_word(name) == label)
    for place in tiles_due(state):
        tile = seen.cell(*tile_cell(place))
        if tile in state.box.tiles:
            yield moves.PutTile(place, tile)
    yield from _offered(seen)


def tile_cell(place: str) -> tuple[str, str]:
    """Zone and cell of a place for bonus tiles."""
    if place in ACTIONS:
        return "sections", place
    if place.startswith(FAVOUR):
        return "favours", place.split()[1]
    return "city_tiles", place


def _offered(seen: Seen) -> Iterator[Move]:
    state = seen.state
    for place, contract in enumerate(state.contracts):
        label = seen.numbered("contracts", place)
        if not contract and label in state.box.contracts:
            yield moves.OfferContract(place, label)
    for place, guest in enumerate(state.guests):
        label = seen.numbered("guests", place)
        if not guest and label is not None and label in all_guests(state.box):
            yield moves.OfferGuest(place, label)


def _rolled(seen: Seen) -> Iterator[Move]:
    return (moves.PutDie(section, colour, value) for section, colour, value in seen.dice_on_wheel() if colour)


# The king's tile


def _favours(seen: Seen) -> Iterator[Move]:
    state, leader = seen.state, ranking(seen.state)[0]
    yield from _first(_offered(seen))
    for place, tile in enumerate(state.favours):
        if not seen.gone("favours", str(place + 1), tile):
            continue
        for seat in (leader, *(seat for seat in range(state.players) if seat != leader)):
            if seen.gained(f"warehouse {state.colour_of(seat)}")[tile]:
                yield moves.TakeFavour(seat, place)
        yield moves.DropFavour(leader, place)
        yield moves.TakeFavour(leader, place)


# A turn


def _of_a_turn(seen: Seen) -> Iterator[Move]:
    state = seen.state
    yield from _first(_offered(seen))
    yield from _revealed(seen)
    yield from _acts(seen, state.turn)
    if len(seen.changed) <= MOST_CHANGED:
        for seat in range(state.players):
            if seat == state.turn or seen.anything_of(seat):
                yield from _forbidden(seen, seat)
    yield moves.EndTurn(state.turn)


def _revealed(seen: Seen) -> Iterator[Move]:
    state = seen.state
    values = dict.fromkeys(state.box.corruption.markers)
    labels = {corruption_label(value): value for value in values}
    for place, value in reversed(tuple(enumerate(state.corruption))):
        label = seen.numbered("corruption", place)
        if value == HIDDEN and label in labels:
            yield moves.Reveal(place, labels[label])
        elif value == HIDDEN and label == UNKNOWN and due(state):
            yield from (moves.Reveal(place, one) for one in values)


def _forbidden(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    """What somebody may have done out of turn, or with goods and markers that are not as they should be."""
    for move in _acts(seen, seat):
        yield move
        yield from _off(seen, move)


def _off(seen: Seen, move: Any) -> Iterator[Move]:
    """The same move with goods and markers that are not as they should be."""
    if not hasattr(move, "off"):
        return
    after = intended(seen.state, move)
    off = EXACT if after is None else seen.off(after, move.seat)
    if off != EXACT:
        yield replace(move, off=off)


def _acts(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    yield from _with_the_die(seen, seat)
    yield from _on_the_map(seen, seat)
    yield from _with_guests(seen, seat)
    yield from _with_contracts(seen, seat)
    yield from _with_tiles(seen, seat)
    steps = seen.more("steps", seat)
    if steps:
        yield moves.Advance(seat, steps)
    yield from _with_goods(seen, seat)


def _with_the_die(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    state, zone = seen.state, f"dice {seen.state.colour_of(seat)}"
    gone, gained = list(seen.dice_gone()), seen.gained(zone)
    yield from (moves.TakeDie(seat, colour, value) for colour, value in gone)
    if seen.pieces(zone) is not None and not gone:
        for _, colour, value in state.wheel:
            if gained[f"die {colour} {value}"]:
                yield moves.TakeDie(seat, colour, value)
    if seat != state.turn or not state.dice[seat]:
        return
    colour, value = state.dice[seat][-1]
    for other in range(1, 7):
        if other != value and gained[f"die {colour} {other}"]:
            yield moves.TurnDie(seat, other)
    if state.stage == "die_taken":
        more = [good for good in GOODS if seen.more(good, seat) > 0]
        yield from (moves.Gather(seat, good) for good in dict.fromkeys((die_good(state, seat), *more)))
    for section, tile in enumerate(state.section_tiles):
        if seen.gone("sections", ACTIONS[section], tile):
            yield moves.TakeTile(seat, section)


def _on_the_map(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    state, colour = seen.state, seen.state.colour_of(seat)
    names = city_names(state.box)
    tiles = [city for city in state.map.tiles if seen.gone("city_tiles", names[city], state.city_tiles[city])]
    pillars = [city for city in range(len(names)) if seen.gained(f"city {names[city]}")[pillar_label(colour)]]
    houses = [
        (city, place)
        for city, owners in enumerate(state.houses)
        for place, owner in enumerate(owners)
        if owner == NOBODY and seen.house(city, place) == house_label(colour)
    ]
    yield from (moves.PutPillar(seat, city) for city in pillars)
    yield from (moves.PutHouse(seat, city, place) for city, place in houses)
    for figure in FIGURES:
        here = (state.architects if figure == "architect" else state.merchants)[seat]
        yield from (moves.TakeFromCity(seat, city, figure) for city in sorted(tiles, key=lambda city: city != here))
        end = seen.figure(seat, figure)
        stops = [*tiles, *(pillars if figure == "architect" else [city for city, _ in houses])]
        ways = dict.fromkeys([*stops, *([] if end is None else [end])])
        yield from (moves.Walk(seat, figure, city) for city in ways if city != here)


def _with_guests(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    state, colour = seen.state, seen.state.colour_of(seat)
    rooms = {
        (building, floor): seen.room(seat, building, floor)
        for building, floors in enumerate(state.box.buildings.floors)
        for room, floor in enumerate(floors)
        if not state.rooms[seat][building][room]
    }
    gone = [place for place, guest in enumerate(state.guests) if seen.gone("guests", str(place + 1), guest)]
    yield from (moves.TakeGuest(seat, place) for place in gone)
    if gone and len(gone) >= sum(map(bool, state.guests)) - 1:
        yield moves.SweepGuests(seat)
    for (building, floor), guest in rooms.items():
        if guest in state.warehouse[seat]:
            yield moves.Lodge(seat, guest, building, floor)
    for section, name in enumerate(ACTIONS):
        gained = seen.gained(f"extras {name}")
        for building, points in enumerate(state.box.buildings.markers):
            label = marker_label(colour, points)
            left = state.markers[seat][building] == NOWHERE
            if points and gained[label] and left and seen.numbered(f"markers {colour}", building) != label:
                yield moves.PutMarker(seat, building, section)


def _with_contracts(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    """Contracts slide, so one is only gone when it lies in no place of the offer."""
    state, zone = seen.state, f"warehouse {seen.state.colour_of(seat)}"
    lying = [seen.numbered("contracts", place) for place in range(len(state.contracts))]
    for place, contract in enumerate(state.contracts):
        if contract and contract not in lying and (UNKNOWN not in lying or seen.gained(zone)[contract]):
            yield moves.TakeContract(seat, place)
    yield from _fulfilled(seen, seat)


def _fulfilled(seen: Seen, seat: SeatNo) -> Iterator[moves.Fulfil]:
    state, colour = seen.state, seen.state.colour_of(seat)
    lost = seen.lost(f"warehouse {colour}")
    fields = [seen.numbered(f"fields {colour}", number) for number in range(len(state.box.contract_fields.points))]
    for contract in state.warehouse[seat]:
        if contract in state.box.contracts and (lost[contract] or contract in fields):
            yield moves.Fulfil(seat, contract)


def _with_tiles(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    state, colour = seen.state, seen.state.colour_of(seat)
    for building, crest in enumerate(state.crests[seat]):
        label = seen.numbered(f"crests {colour}", building)
        if not crest and label in state.warehouse[seat] and label in crests(state.box):
            yield moves.PlaceCrest(seat, label, building)
    for tile in seen.lost(f"warehouse {colour}"):
        if tile in helpers(state.box):
            buildings = helper_buildings(state, seat, tile) or (moves.NO_BUILDING,)
            yield from (moves.UseHelper(seat, tile, building) for building in buildings)
    yield from (moves.JoinCathedral(seat, city) for city in _tiles_taken(seen))


def _paid_since(seen: Seen, seat: SeatNo) -> tuple[int, ...]:
    """The goods for contracts, crests and cathedrals that can be seen and are not explained yet."""
    state, colour = seen.state, seen.state.colour_of(seat)
    prices = [needed(state.box, move.contract) for move in _fulfilled(seen, seat)]
    for building, crest in enumerate(state.crests[seat]):
        if not crest and seen.numbered(f"crests {colour}", building) in crests(state.box):
            prices.append(some(FOOD, state.box.buildings.crest_food[building]))
    prices += [some(STONE, state.box.costs[state.costs[city]].stone) for city in _tiles_taken(seen)]
    return tuple(sum(price[good] for price in prices) for good in range(len(GOODS)))


def _tiles_taken(seen: Seen) -> Iterator[int]:
    """The cathedrals whose top tile is gone."""
    names = city_names(seen.state.box)
    for city in seen.state.map.cathedrals if "cathedrals" in seen.changed else ():
        if seen.cell("cathedrals", names[city]) not in (UNKNOWN, cathedral_top(seen.state, city)):
            yield city


def _with_goods(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    """Goods that were taken, bought or swapped, by what there is more and less of and what was paid since."""
    state, paid = seen.state, _paid_since(seen, seat)
    if f"goods {state.colour_of(seat)}" not in seen.changed and not any(paid):
        return
    change = {good: seen.more(good, seat) + paid[number] for number, good in enumerate(GOODS)}
    more = [good for good in GOODS if change[good] > 0]
    less = [good for good in GOODS if change[good] < 0]
    if state.owed and seat == state.turn:
        yield from (moves.TakeGood(seat, good) for good in more)
    if GOODS[GOLD] in less:
        yield from (moves.BuyGood(seat, good) for good in more)
    for gives in less or GOODS:
        number = 1 if state.swapped else state.box.prices.first_swap
        for gets in combinations_with_replacement(more, number):
            yield moves.Swap(seat, gives, gets)
        if number > 1 and more:
            yield moves.Swap(seat, gives, (gives, more[0]))
    if not state.owed:
        yield from (moves.TakeGood(seat, good) for good in more)
