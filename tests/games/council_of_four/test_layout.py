"""The layout of The Council of Four: its pieces, its tracks and its map."""

from __future__ import annotations

from itertools import product
from math import dist

import msgspec
import pytest

from companion.games.council_of_four.box import REGIONS, SIDES, all_permits, board_map, card_kinds, letters
from companion.games.council_of_four.game import CouncilOfFour
from vision import layout as layouts

GAME = CouncilOfFour()
BOX = GAME.load_box()
LAYOUT = layouts.load(GAME.box_file.with_name("layout.toml"))


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


@pytest.mark.parametrize("sides", list(product(SIDES, repeat=3)))
def test_the_roads_that_are_drawn_are_those_of_the_boards(sides: tuple[str, str, str]) -> None:
    table = LAYOUT.chosen(dict(zip(REGIONS, sides, strict=True)))
    drawn = {frozenset(end.removeprefix("city ") for end in line) for one in table.drawing for line in one.lines}
    names = letters(BOX)
    there = {
        frozenset((names[city], names[beside]))
        for city, around in enumerate(board_map(BOX, sides).neighbours)
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
