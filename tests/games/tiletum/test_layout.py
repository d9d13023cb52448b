"""The layout has a place for everything that the table should show, and nothing on top of anything else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations
from math import dist

import pytest

from companion.daemon.layouts import layout_of
from companion.games.tiletum import GAME
from companion.games.tiletum.components import all_guests, city_names, the_map
from companion.games.tiletum.state import State
from companion.messages import UNKNOWN, Cells, Contents, Marks, Pieces, Pointing
from vision import layout as layouts
from vision.layout import Box, Dial, Point, Zone, boxes

from .playing import whole_game
from .table import BOX

LAYOUT = layouts.load(GAME.box_file.with_name("layout.toml"))
SHIPPED = [seed for seed in range(40) if whole_game(seed)[0].box == BOX]
"""Games with the box as shipped, for which the layout is."""


def states(players: int) -> Iterator[State]:
    for seed in SHIPPED:
        if whole_game(seed)[0].players == players:
            yield from whole_game(seed)


def shown(players: int) -> Iterator[tuple[str, Contents]]:
    for state in states(players):
        yield from GAME.view(state).zones.items()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_layout_has_the_zones_of_the_view(players: int) -> None:
    named = {name for name, _ in shown(players)}
    unplayed = BOX.colours[players:]
    assert named == {name for name in LAYOUT.zones if name.rpartition(" ")[2] not in unplayed}


@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_zone_can_hold_what_should_be_there(players: int) -> None:
    for name, contents in shown(players):
        zone = LAYOUT.zones[name]
        match contents:
            case Cells(at=at):
                assert zone.kind in ("grid", "slots")
                assert at.keys() <= zone.places().keys(), name  # type: ignore[union-attr]
                assert {label for label in at.values() if label not in (None, UNKNOWN)} <= labels(zone), name
            case Pieces(count=count):
                assert zone.kind in ("tray", "pool", "dice")
                assert count.keys() <= counted(zone), name
            case Marks(field=field):
                assert zone.kind == "track"
                assert {str(number) for number in field.values()} <= zone.places().keys(), name  # type: ignore[union-attr]
                assert field.keys() <= labels(zone), name
            case Pointing(value=value):
                assert isinstance(zone, Dial)
                assert value in {sector.value for sector in zone.sectors}


def labels(zone: Zone) -> set[str]:
    return set(zone.labels or LAYOUT.pieces[zone.holds].labels)


def counted(zone: Zone) -> set[str]:
    """What a zone of loose pieces may be said to hold; tokens of different worth count as one kind."""
    worth = LAYOUT.pieces[zone.holds].worth if zone.kind == "pool" else {}
    return {label.rstrip("0123456789") if label in worth else label for label in labels(zone)}


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


def test_no_two_places_overlap() -> None:
    places = [(name, box) for name, zone in LAYOUT.zones.items() for box in boxes(zone)]
    for (name, one), (other, another) in combinations(places, 2):
        assert not overlap(one, another), (name, other)


def test_no_place_lies_under_a_marker() -> None:
    assert LAYOUT.markers is not None
    sides = LAYOUT.markers.side * 1.36
    for centre in LAYOUT.markers.at.values():
        for name, zone in LAYOUT.zones.items():
            assert not any(overlap(Box(centre, (sides, sides)), box) for box in boxes(zone)), name


def test_everything_lies_on_the_table() -> None:
    for name, zone in LAYOUT.zones.items():
        for corner in (corner for box in boxes(zone) for corner in box.corners()):
            assert on_the_table(corner), name


def on_the_table(point: Point) -> bool:
    return 0 <= point[0] <= LAYOUT.area.width and 0 <= point[1] <= LAYOUT.area.height


def overlap(one: Box, other: Box) -> bool:
    return all(
        abs(one.centre[axis] - other.centre[axis]) < (one.size[axis] + other.size[axis]) / 2 - 0.01 for axis in (0, 1)
    )


@pytest.mark.parametrize("players", [2, 3, 4])
def test_there_is_room_for_all_loose_pieces_side_by_side(players: int) -> None:
    """With half as much space again about each, in the fullest moment of a game."""
    for name, contents in shown(players):
        if isinstance(contents, Pieces):
            zone = LAYOUT.zones[name]
            piece, (wide, tall) = LAYOUT.pieces[zone.holds], zone.area().size
            worth = piece.worth if zone.kind == "pool" else {}
            number = sum(contents.count.values()) / (max(worth.values()) / 2 if worth else 1)
            assert number * piece.size[0] * piece.size[1] <= 0.66 * wide * tall, (name, contents)


def test_the_roads_that_are_drawn_are_those_of_the_map() -> None:
    drawn = {frozenset(end.removeprefix("city ") for end in line) for one in LAYOUT.drawing for line in one.lines}
    names = city_names(BOX)
    there = {
        frozenset((names[city], names[beside]))
        for city, around in enumerate(the_map(BOX).neighbours)
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
