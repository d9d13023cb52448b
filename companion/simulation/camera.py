"""A camera without pixels: the moments in which people move pieces, and Readings of them with errors like those of a
real camera.

Everything is looked at in two pictures. Each may show it wrongly or not at all, and if they differ, it is unknown. A
zone is read again after it changed, after a hand was over it, or on request.

Everything runs in the thread of the people who move the pieces; other threads only ask for another look.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Collection, Iterator, Sequence
from random import Random
from typing import Any, Final, NamedTuple

import msgspec

from companion.kernel.game import Game
from companion.kernel.messages import Found, Reading, Signal, ZoneKind, ZoneReading
from companion.kernel.simulation import pieces_in
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, Pointing, View, changed_zones

# Moments: what a camera sees while people move pieces, with hands over parts of the table

SortOf = Callable[[str], str]

HANDS_SEEN: Final = 0.6
"""Probability that a picture is taken while hands are over the table."""
GLANCES: Final = (2, 5)
"""Range of the number of moments that are visible during a countdown."""


class Moment(msgspec.Struct, frozen=True):
    """The table for some seconds: its View, the zones under hands, and the dials that were just turned.

    The buttons and timers in `signals` happen when the moment begins.
    """

    view: View
    covered: tuple[str, ...] = ()
    seconds: float = 2.0
    turned: tuple[str, ...] = ()
    signals: tuple[Signal, ...] = ()


def quick_change(
    before: View, after: View, turned: tuple[str, ...], _sort_of: SortOf, rng: Random
) -> tuple[Moment, ...]:
    """A change in one go between two still moments, perhaps with a moment in which hands are seen."""
    last = Moment(after, turned=turned)
    zones = changed_zones(before, after)
    if not zones or rng.random() >= HANDS_SEEN:
        return (last,)
    return (Moment(rng.choice((before, after)), covered=zones, seconds=1.0), last)


def slow_change(before: View, after: View, turned: tuple[str, ...], sort_of: SortOf, rng: Random) -> tuple[Moment, ...]:
    """A slow change: one sort of pieces after another, some of them in the hand for a while."""
    zones = changed_zones(before, after)
    sorts = list(dict.fromkeys(map(sort_of, zones)))
    rng.shuffle(sorts)
    moments: list[Moment] = []
    table = before
    for sort in sorts:
        mine = [zone for zone in zones if sort_of(zone) == sort]
        moments += _in_the_hand(table, after, mine, rng)
        table = _with(table, after, mine)
        moments.append(Moment(table, covered=_over(sorts, zones, sort_of, rng), seconds=rng.choice((1.0, 2.0, 4.0))))
    return (*moments[:-1], Moment(after, turned=turned))


def _in_the_hand(table: View, after: View, zones: Sequence[str], rng: Random) -> Iterator[Moment]:
    """A moment with pieces in the hand, if this sort of pieces goes from some zones to others."""
    from_ = [zone for zone in zones if pieces_in(after.zones[zone]) < pieces_in(table.zones[zone])]
    if from_ and len(from_) < len(zones) and rng.random() < HANDS_SEEN:
        to = tuple(zone for zone in zones if zone not in from_)
        yield Moment(_with(table, after, from_), covered=to if rng.random() < 0.5 else (), seconds=1.0)


def _over(sorts: Sequence[str], zones: Sequence[str], sort_of: SortOf, rng: Random) -> tuple[str, ...]:
    """The zones under hands: those of one sort, or none."""
    sort = rng.choice((*sorts, ""))
    return tuple(zone for zone in zones if sort_of(zone) == sort)


def _with(table: View, after: View, zones: Sequence[str]) -> View:
    return View({**table.zones, **{zone: after.zones[zone] for zone in zones}})


class Glimpse(NamedTuple):
    """The table after one move of a countdown, what signalled it, and whether hands are all over the table."""

    view: View
    signal: Signal | None
    hands: bool


def countdown_moments(
    glimpses: Sequence[Glimpse], source: str, keeps: Sequence[str], rng: Random
) -> tuple[Moment, ...]:
    """All players at once: a moment for each signal, a few while the timer runs, and the still table at the end.

    While hands are over the table, the zone `source` is covered, and so are some of `keeps`.
    """
    unsigned = [place for place, glimpse in enumerate(glimpses) if not glimpse.signal]
    looked_at = set(rng.sample(unsigned, min(len(unsigned), rng.randint(*GLANCES))))
    moments: list[Moment] = []
    for place, (view, signal, hands) in enumerate(glimpses):
        if signal or place in looked_at:
            covered = (source, *(zone for zone in keeps if rng.random() < 0.5)) if hands else ()
            moments.append(Moment(view, covered, 1.0 if signal else 2.0, signals=(signal,) if signal else ()))
    return (*moments, Moment(glimpses[-1].view, seconds=3.0))


# Readings of moments

READS_FOR: Final = 0.6
"""Seconds from a still table to its Reading."""
_ONE_BY_ONE: Final = 5
"""Maximum number of equal pieces that are looked at one by one."""
_KINDS: Final[dict[type[Contents], ZoneKind]] = {Cells: "grid", Pieces: "tray", Marks: "track", Pointing: "dial"}


class Noise(msgspec.Struct, frozen=True):
    """How often one picture shows one thing wrongly or unclearly."""

    wrong: float = 0.0005
    unclear: float = 0.002


def _unclear(zone: ZoneReading | None) -> bool:
    """Whether a zone was not read completely, so that it is read again with every picture."""
    if zone is None or zone.contents is None:
        return True
    return isinstance(zone.contents, Cells) and UNKNOWN in zone.contents.at.values()


class NoisyObserver:
    """Reads one simulated table. Time comes from outside."""

    def __init__(self, rng: Random, noise: Noise | None = None, reads_for: float = READS_FOR) -> None:
        self._rng = rng
        self._noise = noise or Noise()
        self._reads_for = reads_for
        self._lying: dict[str, Contents] = {}
        self._kept: dict[str, ZoneReading] = {}
        self._angles: dict[str, float] = {}
        self._frame = 0

    def show(self, moment: Moment, now: float) -> Iterator[Reading]:
        """The Readings of a moment that begins now."""
        for dial in moment.turned:
            self._angles[dial] = (self._angles.get(dial, 0.0) + self._rng.uniform(20, 340)) % 360
            self._kept.pop(dial, None)
        before = dict(self._kept)
        for name, contents in moment.view.zones.items():
            if name in moment.covered or self._lying.get(name) != contents or _unclear(self._kept.get(name)):
                self._kept.pop(name, None)
        self._lying = dict(moment.view.zones)
        wanted = [name for name in self._lying if name not in self._kept and name not in moment.covered]
        for name in wanted:
            self._kept[name] = self._read(name)
        if self._kept != before:
            yield self._reading(now + self._reads_for)

    def look_again(self, zones: Collection[str], now: float) -> Iterator[Reading]:
        """A second, independent look at visible zones."""
        for name in zones:
            if name in self._kept:
                self._kept[name] = self._read(name)
        yield self._reading(now + self._reads_for)

    def spread(self, zones: Collection[str], now: float) -> Iterator[Reading]:
        """Spreading pieces leads to another look, too."""
        return self.look_again(zones, now)

    def _reading(self, at: float) -> Reading:
        self._frame += 1
        hidden = {
            name: ZoneReading(_KINDS[type(contents)], None, 0.0, covered=True)
            for name, contents in self._lying.items()
            if name not in self._kept
        }
        return Reading({**self._kept, **hidden}, at, self._frame)

    def _read(self, name: str) -> ZoneReading:
        contents = self._lying[name]
        seen = self._seen(contents)
        angle = self._angles.setdefault(name, self._rng.uniform(0, 360)) if isinstance(contents, Pointing) else 0.0
        found = (Found("arrow", 0.0, 0.0, angle),) if isinstance(seen, Pointing) else ()
        return ZoneReading(_KINDS[type(contents)], seen, 0.9 if seen is not None else 0.0, found)

    def _seen(self, contents: Contents) -> Contents | None:
        match contents:
            case Cells(at=cells):
                labels = sorted({label for label in cells.values() if label is not None})
                return Cells({cell: self._twice(label, [*labels, None]) for cell, label in cells.items()})
            case Marks(field=fields):
                told = {
                    marker: self._twice(str(field), list(map(str, fields.values()))) for marker, field in fields.items()
                }
                return Marks({marker: int(field) for marker, field in told.items() if field not in (UNKNOWN, None)})
            case Pointing(value=value):
                shown = self._twice(str(value), ["2", "3", "4", "5"])
                return None if shown in (UNKNOWN, None) else Pointing(int(shown))
            case Pieces(count=counts):
                return self._counted(counts)

    def _counted(self, counts: dict[str, int]) -> Pieces | None:
        """Loose pieces, looked at one by one; None if one of them is unclear."""
        seen = Counter(counts)
        # Large numbers are a few tokens of higher value, and a row of figures is seen as a row.
        for label in [label for label, number in counts.items() for _ in range(min(number, _ONE_BY_ONE))]:
            shown = self._twice(label, sorted(counts))
            if shown == UNKNOWN or shown is None:
                return None
            seen[label] -= 1
            seen[shown] += 1
        return Pieces({label: number for label, number in seen.items() if number > 0})

    def _twice(self, label: str | None, others: list[str | None] | list[str]) -> str | None:
        one, two = self._once(label, others), self._once(label, others)
        return one if one == two else UNKNOWN

    def _once(self, label: str | None, others: list[str | None] | list[str]) -> str | None:
        chance = self._rng.random()
        if chance < self._noise.wrong:
            return self._rng.choice(others)
        if chance < self._noise.wrong + self._noise.unclear:
            return UNKNOWN
        return label


class PlainTableTop:
    """The simulated table and its camera. Any thread may set `covered` and `unplugged`."""

    pixels = False

    def __init__(self, onlooker: NoisyObserver, put: Callable[[Reading], None], clock: Callable[[], float]) -> None:
        self._onlooker, self._put, self._clock = onlooker, put, clock
        self._moment = Moment(View({}))
        self._saw = True
        self._asked: deque[str] = deque()
        self._coming: list[Reading] = []
        self.covered = self.unplugged = False

    @property
    def blind(self) -> bool:
        return self.covered or self.unplugged

    @property
    def settled(self) -> bool:
        """Whether everything visible has been reported."""
        return self.blind or not (self._coming or self._asked)

    def knock(self) -> None:
        """Does nothing, as there is no camera that could be moved."""

    def use(self, _game: Game[Any, Any]) -> None:
        """Does nothing, as this table has room for any game."""

    def show(self, moment: Moment) -> float:
        """Start a moment with hands. Returns the seconds they need, which is 0 without pictures."""
        self._moment = moment
        return 0.0

    def rest(self, moment: Moment) -> None:
        """End a moment: only hands over the covered zones stay."""
        self._moment = moment
        self._look(moment)

    def look_again(self, zones: Collection[str]) -> None:
        """Ask for another look. May be called from any thread."""
        self._asked.extend(zones)

    def step(self) -> None:
        """Report the Readings that are finished by now."""
        now = self._clock()
        if self.blind is self._saw:
            self._saw = not self.blind
            self._look(msgspec.structs.replace(self._moment, turned=()))
        if self._asked:
            zones = sorted({self._asked.popleft() for _ in range(len(self._asked))})
            if self._saw:
                self._coming += self._onlooker.look_again(zones, now)
        while self._coming and self._coming[0].at <= now:
            self._put(self._coming.pop(0))

    def _look(self, moment: Moment) -> None:
        if not self._saw:
            moment = msgspec.structs.replace(moment, covered=tuple(moment.view.zones))
        self._coming += self._onlooker.show(moment, self._clock())
