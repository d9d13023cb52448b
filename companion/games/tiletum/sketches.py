"""The map and the tracks of Tiletum as people draw them from their own boards, and the layout that follows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final

from companion.kernel.forms import Amounts, Form, Number, Rows, YesNo
from companion.kernel.rules import Fact
from companion.kernel.sketches import Graph, Lack, Sketch, Track

from .box import ACTIONS, Box, load
from .piece_forms import BONUS
from .referee.view import house_cell, venue_label

HOME: Final = "Tiletum"
CITY: Final = Form(
    "city",
    {
        "houses": Rows(Amounts((*BONUS, "again"), kinds=2), most=4),
        "pillars": Number(4),
        "cathedral": Rows(Number(9, least=1), most=4),
        "tile": YesNo(),
        "fair": YesNo(),
    },
)


@cache
def _sketches() -> tuple[Sketch, ...]:
    box = load()
    return (
        Graph(
            "map",
            nodes="map.cities",
            edges="map.roads",
            at="map.at",
            form=CITY,
            home=HOME,
            at_home={"houses": [{} for _ in box.colours]},
            lists={"fair": "map.fair_cities"},
            shape=(10, 9),
        ),
        Track("crown", "crown.points", last=box.crown.last, first="crown.lowest", lowest=-9, least=-20, most=30),
        Track("fields", "contract_fields.points", last=len(box.contract_fields.points), most=20),
        Track("offer", "offers.contracts", last=len(box.offers.contracts), least=1, most=3),
        Track("gold", "start.gold", last=len(box.colours), most=20),
    )


class BoardSketches:
    """The parts of Tiletum's box that people enter by drawing."""

    @property
    def sketches(self) -> tuple[Sketch, ...]:
        return _sketches()

    def lacks(self, sketch: Sketch, facts: Mapping[str, Any]) -> Iterator[Lack]:
        if isinstance(sketch, Graph):
            yield from _lacks(facts[sketch.nodes], set(facts["map.fair_cities"]))
        elif sketch.first and facts[sketch.first] >= load().crown.start:
            yield _blocks("below", start=load().crown.start)

    def layout(self, raw: Mapping[str, Any], box: Box) -> Mapping[str, Any]:
        return _laid(raw, box)


# What is known of the map


def _lacks(cities: Mapping[str, Mapping[str, Any]], fairs: set[str]) -> Iterator[Lack]:
    box = load()
    counts = box.counts
    cathedrals = [name for name, city in cities.items() if city["cathedral"]]
    tiles = sum(len(city["cathedral"]) for city in cities.values())
    yield from _short("cathedrals", len(cathedrals), counts.costs, blocks=len(cathedrals) > counts.costs)
    yield from _short("cathedral_tiles", tiles, counts.cathedral_tiles)
    yield from _short("city_tiles", len(fairs), counts.city_tiles, blocks=len(fairs) < box.rounds - 1)
    if HOME in fairs:
        yield _blocks("home_fair", name=HOME)
    if HOME in cities and len(cities[HOME]["houses"]) < len(box.colours):
        yield _blocks("home_houses", name=HOME, there=len(cities[HOME]["houses"]), of=len(box.colours))
    half = tuple(name for name, city in cities.items() if bool(city["cathedral"]) != bool(city["pillars"]))
    if half:
        yield _blocks("half", names=half)
    mixed = tuple(name for name in cathedrals if cities[name]["cathedral"] != _from_the_top(cities[name]["cathedral"]))
    if mixed:
        yield _blocks("mixed", names=mixed)
    taken = tuple(name for name in cities if name in (*ACTIONS, *box.colours) or name.startswith("favour"))
    if taken:
        yield _blocks("taken", names=taken)


def _short(key: str, there: int, of: int, blocks: bool = False) -> Iterator[Lack]:
    if there != of:
        yield Lack(key, {"there": there, "of": of}, blocks)


def _blocks(key: str, **facts: Fact) -> Lack:
    return Lack(key, dict(facts), True)


def _from_the_top(values: list[int]) -> list[int]:
    return sorted(values, reverse=True)


# The layout


