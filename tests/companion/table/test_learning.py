"""A piece that the box does not hold is described, written with its move, and known from then on."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import games
from companion.games.council_of_four.moves import BuyPermit, EndTurn, PutCouncillor, TurnUp
from companion.history.history import retell
from companion.journal import OtherRules, replay
from companion.kernel.rules import Seat
from tests.games.council_of_four.table import COUNCIL, laid_out, lots
from tests.nine_beds import GAME as NINE_BEDS

from .evening import BEDS_SEATS, Evening, kinds, none, one

GAME = games.load("council_of_four")
SEATS = (Seat("red", "Ada"), Seat("yellow"), Seat("green"))
ANSWERS = {"city": ["A", "C"], "gold": 2}
AC = TurnUp(0, "AC")


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    """Red has just bought the left permit of the coast, and chance turns up another one."""
    evening = Evening.begin(GAME, tmp_path, SEATS)
    for move in (next(GAME.moves(evening.state)), *lots(laid_out(3)), BuyPermit(0, 0, COUNCIL)):
        none(evening.tells(move), "refused")
    yield evening
    evening.holds()
    evening.table.close()


def describe(evening: Evening, seat: int | None = None, **other: Any) -> list[Any]:
    body = {"move": msgspec.to_builtins(TurnUp(0, "C")), "field": "permit", "answers": ANSWERS, **other}
    return evening.asks("learn", seat, **body)


def labels(evening: Evening) -> list[str]:
    return [piece["label"] for piece in evening.table.snapshot()["learned"]]


def test_the_move_is_made_with_what_was_described(evening: Evening) -> None:
    told = describe(evening)
    assert kinds(told)[:2] == ["learned", "moved"]
    body = one(told, "learned")
    assert body["says"] == {
        "de": "Ab jetzt kenne ich: Baugenehmigung AC.",
        "en": "From now on I know: permit AC.",
    }
    assert body["lies"] == [{"zone": "permits", "cell": "coast 1"}]
    assert one(told, "moved")["moves"][0]["move"] == msgspec.to_builtins(AC)
    assert evening.state.offers[0] == "AC"
    assert labels(evening) == ["permit AC"]
    assert evening.table.snapshot()["last"][0]["says"]["en"] == "Permit AC turned up (coast 1)"


def test_it_is_on_disk_before_it_is_told_and_survives_a_power_cut(evening: Evening) -> None:
    describe(evening)
    state = evening.state
    events = [event.kind for event in evening.table.journal.events()]
    assert events[-3:] == ["told", "learn", "move"]
    again = evening.reopened()
    assert again.state == state
    assert labels(again) == ["permit AC"]
    evening.table, evening.told = again.table, []
    none(evening.tells(EndTurn(0)), "refused")


def test_undo_takes_back_the_move_with_the_description_and_redo_brings_both(evening: Evening) -> None:
    before = evening.state
    describe(evening)
    after = evening.state
    undone = one(evening.asks("undo"), "undone")
    assert undone["says"]["de"].startswith("Zurückgenommen: Neu beschrieben: Baugenehmigung AC, dann: ")
    assert evening.state == before
    assert labels(evening) == []
    evening.asks("redo")
    assert evening.state == after
    evening.table, evening.told = evening.reopened().table, []
    evening.asks("undo")
    assert evening.state == before, "they belong together after a power cut, too"


def test_what_was_described_wrongly_is_undone_and_described_again(evening: Evening) -> None:
    describe(evening, answers={"city": ["A", "C"], "gold": 9})
    evening.asks("undo")
    none(describe(evening), "refused")
    assert evening.state.box.permits["coast"]["AC"].gold == 2


def test_a_correction_of_an_earlier_move_keeps_it(evening: Evening) -> None:
    describe(evening)
    line = evening.table.ledger.line()
    earlier = next(point for point in line if point.move == PutCouncillor(3, 0, COUNCIL[0]))
    told = evening.asks("correct", event=earlier.n, move=msgspec.to_builtins(PutCouncillor(3, 0, "orange")))
    assert "corrected" in kinds(told)
    assert evening.state.councils[3][0] == "orange"
    assert evening.state.offers[0] == "AC"
    assert labels(evening) == ["permit AC"]


def test_an_earlier_move_is_corrected_by_what_it_really_was(evening: Evening) -> None:
    """The camera confused it with another one, and the game has continued."""
    evening.tells(TurnUp(0, "AB"))
    wrong = evening.table.ledger.now
    evening.tells(EndTurn(0))
    body = {"event": wrong.n, "move": msgspec.to_builtins(TurnUp(0, "C")), "field": "permit", "answers": ANSWERS}
    news = evening.asks("correct", **body)
    assert one(news, "learned")["lies"] == [{"zone": "permits", "cell": "coast 1"}], "the camera shall learn it, too"
    told = one(news, "corrected")
    assert told["says"]["en"] == (
        "Corrected: Permit AC turned up (coast 1) (instead of: Permit AB turned up (coast 1))."
    )
    assert evening.state.offers[0] == "AC"
    assert evening.state.turn == 1
    assert labels(evening) == ["permit AC"]
    refusal = one(evening.asks("correct", **{**body, "event": evening.table.ledger.line()[-2].n}), "refused")
    assert refusal["reason"] == "not_learned", "it is known by now"
    evening.table, evening.told = evening.reopened().table, []
    assert labels(evening) == ["permit AC"]


def test_the_camera_may_take_back_the_move_and_the_piece_stays_known(evening: Evening) -> None:
    describe(evening)
    evening.shows(evening.state)
    before = evening.table.ledger.line()[-2].state
    for _ in range(4):
        evening.shows(before, seconds=15.0)
        evening.waits(10.0)
    assert evening.state.offers[0] == ""
    assert labels(evening) == ["permit AC"]


@pytest.mark.parametrize(
    ("other", "reason"),
    [
        ({"answers": {"city": ["A", "F"], "gold": 1}}, "not_learned"),
        ({"answers": {"city": ["A", "C"], "gold": -1}}, "not_learned"),
        ({"answers": {"city": ["A", "C"], "gold": 10**9}}, "not_learned"),
        ({"answers": {"city": ["A", "C"], "gold": 1, "dragon": 1}}, "not_learned"),
        ({"answers": {"city": ["A", "B"], "gold": 3, "cards": 1}}, "not_learned"),
        ({"answers": None}, "not_learned"),
        ({"answers": [1]}, "not_learned"),
        ({"answers": {"city": ["B"], "gold": 1}}, "not_a_move"),
        ({"field": "place"}, "nothing_to_learn"),
        ({"field": None}, "nothing_to_learn"),
        ({"move": {"type": "Hire", "seat": 0}}, "nothing_to_learn"),
        ({"move": {"type": "Fly"}}, "not_a_move"),
        ({"move": {"type": "TurnUp", "place": 77, "permit": "A"}}, "nothing_to_learn"),
        ({"move": {"type": "TurnUp", "place": 1, "permit": "C"}}, "not_a_move"),
    ],
)
def test_what_cannot_be_is_refused_with_a_sentence_and_changes_nothing(
    evening: Evening, other: dict[str, Any], reason: str
) -> None:
    events, state = evening.table.journal.last_number, evening.state
    refusal = one(describe(evening, **other), "refused")
    assert refusal["reason"] == reason
    assert refusal["says"]["de"] != refusal["says"]["en"]
    assert not any("{" in text for text in refusal["says"].values())
    assert (evening.table.journal.last_number, evening.state) == (events, state)


def test_the_same_command_twice_is_done_once(evening: Evening) -> None:
    evening._commands = 500
    describe(evening)
    evening._commands = 500
    assert describe(evening) == []


def test_a_game_whose_box_cannot_grow_learns_nothing(tmp_path: Path) -> None:
    evening = Evening.begin(NINE_BEDS, tmp_path, BEDS_SEATS)
    told = evening.asks("learn", move={"type": "Roll", "value": 3}, field="value", answers={})
    assert one(told, "refused")["reason"] == "nothing_to_learn"
    assert evening.table.snapshot()["learned"] == []
    evening.table.close()


def test_a_journal_with_a_piece_that_the_rules_no_longer_know_says_so(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
) -> None:
    describe(evening)
    with monkeypatch.context() as patch:
        patch.setattr(type(GAME), "learning", None)
        with pytest.raises(OtherRules, match="learn nothing"):
            replay(evening.table.journal, GAME)


def test_the_history_tells_it(evening: Evening) -> None:
    describe(evening, seat=0)
    evening.asks("undo")
    history = retell(evening.table.journal, GAME, "en")
    learned = [told for move in history.moves for told in move.findings if told.kind == "learned"]
    assert [(told.says, told.by) for told in learned] == [("From now on I know: permit AC.", "red")]
    assert "Newly described: permit AC, then: Permit AC turned up" in history.after[-1].says
