"""The public state of Tumult Royale, and the small questions every phase asks of it."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, Final, Literal

import msgspec

from companion.kernel.rules import RuleLog as RuleLog
from companion.kernel.rules import Seat, SeatNo
from companion.kernel.rules import changed as changed

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
"""A board, or a field, that lies face up but has not been told yet."""
BY_FIELD: Final = "by field"
"""A board that was told field by field, because the box does not know it."""

NOBODY: Final = -1

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
    """What a table may choose. The house rules are explained in docs/rulings.md."""

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
"""What a journal that does not name an option was played by: the defaults of companion 0.1.0, and for an option that
came later how it was played before. Never change a line; add one for each new option."""


class State(msgspec.Struct, frozen=True):
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
    placed: tuple[int, ...]  # statues out of the rack: landscape and chronicle together
    # the landscape
    boards: tuple[str, ...]  # by place: HIDDEN, UNNAMED, BY_FIELD or a board's name
    land: tuple[str, ...]  # by field: HIDDEN, UNNAMED or a kind
    owner: tuple[int, ...]  # by field: the seat whose statues stand there, or NOBODY
    standing: tuple[int, ...]  # by field: how many statues stand there
    chronicle: tuple[int, ...]  # by round: the king who was crowned
    chronicle_statues: tuple[int, ...]  # by round: how many statues went up for it
    # the goods
    demand: tuple[int, int, int]  # bread, marble, tool; 0 until spun
    last_demand: tuple[int, int, int]
    arrow: int  # what the disc's arrow shows since it was spun in this round, or 0
    aside: tuple[bool, ...]  # who has set tiles aside this round, as far as it is known who
    ready: tuple[bool, ...]
    hidden_middle: int
    hidden_castles: tuple[int, ...]
    holding: tuple[bool, ...]
    middle: tuple[Tile, ...]  # face up, sorted
    castles: tuple[tuple[Tile, ...], ...]
    # the round
    aside_unseen: int = 0  # how many more have set tiles aside, while some have not: nobody saw who
    tumults: tuple[str, ...] = ()  # goods whose tumult is still to be suffered
    punished: tuple[bool, ...] = ()
    turn: int = 0  # whose turn in the order of ranks
    able: tuple[bool, ...] = ()  # could place statues at some turn of this phase
    built: tuple[bool, ...] = ()  # placed statues in this phase
    out: tuple[bool, ...] = ()  # passed, where the house rule lets nobody return
    overpaid: tuple[tuple[int, int, int], ...] = ()  # goods overpaid in this phase
    placing_round: int = 0
    placed_this_round: bool = False
    ranks_before: tuple[int, ...] = ()
    to_console: tuple[int, ...] = ()
    to_uncover: int = 0
    winner: int = NOBODY

    @property
    def players(self) -> int:
        return len(self.seats)

    @property
    def columns(self) -> int:
        return self.box.frame[str(len(self.seats))].columns

    @property
    def king(self) -> SeatNo:
        return self.ranks.index(1)

    def colour(self, seat: SeatNo) -> str:
        return self.seats[seat].colour if 0 <= seat < len(self.seats) else "nobody"

    def field_name(self, field: int) -> str:
        names = field_names(self.columns)
        return names[field] if 0 <= field < len(names) else "?"

    def place_name(self, place: int) -> str:
        names = place_names(self.columns)
        return names[place] if 0 <= place < len(names) else "?"

    def place_fields(self, place: int) -> tuple[int, ...]:
        return fields_of_place(self.columns, place)


@cache
def by_rank(ranks: tuple[int, ...]) -> tuple[SeatNo, ...]:
    """The seats from king to lowest rank."""
    return tuple(sorted(range(len(ranks)), key=ranks.__getitem__))


def unseen_tiles(state: State) -> dict[Tile, int]:
    """Tiles of this round that nobody has seen face up yet, by what they show."""
    left = dict(tiles_in_play(state.box, state.players))
    for tile in state.middle:
        left[tile] -= 1
    for castle in state.castles:
        for tile in castle:
            left[tile] -= 1
    return {tile: left[tile] for tile in TILES if left[tile] > 0}


def without(tiles: tuple[Tile, ...], gone: tuple[Tile, ...]) -> tuple[Tile, ...]:
    """These tiles less those; both stay sorted."""
    left = list(tiles)
    for tile in gone:
        left.remove(tile)
    return tuple(left)
