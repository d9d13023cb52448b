"""Forbidden acts other than placing statues: in the set-up, around the raid, and in phases 3 to 7."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

from companion.games.tumult_royale.box import GOODS, KINDS
from companion.games.tumult_royale.moves import (
    MIDDLE,
    Atone,
    Crown,
    DealCard,
    Exchange,
    FirstStatue,
    GiveBack,
    Mix,
    Move,
    PutBack,
    Rob,
    SetAside,
    Spin,
    TakeConsolation,
    TurnMercy,
    TurnUp,
    Uncover,
)
from companion.games.tumult_royale.rulebook.phase3_tumults import greediest, tiles_due_back
from companion.games.tumult_royale.rulebook.phase6_coronation import statues_due
from companion.games.tumult_royale.rulebook.setup import first_statue_fields, next_first_statue, next_to_draw
from companion.games.tumult_royale.state import HIDDEN, NO_SEAT, State, unseen_tiles


def _seats(state: State, rng: Random) -> list[int]:
    return rng.sample(range(state.players), state.players)


# The set-up


def card_out_of_order(state: State, rng: Random) -> Iterator[Move]:
    ranks = [rank for rank in range(1, state.players + 1) if rank not in state.ranks]
    for seat in _seats(state, rng):
        if seat != next_to_draw(state) and not state.ranks[seat]:
            yield DealCard(seat, rng.choice(ranks))


def first_statue_out_of_order(state: State, rng: Random) -> Iterator[Move]:
    for seat in _seats(state, rng):
        if seat != next_first_statue(state):
            yield FirstStatue(seat, rng.choice(first_statue_fields(state)))


def first_statue_off_the_meadow(state: State, rng: Random) -> Iterator[Move]:
    fields = [f for f, kind in enumerate(state.land) if kind in KINDS and state.owner[f] == NO_SEAT]
    for field in rng.sample(fields, len(fields)):
        if field not in first_statue_fields(state):
            yield FirstStatue(next_first_statue(state), field)


def first_statue_on_a_hidden_board(state: State, rng: Random) -> Iterator[Move]:
    hidden = [field for field, kind in enumerate(state.land) if kind == HIDDEN]
    yield FirstStatue(next_first_statue(state), rng.choice(hidden))


# Before the raid and after the stop


def other_spin(state: State, rng: Random) -> Iterator[Move]:
    """The arrow is turned again when it should stay."""
    for area in rng.sample(state.box.disc.areas, len(state.box.disc.areas)):
        yield Spin(state.king, (area,), rng.choice(GOODS) if state.options.gamblers else "")


def wrong_number_set_aside(state: State, rng: Random) -> Iterator[Move]:
    each = state.box.set_aside.each
    for tiles in rng.sample(range(1, 2 * each), 2 * each - 1):
        yield SetAside(rng.randrange(state.players), tiles)


def robbed_before_the_raid(state: State, rng: Random) -> Iterator[Move]:
    yield Rob(rng.randrange(state.players))


def turned_up_early(state: State, rng: Random) -> Iterator[Move]:
    place = rng.choice([MIDDLE, *(seat for seat in range(state.players) if state.hidden_castles[seat])])
    yield TurnUp(place, rng.choice(list(unseen_tiles(state))))


def robbed_after_the_stop(state: State, rng: Random) -> Iterator[Move]:
    for seat in _seats(state, rng):
        yield Rob(seat)


def robbed_from_a_castle(state: State, rng: Random) -> Iterator[Move]:
    for seat in _seats(state, rng):
        for source in _seats(state, rng):
            if source != seat and state.hidden_castles[source]:
                yield Rob(seat, source)


def put_back_after_the_stop(state: State, rng: Random) -> Iterator[Move]:
    for seat in _seats(state, rng):
        if state.hidden_castles[seat]:
            yield PutBack(seat)


# 3. Tumults


def wrong_one_atones(state: State, rng: Random) -> Iterator[Move]:
    for good in state.tumults:
        for seat in _seats(state, rng):
            if seat != greediest(state, good):
                yield Atone(seat, good, tiles_due_back(state, seat, good), state.box.followers.greediest_loses)


def too_few_tiles_back(state: State, rng: Random) -> Iterator[Move]:
    for due in _due_atonements(state):
        if due.tiles:
            kept = rng.randrange(len(due.tiles))
            yield Atone(due.seat, due.good, (*due.tiles[:kept], *due.tiles[kept + 1 :]), due.followers)


def too_many_tiles_back(state: State, rng: Random) -> Iterator[Move]:
    for due in _due_atonements(state):
        rest = list(state.castles[due.seat])
        for tile in due.tiles:
            rest.remove(tile)
        for tile in rng.sample(rest, len(rest)):
            yield Atone(due.seat, due.good, (*due.tiles, tile), due.followers)


def wrong_tiles_back(state: State, rng: Random) -> Iterator[Move]:
    """The right number of tiles, but not the right ones."""
    for due in _due_atonements(state):
        castle = state.castles[due.seat]
        for _ in range(5 if due.tiles else 0):
            yield Atone(due.seat, due.good, tuple(rng.sample(castle, len(due.tiles))), due.followers)


def wrong_followers_atoned(state: State, rng: Random) -> Iterator[Move]:
    for due in _due_atonements(state):
        for lost in rng.sample((0, 1, 2, 4, 5), 5):
            yield Atone(due.seat, due.good, due.tiles, lost)


def atoned_without_a_tumult(state: State, rng: Random) -> Iterator[Move]:
    """A seat atones for a good without a tumult; seats with a tumult are left out, because there it would look like the
    wrong tiles."""
    blamed = {greediest(state, good) for good in state.tumults}
    for good in rng.sample(GOODS, len(GOODS)):
        seat = greediest(state, good)
        tiles = tiles_due_back(state, seat, good)
        if good not in state.tumults and tiles and seat not in blamed:
            yield Atone(seat, good, tiles, state.box.followers.greediest_loses)


def _due_atonements(state: State) -> Iterator[Atone]:
    for good in state.tumults:
        seat = greediest(state, good)
        yield Atone(seat, good, tiles_due_back(state, seat, good), state.box.followers.greediest_loses)


# The end of 4., and 5. to 7.


def wrong_consolation(state: State, rng: Random) -> Iterator[Move]:
    for followers in rng.sample((1, 3, 5), 3):
        yield TakeConsolation(rng.choice(state.to_console), followers)


def consolation_for_others(state: State, rng: Random) -> Iterator[Move]:
    for seat in _seats(state, rng):
        if seat not in state.to_console:
            yield TakeConsolation(seat, state.box.followers.consolation)


def cards_swapped(state: State, rng: Random) -> Iterator[Move]:
    for seat in _seats(state, rng):
        for rank in rng.sample(range(1, state.players + 1), state.players):
            if state.ranks[seat] != rank:
                yield Exchange(seat, rank)


def wrong_one_crowned(state: State, rng: Random) -> Iterator[Move]:
    for seat in _seats(state, rng):
        if seat != state.king:
            yield Crown(seat, state.box.followers.king_pays, statues_due(state))


def wrong_statues_crowned(state: State, rng: Random) -> Iterator[Move]:
    for statues in rng.sample((1, 2, 3), 3):
        yield Crown(state.king, state.box.followers.king_pays, statues)


def wrong_followers_crowned(state: State, rng: Random) -> Iterator[Move]:
    for followers in rng.sample((0, 2, 3, 4, 6, 7), 6):
        yield Crown(state.king, followers, statues_due(state))


def crowned(state: State, _rng: Random) -> Iterator[Move]:
    yield Crown(state.king, state.box.followers.king_pays, statues_due(state))


def board_uncovered(state: State, rng: Random) -> Iterator[Move]:
    hidden = [place for place, board in enumerate(state.boards) if board == HIDDEN]
    for place in rng.sample(hidden, len(hidden)):
        yield Uncover(state.king, place)


def mercy_turned(state: State, rng: Random) -> Iterator[Move]:
    for seat in _seats(state, rng):
        yield TurnMercy(seat)


def tiles_given_back(state: State, rng: Random) -> Iterator[Move]:
    for seat in _seats(state, rng):
        if state.castles[seat]:
            yield GiveBack(seat)


def tiles_mixed(_state: State, _rng: Random) -> Iterator[Move]:
    yield Mix()
