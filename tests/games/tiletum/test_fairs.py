"""Messephase and Aufräumphase: who takes part, what the eleven tiles count, and the table ready for the next round."""

from __future__ import annotations

from typing import Any

import pytest

from companion.games.tiletum import GAME
from companion.games.tiletum.moves import HoldFair, PutTile, ScoreCrown, SetOrder, TidyUp
from companion.games.tiletum.state import HIDDEN, State, section_for
from companion.kernel.rules import changed
from companion.referee import Referee

from .table import (
    BOX,
    GREEN,
    JOKER,
    RED,
    acting,
    breach,
    broken_rules,
    city,
    note,
    notes,
    on_track,
    played,
    ready,
    replace,
    rolled,
    table,
    told_rules,
    with_crests,
    with_figures,
    with_fulfilled,
    with_house,
    with_pillars,
    with_rooms,
)


def at_fair(state: State, fair: str, round_: int = 0) -> State:
    return replace(state, phase="fair", round=round_, fairs=changed(state.fairs, round_, fair))


def rich() -> State:
    """Red has three houses, two pillars, two contracts, three crests, one cathedral and a finished building."""
    state = with_house(with_house(table(), RED, "Paris"), RED, "London")
    state = with_pillars(state, RED, "Paris", "Köln")
    state = with_fulfilled(state, RED, "wool3", "iron3")
    state = with_crests(state, RED, 1, 3, 4)
    state = with_rooms(state, RED, 1, "abbot crown2", "banker contract2")
    state = with_rooms(state, RED, 0, "captain merchantstep2")
    state = replace(state, joined=changed(state.joined, city("Paris"), (RED,)))
    return on_track(state, 5, 0, 0, 0)


@pytest.mark.parametrize(
    ("fair", "points"),
    [
        ("houses", 6),
        ("pillars", 4),
        ("houses_pillars", 12),
        ("contracts", 6),
        ("crests", 9),
        ("crests_contracts", 12),
        ("cathedrals", 4),
        ("contracts_cathedrals", 5),
        ("buildings", 5),
        ("upper_floors", 3),
        ("crown", 5),
    ],
)
def test_fair_points__what_each_of_the_eleven_tiles_counts(fair: str, points: int) -> None:
    state = at_fair(rich(), fair)
    assert note(state, HoldFair(), "fair.points").facts == {"seat": "red", "fair": f"fair {fair}", "points": points}
    assert played(state, HoldFair()).points[RED] == points
    assert {fair} <= set(BOX.fairs)


def after_the_track(**options: Any) -> State:
    """Red has lost 6 points on the last field of the king's track, and the fair tile of the track is next."""
    state = replace(at_fair(on_track(table(**options), -4, 0, 0, 0), "crown"), phase="king", points=(19, 0, 0, 0))
    after = played(state, ScoreCrown())
    assert after.points == (13, 0, 0, 0)
    return played(after, SetOrder())


def test_fair_points__the_tile_of_the_track_counts_the_field_before_the_reset_and_may_cost_points() -> None:
    state = after_the_track()
    assert state.crown == (0, 0, 0, 0)
    assert note(state, HoldFair(), "fair.points").facts == {"seat": "red", "fair": "fair crown", "points": 3 - 6}
    after = played(state, HoldFair())
    assert (after.points, after.stood) == ((10, 3, 3, 3), ())


def test_fair_points__by_a_house_rule_markers_below_the_start_are_back_on_it_by_then() -> None:
    assert played(after_the_track(fair_crown="after_reset"), HoldFair()).points == (16, 3, 3, 3)


def test_fair_crown__whose_marker_went_back_is_told_from_which_field() -> None:
    state = after_the_track()
    assert notes(state, HoldFair(), "fair.crown") == [{"seat": "red", "field": -4}]
    assert "fair.crown" not in told_rules(after_the_track(fair_crown="after_reset"), HoldFair())


def test_fair_points__a_building_full_of_guests_counts_with_or_without_its_crest() -> None:
    """Two buildings of red are full, one of them has its crest."""
    for reading, points in (("full", 10), ("with_crest", 5)):
        state = with_crests(
            with_rooms(table(fair_buildings=reading), RED, 1, "abbot crown2", "banker contract2"), RED, 1
        )
        state = with_rooms(state, RED, 3, "captain points3")
        assert played(at_fair(state, "buildings"), HoldFair()).points[RED] == points


def test_fair_points__guests_on_upper_floors_count_in_unfinished_buildings_too() -> None:
    state = with_rooms(table(), RED, 0, "abbot crown2", "banker contract2")
    assert played(at_fair(state, "upper_floors"), HoldFair()).points[RED] == 3


def test_fair_present__with_a_house_or_the_merchant() -> None:
    state = with_figures(with_house(table(), RED, "Paris"), GREEN, merchant="Paris")
    state = at_fair(state, "houses", 1)
    assert notes(state, HoldFair(), "fair.present") == [
        {"seat": "red", "city": "Paris"},
        {"seat": "green", "city": "Paris"},
    ]
    assert played(state, HoldFair()).points == (4, 2, 0, 0)


