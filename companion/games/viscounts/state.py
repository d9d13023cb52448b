"""The public state of the game, and the small questions every rule asks of it.

Hands and piles are secret: which cards a player owns is known, and how many of them are in the hand at the least and at
the most; what is in the hand and what in the pile is not. Nor is the order of what lies in a pile on the board.
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
    Five,
    added,
    all_cards,
    all_manuscripts,
    bonus_symbols,
    built_does,
    built_symbols,
    card_symbols,
    rival_symbols,
    row_symbols,
    segment_names,
    segment_of,
    sides,
    space_names,
)

NOBODY: Final = -1
NOWHERE: Final = -1
NONE: Final = ""
"""No card, no manuscript."""
UNSEEN: Final = "?"
"""The top of a pile that nobody has told yet."""
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
"""What is still to be done. The last ones are done by the rules themselves, when their turn comes."""


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table may choose. The house rules are explained in docs/rulings.md."""

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
"""What a journal that does not name an option was played by: the defaults of companion 0.1.0, and for an option that
came later how it was played before. Never change a line; add one for each new option."""


class Due(msgspec.Struct, frozen=True, cache_hash=True):
    """Something that a seat is to do, or may do, so many times. `where` is the space where a building must go; or the
    field of the track that counts."""

    seat: SeatNo
    what: What
    number: int = 1
    building: Building | Literal[""] = ""
    where: int = NOWHERE
    either: tuple[Effect, ...] = ()


Row = tuple[str, str, str]
"""The cards on a player board, from the left."""
Group = tuple[Due, ...]
"""What one seat is to do, in any order."""


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
    taken: tuple[int, ...]  # by segment: townsfolk gone from the pile
    copied: tuple[int, ...]  # by segment: manuscripts gone from the pile
    plots: tuple[tuple[int, ...], ...]  # by segment: seat and kind of a building, as one number
    rings: tuple[tuple[tuple[int, ...], ...], tuple[tuple[int, ...], ...]]  # by ring and section: workers of each seat
    top: tuple[int, ...]  # workers of each seat in the third ring
    leader: SeatNo
    poverty: int  # debts left on the card
    prosperity: int  # deeds left on the card
    gone: tuple[str, ...]  # cards out of the game, the last one on top
    # what each seat has
    viscounts: tuple[int, ...]
    goods: tuple[tuple[int, ...], ...]
    rows: tuple[Row, ...]
    hands: tuple[int, ...]  # at the most: a camera cannot see whether a card came out of the hand or off the pile
    hidden: tuple[tuple[str, ...], ...]  # in hand and pile together
    discards: tuple[tuple[str, ...], ...]  # the last one lies on top
    corruption: tuple[int, ...]
    virtue: tuple[int, ...]
    debts: tuple[tuple[int, int], ...]  # unpaid, paid
    deeds: tuple[tuple[int, int], ...]  # acquired, approved
    built: tuple[int, ...]  # a bit for each of the nine places that a building has left
    manuscripts: tuple[tuple[str, ...], ...]
    bonus: tuple[SeatNo, ...]  # by ribbon: who has the cleric's card
    # the draft
    cards: tuple[int, ...] = ()
    heroes: tuple[str, ...] = ()
    # the turn
    turn: SeatNo = NOBODY
    round: int = 0
    last_round: int = NOWHERE  # known when the end has been brought about
    played: str = NONE  # the card of this turn, wherever it lies by now
    dismissed: str = NONE
    due: tuple[Group, ...] = ()  # the first group is done first
    # cards of each seat that came out of hand or pile, nobody knows which; not written where there are none
    thrown: tuple[int, ...] | msgspec.UnsetType = msgspec.UNSET
    # the solo game
    schemes: tuple[str, ...] = ()  # known to be in the opponent's pile
    mixed: int = 0  # future schemes among them, which nobody knows
    futures: tuple[str, ...] = ()  # schemes that nobody has seen yet
    boxed: tuple[str, ...] = ()  # schemes that are out of this game, unless its board says otherwise than we think

    @property
    def players(self) -> int:
        return len(self.goods)

    @property
    def rival(self) -> SeatNo:
        """The opponent of the solo game, after all seats; nobody in other games."""
        return len(self.seats) if len(self.goods) > len(self.seats) else NOBODY

    def colour_of(self, seat: SeatNo) -> str:
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
    """The cards on a player board, from the left."""
    known = all_cards(state.box)
    return [known[name] for name in state.rows[seat] if name]


def owned(state: State, seat: SeatNo) -> int:
    return len(state.hidden[seat]) + len(state.discards[seat]) + sum(map(bool, state.rows[seat]))


def hand_at_least(state: State, seat: SeatNo) -> int:
    return state.hands[seat] - (0 if state.thrown is msgspec.UNSET else state.thrown[seat])


