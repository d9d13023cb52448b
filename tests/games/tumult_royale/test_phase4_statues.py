"""Phase 4, placing statues: on which fields statues may stand, and how many."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.tumult_royale.moves import Place
from companion.games.tumult_royale.state import State

from .statue_table import put, sculptor
from .table import (
    BLUE,
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


def test_placing_free_field__two_colours_never_share_a_field() -> None:
    state = placing(table(first={BLUE: "H3", YELLOW: "I3"}), {BLUE: ("bread1", "marble1", "tool1")})
    taken = put(state, "I3", "bread1 marble1")
    assert breach(state, taken, "placing.free-field").facts == {"seat": "blue", "field": "I3", "owner": "yellow"}
    assert broken_rules(state, put(state, "H4", "bread1 marble1 tool1")) == set()


def test_placing_free_field__a_taken_field_beside_ones_own_does_not_cost_double() -> None:
    state = placing(table(first={BLUE: "H3", YELLOW: "I3"}), {BLUE: ("bread1", "marble1", "tool1")})
    assert broken_rules(state, put(state, "I3", "bread1 marble1")) == {"placing.free-field"}


def test_placing_free_field__no_seat_builds_twice_on_its_own_field() -> None:
    state = sculptor("bread1 bread2 marble1 marble2")
    state = played(state, put(state, "I3", "bread1 marble1"))
    again = put(state, "I3", "bread2 marble2", followers=2)
    assert breach(state, again, "placing.free-field").facts == {"seat": "blue", "field": "I3", "owner": "blue"}
    assert broken_rules(state, put(state, "I4", "bread2 marble2", followers=2)) == set()


def test_placing_free_field__the_field_belongs_to_the_builder_afterwards() -> None:
    state = sculptor("bread1 marble1")
    move = put(state, "I3", "bread1 marble1")
    after = played(state, move)
    assert (state.owner[move.field], after.owner[move.field]) == (-1, BLUE)
    assert note(state, move, "placing.free-field").facts == {"field": "I3"}


def test_placing_face_up__a_hidden_board_carries_no_statue() -> None:
    state = sculptor("bread1 marble1", on="D3")
    hidden = put(state, "C3", "bread1 marble1")
    assert broken_rules(state, hidden) == {"placing.face-up"}
    assert breach(state, hidden, "placing.face-up").facts == {"seat": "blue", "field": "C3"}
    assert broken_rules(state, put(state, "D4", "bread1 marble1")) == set()


@pytest.mark.parametrize("beyond", [-1, 72])
def test_placing_face_up__there_is_no_field_beyond_the_frame(beyond: int) -> None:
    state = sculptor("bread1 marble1")
    assert broken_rules(state, Place(BLUE, beyond, ("bread1", "marble1"), 1, 0)) == {"placing.face-up"}


@pytest.mark.parametrize(
    ("where", "tiles", "statues"),
    [("H2", "marble2 tool3", 3), ("G3", "bread1 marble1 tool2", 1), ("I3", "bread1 marble1", 1)],
    ids=["above", "to the left", "to the right"],
)
def test_placing_adjacent__a_field_along_an_edge_is_reached(where: str, tiles: str, statues: int) -> None:
    state = sculptor("bread1 marble1 marble2 tool2 tool3")
    move = put(state, where, tiles, statues)
    assert note(state, move, "placing.adjacent").facts["field"] == where
    assert "placing.anywhere" not in told_rules(state, move)


def test_placing_adjacent__boards_meet_along_their_edges() -> None:
    state = sculptor("bread1 marble1 tool1")
    below_on_the_next_board = put(state, "H4", "bread1 marble1 tool1")
    facts = {"seat": "blue", "field": "H4", "kind": "forest"}
    assert note(state, below_on_the_next_board, "placing.adjacent").facts == facts


def test_placing_adjacent__a_corner_does_not_touch() -> None:
    state = sculptor("bread1 marble1 tool2")
    diagonal = put(state, "G4", "bread1 marble1 tool2")
    assert broken_rules(state, diagonal) == {"placing.adjacent", "placing.anywhere-kinds"}
    assert breach(state, diagonal, "placing.adjacent").facts == {"field": "G4", "seat": "blue"}
    assert broken_rules(state, put(state, "G3", "bread1 marble1 tool2")) == set()


def test_placing_adjacent__the_end_of_a_row_does_not_touch_the_start_of_the_next() -> None:
    state = placing(table(players=3, first={BLUE: "I5"}), {BLUE: ("bread1", "marble1", "tool2")})
    assert state.land[field(state, "A6")] == "mountain"
    around_the_edge = put(state, "A6", "bread1 marble1 tool2")
    assert broken_rules(state, around_the_edge) == {"placing.adjacent", "placing.anywhere-kinds"}


def test_placing_adjacent__a_statue_of_another_seat_opens_no_way() -> None:
    state = placing(table(first={BLUE: "D3", YELLOW: "H3"}), {BLUE: ("marble2", "tool3", "bread1")})
    castle_beside_yellow = put(state, "H2", "marble2 tool3", statues=3)
    assert breach(state, castle_beside_yellow, "placing.adjacent").facts == {"field": "H2", "seat": "blue"}


def test_placing_adjacent__a_statue_just_placed_opens_the_way_further() -> None:
    state = sculptor("bread1 bread1 marble1 marble1")
    state = played(state, put(state, "I3", "bread1 marble1"))
    assert "placing.adjacent" in told_rules(state, put(state, "I4", "bread1 marble1"))


@pytest.mark.parametrize(
    ("where", "tiles", "statues", "kind"),
    [
        ("I5", "bread1 marble2 tool1", 2, "village"),
        ("G6", "marble2 tool3", 3, "castle"),
        ("D5", "bread1 marble1 tool2", 1, "mountain"),
    ],
)
def test_placing_anywhere_kinds__village_castle_and_mountain_need_a_way(
    where: str, tiles: str, statues: int, kind: str
) -> None:
    state = sculptor("bread1 bread1 marble1 marble2 tool1 tool2 tool3")
    far = put(state, where, tiles, statues)
    assert broken_rules(state, far) == {"placing.adjacent", "placing.anywhere-kinds"}
    assert breach(state, far, "placing.anywhere-kinds").facts == {"field": where, "kind": f"a {kind}"}
    assert breach(state, far, "placing.adjacent").facts == {"field": where, "seat": "blue"}


def test_placing_anywhere_kinds__the_double_price_buys_no_far_mountain() -> None:
    state = sculptor("bread2 marble2 tool1 tool3")
    rich = put(state, "D5", "bread2 marble2 tool1 tool3")
    assert {"placing.adjacent", "placing.anywhere-kinds"} <= broken_rules(state, rich)
    assert broken_rules(state, put(state, "D4", "bread2 marble2")) == set()


@pytest.mark.parametrize(
    ("on", "where", "tiles", "statues"),
    [
        ("H3", "I3", "bread1 marble1", 1),
        ("H3", "H4", "bread1 marble1 tool1", 1),
        ("H3", "G3", "bread1 marble1 tool2", 1),
        ("H5", "I5", "bread1 marble2 tool1", 2),
        ("H3", "H2", "marble2 tool3", 3),
    ],
    ids=["meadow", "forest", "mountain", "village", "castle"],
)
def test_placing_count__each_kind_of_field_takes_its_number(on: str, where: str, tiles: str, statues: int) -> None:
    state = sculptor(tiles, on=on)
    move = put(state, where, tiles, statues)
    after = played(state, move)
    assert after.standing[field(state, where)] == statues
    assert after.placed[BLUE] == 1 + statues
    assert note(state, move, "placing.count").facts["statues"] == statues


@pytest.mark.parametrize(
    ("on", "where", "tiles", "facts"),
    [
        ("H3", "I3", "bread1 marble1", {"seat": "blue", "kind": "a meadow", "needs": 1, "put": 2}),
        ("H3", "I3", "bread1 marble1", {"seat": "blue", "kind": "a meadow", "needs": 1, "put": 0}),
        ("H3", "H4", "bread1 marble1 tool1", {"seat": "blue", "kind": "a forest", "needs": 1, "put": 2}),
        ("H3", "G3", "bread1 marble1 tool2", {"seat": "blue", "kind": "a mountain", "needs": 1, "put": 3}),
        ("H5", "I5", "bread1 marble2 tool1", {"seat": "blue", "kind": "a village", "needs": 2, "put": 1}),
        ("H5", "I5", "bread1 marble2 tool1", {"seat": "blue", "kind": "a village", "needs": 2, "put": 3}),
        ("H3", "H2", "marble2 tool3", {"seat": "blue", "kind": "a castle", "needs": 3, "put": 2}),
        ("H3", "H2", "marble2 tool3", {"seat": "blue", "kind": "a castle", "needs": 3, "put": 4}),
    ],
)
def test_placing_count__not_one_more_and_not_one_less(on: str, where: str, tiles: str, facts: dict[str, Any]) -> None:
    state = sculptor(tiles, on=on)
    wrong = put(state, where, tiles, statues=facts["put"])
    assert broken_rules(state, wrong) == {"placing.count"}
    assert breach(state, wrong, "placing.count").facts == facts


def with_statues_left(left: int, **options: str) -> State:
    """Blue has only so many statues left, and the price of a castle and of a meadow."""
    return sculptor("bread1 marble1 marble2 tool3", facts={"placed": (25 - left, 1, 1, 1)}, **options)


def test_placing_too_few_statues__two_statues_do_not_make_a_castle() -> None:
    state = with_statues_left(2)
    castle = put(state, "H2", "marble2 tool3", statues=3)
    assert broken_rules(state, castle) == {"placing.too-few-statues"}
    facts = {"seat": "blue", "kind": "a castle", "needs": 3, "left": 2}
    assert breach(state, castle, "placing.too-few-statues").facts == facts
    assert broken_rules(with_statues_left(3), castle) == set()


def test_placing_too_few_statues__putting_the_last_two_on_a_castle_is_named_too() -> None:
    state = with_statues_left(2)
    last_two = put(state, "H2", "marble2 tool3", statues=2)
    assert broken_rules(state, last_two) == {"placing.too-few-statues"}


def test_placing_too_few_statues__a_meadow_is_still_open_to_the_last_statue() -> None:
    state = with_statues_left(1)
    assert broken_rules(state, put(state, "I3", "bread1 marble1")) == set()


def test_placing_too_few_statues__the_house_rule_lets_the_last_two_stand_on_a_castle() -> None:
    state = with_statues_left(2, last_statues="what_is_left")
    after = played(state, put(state, "H2", "marble2 tool3", statues=2))
    assert after.standing[field(state, "H2")] == 2
    assert (after.placed[BLUE], after.phase, after.winner) == (25, "over", BLUE)


def test_placing_too_few_statues__the_house_rule_does_not_make_a_castle_cheaper() -> None:
    state = with_statues_left(2, last_statues="what_is_left")
    cheap = put(state, "H2", "marble1 tool3", statues=2)
    assert broken_rules(state, cheap) == {"placing.cost"}
    one_of_two = put(state, "H2", "marble2 tool3", statues=1)
    assert breach(state, one_of_two, "placing.count").facts == {
        "seat": "blue",
        "kind": "a castle",
        "needs": 2,
        "put": 1,
    }


def test_placing_too_few_statues__with_statues_enough_the_house_rule_changes_nothing() -> None:
    state = with_statues_left(4, last_statues="what_is_left")
    assert broken_rules(state, put(state, "H2", "marble2 tool3", statues=2)) == {"placing.count"}
    assert broken_rules(state, put(state, "H2", "marble2 tool3", statues=3)) == set()


def test_placing_front_statue__the_statue_above_the_smallest_number_is_taken() -> None:
    state = sculptor("marble2 tool3", facts={"placed": (7, 1, 1, 1)})
    move = put(state, "H2", "marble2 tool3", statues=3)
    assert note(state, move, "placing.front-statue").facts == {"seat": "blue", "number": 8}
    assert played(state, move).placed == (10, 1, 1, 1)


def test_every_reason_against_a_placement_is_named() -> None:
    state = sculptor("bread1 marble1 tool1")
    hopeless = put(state, "G6", "bread1", statues=1, seat=YELLOW)
    assert broken_rules(state, hopeless) == {
        "placing.order",
        "placing.adjacent",
        "placing.anywhere-kinds",
        "placing.count",
        "placing.own-tiles",
    }
