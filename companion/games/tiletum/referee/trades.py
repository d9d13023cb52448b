"""Goods that were chosen, bought or swapped: the change that remains when everything else that shows is accounted for.

A contract on its field tells what was paid for it and what it brought, even if these goods came and went between two
looks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

from companion.kernel.rules import SeatNo
from companion.kernel.views import UNKNOWN

from .. import moves
from ..box import ACTIONS, CONTRACT, FOOD, GOLD, GOODS, STONE, Bonus
from ..components import (
    all_guests,
    bonus_goods,
    cities,
    city_names,
    crests,
    goods_for,
    helpers,
    price_of,
)
from ..moves import Move
from ..rulebook.actions import available
from ..rulebook.goods import goods_of
from ..state import NO_SEAT, State, steps_between
from .seen_table import Seen, die_of
from .view import cathedral_top, house_label

Goods = tuple[int, ...]


class Effects:
    """The cost and reward of all acts of a seat that are visible and not explained yet."""

    def __init__(self) -> None:
        self.goods = [0] * len(GOODS)
        self.steps = 0

    def pay(self, goods: Goods) -> None:
        self.goods = [have - price for have, price in zip(self.goods, goods, strict=True)]

    def gain(self, bonus: Bonus) -> None:
        self.goods = [have + more for have, more in zip(self.goods, bonus_goods(bonus), strict=True)]
        self.steps += bonus.crown


def effects(seen: Seen, seat: SeatNo) -> Effects:
    found = Effects()
    _contracts(seen, seat, found)
    _buildings(seen, seat, found)
    _map(seen, seat, found)
    for tile in helpers_used(seen, seat):
        found.gain(seen.state.box.tiles[tile].bonus)
    return found


def _contracts(seen: Seen, seat: SeatNo, found: Effects) -> None:
    box = seen.state.box
    for contract in contracts_laid(seen, seat):
        found.pay(price_of(box, contract, likely_good(seen, seat, contract)))
        found.gain(box.contracts[contract].bonus)


def likely_good(seen: Seen, seat: SeatNo, contract: str) -> str:
    """Return the good that a seat probably gave as the identical goods of a contract: the one that is missing most."""
    goods = goods_for(seen.state.box, contract)
    return min(goods, key=lambda good: seen.more(good, seat) if good else 0)


def contracts_laid(seen: Seen, seat: SeatNo) -> Iterator[str]:
    """Yield contracts on fields that were empty; a seventh has no field and is not visible anywhere."""
    state, zone = seen.state, f"fields {seen.state.colour(seat)}"
    fields = range(len(state.fulfilled[seat]), len(state.box.contract_fields.points))
    for number in fields if zone in seen.changed else ():
        contract = seen.numbered(zone, number)
        if contract in state.box.contracts:
            yield contract
    if not fields:
        yield from (contract for contract in _contracts_gone(seen, seat) if not state.box.contracts[contract].crest)


def _contracts_gone(seen: Seen, seat: SeatNo) -> Iterator[str]:
    """Yield contracts that are no longer in the offer nor in a warehouse."""
    state, zone = seen.state, f"warehouse {seen.state.colour(seat)}"
    yield from (tile for tile in seen.lost(zone) if tile in state.box.contracts)
    if seat == state.turn and "contracts" in seen.changed and seen.pieces(zone) is not None:
        lying = [seen.numbered("contracts", place) for place in range(len(state.contracts))]
        for contract in state.contracts:
            if contract and UNKNOWN not in lying and contract not in lying and not seen.gained(zone)[contract]:
                yield contract


def _buildings(seen: Seen, seat: SeatNo, found: Effects) -> None:
    state, colour, buildings = seen.state, seen.state.colour(seat), seen.state.box.buildings
    if f"crests {colour}" in seen.changed:
        for building, crest in enumerate(state.crests[seat]):
            if not crest and seen.numbered(f"crests {colour}", building) in crests(state.box):
                found.pay(goods_of(FOOD, buildings.crest_food[building]))
                found.gain(buildings.crest_bonus[building])
    for _, _, guest in guests_lodged(seen, seat):
        found.gain(all_guests(state.box)[guest][1].bonus)


def guests_lodged(seen: Seen, seat: SeatNo) -> Iterator[tuple[int, int, str]]:
    """Yield building, floor and guest for rooms that were free."""
    state = seen.state
    if f"rooms {state.colour(seat)}" not in seen.changed:
        return
    for building, floors in enumerate(state.box.buildings.floors):
        for room, floor in enumerate(floors):
            guest = seen.room(seat, building, floor)
            if guest is not None and not state.rooms[seat][building][room] and guest in all_guests(state.box):
                yield building, floor, guest


def _map(seen: Seen, seat: SeatNo, found: Effects) -> None:
    state = seen.state
    for city, place in houses_put(seen, seat):
        found.gain(cities(state.box)[city].houses[place])
    if seat == state.turn:
        for city in cathedrals_joined(seen):
            found.pay(goods_of(STONE, state.box.costs[state.costs[city]].stone))


def houses_put(seen: Seen, seat: SeatNo) -> Iterator[tuple[int, int]]:
    """Yield city and place of new houses."""
    state, label = seen.state, house_label(seen.state.colour(seat))
    for city, owners in enumerate(state.houses) if "houses" in seen.changed else ():
        for place, owner in enumerate(owners):
            if owner == NO_SEAT and seen.house(city, place) == label:
                yield city, place


def cathedrals_joined(seen: Seen) -> Iterator[int]:
    """Yield the cathedrals whose top tile is gone."""
    names = city_names(seen.state.box)
    for city in seen.state.map.cathedrals if "cathedrals" in seen.changed else ():
        if seen.cell("cathedrals", names[city]) not in (UNKNOWN, cathedral_top(seen.state, city)):
            yield city


def helpers_used(seen: Seen, seat: SeatNo) -> Iterator[str]:
    """Yield helpers that are gone, including those that were taken and used between two looks."""
    state, zone = seen.state, f"warehouse {seen.state.colour(seat)}"
    if seen.pieces(zone) is None:
        return
    missing = Counter(seen.lost(zone))
    if seat == state.turn:
        missing += Counter(tiles_taken(seen)) - seen.gained(zone)
    yield from (tile for tile in missing.elements() if tile in helpers(state.box))


def tiles_taken(seen: Seen) -> Iterator[str]:
    """Yield bonus tiles that are no longer where they lay, beside the wheel and on the map."""
    state, names = seen.state, city_names(seen.state.box)
    if "sections" in seen.changed:
        places = zip(ACTIONS, state.section_tiles, strict=True)
        yield from (tile for action, tile in places if seen.gone("sections", action, tile))
    if "city_tiles" in seen.changed:
        for city in state.map.tiles:
            if seen.gone("city_tiles", names[city], state.city_tiles[city]):
                yield state.city_tiles[city]


# The die of the turn


def die_now(seen: Seen, seat: SeatNo) -> tuple[str, int, int] | None:
    """Return the die that a seat uses in this turn: its colour, its first value, and its value as it lies now."""
    state, zone = seen.state, f"dice {seen.state.colour(seat)}"
    gained = seen.gained(zone)
    if seat != state.turn or state.stage == "die_used":
        return None
    if state.stage == "die_taken":
        colour, value = state.dice[seat][-1]
        turned = next((now for other, now in map(die_of, gained) if other == colour), value)
        return colour, value, turned
    for label in gained:
        colour, turned = die_of(label)
        values = [value for other, value in seen.dice_gone() if other == colour]
        if values:
            return colour, turned if turned in values else values[0], turned
    return None


def _effects_of_die(seen: Seen, seat: SeatNo) -> Iterator[Goods]:
    """Yield what the die of the turn may have brought and cost: nothing yet, or as many goods as it shows."""
    die, nothing = die_now(seen, seat), goods_of(GOLD, 0)
    if die is None:
        yield nothing
        return
    colour, value, turned = die
    price = steps_between(value, turned) * seen.state.box.dice.change
    yield goods_of(GOLD, -price)
    for good in _goods_of_die(seen, seat, colour):
        yield tuple(a - b for a, b in zip(goods_of(GOODS.index(good), turned), goods_of(GOLD, price), strict=True))


def _goods_of_die(seen: Seen, seat: SeatNo, colour: str) -> tuple[str, ...]:
    state = seen.state
    recoloured = state.recoloured or any(state.box.tiles[tile].recolours for tile in helpers_used(seen, seat))
    return GOODS if recoloured else (state.box.dice.colours[colour],)


# What is left


def trades(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    """Yield goods of choice, purchases and swaps that could have led to what a seat has now."""
    state = seen.state
    if seen.pieces(f"goods {state.colour(seat)}") is None:
        return
    visible = effects(seen, seat).goods
    now = [seen.more(good, seat) - by for good, by in zip(GOODS, visible, strict=True)]
    for unused in _effects_of_die(seen, seat):
        change = [by - die for by, die in zip(now, unused, strict=True)]
        if any(by > 0 for by in change):
            yield from _trades(state, seat, change)


def _trades(state: State, seat: SeatNo, change: list[int]) -> Iterator[Move]:
    more = [good for good, by in zip(GOODS, change, strict=True) if by > 0]
    less = [good for good, by in zip(GOODS, change, strict=True) if by < 0]
    swaps = seat == state.turn and available(state, CONTRACT) > 0
    if state.owed and seat == state.turn:
        # Goods of choice must be taken anyway, before or after swaps. They may be paid with at once.
        yield from (moves.TakeGood(seat, good) for good in (*more, *less))
        if not less:
            return
    if GOODS[GOLD] in less or swaps:
        yield from (moves.BuyGood(seat, good) for good in more if good != GOODS[GOLD])
    if swaps or less:
        yield from _swaps(state, seat, more, less)


def _swaps(state: State, seat: SeatNo, more: Sequence[str], less: Sequence[str]) -> Iterator[Move]:
    number = 1 if state.swapped else state.box.prices.first_swap
    for gives in less:
        for gets in combinations_with_replacement(more, number):
            yield moves.Swap(seat, gives, gets)
    if number > 1 and state.options.swap_same:
        # A good swapped for itself and another: the result is the same for every good.
        held = [good for good, have in zip(GOODS, state.goods[seat], strict=True) if have]
        yield from (moves.Swap(seat, held[0], (held[0], good)) for good in more if held)
