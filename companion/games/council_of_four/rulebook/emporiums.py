"""Emporiums: building with a permit or with the king, what it costs and brings, bonus tiles and royal rewards.

How a permit is acquired is in `permits`, how the king's council is bribed in `councils`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import combinations

from msgspec.structs import replace

from companion.games.council_of_four.state import NO_SEAT, State, add_points, connected, other_emporiums, permit_cities
from companion.kernel.rules import Breach, Fact, Note, RuleLog, SeatNo, broken, changed

from ..box import JOKER, KING, Bonus, bonus_label
from ..moves import HERE, Build, BuildWithKing, Move, TakeBonus
from .cards import (
    Fault,
    deviation_breaches,
    gain,
    pay_gold,
    return_assistants,
    token_source,
    total_amounts,
    with_nobility_fields,
)
from .councils import (
    affordable_bribes,
    blame_bribe,
    bribe,
    bribe_price,
    check_bribe,
    most_cards_to_lay,
)

KINGS_REWARD = "kings_reward"
"""The top royal reward, where a move names a bonus tile."""


# With a permit


def build_moves(state: State) -> Iterator[Move]:
    """Yield each city where the seat can build with one of its permits."""
    seat = state.turn
    for permit in state.permits[seat]:
        for city in permit_cities(state, permit):
            if may_build(state, seat, city):
                yield Build(seat, permit, city)


def may_build(state: State, seat: SeatNo, city: int) -> bool:
    """Whether a seat has no emporium in a city, one left, and enough assistants for those of others."""
    return (
        not state.owns(seat, city)
        and other_emporiums(state, seat, city) <= state.assistants[seat]
        and state.built(seat) < state.box.emporiums_each
    )


def check_build(state: State, move: Build) -> Iterator[Breach]:
    """Check the permit, its cities, the site and the payments."""
    if move.permit not in state.permits[move.seat]:
        used = move.permit in state.used[move.seat]
        yield broken("use.once" if used else "use.open", seat=state.colour(move.seat), permit=move.permit)
        return
    if not 0 <= move.city < len(state.emporiums) or move.city not in permit_cities(state, move.permit):
        named = tuple(map(state.city_name, permit_cities(state, move.permit)))
        facts: dict[str, Fact] = {"permit": move.permit, "city": state.city_name(move.city), "cities": named}
        yield broken("use.letter", seat=state.colour(move.seat), **facts)
        return
    if not move.turned:
        yield broken("use.turned", seat=state.colour(move.seat), permit=move.permit)
    yield from _check_site(state, move.seat, move.city)
    yield from _check_deviation(state, move)


def _check_site(state: State, seat: SeatNo, city: int) -> Iterator[Breach]:
    """Check what `may_build` asks, each with its own breach."""
    colour, name = state.colour(seat), state.city_name(city)
    if state.owns(seat, city):
        yield broken("build.once", seat=colour, city=name)
    others = other_emporiums(state, seat, city)
    if others > state.assistants[seat]:
        yield broken("build.affords", seat=colour, city=name, others=others, has=state.assistants[seat])
    if state.built(seat) >= state.box.emporiums_each:
        yield broken("build.left", seat=colour, emporiums=state.box.emporiums_each)


def _check_deviation(state: State, move: Build | BuildWithKing) -> Iterator[Breach]:
    """Check that the markers show what the emporium costs and brings."""
    others = other_emporiums(state, move.seat, move.city)
    city = state.city_name(move.city)
    rewards = _rewards(state, move.seat, move.city)

    def blame(what: str, by: int) -> Fault:
        paid = by > 0 or not any(getattr(bonus, what) for bonus in rewards)  # the payment is wrong, not the reward
        if what == "assistants" and others and paid:
            return Fault("build.assistants", {"city": city, "others": others})
        if what == "gold" and isinstance(move, BuildWithKing) and paid and (fault := _blame_king(state, move, by)):
            return fault
        if what == "points" and by in _points_counted_at_end(state, move.seat, move.city):
            return Fault("bonus.at-end", {})
        return Fault("build.reward", {"city": city, "due": total_amounts(rewards)})

    yield from deviation_breaches(state, move.seat, move.off, blame)


def _blame_king(state: State, move: BuildWithKing, by: int) -> Fault | None:
    """Return the rule about bribe or journey that explains a deviation in gold, if there is one."""
    roads = _roads_travelled(state, move)
    journey = roads * state.box.prices.road
    facts: dict[str, Fact] = {"bribe": bribe_price(state.box, move.cards), "roads": roads, "journey": journey}
    for_jokers = by == move.cards.count(JOKER) * state.box.prices.joker
    if roads and (by == journey or (by < journey and not for_jokers)):
        return Fault("king.roads", facts)
    return blame_bribe(state, move.cards, by)


def _roads_travelled(state: State, move: BuildWithKing) -> int:
    """Count the roads of the king's journey."""
    return state.map.roads[state.king][move.city if move.king == HERE else move.king]


