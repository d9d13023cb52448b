"""Pieces counted by hand and the game's own View come to the same table, move by move."""

from __future__ import annotations

from random import Random

import pytest

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.box import board_fields
from companion.games.tumult_royale.moves import Exchange, FirstStatue, Move, Place, Rob, ShowField, Uncover
from companion.games.tumult_royale.simulation.world import done, laid
from companion.games.tumult_royale.state import State
from companion.kernel.simulation import BOTS, BotName, Impossible
from companion.kernel.views import UNKNOWN, Cells, Pointing, View
from companion.simulation.selfplay import open_table, playing
from tests.companion.simulation.tables import unlike


@pytest.mark.parametrize("bot", BOTS)
@pytest.mark.parametrize("players", [2, 3, 4])
def test_hands_and_rules_come_to_the_same_table(players: int, bot: BotName) -> None:
    for seed in range(8):
        state, world = open_table(GAME, players, bot, f"hands/{seed}")
        lying = laid(state, world, Random(seed))
        assert unlike(lying, GAME.view(state)) == {}
        for before, move, after in playing(GAME, state, world):
            lying = done(lying, before, move, world)
            assert unlike(lying, GAME.view(after), but=("disc",)) == {}, move


def test_a_table_that_lies_there_is_complete() -> None:
    state, world = open_table(GAME, 3, "keen", "complete")
    lying = laid(state, world, Random(1))
    assert isinstance(lying.zones["land"], Cells)
    assert UNKNOWN not in lying.zones["land"].at.values()
    assert lying.zones["disc"] in [Pointing(area) for area in state.box.disc.areas]


def test_the_arrow_stays_where_it_was_until_it_is_spun() -> None:
    state, world = open_table(GAME, 2, "keen", "arrow", {"gamblers": False})
    lying = laid(state, world, Random(1))
    for before, move, _ in playing(GAME, state, world):
        after = done(lying, before, move, world)
        if type(move).__name__ != "Spin":
            assert after.zones["disc"] == lying.zones["disc"]
        lying = after


def placing() -> tuple[State, View, object]:
    state, world = open_table(GAME, 3, "keen", "placing")
    lying = laid(state, world, Random(1))
    for before, move, after in playing(GAME, state, world):
        lying = done(lying, before, move, world)
        if after.phase == "placing":
            return after, lying, world
    raise AssertionError


@pytest.mark.parametrize(
    "move",
    [
        Place(0, 0, ("bread9",), 1, 0),
        Place(0, 0, (), 0, 0),
        Place(0, 0, (), 4, 0),
        Place(7, 0, (), 1, 0),
        Rob(0),
    ],
)
def test_hands_refuse_impossible_moves(move: Move) -> None:
    state, lying, world = placing()
    with pytest.raises(Impossible):
        done(lying, state, move, world)


def test_two_colours_do_not_stand_on_one_field() -> None:
    state, lying, world = placing()
    field = state.owner.index(0)
    with pytest.raises(Impossible):
        done(lying, state, FirstStatue(1, field), world)


def test_no_seat_swaps_a_card_with_itself_or_uncovers_an_open_board() -> None:
    state, lying, world = placing()
    with pytest.raises(Impossible):
        done(lying, state, Exchange(0, state.ranks[0]), world)
    with pytest.raises(Impossible):
        done(lying, state, Uncover(0, next(place for place, board in enumerate(state.boards) if board)), world)


def test_a_board_told_field_by_field_is_one_that_the_box_does_not_know() -> None:
    told = 0
    for seed in range(60):
        state, world = open_table(GAME, 4, "random", f"strange/{seed}")
        known = {board_fields(state.box, name, turn) for name in state.box.boards for turn in range(4)}
        for before, move, _ in playing(GAME, state, world):
            if before.phase not in ("laying_out", "cards", "boards"):
                break
            if isinstance(move, ShowField):
                told += 1
                place = next(p for p in range(len(before.boards)) if move.field in before.place_fields(p))
                assert world.faces(before, place) not in known
    assert told
