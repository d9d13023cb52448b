"""Phase 3: Hauptaktion, entlassen, und Handeln."""

from __future__ import annotations

import pytest

from companion.games.viscounts import GAME
from companion.games.viscounts.moves import (
    Build,
    Copy,
    Decline,
    Destroy,
    Dismiss,
    DrawUp,
    Employ,
    Flip,
    Hire,
    Rearrange,
    Skip,
    Slide,
    TakeGood,
    Trade,
    Travel,
    TurnUp,
)
from companion.games.viscounts.rulebook.payment import payments, strength
from companion.games.viscounts.state import UNSEEN, State

from .table import (
    GUILDHALL,
    RED,
    TRADING_POST,
    WORKSHOP,
    breach,
    changed,
    has,
    inner,
    kinds,
    listed,
    marker_fields,
    markers,
    note,
    owns,
    papers,
    played,
    replace,
    rules,
    space,
    table,
    told,
    with_row,
    with_slots,
    with_tops_told,
    with_viscount,
)

MERCHANTS = ("lender", "journeyman", "abbot")
"""Four merchant symbols and a cleric."""


def acting(where: int, *row: str, **goods: int) -> State:
    return has(with_row(with_viscount(table(), where), *row), **goods)


def test_example_four_symbols_and_two_silver_are_three_gold_and_a_silver_for_the_trader() -> None:
    state = acting(space(7), "trader", "lender", "financer", silver=2)
    state = replace(state, rows=changed(state.rows, RED, ("trader", "lender", "financer")))
    assert strength(state, RED, "trade") == 4
    assert owns(GAME.play(state, Trade(RED, 3))) == {"gold": 3, "silver": 1}


def test_trade_cost__as_often_as_symbols_and_silver_reach() -> None:
    state = acting(space(4), *MERCHANTS, silver=3)
    assert listed(state, Trade) == [Trade(RED, times) for times in (0, 1, 2, 3)]
    assert owns(GAME.play(state, Trade(RED, 1))) == {"silver": 3, "stone": 1}
    facts = breach(state, Trade(RED, 4), "trade.cost").facts
    assert facts == {"seat": "red", "times": 4, "needs": 8, "most": 3, "has": 4, "silver": 3}
    assert rules(state, Trade(RED, -1)) == ["trade.cost"]


def test_trade_none__as_often_as_a_player_likes_may_be_never() -> None:
    """Nothing could be flipped here: to trade once, red would have to pay a silver for nothing."""
    state = acting(space(6), "lender", "lender", "financer", silver=3)
    state = replace(state, rows=changed(state.rows, RED, ("lender", "lender", "financer")))
    for move in (Trade(RED, 0), Skip(RED), DrawUp(RED)):
        assert rules(state, move) == [], move
        assert owns(GAME.play(state, move)) == {"silver": 3}
    assert "trade.none" in told(state, Trade(RED, 0))
    assert GAME.play(state, Trade(RED, 0)) == GAME.play(state, Skip(RED))
    assert rules(with_viscount(state, inner(2)), Trade(RED, 0)) == ["action.path"]


def test_ruling_trading_no_times_is_the_action_for_those_who_work_after_it() -> None:
    """The trader brings a silver after trading; a player who leaves the action out does without."""
    state = acting(space(4), "trader", "squire", "abbot")
    assert owns(GAME.play(state, Trade(RED, 0))) == {"silver": 1}
    assert owns(GAME.play(state, Skip(RED))) == {}


def test_ruling_whose_symbols_fit_trading_may_be_dismissed_though_they_do_not_pay_for_an_exchange() -> None:
    state = acting(space(8), "squire", "squire", "abbot", silver=2)
    state = replace(state, offer=changed(state.offer, 3, "jeweller"))
    assert rules(state, Dismiss(RED)) == []
    after = with_tops_told(GAME.play(state, Dismiss(RED)))
    assert rules(after, Trade(RED, 1)) == ["trade.cost"]
    assert rules(after, Trade(RED, 0)) == []


def test_trade_silver__silver_brings_no_silver() -> None:
    state = acting(space(3), *MERCHANTS, silver=5)
    assert len(listed(state, Trade)) == 5
    assert owns(GAME.play(state, Trade(RED, 4))) == {"silver": 9}
    assert "trade.silver" in told(state, Trade(RED, 4))
    facts = breach(state, Trade(RED, 5), "trade.silver").facts
    assert facts == {"seat": "red", "times": 5, "needs": 5, "most": 4, "has": 4, "silver": 5}


