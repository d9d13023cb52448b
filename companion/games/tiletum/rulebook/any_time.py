"""Jederzeit im eigenen Zug: gold for goods, goods of one's choice, helpers, crests and cathedrals."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from companion.games.tiletum.state import WILD, State, cathedral_tile
from companion.kernel.rules import Breach, Note, RuleLog, SeatNo, broken, changed

from ..box import FOOD, GOLD, GOODS, STONE
from ..components import crests, helpers
from ..moves import (
    NO_BUILDING,
    BuyGood,
    JoinCathedral,
    Move,
    PlaceCrest,
    TakeGood,
    UseHelper,
)
from .goods import (
    add_goods,
    add_points,
    blame_reward,
    deviation_breaches,
    gain,
    gain_action_points,
    goods_of,
    out_of_warehouse,
    pay_goods,
)
from .guests import repeat_bonuses

# Goods


@lru_cache(maxsize=16)
def _purchases(seat: SeatNo) -> tuple[Move, ...]:
    return tuple(BuyGood(seat, good) for good in GOODS if good != GOODS[GOLD])


@lru_cache(maxsize=16)
def _choices(seat: SeatNo) -> tuple[Move, ...]:
    return tuple(TakeGood(seat, good) for good in GOODS)


def goods_moves(state: State) -> Iterator[Move]:
    if state.has(state.turn, GOLD) >= state.box.prices.gold:
        yield from _purchases(state.turn)
    if state.owed:
        yield from _choices(state.turn)


def check_buy_good(state: State, move: BuyGood) -> Iterator[Breach]:
    seat, price = state.colour(move.seat), state.box.prices.gold
    if move.good not in GOODS or move.good == GOODS[GOLD]:
        yield broken("trade.other", good=move.good)
        return
    if state.has(move.seat, GOLD) < price:
        yield broken("trade.gold", seat=seat, price=price, gold=state.has(move.seat, GOLD))
    yield from deviation_breaches(state, move.seat, move.off, blame_reward)


def buy_good(state: State, move: BuyGood, log: RuleLog) -> State:
    log.tell("trade.gold", seat=state.colour(move.seat), price=state.box.prices.gold, good=move.good)
    return exchange_gold(state, move)


def exchange_gold(state: State, move: BuyGood) -> State:
    paid = pay_goods(state, move.seat, goods_of(GOLD, state.box.prices.gold))
    return add_goods(paid, move.seat, goods_of(GOODS.index(move.good), 1))


def check_take_good(state: State, move: TakeGood) -> Iterator[Breach]:
    if move.good not in GOODS or not state.owed:
        yield broken("bonus.owed", seat=state.colour(move.seat), good=move.good)


def take_good(state: State, move: TakeGood, log: RuleLog) -> State:
    log.tell("bonus.owed", seat=state.colour(move.seat), good=move.good)
    return replace(add_goods(state, move.seat, goods_of(GOODS.index(move.good), 1)), owed=state.owed - 1)


# Helpers


def helper_moves(state: State) -> Iterator[Move]:
    seat = state.turn
    known = helpers(state.box)
    for tile in dict.fromkeys(state.warehouse[seat]):
        if tile in known:
            yield from (UseHelper(seat, tile, building) for building in helper_buildings(state, seat, tile))


def helper_buildings(state: State, seat: SeatNo, tile: str) -> tuple[int, ...]:
    """Return the buildings that can be chosen when a helper is used now; none if it has no use."""
    helper = state.box.tiles[tile]
    if helper.again:
        return tuple(building for building, rooms in enumerate(state.rooms[seat]) if any(rooms))
    return () if helper.recolours and state.stage == "die_used" else (NO_BUILDING,)


def check_use_helper(state: State, move: UseHelper) -> Iterator[Breach]:
    seat = state.colour(move.seat)
    if move.tile not in helpers(state.box) or move.tile not in state.warehouse[move.seat]:
        yield broken("warehouse.own", seat=seat, tile=move.tile)
        return
    buildings = helper_buildings(state, move.seat, move.tile)
    if not buildings:
        yield broken("helper.moment", seat=seat, tile=move.tile, again=int(bool(state.box.tiles[move.tile].again)))
    elif move.building not in buildings:
        yield broken("helper.building", tile=move.tile, again=int(NO_BUILDING not in buildings))
    yield from deviation_breaches(state, move.seat, move.off, blame_reward)


def use_helper(state: State, move: UseHelper, log: RuleLog) -> State:
    log.tell("helper.use", seat=state.colour(move.seat), tile=move.tile)
    discards = tuple(sorted((*state.discards, move.tile)))
    return apply_helper(replace(out_of_warehouse(state, move.seat, move.tile), discards=discards), move, log)


def apply_helper(state: State, move: UseHelper, log: RuleLog) -> State:
    """Apply what a helper does."""
    seat, helper = move.seat, state.box.tiles[move.tile]
    source = "score_tile", Note("score.tile", {"tile": move.tile})
    state = gain(state, seat, helper.bonus, source, log)
    if helper.joker:
        state = gain_action_points(state, seat, WILD, helper.joker, log)
    if helper.raises and state.stage == "die_used":
        state = gain_action_points(state, seat, state.section, helper.raises, log)
    elif helper.raises:
        state = replace(state, raised=state.raised + helper.raises)
    if helper.recolours:
        log.tell("helper.recolour", seat=state.colour(seat))
        state = replace(state, recoloured=True)
    if helper.again:
        state = repeat_bonuses(state, seat, move.building, source, log)
    return state


# Crests


def crest_moves(state: State) -> Iterator[Move]:
    seat, food = state.turn, state.has(state.turn, FOOD)
    known = crests(state.box)
    for crest in dict.fromkeys(state.warehouse[seat]):
        if crest in known:
            for building, price in enumerate(state.box.buildings.crest_food):
                if price <= food and not state.crests[seat][building]:
                    yield PlaceCrest(seat, crest, building)


def check_place_crest(state: State, move: PlaceCrest) -> Iterator[Breach]:
    seat = state.colour(move.seat)
    if move.crest not in crests(state.box) or move.crest not in state.warehouse[move.seat]:
        yield broken("warehouse.own", seat=seat, tile=move.crest)
        return
    if not 0 <= move.building < len(state.crests[move.seat]) or state.crests[move.seat][move.building]:
        yield broken("crest.field", building=move.building + 1)
        return
    price, food = state.box.buildings.crest_food[move.building], state.has(move.seat, FOOD)
    if food < price:
        yield broken("crest.food", seat=seat, building=move.building + 1, price=price, food=food)
    yield from deviation_breaches(
        state, move.seat, move.off, lambda what, _by: "bonus.paid" if what == GOODS[FOOD] else "crest.bonus"
    )


def place_crest(state: State, move: PlaceCrest, log: RuleLog) -> State:
    price = state.box.buildings.crest_food[move.building]
    log.tell("crest.food", seat=state.colour(move.seat), price=price, building=move.building + 1)
    state = out_of_warehouse(pay_goods(state, move.seat, goods_of(FOOD, price)), move.seat, move.crest)
    return lay_crest(state, move, log)


def lay_crest(state: State, move: PlaceCrest, log: RuleLog) -> State:
    """Lay a crest on its field, with the bonus of the field."""
    mine = changed(state.crests[move.seat], move.building, move.crest)
    log.tell("crest.bonus", seat=state.colour(move.seat), building=move.building + 1)
    state = replace(state, crests=changed(state.crests, move.seat, mine))
    source = "score_crest", Note("score.crest", {"building": move.building + 1})
    return gain(state, move.seat, state.box.buildings.crest_bonus[move.building], source, log)


# Cathedrals


def cathedral_moves(state: State) -> Iterator[Move]:
    seat, stone = state.turn, state.has(state.turn, STONE)
    if not stone:
        return
    for city in state.map.cathedrals:
        if (
            state.pillars[city] >> seat & 1
            and seat not in state.joined[city]
            and cathedral_tile(state, city)
            and state.box.costs[state.costs[city]].stone <= stone
        ):
            yield JoinCathedral(seat, city)


def check_join_cathedral(state: State, move: JoinCathedral) -> Iterator[Breach]:
    seat, name = state.colour(move.seat), state.city_name(move.city)
    if move.city not in state.map.cathedrals:
        yield broken("architect.cathedral", city=name)
        return
    if not state.pillars[move.city] >> move.seat & 1:
        yield broken("cathedral.pillar", seat=seat, city=name)
    if move.seat in state.joined[move.city]:
        yield broken("cathedral.once", seat=seat, city=name)
    if not cathedral_tile(state, move.city):
        yield broken("cathedral.left", city=name)
    price, stone = state.box.costs[state.costs[move.city]].stone, state.has(move.seat, STONE)
    if stone < price:
        yield broken("cathedral.stone", seat=seat, city=name, price=price, stone=stone)
    yield from deviation_breaches(
        state, move.seat, move.off, lambda what, _by: "bonus.paid" if what == GOODS[STONE] else "cathedral.points"
    )


def join_cathedral(state: State, move: JoinCathedral, log: RuleLog) -> State:
    seat, cost = state.colour(move.seat), state.box.costs[state.costs[move.city]]
    log.tell("cathedral.stone", seat=seat, price=cost.stone, city=state.city_name(move.city))
    return take_cathedral_tile(pay_goods(state, move.seat, goods_of(STONE, cost.stone)), move, log)


def take_cathedral_tile(state: State, move: JoinCathedral, log: RuleLog) -> State:
    """Take the top tile of a cathedral, with its points and those of the costs."""
    cost, tile = state.box.costs[state.costs[move.city]], cathedral_tile(state, move.city)
    facts = {"cost": cost.points, "tile": tile}
    log.tell("cathedral.points", seat=state.colour(move.seat), city=state.city_name(move.city), **facts)
    joined = changed(state.joined, move.city, (*state.joined[move.city], move.seat))
    source = "score_cathedral", Note("score.cathedral", {"city": state.city_name(move.city), **facts})
    return add_points(replace(state, joined=joined), move.seat, cost.points + tile, source, log)
