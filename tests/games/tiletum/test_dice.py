"""The die of a turn: taken, turned for gold, used for goods; the section's tile and the warehouse."""

from __future__ import annotations

import pytest

from companion.games.tiletum import GAME
from companion.games.tiletum.moves import (
    BuyGood,
    EndTurn,
    Gather,
    PutPillar,
    Reveal,
    TakeContract,
    TakeDie,
    TakeGuest,
    TakeTile,
    TurnDie,
    UseHelper,
)
from companion.games.tiletum.state import NO_POINTS, steps_between
from companion.kernel.rules import changed

from .table import (
    ARCHITECT,
    CONTRACT,
    CROWN,
    GREEN,
    JOKER,
    MERCHANT,
    RED,
    acting,
    breach,
    broken_rules,
    city,
    deviation,
    fresh,
    has,
    note,
    owns,
    played,
    replace,
    table,
    told_rules,
    with_figures,
    with_warehouse,
)

YELLOW_ONE = TakeDie(RED, "yellow", 1)
FULL = ("again", "any2", "points3", "recolour")


def test_die_take__from_the_wheel() -> None:
    state = table()
    assert note(state, YELLOW_ONE, "die.take").facts == {"seat": "red", "die": "die yellow", "value": 1}
    after = played(state, YELLOW_ONE)
    assert after.dice[RED] == (("yellow", 1),)
    assert (ARCHITECT, "yellow", 1) not in after.wheel
    assert len(after.wheel) == 13
    assert breach(after, TakeDie(RED, "yellow", 2), "die.take").facts == {"die": "die yellow", "value": 2}


def test_die_one__a_turn_has_only_one() -> None:
    state = played(table(), YELLOW_ONE)
    assert breach(state, TakeDie(RED, "pink", 1), "die.one").facts == {"seat": "red"}
    used = played(state, Gather(RED, "gold"))
    assert broken_rules(used, Gather(RED, "gold")) == {"die.one"}


def test_die_place__there_is_room_for_three() -> None:
    assert note(table(), YELLOW_ONE, "die.place").facts == {"seat": "red", "dice": 1, "places": 3}


def test_die_change__two_gold_for_each_pip() -> None:
    state = has(played(table(), YELLOW_ONE), RED, gold=5)
    assert note(state, TurnDie(RED, 3), "die.change").facts == {"seat": "red", "value": 3, "gold": 4}
    after = played(state, TurnDie(RED, 3))
    assert (after.dice[RED], owns(after, RED)["gold"]) == ((("yellow", 3),), 1)
    facts = {"seat": "red", "what": "gold", "by": 2, "way": "too_many", "amount": "gold2"}
    assert breach(state, TurnDie(RED, 2, deviation(gold=2)), "die.change").facts == facts


def test_die_change__the_new_value_counts_for_goods_and_section() -> None:
    state = has(played(table(), YELLOW_ONE), RED, gold=4)
    after = played(state, TurnDie(RED, 2), Gather(RED, "gold"))
    assert (after.section, after.ap[MERCHANT], owns(after, RED)["gold"]) == (MERCHANT, 5, 4)


def test_die_neighbours__six_and_one() -> None:
    assert (steps_between(6, 1), steps_between(1, 6), steps_between(1, 4), steps_between(2, 6)) == (1, 1, 3, 2)
    state = has(played(table(), YELLOW_ONE), RED, gold=2)
    assert note(state, TurnDie(RED, 6), "die.neighbours").facts == {"value": 6}
    assert owns(played(state, TurnDie(RED, 6)), RED)["gold"] == 0
    assert "die.neighbours" not in told_rules(state, TurnDie(RED, 2))


@pytest.mark.parametrize("value", [0, 1, 7])
def test_die_value__another_one_from_one_to_six(value: int) -> None:
    state = has(played(table(), YELLOW_ONE), RED, gold=9)
    assert breach(state, TurnDie(RED, value), "die.value").facts == {"value": value, "shows": 1}


