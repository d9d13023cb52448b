"""What can never happen in Tiletum, whatever people do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import combinations_with_replacement, product
from typing import Any

import msgspec
from hypothesis import given, settings

from companion.games.tiletum import GAME
from companion.games.tiletum.box import GOODS
from companion.games.tiletum.components import (
    all_guests,
    cities,
    contracts_in_play,
    guests_in_play,
    tile_numbers,
)
from companion.games.tiletum.moves import Move
from companion.games.tiletum.state import (
    NO_SEAT,
    NOWHERE,
    State,
    contract_stack,
    guest_stack,
    houses_in_stock,
    houses_on_map,
    pillars_in_stock,
    pillars_on_map,
)
from companion.kernel.rules import ANYONE, CHANCE

from ..samples import never_touched
from .random_games import playing
from .sample import PLACES, somewhere, states
from .table import BOX

PARTS: dict[str, Any] = {
    "round": range(4),
    "city": range(29),
    "fair": BOX.fairs,
    "cost": BOX.costs,
    "tile": BOX.tiles,
    "contract": BOX.contracts,
    "guest": all_guests(BOX),
    "crest": [tile for tile in BOX.tiles if BOX.tiles[tile].crest],
    "section": range(6),
    "colour": BOX.dice.colours,
    "value": range(7),
    "figure": ("architect", "merchant"),
    "building": range(-1, 6),
    "floor": (1, 2, 3),
    "gives": GOODS,
    "gets": [gets for number in (1, 2) for gets in combinations_with_replacement(GOODS, number)],
    "good": GOODS,
    "steps": range(1, 20),
}


def values_of(kind: type[Any], name: str) -> Iterable[Any]:
    match kind.__name__, name:
        case "PutTile", "place":
            return PLACES
        case _, "place":
            return range(5)
        case "Fulfil", "good":
            return ("", *GOODS)
        case _:
            return PARTS[name]


def everything(seat: int) -> Iterator[Move]:
    """All acts of a seat, of chance and of the table, done as they should be done."""
    for kind in Move.__args__:  # type: ignore[attr-defined]
        names = [name for name in kind.__struct_fields__ if name not in ("seat", "off", "astray")]
        parts = [values_of(kind, name) for name in names]
        for values in product(*parts):
            facts = dict(zip(names, values, strict=True))
            yield kind(**facts, seat=seat) if "seat" in kind.__struct_fields__ else kind(**facts)


@given(states)
@settings(max_examples=200, deadline=None)
def test_what_anybody_or_chance_may_do_belongs_to_no_seat(state: State) -> None:
    if GAME.actor(state) in (ANYONE, CHANCE):
        assert any(not hasattr(move, "seat") for move in GAME.moves(state))


@given(states)
@settings(max_examples=25, deadline=None)
def test_of_all_acts_that_there_are_exactly_the_listed_ones_break_no_rule(state: State) -> None:
    actor = GAME.actor(state)
    seat = actor if isinstance(actor, int) else state.turn
    assert {act for act in everything(seat) if not GAME.check(state, act)} == set(GAME.moves(state))


# Nothing is lost or made


@given(states)
@settings(max_examples=300, deadline=None)
def test_every_die_is_at_the_wheel_on_a_board_or_in_the_bag(state: State) -> None:
    lying = Counter(colour for _, colour, _ in state.wheel)
    lying.update(colour for dice in state.dice for colour, _ in dice)
    assert all(number <= state.players for number in lying.values())
    assert lying.total() <= state.box.dice.drawn[str(state.players)]
    if state.phase in ("turn", "favour", "king", "order", "fair", "tidying"):
        assert lying.total() == state.box.dice.drawn[str(state.players)]
    assert all(len(dice) <= state.box.turns for dice in state.dice)


@given(states)
@settings(max_examples=300, deadline=None)
def test_every_bonus_tile_is_in_exactly_one_place(state: State) -> None:
    places = (*state.warehouse, *state.crests, state.section_tiles, state.city_tiles, state.favours, state.discards)
    lying = Counter(tile for place in places for tile in place if tile in state.box.tiles)
    assert not lying - tile_numbers(state.box, state.players)


@given(states)
@settings(max_examples=300, deadline=None)
def test_every_contract_and_every_guest_is_in_exactly_one_place(state: State) -> None:
    contracts = [*state.contracts, *(tile for mine in state.warehouse for tile in mine)]
    contracts += [contract for mine in state.fulfilled for contract in mine]
    known = [contract for contract in contracts if contract in state.box.contracts]
    assert sorted([*known, *contract_stack(state)]) == sorted(contracts_in_play(state.box, state.players))
    guests = [*state.guests, *(tile for mine in state.warehouse for tile in mine)]
    guests += [guest for mine in state.rooms for rooms in mine for guest in rooms]
    known = [guest for guest in guests if guest in all_guests(state.box)]
    aside = [guest for guest in state.aside if guest not in guest_stack(state)]
    assert sorted([*known, *aside, *guest_stack(state)]) == sorted(guests_in_play(state.box, state.players))


@given(states)
@settings(max_examples=300, deadline=None)
def test_every_figure_is_on_the_map_on_a_board_or_in_stock(state: State) -> None:
    for seat in range(state.players):
        assert 0 <= houses_in_stock(state, seat) <= 8 - houses_on_map(state, seat)
        assert 0 <= pillars_in_stock(state, seat) <= 7 - pillars_on_map(state, seat)
    for facts, owners, pillars, joined in zip(
        cities(state.box), state.houses, state.pillars, state.joined, strict=True
    ):
        standing = [owner for owner in owners if owner != NO_SEAT]
        assert len(set(standing)) == len(standing)
        assert pillars.bit_count() <= facts.pillars
        assert len(set(joined)) == len(joined) <= len(facts.cathedral)
        assert all(pillars >> seat & 1 for seat in joined)


@given(states)
@settings(max_examples=300, deadline=None)
def test_tracks_warehouses_and_markers_stay_within_their_bounds(state: State) -> None:
    crown = state.box.crown
    assert all(crown.lowest <= field <= crown.last for field in state.crown)
    assert sorted(state.stacked) == sorted(state.order) == list(range(state.players))
    assert all(number >= 0 for goods in state.goods for number in goods)
    assert state.options.below_zero or min(state.points) >= 0
    assert all(len(tiles) <= state.box.warehouse for tiles in state.warehouse)
    assert min(state.ap) >= 0
    for seat, sections in enumerate(state.markers):
        for building, section in enumerate(sections):
            assert section == NOWHERE or state.crests[seat][building]


@given(states)
@settings(max_examples=200, deadline=None)
def test_guests_of_one_kind_live_in_one_building(state: State) -> None:
    for mine in state.rooms:
        homes: dict[str, set[int]] = {}
        for building, rooms in enumerate(mine):
            for guest in filter(None, rooms):
                homes.setdefault(all_guests(state.box)[guest][0], set()).add(building)
        assert all(len(home) == 1 for home in homes.values())


def test_tiles_of_two_cathedrals_that_look_alike_are_given_to_whom_they_fit() -> None:
    state = somewhere(14, 348, True)
    blank = GAME.setup(state.box, state.seats, msgspec.to_builtins(state.options))
    adopted = GAME.state_from_view(msgspec.structs.replace(blank, phase="turn"), GAME.view(state))
    assert adopted.joined == state.joined


@given(states)
@settings(max_examples=150, deadline=None)
def test_a_table_can_be_adopted_by_somebody_who_has_seen_nothing_before(state: State) -> None:
    seen = GAME.view(state)
    blank = GAME.setup(state.box, state.seats, msgspec.to_builtins(state.options))
    if state.phase not in ("laying_out", "lots") and max(state.points) < 50:
        adopted = GAME.state_from_view(msgspec.structs.replace(blank, phase="turn"), seen)
        assert GAME.view(adopted) == seen


@given(states)
@settings(max_examples=150, deadline=None)
def test_a_game_that_is_joined_looks_like_its_table(state: State) -> None:
    blank = GAME.setup(state.box, state.seats, msgspec.to_builtins(state.options))
    moments = GAME.states_matching(blank, GAME.view(state))
    assert all(GAME.view(moment) == GAME.view(state) for moment in moments)
    assert all(any(True for _ in GAME.moves(moment)) for moment in moments)
    if state.phase == "turn" and state.stage == "no_die" and not state.filling and max(state.points) < 50:
        assert any((moment.turn, moment.lap) == (state.turn, state.lap) for moment in moments)


def test_games_by_chance_touch_every_rule_that_play_can_touch() -> None:
    """All but those for empty supplies, and those that only show when they are broken."""
    assert never_touched(GAME, map(playing, range(120))) == set()
