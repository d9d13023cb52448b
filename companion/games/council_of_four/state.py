"""The public state of The Council of Four, and the small questions every rule asks of it.

Hands are secret: how many cards somebody holds is known, which they are is not. Nor is the order of what lies face
down, but for permits that were put back under their stack.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal

import msgspec
from msgspec.structs import replace

from companion.kernel.rules import Earned, Note, Seat, SeatNo, earn
from companion.kernel.rules import RuleLog as RuleLog
from companion.kernel.rules import changed as changed

from .box import (
    OFFERED,
    Bonus,
    Box,
    Map,
    Side,
    all_permits,
    letters,
    never_coming,
    permits_of,
    the_map,
)

NOBODY: Final = -1
NONE: Final = ""
"""No token, no councillor, no permit."""
UNSEEN_PERMIT: Final = "unseen_permit"
"""A permit under its stack that was turned up and put there before anybody could see which it was."""
NEUTRAL: Final = 1 << 4
"""An emporium of the first unused colour, among the bits of the seats; one of the second has the next bit."""

Phase = Literal["laying_out", "lots", "turn", "over"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table may choose. The house rules are explained in docs/rulings.md."""

    first: int = 0
    coast: Side = "A"
    hills: Side = "A"
    mountains: Side = "A"
    late_reward: bool = False
    free_permit: Literal["before_refill", "after_refill"] = "before_refill"
    copy_new_permit: bool = False
    last_emporium: Literal["each", "first"] = "each"
    permit_tie: Literal["all", "nobody"] = "all"
    complete_tie: Literal["shared", "later"] = "shared"
    used_permits: bool = True


OPTIONS_BEFORE: Final[Mapping[str, Any]] = {
    "first": 0,
    "coast": "A",
    "hills": "A",
    "mountains": "A",
    "late_reward": False,
    "free_permit": "before_refill",
    "copy_new_permit": False,
    "last_emporium": "each",
    "permit_tie": "all",
    "complete_tie": "later",
    "used_permits": True,
}
"""What a journal that does not name an option was played by: the defaults of companion 0.1.0, and for an option that
came later how it was played before. Never change a line; add one for each new option."""

STATE_SINCE: Final = ("earned", "options.complete_tie")
"""What the State holds that it did not hold in companion 0.1.0."""


class Choice(msgspec.Struct, frozen=True):
    """A bonus of the nobility track that is still to be chosen. `without` are what cannot be chosen (again): before a
    free permit, the one that led to it."""

    numeral: str
    kind: Literal["token", "free", "own"]
    without: tuple[str, ...] = ()


class State(msgspec.Struct, frozen=True):
    box: Box
    seats: tuple[Seat, ...]
    options: Options
    phase: Phase
    turn: SeatNo
    round: int
    # what each seat has
    gold: tuple[int, ...]
    points: tuple[int, ...]
    nobility: tuple[int, ...]
    assistants: tuple[int, ...]
    hands: tuple[int, ...]
    permits: tuple[tuple[str, ...], ...]  # open in front of each, in the order they came
    used: tuple[tuple[str, ...], ...]  # turned over
    # the board
    tokens: tuple[str, ...]  # by city
    emporiums: tuple[int, ...]  # by city: a bit for each seat, and NEUTRAL
    king: int
    councils: tuple[tuple[str, ...], ...]
    offers: tuple[str, ...]  # by place
    below: tuple[tuple[tuple[str, ...], ...], ...]  # by region: permits put under the stack, together at a time
    neutral: tuple[str, ...]  # by region: the permit that gave the neutral emporiums
    bonuses: tuple[tuple[str, SeatNo], ...]  # bonus tiles that were taken, and by whom
    rewards: tuple[SeatNo, ...]  # who took the royal rewards, from the top
    # the cards
    deck: int
    discards: int
    bribe: tuple[str, ...]  # the cards of the last bribe, which lie open until the next, or until they are swept up
    twice: tuple[tuple[SeatNo, int], ...] = ()  # cities with a second emporium of a seat, which no rule allows
    counted: bool = True  # nobody has counted the hands of a game that was joined later
    # the turn
    main: int = 0  # main actions that are left
    acted: bool = False  # a main action was done
    quick: bool = False  # a quick action was done
    choices: tuple[Choice, ...] = ()
    ending: SeatNo = NOBODY  # who built the last emporium first
    earned: tuple[tuple[Earned, ...], ...] = ()  # what each seat got its points for; empty in games of earlier versions

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def map(self) -> Map:
        return the_map(self.box, (self.options.coast, self.options.hills, self.options.mountains))

    def colour(self, seat: SeatNo) -> str:
        return self.seats[seat].colour if 0 <= seat < len(self.seats) else "nobody"

    def city_name(self, city: int) -> str:
        names = tuple(self.box.cities.values())
        return names[city] if 0 <= city < len(names) else "no_city"

    def owns(self, seat: SeatNo, city: int) -> bool:
        return bool(self.emporiums[city] >> seat & 1)

    def built(self, seat: SeatNo) -> int:
        return _built(self.emporiums, seat)

    def standing(self, seat: SeatNo) -> int:
        """The emporiums of a seat on the board, with those that no rule allows."""
        return self.built(seat) + sum(owner == seat for owner, _ in self.twice)

    def reasons(self, seat: SeatNo) -> tuple[Earned, ...]:
        """What a seat got points for by the rules."""
        return self.earned[seat] if self.earned else ()

    @property
    def supply(self) -> int:
        """Assistants that nobody has."""
        return self.box.assistants.total - sum(self.assistants)