def _rewards(state: State, seat: SeatNo, city: int) -> tuple[Bonus, ...]:
    """Return all that an emporium brings at once."""
    tokens = token_bonuses(state, connected(state, seat, city))
    last = state.built(seat) + 1 == state.box.emporiums_each
    pays = state.ending == NO_SEAT or state.options.last_emporium == "each"
    ending = (Bonus(points=state.box.ending.last_emporium),) if last and pays else ()
    return with_nobility_fields(state, seat, (*tokens, *ending))


def token_bonuses(state: State, cities: Iterable[int]) -> list[Bonus]:
    """Return the bonuses of the reward tokens in these cities."""
    return [state.box.tokens[state.tokens[city]].bonus for city in cities if state.tokens[city]]


def _points_counted_at_end(state: State, seat: SeatNo, city: int) -> frozenset[int]:
    """Return the sums of points that an emporium brings only at the end: its bonus tiles, royal rewards, or some of
    them."""
    after = replace(state, emporiums=changed(state.emporiums, city, state.emporiums[city] | 1 << seat))
    had = len(state.rewards), {tile for tile, _ in state.bonuses}
    after = _complete_sets(after, seat, city, RuleLog())
    tiles = [state.box.bonus_tiles[tile] for tile, _ in after.bonuses if tile not in had[1]]
    rewards = state.box.kings_rewards.points[had[0] : len(after.rewards)]
    each = (*tiles, *rewards)
    return frozenset(sum(some) for number in range(1, len(each) + 1) for some in combinations(each, number))


def build(state: State, move: Build, log: RuleLog) -> State:
    """Turn the permit over and build."""
    seat = state.colour(move.seat)
    log.tell("use.open", seat=seat, permit=move.permit)
    log.tell("use.letter", permit=move.permit, city=state.city_name(move.city))
    log.tell("use.turned", seat=seat, permit=move.permit)
    mine = tuple(permit for permit in state.permits[move.seat] if permit != move.permit)
    state = replace(
        state,
        permits=changed(state.permits, move.seat, mine),
        used=changed(state.used, move.seat, (*state.used[move.seat], move.permit)),
    )
    return build_emporium(state, move.seat, move.city, log)


# With the king


def build_with_king_moves(state: State) -> Iterator[tuple[Move, ...]]:
    """Yield for each city in reach the ways to build there with the king."""
    seat, roads = state.turn, state.map.roads[state.king]
    most, gold, road = most_cards_to_lay(state, seat), state.gold[seat], state.box.prices.road
    for city, far in enumerate(roads):
        left = gold - far * road
        if left >= 0 and may_build(state, seat, city):
            yield _builds_with_king(seat, city, affordable_bribes(state.box, state.councils[KING], most, left))


@lru_cache(maxsize=4096)
def _builds_with_king(seat: SeatNo, city: int, bribes: tuple[tuple[str, ...], ...]) -> tuple[Move, ...]:
    return tuple([_build_with_king(seat, city, cards) for cards in bribes])


_build_with_king = lru_cache(maxsize=1 << 15)(BuildWithKing)  # the same few journeys are possible again and again


def check_build_with_king(state: State, move: BuildWithKing) -> Iterator[Breach]:
    """Check bribe, journey and site, and that the emporium stands where the king stops."""
    cities, seat = len(state.emporiums), state.colour(move.seat)
    if not 0 <= move.city < cities or not HERE <= move.king < cities:
        yield broken("king.builds-there", seat=seat, city=state.city_name(move.city), king=state.city_name(move.king))
        return
    yield from check_bribe(state, move.seat, KING, move.cards)
    end = move.city if move.king == HERE else move.king
    if end != move.city:
        yield broken("king.builds-there", seat=seat, city=state.city_name(move.city), king=state.city_name(end))
    price, journey = bribe_price(state.box, move.cards), _roads_travelled(state, move) * state.box.prices.road
    if price <= state.gold[move.seat] < price + journey:
        facts: dict[str, Fact] = {"bribe": price, "journey": journey, "gold": state.gold[move.seat]}
        yield broken("king.affords", seat=seat, **facts)
    yield from _check_site(state, move.seat, move.city)
    yield from _check_deviation(state, move)


