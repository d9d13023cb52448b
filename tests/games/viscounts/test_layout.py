"""The layout has a place for everything that the table should show, and nothing on top of anything else."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import pytest

from companion.games.viscounts import GAME
from companion.messages import UNKNOWN, Cells, Contents, Marks, Pieces
from vision import layout as layouts
from vision.layout import Box, Zone, boxes

from .playing import whole_game
from .table import BOX

LAYOUT = layouts.load(GAME.box_file.with_name("layout.toml"))


def shown(players: int) -> Iterator[tuple[str, Contents]]:
    for seed in range(24):
        game = whole_game(seed)
        if game[0].players == players:
            for state in game[::3]:
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
                assert at.keys() <= zone.places().keys(), name  # type: ignore[union-attr]
                assert {label for label in at.values() if label not in (None, UNKNOWN)} <= labels(zone), name
            case Pieces(count=count):
                assert zone.kind in ("tray", "pool")
                assert count.keys() <= labels(zone), name
            case Marks(field=field):
                assert zone.kind == "track"
                assert {str(number) for number in field.values()} <= zone.places().keys(), name  # type: ignore[union-attr]
                assert field.keys() <= labels(zone), name
            case _:
                raise AssertionError(name)


def labels(zone: Zone) -> set[str]:
    return set(zone.labels or LAYOUT.pieces[zone.holds].labels)


def overlap(one: Box, other: Box) -> bool:
    """Boxes of this layout are not turned."""
    apart = [abs(a - b) for a, b in zip(one.centre, other.centre, strict=True)]
    room = [(a + b) / 2 for a, b in zip(one.size, other.size, strict=True)]
    return all(distance < least - 1e-6 for distance, least in zip(apart, room, strict=True))


def test_no_two_places_overlap() -> None:
    places = [(name, box) for name, zone in LAYOUT.zones.items() for box in boxes(zone)]
    for (name, one), (other, another) in combinations(places, 2):
        assert not overlap(one, another), (name, other)


def test_no_place_lies_under_a_marker_and_all_lie_on_the_table() -> None:
    assert LAYOUT.markers is not None
    side = LAYOUT.markers.side * 1.36
    for name, zone in LAYOUT.zones.items():
        for box in boxes(zone):
            assert not any(overlap(Box(centre, (side, side)), box) for centre in LAYOUT.markers.at.values()), name
            for x, y in box.corners():
                assert 0 <= x <= LAYOUT.area.width, name
                assert 0 <= y <= LAYOUT.area.height, name
