"""Views, and their one comparison: how many pieces differ, and whether one View may be a moment between two others.

A View says what the table should look like, zone by zone; what the camera saw has the same shape.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

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


class View(msgspec.Struct, frozen=True):
    """What the table should look like, zone by zone. Zones that are not named may look like anything."""

    zones: dict[str, Contents]


class Looked:
    """Reads a View: what lies where. A zone that was not seen is unknown."""

    def __init__(self, view: View) -> None:
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


def dials(view: View) -> dict[str, Contents]:
    return {name: contents for name, contents in view.zones.items() if isinstance(contents, Pointing)}


def distance(seen: View, should: View) -> int:
    """The number of pieces that differ between what was seen and what should be there, in the zones that were seen."""
    return sum(mismatches(seen.zones[name], contents) for name, contents in should.zones.items() if name in seen.zones)


def mismatches(seen: Contents, should: Contents) -> int:
    match seen, should:
        case Cells(at=a), Cells(at=b):
            return sum(a.get(cell, UNKNOWN) not in (UNKNOWN, label) for cell, label in b.items())
        case Pieces(count=a), Pieces(count=b):
            return sum(abs(a.get(label, 0) - b.get(label, 0)) for label in a.keys() | b.keys())
        case Marks(field=a), Marks(field=b):
            return sum(a[marker] != field for marker, field in b.items() if marker in a)
        case Pointing(value=a), Pointing(value=b):
            return int(a is not None and b is not None and a != b)
        case _:
            return 1


def known(contents: Contents) -> Contents:
    """The contents without the cells that are still unknown."""
    if isinstance(contents, Cells) and UNKNOWN in contents.at.values():
        return Cells({cell: label for cell, label in contents.at.items() if label != UNKNOWN})
    return contents


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


def differences(seen: View, expected: View) -> dict[str, tuple[Contents | None, Contents]]:
    """The zones of `expected` in which `seen` shows something else. Zones that were not seen do not count."""
    return {
        name: (seen.zones[name], should)
        for name, should in expected.zones.items()
        if name in seen.zones and not agrees(seen.zones[name], should)
    }


def agrees(seen: Contents, expected: Contents) -> bool:
    """Whether what was seen may be what was expected. Unknown cells agree with anything."""
    match seen, expected:
        case Cells(at=a), Cells(at=b):
            return all(a.get(cell, UNKNOWN) in (UNKNOWN, should) for cell, should in b.items())
        case Pieces(count=a), Pieces(count=b):
            return all(a.get(label, 0) == b.get(label, 0) for label in a.keys() | b.keys())
        case Marks(field=a), Marks(field=b):
            return all(a[marker] == should for marker, should in b.items() if marker in a)
        case Pointing(value=a), Pointing(value=b):
            return b is None or a is None or a == b
        case _:
            return False
