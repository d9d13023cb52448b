"""Duties of the rulebook that are told when it is time for them, because nothing can check them."""

from __future__ import annotations

from companion.games.viscounts import GAME
from companion.games.viscounts.moves import DrawUp, TakePair
from companion.games.viscounts.rulebook.effects import gain_debts, gain_deeds
from companion.kernel.rules import Note, RuleLog

from .table import RED, YELLOW, note, ready, replace, table, told


def told_in_the_draft(first: int = 0) -> list[Note]:
    """All that is told until the first turn."""
    state, notes = ready(3, first=first), list[Note]()
    while state.phase == "draft":
        listed = list(GAME.moves(state))
        move = next((one for one in listed if isinstance(one, TakePair)), listed[0])
        notes += GAME.tell(state, move)
        state = GAME.play(state, move)
    return notes


def test_setup_reference__the_player_card_is_turned_over() -> None:
    assert note(ready(), TakePair(YELLOW, 0), "setup.reference").facts == {"seat": "yellow"}


def test_setup_piles__nobody_looks_through_them() -> None:
    assert [one.rule for one in told_in_the_draft()].count("setup.piles") == 1


def test_setup_first__the_marker_stays_with_the_first_player() -> None:
    assert [one.facts for one in told_in_the_draft(first=1) if one.rule == "setup.first"] == [{"seat": "blue"}]


def test_end_beside__the_card_that_came_to_light_is_turned_over() -> None:
    for change, facts, card in (
        (gain_debts, {"poverty": 1}, "poverty_card"),
        (gain_deeds, {"prosperity": 1}, "prosperity_card"),
    ):
        log = RuleLog()
        change(table(**facts), RED, 1, log)
        assert [one.facts for one in log.notes if one.rule == "end.beside"] == [{"card": card}]


def test_end_abilities__townsfolk_on_player_boards_are_of_no_use_when_points_are_counted() -> None:
    last = table(phase="drawing", turn=YELLOW, round=4, last_round=4)
    assert "end.abilities" in told(last, DrawUp(YELLOW))
    over = GAME.play(last, DrawUp(YELLOW))
    assert over.phase == "over"
    benefactor = replace(over, rows=(("benefactor", "", ""), *over.rows[1:]))
    assert GAME.score(benefactor).seats[RED].total == GAME.score(over).seats[RED].total
