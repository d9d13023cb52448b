"""The public state of Tiletum, and the small questions every rule asks of it.

What lies face down is known by what is in sight: the bag holds the other dice, a stack the other tiles, in no order.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal, TypeVar

import msgspec

from companion.kernel.rules import Earned, Seat, SeatNo
from companion.kernel.rules import RuleLog as RuleLog
from companion.kernel.rules import changed as changed

from .box import ACTIONS, PIPS, Box
from .components import (
    Map,
    cities,
    city_names,
    contracts_in_play,
    guests_in_play,
    house_places,
    the_map,
    tile_numbers,
)

NOBODY: Final = -1
NOWHERE: Final = -1
HIDDEN: Final = -1
"""A corruption marker that lies face down."""
WILD: Final = len(ACTIONS)
"""Action points for anything, after those of the six actions."""
NO_POINTS: Final = (0,) * (len(ACTIONS) + 1)
NO_DEBTS: Final = (0,) * len(ACTIONS)
NO_WAYS: Final = (None, None)
FREE: Final = ("architectstep", "merchantstep", "pillar", "house", "anypillar", "anyhouse")
"""What bonuses give for no action points, in the order in which a State counts it."""
NO_FREE: Final = (0,) * len(FREE)
NOT_FREE: Final = -1
NO_FREE_WALKS: Final = (NOT_FREE, NOT_FREE)
NONE_LENT: Final = (0, 0)
NONE: Final = ""
"""No tile, no guest, no contract, no city."""

T = TypeVar("T")

Phase = Literal[
    "laying_out", "lots", "rolling", "turn", "favour", "king", "order", "fair", "tidying", "refilling", "over"
]
Stage = Literal["no_die", "die_taken", "die_used"]
Die = tuple[str, int]
"""Colour and value."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table may choose. The house rules are explained in docs/rulings.md."""

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
"""What a journal that does not name an option was played by: the defaults of companion 0.1.0, and for an option that
came later how it was played before. Never change a line; add one for each new option."""


STATE_SINCE: Final = (
    *("free", "lent", "saved", "earned", "stood"),
    *("options.corruption_first", "options.fair_crown", "options.fair_buildings"),
)
"""What the State holds that it did not hold in companion 0.1.0."""


class Way(msgspec.Struct, frozen=True):
    """A walk that may still go on or back: from where, the action points and the free steps that it cost, and how many
    steps a free walk had saved before it."""

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
    joined: tuple[tuple[SeatNo, ...], ...]  # by city: who took the cathedral's tiles, from the top
    costs: tuple[str, ...]  # by city
    city_tiles: tuple[str, ...]  # by city
    venues: tuple[int, ...]  # by round
    fairs: tuple[str, ...]  # by round
    # the wheel and the king's track
    turned: int  # how often the wheel was turned
    wheel: tuple[tuple[int, str, int], ...]  # dice: section, colour, value
    section_tiles: tuple[str, ...]  # by action
    crown: tuple[int, ...]  # the field of each seat
    stacked: tuple[SeatNo, ...]  # of two markers on one field, the one named first lies below
    favours: tuple[str, ...]  # bonus tiles at the king's track
    corruption: tuple[int, ...]
    order: tuple[SeatNo, ...]
    # the offers
    contracts: tuple[str, ...]
    guests: tuple[str, ...]
    discards: tuple[str, ...] = ()  # bonus tiles that were used
    aside: tuple[str, ...] = ()  # guests put away, until the offer is full again
    filling: bool = False  # contracts are to be turned up
    sliding: bool = False  # and before that they slide together
    # the turn
    turn: SeatNo = NOBODY
    lap: int = 0  # turns that everybody has had in this round
    stage: Stage = "no_die"
    recoloured: bool = False  # the die counts as any colour
    raised: int = 0  # points that a helper adds to the section where the die will be used
    section: int = NOWHERE  # the action where the die is used, once goods or tile are taken for it
    ap: tuple[int, ...] = NO_POINTS
    borrowed: tuple[int, ...] = NO_DEBTS  # by action: points of the joker and of helpers that were used
    ways: tuple[Way | None, Way | None] = NO_WAYS  # of architect and merchant, until they do something there
    free: tuple[int, ...] = NO_FREE  # what bonuses gave for no action points
    lent: tuple[int, int] = NONE_LENT  # pillars and houses for anywhere that were used where the figure stood
    saved: tuple[int, int] = NO_FREE_WALKS  # by figure: the steps that its free walk has saved; NOT_FREE without one
    advanced: int = 0  # steps on the king's track for action points
    swapped: bool = False
    owed: int = 0  # goods of one's choice that are still to be taken
    # the score sheet
    earned: tuple[tuple[Earned, ...], ...] = ()  # by seat: what the points on the track were for
    stood: tuple[int, ...] = ()  # at the fair: the fields of the king's track before markers went back to the start

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def map(self) -> Map:
        return the_map(self.box)

    def colour_of(self, seat: SeatNo) -> str:
        return self.seats[seat].colour if 0 <= seat < len(self.seats) else "nobody"

    def city_name(self, city: int) -> str:
        names = city_names(self.box)
        return names[city] if 0 <= city < len(names) else "?"

    def is_city(self, city: int) -> bool:
        return 0 <= city < len(self.houses)

    def has(self, seat: SeatNo, good: int) -> int:
        return self.goods[seat][good]


def without(values: tuple[T, ...], value: T) -> tuple[T, ...]:
    """One of them less."""
    index = values.index(value)
    return (*values[:index], *values[index + 1 :])


# The wheel


