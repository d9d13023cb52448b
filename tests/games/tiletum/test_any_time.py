"""Jederzeit im eigenen Zug: gold, contracts, helpers, crests, cathedrals, and what bonuses bring."""

from __future__ import annotations

from companion.games.tiletum import GAME
from companion.games.tiletum.moves import (
    BuyGood,
    EndTurn,
    Fulfil,
    Gather,
    JoinCathedral,
    PlaceCrest,
    TakeDie,
    TakeGood,
    UseHelper,
)
from companion.games.tiletum.state import pillars_in_stock
from companion.kernel.catalogue import Speaker
from companion.kernel.rules import changed

from .table import (
    ARCHITECT,
    BOX,
    GREEN,
    GUEST,
    JOKER,
    MERCHANT,
    ORANGE,
    RED,
    WILD,
    acting,
    breach,
    broken_rules,
    city,
    deviation,
    has,
    note,
    notes,
    owns,
    played,
    replace,
    table,
    told_rules,
    with_fulfilled,
    with_pillars,
    with_rooms,
    with_warehouse,
)

PARIS = city("Paris")


def test_trade_gold__two_for_another_good() -> None:
    state = has(table(), RED, gold=3)
    facts = {"seat": "red", "price": 2, "good": "stone"}
    assert note(state, BuyGood(RED, "stone"), "trade.gold").facts == facts
    after = played(state, BuyGood(RED, "stone"))
    assert (owns(after, RED)["gold"], owns(after, RED)["stone"]) == (1, 2)
    assert breach(after, BuyGood(RED, "stone"), "trade.gold").facts == {"seat": "red", "price": 2, "gold": 1}


def test_trade_other__not_for_gold_itself() -> None:
    state = has(table(), RED, gold=3)
    assert breach(state, BuyGood(RED, "gold"), "trade.other").facts == {"good": "gold"}
    assert broken_rules(state, BuyGood(RED, "silver")) == {"trade.other"}


def test_bonus_exact__what_one_takes_is_counted() -> None:
    state = has(table(), RED, gold=3)
    facts = {"seat": "red", "what": "gold", "by": 1, "way": "too_many", "amount": "gold1"}
    assert breach(state, BuyGood(RED, "stone", deviation(gold=1)), "bonus.exact").facts == facts


def test_fulfil_goods__those_it_asks_for() -> None:
    state = has(with_warehouse(table(), RED, "wool2 iron1"), RED, wool=2)
    assert notes(state, Fulfil(RED, "wool2 iron1"), "fulfil.goods") == [
        {"seat": "red", "good": "wool", "needs": 2},
        {"seat": "red", "good": "iron", "needs": 1},
    ]
    after = played(state, Fulfil(RED, "wool2 iron1"))
    assert (owns(after, RED)["wool"], owns(after, RED)["iron"], after.warehouse[RED]) == (0, 0, ())
    poor = has(state, RED, wool=1)
    facts = {"seat": "red", "good": "wool", "needs": 2, "has": 1}
    assert breach(poor, Fulfil(RED, "wool2 iron1"), "fulfil.goods").facts == facts
    assert broken_rules(state, Fulfil(RED, "wool3")) == {"warehouse.own"}


def test_fulfil_points__of_the_contract_with_its_bonuses() -> None:
    state = has(with_warehouse(table(), RED, "wool2 iron1"), RED, gold=0, wool=2)
    told = note(state, Fulfil(RED, "wool2 iron1"), "fulfil.points").facts
    assert told == {"seat": "red", "contract": "wool2 iron1"}
    after = played(state, Fulfil(RED, "wool2 iron1"))
    assert (after.points[RED], after.ap[GUEST]) == (5 + 1, 1)
    assert broken_rules(state, Fulfil(RED, "wool2 iron1", off=deviation(points=1))) == {"fulfil.points"}


def test_fulfil_field__the_next_from_the_left() -> None:
    state = with_fulfilled(has(with_warehouse(table(), RED, "wool2 iron1"), RED, wool=2), RED, "wool3", "iron3")
    facts = {"seat": "red", "field": 3, "points": 3}
    assert note(state, Fulfil(RED, "wool2 iron1"), "fulfil.field").facts == facts
    assert played(state, Fulfil(RED, "wool2 iron1")).points[RED] == 5 + 3


