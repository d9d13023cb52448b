"""Each game's layout has a place for everything that the table should show, and nothing on top of anything else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import Any

import pytest

from companion import games
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, Pointing
from vision import layout as layouts
from vision.layout import Box, Dial, Layout, Zone, boxes

from .samples import Sample
from .test_every_game import SAMPLES

every_game = pytest.mark.parametrize("sample", SAMPLES, ids=games.NAMES)
for_all_players = pytest.mark.parametrize("players", [2, 3, 4])
SEEDS = 24
MARKED = 1.36
"""So many sides of a marker are printed, its margin with it."""


def layout_of(sample: Sample) -> Layout:
    return layouts.load(sample.game.box_file.with_name("layout.toml"))


@cache
def tables(name: str, players: int) -> tuple[Any, ...]:
    """States of games with the box as shipped, for which the layout is."""
    sample = next(one for one in SAMPLES if one.game.name == name)
    box = sample.game.load_box()
    whole = [game for game in map(sample.whole_game, range(SEEDS)) if game[0].box == box]
    return tuple(state for game in whole if len(game[0].seats) == players for state in game[::2])


def shown(sample: Sample, players: int) -> Iterator[tuple[str, Contents]]:
    for state in tables(sample.game.name, players):
        yield from sample.game.view(state).zones.items()


@every_game
@for_all_players
def test_the_layout_has_the_zones_of_the_view(sample: Sample, players: int) -> None:
    named = {name for name, _ in shown(sample, players)}
    unplayed = sample.game.load_box().colours[players:]
    assert named == {name for name in layout_of(sample).zones if name.rpartition(" ")[2] not in unplayed}


@every_game
@for_all_players
def test_every_zone_can_hold_what_should_be_there(sample: Sample, players: int) -> None:
    layout = layout_of(sample)
    for name, contents in shown(sample, players):
        zone = layout.zones[name]
        match contents:
            case Cells(at=at):
                assert zone.kind in ("grid", "slots")
                assert at.keys() <= zone.places().keys(), name  # type: ignore[union-attr]
                there = {one.split(" x")[0] for label in at.values() if label for one in label.split(" + ")}
                assert there - {UNKNOWN} <= labels(layout, zone), name
            case Pieces(count=count):
                assert zone.kind in ("tray", "pool", "dice")
                assert count.keys() <= counted(layout, zone), name
            case Marks(field=field):
                assert zone.kind == "track"
                assert {str(number) for number in field.values()} <= zone.places().keys(), name  # type: ignore[union-attr]
                assert field.keys() <= labels(layout, zone), name
            case Pointing(value=value):
                assert isinstance(zone, Dial)
                assert value in {None, *(sector.value for sector in zone.sectors)}, name


def labels(layout: Layout, zone: Zone) -> set[str]:
    return set(zone.labels or layout.pieces[zone.holds].labels)


def counted(layout: Layout, zone: Zone) -> set[str]:
    """What a zone of loose pieces may be said to hold; tokens of different worth count as one kind."""
    worth = layout.pieces[zone.holds].worth if zone.kind == "pool" else {}
    return {label.rstrip("0123456789") if label in worth else label for label in labels(layout, zone)}


@every_game
def test_no_two_places_overlap__but_what_stands_on_a_field_has_its_place(sample: Sample) -> None:
    places = [(name, box) for name, zone in layout_of(sample).zones.items() for box in boxes(zone)]
    for (name, one), (other, another) in combinations(places, 2):
        assert one == another or not overlap(one, another), (name, other)


@every_game
def test_no_place_lies_under_a_marker(sample: Sample) -> None:
    layout = layout_of(sample)
    assert layout.markers is not None
    sides = layout.markers.side * MARKED
    for centre in layout.markers.at.values():
        for name, zone in layout.zones.items():
            assert not any(overlap(Box(centre, (sides, sides)), box) for box in boxes(zone)), name


@every_game
def test_everything_lies_on_the_table(sample: Sample) -> None:
    layout = layout_of(sample)
    for name, zone in layout.zones.items():
        for x, y in (corner for box in boxes(zone) for corner in box.corners()):
            assert 0 <= x <= layout.area.width, name
            assert 0 <= y <= layout.area.height, name


def overlap(one: Box, other: Box) -> bool:
    """Boxes of these layouts are not turned."""
    return all(
        abs(one.centre[axis] - other.centre[axis]) < (one.size[axis] + other.size[axis]) / 2 - 0.01 for axis in (0, 1)
    )


@every_game
@for_all_players
def test_there_is_room_for_all_loose_pieces_side_by_side(sample: Sample, players: int) -> None:
    """With half as much space again about each, in the fullest moment of a game."""
    layout = layout_of(sample)
    for name, contents in shown(sample, players):
        if isinstance(contents, Pieces):
            zone = layout.zones[name]
            piece, (wide, tall) = layout.pieces[zone.holds], zone.area().size
            worth = piece.worth if zone.kind == "pool" else {}
            number = sum(contents.count.values()) / (max(worth.values()) / 2 if worth else 1)
            assert number * piece.size[0] * piece.size[1] <= 0.66 * wide * tall, (name, contents)
