"""Moves taken back by hand, told on a phone, undone and redone."""

from __future__ import annotations

from pathlib import Path

from companion.games.tumult_royale.moves import SetAside
from companion.kernel.messages import Signal
from companion.table.observations import BUSY
from tests.games.tumult_royale.table import table
from tests.nine_beds import GAME, Pass, Plant

from .evening import (
    BEDS_SEATS,
    Evening,
    after,
    beds,
    changed,
    kinds,
    none,
    one,
    tumult,
)

BLUE, YELLOW = 0, 1
A1, B1, C1, A2, B2, C2, A3, B3, C3 = range(9)


def test_a_seedling_put_back_takes_its_move_back(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    before = evening.state
    evening.shows(after(evening, Plant(BLUE, A1)))
    told = evening.shows(before)
    assert kinds(told) == ["undone", "expects"]
    assert one(told, "undone")["says"]["en"] == "Taken back: Anna plants on A1."
    assert evening.state == before
    evening.holds()


def test_two_moves_are_taken_back_at_once(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    before = evening.state
    evening.shows(after(evening, Plant(BLUE, A1)))
    evening.shows(after(evening, Plant(YELLOW, C3)))
    undone = one(evening.shows(before), "undone")
    assert len(undone["events"]) == 2
    assert evening.state == before
    evening.holds()


def test_taken_back_and_something_else_done(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    other = after(evening, Plant(BLUE, C1))
    evening.shows(after(evening, Plant(BLUE, A1)))
    told = evening.shows(other)
    assert kinds(told)[:2] == ["undone", "moved"]
    assert evening.state == other
    evening.holds()


def test_tiles_laid_back_are_taken_back_in_the_big_game_too(tmp_path: Path) -> None:
    evening = tumult(start := table(2), tmp_path)
    evening.shows(after(evening, SetAside(BLUE)))
    assert evening.state.aside_unseen == 1
    assert "undone" in kinds(evening.shows(start))
    assert evening.state == start
    evening.holds()


# Told on a phone


def test_a_move_that_is_told_waits_for_hands_and_is_no_takeback(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    before = evening.state
    planted = after(evening, Plant(BLUE, A1))
    assert "moved" in kinds(evening.tells(Plant(BLUE, A1), seat=BLUE))
    none([*evening.shows(before), *evening.shows(before)], "undone", "verdict", "lost")
    assert evening.state == planted
    half = changed(GAME.view(planted), points=GAME.view(before).zones["points"])
    none(evening.shows(half), "undone", "verdict")
    none(evening.shows(planted), "undone", "moved", "verdict")
    assert evening.state == planted
    # From here on it was seen: put back, it is taken back.
    assert "undone" in kinds(evening.shows(before))
    evening.holds()


def test_hands_that_forget_a_told_move_are_reminded(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    before = evening.state
    evening.tells(Plant(BLUE, A1))
    evening.shows(before)
    told = evening.waits(15)
    assert [step["what"] for step in one(told, "hint")["finish"]] == ["blue", "blue"]
    none(told, "undone", "verdict", "lost")


def test_a_game_without_a_camera_is_told_move_by_move(tmp_path: Path) -> None:
    evening = Evening.begin(GAME, tmp_path, BEDS_SEATS[:2])
    for move in ({"type": "Roll", "value": 5}, {"type": "Plant", "seat": 0, "bed": 0}, {"type": "Pass", "seat": 1}):
        assert "moved" in kinds(evening.asks("move", move=move))
    evening.waits(60)
    assert evening.table.snapshot()["trouble"] is None
    # Somebody plugs the camera in, and the table is as it was told.
    none(evening.shows(evening.state), "undone", "verdict", "lost", "hint")
    evening.holds()


def test_a_camera_that_sees_something_else_does_not_overrule_what_was_told(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    mistaken = after(evening, Plant(BLUE, A1))
    evening.shows(mistaken, unsure=["points"])
    told = evening.tells(Plant(BLUE, B1))
    none(told, "undone", "verdict", "lost", "question")
    right = evening.state
    assert right.beds[B1] == BLUE
    none([*evening.shows(mistaken), *evening.waits(30)], "undone", "verdict", "lost")
    assert evening.state == right
    evening.shows(right)
    assert "moved" in kinds(evening.shows(after(evening, Plant(YELLOW, C3))))


def test_what_happened_after_a_told_move_is_still_seen(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    both = after(evening, Plant(BLUE, A1), Plant(YELLOW, C3))
    evening.shows(both, covered=["beds", "points"])
    evening.tells(Plant(BLUE, A1))
    evening.shows(both)
    assert evening.state == both


# A press changes where the game stands while something is weighed


def test_a_press_while_a_hand_covers_the_table_confuses_nobody(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    evening.shows(after(evening, Plant(BLUE, B1)), covered=["points"])
    none(evening.presses(BLUE), "moved")
    assert "moved" in kinds(evening.waits(BUSY))
    passed = evening.state
    assert evening.waits(10) == []
    evening.shows(passed)
    assert evening.state == passed
    evening.holds()


def test_a_press_waits_for_the_hand_and_counts_after_what_it_did(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    planted = after(evening, Plant(BLUE, A1))
    evening.shows(evening.state, covered=["beds"])
    assert evening.presses(YELLOW) == []
    evening.shows(planted)
    assert evening.state == GAME.play(planted, Pass(YELLOW))
    evening.holds()


def test_a_press_that_is_heard_twice_while_it_waits_counts_once(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1))
    evening.shows(evening.state, covered=["points"])
    press = Signal("press", "button", evening.clock + 1, YELLOW)
    assert evening.take(press) == evening.take(press) == []
    passed = GAME.play(evening.state, Pass(YELLOW))
    assert kinds(evening.waits(1 + BUSY)).count("moved") == 1
    assert evening.state == passed


def test_who_presses_is_done_with_what_could_not_be_seen_well(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    planted = after(evening, Plant(BLUE, A1))
    none(evening.shows(planted, unsure=["points"]), "moved")
    evening.presses(YELLOW)
    assert evening.state == GAME.play(planted, Pass(YELLOW))
    evening.holds()


# Undone and redone


def test_undone_it_is_not_explained_again_from_the_same_table(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    before = evening.state
    evening.shows(planted := after(evening, Plant(BLUE, A1)))
    assert kinds(evening.asks("undo")) == ["undone", "expects"]
    none([*evening.shows(planted), *evening.waits(30), *evening.shows(planted)], "moved", "verdict", "lost", "hint")
    assert evening.state == before
    none(evening.shows(before), "moved", "undone")
    assert "moved" in kinds(evening.shows(planted)), "put back and planted again, it counts"
    evening.holds()


def test_redone_it_counts_again(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    evening.shows(planted := after(evening, Plant(BLUE, A1)))
    evening.asks("undo")
    told = evening.asks("redo")
    assert kinds(told)[0] == "redone"
    assert evening.state == planted
    none([*evening.shows(planted), *evening.waits(20)], "undone", "verdict", "lost", "hint")
    assert evening.state == planted
    evening.holds()


def test_a_move_that_is_redone_waits_for_hands(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    before = evening.state
    evening.shows(planted := after(evening, Plant(BLUE, A1)))
    evening.asks("undo")
    evening.shows(before)
    none(evening.asks("redo"), "undone")
    none(evening.shows(before), "undone")
    assert evening.state == planted
    evening.shows(planted)
    assert "undone" in kinds(evening.shows(before))


def test_undo_goes_back_through_the_evening_and_redo_forth(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    end = evening.state
    for _ in range(3):
        assert "undone" in kinds(evening.asks("undo"))
    assert one(evening.asks("undo"), "refused")["reason"] == "nothing_to_undo"
    assert evening.state.phase == "rolling"
    for _ in range(3):
        assert "redone" in kinds(evening.asks("redo"))
    assert one(evening.asks("redo"), "refused")["reason"] == "nothing_to_redo"
    assert evening.state == end
    evening.holds()


def test_what_was_taken_together_is_undone_together(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    before = evening.state
    evening.shows(after(evening, Plant(BLUE, A1), Plant(YELLOW, C3)))
    evening.asks("undo")
    assert evening.state == before


def test_after_something_else_nothing_is_left_to_redo(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1))
    evening.asks("undo")
    evening.tells(Pass(BLUE))
    assert one(evening.asks("redo"), "refused")["reason"] == "nothing_to_redo"


def test_a_question_does_not_outlive_a_redo(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1))
    planted = evening.state
    evening.asks("undo")
    evening.shows(evening.state)
    told = []
    for _ in range(6):
        told += evening.shows(planted, unknown=[("beds", "A1"), ("beds", "C3")], unsure=["compost"])
    question = one(told, "question")
    assert "settled" in kinds(evening.asks("redo"))
    assert one(evening.asks("answer", question=question["id"], option=1), "refused")["reason"] == "no_question"
    assert evening.state == planted
