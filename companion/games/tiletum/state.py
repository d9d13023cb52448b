"""The public state of Tiletum, and small functions that all rules need.

What lies face down follows from what is visible: the bag holds the other dice, a stack the other tiles, in no known
order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal, TypeVar

import msgspec

from companion.kernel.rules import Earned, Seat, SeatNo

from .box import ACTIONS, PIPS, Box
from .components import (
    Map,
    board_map,
    cities,
    city_names,
    contracts_in_play,
    guests_in_play,
    house_places,
    tile_numbers,
)

NO_SEAT: Final = -1
NOWHERE: Final = -1
HIDDEN: Final = -1
"""A corruption marker that lies face down."""
WILD: Final = len(ACTIONS)
"""Index of action points for any action, after those of the six actions."""
NO_POINTS: Final = (0,) * (len(ACTIONS) + 1)
NO_DEBTS: Final = (0,) * len(ACTIONS)
NO_WAYS: Final = (None, None)
FREE: Final = ("architectstep", "merchantstep", "pillar", "house", "anypillar", "anyhouse")
"""What bonuses give without action points, in the order in which a State counts it."""
NO_FREE: Final = (0,) * len(FREE)
NOT_FREE: Final = -1
NO_FREE_WALKS: Final = (NOT_FREE, NOT_FREE)
NONE_LENT: Final = (0, 0)
EMPTY: Final = ""
"""No tile, no guest, no contract, no city."""

T = TypeVar("T")

Phase = Literal[
    "laying_out", "lots", "rolling", "turn", "favour", "king", "order", "fair", "tidying", "refilling", "over"
]
Stage = Literal["no_die", "die_taken", "die_used"]
Die = tuple[str, int]
"""Colour and value."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options a table may choose before a game. The house rules are explained in docs/rulings.md."""

    first: int = 0
    favours: Literal["one", "three"] = "one"
    section_tile: Literal["any_time", "before_action"] = "any_time"
    leave_tile: bool = True
    joker_marker: Literal["joker_only", "chosen_too"] = "chosen_too"
    marker_at_once: bool = True
    swap_same: bool = True
    crown_limit: bool = False
    seventh_contract: bool = False
    below_zero: bool = False
    corruption_first: bool = True
    fair_crown: Literal["before_reset", "after_reset"] = "before_reset"
    fair_buildings: Literal["full", "with_crest"] = "full"


OPTIONS_BEFORE: Final[Mapping[str, Any]] = {
    "first": 0,
    "favours": "one",
    "section_tile": "any_time",
    "leave_tile": False,
    "joker_marker": "joker_only",
    "marker_at_once": False,
    "swap_same": True,
    "crown_limit": False,
    "seventh_contract": False,
    "below_zero": False,
    "corruption_first": False,
    "fair_crown": "after_reset",
    "fair_buildings": "with_crest",
}
"""The values of options that a journal does not name: the defaults of companion 0.1.0, and for a later option how it
was played before it existed. Never change a line; add one for each new option."""


STATE_SINCE: Final = (
    *("free", "lent", "saved", "earned", "stood"),
    *("options.corruption_first", "options.fair_crown", "options.fair_buildings"),
)
"""Fields that the State did not have in companion 0.1.0."""


class CurrentWalk(msgspec.Struct, frozen=True):
    """A walk that may still continue or turn back: its start, the action points and the free steps that it cost, and
    how many steps a free walk had saved before it."""

    city: int
    points: int
    steps: int | msgspec.UnsetType = msgspec.UNSET
    saved: int | msgspec.UnsetType = msgspec.UNSET