def build_with_king(state: State, move: BuildWithKing, log: RuleLog) -> State:
    """Bribe the king's council, move the king and build."""
    seat, city = state.colour(move.seat), state.city_name(move.city)
    state = bribe(state, move.seat, KING, move.cards, log)
    roads = state.map.roads[state.king][move.city]
    if roads:
        price = roads * state.box.prices.road
        log.tell("king.roads", seat=seat, roads=roads, gold=price, city=city)
        state = pay_gold(state, move.seat, price)
    else:
        log.tell("king.stays", seat=seat, city=city)
    log.tell("king.builds-there", seat=seat, city=city)
    return build_emporium(replace(state, king=move.city), move.seat, move.city, log)


# What every new emporium brings


def build_emporium(state: State, seat: SeatNo, city: int, log: RuleLog) -> State:
    """Put up an emporium, with the assistants that it costs and all that it brings."""
    colour = state.colour(seat)
    others = other_emporiums(state, seat, city)
    log.tell("build.once", seat=colour, city=state.city_name(city))
    if others:
        log.tell("build.assistants", seat=colour, city=state.city_name(city), others=others)
        state = return_assistants(state, seat, others)
    state = replace(state, emporiums=changed(state.emporiums, city, state.emporiums[city] | 1 << seat))
    state = _collect_tokens(state, seat, city, log)
    return _after_last_emporium(_complete_sets(state, seat, city, log), seat, log)


def _complete_sets(state: State, seat: SeatNo, city: int, log: RuleLog) -> State:
    """Take bonus tiles and royal rewards for the sets that a new emporium completes."""
    for tile, cities in state.map.sets.items():
        if city in cities and all(state.owns(seat, one) for one in cities):
            state = _complete_set(state, seat, tile, log)
    return state


def _collect_tokens(state: State, seat: SeatNo, city: int, log: RuleLog) -> State:
    """Collect the reward tokens of a new emporium's city and of all connected cities."""
    for one in connected(state, seat, city):
        token = state.tokens[one]
        if token:
            rule = "build.reward" if one == city else "build.connected"
            log.tell(rule, seat=state.colour(seat), city=state.city_name(one), token=token)
            state = gain(state, seat, state.box.tokens[token].bonus, log, token_source(token))
    return state


def _complete_set(state: State, seat: SeatNo, tile: str, log: RuleLog) -> State:
    """Take the bonus tile of a colour or region, and the top royal reward."""
    colour = state.colour(seat)
    if any(taken == tile for taken, _ in state.bonuses):
        log.tell("bonus.taken", seat=colour, tile=bonus_label(tile))
        return _take_royal_reward(state, seat, log) if state.options.late_reward else state
    log.tell("bonus.set", seat=colour, tile=bonus_label(tile), points=state.box.bonus_tiles[tile])
    return _take_royal_reward(replace(state, bonuses=(*state.bonuses, (tile, seat))), seat, log)


def _take_royal_reward(state: State, seat: SeatNo, log: RuleLog) -> State:
    """Take the top royal reward, if one is left."""
    stack = state.box.kings_rewards.points
    if len(state.rewards) == len(stack):
        log.tell("bonus.no-reward", seat=state.colour(seat))
        return state
    log.tell("bonus.reward", seat=state.colour(seat), points=stack[len(state.rewards)])
    return replace(state, rewards=(*state.rewards, seat))


def _after_last_emporium(state: State, seat: SeatNo, log: RuleLog) -> State:
    """Give the points for a seat's last emporium; the first such seat begins the last round."""
    if state.built(seat) < state.box.emporiums_each:
        return state
    first = state.ending == NO_SEAT
    if first or state.options.last_emporium == "each":
        points = state.box.ending.last_emporium
        log.tell("end.last-emporium", seat=state.colour(seat), points=points)
        because = Note("end.last-emporium", {"seat": state.colour(seat)})
        state = add_points(state, seat, points, "last_emporium", because)
    if first:
        log.tell("end.last-round", seat=state.colour(seat))
        state = replace(state, ending=seat)
    return state


def check_take_bonus(state: State, move: TakeBonus) -> Iterator[Breach]:
    """Refuse always: tiles and rewards come only with building."""
    if move.tile == KINGS_REWARD:
        yield broken("bonus.reward", seat=state.colour(move.seat))
    else:
        cities = state.map.sets.get(move.tile, ())
        missing = tuple(state.city_name(city) for city in cities if not state.owns(move.seat, city))
        yield broken("bonus.set", seat=state.colour(move.seat), tile=bonus_label(move.tile), missing=missing)
