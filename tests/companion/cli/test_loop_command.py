"""`companion loop`: the JSON output of the closed loop, with and without pictures."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from companion.cli import accuracy, loop, main
from companion.simulation.loop import Outcome

KEYS = {
    *("game", "players", "games", "moves", "explained_right", "explained_wrong", "asked", "false_accusations"),
    *("illegal_tried", "illegal_caught", "illegal_reason_right", "takebacks", "takebacks_right", "lost"),
    *("final_scores_right", "finding_ms", "reading_ms"),
}


def figures(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert main(["loop", "tumult_royale", *words, "--json"]) == 0
    told: dict[str, Any] = json.loads(capsys.readouterr().out)
    assert told.keys() >= KEYS
    return told


@pytest.mark.parametrize("games", [2, pytest.param(8, marks=pytest.mark.proof)])
def test_evenings_without_pictures_are_understood(capsys: pytest.CaptureFixture[str], games: int) -> None:
    told = figures(capsys, "--no-pixels", "--games", str(games), "--players", "3", "--seed", "3")
    assert (told["games"], told["players"]) == (games, 3)
    assert told["explained_right"] == told["moves"] > 250 * games
    assert told["false_accusations"] == told["explained_wrong"] == 0
    assert told["final_scores_right"] == told["finished"] == games


@pytest.mark.long
def test_the_beginning_of_an_evening_with_pictures_is_understood(capsys: pytest.CaptureFixture[str]) -> None:
    """Twenty acts in dim light: two are wrong, and one is taken back."""
    told = figures(capsys, "--games", "1", "--players", "2", "--seed", "2", "--acts", "20", "--light", "dim")
    assert told["explained_right"] == told["moves"] > 40
    assert told["illegal_reason_right"] == told["illegal_tried"] == 2
    assert told["takebacks_right"] == told["takebacks"] == 1
    assert told["false_accusations"] == told["explained_wrong"] == 0
    assert (told["final_scores_right"], told["finished"]) == (1, 0)
    assert told["reading_ms"]["p50"] > told["finding_ms"]["p50"] > 0


@pytest.mark.proof
def test_evenings_with_pictures_are_understood(capsys: pytest.CaptureFixture[str]) -> None:
    told = figures(capsys, "--games", "2", "--players", "2", "--seed", "5")
    assert told["explained_right"] == told["moves"] > 400
    assert told["false_accusations"] == told["explained_wrong"] == 0
    assert told["final_scores_right"] == told["finished"] == 2


def test_one_game_after_another_is_the_same_as_several_at_a_time(capsys: pytest.CaptureFixture[str]) -> None:
    words = ("--no-pixels", "--games", "2", "--acts", "20", "--players", "2", "--seed", "8")
    one, two = figures(capsys, *words, "--jobs", "1"), figures(capsys, *words, "--jobs", "2")
    for told in (one, two):
        for timed in ("finding_ms", "seconds"):
            del told[timed]
    assert one == two


def test_a_game_that_nobody_knows_is_not_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["loop", "chess"]) == 2
    assert "chess" in capsys.readouterr().err


def good() -> Outcome:
    return Outcome(
        "tumult_royale",
        players=2,
        games=3,
        final_scores_right=3,
        illegal_tried=100,
        illegal_caught=98,
        illegal_reason_right=97,
    )


@pytest.mark.parametrize(
    "worse",
    [
        {"false_accusations": 1},
        {"explained_wrong": 1},
        {"final_scores_right": 2},
        {"illegal_caught": 97},
        {"illegal_reason_right": 96},
    ],
)
def test_exit_0_means_that_the_companion_may_be_trusted(worse: dict[str, int]) -> None:
    assert loop.holds(good())
    outcome = good()
    for name, value in worse.items():
        setattr(outcome, name, value)
    assert not loop.holds(outcome)


def test_figures_are_written_into_the_page_and_what_others_wrote_stays(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "accuracy.md"
    page.write_text(accuracy.written("", {"eyes nine_beds": "## Rendered tables of Nine Beds\n\nfigures"}))
    words = ["loop", "tumult_royale", "--no-pixels", "--games", "1", "--acts", "9", "--seed", "9"]
    words += ["--write", str(page)]
    for players in ("3", "2", "3"):
        main([*words, "--players", players])
    main([*words, "--players", "2", "--light", "dim", "--light", "warm"])
    capsys.readouterr()
    text = page.read_text()
    assert "| 2 | 1 (9, --light dim, --light warm) |" in text
    assert "| 3 | 1 (9) |" in text
    assert text.startswith("# How right it is\n")
    rows = [line.split("|")[1:3] for line in text.splitlines() if line.startswith("| tumult_royale |")]
    assert rows == [[" tumult_royale ", " 2 "], [" tumult_royale ", " 3 "]]
    assert list(accuracy.sections(text)) == ["eyes nine_beds", "loop no-pixels"]
    assert accuracy.sections(text)["eyes nine_beds"].endswith("figures")
    assert accuracy.written(text, {}) == text


def test_a_page_that_does_not_exist_is_said_before_anything_is_played(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["loop", "tumult_royale", "--no-pixels", "--write", "/nowhere/page.md"]) == 2
    assert "/nowhere/page.md" in capsys.readouterr().err
