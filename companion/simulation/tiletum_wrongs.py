"""Every kind of forbidden act that a camera can see on the table of Tiletum."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

from msgspec.structs import replace

from companion.games.tiletum import GAME, moves
from companion.games.tiletum.box import ACTIONS, GOODS
from companion.games.tiletum.components import all_guests, cities
from companion.games.tiletum.figures import FIGURES, standing
from companion.games.tiletum.kings_track import hidden_values, ranking
from companion.games.tiletum.moves import EXACT, Move, Off
from companion.games.tiletum.state import HIDDEN, NOBODY, State
from companion.messages import View, differences
from companion.referee.search import MOST_BREACHES
from companion.simulation.legal_ways import LegalWays
from companion.simulation.pieces import Impossible, same_table
from companion.simulation.tiletum_hands import done
from companion.simulation.tiletum_manners import manner
from companion.simulation.worlds import Wrong

TRIES: Final = 8
"""How many acts of a kind are tried for one that a camera can tell."""

DEALS: Final = (moves.Gather, moves.Swap, moves.BuyGood, moves.TakeGood)
"""Acts that show in nothing but goods."""

M = TypeVar("M")


class Kind(NamedTuple):
    """Acts of one kind: how to make them, and which rules one of them must break at least."""

    make: Callable[[State, Random], Iterator[Move]]
    breaks: tuple[str, ...]


def _legal(state: State, kind: type[M], rng: Random) -> Sequence[M]:
    """Legal moves of a kind, in any order."""
    found = [move for move in GAME.moves(state) if isinstance(move, kind)]
    return rng.sample(found, min(len(found), TRIES))


def _off(what: str, by: int) -> Off:
    names = (*GOODS, "points", "steps")
    gold, food, wool, stone, iron, points, steps = (by if name == what else 0 for name in names)
    return gold, food, wool, stone, iron, points, steps


def _with_off(state: State, kind: type[Any], rng: Random, what: str, *bys: int) -> Iterator[Move]:
    for move in _legal(state, kind, rng):
        yield replace(move, off=_off(what, rng.choice(bys)))


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
    return _with_off(state, moves.TurnDie, rng, "gold", 1, 2)


def _wrong_goods_for_the_die(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, moves.Gather, rng):
        yield replace(move, off=_off(move.good, rng.choice((1, 2))))


def _tile_of_another_section(state: State, rng: Random) -> Iterator[Move]:
    for section in rng.sample(range(len(ACTIONS)), len(ACTIONS)):
        yield moves.TakeTile(state.turn, section)


# Actions


def _walked_too_far(state: State, rng: Random) -> Iterator[Move]:
    for city in rng.sample(range(len(state.houses)), len(state.houses)):
        yield moves.Walk(state.turn, "merchant", city)
        yield moves.Walk(state.turn, "architect", city)


def _house_elsewhere(state: State, rng: Random) -> Iterator[Move]:
    for city in rng.sample(range(len(state.houses)), len(state.houses)):
        for place, owner in enumerate(state.houses[city]):
            if owner == NOBODY:
                yield moves.PutHouse(state.turn, city, place)


def _pillar_elsewhere(state: State, rng: Random) -> Iterator[Move]:
    places = [city for city, facts in enumerate(cities(state.box)) if facts.pillars]
    for city in rng.sample(places, len(places)):
        yield moves.PutPillar(state.turn, city)


def _tile_from_afar(state: State, rng: Random) -> Iterator[Move]:
    """With the figure whose action it is, so that nothing else is wrong about it. Where one of them stands, nobody
    could tell whether the other took it, or this one without points."""
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
    return _with_off(state, moves.BuyGood, rng, "gold", 1)


def _contract_not_paid(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, moves.Fulfil, rng):
        needs = state.box.contracts[move.contract].needs
        yield replace(move, off=_off(rng.choice(sorted(needs)), 1))


def _wrong_points_for_a_contract(state: State, rng: Random) -> Iterator[Move]:
    return _with_off(state, moves.Fulfil, rng, "points", -1, 1, 2)


def _food_not_paid(state: State, rng: Random) -> Iterator[Move]:
    return _with_off(state, moves.PlaceCrest, rng, "food", 1)


def _stone_not_paid(state: State, rng: Random) -> Iterator[Move]:
    return _with_off(state, moves.JoinCathedral, rng, "stone", 1, 2)


def _cathedral_without_a_pillar(state: State, rng: Random) -> Iterator[Move]:
    for city in rng.sample(state.map.cathedrals, len(state.map.cathedrals)):
        yield moves.JoinCathedral(state.turn, city)


def _favour_for_somebody_else(state: State, rng: Random) -> Iterator[Move]:
    others = ranking(state)[1:]
    for place in range(len(state.favours)):
        yield moves.TakeFavour(rng.choice(others), place)


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
    "favour for somebody else": Kind(_favour_for_somebody_else, ("king.leader",)),
}
PHASES: Final = ("rolling", "turn", "favour")


def wrongs(state: State, rng: Random, lying: View | None = None, world: Any = None) -> Iterator[Wrong]:
    """Every kind of wrong act that this state allows and a camera can tell, once, in any order."""
    if state.phase not in PHASES:
        return
    table = lying or GAME.view(state)
    should = GAME.view(state)
    ways = LegalWays(GAME, manner, lambda before, at, move: done(before, at, move, world), state, table)
    for name in rng.sample(list(KINDS), len(KINDS)):
        yield from islice(_of_kind(name, state, rng, table, should, ways), 1)


def _comes_to_the_same(state: State, move: Any) -> bool:
    """Whether a few legal moves would leave the same table, though on the way some pieces go to and fro: then nobody
    could tell. Goods that are off may have been dealt for; a figure may have gone there and back."""
    wrong = GAME.pretend(state, move)
    right = replace(move, off=EXACT) if hasattr(move, "off") else move
    return wrong is not None and any(
        not differences(GAME.view(then), GAME.view(wrong)) for then in _legal_ends(state, right)
    )


def _legal_ends(state: State, move: Any) -> Iterator[State]:
    """Where an act leads together with others that may hide what it costs, or how it came about."""
    for way in _there_and_back(state, move):
        yield from _played(state, way)
    for after in _played(state, (move,)):
        yield from (GAME.play(after, deal) for deal in GAME.moves(after) if isinstance(deal, DEALS))
    for deal in GAME.moves(state):
        if isinstance(deal, DEALS):
            yield from _played(state, (deal, move))


def _there_and_back(state: State, move: Any) -> Iterator[tuple[Move, ...]]:
    for figure in FIGURES:
        here = standing(state, state.turn, figure)
        city = getattr(move, "city", here)
        if city != here:
            yield moves.Walk(state.turn, figure, city), move, moves.Walk(state.turn, figure, here)


def _played(state: State, way: Sequence[Move]) -> Iterator[State]:
    """The state after a way, if it is legal."""
    for move in way:
        if GAME.check(state, move):
            return
        state = GAME.play(state, move)
    yield state


def _of_kind(name: str, state: State, rng: Random, table: View, should: View, ways: LegalWays) -> Iterator[Wrong]:
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
            yield Wrong(name, move, rules, view)
