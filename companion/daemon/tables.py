"""What the daemon needs of a table, and of whoever opens one; `companion.table.Table` is both."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Protocol

from companion.journal import Clock, Journal
from companion.messages import Message, Update
from companion.rules import Game, Seat, SeatNo


class TableLike(Protocol):
    """One game at one table. Only one thread ever calls it."""

    @property
    def state(self) -> Any: ...

    @property
    def journal(self) -> Journal: ...

    @property
    def number(self) -> int:
        """Of the last Update."""

    def take(self, message: Message) -> tuple[Update, ...]:
        """What follows from a message. A journal that cannot be written changes nothing, and is told."""

    @property
    def unwritten(self) -> str:
        """Why the journal could not be written last; empty if it could."""

    def snapshot(self) -> dict[str, Any]: ...

    def close(self) -> None: ...


class Tables(Protocol):
    """Opens tables."""

    def begin(
        self,
        game: Game[Any, Any],
        path: Path,
        seats: tuple[Seat, ...],
        options: Mapping[str, Any],
        now: Clock,
        answers: Mapping[str, Any] | None = None,
        sides: Mapping[SeatNo, str] | None = None,
    ) -> TableLike:
        """`sides` says on which side of the table a seat is, where that is known."""

    def reopen(
        self, game: Game[Any, Any], path: Path, now: Clock, sides: Mapping[SeatNo, str] | None = None
    ) -> TableLike: ...
