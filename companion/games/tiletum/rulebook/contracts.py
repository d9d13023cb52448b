"""Vertrag: contracts are taken, goods swapped; after a turn the offer slides together and is filled."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations_with_replacement

from msgspec.structs import replace

from companion.games.tiletum.state import EMPTY, State, contract_stack
from companion.kernel.rules import Breach, Note, RuleLog, SeatNo, broken, changed

from ..box import CONTRACT, GOODS
from ..components import goods_for, price_of
from ..moves import Fulfil, Move, OfferContract, Slide, Swap, TakeContract
from .actions import available, check_points, spend
from .goods import (
    add_goods,
    add_points,
    blame_reward,
    can_pay,
    check_room,
    deviation_breaches,
    gain,
    has_room,
    out_of_warehouse,
    pay_goods,
    store,
)

# The offer


def offer_contract_moves(state: State) -> Iterator[Move]:
    if state.filling or state.phase == "lots":
        stack = contract_stack(state)
        for place, contract in enumerate(contracts_after_slide(state)):
            if not contract:
                yield from _offers(place, stack)
    if state.sliding:
        yield Slide()


@lru_cache(maxsize=1024)
def _offers(place: int, contracts: tuple[str, ...]) -> tuple[Move, ...]:
    return tuple(OfferContract(place, contract) for contract in contracts)


def check_offer_contract(state: State, move: OfferContract) -> Iterator[Breach]:
    if not 0 <= move.place < len(state.contracts) or contracts_after_slide(state)[move.place]:
        yield broken("setup.place", where="where contracts", place=move.place + 1)
        return
    if not state.filling and state.phase != "lots":
        yield broken("contract.end")
    if move.contract not in contract_stack(state):
        yield broken("setup.once", tile=move.contract)


def offer_contract(state: State, move: OfferContract, log: RuleLog) -> State:
    if state.sliding:
        state = slide(state, Slide(), log)
    log.tell("setup.contracts" if state.phase == "lots" else "contract.refill", contract=move.contract)
    state = replace(state, contracts=changed(state.contracts, move.place, move.contract))
    return replace(state, filling=state.filling and EMPTY in state.contracts and bool(contract_stack(state)))


def start_refill(state: State, log: RuleLog) -> State:
    """After a turn, note that contracts have to slide to the right and new ones to be turned up.

    Play goes on meanwhile; only taking a contract has to wait.
    """
    if state.filling or EMPTY not in state.contracts:
        return state
    sliding, more = _pushed_right(state.contracts) != state.contracts, bool(contract_stack(state))
    if not more:
        log.tell("contract.none-left")
    return replace(state, sliding=sliding, filling=sliding or more)


def _pushed_right(contracts: tuple[str, ...]) -> tuple[str, ...]:
    lying = tuple(contract for contract in contracts if contract)
    return ((EMPTY,) * (len(contracts) - len(lying))) + lying


def contracts_after_slide(state: State) -> tuple[str, ...]:
    """Return the contracts as they lie when new ones are turned up."""
    return _pushed_right(state.contracts) if state.sliding else state.contracts


def check_slide(state: State, _move: Slide) -> Iterator[Breach]:
    if not state.sliding:
        yield broken("contract.slide")


def slide(state: State, _move: Slide, log: RuleLog) -> State:
    contracts = contracts_after_slide(state)
    log.tell("contract.slide", contracts=sum(map(bool, contracts)))
    return replace(state, contracts=contracts, sliding=False, filling=bool(contract_stack(state)))


def contract_moves(state: State) -> Iterator[Move]:
    """Yield what contract points can buy."""
    points, seat = available(state, CONTRACT), state.turn
    if not points:
        return
    if has_room(state, seat) and not state.filling:
        for place, price in enumerate(state.box.offers.contracts):
            if state.contracts[place] and price <= points:
                yield TakeContract(seat, place)
    if points >= state.box.prices.swap:
        number = 1 if state.swapped else state.box.prices.first_swap
        for good, have in enumerate(state.goods[seat]):
            if have:
                yield from _swaps(seat, good, number, state.options.swap_same)


def check_take_contract(state: State, move: TakeContract) -> Iterator[Breach]:
    if not 0 <= move.place < len(state.contracts) or not state.contracts[move.place]:
        yield broken("contract.take", place=move.place + 1)
        return
    if state.filling:
        yield broken("contract.refill")
    yield from check_room(state, move.seat)
    yield from check_points(state, move.seat, CONTRACT, state.box.offers.contracts[move.place])


def take_contract(state: State, move: TakeContract, log: RuleLog) -> State:
    contract, price = state.contracts[move.place], state.box.offers.contracts[move.place]
    state = spend(state, move.seat, CONTRACT, price, log)
    log.tell("contract.take", seat=state.colour(move.seat), contract=contract, points=price)
    state = replace(state, contracts=changed(state.contracts, move.place, EMPTY))
    return store(state, move.seat, contract, log)


# Swaps


@lru_cache(maxsize=256)
def _swaps(seat: SeatNo, good: int, number: int, same: bool) -> tuple[Move, ...]:
    return tuple(
        Swap(seat, GOODS[good], tuple(GOODS[one] for one in gets))
        for gets in combinations_with_replacement(range(len(GOODS)), number)
        if good not in gets or (same and number > 1)
    )


def check_swap(state: State, move: Swap) -> Iterator[Breach]:
    seat = state.colour(move.seat)
    if not {move.gives, *move.gets} <= set(GOODS):
        yield broken("contract.goods", goods=(move.gives, *move.gets))
        return
    number = 1 if state.swapped else state.box.prices.first_swap
    if len(move.gets) != number:
        yield broken("contract.first-swap", seat=seat, goods=number)
    if move.gives in move.gets and not (number > 1 and state.options.swap_same):
        yield broken("contract.other", good=move.gives)
    if not state.has(move.seat, GOODS.index(move.gives)):
        yield broken("contract.swap", seat=seat, good=move.gives)
    yield from check_points(state, move.seat, CONTRACT, state.box.prices.swap)
    yield from deviation_breaches(state, move.seat, move.off, blame_reward)


def swap(state: State, move: Swap, log: RuleLog) -> State:
    seat = state.colour(move.seat)
    state = spend(state, move.seat, CONTRACT, state.box.prices.swap, log)
    log.tell("contract.swap", seat=seat, good=move.gives, goods=move.gets)
    if not state.swapped:
        log.tell("contract.first-swap", seat=seat, goods=len(move.gets))
    return exchange_goods(state, move)


def exchange_goods(state: State, move: Swap) -> State:
    change = [0] * len(GOODS)
    change[GOODS.index(move.gives)] -= 1
    for good in move.gets:
        change[GOODS.index(good)] += 1
    return replace(add_goods(state, move.seat, tuple(change)), swapped=True)


# Fulfilled


def fulfil_moves(state: State) -> Iterator[Move]:
    seat = state.turn
    for contract in state.warehouse[seat]:
        known = _is_contract(state, contract) and has_free_field(state, seat)
        for good in goods_for(state.box, contract) if known else ():
            if can_pay(state, seat, price_of(state.box, contract, good)):
                yield Fulfil(seat, contract, good)


def _is_contract(state: State, tile: str) -> bool:
    return tile in state.box.contracts and not state.box.contracts[tile].crest


def has_free_field(state: State, seat: SeatNo) -> bool:
    return state.options.seventh_contract or len(state.fulfilled[seat]) < len(state.box.contract_fields.points)


def check_fulfil(state: State, move: Fulfil) -> Iterator[Breach]:
    if not _is_contract(state, move.contract) or move.contract not in state.warehouse[move.seat]:
        yield broken("warehouse.own", seat=state.colour(move.seat), tile=move.contract)
        return
    seat, needs = state.colour(move.seat), price_of(state.box, move.contract, move.good)
    if not has_free_field(state, move.seat):
        yield broken("fulfil.seventh", seat=seat, fields=len(state.box.contract_fields.points))
    if move.good not in goods_for(state.box, move.contract):
        yield broken("fulfil.same", contract=move.contract, number=state.box.contracts[move.contract].same or 0)
        return
    for good, number in enumerate(needs):
        have = state.has(move.seat, good)
        if have < number:
            yield broken("fulfil.goods", seat=seat, good=GOODS[good], needs=number, has=have)
    price = {GOODS[good] for good, number in enumerate(needs) if number}
    yield from deviation_breaches(
        state, move.seat, move.off, lambda what, by: "bonus.paid" if what in price and by > 0 else "fulfil.points"
    )


def fulfil(state: State, move: Fulfil, log: RuleLog) -> State:
    seat, needs = state.colour(move.seat), price_of(state.box, move.contract, move.good)
    for good, number in enumerate(needs):
        if number:
            log.tell("fulfil.goods", seat=seat, good=GOODS[good], needs=number)
    state = out_of_warehouse(pay_goods(state, move.seat, needs), move.seat, move.contract)
    return lay_on_field(state, move, log)


def lay_on_field(state: State, move: Fulfil, log: RuleLog) -> State:
    """Lay a contract on the next field, with the points and bonuses of both, and the pillar of the field."""
    seat, fields = state.colour(move.seat), state.box.contract_fields
    field = len(state.fulfilled[move.seat])
    state = replace(state, fulfilled=changed(state.fulfilled, move.seat, (*state.fulfilled[move.seat], move.contract)))
    log.tell("fulfil.points", seat=seat, contract=move.contract)
    source = "score_contract", Note("score.contract", {"contract": move.contract})
    state = gain(state, move.seat, state.box.contracts[move.contract].bonus, source, log)
    if field >= len(fields.points):
        log.tell("fulfil.no-field", seat=seat)
        return state
    log.tell("fulfil.field", seat=seat, field=field + 1, points=fields.points[field])
    if field < fields.pillars:
        log.tell("fulfil.pillar", seat=seat)
    source = "score_field", Note("score.field", {"field": field + 1})
    return add_points(state, move.seat, fields.points[field], source, log)
