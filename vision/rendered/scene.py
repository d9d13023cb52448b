"""A scene: what lies where on the table, in millimetres, built from a Layout and a View: the truth of a picture."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final, Literal, get_args

import msgspec

from companion.kernel.messages import UNKNOWN, Cells, Contents, Marks, Pieces, Pointing, View
from vision import layout as layouts

from .artwork import VARIANTS
from .paint import Point
from .pieces import Thing, thing
from .placing import Lying, scatter

TableTop = Literal["wood", "felt", "cloth", "white"]
TABLE_TOPS: Final[tuple[TableTop, ...]] = get_args(TableTop)

NEEDLE: Final = "arrow"
"""The label of a dial's arrow; its angle says where it points."""

_SEVERAL: Final = re.compile(r"(.+) x(\d+)")
FIGURE: Final = 5.0
"""Millimetres from which on a piece stands rather than lies."""


class Piece(msgspec.Struct, frozen=True):
    """One piece on the table. `lift` is the height of what it lies on; `variant` picks among paintings; `tilt` is by
    how many degrees it leans to one side, as a die that came to rest on an edge."""

    label: str
    x: float
    y: float
    angle: float
    zone: str
    cell: str = ""
    lift: float = 0.0
    variant: int = 0
    tilt: float = 0.0


class Scene(msgspec.Struct, frozen=True):
    """Everything on the table top, and what the table top is. Without `mats` the zones are bare table."""

    pieces: tuple[Piece, ...]
    table_top: TableTop = "wood"
    mats: bool = True

    def of_zone(self, zone: str) -> tuple[Piece, ...]:
        return tuple(piece for piece in self.pieces if piece.zone == zone)


def scene_of(
    layout: layouts.Layout,
    view: View,
    rng: Random,
    mess: float = 0.0,
    table_top: TableTop | None = None,
    mats: bool = True,
) -> Scene:
    """Put a View on the table the way people do.

    With `mess` 0 loose pieces lie apart and the others nearly straight; towards 1 they touch, overlap and
    stray. Zones that only the view or only the layout knows are left out.
    """
    hands = Placing(layout, rng, mess)
    pieces = tuple(
        piece
        for name, zone in layout.zones.items()
        if (contents := view.zones.get(name)) is not None
        for piece in hands.put(name, zone, contents)
    )
    return Scene(pieces, rng.choice(TABLE_TOPS) if table_top is None else table_top, mats)


