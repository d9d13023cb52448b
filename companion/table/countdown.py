"""Watches a countdown: counts the pieces in each zone while the timer runs, and reports what looks wrong as hints.

It never accuses, because hands cover the table and a camera sees only moments. After the stop, once the pieces lie
still, the referee judges.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, NamedTuple

from companion.kernel.capabilities import Countdown
from companion.kernel.messages import Reading
from companion.kernel.rules import SeatNo
from companion.kernel.views import Pieces, View
from companion.table.ledger import Proof
from companion.table.observations import COVERED, Observations, is_late

SWIFT: Final = 1.0
"""Two pieces within this many seconds were taken at once: people are not faster."""


class PendingStop(NamedTuple):
    """The stop of a countdown `at` a time, which waits `since` another for the table to be seen."""

    move: Any
    proof: Proof
    at: float
    since: float

    def was_seen(self, countdown: Countdown, observations: Observations, ignored: Iterable[str], now: float) -> bool:
        """Whether the camera has looked since the stop, and every piece was seen or cannot be seen."""
        evidence = observations.evidence([(zone, "") for zone in (countdown.source, *countdown.keeps)], ignored, now)
        return self._looked(observations) and not (evidence.covered or evidence.unsure)

    def waited_in_vain(self, observations: Observations, now: float) -> bool:
        return not self._looked(observations) and now - self.since >= COVERED

    def _looked(self, observations: Observations) -> bool:
        return observations.latest is not None and not is_late(observations.latest.at, self.at)


class Suspicion(NamedTuple):
    """Something that looks forbidden by the rules of a countdown."""

    rule: str
    kind: Literal["back", "several", "hands"]
    seats: tuple[SeatNo, ...]
    facts: dict[str, int]


class _Count(NamedTuple):
    pieces: int
    at: float


class CountdownWatch:
    """Watches one countdown. `sides` maps seats to sides of the table, as far as they are known."""

    def __init__(self, countdown: Countdown, sides: Mapping[SeatNo, str]) -> None:
        self.countdown = countdown
        self._sides = dict(sides)
        self._last: dict[str, _Count] = {}
        self._most: dict[str, int] = {}
        self._said: set[tuple[str, tuple[SeatNo, ...]]] = set()
        self._counts: Mapping[str, int] = {}
        """The last seen number of pieces in each zone, with the source. Replaced as a whole, for other threads."""

    def read(self, reading: Reading) -> Iterator[Suspicion]:
        """New suspicions from a reading."""
        for suspicion in (*self._counted(reading), *self._hands(reading)):
            if (suspicion.kind, suspicion.seats) not in self._said:
                self._said.add((suspicion.kind, suspicion.seats))
                yield suspicion

    def after(self, frozen: View) -> Iterator[Suspicion]:
        """New suspicions from the table after the stop: pieces that are missing since."""
        for zone, seat in self.countdown.keeps.items():
            shown, most = frozen.zones.get(zone), self._most.get(zone)
            if (
                isinstance(shown, Pieces)
                and most is not None
                and _total(shown) < most
                and ("back", (seat,)) not in self._said
            ):
                yield Suspicion(self.countdown.stays, "back", (seat,), {"was": most, "now": _total(shown)})

    def taken(self) -> dict[str, Any]:
        """The last seen number of pieces of each seat, in seat order, and in the source; None: not seen yet."""
        counts, zones = self._counts, {seat: zone for zone, seat in self.countdown.keeps.items()}
        return {"seats": [counts.get(zones[seat]) for seat in sorted(zones)], "left": counts.get(self.countdown.source)}

    def _counted(self, reading: Reading) -> Iterator[Suspicion]:
        source = reading.zones.get(self.countdown.source)
        if source is not None and isinstance(source.contents, Pieces):
            self._counts = {**self._counts, self.countdown.source: _total(source.contents)}
        for zone, seat in self.countdown.keeps.items():
            shown = reading.zones[zone].contents if zone in reading.zones else None
            if not isinstance(shown, Pieces):
                continue
            pieces, before = _total(shown), self._last.get(zone)
            self._count(zone, pieces, reading.at)
            if before is None:
                continue
            facts = {"was": before.pieces, "now": pieces}
            if pieces < before.pieces:
                yield Suspicion(self.countdown.stays, "back", (seat,), facts)
            elif pieces > before.pieces + 1 and reading.at - before.at < SWIFT:
                yield Suspicion(self.countdown.one_at_a_time, "several", (seat,), facts)

    def _count(self, zone: str, pieces: int, at: float) -> None:
        self._last[zone] = _Count(pieces, at)
        self._counts = {**self._counts, zone: pieces}
        self._most[zone] = max(pieces, self._most.get(zone, 0))

    def _hands(self, reading: Reading) -> Iterator[Suspicion]:
        """Suspicions of players who use both hands: more hands from one side than players sit there."""
        for side in set(self._sides.values()):
            seats = tuple(seat for seat, where in self._sides.items() if where == side)
            hands = reading.hands.count(side)
            if hands > len(seats):
                yield Suspicion(self.countdown.one_hand, "hands", seats, {"hands": hands})


def _total(pieces: Pieces) -> int:
    return sum(pieces.count.values())
