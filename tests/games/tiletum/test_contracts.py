"""Vertrag and Krone: the offer of contracts, swaps, and steps on the king's track."""

from __future__ import annotations

import pytest

from companion.games.tiletum import GAME
from companion.games.tiletum.components import contracts_in_play
from companion.games.tiletum.moves import (
    Advance,
    EndTurn,
    OfferContract,
    Slide,
    Swap,
    TakeContract,
    TakeDie,
    UseHelper,
)
from companion.games.tiletum.state import contract_stack
from companion.kernel.rules import changed

from .table import (
    BOX,
    CONTRACT,
    CONTRACTS,
    CROWN,
    GREEN,
    RED,
    acting,
    breach,
    broken_rules,
    deviation,
    has,
    note,
    on_track,
    owns,
    played,
    replace,
    told_rules,
    with_warehouse,
)


def test_contract_take__dearer_on_the_left() -> None:
    state = acting(CONTRACT, 3)
    facts = {"seat": "red", "contract": "wool3", "points": 3}
    assert note(state, TakeContract(RED, 0), "contract.take").facts == facts
    assert played(state, TakeContract(RED, 0)).ap[CONTRACT] == 0
    assert played(state, TakeContract(RED, 4)).ap[CONTRACT] == 2
    assert broken_rules(acting(CONTRACT, 2), TakeContract(RED, 0)) == {"points.spend"}
    after = played(state, TakeContract(RED, 4))
    assert breach(after, TakeContract(RED, 4), "contract.take").facts == {"place": 5}


def test_contract_slide__to_the_right_at_the_end_of_the_turn() -> None:
    state = played(acting(CONTRACT, 4, leave_tile=True), TakeContract(RED, 1), TakeContract(RED, 4))
    assert state.contracts == ("wool3", "", "wool2 iron1", "iron2", "")
    assert broken_rules(state, Slide()) == {"contract.slide"}
    state = played(state, EndTurn(RED))
    assert note(state, Slide(), "contract.slide").facts == {"contracts": 3}
    assert played(state, Slide()).contracts == ("", "", "wool3", "wool2 iron1", "iron2")
    assert broken_rules(played(state, Slide()), Slide()) == {"contract.slide"}


def test_contract_slide__whoever_turns_one_up_has_slid_the_others() -> None:
    state = played(acting(CONTRACT, 4, leave_tile=True), TakeContract(RED, 1), EndTurn(RED))
    assert "contract.slide" in told_rules(state, OfferContract(0, "iron5"))
    assert broken_rules(state, OfferContract(1, "iron5")) == {"setup.place"}
    assert played(state, OfferContract(0, "iron5")) == played(state, Slide(), OfferContract(0, "iron5"))


def test_contract_slide__once_and_not_again_while_the_offer_is_filled() -> None:
    state = played(acting(CONTRACT, 4, leave_tile=True), TakeContract(RED, 1), TakeContract(RED, 4), EndTurn(RED))
    state = played(state, OfferContract(0, "iron5"))
    assert broken_rules(state, Slide()) == {"contract.slide"}
    full = played(state, OfferContract(1, "wool5"))
    assert full.contracts == ("iron5", "wool5", "wool3", "wool2 iron1", "iron2")


def test_contract_slide__the_next_turn_does_not_wait_for_it() -> None:
    state = played(acting(CONTRACT, 4, leave_tile=True), TakeContract(RED, 1), EndTurn(RED))
    taken = played(state, TakeDie(GREEN, "blue", 5))
    assert played(taken, Slide()) == played(state, Slide(), TakeDie(GREEN, "blue", 5))


def test_contract_refill__after_the_turn() -> None:
    state = played(acting(CONTRACT, 4, leave_tile=True), TakeContract(RED, 4), EndTurn(RED))
    assert GAME.actor(state) == "chance"
    ready = replace(played(state, Slide()), stage="die_used", section=CONTRACT, ap=changed(state.ap, CONTRACT, 3))
    assert broken_rules(ready, TakeContract(GREEN, 4)) == {"contract.refill"}
    assert note(state, OfferContract(0, "iron5"), "contract.refill").facts == {"contract": "iron5"}
    assert broken_rules(played(ready, OfferContract(0, "iron5")), TakeContract(GREEN, 4)) == set()


def test_contract_end__not_in_the_middle_of_a_turn() -> None:
    state = played(acting(CONTRACT, 4), TakeContract(RED, 4))
    assert broken_rules(state, OfferContract(4, "iron5")) == {"contract.end"}
    assert GAME.actor(state) == RED


