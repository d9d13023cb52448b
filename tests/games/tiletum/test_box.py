"""The stand-in box keeps every known bound, doubts what nobody could confirm, and takes a person's word for it."""

from __future__ import annotations

from typing import Any

import pytest

from companion.box import BoxError, doubts
from companion.games.tiletum.box import FILE, load
from companion.games.tiletum.components import (
    all_guests,
    cities,
    city_names,
    contracts_in_play,
    crests,
    guests_in_play,
    helpers,
    house_places,
    needed,
    the_map,
    tile_numbers,
)

BOX = load()


def steps(one: str, other: str) -> int:
    names = city_names(BOX)
    return the_map(BOX).far[names.index(one)][names.index(other)]


def test_all_pieces_are_there_as_often_as_they_were_counted() -> None:
    assert tile_numbers(BOX, 4).total() == 54
    assert len(BOX.contracts) == 26
    assert len(all_guests(BOX)) == 45
    assert len(BOX.fairs) == 11
    assert len(BOX.map.fair_cities) == 8
    assert sum(len(city.cathedral) for city in cities(BOX)) == 25
    assert sum(cost.number for cost in BOX.costs.values()) == len(the_map(BOX).cathedrals) == 9
    assert len(BOX.corruption.markers) == 6
    assert (BOX.figures.houses, BOX.figures.pillars) == (8, 7)
    assert len(BOX.dice.colours) * BOX.dice.each == 20


def test_dice_wheel_and_markers_are_as_they_were_seen() -> None:
    assert BOX.dice.drawn == {"2": 8, "3": 11, "4": 14}
    assert BOX.dice.colours["light_grey"] == "wool"
    assert BOX.wheel.points == (6, 5, 4, 3, 2, 1)
    assert BOX.buildings.markers == (3, 2, 2, 1, 1, 0)
    assert BOX.ending.buildings == (0, 0, 0, 5, 10, 20, 30)
    assert BOX.crown.last == 15
    assert BOX.crown.lowest < 0
    assert set(BOX.corruption.markers) <= {0, 1, 2}


def test_the_one_known_cost_and_the_known_distances_are_kept() -> None:
    assert (BOX.costs["stone3 points4"].stone, BOX.costs["stone3 points4"].points) == (3, 4)
    assert steps("Tiletum", "Paris") == 1
    assert steps("Paris", "Bordeaux") == 2
    assert {"Tiletum", "Frankfurt", "Venezia", "Verona", "Paris", "Bordeaux", "London"} <= set(city_names(BOX))


def test_roads_lead_both_ways() -> None:
    neighbours = the_map(BOX).neighbours
    assert all(one in neighbours[other] for one, beside in enumerate(neighbours) for other in beside)
    assert the_map(BOX).home == city_names(BOX).index("Tiletum")


def test_fewer_people_play_with_fewer_tiles_and_places() -> None:
    assert tile_numbers(BOX, 2).total() < tile_numbers(BOX, 3).total() < tile_numbers(BOX, 4).total()
    assert len(contracts_in_play(BOX, 2)) < len(contracts_in_play(BOX, 3)) < len(contracts_in_play(BOX, 4)) == 26
    assert len(guests_in_play(BOX, 2)) < len(guests_in_play(BOX, 3)) < len(guests_in_play(BOX, 4)) == 45
    assert "crest griffin" not in tile_numbers(BOX, 2)
    assert set(house_places(BOX, 2)[1:]) == {1}
    assert house_places(BOX, 4) == tuple(len(city.houses) for city in cities(BOX))


def test_every_bonus_tile_is_a_crest_or_a_helper() -> None:
    assert crests(BOX) | helpers(BOX) == set(BOX.tiles)
    assert not crests(BOX) & helpers(BOX)
    assert needed(BOX, "wool2 iron3") == (2, 0, 2, 0, 2)


def test_what_nobody_could_confirm_is_doubted_with_a_question() -> None:
    asked = {doubt.fact for doubt in doubts(FILE)}
    assert asked == set(BOX.unverified)
    assert {"map.roads", "map.cities", "crown.points", "contracts", "guests", "tiles", "costs"} <= asked
    assert {"start.gold", "corruption.markers", "offers.contracts", "buildings.floors", "wheel.actions"} <= asked
    assert {"fairs.upper_floors.points", "fairs.crown.points"} <= asked
    assert all(doubt.ask.de != doubt.ask.en for doubt in doubts(FILE))


@pytest.mark.parametrize(
    "fact",
    ["dice.drawn", "wheel.points", "fairs.houses.points", "ending.buildings", "buildings.markers", "figures.houses"],
)
def test_what_is_known_is_not_doubted(fact: str) -> None:
    assert fact not in BOX.unverified


def test_a_person_can_enter_tracks_tiles_and_the_map() -> None:
    answers: dict[str, Any] = {
        "crown.points": list(range(20)),
        "corruption.markers": [0, 1, 1, 1, 2, 2],
        "contracts": {"mine": {"needs": {"wool": 1}, "bonus": {"points": 2}}, "shield": {"crest": True}},
    }
    box = load(answers)
    assert box.crown.worth(15) == 19
    assert contracts_in_play(box, 2) == ("mine", "shield")
    assert "shield" in crests(box)
    assert not set(answers) & set(box.unverified)
    assert box.digest != BOX.digest


@pytest.mark.parametrize(
    ("fact", "answer", "complaint"),
    [
        ("crown.points", [1, 2, 3], "20 fields and 3 values"),
        ("crown.lowest", 3, "does not begin between its ends"),
        ("corruption.markers", [0], "not 3 corruption markers"),
        ("start.gold", [1, 3], "no starting gold"),
        ("wheel.actions", ["architect"] * 6, "each of the six actions once"),
        ("wheel.start", 9, "values 1 to 6"),
        ("map.roads", [["Tiletum", "Atlantis"]], "not on the map: Atlantis"),
        ("map.roads", [["Tiletum", "Paris"]], "cannot be reached from Tiletum"),
        ("map.cities", {"Tiletum": {"houses": [{}]}, "Paris": {}}, "not on the map"),
        ("map.fair_cities", ["Tiletum", "Paris", "London"], "do not fit the map: Tiletum"),
        ("costs", {"dear": {"number": 1, "stone": 9, "points": 9}}, "too few tiles with building costs"),
        ("buildings.crest_food", [1], "one marker, crest price and crest bonus each"),
        ("buildings.floors", [[1, 1], [1], [1], [1], [1], [1]], "two rooms on one floor"),
        ("tiles", {"wool3": {"number": [1, 1, 1]}}, "the same name"),
        ("tiles", {"odd": {"number": [3, 2, 1]}}, "fewer tiles odd with more players"),
        ("guests", {"abbot": {"section": "crown", "tiles": {}}}, "fewer characters than buildings"),
    ],
)
def test_answers_that_cannot_be_true_are_refused(fact: str, answer: Any, complaint: str) -> None:
    with pytest.raises(BoxError, match=complaint):
        load({fact: answer})
