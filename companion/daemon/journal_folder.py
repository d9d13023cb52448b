"""The folder of journals; opens tables from it.

Journals are numbered, because a Raspberry Pi that was off does not know the date. The newest journal is reopened even
if its game is over, because people may not have read the score yet. Older games were ended by people.
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
"""Returns the side of the table of each seat, for these colours in seat order."""


class Begin(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The setup of a new game. `instead`: begin it even if the open game is not over, and close that one."""

    game: str
    seats: tuple[Seat, ...]
    options: dict[str, Any] = {}
    instead: bool = False


class Opened(msgspec.Struct, frozen=True, eq=False):
    """An open table and its game."""

    game: Game[Any, Any]
    table: Table[Any, Any]

    @property
    def over(self) -> bool:
        return self.game.actor(self.table.state) is None

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.table.seats


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
        """Begin a game with a new journal. Errors are raised as a sentence for people."""
        game = games.load(wanted.game)
        answers = Answers(self._home, game.name).read()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise JournalError(
                self.folder, f"cannot be made ({error.strerror})", "check who may write there"
            ) from error
        # Higher than every number in the folder, also those of files that remained of a removed journal.
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