def test_trade_resource__two_symbols_for_the_resource_of_the_space() -> None:
    for number, good in ((2, "ink"), (4, "stone"), (5, "ink"), (7, "gold"), (9, "stone"), (10, "gold")):
        state = acting(space(number), *MERCHANTS)
        assert owns(GAME.play(state, Trade(RED, 2))) == {good: 2}
    assert "trade.resource" in told(acting(space(2), *MERCHANTS), Trade(RED, 1))


def test_trade_destroy__three_symbols_for_a_card() -> None:
    state = acting(space(8), *MERCHANTS, silver=2)
    after = GAME.play(state, Trade(RED, 2))
    assert "trade.destroy" in told(state, Trade(RED, 2))
    assert kinds(after) == {"Destroy", "Decline", "DrawUp"}
    after = GAME.play(after, Destroy(RED, "hand", "thief"))
    assert owns(after) == {"silver": 1}
    assert kinds(after) == {"Destroy", "Decline", "DrawUp"}
    assert kinds(GAME.play(after, Decline(RED))) == {"DrawUp"}


def test_ruling_silver_of_destroyed_cards_does_not_pay_for_the_same_trade() -> None:
    state = acting(space(8), *MERCHANTS, silver=1)
    assert listed(state, Trade) == [Trade(RED, 0), Trade(RED, 1)]


def test_trade_flip__four_symbols_turn_over_debts_and_deeds_in_any_mixture() -> None:
    state = papers(acting(space(6), *MERCHANTS, silver=4), debts=(1, 0), deeds=(1, 0))
    assert "trade.flip" in told(state, Trade(RED, 2))
    after = played(state, Trade(RED, 2), Flip(RED, "debt"), TakeGood(RED, "ink"), Flip(RED, "deed"))
    assert (after.debts[RED], after.deeds[RED]) == ((0, 1), (0, 1))
    assert after.due == ()


def test_action_one__exactly_one_main_action() -> None:
    state = acting(inner(1), "squire", "squire", "abbot")
    assert "action.one" in told(state, Employ(RED, 1, 1))
    assert breach(state, Skip(RED), "action.one").facts == {"seat": "red", "action": "workers"}
    state = acting(space(4), *MERCHANTS)
    after = GAME.play(state, Trade(RED, 1))
    assert after.phase == "hiring"
    assert rules(after, Trade(RED, 1)) == ["turn.phases"]


def test_action_path__two_actions_outside_and_two_inside() -> None:
    outside = acting(space(4), *MERCHANTS, stone=9, gold=9, ink=9)
    assert {"Trade", "Build"} <= kinds(outside)
    assert rules(outside, Employ(RED, 1, 1)) == ["action.path"]
    assert rules(outside, Copy(RED, 1)) == ["action.path"]
    inside = with_viscount(outside, inner(1))
    assert {"Employ", "Copy"} <= kinds(inside)
    assert rules(inside, Trade(RED, 1)) == ["action.path"]
    assert breach(inside, Build(RED, 0, 0, 1, 0), "action.path").facts["path"] == "outer_path"


def test_action_none__whoever_can_do_nothing_goes_on() -> None:
    state = acting(inner(1), "lender", "lender", "lender")
    assert kinds(state) == {"Skip", "DrawUp"}
    assert told(state, Skip(RED)) == ["action.none"]
    assert GAME.play(state, Skip(RED)).phase == "hiring"


def test_ruling_a_possible_action_may_be_left_out_by_a_house_rule_only() -> None:
    state = acting(inner(1), "squire", "squire", "abbot")
    assert "Skip" not in kinds(state)
    house = with_row(with_viscount(table(pass_action=True), inner(1)), "squire", "squire", "abbot")
    assert "Skip" in kinds(house)


def test_action_pay__exactly_what_is_missing() -> None:
    state = acting(space(4), "labourer", "labourer", "labourer", stone=5)
    assert payments(state, RED, "build", 5) == ((0, 0, 2, 0),)
    assert rules(state, Build(RED, TRADING_POST, 0, 1, 2, (0, 0, 3, 0))) == ["action.pay"]
    assert rules(state, Build(RED, TRADING_POST, 0, 1, 2, (0, 0, 2, 0))) == []


