"""The table of acts: for each kind of move its phases, check and effect; the legal moves; and what a press means.

While something is due, only that is done; while the top of a pile is unknown, only chance acts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from companion.kernel.messages import Signal
from companion.kernel.rules import Breach, RuleLog, broken

from .. import moves
from ..box import Action
from ..moves import EXACT, Decline, DrawUp, Move
from ..state import Phase, State, acting_seat, pile_top_unknown
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
from .effects import deviation_breaches


class Act(NamedTuple):
    """The phases of a kind of move, what may be wrong with it, what it does, and the main action that it belongs to."""

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
"""Acts of chance, possible whenever the top of a pile is unknown."""


def legal_moves(state: State) -> Iterator[Move]:
    """Return every legal move."""
    match state.phase:
        case "laying_out":
            return iter((moves.LayOut(),))
        case "lots":
            return setup.lot_moves(state)
        case "over":
            return iter(())
        case _:
            pass
    if pile_top_unknown(state):
        return recruitment.turn_up_moves(state)
    return _due_moves(state) if state.due else _of_the_turn(state)


def _due_moves(state: State) -> Iterator[Move]:
    yield from tasks.due_moves(state)
    yield from _draw_up_moves(state)


def _draw_up_moves(state: State) -> Iterator[Move]:
    left = _after_declining_all(state, RuleLog())
    if left is not None:
        yield from end_of_turn.draw_moves(left)


def _after_declining_all(state: State, log: RuleLog) -> State | None:
    """Return the state in which a seat can end its turn at once; None if there is none.

    Everything optional is declined, and the main action is skipped if none is possible or required.
    """
    if state.phase not in ("action", *ACTS[moves.DrawUp].phases):
        return None
    left = tasks.decline_all(state, log)
    if left is None or left.phase != "action":
        return left
    skip = moves.Skip(left.turn)
    return None if any(True for _ in actions.check_skip(left, skip)) else actions.skip(left, skip, log)


def _check_due(state: State, move: Any) -> Iterator[Breach]:
    """Check a move while something is due. If all that is due is optional, another act declines it: then only what is
    wrong with that act counts."""
    found = tuple(tasks.check_due(state, move))
    otherwise = not isinstance(move, moves.Choose) and [breach.rule for breach in found] == ["effect.due"]
    left = tasks.decline_all(state, RuleLog()) if otherwise else None
    yield from (tuple(_check_act(left, move)) if left is not None else ()) or found


def _check_draw_up(state: State, move: moves.DrawUp) -> Iterator[Breach]:
    left = _after_declining_all(state, RuleLog())
    if left is not None:
        yield from _check_act(left, move)
    else:
        left_out = _main_action_missing(state)
        yield from tasks.check_due(state, move) if state.due else left_out or _check_act(state, move)


def _main_action_missing(state: State) -> tuple[Breach, ...]:
    """Return the breach of leaving out the main action."""
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
            yield from _draw_up_moves(state)
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
    """Yield everything that is wrong with a move; a wrong payment or reward is added to all other faults."""
    found = list(_breaches(state, move))
    yield from found
    deviation = getattr(move, "off", EXACT)
    if found and deviation != EXACT and 0 <= move.seat < state.players:
        told = {breach.rule for breach in found}
        yield from () if "effect.exact" in told else deviation_breaches(state, move.seat, deviation)


def _breaches(state: State, move: Any) -> Iterator[Breach]:
    if type(move) in TURNED_UP:
        yield from _check_turned_up(state, move)
        return
    if state.phase not in ("laying_out", "lots") and pile_top_unknown(state):
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
    elif move.seat != acting_seat(state):
        yield from _out_of_turn(state, move)
    elif isinstance(move, moves.DrawUp):
        yield from _check_draw_up(state, move)
    elif state.due:
        yield from _check_due(state, move)
    else:
        yield from _check_act(state, move)


def _out_of_turn(state: State, move: Any) -> Iterable[Breach]:
    """Return the breach of acting out of turn; if the next seat begins its turn after a left-out main action, that is
    the breach."""
    following = isinstance(move, moves.Slide) and move.seat == (state.turn + 1) % state.players
    breach = broken("turn.order", seat=state.colour(move.seat), next=state.colour(acting_seat(state)))
    return (_main_action_missing(state) if following else ()) or (breach,)


def _check_alter(state: State, move: moves.Alter) -> Iterator[Breach]:
    """Check a change for no reason: all of it is wrong."""
    found = list(deviation_breaches(state, move.seat, move.off))
    yield from found or (broken("effect.nothing", seat=state.colour(move.seat), act=type(move).__name__),)


def _check_turned_up(state: State, move: Move) -> Iterator[Breach]:
    if state.phase in ("laying_out", "over"):
        yield broken("turn.phases", act=type(move).__name__, now=f"now {state.phase}")
    else:
        yield from TURNED_UP[type(move)].check(state, move)


def _check_act(state: State, move: Any) -> Iterator[Breach]:
    act = ACTS.get(type(move))
    if act is None:
        yield broken("effect.nothing", seat=state.colour(move.seat), act=type(move).__name__)
    elif state.phase not in act.phases:
        yield broken("turn.phases", act=type(move).__name__, now=f"now {state.phase}")
    else:
        found = list(actions.check_open(state, move.seat, act.action)) if act.action else []
        yield from found or act.check(state, move)


def carry_out(state: State, move: Move, log: RuleLog) -> State:
    """Return the state after a legal move, with everything that follows from it."""
    state = tasks.run_automatic_tasks(_play(state, move, log), log)
    if state.phase == "lots":
        return setup.after_lot(state)
    if state.phase == "draft" and not state.due and not pile_top_unknown(state) and setup.all_chosen(state):
        return setup.begin_game(state, log)
    return state


def _play(state: State, move: Any, log: RuleLog) -> State:
    if type(move) in TURNED_UP:
        return TURNED_UP[type(move)].play(state, move, log)
    if isinstance(move, moves.DrawUp):
        state = _after_declining_all(state, log) or state
    if state.due:
        return tasks.do_due(state, move, log)
    act = ACTS[type(move)]
    if act.action:
        state = actions.begin_action(state, move.seat, act.action, log)
    return act.play(state, move, log)


def signalled(state: State, signal: Signal) -> tuple[Move, ...]:
    """Return the moves a press may mean."""
    if signal.kind != "press" or signal.seat is None:
        return ()
    meant: tuple[Move, ...] = (DrawUp(signal.seat), Decline(signal.seat))
    return tuple(move for move in meant if not any(True for _ in breaches(state, move)))
