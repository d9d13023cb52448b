"""What hands can do, allowed or not: pieces and markers move, and no rule is checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from companion.kernel.rules import RuleLog, SeatNo, changed

from .. import moves
from ..box import BUILDINGS, GOODS, RESOURCES, SILVER, SLOTS
from ..components import INNER, all_cards
from ..moves import EXACT, Deviation, Move
from ..rulebook import (
    buildings,
    cards,
    castle,
    manuscripts,
    movement,
    papers,
    recruitment,
    setup,
    trade,
)
from ..rulebook.cards import remove_from_game
from ..rulebook.deck import add_to_discards, remove_hidden
from ..rulebook.effects import add_goods, apply, gain_debts, gain_deeds, goods_of, pay_goods
from ..rulebook.phases import breaches, carry_out
from ..rulebook.tasks import run_automatic_tasks
from ..state import (
    EMPTY,
    NO_SEAT,
    NOWHERE,
    UNSEEN,
    State,
    card,
    segment_with,
    workers_left,
)


def play_unchecked(state: State, move: Move) -> State | None:
    """Return the state after a move that may be forbidden; None if no hand could do it, or if it leaves no trace."""
    after = play_with_costs(state, move)
    if after is None:
        return None
    after = with_deviation(after, getattr(move, "seat", 0), getattr(move, "off", EXACT))
    return after if _possible(after) else None


def play_with_costs(state: State, move: Any) -> State | None:
    """Return the state after a move with all that it costs and brings, even if a seat has too little."""
    exact = replace(move, off=EXACT) if hasattr(move, "off") else move
    if not any(True for _ in breaches(state, exact)):
        return carry_out(state, exact, RuleLog())
    act = _ACTS.get(type(move))
    if act is None or not 0 <= getattr(move, "seat", 0) < state.players or state.phase in ("laying_out", "lots"):
        return None
    if UNSEEN in (*state.offer, *state.scripts) or (NOWHERE in state.viscounts and type(move) is not moves.TakePair):
        return None
    after = act(state, exact)
    return None if after is None else run_automatic_tasks(after, RuleLog())


def with_deviation(state: State, seat: SeatNo, deviation: Deviation) -> State:
    """Return the state with wrong goods, markers and papers."""
    if deviation == EXACT:
        return state
    *goods, corruption, virtue, debt, deed = deviation
    state = add_goods(state, seat, tuple(goods))
    state = replace(
        state,
        corruption=changed(state.corruption, seat, state.corruption[seat] + corruption),
        virtue=changed(state.virtue, seat, state.virtue[seat] - virtue),
    )
    state = gain_debts(state, seat, debt, RuleLog()) if debt else state
    return gain_deeds(state, seat, deed, RuleLog()) if deed else state


def _possible(state: State) -> bool:
    """Whether all markers are on their tracks, and no seat has less than nothing."""
    fields = range(1, len(state.box.track.fields) + 1)
    return (
        all(number >= 0 for mine in (*state.goods, *state.debts, *state.deeds) for number in mine)
        and all(field in fields for field in (*state.corruption, *state.virtue))
        and all(workers_left(state, seat) >= 0 for seat in range(state.players))
    )


def _can_pay(state: State, seat: SeatNo, pays: moves.Goods) -> bool:
    return all(had >= number >= 0 for had, number in zip(state.goods[seat], pays, strict=True))


def _pay_what_they_have(state: State, seat: SeatNo, silver: int) -> State:
    """Pay as much of a price as a seat has."""
    return pay_goods(state, seat, goods_of(SILVER, min(silver, state.has(seat, SILVER))))


# Cards


def _take_pair(state: State, move: moves.TakePair) -> State | None:
    lies = 0 <= move.place < len(state.cards) and state.cards[move.place] != NOWHERE
    free = lies and move.seat < len(state.seats) and state.viscounts[move.seat] == NOWHERE
    return setup.take_pair(state, move, RuleLog()) if free else None


def _slide(state: State, move: moves.Slide) -> State | None:
    return cards.slide(state, move, RuleLog()) if any(state.rows[move.seat]) and move.seat < len(state.seats) else None


def _play_card(state: State, move: moves.PlayCard) -> State | None:
    """Lay a seat's own card, wherever it was, on an empty left place."""
    seat, name = move.seat, move.card
    if name not in all_cards(state.box) or state.rows[seat][0] or seat >= len(state.seats):
        return None
    if name in state.discards[seat]:
        left = tuple(one for one in state.discards[seat] if one != name)
        state = replace(state, discards=changed(state.discards, seat, left))
    elif name in state.hidden[seat]:
        state = remove_hidden(state, seat, name, "hand")
    else:
        return None
    return cards.lay_card(state, move, RuleLog())


def _rearrange(state: State, move: moves.Rearrange) -> State | None:
    return cards.rearrange(state, move, RuleLog()) if sorted(move.row) == sorted(state.rows[move.seat]) else None


def _discard(state: State, move: moves.Discard) -> State | None:
    seat, name = move.seat, move.card
    if name not in state.hidden[seat]:
        return None
    return add_to_discards(remove_hidden(state, seat, name, "hand"), seat, name)


# The board


def _travel(state: State, move: moves.Travel) -> State | None:
    if not 0 <= move.space < 3 * len(state.order):
        return None
    if not state.played or move.seat != state.turn:
        return replace(state, viscounts=changed(state.viscounts, move.seat, move.space))
    cost = 0 if movement.is_too_near(state, move) else movement.price(state, move.seat, move.space)
    return movement.move_viscount(_pay_what_they_have(state, move.seat, cost), move, RuleLog())


