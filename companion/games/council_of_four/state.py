"""The public State of The Council of Four, its options, and questions that several rules ask about it.

Hands are secret: only their sizes are known. Nor is the order of face-down permits known, except of those that were put
back under their stack. No rule lives here; how a State looks on the table stands in `referee.view`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal

import msgspec
from msgspec.structs import replace

from companion.kernel.rules import Earned, Note, Seat, SeatNo, changed, earn

from .box import (
    OPEN_PERMITS,
    Bonus,
    Box,
    Map,
    Side,
    all_permits,
    board_map,
    letters,
    missing_from_edition,
    permits_of,
)

NO_SEAT: Final = -1
"""Stands for a seat while the last emporium has not been built."""
EMPTY: Final = ""
"""No token, no councillor, no permit."""
UNSEEN_PERMIT: Final = "unseen_permit"
"""A permit that was turned up and put under its stack before it could be seen which one it was."""
NEUTRAL: Final = 1 << 4
"""An emporium of the first unused colour, among the bits of the seats; one of the second has the next bit."""

Phase = Literal["laying_out", "lots", "turn", "over"]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table may choose in the set-up; docs/rulings.md explains the house rules."""

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
"""Values for options that a journal does not name: the defaults of companion 0.1.0, or for a later option what was
played before it existed. Never change a line; add one for each new option."""

STATE_SINCE: Final = ("earned", "options.complete_tie")
"""Fields of the State that companion 0.1.0 did not have."""


class Choice(msgspec.Struct, frozen=True):
    """A bonus of the nobility track that is still to be chosen.

    `without` names what cannot be chosen; for a free permit it is the permit that led to the choice.
    """

    numeral: str
    kind: Literal["token", "free", "own"]
    without: tuple[str, ...] = ()


class State(msgspec.Struct, frozen=True):
    """Everything public in a game; it never changes, a move makes a new one."""

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
    used: tuple[tuple[str, ...], ...]  # turned over; EMPTY where it is unknown which permit it is
    # the board
    tokens: tuple[str, ...]  # by city
    emporiums: tuple[int, ...]  # by city: a bit for each seat, and NEUTRAL
    king: int
    councils: tuple[tuple[str, ...], ...]
    offers: tuple[str, ...]  # by place
    below: tuple[tuple[tuple[str, ...], ...], ...]  # by region: permits under the stack, in groups put there together
    neutral: tuple[str, ...]  # by region: the permit that gave the neutral emporiums
    bonuses: tuple[tuple[str, SeatNo], ...]  # bonus tiles that were taken, and by which seat
    rewards: tuple[SeatNo, ...]  # the seats that took the royal rewards, from the top
    # the cards
    deck: int
    discards: int
    bribe: tuple[str, ...]  # the cards of the last bribe, which lie open until the next bribe or a sweep
    twice: tuple[tuple[SeatNo, int], ...] = ()  # cities with a forbidden second emporium of a seat
    counted: bool = True  # whether the hands are counted; they are not in a game joined later
    # the turn
    main: int = 0  # main actions that are left
    acted: bool = False  # a main action was done
    quick: bool = False  # a quick action was done
    choices: tuple[Choice, ...] = ()
    ending: SeatNo = NO_SEAT  # the seat that built its last emporium first
    earned: tuple[tuple[Earned, ...], ...] = ()  # what each seat got its points for; empty in games of old versions

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.seats)

    @property
    def map(self) -> Map:
        """The map of the chosen sides of the boards."""
        return board_map(self.box, (self.options.coast, self.options.hills, self.options.mountains))

    def colour(self, seat: SeatNo) -> str:
        """Return the colour of a seat, or the word `nobody` for a number that is no seat."""
        return self.seats[seat].colour if 0 <= seat < len(self.seats) else "nobody"

    def city_name(self, city: int) -> str:
        """Return the name of a city, or `no_city` for a number that is no city."""
        names = tuple(self.box.cities.values())
        return names[city] if 0 <= city < len(names) else "no_city"

    def owns(self, seat: SeatNo, city: int) -> bool:
        """Whether a seat has an emporium in a city."""
        return bool(self.emporiums[city] >> seat & 1)

    def built(self, seat: SeatNo) -> int:
        """Count the cities where a seat has an emporium."""
        return _built(self.emporiums, seat)

    def standing(self, seat: SeatNo) -> int:
        """Count the emporiums of a seat on the board, including forbidden second ones."""
        return self.built(seat) + sum(owner == seat for owner, _ in self.twice)

    def points_earned(self, seat: SeatNo) -> tuple[Earned, ...]:
        """Return what a seat got points for by the rules."""
        return self.earned[seat] if self.earned else ()

    @property
    def supply(self) -> int:
        """The number of assistants in the supply."""
        return self.box.assistants.total - sum(self.assistants)


