"""What hands can do, allowed or not: pieces and markers move, and no rule is checked."""

from __future__ import annotations

from msgspec.structs import replace

from companion.games.council_of_four.state import State, open_permits, permit_bonus, places_of, pool
from companion.kernel.rules import RuleLog, SeatNo, changed

from .. import moves
from ..box import JOKER, all_permits
from ..moves import HERE, UNSEEN_CARD, Deviation, Move
from ..rulebook.cards import gain, lay_down, pay_gold, return_assistants, token_source
from ..rulebook.councils import bribe_price, council_after_push
from ..rulebook.emporiums import KINGS_REWARD, build_emporium
from ..rulebook.nobility import COPIED_PERMIT
from ..rulebook.permits import acquire
from ..rulebook.turns import begin_turn


def play_unchecked(state: State, move: Move) -> State | None:
    """Return the state after a move that may be forbidden; None if no hand could do it, or if it leaves no trace."""
    after = play_with_costs(state, move)
    if after is None:
        return None
    after = _with_deviation(after, getattr(move, "seat", 0), getattr(move, "off", moves.EXACT))
    return after if _possible(after) else None


def play_with_costs(state: State, move: Move) -> State | None:
    """Return the state after a move with all that it costs and brings, even if a seat has too little."""
    return _carry_out(state, move) if 0 <= getattr(move, "seat", 0) < state.players else None


def _carry_out(state: State, move: Move) -> State | None:
    log, box = RuleLog(), state.box
    match move:
        case moves.Elect():
            return _pushed(_gold(state, move.seat, box.prices.election), move)
        case moves.Send():
            return _pushed(return_assistants(state, move.seat, box.prices.send), move)
        case moves.BuyPermit():
            if not _lies(state.offers, move.place) or not _cards(state, move.seat, move.cards):
                return None
            bribed = lay_down(pay_gold(state, move.seat, bribe_price(box, move.cards)), move.seat, move.cards)
            return acquire(bribed, move.seat, move.place, log)
        case moves.TakeFree():
            return acquire(state, move.seat, move.place, log) if _lies(state.offers, move.place) else None
        case moves.Build():
            return _built(state, move, log)
        case moves.BuildWithKing():
            return _built_with_king(state, move, log)
        case moves.Hire():
            return return_assistants(pay_gold(state, move.seat, box.prices.assistant), move.seat, -1)
        case moves.Swap():
            return _swapped(return_assistants(state, move.seat, box.prices.swap), move)
        case moves.BuyAction():
            return return_assistants(state, move.seat, box.prices.main_action)
        case moves.CopyToken():
            token = state.tokens[move.city] if 0 <= move.city < len(state.tokens) else ""
            return gain(state, move.seat, box.tokens[token].bonus, log, token_source(token)) if token else None
        case moves.CopyPermit():
            known = move.permit in all_permits(box)
            return gain(state, move.seat, permit_bonus(state, move.permit), log, COPIED_PERMIT) if known else None
        case _:
            return _laid(state, move, log)


def _laid(state: State, move: Move, log: RuleLog) -> State | None:
    match move:
        case moves.PutToken():
            cities = len(state.tokens)
            known = move.token in state.box.tokens and 0 <= move.city < cities
            return replace(state, tokens=changed(state.tokens, move.city, move.token)) if known else None
        case moves.TurnUp():
            if not 0 <= move.place < len(state.offers) or state.offers[move.place]:
                return None
            known = move.permit in all_permits(state.box)
            return replace(state, offers=changed(state.offers, move.place, move.permit)) if known else None
        case moves.TakeBonus(tile=tile) if tile == KINGS_REWARD:
            left = len(state.rewards) < len(state.box.kings_rewards.points)
            return replace(state, rewards=(*state.rewards, move.seat)) if left else None
        case moves.TakeBonus():
            free = move.tile in state.box.bonus_tiles and move.tile not in {tile for tile, _ in state.bonuses}
            return replace(state, bonuses=(*state.bonuses, (move.tile, move.seat))) if free else None
        case moves.Sweep():
            return replace(state, bribe=()) if state.bribe else None
        case moves.EndTurn():
            return begin_turn(state, (move.seat + 1) % state.players, log)
        case _:
            return None


