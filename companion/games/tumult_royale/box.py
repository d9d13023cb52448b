"""The components of Tumult Royale as structs, read from `box.toml` and checked; the geometry of the landscape.

What is on the table during a game stands in `state`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from companion.kernel import box as kernel

FILE: Final = Path(__file__).with_name("box.toml")

GOODS: Final = ("bread", "marble", "tool")
KINDS: Final = ("meadow", "forest", "mountain", "village", "castle")
TILES: Final = tuple(f"{good}{value}" for good in GOODS for value in (1, 2, 3))
ROWS: Final = 2  # rows of boards in every frame
SIDE: Final = 3  # fields along a board's edge

Tile = str
"""A goods tile by what it shows: `bread2` shows two loaves."""

GOOD_OF: Final[Mapping[Tile, str]] = {tile: tile[:-1] for tile in TILES}
WORTH: Final[Mapping[Tile, int]] = {tile: int(tile[-1]) for tile in TILES}


def worth(tiles: tuple[Tile, ...], good: str) -> int:
    """Count how many of a good these tiles show."""
    return sum(WORTH[tile] for tile in tiles if GOOD_OF[tile] == good)


class Followers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The follower tokens, and the amounts that the rules give and take."""

    tokens: dict[str, int]
    at_start: dict[str, int]
    greediest_loses: int
    king_pays: int
    consolation: int
    relief: int

    @property
    def total(self) -> int:
        """The value of all tokens together."""
        return sum(int(value) * number for value, number in self.tokens.items())


