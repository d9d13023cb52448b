"""The components of Tiletum: dice, wheel, map, tracks, player boards, and tiles of every kind."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Final, Literal

import msgspec

from companion.kernel import box as kernel
from companion.kernel.sketches import reached

FILE: Final = Path(__file__).with_name("box.toml")

Action = Literal["architect", "merchant", "guest", "contract", "crown", "joker"]
Good = Literal["gold", "food", "wool", "stone", "iron"]

GOODS: Final[tuple[Good, ...]] = ("gold", "food", "wool", "stone", "iron")
"""The five goods, in the order in which a State counts them."""
GOLD, FOOD, WOOL, STONE, IRON = range(5)
ACTIONS: Final[tuple[Action, ...]] = ("architect", "merchant", "guest", "contract", "crown", "joker")
"""The six actions, in the order in which a State counts their points."""
ARCHITECT, MERCHANT, GUEST, CONTRACT, CROWN, JOKER = range(6)
PIPS: Final = 6

Figure = Literal["architect", "merchant"]
Counted = Literal["house", "pillar", "contract", "crest", "cathedral", "building", "upper_guest"]
"""What a fair tile counts."""


More = int | msgspec.UnsetType
"""A number that is not written where there is none: earlier boxes did not have it."""


class Bonus(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a tile, a field or a guest brings: goods, goods of one's choice, points, steps on the king's track, and
    action points for one action.

    Then what costs no action points: steps of a figure; a pillar or a house where the figure stands, or anywhere; and a
    walk of any length. `again` brings the bonuses of the guests of one building once more.
    """

    gold: int = 0
    food: int = 0
    wool: int = 0
    stone: int = 0
    iron: int = 0
    any: int = 0
    points: int = 0
    crown: int = 0
    architect: int = 0
    merchant: int = 0
    guest: int = 0
    contract: int = 0
    architectstep: More = msgspec.UNSET
    merchantstep: More = msgspec.UNSET
    pillar: More = msgspec.UNSET
    house: More = msgspec.UNSET
    anypillar: More = msgspec.UNSET
    anyhouse: More = msgspec.UNSET
    anyarchitect: More = msgspec.UNSET
    anymerchant: More = msgspec.UNSET
    again: More = msgspec.UNSET