@lru_cache(maxsize=4096)
def unused_colours(box: Box, seats: tuple[Seat, ...]) -> tuple[str, ...]:
    """The colours that no seat plays, in the order of the box: any of them serves for neutral emporiums."""
    played = {seat.colour for seat in seats}
    return tuple(colour for colour in box.colours if colour not in played)


@lru_cache(maxsize=4096)
def _built(emporiums: tuple[int, ...], seat: SeatNo) -> int:
    return sum(bits >> seat & 1 for bits in emporiums)


@lru_cache(maxsize=4096)
def pool(box: Box, councils: tuple[tuple[str, ...], ...]) -> Counter[str]:
    """The councillors beside the board."""
    free = Counter(dict.fromkeys(box.councillors.colours, box.councillors.each))
    free.subtract(colour for council in councils for colour in council if colour)
    return +free


def with_points(state: State, seat: SeatNo, points: int, label: str, because: Note) -> State:
    """A seat's marker goes forward on the points track, for a reason that the score sheet tells."""
    had = state.earned or ((),) * state.players
    return replace(
        state,
        points=changed(state.points, seat, state.points[seat] + points),
        earned=changed(had, seat, earn(had[seat], label, points, because)),
    )


def region_of(place: int) -> int:
    """The region of an open permit's place."""
    return place // OFFERED


def places_of(region: int) -> range:
    return range(OFFERED * region, OFFERED * region + OFFERED)


def open_permits(state: State, region: int) -> tuple[str, ...]:
    return tuple(state.offers[place] for place in places_of(region) if state.offers[place])


def stack(state: State, region: int) -> tuple[str, ...]:
    """The permits that may lie face down in a region, in no order."""
    gone = _gone(state.permits, state.used, state.offers)
    return tuple([permit for permit in permits_of(state.box, region) if permit not in gone])


@lru_cache(maxsize=256)
def _gone(
    permits: tuple[tuple[str, ...], ...], used: tuple[tuple[str, ...], ...], offers: tuple[str, ...]
) -> frozenset[str]:
    """The permits that do not lie face down."""
    return frozenset(offers).union(*permits, *used)


def face_down(state: State, region: int) -> int:
    """How many permits lie face down in a region."""
    return max(0, len(stack(state, region)) - never_coming(state.box, region))


def next_permits(state: State, region: int) -> tuple[str, ...]:
    """Those that may lie on top: what was put under the stack comes last. Where nobody saw all that was put there, and
    no other is left, it may be any."""
    perhaps, below = _perhaps_fresh(state, region), state.below[region]
    if _fresh(state, region, perhaps) > 0:
        return perhaps
    if any(UNSEEN_PERMIT in group for group in below):
        return stack(state, region) if face_down(state, region) else ()
    return below[0] if below else ()


def fresh(state: State, region: int) -> int:
    """How many permits of a stack nobody has put under it."""
    return _fresh(state, region, _perhaps_fresh(state, region))


def _fresh(state: State, region: int, perhaps: tuple[str, ...]) -> int:
    unseen = sum([group.count(UNSEEN_PERMIT) for group in state.below[region]])
    return len(perhaps) - unseen - never_coming(state.box, region)


def _perhaps_fresh(state: State, region: int) -> tuple[str, ...]:
    """The permits that nobody saw going under their stack."""
    left, below = stack(state, region), frozenset[str]().union(*state.below[region])
    return tuple([permit for permit in left if permit not in below]) if below else left


def to_refill(state: State, region: int) -> tuple[int, ...]:
    """Places of a region where a permit is missing, as long as there are any."""
    empty = tuple([place for place in places_of(region) if not state.offers[place]])
    return empty if empty and face_down(state, region) else ()


def permit_bonus(state: State, permit: str) -> Bonus:
    return all_permits(state.box)[permit][1]


def permit_cities(state: State, permit: str) -> tuple[int, ...]:
    return tuple(letters(state.box).index(letter) for letter in permit)


def connected(state: State, seat: SeatNo, city: int) -> tuple[int, ...]:
    """A city, then all that are linked to it by roads through emporiums of the same seat."""
    neighbours = state.map.neighbours
    found, waiting = {city}, [city]
    while waiting:
        for beside in neighbours[waiting.pop()]:
            if beside not in found and state.owns(seat, beside):
                found.add(beside)
                waiting.append(beside)
    return (city, *sorted(found - {city}))


def strangers(state: State, seat: SeatNo, city: int) -> int:
    """How many emporiums of others stand in a city."""
    return (state.emporiums[city] & ~(1 << seat)).bit_count()
