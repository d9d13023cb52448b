"""Stores what was observed at one table: Readings and button presses.

`Observations` keeps the newest contents of every zone, since when places are hidden, and which dials were turned.
`Presses` keeps presses in order: each counts once, and waits while a hand is over the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, NamedTuple

from companion.kernel.messages import Odd, Reading, Signal
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, Place, Pointing, View, mismatches

COVERED: Final = 20.0
"""Seconds after which something that covers a zone is no hand; then the zone counts as invisible."""
UNSURE: Final = 3.0
"""Seconds for which an unreadable place is looked at again; then it counts as invisible."""
UNCOUNTED: Final = 10.0
"""Seconds after which another picture of an uncountable heap will not help, and people must spread it."""
TURNED: Final = 8.0
"""Minimum degrees by which a dial's arrow moves if it is turned."""

BUSY: Final = 3.0
"""Seconds for which a press waits for hands to leave the table: people press after their move, and the camera sees the
move only when the hands are gone."""

ANOTHER_CLOCK: Final = 60.0
"""A backward jump by this many seconds counts as a new clock."""


class Evidence(NamedTuple):
    """Whether some of the places in question are under a hand, not readable yet, or invisible."""

    covered: bool
    unsure: bool
    blind: bool


class Observations:
    """The newest Readings of one table."""

    def __init__(self) -> None:
        self.latest: Reading | None = None
        self._hidden: dict[Place, tuple[float, bool]] = {}
        self._markers: dict[str, set[str]] = {}
        """All markers seen on a track so far. If one of them is missing, it is unreadable."""
        self._dials: dict[str, tuple[int, float | None]] = {}
        self._turned: set[str] = set()
        self.turned_early: set[str] = set()
        """Dials that were turned when no dial was expected: their values may or may not count later."""

    def take(self, reading: Reading, now: float) -> None:
        self.latest = reading
        for name, zone in reading.zones.items():
            self._watch((name, ""), zone.contents is None, zone.covered, now)
            if isinstance(zone.contents, Cells):
                for cell, label in zone.contents.at.items():
                    self._watch((name, cell), label == UNKNOWN, False, now)
            if isinstance(zone.contents, Marks):
                markers = self._markers.setdefault(name, set())
                markers.update(zone.contents.field)
                for marker in markers:
                    self._watch((name, marker), marker not in zone.contents.field, False, now)
            if isinstance(zone.contents, Pointing) and zone.contents.value is not None:
                self._point(name, zone.contents.value, zone.found[0].angle if zone.found else None)

    def _watch(self, place: Place, hidden: bool, covered: bool, now: float) -> None:
        if not hidden:
            self._hidden.pop(place, None)
        elif place not in self._hidden or self._hidden[place][1] != covered:
            self._hidden[place] = now, covered

    def countdown_is_over(self, now: float, seconds: float) -> None:
        """Restart the waiting time of places under hands: during the countdown hands were always there."""
        for place, (since, covered) in self._hidden.items():
            if covered and now - since < seconds + COVERED:
                self._hidden[place] = now, covered

    def _point(self, name: str, value: int, angle: float | None) -> None:
        """Follow a dial. Its angle shows a turn even if it points to the same area again."""
        before = self._dials.get(name)
        self._dials[name] = value, angle
        if before is None:
            return
        moved = angle is not None and before[1] is not None and abs((angle - before[1] + 180) % 360 - 180) >= TURNED
        if value != before[0] or moved:
            self._turned.add(name)
            self.turned_early.discard(name)

    def view(self, ignored: Iterable[str] = ()) -> View:
        """The visible contents of all zones, except ignored ones."""
        if self.latest is None:
            return View({})
        skipped = set(ignored)
        return View({name: shown for name, shown in self.latest.view().zones.items() if name not in skipped})

    def turned(self) -> dict[str, int]:
        """The values of dials that were turned and not handled yet."""
        shown = self.view().zones
        return {name: self._dials[name][0] for name in sorted(self._turned) if name in shown}

    def dial_taken_in(self, name: str) -> None:
        """Mark a turned dial as handled."""
        self._turned.discard(name)
        self.turned_early.discard(name)

    def hidden(self, should: View, cells: bool) -> set[Place]:
        """The zones and markers of a position that are not visible now, and single cells if `cells` is set."""
        places: set[Place] = {(zone, "") for zone in should.zones}
        for zone, contents in should.zones.items():
            if cells or isinstance(contents, Marks):
                places |= {(zone, name) for name in _named(contents)}
        return {(zone, cell) for zone, cell in places if self._hidden_since(zone, cell) is not None}

    def unclear(self, should: View, now: float) -> set[str]:
        """The zones with places that have just become unreadable."""
        found = set()
        for zone, cell in self.hidden(should, cells=True):
            since, covered = self._hidden_since(zone, cell) or (now, True)
            if not covered and now - since < UNSURE:
                found.add(zone)
        return found

    def unclear_for(self, place: Place, now: float) -> float:
        """The seconds for which a place has been unreadable although nothing covers it."""
        since, covered = self._hidden_since(*place) or (now, False)
        return 0.0 if covered else now - since

    def odd(self, ignored: Iterable[str], now: float) -> list[tuple[str, Odd]]:
        """The reasons why zones cannot be read, once another look did not help; each reason once for a zone."""
        skipped = set(ignored)
        seen = {} if self.latest is None else self.latest.zones
        return [
            (name, odd)
            for name, zone in seen.items()
            if zone.contents is None and name not in skipped and self.unclear_for((name, ""), now) >= UNSURE
            for odd in dict.fromkeys(piece.odd for piece in zone.found if piece.odd)
        ]

    def heaps(self, should: View, ignored: Iterable[str], now: float, seconds: float = UNCOUNTED) -> list[str]:
        """Zones with several loose pieces that could not be counted for this long although nothing covers them."""
        skipped = set(ignored)
        seen = {} if self.latest is None else self.latest.zones
        return [
            name
            for name, contents in should.zones.items()
            if isinstance(contents, Pieces) and sum(contents.count.values()) > 1
            if name in seen and name not in skipped
            if seen[name].contents is None and self.unclear_for((name, ""), now) >= seconds
        ]

    def under_hands(self, now: float) -> bool:
        """Whether a hand is over the table."""
        return any(covered and now - since < COVERED for since, covered in self._hidden.values())

    def evidence(self, places: Iterable[Place], ignored: Iterable[str], now: float) -> Evidence:
        """How well these places are visible."""
        skipped = set(ignored)
        ways = {self._waited(place, now) for place in places if place[0] not in skipped}
        return Evidence("covered" in ways, "unsure" in ways, "blind" in ways)

    def blind(self, places: Iterable[Place], ignored: Iterable[str], now: float) -> list[Place]:
        """Those of the places that count as invisible."""
        skipped = set(ignored)
        return sorted(place for place in places if place[0] not in skipped and self._waited(place, now) == "blind")

    def _waited(self, place: Place, now: float) -> Literal["seen", "covered", "unsure", "blind"]:
        hidden = self._hidden_since(*place)
        if hidden is None:
            return "seen"
        since, under_hand = hidden
        if now - since >= (COVERED if under_hand else UNSURE):
            return "blind"
        return "covered" if under_hand else "unsure"

    def _hidden_since(self, zone: str, cell: str) -> tuple[float, bool] | None:
        """Since when a place is hidden and whether something covers it; a place in no reading was always hidden."""
        if self.latest is None or zone not in self.latest.zones:
            return float("-inf"), False
        return self._hidden.get((zone, "")) or (self._hidden.get((zone, cell)) if cell else None)


