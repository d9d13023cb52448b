"""What follows from the facts of the box: the map as numbers, and the tiles that are in play.

A box is compared by its digest, so the functions are cached. While a box is being checked for contradictions it has no
digest yet, so the check must not call them.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from .box import ACTIONS, GOODS, Bonus, Box, City, GuestTile


@cache
def city_names(box: Box) -> tuple[str, ...]:
    return tuple(box.map.cities)


@cache
def cities(box: Box) -> tuple[City, ...]:
    return tuple(box.map.cities.values())


class Map(NamedTuple):
    """The cities by number."""

    neighbours: tuple[tuple[int, ...], ...]
    far: tuple[tuple[int, ...], ...]
    """How many steps lie between two cities, by the shortest way."""
    home: int
    cathedrals: tuple[int, ...]
    tiles: tuple[int, ...]
    """The cities with a place for a bonus tile."""


@cache
def board_map(box: Box) -> Map:
    names = city_names(box)
    beside: list[set[int]] = [set() for _ in names]
    for road in box.map.roads:
        one, other = map(names.index, road)
        beside[one].add(other)
        beside[other].add(one)
    neighbours = tuple(tuple(sorted(found)) for found in beside)
    return Map(
        neighbours,
        tuple(_distances(neighbours, city) for city in range(len(names))),
        names.index(box.map.home),
        tuple(number for number, city in enumerate(cities(box)) if city.cathedral),
        tuple(number for number, city in enumerate(cities(box)) if city.tile),
    )


def _distances(neighbours: tuple[tuple[int, ...], ...], start: int) -> tuple[int, ...]:
    far = [len(neighbours)] * len(neighbours)
    far[start] = 0
    waiting = deque([start])
    while waiting:
        city = waiting.popleft()
        for beside in neighbours[city]:
            if far[beside] > far[city] + 1:
                far[beside] = far[city] + 1
                waiting.append(beside)
    return tuple(far)


@cache
def house_places(box: Box, players: int) -> tuple[int, ...]:
    """Return how many houses each city takes."""
    most = box.map.houses_for_two if players == 2 else len(box.colours)
    return tuple(
        len(city.houses) if name == box.map.home else min(len(city.houses), most)
        for name, city in box.map.cities.items()
    )


@cache
def all_guests(box: Box) -> Mapping[str, tuple[str, GuestTile]]:
    """Return every guest tile by name, with its character."""
    return {
        f"{character} {name}": (character, tile)
        for character, kind in box.guests.items()
        for name, tile in kind.tiles.items()
    }


def character_of(box: Box, guest: str) -> str:
    return all_guests(box)[guest][0]


def section_of(box: Box, guest: str) -> int:
    """Return the action beside which the marker of a guest's building may lie because of this guest."""
    return ACTIONS.index(box.guests[character_of(box, guest)].section)


@cache
def tile_numbers(box: Box, players: int) -> Counter[str]:
    """Return the bonus tiles in play."""
    return Counter({name: tile.number[players - 2] for name, tile in box.tiles.items() if tile.number[players - 2]})


@cache
def contracts_in_play(box: Box, players: int) -> tuple[str, ...]:
    return tuple(name for name, contract in box.contracts.items() if contract.players <= players)


@cache
def guests_in_play(box: Box, players: int) -> tuple[str, ...]:
    return tuple(name for name, (_, tile) in all_guests(box).items() if tile.players <= players)


@cache
def crests(box: Box) -> frozenset[str]:
    """Return the names of all tiles that are crests, wherever they come from."""
    return frozenset(name for kind in (box.tiles, box.contracts) for name, tile in kind.items() if tile.crest)


@cache
def helpers(box: Box) -> frozenset[str]:
    return frozenset(name for name, tile in box.tiles.items() if not tile.crest)


@cache
def bonus_goods(bonus: Bonus) -> tuple[int, ...]:
    return bonus.gold, bonus.food, bonus.wool, bonus.stone, bonus.iron


@cache
def needed(box: Box, contract: str) -> tuple[int, ...]:
    """Return the goods that a contract names."""
    needs = box.contracts[contract].needs
    return tuple(needs.get(good, 0) for good in GOODS)


@cache
def price_of(box: Box, contract: str, good: str) -> tuple[int, ...]:
    """Return all goods that are given for a contract, with this good as its identical ones."""
    same = box.contracts[contract].same or 0
    return tuple(number + same * (good == name) for name, number in zip(GOODS, needed(box, contract), strict=True))


@cache
def goods_for(box: Box, contract: str) -> tuple[str, ...]:
    """Return the goods that may serve as the identical ones of a contract; an empty name if it asks for none."""
    return GOODS if box.contracts[contract].same else ("",)
