"""What hands can do, allowed or not: pieces and markers move, and no rule is checked."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec.structs import replace

from companion.games.tiletum.state import (
    EMPTY,
    HIDDEN,
    NO_SEAT,
    NOWHERE,
    State,
    cathedral_tile,
    houses_in_stock,
    pillars_in_stock,
    steps_between,
)
from companion.kernel.rules import RuleLog, SeatNo, changed

from .. import moves
from ..box import ACTIONS, FOOD, GOLD, GOODS, PIPS, STONE
from ..components import all_guests, crests, helpers, price_of
from ..moves import EXACT, NO_BUILDING, Deviation, Move, PointDeviations
from ..rulebook import (
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
from ..rulebook.goods import add_goods, goods_of, into_warehouse, out_of_warehouse, pay_goods


def play_unchecked(state: State, move: Move) -> State | None:
    """Return the state after a move that may be forbidden; None if no hand could do it, or if it leaves no trace."""
    after = play_with_costs(state, move)
    if after is None:
        return None
    after = _with_deviation(after, getattr(move, "seat", 0), getattr(move, "off", EXACT))
    return after if _possible(after) else None


def play_with_costs(state: State, move: Move) -> State | None:
    """Return the state after a move with all that it costs and brings, even if a seat has too little."""
    act = _ACTS.get(type(move))
    if act is None or not 0 <= getattr(move, "seat", 0) < state.players:
        return None
    return act(state, move)


def _with_deviation(state: State, seat: SeatNo, deviation: Deviation) -> State:
    if deviation == EXACT:
        return state
    *goods, points, steps = deviation
    state = add_goods(state, seat, tuple(goods))
    return replace(
        state,
        points=changed(state.points, seat, state.points[seat] + points),
        crown=changed(state.crown, seat, state.crown[seat] + steps),
    )


def _possible(state: State) -> bool:
    """Whether all markers are on their tracks, and no seat has less than nothing."""
    crown = state.box.crown
    return (
        all(number >= 0 for goods in state.goods for number in goods)
        and all(crown.lowest <= field <= crown.last for field in state.crown)
        and (state.options.below_zero or min(state.points) >= 0)
        and all(houses_in_stock(state, seat) >= 0 for seat in range(state.players))
        and all(pillars_in_stock(state, seat) >= 0 for seat in range(state.players))
    )


# What chance lays out


def _venue(state: State, move: moves.PutVenue) -> State | None:
    known = 0 <= move.round < len(state.venues) and state.is_city(move.city)
    return setup.put_venue(state, move, RuleLog()) if known else None


def _fair(state: State, move: moves.PutFair) -> State | None:
    known = 0 <= move.round < len(state.fairs) and move.fair in state.box.fairs
    return setup.put_fair(state, move, RuleLog()) if known else None


def _cost(state: State, move: moves.PutCost) -> State | None:
    known = move.city in state.map.cathedrals and move.cost in state.box.costs
    return setup.put_cost(state, move, RuleLog()) if known else None


def _tile(state: State, move: moves.PutTile) -> State | None:
    known = move.tile in state.box.tiles and move.place in setup.tile_places(state)
    return setup.lay_tile(state, move) if known else None


def _contract_offered(state: State, move: moves.OfferContract) -> State | None:
    lying = contracts.contracts_after_slide(state)
    if not 0 <= move.place < len(lying) or lying[move.place]:
        return None
    known = move.contract in state.box.contracts
    return replace(state, contracts=changed(lying, move.place, move.contract)) if known else None


def _guest_offered(state: State, move: moves.OfferGuest) -> State | None:
    if not 0 <= move.place < len(state.guests) or state.guests[move.place]:
        return None
    known = move.guest in all_guests(state.box)
    return replace(state, guests=changed(state.guests, move.place, move.guest)) if known else None


def _die_put(state: State, move: moves.PutDie) -> State | None:
    known = move.colour in state.box.dice.colours and 1 <= move.value <= PIPS and 0 <= move.section < len(ACTIONS)
    return rounds.put_die(state, move, RuleLog()) if known else None


def _revealed(state: State, move: moves.Reveal) -> State | None:
    hidden = 0 <= move.place < len(state.corruption) and state.corruption[move.place] == HIDDEN
    known = hidden and move.value in state.box.corruption.markers
    return kings_track.reveal(state, move, RuleLog()) if known else None


# The die of a turn


def _die_taken(state: State, move: moves.TakeDie) -> State | None:
    if not any((colour, value) == (move.colour, move.value) for _, colour, value in state.wheel):
        return None
    after = dice.take_die(state, move, RuleLog())
    usual = move.seat == state.turn and state.stage == "no_die"
    return after if usual else replace(after, stage=state.stage)


def _die_turned(state: State, move: moves.TurnDie) -> State | None:
    mine = state.dice[move.seat]
    if not mine or not 1 <= move.value <= PIPS or move.value == mine[-1][1]:
        return None
    colour, value = mine[-1]
    price = goods_of(GOLD, steps_between(value, move.value) * state.box.dice.change)
    turned = (*mine[:-1], (colour, move.value))
    return replace(pay_goods(state, move.seat, price), dice=changed(state.dice, move.seat, turned))


def _gathered(state: State, move: moves.Gather) -> State | None:
    mine = state.dice[move.seat]
    if not mine or move.good not in GOODS:
        return None
    if move.seat == state.turn and state.stage == "die_taken":
        return dice.gather(state, move, RuleLog())
    return add_goods(state, move.seat, goods_of(GOODS.index(move.good), mine[-1][1]))


def _section_tile(state: State, move: moves.TakeTile) -> State | None:
    lies = 0 <= move.section < len(ACTIONS) and state.section_tiles[move.section]
    return dice.take_tile(state, move, RuleLog()) if lies else None


# Figures


def _walked(state: State, move: moves.Walk) -> State | None:
    if not state.is_city(move.city) or figures.city_of(state, move.seat, move.figure) == move.city:
        return None
    return figures.move_figure(state, move.seat, move.figure, move.city)


def _pillar(state: State, move: moves.PutPillar) -> State | None:
    if not state.is_city(move.city) or state.pillars[move.city] >> move.seat & 1:
        return None
    return figures.build_pillar(state, move.seat, move.city)


def _house(state: State, move: moves.PutHouse) -> State | None:
    if not state.is_city(move.city) or not 0 <= move.place < len(state.houses[move.city]):
        return None
    if state.houses[move.city][move.place] != NO_SEAT:
        return None
    chosen = move.building in figures.house_buildings(state, move.seat, move.city, move.place)
    return figures.build_house(state, move if chosen else replace(move, building=NO_BUILDING), RuleLog())


def _city_tile(state: State, move: moves.TakeFromCity) -> State | None:
    if not state.is_city(move.city) or not state.city_tiles[move.city]:
        return None
    tile = state.city_tiles[move.city]
    return into_warehouse(replace(state, city_tiles=changed(state.city_tiles, move.city, EMPTY)), move.seat, tile)


# Guests and contracts


def _guest_taken(state: State, move: moves.TakeGuest) -> State | None:
    if not 0 <= move.place < len(state.guests) or not state.guests[move.place]:
        return None
    guest = state.guests[move.place]
    return into_warehouse(replace(state, guests=changed(state.guests, move.place, EMPTY)), move.seat, guest)


def _guests_swept(state: State, _move: moves.SweepGuests) -> State | None:
    return guests.clear_offer(state) if any(state.guests) else None


def _lodged(state: State, move: moves.Lodge) -> State | None:
    floors = state.box.buildings.floors
    if move.guest not in all_guests(state.box) or move.guest not in state.warehouse[move.seat]:
        return None
    if not 0 <= move.building < len(floors) or move.floor not in floors[move.building]:
        return None
    if state.rooms[move.seat][move.building][floors[move.building].index(move.floor)]:
        return None
    return guests.move_in(out_of_warehouse(state, move.seat, move.guest), move, RuleLog())


def _marker(state: State, move: moves.PutMarker) -> State | None:
    there = 0 <= move.building < len(state.markers[move.seat]) and 0 <= move.section < len(ACTIONS)
    if not there or state.markers[move.seat][move.building] != NOWHERE:
        return None
    if not state.box.buildings.markers[move.building]:
        return None
    mine = changed(state.markers[move.seat], move.building, move.section)
    return replace(state, markers=changed(state.markers, move.seat, mine))


def _contract_taken(state: State, move: moves.TakeContract) -> State | None:
    if not 0 <= move.place < len(state.contracts) or not state.contracts[move.place]:
        return None
    contract = state.contracts[move.place]
    return into_warehouse(replace(state, contracts=changed(state.contracts, move.place, EMPTY)), move.seat, contract)


def _swapped(state: State, move: moves.Swap) -> State | None:
    return contracts.exchange_goods(state, move) if {move.gives, *move.gets} <= set(GOODS) else None


def _fulfilled(state: State, move: moves.Fulfil) -> State | None:
    if move.contract not in state.box.contracts or move.contract not in state.warehouse[move.seat]:
        return None
    price = price_of(state.box, move.contract, move.good)
    state = pay_goods(out_of_warehouse(state, move.seat, move.contract), move.seat, price)
    return contracts.lay_on_field(state, move, RuleLog())


# Crown, and at any time


def _advanced(state: State, move: moves.Advance) -> State | None:
    if not move.steps:
        return None
    return replace(state, crown=changed(state.crown, move.seat, state.crown[move.seat] + move.steps))


def _bought(state: State, move: moves.BuyGood) -> State | None:
    return any_time.exchange_gold(state, move) if move.good in GOODS else None


def _chosen(state: State, move: moves.TakeGood) -> State | None:
    return add_goods(state, move.seat, goods_of(GOODS.index(move.good), 1)) if move.good in GOODS else None


def _helped(state: State, move: moves.UseHelper) -> State | None:
    if move.tile not in helpers(state.box) or move.tile not in state.warehouse[move.seat]:
        return None
    useful = move.building in any_time.helper_buildings(state, move.seat, move.tile)
    discards = tuple(sorted((*state.discards, move.tile)))
    state = replace(out_of_warehouse(state, move.seat, move.tile), discards=discards)
    return any_time.apply_helper(state, move, RuleLog()) if useful else state


def _crested(state: State, move: moves.PlaceCrest) -> State | None:
    if move.crest not in crests(state.box) or move.crest not in state.warehouse[move.seat]:
        return None
    if not 0 <= move.building < len(state.crests[move.seat]) or state.crests[move.seat][move.building]:
        return None
    price = goods_of(FOOD, state.box.buildings.crest_food[move.building])
    return any_time.lay_crest(
        out_of_warehouse(pay_goods(state, move.seat, price), move.seat, move.crest), move, RuleLog()
    )


def _took_part(state: State, move: moves.JoinCathedral) -> State | None:
    if move.city not in state.map.cathedrals or not cathedral_tile(state, move.city) or not state.costs[move.city]:
        return None
    price = goods_of(STONE, state.box.costs[state.costs[move.city]].stone)
    return any_time.take_cathedral_tile(pay_goods(state, move.seat, price), move, RuleLog())


# The end of a turn and of a round


def _ended(state: State, move: moves.EndTurn) -> State | None:
    return rounds.end_turn(state, move, RuleLog()) if move.seat == state.turn and state.phase == "turn" else None


def _slid(state: State, move: moves.Slide) -> State | None:
    return contracts.slide(state, move, RuleLog()) if state.sliding else None


def _crown_scored(state: State, move: moves.ScoreCrown) -> State | None:
    return (
        _with_point_deviations(king_phase.score_crown(state, move, RuleLog()), move.astray)
        if state.phase == "king"
        else None
    )


def _fair_held(state: State, move: moves.HoldFair) -> State | None:
    return (
        _with_point_deviations(fairs.hold_fair(state, move, RuleLog()), move.astray) if state.phase == "fair" else None
    )


def _with_point_deviations(state: State, deviations: PointDeviations) -> State | None:
    if len(deviations) > state.players:
        return None
    more = (*deviations, *(0 for _ in range(state.players - len(deviations))))
    return replace(state, points=tuple(points + by for points, by in zip(state.points, more, strict=True)))


def _favour_taken(state: State, move: moves.TakeFavour) -> State | None:
    lies = 0 <= move.place < len(state.favours) and state.favours[move.place]
    return king_phase.take_favour(state, move, RuleLog()) if lies else None


def _favour_dropped(state: State, move: moves.DropFavour) -> State | None:
    lies = 0 <= move.place < len(state.favours) and state.favours[move.place]
    return king_phase.drop_favour(state, move, RuleLog()) if lies else None


_ACTS: Final[Mapping[type[Any], Callable[[State, Any], State | None]]] = {
    moves.PutVenue: _venue,
    moves.PutFair: _fair,
    moves.PutCost: _cost,
    moves.PutTile: _tile,
    moves.OfferContract: _contract_offered,
    moves.OfferGuest: _guest_offered,
    moves.PutDie: _die_put,
    moves.Reveal: _revealed,
    moves.TakeDie: _die_taken,
    moves.TurnDie: _die_turned,
    moves.Gather: _gathered,
    moves.TakeTile: _section_tile,
    moves.Walk: _walked,
    moves.PutPillar: _pillar,
    moves.PutHouse: _house,
    moves.TakeFromCity: _city_tile,
    moves.TakeGuest: _guest_taken,
    moves.SweepGuests: _guests_swept,
    moves.Lodge: _lodged,
    moves.PutMarker: _marker,
    moves.TakeContract: _contract_taken,
    moves.Swap: _swapped,
    moves.Advance: _advanced,
    moves.BuyGood: _bought,
    moves.TakeGood: _chosen,
    moves.Fulfil: _fulfilled,
    moves.UseHelper: _helped,
    moves.PlaceCrest: _crested,
    moves.JoinCathedral: _took_part,
    moves.EndTurn: _ended,
    moves.Slide: _slid,
    moves.TakeFavour: _favour_taken,
    moves.DropFavour: _favour_dropped,
    moves.ScoreCrown: _crown_scored,
    moves.HoldFair: _fair_held,
}