def test_fulfil_pillar__of_the_first_five_fields() -> None:
    state = has(with_warehouse(table(), RED, "wool2 iron1"), RED, wool=2)
    assert note(state, Fulfil(RED, "wool2 iron1"), "fulfil.pillar").facts == {"seat": "red"}
    assert pillars_in_stock(played(state, Fulfil(RED, "wool2 iron1")), RED) == 3
    five = with_fulfilled(state, RED, "wool3", "iron3", "wool4", "iron4", "wool5")
    assert "fulfil.pillar" not in told_rules(five, Fulfil(RED, "wool2 iron1"))


def test_fulfil_seventh__without_a_field_none_is_fulfilled() -> None:
    six = ("wool3", "iron3", "wool4", "iron4", "wool5", "iron5")
    state = with_fulfilled(has(with_warehouse(table(), RED, "wool2 iron1"), RED, wool=2), RED, *six)
    assert breach(state, Fulfil(RED, "wool2 iron1"), "fulfil.seventh").facts == {"seat": "red", "fields": 6}


def test_fulfil_no_field__by_a_house_rule_it_brings_its_own_points() -> None:
    six = ("wool3", "iron3", "wool4", "iron4", "wool5", "iron5")
    state = has(with_warehouse(table(seventh_contract=True), RED, "wool2 iron1"), RED, wool=2)
    state = with_fulfilled(state, RED, *six)
    assert note(state, Fulfil(RED, "wool2 iron1"), "fulfil.no-field").facts == {"seat": "red"}
    assert played(state, Fulfil(RED, "wool2 iron1")).points[RED] == 5


def test_bonus_paid__all_that_is_asked_for() -> None:
    state = has(with_warehouse(table(), RED, "wool2 iron1"), RED, wool=2)
    facts = {"seat": "red", "what": "wool", "by": 1, "way": "too_many", "amount": "wool1"}
    assert breach(state, Fulfil(RED, "wool2 iron1", off=deviation(wool=1)), "bonus.paid").facts == facts


def test_helper_use__and_it_is_put_away() -> None:
    state = with_warehouse(table(), RED, "points3")
    assert note(state, UseHelper(RED, "points3"), "helper.use").facts == {"seat": "red", "tile": "points3"}
    after = played(state, UseHelper(RED, "points3"))
    assert (after.warehouse[RED], after.discards, after.points[RED]) == ((), ("points3",), 3)


def test_helper_moment__no_colour_for_a_die_that_is_used_and_no_guests_again_without_any() -> None:
    state = with_warehouse(acting(JOKER, 1), RED, "recolour", "again")
    for again, tile in enumerate(("recolour", "again")):
        facts = {"seat": "red", "tile": tile, "again": again}
        assert breach(state, UseHelper(RED, tile), "helper.moment").facts == facts


def test_helper_use__at_any_time_also_before_the_die() -> None:
    state = with_warehouse(table(), RED, "raise2", "recolour")
    state = played(state, UseHelper(RED, "raise2"), UseHelper(RED, "recolour"), TakeDie(RED, "yellow", 1))
    after = played(state, Gather(RED, "wool"))
    assert after.ap[after.section] == BOX.wheel.points[0] + 2
    assert note(state, Gather(RED, "wool"), "bonus.points").facts["points"] == 2
    used = with_warehouse(acting(JOKER, 1), RED, "raise2")
    assert played(used, UseHelper(RED, "raise2")).ap[JOKER] == 3


def test_helper_building__only_one_with_guests() -> None:
    state = with_rooms(with_warehouse(table(), RED, "again"), RED, 1, "herald wool3")
    assert breach(state, UseHelper(RED, "again", 0), "helper.building").facts == {"tile": "again", "again": 1}
    assert broken_rules(state, UseHelper(RED, "again", 1)) == set()
    assert broken_rules(with_warehouse(table(), RED, "points3"), UseHelper(RED, "points3", 1)) == {"helper.building"}


