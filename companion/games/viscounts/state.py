"""The public state of the game, and small functions that all rules need.

Hands and piles are secret. Which cards a player owns is known, and a least and a most number of cards in the hand;
which cards are in the hand and which in the pile is not known. Nor is the order of the piles on the board.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Final, Literal

import msgspec

from companion.kernel.rules import Seat, SeatNo

from .box import (
    BUILDINGS,
    CRIMINAL,
    SLOTS,
    Box,
    Building,
    Card,
    Effect,
    Manuscript,
    Rival,
    Side,
)
from .components import (
    PRINTED,
    SymbolCounts,
    add_symbols,
    all_cards,
    all_manuscripts,
    bonus_symbols,
    built_abilities,
    built_symbols,
    card_symbols,
    rival_symbols,
    row_symbols,
    segment_names,
    segment_of,
    sides,
    space_names,
)

NO_SEAT: Final = -1
NOWHERE: Final = -1
EMPTY: Final = ""
"""No card, no manuscript."""
UNSEEN: Final = "?"
"""The top of a pile that is not known yet."""
NOT_LAID: Final = -1
"""Debts and deeds before they are laid on their cards."""

Phase = Literal[
    "laying_out", "lots", "draft", "sliding", "playing", "moving", "action", "hiring", "collision", "drawing", "rival",
    "over",

]  # fmt: skip
What = Literal[
    "any", "flip", "flip_debt", "flip_deed", "rearrange", "discard", "destroy", "hire", "move", "workers", "build",
    "manuscript", "either", "castle", "scheme", "dismiss", "slide", "reveal", "walk", "attempt", "collide",
    "links", "after", "reward", "others", "part", "turn",
]  # fmt: skip
"""What is still to be done. The last ones are done by the rules themselves."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options a table may choose before a game. The house rules are explained in docs/rulings.md."""

    first: int = 0
    opponent: Rival = "cleric"
    difficulty: Literal[0, 1, 2, 3] = 0
    gaps: Literal["stay", "move"] = "stay"
    pass_action: bool = False
    dismiss_by_ability: bool = True
    building_order: Literal["any", "left_to_right"] = "any"
    shuffle_symbol: bool = False
    bonus_symbols: bool = True


OPTIONS_BEFORE: Final[Mapping[str, Any]] = {
    "first": 0,
    "opponent": "cleric",
    "difficulty": 0,
    "gaps": "stay",
    "pass_action": False,
    "dismiss_by_ability": True,
    "building_order": "any",
    "shuffle_symbol": False,
    "bonus_symbols": True,
}
"""The values of options that a journal does not name: the defaults of companion 0.1.0, and for a later option how it
was played before it existed. Never change a line; add one for each new option."""


class Due(msgspec.Struct, frozen=True, cache_hash=True):
    """Something that a seat has to do, or may do, a number of times.

    `where` is the space where a building must be built, or the field of the track that counts.
    """

    seat: SeatNo
    what: What
    number: int = 1
    building: Building | Literal[""] = ""
    where: int = NOWHERE
    either: tuple[Effect, ...] = ()


Row = tuple[str, str, str]
"""The cards on a player board, from the left."""
Group = tuple[Due, ...]
"""What one seat has to do, in any order."""


