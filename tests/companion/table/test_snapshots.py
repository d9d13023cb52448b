"""Snapshots for phones that connect: the whole table, and the cost of keeping them up to date."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import msgspec

from companion.games.tumult_royale import GAME
from companion.kernel.messages import Command
from companion.simulation.selfplay import open_table, playing
from companion.table import Table
from companion.table.snapshot import LAST_MOVES
from tests.nine_beds import Pass, Plant
from tests.work import calls

from .evening import beds, kinds, none, now

BLUE, YELLOW = 0, 1
A1, B1, C3 = 0, 1, 8


def test_the_view_is_the_whole_table(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1))
    seen = evening.table.snapshot()
    view = evening.table.game.view(evening.state)
    assert seen["view"].keys() == view.zones.keys()
    assert seen["view"]["beds"] == {"type": "cells", "at": view.zones["beds"].at}  # type: ignore[union-attr]
    assert seen["title"] == {"de": "Neun Beete", "en": "Nine Beds"}
    assert seen["phase"] is None, "a game need not have phases"
    msgspec.json.encode(seen)


def test_the_last_moves_are_told_newest_first_with_their_reasons(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3), Pass(BLUE), Pass(YELLOW))
    last = evening.table.snapshot()["last"]
    assert len(last) == LAST_MOVES
    assert [move["move"]["type"] for move in last] == ["Pass", "Pass", "Plant", "Plant", "Roll"]
    assert last[2]["says"] == {"de": "Gelb pflanzt auf C3", "en": "Yellow plants on C3"}
    assert last[2]["because"][0]["rule"] == "points.each"
    events = [move["event"] for move in last]
    assert events == sorted(events, reverse=True)


def test_what_was_taken_back_is_no_last_move(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    evening.table.snapshot()
    evening.asks("undo")
    assert evening.table.snapshot()["last"][0]["says"]["en"] == "Anna plants on A1"


def test_what_the_last_move_changed_is_named_place_by_place(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1))
    assert evening.table.snapshot()["changed"] == {"beds": ["A1"], "points": [], "shed blue": []}
    for _ in range(2):
        evening.asks("undo")
    assert evening.table.snapshot()["changed"] == {}, "nothing was done yet"


def test_a_game_with_phases_says_which_it_is_and_who_won(tmp_path: Path) -> None:
    state, _ = open_table(GAME, 2, "keen", "phases", {"oldest": 0})
    table = Table.begin(GAME, tmp_path / "a.journal", state.seats, {"oldest": 0}, now)
    seen = table.snapshot()
    assert seen["phase"] == {"de": "Tisch aufbauen", "en": "laying out the table"}
    assert seen["winners"] == []
    table.close()


def test_the_winner_is_named_when_the_game_is_over(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Pass(YELLOW), Plant(BLUE, B1), Pass(YELLOW), Pass(BLUE))
    seen = evening.table.snapshot()
    assert (seen["over"], seen["winners"]) == (True, [BLUE])


def test_that_a_reopened_game_was_found_on_the_table_is_told_once(tmp_path: Path) -> None:
    again = beds(tmp_path, Plant(BLUE, A1)).reopened()
    assert again.table.snapshot()["comparing"]
    told = again.shows(again.state)
    assert kinds(told).count("compared") == 1
    assert not again.table.snapshot()["comparing"]
    none(again.shows(again.state), "compared")


def test_a_snapshot_costs_about_as_much_as_the_message_that_it_follows(tmp_path: Path) -> None:
    state, world = open_table(GAME, 4, "keen", "cost", {"oldest": 0})
    table = Table.begin(GAME, tmp_path / "a.journal", state.seats, {"oldest": 0}, now)
    taking, showing = [], []
    for number, (_, move, _) in zip(range(150), playing(GAME, state, world), strict=False):
        command = Command(f"c{number}", "move", None, {"move": msgspec.to_builtins(move)})
        taking.append(calls(partial(table.take, command)))
        showing.append(calls(table.snapshot))
    table.close()
    share = sum(showing) / sum(taking)
    print(f"a snapshot costs {share:.0%} of what a message costs")
    assert share < 1.5
