"""What was observed at one table: Readings, and presses of buttons.

`Observations` keeps the newest contents of every zone, since when one is hidden, and which dials were turned. `Presses`
keeps presses in order: each counts once, and waits while a hand is over the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Final, Literal, NamedTuple

from companion.kernel.messages import Odd, Reading, Signal
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, Place, Pointing, View, mismatches

COVERED: Final = 20.0
"""Seconds after which what covers a zone is no hand: it counts as out of sight."""
UNSURE: Final = 3.0
"""Seconds for which a place that could not be made out is looked at again before things go on without it."""
UNCOUNTED: Final = 10.0
"""Seconds after which a heap that cannot be counted will not be clearer in the next picture: people must help."""
TURNED: Final = 8.0
"""Degrees by which a dial's arrow must have moved to have been turned by somebody."""

BUSY: Final = 3.0
"""Seconds for which a press waits for hands that are over the table: people press when they are done, and what they
have just done is seen only when their hands are gone."""

ANOTHER_CLOCK: Final = 60.0
"""What is older than the last by so many seconds comes from a clock that was set back."""


class Evidence(NamedTuple):
    """Of the places in question, are some under a hand, not made out yet, or out of sight for good?"""

    covered: bool
    unsure: bool
    blind: bool


class Observations:
    """Follows the Readings of one table."""

    def __init__(self) -> None:
        self.latest: Reading | None = None
        self._hidden: dict[Place, tuple[float, bool]] = {}
        self._markers: dict[str, set[str]] = {}
        """The markers that were ever seen on a track: one that is missing cannot be made out."""
        self._dials: dict[str, tuple[int, float | None]] = {}
        self._turned: set[str] = set()
        self.turned_early: set[str] = set()
        """Dials that were turned when nothing was asked of them: what they show may count later, or may not."""

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
        """Hands were everywhere for so long: only from now on may what they cover be waited for in vain."""
        for place, (since, covered) in self._hidden.items():
            if covered and now - since < seconds + COVERED:
                self._hidden[place] = now, covered

    def _point(self, name: str, value: int, angle: float | None) -> None:
        """Follow a dial. Turned once around to the same area it has still been turned, and the angle tells."""
        before = self._dials.get(name)
        self._dials[name] = value, angle
        if before is None:
            return
        moved = angle is not None and before[1] is not None and abs((angle - before[1] + 180) % 360 - 180) >= TURNED
        if value != before[0] or moved:
            self._turned.add(name)
            self.turned_early.discard(name)

    def view(self, ignored: Iterable[str] = ()) -> View:
        """What can be seen now."""
        if self.latest is None:
            return View({})
        skipped = set(ignored)
        return View({name: shown for name, shown in self.latest.view().zones.items() if name not in skipped})

    def turned(self) -> dict[str, int]:
        """Dials that somebody has turned, which nothing has been made of yet, and what they show now."""
        shown = self.view().zones
        return {name: self._dials[name][0] for name in sorted(self._turned) if name in shown}

    def dial_taken_in(self, name: str) -> None:
        """What a dial shows has been made something of, or is known to mean nothing."""
        self._turned.discard(name)
        self.turned_early.discard(name)

    def hidden(self, should: View, cells: bool) -> set[Place]:
        """The zones and markers of a position that cannot be seen now, and the single cells if they are asked for."""
        places: set[Place] = {(zone, "") for zone in should.zones}
        for zone, contents in should.zones.items():
            if cells or isinstance(contents, Marks):
                places |= {(zone, name) for name in _named(contents)}
        return {(zone, cell) for zone, cell in places if self._hidden_since(zone, cell) is not None}

    def unclear(self, should: View, now: float) -> set[str]:
        """The zones of which something could not be made out just now."""
        found = set()
        for zone, cell in self.hidden(should, cells=True):
            since, covered = self._hidden_since(zone, cell) or (now, True)
            if not covered and now - since < UNSURE:
                found.add(zone)
        return found

    def unclear_for(self, place: Place, now: float) -> float:
        """For how many seconds a place has not been made out although nothing covers it."""
        since, covered = self._hidden_since(*place) or (now, False)
        return 0.0 if covered else now - since

    def odd(self, ignored: Iterable[str], now: float) -> list[tuple[str, Odd]]:
        """What keeps zones from being read, for so long that another look did not help; each zone's once."""
        skipped = set(ignored)
        seen = {} if self.latest is None else self.latest.zones
        return [
            (name, odd)
            for name, zone in seen.items()
            if zone.contents is None and name not in skipped and self.unclear_for((name, ""), now) >= UNSURE
            for odd in dict.fromkeys(piece.odd for piece in zone.found if piece.odd)
        ]

    def heaps(self, should: View, ignored: Iterable[str], now: float, seconds: float = UNCOUNTED) -> list[str]:
        """Zones with several loose pieces that nothing covers and that could not be counted for so long."""
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
        """How well these places can be seen."""
        skipped = set(ignored)
        ways = {self._waited(place, now) for place in places if place[0] not in skipped}
        return Evidence("covered" in ways, "unsure" in ways, "blind" in ways)

    def blind(self, places: Iterable[Place], ignored: Iterable[str], now: float) -> list[Place]:
        """Those of the places that are out of sight for good."""
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
        """Since when a place has been hidden; one that no reading speaks of has always been."""
        if self.latest is None or zone not in self.latest.zones:
            return float("-inf"), False
        return self._hidden.get((zone, "")) or (self._hidden.get((zone, cell)) if cell else None)


def is_late(at: float, last: float) -> bool:
    """Whether something happened before, or is, what was known last; a clock that was set back is another clock."""
    return last - ANOTHER_CLOCK < at <= last


def without_dials(seen: View, should: View) -> View:
    """What was seen, but for dials that point elsewhere than they should: anybody may have touched them."""
    return View(
        {
            name: shown
            for name, shown in seen.zones.items()
            if not (isinstance(shown, Pointing) and mismatches(shown, should.zones.get(name, shown)))
        }
    )


def _named(contents: Contents) -> Mapping[str, str | int | None]:
    """What has a name of its own in a zone: cells with what lies there, markers with where they stand."""
    match contents:
        case Cells(at=cells):
            return cells
        case Marks(field=fields):
            return fields
        case _:
            return {}


class Presses:
    """The signals of one table, in the order in which they were heard."""

    def __init__(self) -> None:
        self._heard: dict[tuple[str, str, int | None], float] = {}
        self._waiting: list[tuple[Signal, float]] = []

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def known(self, signal: Signal) -> bool:
        """The same signal twice is one; a clock that was set back is another clock."""
        last = self._heard.get(_key(signal))
        return last is not None and is_late(signal.at, last)

    def add(self, signal: Signal, now: float) -> None:
        self._heard[_key(signal)] = signal.at
        self._waiting.append((signal, now))

    def due(self, busy: bool, now: float) -> Iterator[Signal]:
        """Those that wait no longer."""
        while self._waiting and not (busy and self._held(*self._waiting[0], now)):
            yield self._waiting.pop(0)[0]

    def _held(self, signal: Signal, since: float, now: float) -> bool:
        return signal.kind == "press" and now - since < BUSY

    def forget(self, signal: Signal) -> None:
        """It could not be written down, and counts when it is pressed again."""
        self._heard.pop(_key(signal), None)


def _key(signal: Signal) -> tuple[str, str, int | None]:
    return signal.kind, signal.source, signal.seat