class State(msgspec.Struct, frozen=True, cache_hash=True):
    box: Box
    seats: tuple[Seat, ...]
    options: Options
    phase: Phase
    # the board
    order: tuple[int, ...]  # segments clockwise
    castle: int  # the section that faces the first of them
    offer: tuple[str, ...]  # by segment: the townsfolk on top
    scripts: tuple[str, ...]  # by segment: the manuscript on top
    taken: tuple[int, ...]  # by segment: number of townsfolk taken from the pile
    copied: tuple[int, ...]  # by segment: number of manuscripts taken from the pile
    plots: tuple[tuple[int, ...], ...]  # by segment: seat and kind of a building, as one number
    rings: tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]  # by ring and section: workers of each seat
    top: tuple[int, ...]  # workers of each seat in the third ring
    leader: SeatNo
    poverty: int  # debts left on the card
    prosperity: int  # deeds left on the card
    gone: tuple[str, ...]  # cards removed from the game, the last one on top
    # what each seat has
    viscounts: tuple[int, ...]
    goods: tuple[tuple[int, ...], ...]
    rows: tuple[Row, ...]
    hands: tuple[int, ...]  # the most cards: a camera cannot see whether a card came from the hand or the pile
    hidden: tuple[tuple[str, ...], ...]  # in hand and pile together
    discards: tuple[tuple[str, ...], ...]  # the last one lies on top
    corruption: tuple[int, ...]
    virtue: tuple[int, ...]
    debts: tuple[tuple[int, int], ...]  # unpaid, paid
    deeds: tuple[tuple[int, int], ...]  # acquired, approved
    built: tuple[int, ...]  # a bit for each of the nine places whose building is built
    manuscripts: tuple[tuple[str, ...], ...]
    bonus: tuple[SeatNo, ...]  # by ribbon: who has the cleric's card
    # the draft
    cards: tuple[int, ...] = ()
    heroes: tuple[str, ...] = ()
    # the turn
    turn: SeatNo = NO_SEAT
    round: int = 0
    last_round: int = NOWHERE  # known once the end of the game is triggered
    played: str = EMPTY  # the card of this turn, even if it lies elsewhere by now
    dismissed: str = EMPTY
    due: tuple[Group, ...] = ()  # the first group is done first
    # cards of each seat that came from the hand or the pile, which is unknown; not written if there are none
    thrown: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    # the solo game
    schemes: tuple[str, ...] = ()  # known to be in the opponent's pile
    mixed: int = 0  # number of unknown future schemes among them
    futures: tuple[str, ...] = ()  # schemes that were not seen yet
    boxed: tuple[str, ...] = ()  # schemes that are not in this game, if its board is as we assume

    @property
    def players(self) -> int:
        return len(self.goods)

    @property
    def rival(self) -> SeatNo:
        """The opponent of the solo game, numbered after all seats; NO_SEAT in other games."""
        return len(self.seats) if len(self.goods) > len(self.seats) else NO_SEAT

    def colour(self, seat: SeatNo) -> str:
        if seat == self.rival:
            return next(colour for colour in self.box.colours if colour != self.seats[0].colour)
        return self.seats[seat].colour if 0 <= seat < len(self.seats) else "nobody"

    def has(self, seat: SeatNo, good: int) -> int:
        return self.goods[seat][good]

    def segment_name(self, segment: int) -> str:
        names = segment_names(self.box)
        return names[segment] if 0 <= segment < len(names) else "?"

    def space_name(self, space: int) -> str:
        names = space_names(self.box)
        return names[space] if 0 <= space < len(names) else "?"


# Cards


def card(state: State, name: str) -> Card:
    return all_cards(state.box)[name]


def row_cards(state: State, seat: SeatNo) -> list[Card]:
    """Return the cards on a player board, from the left."""
    known = all_cards(state.box)
    return [known[name] for name in state.rows[seat] if name]


def number_of_cards(state: State, seat: SeatNo) -> int:
    return len(state.hidden[seat]) + len(state.discards[seat]) + sum(map(bool, state.rows[seat]))


def hand_at_least(state: State, seat: SeatNo) -> int:
    return state.hands[seat] - (0 if state.thrown is msgspec.UNSET else state.thrown[seat])


def in_pile_at_least(state: State, seat: SeatNo) -> int:
    """Return the least number of cards that the pile may have."""
    return len(state.hidden[seat]) - state.hands[seat]


def in_pile_at_most(state: State, seat: SeatNo) -> int:
    return len(state.hidden[seat]) - hand_at_least(state, seat)


def criminals(state: State, seat: SeatNo) -> int:
    known = card_symbols(state.box)
    return sum(known[name][CRIMINAL] for name in state.rows[seat] if name)


def building_symbols(state: State, seat: SeatNo) -> SymbolCounts:
    """Return the symbols that a seat's buildings have uncovered; the solo game's opponent has a board of its own."""
    if seat == state.rival:
        return rival_symbols(state.box, state.options.opponent, state.built[seat])
    return built_symbols(state.box, state.built[seat])