class State(msgspec.Struct, frozen=True, cache_hash=True):
    box: Box
    seats: tuple[Seat, ...]
    options: Options
    phase: Phase
    round: int  # from 0
    # what each seat has
    goods: tuple[tuple[int, ...], ...]
    points: tuple[int, ...]
    warehouse: tuple[tuple[str, ...], ...]
    dice: tuple[tuple[Die, ...], ...]
    rooms: tuple[tuple[tuple[str, ...], ...], ...]  # by building and room
    crests: tuple[tuple[str, ...], ...]  # by building
    markers: tuple[tuple[int, ...], ...]  # by building: beside which section its marker lies
    fulfilled: tuple[tuple[str, ...], ...]
    architects: tuple[int, ...]
    merchants: tuple[int, ...]
    # the map
    houses: tuple[tuple[SeatNo, ...], ...]  # by city and place
    pillars: tuple[int, ...]  # by city: a bit for each seat
    joined: tuple[tuple[SeatNo, ...], ...]  # by city: seats that took the cathedral's tiles, from the top
    costs: tuple[str, ...]  # by city
    city_tiles: tuple[str, ...]  # by city
    venues: tuple[int, ...]  # by round
    fairs: tuple[str, ...]  # by round
    # the wheel and the king's track
    turned: int  # how often the wheel was turned
    wheel: tuple[tuple[int, str, int], ...]  # dice: section, colour, value
    section_tiles: tuple[str, ...]  # by action
    crown: tuple[int, ...]  # the field of each seat
    stacked: tuple[SeatNo, ...]  # of two markers on one field the first in this order lies below
    favours: tuple[str, ...]  # bonus tiles at the king's track
    corruption: tuple[int, ...]
    order: tuple[SeatNo, ...]
    # the offers
    contracts: tuple[str, ...]
    guests: tuple[str, ...]
    discards: tuple[str, ...] = ()  # bonus tiles that were used
    aside: tuple[str, ...] = ()  # guests put away, until the offer is full again
    filling: bool = False  # new contracts have to be turned up
    sliding: bool = False  # before that, contracts slide together
    # the turn
    turn: SeatNo = NO_SEAT
    lap: int = 0  # turns that each seat has had in this round
    stage: Stage = "no_die"
    recoloured: bool = False  # the die counts as any colour
    raised: int = 0  # points that a helper adds to the section where the die will be used
    section: int = NOWHERE  # the action where the die is used, once goods or tile are taken for it
    ap: tuple[int, ...] = NO_POINTS
    borrowed: tuple[int, ...] = NO_DEBTS  # by action: points of the joker and of helpers that were used
    ways: tuple[CurrentWalk | None, CurrentWalk | None] = (
        NO_WAYS  # of architect and merchant, until they do something there
    )
    free: tuple[int, ...] = NO_FREE  # what bonuses gave without action points
    lent: tuple[int, int] = NONE_LENT  # pillars and houses for any city that were built where the figure stood
    saved: tuple[int, int] = NO_FREE_WALKS  # by figure: the steps that its free walk has saved; NOT_FREE without one
    advanced: int = 0  # steps on the king's track for action points
    swapped: bool = False
    owed: int = 0  # goods of choice that are still to be taken
    # the score sheet
    earned: tuple[tuple[Earned, ...], ...] = ()  # by seat: what the points on the track were for
    stood: tuple[int, ...] = ()  # at the fair: the fields of the king's track before markers went back to the start

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def map(self) -> Map:
        return board_map(self.box)

    def colour(self, seat: SeatNo) -> str:
        return self.seats[seat].colour if 0 <= seat < len(self.seats) else "nobody"

    def city_name(self, city: int) -> str:
        names = city_names(self.box)
        return names[city] if 0 <= city < len(names) else "?"

    def is_city(self, city: int) -> bool:
        return 0 <= city < len(self.houses)

    def has(self, seat: SeatNo, good: int) -> int:
        return self.goods[seat][good]


def without(values: tuple[T, ...], value: T) -> tuple[T, ...]:
    """Return the values with one of these fewer."""
    index = values.index(value)
    return (*values[:index], *values[index + 1 :])


# The wheel


def section_value(state: State, action: int) -> int:
    """Return the value of the dice that belong to an action's section in this round."""
    wheel = state.box.wheel
    return (wheel.start - 1 + wheel.actions.index(ACTIONS[action]) - state.turned) % PIPS + 1


def section_for(state: State, value: int) -> int:
    """Return the action in whose section dice of a value lie."""
    wheel = state.box.wheel
    return ACTIONS.index(wheel.actions[(value - wheel.start + state.turned) % PIPS])


def steps_between(one: int, other: int) -> int:
    """Return by how many pips two values differ; 6 and 1 are neighbours."""
    apart = abs(one - other) % PIPS
    return min(apart, PIPS - apart)


def extra_points(state: State, seat: SeatNo, action: int) -> int:
    """Return what the markers of finished buildings add to an action."""
    amounts = state.box.buildings.markers
    return sum(amounts[number] for number, section in enumerate(state.markers[seat]) if section == action)


# Figures


def houses_on_map(state: State, seat: SeatNo) -> int:
    return sum(owners.count(seat) for owners in state.houses)


def pillars_on_map(state: State, seat: SeatNo) -> int:
    return sum(bits >> seat & 1 for bits in state.pillars)


def is_full(state: State, seat: SeatNo, building: int) -> bool:
    """Whether all rooms of a building have a guest."""
    return EMPTY not in state.rooms[seat][building]


