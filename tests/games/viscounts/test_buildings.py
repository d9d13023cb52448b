"""Ein Gebäude errichten."""

from __future__ import annotations

import pytest

from companion.games.viscounts import GAME
from companion.games.viscounts.moves import (
    FREE,
    Build,
    Decline,
    Destroy,
    Discard,
    Dismiss,
    Flip,
    Hire,
    Rearrange,
    Shift,
    TakeGood,
    Travel,
    TurnUp,
)
from companion.games.viscounts.state import State, number_built, owner_of, symbols

from .table import (
    BLUE,
    GUILDHALL,
    RED,
    TRADING_POST,
    WORKSHOP,
    breach,
    changed,
    has,
    kinds,
    listed,
    marker_fields,
    note,
    owns,
    papers,
    played,
    replace,
    rules,
    space,
    table,
    told,
    with_building,
    with_due,
    with_row,
    with_slots,
    with_tops_told,
    with_viscount,
    with_workers,
)

ROW = ("labourer", "labourer", "labourer")
"""Three builder symbols."""


def building(where: int = 0, players: int = 3, **goods: int) -> State:
    return has(with_row(with_viscount(table(players), where or space(3)), *ROW), **goods)


def test_example_a_workshop_for_two_stone_and_the_mason() -> None:
    """No symbol of one's own, two stone, the mason for a silver; the plot brings ink, the link two silver to both."""
    state = has(with_row(with_viscount(table(), space(3)), "trader", "squire", "abbot"), stone=2, silver=1)
    state = with_building(state, BLUE, 1, 1, TRADING_POST)
    state = replace(state, offer=changed(state.offer, 1, "mason"))
    state = played(state, Dismiss(RED), TurnUp(1, "bishop"))
    assert owns(state) == {"stone": 2}
    state = GAME.play(state, Rearrange(RED, ("squire", "trader", "abbot")))
    assert listed(state, Build) == [Build(RED, WORKSHOP, slot, 1, 0, (0, 0, 2, 0)) for slot in range(3)]
    state = GAME.play(state, Build(RED, WORKSHOP, 0, 1, 0, (0, 0, 2, 0)))
    assert owns(state) == {"ink": 1, "silver": 2}
    assert owns(state, BLUE) == {"silver": 2}


@pytest.mark.parametrize(("kind", "rule", "stone"), [(WORKSHOP, 3, 0), (TRADING_POST, 5, 2), (GUILDHALL, 7, 4)])
def test_what_the_three_kinds_cost(kind: int, rule: int, stone: int) -> None:
    state = building(stone=stone)
    after = GAME.play(state, Build(RED, kind, 0, 1, 0, (0, 0, stone, 0)))
    assert number_built(after, RED, kind) == 1
    assert owner_of(after.plots[1][0]) == RED
    assert rule == 3 + stone


def test_build_workshop__it_needs_three_builders() -> None:
    state = has(with_row(with_viscount(table(), space(3)), "labourer", "labourer", "abbot"))
    facts = breach(state, Build(RED, WORKSHOP, 0, 1, 0), "build.workshop").facts
    assert facts == {"seat": "red", "needs": 3, "has": 2, "missing": 1, "good": "stone", "left": 0}
    assert "build.workshop" in told(building(), Build(RED, WORKSHOP, 0, 1, 0))


def test_build_post__it_needs_five_builders() -> None:
    assert breach(building(stone=1), Build(RED, TRADING_POST, 0, 1, 0), "build.post").facts["needs"] == 5
    assert "build.post" in told(building(stone=2), Build(RED, TRADING_POST, 0, 1, 0, (0, 0, 2, 0)))


def test_build_guildhall__it_needs_seven_builders() -> None:
    assert breach(building(stone=3), Build(RED, GUILDHALL, 0, 1, 0), "build.guildhall").facts["needs"] == 7
    assert "build.guildhall" in told(building(stone=4), Build(RED, GUILDHALL, 0, 1, 0, (0, 0, 4, 0)))


def test_build_left__a_building_is_built_once() -> None:
    state = with_building(building(), RED, 4, 4, WORKSHOP)
    assert rules(state, Build(RED, WORKSHOP, 0, 1, 0)) == ["build.left"]
    assert {move.slot for move in listed(state, Build)} == {1, 2}
    assert rules(state, Build(RED, 3, 0, 1, 0)) == ["build.left"]
    none = with_slots(state, RED, *((WORKSHOP, slot) for slot in range(3)))
    assert not listed(none, Build)


