"""The acts of a turn that could have changed the table as seen, allowed or not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from companion.kernel.rules import RuleLog, SeatNo
from companion.kernel.views import UNKNOWN

from .. import moves
from ..box import ACTIONS, GOODS
from ..components import city_names, crests, goods_for, helpers
from ..moves import Move
from ..rulebook.any_time import helper_buildings
from ..rulebook.dice import die_good
from ..rulebook.figures import FIGURES, city_of, house_buildings
from ..rulebook.kings_track import reveal_due
from ..rulebook.phases import carry_out
from ..state import NOWHERE, State
from .seen_table import Seen, die_of
from .trades import (
    cathedrals_joined,
    contracts_laid,
    effects,
    guests_lodged,
    helpers_used,
    houses_put,
    trades,
)
from .view import marker_label, pillar_label, view


def acts(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    """Yield the acts of a seat that could explain what has changed."""
    yield from _with_the_die(seen, seat)
    yield from _on_the_map(seen, seat)
    yield from _with_guests(seen, seat)
    yield from _with_contracts(seen, seat)
    yield from _with_tiles(seen, seat)
    yield from _on_the_kings_track(seen, seat)
    yield from dict.fromkeys(trades(seen, seat))


def _with_the_die(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    state, zone = seen.state, f"dice {seen.state.colour(seat)}"
    yield from (moves.TakeDie(seat, colour, value) for colour, value in _dice_taken(seen, seat))
    if seat != state.turn or not state.dice[seat]:
        return
    colour, value = state.dice[seat][-1]
    for other, now in map(die_of, seen.gained(zone)):
        if other == colour and now != value:
            yield moves.TurnDie(seat, now)
    if state.stage == "die_taken":
        used = effects(seen, seat).goods  # goods that were taken and paid in one go
        more = [good for good, by in zip(GOODS, used, strict=True) if seen.more(good, seat) > by]
        yield from (moves.Gather(seat, good) for good in dict.fromkeys((die_good(state, seat), *more)))
    for section, tile in enumerate(state.section_tiles) if "sections" in seen.changed else ():
        if seen.gone("sections", ACTIONS[section], tile):
            yield moves.TakeTile(seat, section)


def _dice_taken(seen: Seen, seat: SeatNo) -> Iterator[tuple[str, int]]:
    """Yield dice that went from the wheel to a player board, if either was seen."""
    zone = f"dice {seen.state.colour(seat)}"
    gone, gained = list(dict.fromkeys(seen.dice_gone())), seen.gained(zone)
    if seen.pieces(zone) is None:
        yield from gone
        return
    mine = dict(map(die_of, gained))
    yield from (die for die in gone if die[0] in mine)
    if not any(colour in mine for colour, _ in gone):
        wheel = dict.fromkeys((colour, value) for _, colour, value in seen.state.wheel)
        yield from (die for die in wheel if mine.get(die[0]) == die[1])


def _on_the_map(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    state, colour = seen.state, seen.state.colour(seat)
    names = city_names(state.box)
    tiles = [
        city
        for city in (state.map.tiles if "city_tiles" in seen.changed else ())
        if seen.gone("city_tiles", names[city], state.city_tiles[city])
    ]
    pillars = [city for city in range(len(names)) if seen.gained(f"city {names[city]}")[pillar_label(colour)]]
    houses = list(houses_put(seen, seat))
    yield from (moves.PutPillar(seat, city) for city in pillars)
    for city, place in houses:
        yield from (moves.PutHouse(seat, city, place, one) for one in house_buildings(state, seat, city, place))
    for figure in FIGURES:
        here = city_of(state, seat, figure)
        yield from (moves.TakeFromCity(seat, city, figure) for city in tiles if city == here)
        # If something was built, the figure was there; it may have moved on since.
        built = pillars if figure == "architect" else [city for city, _ in houses]
        end = None if built else seen.figure(seat, figure)
        ways = dict.fromkeys([*built, *tiles, *([] if end is None else [end])])
        yield from (moves.Walk(seat, figure, city) for city in ways if city != here)


def _with_guests(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    state, colour = seen.state, seen.state.colour(seat)
    lodged = list(guests_lodged(seen, seat))
    if "guests" in seen.changed:
        gone = [place for place, guest in enumerate(state.guests) if seen.gone("guests", str(place + 1), guest)]
        mine = _passed_through_warehouse(seen, seat, [guest for _, _, guest in lodged], f"rooms {colour}")
        yield from (moves.TakeGuest(seat, place) for place in gone if mine is None or mine[state.guests[place]])
        if gone and len(gone) >= sum(map(bool, state.guests)) - 1:
            yield moves.SweepGuests(seat)
    for building, floor, guest in lodged:
        if guest in state.warehouse[seat]:
            yield moves.Lodge(seat, guest, building, floor)
    for section, name in enumerate(ACTIONS):
        gained = seen.gained(f"extras {name}")
        for building, points in enumerate(state.box.buildings.markers) if gained else ():
            label = marker_label(colour, points)
            left = state.markers[seat][building] == NOWHERE
            if points and gained[label] and left and seen.numbered(f"markers {colour}", building) != label:
                yield moves.PutMarker(seat, building, section)


def _passed_through_warehouse(seen: Seen, seat: SeatNo, used: list[str], *zones: str) -> Counter[str] | None:
    """Return the tiles that came to a seat's warehouse or passed through it; None if that is unknown."""
    warehouse = f"warehouse {seen.state.colour(seat)}"
    if seen.pieces(warehouse) is None or not all(seen.all_readable(zone) for zone in zones):
        return None
    return seen.gained(warehouse) + Counter(used)


