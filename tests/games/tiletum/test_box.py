"""The stand-in box keeps every known bound, marks unconfirmed facts, and accepts people's answers."""

from __future__ import annotations

from typing import Any

import pytest

from companion.daemon.setup_choices import offered
from companion.games.tiletum import GAME
from companion.games.tiletum.box import FILE, load
from companion.games.tiletum.components import (
    all_guests,
    board_map,
    cities,
    city_names,
    contracts_in_play,
    crests,
    guests_in_play,
    helpers,
    house_places,
    needed,
    tile_numbers,
)
from companion.kernel.box import BoxError, doubts

BOX = load()


def steps(one: str, other: str) -> int:
    names = city_names(BOX)
    return board_map(BOX).far[names.index(one)][names.index(other)]


def test_all_pieces_are_there_as_often_as_they_were_counted() -> None:
    assert tile_numbers(BOX, 4).total() == 54
    assert len(BOX.contracts) == 26
    assert len(all_guests(BOX)) == 45
    assert len(BOX.fairs) == 11
    assert len(BOX.map.fair_cities) == 8
    assert sum(len(city.cathedral) for city in cities(BOX)) == 25
    assert sum(cost.number for cost in BOX.costs.values()) == len(board_map(BOX).cathedrals) == 9
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
    neighbours = board_map(BOX).neighbours
    assert all(one in neighbours[other] for one, beside in enumerate(neighbours) for other in beside)
    assert board_map(BOX).home == city_names(BOX).index("Tiletum")


def test_fewer_people_play_with_fewer_tiles_and_places() -> None:
    assert tile_numbers(BOX, 2).total() < tile_numbers(BOX, 3).total() < tile_numbers(BOX, 4).total()
    assert len(contracts_in_play(BOX, 2)) < len(contracts_in_play(BOX, 3)) < len(contracts_in_play(BOX, 4)) == 26
    assert len(guests_in_play(BOX, 2)) < len(guests_in_play(BOX, 3)) < len(guests_in_play(BOX, 4)) == 45
    assert "crest griffin" not in tile_numbers(BOX, 2)
    assert set(house_places(BOX, 2)[1:]) == {0, 1}
    assert house_places(BOX, 4) == tuple(len(city.houses) for city in cities(BOX))


def test_every_bonus_tile_is_a_crest_or_a_helper() -> None:
    assert crests(BOX) | helpers(BOX) == set(BOX.tiles)
    assert not crests(BOX) & helpers(BOX)
    assert needed(BOX, "wool2 iron3") == (0, 0, 2, 0, 3)


def test_what_nobody_could_confirm_is_doubted_with_a_question() -> None:
    asked = {doubt.fact for doubt in doubts(FILE)}
    assert asked == set(BOX.unverified)
    assert {"map.roads", "map.cities", "crown.points", "contracts", "guests", "tiles", "costs"} <= asked
    assert {"start.gold", "corruption.markers", "offers.contracts", "buildings.floors", "wheel.actions"} <= asked
    assert all(doubt.ask.de != doubt.ask.en for doubt in doubts(FILE))


@pytest.mark.parametrize(
    "fact",
    [
        *("dice.drawn", "wheel.points", "fairs", "ending.buildings", "buildings.markers", "figures.houses"),
        *("buildings.crest_food", "buildings.crest_bonus"),
    ],
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
        ("buildings.floors", [[1, 1], [1], [1], [1], [1], [1]], "two rooms on one floor"),
        ("tiles", {"wool3": {"number": [1, 1, 1]}}, "the same name"),
        ("tiles", {"odd": {"number": [3, 2, 1]}}, "fewer tiles odd with more players"),
        ("guests", {"abbot": {"section": "crown", "tiles": {}}}, "fewer characters than buildings"),
    ],
)
def test_answers_that_cannot_be_true_are_refused(fact: str, answer: Any, complaint: str) -> None:
    with pytest.raises(BoxError, match=complaint):
        load({fact: answer})


# The map

SECOND_SOURCE = [
    "London",
    "Brugge",
    "Antwerpen",
    "Hamburg",
    "Tiletum",
    "Köln",
    "Leipzig",
    "Paris",
    "Troyes",
    "Strasbourg",
    "Frankfurt",
    "Nürnberg",
    "Praha",
    "Bordeaux",
    "Wien",
    "Lyon",
    "Milano",
    "Verona",
    "Venezia",
    "Toulouse",
    "Arles",
    "Genova",
    "Firenze",
]
BETWEEN = (
    *(("London", "Brugge"), ("Antwerpen", "Hamburg"), ("Paris", "Bordeaux")),
    *(("Strasbourg", "Milano"), ("Nürnberg", "Verona"), ("Arles", "Genova")),
)