@pytest.mark.parametrize(
    ("row", "action", "need", "goods", "ways"),
    [
        (("mason", "squire", "squire"), "build", 3, {"stone": 2, "silver": 4},
         {(0, 0, 2, 0), (0, 0, 1, 2), (0, 0, 0, 4)}),
        (("sculptor", "squire", "squire"), "build", 4, {"stone": 3}, {(0, 0, 2, 0)}),
        (("strongman", "trader", "trader"), "build", 3, {"stone": 3}, {(0, 0, 1, 0)}),
        (("artist", "labourer", "labourer"), "workers", 5, {"gold": 4}, {(0, 3, 0, 0)}),
        (("diplomat", "labourer", "labourer"), "workers", 3, {"gold": 1, "silver": 5}, {(0, 1, 0, 2), (0, 0, 0, 4)}),
        (("priest", "priest", "squire"), "manuscript", 6, {"ink": 5}, {(2, 0, 0, 0)}),
        (("emma", "squire", "squire"), "manuscript", 3, {"ink": 1, "gold": 1, "stone": 1},
         {(1, 1, 0, 0), (1, 0, 1, 0), (0, 1, 1, 0)}),
        (("traveller", "lender", "squire"), "manuscript", 3, {"ink": 1}, {(1, 0, 0, 0)}),
        (("thief", "squire", "squire"), "manuscript", 3, {"ink": 1}, set()),
    ],
)  # fmt: skip
def test_abilities_let_other_things_count_as_symbols(
    row: tuple[str, ...], action: str, need: int, goods: dict[str, int], ways: set[tuple[int, ...]]
) -> None:
    state = acting(space(4), *row, **goods)
    assert set(payments(state, RED, action, need)) == ways  # type: ignore[arg-type]


def test_action_after__some_townsfolk_work_after_the_action() -> None:
    state = acting(space(4), "jeweller", "lender", "abbot")
    assert note(state, Trade(RED, 1), "action.after").facts == {"seat": "red", "action": "trade"}
    assert marker_fields(GAME.play(state, Trade(RED, 1))) == (1, 6)
    building = acting(space(4), "charlatan", "labourer", "labourer")
    after = GAME.play(building, Build(RED, WORKSHOP, 0, 1, 2))
    assert marker_fields(after) == (2, 7)


@pytest.mark.parametrize("row", [("woodcutter 1", "charlatan", "labourer"), ("charlatan", "woodcutter 1", "labourer")])
def test_marker_corruption__it_moves_first_though_one_card_brings_it_and_another_virtue(row: tuple[str, ...]) -> None:
    """After building: corruption meets virtue on 4, and virtue takes both back to 3, wherever the two cards lie."""
    state = markers(acting(space(4), *row), 3, 4)
    assert marker_fields(GAME.play(state, Build(RED, WORKSHOP, 0, 1, 2))) == (3, 3)


def test_the_symbols_printed_on_a_player_board_count_while_nothing_covers_them() -> None:
    state = acting(space(4), "squire", "", "")
    assert strength(state, RED, "trade") == 2
    assert strength(state, RED, "workers") == 2
    assert strength(acting(space(4), "squire", "squire", ""), RED, "workers") == 2


# Dismissing


def test_example_the_woodcutter_is_dismissed_for_two_silver_a_virtue_and_a_builder() -> None:
    state = acting(space(1), "trader", "squire", "abbot", silver=2, stone=2)
    state = replace(state, offer=("woodcutter 1", *state.offer[1:]))
    before = strength(state, RED, "build")
    after = GAME.play(state, Dismiss(RED))
    assert (owns(after), marker_fields(after)) == ({"stone": 2}, (1, 6))
    assert strength(after, RED, "build") == before + 1
    assert "woodcutter 1" in after.gone


def test_dismiss_silver__it_costs_what_the_card_says() -> None:
    state = acting(space(1), "trader", "squire", "abbot", silver=1, stone=9)
    facts = breach(state, Dismiss(RED), "dismiss.silver").facts
    assert (facts["price"], facts["silver"]) == (2, 1)
    cheap = with_slots(state, RED, (TRADING_POST, 1))
    assert owns(GAME.play(cheap, Dismiss(RED))) == {"stone": 9}


def test_dismiss_effect__the_effect_at_the_top_right_comes_at_once() -> None:
    state = acting(space(4), "trader", "squire", "abbot", silver=1, stone=2)
    assert "dismiss.effect" in told(state, Dismiss(RED))
    after = with_tops_told(GAME.play(state, Dismiss(RED)))
    assert kinds(after) == {"Rearrange", "Decline", "DrawUp"}
    assert "Build" in kinds(GAME.play(after, Rearrange(RED, ("abbot", "squire", "trader"))))


