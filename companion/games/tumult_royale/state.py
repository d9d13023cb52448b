"""The public State of Tumult Royale, its options, and questions that several phases ask about it.

No rule lives here; how a State looks on the table stands in `referee.view`.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Literal

import msgspec

from companion.kernel.rules import Seat, SeatNo

from .box import (
    TILES,
    Box,
    Tile,
    field_names,
    fields_of_place,
    place_names,
    tiles_in_play,
)

HIDDEN: Final = ""
"""A board, or a field, that lies face down."""
UNNAMED: Final = "?"
"""A board, or a field, that lies face up but is not identified yet."""
BY_FIELD: Final = "by field"
"""A board that was entered field by field, because the box does not hold it."""

NO_SEAT: Final = -1
"""Owner of a field without statues; winner while the game runs."""

Phase = Literal[
    "laying_out",
    "cards",
    "boards",
    "first_statues",
    "mood",
    "raid",
    "stopped",
    "turning_up",
    "gambling",
    "tumults",
    "placing",
    "consolation",
    "ranks",
    "coronation",
    "uncovering",
    "mercy",
    "mixing",
    "over",
]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a table may choose in the set-up; docs/rulings.md explains the house rules."""

    oldest: int = 0
    gamblers: bool = False
    second_look: bool = True
    rank_ties: Literal["before_phase", "card_held"] = "before_phase"
    last_statues: Literal["exact", "what_is_left"] = "exact"
    passing: Literal["may_return", "out"] = "may_return"


OPTIONS_BEFORE: Final[Mapping[str, Any]] = {
    "oldest": 0,
    "gamblers": False,
    "second_look": True,
    "rank_ties": "before_phase",
    "last_statues": "exact",
    "passing": "may_return",
}
"""Values for options that a journal does not name: the defaults of companion 0.1.0, or for a later option what was
played before it existed. Never change a line; add one for each new option."""


class State(msgspec.Struct, frozen=True):
    """Everything public in a game; it never changes, a move makes a new one."""

    box: Box
    seats: tuple[Seat, ...]
    options: Options
    phase: Phase
    round: int
    # what each seat has
    ranks: tuple[int, ...]  # 0 until the cards are dealt
    followers: tuple[int, ...]
    supply: int
    mercy: tuple[bool, ...]
    placed: tuple[int, ...]  # statues taken from the rack: landscape and chronicle together
    # the landscape
    boards: tuple[str, ...]  # by place: HIDDEN, UNNAMED, BY_FIELD or a board's name
    land: tuple[str, ...]  # by field: HIDDEN, UNNAMED or a kind
    owner: tuple[int, ...]  # by field: the seat whose statues stand there, or NO_SEAT
    standing: tuple[int, ...]  # by field: how many statues stand there
    chronicle: tuple[int, ...]  # by round: the king who was crowned
    chronicle_statues: tuple[int, ...]  # by round: how many statues the king put on the chronicle
    # the goods
    demand: tuple[int, int, int]  # bread, marble, tool; 0 until spun
    last_demand: tuple[int, int, int]
    arrow: int  # what the disc's arrow shows since its last spin of this round, or 0
    aside: tuple[bool, ...]  # by seat: known to have set tiles aside this round
    ready: tuple[bool, ...]
    hidden_middle: int
    hidden_castles: tuple[int, ...]
    holding: tuple[bool, ...]
    middle: tuple[Tile, ...]  # face up, sorted
    castles: tuple[tuple[Tile, ...], ...]
    # the round
    aside_unseen: int = 0  # how many more seats have set tiles aside, without being known
    tumults: tuple[str, ...] = ()  # goods whose tumult is still to be suffered
    punished: tuple[bool, ...] = ()
    turn: int = 0  # position in the order of ranks
    able: tuple[bool, ...] = ()  # had a turn in this phase at which it could place statues
    built: tuple[bool, ...] = ()  # placed statues in this phase
    out: tuple[bool, ...] = ()  # passed, and out of the phase by the house rule
    overpaid: tuple[tuple[int, int, int], ...] = ()  # goods overpaid in this phase
    placing_round: int = 0
    placed_this_round: bool = False
    ranks_before: tuple[int, ...] = ()
    to_console: tuple[int, ...] = ()
    to_uncover: int = 0
    winner: int = NO_SEAT

    @property
    def players(self) -> int:
        """The number of players."""
        return len(self.seats)

    @property
    def columns(self) -> int:
        """The number of board columns in the frame."""
        return self.box.frame[str(len(self.seats))].columns

    @property
    def king(self) -> SeatNo:
        """The seat with rank 1."""
        return self.ranks.index(1)

    def colour(self, seat: SeatNo) -> str:
        """Return the colour of a seat, or the word `nobody` for a number that is no seat."""
        return self.seats[seat].colour if 0 <= seat < len(self.seats) else "nobody"

    def field_name(self, field: int) -> str:
        """Return the name of a field, such as `B4`, or `?` for a number that is no field."""
        names = field_names(self.columns)
        return names[field] if 0 <= field < len(names) else "?"

    def place_name(self, place: int) -> str:
        """Return the name of a board's place, such as `B1`, or `?` for a number that is no place."""
        names = place_names(self.columns)
        return names[place] if 0 <= place < len(names) else "?"

    def place_fields(self, place: int) -> tuple[int, ...]:
        """Return the nine fields of a board's place, row by row."""
        return fields_of_place(self.columns, place)


@cache
def seats_by_rank(ranks: tuple[int, ...]) -> tuple[SeatNo, ...]:
    """Return the seats from the king to the lowest rank."""
    return tuple(sorted(range(len(ranks)), key=ranks.__getitem__))


def unseen_tiles(state: State) -> dict[Tile, int]:
    """Count the tiles of this round that have not been face up yet, by what they show."""
    left = dict(tiles_in_play(state.box, state.players))
    for tile in state.middle:
        left[tile] -= 1
    for castle in state.castles:
        for tile in castle:
            left[tile] -= 1
    return {tile: left[tile] for tile in TILES if left[tile] > 0}


def without(tiles: tuple[Tile, ...], removed: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """Return the tiles without the removed ones, in the same order."""
    left = list(tiles)
    for tile in removed:
        left.remove(tile)
    return tuple(left)
