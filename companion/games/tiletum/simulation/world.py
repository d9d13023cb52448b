"""A simulated table of Tiletum: what lies face down and in the bag, and two kinds of bots."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, Protocol, TypeVar

from companion.games.tiletum import GAME, moves
from companion.games.tiletum.box import GOODS, PIPS, Bonus
from companion.games.tiletum.components import all_guests, cities, crests, goods_for, needed, price_of
from companion.games.tiletum.moves import Move
from companion.games.tiletum.rulebook import kings_track
from companion.games.tiletum.rulebook.dice import die_good
from companion.games.tiletum.rulebook.figures import FIGURES
from companion.games.tiletum.rulebook.guests import building_with, guests_due
from companion.games.tiletum.rulebook.setup import cities_left, costs_left, tiles_due
from companion.games.tiletum.simulation.habits import done, habit, in_one_go, laid, signal, sort_of
from companion.games.tiletum.simulation.mistakes import mistakes
from companion.games.tiletum.state import (
    EMPTY,
    NO_SEAT,
    NOWHERE,
    State,
    contract_stack,
    extra_points,
    free_house_places,
    guest_stack,
    houses_in_stock,
    in_bag,
    pillars_in_stock,
    section_for,
    steps_between,
    tile_stack,
)
from companion.kernel.simulation import BotName

__all__ = ["done", "habit", "in_one_go", "laid", "mistakes", "options", "signal", "sort_of", "world"]

T = TypeVar("T")

OFFER_MOVES: Final = (moves.Slide, moves.OfferContract)
ACTS_BEFORE_REFILL: Final = 0.3
"""How often people act before the offer of contracts is put in order."""


def options(rng: Random) -> Mapping[str, Any]:
    return {
        "first": rng.randrange(2),
        "favours": rng.choice(("one", "one", "three")),
        "section_tile": rng.choice(("any_time", "any_time", "before_action")),
        "leave_tile": rng.random() < 0.75,
        "joker_marker": rng.choice(("joker_only", "chosen_too", "chosen_too")),
        "marker_at_once": rng.random() < 0.75,
        "swap_same": rng.random() < 0.75,
        "crown_limit": rng.random() < 0.25,
        "seventh_contract": rng.random() < 0.25,
        "below_zero": rng.random() < 0.25,
        "corruption_first": rng.random() < 0.75,
        "fair_crown": rng.choice(("before_reset", "before_reset", "after_reset")),
        "fair_buildings": rng.choice(("full", "full", "with_crest")),
    }


def world(state: State, bot: BotName, rng: Random) -> TiletumWorld:
    return TiletumWorld(state, bot, rng)


class Person(Protocol):
    """A person at the table."""

    def choose(self, state: State, moves: Sequence[Move]) -> Move: ...


class TiletumWorld:
    """Knows the top of every stack: always the same tile for the same contents, whatever is taken back."""

    def __init__(self, state: State, bot: BotName, rng: Random) -> None:
        self._seed = rng.random()
        self._rng = rng
        person = KeenPerson if bot == "keen" else RandomPerson
        self._people: list[Person] = [person(rng) for _ in state.seats]

    def _drawn(self, what: str, contents: Sequence[T]) -> T:
        return Random(f"{self._seed}/{what}/{contents}").choice(contents)

    def next_move(self, state: State, moves: Sequence[Move]) -> Move:
        chance = self.chance(state)
        late = isinstance(chance, OFFER_MOVES) and state.phase == "turn" and self._rng.random() < ACTS_BEFORE_REFILL
        if chance is not None and not late:
            return chance
        actor = state.turn if late else GAME.actor(state)
        if not isinstance(actor, int):
            return moves[0]
        mine = [move for move in moves if getattr(move, "seat", None) == actor]
        return self._people[actor].choose(state, mine) if mine or chance is None else chance

    def follow(self, before: State, move: Move) -> None:
        """Do nothing: what is hidden follows from what is visible."""

    def chance(self, state: State) -> Move | None:
        """Return what chance does next, or None."""
        match state.phase:
            case "lots" | "refilling":
                return self._lot(state)
            case "rolling":
                return self._roll(state)
            case "turn" if state.filling or guests_due(state):
                return self._offer(state)
            case "turn" if kings_track.reveal_due(state):
                value = self._corruption(state)
                return moves.Reveal(kings_track.next_marker(state), value)
            case _:
                return None

    def _lot(self, state: State) -> Move:
        if NOWHERE in state.venues:
            return moves.PutVenue(state.venues.index(NOWHERE), self._drawn("venue", cities_left(state)))
        if EMPTY in state.fairs:
            fairs = [fair for fair in state.box.fairs if fair not in state.fairs]
            return moves.PutFair(state.fairs.index(EMPTY), self._drawn("fair", fairs))
        for city in state.map.cathedrals:
            if not state.costs[city]:
                return moves.PutCost(city, self._drawn(f"cost {city}", costs_left(state)))
        for place in tiles_due(state):
            return moves.PutTile(place, self._drawn("tile", tile_stack(state)))
        return self._offer(state)

    def _offer(self, state: State) -> Move:
        if state.sliding:
            return moves.Slide()
        if EMPTY in state.contracts and (state.filling or state.phase == "lots") and contract_stack(state):
            place = max(place for place, contract in enumerate(state.contracts) if not contract)
            return moves.OfferContract(place, self._drawn("contract", contract_stack(state)))
        return moves.OfferGuest(state.guests.index(EMPTY), self._drawn("guest", guest_stack(state)))

    def _roll(self, state: State) -> Move:
        dice = Random(f"{self._seed}/{state.round}/{state.wheel}")
        left = [colour for colour in in_bag(state) for _ in range(self._in_bag(state, colour))]
        colour, value = dice.choice(left), dice.randint(1, PIPS)
        return moves.PutDie(section_for(state, value), colour, value)

    def _in_bag(self, state: State, colour: str) -> int:
        lying = sum(other == colour for _, other, _ in state.wheel)
        return state.players * state.box.dice.in_bag - lying

    def _corruption(self, state: State) -> int:
        """Return the next corruption marker; the markers of a round are drawn together, from the right."""
        dice = Random(f"{self._seed}/corruption/{state.round}")
        drawn = dice.sample(state.box.corruption.markers, len(state.corruption))
        return drawn[kings_track.next_marker(state)]


class RandomPerson:
    """Makes any move; each kind of move is equally likely."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, _state: State, moves: Sequence[Move]) -> Move:
        kinds = sorted({type(move) for move in moves}, key=lambda kind: kind.__name__)
        kind = self._rng.choice(kinds)
        return self._rng.choice([move for move in moves if type(move) is kind])