def section_value(state: State, action: int) -> int:
    """The value of dice that belong to an action's section in this round."""
    wheel = state.box.wheel
    return (wheel.start - 1 + wheel.actions.index(ACTIONS[action]) - state.turned) % PIPS + 1


def section_for(state: State, value: int) -> int:
    """The action in whose section dice of a value lie."""
    wheel = state.box.wheel
    return ACTIONS.index(wheel.actions[(value - wheel.start + state.turned) % PIPS])


def steps_between(one: int, other: int) -> int:
    """By how many pips two values differ; 6 and 1 are neighbours."""
    apart = abs(one - other) % PIPS
    return min(apart, PIPS - apart)


def extra_points(state: State, seat: SeatNo, action: int) -> int:
    """What the markers of finished buildings add to an action."""
    amounts = state.box.buildings.markers
    return sum(amounts[number] for number, section in enumerate(state.markers[seat]) if section == action)


# Figures


def houses_on_map(state: State, seat: SeatNo) -> int:
    return sum(owners.count(seat) for owners in state.houses)


def pillars_on_map(state: State, seat: SeatNo) -> int:
    return sum(bits >> seat & 1 for bits in state.pillars)


def full(state: State, seat: SeatNo, building: int) -> bool:
    """Whether all rooms of a building have a guest."""
    return NONE not in state.rooms[seat][building]


def finished(state: State, seat: SeatNo, building: int) -> bool:
    """Whether it has its crest too."""
    return bool(state.crests[seat][building]) and full(state, seat, building)


def finished_buildings(state: State, seat: SeatNo) -> int:
    return sum(finished(state, seat, building) for building in range(len(state.rooms[seat])))


def full_buildings(state: State, seat: SeatNo) -> int:
    return sum(full(state, seat, building) for building in range(len(state.rooms[seat])))


def houses_in_stock(state: State, seat: SeatNo) -> int:
    on_roofs = sum(not full(state, seat, building) for building in range(state.box.buildings.roofs))
    return state.box.figures.houses - houses_on_map(state, seat) - on_roofs


def pillars_in_stock(state: State, seat: SeatNo) -> int:
    on_fields = max(0, state.box.contract_fields.pillars - len(state.fulfilled[seat]))
    return state.box.figures.pillars - pillars_on_map(state, seat) - on_fields


def free_house_places(state: State, city: int) -> range:
    """The places of a city for houses, free or not, that count with so many players."""
    return range(house_places(state.box, state.players)[city])


def cathedral_tile(state: State, city: int) -> int:
    """What the top tile of a cathedral is worth; 0 if there is none."""
    tiles, taken = cities(state.box)[city].cathedral, len(state.joined[city])
    return tiles[taken] if taken < len(tiles) else 0


# What lies face down


def _to_come(left: tuple[str, ...], never: int) -> tuple[str, ...]:
    """Those that may still be turned up, where so many of them never will."""
    return left if len(left) > never else ()


@lru_cache(maxsize=4096)
def _tiles_left(box: Box, players: int, *seen: tuple[str, ...]) -> tuple[str, ...]:
    left = Counter(tile_numbers(box, players))
    left.subtract(tile for tiles in seen for tile in tiles if tile in box.tiles)
    return _to_come(tuple(sorted((+left).elements())), box.never_coming("tiles", players))


def tile_stack(state: State) -> tuple[str, ...]:
    """The bonus tiles that may be drawn: those of the stack, or those that were used once it is empty."""
    seen = (*state.warehouse, *state.crests, state.section_tiles, state.city_tiles, state.favours)
    return _tiles_left(state.box, state.players, *seen, state.discards) or state.discards


@lru_cache(maxsize=4096)
def _contracts_left(box: Box, players: int, *seen: tuple[str, ...]) -> tuple[str, ...]:
    gone = {contract for contracts in seen for contract in contracts}
    left = tuple(contract for contract in contracts_in_play(box, players) if contract not in gone)
    return _to_come(left, box.never_coming("contracts", players))


def contract_stack(state: State) -> tuple[str, ...]:
    return _contracts_left(state.box, state.players, state.contracts, *state.warehouse, *state.fulfilled, *state.crests)


@lru_cache(maxsize=4096)
def _guests_left(box: Box, players: int, *seen: tuple[str, ...]) -> tuple[str, ...]:
    gone = {guest for guests in seen for guest in guests}
    left = tuple(guest for guest in guests_in_play(box, players) if guest not in gone)
    return _to_come(left, box.never_coming("guests", players))


def guest_stack(state: State) -> tuple[str, ...]:
    """The guests that may be turned up; those put aside only when there are no others."""
    seen = (state.guests, *state.warehouse, *(room for rooms in state.rooms for room in rooms))
    return _guests_left(state.box, state.players, state.aside, *seen) or _guests_left(state.box, state.players, *seen)


@lru_cache(maxsize=4096)
def _bag(box: Box, players: int, seen: tuple[str, ...]) -> tuple[str, ...]:
    left = Counter(dict.fromkeys(box.dice.colours, players * box.dice.in_bag))
    left.subtract(seen)
    return tuple(colour for colour, number in left.items() if number > 0)


def in_bag(state: State) -> tuple[str, ...]:
    """The colours of which there is a die in the bag."""
    colours = [colour for _, colour, _ in state.wheel]
    colours += [colour for dice in state.dice for colour, _ in dice]
    return _bag(state.box, state.players, tuple(sorted(colours)))


def dice_missing(state: State) -> int:
    """So many dice are still to be rolled."""
    return state.box.dice.drawn[str(state.players)] - len(state.wheel) - sum(map(len, state.dice))
