"""The end of the game: when it comes, who wins and why, and the score sheet.

How statues are placed is in `phase4_statues` and `phase6_coronation`.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.tumult_royale.state import NO_SEAT, State
from companion.kernel.rules import Line, Note, RuleLog, Scoresheet, SeatNo, tally

from ..box import KINDS


def end_on_last_statue(state: State, seat: SeatNo, log: RuleLog) -> State | None:
    """Return the final state if this seat has just put up its last statue."""
    if state.placed[seat] < state.box.statues_each:
        return None
    log.tell("end.last-statue", seat=state.colour(seat), statues=state.placed[seat])
    return replace(state, phase="over", winner=seat)


def end_after_double_field(state: State, log: RuleLog) -> State | None:
    """Return the final state if the last round is over, or if the difference in statues is too large."""
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
    """Return the winner, or the seat ahead: most statues, then the higher rank."""
    if state.winner != NO_SEAT:
        return state.winner
    return max(range(state.players), key=lambda seat: (state.placed[seat], -state.ranks[seat]))


def score(state: State) -> Scoresheet:
    """Return the score sheet: a point for each statue."""
    seats = tuple(tally(seat, _all_lines(state, seat)) for seat in range(state.players))
    if state.phase != "over":
        return Scoresheet(seats)
    return Scoresheet(seats, (leader(state),), tuple(_winning_reasons(state)))


def _all_lines(state: State, seat: SeatNo) -> Iterator[Line]:
    """Count every statue outside the rack, even one whose field is not known."""
    shown = tuple(_lines(state, seat))
    yield from shown
    if rest := state.placed[seat] - sum(line.points for line in shown):
        yield Line("elsewhere", rest, Note("end.statues-elsewhere", {"statues": rest}))


def _lines(state: State, seat: SeatNo) -> Iterator[Line]:
    """Yield a line for each kind of field, and one for the chronicle."""
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


def _winning_reasons(state: State) -> Iterator[Note]:
    """Yield the rules that decided the game."""
    seat = leader(state)
    winner, statues = state.colour(seat), state.placed[seat]
    if statues >= state.box.statues_each:
        yield Note("end.last-statue", {"seat": winner, "statues": statues})
        return
    yield Note("end.most-statues", {"seat": winner, "statues": statues})
    if state.placed.count(statues) > 1 and state.winner != NO_SEAT:
        yield Note("end.rank-tie", {"seat": winner, "statues": statues})
