"""The course of play: turns go round, each with a card, a main action and perhaps a quick one."""

from __future__ import annotations

import pytest

from companion.games.council_of_four import GAME
from companion.games.council_of_four.moves import (
    BuyAction,
    Elect,
    EndTurn,
    Hire,
    LayOut,
    Move,
    PutToken,
    Swap,
)
from companion.kernel.messages import Signal

from .table import (
    BLUE,
    COAST,
    HILLS,
    KINGS,
    RED,
    YELLOW,
    breach,
    broken_rules,
    has,
    laid_out,
    note,
    notes,
    played,
    table,
    told_rules,
)

ELECTION = Elect(RED, COAST, "orange")


def test_turn_order__clockwise_from_the_first_player_on() -> None:
    state = table(3, first=2)
    assert (state.turn, state.round) == (2, 1)
    state = played(state, Elect(2, COAST, "orange"))
    assert note(state, EndTurn(2), "turn.order").facts == {"seat": "red", "round": 1}
    state = played(state, EndTurn(2), Elect(0, COAST, "orange"), EndTurn(0), Elect(1, COAST, "orange"))
    assert note(state, EndTurn(1), "turn.order").facts == {"seat": "green", "round": 2}
    assert played(state, EndTurn(1)).round == 2


def test_turn_order__no_seat_acts_in_the_turn_of_another() -> None:
    facts = {"seat": "yellow", "next": "red"}
    assert breach(table(), Elect(YELLOW, COAST, "orange"), "turn.order").facts == facts
    assert broken_rules(table(), EndTurn(BLUE)) == {"turn.order"}


@pytest.mark.parametrize(
    ("move", "now"), [(ELECTION, "lots"), (LayOut(), "lots")], ids=lambda value: getattr(type(value), "__name__", "")
)
def test_turn_phases__what_does_not_belong_here(move: Move, now: str) -> None:
    assert breach(laid_out(), move, "turn.phases").facts == {"act": type(move).__name__, "now": f"now_{now}"}


def test_turn_phases__the_set_up_is_over_in_a_turn() -> None:
    assert breach(table(), PutToken(0, "gold1"), "turn.phases").facts == {"act": "PutToken", "now": "now_turn"}


def test_draw_card__every_turn_begins_with_one() -> None:
    state = table()
    assert (state.hands, state.deck) == ((7, 6, 6, 6), 65)
    state = played(state, ELECTION)
    assert note(state, EndTurn(RED), "draw.card").facts == {"seat": "yellow", "cards": 1}
    after = played(state, EndTurn(RED))
    assert (after.hands, after.deck) == ((7, 7, 6, 6), 64)


def test_draw_reshuffle__cards_laid_down_become_the_stack() -> None:
    state = played(table(facts={"deck": 0, "discards": 8}), ELECTION)
    assert note(state, EndTurn(RED), "draw.reshuffle").facts == {"cards": 8}
    after = played(state, EndTurn(RED))
    assert (after.deck, after.discards, after.hands[YELLOW]) == (7, 0, 7)


def test_draw_reshuffle__the_last_card_is_drawn_before() -> None:
    state = played(table(facts={"deck": 1, "discards": 8}), ELECTION)
    assert "draw.reshuffle" not in told_rules(state, EndTurn(RED))
    assert played(state, EndTurn(RED)).deck == 0


def test_draw_none__without_any_cards_nobody_draws() -> None:
    state = played(table(facts={"deck": 0}), ELECTION)
    assert note(state, EndTurn(RED), "draw.none").facts == {"seat": "yellow"}
    assert "draw.card" not in told_rules(state, EndTurn(RED))
    assert played(state, EndTurn(RED)).hands == state.hands


def test_turn_main__exactly_one() -> None:
    state = table()
    assert note(state, ELECTION, "turn.main").facts == {"seat": "red", "left": 0}
    after = played(state, ELECTION)
    assert breach(after, ELECTION, "turn.main").facts == {"seat": "red"}
    assert not any(isinstance(move, Elect) for move in GAME.moves(after))


def test_turn_main__one_too_many_may_be_wrong_in_itself_too() -> None:
    state = played(table(), ELECTION)
    assert broken_rules(state, Elect(RED, COAST, "orange", enters=2)) == {"turn.main", "elect.push"}


def test_turn_main__another_one_is_bought_or_comes_as_a_bonus() -> None:
    state = played(has(table(), RED, assistants=3), ELECTION, BuyAction(RED))
    assert (state.main, state.assistants[RED]) == (1, 0)
    assert broken_rules(state, ELECTION) == set()


def test_turn_must__no_turn_ends_without_a_main_action() -> None:
    assert breach(table(), EndTurn(RED), "turn.must").facts == {"seat": "red"}
    assert EndTurn(RED) not in set(GAME.moves(table()))
    assert broken_rules(played(table(), ELECTION), EndTurn(RED)) == set()


def test_turn_must__a_quick_action_is_no_main_action() -> None:
    assert broken_rules(played(table(), Hire(RED)), EndTurn(RED)) == {"turn.must"}


def test_turn_quick__at_most_one() -> None:
    state = played(table(), ELECTION)
    assert note(state, Hire(RED), "turn.quick").facts == {"seat": "red"}
    after = played(state, Hire(RED))
    assert breach(after, Swap(RED, HILLS), "turn.quick").facts == {"seat": "red"}
    assert list(GAME.moves(after)) == [EndTurn(RED)]


def test_turn_quick__it_is_voluntary() -> None:
    assert broken_rules(played(table(), ELECTION), EndTurn(RED)) == set()


def test_turn_quick__the_next_turn_has_its_own() -> None:
    state = played(table(), ELECTION, Hire(RED), EndTurn(RED))
    assert broken_rules(state, Hire(YELLOW)) == set()


def test_turn_any_order__before_the_main_action() -> None:
    assert note(table(), Hire(RED), "turn.any-order").facts == {"seat": "red"}
    state = played(table(), Hire(RED), Elect(RED, KINGS, "orange"))
    assert broken_rules(state, EndTurn(RED)) == set()


def test_turn_any_order__after_it_there_is_nothing_to_tell() -> None:
    assert notes(played(table(), ELECTION), Hire(RED), "turn.any-order") == []


def test_a_press_ends_a_turn_only_after_a_main_action() -> None:
    press = Signal("press", "button red", 0.0, RED)
    assert GAME.signalled(table(), press) == ()
    assert GAME.signalled(played(table(), ELECTION), press) == (EndTurn(RED),)
    assert GAME.signalled(played(table(), ELECTION), Signal("press", "button yellow", 0.0, YELLOW)) == ()