class Cost(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The goods that a field costs."""

    bread: int
    marble: int
    tool: int


class FieldKind(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many statues a kind of field takes, and its cost."""

    statues: int
    cost: Cost


class Disc(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The tumult disc: the numbers of its areas, and the share of the circle that each covers."""

    areas: tuple[int, ...]
    shares: tuple[float, ...]
    forgotten_in_round_1: int

    @property
    def chances(self) -> tuple[float, ...]:
        """The probability of each area: its share, or the same for all until there is a share for each area."""
        return self.shares if len(self.shares) == len(self.areas) else (1 / len(self.areas),) * len(self.areas)


class Frame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The frame for one number of players: its columns, and the places where boards lie face up."""

    columns: int
    face_up: tuple[str, ...]


class Chronicle(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The king's chronicle: its fields, the boards that its third field turns up, and the end by difference."""

    single_fields: int
    double_fields: int
    uncover_on_third: dict[str, int]
    ends_above: dict[str, int]

    @property
    def fields(self) -> int:
        """The number of fields, and so of rounds."""
        return self.single_fields + self.double_fields


class SetAside(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How many tiles each seat sets aside before a raid."""

    each: int


Split = dict[str, tuple[int, int, int]]
"""By good: how many tiles show 1, 2 and 3 of it."""


class Goods(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The goods tiles by the border on their backs, which tells for how many players they are used."""

    plain: Split
    grey: Split
    black: Split


class Box(kernel.Box, frozen=True, kw_only=True, forbid_unknown_fields=True, eq=False):
    """All facts of the components."""

    colours: tuple[str, ...]
    statues_each: int
    raid_seconds: int
    followers: Followers
    goods: Goods
    set_aside: SetAside
    disc: Disc
    fields: dict[str, FieldKind]
    frame: dict[str, Frame]
    boards: dict[str, tuple[str, str, str]]
    chronicle: Chronicle

    def contradictions(self) -> Iterator[str]:
        """Yield a sentence for each fact that cannot be true together with the others."""
        yield from _wrong_goods(self.goods)
        yield from _wrong_fields(self.fields)
        yield from _wrong_disc(self)
        yield from _wrong_boards(self)
        yield from _wrong_chronicle(self)
        if self.followers.total != 105:
            yield f"The follower tokens are worth {self.followers.total}; the rulebook's 25, 8 and 4 make 105."


def _wrong_goods(goods: Goods) -> Iterator[str]:
    """Yield what cannot be true of the goods tiles."""
    for border, split, total in (
        ("plain", goods.plain, 21),
        ("grey", goods.grey, 9),
        ("black", goods.black, 9),
    ):
        if set(split) != set(GOODS):
            yield f"goods.{border} must name bread, marble and tool."
        elif any(number < 0 for numbers in split.values() for number in numbers):
            yield f"goods.{border} has a negative number of tiles."
        elif sum(map(sum, split.values())) != total:
            yield f"goods.{border} counts {sum(map(sum, split.values()))} tiles, but the box holds {total} of them."


def _wrong_fields(fields: dict[str, FieldKind]) -> Iterator[str]:
    """Yield what cannot be true of the kinds of fields."""
    if set(fields) != set(KINDS):
        yield f"fields must name {', '.join(KINDS)}."
    for name, kind in fields.items():
        if kind.statues < 1 or min(kind.cost.bread, kind.cost.marble, kind.cost.tool) < 0:
            yield f"fields.{name} has a number below what is possible."
        elif kind.cost.bread + kind.cost.marble + kind.cost.tool == 0:
            yield f"fields.{name} costs nothing."


def _wrong_disc(box: Box) -> Iterator[str]:
    """Areas and shares are asked one after the other, so a stand-in for one does not refute the other."""
    disc = box.disc
    comparable = ("disc.areas" in box.unverified) == ("disc.shares" in box.unverified)
    if len(disc.areas) < 2 or any(area < 1 for area in disc.areas):
        yield "disc.areas needs two or more numbers above 0."
    if (comparable and len(disc.areas) != len(disc.shares)) or abs(sum(disc.shares) - 1) > 0.01:
        yield "disc.shares needs one share for each area, 1 in all."


def _wrong_boards(box: Box) -> Iterator[str]:
    """Yield what cannot be true of boards and frames."""
    for name, rows in box.boards.items():
        fields = [kind for row in rows for kind in row.split()]
        strange = sorted(set(fields) - set(KINDS))
        if len(fields) != SIDE * SIDE or strange:
            yield f"boards.{name} needs nine fields of {', '.join(KINDS)}, three in each row."
    for players, frame in box.frame.items():
        places = place_names(frame.columns)
        if not set(frame.face_up) <= set(places) or len(frame.face_up) * 2 != len(places):
            yield f"frame.{players}.face_up must name half of {', '.join(places)}."
        if len(box.boards) < len(places):
            yield f"The frame for {players} has {len(places)} places, but there are only {len(box.boards)} boards."
    for players in ("2", "3", "4"):
        if players not in box.frame or players not in box.followers.at_start:
            yield f"The set-up for {players} players is missing."


def _wrong_chronicle(box: Box) -> Iterator[str]:
    """A stand-in for one number does not refute the number that was read for another round."""
    chronicle = box.chronicle
    rounds = range(chronicle.single_fields + 1, chronicle.fields + 1)
    if set(chronicle.ends_above) != {str(number) for number in rounds}:
        yield f"chronicle.ends_above must name the rounds {rounds.start} to {rounds.stop - 1}."
        return
    known = [str(number) for number in rounds if f"chronicle.ends_above.{number}" not in box.unverified]
    numbers = [chronicle.ends_above[number] for number in known]
    if sorted(set(numbers), reverse=True) != numbers or numbers[-1:] != [0]:
        found = ", ".join(f"{number} in round {known[at]}" for at, number in enumerate(numbers))
        yield f"chronicle.ends_above must fall with each round and end at 0, but it is {found}."


def load(answers: Mapping[str, Any] | None = None) -> Box:
    """Read the shipped box, with a person's answers laid over it."""
    return kernel.load(FILE, Box, answers)


def place_names(columns: int) -> tuple[str, ...]:
    """Name the places of a frame, row by row: A1, B1, …, A2, B2, …"""
    return tuple(f"{'ABCD'[column]}{row + 1}" for row in range(ROWS) for column in range(columns))


@cache
def tiles_in_play(box: Box, players: int) -> Mapping[Tile, int]:
    """Count each kind of tile that this number of players plays with."""
    borders = (box.goods.plain, box.goods.grey, box.goods.black)[: players - 1]
    counts: Counter[Tile] = Counter(dict.fromkeys(TILES, 0))
    for split in borders:
        for good, numbers in split.items():
            for value, number in enumerate(numbers, start=1):
                counts[f"{good}{value}"] += number
    return dict(counts)


@cache
def board_fields(box: Box, name: str, turn: int) -> tuple[str, ...]:
    """Return the nine fields of a board, row by row, after `turn` clockwise quarter turns."""
    rows = [row.split() for row in box.boards[name]]
    for _ in range(turn):
        rows = [list(column) for column in zip(*rows[::-1], strict=True)]
    return tuple(kind for row in rows for kind in row)


@cache
def field_names(columns: int) -> tuple[str, ...]:
    """Name the fields of the whole landscape, row by row: A1 is top left, letters go right, numbers down."""
    width = columns * SIDE
    return tuple(f"{chr(ord('A') + column)}{row + 1}" for row in range(ROWS * SIDE) for column in range(width))


@cache
def neighbours(columns: int) -> tuple[tuple[int, ...], ...]:
    """Return for each field the fields that share an edge with it."""
    width, height = columns * SIDE, ROWS * SIDE
    return tuple(
        tuple(
            r * width + c
            for r, c in ((row - 1, column), (row + 1, column), (row, column - 1), (row, column + 1))
            if 0 <= r < height and 0 <= c < width
        )
        for row in range(height)
        for column in range(width)
    )


@cache
def fields_of_place(columns: int, place: int) -> tuple[int, ...]:
    """Return the nine fields of a place in the frame, row by row."""
    width = columns * SIDE
    top, left = divmod(place, columns)
    return tuple((top * SIDE + row) * width + left * SIDE + column for row in range(SIDE) for column in range(SIDE))