def test_ruling_any_place_of_the_board_may_be_emptied_but_for_a_house_rule() -> None:
    assert {move.slot for move in listed(building(), Build)} == {0, 1, 2}
    state = building()
    strict = replace(state, options=replace(state.options, building_order="left_to_right"))
    assert {move.slot for move in listed(strict, Build)} == {0}
    assert rules(strict, Build(RED, WORKSHOP, 1, 1, 0)) == ["build.order"]


def test_build_order__by_a_house_rule_buildings_leave_their_places_from_the_left() -> None:
    state = building()
    strict = replace(state, options=replace(state.options, building_order="left_to_right"))
    assert breach(strict, Build(RED, WORKSHOP, 2, 1, 0), "build.order").facts == {"seat": "red", "building": "workshop"}
    assert rules(with_slots(strict, RED, (WORKSHOP, 2)), Build(RED, WORKSHOP, 2, 1, 0)) == ["build.left"]


def test_build_plot__only_free_plots() -> None:
    state = with_building(building(), BLUE, 1, 0, WORKSHOP)
    assert breach(state, Build(RED, WORKSHOP, 0, 1, 0), "build.plot").facts == {"plot": 1, "segment": "3-4"}
    assert {move.plot for move in listed(state, Build)} == {1}
    assert "build.plot" in rules(state, Build(RED, WORKSHOP, 0, 1, 9))


def test_build_river__nobody_builds_across_it() -> None:
    assert {move.plot for move in listed(building(space(3)), Build)} == {0, 1}
    assert {move.plot for move in listed(building(space(4)), Build)} == {2, 3, 4}
    assert rules(building(space(3)), Build(RED, WORKSHOP, 0, 1, 2)) == ["build.river"]
    assert rules(building(space(3)), Build(RED, WORKSHOP, 0, 2, 0)) == ["build.river"]
    assert {move.plot for move in listed(building(space(4), players=2), Build)} == {2, 3}


def test_build_reward__the_plot_pays_at_once() -> None:
    assert owns(GAME.play(building(), Build(RED, WORKSHOP, 0, 1, 1))) == {"stone": 1}
    assert GAME.play(building(space(4)), Build(RED, WORKSHOP, 0, 1, 2)).deeds[RED] == (1, 0)
    assert "build.reward" in told(building(), Build(RED, WORKSHOP, 0, 1, 1))


def test_build_link__both_ends_are_paid() -> None:
    state = with_building(building(), BLUE, 1, 0, WORKSHOP)
    assert note(state, Build(RED, WORKSHOP, 0, 1, 1), "build.link").facts == {"seat": "red", "other": "blue"}
    after = GAME.play(state, Build(RED, WORKSHOP, 0, 1, 1))
    assert (owns(after), owns(after, BLUE)) == ({"stone": 1, "silver": 2}, {"silver": 2})


def test_build_link__it_leads_to_the_next_segment_as_it_lies() -> None:
    state = with_building(building(space(4)), BLUE, 2, 0, WORKSHOP)
    after = played(papers(state, debts=(1, 0)), Build(RED, WORKSHOP, 0, 1, 4), Flip(RED, "debt"), TakeGood(RED, "ink"))
    assert (owns(after), owns(after, BLUE)) == ({"ink": 1, "gold": 1}, {"gold": 1})
    apart = replace(state, order=(0, 1, 3, 2, 4))
    assert "build.link" not in told(apart, Build(RED, WORKSHOP, 0, 1, 4))


def test_build_link__plots_without_a_link_are_none() -> None:
    state = with_building(building(space(4)), BLUE, 1, 3, WORKSHOP)
    assert "build.link" not in told(state, Build(RED, WORKSHOP, 0, 1, 2))


def test_build_own_link__one_who_owns_both_ends_is_paid_once() -> None:
    state = with_building(building(), RED, 1, 0, WORKSHOP)
    assert "build.own-link" in told(state, Build(RED, WORKSHOP, 1, 1, 1))
    assert owns(GAME.play(state, Build(RED, WORKSHOP, 1, 1, 1))) == {"stone": 1, "silver": 2}


def test_ruling_the_plot_comes_before_its_links() -> None:
    """A debt that a link brings cannot be flipped by the plot."""
    state = with_building(building(space(2)), BLUE, 0, 2, WORKSHOP)
    after = GAME.play(state, Build(RED, WORKSHOP, 0, 0, 3))
    assert after.debts[RED] == (1, 0)
    assert after.due == ()


