"""The kinds of forbidden acts that a camera can see on the table of The Council of Four.

How hands carry them out is in `habits`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from random import Random
from typing import Any, Final, NamedTuple, TypeVar

from msgspec.structs import replace

from companion.games.council_of_four import GAME
from companion.games.council_of_four.box import COUNCILS, JOKER, card_kinds
from companion.games.council_of_four.moves import (
    Build,
    BuildWithKing,
    BuyAction,
    BuyPermit,
    CopyToken,
    Elect,
    Hire,
    Move,
    Send,
    Swap,
    TakeBonus,
)
from companion.games.council_of_four.rulebook.councils import bribe_price
from companion.games.council_of_four.rulebook.emporiums import KINGS_REWARD
from companion.games.council_of_four.simulation.habits import done, habit
from companion.games.council_of_four.state import State, other_emporiums, permit_cities, pool, region_of
from companion.kernel.simulation import Impossible, LegalWays, Mistake
from companion.kernel.views import View, differences, same_table

TRIES: Final = 8
"""Maximum number of acts of a kind that are tried until a camera can see one."""

M = TypeVar("M")


class Kind(NamedTuple):
    """Acts of one kind: how to make them, and which rules one of them must break at least."""

    make: Callable[[State, Random], Iterator[Move]]
    breaks: tuple[str, ...]


def _legal(state: State, kind: type[M], rng: Random) -> Sequence[M]:
    """Legal moves of a kind, in any order."""
    moves = [move for move in GAME.moves(state) if isinstance(move, kind)]
    return rng.sample(moves, min(len(moves), TRIES))


def _with_deviation(state: State, kind: type[Any], rng: Random, *offs: tuple[int, int, int, int]) -> Iterator[Move]:
    for move in _legal(state, kind, rng):
        yield replace(move, off=rng.choice(offs))


# Elections


def _election_for_other_gold(state: State, rng: Random) -> Iterator[Move]:
    return _with_deviation(state, Elect, rng, (-1, 0, 0, 0), (-2, 0, 0, 0), (1, 0, 0, 0))


def _pushed_from_the_right(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, Elect, rng):
        yield replace(move, enters=3, falls=0)


def _councillor_exchanged(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, Elect, rng):
        place = rng.choice((1, 2, 3))
        if state.councils[move.council][place] != move.colour:
            yield replace(move, enters=place, falls=place)


def _assistant_not_sent(state: State, rng: Random) -> Iterator[Move]:
    # Where an election is possible too, it might be one without its gold.
    return iter(()) if state.main else _with_deviation(state, Send, rng, (0, 0, 1, 0))


# Bribes and permits


def _wrong_gold_for_the_bribe(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, BuyPermit, rng):
        price = bribe_price(state.box, move.cards)
        by = rng.choice([number for number in (2, 3, price) if number <= price] or [0])
        yield replace(move, off=(by, 0, 0, 0))


def _joker_not_paid(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, BuyPermit, rng):
        yield replace(move, off=(move.cards.count(JOKER), 0, 0, 0))


def _colour_not_there(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, BuyPermit, rng):
        members = state.councils[region_of(move.place)]
        strange = [kind for kind in card_kinds(state.box) if kind not in members and kind != JOKER]
        if strange:
            yield replace(move, cards=(rng.choice(strange), *move.cards[1:]))


def _colour_once_too_often(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, BuyPermit, rng):
        members = state.councils[region_of(move.place)]
        once = [colour for colour in members if members.count(colour) == 1]
        if once and len(move.cards) > 1:
            colour = rng.choice(once)
            yield replace(move, cards=(colour, colour, *move.cards[2:]))


def _permit_without_a_bribe(state: State, rng: Random) -> Iterator[Move]:
    # Without cards on the table it cannot be told whether some were laid down and put away.
    for move in _legal(state, BuyPermit, rng) if state.bribe else ():
        yield replace(move, cards=())


def _wrong_bonus_of_a_permit(state: State, rng: Random) -> Iterator[Move]:
    return _with_deviation(state, BuyPermit, rng, (0, 1, 0, 0), (0, 2, 0, 0), (0, 0, 1, 0), (0, 0, 0, 1))


# Emporiums


def _wrong_letter(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, Build, rng):
        cities = [city for city in range(len(state.emporiums)) if city not in permit_cities(state, move.permit)]
        yield replace(move, city=rng.choice([city for city in cities if not state.owns(move.seat, city)]))


def _twice_in_a_city(state: State, rng: Random) -> Iterator[Move]:
    seat = state.turn
    for permit in rng.sample(state.permits[seat], len(state.permits[seat])) if state.main else ():
        for city in permit_cities(state, permit):
            if state.owns(seat, city):
                yield Build(seat, permit, city)


def _assistants_kept(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, Build, rng):
        yield replace(move, off=(0, 0, other_emporiums(state, move.seat, move.city), 0))


def _wrong_reward(state: State, rng: Random) -> Iterator[Move]:
    return _with_deviation(state, Build, rng, (1, 0, 0, 0), (0, 1, 0, 0), (0, 2, 0, 0), (0, -1, 0, 0))


def _permit_not_turned(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, Build, rng):
        yield replace(move, turned=False)


def _roads_not_paid(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, BuildWithKing, rng):
        roads = state.map.roads[state.king][move.city]
        yield replace(move, off=(roads * state.box.prices.road, 0, 0, 0))


def _built_away_from_the_king(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, BuildWithKing, rng):
        yield replace(move, king=rng.choice(state.map.neighbours[move.city]))


def _tile_taken(state: State, rng: Random) -> Iterator[Move]:
    taken = {tile for tile, _ in state.bonuses}
    tiles = [tile for tile in state.box.bonus_tiles if tile not in taken]
    yield from (TakeBonus(rng.randrange(state.players), tile) for tile in rng.sample(tiles, len(tiles)))


def _reward_taken(state: State, rng: Random) -> Iterator[Move]:
    yield TakeBonus(rng.randrange(state.players), KINGS_REWARD)


# Quick actions, the nobility track, and the order of things


def _hired_for_less(state: State, rng: Random) -> Iterator[Move]:
    return _with_deviation(state, Hire, rng, (1, 0, 0, 0), (2, 0, 0, 0), (0, 0, 1, 0))


def _swapped_for_nothing(state: State, rng: Random) -> Iterator[Move]:
    return _with_deviation(state, Swap, rng, (0, 0, 1, 0))


def _action_for_less(state: State, rng: Random) -> Iterator[Move]:
    return _with_deviation(state, BuyAction, rng, (0, 0, 1, 0), (0, 0, 2, 0))


def _nobility_chosen(state: State, rng: Random) -> Iterator[Move]:
    cities = [city for city, token in enumerate(state.tokens) if token and state.owns(state.turn, city)]
    for city in rng.sample(cities, len(cities)) if state.choices else ():
        yield CopyToken(state.turn, city)


def _again(state: State, rng: Random) -> Iterator[Move]:
    """One main action too many, with nothing else wrong about it."""
    seat = state.turn
    more: list[Move] = [Elect(seat, rng.randrange(len(COUNCILS)), colour) for colour in pool(state.box, state.councils)]
    more += [Build(seat, permit, city) for permit in state.permits[seat] for city in permit_cities(state, permit)]
    return (move for move in rng.sample(more, len(more)) if len(GAME.check(state, move)) == 1)


def _quick_again(state: State, rng: Random) -> Iterator[Move]:
    yield Hire(state.turn)
    for colour in pool(state.box, state.councils):
        yield Send(state.turn, rng.randrange(len(COUNCILS)), colour)


def _out_of_turn(state: State, rng: Random) -> Iterator[Move]:
    others = [seat for seat in range(state.players) if seat != state.turn]
    colours = list(pool(state.box, state.councils))
    for seat in rng.sample(others, len(others)):
        if state.gold[seat] < state.box.tracks.gold:  # otherwise no marker says whose election it was
            yield Elect(seat, rng.randrange(len(COUNCILS)), rng.choice(colours))
        yield Hire(seat)


KINDS: Final[dict[str, Kind]] = {
    "election for other gold": Kind(_election_for_other_gold, ("elect.gold",)),
    "pushed from the right": Kind(_pushed_from_the_right, ("elect.push",)),
    "councillor exchanged": Kind(_councillor_exchanged, ("elect.push",)),
    "assistant not sent": Kind(_assistant_not_sent, ("quick.exact",)),
    "wrong gold for the bribe": Kind(_wrong_gold_for_the_bribe, ("bribe.gold",)),
    "joker not paid": Kind(_joker_not_paid, ("bribe.joker-gold",)),
    "colour not there": Kind(_colour_not_there, ("bribe.colours",)),
    "colour once too often": Kind(_colour_once_too_often, ("bribe.once",)),
    "permit without a bribe": Kind(_permit_without_a_bribe, ("bribe.cards",)),
    "wrong bonus of a permit": Kind(_wrong_bonus_of_a_permit, ("permit.bonus",)),
    "wrong letter": Kind(_wrong_letter, ("use.letter",)),
    "twice in a city": Kind(_twice_in_a_city, ("build.once",)),
    "assistants kept": Kind(_assistants_kept, ("build.assistants",)),
    "wrong reward": Kind(_wrong_reward, ("build.reward",)),
    "permit not turned": Kind(_permit_not_turned, ("use.turned",)),
    "roads not paid": Kind(_roads_not_paid, ("king.roads",)),
    "built away from the king": Kind(_built_away_from_the_king, ("king.builds-there",)),
    "tile taken": Kind(_tile_taken, ("bonus.set",)),
    "reward taken": Kind(_reward_taken, ("bonus.reward",)),
    "hired for less": Kind(_hired_for_less, ("quick.exact",)),
    "swapped for nothing": Kind(_swapped_for_nothing, ("quick.exact",)),
    "action for less": Kind(_action_for_less, ("quick.exact",)),
    "nobility chosen": Kind(_nobility_chosen, ("nobility.no-chain",)),
    "main action again": Kind(_again, ("turn.main",)),
    "quick action again": Kind(_quick_again, ("turn.quick",)),
    "out of turn": Kind(_out_of_turn, ("turn.order",)),
}


def mistakes(state: State, rng: Random, lying: View | None = None, world: Any = None) -> Iterator[Mistake]:
    """Yield each kind of forbidden act that this state allows and a camera can see, once, in random order."""
    if state.phase != "turn":
        return
    table = lying or GAME.view(state)
    should = GAME.view(state)
    ways = LegalWays(GAME, habit, lambda before, at, move: done(before, at, move, world), state, table)
    for name in rng.sample(list(KINDS), len(KINDS)):
        yield from islice(_of_kind(name, state, rng, table, should, ways), 1)


def _of_kind(name: str, state: State, rng: Random, table: View, should: View, ways: LegalWays) -> Iterator[Mistake]:
    kind = KINDS[name]
    for move in islice(kind.make(state, rng), TRIES):
        rules = frozenset(breach.rule for breach in GAME.check(state, move))
        if rules.isdisjoint(kind.breaks):
            continue
        try:
            view = done(table, state, move, None)
        except Impossible:
            continue
        if not same_table(view, table) and differences(view, should) and not ways.lead_to(view):
            yield Mistake(name, move, rules, view)
