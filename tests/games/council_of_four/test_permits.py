"""Building permits: the bribe, the permit, its bonus, and the next one that is turned up."""

from __future__ import annotations

import pytest

from companion.games.council_of_four import GAME
from companion.games.council_of_four.moves import BuyPermit, Elect, EndTurn, Swap, Sweep, TurnUp
from companion.games.council_of_four.rulebook.councils import bribe_price
from companion.games.council_of_four.state import State, face_down, next_permits
from companion.kernel.catalogue import Speaker
from companion.kernel.rules import changed

from .table import (
    BOX,
    COAST,
    HILLS,
    MOUNTAINS,
    RED,
    YELLOW,
    breach,
    broken_rules,
    has,
    note,
    played,
    replace,
    table,
    told_rules,
    with_council,
    with_offers,
    with_permits,
)

ALL_FOUR = ("white", "black", "purple", "pink")


def rich(**facts: int) -> State:
    return has(table(), RED, **{"gold": 20, **facts})


# The book's pictures of bribes: the council has one light blue councillor among others.


def bribed() -> State:
    return with_council(rich(), COAST, "light_blue", "white", "orange", "black")


def test_example_two_councillors_are_bribed() -> None:
    state = bribed()
    move = BuyPermit(RED, 0, ("light_blue", "orange"))
    assert broken_rules(state, move) == set()
    assert note(state, move, "bribe.gold").facts == {"seat": "red", "councillors": 2, "gold": 7}


def test_example_the_blue_councillor_can_be_bribed_only_once() -> None:
    move = BuyPermit(RED, 0, ("light_blue", "light_blue"))
    assert broken_rules(bribed(), move) == {"bribe.once"}


def test_example_a_colour_that_is_not_in_the_council() -> None:
    move = BuyPermit(RED, 0, ("light_blue", "orange", "pink"))
    assert breach(bribed(), move, "bribe.colours").facts == {"seat": "red", "colour": "pink", "council": "coast"}


@pytest.mark.parametrize(("councillors", "gold"), [(1, 10), (2, 7), (3, 4), (4, 0)])
def test_example_what_one_to_four_councillors_cost(councillors: int, gold: int) -> None:
    state, move = rich(), BuyPermit(RED, 0, ALL_FOUR[:councillors])
    assert note(state, move, "bribe.gold").facts == {"seat": "red", "councillors": councillors, "gold": gold}
    bonus = 3  # of the permit A
    assert played(has(state, RED, gold=gold), move).gold[RED] == bonus


@pytest.mark.parametrize(
    ("cards", "gold"),
    [(("joker",), 11), (("joker", "white"), 8), (("joker", "joker", "white"), 6), (("joker",) * 4, 4)],
)
def test_example_each_joker_costs_one_gold_more(cards: tuple[str, ...], gold: int) -> None:
    assert bribe_price(BOX, cards) == gold
    state = has(table(), RED, gold=gold)
    assert broken_rules(state, BuyPermit(RED, 0, cards)) == set()
    assert broken_rules(has(state, RED, gold=gold - 1), BuyPermit(RED, 0, cards)) == {"bribe.affords"}


def test_example_a_permit_for_castrum() -> None:
    """It brings 2 assistants and 3 gold, and lets one build in Castrum."""
    state = with_offers(rich(gold=0), "C", "B", "F", "G", "K", "L")
    after = played(state, BuyPermit(RED, 0, ALL_FOUR))
    assert (after.assistants[RED], after.gold[RED]) == (1 + 2, 3)
    assert after.permits[RED] == ("C",)
    assert BOX.cities["C"] == "Castrum"


# The bribe


def test_bribe_council__that_of_the_permits_region() -> None:
    move = BuyPermit(RED, 2, ALL_FOUR)
    assert note(rich(), move, "bribe.council").facts == {"seat": "red", "council": "hills"}
    other = with_council(rich(), HILLS, "orange", "orange", "light_blue", "light_blue")
    assert broken_rules(other, move) == {"bribe.colours"}