WORTH: Final[Mapping[str, float]] = {
    **dict.fromkeys(GOODS, 1.0),
    "any": 1.3,
    "points": 1.5,
    "crown": 1.5,
    "architect": 1.5,
    "merchant": 1.5,
    "guest": 1.5,
    "contract": 1.2,
    "architectstep": 1.0,
    "merchantstep": 1.0,
    "pillar": 3.0,
    "house": 3.0,
    "anypillar": 5.0,
    "anyhouse": 5.0,
    "anyarchitect": 3.0,
    "anymerchant": 3.0,
    "again": 3.0,
}
"""The value of each symbol for a keen person."""


class KeenPerson:
    """Makes the move that pays most at once; otherwise walks and collects towards one.

    It does not swap away what it just swapped in: two such swaps look like one, or like none, and cost more.
    """

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self._noise = rng.choice((1.0, 2.0, 4.0))
        self._swapped_in: set[str] = set()

    def choose(self, state: State, open_: Sequence[Move]) -> Move:
        sensible = [move for move in open_ if not (isinstance(move, moves.Swap) and move.gives in self._swapped_in)]
        chosen = max(sensible, key=lambda move: _benefit(state, move) + self._rng.random() * self._noise)
        match chosen:
            case moves.TakeDie():
                self._swapped_in.clear()
            case moves.Swap():
                self._swapped_in.update(chosen.gets)
            case _:
                pass
        return chosen


def _benefit(state: State, move: Move) -> float:
    match move:
        case moves.Fulfil():
            return 40 + _value(state.box.contracts[move.contract].bonus)
        case moves.JoinCathedral():
            return 40 + state.box.costs[state.costs[move.city]].points
        case moves.PutMarker() | moves.TakeTile() | moves.TakeFavour():
            return 35
        case moves.PlaceCrest():
            return 25 + _value(state.box.buildings.crest_bonus[move.building])
        case moves.PutHouse() | moves.PutPillar():
            return 30
        case moves.Lodge():
            return 26 + _value(all_guests(state.box)[move.guest][1].bonus) - move.floor
        case moves.TakeFromCity():
            return 18
        case moves.TakeDie():
            return _die(state, move.seat, move.colour, move.value)
        case moves.Gather():
            return 20 + 4 * (move.good in _wanted(state, move.seat))
        case moves.EndTurn():
            return 6
        case _:
            return _lesser_benefit(state, move)


