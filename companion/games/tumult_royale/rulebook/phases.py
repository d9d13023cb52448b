"""The table of acts: for each kind of move its phases, its check and its effect; and the legal moves of each phase.

A move in the wrong phase is refused here, before its own check.

What a press or the timer means is here too; the rules themselves are in the other modules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from companion.games.tumult_royale.state import HIDDEN, UNNAMED, Phase, State
from companion.kernel.capabilities import Countdown
from companion.kernel.messages import Signal
from companion.kernel.rules import ANYONE, CHANCE, Actor, Breach, Fact, RuleLog, broken

from .. import moves
from ..moves import UNKNOWN_SEAT, GiveBack, Move, Pass, Ready, SetAside, Spin, StartRaid, Stop
from . import (
    phase1_mood,
    phase2_raid,
    phase3_tumults,
    phase4_statues,
    phase5_ranks,
    phase6_coronation,
    phase7_mercy,
    setup,
)
from .phase1_mood import spin_due
from .phase4_statues import whose_turn

AFTER_PLACING: Final[tuple[Phase, ...]] = (
    "consolation",
    "ranks",
    "coronation",
    "uncovering",
    "boards",
    "mercy",
    "mixing",
)
RAID_PHASES: Final[tuple[Phase, ...]] = ("raid", "stopped", "turning_up")


class Act(NamedTuple):
    """The phases a kind of move belongs to, what may be wrong with it, and what it does."""

    phases: tuple[Phase, ...]
    check: Callable[[State, Any], Iterable[Breach]]
    play: Callable[[State, Any, RuleLog], State]


ACTS: Final[Mapping[type[Any], Act]] = {
    moves.LayOut: Act(("laying_out",), setup.check_lay_out, setup.lay_out),
    moves.DealCard: Act(("cards",), setup.check_deal_card, setup.deal_card),
    moves.ShowBoard: Act(("boards",), setup.check_show_board, setup.show_board),
    moves.ShowField: Act(("boards",), setup.check_show_field, setup.show_field),
    moves.FirstStatue: Act(("first_statues",), setup.check_first_statue, setup.first_statue),
    moves.Spin: Act(("mood", "gambling"), phase1_mood.check_spin, phase1_mood.spin),
    moves.ForgetSpin: Act(("gambling",), phase1_mood.check_forget_spin, phase1_mood.forget_spin),
    moves.SetAside: Act(("mood",), phase2_raid.check_set_aside, phase2_raid.set_aside),
    moves.Ready: Act(("mood",), phase2_raid.check_ready, phase2_raid.ready),
    moves.StartRaid: Act(("mood",), phase2_raid.check_start_raid, phase2_raid.start_raid),
    moves.Look: Act(RAID_PHASES, phase2_raid.check_look, phase2_raid.look),
    moves.Rob: Act(RAID_PHASES, phase2_raid.check_rob, phase2_raid.rob),
    moves.PutBack: Act(RAID_PHASES, phase2_raid.check_put_back, phase2_raid.put_back),
    moves.Stop: Act(("raid",), phase2_raid.check_stop, phase2_raid.stop),
    moves.LayDown: Act(("stopped", "turning_up"), phase2_raid.check_lay_down, phase2_raid.lay_down),
    moves.TurnUp: Act(("turning_up",), phase2_raid.check_turn_up, phase2_raid.turn_up),
    moves.Atone: Act(("tumults",), phase3_tumults.check_atone, phase3_tumults.atone),
    moves.Place: Act(("placing",), phase4_statues.check_place, phase4_statues.place),
    moves.Pass: Act(("placing",), phase4_statues.check_pass, phase4_statues.pass_),
    moves.TakeConsolation: Act(("consolation",), phase4_statues.check_consolation, phase4_statues.take_consolation),
    moves.GiveBack: Act(("placing", *AFTER_PLACING), phase4_statues.check_give_back, phase4_statues.give_back),
    moves.Exchange: Act(("ranks",), phase5_ranks.check_exchange, phase5_ranks.exchange),
    moves.Crown: Act(("coronation",), phase6_coronation.check_crown, phase6_coronation.crown),
    moves.Uncover: Act(("uncovering",), phase6_coronation.check_uncover, phase6_coronation.uncover),
    moves.TurnMercy: Act(("mercy",), phase7_mercy.check_turn_mercy, phase7_mercy.turn_mercy),
    moves.Mix: Act(("mixing",), phase7_mercy.check_mix, phase7_mercy.mix),
}

LEGAL_MOVES: Final[Mapping[Phase, Callable[[State], Iterator[Move]]]] = {
    "laying_out": lambda _state: iter((moves.LayOut(),)),
    "cards": setup.card_moves,
    "boards": setup.board_moves,
    "first_statues": setup.first_statue_moves,
    "mood": phase2_raid.mood_moves,
    "raid": phase2_raid.raid_moves,
    "stopped": phase2_raid.lay_down_moves,
    "turning_up": phase2_raid.turn_up_moves,
    "gambling": phase1_mood.gambling_moves,
    "tumults": phase3_tumults.tumult_moves,
    "placing": phase4_statues.place_moves,
    "consolation": phase4_statues.consolation_moves,
    "ranks": phase5_ranks.exchange_moves,
    "coronation": phase6_coronation.crown_moves,
    "uncovering": phase6_coronation.uncover_moves,
    "mercy": phase7_mercy.mercy_moves,
    "mixing": lambda _state: iter((moves.Mix(),)),
    "over": lambda _state: iter(()),
}


def actor(state: State) -> Actor:
    """Say whose act is next."""
    match state.phase:
        case "over":
            return None
        case "first_statues":
            return setup.next_first_statue(state)
        case "placing":
            return whose_turn(state)
        case "tumults":
            return phase3_tumults.greediest(state, state.tumults[0])
        case "ranks":
            due = phase5_ranks.exchange_due(state)
            return due.seat if due else ANYONE
        case "coronation" | "uncovering":
            return state.king
        case "cards" | "boards" | "turning_up" | "gambling":
            return CHANCE
        case _:
            return ANYONE


def legal_moves(state: State) -> Iterator[Move]:
    yield from LEGAL_MOVES[state.phase](state)
    if state.phase in ACTS[GiveBack].phases:
        yield from phase4_statues.give_back_moves(state)


def breaches(state: State, move: Move) -> Iterator[Breach]:
    """Yield what is wrong with a move: first its phase, then its seat, then what its own check finds."""
    act = ACTS[type(move)]
    if state.phase not in act.phases:
        yield _out_of_order(state, move)
        return
    seat: int = getattr(move, "seat", 0)
    unseen = isinstance(move, SetAside) and seat == UNKNOWN_SEAT
    if not unseen and not 0 <= seat < state.players:
        yield broken("setup.players", seat=seat + 1, players=state.players)
        return
    yield from act.check(state, move)


def _out_of_order(state: State, move: Move) -> Breach:
    """Return the breach of a move in the wrong phase: which phase comes first, and who acts in it."""
    act = type(move).__name__
    if state.phase == "over":
        return broken("end.over", act=act)
    seat: int = getattr(move, "seat", UNKNOWN_SEAT)
    who = state.colour(seat) if 0 <= seat < state.players else "everybody"
    return broken("round.phases", act=act, seat=who, now=state.phase, next=_waited_for(state))


def _waited_for(state: State) -> Fact:
    """Name the seat or seats that the game waits for, by colour."""
    if state.phase == "consolation":
        return tuple(state.colour(seat) for seat in state.to_console)
    next_ = setup.next_to_draw(state) if state.phase == "cards" else actor(state)
    return state.colour(next_) if isinstance(next_, int) else "everybody"


def carry_out(state: State, move: Move, log: RuleLog) -> State:
    return ACTS[type(move)].play(state, move, log)


def skip_finished_steps(state: State) -> State:
    """Move a state that was changed from outside past every step that has nothing left to do."""
    log = RuleLog()
    match state.phase:
        case "cards" if 0 not in state.ranks:
            return skip_finished_steps(replace(state, phase="boards"))
        case "boards" if UNNAMED not in state.boards:
            return skip_finished_steps(setup.after_board(state, log))
        case "first_statues" if all(state.placed):
            return replace(state, phase="mood", round=1)
        case "mood":
            return phase2_raid.recount_set_aside(state)
        case "stopped" | "turning_up" if not state.hidden_middle and not any(state.hidden_castles):
            return phase2_raid.after_all_turned_up(state, log)
        case "tumults":
            return phase3_tumults.recheck_tumults(state, log)
        case "placing":
            return phase4_statues.next_turn(state, log)
        case "ranks":
            return phase5_ranks.next_exchange(state, log)
        case "uncovering":
            due = min(state.to_uncover, state.boards.count(HIDDEN))
            return phase6_coronation.after_uncovering(replace(state, to_uncover=due), log)
        case "mercy":
            return phase7_mercy.next_mercy(state)
        case _:
            return state


def signalled(state: State, signal: Signal) -> tuple[Move, ...]:
    """Return the move a signal means: a press passes in one's turn, the timer reports ready, start and stop."""
    seat = signal.seat
    match signal.kind, signal.source, state.phase:
        case "timer", "raid ready", "mood" if seat is not None:
            return (Ready(seat),)
        case "timer", "raid started", "mood":
            return (StartRaid(state.king),)
        case "timer", "raid stopped", "raid":
            return (Stop(),)
        case "press", _, "placing" if seat == whose_turn(state):
            return (Pass(seat),)
        case "dial", _, "mood" | "gambling":
            return _spin_from_dial(state, signal.value)
        case _:
            return ()


def _spin_from_dial(state: State, number: int | None) -> tuple[Move, ...]:
    """Return the spin that is due, with the number that the dial reports."""
    good = spin_due(state)
    return () if good is None or number is None else (Spin(state.king, (number,), good),)


def countdown(state: State) -> Countdown | None:
    """Describe the raid as a countdown: due once all have set tiles aside, running until the stop."""
    due = state.phase == "mood" and all(state.aside)
    if not due and state.phase != "raid":
        return None
    return Countdown(
        leader=state.king,
        seconds=state.box.raid_seconds,
        running=not due,
        source="middle",
        keeps={f"castle {seat.colour}": number for number, seat in enumerate(state.seats)},
        stop=Stop(),
        stays="raid.no-return",
        one_at_a_time="raid.one-tile",
        one_hand="raid.one-hand",
        after_stop="raid.stop",
    )
