"""Whether legal moves could have led to a table, mostly in a tiny game."""

from __future__ import annotations

from collections.abc import Iterator

from companion.kernel.simulation import Habit, LegalWays
from companion.kernel.views import Cells, View

LYING = View({"offer": Cells({"1": "ada", "2": "emma"}), "row": Cells({"1": None})})
TABLES = {
    "take": View({"offer": Cells({"1": None, "2": "emma"}), "row": Cells({"1": None})}),
    "clear": View({"offer": Cells({}), "row": Cells({"1": None})}),
    "play": View({"offer": Cells({}), "row": Cells({"1": "ada"})}),
}


class Clearing:
    """A game in which a card is taken, the others are removed with their places, and the card is played."""

    def moves(self, state: int) -> Iterator[str]:
        return iter(list(TABLES)[state : state + 1])

    def play(self, state: int, _move: str) -> int:
        return state + 1


def _ways() -> LegalWays:
    return LegalWays(Clearing(), lambda _move: Habit(), lambda _lying, _state, move: TABLES[move], 0, LYING)


def test_places_that_are_cleared_away_with_their_cards_are_no_hindrance() -> None:
    assert _ways().lead_to(TABLES["play"])


def test_a_table_beside_the_way_is_not_reached() -> None:
    assert not _ways().lead_to(View({"offer": Cells({"1": "ada", "2": None}), "row": Cells({"1": "ada"})}))
