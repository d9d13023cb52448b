"""Whether legal moves could have led to a table, told mostly by a game of a few lines."""

from __future__ import annotations

from collections.abc import Iterator

from companion.games.viscounts import GAME as VISCOUNTS
from companion.games.viscounts.moves import Push, Shift
from companion.messages import Cells, View
from companion.simulation.legal_ways import LegalWays, by_a_detour
from companion.simulation.worlds import Manner
from tests.games.viscounts import table as castle

LYING = View({"offer": Cells({"1": "ada", "2": "emma"}), "row": Cells({"1": None})})
TABLES = {
    "take": View({"offer": Cells({"1": None, "2": "emma"}), "row": Cells({"1": None})}),
    "clear": View({"offer": Cells({}), "row": Cells({"1": None})}),
    "play": View({"offer": Cells({}), "row": Cells({"1": "ada"})}),
}


class Clearing:
    """A card is taken, the others are cleared away, places and all; then the card is played."""

    def moves(self, state: int) -> Iterator[str]:
        return iter(list(TABLES)[state : state + 1])

    def play(self, state: int, _move: str) -> int:
        return state + 1


def _ways() -> LegalWays:
    return LegalWays(Clearing(), lambda _move: Manner(), lambda _lying, _state, move: TABLES[move], 0, LYING)


def test_places_that_are_cleared_away_with_their_cards_are_no_hindrance() -> None:
    assert _ways().lead_to(TABLES["play"])


def test_a_table_beside_the_way_is_not_reached() -> None:
    assert not _ways().lead_to(View({"offer": Cells({"1": "ada", "2": None}), "row": Cells({"1": "ada"})}))


def test_a_worker_that_is_gone_may_have_been_pushed_off_next_door() -> None:
    state = castle.due(castle.with_workers(castle.with_workers(castle.table(), 1, 0, 2, 1), 1, 1, 0, 1), "move", seat=1)
    pushed = castle.played(state, Shift(1, 1, 0), Push(1, 1, 0, 1))
    assert by_a_detour(VISCOUNTS, state, VISCOUNTS.view(pushed))
    taken = castle.with_workers(state, 1, 0, 2, 0)
    assert not by_a_detour(VISCOUNTS, state, VISCOUNTS.view(taken))
