"""Views, and how they are compared: with what was seen, with another position, and with two positions around it.

A View says what the table should look like, zone by zone; what the camera saw has the same shape. All comparisons are
here, so that the referee, the simulation and the sentences agree about what differs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping

import msgspec

UNKNOWN = "unknown"
"""The contents of a cell that could not be seen."""


class Cells(msgspec.Struct, frozen=True, tag="cells"):
    """Named places (`grid`, `slots`) and what lies in each: None is empty, `UNKNOWN` was not seen."""

    at: dict[str, str | None]


class Pieces(msgspec.Struct, frozen=True, tag="pieces"):
    """Loose pieces (`tray`, `dice`, `pool`), counted by label; a label that counts 0 is absent."""

    count: dict[str, int]

    def __post_init__(self) -> None:
        if 0 in self.count.values():
            there = {label: number for label, number in self.count.items() if number}
            msgspec.structs.force_setattr(self, "count", there)


class Marks(msgspec.Struct, frozen=True, tag="marks"):
    """Markers on a numbered `track`, and the field each stands on."""

    field: dict[str, int]


class Pointing(msgspec.Struct, frozen=True, tag="pointing"):
    """The value a `dial` points at; None while the dial does not matter."""

    value: int | None


Contents = Cells | Pieces | Marks | Pointing


Place = tuple[str, str]
"""A zone, and a cell or marker in it; empty for the whole zone."""


class View(msgspec.Struct, frozen=True):
    """What the table should look like, zone by zone. Zones that are not named may look like anything."""

    zones: dict[str, Contents]


class Looked:
    """Reads a View: what lies where. A zone that was not seen is unknown."""

    def __init__(self, view: View) -> None:
        self.view = view
        self._zones = view.zones

    def cell(self, zone: str, cell: str) -> str | None:
        """What lies in a cell; `UNKNOWN` if it was not seen."""
        contents = self._zones.get(zone)
        return contents.at.get(cell, UNKNOWN) if isinstance(contents, Cells) else UNKNOWN

    def pieces(self, zone: str) -> Counter[str] | None:
        contents = self._zones.get(zone)
        return Counter(contents.count) if isinstance(contents, Pieces) else None

    def mark(self, zone: str, marker: str) -> int | None:
        contents = self._zones.get(zone)
        return contents.field.get(marker) if isinstance(contents, Marks) else None

    def pointing(self, zone: str) -> int | None:
        contents = self._zones.get(zone)
        return contents.value if isinstance(contents, Pointing) else None


def dials(view: View) -> dict[str, Contents]:
    return {name: contents for name, contents in view.zones.items() if isinstance(contents, Pointing)}


class ViewComparison:
    """Compares what was seen with many positions, and remembers each comparison of a zone."""

    def __init__(self, seen: View) -> None:
        self.seen = seen
        self.compared = 0
        """The number of positions it was compared with."""
        self._known: dict[tuple[str, int], tuple[Contents, int]] = {}

    def mismatches(self, should: View) -> int:
        """The number of pieces that differ between what was seen and what should be there."""
        self.compared += 1
        total = 0
        for name, seen in self.seen.zones.items():
            contents = should.zones.get(name)
            if contents is not None:
                total += self._zone(name, seen, contents)
        return total

    def is_of(self, should: View) -> bool:
        """Whether nothing differs. Faster than `mismatches` if most positions differ."""
        return all(
            name not in should.zones or not self._zone(name, seen, should.zones[name])
            for name, seen in self.seen.zones.items()
        )

    def fits(self, should: View) -> bool:
        """Whether it may be this position, in which a game may not know yet what some cells will show."""
        return all(
            not mismatches(seen, known(should.zones[name]))
            for name, seen in self.seen.zones.items()
            if name in should.zones
        )

    def from_(self, now: View) -> Callable[[View], bool]:
        """A test whether what was seen may be a moment on the way from a position to another one."""
        zones = self.seen.zones
        # Zones that have changed are compared first: there most ways differ.
        restless = [name for name in zones if name in now.zones and self._zone(name, zones[name], now.zones[name])]
        order = (*restless, *(name for name in zones if name not in restless))

        def to(then: View) -> bool:
            return all(
                _between(now.zones.get(name), zones[name], then.zones[name]) for name in order if name in then.zones
            )

        return to

    def _zone(self, name: str, seen: Contents, should: Contents) -> int:
        # A game may give the same contents for many positions. They are kept, so that no other object gets their id.
        known = self._known.get((name, id(should)))
        if known is None:
            known = self._known[name, id(should)] = should, mismatches(seen, should)
        return known[1]


# What was seen, and what should be there


def distance(seen: View, should: View) -> int:
    """The number of pieces that differ between what was seen and what should be there, in the zones that were seen."""
    return sum(mismatches(seen.zones[name], contents) for name, contents in should.zones.items() if name in seen.zones)


def mismatches(seen: Contents, should: Contents) -> int:
    """The number of pieces of one zone that differ. What was not seen may be what should be there."""
    match seen, should:
        case Cells(at=a), Cells(at=b):
            return len(wrong_cells(a, b))
        case Pieces(count=a), Pieces(count=b):
            return sum(abs(a.get(label, 0) - b.get(label, 0)) for label in a.keys() | b.keys())
        case Marks(field=a), Marks(field=b):
            return sum(a[marker] != field for marker, field in b.items() if marker in a)
        case Pointing(value=a), Pointing(value=b):
            return int(a is not None and b is not None and a != b)
        case _:
            return 1


def wrong_cells(seen: Mapping[str, str | None], should: Mapping[str, str | None]) -> list[str]:
    """The cells that were seen and hold something else than they should."""
    return [cell for cell, label in should.items() if seen.get(cell, UNKNOWN) not in (UNKNOWN, label)]


def differences(seen: View, should: View) -> dict[str, tuple[Contents, Contents]]:
    """The zones in which something else was seen than should be there, with both."""
    return {
        name: (seen.zones[name], contents)
        for name, contents in should.zones.items()
        if name in seen.zones and seen.zones[name] != contents and mismatches(seen.zones[name], contents)
    }


def known(contents: Contents) -> Contents:
    """The contents without the cells that are still unknown."""
    if isinstance(contents, Cells) and UNKNOWN in contents.at.values():
        return Cells({cell: label for cell, label in contents.at.items() if label != UNKNOWN})
    return contents


# Two positions: what changes from one to the other


def changed_zones(before: View, after: View) -> tuple[str, ...]:
    """The zones that have changed, in the order of the table."""
    was = before.zones
    return tuple(zone for zone, contents in after.zones.items() if was[zone] is not contents and was[zone] != contents)


def same_table(one: View, other: View) -> bool:
    return not changed_zones(one, other)


def changed_places(before: View, after: View) -> tuple[Place, ...]:
    """The places that have changed: cells and markers by their names, any other zone as a whole."""
    return tuple(
        (zone, name)
        for zone in changed_zones(before, after)
        for name in _changed_names(before.zones[zone], after.zones[zone])
    )


def _changed_names(before: Contents, after: Contents) -> Iterable[str]:
    match before, after:
        case Cells(at=was), Cells(at=now):
            return [cell for cell, label in now.items() if was.get(cell) != label]
        case Marks(field=stood), Marks(field=stands):
            return [marker for marker, field in stands.items() if stood.get(marker) != field]
        case _:
            return ("",)


# Three Views: what was seen between two positions


def on_the_way(now: View, seen: View, then: View) -> bool:
    """Whether what was seen may be a moment on the way from one position to another, with pieces in the hand."""
    return ViewComparison(seen).from_(now)(then)


def _between(now: Contents | None, seen: Contents, then: Contents) -> bool:
    match now, seen, then:
        case Cells(at=a), Cells(at=s), Cells(at=b):
            return all(_cell_between(a.get(cell), s.get(cell, UNKNOWN), label) for cell, label in b.items())
        case Pieces(count=a), Pieces(count=s), Pieces(count=b):
            return all(
                min(a.get(label, 0), b.get(label, 0)) <= s.get(label, 0) <= max(a.get(label, 0), b.get(label, 0))
                for label in a.keys() | s.keys() | b.keys()
            )
        case Marks(field=a), Marks(field=s), Marks(field=b):
            return all(s[marker] in (a.get(marker), field) for marker, field in b.items() if marker in s)
        case Pointing(value=a), Pointing(value=value), Pointing(value=b):
            return value is None or b is None or a is None or value in (a, b)
        case _:
            return False


def _cell_between(now: str | None, seen: str | None, then: str | None) -> bool:
    """An empty cell whose piece was lifted is on the way, too, and so are the first of several figures."""
    if seen in (now, then, UNKNOWN) or then == UNKNOWN:
        return True
    return now != then and (seen is None or _fewer(seen, then))


def _fewer(seen: str, then: str | None) -> bool:
    """Whether these are some of the pieces that will stand there: `blue` or `blue x2` of `blue x3`."""
    if then is None:
        return False
    (one, few), (other, many) = several(seen), several(then)
    return one == other and few < many


def several(label: str) -> tuple[str, int]:
    """The name and number in a cell's label: `blue x2` is two of `blue`."""
    name, times, number = label.rpartition(" x")
    return (name, int(number)) if times and number.isdecimal() else (label, 1)
