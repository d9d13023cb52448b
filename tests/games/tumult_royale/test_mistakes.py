"""Wrong acts: each kind occurs, breaks a rule, shows on the table, and could not have been legal."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import pytest
from msgspec.structs import replace

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.moves import Pass, Place, SetAside
from companion.games.tumult_royale.simulation.mistakes import KINDS
from companion.games.tumult_royale.simulation.world import done, laid, mistakes
from companion.games.tumult_royale.state import State
from companion.kernel.simulation import BOTS, Impossible, Mistake
from companion.kernel.views import View, differences, same_table
from companion.simulation.selfplay import open_table, playing

ONLY_AT_THE_LAST_STATUES = "not enough statues left"
"""Bots end their games before a seat has a village or a castle in reach and only one or two statues left."""

Seen = tuple[State, View, object, Mistake]


def positions() -> Iterator[tuple[State, View, object]]:
    """Positions of bots' games in which people could do something wrong; the many of the raid only now and then."""
    rng = Random(5)
    for seed in range(8):
        for players in (2, 3, 4):
            for bot in BOTS:
                state, world = open_table(GAME, players, bot, f"wrongs/{seed}")
                lying = laid(state, world, rng)
                for before, move, after in playing(GAME, state, world):
                    lying = done(lying, before, move, world)
                    often = after.phase in ("cards", "first_statues", "tumults") or isinstance(move, Pass)
                    if after.phase != "raid" and rng.random() < (1 if often else 0.04):
                        yield after, lying, world


@cache
def everything_wrong() -> tuple[Seen, ...]:
    rng = Random(6)
    return tuple(
        (state, lying, world, wrong)
        for state, lying, world in positions()
        for wrong in mistakes(state, rng, lying, world)
    )


@pytest.mark.parametrize("kind", [kind for kind in KINDS if kind != ONLY_AT_THE_LAST_STATUES])
def test_each_kind_occurs_in_some_game(kind: str) -> None:
    assert any(wrong.kind == kind for *_, wrong in everything_wrong())


def test_each_breaks_the_rules_it_names() -> None:
    for state, _, _, wrong in everything_wrong():
        assert wrong.rules
        assert wrong.rules == {breach.rule for breach in GAME.check(state, wrong.move)}


def test_each_shows_on_the_table() -> None:
    for state, lying, _, wrong in everything_wrong():
        assert not same_table(wrong.view, lying)
        assert differences(wrong.view, GAME.view(state))


def test_none_looks_like_a_legal_move() -> None:
    for state, lying, world, wrong in Random(7).sample(everything_wrong(), 400):
        for move in GAME.moves(state):
            try:
                assert not same_table(done(lying, state, move, world), wrong.view), (wrong, move)
            except Impossible:
                continue


def test_a_number_set_aside_is_none_that_several_seats_could_have_set_aside() -> None:
    counted = 0
    for state, _, _, wrong in everything_wrong():
        if wrong.kind == "wrong number set aside":
            assert isinstance(wrong.move, SetAside)
            still = state.aside.count(False)
            assert wrong.move.tiles not in [3 * seats for seats in range(1, still + 1)]
            counted += 1
    assert counted


def test_a_seat_out_of_turn_could_not_have_been_let_through_by_passing() -> None:
    for state, lying, world, wrong in everything_wrong():
        if wrong.kind != "out of turn":
            continue
        while state.phase == "placing":
            legal = [move for move in GAME.moves(state) if isinstance(move, Place)]
            assert not any(same_table(done(lying, state, move, world), wrong.view) for move in legal)
            passing = next(move for move in GAME.moves(state) if isinstance(move, Pass))
            state = GAME.play(state, passing)


def test_two_statues_do_not_end_the_game_on_a_castle() -> None:
    state, world = next(
        (state, world)
        for state, _, world in positions()
        if state.phase == "placing" and state.options.last_statues == "exact"
        if any(isinstance(move, Place) and move.statues > 1 for move in GAME.moves(state))
    )
    seat = next(move.seat for move in GAME.moves(state) if isinstance(move, Pass))
    state = replace(state, placed=tuple(24 if one == seat else n for one, n in enumerate(state.placed)))
    kinds = {wrong.kind: wrong for wrong in mistakes(state, Random(1), GAME.view(state), world)}
    assert "placing.too-few-statues" in kinds[ONLY_AT_THE_LAST_STATUES].rules
    assert kinds[ONLY_AT_THE_LAST_STATUES].move.statues == 1


def test_without_a_world_the_states_own_view_is_the_table() -> None:
    state, _, _, _ = next(seen for seen in everything_wrong() if seen[0].phase == "placing")
    assert list(mistakes(state, Random(1)))
