"""Handeln: the exchange of an outer space, as often as a player likes and can pay; zero times is allowed."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import msgspec

from companion.kernel.rules import Breach, RuleLog, SeatNo, broken

from ..box import SILVER, Effect
from ..box import Trade as Exchange
from ..components import LEFT
from ..moves import Move, Trade
from ..state import State
from .effects import apply, deviation_breaches, goods_of, pay_goods
from .payment import strength


def exchange(state: State, seat: SeatNo) -> Exchange:
    """Return what is offered on the space of a viscount."""
    segment, where = divmod(state.viscounts[seat], 3)
    return tuple(state.box.segments.values())[segment].trades[0 if where == LEFT else 1]


def most_trades(state: State, seat: SeatNo) -> int:
    """Return how often a seat can trade. If the trade brings silver, none is paid for symbols."""
    offered, symbols = exchange(state, seat), strength(state, seat, "trade")
    silver = 0 if offered.gives.silver else state.has(seat, SILVER)
    return (symbols + silver) // offered.merchants


def price(state: State, seat: SeatNo, times: int) -> int:
    """Return the silver for missing symbols; none is paid if the trade brings silver."""
    offered = exchange(state, seat)
    return 0 if offered.gives.silver else max(0, times * offered.merchants - strength(state, seat, "trade"))


def trade_moves(state: State, seat: SeatNo) -> Iterator[Move]:
    yield from (Trade(seat, times) for times in range(most_trades(state, seat) + 1))


def check_trade(state: State, move: Trade) -> Iterator[Breach]:
    possible = most_trades(state, move.seat)
    if not 0 <= move.times <= possible:
        offered = exchange(state, move.seat)
        facts = {"times": move.times, "needs": max(0, move.times) * offered.merchants, "most": possible}
        facts |= {"has": strength(state, move.seat, "trade"), "silver": state.has(move.seat, SILVER)}
        rule = "trade.silver" if offered.gives.silver else "trade.cost"
        yield broken(rule, seat=state.colour(move.seat), **facts)
    yield from deviation_breaches(state, move.seat, move.off)


def trade(state: State, move: Trade, log: RuleLog) -> State:
    if not move.times:
        log.tell("trade.none", seat=state.colour(move.seat))
        return state
    seat, cost, offered = move.seat, price(state, move.seat, move.times), exchange(state, move.seat)
    facts = {"times": move.times, "needs": move.times * offered.merchants}
    facts |= {"has": strength(state, seat, "trade"), "silver": cost}
    log.tell("trade.cost", seat=state.colour(seat), **facts)
    return make_exchange(pay_goods(state, seat, goods_of(SILVER, cost)), seat, move.times, log)


def make_exchange(state: State, seat: SeatNo, times: int, log: RuleLog) -> State:
    """Apply what a trade brings, once it is paid."""
    offered = exchange(state, seat)
    for rule, applies in (
        ("trade.silver", offered.gives.silver),
        ("trade.resource", offered.gives.ink or offered.gives.gold or offered.gives.stone or offered.gives.any),
        ("trade.destroy", offered.gives.destroy),
        ("trade.flip", offered.gives.flip),
    ):
        if applies:
            log.tell(rule, seat=state.colour(seat), times=times)
    return apply(state, seat, _several(offered.gives, times), log)


@lru_cache(maxsize=512)
def _several(effect: Effect, times: int) -> Effect:
    """Return an effect a number of times."""
    numbers = {name: value * times for name, value in msgspec.structs.asdict(effect).items() if type(value) is int}
    return msgspec.structs.replace(effect, **{name: value for name, value in numbers.items() if value})
