"""The layout has a place for everything that the table should show, and nothing on top of anything else."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, product
from math import dist
from random import Random

import msgspec
import pytest

from companion.games.council_of_four.box import REGIONS, SIDES, all_permits, card_kinds, letters, the_map
from companion.games.council_of_four.game import CouncilOfFour
from companion.games.council_of_four.state import State
from companion.messages import UNKNOWN, Cells, Contents, Marks, Pieces
from companion.rules import Seat
from vision import layout as layouts
from vision.layout import Box, Point, Zone, boxes

GAME = CouncilOfFour()
BOX = GAME.load_box()
LAYOUT = layouts.load(GAME.box_file.with_name("layout.toml"))
HASTY = ("Build", "TakePermit", "BuildWithKing", "TurnUp")
"""Moves that bring a game forward; without them it goes on for ever."""


@cache
def states(players: int) -> tuple[State, ...]:
    """A whole game by chance."""
    rng = Random(players)
    seats = tuple(Seat(colour) for colour in BOX.colours[:players])
    state = GAME.setup(BOX, seats, {"hills": rng.choice("AB")})
    found = [state]
    while GAME.actor(state) is not None:
        moves = list(GAME.moves(state))
        hasty = [move for move in moves if type(move).__name__ in HASTY]
        state = GAME.play(state, rng.choice(hasty if hasty and rng.random() < 0.7 else moves))
        found.append(state)
    return tuple(found)


def shown(players: int) -> Iterator[tuple[str, Contents]]:
    for state in states(players):
        yield from GAME.view(state).zones.items()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_game_by_chance_comes_through_all_phases(players: int) -> None:
    assert {state.phase for state in states(players)} >= {"laying_out", "turn", "over"}


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
                assert at.keys() == zone.places().keys(), name  # type: ignore[union-attr]
                assert {label for label in at.values() if label not in (None, UNKNOWN)} <= labels(zone), name
            case Pieces(count=count):
                assert zone.kind in ("tray", "pool")
                assert count.keys() <= counted(zone), name
            case Marks(field=field):
                assert zone.kind == "track"
                assert {str(number) for number in field.values()} <= zone.places().keys(), name  # type: ignore[union-attr]
                assert field.keys() <= labels(zone), name


def labels(zone: Zone) -> set[str]:
    return set(zone.labels or LAYOUT.pieces[zone.holds].labels)


def counted(zone: Zone) -> set[str]:
    """What a zone of loose pieces may be said to hold; tokens of different worth count as one kind."""
    worth = LAYOUT.pieces[zone.holds].worth if zone.kind == "pool" else {}
    return {label.rstrip("0123456789") if label in worth else label for label in labels(zone)}


def test_every_component_of_the_box_has_its_label() -> None:
    assert set(LAYOUT.pieces["permit"].labels) == {*(f"permit {permit}" for permit in all_permits(BOX)), "used"}
    assert set(LAYOUT.pieces["token"].labels) == set(BOX.tokens)
    assert LAYOUT.pieces["councillor"].labels == BOX.councillors.colours
    assert LAYOUT.pieces["card"].labels == tuple(f"card {kind}" for kind in card_kinds(BOX))
    assert LAYOUT.pieces["marker"].labels == BOX.colours
    worth = LAYOUT.pieces["assistant"].worth
    assert {str(value) for value in worth.values()} == BOX.assistants.tokens.keys()


@pytest.mark.parametrize(
    ("track", "last"), [("gold", BOX.tracks.gold), ("nobility", BOX.tracks.nobility), ("points", BOX.tracks.points)]
)
def test_a_track_has_all_its_fields_and_none_twice(track: str, last: int) -> None:
    fields = LAYOUT.zones[track].places()  # type: ignore[union-attr]
    assert set(fields) == {str(number) for number in range(last + 1)}
    assert len({box.centre for box in fields.values()}) == last + 1


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


@pytest.mark.parametrize("sides", list(product(SIDES, repeat=3)))
def test_the_roads_that_are_drawn_are_those_of_the_boards(sides: tuple[str, str, str]) -> None:
    table = LAYOUT.chosen(dict(zip(REGIONS, sides, strict=True)))
    drawn = {frozenset(end.removeprefix("city ") for end in line) for one in table.drawing for line in one.lines}
    names = letters(BOX)
    there = {
        frozenset((names[city], names[beside]))
        for city, around in enumerate(the_map(BOX, sides).neighbours)
        for beside in around
    }
    assert drawn == there


def test_every_city_has_its_name_beside_it() -> None:
    named = {word: where for one in LAYOUT.drawing for word, where in one.words.items()}
    assert named.keys() == set(BOX.cities.values())
    for letter, word in BOX.cities.items():
        near = min(letters(BOX), key=lambda one: dist(LAYOUT.zones[f"city {one}"].area().centre, named[word]))
        assert near == letter


def test_a_permit_looks_like_its_cities_and_what_it_brings() -> None:
    looks = LAYOUT.pieces["permit"].looks
    for permit, (_, bonus) in all_permits(BOX).items():
        cities, *brings = looks[f"permit {permit}"].split()
        assert cities == permit
        assert set(brings) == {f"{what}{number}" for what, number in msgspec.to_builtins(bonus).items() if number}
