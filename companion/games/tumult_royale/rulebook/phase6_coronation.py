"""Phase 6, coronation (Krönung des neuen Königs): the coronation, and the boards that the king's chronicle turns up.

How the chronicle ends the game is in `scoring`.
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.games.tumult_royale.state import HIDDEN, UNNAMED, State
from companion.kernel.rules import Breach, RuleLog, broken, changed

from ..moves import Crown, Move, Uncover
from .followers import give, wrong_amount_given
from .phase7_mercy import begin_mercy
from .scoring import end_after_double_field, end_on_last_statue


def statues_due(state: State) -> int:
    """Return 1 for a single field, 2 for a double field; ruling: a king with one statue left puts up that one."""
    single = len(state.chronicle) < state.box.chronicle.single_fields
    return min(1 if single else 2, state.box.statues_each - state.placed[state.king])


def crown_moves(state: State) -> Iterator[Move]:
    """Yield the coronation of the king."""
    yield Crown(state.king, state.box.followers.king_pays, statues_due(state))


def check_crown(state: State, move: Crown) -> Iterator[Breach]:
    """Check that the king is crowned, with the right followers and statues."""
    if move.seat != state.king:
        yield broken("crown.new-king", seat=state.colour(move.seat), king=state.colour(state.king))
        return
    if move.followers != state.box.followers.king_pays:
        yield wrong_amount_given(state, "crown.followers", move.seat, move.followers, state.box.followers.king_pays)
    if move.statues != statues_due(state):
        single = len(state.chronicle) < state.box.chronicle.single_fields
        rule = "crown.statue" if single else "crown.double-field"
        yield broken(rule, seat=state.colour(move.seat), put=move.statues, due=statues_due(state))


def crown(state: State, move: Crown, log: RuleLog) -> State:
    """Pay the followers and put up the statues; the game ends, or hidden boards or mercy come next."""
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
    ended = end_on_last_statue(state, move.seat, log)
    if not ended and not single:
        ended = end_after_double_field(state, log)
    if ended:
        return ended
    return after_uncovering(replace(state, to_uncover=_boards_due(state, field, log)), log)


def _boards_due(state: State, field: int, log: RuleLog) -> int:
    """Return how many hidden boards the king turns up for this field of the chronicle."""
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
    """Go on with the next hidden board, or with mercy."""
    return replace(state, phase="uncovering") if state.to_uncover else begin_mercy(state, log)


def uncover_moves(state: State) -> Iterator[Move]:
    """Yield each hidden board that the king may turn up."""
    return (Uncover(state.king, place) for place, board in enumerate(state.boards) if board == HIDDEN)


def check_uncover(state: State, move: Uncover) -> Iterator[Breach]:
    """Check that the king turns up a board, and that it is a hidden one."""
    if move.seat != state.king:
        yield broken("crown.new-king", seat=state.colour(move.seat), king=state.colour(state.king))
    if not 0 <= move.place < len(state.boards) or state.boards[move.place] != HIDDEN:
        yield broken("chronicle.hidden-board", place=state.place_name(move.place))


def uncover(state: State, move: Uncover, log: RuleLog) -> State:
    """Turn up a board, which is identified next."""
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
