"""Finds unknown pieces: the camera cannot read a place where chance turned up a piece, so the box may not hold it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, Generic, NamedTuple

from companion.kernel.game import M, S
from companion.kernel.rules import CHANCE
from companion.kernel.views import UNKNOWN, Cells, Place, changed_places
from companion.table.ledger import Ledger
from companion.table.observations import Observations
from companion.text.move_menu import leading_to

STRANGE: Final = 10.0
"""Seconds after which an unreadable piece may be missing in the box; before, it may lie badly or under a hand."""


class Strange(NamedTuple):
    """A place with an unknown piece, and the options in the menu of moves that lead to it."""

    place: Place
    chosen: list[str]


class UnknownPieces(Generic[S, M]):
    """Finds the places of unknown pieces at one table."""

    def __init__(self, ledger: Ledger[S, M], observations: Observations) -> None:
        self._ledger, self._game, self._observations = ledger, ledger.game, observations
        self._due_in: tuple[Any, dict[Place, list[str]]] = None, {}

    def strange(self, now: float) -> Strange | None:
        """The first place with an unknown piece, if any."""
        state = self._ledger.state
        if self._game.learning is None or self._game.actor(state) != CHANCE:
            return None
        for place in self._not_made_out(now):
            if place in (due := self._due(state)):
                return Strange(place, due[place])
        return None

    def _not_made_out(self, now: float) -> Iterator[Place]:
        for zone, contents in self._observations.view(self._ledger.ignored).zones.items():
            cells = contents.at if isinstance(contents, Cells) else {}
            for cell, label in cells.items():
                if label == UNKNOWN and self._observations.unclear_for((zone, cell), now) >= STRANGE:
                    yield zone, cell

    def _due(self, state: S) -> dict[Place, list[str]]:
        """The places where chance turns up pieces that people may describe. Cached for the current state."""
        if self._due_in[0] is not state:
            self._due_in = state, dict(self._turned_up(state))
        return self._due_in[1]

    def _turned_up(self, state: S) -> Iterator[tuple[Place, list[str]]]:
        learning, view = self._game.learning, self._game.view(state)
        assert learning is not None
        tried = set()
        for move in self._game.moves(state):
            for field in move.__struct_fields__:
                chosen = leading_to(move, field)
                if tuple(chosen) not in tried and learning.form(state, move, field) is not None:
                    tried.add(tuple(chosen))
                    after = self._game.view(self._game.play(state, move))
                    yield from ((place, chosen) for place in changed_places(view, after) if place[1])
