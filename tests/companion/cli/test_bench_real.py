"""`companion bench real` counts readings of photographs; here rendered samples replace them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.kernel.messages import Found
from vision import layout
from vision.accuracy import boards
from vision.accuracy.figures import compared
from vision.accuracy.suite import thinned
from vision.picture.table_picture import locate, open_picture

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "docs" / "samples"


def lesson() -> dict[str, Any]:
    """The pieces on the board of the sample lesson, in the format of a suite's truth."""
    table = layout.load(SAMPLES / "table.toml")
    plane = locate(open_picture(SAMPLES / "lesson.jpg"), table).plane
    corners = plane.to_pixels([(70, 40), (230, 40), (230, 160), (70, 160)]).tolist()
    cells = json.loads((SAMPLES / "lesson.json").read_text(encoding="utf-8"))["board"]
    board = {f"{cell[1]}-{'ABCD'.index(cell[0]) + 1}": label for cell, label in cells.items() if label}
    return {"game": "a small table", "grid": [3, 4], "corners": corners, "board": board}


def test_every_piece_and_every_empty_square_is_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "tiles").mkdir()
    known = {"1.jpg": lesson(), "2.jpg": lesson()}
    for name in known:
        shutil.copy(SAMPLES / "lesson.jpg", tmp_path / "tiles" / name)
    del known["2.jpg"]["board"]["3-1"]  # as if a tile were told where none lies
    known["2.jpg"]["board"]["1-2"] = "cheese"  # a label that was never taught
    known["2.jpg"]["board"]["1-3"] = "marble2"  # it is marble1
    (tmp_path / "tiles" / "truth.json").write_text(json.dumps(known), encoding="utf-8")

    page = tmp_path / "accuracy.md"
    assert main(["bench", "real", "--photos", str(tmp_path), "--write", str(page), "--json"]) == 0
    figures = json.loads(capsys.readouterr().out)
    suite = figures["suites"]["tiles"]
    assert figures["all"] == suite
    assert suite.pop("cpu_ms")["p50"] > 0
    left_out = suite.pop("left_out")
    assert left_out["things"] == 9, "every label that was taught was left out once"
    assert suite.pop("untaught_told") == 1 + left_out["told"]
    assert suite == {
        "pictures": 1,
        "things": 9,
        "exact": 0.88889,
        "wrong": 0.11111,
        "unknown": 0.0,
        "empty": {"things": 2, "exact": 0.5, "false": 0.5},
        "untaught": {"things": 1, "told": 1},
        "whole": 0.0,
    }
    assert "| **tiles** | 1 | 9 | 88.89% | 11.11% | 0.00% | 2 |" in page.read_text(encoding="utf-8")


def test_dice_in_photographs_are_counted_by_value(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "dice2").mkdir()
    shutil.copy(SAMPLES / "dice.jpg", tmp_path / "dice2")
    places = [(411, 50, 4), (202, 115, 1), (126, 162, 2), (403, 399, 6), (166, 419, 3), (238, 455, 4)]  # the last is 5
    dice = [{"x": x, "y": y, "value": value} for x, y, value in places]
    (tmp_path / "dice2" / "truth.json").write_text(json.dumps({"dice.jpg": {"values": [], "dice": dice}}))
    assert main(["bench", "real", "--photos", str(tmp_path), "--json"]) == 0
    suite = json.loads(capsys.readouterr().out)["suites"]["dice2"]
    assert {key: suite[key] for key in ("pictures", "things", "exact", "wrong", "unknown", "whole")} == {
        "pictures": 1,
        "things": 6,
        "exact": 0.83333,
        "wrong": 0.16667,
        "unknown": 0.0,
        "whole": 0.0,
    }


@pytest.mark.parametrize(("square", "place"), [("E9", "5-9"), ("a8", "1-1"), ("h1", "8-8"), ("3-14", "3-14")])
def test_squares_are_named_as_each_game_names_them(square: str, place: str) -> None:
    assert boards._place(square) == place


def test_photographs_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "real"]) == 2
    assert capsys.readouterr().err == "Which photographs? Say --photos FOLDER.\n"


def test_a_suite_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "dice").mkdir()
    (tmp_path / "dice" / "truth.json").write_text("{}", encoding="utf-8")
    assert main(["bench", "real", "--photos", str(tmp_path), "--suite", "chess"]) == 2
    assert capsys.readouterr().err == f"There is no suite 'chess' in {tmp_path}; there are: dice.\n"


def test_the_page_is_not_written_from_a_part_of_the_photographs(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    page = tmp_path / "page.md"
    assert main(["bench", "real", "--photos", str(tmp_path), "--share", "0.5", "--write", str(page)]) == 2
    assert "leave out --suite and --share" in capsys.readouterr().err
    assert not page.exists()


def test_the_emptiest_photograph_is_taught_with_those_that_show_most_labels() -> None:
    shown = {"1": "ab", "2": "abc", "3": "", "4": "cd", "5": "aaaaa"}
    photographs = {name: {"board": dict(enumerate(labels))} for name, labels in shown.items()}
    assert boards._lessons(photographs, boards.Board(taught=3)) == ("3", "2", "4")


def test_a_smaller_board_is_the_top_left_part_of_the_layout() -> None:
    layout = boards._layout(boards.Board(4, 4))
    known = {"grid": [2, 2], "corners": [[10, 10], [30, 10], [30, 50], [10, 50]], "board": {"2-2": "black"}}
    assert boards._corners(known, layout) == [(10, 10), (50, 10), (50, 90), (10, 90)]
    assert boards._squares(known, layout) == {"1-1": None, "1-2": None, "2-1": None, "2-2": "black"}


def test_figures_are_compared_by_place() -> None:
    standing = [
        {"label": label, "x": x, "y": 0.0} for label, x in (("red pawn", 0.0), ("blue pawn", 50.0), ("king", 99.0))
    ]
    found = [
        Found("red pawn", 3.0, 0.0, 0.0, 0.9),
        Found("red pawn", 48.0, 1.0, 0.0, 0.9),
        Found("red pawn", 20.0, 0.0, 0.0, 0.9),
    ]
    things, untaught = compared(standing, found, {"red pawn", "blue pawn"}, 12.0)
    assert things == {"exact": 1, "wrong": 1, "invented": 1}, "one has another colour, and one stands nowhere"
    assert untaught == {"untold": 1}


@pytest.mark.parametrize(("part", "chosen"), [(1.0, "abcdefgh"), (0.25, "ae"), (0.01, "a")])
def test_a_share_of_the_photographs_is_spread_over_all(part: float, chosen: str) -> None:
    assert "".join(thinned("abcdefgh", part)) == chosen