def _lesser_benefit(state: State, move: Move) -> float:
    match move:
        case moves.Walk():
            return _journey(state, move)
        case moves.TakeContract():
            missing = _missing(state, move.seat, state.contracts[move.place])
            return 16 - missing if state.round < state.box.rounds - 1 or missing == 0 else 0
        case moves.TakeGuest():
            return 12 if _welcome(state, move.seat, state.guests[move.place]) else 0
        case moves.Advance():
            return 10 + move.steps
        case moves.UseHelper():
            return _help(state, move)
        case moves.TakeGood() | moves.BuyGood():
            wanted = _wanted(state, move.seat)
            return (20 if isinstance(move, moves.TakeGood) else 2) + 6 * (move.good in wanted)
        case moves.Swap():
            return 5 + 2 * sum(good in _wanted(state, move.seat) for good in move.gets)
        case moves.TurnDie():
            colour, value = state.dice[move.seat][-1]
            better = _die(state, move.seat, colour, move.value) - _die(state, move.seat, colour, value)
            return 20 + better - 3 * steps_between(value, move.value)
        case moves.SweepGuests():
            return 0 if any(_welcome(state, move.seat, guest) for guest in state.guests if guest) else 9
        case _:
            return 0


def _help(state: State, move: moves.UseHelper) -> float:
    """Return the benefit of a helper: most are for when the die is used, one changes its colour before."""
    if state.box.tiles[move.tile].recolours:
        taken = state.stage == "die_taken"
        return 23 if taken and die_good(state, move.seat) not in _wanted(state, move.seat) else 1
    return 15 if state.stage == "die_used" else 3


def _value(bonus: Bonus) -> float:
    return sum(float(getattr(bonus, symbol) or 0) * worth for symbol, worth in WORTH.items())


def _die(state: State, seat: int, colour: str, value: int) -> float:
    """Return the value of a die: goods and action points, more for actions that are strengthened."""
    section = section_for(state, value)
    points = state.box.wheel.points[value - 1] + extra_points(state, seat, section)
    good = state.box.dice.colours[colour]
    return (
        value * (1.5 if good in _wanted(state, seat) else 1.0) + 1.5 * points + 3 * bool(state.section_tiles[section])
    )


def _missing(state: State, seat: int, contract: str) -> int:
    if contract in crests(state.box):
        return 2
    return min(
        sum(max(0, number - had) for number, had in zip(price, state.goods[seat], strict=True))
        for good in goods_for(state.box, contract)
        if (price := price_of(state.box, contract, good))
    )


def _wanted(state: State, seat: int) -> set[str]:
    """Return the goods that something in the warehouse, or a cathedral, still needs."""
    wanted: set[str] = {
        GOODS[good]
        for tile in state.warehouse[seat]
        if tile in state.box.contracts
        for good, number in enumerate(needed(state.box, tile))
        if number > state.has(seat, good)
    }
    if any(tile in crests(state.box) for tile in state.warehouse[seat]):
        wanted.add("food")
    if any(state.pillars[city] >> seat & 1 and seat not in state.joined[city] for city in state.map.cathedrals):
        wanted.add("stone")
    return wanted


def _welcome(state: State, seat: int, guest: str) -> bool:
    """Whether there is a room for a guest."""
    home = building_with(state, seat, all_guests(state.box)[guest][0])
    buildings = range(len(state.rooms[seat])) if home == NOWHERE else (home,)
    return any(EMPTY in state.rooms[seat][building] for building in buildings)


def _journey(state: State, move: moves.Walk) -> float:
    """Return what a figure could do at the end of its way; the same figure seldom walks twice."""
    seat, city = move.seat, move.city
    if state.ways[FIGURES.index(move.figure)] is not None:
        return 4
    here = (state.architects if move.figure == "architect" else state.merchants)[seat]
    far = state.map.far[here][city]
    worth = 4.0 * bool(state.city_tiles[city])
    if move.figure == "architect":
        free = state.pillars[city].bit_count() < cities(state.box)[city].pillars
        worth += 8 * (free and not state.pillars[city] >> seat & 1 and pillars_in_stock(state, seat) > 0)
    else:
        free = any(state.houses[city][place] == NO_SEAT for place in free_house_places(state, city))
        worth += 8 * (free and seat not in state.houses[city] and houses_in_stock(state, seat) > 0)
        worth += 4 * (city == state.venues[state.round])
    return 5 + worth - 1.5 * far
