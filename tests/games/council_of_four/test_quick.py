"""Quick actions: an assistant for gold; permits, an election or a main action for assistants."""

from __future__ import annotations

import pytest

from companion.games.council_of_four import GAME
from companion.games.council_of_four.moves import BuyAction, Elect, Hire, Move, Send, Swap, TurnUp

from .table import (
    BLUE,
    COAST,
    HILLS,
    KINGS,
    RED,
    breach,
    broken_rules,
    has,
    note,
    played,
    table,
    told_rules,
    with_offers,
)


def test_quick_hire__three_gold_for_an_assistant() -> None:
    assert note(table(), Hire(RED), "quick.hire").facts == {"seat": "red", "gold": 3}
    after = played(table(), Hire(RED))
    assert (after.gold[RED], after.assistants[RED]) == (7, 2)


def test_quick_hire__two_gold_are_too_little() -> None:
    state = has(table(), RED, gold=2)
    assert breach(state, Hire(RED), "quick.hire").facts == {"seat": "red", "has": 2, "price": 3}
    assert Hire(RED) not in set(GAME.moves(state))


def test_quick_hire_supply__nobody_is_left_to_hire() -> None:
    state = has(table(), BLUE, assistants=48 - 1 - 2 - 3)
    assert breach(state, Hire(RED), "quick.hire-supply").facts == {"seat": "red"}
    assert Hire(RED) not in set(GAME.moves(state))


@pytest.mark.parametrize(
    ("move", "cost", "due"),
    [
        (Hire(RED, (0, 0, 1, 0)), "gold3", "assistantsgot1"),
        (Swap(RED, COAST, (0, 0, 1, 0)), "assistantsgot1", "turned_up"),
        (Send(RED, COAST, "orange", off=(0, 0, 1, 0)), "assistantsgot1", "elected"),
        (BuyAction(RED, (0, 0, 1, 0)), "assistantsgot3", "main1"),
    ],
    ids=lambda value: type(value).__name__,
)
def test_quick_exact__each_has_its_price(move: Move, cost: str, due: str) -> None:
    state = has(table(), RED, assistants=3)
    facts = {"seat": "red", "cost": cost, "due": due, "amount": "assistantsgot1", "way": "too_many"}
    assert breach(state, move, "quick.exact").facts == facts


def test_quick_exact__sending_an_assistant_brings_no_gold() -> None:
    facts = {"seat": "red", "cost": "assistantsgot1", "due": "elected", "amount": "gold4", "way": "too_much"}
    assert breach(table(), Send(RED, COAST, "orange", off=(4, 0, 0, 0)), "quick.exact").facts == facts


def test_quick_swap__for_an_assistant() -> None:
    facts = {"seat": "red", "assistants": 1, "region": "hills"}
    assert note(table(), Swap(RED, HILLS), "quick.swap").facts == facts
    after = played(table(), Swap(RED, HILLS))
    assert (after.assistants[RED], after.offers) == (0, ("A", "B", "", "", "K", "L"))


def test_quick_swap__without_an_assistant_it_cannot_be() -> None:
    state = has(table(), RED, assistants=0)
    assert breach(state, Swap(RED, HILLS), "quick.swap").facts == {"seat": "red", "has": 0, "price": 1}


def test_quick_swap_open__both_go_under_the_stack() -> None:
    facts = {"permits": ("F", "G"), "region": "hills"}
    assert note(table(), Swap(RED, HILLS), "quick.swap-open").facts == facts
    after = played(table(), Swap(RED, HILLS))
    assert after.below[HILLS] == (("F", "G"),)
    filled = played(after, TurnUp(2, "FG"), TurnUp(3, "HG"))
    assert filled.offers == ("A", "B", "FG", "HG", "K", "L")


def test_quick_swap_open__where_none_lie_there_is_nothing_to_swap() -> None:
    state = with_offers(table(), "A", "B", "", "", "K", "L")
    assert breach(state, Swap(RED, HILLS), "quick.swap-open").facts == {"region": "hills"}
    assert broken_rules(table(), Swap(RED, 3)) == {"quick.swap-open"}


def test_quick_send__an_election_without_gold() -> None:
    move = Send(RED, KINGS, "orange")
    assert note(table(), move, "quick.send").facts == {"seat": "red", "assistants": 1}
    after = played(table(), move)
    assert (after.assistants[RED], after.gold[RED]) == (0, 10)
    assert after.councils[KINGS] == ("orange", "white", "black", "purple")
    assert "elect.gold" not in told_rules(table(), move)


def test_quick_send__without_an_assistant_it_cannot_be() -> None:
    state = has(table(), RED, assistants=0)
    facts = {"seat": "red", "has": 0, "price": 1}
    assert breach(state, Send(RED, KINGS, "orange"), "quick.send").facts == facts


def test_quick_send__pushed_in_like_any_other() -> None:
    assert broken_rules(table(), Send(RED, KINGS, "orange", enters=3)) == {"elect.push"}
    assert broken_rules(table(), Send(RED, KINGS, "white")) == {"elect.pool"}


def test_quick_main__three_assistants_for_another_one() -> None:
    state = has(table(), RED, assistants=4)
    assert note(state, BuyAction(RED), "quick.main").facts == {"seat": "red", "assistants": 3}
    after = played(state, BuyAction(RED))
    assert (after.assistants[RED], after.main) == (1, 2)


def test_quick_main__the_same_action_twice() -> None:
    state = played(has(table(), RED, assistants=3), BuyAction(RED), Elect(RED, COAST, "orange"))
    assert played(state, Elect(RED, COAST, "orange")).gold[RED] == 10 + 4 + 4


def test_quick_main__two_assistants_are_too_few() -> None:
    state = has(table(), RED, assistants=2)
    assert breach(state, BuyAction(RED), "quick.main").facts == {"seat": "red", "has": 2, "price": 3}
