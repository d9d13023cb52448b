"""Elections: as a main action, or for an assistant."""

from __future__ import annotations

import pytest

from companion.games.council_of_four.moves import Elect

from .table import (
    COAST,
    KINGS,
    RED,
    breach,
    broken_rules,
    has,
    note,
    played,
    table,
    told_rules,
)


def test_elect_council__into_any_of_the_four() -> None:
    state = table()
    assert note(state, Elect(RED, KINGS, "orange"), "elect.council").facts == {"seat": "red", "council": "king"}
    assert all(not broken_rules(state, Elect(RED, council, "orange")) for council in range(4))


def test_elect_council__there_is_no_fifth() -> None:
    assert breach(table(), Elect(RED, 4, "orange"), "elect.council").facts == {"council": 4}
    assert broken_rules(table(), Elect(RED, -1, "orange")) == {"elect.council"}


def test_elect_pool__one_of_those_beside_the_board() -> None:
    assert note(table(), Elect(RED, COAST, "orange"), "elect.pool").facts == {"colour": "orange", "left": 3}


def test_elect_pool__all_white_ones_sit_in_a_council() -> None:
    assert breach(table(), Elect(RED, COAST, "white"), "elect.pool").facts == {"seat": "red", "colour": "white"}
    fallen = played(table(), Elect(RED, COAST, "orange"))
    assert fallen.councils[COAST] == ("orange", "white", "black", "purple")
    assert broken_rules(has(fallen, RED, assistants=1), Elect(RED, COAST, "pink")) == {"turn.main"}


def test_elect_push__in_on_the_left_and_out_on_the_right() -> None:
    state = table()
    facts = {"council": "coast", "colour": "orange", "fallen": "pink"}
    assert note(state, Elect(RED, COAST, "orange"), "elect.push").facts == facts
    assert played(state, Elect(RED, COAST, "orange")).councils[COAST] == ("orange", "white", "black", "purple")


@pytest.mark.parametrize(("enters", "falls"), [(3, 0), (0, 2), (1, 3)])
def test_elect_push__anywhere_else_is_wrong(enters: int, falls: int) -> None:
    found = breach(table(), Elect(RED, COAST, "orange", enters, falls), "elect.push")
    assert found.facts == {"seat": "red", "council": "coast", "colour": "orange"}


def test_elect_gold__an_election_brings_four() -> None:
    state = table()
    assert note(state, Elect(RED, COAST, "orange"), "elect.gold").facts == {"seat": "red", "gold": 4}
    assert played(state, Elect(RED, COAST, "orange")).gold == (14, 11, 12, 13)


def test_elect_gold__five_is_one_too_many() -> None:
    facts = {"seat": "red", "gold": 4, "amount": "gold1", "way": "too_much"}
    assert breach(table(), Elect(RED, COAST, "orange", off=(1, 0, 0, 0)), "elect.gold").facts == facts
    forgotten = Elect(RED, COAST, "orange", off=(-4, 0, 0, 0))
    assert breach(table(), forgotten, "elect.gold").facts == {**facts, "amount": "gold4", "way": "too_little"}


def test_elect_gold__points_are_no_part_of_it() -> None:
    assert broken_rules(table(), Elect(RED, COAST, "orange", off=(0, 2, 0, 0))) == {"symbol.exact"}
    assert "symbol.exact" not in told_rules(table(), Elect(RED, COAST, "orange"))
