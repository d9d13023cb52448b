"""How the game ends, and the score sheet."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Line, Note, Scoresheet, SeatNo, tally

from ..box import KINDS
from ..state import NOBODY, RuleLog, State


def twenty_fifth(state: State, seat: SeatNo, log: RuleLog) -> State | None:
    """The game is over when this seat has just put up its last statue."""
    if state.placed[seat] < state.box.statues_each:
        return None
    log.tell("end.last-statue", seat=state.colour(seat), statues=state.placed[seat])
    return replace(state, phase="over", winner=seat)


def after_double_field(state: State, log: RuleLog) -> State | None:
    """The game is over when leader and last are further apart than the chronicle allows this round."""
    limit = state.box.chronicle.ends_above[str(len(state.chronicle))]
    difference = max(state.placed) - min(state.placed)
    last_field = len(state.chronicle) == state.box.chronicle.fields
    if last_field:
        log.tell("end.last-field", difference=difference)
    elif difference > limit:
        log.tell("end.difference", difference=difference, limit=limit)
    else:
        log.tell("end.goes-on", difference=difference, limit=limit)
        return None
    seat = leader(state)
    log.tell("end.most-statues", seat=state.colour(seat), statues=state.placed[seat])
    if state.placed.count(state.placed[seat]) > 1:
        log.tell("end.rank-tie", seat=state.colour(seat), statues=state.placed[seat])
    return replace(state, phase="over", winner=seat)


def leader(state: State) -> SeatNo:
    """Most statues; the higher rank where two have the same."""
    if state.winner != NOBODY:
        return state.winner
    return max(range(state.players), key=lambda seat: (state.placed[seat], -state.ranks[seat]))


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