def test_die_affords__only_as_far_as_the_gold_goes() -> None:
    state = has(played(table(), YELLOW_ONE), RED, gold=3)
    assert breach(state, TurnDie(RED, 3), "die.affords").facts == {"seat": "red", "price": 4, "gold": 3}
    assert [move.value for move in GAME.moves(state) if isinstance(move, TurnDie)] == [2, 6]


def test_die_before__not_once_it_is_used() -> None:
    state = has(played(table(), YELLOW_ONE, Gather(RED, "gold")), RED, gold=9)
    assert breach(state, TurnDie(RED, 2), "die.before").facts == {"seat": "red"}


def test_die_goods__as_many_as_it_has_pips() -> None:
    state = played(table(), TakeDie(RED, "blue", 5))
    assert note(state, Gather(RED, "iron"), "die.goods").facts == {"seat": "red", "good": "iron", "number": 5}
    assert owns(played(state, Gather(RED, "iron")), RED)["iron"] == 6
    facts = {"seat": "red", "what": "iron", "by": 1, "way": "too_few", "amount": "iron1"}
    assert breach(state, Gather(RED, "iron", deviation(iron=-1)), "die.goods").facts == facts


def test_die_colour__says_which_good() -> None:
    state = played(table(), TakeDie(RED, "light_grey", 3))
    assert breach(state, Gather(RED, "stone"), "die.colour").facts == {"seat": "red", "good": "wool"}
    assert note(state, Gather(RED, "wool"), "die.colour").facts == {"good": "wool"}
    assert broken_rules(state, Gather(RED, "silver")) == {"die.colour"}


@pytest.mark.parametrize(
    ("colour", "value", "section", "points"),
    [("yellow", 1, ARCHITECT, 6), ("dark_grey", 4, CONTRACT, 3), ("blue", 5, CROWN, 2), ("yellow", 6, JOKER, 1)],
)
def test_points_section__many_goods_are_few_points(colour: str, value: int, section: int, points: int) -> None:
    state = played(table(), TakeDie(RED, colour, value))
    good = state.box.dice.colours[colour]
    after = played(state, Gather(RED, good))
    assert (after.section, after.ap[section]) == (section, points)
    assert note(state, Gather(RED, good), "points.section").facts["points"] == points


def test_tile_section__goes_to_the_warehouse() -> None:
    state = acting(MERCHANT, 5)
    facts = {"seat": "red", "tile": "merchant2", "section": "merchant"}
    assert note(state, TakeTile(RED, MERCHANT), "tile.section").facts == facts
    after = played(state, TakeTile(RED, MERCHANT))
    assert after.warehouse[RED] == ("merchant2",)
    assert breach(after, TakeTile(RED, MERCHANT), "tile.section").facts == {"section": "merchant"}


def test_tile_section__before_or_after_the_goods() -> None:
    state = has(played(table(), YELLOW_ONE), RED, gold=4)
    tile, goods = TakeTile(RED, ARCHITECT), Gather(RED, "gold")
    assert played(state, tile, goods) == played(state, goods, tile)
    assert breach(state, TakeTile(RED, MERCHANT), "tile.other").facts == {"seat": "red", "section": "architect"}
    assert broken_rules(played(state, TurnDie(RED, 2)), TakeTile(RED, MERCHANT)) == set()
    taken = played(state, tile)
    assert GAME.expects(taken).key == "take_goods"
    assert broken_rules(taken, TurnDie(RED, 2)) == {"die.before"}


def test_tile_section__room_may_be_made_in_the_middle_of_the_action() -> None:
    state = with_figures(with_warehouse(acting(ARCHITECT, 5), RED, *FULL), RED, architect="Paris")
    state = played(state, PutPillar(RED, city("Paris")), UseHelper(RED, "points3"))
    assert broken_rules(state, TakeTile(RED, ARCHITECT)) == set()


def test_tile_other__only_that_of_the_dies_section() -> None:
    state = acting(MERCHANT, 5)
    assert breach(state, TakeTile(RED, JOKER), "tile.other").facts == {"seat": "red", "section": "merchant"}