def test_helper_recolour__the_die_counts_as_any_colour() -> None:
    state = played(with_warehouse(table(), RED, "recolour"), TakeDie(RED, "blue", 3))
    assert note(state, UseHelper(RED, "recolour"), "helper.recolour").facts == {"seat": "red"}
    after = played(state, UseHelper(RED, "recolour"))
    assert owns(played(after, Gather(RED, "stone")), RED)["stone"] == 4


def test_helper_again__all_bonuses_of_a_building() -> None:
    state = with_rooms(with_warehouse(table(), RED, "again"), RED, 1, "herald wool3", "abbot crown2")
    assert note(state, UseHelper(RED, "again", 1), "helper.again").facts == {"seat": "red", "building": 2}
    after = played(state, UseHelper(RED, "again", 1))
    assert (owns(after, RED)["wool"], after.crown[RED]) == (4, 2)


def test_bonus_points__for_an_action_or_for_any() -> None:
    state = with_warehouse(table(), RED, "architect2", "joker1")
    facts = {"seat": "red", "action": "architect", "points": 2}
    assert note(state, UseHelper(RED, "architect2"), "bonus.points").facts == facts
    assert played(state, UseHelper(RED, "architect2")).ap[ARCHITECT] == 2
    assert played(state, UseHelper(RED, "joker1")).ap[WILD] == 1


def test_bonus_goods__from_a_supply_without_end() -> None:
    state = with_warehouse(table(), RED, "gold3")
    told = note(state, UseHelper(RED, "gold3"), "bonus.goods").facts
    assert told == {"seat": "red", "good": "gold", "number": 3}


def test_bonus_score__counts_at_once() -> None:
    state = with_warehouse(table(), RED, "points3")
    assert note(state, UseHelper(RED, "points3"), "bonus.score").facts == {"seat": "red", "points": 3}


def test_bonus_choice__goods_of_ones_choice_are_taken_before_the_turn_ends() -> None:
    state = with_warehouse(acting(MERCHANT, 0, leave_tile=True), RED, "any2")
    assert note(state, UseHelper(RED, "any2"), "bonus.choice").facts == {"seat": "red", "goods": 2}
    after = played(state, UseHelper(RED, "any2"))
    assert breach(after, EndTurn(RED), "bonus.choice").facts == {"seat": "red", "goods": 2}
    assert broken_rules(played(after, TakeGood(RED, "iron"), TakeGood(RED, "gold")), EndTurn(RED)) == set()


def test_bonus_owed__only_what_a_bonus_brought() -> None:
    state = played(with_warehouse(table(), RED, "any2"), UseHelper(RED, "any2"))
    assert note(state, TakeGood(RED, "iron"), "bonus.owed").facts == {"seat": "red", "good": "iron"}
    assert owns(played(state, TakeGood(RED, "iron")), RED)["iron"] == 2
    assert breach(table(), TakeGood(RED, "iron"), "bonus.owed").facts == {"seat": "red", "good": "iron"}
    assert broken_rules(state, TakeGood(RED, "silver")) == {"bonus.owed"}


def test_crest_food__so_much_for_each_field() -> None:
    state = has(with_warehouse(table(), RED, "crest lily"), RED, food=6)
    facts = {"seat": "red", "price": 6, "building": 1}
    assert note(state, PlaceCrest(RED, "crest lily", 0), "crest.food").facts == facts
    after = played(state, PlaceCrest(RED, "crest lily", 0))
    assert (after.crests[RED][0], owns(after, RED)["food"], after.warehouse[RED]) == ("crest lily", 0, ())
    poor = has(state, RED, food=5)
    facts = {"seat": "red", "building": 1, "price": 6, "food": 5}
    assert breach(poor, PlaceCrest(RED, "crest lily", 0), "crest.food").facts == facts
    assert broken_rules(state, PlaceCrest(RED, "crest lily", 0, deviation(food=1))) == {"bonus.paid"}
    assert broken_rules(state, PlaceCrest(RED, "crest griffin", 0)) == {"warehouse.own"}


def test_crest_field__one_crest_each() -> None:
    state = has(with_warehouse(table(), RED, "crest lily", "crest lily"), RED, food=6)
    after = played(state, PlaceCrest(RED, "crest lily", 0))
    assert breach(after, PlaceCrest(RED, "crest lily", 0), "crest.field").facts == {"building": 1}
    assert broken_rules(after, PlaceCrest(RED, "crest lily", 6)) == {"crest.field"}