def test_the_map_has_its_twenty_nine_places() -> None:
    between = {f"{one}–{other}" for one, other in BETWEEN}
    assert set(city_names(BOX)) == {*SECOND_SOURCE, *between}
    assert len(city_names(BOX)) == 29
    assert all(not BOX.map.cities[name].houses and not BOX.map.cities[name].cathedral for name in between)


@pytest.mark.parametrize(("one", "other"), BETWEEN)
def test_a_place_without_a_name_lies_between_its_two_towns(one: str, other: str) -> None:
    assert steps(one, f"{one}–{other}") == steps(f"{one}–{other}", other) == 1
    beside = board_map(BOX).neighbours[city_names(BOX).index(f"{one}–{other}")]
    assert {city_names(BOX)[city] for city in beside} == {one, other}


def test_the_nine_towns_with_a_cathedral_are_known() -> None:
    known = {"London", "Köln", "Paris", "Praha", "Bordeaux", "Wien", "Lyon", "Milano", "Firenze"}
    assert {city_names(BOX)[city] for city in board_map(BOX).cathedrals} == known


def test_roads_and_amounts_are_still_to_be_compared() -> None:
    assert {"map.roads", "map.cities", "tiles", "contracts", "guests", "crown.points"} <= set(BOX.unverified)


# Answers that were given for the first stand-in

OLD_MAP: dict[str, Any] = {
    "map.cities": {"Tiletum": {"houses": [{}, {}, {}, {}]}, "Tours": {"houses": [{}]}, "Paris": {"tile": True}},
    "map.roads": [["Tiletum", "Tours"], ["Tours", "Paris"]],
    "map.at": {"Tiletum": [0, 0], "Tours": [500, 0], "Paris": [1000, 0]},
    "map.fair_cities": ["Paris", "Tours"],
}


def test_a_map_with_cities_that_do_not_exist_is_asked_for_again() -> None:
    answers = {**OLD_MAP, "start.gold": [1, 3, 5, 7]}
    assert GAME.fitting(answers) == {"start.gold": [1, 3, 5, 7]}
    box = GAME.load_box(answers)
    assert set(box.map.cities) == set(BOX.map.cities)
    assert "map.cities" in box.unverified
    assert box.start.gold == (1, 3, 5, 7)


def test_parts_of_a_map_that_fit_are_carried_over() -> None:
    roads = [[one, other] for one, other in BOX.map.roads[:-1]]
    answers = {"map.roads": roads, "map.fair_cities": ["Paris", "London", "Köln"]}
    assert GAME.fitting(answers) == answers
    old = {"map.roads": [["Tiletum", "Paris"]], "map.fair_cities": ["Paris", "London", "Köln"]}
    assert GAME.fitting(old) == {"map.fair_cities": ["Paris", "London", "Köln"]}


def test_a_map_of_ones_own_is_carried_over() -> None:
    own = {
        "map.cities": {"Tiletum": {"houses": [{}, {}, {}, {}]}, "Riga": {"houses": [{}]}},
        "map.roads": [["Tiletum", "Riga"]],
        "map.at": {"Tiletum": [0, 0], "Riga": [1000, 0]},
        "map.fair_cities": ["Riga"] * 3,
    }
    assert GAME.fitting(own) == own
    assert set(GAME.load_box(own).map.cities) == {"Tiletum", "Riga"}


def test_what_is_known_now_is_not_taken_from_old_answers() -> None:
    answers = {"buildings.crest_food": [3, 2, 2, 1, 1, 1], "fairs.crown.points": 2}
    assert GAME.fitting(answers) == {}
    assert GAME.load_box(answers).buildings.crest_food == (6, 6, 5, 4, 3, 2)


def test_who_drew_a_map_that_is_not_used_any_more_is_told_so() -> None:
    (sketch, *_) = offered(GAME, OLD_MAP)
    assert sketch["hint"]["de"].startswith("Eure frühere Landkarte hatte Orte, die es in Tiletum nicht gibt")
    assert not sketch["answered"]
    assert set(sketch["value"]["nodes"]) == set(BOX.map.cities)
    assert offered(GAME, {})[0]["hint"]["en"].startswith("Put every place")
