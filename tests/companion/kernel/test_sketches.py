"""Drawn maps and tracks become facts of a box and back again; invalid drawings are refused."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as some

from companion.kernel.forms import CannotLearn, Form, Number, YesNo
from companion.kernel.sketches import (
    Graph,
    NotDrawn,
    Sketch,
    Track,
    drawn,
    empty,
    facts_of,
    missing,
)

MAP = Graph(
    "map",
    nodes="towns",
    edges="roads",
    at="at",
    form=Form("town", {"size": Number(5, least=1), "port": YesNo()}),
    home="Home",
    lists={"port": "ports"},
)
TRACK = Track("track", "points", last=3, first="lowest", lowest=-2, least=-5, most=9)
ROW = Track("row", "prices", last=3)
ISLAND: dict[str, Any] = {
    "nodes": {
        "Home": {"at": [0, 500], "answers": {"size": 2, "port": True}},
        "Old Mill": {"at": [1000, 20], "answers": {"size": 1, "port": False}},
    },
    "edges": [["Old Mill", "Home"]],
}


def lacks(sketch: Sketch, value: Any) -> list[str]:
    return [lack.key for lack in missing(sketch, facts_of(sketch, value))]


def test_a_map_becomes_facts_and_these_the_same_map_again() -> None:
    facts = facts_of(MAP, ISLAND)
    assert facts == {
        "towns": {"Home": {"size": 2}, "Old Mill": {"size": 1}},
        "roads": [["Home", "Old Mill"]],
        "at": {"Home": [0, 500], "Old Mill": [1000, 20]},
        "ports": ["Home"],
    }
    again = drawn(MAP, facts)
    assert facts_of(MAP, again) == facts
    assert lacks(MAP, again) == []


def test_a_road_is_the_same_in_both_directions() -> None:
    both = {**ISLAND, "edges": [["Old Mill", "Home"], ["Home", "Old Mill"]]}
    assert facts_of(MAP, both)["roads"] == [["Home", "Old Mill"]]


def test_a_map_needs_its_home_and_a_way_to_every_place() -> None:
    assert lacks(MAP, empty(MAP)) == ["home"]
    assert lacks(MAP, {**ISLAND, "edges": []}) == ["alone"]


@pytest.mark.parametrize("track", [TRACK, ROW])
def test_a_track_needs_a_value_on_every_field(track: Track) -> None:
    nothing = empty(track)
    assert lacks(track, nothing) == ["fields"]
    assert lacks(track, {**nothing, "values": [7] * len(nothing["values"])}) == []


def test_a_track_may_begin_further_left() -> None:
    facts = facts_of(TRACK, {"first": -1, "values": [-3, 0, 1, None, 9]})
    assert facts == {"lowest": -1, "points": [-3, 0, 1, None, 9]}
    assert drawn(TRACK, facts) == {"first": -1, "values": [-3, 0, 1, None, 9]}


@pytest.mark.parametrize(
    ("sketch", "value"),
    [
        (MAP, {"nodes": {"Home": {"at": [0, 1001]}}}),
        (MAP, {"nodes": {"Home": {"at": [0]}}}),
        (MAP, {"nodes": {" Home ": {"at": [0, 1]}}}),
        (MAP, {"nodes": {"": {"at": [0, 1]}}}),
        (MAP, {"nodes": {"x" * 25: {"at": [0, 1]}}}),
        (MAP, {"nodes": {f"n{n}": {"at": [0, 1]} for n in range(61)}}),
        (MAP, {**ISLAND, "edges": [["Home", "Home"]]}),
        (MAP, {**ISLAND, "edges": [["Home", "Atlantis"]]}),
        (MAP, {**ISLAND, "edges": [["Home"]]}),
        (MAP, {**ISLAND, "dragons": 1}),
        (TRACK, {"first": -3, "values": [0] * 7}),
        (TRACK, {"first": 0, "values": [0] * 3}),
        (TRACK, {"first": 0, "values": [0, 0, 0, 10]}),
        (ROW, {"first": 0, "values": [0] * 4}),
    ],
)
def test_what_no_page_of_ours_sends_is_no_drawing(sketch: Sketch, value: Any) -> None:
    with pytest.raises(NotDrawn):
        facts_of(sketch, value)


def test_what_was_said_of_a_place_is_checked_like_any_form() -> None:
    with pytest.raises(CannotLearn, match="number size"):
        facts_of(MAP, {"nodes": {"Home": {"at": [0, 0], "answers": {"size": 9}}}})


json = some.recursive(
    some.none() | some.booleans() | some.integers(-9, 1100) | some.text(max_size=4),
    lambda inner: (
        some.lists(inner, max_size=4)
        | some.dictionaries(some.sampled_from(["nodes", "edges", "at", "answers", "first", "values", "Home"]), inner)
    ),
    max_leaves=12,
)


@given(some.sampled_from([MAP, TRACK, ROW]), json)
def test_rubbish_is_refused_and_nothing_falls_over(sketch: Sketch, value: Any) -> None:
    try:
        facts = facts_of(sketch, value)
    except (NotDrawn, CannotLearn):
        return
    assert facts.keys() == set(sketch.facts)
    list(missing(sketch, facts))
