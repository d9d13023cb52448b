"""The nobility track (Adelsleiste): what its fields bring, and the choices there."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.council_of_four import GAME
from companion.games.council_of_four.moves import (
    Build,
    BuyPermit,
    CopyPermit,
    CopyToken,
    Decline,
    EndTurn,
    TakeFree,
    TurnUp,
)
from companion.games.council_of_four.state import State

from .table import (
    RED,
    YELLOW,
    breach,
    broken_rules,
    city,
    has,
    note,
    notes,
    played,
    replace,
    table,
    told_rules,
    with_emporiums,
    with_offers,
    with_permits,
    with_tokens,
)

STEP = BuyPermit(RED, 0, ("white", "black", "purple", "pink"))
"""Red buys the permit CDE: a card and a step of nobility."""


def before(field: int, cities: str = "", permits: tuple[str, ...] = (), **options: Any) -> State:
    """Red is one step before a field, and has emporiums and permits."""
    state = has(table(**options), RED, nobility=field - 1, gold=5)
    state = with_permits(with_emporiums(state, RED, cities), RED, *permits)
    return with_offers(state, "CDE", "B", "F", "G", "K", "L")


def field(number: int, numeral: str) -> dict[str, Any]:
    """The facts of a choice that Red has on a field."""
    return {"seat": "red", "field": number, "numeral": numeral}


@pytest.mark.parametrize(
    ("rule", "field", "points", "gold", "assistants", "cards", "main"),
    [
        ("nobility.i", 2, 2, 2, 0, 0, 0),
        ("nobility.iii", 6, 0, 0, 0, 0, 1),
        ("nobility.iv", 8, 3, 0, 0, 1, 0),
        ("nobility.vi", 12, 5, 0, 1, 0, 0),
        ("nobility.ix", 18, 8, 0, 0, 0, 0),
        ("nobility.x", 19, 2, 0, 0, 0, 0),
        ("nobility.xi", 20, 3, 0, 0, 0, 0),
    ],
)
def test_a_field_brings_what_it_shows(
    rule: str, field: int, points: int, gold: int, assistants: int, cards: int, main: int
) -> None:
    state = before(field)
    assert note(state, STEP, rule).facts == {"seat": "red", "field": field}
    after = played(state, STEP)
    assert (after.points[RED], after.gold[RED], after.main) == (points, 5 + gold, main)
    assert (after.assistants[RED], after.hands[RED]) == (1 + assistants, 7 - 4 + 1 + cards)


@pytest.mark.parametrize("field", [1, 3, 5, 7, 9, 11, 13, 15, 17])
def test_the_other_fields_bring_nothing(field: int) -> None:
    state = before(field)
    assert {rule for rule in told_rules(state, STEP) if rule.startswith("nobility.")} == set()
    after = played(state, STEP)
    assert (after.points[RED], after.gold[RED], after.choices) == (0, 5, ())


def test_nobility_i__two_points_and_two_gold() -> None:
    after = played(before(2), STEP)
    assert (after.points[RED], after.gold[RED]) == (2, 7)


def test_nobility_i__passing_the_field_is_reaching_it() -> None:
    state = with_offers(has(table(), RED, nobility=1), "AE", "B", "F", "G", "K", "L")
    after = played(state, STEP)
    assert (after.nobility[RED], after.points[RED]) == (3, 2)


def test_nobility_ii__the_reward_of_an_own_city() -> None:
    state = before(4, "AC")
    assert note(state, STEP, "nobility.ii").facts == {"seat": "red", "field": 4}
    state = played(state, STEP)
    assert [move for move in GAME.moves(state) if isinstance(move, CopyToken)] == [
        CopyToken(RED, city("A")),
        CopyToken(RED, city("C")),
    ]
    after = played(state, CopyToken(RED, city("C")))
    assert (after.gold[RED], after.choices) == (5 + 3, ())


def test_nobility_iii__another_main_action() -> None:
    assert played(before(6), STEP).main == 1


def test_nobility_iv__three_points_and_a_card() -> None:
    state = before(8)
    assert notes(state, STEP, "symbol.card") == [{"seat": "red", "cards": 1}, {"seat": "red", "cards": 1}]
    assert played(state, STEP).points[RED] == 3


def test_nobility_v__an_open_permit_for_nothing() -> None:
    state = before(10)
    assert note(state, STEP, "nobility.v").facts == {"seat": "red", "field": 10}
    state = played(state, STEP)
    offered = [move for move in GAME.moves(state) if isinstance(move, TakeFree)]
    assert offered == [TakeFree(RED, place) for place in (1, 2, 3, 4, 5)]


def test_nobility_free_permit__it_brings_its_bonus_and_costs_nothing() -> None:
    state = played(before(10), STEP)
    assert note(state, TakeFree(RED, 5), "nobility.free-permit").facts == {"seat": "red", "permit": "L"}
    after = played(state, TakeFree(RED, 5))
    assert (after.gold[RED], after.assistants[RED], after.permits[RED]) == (5 + 1, 1 + 3, ("CDE", "L"))


def test_nobility_free_permit__only_one_that_lies_there_and_exactly_its_bonus() -> None:
    state = played(before(10), STEP)
    assert broken_rules(state, TakeFree(RED, 0)) == {"permit.choose"}
    assert broken_rules(state, TakeFree(RED, 5, off=(1, 0, 0, 0))) == {"permit.bonus"}


def test_nobility_before_refill__the_free_permit_is_taken_first() -> None:
    state = played(before(10), STEP)
    assert breach(state, TurnUp(0, "CD"), "nobility.before-refill").facts == {"seat": "red"}
    assert GAME.actor(state) == RED
    assert broken_rules(played(state, TakeFree(RED, 1)), TurnUp(0, "CD")) == set()


def test_nobility_before_refill__what_was_missing_before_may_be_turned_up() -> None:
    """Red has bought a permit, and builds for the step of nobility before another one is turned up."""
    state = with_tokens(with_permits(replace(before(10), main=2), RED, "O"), O="nobility1")
    state = with_offers(state, "A", "B", "F", "G", "K", "L")
    state = played(state, BuyPermit(RED, 0, ("white", "black", "purple", "pink")), Build(RED, "O", city("O")))
    assert broken_rules(state, TurnUp(0, "CD")) == broken_rules(state, TakeFree(RED, 1)) == set()
    assert TurnUp(0, "CD") in set(GAME.moves(state))


def test_nobility_before_refill__by_the_house_rule_it_is_taken_afterwards() -> None:
    state = played(before(10, free_permit="after_refill"), STEP)
    assert broken_rules(state, TakeFree(RED, 1)) == {"permit.refill"}
    state = played(state, TurnUp(0, "CD"))
    assert broken_rules(state, TakeFree(RED, 0)) == set()


def test_nobility_decline__it_need_not_be_taken() -> None:
    state = played(before(10), STEP)
    assert note(state, Decline(RED), "nobility.decline").facts == {"seat": "red"}
    after = played(state, Decline(RED))
    assert (after.choices, after.permits[RED]) == ((), ("CDE",))
    assert broken_rules(table(), Decline(RED)) == {"nobility.reach"}


def test_nobility_vi__five_points_and_an_assistant() -> None:
    after = played(before(12), STEP)
    assert (after.points[RED], after.assistants[RED]) == (5, 2)


def test_nobility_vii__the_bonus_of_an_own_permit() -> None:
    state = before(14, permits=("D", "ABE"))
    assert note(state, STEP, "nobility.vii").facts == {"seat": "red", "field": 14}
    state = played(state, STEP)
    after = played(state, CopyPermit(RED, "D"))
    assert (after.points[RED], after.choices) == (7, ())


def test_nobility_own_permit__used_ones_too() -> None:
    state = with_permits(before(14), RED, used=("D",))
    state = played(state, STEP)
    assert note(state, CopyPermit(RED, "D"), "nobility.own-permit").facts == {"seat": "red", "permit": "D"}
    assert played(state, CopyPermit(RED, "D")).used[RED] == ("D",)


def test_nobility_own_permit__not_that_of_another_seat() -> None:
    state = with_permits(before(14, permits=("D",)), YELLOW, "ABE")
    state = played(state, STEP)
    facts = {"seat": "red", "permit": "ABE"}
    assert breach(state, CopyPermit(RED, "ABE"), "nobility.own-permit").facts == facts
    assert broken_rules(state, CopyPermit(RED, "D", off=(0, 1, 0, 0))) == {"symbol.exact"}


def test_nobility_earlier_permit__not_the_one_that_led_there() -> None:
    state = played(before(14, permits=("D",)), STEP)
    assert breach(state, CopyPermit(RED, "CDE"), "nobility.earlier-permit").facts == {"seat": "red", "permit": "CDE"}
    assert [move for move in GAME.moves(state) if isinstance(move, CopyPermit)] == [CopyPermit(RED, "D")]


def test_nobility_earlier_permit__by_the_house_rule_that_one_too() -> None:
    state = played(before(14, permits=("D",), copy_new_permit=True), STEP)
    assert broken_rules(state, CopyPermit(RED, "CDE")) == set()
    assert played(state, CopyPermit(RED, "CDE")).nobility[RED] == 15


def test_nobility_viii__the_rewards_of_two_cities() -> None:
    state = before(16, "ACD")
    assert note(state, STEP, "nobility.viii").facts == {"seat": "red", "field": 16}
    after = played(state, STEP, CopyToken(RED, city("A")), CopyToken(RED, city("D")))
    assert (after.gold[RED], after.points[RED], after.choices) == (6, 1, ())


def test_nobility_two_tokens__two_different_ones() -> None:
    state = played(before(16, "ACD"), STEP)
    facts = {"seat": "red", "city": "Arkon"}
    assert note(state, CopyToken(RED, city("A")), "nobility.two-tokens").facts == facts
    state = played(state, CopyToken(RED, city("A")))
    assert breach(state, CopyToken(RED, city("A")), "nobility.two-tokens").facts == facts
    assert broken_rules(state, CopyToken(RED, city("C"))) == set()


def test_nobility_two_tokens__with_a_single_city_the_second_is_lost() -> None:
    state = played(before(16, "A"), STEP)
    assert note(state, CopyToken(RED, city("A")), "nobility.nothing").facts == field(16, "VIII")
    assert played(state, CopyToken(RED, city("A"))).choices == ()


def test_nobility_own_city__where_an_emporium_of_ones_own_stands() -> None:
    state = with_emporiums(played(before(4, "A"), STEP), YELLOW, "C")
    facts = {"seat": "red", "city": "Arkon"}
    assert note(state, CopyToken(RED, city("A")), "nobility.own-city").facts == facts
    facts = {"seat": "red", "city": "Castrum"}
    assert breach(state, CopyToken(RED, city("C")), "nobility.own-city").facts == facts


def test_nobility_no_token__the_purple_one_has_nothing_to_give() -> None:
    state = played(before(4, "AJ"), STEP)
    facts = {"seat": "red", "city": "Juvelar"}
    assert breach(state, CopyToken(RED, city("J")), "nobility.no-token").facts == facts


def test_nobility_no_chain__a_reward_of_nobility_is_not_chosen() -> None:
    state = played(before(4, "AN"), STEP)
    assert breach(state, CopyToken(RED, city("N")), "nobility.no-chain").facts == {"seat": "red", "city": "Naris"}
    assert CopyToken(RED, city("N")) not in set(GAME.moves(state))


def test_nobility_nothing__without_a_city_there_is_nothing_to_choose() -> None:
    assert note(before(4), STEP, "nobility.nothing").facts == field(4, "II")
    assert played(before(4), STEP).choices == ()
    assert note(before(4, "N"), STEP, "nobility.nothing").facts == field(4, "II")


def test_nobility_nothing__the_first_permit_of_all_cannot_be_copied() -> None:
    assert note(before(14), STEP, "nobility.nothing").facts == field(14, "VII")


def test_nobility_ix__eight_points() -> None:
    assert played(before(18), STEP).points[RED] == 8


def test_nobility_x__two_points() -> None:
    assert played(before(19), STEP).points[RED] == 2


def test_nobility_xi__three_points() -> None:
    assert played(before(20), STEP).points[RED] == 3


def test_nobility_last_field__there_is_nothing_after_the_twentieth() -> None:
    state = before(21)
    assert note(state, STEP, "nobility.last-field").facts == {"seat": "red", "last": 20}
    after = played(state, STEP)
    assert (after.nobility[RED], after.points[RED]) == (20, 0)


def test_nobility_reach__a_bonus_comes_only_with_its_field() -> None:
    state = with_emporiums(table(), RED, "A")
    assert breach(state, CopyToken(RED, city("A")), "nobility.reach").facts == {"seat": "red"}
    assert broken_rules(state, TakeFree(RED, 0)) == {"nobility.reach"}
    assert broken_rules(state, CopyPermit(RED, "A")) == {"nobility.reach"}


def test_nobility_first__the_bonus_is_chosen_before_anything_else() -> None:
    state = played(before(4, "A"), STEP)
    assert breach(state, EndTurn(RED), "nobility.first").facts == field(4, "II")
    assert broken_rules(state, TakeFree(RED, 1)) == {"nobility.first"}
    assert broken_rules(played(state, CopyToken(RED, city("A"))), EndTurn(RED)) == set()


def test_nobility_first__a_copied_permit_may_lead_to_the_next_choice() -> None:
    state = played(before(14, "AC", permits=("AE",)), STEP, CopyPermit(RED, "AE"))
    assert (state.nobility[RED], [choice.numeral for choice in state.choices]) == (16, ["VIII", "VIII"])
    assert broken_rules(state, EndTurn(RED)) == {"nobility.first"}
