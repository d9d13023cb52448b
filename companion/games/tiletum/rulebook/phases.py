"""The table of acts: for each kind of move its phases, check and effect; the legal moves; and what a press means."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple, get_args

from companion.games.tiletum.state import NO_FREE_WALKS, Phase, State
from companion.kernel.messages import Signal
from companion.kernel.rules import Breach, RuleLog, SeatNo, broken

from .. import moves
from ..moves import Move
from . import (
    actions,
    any_time,
    contracts,
    dice,
    fairs,
    figures,
    guests,
    king_phase,
    kings_track,
    rounds,
    setup,
)
from .goods import blame_reward, deviation_breaches
from .rounds import end_turn_moves


class Act(NamedTuple):
    """The phases of a kind of move, what may be wrong with it, and what it does."""

    phases: tuple[Phase, ...]
    check: Callable[[State, Any], Iterable[Breach]]
    play: Callable[[State, Any, RuleLog], State]


_LOTS: Final[tuple[Phase, ...]] = ("lots",)
_TURN: Final[tuple[Phase, ...]] = ("turn",)
_EMPTY: Final = ("laying_out", "over")
_FILLED: Final[tuple[Phase, ...]] = tuple(phase for phase in get_args(Phase) if phase not in _EMPTY)
"""Offers may be filled in all of these phases."""

ACTS: Final[Mapping[type[Any], Act]] = {
    moves.LayOut: Act(("laying_out",), setup.check_lay_out, setup.lay_out),
    moves.PutVenue: Act(_LOTS, setup.check_put_venue, setup.put_venue),
    moves.PutFair: Act(_LOTS, setup.check_put_fair, setup.put_fair),
    moves.PutCost: Act(_LOTS, setup.check_put_cost, setup.put_cost),
    moves.PutTile: Act(("lots", "tidying", "refilling", "rolling"), setup.check_put_tile, setup.put_tile),
    moves.OfferContract: Act(_FILLED, contracts.check_offer_contract, contracts.offer_contract),
    moves.OfferGuest: Act(_FILLED, guests.check_offer_guest, guests.offer_guest),
    moves.PutDie: Act(("rolling",), rounds.check_put_die, rounds.put_die),
    moves.Reveal: Act(_TURN, kings_track.check_reveal, kings_track.reveal),
    moves.TakeDie: Act(_TURN, dice.check_take_die, dice.take_die),
    moves.TurnDie: Act(_TURN, dice.check_turn_die, dice.turn_die),
    moves.Gather: Act(_TURN, dice.check_gather, dice.gather),
    moves.TakeTile: Act(_TURN, dice.check_take_tile, dice.take_tile),
    moves.Walk: Act(_TURN, figures.check_walk, figures.walk),
    moves.PutPillar: Act(_TURN, figures.check_put_pillar, figures.put_pillar),
    moves.PutHouse: Act(_TURN, figures.check_put_house, figures.put_house),
    moves.TakeFromCity: Act(_TURN, figures.check_take_from_city, figures.take_from_city),
    moves.TakeGuest: Act(_TURN, guests.check_take_guest, guests.take_guest),
    moves.SweepGuests: Act(_TURN, guests.check_sweep_guests, guests.sweep_guests),
    moves.Lodge: Act(_TURN, guests.check_lodge, guests.lodge),
    moves.PutMarker: Act(_TURN, guests.check_put_marker, guests.put_marker),
    moves.TakeContract: Act(_TURN, contracts.check_take_contract, contracts.take_contract),
    moves.Swap: Act(_TURN, contracts.check_swap, contracts.swap),
    moves.Advance: Act(_TURN, actions.check_advance, actions.advance),
    moves.BuyGood: Act(_TURN, any_time.check_buy_good, any_time.buy_good),
    moves.TakeGood: Act(_TURN, any_time.check_take_good, any_time.take_good),
    moves.Fulfil: Act(_TURN, contracts.check_fulfil, contracts.fulfil),
    moves.UseHelper: Act(_TURN, any_time.check_use_helper, any_time.use_helper),
    moves.PlaceCrest: Act(_TURN, any_time.check_place_crest, any_time.place_crest),
    moves.JoinCathedral: Act(_TURN, any_time.check_join_cathedral, any_time.join_cathedral),
    moves.EndTurn: Act(_TURN, rounds.check_end_turn, rounds.end_turn),
    moves.Slide: Act(_FILLED, contracts.check_slide, contracts.slide),
    moves.TakeFavour: Act(("favour",), king_phase.check_take_favour, king_phase.take_favour),
    moves.DropFavour: Act(("favour",), king_phase.check_favour, king_phase.drop_favour),
    moves.ScoreCrown: Act(("king",), king_phase.check_score_crown, king_phase.score_crown),
    moves.SetOrder: Act(("order",), king_phase.check_set_order, king_phase.set_order),
    moves.HoldFair: Act(("fair",), fairs.check_hold_fair, fairs.hold_fair),
    moves.TidyUp: Act(("tidying",), rounds.check_tidy_up, rounds.tidy_up),
}


def legal_moves(state: State) -> Iterator[Move]:
    """Yield every legal move."""
    match state.phase:
        case "laying_out":
            yield moves.LayOut()
            return
        case "lots":
            yield from setup.lot_moves(state)
            return
        case "over":
            return
        case _:
            pass
    yield from contracts.offer_contract_moves(state)
    yield from guests.offer_guest_moves(state)
    match state.phase:
        case "rolling":
            yield from rounds.roll_moves(state)
            yield from setup.tile_moves(state)
        case "turn":
            yield from _of_a_turn(state)
        case "favour":
            yield from king_phase.favour_moves(state)
        case "king":
            yield moves.ScoreCrown()
        case "order":
            yield moves.SetOrder()
        case "fair":
            yield moves.HoldFair()
        case "tidying":
            yield moves.TidyUp()
            yield from setup.tile_moves(state)
        case "refilling":
            yield from setup.tile_moves(state)


def _of_a_turn(state: State) -> Iterator[Move]:
    """Yield the legal moves of a turn."""
    yield from kings_track.reveal_moves(state)
    if kings_track.reveal_due(state) and state.options.corruption_first:
        return
    yield from dice.die_moves(state)
    if any(state.ap) or any(state.ways) or any(state.free) or state.saved != NO_FREE_WALKS:
        yield from figures.architect_moves(state)
        yield from figures.merchant_moves(state)
        yield from guests.guest_moves(state)
        yield from contracts.contract_moves(state)
        yield from actions.crown_moves(state)
    yield from any_time.goods_moves(state)
    if state.warehouse[state.turn]:
        yield from contracts.fulfil_moves(state)
        yield from any_time.helper_moves(state)
        yield from any_time.crest_moves(state)
    yield from any_time.cathedral_moves(state)
    yield from guests.marker_moves(state)
    yield from rounds.end_turn_moves(state)


def breaches(state: State, move: Move) -> Iterator[Breach]:
    """Yield everything that is wrong with a move."""
    act = ACTS[type(move)]
    if state.phase not in act.phases:
        yield broken("turn.phases", act=type(move).__name__, now=state.phase)
        return
    seat: int = getattr(move, "seat", 0)
    if not 0 <= seat < state.players:
        yield broken("setup.players", seat=seat + 1, players=state.players)
        return
    if state.phase == "turn" and hasattr(move, "seat") and seat != state.turn:
        yield from _out_of_turn(state, seat, move)
        yield from deviation_breaches(state, seat, getattr(move, "off", moves.EXACT), blame_reward)
        return
    if _corruption_comes_first(state, move):
        yield broken("corruption.first", seat=state.colour(seat))
        return
    yield from act.check(state, move)


def _corruption_comes_first(state: State, move: Move) -> bool:
    """Whether the start player acts in this turn before the corruption marker is turned up."""
    return (
        state.options.corruption_first
        and hasattr(move, "seat")
        and kings_track.reveal_due(state)
        and state.phase == "turn"
    )


def _out_of_turn(state: State, seat: SeatNo, move: Move) -> Iterator[Breach]:
    """Yield the breach of acting out of turn.

    If the next seat takes its die while the current seat has left something undone, that is what is wrong.
    """
    following = state.order[(state.order.index(state.turn) + 1) % state.players]
    undone = list(rounds.check_end_turn(state, moves.EndTurn(state.turn))) if state.stage == "die_used" else []
    if undone and seat == following and isinstance(move, moves.TakeDie):
        yield from undone
    else:
        yield broken("turn.order", seat=state.colour(seat), next=state.colour(state.turn))


def carry_out(state: State, move: Move, log: RuleLog) -> State:
    """Return the state after a legal move, with everything that follows from it."""
    state = ACTS[type(move)].play(state, move, log)
    if state.phase in ("lots", "refilling"):
        return setup.after_lot(state)
    return _skip_empty_steps(state, log)


_BETWEEN: Final[Mapping[Phase, Move]] = {
    "king": moves.ScoreCrown(),
    "order": moves.SetOrder(),
    "fair": moves.HoldFair(),
}
"""The only move of each phase between turns and tidying up."""


def _skip_empty_steps(state: State, log: RuleLog) -> State:
    """Skip steps that change no points and no order: nothing moves at the table, so people do nothing."""
    while state.phase in _BETWEEN:
        move, notes = _BETWEEN[state.phase], RuleLog()
        after = ACTS[type(move)].play(state, move, notes)
        if (after.points, after.order, after.crown) != (state.points, state.order, state.crown):
            return state
        state = after
        log.notes += notes.notes
    return state


def signalled(state: State, signal: Signal) -> tuple[Move, ...]:
    """Return the moves a press may mean."""
    if signal.kind == "press" and state.phase == "turn" and signal.seat == state.turn:
        return tuple(end_turn_moves(state))
    if signal.kind == "press" and state.phase in _BETWEEN:
        return (_BETWEEN[state.phase],)
    return ()
