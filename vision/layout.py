"""Layouts: the zones of a table in millimetres, and how they are drawn for people.

The origin is the top left corner of the area, x goes right and y down. Angles are in degrees, clockwise as seen from
above. Nothing here reads pictures.
"""

from __future__ import annotations

import math
import threading
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import Any, ClassVar, Final

import msgspec

from companion.kernel.messages import NewPiece, ZoneKind

Point = tuple[float, float]
Rect = tuple[float, float, float, float]
"""Left, top, right and bottom."""


class Drawing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Boards, lines between the centres of zones, and words, all in one colour.

    `size` is the thickness of lines and the height of words. `only` are the options with which this is on the table: a
    board with two sides shows one of them.
    """

    paint: str = "natural"
    rects: tuple[Rect, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    words: dict[str, Point] = {}
    size: float = 6.0
    only: dict[str, str] = {}

    def chosen(self, options: Mapping[str, object]) -> bool:
        return all(options.get(option) == value for option, value in self.only.items())

    def problems(self, zones: Collection[str]) -> Iterator[str]:
        for name in dict.fromkeys(end for line in self.lines for end in line if end not in zones):
            yield f"a line is drawn to zone {name!r}, which the layout does not have"
        if any(left >= right or top >= bottom for left, top, right, bottom in self.rects):
            yield "a drawn rectangle has no size"


_TURN: Final = threading.Lock()


class LayoutError(Exception):
    """An invalid layout; the message names the file and the zone."""


class Box(msgspec.Struct, frozen=True):
    """A rectangle on the table: centre, size, and rotation about the centre."""

    centre: Point
    size: Point
    angle: float = 0.0

    def at(self, x: float, y: float) -> Point:
        """The table point at (x, y) from the box's own top left corner."""
        turn = math.radians(self.angle)
        right, down = x - self.size[0] / 2, y - self.size[1] / 2
        return (
            self.centre[0] + right * math.cos(turn) - down * math.sin(turn),
            self.centre[1] + right * math.sin(turn) + down * math.cos(turn),
        )

    def corners(self) -> tuple[Point, Point, Point, Point]:
        """Top left, top right, bottom right and bottom left, as seen in the box's own rotation."""
        width, height = self.size
        return self.at(0, 0), self.at(width, 0), self.at(width, height), self.at(0, height)

    def holds(self, point: Point) -> bool:
        turn = math.radians(self.angle)
        right, down = point[0] - self.centre[0], point[1] - self.centre[1]
        across = right * math.cos(turn) + down * math.sin(turn)
        along = -right * math.sin(turn) + down * math.cos(turn)
        return abs(across) <= self.size[0] / 2 and abs(along) <= self.size[1] / 2

    def grown(self, margin: float) -> Box:
        return Box(self.centre, (self.size[0] + 2 * margin, self.size[1] + 2 * margin), self.angle)


