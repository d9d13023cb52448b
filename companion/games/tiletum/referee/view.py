"""How a State of Tiletum looks as a View.

Offers, rooms, fields and all tiles of the board are cells; figures in cities, dice, goods and the contents of a
warehouse are loose pieces; points and the king's track are tracks, and the wheel is a dial.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Final

from companion.kernel.rules import SeatNo
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, Pointing, View

from ..box import ACTIONS, GOODS, Box
from ..components import board_map, cities, city_names
from ..rulebook.fairs import fair_word
from ..rulebook.rounds import die_label
from ..rulebook.setup import FAVOUR, cost_word
from ..state import (
    HIDDEN,
    NO_SEAT,
    NOWHERE,
    Die,
    State,
    cathedral_tile,
    houses_in_stock,
    is_full,
    pillars_in_stock,
    section_value,
)

BACK: Final = "back"
"""A corruption marker that lies face down."""


def venue_label(city: str) -> str:
    return f"venue {city}"


def cathedral_label(points: int) -> str:
    return f"cathedral {points}"


def corruption_label(value: int) -> str:
    return BACK if value == HIDDEN else f"corruption {value}"


def house_label(colour: str) -> str:
    return f"{colour} house"


def pillar_label(colour: str) -> str:
    return f"{colour} pillar"


def marker_label(colour: str, points: int) -> str:
    return f"{colour} +{points}"


def house_cell(city: str, place: int) -> str:
    return f"{city} {place + 1}"


def room_cell(building: int, floor: int) -> str:
    return f"{building + 1}-{floor}"


def tile_cell(place: str) -> tuple[str, str]:
    """Return zone and cell of a place for bonus tiles."""
    if place in ACTIONS:
        return "sections", place
    if place.startswith(FAVOUR):
        return "favours", place.split()[1]
    return "city_tiles", place


def cathedral_top(state: State, city: int) -> str | None:
    """Return the label of the top tile of a cathedral."""
    points = cathedral_tile(state, city)
    return cathedral_label(points) if points else None


@lru_cache(maxsize=4096)
def view(state: State) -> View:
    colours = tuple(seat.colour for seat in state.seats)
    open_ = state.phase in ("laying_out", "lots")
    box = state.box
    zones: dict[str, Contents] = {
        "venues": _venues(box, state.venues, open_),
        "fairs": _fairs(state.fairs, open_),
        "costs": _costs(box, state.costs, open_),
        "cathedrals": _cathedrals(box, state.joined),
        "city_tiles": _city_tiles(box, state.city_tiles, open_),
        "sections": _sections(state.section_tiles, open_),
        "favours": _numbered(state.favours, open_),
        "contracts": _numbered(state.contracts, open_),
        "guests": _numbered(state.guests, open_),
        "dial": _dial(section_value(state, ACTIONS.index(box.wheel.actions[0]))),
        "corruption": _corruption(state.corruption),
        "order": _numbered(tuple(colours[seat] for seat in state.order), False),
        "crown": _marks(colours, state.crown),
        "points": _marks(colours, tuple(points % (box.tracks.points + 1) for points in state.points)),
        "houses": _houses(box, colours, state.houses),
    }
    for action, name in enumerate(ACTIONS):
        zones[f"wheel {name}"] = _wheel(action, state.wheel)
        zones[f"extras {name}"] = _extras(box, colours, action, state.markers)
    for number, city in enumerate(city_names(box)):
        here = tuple(bool(state.pillars[number] >> seat & 1) for seat in range(state.players))
        figures = tuple(where == number for where in (*state.architects, *state.merchants))
        zones[f"city {city}"] = _city(colours, here, figures)
    for seat, colour in enumerate(colours):
        zones |= _board(state, seat, colour)
    return View(zones)


def _board(state: State, seat: SeatNo, colour: str) -> dict[str, Contents]:
    """Return the zones on and beside a player board."""
    box = state.box
    roofs = tuple(not is_full(state, seat, building) for building in range(box.buildings.roofs))
    taken = tuple(
        tile
        for joined, city in zip(state.joined, cities(box), strict=True)
        for owner, tile in zip(joined, city.cathedral, strict=False)
        if owner == seat
    )
    return {
        f"goods {colour}": _goods(state.goods[seat]),
        f"warehouse {colour}": _loose(state.warehouse[seat]),
        f"dice {colour}": _dice(state.dice[seat]),
        f"rooms {colour}": _rooms(box, state.rooms[seat]),
        f"crests {colour}": _numbered(state.crests[seat], False),
        f"fields {colour}": _fields(box, state.fulfilled[seat]),
        f"pillars {colour}": _pillars(box, colour, len(state.fulfilled[seat])),
        f"roofs {colour}": _numbered(tuple(house_label(colour) if stands else "" for stands in roofs), False),
        f"markers {colour}": _markers(box, colour, state.markers[seat]),
        f"stock {colour}": _stock(colour, houses_in_stock(state, seat), pillars_in_stock(state, seat)),
        f"honours {colour}": _loose(tuple(map(cathedral_label, taken))),
    }


# Each zone is cached: the referee compares many positions, and they share most of their zones.

_cached = lru_cache(maxsize=4096)


@_cached
def _numbered(labels: tuple[str, ...], open_: bool) -> Cells:
    """Return cells counted from the left."""
    missing = UNKNOWN if open_ else None
    return Cells({str(place): label or missing for place, label in enumerate(labels, start=1)})


@_cached
def _venues(box: Box, venues: tuple[int, ...], open_: bool) -> Cells:
    """Return the venues of all rounds but the first, which needs no tile."""
    missing = UNKNOWN if open_ else None
    names = city_names(box)
    return Cells(
        {
            str(number): missing if city == NOWHERE else venue_label(names[city])
            for number, city in enumerate(venues, start=1)
            if number > 1
        }
    )


@_cached
def _fairs(fairs: tuple[str, ...], open_: bool) -> Cells:
    return _numbered(tuple(fair_word(fair) if fair else "" for fair in fairs), open_)


@_cached
def _costs(box: Box, costs: tuple[str, ...], open_: bool) -> Cells:
    missing, names = UNKNOWN if open_ else None, city_names(box)
    return Cells(
        {names[city]: cost_word(costs[city]) if costs[city] else missing for city in board_map(box).cathedrals}
    )


@_cached
def _cathedrals(box: Box, joined: tuple[tuple[int, ...], ...]) -> Cells:
    """Return the top tile of each cathedral."""
    names, tops = city_names(box), {}
    for city in board_map(box).cathedrals:
        tiles, taken = cities(box)[city].cathedral, len(joined[city])
        tops[names[city]] = cathedral_label(tiles[taken]) if taken < len(tiles) else None
    return Cells(tops)


@_cached
def _city_tiles(box: Box, tiles: tuple[str, ...], open_: bool) -> Cells:
    missing, names = UNKNOWN if open_ else None, city_names(box)
    return Cells({names[city]: tiles[city] or missing for city in board_map(box).tiles})


@_cached
def _sections(tiles: tuple[str, ...], open_: bool) -> Cells:
    missing = UNKNOWN if open_ else None
    return Cells({action: tile or missing for action, tile in zip(ACTIONS, tiles, strict=True)})


@_cached
def _dial(value: int) -> Pointing:
    return Pointing(value)


@_cached
def _corruption(values: tuple[int, ...]) -> Cells:
    return Cells({str(place): corruption_label(value) for place, value in enumerate(values, start=1)})


@_cached
def _marks(colours: tuple[str, ...], fields: tuple[int, ...]) -> Marks:
    return Marks(dict(zip(colours, fields, strict=True)))


@_cached
def _houses(box: Box, colours: tuple[str, ...], houses: tuple[tuple[SeatNo, ...], ...]) -> Cells:
    return Cells(
        {
            house_cell(name, place): None if owner == NO_SEAT else house_label(colours[owner])
            for name, owners in zip(city_names(box), houses, strict=True)
            for place, owner in enumerate(owners)
        }
    )


@_cached
def _wheel(action: int, dice: tuple[tuple[int, str, int], ...]) -> Pieces:
    return Pieces(dict(Counter(die_label(colour, value) for section, colour, value in dice if section == action)))


@_cached
def _extras(box: Box, colours: tuple[str, ...], action: int, markers: tuple[tuple[int, ...], ...]) -> Pieces:
    """Return the markers of finished buildings beside a section."""
    amounts = box.buildings.markers
    return Pieces(
        dict(
            Counter(
                marker_label(colour, amounts[building])
                for colour, mine in zip(colours, markers, strict=True)
                for building, section in enumerate(mine)
                if section == action
            )
        )
    )


@_cached
def _city(colours: tuple[str, ...], pillars: tuple[bool, ...], figures: tuple[bool, ...]) -> Pieces:
    standing = {pillar_label(colour): 1 for colour, stands in zip(colours, pillars, strict=True) if stands}
    names = [f"{colour} {figure}" for figure in ("architect", "merchant") for colour in colours]
    return Pieces(standing | {name: 1 for name, stands in zip(names, figures, strict=True) if stands})


@_cached
def _goods(goods: tuple[int, ...]) -> Pieces:
    return Pieces(dict(zip(GOODS, goods, strict=True)))


@_cached
def _loose(labels: tuple[str, ...]) -> Pieces:
    return Pieces(dict(Counter(labels)))


@_cached
def _dice(dice: tuple[Die, ...]) -> Pieces:
    return Pieces(dict(Counter(die_label(colour, value) for colour, value in dice)))


@_cached
def _rooms(box: Box, rooms: tuple[tuple[str, ...], ...]) -> Cells:
    return Cells(
        {
            room_cell(building, floor): guest or None
            for building, (floors, guests) in enumerate(zip(box.buildings.floors, rooms, strict=True))
            for floor, guest in zip(floors, guests, strict=True)
        }
    )


@_cached
def _fields(box: Box, fulfilled: tuple[str, ...]) -> Cells:
    """Return the fulfilled contracts."""
    fields = len(box.contract_fields.points)
    lying = (*fulfilled, *(None,) * fields)[:fields]
    return Cells({str(number): contract for number, contract in enumerate(lying, start=1)})


@_cached
def _pillars(box: Box, colour: str, fulfilled: int) -> Cells:
    """Return the pillars on the fields that wait for a contract."""
    fields = range(1, box.contract_fields.pillars + 1)
    return Cells({str(number): pillar_label(colour) if number > fulfilled else None for number in fields})


@_cached
def _markers(box: Box, colour: str, sections: tuple[int, ...]) -> Cells:
    """Return the markers that still lie on the player board."""
    return Cells(
        {
            str(building): marker_label(colour, points) if section == NOWHERE else None
            for building, (points, section) in enumerate(zip(box.buildings.markers, sections, strict=True), start=1)
            if points
        }
    )


@_cached
def _stock(colour: str, houses: int, pillars: int) -> Pieces:
    counts = {house_label(colour): houses, pillar_label(colour): pillars}
    return Pieces({label: number for label, number in counts.items() if number > 0})