class Placing:
    """The hands that lay a table: they know what lies already, so that a statue stands on its field."""

    def __init__(self, layout: layouts.Layout, rng: Random, mess: float) -> None:
        self.layout, self.rng, self.mess = layout, rng, mess
        self._boards: dict[tuple[float, ...], tuple[float, float, float]] = {}
        self._floor: dict[Point, float] = {}

    def put(self, name: str, zone: layouts.Zone, contents: Contents) -> Iterator[Piece]:
        match zone, contents:
            case ((layouts.Grid() | layouts.Slots()), Cells()):
                yield from self._in_cells(name, zone, contents)
            case ((layouts.Tray() | layouts.Pool() | layouts.Dice()), Pieces()):
                yield from self._loose(name, zone, contents)
            case layouts.Track(), Marks():
                yield from self._on_track(name, zone, contents)
            case layouts.Dial(), Pointing():
                yield from self._pointing(name, zone, contents)
            case _:
                return

    def begin(self) -> None:
        """Another round over the table: what lies under what is found out again, zone by zone."""
        self._floor.clear()

    def rest(self, zone: layouts.Grid | layouts.Slots, place: layouts.Box, pieces: Sequence[Piece]) -> list[Piece]:
        """Pieces that stay on a place, on whatever lies there beneath them."""
        floor = self._floor.get(place.centre, 0.0)
        heights = [thing(piece.label, zone, self.layout).height for piece in pieces]
        if heights and max(heights) < FIGURE:
            self._floor[place.centre] = floor + max(heights)
        return [piece if piece.lift == floor else msgspec.structs.replace(piece, lift=floor) for piece in pieces]

    def _in_cells(self, name: str, zone: layouts.Grid | layouts.Slots, contents: Cells) -> Iterator[Piece]:
        places = zone.places()
        for cell, label in contents.at.items():
            if label is None or label == UNKNOWN or cell not in places:
                continue
            one, number = how_many(label)
            yield from self._in_cell(name, zone, cell, places[cell], thing(one, zone, self.layout), number)

    def _in_cell(
        self, name: str, zone: layouts.Grid | layouts.Slots, cell: str, place: layouts.Box, what: Thing, number: int
    ) -> Iterator[Piece]:
        floor = self._floor.get(place.centre, 0.0)
        shift_x, shift_y, shift_angle = self._board_shift(zone, place.size, what)
        room = max(0.0, min(place.size[0] - what.size[0], place.size[1] - what.size[1]) / 2)
        stray = min(1.5 + 3 * self.mess, room) if number == 1 else min(0.7, room)
        start = self.rng.uniform(0, 360)
        for nth in range(number):
            x, y = _spread(place, what, nth, number, start)
            angle = place.angle + shift_angle
            if room > 0:
                x, y = x + self.rng.uniform(-stray, stray), y + self.rng.uniform(-stray, stray)
                angle += self.rng.uniform(-1, 1) * (4 + 8 * self.mess)
            angle += self._turn(zone, what)
            variant = self.rng.randrange(VARIANTS)
            yield Piece(what.label, x + shift_x, y + shift_y, angle % 360, name, cell, floor, variant)
        if what.height < FIGURE:
            self._floor[place.centre] = floor + what.height

    def _board_shift(self, zone: layouts.Grid | layouts.Slots, cell: Point, what: Thing) -> tuple[float, float, float]:
        """Cells without room are the squares of one board: it lies a little off as a whole."""
        if not isinstance(zone, layouts.Grid) or (what.size[0] < cell[0] and zone.rect not in self._boards):
            return 0.0, 0.0, 0.0
        if zone.rect not in self._boards:
            self._boards[zone.rect] = self.rng.uniform(-0.8, 0.8), self.rng.uniform(-0.8, 0.8), 0.0
        return self._boards[zone.rect]

    def _turn(self, zone: layouts.Zone, what: Thing) -> float:
        if what.shape or what.is_round:
            return self.rng.uniform(0, 360)
        if not zone.turns:
            return 0.0
        square = abs(what.size[0] - what.size[1]) < 0.1 * what.size[0]
        return self.rng.choice((0, 90, 180, 270) if square else (0, 180))

    def _loose(self, name: str, zone: layouts.Tray | layouts.Pool | layouts.Dice, contents: Pieces) -> Iterator[Piece]:
        labels = [label for label, number in self._changed(zone, contents).items() for _ in range(number)]
        self.rng.shuffle(labels)
        things = [thing(label, zone, self.layout) for label in labels]
        if not things:
            return
        down = scatter(things, zone.area().grown(-2.0), zone.turns, self.mess, self.rng)
        yield from (loose_piece(name, lying, self.rng) for lying in down)

    def _changed(self, zone: layouts.Zone, contents: Pieces) -> dict[str, int]:
        """Counts as pieces: 13 `follower` are paid in tokens of 10, 5 and 1 where a family has a worth."""
        family = self.layout.piece(zone)
        if family is None or not family.worth:
            return {label: number for label, number in contents.count.items() if number > 0}
        counts: dict[str, int] = {}
        for label, number in contents.count.items():
            for coin, several in self._change(label, number, coins_of(label, family.worth)):
                counts[coin] = counts.get(coin, 0) + several
        return counts

    def _change(self, label: str, number: int, worth: dict[str, int]) -> Iterator[tuple[str, int]]:
        if label in worth:
            yield label, number
            return
        rest = number
        coins = sorted(worth, key=lambda coin: worth[coin], reverse=True)
        for coin, smaller in zip(coins, [*coins[1:], ""], strict=True):
            several = rest // worth[coin]
            # People seldom hold the fewest tokens: now and then one is broken into smaller ones.
            if smaller and several and rest < 8 * worth[smaller] and self.rng.random() < 0.5:
                several -= 1
            rest -= several * worth[coin]
            if several:
                yield coin, several

    def _on_track(self, name: str, zone: layouts.Track, contents: Marks) -> Iterator[Piece]:
        places = zone.places()
        standing: dict[int, list[str]] = {}
        for marker, field in contents.field.items():
            if str(field) in places:
                standing.setdefault(field, []).append(marker)
        for field, markers in standing.items():
            place = places[str(field)]
            start = self.rng.uniform(0, 360)
            for nth, marker in enumerate(markers):
                what = thing(marker, zone, self.layout)
                x, y = _spread(place, what, nth, len(markers), start)
                stray = 1.0 + 2 * self.mess
                x, y = x + self.rng.uniform(-stray, stray), y + self.rng.uniform(-stray, stray)
                yield Piece(marker, x, y, self.rng.uniform(0, 360), name, str(field), 0.0)

    def _pointing(self, name: str, zone: layouts.Dial, contents: Pointing) -> Iterator[Piece]:
        """The arrow; somewhere at random while nothing is asked of the dial."""
        sectors = [sector for sector in zone.sectors if contents.value in (None, sector.value)]
        if not sectors:
            return
        sector = self.rng.choice(sectors)
        width = (sector.end - sector.start) % 360 or 360.0
        # Not within the last degrees of a sector: there a person would ask to spin again.
        margin = min(6.0, width / 4)
        angle = sector.start + self.rng.uniform(margin, width - margin)
        x, y = (value + self.rng.uniform(-0.6, 0.6) for value in zone.centre)
        yield Piece(NEEDLE, x, y, angle % 360, name, str(sector.value), 2.0)


def coins_of(label: str, worth: Mapping[str, int]) -> dict[str, int]:
    """The tokens of a family in which so many of a label are paid: `wool` in `wool1` and `wool5`."""
    if label in worth:
        return {label: worth[label]}
    return {coin: value for coin, value in worth.items() if coin.rstrip("0123456789") == label} or dict(worth)


def how_many(label: str) -> tuple[str, int]:
    """What a place shows, and how many of it: `blue x2` are two of `blue`."""
    match = _SEVERAL.fullmatch(label)
    return (match[1], int(match[2])) if match else (label, 1)


def loose_piece(name: str, lying: Lying, rng: Random) -> Piece:
    return Piece(lying.thing.label, lying.x, lying.y, lying.angle, name, "", lying.lift, rng.randrange(VARIANTS))


def _spread(place: layouts.Box, what: Thing, nth: int, number: int, start: float) -> Point:
    """Where the nth of several pieces stands on one place: around its middle, side by side."""
    if number == 1:
        return place.centre
    # The ring on which neighbours are as far apart as two pieces are wide, if the place is large enough.
    needed = (max(what.size) * 1.12 + 1) / (2 * math.sin(math.pi / number))
    ring = min(needed, max(0.25 * min(place.size), min(place.size) / 2 - max(what.size) / 2))
    at = math.radians(start + 360 * nth / number)
    return place.centre[0] + ring * math.cos(at), place.centre[1] + ring * math.sin(at)