class Figures(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    houses: int
    pillars: int


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    gold: tuple[int, ...]
    goods: dict[Good, int]


class Dice(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    each: int
    colours: dict[str, Good]
    in_bag: int
    drawn: dict[str, int]
    change: int


class Wheel(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    actions: tuple[Action, ...]
    points: tuple[int, ...]
    start: int


class Prices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    walk: int
    pillar: int
    house: int
    tile: int
    guest: int
    sweep: int
    swap: int
    crown: int
    first_swap: int
    gold: int


class Crown(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The king's track."""

    lowest: int
    start: int
    last: int
    points: tuple[int, ...]
    last_round: int

    def worth(self, field: int) -> int:
        return self.points[field - self.lowest]


class Corruption(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    markers: tuple[int, ...]
    laid: int


class Tracks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    points: int


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    buildings: tuple[int, ...]
    goods: int


class Offers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    contracts: tuple[int, ...]
    guests: int


class ContractFields(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    points: tuple[int, ...]
    pillars: int


class Buildings(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    floors: tuple[tuple[int, ...], ...]
    markers: tuple[int, ...]
    roofs: int
    crest_food: tuple[int, ...]
    crest_bonus: tuple[Bonus, ...]


class City(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    houses: tuple[Bonus, ...] = ()
    pillars: int = 0
    cathedral: tuple[int, ...] = ()
    tile: bool = False


Share = Annotated[int, msgspec.Meta(ge=0, le=1000)]
"""A position on a plan from the left or from the top, in thousandths."""


class Country(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    home: str
    houses_for_two: int
    fair_cities: tuple[str, ...]
    roads: tuple[tuple[str, str], ...]
    cities: dict[str, City]
    at: dict[str, tuple[Share, Share]]


class Cost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    number: int
    stone: int
    points: int


class Fair(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    points: int
    per: tuple[Counted, ...] = ()
    crown: bool = False


class Tile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A bonus tile: a crest, or a helper that brings a bonus or does something of its own."""

    number: tuple[int, int, int]
    bonus: Bonus = Bonus()
    joker: int = 0
    raises: int = 0
    recolours: bool = False
    again: bool = False
    crest: bool = False


class Contract(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """`same` is how many identical goods it asks for besides its `needs`; which ones is for the player to say."""

    needs: dict[Good, int] = {}
    same: More = msgspec.UNSET
    bonus: Bonus = Bonus()
    crest: bool = False
    players: int = 2


class GuestTile(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    bonus: Bonus
    players: int = 2


class Character(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    section: Action
    tiles: dict[str, GuestTile]


class Counts(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many of each kind were counted in the real box."""

    tiles: int
    contracts: int
    guests: int
    costs: int
    cathedral_tiles: int
    city_tiles: int
    corruption: int


Family = Literal["tiles", "contracts", "guests"]
ByPlayers = tuple[int, int, int]
"""For 2, 3 and 4 players."""


class Box(kernel.Box, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    colours: tuple[str, ...]
    rounds: int
    turns: int
    warehouse: int
    figures: Figures
    start: Start
    dice: Dice
    wheel: Wheel
    prices: Prices
    crown: Crown
    corruption: Corruption
    tracks: Tracks
    ending: Ending
    offers: Offers
    contract_fields: ContractFields
    buildings: Buildings
    map: Country
    costs: dict[str, Cost]
    fairs: dict[str, Fair]
    tiles: dict[str, Tile]
    contracts: dict[str, Contract]
    guests: dict[str, Character]
    counts: Counts
    # Left out if nothing was described during a game, so that the written form of a box stays as it was.
    surplus: dict[Family, ByPlayers] | msgspec.UnsetType = msgspec.UNSET

    def stand_ins_left_out(self, family: Family, players: int) -> int:
        """Return how many stand-ins of a family will not turn up in this game.

        For each piece that people described in it, one stand-in fewer is in the stack; which one is unknown.
        """
        return 0 if isinstance(self.surplus, msgspec.UnsetType) else self.surplus.get(family, (0, 0, 0))[players - 2]

    def contradictions(self) -> Iterator[str]:
        yield from _wrong_dice(self)
        yield from _wrong_tracks(self)
        yield from _wrong_map(self)
        yield from _wrong_boards(self)
        yield from _wrong_tiles(self)


def _wrong_dice(box: Box) -> Iterator[str]:
    if sorted(box.dice.colours.values()) != sorted(GOODS):
        yield "The dice have not one colour for each good."
    if sorted(box.wheel.actions) != sorted(ACTIONS):
        yield "The wheel has not each of the six actions once."
    if len(box.wheel.points) != PIPS or not 1 <= box.wheel.start <= PIPS:
        yield "The wheel has not action points for the values 1 to 6."
    for players in range(2, len(box.colours) + 1):
        drawn, bag = box.dice.drawn.get(str(players), 0), players * box.dice.in_bag * len(box.dice.colours)
        if not players * box.turns <= drawn <= bag:
            yield f"With {players} players {drawn} dice are drawn out of {bag} for {players * box.turns} turns."


def _wrong_tracks(box: Box) -> Iterator[str]:
    crown = box.crown
    if not crown.lowest < crown.start < crown.last:
        yield "The king's track does not begin between its ends."
    if len(crown.points) != crown.last - crown.lowest + 1:
        yield f"The king's track has {crown.last - crown.lowest + 1} fields and {len(crown.points)} values."
    if len(box.corruption.markers) < box.corruption.laid or any(steps < 0 for steps in box.corruption.markers):
        yield f"There are not {box.corruption.laid} corruption markers to lay."
    if len(box.start.gold) < len(box.colours):
        yield "There is no starting gold for each place in the order of play."


def _wrong_map(box: Box) -> Iterator[str]:
    cities = box.map.cities
    unknown = {name for road in box.map.roads for name in road} - set(cities)
    if unknown:
        yield f"The roads lead to cities that are not on the map: {', '.join(sorted(unknown))}."
        return
    if box.map.home not in cities or len(cities[box.map.home].houses) < len(box.colours):
        yield f"{box.map.home} has too few places for the first houses."
        return
    strangers = [name for name in box.map.fair_cities if name not in cities or name == box.map.home]
    if strangers or len(box.map.fair_cities) < box.rounds - 1:
        yield f"The city tiles do not fit the map: {', '.join(strangers)}."
    if lonely := set(cities) - reached(box.map.roads, box.map.home):
        yield f"{', '.join(sorted(lonely))} cannot be reached from {box.map.home}."
    if set(box.map.at) != set(cities):
        yield f"It is not said of every city where it lies: {', '.join(sorted(set(box.map.at) ^ set(cities)))}."
    taken = [name for name in cities if name in (*ACTIONS, *box.colours) or name.startswith("favour")]
    if taken:
        yield f"A city cannot be called {taken[0]}, for something else is called so."
    for name, city in cities.items():
        if bool(city.pillars) != bool(city.cathedral) or list(city.cathedral) != sorted(city.cathedral, reverse=True):
            yield f"{name} needs places for pillars and tiles, the highest on top, or no cathedral."
    cathedrals = sum(bool(city.cathedral) for city in cities.values())
    if sum(cost.number for cost in box.costs.values()) < cathedrals:
        yield f"There are too few tiles with building costs for {cathedrals} cathedrals."


def _wrong_boards(box: Box) -> Iterator[str]:
    buildings = box.buildings
    number = len(buildings.floors)
    if {len(buildings.markers), len(buildings.crest_food), len(buildings.crest_bonus)} != {number}:
        yield "The buildings have not one marker, crest price and crest bonus each."
    if any(not floors or len(set(floors)) != len(floors) for floors in buildings.floors):
        yield "A building has two rooms on one floor, or none at all."
    if len(box.ending.buildings) != number + 1:
        yield f"There are not points for 0 to {number} finished buildings."
    if buildings.roofs >= box.figures.houses or box.contract_fields.pillars >= box.figures.pillars:
        yield "There are too few houses or pillars for the player boards."


def _wrong_tiles(box: Box) -> Iterator[str]:
    guests = [f"{character} {tile}" for character, kind in box.guests.items() for tile in kind.tiles]
    names = [*box.tiles, *box.contracts, *guests, *box.guests]
    if len(set(names)) != len(names):
        yield "Two tiles of different kinds have the same name."
    if len(box.fairs) < box.rounds:
        yield f"There are too few fair tiles for {box.rounds} rounds."
    shrinking = [name for name, tile in box.tiles.items() if list(tile.number) != sorted(tile.number)]
    if shrinking:
        yield f"There are fewer tiles {shrinking[0]} with more players."
    if len(box.guests) < len(box.buildings.floors):
        yield "There are fewer characters than buildings, so they cannot all be filled."


def load(answers: Mapping[str, Any] | None = None) -> Box:
    return kernel.load(FILE, Box, answers)


# Answers that were given while less of the box was known

KNOWN_NOW: Final = frozenset(
    ("buildings.crest_food", "buildings.crest_bonus", "fairs.upper_floors.points", "fairs.crown.points")
)
"""Facts that were once asked and are now known."""
MAP: Final = ("map.cities", "map.roads", "map.at", "map.fair_cities")
NO_SUCH_CITIES: Final = frozenset(("Tours", "Augsburg"))
"""Cities of the first stand-in for the map that are not on the real one."""


def usable_answers(answers: Mapping[str, Any]) -> dict[str, Any]:
    """Return the answers that are still used. If a map was drawn after the first stand-in, all of it is asked again."""
    kept = {fact: value for fact, value in answers.items() if fact not in KNOWN_NOW}
    outdated = [fact for fact in MAP if fact in kept and not _fits(kept, fact)]
    drawn = "map.cities" in outdated or "map.at" in outdated
    return {fact: value for fact, value in kept.items() if fact not in (MAP if drawn else outdated)}


def _fits(answers: Mapping[str, Any], fact: str) -> bool:
    """Whether a part of the map fits the cities that were drawn, or else the known ones."""
    try:
        named = _cities_in(fact, answers[fact])
    except (TypeError, ValueError):
        return True  # the answer has a wrong form: reading the box reports it
    if named & NO_SUCH_CITIES:
        return False
    if fact == "map.cities" or "map.cities" in answers:
        return True
    known = set(kernel.facts(FILE, ("map.cities",))["map.cities"])
    return named <= known if fact == "map.fair_cities" else named == known and _connected(fact, answers[fact], known)


def _cities_in(fact: str, answer: Any) -> set[str]:
    """Return the cities that an answer names."""
    return {city for road in answer for city in road} if fact == "map.roads" else set(answer)


def _connected(fact: str, answer: Any, known: set[str]) -> bool:
    home: str = kernel.facts(FILE, ("map.home",))["map.home"]
    return fact != "map.roads" or reached(answer, home) == known