def _with_deviation(state: State, seat: SeatNo, deviation: Deviation) -> State:
    if deviation == moves.EXACT:
        return state
    gold, points, assistants, nobility = deviation
    return replace(
        return_assistants(_gold(state, seat, gold), seat, -assistants),
        points=changed(state.points, seat, state.points[seat] + points),
        nobility=changed(state.nobility, seat, state.nobility[seat] + nobility),
    )


def _gold(state: State, seat: SeatNo, gold: int) -> State:
    """Gold that comes or goes; no further than the track where it comes."""
    now = state.gold[seat] + gold
    return replace(state, gold=changed(state.gold, seat, min(now, state.box.tracks.gold) if gold > 0 else now))


def _possible(state: State) -> bool:
    """Whether all markers are on their tracks, no seat has less than nothing, and none has an eleventh emporium."""
    tracks = state.box.tracks
    return (
        all(0 <= gold <= tracks.gold for gold in state.gold)
        and all(0 <= field <= tracks.nobility for field in state.nobility)
        and all(points >= 0 for points in state.points)
        and all(number >= 0 for number in state.assistants)
        and state.supply >= 0
        and all(state.standing(seat) <= state.box.emporiums_each for seat in range(state.players))
    )


def _lies(places: tuple[str, ...], place: int) -> bool:
    return 0 <= place < len(places) and bool(places[place])


def _cards(state: State, seat: SeatNo, cards: tuple[str, ...]) -> bool:
    """Whether a seat can lay these down; if they look like more than its hand, the hand was counted wrongly."""
    if state.counted and len(cards) > state.hands[seat]:
        return False
    return set(cards) <= {*state.box.councillors.colours, JOKER, UNSEEN_CARD}


def _pushed(state: State, move: moves.Elect | moves.Send) -> State | None:
    if not 0 <= move.council < len(state.councils) or not pool(state.box, state.councils)[move.colour]:
        return None
    council = state.councils[move.council]
    if not (0 <= move.enters < len(council) and 0 <= move.falls < len(council)):
        return None
    return replace(state, councils=changed(state.councils, move.council, council_after_push(council, move)))


def _built(state: State, move: moves.Build, log: RuleLog) -> State | None:
    if move.permit not in state.permits[move.seat] or not 0 <= move.city < len(state.emporiums):
        return None
    if move.turned:
        left = tuple(permit for permit in state.permits[move.seat] if permit != move.permit)
        state = replace(
            state,
            permits=changed(state.permits, move.seat, left),
            used=changed(state.used, move.seat, (*state.used[move.seat], move.permit)),
        )
    return _stands(state, move.seat, move.city, log)


def _built_with_king(state: State, move: moves.BuildWithKing, log: RuleLog) -> State | None:
    cities = len(state.emporiums)
    if not 0 <= move.city < cities or not HERE <= move.king < cities or not _cards(state, move.seat, move.cards):
        return None
    end = move.city if move.king == HERE else move.king
    journey = state.map.roads[state.king][end] * state.box.prices.road
    state = pay_gold(state, move.seat, journey + bribe_price(state.box, move.cards))
    state = replace(lay_down(state, move.seat, move.cards), king=end)
    return _stands(state, move.seat, move.city, log)


def _stands(state: State, seat: SeatNo, city: int, log: RuleLog) -> State | None:
    """An emporium, with all that it brings if it is the first one there."""
    if state.owns(seat, city):
        return replace(state, twice=(*state.twice, (seat, city)))
    return build_emporium(state, seat, city, log)


def _swapped(state: State, move: moves.Swap) -> State | None:
    if not 0 <= move.region < len(state.below) or not (move.unseen or open_permits(state, move.region)):
        return None
    offers = tuple("" if place in places_of(move.region) else permit for place, permit in enumerate(state.offers))
    return replace(state, offers=offers)
