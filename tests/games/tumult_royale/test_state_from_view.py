"""States that match a table: the state it was is among them, and the game can go on from each."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.simulation.world import TumultWorld
from companion.games.tumult_royale.state import State, unseen_tiles
from companion.kernel.views import Cells, Pieces, Pointing, View, differences
from companion.simulation.selfplay import playing

from ..samples import games_by_chance
from .sample import somewhere, whole_game

HANDS_FULL = ("raid", "stopped")
"""Phases in which a game cannot be joined."""


def state_under_way(seed: int, phase: int, index: int) -> State:
    """A state between the first round and the end."""
    for later in range(18):
        state = somewhere(seed, phase + later, index)
        if state.round and state.phase != "over":
            return state
    raise AssertionError


states = st.builds(state_under_way, games_by_chance(60), st.integers(0, 17), st.integers(0, 999))


def set_up_again(state: State) -> State:
    """The set-up of the same game."""
    options = {name: getattr(state.options, name) for name in state.options.__struct_fields__}
    return GAME.setup(state.box, state.seats, options)


def matching_states(state: State) -> tuple[State, ...]:
    return GAME.states_matching(set_up_again(state), GAME.view(state))


def visible(state: State) -> tuple[object, ...]:
    """What counts and can be seen."""
    return (
        state.ranks,
        state.followers,
        state.supply,
        state.mercy,
        state.placed,
        state.owner,
        state.standing,
        state.land,
        state.chronicle,
        state.chronicle_statues,
        state.middle,
        state.castles,
        state.hidden_middle,
        state.hidden_castles,
    )


MOST = 3 + 3 + 4 + 1 + 1
"""Moments that can look alike: a spin or a tumult for each good, a turn of each seat, the exchange, a round's end."""


@given(states)
@example(state_under_way(154, 7, 327)).via("with gamblers, three players choose among eleven moments")
@settings(max_examples=400, deadline=None)
def test_every_moment_that_is_offered_looks_like_the_table_and_can_go_on(state: State) -> None:
    moments = matching_states(state)
    assert moments
    assert len(moments) <= MOST
    for moment in moments:
        assert not differences(GAME.view(state), GAME.view(moment))
        assert visible(moment) == visible(state)
        assert next(GAME.moves(moment), None) is not None
        assert GAME.actor(moment) is not None
    said = [GAME.expects(moment) for moment in moments]
    assert all(said.count(one) == 1 for one in said), "two states cannot be told apart"


@given(states)
@example(state_under_way(19, 15, 188)).via("the forgotten spin led to a tumult by the number of the round before")
@settings(max_examples=400, deadline=None)
def test_the_moment_that_it_was_is_among_them(state: State) -> None:
    gambled = state.options.gamblers and state.phase == "tumults"  # the disc shows one of three numbers
    if state.phase in HANDS_FULL or gambled or _no_tile_robbed(state):
        return
    moments = matching_states(state)
    like = {state.phase}
    if state.phase == "ranks" and len(set(state.followers)) < state.players:
        like.add("coronation")  # the cards before the exchange, which decide ties, cannot be seen
    same = [moment for moment in moments if moment.phase in like]
    assert same, [moment.phase for moment in moments]
    assert any(moment.round == state.round for moment in same)
    if state.phase in ("placing", "uncovering"):
        assert GAME.actor(state) in [GAME.actor(moment) for moment in same]
    if state.phase == "tumults":
        assert state.tumults[0] in [moment.tumults[0] for moment in same]


def _no_tile_robbed(state: State) -> bool:
    """A raid in which no tile was taken looks like one that has not begun, which is far more likely."""
    return state.phase == "turning_up" and not any(state.hidden_castles) and not any((state.middle, *state.castles))


@pytest.mark.parametrize("seed", range(24))
def test_the_game_goes_on_to_its_end_from_every_moment(seed: int) -> None:
    rng = Random(seed)
    state = state_under_way(seed, rng.randrange(18), rng.randrange(999))
    for moment in matching_states(state):
        assert GAME.actor(_end(moment, rng)) is None


def _end(state: State, rng: Random) -> State:
    world = TumultWorld(state, "keen", rng)
    unseen = [tile for tile, number in unseen_tiles(state).items() for _ in range(number)]
    rng.shuffle(unseen)
    world.middle = [unseen.pop() for _ in range(state.hidden_middle)]
    world.castles = [[unseen.pop() for _ in range(number)] for number in state.hidden_castles]
    for _, _, after in playing(GAME, state, world):
        state = after
    return state


# What cannot be joined


def a_game(phase: str, seed: int = 6) -> State:
    """A state of that phase in a later round."""
    return next(state for state in whole_game(seed)[phase] if len(state.chronicle) > 1)


def changed(state: State, zone: str, contents: Cells | Pieces | Pointing) -> tuple[State, ...]:
    return GAME.states_matching(set_up_again(state), View({**GAME.view(state).zones, zone: contents}))


@pytest.mark.parametrize("phase", ["laying_out", "cards", "boards", "first_statues"])
def test_a_game_that_is_being_set_up_is_not_under_way(phase: str) -> None:
    assert matching_states(whole_game(6)[phase][0]) == ()


def test_a_game_that_is_over_is_not_under_way() -> None:
    ends = [state for seed in range(24) for state in whole_game(seed)["over"]]
    plain = [
        state
        for state in ends
        if max(state.placed) == state.box.statues_each or len(state.chronicle) == state.box.chronicle.fields
    ]
    assert plain
    for state in plain:
        assert matching_states(state) == ()


def test_sums_that_cannot_be_are_not_joined() -> None:
    state = a_game("placing")
    middle = GAME.view(state).zones["middle"]
    assert isinstance(middle, Pieces)
    assert changed(state, "middle", middle)
    assert not changed(state, "middle", Pieces({**middle.count, "bread1": middle.count.get("bread1", 0) + 1}))
    assert not changed(state, "followers blue", Pieces({"follower": state.followers[0] + 1}))
    assert not changed(state, "rack blue", Pieces({"blue": 25}))
    mood = a_game("mood")
    assert not changed(mood, "middle", Pieces({"back": mood.hidden_middle - 1}))


def test_without_a_look_at_the_tiles_no_state_matches() -> None:
    state = a_game("placing")
    seen = View({name: what for name, what in GAME.view(state).zones.items() if name != "middle"})
    assert GAME.states_matching(set_up_again(state), seen) == ()


def test_before_the_raid_only_the_spin_is_in_doubt() -> None:
    state = replace(a_game("mood"), demand=(0, 0, 0), last_demand=(4, 4, 4))
    moments = changed(state, "disc", Pointing(4))
    assert [moment.demand for moment in moments] == [(0, 0, 0), (4, 4, 4)]
    assert moments[0].last_demand == (4, 4, 4)


def test_if_the_disc_cannot_be_read_each_demand_is_possible_while_tiles_are_turned_up() -> None:
    state = a_game("turning_up")
    seen = View({name: what for name, what in GAME.view(state).zones.items() if name != "disc"})
    moments = GAME.states_matching(set_up_again(state), seen)
    assert [moment.phase for moment in moments] == ["turning_up"] * len(state.box.disc.areas)
    assert {moment.demand[0] for moment in moments} == set(state.box.disc.areas)
    assert [moment.demand for moment in matching_states(state)] == [state.demand]
