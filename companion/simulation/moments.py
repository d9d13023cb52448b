"""What a camera sees of people who move pieces: moments one after another, with hands over some of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

import msgspec

from companion.kernel.messages import Signal, View
from companion.kernel.simulation import changed_zones, pieces_in

SortOf = Callable[[str], str]

HANDS_SEEN: Final = 0.6
"""How often a picture is taken while hands are over the table."""
GLANCES: Final = (2, 5)
"""How often one sees some of the table while everybody rushes."""


class Moment(msgspec.Struct, frozen=True):
    """The table for a while: how it lies, which zones are under hands, which dials were turned just now.

    The buttons and timers in `signals` go off as the moment begins.
    """

    view: View
    covered: tuple[str, ...] = ()
    seconds: float = 2.0
    turned: tuple[str, ...] = ()
    signals: tuple[Signal, ...] = ()


def at_once(before: View, after: View, turned: tuple[str, ...], _sort_of: SortOf, rng: Random) -> tuple[Moment, ...]:
    """Everything between two still moments; perhaps hands are seen at it."""
    last = Moment(after, turned=turned)
    zones = changed_zones(before, after)
    if not zones or rng.random() >= HANDS_SEEN:
        return (last,)
    return (Moment(rng.choice((before, after)), covered=zones, seconds=1.0), last)


def at_leisure(before: View, after: View, turned: tuple[str, ...], sort_of: SortOf, rng: Random) -> tuple[Moment, ...]:
    """One sort of pieces after another, and some of them in the hand for a while, lying nowhere."""
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
    """Pieces lifted and not yet put down, where this sort goes from some zones to others."""
    from_ = [zone for zone in zones if pieces_in(after.zones[zone]) < pieces_in(table.zones[zone])]
    if from_ and len(from_) < len(zones) and rng.random() < HANDS_SEEN:
        to = tuple(zone for zone in zones if zone not in from_)
        yield Moment(_with(table, after, from_), covered=to if rng.random() < 0.5 else (), seconds=1.0)


def _over(sorts: Sequence[str], zones: Sequence[str], sort_of: SortOf, rng: Random) -> tuple[str, ...]:
    """Hands over the zones of one sort, or over nothing."""
    sort = rng.choice((*sorts, ""))
    return tuple(zone for zone in zones if sort_of(zone) == sort)


def _with(table: View, after: View, zones: Sequence[str]) -> View:
    return View({**table.zones, **{zone: after.zones[zone] for zone in zones}})


class Glimpse(NamedTuple):
    """The table after one move of a countdown, what signalled it, and whether hands are all over the table."""

    view: View
    signal: Signal | None
    hands: bool


def rushing(glimpses: Sequence[Glimpse], source: str, keeps: Sequence[str], rng: Random) -> tuple[Moment, ...]:
    """All hands at once: a moment for each signal, a few while the timer runs, and the still table at the end.

    Nobody sees the zone `source` while hands are at it, and only some of `keeps`.
    """
    unsigned = [place for place, glimpse in enumerate(glimpses) if not glimpse.signal]
    looked_at = set(rng.sample(unsigned, min(len(unsigned), rng.randint(*GLANCES))))
    moments: list[Moment] = []
    for place, (view, signal, hands) in enumerate(glimpses):
        if signal or place in looked_at:
            covered = (source, *(zone for zone in keeps if rng.random() < 0.5)) if hands else ()
            moments.append(Moment(view, covered, 1.0 if signal else 2.0, signals=(signal,) if signal else ()))
    return (*moments, Moment(glimpses[-1].view, seconds=3.0))
