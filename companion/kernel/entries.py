"""What people enter by hand in one form: what lies in several zones, instead of one move after the other.

The moves follow from what lies there, as they follow from what a camera sees.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import msgspec

from companion.kernel.messages import UNKNOWN, Cells, Contents, Pieces


class Asked(msgspec.Struct, frozen=True):
    """Some `cells` of a zone, or all its loose pieces if there are no cells. `labels` is what may lie there.

    `seat` is the player who knows it best, if it belongs to one.
    """

    zone: str
    labels: tuple[str, ...]
    cells: tuple[str, ...] = ()
    seat: int | None = None


class Entry(msgspec.Struct, frozen=True):
    """The zones to enter now.

    With `together`, nothing follows before all zones are entered, and pieces only move between these zones.
    """

    zones: tuple[Asked, ...]
    together: bool = False

    def of(self, zone: str) -> tuple[Asked, ...]:
        """What is asked about a zone: its cells in groups, if not the same pieces may lie in all of them."""
        return tuple(asked for asked in self.zones if asked.zone == zone)


def asked_places(now: Mapping[str, Contents], outcomes: Iterable[tuple[str, Mapping[str, Contents]]]) -> Entry | None:
    """The Entry for what chance may lay out next: `outcomes` has the kind of each of its moves, and the zones after it.

    Only kinds of moves that put one piece in one place count. A single place needs no form of its own.
    """
    kinds: dict[str, dict[tuple[str, str], dict[str, None]] | None] = {}
    for kind, zones in outcomes:
        place, found = _filled(now, zones), kinds.setdefault(kind, {})
        if place is None or found is None:
            kinds[kind] = None
        else:
            found.setdefault(place[:2], {})[place[2]] = None
    places: dict[tuple[str, str], dict[str, None]] = {}
    for found in filter(None, kinds.values()):
        for spot, labels in found.items():
            places.setdefault(spot, {}).update(labels)
    if len(places) < 2:
        return None
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (zone, cell), labels in places.items():
        groups.setdefault((zone, tuple(labels)), []).append(cell)
    return Entry(tuple(Asked(zone, labels, tuple(filter(None, cells))) for (zone, labels), cells in groups.items()))


def _filled(now: Mapping[str, Contents], after: Mapping[str, Contents]) -> tuple[str, str, str] | None:
    """Zone, cell and label of the one piece that was put down; the cell is empty for a loose piece."""
    cells, loose = list[tuple[str, str, str]](), list[tuple[str, str, str]]()
    for zone, contents in after.items():
        before = now.get(zone)
        if isinstance(contents, Cells) and isinstance(before, Cells):
            cells += [(zone, cell, label or "") for cell, label in contents.at.items() if before.at.get(cell) != label]
        elif isinstance(contents, Pieces) and isinstance(before, Pieces):
            loose += [
                (zone, "", label)
                for label, number in contents.count.items()
                for _ in range(number - before.count.get(label, 0))
            ]
    found = cells or loose
    return found[0] if len(found) == 1 and found[0][2] not in ("", UNKNOWN) else None
