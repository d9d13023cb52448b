"""After a power cut everything is as before: state, line of play, ignored zones, commands, and what phones show."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import games
from companion.kernel.messages import Command
from companion.kernel.views import Pieces
from companion.simulation.selfplay import open_table, playing
from companion.table import Table
from tests.nine_beds import GAME, Pass, Plant

from .evening import Evening, after, beds, changed, kinds, none, now, one

BLUE, YELLOW = 0, 1
A1, B1, C1, A2, B2, C2, A3, B3, C3 = range(9)
TUMULT = games.load("tumult_royale")


def lasting(table: Table[Any, Any]) -> dict[str, Any]:
    """The part of a snapshot that a power cut must not change."""
    passing = ("number", "comparing", "trouble", "watched")
    return {key: value for key, value in table.snapshot().items() if key not in passing}


@pytest.mark.parametrize("players", [2, 4])
def test_reopening_in_every_phase_gives_the_same_game(players: int, tmp_path: Path) -> None:
    state, world = open_table(TUMULT, players, "keen", f"reopening/{players}", {})
    path, phases = tmp_path / "evening.journal", set()
    table = Table.begin(TUMULT, path, state.seats, {}, now)
    for number, (_, move, then) in enumerate(playing(TUMULT, state, world)):
        table.take(Command(f"{number}", "move", None, {"move": msgspec.to_builtins(move)}))
        assert table.state == then
        if then.phase not in phases:
            phases.add(then.phase)
            before = lasting(table)
            table.close()
            table = Table.reopen(TUMULT, path, now)
            assert table.state == then
            assert lasting(table) == before
        if then.round >= 3:
            break
    assert len(phases) >= 11
    table.close()


def test_ignored_zones_commands_and_what_can_be_redone_survive(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    evening.asks("ignore", zone="compost")
    evening.asks("ignore", zone="points")
    evening.asks("watch", zone="points")
    undone = Command("the undo", "undo", None, {})
    evening.take(undone)
    before, state = lasting(evening.table), evening.state
    assert before["can_redo"]
    again = evening.reopened()
    assert lasting(again.table) == before
    assert before["ignored"] == ["compost"]
    assert again.take(undone) == [update for update in again.told if update.kind in ("expects", "rush")]
    assert again.state == state, "the command was carried out before the power cut"
    assert "redone" in kinds(again.asks("redo"))
    again.holds()


def test_a_refused_command_may_be_tried_again_after_a_power_cut(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    early = Command("early", "move", YELLOW, {"move": {"type": "Pass", "seat": YELLOW}})
    assert one(evening.take(early), "refused")["reason"] == "not_a_move"
    evening.tells(Plant(BLUE, A1))
    again = evening.reopened()
    assert "moved" in kinds(again.take(early))


def test_the_table_as_it_was_left_is_recognised_and_play_goes_on(tmp_path: Path) -> None:
    again = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3)).reopened()
    assert again.table.snapshot()["comparing"]
    none(again.shows(again.state), "moved", "undone", "verdict", "lost")
    assert not again.table.snapshot()["comparing"]
    assert "moved" in kinds(again.shows(after(again, Plant(BLUE, B1))))
    again.holds()


def test_a_move_made_while_the_power_was_off_is_seen_afterwards(tmp_path: Path) -> None:
    again = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3)).reopened()
    planted = after(again, Plant(BLUE, B1))
    assert "moved" in kinds(again.shows(planted))
    assert again.state == planted


def test_a_seedling_put_back_while_the_power_was_off_is_taken_back(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    before = evening.state
    evening.shows(after(evening, Plant(BLUE, A1)))
    again = evening.reopened()
    assert "undone" in kinds(again.shows(before))
    assert again.state == before


def test_what_was_taken_over_survives_and_can_still_be_undone(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    before = evening.state
    evening.shows(changed(GAME.view(before), compost=Pieces({"blue": 2, "yellow": 0})))
    evening.asks("take_it")
    again = evening.reopened()
    assert again.state.compost == (2, 0)
    assert "undone" in kinds(again.asks("undo"))
    assert again.state == before


def test_a_verdict_is_found_again_by_two_looks(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    state = GAME.play_unchecked(evening.state, Plant(BLUE, C1))
    assert state is not None
    wrong = GAME.view(state)
    evening.shows(wrong)
    one(evening.shows(wrong), "verdict")
    again = evening.reopened()
    none(again.shows(wrong), "verdict")
    assert "verdict" in kinds(again.shows(wrong))


def test_groups_of_moves_are_undone_together_after_a_power_cut_too(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    before = evening.state
    evening.shows(after(evening, Plant(BLUE, A1), Pass(YELLOW), Plant(BLUE, B1)))
    again = evening.reopened()
    again.asks("undo")
    assert again.state == before


def test_evenings_in_two_files_know_nothing_of_each_other(tmp_path: Path) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "two").mkdir()
    one_table: Evening = beds(tmp_path / "one", Plant(BLUE, A1))
    other = beds(tmp_path / "two", Plant(BLUE, C3))
    assert one_table.state != other.state
    one_table.holds()
    other.holds()
