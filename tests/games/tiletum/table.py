"""A laid-out table for the tests: short ways to a state in the middle of a game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from companion.games.tiletum import GAME
from companion.games.tiletum.box import (
    ACTIONS,
    ARCHITECT,
    CONTRACT,
    CROWN,
    GOODS,
    GUEST,
    JOKER,
    MERCHANT,
)
from companion.games.tiletum.components import city_names
from companion.games.tiletum.moves import (
    LayOut,
    Move,
    OfferContract,
    OfferGuest,
    PutCost,
    PutDie,
    PutFair,
    PutTile,
    PutVenue,
    Reveal,
)
from companion.games.tiletum.rulebook.setup import tiles_due
from companion.games.tiletum.state import HIDDEN, NO_POINTS, WILD, State, dice_missing, section_for
from companion.kernel.rules import Seat, changed

from ..samples import Asked

__all__ = ["ACTIONS", "ARCHITECT", "CONTRACT", "CROWN", "GUEST", "HIDDEN", "JOKER", "MERCHANT", "WILD", "replace"]

RED, GREEN, ORANGE, PURPLE = range(4)
BOX = GAME.load_box()

VENUES = ("Paris", "London", "Lyon")
FAIRS = ("houses", "pillars", "contracts", "crown")
COSTS = ("stone2 points2", "stone3 points4", "stone4 points6", "stone5 points8")
TILES: dict[str, str] = {
    "architect": "architect2",
    "merchant": "merchant2",
    "guest": "guest2",
    "contract": "contract2",
    "crown": "crown2",
    "joker": "joker1",
    "favour 1": "any2",
    "favour 2": "again",
    "favour 3": "recolour",
}
"""The bonus tiles of `table` beside the wheel and at the king's track; in all cities lie crests and points."""
CONTRACTS = ("wool3", "iron3", "wool2 iron1", "iron2", "wool2 iron2")
GUESTS = ("abbot crown2", "banker contract2", "captain merchantstep2", "doctor guest2", "envoy crown2")
DICE = (
    ("yellow", 1),
    ("pink", 2),
    ("light_grey", 3),
    ("dark_grey", 4),
    ("blue", 5),
    ("yellow", 6),
    ("pink", 1),
    ("blue", 3),
    ("light_grey", 6),
    ("dark_grey", 2),
    ("yellow", 3),
    ("pink", 5),
    ("blue", 1),
    ("dark_grey", 6),
)
"""The dice of `table`: as many of them as there are players for."""


def city(name: str) -> int:
    return city_names(BOX).index(name)


def opened(players: int = 4, **options: Any) -> State:
    """The state before anything was done."""
    return GAME.setup(BOX, tuple(Seat(colour) for colour in BOX.colours[:players]), options)


def laid_out(players: int = 4, **options: Any) -> State:
    """Chance has laid nothing out yet."""
    return GAME.play(opened(players, **options), LayOut())


def lots(state: State) -> list[Move]:
    """Everything that chance lays out for `table`."""
    costs = [cost for cost in COSTS for _ in range(BOX.costs[cost].number)]
    city_tiles = ["crest lily"] * 8 + ["points3"] * 3
    places = [place for place in tiles_due(state) if place not in TILES]
    return [
        *(PutVenue(number, city(name)) for number, name in enumerate(VENUES, start=1)),
        *(PutFair(number, fair) for number, fair in enumerate(FAIRS)),
        *(PutCost(where, cost) for where, cost in zip(state.map.cathedrals, costs, strict=True)),
        *(PutTile(place, tile) for place, tile in TILES.items() if place in tiles_due(state)),
        *(PutTile(place, tile) for place, tile in zip(places, city_tiles, strict=True)),
        *(OfferContract(place, contract) for place, contract in enumerate(CONTRACTS)),
        *(OfferGuest(place, guest) for place, guest in enumerate(GUESTS)),
    ]


def ready(players: int = 4, **options: Any) -> State:
    """All is laid out, and the dice are to be rolled."""
    state = laid_out(players, **options)
    return played(state, *lots(state))


