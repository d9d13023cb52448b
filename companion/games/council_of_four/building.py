"""Emporiums: with a permit or the king's help, what they cost and bring, bonus tiles and royal rewards."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from companion.rules import Breach, SeatNo, broken

from .box import KING
from .council import affordable, blame_bribe, bribe, bribe_price, cards_at_most, check_bribe
from .gains import dismiss, gain, off_breaches, pay
from .moves import HERE, Build, BuildWithKing, Move, TakeBonus
from .state import NOBODY, State, Story, changed, connected, permit_cities, strangers
from .view import bonus_label

KINGS_REWARD = "kings_reward"
"""The top one of the stack, where a bonus tile is named."""


# With a permit


def build_moves(state: State) -> Iterator[Move]:
    seat = state.turn
    for permit in state.permits[seat]:
        for city in permit_cities(state, permit):
            if may_build(state, seat, city):
                yield Build(seat, permit, city)


def may_build(state: State, seat: SeatNo, city: int) -> bool:
    return (
        not state.owns(seat, city)
        and strangers(state, seat, city) <= state.assistants[seat]
        and state.built(seat) < state.box.emporiums_each
    )


def check_build(state: State, move: Build) -> Iterator[Breach]:
    if move.permit not in state.permits[move.seat]:
        used = move.permit in state.used[move.seat]
        yield broken("use.once" if used else "use.open", seat=state.colour(move.seat), permit=move.permit)
        return
    if not 0 <= move.city < len(state.emporiums) or move.city not in permit_cities(state, move.permit):
        yield broken("use.letter", permit=move.permit, city=state.city_name(move.city))
        return
    if not move.turned:
        yield broken("use.turned", seat=state.colour(move.seat), permit=move.permit)
    yield from _check_site(state, move.seat, move.city)
    yield from _check_off(state, move, 0)


def _check_site(state: State, seat: SeatNo, city: int) -> Iterator[Breach]:
    colour, name = state.colour(seat), state.city_name(city)
    if state.owns(seat, city):
        yield broken("build.once", seat=colour, city=name)
    others = strangers(state, seat, city)
    if others > state.assistants[seat]:
        yield broken("build.affords", seat=colour, city=name, others=others, has=state.assistants[seat])
    if state.built(seat) >= state.box.emporiums_each:
        yield broken("build.left", seat=colour, emporiums=state.box.emporiums_each)


def _check_off(state: State, move: Build | BuildWithKing, roads: int) -> Iterator[Breach]:
    others = strangers(state, move.seat, move.city)

    def blame(what: str, by: int) -> str:
        if what == "assistants" and by > 0 and others:
            return "build.assistants"
        if what == "gold" and roads and by == roads * state.box.prices.road:
            return "king.roads"
        bribed = isinstance(move, BuildWithKing) and what == "gold" and blame_bribe(state, move.cards, by)
        return bribed or "build.reward"

    yield from off_breaches(state, move.seat, move.off, blame)


def build(state: State, move: Build, story: Story) -> State:
    seat = state.colour(move.seat)
    story.tell("use.open", seat=seat, permit=move.permit)
    story.tell("use.letter", permit=move.permit, city=state.city_name(move.city))
    story.tell("use.turned", seat=seat, permit=move.permit)
    mine = tuple(permit for permit in state.permits[move.seat] if permit != move.permit)
    state = replace(
        state,
        permits=changed(state.permits, move.seat, mine),
        used=changed(state.used, move.seat, (*state.used[move.seat], move.permit)),
    )
    return put_up(state, move.seat, move.city, story)


# With the king


def journeys(state: State) -> Iterator[tuple[Move, ...]]:
    """All that can be built with the king, city by city."""
    seat, roads = state.turn, state.map.roads[state.king]
    most, gold, road = cards_at_most(state, seat), state.gold[seat], state.box.prices.road
    for city, far in enumerate(roads):
        left = gold - far * road
        if left >= 0 and may_build(state, seat, city):
            yield _journeys(seat, city, affordable(state.box, state.councils[KING], most, left))


@lru_cache(maxsize=4096)
def _journeys(seat: SeatNo, city: int, bribes: tuple[tuple[str, ...], ...]) -> tuple[Move, ...]:
    return tuple([_journey(seat, city, cards) for cards in bribes])


_journey = lru_cache(maxsize=1 << 15)(BuildWithKing)  # the same few journeys are possible again and again


def check_build_with_king(state: State, move: BuildWithKing) -> Iterator[Breach]:
    cities, seat = len(state.emporiums), state.colour(move.seat)
    if not 0 <= move.city < cities or not HERE <= move.king < cities:
        yield broken("king.builds-there", seat=seat, city=state.city_name(move.city), king=state.city_name(move.king))
        return
    yield from check_bribe(state, move.seat, KING, move.cards)
    end = move.city if move.king == HERE else move.king
    if end != move.city:
        yield broken("king.builds-there", seat=seat, city=state.city_name(move.city), king=state.city_name(end))
    roads = state.map.roads[state.king][end]
    price, journey = bribe_price(state.box, move.cards), roads * state.box.prices.road
    if price <= state.gold[move.seat] < price + journey:
        yield broken("king.affords", seat=seat, bribe=price, roads=journey, gold=state.gold[move.seat])
    yield from _check_site(state, move.seat, move.city)
    yield from _check_off(state, move, roads)


def build_with_king(state: State, move: BuildWithKing, story: Story) -> State:
    seat, city = state.colour(move.seat), state.city_name(move.city)
    state = bribe(state, move.seat, KING, move.cards, story)
    roads = state.map.roads[state.king][move.city]
    if roads:
        price = roads * state.box.prices.road
        story.tell("king.roads", seat=seat, roads=roads, gold=price, city=city)
        state = pay(state, move.seat, price)
    else:
        story.tell("king.stays", seat=seat, city=city)
    story.tell("king.builds-there", seat=seat, city=city)
    return put_up(replace(state, king=move.city), move.seat, move.city, story)


# Both


def put_up(state: State, seat: SeatNo, city: int, story: Story) -> State:
    colour = state.colour(seat)
    others = strangers(state, seat, city)
    story.tell("build.once", seat=colour, city=state.city_name(city))
    if others:
        story.tell("build.assistants", seat=colour, city=state.city_name(city), others=others)
        state = dismiss(state, seat, others)
    state = replace(state, emporiums=changed(state.emporiums, city, state.emporiums[city] | 1 << seat))
    state = _rewarded(state, seat, city, story)
    for tile, cities in state.map.sets.items():
        if city in cities and all(state.owns(seat, one) for one in cities):
            state = _completed(state, seat, tile, story)
    return _last_one(state, seat, story)


def _rewarded(state: State, seat: SeatNo, city: int, story: Story) -> State:
    for one in connected(state, seat, city):
        token = state.tokens[one]
        if token:
            rule = "build.reward" if one == city else "build.connected"
            story.tell(rule, seat=state.colour(seat), city=state.city_name(one), token=token)
            state = gain(state, seat, state.box.tokens[token].bonus, story)
    return state


def _completed(state: State, seat: SeatNo, tile: str, story: Story) -> State:
    """All cities of a colour or region: the bonus tile, and the top royal reward."""
    colour = state.colour(seat)
    if any(taken == tile for taken, _ in state.bonuses):
        story.tell("bonus.taken", seat=colour, tile=bonus_label(tile))
        return _crowned(state, seat, story) if state.options.late_reward else state
    story.tell("bonus.set", seat=colour, tile=bonus_label(tile), points=state.box.bonus_tiles[tile])
    return _crowned(replace(state, bonuses=(*state.bonuses, (tile, seat))), seat, story)


def _crowned(state: State, seat: SeatNo, story: Story) -> State:
    stack = state.box.kings_rewards.points
    if len(state.rewards) == len(stack):
        story.tell("bonus.no-reward", seat=state.colour(seat))
        return state
    story.tell("bonus.reward", seat=state.colour(seat), points=stack[len(state.rewards)])
    return replace(state, rewards=(*state.rewards, seat))


def _last_one(state: State, seat: SeatNo, story: Story) -> State:
    if state.built(seat) < state.box.emporiums_each:
        return state
    first = state.ending == NOBODY
    if first or state.options.last_emporium == "each":
        points = state.box.ending.last_emporium
        story.tell("end.last-emporium", seat=state.colour(seat), points=points)
        state = replace(state, points=changed(state.points, seat, state.points[seat] + points))
    if first:
        story.tell("end.last-round", seat=state.colour(seat))
        state = replace(state, ending=seat)
    return state


def check_take_bonus(state: State, move: TakeBonus) -> Iterator[Breach]:
    """Nothing is ever to be taken that did not come with building."""
    if move.tile == KINGS_REWARD:
        yield broken("bonus.reward", seat=state.colour(move.seat))
    else:
        yield broken("bonus.set", seat=state.colour(move.seat), tile=bonus_label(move.tile))
