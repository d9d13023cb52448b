"""What is peculiar to this table: its pieces, its tracks and its map."""

from __future__ import annotations

from math import dist

import pytest

from companion.daemon.table_map import layout_of
from companion.games.tiletum import GAME
from companion.games.tiletum.components import all_guests, board_map, city_names
from vision import layout as layouts
from vision.layout import Dial, boxes

from .table import BOX

LAYOUT = layouts.load(GAME.box_file.with_name("layout.toml"))


def test_every_component_of_the_box_has_its_label() -> None:
    assert set(LAYOUT.pieces["tile"].labels) == {*BOX.tiles, *BOX.contracts, *all_guests(BOX)}
    assert set(LAYOUT.pieces["fair"].labels) == {f"fair {fair}" for fair in BOX.fairs}
    assert set(LAYOUT.pieces["cost"].labels) == {f"cost {cost}" for cost in BOX.costs}
    assert set(LAYOUT.pieces["venue"].labels) == {f"venue {city}" for city in BOX.map.fair_cities}
    assert LAYOUT.pieces["disc"].labels == BOX.colours
    assert len(LAYOUT.pieces["die"].labels) == 30


@pytest.mark.parametrize(
    ("track", "first", "last"), [("crown", BOX.crown.lowest, BOX.crown.last), ("points", 0, BOX.tracks.points)]
)
def test_a_track_has_all_its_fields_and_none_twice(track: str, first: int, last: int) -> None:
    fields = LAYOUT.zones[track].places()  # type: ignore[union-attr]
    assert set(fields) == {str(number) for number in range(first, last + 1)}
    assert len({box.centre for box in fields.values()}) == last - first + 1


def test_the_roads_that_are_drawn_are_those_of_the_map() -> None:
    drawn = {frozenset(end.removeprefix("city ") for end in line) for one in LAYOUT.drawing for line in one.lines}
    names = city_names(BOX)
    there = {
        frozenset((names[city], names[beside]))
        for city, around in enumerate(board_map(BOX).neighbours)
        for beside in around
    }
    assert drawn == there


def test_every_city_has_its_name_beside_it() -> None:
    named = {word: where for one in LAYOUT.drawing for word, where in one.words.items()}
    assert named.keys() == set(city_names(BOX))
    for name in city_names(BOX):
        near = min(city_names(BOX), key=lambda one: dist(LAYOUT.zones[f"city {one}"].area().centre, named[name]))
        assert near == name


def test_the_layout_that_follows_from_the_box_is_the_one_that_we_ship() -> None:
    """Where the cities are those of the stand-in, nothing moves by more than a millimetre."""
    fitted = layout_of(GAME, BOX)
    assert fitted.zones.keys() == LAYOUT.zones.keys()
    assert fitted.pieces == LAYOUT.pieces
    for name, zone in LAYOUT.zones.items():
        for one, other in zip(boxes(zone), boxes(fitted.zones[name]), strict=True):
            assert dist(one.centre, other.centre) < 1, name
            assert one.size == pytest.approx(other.size), name


def test_the_wheel_is_read_the_way_it_turns() -> None:
    """Turned clockwise by one section, the value beside the first action is one less."""
    dial = LAYOUT.zones["dial"]
    assert isinstance(dial, Dial)
    assert [dial.value(60.0 * turns) for turns in range(6)] == [1, 6, 5, 4, 3, 2]
