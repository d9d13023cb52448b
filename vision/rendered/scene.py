"""A scene: what lies where on the table, in millimetres, built from a Layout and a View: the truth of a picture.

Loose pieces lie the way people put them down: apart, touching or on one another, always inside their zone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from random import Random
from typing import Final, Literal, get_args

import msgspec

from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, Pointing, View
from vision import layout as layouts

from .artwork import VARIANTS
from .paint import Point
from .solids import Thing, thing

TableTop = Literal["wood", "felt", "cloth", "white"]
TABLE_TOPS: Final[tuple[TableTop, ...]] = get_args(TableTop)

NEEDLE: Final = "arrow"
"""The label of a dial's arrow; its angle says where it points."""

_SEVERAL: Final = re.compile(r"(.+) x(\d+)")
FIGURE: Final = 5.0
"""Millimetres from which on a piece stands rather than lies."""

_TRIES: Final = 80
_FEW_TRIES: Final = 12
_GAP: Final = 1.5
"""Millimetres left between pieces that are meant to lie apart."""


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


class Lying(msgspec.Struct, frozen=True):
    """Where a loose piece came to lie, and how many millimetres above the table."""

    thing: Thing
    x: float
    y: float
    angle: float
    lift: float = 0.0

    def footprint(self, margin: float = 0.0) -> layouts.Box:
        width, height = self.thing.size
        return layouts.Box((self.x, self.y), (width + margin, height + margin), self.angle)


def scatter(things: Sequence[Thing], area: layouts.Box, turns: bool, mess: float, rng: Random) -> list[Lying]:
    """Loose pieces in an area. `mess` is the share of them that touch or overlap another."""
    down: list[Lying] = []
    for what in things:
        leaning = bool(down) and rng.random() < mess
        lying = _beside(what, down, area, rng) if leaning else None
        lying = lying or apart(what, down, area, turns, rng)
        if lying is None:
            return _in_rows(things, area, turns, rng)
        down.append(lying)
    return down


def apart(
    what: Thing, down: Sequence[Lying], area: layouts.Box, turns: bool, rng: Random, tries: int = _TRIES
) -> Lying | None:
    """Somewhere free, if such a place is found."""
    for _ in range(tries):
        angle = rng.uniform(0, 360) if turns else area.angle + rng.uniform(-5, 5)
        x, y = _somewhere(area, what.reach, rng)
        lying = Lying(what, x, y, angle)
        if not any(_overlap(lying, other, _GAP) for other in down):
            return lying
    return None


def turned_over(what: Thing, was: Lying, down: Sequence[Lying], area: layouts.Box, turns: bool, rng: Random) -> Lying:
    """About where another side of it lay: a hand that turns a piece over moves it a little, if there is room."""
    spin = 25.0 if turns else 4.0
    for _ in range(_FEW_TRIES):
        x, y = was.x + rng.uniform(-4, 4), was.y + rng.uniform(-4, 4)
        lying = Lying(what, x, y, (was.angle + rng.uniform(-spin, spin)) % 360, was.lift)
        fits = all(area.holds(corner) for corner in lying.footprint().corners())
        if fits and not any(_overlap(lying, other, _GAP) for other in down):
            return lying
    return Lying(what, was.x, was.y, was.angle, was.lift)


def _beside(what: Thing, down: Sequence[Lying], area: layouts.Box, rng: Random) -> Lying | None:
    """Edge to edge with a piece that lies there, or partly on top of it."""
    for _ in range(_TRIES):
        other = rng.choice(down)
        on_top = rng.random() < 0.4 and what.shape == "" and other.lift == 0
        angle = other.angle + rng.choice((0, 90, 180, 270)) + (rng.uniform(-25, 25) if on_top else 0)
        side = math.radians(other.angle + rng.choice((0, 90, 180, 270)))
        reach = (other.thing.size[0] + what.size[0]) / 2 + 0.15
        if on_top:
            reach *= rng.uniform(0.6, 0.85)
        along = rng.uniform(-0.4, 0.4) * what.size[0]
        x = other.x + math.cos(side) * reach - math.sin(side) * along
        y = other.y + math.sin(side) * reach + math.cos(side) * along
        lying = Lying(what, x, y, angle % 360, other.lift + other.thing.height if on_top else 0.0)
        fits = all(area.holds(corner) for corner in lying.footprint().corners())
        if fits and not any(_overlap(lying, third, 0.0) for third in down if third is not other):
            return lying
    return None


def _in_rows(things: Sequence[Thing], area: layouts.Box, turns: bool, rng: Random) -> list[Lying]:
    """So many pieces that only rows fit; where even these do not, pieces lie on their neighbours."""
    size = max(max(what.size) for what in things)
    needed = (size, size) if turns else _largest(things)
    columns = max(1, round(math.sqrt(len(things) * area.size[0] / area.size[1]))) if turns else _columns(things, area)
    rows = math.ceil(len(things) / columns)
    wide, tall = area.size[0] / columns, area.size[1] / rows
    places = rng.sample([(column, row) for row in range(rows) for column in range(columns)], len(things))
    room = min(wide - needed[0], tall - needed[1])
    down: list[Lying] = []
    for number, (what, (column, row)) in enumerate(zip(things, places, strict=True)):
        free = max(0.0, room)
        jitter = free / 4
        tilt = min(45.0, 90 * free / size)
        quarter = rng.choice((0, 90, 180, 270)) if turns else 0
        across, along = rng.uniform(-jitter, jitter), rng.uniform(-jitter, jitter)
        x, y = area.at((column + 0.5) * wide + across, (row + 0.5) * tall + along)
        lift = 0.0 if room >= 0 else 0.3 * number
        down.append(Lying(what, x, y, (area.angle + quarter + rng.uniform(-tilt / 3, tilt / 3)) % 360, lift))
    return down


def _columns(things: Sequence[Thing], area: layouts.Box) -> int:
    """In how many columns pieces that lie upright have most room."""
    wide, tall = _largest(things)

    def room(columns: int) -> float:
        return min(area.size[0] / columns - wide, area.size[1] / math.ceil(len(things) / columns) - tall)

    return max(range(1, len(things) + 1), key=room)


def _largest(things: Sequence[Thing]) -> Point:
    return max(what.size[0] for what in things), max(what.size[1] for what in things)


def _somewhere(area: layouts.Box, reach: float, rng: Random) -> Point:
    """A point at least `reach` from the edge, where the area is large enough."""
    width, height = area.size
    across, along = min(reach, width / 2), min(reach, height / 2)
    return area.at(rng.uniform(across, width - across), rng.uniform(along, height - along))


def _overlap(one: Lying, other: Lying, gap: float) -> bool:
    apart = math.hypot(one.x - other.x, one.y - other.y)
    if apart >= one.thing.reach + other.thing.reach + gap:
        return False
    if one.thing.is_round and other.thing.is_round:
        return True
    return not (_split(one, other, gap) or _split(other, one, gap))


def _split(one: Lying, other: Lying, gap: float) -> bool:
    """Whether a line along one of the first piece's edges keeps the two apart."""
    mine, theirs = one.footprint(gap).corners(), other.footprint(gap).corners()
    turn = math.radians(one.angle)
    for axis in ((math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))):
        here = [x * axis[0] + y * axis[1] for x, y in mine]
        there = [x * axis[0] + y * axis[1] for x, y in theirs]
        if max(here) <= min(there) or max(there) <= min(here):
            return True
    return False
