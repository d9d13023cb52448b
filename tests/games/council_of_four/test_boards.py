"""The board: roads and colours of all eight combinations of sides, as a person read them from the boards."""

from __future__ import annotations

from itertools import product

import pytest

from companion.games.council_of_four import GAME
from companion.games.council_of_four.box import METALS, PURPLE, REGIONS, board_map

from .table import BOX, city

Sides = tuple[str, str, str]
ALL: list[Sides] = list(product("AB", repeat=3))

COAST = {"A": "AB AC BD BE", "B": "AC CD BE"}
HILLS = {"A": "FI IJ GJ HJ", "B": "FG FI GI GH HJ"}
MOUNTAINS = {"A": "KN NO LO MO", "B": "KL LN MO"}
COAST_TO_HILLS = "CF DG EH"
HILLS_TO_MOUNTAINS = {"A": "IK JL HM", "B": "IK JL JM"}
COLOURS = {
    ("coast", "A"): "iron gold silver silver bronze",
    ("coast", "B"): "gold bronze silver iron silver",
    ("hills", "A"): "gold silver gold bronze purple",
    ("hills", "B"): "gold purple gold bronze silver",
    ("mountains", "A"): "gold silver iron bronze gold",
    ("mountains", "B"): "gold iron silver bronze gold",
}
KINGS_CITY = {"A": "J", "B": "G"}

combinations = pytest.mark.parametrize("sides", ALL, ids="".join)


def roads(sides: Sides) -> set[frozenset[int]]:
    coast, hills, mountains = sides
    text = f"{COAST[coast]} {COAST_TO_HILLS} {HILLS[hills]} {HILLS_TO_MOUNTAINS[hills]} {MOUNTAINS[mountains]}"
    return {frozenset(map(city, road)) for road in text.split()}


def test_there_are_eight_combinations() -> None:
    assert len(set(ALL)) == 8


@combinations
def test_the_roads_are_those_of_the_boards(sides: Sides) -> None:
    neighbours = board_map(BOX, sides).neighbours
    assert {frozenset((one, other)) for one, beside in enumerate(neighbours) for other in beside} == roads(sides)


@combinations
def test_roads_lead_both_ways_and_never_home(sides: Sides) -> None:
    neighbours = board_map(BOX, sides).neighbours
    for one, beside in enumerate(neighbours):
        assert one not in beside
        assert all(one in neighbours[other] for other in beside)


@combinations
def test_every_city_can_be_reached_and_distances_fit_the_roads(sides: Sides) -> None:
    lying = board_map(BOX, sides)
    for one, far in enumerate(lying.roads):
        assert max(far) < len(BOX.cities)
        assert [other for other, distance in enumerate(far) if distance == 1] == list(lying.neighbours[one])
        assert all(lying.roads[other][one] == distance for other, distance in enumerate(far))
        for other, distance in enumerate(far):
            assert distance == 0 or distance == 1 + min(far[beside] for beside in lying.neighbours[other])


@combinations
def test_colours_are_those_of_the_sides(sides: Sides) -> None:
    printed = [colour for region, side in zip(REGIONS, sides, strict=True) for colour in COLOURS[region, side].split()]
    assert list(board_map(BOX, sides).colours) == printed


@combinations
def test_five_gold_four_silver_three_bronze_two_iron_one_purple(sides: Sides) -> None:
    lying = board_map(BOX, sides)
    assert {metal: len(lying.sets[metal]) for metal in METALS} == {"iron": 2, "bronze": 3, "silver": 4, "gold": 5}
    assert lying.colours.count(PURPLE) == 1
    assert all(len(lying.sets[region]) == 5 for region in REGIONS)
    assert set(lying.sets) == set(BOX.bonus_tiles)


@combinations
def test_the_king_begins_in_the_purple_city(sides: Sides) -> None:
    lying = board_map(BOX, sides)
    assert lying.purple == city(KINGS_CITY[sides[1]])
    assert lying.colours[lying.purple] == PURPLE


def test_the_box_is_whole() -> None:
    assert list(BOX.contradictions()) == []
    assert sum(len(permits) for permits in BOX.permits.values()) == 45
    assert sum(token.number for token in BOX.tokens.values()) == 14
    assert (BOX.assistants.total, BOX.politics.cards) == (48, 90)
    cities = "Arkon Burgen Castrum Dorful Esti Framek Graden Hellar Indur Juvelar Kultos Lyram Merkatim Naris Osium"
    assert " ".join(BOX.cities.values()) == cities
    assert GAME.load_box() == BOX