def test_bribe_council__with_politics_cards_that_there_are() -> None:
    assert breach(rich(), BuyPermit(RED, 0, ("green", "white")), "bribe.council").facts == {"cards": ("green",)}


def test_bribe_cards__one_for_each_councillor() -> None:
    facts = {"seat": "red", "cards": 3, "council": "coast"}
    assert note(rich(), BuyPermit(RED, 0, ALL_FOUR[:3]), "bribe.cards").facts == facts
    after = played(rich(), BuyPermit(RED, 0, ALL_FOUR[:3]))
    assert (after.hands[RED], after.bribe) == (7 - 3, ("black", "purple", "white"))
    assert after.discards == 3


def test_bribe_cards__at_least_one_and_four_at_the_most() -> None:
    assert breach(rich(), BuyPermit(RED, 0, ()), "bribe.cards").facts == {"seat": "red", "cards": 0, "most": 4}
    five = BuyPermit(RED, 0, (*ALL_FOUR, "joker"))
    assert breach(rich(), five, "bribe.cards").facts == {"seat": "red", "cards": 5, "most": 4}


def test_bribe_colours__those_of_the_council() -> None:
    move = BuyPermit(RED, 0, ("white", "black", "joker"))
    assert note(rich(), move, "bribe.colours").facts == {"cards": ("black", "white"), "council": "coast"}
    assert "bribe.colours" not in told_rules(rich(), BuyPermit(RED, 0, ("joker",)))


def test_bribe_colours__no_councillor_wears_orange() -> None:
    move = BuyPermit(RED, 0, ("white", "orange"))
    assert breach(rich(), move, "bribe.colours").facts == {"seat": "red", "colour": "orange", "council": "coast"}


def test_bribe_joker__counts_as_any_colour() -> None:
    move = BuyPermit(RED, 0, ("joker", "joker", "white"))
    assert note(rich(), move, "bribe.joker").facts == {"seat": "red", "jokers": 2}
    assert broken_rules(rich(), BuyPermit(RED, 0, ("joker",) * 4)) == set()


def test_bribe_once__two_cards_need_two_councillors() -> None:
    facts = {"seat": "red", "colour": "white", "council": "coast", "cards": 2, "councillors": 1}
    assert breach(rich(), BuyPermit(RED, 0, ("white", "white")), "bribe.once").facts == facts
    pair = with_council(rich(), COAST, "white", "white", "black", "pink")
    assert broken_rules(pair, BuyPermit(RED, 0, ("white", "white"))) == set()


def test_bribe_hand__no_seat_lays_down_more_than_it_holds() -> None:
    state = rich(hands=2)
    facts = {"seat": "red", "cards": 3, "hand": 2}
    assert breach(state, BuyPermit(RED, 0, ALL_FOUR[:3]), "bribe.hand").facts == facts
    assert broken_rules(state, BuyPermit(RED, 0, ALL_FOUR[:2])) == set()


def test_bribe_gold__fewer_councillors_cost_more() -> None:
    assert played(rich(), BuyPermit(RED, 1, ("white",))).gold[RED] == 10
    assert played(rich(), BuyPermit(RED, 1, ALL_FOUR)).gold[RED] == 20


def test_bribe_gold__a_seat_has_paid_too_little() -> None:
    move = BuyPermit(RED, 0, ALL_FOUR[:3], off=(2, 0, 0, 0))
    facts = {"seat": "red", "councillors": 3, "jokers": 0, "gold": 4, "amount": "gold2", "way": "too_much"}
    assert breach(rich(), move, "bribe.gold").facts == facts


def test_bribe_affords__without_the_gold_no_council_is_bribed() -> None:
    state = rich(gold=9)
    assert breach(state, BuyPermit(RED, 0, ("white",)), "bribe.affords").facts == {
        "seat": "red",
        "price": 10,
        "gold": 9,
    }
    assert broken_rules(state, BuyPermit(RED, 0, ("white", "pink"))) == set()


def test_bribe_affords__the_permits_own_gold_comes_too_late() -> None:
    assert broken_rules(rich(gold=3), BuyPermit(RED, 0, ALL_FOUR[:3])) == {"bribe.affords"}