class Area(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    width: float
    height: float


class Markers(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Printed ArUco markers: dictionary, side of the black square, and positions of the centres."""

    side: float
    at: dict[str, Point]
    dictionary: str = "4X4_50"


class Piece(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A family of pieces: their size, height and shape.

    `looks` describes in words how to draw a piece whose label does not say it: `king = "black pawn"`.
    """

    size: Point
    height: float = 0.0
    round: bool = False
    labels: tuple[str, ...] = ()
    worth: dict[str, int] = {}
    looks: dict[str, str] = {}


class _Zone(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True, tag_field="kind"):
    """What all zones share. `holds` names a family of pieces; `turns` means that they may lie in any rotation.

    `labels` are the members of the family that belong here. A piece with another label is reported only if it is
    certain.
    """

    holds: str = ""
    turns: bool = True
    labels: tuple[str, ...] = ()

    @property
    def kind(self) -> ZoneKind:
        kind: ZoneKind = self.__struct_config__.tag  # type: ignore[assignment]
        return kind


class Grid(_Zone, frozen=True, kw_only=True, tag="grid"):
    """Cells in rows and columns. `names` is a pattern of {row}, {column} (from 1) and {letter}."""

    rect: tuple[float, float, float, float]
    columns: int
    rows: int
    angle: float = 0.0
    names: str = "{letter}{row}"
    most: int = 0  # maximum number of pieces on one place; 0 means any number

    def places(self) -> Mapping[str, Box]:
        return _cells(self.rect, self.columns, self.rows, self.angle, self.names)

    def area(self) -> Box:
        return _box(self.rect, self.angle)


class _Places(_Zone, frozen=True, kw_only=True):
    """Places of one size at any positions."""

    at: dict[str, Point]
    size: Point
    angle: float = 0.0

    def places(self) -> Mapping[str, Box]:
        return {name: Box(point, self.size, self.angle) for name, point in self.at.items()}

    def area(self) -> Box:
        return _around(self.places().values())


class Slots(_Places, frozen=True, kw_only=True, tag="slots"):
    """Named places of one size at any positions."""

    most: int = 0  # as in a grid


class Track(_Places, frozen=True, kw_only=True, tag="track"):
    """Numbered fields on which markers stand."""


class Tray(_Zone, frozen=True, kw_only=True, tag="tray"):
    """Loose tiles or cards in any position."""

    rect: tuple[float, float, float, float]
    angle: float = 0.0

    def area(self) -> Box:
        return _box(self.rect, self.angle)


class Dice(_Zone, frozen=True, kw_only=True, tag="dice"):
    """Loose dice."""

    rect: tuple[float, float, float, float]
    angle: float = 0.0

    def area(self) -> Box:
        return _box(self.rect, self.angle)


class Pool(_Zone, frozen=True, kw_only=True, tag="pool"):
    """Loose pieces, counted by kind, perhaps on a cloth of another colour than theirs."""

    rect: tuple[float, float, float, float]
    angle: float = 0.0
    cloth: str = ""

    def area(self) -> Box:
        return _box(self.rect, self.angle)


class Sector(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A part of a dial, clockwise from one angle to another; 0 is up."""

    value: int
    start: float
    end: float

    def holds(self, angle: float) -> bool:
        width = self.end - self.start
        return width >= 360 or (angle - self.start) % 360 <= width % 360


class Dial(_Zone, frozen=True, kw_only=True, tag="dial"):
    """An arrow that points into a sector."""

    centre: Point
    radius: float
    sectors: tuple[Sector, ...]
    arrow_height: float = 3.0

    def area(self) -> Box:
        return Box(self.centre, (2 * self.radius, 2 * self.radius))

    def value(self, angle: float) -> int | None:
        """The value of the sector at an angle; on the line between two sectors, the smaller one."""
        within = [sector.value for sector in self.sectors if sector.holds(angle)]
        return min(within) if within else None


Zone = Grid | Slots | Track | Tray | Dice | Pool | Dial


def boxes(zone: Zone) -> list[Box]:
    """The boxes in which a zone's pieces lie: one for each place, or the whole area."""
    return list(zone.places().values()) if isinstance(zone, Slots | Track) else [zone.area()]


class Layout(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """One table."""

    KINDS: ClassVar[tuple[str, ...]] = ("grid", "slots", "tray", "dice", "track", "dial", "pool")

    name: str
    area: Area
    zones: dict[str, Zone]
    pieces: dict[str, Piece] = {}
    markers: Markers | None = None
    drawing: tuple[Drawing, ...] = ()
    picture: tuple[int, int] = (1920, 1080)  # pixels across and down that a camera above this table should give

    def chosen(self, options: Mapping[str, object]) -> Layout:
        """The layout as it is drawn with these options of a game."""
        return msgspec.structs.replace(self, drawing=tuple(one for one in self.drawing if one.chosen(options)))

    def grown(self, new: Iterable[NewPiece]) -> Layout:
        """The layout with pieces that people described. Pieces of unknown families are ignored."""
        pieces, zones = dict(self.pieces), dict(self.zones)
        for one in new:
            zones |= {
                name: msgspec.structs.replace(zone, labels=(*zone.labels, one.label))
                for name, zone in zones.items()
                if one.like in zone.labels and one.label not in zone.labels
            }
            if (family := pieces.get(one.family)) is not None:
                looks = {**family.looks, one.label: one.look} if one.look else family.looks
                labels = tuple(dict.fromkeys((*family.labels, one.label)))
                pieces[one.family] = msgspec.structs.replace(family, labels=labels, looks=looks)
        return msgspec.structs.replace(self, pieces=pieces, zones=zones)

    def piece(self, zone: Zone) -> Piece | None:
        return self.pieces.get(zone.holds)

    def problems(self) -> Iterator[str]:
        """Everything that is wrong, with the name of the zone."""
        if self.area.width <= 0 or self.area.height <= 0:
            yield "the area has no size"
        if min(self.picture) <= 0:
            yield "the picture has no size"
        for name, zone in self.zones.items():
            yield from (f"zone {name!r} {problem}" for problem in _problems(zone, self))
        for drawing in self.drawing:
            yield from drawing.problems(self.zones)
        for label, point in (self.markers.at if self.markers else {}).items():
            if not label.isdigit():
                yield f"marker {label!r} is not a number"
            if not self._inside(point, -200):
                yield f"marker {label} lies far off the table"

    def _inside(self, point: Point, margin: float = 0.0) -> bool:
        x, y = point
        return margin <= x <= self.area.width - margin and margin <= y <= self.area.height - margin


def load(path: Path) -> Layout:
    """Read and check a layout file."""
    return from_data(read(path), str(path))


def read(path: Path) -> dict[str, Any]:
    """The contents of a layout file, not yet checked."""
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise LayoutError(f"The layout {path} cannot be read: {error}.") from error
    except tomllib.TOMLDecodeError as error:
        raise LayoutError(f"The layout {path} is not valid TOML: {error}.") from error


def from_data(raw: Mapping[str, Any], source: str) -> Layout:
    """A layout from plain data. Only one thread at a time, since msgspec may crash when two threads use a type for the
    first time."""
    with _TURN:
        return _typed(raw, source)


def _typed(raw: Mapping[str, Any], source: str) -> Layout:
    zones = {name: _zone(name, zone, source) for name, zone in dict(raw.get("zones", {})).items()}
    try:
        layout = msgspec.convert({**raw, "zones": {}}, Layout)
    except msgspec.ValidationError as error:
        raise LayoutError(f"{source} is not a usable layout: {_where(error)}.") from error
    layout = msgspec.structs.replace(layout, zones=zones)
    problems = list(layout.problems())
    if problems:
        raise LayoutError(f"{source}: {'; '.join(problems)}.")
    return layout


def _zone(name: str, raw: Any, source: str) -> Zone:
    kind = raw.get("kind") if isinstance(raw, dict) else None
    if kind not in Layout.KINDS:
        raise LayoutError(f"{source}: zone {name!r} is of kind {kind!r}; choose from {', '.join(Layout.KINDS)}.")
    try:
        zone: Zone = msgspec.convert(_with_fields(raw), Zone)
    except msgspec.ValidationError as error:
        raise LayoutError(f"{source}: zone {name!r} is not usable: {_where(error)}.") from error
    return zone


def _with_fields(raw: dict[str, Any]) -> dict[str, Any]:
    """Expand a track that is given by its corners (`path`): the fields between them have equal distances.

    A path that ends where it began is closed: its last number is the first field again.
    """
    if raw["kind"] != "track" or "path" not in raw or "at" in raw:
        return raw
    path = msgspec.convert(raw["path"], list[tuple[int, float, float]])
    if len(path) < 2 or any(start >= end for (start, *_), (end, *_) in pairwise(path)):
        raise msgspec.ValidationError("the numbers of a path rise from corner to corner - at `$.path`")
    at = {}
    for (start, *here), (end, *there) in pairwise(path):
        for field in range(start, end + 1):
            share = (field - start) / (end - start)
            at[str(field)] = tuple(round(a + (b - a) * share, 2) for a, b in zip(here, there, strict=True))
    if path[0][1:] == path[-1][1:]:
        del at[str(path[-1][0])]
    return {**{key: value for key, value in raw.items() if key != "path"}, "at": at}


def _where(error: msgspec.ValidationError) -> str:
    what, _, where = str(error).partition(" - at `$.")
    return f"{where.rstrip('`')}: {what}" if where else what


def _problems(zone: Zone, layout: Layout) -> Iterator[str]:
    if zone.holds and zone.holds not in layout.pieces:
        yield f"holds {zone.holds!r}, but there are no such pieces"
    strange = set(zone.labels) - set(piece.labels) if (piece := layout.piece(zone)) is not None and piece.labels else ()
    if strange:
        yield f"names pieces that {zone.holds!r} does not have: {', '.join(sorted(strange))}"
    area = zone.area()
    if min(area.size) <= 0:
        yield "has no size"
    elif not all(layout._inside(corner, -1.0) for corner in area.corners()):
        yield "reaches beyond the table"
    if isinstance(zone, Grid | Slots) and zone.most < 0:
        yield f"cannot hold at most {zone.most} pieces on a place"
    match zone:
        case Grid():
            if zone.columns < 1 or zone.rows < 1:
                yield "needs at least one row and one column"
            elif len(zone.places()) != zone.columns * zone.rows:
                yield f"gives two cells the same name with the pattern {zone.names!r}"
        case Slots() | Track():
            if not zone.at:
                yield "has no places"
        case Dial():
            if not zone.sectors:
                yield "has no sectors"
        case _:
            pass


@lru_cache(maxsize=64)
def _cells(
    rect: tuple[float, float, float, float], columns: int, rows: int, angle: float, names: str
) -> Mapping[str, Box]:
    """The cells of a grid, cached because they are used for every picture."""
    whole = _box(rect, angle)
    width, height = whole.size[0] / columns, whole.size[1] / rows
    return {
        names.format(row=row + 1, column=column + 1, letter=_letter(column)): Box(
            whole.at((column + 0.5) * width, (row + 0.5) * height), (width, height), angle
        )
        for row in range(rows)
        for column in range(columns)
    }


def _box(rect: tuple[float, float, float, float], angle: float) -> Box:
    left, top, right, bottom = rect
    return Box(((left + right) / 2, (top + bottom) / 2), (right - left, bottom - top), angle)


def _around(boxes: Any) -> Box:
    points = [corner for box in boxes for corner in box.corners()]
    if not points:
        return Box((0.0, 0.0), (0.0, 0.0))
    left, right = min(x for x, _ in points), max(x for x, _ in points)
    top, bottom = min(y for _, y in points), max(y for _, y in points)
    return _box((left, top, right, bottom), 0.0)


def _letter(column: int) -> str:
    """A, B, …, Z, AA, AB, …"""
    name = ""
    column += 1
    while column:
        column, rest = divmod(column - 1, 26)
        name = chr(ord("A") + rest) + name
    return name