@lru_cache(maxsize=4096)
def unused_colours(box: Box, seats: tuple[Seat, ...]) -> tuple[str, ...]:
    """Return the colours without a player, in the order of the box; neutral emporiums may have any of them."""
    played = {seat.colour for seat in seats}
    return tuple(colour for colour in box.colours if colour not in played)


@lru_cache(maxsize=4096)
def _built(emporiums: tuple[int, ...], seat: SeatNo) -> int:
    return sum(bits >> seat & 1 for bits in emporiums)


@lru_cache(maxsize=4096)
def pool(box: Box, councils: tuple[tuple[str, ...], ...]) -> Counter[str]:
    """Count the councillors beside the board."""
    free = Counter(dict.fromkeys(box.councillors.colours, box.councillors.each))
    free.subtract(colour for council in councils for colour in council if colour)
    return +free


def add_points(state: State, seat: SeatNo, points: int, label: str, because: Note) -> State:
    """Move a seat's points marker forward, and keep the reason for the score sheet."""
    had = state.earned or ((),) * state.players
    return replace(
        state,
        points=changed(state.points, seat, state.points[seat] + points),
        earned=changed(had, seat, earn(had[seat], label, points, because)),
    )


def region_of(place: int) -> int:
    """Return the region of an open permit's place."""
    return place // OPEN_PERMITS


def places_of(region: int) -> range:
    """Return the places of a region's open permits."""
    return range(OPEN_PERMITS * region, OPEN_PERMITS * region + OPEN_PERMITS)


def open_permits(state: State, region: int) -> tuple[str, ...]:
    """Return the open permits of a region."""
    return tuple(state.offers[place] for place in places_of(region) if state.offers[place])


def stack(state: State, region: int) -> tuple[str, ...]:
    """Return the permits that may lie face down in a region, in no particular order."""
    elsewhere = _not_in_stack(state.permits, state.used, state.offers)
    return tuple([permit for permit in permits_of(state.box, region) if permit not in elsewhere])


@lru_cache(maxsize=256)
def _not_in_stack(
    permits: tuple[tuple[str, ...], ...], used: tuple[tuple[str, ...], ...], offers: tuple[str, ...]
) -> frozenset[str]:
    """Return the permits that are not face down in a stack."""
    return frozenset(offers).union(*permits, *used)


def face_down(state: State, region: int) -> int:
    """Count the face-down permits of a region."""
    return max(0, len(stack(state, region)) - missing_from_edition(state.box, region))


def next_permits(state: State, region: int) -> tuple[str, ...]:
    """Return the permits that may be on top of a stack; those that were put under it come last.

    If unknown permits were put there and no others are left, the top may be any permit.
    """
    perhaps, below = _perhaps_fresh(state, region), state.below[region]
    if _fresh_count(state, region, perhaps) > 0:
        return perhaps
    if any(UNSEEN_PERMIT in group for group in below):
        return stack(state, region) if face_down(state, region) else ()
    return below[0] if below else ()


def fresh_count(state: State, region: int) -> int:
    """Count the permits of a stack that have never been put under it."""
    return _fresh_count(state, region, _perhaps_fresh(state, region))


def _fresh_count(state: State, region: int, perhaps: tuple[str, ...]) -> int:
    unseen = sum([group.count(UNSEEN_PERMIT) for group in state.below[region]])
    return len(perhaps) - unseen - missing_from_edition(state.box, region)


def _perhaps_fresh(state: State, region: int) -> tuple[str, ...]:
    """Return the permits that are not known to have been put under their stack."""
    left, below = stack(state, region), frozenset[str]().union(*state.below[region])
    return tuple([permit for permit in left if permit not in below]) if below else left


def places_to_refill(state: State, region: int) -> tuple[int, ...]:
    """Return the places of a region where a permit is missing, as long as the stack has one."""
    empty = tuple([place for place in places_of(region) if not state.offers[place]])
    return empty if empty and face_down(state, region) else ()


def permit_bonus(state: State, permit: str) -> Bonus:
    """Return the bonus of a permit."""
    return all_permits(state.box)[permit][1]


def permit_cities(state: State, permit: str) -> tuple[int, ...]:
    """Return the cities that a permit names."""
    return tuple(letters(state.box).index(letter) for letter in permit)


def connected(state: State, seat: SeatNo, city: int) -> tuple[int, ...]:
    """Return a city, followed by all cities connected to it by roads through emporiums of the same seat."""
    neighbours = state.map.neighbours
    found, waiting = {city}, [city]
    while waiting:
        for beside in neighbours[waiting.pop()]:
            if beside not in found and state.owns(seat, beside):
                found.add(beside)
                waiting.append(beside)
    return (city, *sorted(found - {city}))


def other_emporiums(state: State, seat: SeatNo, city: int) -> int:
    """Count the emporiums of other colours in a city."""
    return (state.emporiums[city] & ~(1 << seat)).bit_count()