def test_bribe_joker_gold__one_for_each() -> None:
    move = BuyPermit(RED, 1, ("joker", "joker", "white"))
    assert note(rich(), move, "bribe.joker-gold").facts == {"seat": "red", "gold": 2}
    assert played(rich(), move).gold[RED] == 20 - 4 - 2


def test_bribe_gold__paid_too_much() -> None:
    """The permit B brings no gold, so that the gold that is missing was paid for the bribe."""
    assert broken_rules(rich(), BuyPermit(RED, 1, ALL_FOUR[:3], off=(-2, 0, 0, 0))) == {"bribe.gold"}
    assert broken_rules(rich(), BuyPermit(RED, 0, ALL_FOUR[:3], off=(-2, 0, 0, 0))) == {"permit.bonus"}


def test_bribe_joker_gold__forgotten() -> None:
    move = BuyPermit(RED, 0, ("joker", "white"), off=(1, 0, 0, 0))
    facts = {"seat": "red", "jokers": 1, "gold": 1, "amount": "gold1", "way": "too_much"}
    assert breach(rich(), move, "bribe.joker-gold").facts == facts
    assert broken_rules(rich(), BuyPermit(RED, 0, ("black", "white"), off=(1, 0, 0, 0))) == {"bribe.gold"}


def test_bribe_sweep__the_played_cards_are_put_away() -> None:
    state = played(rich(), BuyPermit(RED, 0, ALL_FOUR))
    assert note(state, Sweep(), "bribe.sweep").facts == {"cards": 4}
    after = played(state, Sweep())
    assert (after.bribe, after.discards) == ((), state.discards)


def test_bribe_sweep__where_none_lie_there_is_nothing_to_do() -> None:
    assert breach(rich(), Sweep(), "bribe.sweep").facts == {}
    assert Sweep() not in set(GAME.moves(rich()))


# The permit


def test_permit_choose__one_of_the_two_open_ones() -> None:
    assert note(rich(), BuyPermit(RED, 1, ALL_FOUR), "permit.choose").facts == {"seat": "red", "permit": "B"}
    after = played(rich(), BuyPermit(RED, 1, ALL_FOUR))
    assert (after.permits[RED], after.offers[:2]) == (("B",), ("A", ""))


def test_permit_choose__not_from_an_empty_place() -> None:
    state = with_offers(rich(), "A", "", "F", "G", "K", "L")
    assert breach(state, BuyPermit(RED, 1, ALL_FOUR), "permit.choose").facts == {"seat": "red", "place": "coast 2"}
    assert broken_rules(rich(), BuyPermit(RED, 6, ALL_FOUR)) == {"permit.choose"}


def test_permit_bonus__it_comes_at_once() -> None:
    move = BuyPermit(RED, 1, ALL_FOUR)
    assert note(rich(), move, "permit.bonus").facts == {"seat": "red", "permit": "B"}
    after = played(rich(), move)
    assert (after.assistants[RED], after.hands[RED]) == (1 + 1, 7 - 4 + 3)


def test_permit_bonus__exactly_what_it_shows() -> None:
    move = BuyPermit(RED, 1, ALL_FOUR, off=(0, 0, -1, 0))
    facts = {
        "seat": "red",
        "permit": "B",
        "due": "assistantsgot1_cards3",
        "amount": "assistantsgot1",
        "way": "too_few",
    }
    assert breach(rich(), move, "permit.bonus").facts == facts
    assert broken_rules(rich(), BuyPermit(RED, 1, ALL_FOUR, off=(3, 0, 0, 0))) == {"permit.bonus"}


def taken() -> State:
    return played(rich(), BuyPermit(RED, 0, ALL_FOUR))


def test_permit_refill__the_top_one_of_the_stack_is_turned_up() -> None:
    assert GAME.actor(taken()) == "chance"
    assert note(taken(), TurnUp(0, "CD"), "permit.refill").facts == {"permit": "CD", "region": "coast"}
    assert played(taken(), TurnUp(0, "CD")).offers[0] == "CD"


