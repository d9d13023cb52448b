"""Corrections: a wrong move is replaced later, and the moves after it are derived again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from companion.games.tumult_royale.moves import SetAside, Spin
from companion.kernel.views import Pieces
from tests.games.tumult_royale.table import table
from tests.nine_beds import GAME, Pass, Plant, Roll

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


def event_of(evening: Evening, move: Any) -> int:
    return next(point.n for point in evening.table.ledger.line() if point.move == move)


def corrects(evening: Evening, was: Any, move: Any) -> list[Any]:
    return evening.asks("correct", event=event_of(evening, was), move=msgspec.to_builtins(move))


def test_a_correction_keeps_what_came_later_and_tells_only_what_changed(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3), Plant(BLUE, B1))
    told = corrects(evening, Plant(YELLOW, C3), Plant(YELLOW, C2))
    corrected = one(told, "corrected")
    assert [move["says"]["en"] for move in corrected["moves"]] == ["Yellow plants on C2"]
    assert [move["says"]["en"] for move in corrected["gone"]] == ["Yellow plants on C3"]
    assert corrected["says"]["en"] == "Corrected: Yellow plants on C2 (instead of: Yellow plants on C3)."
    assert [evening.state.beds[bed] for bed in (A1, B1, C2, C3)] == [BLUE, BLUE, YELLOW, -1]
    evening.holds()


def test_a_correction_is_not_overruled_by_the_table_it_corrects(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    mistaken = evening.state
    none(corrects(evening, Plant(YELLOW, C3), Plant(YELLOW, C2)), "undone", "verdict", "lost", "question")
    corrected = evening.state
    told = [*evening.shows(mistaken), *evening.waits(30), *evening.shows(mistaken)]
    none(told, "undone", "moved", "verdict", "lost")
    assert evening.state == corrected
    evening.shows(corrected)
    assert kinds(evening.shows(after(evening, Plant(BLUE, B1)))) == ["moved", "expects"]


def test_what_is_no_longer_legal_is_told_to_be_gone(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Pass(YELLOW), Plant(BLUE, B1))
    gone = one(corrects(evening, Plant(BLUE, A1), Plant(BLUE, C3)), "corrected")["gone"]
    assert [move["says"]["en"] for move in gone] == ["Anna plants on A1", "Anna plants on B1"]
    assert evening.state.beds.count(BLUE) == 1
    evening.holds()


def test_a_second_pass_that_is_gone_is_told_although_the_first_remains(tmp_path: Path) -> None:
    evening = Evening.begin(GAME, tmp_path, BEDS_SEATS)
    for move in (Roll(5), Plant(0, A1), Pass(1), Pass(2), Plant(0, B1), Pass(1), Pass(2)):
        evening.tells(move)
    # Now everybody passes in a row before the last two could.
    gone = one(corrects(evening, Plant(0, B1), Pass(0)), "corrected")["gone"]
    assert [move["says"]["en"] for move in gone] == ["Anna plants on B1", "Yellow passes", "Purple passes"]
    assert evening.state.phase == "over"
    evening.holds()


def test_a_spin_that_was_seen_survives_the_correction_of_what_was_before_it(tmp_path: Path) -> None:
    evening = tumult(start := table(2), tmp_path)
    evening.tells(SetAside(0))
    evening.shows(evening.state)
    evening.shows(after(evening, Spin(start.king, (4,))))
    assert evening.state.demand == (4, 4, 4)
    corrected = one(corrects(evening, SetAside(0), SetAside(1)), "corrected")
    assert [move["says"]["en"] for move in corrected["gone"]] == ["Blue sets 3 tiles aside"]
    assert evening.state.demand == (4, 4, 4)
    assert evening.state.aside == (False, True)
    evening.holds()


def test_what_was_taken_over_from_the_table_stays_taken_over(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    evening.shows(changed(GAME.view(evening.state), compost=Pieces({"yellow": 2, "blue": 0})))
    evening.asks("take_it")
    assert evening.state.compost == (0, 2)
    corrects(evening, Plant(YELLOW, C3), Plant(YELLOW, C2))
    assert evening.state.compost == (0, 2)
    evening.holds()


def test_a_correction_that_breaks_a_rule_is_refused_with_it(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    before = evening.state
    refused = one(corrects(evening, Plant(YELLOW, C3), Plant(YELLOW, A1)), "refused")
    assert [breach["rule"] for breach in refused["breaches"]] == ["bed.free"]
    for event in (0, 999, -1, None, "3", 2.0, [], True):
        assert one(evening.asks("correct", event=event, move={"type": "Pass", "seat": 0}), "refused")
    assert evening.state == before


def test_a_corrected_game_is_the_same_after_a_power_cut(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3), Plant(BLUE, B1))
    corrects(evening, Plant(YELLOW, C3), Plant(YELLOW, C2))
    line = [(point.n, point.first, point.move) for point in evening.table.ledger.line()]
    state = evening.state
    again = evening.reopened()
    assert again.state == state
    assert [(point.n, point.first, point.move) for point in again.table.ledger.line()] == line


def test_a_seat_corrects_only_its_own_moves_and_the_host_any(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    event = event_of(evening, Plant(YELLOW, C3))
    body = {"event": event, "move": msgspec.to_builtins(Plant(YELLOW, C2))}
    refused = one(evening.asks("correct", BLUE, **body), "refused")
    assert refused["reason"] == "not_your_seat"
    assert evening.state.beds[C3] == YELLOW
    one(evening.asks("correct", YELLOW, **body), "corrected")
    assert evening.state.beds[C2] == YELLOW
    again = {"event": event_of(evening, Plant(YELLOW, C2)), "move": msgspec.to_builtins(Plant(YELLOW, A3))}
    one(evening.asks("correct", None, **again), "corrected")
    assert evening.state.beds[A3] == YELLOW