def _dismiss(state: State, move: moves.Dismiss) -> State | None:
    segment = segment_with(state, move.seat)
    name = state.offer[segment]
    if not name:
        return None
    if move.seat != state.rival:
        state = _pay_what_they_have(state, move.seat, recruitment.price(state, move.seat, name))
    state = remove_from_game(recruitment.remove_top_townsfolk(state, segment), name)
    return apply(state, move.seat, card(state, name).hired, RuleLog())


def _trade(state: State, move: moves.Trade) -> State | None:
    """Trade more often than is possible, and pay what the seat has."""
    if state.viscounts[move.seat] % 3 == INNER or not 1 <= move.times <= _MOST_TRADES or move.seat == state.rival:
        return None
    cost, seat = trade.price(state, move.seat, move.times), move.seat
    return trade.make_exchange(_pay_what_they_have(state, seat, cost), seat, move.times, RuleLog())


_MOST_TRADES: Final = 12


def _build(state: State, move: moves.Build) -> State | None:
    known = 0 <= move.building < len(BUILDINGS) and 0 <= move.slot < SLOTS
    if not known or state.built[move.seat] >> move.building * SLOTS + move.slot & 1:
        return None
    if not 0 <= move.segment < len(state.plots) or not 0 <= move.plot < len(state.plots[move.segment]):
        return None
    if state.plots[move.segment][move.plot] != NO_SEAT or not _can_pay(state, move.seat, move.pays):
        return None
    return buildings.place_building(pay_goods(state, move.seat, move.pays), move, RuleLog())


def _copy(state: State, move: moves.Copy) -> State | None:
    if not 0 <= move.segment < len(state.scripts) or state.scripts[move.segment] == EMPTY:
        return None
    if not _can_pay(state, move.seat, move.pays):
        return None
    return manuscripts.take_manuscript(pay_goods(state, move.seat, move.pays), move, RuleLog())


def _hire(state: State, move: moves.Hire) -> State | None:
    if not 0 <= move.segment < len(state.offer) or state.offer[move.segment] == EMPTY:
        return None
    return recruitment.take_townsfolk(
        _pay_what_they_have(state, move.seat, card(state, state.offer[move.segment]).silver), move, RuleLog()
    )


# The castle


def _employ(state: State, move: moves.Employ) -> State | None:
    if not 0 <= move.section < len(state.order) or not 1 <= move.number <= workers_left(state, move.seat):
        return None
    if not _can_pay(state, move.seat, move.pays):
        return None
    state = pay_goods(state, move.seat, move.pays)
    return castle.with_workers(state, castle.FIRST, move.section, move.seat, move.number)


def _shift(state: State, move: moves.Shift) -> State | None:
    sections = range(len(state.order))
    if move.section not in sections or move.to not in sections or not state.rings[0][move.section][move.seat]:
        return None
    state = castle.with_workers(state, castle.FIRST, move.section, move.seat, -1)
    return castle.with_workers(state, castle.FIRST, move.to, move.seat, 1)


def _climb(state: State, move: moves.Climb) -> State | None:
    """Move a worker up; those of its companions that are there move to both sides."""
    if move.ring not in (castle.FIRST, castle.SECOND) or not 0 <= move.section < len(state.order):
        return None
    there = state.rings[move.ring - 1][move.section][move.seat]
    if not there:
        return None
    if there < state.box.castle.climb and move.ring == castle.FIRST:
        sections = len(state.order)
        state = castle.with_workers(state, castle.FIRST, move.section, move.seat, -there)
        for beside in range(1, there):
            to = (move.section + (1, -1)[beside - 1]) % sections
            state = castle.with_workers(state, castle.FIRST, to, move.seat, 1)
        state = castle.with_workers(state, castle.SECOND, move.section, move.seat, 1)
        return apply(state, move.seat, state.box.castle.sections[move.section], RuleLog())
    return castle.climb(state, move, RuleLog())


def _push(state: State, move: moves.Push) -> State | None:
    if move.ring not in (castle.FIRST, castle.SECOND) or not 0 <= move.section < len(state.order):
        return None
    if not 0 <= move.owner < state.players or not state.rings[move.ring - 1][move.section][move.owner]:
        return None
    return castle.push(state, move, RuleLog())


# A player board


def _take(state: State, move: moves.TakeGood) -> State | None:
    if move.good in RESOURCES:
        return papers.take_good(state, move, RuleLog())
    return add_goods(state, move.seat, goods_of(SILVER, 1)) if move.good == GOODS[SILVER] else None


def _flip(state: State, move: moves.Flip) -> State | None:
    if move.paper not in papers.papers(state, move.seat, "flip") or not _can_pay(state, move.seat, move.pays):
        return None
    return papers.flip(pay_goods(state, move.seat, move.pays), move, RuleLog())


def _alter(state: State, _move: moves.Alter) -> State | None:
    return state


def _take_honour(state: State, move: moves.TakeHonour) -> State | None:
    return cards.take_honour(state, move)


_ACTS: Final[Mapping[type[Any], Callable[[State, Any], State | None]]] = {
    moves.TakePair: _take_pair,
    moves.Slide: _slide,
    moves.PlayCard: _play_card,
    moves.Rearrange: _rearrange,
    moves.Discard: _discard,
    moves.Travel: _travel,
    moves.Dismiss: _dismiss,
    moves.Trade: _trade,
    moves.Build: _build,
    moves.Copy: _copy,
    moves.Hire: _hire,
    moves.Employ: _employ,
    moves.Shift: _shift,
    moves.Climb: _climb,
    moves.Push: _push,
    moves.TakeGood: _take,
    moves.Flip: _flip,
    moves.Alter: _alter,
    moves.TakeHonour: _take_honour,
}