def test_tile_early__by_a_house_rule_only_before_the_action() -> None:
    state = with_figures(acting(ARCHITECT, 5, section_tile="before_action"), RED, architect="Paris")
    assert broken_rules(state, TakeTile(RED, ARCHITECT)) == set()
    after = played(state, PutPillar(RED, city("Paris")))
    assert breach(after, TakeTile(RED, ARCHITECT), "tile.early").facts == {"seat": "red"}
    assert "tile.must" not in {one.rule for move in GAME.moves(after) for one in GAME.check(after, move)}


def test_tile_early__what_helpers_bring_may_be_spent_before_the_tile_is_taken() -> None:
    state = with_warehouse(acting(ARCHITECT, 5, section_tile="before_action"), RED, "guest2")
    after = played(state, UseHelper(RED, "guest2"), TakeGuest(RED, 0))
    assert broken_rules(after, TakeTile(RED, ARCHITECT)) == set()


def test_tile_must__not_once_the_last_place_is_filled() -> None:
    state = with_warehouse(acting(CONTRACT, 5, leave_tile=False), RED, *FULL[:3])
    assert broken_rules(state, EndTurn(RED)) == {"tile.must"}
    assert broken_rules(played(state, TakeContract(RED, 0)), EndTurn(RED)) == set()


def test_tile_must__who_has_used_up_all_points_is_reminded_of_the_tile() -> None:
    assert GAME.expects(acting(MERCHANT, 0, leave_tile=False)).key == "take_tile"
    assert GAME.expects(acting(MERCHANT, 0)).key == "may_take_tile"
    some_left = replace(acting(MERCHANT, 5), ap=changed(NO_POINTS, MERCHANT, 2))
    assert GAME.expects(some_left).key == "act"


def test_warehouse_room__four_places() -> None:
    state = with_warehouse(acting(MERCHANT, 5), RED, *FULL)
    assert breach(state, TakeTile(RED, MERCHANT), "warehouse.room").facts == {"seat": "red", "places": 4}
    roomy = with_warehouse(acting(MERCHANT, 5), RED, *FULL[:3])
    facts = {"seat": "red", "tile": "merchant2", "free": 0}
    assert note(roomy, TakeTile(RED, MERCHANT), "warehouse.room").facts == facts


def test_warehouse_own__only_what_lies_in_ones_own() -> None:
    state = with_warehouse(table(), GREEN, "points3")
    assert breach(state, UseHelper(RED, "points3"), "warehouse.own").facts == {"seat": "red", "tile": "points3"}


def test_a_die_can_be_turned_more_than_once() -> None:
    state = has(played(table(), YELLOW_ONE), RED, gold=4)
    assert played(state, TurnDie(RED, 2), TurnDie(RED, 3)).dice[RED] == (("yellow", 3),)


def test_the_first_turn_begins_with_corruption() -> None:
    assert GAME.actor(fresh()) == "chance"
    assert GAME.actor(table()) == RED


def test_corruption_first__before_everything_else_in_the_turn() -> None:
    """The book has the marker turned up whenever it is the start player's turn, before the die is taken."""
    state = has(with_warehouse(fresh(), RED, "points3"), RED, gold=2)
    for move in (UseHelper(RED, "points3"), BuyGood(RED, "stone"), YELLOW_ONE):
        assert broken_rules(state, move) == {"corruption.first"}
    assert {type(move) for move in GAME.moves(state)} == {Reveal}
    after = played(state, Reveal(2, 0))
    assert broken_rules(after, UseHelper(RED, "points3")) == set()
    assert broken_rules(state, UseHelper(GREEN, "points3")) == {"turn.order"}


def test_corruption_first__by_a_house_rule_only_before_the_die() -> None:
    state = has(with_warehouse(fresh(corruption_first=False), RED, "points3"), RED, gold=2)
    assert broken_rules(state, UseHelper(RED, "points3")) == broken_rules(state, BuyGood(RED, "stone")) == set()
    assert broken_rules(state, YELLOW_ONE) == {"corruption.first"}