def rolled(state: State) -> State:
    """All dice lie at the wheel."""
    for colour, value in DICE[: dice_missing(state)]:
        state = GAME.play(state, PutDie(section_for(state, value), colour, value))
    return state


def fresh(players: int = 4, **options: Any) -> State:
    """The first turn, before corruption is turned up."""
    return rolled(ready(players, **options))


def table(players: int = 4, *, facts: Mapping[str, Any] | None = None, **options: Any) -> State:
    """The first turn, with red to take a die; `facts` change what the state holds."""
    return replace(played(fresh(players, **options), Reveal(2, 0)), **(facts or {}))


def acting(action: int, points: int, players: int = 4, **options: Any) -> State:
    """Red has used a die in the section of an action, and has this number of points left."""
    state = table(players, **options)
    value = min(max(1, len(BOX.wheel.points) + 1 - points), len(BOX.wheel.points))
    dice = changed(state.dice, RED, (("yellow", value),))
    return replace(state, stage="die_used", section=action, ap=changed(NO_POINTS, action, points), dice=dice)


def has(state: State, seat: int, **goods: int) -> State:
    """A seat has so many of these goods, and as many of all others as before."""
    mine = list(state.goods[seat])
    for good, number in goods.items():
        mine[GOODS.index(good)] = number  # type: ignore[arg-type]
    return replace(state, goods=changed(state.goods, seat, tuple(mine)))


def owns(state: State, seat: int) -> dict[str, int]:
    """The goods of a seat by name."""
    return dict(zip(GOODS, state.goods[seat], strict=True))


def with_warehouse(state: State, seat: int, *tiles: str) -> State:
    """These tiles lie in a seat's warehouse; what lay in the offers under the same name is gone."""
    return replace(
        state,
        warehouse=changed(state.warehouse, seat, tuple(sorted(tiles))),
        contracts=tuple("" if contract in tiles else contract for contract in state.contracts),
        guests=tuple("" if guest in tiles else guest for guest in state.guests),
    )


def with_rooms(state: State, seat: int, building: int, *guests: str) -> State:
    """These guests live in a building, from the first floor up."""
    rooms = (*guests, *state.rooms[seat][building][len(guests) :])
    return replace(state, rooms=changed(state.rooms, seat, changed(state.rooms[seat], building, rooms)))


def with_crests(state: State, seat: int, *buildings: int) -> State:
    mine = tuple("crest lily" if number in buildings else crest for number, crest in enumerate(state.crests[seat]))
    return replace(state, crests=changed(state.crests, seat, mine))


def with_house(state: State, seat: int, name: str, place: int = 0) -> State:
    where = city(name)
    return replace(state, houses=changed(state.houses, where, changed(state.houses[where], place, seat)))


def with_pillars(state: State, seat: int, *names: str) -> State:
    pillars = list(state.pillars)
    for name in names:
        pillars[city(name)] |= 1 << seat
    return replace(state, pillars=tuple(pillars))


def with_fulfilled(state: State, seat: int, *contracts: str) -> State:
    state = with_warehouse(state, seat, *state.warehouse[seat])
    return replace(
        state,
        fulfilled=changed(state.fulfilled, seat, contracts),
        contracts=tuple("" if contract in contracts else contract for contract in state.contracts),
    )


def on_track(state: State, *fields: int, stacked: tuple[int, ...] = ()) -> State:
    """The markers stand on these fields of the king's track, in this order of arrival."""
    return replace(state, crown=fields, stacked=stacked or state.stacked)


def with_figures(state: State, seat: int, *, architect: str = "", merchant: str = "") -> State:
    """Figures of a seat stand in these cities."""
    if architect:
        state = replace(state, architects=changed(state.architects, seat, city(architect)))
    if merchant:
        state = replace(state, merchants=changed(state.merchants, seat, city(merchant)))
    return state


def deviation(**by: int) -> Any:
    """Return a deviation of goods, points and steps."""
    return tuple(by.get(what, 0) for what in (*GOODS, "points", "steps"))


_asked = Asked(GAME)
played = _asked.played
broken_rules = _asked.broken_rules
breach = _asked.breach
told_rules = _asked.told_rules
note = _asked.note
notes = _asked.notes
