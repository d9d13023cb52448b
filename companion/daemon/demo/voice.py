"""What the people of the demo know of the table: what it believes, what troubles it, and how to tell it something."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from itertools import count
from typing import Any, Final

from companion.daemon.inbox import NotAccepted
from companion.daemon.journal_folder import Opened
from companion.kernel.events import Bulletin
from companion.kernel.messages import Command, Update
from companion.simulation.around import Wishes
from companion.table import Table
from companion.table.ledger import Point, Told

_OURS: Final = "demo "
"""How the ids of the people's own commands begin."""


class TableVoice:
    """Follows the table in its owner's thread; the people ask in theirs. States never change, so nobody waits."""

    def __init__(
        self,
        bulletin: Bulletin,
        put: Callable[[Command], None],
        wishes: Wishes,
        look_again: Callable[[Collection[str]], None],
    ) -> None:
        self._bulletin, self._put, self._wishes, self._look_again = bulletin, put, wishes, look_again
        self._numbers = count(1)
        self._question: tuple[int, tuple[Any, ...]] = 0, ()
        self._known = 0
        self._now: Point[Any] | None = None
        self._ahead: Sequence[Point[Any]] = ()
        self.state: Any = None

    # After the table

    def opened(self, opened: Opened) -> None:
        self.state, self._known = opened.table.state, opened.table.journal.last_number
        self._now, self._ahead = None, ()

    def follow(self, opened: Opened | None, updates: tuple[Update, ...]) -> None:
        if opened is None or not isinstance(opened.table, Table):
            return
        table = opened.table
        for update in updates:
            match update.kind:
                case "look_again":
                    self._look_again(update.body["zones"])
                case "waiting":
                    self._wishes.put_right = True
                case "moved":
                    self._wishes.suggested += self._told_by_others(table)
                case "question" if table.question is not None:
                    number, options = table.question
                    states = (table.state if one is None else table.outcomes.option(one) for one in options)
                    self._question = number, tuple(states)
                case _:
                    pass
        self.state, self._known = table.state, table.journal.last_number
        self._now, self._ahead = table.ledger.now, table.ledger.ahead

    def _told_by_others(self, table: Table[Any, Any]) -> list[Any]:
        """Moves that somebody told on a phone, and that hands have yet to make."""
        told = []
        for point in table.ledger.line():
            proof = point.proof
            if point.n > self._known and isinstance(proof, Told) and proof.kind == "move":
                told += [] if proof.command.startswith(_OURS) else [point.move]
        return told

    # For the people

    @property
    def trouble(self) -> Mapping[str, Any] | None:
        trouble: Mapping[str, Any] | None = self._bulletin.standing.table.get("trouble")
        return trouble

    def earlier(self) -> Iterator[Any]:
        point = self._now
        while point is not None:
            yield point.state
            first = point.first
            while point is not None and point.n >= first:
                point = point.parent

    def later(self) -> Iterator[Any]:
        yield self.state
        yield from (point.state for point in self._ahead)

    def options(self, question: int) -> Sequence[Any]:
        number, states = self._question
        return states if number == question else ()

    def tell(self, kind: str, **body: Any) -> None:
        """As a phone does; a table that stops, or has too much to do, does not take it, and that is no matter here."""
        try:
            self._put(Command(f"{_OURS}{id(self):x} {next(self._numbers)}", kind, body=body))
        except NotAccepted:
            return
