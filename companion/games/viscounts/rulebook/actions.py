"""Phase 3: Hauptaktion. Exactly one of four, two on the outer path and two on the inner one."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, RuleLog, SeatNo, broken

from ..box import Action, Effect
from ..components import INNER
from ..moves import Move, Skip
from ..state import Due, State, row_cards
from . import buildings, castle, manuscripts, trade
from .effects import apply_all, put_first
from .payment import ACTIONS, matches

OUTER_PATH: tuple[Action, ...] = ("trade", "build")
INNER_PATH: tuple[Action, ...] = ("workers", "manuscript")


def actions_here(state: State, seat: SeatNo) -> tuple[Action, ...]:
    """Return the actions of the path on which a viscount stands."""
    return INNER_PATH if state.viscounts[seat] % 3 == INNER else OUTER_PATH


def open_actions(state: State, seat: SeatNo) -> tuple[Action, ...]:
    """Return the actions that are still possible: a dismissed townsfolk has to help in them."""
    here = actions_here(state, seat)
    if not state.dismissed:
        return here
    return tuple(action for action in here if matches(state, seat, state.dismissed, action))


def possible(state: State, seat: SeatNo, action: Action) -> bool:
    """Whether a seat can pay for an action in some way."""
    match action:
        case "trade":
            return True  # a player may trade zero times
        case "build":
            return any(True for _ in buildings.build_moves(state, seat))
        case "workers":
            return any(True for _ in castle.employ_moves(state, seat))
        case "manuscript":
            return any(True for _ in manuscripts.copy_moves(state, seat))


def action_moves(state: State) -> Iterator[Move]:
    for action in open_actions(state, state.turn):
        yield from _moves_of(state, state.turn, action)
    skip = Skip(state.turn)
    if not any(True for _ in check_skip(state, skip)):
        yield skip


def _moves_of(state: State, seat: SeatNo, action: Action) -> Iterator[Move]:
    match action:
        case "trade":
            yield from trade.trade_moves(state, seat)
        case "build":
            yield from buildings.build_moves(state, seat)
        case "workers":
            yield from castle.employ_moves(state, seat)
        case "manuscript":
            yield from manuscripts.copy_moves(state, seat)


def check_open(state: State, seat: SeatNo, action: Action) -> Iterator[Breach]:
    """Check that an action may be taken here at all."""
    if action not in actions_here(state, seat):
        path = "inner_path" if action in INNER_PATH else "outer_path"
        yield broken("action.path", seat=state.colour(seat), action=action, path=path)
    elif action not in open_actions(state, seat):
        yield broken("dismiss.symbols", seat=state.colour(seat), card=state.dismissed)


def check_skip(state: State, move: Skip) -> Iterator[Breach]:
    """Check that no action is possible. Where a player may trade, trading zero times leaves the same table as no
    action."""
    left = open_actions(state, move.seat)
    if state.options.pass_action or "trade" in left:
        return
    for action in left:
        if possible(state, move.seat, action):
            yield broken("action.one", seat=state.colour(move.seat), action=action)


def skip(state: State, move: Skip, log: RuleLog) -> State:
    log.tell("action.none", seat=state.colour(move.seat))
    return replace(state, phase="hiring")


def begin_action(state: State, seat: SeatNo, action: Action, log: RuleLog) -> State:
    """Begin the one main action of a turn; abilities that follow it wait at the end of the list."""
    log.tell("action.one", seat=state.colour(seat), action=action)
    return put_first(replace(state, phase="hiring"), Due(seat, "after", ACTIONS.index(action)))


def end_action(state: State, due: Due, log: RuleLog) -> State:
    """End the action: apply the abilities that follow it."""
    action = ACTIONS[due.number]
    found: list[Effect] = [getattr(card, f"after_{action}") for card in row_cards(state, due.seat)]
    wanted = [(due.seat, effect) for effect in found if effect != Effect()]
    if wanted:
        log.tell("action.after", seat=state.colour(due.seat), action=action)
    return apply_all(state, wanted, log)
