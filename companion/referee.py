"""What happened: from a State and what the camera saw to the moves that explain it. One referee for all games.

It looks for the shortest legal sequence of moves after which the table would look as it was seen; what was not seen is
no evidence either way. It is pure: the same question has the same answer, and nothing waits here. What breaks a rule is
not told yet: a table that no legal moves explain is `Lost`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, Final, Generic, TypeVar

import msgspec

from companion.messages import UNKNOWN, Cells, Contents, Marks, Pieces, Pointing, View, differences
from companion.rules import Game

LONGEST: Final = 8
"""People do no more than so many things between two looks that matter."""
MOST_POSITIONS: Final = 4000
"""After so many positions the search gives up: nobody may wait for an answer."""

S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=msgspec.Struct)


class Settled(msgspec.Struct, frozen=True, tag=True):
    """The table looks as it should."""


class Explained(msgspec.Struct, frozen=True, tag=True):
    """These legal moves, in this order."""

    moves: tuple[Any, ...]


class Open(msgspec.Struct, frozen=True, tag=True):
    """Several ways lead here and differ in what nobody could see: a person must say which."""

    options: tuple[tuple[Any, ...], ...]


class Takeback(msgspec.Struct, frozen=True, tag=True):
    """The table looks as it did so many positions ago."""

    back: int


class Lost(msgspec.Struct, frozen=True, tag=True):
    """Nothing explains the table. For each zone that differs: what was seen, and what should be there."""

    zones: dict[str, tuple[Contents | None, Contents]]


Finding = Settled | Explained | Open | Takeback | Lost


class Position(msgspec.Struct, frozen=True, eq=False):
    """A state that could have come about, the moves that led there, and how far it is from what was seen."""

    state: Any
    moves: tuple[Any, ...]
    apart: int


class Referee(Generic[S, M]):
    """Explains the table of one game."""

    def __init__(self, game: Game[S, M]) -> None:
        self._game = game

    def judge(self, state: S, seen: View, earlier: Sequence[S] = ()) -> Finding:
        """What the table shows, given where the game stands and the positions before, the latest last."""
        apart = distance(seen, self._game.view(state))
        if not apart:
            return Settled()
        for back, old in enumerate(reversed(earlier), 1):
            if not distance(seen, self._game.view(old)):
                return Takeback(back)
        ways = self._ways(Position(state, (), apart), seen)
        if len(ways) == 1:
            return Explained(ways[0].moves)
        if ways:
            return Open(tuple(way.moves for way in ways))
        return Lost(differences(seen, self._game.view(state)))

    def _ways(self, start: Position, seen: View) -> list[Position]:
        """The shortest ways to what was seen, one for each state they end in."""
        level, known, looked = [start], {start.state}, 0
        for _ in range(LONGEST):
            reached: dict[Any, Position] = {}
            for position in sorted(level, key=lambda one: one.apart):
                for after in self._after(position, seen):
                    looked += 1
                    if after.state not in known and after.apart <= position.apart:
                        known.add(after.state)
                        reached[after.state] = after
                if looked > MOST_POSITIONS:
                    break
            there = [position for position in reached.values() if not position.apart]
            if there:
                return there
            if looked > MOST_POSITIONS or not reached:
                return []
            level = list(reached.values())
        return []

    def _after(self, position: Position, seen: View) -> Iterator[Position]:
        game = self._game
        for move in game.candidates(position.state, seen):
            if not game.check(position.state, move):
                state = game.play(position.state, move)
                yield Position(state, (*position.moves, move), distance(seen, game.view(state)))


def distance(seen: View, should: View) -> int:
    """In how many pieces what was seen differs from what should be there; what was not seen does not count."""
    return sum(_apart(seen.zones[name], contents) for name, contents in should.zones.items() if name in seen.zones)


def _apart(seen: Contents, should: Contents) -> int:
    match seen, should:
        case Cells(at=a), Cells(at=b):
            return sum(a.get(cell, UNKNOWN) not in (UNKNOWN, label) for cell, label in b.items())
        case Pieces(count=a), Pieces(count=b):
            return sum(abs(a.get(label, 0) - b.get(label, 0)) for label in a.keys() | b.keys())
        case Marks(field=a), Marks(field=b):
            return sum(a[marker] != field for marker, field in b.items() if marker in a)
        case Pointing(value=a), Pointing(value=b):
            return int(a is not None and b is not None and a != b)
        case _:
            return 1