def test_ruling_several_links_are_used_in_any_order() -> None:
    state = with_building(building(space(8)), BLUE, 3, 4, WORKSHOP)
    state = with_workers(with_building(state, BLUE, 3, 2, WORKSHOP, 1), 1, 0, 1)
    state = played(state, Build(RED, WORKSHOP, 0, 3, 3), TakeGood(RED, "ink"))
    assert marker_fields(state) == marker_fields(state, BLUE) == (1, 6)
    assert kinds(state) == {"Shift", "Decline", "DrawUp"}
    after = GAME.play(state, Decline(RED))
    assert GAME.actor(after) == RED  # blue has no worker in the castle to move


def test_a_link_lets_somebody_act_who_is_not_on_turn_after_the_builder() -> None:
    state = with_building(building(space(8)), BLUE, 3, 2, WORKSHOP)
    state = with_workers(state, 1, 0, 1, 1)
    state = played(state, Build(RED, WORKSHOP, 0, 3, 3), TakeGood(RED, "ink"))
    assert GAME.actor(state) == RED
    state = GAME.play(state, Shift(RED, 0, 1))
    assert GAME.actor(state) == BLUE
    state = GAME.play(state, Shift(BLUE, 0, 4))
    assert GAME.actor(state) == RED
    assert state.phase == "hiring"


# What the nine buildings uncover


def test_build_first_post__one_space_for_free() -> None:
    move = Build(RED, TRADING_POST, 0, 1, 0, (0, 0, 2, 0))
    assert "build.first-post" in told(building(stone=2), move)
    after = replace(GAME.play(building(stone=2), move), phase="moving")
    assert Travel(RED, space(5)) in listed(after, Travel)


def test_build_second_post__dismissing_for_one_silver() -> None:
    assert "build.second-post" in told(building(stone=2), Build(RED, TRADING_POST, 1, 1, 0, (0, 0, 2, 0)))
    state = with_slots(building(space(1), silver=1), RED, (TRADING_POST, 1))
    assert "build.second-post" in told(state, Dismiss(RED))
    assert owns(GAME.play(state, Dismiss(RED))) == {}


def test_build_symbols__third_post_and_guildhalls_give_symbols() -> None:
    assert "build.symbols" in told(building(stone=2), Build(RED, TRADING_POST, 2, 1, 0, (0, 0, 2, 0)))
    state = with_slots(building(), RED, (TRADING_POST, 2), (GUILDHALL, 0), (GUILDHALL, 1), (GUILDHALL, 2))
    assert symbols(state, RED) == (2, 4, 1, 1, 0)


def test_build_first_workshop__a_card_may_be_discarded_with_every_hire() -> None:
    assert "build.first-workshop" in told(building(), Build(RED, WORKSHOP, 0, 1, 0))
    state = replace(with_slots(building(silver=2), RED, (WORKSHOP, 0)), phase="hiring")
    state = with_viscount(state, space(7))
    after = with_tops_told(GAME.play(state, Hire(RED, 3)))
    assert kinds(after) == {"Discard", "Decline", "DrawUp"}
    free = with_tops_told(GAME.play(with_due(state, "hire"), Hire(RED, 3)))
    assert kinds(free) == {"Discard", "Decline", "DrawUp"}
    assert GAME.play(free, Discard(RED, "hand", "thief")).discards[RED] == ("princess", "thief")


def test_build_second_workshop__a_virtue_with_collisions() -> None:
    assert "build.second-workshop" in told(building(), Build(RED, WORKSHOP, 1, 1, 0))


def test_build_third_workshop__a_card_more_in_hand() -> None:
    assert "build.third-workshop" in told(building(), Build(RED, WORKSHOP, 2, 1, 0))


# For nothing


def test_symbol_build__a_building_for_nothing_on_any_plot() -> None:
    state = with_due(with_viscount(table(), space(3)), "build", building="guildhall")
    moves = listed(state, Build)
    assert {(move.segment, move.plot) for move in moves} == {
        (segment, plot) for segment in range(5) for plot in range(5)
    }
    assert {move.building for move in moves} == {GUILDHALL}
    assert "symbol.build" in told(state, Build(RED, GUILDHALL, 2, 4, 2))
    assert rules(state, Build(RED, WORKSHOP, 2, 4, 2)) == ["symbol.build"]
    assert rules(state, Build(RED, GUILDHALL, 0, 4, 2, (0, 0, 1, 0))) == ["action.free"]
    assert rules(with_building(state, BLUE, 4, 2, WORKSHOP), Build(RED, GUILDHALL, 0, 4, 2, FREE)) == ["build.plot"]


def test_a_plot_may_let_somebody_destroy_a_card() -> None:
    state = GAME.play(building(space(2)), Build(RED, WORKSHOP, 0, 0, 4))
    assert kinds(state) == {"Destroy", "Decline", "DrawUp"}
    assert owns(GAME.play(state, Destroy(RED, "pile", "financer"))) == {"silver": 3}