def test_permit_refill__before_the_next_permit_of_the_region() -> None:
    state = has(taken(), RED, assistants=3)
    assert breach(state, Swap(RED, COAST), "permit.refill").facts == {"region": "coast"}
    assert broken_rules(state, Swap(RED, HILLS)) == set()
    again = played(table(facts={"main": 2}), BuyPermit(RED, 0, ALL_FOUR))
    assert broken_rules(has(again, RED, gold=20), BuyPermit(RED, 1, ("white",))) == {"permit.refill"}


def test_permit_refill__what_is_not_about_permits_goes_on() -> None:
    assert broken_rules(taken(), EndTurn(RED)) == set()
    state = played(taken(), EndTurn(RED))
    assert broken_rules(state, Elect(1, COAST, "orange")) == set()
    assert broken_rules(state, TurnUp(0, "CD")) == set()


SWAP = Swap(RED, COAST, unseen=True)


def test_permit_refill_unseen__what_was_turned_up_and_swapped_at_once_stays_unknown() -> None:
    state = has(taken(), RED, assistants=3)
    assert broken_rules(state, SWAP) == set()
    assert note(state, SWAP, "permit.refill-unseen").facts == {"region": "coast", "permits": 1}
    swapped = played(state, SWAP)
    assert (swapped.offers[:2], swapped.below[COAST], swapped.assistants[RED]) == (
        ("", ""),
        (("B", "unseen_permit"),),
        2,
    )
    assert face_down(swapped, COAST) == face_down(state, COAST) + 1
    assert next_permits(swapped, COAST) == next_permits(state, COAST)  # it may have been any of them


def test_permit_refill_unseen__it_is_never_told_and_needs_a_missing_permit() -> None:
    assert SWAP not in set(GAME.moves(has(taken(), RED, assistants=3)))
    assert breach(rich(), SWAP, "permit.refill-empty").facts == {"place": ("coast 1", "coast 2")}


def test_permit_refill_unseen__it_is_told_as_an_unseen_one() -> None:
    state = has(taken(), RED, assistants=3)
    told = GAME.tell(state, SWAP)
    for speaker, says in (
        (Speaker(GAME.catalogue, "de"), "Unter den Stapel der Küste kommen Baugenehmigungen: B, eine ungesehene."),
        (Speaker(GAME.catalogue, "en"), "Permits put under the stack of the coast: B, an unseen one."),
    ):
        assert says in [speaker.applied(one) for one in told]


def test_permit_refill_unseen__both_may_have_been_turned_up_and_swapped_again() -> None:
    state = played(rich(assistants=9), Swap(RED, COAST))
    again = replace(state, quick=False)
    assert broken_rules(again, Swap(RED, COAST)) == {"quick.swap-open"}
    assert played(again, SWAP).below[COAST] == (("A", "B"), ("unseen_permit", "unseen_permit"))


def coast_but(*left: str) -> State:
    """Of the coast all but these are Yellow's, and A lies open beside an empty place."""
    owned = tuple(permit for permit in BOX.permits["coast"] if permit not in left)
    return with_permits(with_offers(rich(assistants=9), "A", "", "F", "G", "K", "L"), YELLOW, *owned)


def test_permit_refill_unseen__where_others_are_gone_it_comes_to_light() -> None:
    state = played(coast_but("A", "B", "C", "D"), SWAP)
    assert set(next_permits(state, COAST)) == {"B", "C", "D"}
    state = played(state, TurnUp(0, "B"), TurnUp(1, "D"))
    assert set(next_permits(state, COAST)) == {"A", "C"}
    bought = replace(state, offers=changed(state.offers, 0, ""), permits=changed(state.permits, RED, ("B",)))
    shown = played(bought, TurnUp(0, "C"))
    assert shown.below[COAST] == (("A",),)
    assert broken_rules(bought, TurnUp(0, "D")) == {"permit.top"}


