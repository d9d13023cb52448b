"""The types that rules of games use: seats, facts, notes, breaches, and score sheets."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, TypeVar

import msgspec

T = TypeVar("T")

Fact = int | str | tuple[str, ...]
"""A value in an explanation: a number, a word of the catalogue (or a seat's colour), or several words."""

SeatNo = int
"""The number of a seat, clockwise around the table, from 0."""

CHANCE: Final = "chance"
ANYONE: Final = "anyone"
MOST_BREACHES: Final = 3
"""Maximum number of rules that one forbidden act may break: with enough of them any table could be explained."""

Actor = SeatNo | Literal["chance", "anyone"] | None
"""Who acts: a seat, chance (a spin, a tile turned up), or anyone (all at once). None means that the game is over."""


class Seat(msgspec.Struct, frozen=True):
    """A player's place at the table."""

    colour: str
    name: str = ""


class Note(msgspec.Struct, frozen=True):
    """A rule that applied in a legal move, with its facts."""

    rule: str
    facts: dict[str, Fact] = {}


class RuleLog:
    """Collects the rules that apply while a move is played."""

    def __init__(self) -> None:
        self.notes: list[Note] = []

    def tell(self, rule: str, **facts: Fact) -> None:
        self.notes.append(Note(rule, facts))


class Breach(msgspec.Struct, frozen=True):
    """A broken rule, with the facts that prove it."""

    rule: str
    facts: dict[str, Fact] = {}


def changed(values: tuple[T, ...], index: int, value: T) -> tuple[T, ...]:
    """The values with one of them replaced, as a new State needs them."""
    return (*values[:index], value, *values[index + 1 :])


def broken(rule: str, **facts: Fact) -> Breach:
    return Breach(rule, facts)


class NoOptions(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The options of a game that has none."""


class IllegalMove(Exception):
    """A move that breaks one or more rules; `breaches` says which, and why."""

    def __init__(self, move: Any, breaches: tuple[Breach, ...]) -> None:
        super().__init__("; ".join(f"{b.rule} {b.facts}" for b in breaches))
        self.move = move
        self.breaches = breaches


class Line(msgspec.Struct, frozen=True):
    """One line of a score sheet: points, what they are for, and the rule and facts behind them."""

    label: str
    points: int
    because: Note


class SeatScore(msgspec.Struct, frozen=True):
    seat: SeatNo
    lines: tuple[Line, ...]
    total: int


class Scoresheet(msgspec.Struct, frozen=True):
    """Every point with its reason, and how the winner was decided.

    `winners` is empty while the game runs, and if no seat has won or the winner cannot be known. Several winners share
    the victory.
    """

    seats: tuple[SeatScore, ...]
    winners: tuple[SeatNo, ...] = ()
    because: tuple[Note, ...] = ()

    @property
    def winner(self) -> SeatNo | None:
        """The only winner, if there is one."""
        return self.winners[0] if len(self.winners) == 1 else None


class Earned(msgspec.Struct, frozen=True):
    """Points that moved a marker on a track during the game, and what they were for.

    A State keeps them beside the marker's field, so that a score sheet can say where each point came from.
    """

    label: str
    rule: str
    facts: tuple[tuple[str, Fact], ...] = ()
    points: int = 0


def earn(before: tuple[Earned, ...], label: str, points: int, because: Note) -> tuple[Earned, ...]:
    """Add points to those earned before. The same reason is one entry, and the order of play does not matter, so that
    two ways to the same table lead to equal States."""
    key = (label, because.rule, tuple(sorted(because.facts.items())))
    entries = {(one.label, one.rule, one.facts): one.points for one in before}
    entries[key] = entries.get(key, 0) + points
    return tuple(Earned(*reason, entries[reason]) for reason in sorted(entries, key=str) if entries[reason])


def earned_lines(earned: tuple[Earned, ...], track: int, rest: str) -> Iterator[Line]:
    """A line for each reason, and one by the rule `rest` for points without a known reason, which were told by hand or
    taken over from the track."""
    for one in earned:
        yield Line(one.label, one.points, Note(one.rule, {**dict(one.facts), "points": one.points}))
    if other := track - sum(one.points for one in earned):
        yield Line("points", other, Note(rest, {"points": other}))


def tally(seat: SeatNo, lines: Iterable[Line]) -> SeatScore:
    kept = tuple(lines)
    return SeatScore(seat, kept, sum(line.points for line in kept))


class Expected(msgspec.Struct, frozen=True):
    """What the table waits for: a sentence of the catalogue's `expects`, its facts, and who has to act.

    `phase` is a word of the catalogue for the part of the game, if the game has parts.
    """

    key: str
    facts: dict[str, Fact] = {}
    actor: Actor = None
    phase: str = ""


class Progress(msgspec.Struct, frozen=True):
    """How far a game is: a sentence of the catalogue's `progress` with its facts, the round, and the turn order.

    `round` counts from 1. `order` has the seats in the order in which they take turns in this round.
    """

    key: str
    facts: dict[str, Fact]
    round: int
    order: tuple[SeatNo, ...] = ()


def seat_of(move: Any, seats: int) -> SeatNo | None:
    """The seat that makes a move; None for chance, for the table's own acts, and if the seat is unknown."""
    seat = getattr(move, "seat", None)
    return seat if isinstance(seat, int) and 0 <= seat < seats else None


def colour_of_maker(facts: Mapping[str, Fact]) -> str | None:
    """The colour of the player who makes a move, from its facts. An automatic opponent has a colour, but no seat."""
    colour = facts.get("seat")
    return colour if isinstance(colour, str) and colour != "nobody" else None