def _with_contracts(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    """Yield acts with contracts. The offer slides, so a contract is only missing if it lies in none of its places."""
    state, colour = seen.state, seen.state.colour(seat)
    laid = list(contracts_laid(seen, seat))
    if "contracts" in seen.changed:
        used = [*laid, *(label for _, label in _crests_laid(seen, seat))]
        mine = _passed_through_warehouse(seen, seat, used, f"fields {colour}", f"crests {colour}")
        lying = [seen.numbered("contracts", place) for place in range(len(state.contracts))]
        for place, contract in enumerate(state.contracts):
            if contract and contract not in lying and (mine[contract] if mine is not None else UNKNOWN not in lying):
                yield moves.TakeContract(seat, place)
    gone = {*seen.lost(f"warehouse {colour}"), *laid}
    following = seen.numbered(f"fields {colour}", len(state.fulfilled[seat]))
    if following in state.box.contracts:
        gone &= {following}  # contracts lie there in the order in which they were fulfilled
    for contract in state.warehouse[seat]:
        if contract in state.box.contracts and contract in gone:
            yield from (moves.Fulfil(seat, contract, good) for good in goods_for(state.box, contract))


def _crests_laid(seen: Seen, seat: SeatNo) -> Iterator[tuple[int, str]]:
    state, zone = seen.state, f"crests {seen.state.colour(seat)}"
    for building, crest in enumerate(state.crests[seat]) if zone in seen.changed else ():
        label = seen.numbered(zone, building)
        if label is not None and not crest and label in crests(state.box):
            yield building, label


def _with_tiles(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    state, colour = seen.state, seen.state.colour(seat)
    for building, label in _crests_laid(seen, seat):
        if label in state.warehouse[seat]:
            yield moves.PlaceCrest(seat, label, building)
    for tile in dict.fromkeys(helpers_used(seen, seat)):
        if tile in state.warehouse[seat] and tile in helpers(state.box):
            buildings = _helper_buildings(state, seat, tile) or (moves.NO_BUILDING,)
            yield from (moves.UseHelper(seat, tile, building) for building in buildings)
    mine = f"honours {colour}" in seen.changed or seen.pieces(f"honours {colour}") is None
    yield from (moves.JoinCathedral(seat, city) for city in cathedrals_joined(seen) if mine)


def _helper_buildings(state: State, seat: SeatNo, tile: str) -> tuple[int, ...]:
    """Return the buildings that can be chosen when a helper is used.

    Before the goods of the die are taken, a building whose guests bring just these goods is left out: it could not be
    told from taking the goods. It is proposed later.
    """
    buildings = helper_buildings(state, seat, tile)
    if state.stage != "die_taken" or len(buildings) < 2:
        return buildings
    by_die = Counter({die_good(state, seat): state.dice[seat][-1][1]})
    brings = {building: _goods_shown(state, moves.UseHelper(seat, tile, building)) for building in buildings}
    if Counter[str]() not in brings.values():
        return buildings
    return tuple(building for building in buildings if brings[building] != by_die)


def _goods_shown(state: State, move: moves.UseHelper) -> Counter[str] | None:
    """Return the goods that are seen to come when a helper is used; None if something else changes too."""
    after = carry_out(state, move, RuleLog())
    now, then = view(state).zones, view(after).zones
    colour = state.colour(move.seat)
    if any(then[zone] != now[zone] for zone in then.keys() - {f"goods {colour}", f"warehouse {colour}"}):
        return None
    more = zip(GOODS, after.goods[move.seat], state.goods[move.seat], strict=True)
    return Counter({good: have - had for good, have, had in more if have != had})


def _on_the_kings_track(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    if "crown" not in seen.changed and not effects(seen, seat).steps:
        return
    if not reveal_due(seen.state):  # turning up a corruption marker moves all markers
        steps = seen.more("steps", seat) if seen.mark("crown", seen.state.colour(seat)) is not None else 0
        steps -= effects(seen, seat).steps
        if steps:
            yield moves.Advance(seat, steps)
