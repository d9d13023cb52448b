"""The folder with the games' journals, and how a table is opened from it.

Journals are numbered, because a Raspberry Pi that was off does not know what day it is. The newest one is opened again,
also if its game is over, for its score may not have been read yet; older ones were put away by people.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import msgspec

from companion import games
from companion.journal import Clock, Journal, JournalError
from companion.kernel.box import Answers
from companion.kernel.game import Game
from companion.kernel.rules import Seat, SeatNo
from companion.table import Table

FOLDER: Final = "games"
SUFFIX: Final = ".journal"
_NUMBERED: Final = re.compile(r"(\d+)-.+")


Sides = Callable[[Sequence[str]], Mapping[SeatNo, str]]
"""On which side of the table each seat sits, for these colours in the order of their seats."""


class Begin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A game that shall begin. `instead`: even though another one is not over, which is put away then."""

    game: str
    seats: tuple[Seat, ...]
    options: dict[str, Any] = {}
    instead: bool = False


class Opened(msgspec.Struct, frozen=True, eq=False):
    """A table and the game that is played at it."""

    game: Game[Any, Any]
    table: Table[Any, Any]

    @property
    def over(self) -> bool:
        return self.game.actor(self.table.state) is None

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.table.journal.head.setup.seats


class JournalFolder:
    """The journals in a companion's home."""

    def __init__(
        self, home: Path, tables: type[Table[Any, Any]], now: Clock, sides: Sides = lambda _colours: {}
    ) -> None:
        self._home, self._tables, self._now, self._sides = home, tables, now, sides
        self.folder = home / FOLDER

    def newest(self) -> Path | None:
        return max(((n, path) for n, path in self._numbered() if path.suffix == SUFFIX), default=(0, None))[1]

    def reopen(self) -> Opened | None:
        """The newest game, if there is any."""
        path = self.newest()
        if path is None:
            return None
        with Journal.read(path) as journal:
            game, seats = games.load(journal.head.game), journal.head.setup.seats
        return Opened(game, self._tables.reopen(game, path, self._now, self._seated(seats)))

    def begin(self, wanted: Begin) -> Opened:
        """A new game with a journal of its own. What is wrong with it is raised as a sentence."""
        game = games.load(wanted.game)
        answers = Answers(self._home, game.name).read()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(
                self.folder, f"cannot be made ({error.strerror})", "check who may write there"
            ) from error
        # Past everything that has a number, also the rest of a journal that somebody took away.
        number = max((number for number, _ in self._numbered()), default=0) + 1
        path = self.folder / f"{number:04}-{game.name}{SUFFIX}"
        sides = self._seated(wanted.seats)
        return Opened(game, self._tables.begin(game, path, wanted.seats, wanted.options, self._now, answers, sides))

    def _seated(self, seats: tuple[Seat, ...]) -> Mapping[SeatNo, str]:
        return self._sides([seat.colour for seat in seats])

    def _numbered(self) -> list[tuple[int, Path]]:
        if not self.folder.is_dir():
            return []
        return [(int(name[1]), path) for path in self.folder.iterdir() if (name := _NUMBERED.fullmatch(path.name))]