def permanent_symbols(state: State, seat: SeatNo) -> SymbolCounts:
    """Return the symbols of buildings and cleric's cards."""
    ribbons = tuple(ribbon for ribbon, owner in enumerate(state.bonus) if owner == seat)
    return add_symbols(building_symbols(state, seat), bonus_symbols(state.box, ribbons))


def symbols(state: State, seat: SeatNo, more: str = EMPTY) -> SymbolCounts:
    """Return all symbols that a seat has for an action, with those of a dismissed townsfolk."""
    box = state.box
    printed = box.solo.boards[state.options.opponent].printed if seat == state.rival else box.printed.places
    return add_symbols(row_symbols(box, printed, state.rows[seat], more), permanent_symbols(state, seat))


def has_ability(state: State, seat: SeatNo, ability: str) -> bool:
    """Whether a building of a seat has uncovered an ability."""
    return seat != state.rival and ability in built_abilities(state.box, state.built[seat])


@lru_cache(maxsize=4096)
def _unseen(every: tuple[str, ...], *seen: tuple[str, ...]) -> tuple[str, ...]:
    known = {name for names in seen for name in names}
    return tuple(name for name in every if name not in known)


def unseen_townsfolk(state: State) -> tuple[str, ...]:
    """Return the townsfolk that may still lie in the piles."""
    every = tuple(state.box.townsfolk)
    return _unseen(every, state.offer, state.gone, *state.rows, *state.hidden, *state.discards)


def unseen_manuscripts(state: State) -> tuple[str, ...]:
    return _unseen(tuple(state.box.manuscripts), state.scripts, *state.manuscripts)


# The board


def segment_with(state: State, seat: SeatNo) -> int:
    """Return the segment where a seat's viscount stands."""
    return segment_of(state.viscounts[seat])


def section_at(state: State, segment: int) -> int:
    """Return the section of the castle that faces a segment."""
    return (state.order.index(segment) + state.castle) % len(state.order)


def townsfolk_at(state: State, segment: int) -> str:
    """Return the townsfolk that can be dismissed at a segment: the top of the pile, or the printed one."""
    return state.offer[segment] or f"{PRINTED}{segment_names(state.box)[segment]}"


def script_at(state: State, segment: int) -> str:
    return state.scripts[segment] or f"{PRINTED}{segment_names(state.box)[segment]}"


def manuscript(state: State, name: str) -> Manuscript:
    return all_manuscripts(state.box)[name]


def board(state: State) -> tuple[Side, ...]:
    return sides(state.box, len(state.seats))


def encode_building(seat: SeatNo, building: int) -> int:
    """Return the number by which a plot stores a building."""
    return seat * len(BUILDINGS) + building


def owner_of(standing: int) -> SeatNo:
    return NO_SEAT if standing == NO_SEAT else standing // len(BUILDINGS)


def kind_of(standing: int) -> int:
    return standing % len(BUILDINGS)


def number_built(state: State, seat: SeatNo, building: int) -> int:
    """Return how many buildings of a kind a seat has built."""
    return (state.built[seat] >> building * SLOTS & (1 << SLOTS) - 1).bit_count()


def workers_left(state: State, seat: SeatNo) -> int:
    in_rings = sum(section[seat] for ring in state.rings for section in ring)
    return state.box.workers - in_rings - state.top[seat]


def workers_in_castle(state: State, seat: SeatNo) -> int:
    return state.box.workers - workers_left(state, seat)


# What is to be done


def pile_top_unknown(state: State) -> bool:
    """Whether the top of a pile has to be turned up before anything else."""
    return UNSEEN in state.offer or UNSEEN in state.scripts


def acting_seat(state: State) -> SeatNo:
    """Return the seat that has to act, if it is not chance's turn."""
    return state.due[0][0].seat if state.due else state.turn


def has_collided(state: State, seat: SeatNo) -> bool:
    return state.corruption[seat] == state.virtue[seat]


def clockwise(state: State, seat: SeatNo) -> tuple[SeatNo, ...]:
    """Return all seats, beginning with this one."""
    return tuple((seat + step) % state.players for step in range(state.players))
