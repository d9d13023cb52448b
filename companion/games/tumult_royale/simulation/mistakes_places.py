"""Forbidden ways to place statues: wrong fields, payments, numbers and turns in phase 4, and statues in another
phase."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from companion.games.tumult_royale.box import GOOD_OF, GOODS, KINDS, WORTH, Tile, worth
from companion.games.tumult_royale.moves import Move, Place
from companion.games.tumult_royale.rulebook.phase4_statues import (
    ANYWHERE,
    beside_own,
    cost_of,
    payments,
    place_moves,
    whose_turn,
)
from companion.games.tumult_royale.state import HIDDEN, NO_SEAT, State, without

TRIES = 6


def tile_too_few(state: State, rng: Random) -> Iterator[Move]:
    for place in _legal_placements(state, rng):
        tile = rng.choice(place.tiles)
        took = max(0, place.followers - WORTH[tile])
        yield Place(place.seat, place.field, without(place.tiles, (tile,)), place.statues, took)


def tile_too_many(state: State, rng: Random) -> Iterator[Move]:
    for place in _legal_placements(state, rng):
        for tile in _rest(state, place, rng):
            took = place.followers + rng.choice((0, WORTH[tile]))
            yield Place(place.seat, place.field, (*place.tiles, tile), place.statues, took)


def wrong_tile(state: State, rng: Random) -> Iterator[Move]:
    for place in _legal_placements(state, rng):
        tile = rng.choice(place.tiles)
        for other in _rest(state, place, rng):
            if GOOD_OF[other] != GOOD_OF[tile]:
                paid = (*without(place.tiles, (tile,)), other)
                yield Place(place.seat, place.field, paid, place.statues, place.followers)


def too_many_statues(state: State, rng: Random) -> Iterator[Move]:
    for place in _legal_placements(state, rng):
        yield Place(place.seat, place.field, place.tiles, place.statues + 1, place.followers)


def too_few_statues(state: State, rng: Random) -> Iterator[Move]:
    for place in _legal_placements(state, rng, least_statues=2):
        yield Place(place.seat, place.field, place.tiles, place.statues - 1, place.followers)


def too_many_followers(state: State, rng: Random) -> Iterator[Move]:
    for place in _legal_placements(state, rng):
        yield Place(place.seat, place.field, place.tiles, place.statues, place.followers + rng.randint(1, 3))


def too_few_followers(state: State, rng: Random) -> Iterator[Move]:
    for place in _legal_placements(state, rng):
        if place.followers:
            took = rng.randrange(place.followers)
            yield Place(place.seat, place.field, place.tiles, place.statues, took)


def not_beside_own(state: State, rng: Random) -> Iterator[Move]:
    seat = whose_turn(state)
    fields = [f for f in _free(state) if state.land[f] not in ANYWHERE and not beside_own(state, seat, f)]
    yield from _paid(state, rng, seat, fields)


def half_the_double_cost(state: State, rng: Random) -> Iterator[Move]:
    seat = whose_turn(state)
    fields = [f for f in _free(state) if state.land[f] in ANYWHERE and not beside_own(state, seat, f)]
    yield from _paid(state, rng, seat, fields)


def out_of_turn(state: State, rng: Random) -> Iterator[Move]:
    for seat in rng.sample(range(state.players), state.players):
        if seat != whose_turn(state):
            yield from _paid(state, rng, seat, [f for f in _free(state) if beside_own(state, seat, f)])


def on_a_hidden_board(state: State, rng: Random) -> Iterator[Move]:
    hidden = [field for field, kind in enumerate(state.land) if kind == HIDDEN]
    for place in _legal_placements(state, rng) if hidden else ():
        yield Place(place.seat, rng.choice(hidden), place.tiles, 1, place.followers)


def on_an_own_field(state: State, rng: Random) -> Iterator[Move]:
    seat = whose_turn(state)
    own = [field for field, owner in enumerate(state.owner) if owner == seat]
    for field in rng.sample(own, len(own)):
        for tiles, over in payments(state.castles[seat], cost_of(state, state.land[field], True)):
            yield Place(seat, field, tiles, 1, over)


def rest_of_a_tile(state: State, rng: Random) -> Iterator[Move]:
    """Goods that were overpaid for one field pay for another."""
    for place in _legal_placements(state, rng, most=40):
        for good, rest in zip(GOODS, state.overpaid[place.seat], strict=True):
            paid = tuple(tile for tile in place.tiles if GOOD_OF[tile] == good)
            if paid and rest >= worth(paid, good):
                over = max(0, place.followers - worth(paid, good))
                yield Place(place.seat, place.field, without(place.tiles, paid), place.statues, over)


def others_tiles(state: State, rng: Random) -> Iterator[Move]:
    seat = whose_turn(state)
    near = [field for field in _free(state) if beside_own(state, seat, field)]
    for other in rng.sample(range(state.players), state.players):
        if other != seat:
            together = tuple(sorted((*state.castles[seat], *state.castles[other])))
            yield from _paid(state, rng, seat, near, together)


def not_enough_statues_left(state: State, rng: Random) -> Iterator[Move]:
    seat = whose_turn(state)
    left = state.box.statues_each - state.placed[seat]
    near = [f for f in _free(state) if beside_own(state, seat, f) and state.box.fields[state.land[f]].statues > left]
    for move in _paid(state, rng, seat, near):
        yield Place(seat, move.field, move.tiles, left, move.followers)


def in_another_phase(state: State, rng: Random) -> Iterator[Move]:
    """Statues go up in another phase, paid where there are tiles."""
    if state.phase == "placing":
        return
    for seat in rng.sample(range(state.players), state.players):
        near = [field for field in _free(state) if beside_own(state, seat, field)]
        yield from _paid(state, rng, seat, near)
        for field in rng.sample(near, min(len(near), TRIES)):
            yield Place(seat, field, (), state.box.fields[state.land[field]].statues, 0)


def _legal_placements(state: State, rng: Random, least_statues: int = 1, most: int = TRIES) -> list[Place]:
    """Draw some legal placements."""
    legal = [move for move in place_moves(state) if isinstance(move, Place) and move.statues >= least_statues]
    return rng.sample(legal, min(len(legal), most))


def _rest(state: State, place: Place, rng: Random) -> list[Tile]:
    """Return the tiles that stay on the castle after this payment."""
    rest = without(state.castles[place.seat], place.tiles)
    return rng.sample(rest, len(rest))


def _free(state: State) -> list[int]:
    """Return the free face-up fields."""
    return [field for field, kind in enumerate(state.land) if kind in KINDS and state.owner[field] == NO_SEAT]


def _paid(
    state: State, rng: Random, seat: int, fields: list[int], tiles: tuple[Tile, ...] | None = None
) -> Iterator[Place]:
    """Yield placements on some of these fields for their single cost, paid with these tiles or the seat's own."""
    for field in rng.sample(fields, len(fields)):
        kind = state.land[field]
        ways = payments(state.castles[seat] if tiles is None else tiles, cost_of(state, kind, True))
        for paid, over in rng.sample(ways, min(len(ways), TRIES)):
            yield Place(seat, field, paid, state.box.fields[kind].statues, over)
