"""What crest fields, guests and places for houses give for no action points."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.tiletum import GAME
from companion.games.tiletum.moves import (
    EndTurn,
    Fulfil,
    Lodge,
    PlaceCrest,
    PutHouse,
    PutPillar,
    UseHelper,
    Walk,
)
from companion.games.tiletum.rulebook.actions import points_left
from companion.games.tiletum.rulebook.goods import free_actions_left
from companion.games.tiletum.state import (
    NO_FREE,
    NO_FREE_WALKS,
    State,
    houses_in_stock,
    pillars_in_stock,
)

from .table import (
    ARCHITECT,
    BOX,
    GUEST,
    JOKER,
    MERCHANT,
    RED,
    acting,
    breach,
    broken_rules,
    city,
    has,
    note,
    owns,
    played,
    replace,
    told_rules,
    with_figures,
    with_house,
    with_rooms,
    with_warehouse,
)

PARIS, VERONA, WIEN = city("Paris"), city("Verona"), city("Wien")


def crested(building: int, action: int = JOKER, points: int = 0, **options: Any) -> State:
    """Red has just laid a crest on a building, with so many action points left."""
    state = has(with_warehouse(acting(action, points, **options), RED, "crest lily"), RED, food=6)
    return played(state, PlaceCrest(RED, "crest lily", building))


def test_bonus_free__a_crest_gives_a_house_in_any_town() -> None:
    state = has(with_warehouse(acting(JOKER, 0), RED, "crest lily"), RED, food=6)
    facts = {"seat": "red", "amounts": ("anyhouse1",)}
    assert note(state, PlaceCrest(RED, "crest lily", 0), "bonus.free").facts == facts
    after = played(crested(0), PutHouse(RED, VERONA, 0))
    assert (after.houses[VERONA][0], after.merchants[RED], houses_in_stock(after, RED)) == (RED, city("Tiletum"), 1)
    assert broken_rules(after, PutHouse(RED, PARIS, 0)) == {"walk.stands", "points.spend"}


def test_bonus_free__a_crest_gives_a_pillar_at_any_cathedral() -> None:
    after = played(crested(1), PutPillar(RED, WIEN))
    assert (after.pillars[WIEN], pillars_in_stock(after, RED)) == (1 << RED, 1)
    assert broken_rules(crested(1), PutPillar(RED, VERONA)) == {"architect.cathedral"}
    assert "points.free" in told_rules(crested(1), PutPillar(RED, WIEN))


@pytest.mark.parametrize(("building", "figure"), [(2, "merchant"), (3, "architect")])
def test_bonus_free__a_crest_sends_a_figure_anywhere(building: int, figure: Any) -> None:
    after = played(crested(building), Walk(RED, figure, VERONA))
    assert (after.merchants if figure == "merchant" else after.architects)[RED] == VERONA
    again = Walk(RED, figure, WIEN)
    assert broken_rules(after, again) == set(), "until it does something there, the figure may still go elsewhere"
    assert played(after, again) == played(crested(building), again)


def test_bonus_free__the_last_two_crest_fields_bring_goods_and_points() -> None:
    assert crested(4).owed == 2
    assert crested(5).points[RED] == 5


def test_bonus_free__for_this_turn_only() -> None:
    after = played(crested(0), EndTurn(RED))
    assert (after.free, after.saved) == (NO_FREE, NO_FREE_WALKS)
    assert GAME.expects(crested(0)).key == "may_take_tile"
    left = replace(crested(0), section_tiles=("",) * 6)
    assert (GAME.expects(left).key, free_actions_left(left)) == ("free", ("anyhouse1",))


def test_points_free__a_guest_brings_a_step_and_a_house() -> None:
    guest = "captain merchantstep1 house1"
    state = played(with_warehouse(acting(GUEST, 1), RED, guest), Lodge(RED, guest, 0, 1))
    assert broken_rules(state, PutHouse(RED, PARIS, 0)) == {"walk.stands", "points.spend"}
    assert broken_rules(state, Walk(RED, "merchant", city("Troyes"))) == {"points.spend"}
    after = played(state, Walk(RED, "merchant", PARIS), PutHouse(RED, PARIS, 0))
    assert (after.houses[PARIS][0], sum(after.ap), after.free) == (RED, 0, NO_FREE)


def test_points_free__a_free_step_comes_before_action_points_and_back_with_its_walk() -> None:
    state = replace(acting(MERCHANT, 2), free=(0, 1, 0, 0, 0, 0))
    after = played(state, Walk(RED, "merchant", city("Troyes")))
    assert (after.ap[MERCHANT], after.free) == (1, NO_FREE)
    assert played(after, Walk(RED, "merchant", city("Tiletum"))) == state
    assert broken_rules(state, Walk(RED, "architect", PARIS)) == {"points.spend"}


def test_points_free__whichever_of_two_houses_is_the_free_one_it_comes_to_the_same() -> None:
    """A house where the merchant stands, and one in Verona, with one action point and one free house."""
    state = with_figures(crested(0, MERCHANT, 1), RED, merchant="Paris")
    here, there = PutHouse(RED, PARIS, 0), PutHouse(RED, VERONA, 0)
    one, other = played(state, here, there), played(state, there, here)
    assert points_left(one) == points_left(other) == 0
    assert (one.houses, one.free) == (other.houses, other.free)
    poor = with_figures(crested(0), RED, merchant="Paris")
    assert broken_rules(played(poor, here), there) == {"walk.stands", "points.spend"}


def test_points_free__of_several_walks_the_longest_is_the_free_one() -> None:
    """One step to Paris, a house there, and a long walk: only the step is paid."""
    state = crested(2, MERCHANT, 2)
    near, far = Walk(RED, "merchant", PARIS), Walk(RED, "merchant", VERONA)
    after = played(state, near, PutHouse(RED, PARIS, 0), far)
    assert (after.merchants[RED], points_left(after)) == (VERONA, 0)
    poor = played(crested(2, MERCHANT, 1), near, PutHouse(RED, PARIS, 0))
    assert broken_rules(poor, far) == {"points.spend"}


def test_points_free__a_walk_before_it_was_given_is_paid() -> None:
    state = has(with_warehouse(acting(MERCHANT, 3), RED, "crest lily"), RED, food=6)
    walked = played(state, Walk(RED, "merchant", PARIS), PlaceCrest(RED, "crest lily", 2))
    assert points_left(played(walked, Walk(RED, "merchant", VERONA))) == 2


def test_merchant_building__only_where_the_place_brings_the_bonuses_of_guests() -> None:
    state = with_rooms(with_figures(acting(MERCHANT, 2), RED, merchant="Genova"), RED, 2, "abbot gold5")
    genova = city("Genova")
    assert broken_rules(state, PutHouse(RED, genova, 0)) == {"merchant.building"}
    facts = {"city": "Genova", "place": 1, "again": 1}
    assert breach(state, PutHouse(RED, genova, 0, 1), "merchant.building").facts == facts
    after = played(state, PutHouse(RED, genova, 0, 2))
    assert owns(after, RED)["gold"] == owns(state, RED)["gold"] + 5
    empty = with_figures(acting(MERCHANT, 2), RED, merchant="Genova")
    assert broken_rules(empty, PutHouse(RED, genova, 0)) == set()


def test_merchant_once__a_free_house_needs_a_place_too() -> None:
    state = with_house(crested(0), RED, "Verona", 1)
    assert broken_rules(state, PutHouse(RED, VERONA, 0)) == {"merchant.once"}
    assert broken_rules(crested(0), PutHouse(RED, city("Paris–Bordeaux"), 0)) == {"merchant.room"}


def test_fulfil_same__identical_goods_are_of_one_kind() -> None:
    state = has(with_warehouse(acting(ARCHITECT, 0), RED, "same3 iron1"), RED, gold=3, wool=2, iron=4)
    goods = {move.good for move in GAME.moves(state) if isinstance(move, Fulfil)}
    assert goods == {"gold", "iron"}
    after = played(state, Fulfil(RED, "same3 iron1", "iron"))
    assert (owns(after, RED)["iron"], after.points[RED]) == (0, 8 + 1)
    assert breach(state, Fulfil(RED, "same3 iron1"), "fulfil.same").facts == {"contract": "same3 iron1", "number": 3}
    facts = {"seat": "red", "good": "wool", "needs": 3, "has": 2}
    assert breach(state, Fulfil(RED, "same3 iron1", "wool"), "fulfil.goods").facts == facts
    plain = has(with_warehouse(state, RED, "wool2 iron1"), RED, wool=2, iron=1)
    assert broken_rules(plain, Fulfil(RED, "wool2 iron1", "gold")) == {"fulfil.same"}


def test_the_kinds_of_tiles_are_those_that_are_known() -> None:
    assert {name for name in BOX.tiles if name.startswith("joker")} == {"joker1"}
    assert (
        played(with_warehouse(acting(JOKER, 0), RED, "gold2 points2"), UseHelper(RED, "gold2 points2")).points[RED] == 2
    )
    assert {good for contract in BOX.contracts.values() for good in contract.needs} == {"wool", "iron"}
    assert {guest.section for guest in BOX.guests.values()} == {"architect", "merchant", "guest", "contract", "crown"}
    assert BOX.buildings.crest_food == (6, 6, 5, 4, 3, 2)
