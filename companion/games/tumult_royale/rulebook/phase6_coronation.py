"""6. Krönung des neuen Königs, and what the king's chronicle does: new boards, double fields, the end."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, broken

from ..moves import Crown, Move, Uncover
from ..state import HIDDEN, UNNAMED, RuleLog, State, changed
from .followers import give, wrongly_given
from .phase7_mercy import begin_mercy
from .scoring import after_double_field, twenty_fifth


def statues_due(state: State) -> int:
    """One statue on a single field, two on a double field; ruling: a king with one left puts up that one."""
    single = len(state.chronicle) < state.box.chronicle.single_fields
    return min(1 if single else 2, state.box.statues_each - state.placed[state.king])


def crown_moves(state: State) -> Iterator[Move]:
    yield Crown(state.king, state.box.followers.king_pays, statues_due(state))


def check_crown(state: State, move: Crown) -> Iterator[Breach]:
    if move.seat != state.king:
        yield broken("crown.new-king", seat=state.colour(move.seat), king=state.colour(state.king))
        return
    if move.followers != state.box.followers.king_pays:
        yield wrongly_given(state, "crown.followers", move.seat, move.followers, state.box.followers.king_pays)
    if move.statues != statues_due(state):
        single = len(state.chronicle) < state.box.chronicle.single_fields
        rule = "crown.statue" if single else "crown.double-field"
        yield broken(rule, seat=state.colour(move.seat), put=move.statues, due=statues_due(state))


def crown(state: State, move: Crown, log: RuleLog) -> State:
    king = state.colour(move.seat)
    field = len(state.chronicle) + 1
    single = field <= state.box.chronicle.single_fields
    log.tell("crown.new-king", king=king)
    state = give(state, move.seat, move.followers, "crown.followers", log)
    log.tell("crown.statue" if single else "crown.double-field", king=king, statues=move.statues, field=field)
    log.tell("crown.timer-and-disc", king=king)
    state = replace(
        state,
        chronicle=(*state.chronicle, move.seat),
        chronicle_statues=(*state.chronicle_statues, move.statues),
        placed=changed(state.placed, move.seat, state.placed[move.seat] + move.statues),
    )
    ended = twenty_fifth(state, move.seat, log)
    if not ended and not single:
        ended = after_double_field(state, log)
    if ended:
        return ended
    return after_uncovering(replace(state, to_uncover=_boards_due(state, field, log)), log)


def _boards_due(state: State, field: int, log: RuleLog) -> int:
    """How many hidden boards the king turns up for this field of the chronicle."""
    hidden = state.boards.count(HIDDEN)
    if field == 3:
        due = min(hidden, state.box.chronicle.uncover_on_third[str(state.players)])
        log.tell("chronicle.third", king=state.colour(state.king), boards=due)
        return due
    if field == 5:
        log.tell("chronicle.fifth", king=state.colour(state.king), boards=hidden)
        return hidden
    return 0


def after_uncovering(state: State, log: RuleLog) -> State:
    return replace(state, phase="uncovering") if state.to_uncover else begin_mercy(state, log)


def uncover_moves(state: State) -> Iterator[Move]:
    return (Uncover(state.king, place) for place, board in enumerate(state.boards) if board == HIDDEN)


def check_uncover(state: State, move: Uncover) -> Iterator[Breach]:
    if move.seat != state.king:
        yield broken("crown.new-king", seat=state.colour(move.seat), king=state.colour(state.king))
    if not 0 <= move.place < len(state.boards) or state.boards[move.place] != HIDDEN:
        yield broken("chronicle.hidden-board", place=state.place_name(move.place))


def uncover(state: State, move: Uncover, log: RuleLog) -> State:
    log.tell("chronicle.hidden-board", king=state.colour(move.seat), place=state.place_name(move.place))
    log.tell("chronicle.towards-king", king=state.colour(move.seat))
    land = list(state.land)
    for field in state.place_fields(move.place):
        land[field] = UNNAMED
    return replace(
        state,
        phase="boards",
        boards=changed(state.boards, move.place, UNNAMED),
        land=tuple(land),
        to_uncover=state.to_uncover - 1,
    )