def is_finished(state: State, seat: SeatNo, building: int) -> bool:
    """Whether a building is full and has its crest."""
    return bool(state.crests[seat][building]) and is_full(state, seat, building)


def finished_buildings(state: State, seat: SeatNo) -> int:
    return sum(is_finished(state, seat, building) for building in range(len(state.rooms[seat])))


def full_buildings(state: State, seat: SeatNo) -> int:
    return sum(is_full(state, seat, building) for building in range(len(state.rooms[seat])))


def houses_in_stock(state: State, seat: SeatNo) -> int:
    on_roofs = sum(not is_full(state, seat, building) for building in range(state.box.buildings.roofs))
    return state.box.figures.houses - houses_on_map(state, seat) - on_roofs


def pillars_in_stock(state: State, seat: SeatNo) -> int:
    on_fields = max(0, state.box.contract_fields.pillars - len(state.fulfilled[seat]))
    return state.box.figures.pillars - pillars_on_map(state, seat) - on_fields


def free_house_places(state: State, city: int) -> range:
    """Return the places of a city for houses, free or not, that count with this number of players."""
    return range(house_places(state.box, state.players)[city])


def cathedral_tile(state: State, city: int) -> int:
    """Return what the top tile of a cathedral is worth; 0 if there is none."""
    tiles, taken = cities(state.box)[city].cathedral, len(state.joined[city])
    return tiles[taken] if taken < len(tiles) else 0


# What lies face down


def _may_come_up(left: tuple[str, ...], never: int) -> tuple[str, ...]:
    """Return the pieces that may still be turned up, if a number of them never will."""
    return left if len(left) > never else ()


@lru_cache(maxsize=4096)
def _tiles_left(box: Box, players: int, *seen: tuple[str, ...]) -> tuple[str, ...]:
    left = Counter(tile_numbers(box, players))
    left.subtract(tile for tiles in seen for tile in tiles if tile in box.tiles)
    return _may_come_up(tuple(sorted((+left).elements())), box.stand_ins_left_out("tiles", players))


def tile_stack(state: State) -> tuple[str, ...]:
    """Return the bonus tiles that may be drawn: those of the stack, or the used ones once it is empty."""
    seen = (*state.warehouse, *state.crests, state.section_tiles, state.city_tiles, state.favours)
    return _tiles_left(state.box, state.players, *seen, state.discards) or state.discards


@lru_cache(maxsize=4096)
def _contracts_left(box: Box, players: int, *seen: tuple[str, ...]) -> tuple[str, ...]:
    gone = {contract for contracts in seen for contract in contracts}
    left = tuple(contract for contract in contracts_in_play(box, players) if contract not in gone)
    return _may_come_up(left, box.stand_ins_left_out("contracts", players))


def contract_stack(state: State) -> tuple[str, ...]:
    return _contracts_left(state.box, state.players, state.contracts, *state.warehouse, *state.fulfilled, *state.crests)


@lru_cache(maxsize=4096)
def _guests_left(box: Box, players: int, *seen: tuple[str, ...]) -> tuple[str, ...]:
    gone = {guest for guests in seen for guest in guests}
    left = tuple(guest for guest in guests_in_play(box, players) if guest not in gone)
    return _may_come_up(left, box.stand_ins_left_out("guests", players))


def guest_stack(state: State) -> tuple[str, ...]:
    """Return the guests that may be turned up; those put aside only if there are no others."""
    seen = (state.guests, *state.warehouse, *(room for rooms in state.rooms for room in rooms))
    return _guests_left(state.box, state.players, state.aside, *seen) or _guests_left(state.box, state.players, *seen)


@lru_cache(maxsize=4096)
def _bag(box: Box, players: int, seen: tuple[str, ...]) -> tuple[str, ...]:
    left = Counter(dict.fromkeys(box.dice.colours, players * box.dice.in_bag))
    left.subtract(seen)
    return tuple(colour for colour, number in left.items() if number > 0)


def in_bag(state: State) -> tuple[str, ...]:
    """Return the colours of which a die is in the bag."""
    colours = [colour for _, colour, _ in state.wheel]
    colours += [colour for dice in state.dice for colour, _ in dice]
    return _bag(state.box, state.players, tuple(sorted(colours)))


def dice_missing(state: State) -> int:
    """Return how many dice are still to be rolled."""
    return state.box.dice.drawn[str(state.players)] - len(state.wheel) - sum(map(len, state.dice))
