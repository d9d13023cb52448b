"""What a camera sees while people move pieces: a sequence of moments, with hands over parts of the table."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from random import Random
from typing import Final, NamedTuple

import msgspec

from companion.kernel.messages import Signal
from companion.kernel.simulation import pieces_in
from companion.kernel.views import View, changed_zones

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


def at_once(before: View, after: View, turned: tuple[str, ...], _sort_of: SortOf, rng: Random) -> tuple[Moment, ...]:
    """A change in one go between two still moments, perhaps with a moment in which hands are seen."""
    last = Moment(after, turned=turned)
    zones = changed_zones(before, after)
    if not zones or rng.random() >= HANDS_SEEN:
        return (last,)
    return (Moment(rng.choice((before, after)), covered=zones, seconds=1.0), last)


def at_leisure(before: View, after: View, turned: tuple[str, ...], sort_of: SortOf, rng: Random) -> tuple[Moment, ...]:
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


def rushing(glimpses: Sequence[Glimpse], source: str, keeps: Sequence[str], rng: Random) -> tuple[Moment, ...]:
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
