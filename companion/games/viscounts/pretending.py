"""What a hand can do, allowed or not: pieces move and markers are pushed, and no rule is asked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from companion.rules import SeatNo, Story, changed

from . import building, castle, hiring, manuscripts, moves, papers, row, travelling
from .box import BUILDINGS, RESOURCES, SILVER, SLOTS
from .effects import add_goods, pay_goods, some
from .moves import EXACT, Move, Off
from .phases import breaches, carried_out
from .state import NOBODY, NONE, NOWHERE, UNSEEN, State, card, workers_left
from .tasks import settled


def pretend(state: State, move: Move) -> State | None:
    """The table after a move, forbidden or not; None where no hand could do it, or nobody could see it."""
    after = intended(state, move)
    if after is None:
        return None
    after = _off(after, getattr(move, "seat", 0), getattr(move, "off", EXACT))
    return after if _possible(after) else None


def intended(state: State, move: Any) -> State | None:
    """The table after a move with all that it costs and brings, though nobody may have as much."""
    exact = replace(move, off=EXACT) if hasattr(move, "off") else move
    if not any(True for _ in breaches(state, exact)):
        return carried_out(state, exact, Story())
    act = _ACTS.get(type(move))
    if act is None or not 0 <= getattr(move, "seat", 0) < state.players or state.phase in ("laying_out", "lots"):
        return None
    if NOWHERE in state.viscounts or UNSEEN in (*state.offer, *state.scripts):
        return None
    after = act(state, exact)
    return None if after is None else settled(after, Story())


def _off(state: State, seat: SeatNo, off: Off) -> State:
    if off == EXACT:
        return state
    *goods, corruption, virtue = off
    state = add_goods(state, seat, tuple(goods))
    return replace(
        state,
        corruption=changed(state.corruption, seat, state.corruption[seat] + corruption),
        virtue=changed(state.virtue, seat, state.virtue[seat] - virtue),
    )


def _possible(state: State) -> bool:
    """Whether all markers are on their tracks, and nobody has less than nothing."""
    fields = range(1, len(state.box.track.fields) + 1)
    return (
        all(number >= 0 for goods in state.goods for number in goods)
        and all(field in fields for field in (*state.corruption, *state.virtue))
        and all(workers_left(state, seat) >= 0 for seat in range(state.players))
    )


def _can_pay(state: State, seat: SeatNo, pays: moves.Goods) -> bool:
    return all(had >= number >= 0 for had, number in zip(state.goods[seat], pays, strict=True))


def _travel(state: State, move: moves.Travel) -> State | None:
    if not 0 <= move.space < 3 * len(state.order):
        return None
    if not state.played or move.seat != state.turn:
        return replace(state, viscounts=changed(state.viscounts, move.seat, move.space))
    cost = min(travelling.price(state, move.seat, move.space), state.has(move.seat, SILVER))
    return travelling.arrived(pay_goods(state, move.seat, some(SILVER, cost)), move, Story())


def _build(state: State, move: moves.Build) -> State | None:
    known = 0 <= move.building < len(BUILDINGS) and 0 <= move.slot < SLOTS
    if not known or state.built[move.seat] >> move.building * SLOTS + move.slot & 1:
        return None
    if not 0 <= move.segment < len(state.plots) or not 0 <= move.plot < len(state.plots[move.segment]):
        return None
    if state.plots[move.segment][move.plot] != NOBODY or not _can_pay(state, move.seat, move.pays):
        return None
    return building.stands(pay_goods(state, move.seat, move.pays), move, Story())


def _employ(state: State, move: moves.Employ) -> State | None:
    if not 0 <= move.section < len(state.order) or not 1 <= move.number <= workers_left(state, move.seat):
        return None
    if not _can_pay(state, move.seat, move.pays):
        return None
    state = pay_goods(state, move.seat, move.pays)
    return castle.with_workers(state, castle.FIRST, move.section, move.seat, move.number)


def _copy(state: State, move: moves.Copy) -> State | None:
    if not 0 <= move.segment < len(state.scripts) or state.scripts[move.segment] == NONE:
        return None
    if not _can_pay(state, move.seat, move.pays):
        return None
    return manuscripts.copied(pay_goods(state, move.seat, move.pays), move, Story())


def _hire(state: State, move: moves.Hire) -> State | None:
    if not 0 <= move.segment < len(state.offer) or state.offer[move.segment] == NONE:
        return None
    price = min(card(state, state.offer[move.segment]).silver, state.has(move.seat, SILVER))
    return hiring.joined(pay_goods(state, move.seat, some(SILVER, price)), move, Story())


def _take(state: State, move: moves.TakeGood) -> State | None:
    return papers.take_good(state, move, Story()) if move.good in RESOURCES else None


def _flip(state: State, move: moves.Flip) -> State | None:
    return papers.flip(state, move, Story()) if move.paper in papers.papers(state, move.seat, "flip") else None


def _rearrange(state: State, move: moves.Rearrange) -> State | None:
    return row.rearrange(state, move, Story()) if sorted(move.row) == sorted(state.rows[move.seat]) else None


def _shift(state: State, move: moves.Shift) -> State | None:
    sections = range(len(state.order))
    if move.section not in sections or move.to not in sections or not state.rings[0][move.section][move.seat]:
        return None
    state = castle.with_workers(state, castle.FIRST, move.section, move.seat, -1)
    return castle.with_workers(state, castle.FIRST, move.to, move.seat, 1)


def _push(state: State, move: moves.Push) -> State | None:
    if move.ring not in (castle.FIRST, castle.SECOND) or not 0 <= move.section < len(state.order):
        return None
    if not 0 <= move.owner < state.players or not state.rings[move.ring - 1][move.section][move.owner]:
        return None
    return castle.push(state, move, Story())


_ACTS: Final[Mapping[type[Any], Callable[[State, Any], State | None]]] = {
    moves.Travel: _travel,
    moves.Build: _build,
    moves.Employ: _employ,
    moves.Copy: _copy,
    moves.Hire: _hire,
    moves.TakeGood: _take,
    moves.Flip: _flip,
    moves.Rearrange: _rearrange,
    moves.Shift: _shift,
    moves.Push: _push,
}
