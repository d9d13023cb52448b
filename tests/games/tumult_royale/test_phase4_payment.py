"""Phase 4, placing statues: what a field costs and which tiles pay for it."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.box import TILES, worth
from companion.games.tumult_royale.rulebook.phase4_statues import payments

from .statue_table import put, sculptor
from .table import (
    BLUE,
    PLENTY,
    YELLOW,
    breach,
    broken_rules,
    field,
    note,
    placing,
    played,
    table,
    told_rules,
)


def test_placing_cost__a_meadow_takes_one_bread_and_one_marble_from_the_castle() -> None:
    state = sculptor("bread1 marble1 tool3")
    move = put(state, "I3", "bread1 marble1")
    after = played(state, move)
    assert after.castles[BLUE] == ("tool3",)
    assert after.middle == tuple(sorted((*PLENTY, "bread1", "marble1")))
    assert after.owner[field(state, "I3")] == BLUE
    assert note(state, move, "placing.cost").facts == {"seat": "blue", "tiles": ("bread1", "marble1")}


@pytest.mark.parametrize(
    ("where", "tiles", "statues"),
    [
        ("I3", "bread1 marble1", 1),
        ("H4", "bread1 marble1 tool1", 1),
        ("G3", "bread1 marble1 tool2", 1),
        ("H2", "marble2 tool3", 3),
    ],
    ids=["meadow", "forest", "mountain", "castle"],
)
def test_placing_cost__the_castle_board_price_is_exactly_enough(where: str, tiles: str, statues: int) -> None:
    state = sculptor(tiles)
    after = played(state, put(state, where, tiles, statues))
    assert after.placed[BLUE] == 1 + statues
    assert after.castles[BLUE] == ()
    assert after.followers == state.followers


@pytest.mark.parametrize(
    ("where", "tiles", "statues", "facts"),
    [
        ("I3", "marble1", 1, {"seat": "blue", "kind": "a meadow", "needs": "bread1", "gave": 0}),
        ("I3", "bread1", 1, {"seat": "blue", "kind": "a meadow", "needs": "marble1", "gave": 0}),
        ("H4", "bread1 marble1", 1, {"seat": "blue", "kind": "a forest", "needs": "tool1", "gave": 0}),
        ("G3", "bread1 marble1 tool1", 1, {"seat": "blue", "kind": "a mountain", "needs": "tool2", "gave": 1}),
        ("H2", "marble1 tool3", 3, {"seat": "blue", "kind": "a castle", "needs": "marble2", "gave": 1}),
        ("H2", "marble2 tool2", 3, {"seat": "blue", "kind": "a castle", "needs": "tool3", "gave": 2}),
    ],
)
def test_placing_cost__one_good_short_is_too_little(
    where: str, tiles: str, statues: int, facts: dict[str, str | int]
) -> None:
    state = sculptor("bread1 marble1 marble2 tool1 tool2 tool3")
    cheap = put(state, where, tiles, statues)
    assert broken_rules(state, cheap) == {"placing.cost"}
    assert breach(state, cheap, "placing.cost").facts == facts


def test_placing_cost__a_village_takes_at_least_two_marble() -> None:
    state = sculptor("bread3 marble1 marble1 tool3", on="H5")
    cheap = put(state, "I5", "bread3 marble1 tool3", statues=2, followers=4)
    assert breach(state, cheap, "placing.cost").facts == {
        "seat": "blue",
        "kind": "a village",
        "needs": "marble2",
        "gave": 1,
    }
    assert broken_rules(state, put(state, "I5", "bread3 marble1 marble1 tool3", 2, 4)) == set()


def test_placing_cost__nothing_is_built_for_nothing() -> None:
    state = sculptor("bread1 marble1")
    gift = put(state, "I3", "")
    missing = [(b.facts["needs"], b.facts["gave"]) for b in GAME.check(state, gift)]
    assert missing == [("bread1", 0), ("marble1", 0)]


def test_placing_own_tiles__a_tile_of_the_middle_does_not_pay() -> None:
    state = sculptor("bread1 marble1")
    with_the_peoples_marble = put(state, "I3", "bread1 marble3", followers=2)
    assert broken_rules(state, with_the_peoples_marble) == {"placing.own-tiles"}
    facts = {"seat": "blue", "tiles": ("marble3",)}
    assert breach(state, with_the_peoples_marble, "placing.own-tiles").facts == facts
    assert broken_rules(state, put(state, "I3", "bread1 marble1")) == set()


def test_placing_own_tiles__one_tile_is_not_paid_twice() -> None:
    state = sculptor("bread1 marble1 tool1")
    twice = put(state, "G3", "bread1 marble1 tool1 tool1")
    assert breach(state, twice, "placing.own-tiles").facts == {"seat": "blue", "tiles": ("tool1",)}


def test_placing_own_tiles__the_neighbours_tiles_do_not_pay() -> None:
    state = placing(table(first={BLUE: "H3"}), {BLUE: ("bread1", "marble1"), YELLOW: ("tool1",)})
    borrowed = put(state, "H4", "bread1 marble1 tool1")
    assert breach(state, borrowed, "placing.own-tiles").facts == {"seat": "blue", "tiles": ("tool1",)}


def test_placing_own_tiles__only_what_is_not_ones_own_is_named() -> None:
    state = placing(table(first={BLUE: "H3"}), {BLUE: ("bread1", "marble2"), YELLOW: ("marble1",)})
    borrowed = replace(put(state, "I3", "bread1 marble1"), source=YELLOW)
    assert breach(state, borrowed, "placing.own-tiles").facts == {"seat": "blue", "tiles": ("marble1",)}


def test_placing_own_tiles__gold_is_no_good_of_this_game() -> None:
    state = sculptor("bread1 marble1")
    assert broken_rules(state, put(state, "I3", "bread1 gold1")) == {"placing.own-tiles"}


def test_placing_no_split__the_rest_of_a_tile_is_lost() -> None:
    state = sculptor("bread1 bread1 marble1 marble3 tool1", on="H5")
    state = played(state, put(state, "H6", "bread1 marble3", followers=2))
    on_credit = put(state, "I5", "bread1 marble1 tool1", statues=2)
    assert broken_rules(state, on_credit) == {"placing.cost", "placing.no-split"}
    assert breach(state, on_credit, "placing.no-split").facts == {"seat": "blue", "rest": "marble2"}


def test_placing_no_split__who_overpaid_nothing_is_simply_short() -> None:
    state = sculptor("bread1 bread1 marble1 marble1 tool1", on="H5")
    state = played(state, put(state, "H6", "bread1 marble1"))
    assert broken_rules(state, put(state, "I5", "bread1 marble1 tool1", statues=2)) == {"placing.cost"}


def test_placing_no_split__a_rest_too_small_would_not_have_helped() -> None:
    state = sculptor("bread1 bread1 marble1 marble2 tool1", on="H5")
    state = played(state, put(state, "H6", "bread1 marble2", followers=1))
    for_a_village = put(state, "I5", "bread1 tool1", statues=2)
    assert broken_rules(state, for_a_village) == {"placing.cost"}


def test_placing_no_split__the_rests_of_two_fields_do_not_pay_for_a_third() -> None:
    state = sculptor("bread1 bread1 bread1 marble1 marble2 marble2 tool1", on="H5")
    state = played(state, put(state, "H6", "bread1 marble2", followers=1))
    state = played(state, put(state, "G5", "bread1 marble2", followers=1))
    on_credit = put(state, "G6", "tool1", statues=3)
    assert broken_rules(state, on_credit) == {"placing.cost", "placing.no-split"}
    assert breach(state, on_credit, "placing.no-split").facts == {"seat": "blue", "rest": "marble2"}


def test_placing_no_split__a_fresh_round_knows_no_old_rests() -> None:
    state = sculptor("bread1 marble3")
    state = played(state, put(state, "I3", "bread1 marble3", followers=2))
    state = placing(state, {BLUE: ("bread1", "marble1")})
    assert broken_rules(state, put(state, "I4", "bread1")) == {"placing.cost"}


def test_placing_overpaid__each_good_too_much_is_a_follower_from_the_supply() -> None:
    state = sculptor("bread2 marble2")
    move = put(state, "I3", "bread2 marble2", followers=2)
    after = played(state, move)
    assert (state.followers[BLUE], after.followers[BLUE]) == (15, 17)
    assert (state.supply, after.supply) == (45, 43)
    assert note(state, move, "placing.overpaid").facts == {"seat": "blue", "followers": 2}


def test_placing_overpaid__the_exact_price_brings_no_followers() -> None:
    state = sculptor("bread1 marble1")
    move = put(state, "I3", "bread1 marble1")
    assert "placing.overpaid" not in told_rules(state, move)
    assert played(state, move).followers[BLUE] == 15


@pytest.mark.parametrize("took", [0, 2, 4])
def test_placing_overpaid__three_are_due_and_no_other_number(took: int) -> None:
    state = sculptor("bread2 marble3")
    wrong = put(state, "I3", "bread2 marble3", followers=took)
    assert broken_rules(state, wrong) == {"placing.overpaid"}
    assert breach(state, wrong, "placing.overpaid").facts == {"seat": "blue", "due": 3, "took": took}
    assert broken_rules(state, put(state, "I3", "bread2 marble3", followers=3)) == set()


def test_placing_no_extra_tile__a_tile_the_price_does_not_need_is_refused() -> None:
    state = sculptor("bread1 bread2 marble1")
    generous = put(state, "I3", "bread1 bread2 marble1", followers=2)
    assert broken_rules(state, generous) == {"placing.no-extra-tile"}
    facts = {"seat": "blue", "tile": "bread1"}
    assert breach(state, generous, "placing.no-extra-tile").facts == facts
    assert broken_rules(state, put(state, "I3", "bread2 marble1", followers=1)) == set()


def test_placing_no_extra_tile__a_good_the_field_does_not_ask_for_is_refused() -> None:
    state = sculptor("bread1 marble1 tool1")
    with_a_hammer = put(state, "I3", "bread1 marble1 tool1", followers=1)
    assert broken_rules(state, with_a_hammer) == {"placing.no-extra-tile"}
    facts = {"seat": "blue", "tile": "tool1"}
    assert breach(state, with_a_hammer, "placing.no-extra-tile").facts == facts


def test_placing_no_extra_tile__every_tile_that_is_needed_may_overpay() -> None:
    state = sculptor("bread1 marble1 tool1 tool2 tool2")
    assert broken_rules(state, put(state, "H2", "marble1 tool2 tool2", 3)) == {"placing.cost"}
    state = sculptor("marble2 tool1 tool2 tool2")
    assert broken_rules(state, put(state, "H2", "marble2 tool2 tool2", 3, followers=1)) == set()
    assert "placing.no-extra-tile" in broken_rules(state, put(state, "H2", "marble2 tool1 tool2 tool2", 3, 2))


def test_placing_several_tiles__two_small_tiles_pay_what_a_big_one_would() -> None:
    state = sculptor("bread1 marble1 tool1 tool1 tool2")
    move = put(state, "G3", "bread1 marble1 tool1 tool1")
    assert broken_rules(state, move) == set()
    told = note(state, move, "placing.several-tiles")
    assert told.facts == {"tiles": ("bread1", "marble1", "tool1", "tool1")}


def test_placing_several_tiles__three_tiles_of_one_tool_build_a_castle() -> None:
    state = sculptor("marble1 marble1 tool1 tool1 tool1")
    after = played(state, put(state, "H2", "marble1 marble1 tool1 tool1 tool1", statues=3))
    assert after.standing[field(state, "H2")] == 3
    assert after.castles[BLUE] == ()


def test_placing_several_tiles__one_tile_of_each_good_is_nothing_to_tell() -> None:
    state = sculptor("bread1 marble1 tool2")
    assert "placing.several-tiles" not in told_rules(state, put(state, "G3", "bread1 marble1 tool2"))


def test_placing_anywhere__a_far_meadow_costs_double() -> None:
    state = sculptor("bread2 marble2")
    move = put(state, "D3", "bread2 marble2")
    facts = {"seat": "blue", "field": "D3", "kind": "meadow"}
    assert note(state, move, "placing.anywhere").facts == facts
    after = played(state, move)
    assert (after.owner[move.field], after.standing[move.field], after.castles[BLUE]) == (BLUE, 1, ())


def test_placing_anywhere__the_single_price_is_not_enough_far_away() -> None:
    state = sculptor("bread1 bread1 marble2")
    cheap = put(state, "D3", "bread1 marble2")
    assert broken_rules(state, cheap) == {"placing.anywhere"}
    facts = {"seat": "blue", "kind": "a meadow", "needs": "bread2", "gave": 1}
    assert breach(state, cheap, "placing.anywhere").facts == facts
    assert broken_rules(state, put(state, "D3", "bread1 bread1 marble2")) == set()


def test_placing_anywhere__a_meadow_across_the_corner_is_far_away_too() -> None:
    state = sculptor("bread1 marble1")
    diagonal = put(state, "I4", "bread1 marble1")
    short = [(found.rule, found.facts["needs"]) for found in GAME.check(state, diagonal)]
    assert short == [("placing.anywhere", "bread2"), ("placing.anywhere", "marble2")]


def test_placing_anywhere__overpaying_the_double_price_earns_followers() -> None:
    state = sculptor("bread3 marble3 tool2")
    after = played(state, put(state, "E3", "bread3 marble3 tool2", followers=2))
    assert after.followers[BLUE] == 17


def test_placing_anywhere__beside_ones_own_the_double_price_is_a_tile_too_many() -> None:
    state = sculptor("bread1 bread1 marble1 marble1")
    double = put(state, "I3", "bread1 bread1 marble1 marble1", followers=2)
    assert broken_rules(state, double) == {"placing.no-extra-tile"}


# The examples of the book


def test_example_a_meadow_paid_with_three_marble_and_two_bread_earns_three_followers() -> None:
    state = sculptor("bread2 marble3")
    after = played(state, put(state, "I3", "bread2 marble3", followers=3))
    assert after.followers[BLUE] == 15 + 3
    assert after.supply == 45 - 3


def test_example_one_marble_and_two_bread_tiles_for_a_meadow_are_one_tile_too_many() -> None:
    state = sculptor("bread1 bread1 marble1")
    greedy_for_followers = put(state, "I3", "bread1 bread1 marble1", followers=1)
    assert broken_rules(state, greedy_for_followers) == {"placing.no-extra-tile"}
    facts = {"seat": "blue", "tile": "bread1"}
    assert breach(state, greedy_for_followers, "placing.no-extra-tile").facts == facts


def test_example_three_statues_on_a_castle_cost_two_marble_and_three_tools() -> None:
    state = sculptor("marble2 tool3")
    after = played(state, put(state, "H2", "marble2 tool3", statues=3))
    assert after.standing[field(state, "H2")] == 3
    assert after.placed[BLUE] == 4
    assert after.followers[BLUE] == 15


def test_example_mountain_needs_at_least_one_bread_one_marble_and_two_tools() -> None:
    state = sculptor("bread1 marble1 tool1 tool1")
    assert broken_rules(state, put(state, "G3", "bread1 marble1 tool1 tool1")) == set()
    facts = {"seat": "blue", "kind": "a mountain", "needs": "tool2", "gave": 1}
    assert breach(state, put(state, "G3", "bread1 marble1 tool1"), "placing.cost").facts == facts


def test_example_mountain_payment_a_overpays_five() -> None:
    state = sculptor("bread3 marble3 tool3")
    after = played(state, put(state, "G3", "bread3 marble3 tool3", followers=5))
    assert after.followers[BLUE] == 15 + 5


def test_example_mountain_payment_b_overpays_two() -> None:
    state = sculptor("bread2 marble2 tool1 tool1")
    after = played(state, put(state, "G3", "bread2 marble2 tool1 tool1", followers=2))
    assert after.followers[BLUE] == 15 + 2


def test_example_mountain_payment_c_has_a_tool_tile_too_many() -> None:
    state = sculptor("bread1 marble1 tool1 tool2")
    crossed_out = put(state, "G3", "bread1 marble1 tool1 tool2", followers=1)
    assert broken_rules(state, crossed_out) == {"placing.no-extra-tile"}
    facts = {"seat": "blue", "tile": "tool1"}
    assert breach(state, crossed_out, "placing.no-extra-tile").facts == facts
    assert broken_rules(state, put(state, "G3", "bread1 marble1 tool2")) == set()


def test_example_three_marble_of_one_tile_are_not_split_between_a_meadow_and_a_village() -> None:
    state = sculptor("bread1 bread1 marble3 tool1 marble1 marble1", on="H5")
    state = played(state, put(state, "H6", "bread1 marble3", followers=2))
    with_the_other_two = put(state, "I5", "bread1 tool1", statues=2)
    assert breach(state, with_the_other_two, "placing.no-split").facts == {"seat": "blue", "rest": "marble2"}
    assert broken_rules(state, put(state, "I5", "bread1 marble1 marble1 tool1", statues=2)) == set()


def test_example_a_far_forest_costs_two_marble_two_bread_and_two_tools() -> None:
    state = sculptor("bread2 marble2 tool2 tool1")
    after = played(state, put(state, "E3", "bread2 marble2 tool2"))
    assert (after.owner[field(state, "E3")], after.followers[BLUE]) == (BLUE, 15)
    facts = {"seat": "blue", "kind": "a forest", "needs": "tool2", "gave": 1}
    assert breach(state, put(state, "E3", "bread2 marble2 tool1"), "placing.anywhere").facts == facts


# What can never happen

castles = st.lists(st.sampled_from(TILES), max_size=7).map(lambda tiles: tuple(sorted(tiles)))
costs = st.tuples(*[st.integers(0, 4)] * 3).filter(any)


def pays(tiles: tuple[str, ...], cost: tuple[int, int, int]) -> bool:
    return all(worth(tiles, good) >= need for good, need in zip(("bread", "marble", "tool"), cost, strict=True))


@given(castles, costs)
def test_payments_are_all_that_cover_the_cost_without_a_tile_to_spare(
    castle: tuple[str, ...], cost: tuple[int, int, int]
) -> None:
    by_trying_everything = {
        tiles
        for size in range(len(castle) + 1)
        for tiles in combinations(castle, size)
        if pays(tiles, cost) and not any(pays((*tiles[:i], *tiles[i + 1 :]), cost) for i in range(size))
    }
    offered = payments(castle, cost)
    assert {tiles for tiles, _ in offered} == by_trying_everything
    assert len(offered) == len(by_trying_everything)
    assert all(over == sum(int(tile[-1]) for tile in tiles) - sum(cost) for tiles, over in offered)


@given(st.tuples(castles, castles))
def test_every_placement_on_offer_is_legal(hands: tuple[tuple[str, ...], tuple[str, ...]]) -> None:
    state = placing(table(first={BLUE: "H3"}), dict(enumerate(hands)))
    offered = list(GAME.moves(state))
    assert len(set(offered)) == len(offered)
    assert [move for move in offered if GAME.check(state, move)] == []
