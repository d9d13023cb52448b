"""The components of The Council of Four as structs, read from `box.toml` and checked; the map that its boards make.

What is on the table during a game stands in `state`; pieces of other editions are described in `piece_forms`.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import msgspec

from companion.kernel import box as kernel

FILE: Final = Path(__file__).with_name("box.toml")

REGIONS: Final = ("coast", "hills", "mountains")
KING: Final = 3
"""The king's council, after those of the three regions."""
COUNCILS: Final = (*REGIONS, "king")
SIDES: Final = ("A", "B")
METALS: Final = ("iron", "bronze", "silver", "gold")
PURPLE: Final = "purple"
"""The colour of the city where the king begins, which has no token and no bonus tile."""
JOKER: Final = "joker"
OPEN_PERMITS: Final = 2
"""Number of permits of each region that lie open."""
PERMIT_PLACES: Final = tuple(f"{region} {number + 1}" for region in REGIONS for number in range(OPEN_PERMITS))
"""The places of open permits."""

Side = Literal["A", "B"]


class Bonus(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a permit, a token or a field of the nobility track brings.

    Only fields of the track bring the last three: bonuses of tokens, open permits, and bonuses of the seat's own
    permits.
    """

    gold: int = 0
    points: int = 0
    assistants: int = 0
    cards: int = 0
    nobility: int = 0
    main: int = 0
    tokens: int = 0
    permits: int = 0
    own_permits: int = 0


class Start(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Gold and assistants by place in the order of play, and the cards in each hand."""

    gold: tuple[int, ...]
    assistants: tuple[int, ...]
    cards: int


class Politics(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The politics cards: how many there are, and how many of them are jokers."""

    cards: int
    jokers: int


class Councillors(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The councillors: their colours, how many of each colour, and how many stand on a balcony."""

    colours: tuple[str, ...]
    each: int
    in_a_council: int


class Assistants(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The assistant tokens by their value."""

    tokens: dict[str, int]

    @property
    def total(self) -> int:
        """The value of all tokens together."""
        return sum(int(value) * number for value, number in self.tokens.items())


class Prices(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The prices of actions, and the gold that an election brings."""

    bribe: tuple[int, ...]
    joker: int
    road: int
    assistant: int
    swap: int
    send: int
    main_action: int
    election: int


class Tracks(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The last fields of the tracks."""

    gold: int
    nobility: int
    points: int


class Ending(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The points at the end of the game."""

    last_emporium: int
    most_noble: int
    second_noble: int
    most_permits: int


class KingsRewards(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The points of the royal rewards, from the top of their stack."""

    points: tuple[int, ...]


class Board(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One side of a region's board; exits are cities from top to bottom."""

    colours: dict[str, str]
    roads: tuple[str, ...]
    west_exits: str = ""
    east_exits: str = ""


class Token(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A kind of reward token: how many there are, and their bonus."""

    number: int
    bonus: Bonus


class Noble(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A field of the nobility track that brings something: its numeral in the book, and its bonus."""

    numeral: str
    bonus: Bonus


class Box(kernel.Box, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """All facts of the components."""

    colours: tuple[str, ...]
    emporiums_each: int
    start: Start
    politics: Politics
    councillors: Councillors
    assistants: Assistants
    prices: Prices
    tracks: Tracks
    ending: Ending
    bonus_tiles: dict[str, int]
    kings_rewards: KingsRewards
    cities: dict[str, str]
    boards: dict[str, dict[str, Board]]
    permits: dict[str, dict[str, Bonus]]
    tokens: dict[str, Token]
    nobility: dict[str, Noble]
    stacks: dict[str, int] | msgspec.UnsetType = msgspec.UNSET
    """By region: how many permits there are, where the box holds some that people described besides its own."""

    def noble_field(self, numeral: str) -> int:
        """Return the field of the nobility track with this numeral in the book."""
        return int(next(field for field, noble in self.nobility.items() if noble.numeral == numeral))

    def contradictions(self) -> Iterator[str]:
        """Yield a sentence for each fact that cannot be true together with the others."""
        yield from _wrong_cards(self)
        yield from _wrong_boards(self)
        yield from _wrong_permits(self)
        described = sum(learned.form == "token" for learned in self.learned)
        tokens = sum(token.number for token in self.tokens.values()) - described
        if tokens != len(self.cities) - 1:
            yield f"There are {tokens} reward tokens for {len(self.cities) - 1} cities."
        if set(self.bonus_tiles) != {*METALS, *REGIONS}:
            yield "The bonus tiles are not those of four metals and three regions."
        late = [field for field in self.nobility if not field.isdecimal() or int(field) > self.tracks.nobility]
        if late:
            yield f"The nobility track has no field {late[0]}."


def _wrong_cards(box: Box) -> Iterator[str]:
    """Yield what cannot be true of cards, prices and councillors."""
    politics, colours = box.politics, len(box.councillors.colours)
    if not 0 <= politics.jokers <= politics.cards or (politics.cards - politics.jokers) % colours:
        yield f"{politics.cards} cards with {politics.jokers} jokers leave no equal number for {colours} colours."
    if len(box.prices.bribe) != box.councillors.in_a_council:
        yield "There is not one price for each number of bribed councillors."
    if box.councillors.each * colours < len(COUNCILS) * box.councillors.in_a_council:
        yield "There are too few councillors for four councils."


def _wrong_boards(box: Box) -> Iterator[str]:
    """Yield what cannot be true of the boards and their roads."""
    letters = list(box.cities)
    if set(box.boards) != set(REGIONS) or any(set(sides) != set(SIDES) for sides in box.boards.values()):
        yield "The boards are not two sides of each of the three regions."
        return
    for number, region in enumerate(REGIONS):
        mine = set(letters[5 * number : 5 * number + 5])
        for side, board in box.boards[region].items():
            ends = {*board.colours, *"".join(board.roads), *board.west_exits, *board.east_exits}
            if set(board.colours) != mine or not ends <= mine:
                yield f"Side {side} of {region} has other cities than {', '.join(sorted(mine))}."
            purple = list(board.colours.values()).count(PURPLE)
            if purple != (region == "hills"):
                yield f"Side {side} of {region} has {purple} purple cities."
    for side in SIDES:
        if len(box.boards["coast"][side].east_exits) != 3 or len(box.boards["mountains"][side].west_exits) != 3:
            yield f"Side {side} has not three exits from coast and mountains."


def _wrong_permits(box: Box) -> Iterator[str]:
    """Yield permits that name cities of other regions."""
    letters = list(box.cities)
    if set(box.permits) != set(REGIONS):
        yield "The permits are not those of three regions."
        return
    for number, region in enumerate(REGIONS):
        mine = set(letters[5 * number : 5 * number + 5])
        for permit in box.permits[region]:
            if not permit or not set(permit) <= mine:
                yield f"The permit {permit} names cities outside {region}."


def load(answers: Mapping[str, Any] | None = None) -> Box:
    """Read the shipped box, with a person's answers laid over it."""
    return kernel.load(FILE, Box, answers)


# What follows from the facts. A box hashes by its digest, so the caches are cheap.


@cache
def card_kinds(box: Box) -> tuple[str, ...]:
    """Return the colours of politics cards, the joker last."""
    return (*box.councillors.colours, JOKER)


def number_of_cards(box: Box, kind: str) -> int:
    """Count the politics cards of a kind."""
    politics = box.politics
    return politics.jokers if kind == JOKER else (politics.cards - politics.jokers) // len(box.councillors.colours)


@cache
def letters(box: Box) -> tuple[str, ...]:
    """Return the letters of all cities, in the order of the box."""
    return tuple(box.cities)


@cache
def cities_of(box: Box, region: int) -> tuple[str, ...]:
    """Return the letters of a region's cities."""
    return letters(box)[5 * region : 5 * region + 5]


def stack_sizes(box: Box) -> dict[str, int]:
    """Return by region how many permits there are, even if it is unknown which."""
    known = {region: len(permits) for region, permits in box.permits.items()}
    return known if isinstance(box.stacks, msgspec.UnsetType) else box.stacks


@cache
def missing_from_edition(box: Box, region: int) -> int:
    """Count the permits of the box that this edition lacks: as many as people described in addition."""
    return len(permits_of(box, region)) - stack_sizes(box)[REGIONS[region]]


@cache
def permits_of(box: Box, region: int) -> tuple[str, ...]:
    """Return the permits of a region."""
    return tuple(box.permits[REGIONS[region]])


@cache
def all_permits(box: Box) -> Mapping[str, tuple[int, Bonus]]:
    """Return region and bonus of each permit."""
    return {
        permit: (number, bonus)
        for number, region in enumerate(REGIONS)
        for permit, bonus in box.permits[region].items()
    }


@cache
def token_numbers(box: Box) -> Counter[str]:
    """Count the reward tokens of each kind."""
    return Counter({name: token.number for name, token in box.tokens.items()})


class Map(NamedTuple):
    """The cities and roads of the three boards side by side."""

    colours: tuple[str, ...]
    neighbours: tuple[tuple[int, ...], ...]
    roads: tuple[tuple[int, ...], ...]
    """Length of the shortest way between two cities, in roads."""
    purple: int
    sets: Mapping[str, tuple[int, ...]]
    """The cities for each bonus tile."""


@cache
def board_map(box: Box, sides: tuple[str, str, str]) -> Map:
    """Join the boards to one map, by the side that each region shows."""
    boards = [box.boards[region][side] for region, side in zip(REGIONS, sides, strict=True)]
    number = {letter: index for index, letter in enumerate(box.cities)}
    colours = tuple({k: v for board in boards for k, v in board.colours.items()}[letter] for letter in number)
    pairs = [road for board in boards for road in board.roads]
    for west, east in pairwise(boards):
        pairs += [one + other for one, other in zip(west.east_exits, east.west_exits, strict=True)]
    beside: list[set[int]] = [set() for _ in number]
    for road in pairs:
        one, other = (number[letter] for letter in road)
        beside[one].add(other)
        beside[other].add(one)
    neighbours = tuple(tuple(sorted(cities)) for cities in beside)
    sets = {metal: tuple(c for c, colour in enumerate(colours) if colour == metal) for metal in METALS}
    sets |= {region: tuple(range(5 * n, 5 * n + 5)) for n, region in enumerate(REGIONS)}
    roads = tuple(_distances(neighbours, city) for city in number.values())
    return Map(colours, neighbours, roads, colours.index(PURPLE), sets)


def place_name(place: int) -> str:
    """Return the name of an open permit's place, or `no_place`."""
    return PERMIT_PLACES[place] if 0 <= place < len(PERMIT_PLACES) else "no_place"


def region_name(region: int) -> str:
    """Return the name of a region, or `no_region`."""
    return REGIONS[region] if 0 <= region < len(REGIONS) else "no_region"


def bonus_label(tile: str) -> str:
    """Return the label of a bonus tile."""
    return f"bonus {tile}"


def _distances(neighbours: tuple[tuple[int, ...], ...], start: int) -> tuple[int, ...]:
    """Count the roads from one city to each city, by the shortest way."""
    far = [len(neighbours)] * len(neighbours)
    far[start] = 0
    waiting = deque([start])
    while waiting:
        city = waiting.popleft()
        for beside in neighbours[city]:
            if far[beside] > far[city] + 1:
                far[beside] = far[city] + 1
                waiting.append(beside)
    return tuple(far)
