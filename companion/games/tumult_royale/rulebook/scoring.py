"""The score sheet: every statue that was put up, by where it stands, and how the winner was found."""

from __future__ import annotations

from collections.abc import Iterator

from companion.kernel.rules import Line, Note, Scoresheet, SeatNo, tally

from ..box import KINDS
from ..state import NOBODY, State
from .endings import leader


def score(state: State) -> Scoresheet:
    seats = tuple(tally(seat, _all_lines(state, seat)) for seat in range(state.players))
    if state.phase != "over":
        return Scoresheet(seats)
    return Scoresheet(seats, (leader(state),), tuple(_why(state)))


def _all_lines(state: State, seat: SeatNo) -> Iterator[Line]:
    """Every statue that has left the rack counts, also where a table that was taken over does not show its field."""
    shown = tuple(_lines(state, seat))
    yield from shown
    if rest := state.placed[seat] - sum(line.points for line in shown):
        yield Line("elsewhere", rest, Note("end.statues-elsewhere", {"statues": rest}))


def _lines(state: State, seat: SeatNo) -> Iterator[Line]:
    for kind in KINDS:
        mine = [f for f, owner in enumerate(state.owner) if owner == seat and state.land[f] == kind]
        if mine:
            statues = sum(state.standing[field] for field in mine)
            fields = tuple(state.field_name(field) for field in mine)
            yield Line(
                kind,
                statues,
                Note("end.statues-on-land", {"kind": kind, "fields": fields, "statues": statues}),
            )
    rounds = tuple(str(number) for number, king in enumerate(state.chronicle, start=1) if king == seat)
    if rounds:
        statues = sum(n for n, king in zip(state.chronicle_statues, state.chronicle, strict=True) if king == seat)
        yield Line("chronicle", statues, Note("end.statues-on-chronicle", {"rounds": rounds, "statues": statues}))


def _why(state: State) -> Iterator[Note]:
    seat = leader(state)
    winner, statues = state.colour(seat), state.placed[seat]
    if statues >= state.box.statues_each:
        yield Note("end.last-statue", {"seat": winner, "statues": statues})
        return
    yield Note("end.most-statues", {"seat": winner, "statues": statues})
    if state.placed.count(statues) > 1 and state.winner != NOBODY:
        yield Note("end.rank-tie", {"seat": winner, "statues": statues})
