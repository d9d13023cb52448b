"""Königsphase: the leader's tile, plus and minus points, the new order, and markers back in the right stack."""

from __future__ import annotations

from companion.games.tiletum import GAME
from companion.games.tiletum.moves import DropFavour, ScoreCrown, SetOrder, TakeFavour
from companion.games.tiletum.rulebook.kings_track import ranking
from companion.games.tiletum.state import State

from .table import (
    GREEN,
    ORANGE,
    PURPLE,
    RED,
    breach,
    broken_rules,
    note,
    notes,
    on_track,
    played,
    replace,
    table,
    told_rules,
    with_warehouse,
)


def king(*fields: int, stacked: tuple[int, ...] = (), **options: object) -> State:
    """The turns of a round are over."""
    return on_track(table(facts={"phase": "favour"}, **options), *fields, stacked=stacked)


def scoring(*fields: int, stacked: tuple[int, ...] = (), **facts: object) -> State:
    return replace(king(*fields, stacked=stacked), phase="king", **facts)


def test_king_favour__the_leader_takes_the_tile() -> None:
    state = king(3, 7, 0, 0)
    assert GAME.actor(state) == GREEN
    assert note(state, TakeFavour(GREEN), "king.favour").facts == {"seat": "green", "tile": "any2"}
    after = played(state, TakeFavour(GREEN))
    assert (after.warehouse[GREEN], after.favours, after.phase) == (("any2",), ("",), "king")
    assert breach(state, TakeFavour(GREEN, 2), "king.favour").facts == {"seat": "green"}


def test_king_favour__with_three_tiles_the_leader_chooses_one() -> None:
    state = king(3, 7, 0, 0, favours="three")
    after = played(state, TakeFavour(GREEN, 2))
    assert (after.warehouse[GREEN], after.favours) == (("recolour",), ("any2", "again", ""))


def test_king_leader__nobody_else_gets_it() -> None:
    facts = {"seat": "red", "leader": "green"}
    assert breach(king(3, 7, 0, 0), TakeFavour(RED), "king.leader").facts == facts


def test_king_discard__the_tile_may_be_put_away() -> None:
    state = king(3, 7, 0, 0)
    assert note(state, DropFavour(GREEN), "king.discard").facts == {"seat": "green", "tile": "any2"}
    after = played(state, DropFavour(GREEN))
    assert (after.warehouse[GREEN], after.discards) == ((), ("any2",))


def test_king_discard__with_a_full_warehouse_nothing_else_is_left() -> None:
    state = with_warehouse(king(3, 7, 0, 0), GREEN, "again", "any2", "points3", "recolour")
    assert broken_rules(state, TakeFavour(GREEN)) == {"warehouse.room"}
    assert list(GAME.moves(state)) == [DropFavour(GREEN)]


def test_king_tie__the_lower_marker_is_ahead() -> None:
    state = king(7, 7, 0, 7, stacked=(PURPLE, GREEN, RED, ORANGE))
    assert ranking(state) == (PURPLE, GREEN, RED, ORANGE)
    assert note(state, TakeFavour(PURPLE), "king.tie").facts == {"seat": "purple", "field": 7}
    assert "king.tie" not in told_rules(king(7, 6, 0, 0), TakeFavour(RED))


def test_king_last_round__four_points_instead_of_the_tile() -> None:
    state = scoring(0, 5, 0, 0, round=3, points=(10, 10, 10, 10))
    assert note(state, ScoreCrown(), "king.last-round").facts == {"seat": "green", "points": 4}
    assert played(state, ScoreCrown()).points == (10, 16, 10, 10)
    assert "king.last-round" not in told_rules(replace(state, round=2), ScoreCrown())


def test_king_plus__points_by_the_field() -> None:
    state = scoring(15, 5, 1, 0)
    assert notes(state, ScoreCrown(), "king.plus") == [
        {"seat": "red", "field": 15, "points": 10},
        {"seat": "green", "field": 5, "points": 2},
    ]
    assert played(state, ScoreCrown()).points == (10, 2, 0, 0)


def test_king_minus__points_are_lost_on_the_left() -> None:
    state = scoring(-4, -1, 0, 0, points=(10, 10, 10, 10))
    assert notes(state, ScoreCrown(), "king.minus")[0] == {"seat": "red", "field": -4, "points": 6}
    assert played(state, ScoreCrown()).points == (4, 9, 10, 10)


def test_king_below_zero__nobody_has_less_than_nothing() -> None:
    state = scoring(-4, 0, 0, 0, points=(2, 0, 0, 0))
    assert note(state, ScoreCrown(), "king.below-zero").facts == {"seat": "red"}
    assert played(state, ScoreCrown()).points == (0, 0, 0, 0)


def test_king_below_zero__but_by_a_house_rule() -> None:
    state = replace(on_track(table(below_zero=True), -4, 0, 0, 0), phase="king")
    assert played(state, ScoreCrown()).points == (-6, 0, 0, 0)
    assert GAME.view(played(state, ScoreCrown())).zones["points"].field["red"] == 94  # type: ignore[union-attr]


def test_king_order__by_the_track_and_its_stacks() -> None:
    state = replace(scoring(2, 9, 2, -1, stacked=(ORANGE, RED, GREEN, PURPLE)), phase="order")
    assert note(state, SetOrder(), "king.order").facts == {"seats": ("green", "orange", "red", "purple")}
    after = played(state, SetOrder())
    assert (after.order, after.phase) == ((GREEN, ORANGE, RED, PURPLE), "fair")


def test_king_reset__from_right_to_left_so_the_last_lies_on_top() -> None:
    state = replace(scoring(-3, 0, -1, -2, stacked=(RED, PURPLE, ORANGE, GREEN)), phase="order")
    assert [facts["seat"] for facts in notes(state, SetOrder(), "king.reset")] == ["orange", "purple", "red"]
    after = played(state, SetOrder())
    assert after.crown == (0, 0, 0, 0)
    assert after.stacked == (GREEN, ORANGE, PURPLE, RED)


def test_king_reset__two_who_leave_one_field_together_keep_their_order() -> None:
    state = replace(scoring(-2, -2, 3, 0, stacked=(GREEN, RED, ORANGE, PURPLE)), phase="order")
    assert played(state, SetOrder()).stacked == (ORANGE, PURPLE, GREEN, RED)


def test_king_order__what_moves_no_piece_happens_by_itself() -> None:
    state = on_track(table(facts={"phase": "favour"}), 0, 0, 0, 0)
    after = played(state, DropFavour(RED))
    assert (after.points, after.order) == (state.points, state.order)
    assert after.phase == "fair"
    assert "king.order" in told_rules(state, DropFavour(RED))