def test_contract_none_left__places_stay_empty() -> None:
    state = acting(CONTRACT, 4, leave_tile=True)
    others = tuple(name for name in contracts_in_play(BOX, 4) if name not in CONTRACTS)
    state = played(replace(state, fulfilled=changed(state.fulfilled, GREEN, others)), TakeContract(RED, 4))
    assert contract_stack(state) == ()
    assert "contract.none-left" in told_rules(state, EndTurn(RED))
    assert GAME.expects(played(state, EndTurn(RED))).key == "slide_contracts"
    assert GAME.actor(played(state, EndTurn(RED), Slide())) == GREEN


def test_contract_swap__one_good_for_another() -> None:
    state = replace(acting(CONTRACT, 2), swapped=True)
    move = Swap(RED, "wool", ("iron",))
    assert note(state, move, "contract.swap").facts == {"seat": "red", "good": "wool", "goods": ("iron",)}
    after = played(state, move)
    assert (owns(after, RED)["wool"], owns(after, RED)["iron"], after.ap[CONTRACT]) == (0, 2, 1)
    assert breach(after, move, "contract.swap").facts == {"seat": "red", "good": "wool"}
    assert broken_rules(state, Swap(RED, "wool", ("iron",), deviation(iron=1))) == {"bonus.exact"}


def test_contract_first_swap__brings_two() -> None:
    state = acting(CONTRACT, 2)
    move = Swap(RED, "wool", ("iron", "food"))
    assert note(state, move, "contract.first-swap").facts == {"seat": "red", "goods": 2}
    after = played(state, move)
    assert (owns(after, RED)["iron"], owns(after, RED)["food"]) == (2, 2)
    assert breach(after, Swap(RED, "iron", ("food", "food")), "contract.first-swap").facts["goods"] == 1
    assert broken_rules(state, Swap(RED, "wool", ("iron",))) == {"contract.first-swap"}


def test_contract_other__only_the_first_two_may_be_anything() -> None:
    same = Swap(RED, "wool", ("wool", "wool"))
    assert broken_rules(acting(CONTRACT, 2), same) == set()
    assert breach(acting(CONTRACT, 2, swap_same=False), same, "contract.other").facts == {"good": "wool"}
    later = replace(acting(CONTRACT, 2), swapped=True)
    assert broken_rules(later, Swap(RED, "wool", ("wool",))) == {"contract.other"}


def test_contract_goods__only_the_five() -> None:
    state = acting(CONTRACT, 2)
    facts = {"goods": ("wool", "iron", "silver")}
    assert breach(state, Swap(RED, "wool", ("silver", "iron")), "contract.goods").facts == facts


def test_the_goods_of_a_swap_have_one_order() -> None:
    assert Swap(RED, "wool", ("iron", "gold")) == Swap(RED, "wool", ("gold", "iron"))


def test_crown_step__a_field_for_each_point() -> None:
    state = acting(CROWN, 3)
    assert note(state, Advance(RED, 2), "crown.step").facts == {"seat": "red", "field": 2}
    after = played(state, Advance(RED, 2))
    assert (after.crown[RED], after.ap[CROWN]) == (2, 1)
    assert broken_rules(state, Advance(RED, 4)) == {"points.spend"}
    assert breach(state, Advance(RED, 0), "crown.step").facts == {"seat": "red"}


def test_crown_step__on_a_field_with_others_one_lies_on_top() -> None:
    state = on_track(acting(CROWN, 3), 0, 2, 0, 0, stacked=(0, 1, 2, 3))
    assert played(state, Advance(RED, 2)).stacked == (1, 2, 3, 0)


def test_crown_last__fifteen_is_the_end() -> None:
    state = on_track(acting(CROWN, 3), 14, 0, 0, 0)
    assert breach(state, Advance(RED, 2), "crown.last").facts == {"seat": "red", "last": 15}
    end = with_warehouse(on_track(acting(CROWN, 3), 15, 0, 0, 0), RED, "crown2")
    assert note(end, UseHelper(RED, "crown2"), "crown.last").facts == {"seat": "red", "last": 15}
    assert played(end, UseHelper(RED, "crown2")).crown[RED] == 15


@pytest.mark.parametrize(("limit", "rules"), [(False, set()), (True, {"crown.six"})])
def test_crown_six__more_than_six_steps_by_markers(limit: bool, rules: set[str]) -> None:
    state = acting(CROWN, 9, crown_limit=limit)
    assert broken_rules(state, Advance(RED, 9)) == rules
    assert broken_rules(state, Advance(RED, 6)) == set()
    assert ("crown.six" in told_rules(state, Advance(RED, 6))) == limit
    assert bool(broken_rules(played(state, Advance(RED, 6)), Advance(RED, 1))) == limit


def test_swaps_are_listed_for_goods_one_has() -> None:
    state = has(acting(CONTRACT, 1), RED, gold=0, food=0, wool=0, stone=0, iron=1)
    assert {move.gives for move in GAME.moves(state) if isinstance(move, Swap)} == {"iron"}
