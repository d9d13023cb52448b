"""The table of acts: for each kind of move its kind, phases, check and effect; and the legal moves.

What a press means is here too; the rules themselves are in the other modules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import chain
from typing import Any, Final, Literal, NamedTuple

from companion.games.council_of_four.state import Phase, State
from companion.kernel.messages import Signal
from companion.kernel.rules import Breach, RuleLog, broken

from .. import moves
from ..moves import Elect, EndTurn, Move
from . import (
    cards,
    councils,
    emporiums,
    nobility,
    permits,
    setup,
    turns,
)
from .nobility import choice_facts

Kind = Literal["lot", "main", "quick", "token", "free", "own", "turn", "never"]
"""What a move is: laid out by chance; a main or quick action; a choice on the nobility track; the turn's end; or never
allowed by itself."""
CHOICES: Final = ("token", "free", "own")
ACTIONS: Final = ("main", "quick")
EXTRA_ACTIONS: Final = ("turn.order", "turn.main", "turn.quick")
"""Breaches of an action out of turn, or of one too many: such actions are checked for further faults too, all other
untimely moves are not."""


class Act(NamedTuple):
    """The kind of a move, the phases it belongs to, what may be wrong with it, and what it does."""

    kind: Kind
    phases: tuple[Phase, ...]
    check: Callable[[State, Any], Iterable[Breach]]
    play: Callable[[State, Any, RuleLog], State]


def _never(state: State, _move: Any, _log: RuleLog) -> State:
    """Do nothing: such a move is never legal."""
    return state


_TURN: Final[tuple[Phase, ...]] = ("turn",)
_LOTS: Final[tuple[Phase, ...]] = ("lots",)

ACTS: Final[Mapping[type[Any], Act]] = {
    moves.LayOut: Act("lot", ("laying_out",), setup.check_lay_out, setup.lay_out),
    moves.PutToken: Act("lot", _LOTS, setup.check_put_token, setup.put_token),
    moves.PutCouncillor: Act("lot", _LOTS, setup.check_put_councillor, setup.put_councillor),
    moves.DrawNeutral: Act("lot", _LOTS, setup.check_draw_neutral, setup.draw_neutral),
    moves.TurnUp: Act("lot", ("lots", "turn"), permits.check_turn_up, permits.turn_up),
    moves.Elect: Act("main", _TURN, councils.check_elect, councils.elect),
    moves.BuyPermit: Act("main", _TURN, permits.check_buy_permit, permits.buy_permit),
    moves.Build: Act("main", _TURN, emporiums.check_build, emporiums.build),
    moves.BuildWithKing: Act("main", _TURN, emporiums.check_build_with_king, emporiums.build_with_king),
    moves.Hire: Act("quick", _TURN, turns.check_hire, turns.hire),
    moves.Swap: Act("quick", _TURN, permits.check_swap, permits.swap),
    moves.Send: Act("quick", _TURN, councils.check_send, councils.send),
    moves.BuyAction: Act("quick", _TURN, turns.check_buy_action, turns.buy_action),
    moves.CopyToken: Act("token", _TURN, nobility.check_copy_token, nobility.copy_token),
    moves.TakeFree: Act("free", _TURN, permits.check_take_free, nobility.take_free),
    moves.CopyPermit: Act("own", _TURN, nobility.check_copy_permit, nobility.copy_permit),
    moves.Decline: Act("free", _TURN, nobility.check_decline, nobility.decline),
    moves.TakeBonus: Act("never", _TURN, emporiums.check_take_bonus, _never),
    moves.Sweep: Act("lot", _TURN, cards.check_sweep, cards.sweep),
    moves.EndTurn: Act("turn", _TURN, turns.check_end_turn, turns.end_turn),
}


def legal_moves(state: State) -> Iterator[Move]:
    """Return every legal move; chained from a few large groups, because there can be very many."""
    match state.phase:
        case "laying_out":
            return iter((moves.LayOut(),))
        case "lots":
            return chain.from_iterable(setup.lot_moves(state))
        case "turn":
            return chain.from_iterable(_of_a_turn(state))
        case "over":
            return iter(())


def _of_a_turn(state: State) -> Iterator[Iterable[Move]]:
    """Yield the groups of legal moves of a turn."""
    yield from permits.turn_up_moves(state)
    if state.bribe:
        yield (moves.Sweep(),)
    if state.choices:
        yield nobility.choice_moves(state)
        return
    if state.main:
        yield councils.elect_moves(state, Elect)
        yield from permits.buy_permit_moves(state)
        yield emporiums.build_moves(state)
        yield from emporiums.build_with_king_moves(state)
    if not state.quick:
        yield turns.quick_moves(state)
    yield turns.end_turn_moves(state)


def out_of_order(state: State, move: Move) -> Iterator[Breach]:
    """Yield the breaches of making a move now, whatever the move itself is like."""
    act = ACTS[type(move)]
    seat: int | None = getattr(move, "seat", None)
    if seat is None or act.kind == "never":
        return
    colour = state.colour(seat)
    if seat != state.turn:
        yield broken("turn.order", seat=colour, next=state.colour(state.turn))
        return
    if state.choices and act.kind != state.choices[0].kind:
        yield broken("nobility.first", seat=colour, **choice_facts(state))
    elif not state.choices and act.kind in CHOICES:
        yield broken("nobility.reach", seat=colour)
    elif act.kind == "main" and not state.main:
        yield broken("turn.main", seat=colour)
    elif act.kind == "quick" and state.quick:
        yield broken("turn.quick", seat=colour)


def breaches(state: State, move: Move) -> Iterator[Breach]:
    """Yield everything that is wrong with a move."""
    act = ACTS[type(move)]
    if state.phase not in act.phases:
        yield broken("turn.phases", act=type(move).__name__, now=f"now_{state.phase}")
        return
    seat: int = getattr(move, "seat", 0)
    if not 0 <= seat < state.players:
        yield broken("setup.players", seat=seat + 1, players=state.players)
        return
    found = tuple(out_of_order(state, move))
    yield from found
    if not found or (act.kind in ACTIONS and found[0].rule in EXTRA_ACTIONS):
        yield from act.check(state, move)


def carry_out(state: State, move: Move, log: RuleLog) -> State:
    """Return the state after a legal move, with everything that follows from it."""
    act = ACTS[type(move)]
    match act.kind:
        case "main":
            state = turns.count_main_action(state, log)
        case "quick":
            state = turns.count_quick_action(state, log)
        case _:
            pass
    state = act.play(state, move, log)
    if state.phase == "lots":
        return setup.after_lot(state, log)
    return nobility.drop_empty_choices(state, log) if state.choices else state


def signalled(state: State, signal: Signal) -> tuple[Move, ...]:
    """Return the move a press means: it ends one's turn once a main action is done."""
    if (
        signal.kind == "press"
        and state.phase == "turn"
        and signal.seat == state.turn
        and state.acted
        and not state.choices
    ):
        return (EndTurn(state.turn),)
    return ()