def in_pile(state: State, seat: SeatNo) -> int:
    """At the least."""
    return len(state.hidden[seat]) - state.hands[seat]


def in_pile_at_most(state: State, seat: SeatNo) -> int:
    return len(state.hidden[seat]) - hand_at_least(state, seat)


def criminals(state: State, seat: SeatNo) -> int:
    known = card_symbols(state.box)
    return sum(known[name][CRIMINAL] for name in state.rows[seat] if name)


def of_buildings(state: State, seat: SeatNo) -> Five:
    """Symbols that somebody's buildings have uncovered; the solo game's opponent has a board of its own."""
    if seat == state.rival:
        return rival_symbols(state.box, state.options.opponent, state.built[seat])
    return built_symbols(state.box, state.built[seat])


def permanent(state: State, seat: SeatNo) -> Five:
    """Symbols of buildings and cleric's cards."""
    ribbons = tuple(ribbon for ribbon, owner in enumerate(state.bonus) if owner == seat)
    return added(of_buildings(state, seat), bonus_symbols(state.box, ribbons))


def symbols(state: State, seat: SeatNo, more: str = NONE) -> Five:
    """All symbols that somebody has for an action, with those of a townsfolk who is dismissed."""
    box = state.box
    printed = box.solo.boards[state.options.opponent].printed if seat == state.rival else box.printed.places
    return added(row_symbols(box, printed, state.rows[seat], more), permanent(state, seat))


def does(state: State, seat: SeatNo, ability: str) -> bool:
    """Whether a building of somebody has uncovered this ability."""
    return seat != state.rival and ability in built_does(state.box, state.built[seat])


@lru_cache(maxsize=4096)
def _unseen(every: tuple[str, ...], *seen: tuple[str, ...]) -> tuple[str, ...]:
    known = {name for names in seen for name in names}
    return tuple(name for name in every if name not in known)


def unseen_townsfolk(state: State) -> tuple[str, ...]:
    """Those that may still lie in the piles."""
    every = tuple(state.box.townsfolk)
    return _unseen(every, state.offer, state.gone, *state.rows, *state.hidden, *state.discards)


def unseen_manuscripts(state: State) -> tuple[str, ...]:
    return _unseen(tuple(state.box.manuscripts), state.scripts, *state.manuscripts)


# The board


def segment_with(state: State, seat: SeatNo) -> int:
    """The segment where somebody's viscount stands."""
    return segment_of(state.viscounts[seat])


def section_at(state: State, segment: int) -> int:
    """The section of the castle that faces a segment."""
    return (state.order.index(segment) + state.castle) % len(state.order)


def townsfolk_at(state: State, segment: int) -> str:
    """The townsfolk that can be dismissed there: the top of the pile, or the printed one."""
    return state.offer[segment] or f"{PRINTED}{segment_names(state.box)[segment]}"


def script_at(state: State, segment: int) -> str:
    return state.scripts[segment] or f"{PRINTED}{segment_names(state.box)[segment]}"


def manuscript(state: State, name: str) -> Manuscript:
    return all_manuscripts(state.box)[name]


def board(state: State) -> tuple[Side, ...]:
    return sides(state.box, len(state.seats))


def building_on(seat: SeatNo, building: int) -> int:
    """How a plot remembers a building."""
    return seat * len(BUILDINGS) + building


def owner_of(standing: int) -> SeatNo:
    return NOBODY if standing == NOBODY else standing // len(BUILDINGS)


def kind_of(standing: int) -> int:
    return standing % len(BUILDINGS)


def built_of(state: State, seat: SeatNo, building: int) -> int:
    """How many buildings of a kind somebody has built."""
    return (state.built[seat] >> building * SLOTS & (1 << SLOTS) - 1).bit_count()


def workers_left(state: State, seat: SeatNo) -> int:
    in_rings = sum(section[seat] for ring in state.rings for section in ring)
    return state.box.workers - in_rings - state.top[seat]


def workers_in_castle(state: State, seat: SeatNo) -> int:
    return state.box.workers - workers_left(state, seat)


# What is to be done


def turning_up(state: State) -> bool:
    """Whether the top of a pile has to be told before anything else."""
    return UNSEEN in state.offer or UNSEEN in state.scripts


def acting(state: State) -> SeatNo:
    """Who is to act, if chance is not."""
    return state.due[0][0].seat if state.due else state.turn


def collided(state: State, seat: SeatNo) -> bool:
    return state.corruption[seat] == state.virtue[seat]


def clockwise(state: State, seat: SeatNo) -> tuple[SeatNo, ...]:
    """Everybody, from this seat on."""
    return tuple((seat + step) % state.players for step in range(state.players))
