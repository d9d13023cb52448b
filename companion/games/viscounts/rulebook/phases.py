"""What may be done when: each act with its phase, its check and its effect, and what presses mean.

While something is due, only that is done; and while the top of a pile has not been told, only chance acts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from companion.kernel.messages import Signal
from companion.kernel.rules import Breach, RuleLog, broken

from .. import moves
from ..box import Action
from ..moves import EXACT, Decline, DrawUp, Move
from ..state import Phase, State, acting, turning_up
from . import (
    actions,
    buildings,
    cards,
    castle,
    end_of_turn,
    manuscripts,
    movement,
    recruitment,
    setup,
    solo,
    tasks,
    trade,
)
from .effects import off_breaches


class Act(NamedTuple):
    phases: tuple[Phase, ...]
    check: Callable[[State, Any], Iterable[Breach]]
    play: Callable[[State, Any, RuleLog], State]
    action: Action | None = None


_LOTS: Final[tuple[Phase, ...]] = ("lots",)
_ACTION: Final[tuple[Phase, ...]] = ("action",)

ACTS: Final[Mapping[type[Any], Act]] = {
    moves.LayOut: Act(("laying_out",), setup.check_lay_out, setup.lay_out),
    moves.PutSegment: Act(_LOTS, setup.check_put_segment, setup.put_segment),
    moves.TurnCastle: Act(_LOTS, setup.check_turn_castle, setup.turn_castle),
    moves.OfferCard: Act(_LOTS, setup.check_offer_card, setup.offer_card),
    moves.OfferHero: Act(_LOTS, setup.check_offer_hero, setup.offer_hero),
    moves.TakePair: Act(("draft",), setup.check_take_pair, setup.take_pair),
    moves.Slide: Act(("sliding",), cards.check_slide, cards.slide),
    moves.PlayCard: Act(("playing",), cards.check_play, cards.play_card),
    moves.Travel: Act(("moving",), movement.check_travel, movement.travel),
    moves.Dismiss: Act(_ACTION, recruitment.check_dismiss, recruitment.dismiss),
    moves.Trade: Act(_ACTION, trade.check_trade, trade.trade, "trade"),
    moves.Build: Act(_ACTION, buildings.check_build, buildings.build, "build"),
    moves.Employ: Act(_ACTION, castle.check_employ, castle.employ, "workers"),
    moves.Copy: Act(_ACTION, manuscripts.check_copy, manuscripts.copy, "manuscript"),
    moves.Skip: Act(_ACTION, actions.check_skip, actions.skip),
    moves.Hire: Act(("hiring",), recruitment.check_hire, recruitment.hire),
    moves.Collide: Act(("hiring", "collision"), end_of_turn.check_collide, end_of_turn.collide),
    moves.DrawUp: Act(("hiring", "collision", "drawing"), end_of_turn.check_draw, end_of_turn.draw_up),
}
TURNED_UP: Final[Mapping[type[Any], Act]] = {
    moves.TurnUp: Act((), recruitment.check_turn_up, recruitment.turn_up),
    moves.ShowPrinted: Act((), recruitment.check_show_printed, recruitment.show_printed),
    moves.TurnUpManuscript: Act((), recruitment.check_turn_up_manuscript, recruitment.turn_up_manuscript),
}
"""What chance does whenever something lies open."""


def legal(state: State) -> Iterator[Move]:
    """Every legal move."""
    match state.phase:
        case "laying_out":
            return iter((moves.LayOut(),))
        case "lots":
            return setup.lot_moves(state)
        case "over":
            return iter(())
        case _:
            pass
    if turning_up(state):
        return recruitment.turn_up_moves(state)
    return _due_moves(state) if state.due else _of_the_turn(state)


def _due_moves(state: State) -> Iterator[Move]:
    yield from tasks.due_moves(state)
    yield from _drawing_up(state)


def _drawing_up(state: State) -> Iterator[Move]:
    left = _left_alone(state, RuleLog())
    if left is not None:
        yield from end_of_turn.draw_moves(left)


def _left_alone(state: State, log: RuleLog) -> State | None:
    """The state in which somebody ends their turn at once: what they only may do is left alone, and where no main
    action is possible, or needed, there is none."""
    if state.phase not in ("action", *ACTS[moves.DrawUp].phases):
        return None
    left = tasks.left_alone(state, log)
    if left is None or left.phase != "action":
        return left
    skip = moves.Skip(left.turn)
    return None if any(True for _ in actions.check_skip(left, skip)) else actions.skip(left, skip, log)


def _check_due(state: State, move: Any) -> Iterator[Breach]:
    """Whoever only may do what is due, and does something else, has left it alone: then that is what is wrong."""
    found = tuple(tasks.check_due(state, move))
    otherwise = not isinstance(move, moves.Choose) and [breach.rule for breach in found] == ["effect.due"]
    left = tasks.left_alone(state, RuleLog()) if otherwise else None
    yield from (tuple(_check_act(left, move)) if left is not None else ()) or found


def _check_draw_up(state: State, move: moves.DrawUp) -> Iterator[Breach]:
    left = _left_alone(state, RuleLog())
    if left is not None:
        yield from _check_act(left, move)
    else:
        left_out = _left_out(state)
        yield from tasks.check_due(state, move) if state.due else left_out or _check_act(state, move)


def _left_out(state: State) -> tuple[Breach, ...]:
    """The main action that is to be taken before anything else."""
    if state.due or state.phase != "action":
        return ()
    return tuple(actions.check_skip(state, moves.Skip(state.turn)))[:1]


def _of_the_turn(state: State) -> Iterator[Move]:
    match state.phase:
        case "draft":
            yield from setup.pair_moves(state)
        case "sliding":
            yield from cards.slide_moves(state)
        case "playing":
            yield from cards.play_moves(state)
        case "moving":
            yield from movement.travel_moves(state)
        case "action":
            yield from recruitment.dismiss_moves(state)
            yield from actions.action_moves(state)
            yield from _drawing_up(state)
        case "hiring":
            yield from recruitment.hire_moves(state)
            yield from _at_the_end(state)
        case "collision" | "drawing":
            yield from _at_the_end(state)
        case _:
            return


def _at_the_end(state: State) -> Iterator[Move]:
    if state.phase != "drawing":
        yield from end_of_turn.collide_moves(state)
    yield from end_of_turn.draw_moves(state)


def breaches(state: State, move: Any) -> Iterator[Breach]:
    """Everything that is wrong with a move; what was paid or taken wrongly besides counts whatever else is wrong."""
    found = list(_breaches(state, move))
    yield from found
    off = getattr(move, "off", EXACT)
    if found and off != EXACT and 0 <= move.seat < state.players:
        told = {breach.rule for breach in found}
        yield from () if "effect.exact" in told else off_breaches(state, move.seat, off)


def _breaches(state: State, move: Any) -> Iterator[Breach]:
    if type(move) in TURNED_UP:
        yield from _check_turned_up(state, move)
        return
    if state.phase not in ("laying_out", "lots") and turning_up(state):
        yield broken("turn.reveal")
        return
    if isinstance(move, moves.TurnScheme | moves.AddScheme):
        yield from solo.check_scheme(state, move)
        return
    if not hasattr(move, "seat"):
        yield from _check_act(state, move)
        return
    if not 0 <= move.seat < state.players:
        yield broken("setup.players", seat=move.seat + 1, players=state.players)
        return
    if isinstance(move, moves.TakeHonour):
        yield from cards.check_take(state, move)
    elif isinstance(move, moves.Alter):
        yield from _check_alter(state, move)
    elif state.phase in ("laying_out", "lots", "over"):
        yield broken("turn.phases", act=type(move).__name__, now=f"now {state.phase}")
    elif move.seat != acting(state):
        yield from _out_of_turn(state, move)
    elif isinstance(move, moves.DrawUp):
        yield from _check_draw_up(state, move)
    elif state.due:
        yield from _check_due(state, move)
    else:
        yield from _check_act(state, move)


def _out_of_turn(state: State, move: Any) -> Iterable[Breach]:
    """Whoever begins a turn that would be due is not to blame if the one before has left the main action out."""
    following = isinstance(move, moves.Slide) and move.seat == (state.turn + 1) % state.players
    breach = broken("turn.order", seat=state.colour_of(move.seat), next=state.colour_of(acting(state)))
    return (_left_out(state) if following else ()) or (breach,)


def _check_alter(state: State, move: moves.Alter) -> Iterator[Breach]:
    """Nothing is to change; so whatever changed is off."""
    found = list(off_breaches(state, move.seat, move.off))
    yield from found or (broken("effect.nothing", seat=state.colour_of(move.seat), act=type(move).__name__),)


def _check_turned_up(state: State, move: Move) -> Iterator[Breach]:
    if state.phase in ("laying_out", "over"):
        yield broken("turn.phases", act=type(move).__name__, now=f"now {state.phase}")
    else:
        yield from TURNED_UP[type(move)].check(state, move)


def _check_act(state: State, move: Any) -> Iterator[Breach]:
    act = ACTS.get(type(move))
    if act is None:
        yield broken("effect.nothing", seat=state.colour_of(move.seat), act=type(move).__name__)
    elif state.phase not in act.phases:
        yield broken("turn.phases", act=type(move).__name__, now=f"now {state.phase}")
    else:
        found = list(actions.check_open(state, move.seat, act.action)) if act.action else []
        yield from found or act.check(state, move)


def carried_out(state: State, move: Move, log: RuleLog) -> State:
    """A legal move with everything that follows by itself."""
    state = tasks.settled(_done(state, move, log), log)
    if state.phase == "lots":
        return setup.after_lot(state)
    if state.phase == "draft" and not state.due and not turning_up(state) and setup.all_chosen(state):
        return setup.begun(state, log)
    return state


def _done(state: State, move: Any, log: RuleLog) -> State:
    if type(move) in TURNED_UP:
        return TURNED_UP[type(move)].play(state, move, log)
    if isinstance(move, moves.DrawUp):
        state = _left_alone(state, log) or state
    if state.due:
        return tasks.do_due(state, move, log)
    act = ACTS[type(move)]
    if act.action:
        state = actions.begun(state, move.seat, act.action, log)
    return act.play(state, move, log)


def signalled(state: State, signal: Signal) -> tuple[Move, ...]:
    if signal.kind != "press" or signal.seat is None:
        return ()
    meant: tuple[Move, ...] = (DrawUp(signal.seat), Decline(signal.seat))
    return tuple(move for move in meant if not any(True for _ in breaches(state, move)))
