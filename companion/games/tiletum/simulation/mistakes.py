"""Every kind of forbidden act that a camera can see on the table of Tiletum."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

from msgspec.structs import replace

from companion.games.tiletum import GAME, moves
from companion.games.tiletum.box import ACTIONS, GOODS, PIPS
from companion.games.tiletum.components import all_guests, cities
from companion.games.tiletum.moves import EXACT, Deviation, Move
from companion.games.tiletum.rulebook.fairs import fair_points
from companion.games.tiletum.rulebook.figures import FIGURES, city_of, house_buildings
from companion.games.tiletum.rulebook.kings_track import hidden_values, ranking, reveal_due
from companion.games.tiletum.simulation.habits import done, habit
from companion.games.tiletum.state import HIDDEN, NO_SEAT, State, contract_stack
from companion.kernel.rules import MOST_BREACHES
from companion.kernel.simulation import Impossible, LegalWays, Mistake
from companion.kernel.views import View, differences, same_table

TRIES: Final = 8
"""How many acts of a kind are tried to find one that a camera can see."""

ONLY_GOODS: Final = (moves.Gather, moves.Swap, moves.BuyGood, moves.TakeGood)
"""Acts that change nothing visible but goods."""

M = TypeVar("M")


class Kind(NamedTuple):
    """Acts of one kind: how to make them, and the rules of which one of them must break at least one."""

    make: Callable[[State, Random], Iterator[Move]]
    breaks: tuple[str, ...]


def _legal(state: State, kind: type[M], rng: Random) -> Sequence[M]:
    """Return legal moves of a kind, in random order."""
    found = [move for move in GAME.moves(state) if isinstance(move, kind)]
    return rng.sample(found, min(len(found), TRIES))


def _deviation(what: str, by: int) -> Deviation:
    names = (*GOODS, "points", "steps")
    gold, food, wool, stone, iron, points, steps = (by if name == what else 0 for name in names)
    return gold, food, wool, stone, iron, points, steps


def _with_deviation(state: State, kind: type[Any], rng: Random, what: str, *bys: int) -> Iterator[Move]:
    for move in _legal(state, kind, rng):
        yield replace(move, off=_deviation(what, rng.choice(bys)))


# Dice


def _die_in_the_wrong_section(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, moves.PutDie, rng) if state.phase == "rolling" else ():
        yield replace(move, section=rng.choice([one for one in range(len(ACTIONS)) if one != move.section]))


def _wrong_marker_turned_up(state: State, rng: Random) -> Iterator[Move]:
    hidden = [place for place, value in enumerate(state.corruption) if value == HIDDEN]
    for place in hidden[:-1]:
        yield moves.Reveal(place, rng.choice(hidden_values(state)))


def _second_die(state: State, rng: Random) -> Iterator[Move]:
    for _, colour, value in rng.sample(state.wheel, len(state.wheel)):
        yield moves.TakeDie(state.turn, colour, value)


def _die_out_of_turn(state: State, rng: Random) -> Iterator[Move]:
    others = [seat for seat in range(state.players) if seat != state.turn]
    for _, colour, value in rng.sample(state.wheel, len(state.wheel)):
        yield moves.TakeDie(rng.choice(others), colour, value)


def _change_not_paid(state: State, rng: Random) -> Iterator[Move]:
    return _with_deviation(state, moves.TurnDie, rng, "gold", 1, 2)


def _wrong_goods_for_the_die(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, moves.Gather, rng):
        yield replace(move, off=_deviation(move.good, rng.choice((1, 2))))


def _tile_of_another_section(state: State, rng: Random) -> Iterator[Move]:
    for section in rng.sample(range(len(ACTIONS)), len(ACTIONS)):
        yield moves.TakeTile(state.turn, section)


# Actions


def _walked_too_far(state: State, rng: Random) -> Iterator[Move]:
    for city in rng.sample(range(len(state.houses)), len(state.houses)):
        yield moves.Walk(state.turn, "merchant", city)
        yield moves.Walk(state.turn, "architect", city)


def _house(state: State, city: int, place: int) -> Move:
    """Return the move for a house, with a building whose guests bring their bonuses again if the place says so."""
    return moves.PutHouse(state.turn, city, place, house_buildings(state, state.turn, city, place)[0])


def _house_elsewhere(state: State, rng: Random) -> Iterator[Move]:
    for city in rng.sample(range(len(state.houses)), len(state.houses)):
        for place, owner in enumerate(state.houses[city]):
            if owner == NO_SEAT:
                yield _house(state, city, place)


def _pillar_elsewhere(state: State, rng: Random) -> Iterator[Move]:
    places = [city for city, facts in enumerate(cities(state.box)) if facts.pillars]
    for city in rng.sample(places, len(places)):
        yield moves.PutPillar(state.turn, city)


def _tile_from_afar(state: State, rng: Random) -> Iterator[Move]:
    """Yield moves with the figure whose action it is, so that nothing else is wrong.

    Cities with one of the two figures are left out: there it cannot be told which figure took the tile.
    """
    here = {state.architects[state.turn], state.merchants[state.turn]}
    afar = [city for city in state.map.tiles if city not in here]
    for city in rng.sample(afar, len(afar)):
        both = [moves.TakeFromCity(state.turn, city, figure) for figure in FIGURES]
        yield min(both, key=lambda move: len(GAME.check(state, move)))


def _guest_without_points(state: State, rng: Random) -> Iterator[Move]:
    for place in rng.sample(range(len(state.guests)), len(state.guests)):
        yield moves.TakeGuest(state.turn, place)


def _guest_in_the_wrong_building(state: State, rng: Random) -> Iterator[Move]:
    for guest in state.warehouse[state.turn]:
        if guest in all_guests(state.box):
            for building in rng.sample(range(len(state.box.buildings.floors)), len(state.box.buildings.floors)):
                yield moves.Lodge(state.turn, guest, building, 1)


def _contract_without_points(state: State, rng: Random) -> Iterator[Move]:
    for place in rng.sample(range(len(state.contracts)), len(state.contracts)):
        yield moves.TakeContract(state.turn, place)


def _too_many_steps(state: State, rng: Random) -> Iterator[Move]:
    for steps in rng.sample(range(1, 8), 7):
        yield moves.Advance(state.turn, steps)


# At any time, and the king's tile


def _gold_not_paid(state: State, rng: Random) -> Iterator[Move]:
    return _with_deviation(state, moves.BuyGood, rng, "gold", 1)


def _contract_not_paid(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, moves.Fulfil, rng):
        needs = {*state.box.contracts[move.contract].needs, move.good} - {""}
        yield replace(move, off=_deviation(rng.choice(sorted(needs)), 1))


def _wrong_points_for_a_contract(state: State, rng: Random) -> Iterator[Move]:
    return _with_deviation(state, moves.Fulfil, rng, "points", -1, 1, 2)


def _food_not_paid(state: State, rng: Random) -> Iterator[Move]:
    return _with_deviation(state, moves.PlaceCrest, rng, "food", 1)


def _stone_not_paid(state: State, rng: Random) -> Iterator[Move]:
    return _with_deviation(state, moves.JoinCathedral, rng, "stone", 1, 2)


def _cathedral_without_a_pillar(state: State, rng: Random) -> Iterator[Move]:
    for city in rng.sample(state.map.cathedrals, len(state.map.cathedrals)):
        yield moves.JoinCathedral(state.turn, city)


def _favour_for_another_seat(state: State, rng: Random) -> Iterator[Move]:
    others = ranking(state)[1:]
    for place in range(len(state.favours)):
        yield moves.TakeFavour(rng.choice(others), place)


# What is missing: room, a pillar, the right moment


def _die_before_corruption(state: State, rng: Random) -> Iterator[Move]:
    return _second_die(state, rng) if reveal_due(state) else iter(())


def _die_turned_too_late(state: State, rng: Random) -> Iterator[Move]:
    for value in rng.sample(range(1, PIPS + 1), PIPS) if state.stage == "die_used" else ():
        yield moves.TurnDie(state.turn, value)


def _goods_of_another_colour(state: State, rng: Random) -> Iterator[Move]:
    for good in rng.sample(GOODS, len(GOODS)) if state.stage == "die_taken" else ():
        yield moves.Gather(state.turn, good)


def _no_room(state: State, rng: Random) -> Iterator[Move]:
    seat = state.turn
    found: list[Move] = [
        moves.TakeTile(seat, state.section),
        *(moves.TakeGuest(seat, place) for place in range(len(state.guests))),
        *(moves.TakeContract(seat, place) for place in range(len(state.contracts))),
        *(moves.TakeFromCity(seat, city_of(state, seat, figure), figure) for figure in FIGURES),
    ]
    return (move for move in rng.sample(found, len(found)) if len(GAME.check(state, move)) == 1)


def _pillar_where_none_may_stand(state: State, _rng: Random) -> Iterator[Move]:
    yield moves.PutPillar(state.turn, state.architects[state.turn])


def _house_where_none_may_stand(state: State, _rng: Random) -> Iterator[Move]:
    city = state.merchants[state.turn]
    yield from (_house(state, city, place) for place in range(len(state.houses[city])))


def _floor_too_high(state: State, rng: Random) -> Iterator[Move]:
    guests = [guest for guest in state.warehouse[state.turn] if guest in all_guests(state.box)]
    rooms = [(number, floor) for number, floors in enumerate(state.box.buildings.floors) for floor in floors]
    for guest in guests:
        for building, floor in rng.sample(rooms, len(rooms)):
            yield moves.Lodge(state.turn, guest, building, floor)


def _marker_elsewhere(state: State, rng: Random) -> Iterator[Move]:
    buildings = [number for number, points in enumerate(state.box.buildings.markers) if points]
    for building in rng.sample(buildings, len(buildings)):
        yield moves.PutMarker(state.turn, building, rng.randrange(len(ACTIONS)))


def _swap_without_points(state: State, rng: Random) -> Iterator[Move]:
    number = 1 if state.swapped else state.box.prices.first_swap
    for gives in rng.sample(GOODS, len(GOODS)):
        others = [good for good in GOODS if good != gives]
        yield moves.Swap(state.turn, gives, tuple(rng.sample(others, number)))


def _good_taken(state: State, rng: Random) -> Iterator[Move]:
    # While a die is to be used, this may be a wrong number of its goods.
    goods = [] if state.stage == "die_taken" else rng.sample(GOODS, len(GOODS))
    yield from (moves.TakeGood(state.turn, good) for good in goods)


def _cathedral_twice(state: State, _rng: Random) -> Iterator[Move]:
    cities = (city for city, joined in enumerate(state.joined) if state.turn in joined)
    yield from (moves.JoinCathedral(state.turn, city) for city in cities)


def _contract_too_soon(state: State, rng: Random) -> Iterator[Move]:
    stack = contract_stack(state)
    for place, contract in enumerate(state.contracts) if stack else ():
        if not contract:
            yield moves.OfferContract(place, rng.choice(stack))


def _act_out_of_turn(state: State, rng: Random) -> Iterator[Move]:
    others = [seat for seat in range(state.players) if seat != state.turn]
    for seat in rng.sample(others, len(others)):
        yield moves.Walk(seat, rng.choice(FIGURES), rng.randrange(len(state.houses)))
        yield moves.Advance(seat, rng.choice((1, 2)))
        yield moves.BuyGood(seat, rng.choice(GOODS[1:]))


def _wrong_bonus_of_a_helper(state: State, rng: Random) -> Iterator[Move]:
    return _with_deviation(state, moves.UseHelper, rng, "points", 1, 2)


def _wrong_bonus_of_a_guest(state: State, rng: Random) -> Iterator[Move]:
    return _with_deviation(state, moves.Lodge, rng, "points", 1, 2)


def _wrong_bonus_of_a_crest(state: State, rng: Random) -> Iterator[Move]:
    return _with_deviation(state, moves.PlaceCrest, rng, "points", -1, 1)


def _wrong_points_for_a_cathedral(state: State, rng: Random) -> Iterator[Move]:
    return _with_deviation(state, moves.JoinCathedral, rng, "points", -1, 1, 2)


def _wrong_points_of_the_track(state: State, rng: Random) -> Iterator[Move]:
    """Yield wrong points, except those of the fair: adding both at once is allowed."""
    fair = state.fairs[state.round]
    for _ in range(TRIES if state.phase == "king" else 0):
        deviations = _one_seat_wrong(state, rng)
        if not any(by and by == fair_points(state, seat, fair) for seat, by in enumerate(deviations)):
            yield moves.ScoreCrown(deviations)


def _wrong_points_at_the_fair(state: State, rng: Random) -> Iterator[Move]:
    if state.phase == "fair":
        yield moves.HoldFair(_one_seat_wrong(state, rng))


def _one_seat_wrong(state: State, rng: Random) -> tuple[int, ...]:
    wrong, by = rng.randrange(state.players), rng.choice((-2, -1, 1, 2))
    return tuple(by if seat == wrong else 0 for seat in range(state.players))


KINDS: Final[dict[str, Kind]] = {
    "die in the wrong section": Kind(_die_in_the_wrong_section, ("roll.sorted",)),
    "wrong marker turned up": Kind(_wrong_marker_turned_up, ("corruption.rightmost",)),
    "second die": Kind(_second_die, ("die.one",)),
    "die out of turn": Kind(_die_out_of_turn, ("turn.order",)),
    "change not paid": Kind(_change_not_paid, ("die.change",)),
    "wrong goods for the die": Kind(_wrong_goods_for_the_die, ("die.goods",)),
    "tile of another section": Kind(_tile_of_another_section, ("tile.other",)),
    "walked too far": Kind(_walked_too_far, ("points.spend",)),
    "house elsewhere": Kind(_house_elsewhere, ("walk.stands",)),
    "pillar elsewhere": Kind(_pillar_elsewhere, ("walk.stands",)),
    "tile from afar": Kind(_tile_from_afar, ("walk.stands",)),
    "guest without points": Kind(_guest_without_points, ("points.spend",)),
    "guest in the wrong building": Kind(_guest_in_the_wrong_building, ("guest.same",)),
    "contract without points": Kind(_contract_without_points, ("points.spend",)),
    "too many steps": Kind(_too_many_steps, ("points.spend",)),
    "gold not paid": Kind(_gold_not_paid, ("bonus.exact",)),
    "contract not paid": Kind(_contract_not_paid, ("bonus.paid",)),
    "wrong points for a contract": Kind(_wrong_points_for_a_contract, ("fulfil.points",)),
    "food not paid": Kind(_food_not_paid, ("bonus.paid",)),
    "stone not paid": Kind(_stone_not_paid, ("bonus.paid",)),
    "cathedral without a pillar": Kind(_cathedral_without_a_pillar, ("cathedral.pillar",)),
    "die before corruption": Kind(_die_before_corruption, ("corruption.first",)),
    "die turned too late": Kind(_die_turned_too_late, ("die.before",)),
    "goods of another colour": Kind(_goods_of_another_colour, ("die.colour",)),
    "no room": Kind(_no_room, ("warehouse.room",)),
    "pillar where none may stand": Kind(_pillar_where_none_may_stand, ("architect.cathedral", "architect.room")),
    "house where none may stand": Kind(_house_where_none_may_stand, ("merchant.once", "merchant.room")),
    "floor too high": Kind(_floor_too_high, ("points.spend",)),
    "marker elsewhere": Kind(_marker_elsewhere, ("guest.finished", "guest.section")),
    "swap without points": Kind(_swap_without_points, ("points.spend",)),
    "good taken": Kind(_good_taken, ("bonus.owed",)),
    "cathedral twice": Kind(_cathedral_twice, ("cathedral.once",)),
    "contract too soon": Kind(_contract_too_soon, ("contract.end",)),
    "act out of turn": Kind(_act_out_of_turn, ("turn.order",)),
    "wrong bonus of a helper": Kind(_wrong_bonus_of_a_helper, ("bonus.exact",)),
    "wrong bonus of a guest": Kind(_wrong_bonus_of_a_guest, ("guest.bonus",)),
    "wrong bonus of a crest": Kind(_wrong_bonus_of_a_crest, ("crest.bonus",)),
    "wrong points for a cathedral": Kind(_wrong_points_for_a_cathedral, ("cathedral.points",)),
    "favour for another seat": Kind(_favour_for_another_seat, ("king.leader",)),
    "wrong points of the king's track": Kind(_wrong_points_of_the_track, ("king.plus",)),
    "wrong points at the fair": Kind(_wrong_points_at_the_fair, ("fair.points",)),
}
PHASES: Final = ("rolling", "turn", "favour", "king", "fair")


def mistakes(state: State, rng: Random, lying: View | None = None, world: Any = None) -> Iterator[Mistake]:
    """Yield every kind of mistake that is possible in this state and visible to a camera, once, in random order."""
    if state.phase not in PHASES:
        return
    table = lying or GAME.view(state)
    should = GAME.view(state)
    ways = LegalWays(GAME, habit, lambda before, at, move: done(before, at, move, world), state, table)
    for name in rng.sample(list(KINDS), len(KINDS)):
        yield from islice(_of_kind(name, state, rng, table, should, ways), 1)


def _comes_to_the_same(state: State, move: Any) -> bool:
    """Whether a few legal moves would leave the same table, with pieces going to and fro on the way.

    Wrong goods may have been exchanged; a figure may have gone there and back.
    """
    wrong = GAME.play_unchecked(state, move)
    right = replace(move, off=EXACT) if hasattr(move, "off") else move
    return wrong is not None and any(
        not differences(GAME.view(then), GAME.view(wrong)) for then in _legal_ends(state, right)
    )


def _legal_ends(state: State, move: Any) -> Iterator[State]:
    """Yield the states after an act together with others that may hide its cost, or how it came about."""
    for way in _there_and_back(state, move):
        yield from _played(state, way)
    for after in _played(state, (move,)):
        for deal in GAME.moves(after):
            if isinstance(deal, ONLY_GOODS):
                yield (then := GAME.play(after, deal))
                if isinstance(deal, moves.Gather):  # goods of the die may have been exchanged at once
                    yield from (GAME.play(then, more) for more in GAME.moves(then) if isinstance(more, ONLY_GOODS))
    for deal in GAME.moves(state):
        if isinstance(deal, ONLY_GOODS):
            yield from _played(state, (deal, move))


def _there_and_back(state: State, move: Any) -> Iterator[tuple[Move, ...]]:
    for figure in FIGURES:
        here = city_of(state, state.turn, figure)
        city = getattr(move, "city", here)
        if city != here:
            yield moves.Walk(state.turn, figure, city), move, moves.Walk(state.turn, figure, here)


def _played(state: State, way: Sequence[Move]) -> Iterator[State]:
    """Yield the state after a sequence of moves, if they are legal."""
    for move in way:
        if GAME.check(state, move):
            return
        state = GAME.play(state, move)
    yield state


def _of_kind(name: str, state: State, rng: Random, table: View, should: View, ways: LegalWays) -> Iterator[Mistake]:
    kind = KINDS[name]
    for move in islice(kind.make(state, rng), TRIES):
        breaches = GAME.check(state, move)
        rules = frozenset(breach.rule for breach in breaches)
        if rules.isdisjoint(kind.breaks) or len(breaches) > MOST_BREACHES or _comes_to_the_same(state, move):
            continue
        try:
            view = done(table, state, move, None)
        except Impossible:
            continue
        if not same_table(view, table) and differences(view, should) and not ways.lead_to(view):
            yield Mistake(name, move, rules, view)
