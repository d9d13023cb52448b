"""Symbols: what permits, tokens and fields bring, and where supplies end."""

from __future__ import annotations

from companion.games.council_of_four.moves import BuyPermit, Elect, EndTurn
from companion.games.council_of_four.state import State

from .table import (
    BLUE,
    COAST,
    RED,
    breach,
    broken_rules,
    has,
    note,
    notes,
    played,
    table,
    told_rules,
    with_offers,
)

FOR_NOTHING = ("white", "black", "purple", "pink")


def offering(permit: str, **facts: int) -> State:
    """Red may buy this permit without paying gold."""
    return with_offers(has(table(), RED, **facts), permit, "B", "F", "G", "K", "L")


BUY = BuyPermit(RED, 0, FOR_NOTHING)


def test_symbol_assistant__from_the_supply() -> None:
    state = offering("ABC")
    assert note(state, BUY, "symbol.assistant").facts == {"seat": "red", "assistants": 2}
    after = played(state, BUY)
    assert (after.assistants[RED], after.supply) == (3, state.supply - 2)


def test_symbol_supply_empty__one_gets_what_is_there() -> None:
    state = has(offering("ABC"), BLUE, assistants=48 - 1 - 2 - 3 - 1)
    assert state.supply == 1
    assert note(state, BUY, "symbol.assistant").facts == {"seat": "red", "assistants": 1}
    assert note(state, BUY, "symbol.supply-empty").facts == {"seat": "red", "missing": 1}
    assert played(state, BUY).supply == 0


def test_symbol_gold__forward_on_the_track() -> None:
    state = offering("ABE")
    assert note(state, BUY, "symbol.gold").facts == {"seat": "red", "gold": 3}
    assert played(state, BUY).gold[RED] == 13


def test_symbol_gold_limit__what_is_above_twenty_is_lost() -> None:
    state = has(table(), RED, gold=18)
    move = Elect(RED, COAST, "orange")
    assert note(state, move, "symbol.gold-limit").facts == {"seat": "red", "last": 20, "lost": 2}
    assert played(state, move).gold[RED] == 20


def test_symbol_gold_limit__exactly_twenty_loses_nothing() -> None:
    state = has(table(), RED, gold=16)
    move = Elect(RED, COAST, "orange")
    assert "symbol.gold-limit" not in told_rules(state, move)
    assert played(state, move).gold[RED] == 20


def test_symbol_point__forward_on_the_track() -> None:
    state = offering("D")
    assert note(state, BUY, "symbol.point").facts == {"seat": "red", "points": 7}
    assert played(state, BUY).points == (7, 0, 0, 0)


def test_symbol_card__drawn_from_the_stack() -> None:
    state = offering("AB")
    assert note(state, BUY, "symbol.card").facts == {"seat": "red", "cards": 1}
    assert notes(state, BUY, "draw.card") == [{"seat": "red", "cards": 1}]
    assert played(state, BUY).deck == state.deck - 1


def test_symbol_card__the_cards_just_played_are_among_those_reshuffled() -> None:
    state = with_offers(table(facts={"deck": 0}), "AB", "B", "F", "G", "K", "L")
    after = played(state, BUY)
    assert (after.deck, after.discards, after.hands[RED]) == (3, 0, 7 - 4 + 1)


def test_symbol_main__another_main_action_this_turn() -> None:
    state = offering("E")
    assert note(state, BUY, "symbol.main").facts == {"seat": "red", "actions": 1}
    after = played(state, BUY)
    assert (after.main, after.acted) == (1, True)
    assert broken_rules(after, Elect(RED, COAST, "orange")) == set()


def test_symbol_main__it_need_not_be_taken() -> None:
    after = played(offering("E"), BUY, EndTurn(RED))
    assert (after.turn, after.main) == (1, 1)


def test_symbol_nobility__one_field_after_the_other() -> None:
    state = offering("AE")
    assert notes(state, BUY, "symbol.nobility") == [{"seat": "red", "field": 1}, {"seat": "red", "field": 2}]
    assert played(state, BUY).nobility == (2, 0, 0, 0)


def test_symbol_exact__nothing_more_and_nothing_less() -> None:
    move = Elect(RED, COAST, "orange", off=(0, 0, 0, 1))
    facts = {"seat": "red", "due": "gold4", "amount": "nobility1", "way": "too_many"}
    assert breach(table(), move, "symbol.exact").facts == facts
    assert broken_rules(table(), Elect(RED, COAST, "orange")) == set()