def test_permit_refill_unseen__which_of_those_put_together_under_the_stack_is_left_is_unknown() -> None:
    state = replace(coast_but("A", "B", "C"), below=((("B", "C"),), (), ()))
    swapped = played(state, SWAP)
    assert set(next_permits(swapped, COAST)) == {"A", "B", "C"}
    both = played(swapped, TurnUp(0, "C"), TurnUp(1, "B"))
    assert next_permits(both, COAST) == ("A",)


def test_permit_refill_unseen__a_forgotten_refill_is_not_blamed_later() -> None:
    """It cannot be told, so one more lies above those that were put back together before."""
    state = replace(coast_but("A", "B", "C", "D"), below=((("B", "C"),), (), ()))
    forgotten = played(state, SWAP)
    assert {"D"} <= set(next_permits(forgotten, COAST))
    both = played(forgotten, TurnUp(0, "D"), TurnUp(1, "C"))
    assert both.below[COAST] == (("B",), ("A",))


def test_permit_refill_empty__only_for_an_empty_place() -> None:
    assert breach(taken(), TurnUp(1, "CD"), "permit.refill-empty").facts == {"place": "coast 2"}
    assert broken_rules(taken(), TurnUp(9, "CD")) == {"permit.refill-empty"}


def test_permit_top__what_lies_elsewhere_is_not_on_top() -> None:
    assert breach(taken(), TurnUp(0, "B"), "permit.top").facts == {"permit": "B", "region": "coast"}
    assert broken_rules(taken(), TurnUp(0, "A")) == {"permit.top"}


def test_permit_top__what_was_put_under_the_stack_comes_last() -> None:
    state = played(has(rich(), RED, assistants=2), Swap(RED, COAST))
    assert broken_rules(state, TurnUp(0, "A")) == {"permit.top"}
    assert {"A", "B"}.isdisjoint(next_permits(state, COAST))


def test_permit_top__when_only_those_are_left_they_come_in_the_order_they_went() -> None:
    coast = tuple(BOX.permits["coast"])
    owned = tuple(permit for permit in coast if permit not in ("A", "B", "C", "D"))
    state = with_permits(with_offers(rich(assistants=2), "C", "D", "F", "G", "K", "L"), RED, *owned)
    state = played(has(state, RED, assistants=2), Swap(RED, COAST), TurnUp(0, "A"), TurnUp(1, "B"))
    assert next_permits(state, COAST) == ("C", "D")


def test_permit_none_left__the_place_stays_free() -> None:
    mountains = tuple(BOX.permits["mountains"])
    owned = tuple(permit for permit in mountains if permit not in ("K", "L"))
    state = with_permits(rich(), RED, *owned)
    assert note(state, BuyPermit(RED, 4, ALL_FOUR), "permit.none-left").facts == {"region": "mountains"}
    after = played(state, BuyPermit(RED, 4, ALL_FOUR))
    assert not any(isinstance(move, TurnUp) for move in GAME.moves(after))
    assert next_permits(after, MOUNTAINS) == ()


def test_permit_none_left__as_long_as_there_are_any_nothing_is_told() -> None:
    assert "permit.none-left" not in told_rules(rich(), BuyPermit(RED, 4, ALL_FOUR))


def test_bribe_colours__cards_that_were_put_away_unseen_may_have_been_any_that_fit() -> None:
    unseen = BuyPermit(RED, 0, ("unseen", "unseen", "joker"))
    assert broken_rules(rich(), unseen) == set()
    assert played(rich(), unseen).gold[RED] == rich().gold[RED] - 4 - 1 + 3  # which the permit brings
    assert broken_rules(rich(), BuyPermit(RED, 0, ("unseen",) * 5)) == {"bribe.cards"}
    assert unseen not in set(GAME.moves(rich()))


def test_unseen_cards_are_told_together() -> None:
    facts = GAME.facts(rich(), BuyPermit(RED, 0, ("joker", "unseen", "unseen")))
    assert facts["cards"] == ("joker", "unseen2")
    assert GAME.catalogue.word("unseen2", "de") == "2 Karten, die niemand gesehen hat"
