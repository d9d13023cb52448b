"""The history of a journal: moves, takebacks, commands, and how each became known."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.games.tumult_royale.moves import ShowBoard
from companion.history import GameHistory, Happening, pictures, retell, tell_sheet
from companion.journal import Journal, replay
from companion.kernel.views import Cells, View
from companion.text.sentences import Bilingual

from .conftest import Written
from .evening import GAME, Evening


def told(path: Path) -> GameHistory:
    with Journal.read(path) as journal:
        return retell(journal, GAME, "en")


@pytest.fixture(scope="module")
def history(written: Written) -> GameHistory:
    return told(written.path)


def happenings(history: GameHistory) -> list[Happening]:
    return [*(finding for move in history.moves for finding in move.findings), *history.after]


def test_the_moves_that_count_lead_to_the_state_of_the_journal(history: GameHistory, written: Written) -> None:
    with Journal.read(written.path) as journal:
        state = replay(journal, GAME)
    assert history.sheet == tell_sheet(GAME, state, Bilingual(GAME.catalogue, history.seats)["en"])
    counted = [move for move in history.moves if not move.undone]
    assert sum(move.move["type"] == "FirstStatue" for move in counted) == 2
    assert history.sheet.over


def test_a_corrected_move_and_what_followed_it_no_longer_count(history: GameHistory, written: Written) -> None:
    undone = [move.n for move in history.moves if move.undone]
    assert written.corrected in undone
    assert len(undone) == 4, "two first statues, and again as they were first corrected"


def test_everything_that_is_no_move_stands_where_it_happened(history: GameHistory) -> None:
    found = happenings(history)
    assert [happening.kind for happening in found] == [
        "verdict",
        "undone",
        "redone",
        "corrected",
        "corrected",
        "ignored",
        "adopted",
    ]
    for move in history.moves:
        assert all(finding.n < move.n for finding in move.findings)
    corrected = found[3]
    assert corrected.says.startswith("Corrected: <b>Bo</b> puts the first statue on A1 (instead of: ")
    assert corrected.by == "yellow"
    assert found[4].by is None, "the host"


def test_a_verdict_is_told_with_its_rule_and_how_to_put_it_right(history: GameHistory) -> None:
    verdict = happenings(history)[0]
    assert [reason.rule for reason in verdict.rules] == ["first.meadow"]
    assert "forest" in verdict.says
    assert verdict.put_right == ["Move 1 yellow statue from field C1 to <b>Bo</b>'s stock of statues."]


def test_a_move_says_how_it_was_known(history: GameHistory) -> None:
    ways = {move.move["type"]: (move.proof, move.by) for move in history.moves}
    assert ways["Stop"] == ("signalled", None)
    assert ways["StartRaid"] == ("signalled", "blue")
    assert ways["Place"] == ("seen", None)
    corrected = [move for move in history.moves if move.proof == "told"]
    assert [(move.by, move.known) for move in corrected] == [
        ("yellow", "Entered by <b>Bo</b>"),
        (None, "Entered by hand"),
    ]


def test_a_move_that_was_seen_has_pictures_before_and_after(history: GameHistory, written: Written) -> None:
    with Journal.read(written.path) as journal:
        shown = dict(pictures(journal, {n for move in history.moves for n in move.pictures.values()}))
    placed = [move for move in history.moves if move.move["type"] == "Place"]
    assert placed
    for move in placed:
        assert move.pictures["before"] < move.pictures["after"] < move.n
        assert shown[move.pictures["before"]] != shown[move.pictures["after"]]
    assert not any(move.pictures for move in history.moves if move.proof != "seen")


def test_what_is_derived_anew_keeps_the_picture_that_proved_it(history: GameHistory) -> None:
    """A correction rewrites the later moves, without their pictures."""
    kings = [move for move in history.moves if move.move["type"] == "FirstStatue" and move.seat == "blue"]
    assert [move.undone for move in kings] == [True, True, False]
    assert len({move.pictures["after"] for move in kings}) == 1


def test_the_picture_of_a_verdict_is_not_the_position_before_the_next_move(history: GameHistory) -> None:
    verdict = happenings(history)[0]
    first = next(move for move in history.moves if move.move["type"] == "FirstStatue")
    assert verdict.picture is not None
    assert first.pictures["before"] < verdict.picture < first.pictures["after"]


def test_moves_that_were_accepted_together_share_their_pictures(history: GameHistory) -> None:
    robbed = [move for move in history.moves if move.move["type"] == "Rob"]
    together = [move for move in robbed if move.first == robbed[0].first]
    assert len(together) > 1
    assert len({tuple(move.pictures.items()) for move in together}) == 1


def test_a_question_that_was_answered_says_who_answered(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "asked.journal")
    state = evening.play(until=lambda now: now.phase == "boards")
    known = GAME.view(state)
    half_hidden = GAME.view(GAME.play(state, ShowBoard(0, "hare", 0)))
    land = half_hidden.zones["land"]
    assert isinstance(land, Cells)
    there = {cell: "unknown" if cell[1] in "12" else kind for cell, kind in land.at.items()}
    asked = evening.show(View({**known.zones, "land": Cells(there)}))
    question = next(update.body for update in asked if update.kind == "question")
    evening.ask("answer", 1, question=question["id"], option=1)
    evening.table.close()
    answered = told(tmp_path / "asked.journal").moves[-1]
    assert answered.says == question["options"][1]["says"]["en"]
    assert (answered.proof, answered.by) == ("seen", "yellow")
    assert answered.known == "Seen, and <b>Bo</b> said what it was"


def test_a_journal_without_a_move_has_nothing_to_tell(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "empty.journal")
    evening.table.close()
    history = told(tmp_path / "empty.journal")
    assert (history.moves, history.after) == ([], [])
    assert history.begun.startswith("2026-01-02")