def _laid(raw: Mapping[str, Any], box: Box) -> Mapping[str, Any]:
    """Return the shipped layout of the boards, with the cities of this box and its king's track."""
    zones, pattern = dict(raw["zones"]), _Pattern(raw, load())
    for city in pattern.shipped:
        del zones[f"city {city}"]
    where = {name: pattern.centre(at) for name, at in box.map.at.items()}
    cities = box.map.cities
    zones |= {f"city {name}": {**pattern.city, "rect": pattern.rect(at)} for name, at in where.items()}
    cells = {
        "houses": {
            house_cell(name, place): pattern.beside(at, "houses", place)
            for name, at in where.items()
            for place in range(len(cities[name].houses))
        },
        "city_tiles": {name: pattern.beside(where[name], "city_tiles") for name in where if cities[name].tile},
        "cathedrals": {name: pattern.beside(where[name], "cathedrals") for name in where if cities[name].cathedral},
        "costs": {name: pattern.beside(where[name], "costs") for name in where if cities[name].cathedral},
    }
    zones |= {zone: {**zones[zone], "at": at} for zone, at in cells.items() if at}
    first, last = zones["crown"]["path"]
    zones["crown"] = {**zones["crown"], "path": [[box.crown.lowest, *first[1:]], [box.crown.last, *last[1:]]]}
    return {**raw, "zones": zones, "pieces": _pieces(raw, box), "drawing": list(_drawing(raw, box, pattern, where))}


def _pieces(raw: Mapping[str, Any], box: Box) -> Mapping[str, Any]:
    values = sorted({value for city in box.map.cities.values() for value in city.cathedral})
    labels = {
        "venue": [venue_label(city) for city in box.map.fair_cities],
        "cathedral": list(
            dict.fromkeys((*raw["pieces"]["cathedral"]["labels"], *(f"cathedral {value}" for value in values)))
        ),
    }
    return {**raw["pieces"], **{name: {**raw["pieces"][name], "labels": found} for name, found in labels.items()}}


def _drawing(raw: Mapping[str, Any], box: Box, pattern: _Pattern, where: Mapping[str, Point]) -> Iterator[Any]:
    """Yield the shapes to draw: boards as shipped, roads and names of this box."""
    for one in raw["drawing"]:
        if "lines" in one:
            yield {**one, "lines": [[f"city {a}", f"city {b}"] for a, b in box.map.roads]}
        elif "words" in one:
            yield {**one, "words": {name: pattern.named(at) for name, at in where.items()}}
        else:
            yield one


Point = tuple[float, float]


class _Pattern:
    """How the places of a city lie around it, read from the shipped layout."""

    def __init__(self, raw: Mapping[str, Any], shipped: Box) -> None:
        self._raw, zones = raw, raw["zones"]
        self.shipped = {name: _middle(zones[f"city {name}"]["rect"]) for name in shipped.map.cities}
        self.city = zones[f"city {HOME}"]
        left, top, right, bottom = self.city["rect"]
        self._half = (right - left) / 2, (bottom - top) / 2
        self._axes = tuple(
            _line({at[axis]: self.shipped[name][axis] for name, at in shipped.map.at.items()}) for axis in (0, 1)
        )
        self._words = next(one["words"] for one in raw["drawing"] if "words" in one)

    def centre(self, at: tuple[int, int]) -> Point:
        """Return where a city lies on the table; all that belongs to it fits on the board."""
        x, y = (start + share * step for share, (start, step) in zip(at, self._axes, strict=True))
        return x, y

    def rect(self, at: Point) -> list[float]:
        (x, y), (right, down) = at, self._half
        return [round(x - right, 1), round(y - down, 1), round(x + right, 1), round(y + down, 1)]

    def beside(self, at: Point, zone: str, place: int = 0) -> list[float]:
        """Return a place of a city: as far from it as the same place of a city of the shipped layout."""
        there = self._raw["zones"][zone]["at"]
        if zone == "houses":
            return self._from(at, HOME, there[house_cell(HOME, place)])
        pattern = next(name for name in self.shipped if name in there)
        return self._from(at, pattern, there[pattern])

    def named(self, at: Point) -> list[float]:
        return self._from(at, HOME, self._words[HOME])

    def _from(self, at: Point, pattern: str, place: Any) -> list[float]:
        x, y = self.shipped[pattern]
        return [round(at[0] + place[0] - x, 1), round(at[1] + place[1] - y, 1)]


def _middle(rect: Any) -> Point:
    left, top, right, bottom = rect
    return (left + right) / 2, (top + bottom) / 2


def _line(points: Mapping[int, float]) -> tuple[float, float]:
    """Return the millimetres at 0 and those of a thousandth, from the two outermost points."""
    low, high = min(points), max(points)
    step = (points[high] - points[low]) / (high - low)
    return points[low] - low * step, step
