"""Questions when the camera cannot decide, and the ways out when it is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.kernel.messages import Command
from companion.kernel.views import Pieces, View
from tests.nine_beds import GAME, Plant

from .evening import (
    BEDS_SEATS,
    Evening,
    after,
    beds,
    changed,
    kinds,
    none,
    one,
    unchecked,
)

BLUE, YELLOW = 0, 1
A1, B1, C1, A2, B2, C2, A3, B3, C3 = range(9)


def asked(evening: Evening, sleeve: tuple[str, str] = ("A1", "C3")) -> dict[str, Any]:
    """Blue planted under a sleeve: two beds are possible."""
    planted = after(evening, Plant(BLUE, A1))
    told = []
    for _ in range(6):
        told += evening.shows(planted, unknown=[("beds", bed) for bed in sleeve])
    none(told, "moved", "verdict")
    return one(told, "question")


def test_what_the_camera_cannot_know_is_asked_once_and_the_answer_counts(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    question = asked(evening)
    assert [option["says"]["en"] for option in question["options"]] == ["Anna plants on A1", "Anna plants on C3"]
    told = evening.asks("answer", question=question["id"], option=1)
    assert kinds(told)[:2] == ["moved", "settled"]
    assert evening.state.beds[C3] == BLUE
    assert one(evening.asks("answer", question=question["id"], option=0), "refused")["reason"] == "no_question"
    evening.holds()


def test_after_a_power_cut_an_answer_counts_for_the_question_it_was_given_to(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    question = asked(evening)
    answer = Command("late", "answer", None, {"question": question["id"], "option": 1})
    again = evening.reopened()
    asked(again, sleeve=("A1", "A3"))
    assert one(again.take(answer), "refused")["reason"] == "no_question"
    again = again.reopened()
    assert asked(again) == question
    again.take(answer)
    assert again.state.beds[C3] == BLUE


def test_an_answer_and_what_it_leads_to_are_written_together(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evening = beds(tmp_path)
    question, written = asked(evening), list[list[str]]()
    append = evening.table.journal.append_many
    monkeypatch.setattr(
        evening.table.journal,
        "append_many",
        lambda entries, kept: written.append([entry.kind for entry in entries]) or append(entries, kept),
    )
    evening.asks("answer", question=question["id"], option=1)
    assert written == [["told", "answered", "seen", "move"]]


@pytest.mark.parametrize("option", [-1, 2, 99, None, "0", 0.0, [], {}])
def test_an_answer_that_was_not_offered_is_refused(option: Any, tmp_path: Path) -> None:
    evening = beds(tmp_path)
    question = asked(evening)
    before = evening.state
    assert one(evening.asks("answer", question=question["id"], option=option), "refused")["reason"] == "no_option"
    assert evening.state == before
    assert evening.table.snapshot()["trouble"]["id"] == question["id"], "the question is still open"


@pytest.mark.parametrize("question", [0, 77, None, "1", [], {}])
def test_an_answer_to_another_question_is_refused(question: Any, tmp_path: Path) -> None:
    evening = beds(tmp_path)
    asked(evening)
    before = evening.state
    assert one(evening.asks("answer", question=question, option=0), "refused")["reason"] == "no_question"
    assert evening.state == before


def test_a_question_answers_itself_when_the_sleeve_is_gone(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    planted = after(evening, Plant(BLUE, A1))
    question = asked(evening)
    told = evening.shows(planted)
    assert one(told, "settled")["id"] == question["id"]
    assert evening.state == planted


def lost(evening: Evening) -> View:
    strange = changed(GAME.view(evening.state), compost=Pieces({"yellow": 3}))
    evening.shows(strange)
    evening.shows(strange)
    one(evening.waits(10), "lost")
    return strange


def test_taken_as_it_is_seen_the_table_is_right_and_the_game_goes_on(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    lost(evening)
    assert kinds(evening.asks("take_it"))[:2] == ["adopted", "settled"]
    assert evening.state.compost == (0, 3)
    assert evening.table.snapshot()["trouble"] is None
    assert "moved" in kinds(evening.shows(after(evening, Plant(BLUE, A1))))
    evening.holds()


def test_taking_it_over_can_be_undone_and_is_told_in_words(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    before = evening.state
    lost(evening)
    evening.asks("take_it")
    undone = one(evening.asks("undo"), "undone")
    assert undone["says"]["en"] == "Taken back: What was read from the table."
    assert evening.state == before


def test_a_takeback_beyond_what_was_taken_over_is_told_in_words_too(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    before = evening.state
    lost(evening)
    evening.asks("take_it")
    evening.shows(after(evening, Plant(BLUE, A1)))
    undone = one(evening.shows(before), "undone")
    assert undone["says"]["en"] == "Taken back: What was read from the table, then: Anna plants on A1."
    assert evening.state == before
    evening.holds()


def test_nothing_can_be_taken_over_from_a_table_nobody_saw(tmp_path: Path) -> None:
    evening = Evening.begin(GAME, tmp_path, BEDS_SEATS)
    assert one(evening.asks("take_it"), "refused")["reason"] == "nothing_seen"


def test_a_zone_that_is_ignored_accuses_nobody_until_it_is_watched_again(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    strange = lost(evening)
    told = evening.asks("ignore", zone="compost")
    assert one(told, "ignore")["zone"] == "compost"
    assert "settled" in kinds(told)
    assert evening.table.snapshot()["ignored"] == ["compost"]
    none([*evening.shows(strange), *evening.shows(strange), *evening.waits(20)], "lost", "verdict", "hint")
    planted = GAME.view(after(evening, Plant(BLUE, A1)))
    assert "moved" in kinds(evening.shows(changed(planted, compost=Pieces({"yellow": 3}))))
    evening.asks("watch", zone="compost")
    strange = changed(GAME.view(evening.state), compost=Pieces({"yellow": 3}))
    evening.shows(strange)
    evening.shows(strange)
    assert "lost" in kinds(evening.waits(10))
    evening.holds()


@pytest.mark.parametrize("zone", ["cellar", "", None, 3, [], {"compost": 1}])
def test_a_zone_that_does_not_exist_cannot_be_ignored(zone: Any, tmp_path: Path) -> None:
    evening = beds(tmp_path)
    assert one(evening.asks("ignore", zone=zone), "refused")["reason"] == "unknown_zone"
    assert evening.table.snapshot()["ignored"] == []


def test_a_verdict_that_people_dismiss_is_taken_back_and_not_repeated(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    wrong = unchecked(evening, Plant(BLUE, C1))
    evening.shows(wrong)
    verdict = one(evening.shows(wrong), "verdict")
    assert one(evening.asks("dismiss"), "settled")["id"] == verdict["id"]
    none([*evening.shows(wrong), *evening.waits(60), *evening.shows(wrong)], "verdict", "hint", "lost")
    assert evening.table.snapshot()["trouble"] is None
    evening.shows(evening.state)
    assert "moved" in kinds(evening.shows(after(evening, Plant(BLUE, B1))))


def test_people_who_put_it_right_are_believed_when_the_table_shows_it(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    strange = lost(evening)
    none(evening.asks("put_right"), "settled")
    assert evening.table.snapshot()["trouble"]["kind"] == "lost"
    none(evening.shows(strange), "settled")
    assert kinds(evening.shows(evening.state)) == ["settled"]


def test_a_repeated_command_is_carried_out_once(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    evening.asks("undo")
    once = evening.state
    evening._commands -= 1
    assert evening.asks("undo") == []
    assert evening.state == once