def test_fair_absent__an_architect_is_not_enough() -> None:
    state = at_fair(with_figures(table(), RED, architect="Paris"), "houses", 1)
    assert {"seat": "red", "city": "Paris"} in notes(state, HoldFair(), "fair.absent")
    assert played(state, HoldFair()).points == (0, 0, 0, 0)


def test_tidy_dice__all_go_into_the_bag() -> None:
    state = replace(acting(JOKER, 0), phase="tidying")
    assert note(state, TidyUp(), "tidy.dice").facts == {"dice": 15}
    after = played(state, TidyUp())
    assert (after.wheel, after.dice, after.round) == ((), ((), (), (), ()), 1)


def test_tidy_corruption__three_are_laid_face_down_anew() -> None:
    state = table(facts={"phase": "tidying", "corruption": (1, 2, 0)})
    assert note(state, TidyUp(), "tidy.corruption").facts == {"markers": 3}
    assert played(state, TidyUp()).corruption == (HIDDEN, HIDDEN, HIDDEN)


def test_tidy_wheel__one_section_clockwise() -> None:
    state = table(facts={"phase": "tidying"})
    assert "tidy.wheel" in told_rules(state, TidyUp())
    after = played(state, TidyUp())
    assert [section_for(state, value) for value in range(1, 7)] == [0, 1, 2, 3, 4, 5]
    assert [section_for(after, value) for value in range(1, 7)] == [1, 2, 3, 4, 5, 0]


def test_tidy_replace__missing_tiles_of_wheel_and_track() -> None:
    lying = changed(table().section_tiles, JOKER, "")
    state = table(facts={"phase": "tidying", "section_tiles": lying, "favours": ("",)})
    after = played(state, TidyUp())
    assert after.phase == "refilling"
    assert note(after, PutTile("joker", "again"), "tidy.replace").facts == {"where": "joker", "tile": "again"}
    assert broken_rules(after, PutTile("crown", "again")) == {"setup.tile-place"}
    done = played(after, PutTile("joker", "again"), PutTile("favour 1", "recolour"))
    assert (done.phase, done.section_tiles[0], done.favours) == ("rolling", "architect2", ("recolour",))


def test_tidy_replace__before_the_dice_go_into_the_bag_or_after_that() -> None:
    lying = changed(table().section_tiles, JOKER, "")
    state = table(facts={"phase": "tidying", "section_tiles": lying, "favours": ("",)})
    tiles = PutTile("joker", "again"), PutTile("favour 1", "recolour")
    assert note(state, tiles[0], "tidy.replace").facts == {"where": "joker", "tile": "again"}
    assert played(state, *tiles).phase == "tidying"
    done = played(state, TidyUp(), *tiles)
    assert played(state, *tiles, TidyUp()) == played(state, tiles[0], TidyUp(), tiles[1]) == done


def test_tidy_replace__tiles_of_cities_are_not_replaced() -> None:
    state = table(facts={"phase": "tidying", "city_tiles": ("",) * len(table().city_tiles)})
    assert broken_rules(state, PutTile("Praha", "again")) == {"setup.tile-place"}
    assert played(state, TidyUp()).phase == "rolling"


def test_tidy_replace__for_the_last_round_the_track_needs_none() -> None:
    state = table(facts={"phase": "tidying", "round": 2, "turned": 2, "favours": ("",)})
    assert played(state, TidyUp()).phase == "rolling"


@pytest.mark.parametrize("tidied", [False, True])
def test_tidy_replace__for_the_last_round_the_track_may_have_one(tidied: bool) -> None:
    state = table(facts={"phase": "tidying", "round": 2, "turned": 2, "favours": ("",)})
    state = played(state, TidyUp()) if tidied else state
    assert PutTile("favour 1", "again") in GAME.moves(state)
    laid = played(state, PutTile("favour 1", "again"))
    assert laid.favours == ("again",)
    (explained,) = Referee(GAME).judge(state, GAME.view(laid)).moves  # type: ignore[union-attr]
    assert explained == PutTile("favour 1", "again")


def test_tidy_reshuffle__when_the_stack_is_empty() -> None:
    state = table(facts={"phase": "refilling", "round": 1, "section_tiles": ("",) * 6})
    everything = [tile for tile, kind in BOX.tiles.items() for _ in range(kind.number[2])]
    for tile in (*state.city_tiles, *state.favours):
        if tile:
            everything.remove(tile)
    state = replace(state, discards=tuple(sorted(everything)))
    assert note(state, PutTile("joker", "again"), "tidy.reshuffle").facts == {"tiles": len(everything)}
    assert played(state, PutTile("joker", "again")).discards == ()


def test_the_next_round_is_rolled_in_turned_sections() -> None:
    state = rolled(replace(ready(), turned=1, round=1))
    assert state.phase == "turn"
    assert breach(state, TidyUp(), "turn.phases").facts == {"act": "TidyUp", "now": "turn"}