def test_dismiss_effect__what_stands_at_the_bottom_of_the_card_is_of_no_use() -> None:
    """The mason lends a builder; silver counts as builders only for whoever has him on the board."""
    state = acting(space(4), "trader", "squire", "abbot", silver=9, stone=2)
    after = played(with_tops_told(GAME.play(state, Dismiss(RED))), Decline(RED))
    assert payments(after, RED, "build", 3) == ((0, 0, 2, 0),)


def test_dismiss_once__at_most_one_a_turn() -> None:
    state = acting(space(1), "lender", "lender", "abbot", silver=9, stone=9)
    after = with_tops_told(GAME.play(state, Dismiss(RED)))
    assert rules(after, Dismiss(RED)) == ["dismiss.once"]
    assert "Dismiss" not in kinds(after)


def test_dismiss_symbols__only_symbols_that_fit() -> None:
    state = acting(inner(0), "squire", "squire", "abbot", silver=9, gold=9, ink=9)
    assert rules(state, Dismiss(RED)) == ["dismiss.symbols"]  # a woodcutter is of no use inside
    assert "Dismiss" in kinds(with_viscount(state, inner(4)))  # a criminal is always of use
    outside = acting(space(1), "lender", "lender", "abbot", silver=9, stone=9)
    after = with_tops_told(GAME.play(outside, Dismiss(RED)))
    assert rules(after, Trade(RED, 1)) == ["dismiss.symbols"]
    assert "Trade" not in kinds(after)


def test_move_back__a_space_behind_is_only_reached_all_the_way_round() -> None:
    state = has(replace(with_viscount(table(), space(4)), phase="moving", played="trader"), silver=2)
    facts = breach(state, Travel(RED, space(3)), "move.back").facts
    assert (facts["space"], facts["silver"]) == ("3", 2)
    assert rules(state, Travel(RED, space(8))) == ["move.silver"]


def test_dismiss_action__not_without_an_action() -> None:
    state = acting(space(1), "lender", "lender", "abbot", silver=2)
    assert rules(state, Dismiss(RED)) == ["dismiss.action"]


def test_ruling_symbols_that_fit_through_an_ability_may_be_dismissed_for() -> None:
    state = acting(inner(0), "benefactor", "squire", "squire", silver=9)
    state = replace(state, offer=("peddler 1", *state.offer[1:]))
    assert rules(state, Dismiss(RED)) == []
    strict = replace(state, options=replace(state.options, dismiss_by_ability=False))
    assert rules(strict, Dismiss(RED)) == ["dismiss.symbols"]


def test_turn_reveal__what_came_to_light_is_told_first() -> None:
    state = acting(space(1), "lender", "lender", "abbot", silver=9, stone=9)
    after = GAME.play(state, Dismiss(RED))
    assert after.offer[0] == UNSEEN
    assert GAME.actor(after) == "chance"
    assert rules(after, Build(RED, WORKSHOP, 0, 0, 0)) == ["turn.reveal"]
    assert "Build" in kinds(GAME.play(after, TurnUp(0, "bishop")))


def test_turn_order__everybody_waits_for_their_turn() -> None:
    state = acting(space(4), *MERCHANTS)
    assert breach(state, Trade(1, 1), "turn.order").facts == {"seat": "blue", "next": "red"}


def test_action_one__it_is_told_to_whoever_left_it_out_and_not_to_the_next() -> None:
    state = acting(inner(1), "squire", "squire", "abbot")
    assert breach(state, Slide(1), "action.one").facts == {"seat": "red", "action": "workers"}
    assert rules(state, Slide(1)) == ["action.one"]
    assert rules(state, DrawUp(RED)) == ["action.one"]
    assert rules(state, Slide(2)) == ["turn.order"]


def test_a_printed_townsfolk_can_be_dismissed_again_and_again() -> None:
    state = acting(space(3), "labourer", "labourer", "labourer", silver=9, stone=9)
    state = replace(state, offer=changed(state.offer, 1, ""))
    assert "hire.printed" in told(state, Dismiss(RED))
    after = GAME.play(state, Dismiss(RED))
    assert (after.offer[1], marker_fields(after)) == ("", (1, 6))
    assert strength(after, RED, "build") == 4
    assert listed(after, Hire) == []


def test_build_guildhall__symbols_of_a_guildhall_help() -> None:
    state = with_slots(acting(space(4), "labourer", "labourer", "labourer", stone=3), RED, (GUILDHALL, 0))
    assert strength(state, RED, "build") == 4
