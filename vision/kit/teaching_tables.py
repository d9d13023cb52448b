"""Tables as they are laid for teaching, so that a few pictures show every piece."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import cycle, islice
from typing import Final

from companion.kernel.views import Cells, Contents, Marks, Pieces, Pointing, View
from vision.layout import (
    Dial,
    Dice,
    Grid,
    Layout,
    Point,
    Pool,
    Slots,
    Track,
    Tray,
    Zone,
)

_ROOM: Final = 1.6
"""So many of its widths a loose piece takes across and down."""
_UPRIGHT: Final = 1.3
"""… and one that lies upright."""

Waiting = dict[tuple[str, ...], Iterator[str]]
"""The labels that come next, going round, by all that may lie in a zone."""


def everything(layout: Layout) -> tuple[View, ...]:
    """Tables that show every piece: a single one with all its kinds in each zone, where there is room for them.

    Otherwise zones show some of their kinds in turn, on as many tables as that takes, and the last table is bare.
    """
    wanted = {(zone.holds, label) for zone in layout.zones.values() for label in _labels(layout, zone)}
    waiting: Waiting = {}
    views = [_laid(layout, waiting)]
    while missing := wanted - {kind for view in views for kind in _shown(layout, view)}:
        views.append(_laid(layout, waiting))
        if not missing & set(_shown(layout, views[-1])):
            views.pop()
            break
    crowded = any(_room(layout, zone) < len(_labels(layout, zone)) for zone in layout.zones.values())
    return (*views, bare(layout)) if crowded else tuple(views)


def _labels(layout: Layout, zone: Zone) -> tuple[str, ...]:
    return zone.labels or (layout.pieces[zone.holds].labels if zone.holds else ())


def _room(layout: Layout, zone: Zone) -> int:
    """How many kinds a zone can show at a time."""
    match zone:
        case Grid() | Slots() | Track():
            return len(zone.places())
        case Tray() | Pool() | Dice() if zone.holds:
            wide, tall = zone.area().size
            across, down = layout.pieces[zone.holds].size
            each = _ROOM if zone.turns else _UPRIGHT
            return max(1, int(wide // (across * each))) * max(1, int(tall // (down * each)))
        case _:
            return len(_labels(layout, zone))


def _laid(layout: Layout, waiting: Waiting) -> View:
    zones: dict[str, Contents] = {}
    taken: set[Point] = set()
    for name, zone in layout.zones.items():
        labels: Sequence[str] = _labels(layout, zone)
        if (room := _room(layout, zone)) < len(labels):
            labels = list(islice(waiting.setdefault(tuple(labels), cycle(labels)), room))
        match zone:
            case Grid() | Slots() if labels:
                places = zone.places()
                # What stands on other pieces leaves most of them free, and some places are left empty.
                stacked = bool({box.centre for box in places.values()} & taken)
                turn = cycle([*labels, None] if len(places) > len(labels) else labels)
                zones[name] = Cells({cell: None if stacked and n % 5 else next(turn) for n, cell in enumerate(places)})
                taken |= {box.centre for box in places.values()}
            case Tray() | Pool() | Dice() if labels:
                zones[name] = Pieces(dict.fromkeys(labels, 1))
            case Track() if labels:
                # Beside each other, their colours could not be assigned.
                fields = islice(zone.at, 0, None, max(1, len(zone.at) // len(labels)))
                zones[name] = Marks({label: int(field) for label, field in zip(labels, fields, strict=False)})
            case Dial():
                zones[name] = Pointing(zone.sectors[0].value)
            case _:
                pass
    return View(zones)


def bare(layout: Layout) -> View:
    """A table with nothing on it, for what lies on small fields hides all of their ground."""
    zones: dict[str, Contents] = {}
    for name, zone in layout.zones.items():
        match zone:
            case Grid() | Slots():
                zones[name] = Cells(dict.fromkeys(zone.places()))
            case Tray() | Pool() | Dice():
                zones[name] = Pieces({})
            case Track():
                zones[name] = Marks({})
            case Dial():
                zones[name] = Pointing(zone.sectors[0].value)
    return View(zones)


def _shown(layout: Layout, view: View) -> Iterator[tuple[str, str]]:
    """Families and labels that lie on a table."""
    for name, contents in view.zones.items():
        labels: Sequence[str | None] = ()
        match contents:
            case Cells(at=at):
                labels = list(at.values())
            case Pieces(count=count):
                labels = list(count)
            case Marks(field=field):
                labels = list(field)
            case _:
                pass
        yield from ((layout.zones[name].holds, label) for label in labels if label is not None)