def test_crest_bonus__of_the_field() -> None:
    state = has(with_warehouse(table(), RED, "crest lily"), RED, food=6)
    assert note(state, PlaceCrest(RED, "crest lily", 5), "crest.bonus").facts == {"seat": "red", "building": 6}
    assert played(state, PlaceCrest(RED, "crest lily", 5)).points[RED] == 5
    assert played(state, PlaceCrest(RED, "crest lily", 4)).owed == 2
    assert broken_rules(state, PlaceCrest(RED, "crest lily", 5, deviation(points=1))) == {"crest.bonus"}


def test_crest_food__six_six_five_four_three_and_two() -> None:
    state = with_warehouse(table(), RED, "crest lily")
    for building, food in enumerate((6, 6, 5, 4, 3, 2)):
        assert broken_rules(has(state, RED, food=food), PlaceCrest(RED, "crest lily", building)) == set()
        assert broken_rules(has(state, RED, food=food - 1), PlaceCrest(RED, "crest lily", building)) == {"crest.food"}


def test_cathedral_stone__by_the_tile_with_the_costs() -> None:
    state = has(with_pillars(table(), RED, "Paris"), RED, stone=3)
    facts = {"seat": "red", "price": 3, "city": "Paris"}
    assert note(state, JoinCathedral(RED, PARIS), "cathedral.stone").facts == facts
    assert owns(played(state, JoinCathedral(RED, PARIS)), RED)["stone"] == 0
    poor = has(state, RED, stone=2)
    facts = {"seat": "red", "city": "Paris", "price": 3, "stone": 2}
    assert breach(poor, JoinCathedral(RED, PARIS), "cathedral.stone").facts == facts
    assert broken_rules(state, JoinCathedral(RED, PARIS, deviation(stone=1))) == {"bonus.paid"}


def test_cathedral_points__of_costs_and_top_tile() -> None:
    state = has(with_pillars(table(), RED, "Paris"), RED, stone=3)
    facts = {"seat": "red", "city": "Paris", "cost": 4, "tile": 8}
    assert note(state, JoinCathedral(RED, PARIS), "cathedral.points").facts == facts
    assert played(state, JoinCathedral(RED, PARIS)).points[RED] == 12
    later = replace(state, joined=changed(state.joined, PARIS, (GREEN,)))
    assert played(later, JoinCathedral(RED, PARIS)).points[RED] == 4 + 6
    assert broken_rules(state, JoinCathedral(RED, PARIS, deviation(points=-1))) == {"cathedral.points"}


def test_cathedral_pillar__only_where_one_has_one() -> None:
    state = has(table(), RED, stone=3)
    assert breach(state, JoinCathedral(RED, PARIS), "cathedral.pillar").facts == {"seat": "red", "city": "Paris"}
    assert broken_rules(state, JoinCathedral(RED, city("Venezia"))) == {"architect.cathedral"}


def test_cathedral_once__at_each_cathedral() -> None:
    state = has(with_pillars(table(), RED, "Paris"), RED, stone=9)
    after = played(state, JoinCathedral(RED, PARIS))
    assert breach(after, JoinCathedral(RED, PARIS), "cathedral.once").facts == {"seat": "red", "city": "Paris"}


def test_cathedral_left__while_tiles_lie_there() -> None:
    state = has(with_pillars(table(), RED, "Bordeaux"), RED, stone=9)
    bordeaux = city("Bordeaux")
    state = replace(state, joined=changed(state.joined, bordeaux, (GREEN, ORANGE)))
    assert breach(state, JoinCathedral(RED, bordeaux), "cathedral.left").facts == {"city": "Bordeaux"}
    assert not any(isinstance(move, JoinCathedral) for move in GAME.moves(state))


def test_helper_again__the_sentence_says_which_building() -> None:
    state = with_warehouse(table(), RED, "again")
    said = [
        Speaker(GAME.catalogue, "en").move("UseHelper", GAME.facts(state, UseHelper(RED, "again", building)))
        for building in range(2)
    ]
    assert said[0].endswith("building 1”")
    assert said[1].endswith("building 2”")