def is_late(at: float, last: float) -> bool:
    """Whether a time is not after the last known one. A backward jump counts as a new clock, and is not late."""
    return last - ANOTHER_CLOCK < at <= last


def without_dials(seen: View, should: View) -> View:
    """A View without the dials that do not match the state: people may touch dials at any time."""
    return View(
        {
            name: shown
            for name, shown in seen.zones.items()
            if not (isinstance(shown, Pointing) and mismatches(shown, should.zones.get(name, shown)))
        }
    )


def _named(contents: Contents) -> Mapping[str, str | int | None]:
    """The named places in a zone: cells with their pieces, markers with their fields."""
    match contents:
        case Cells(at=cells):
            return cells
        case Marks(field=fields):
            return fields
        case _:
            return {}


class Presses:
    """The Signals of one table in the order of their arrival."""

    def __init__(self) -> None:
        self._heard: dict[tuple[str, str, int | None], float] = {}
        self._waiting: list[tuple[Signal, float]] = []

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def known(self, signal: Signal) -> bool:
        """Whether this Signal came before. A backward jump in time counts as a new clock."""
        last = self._heard.get(_key(signal))
        return last is not None and is_late(signal.at, last)

    def add(self, signal: Signal, now: float) -> None:
        self._heard[_key(signal)] = signal.at
        self._waiting.append((signal, now))

    def due(self, busy: bool, now: float) -> Iterator[Signal]:
        """Remove and return the Signals that wait no longer."""
        while self._waiting and not (busy and self._held(*self._waiting[0], now)):
            yield self._waiting.pop(0)[0]

    def _held(self, signal: Signal, since: float, now: float) -> bool:
        return signal.kind == "press" and now - since < BUSY

    def forget(self, signal: Signal) -> None:
        """Forget a Signal that could not be written, so that it counts when it comes again."""
        self._heard.pop(_key(signal), None)


def _key(signal: Signal) -> tuple[str, str, int | None]:
    return signal.kind, signal.source, signal.seat
