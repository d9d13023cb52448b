"""`companion bench real` counts what is read in photographs; rendered samples stand in for them."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from vision import layout
from vision.accuracy import boards
from vision.picture.table_picture import locate, open_picture

ROOT = Path(__file__).resolve().parents[3]
SAMPLES = ROOT / "docs" / "samples"


def lesson() -> dict[str, Any]:
    """What lies on the board of the sample lesson, in the words of a suite's truth."""
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
    suite = figures["suites"]["tiles: a small table"]
    assert figures["all"] == suite
    assert suite.pop("cpu_ms")["p50"] > 0
    assert suite == {
        "pictures": 1,
        "things": 10,
        "exact": 0.8,
        "wrong": 0.2,
        "unknown": 0.0,
        "empty": {"things": 2, "exact": 0.5, "false": 0.5},
        "untaught_told": 1,
    }
    assert "| tiles: a small table | 1 | 10 | 80.00% | 20.00% | 0.00% | 2 |" in page.read_text(encoding="utf-8")


def test_dice_in_photographs_are_counted_by_value(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "dice2").mkdir()
    shutil.copy(SAMPLES / "dice.jpg", tmp_path / "dice2")
    places = [(411, 50, 4), (202, 115, 1), (126, 162, 2), (403, 399, 6), (166, 419, 3), (238, 455, 4)]  # the last is 5
    dice = [{"x": x, "y": y, "value": value} for x, y, value in places]
    (tmp_path / "dice2" / "truth.json").write_text(json.dumps({"dice.jpg": {"values": [], "dice": dice}}))
    assert main(["bench", "real", "--photos", str(tmp_path), "--json"]) == 0
    suite = json.loads(capsys.readouterr().out)["suites"]["dice2"]
    assert suite == {"pictures": 1, "things": 6, "exact": 0.8333, "wrong": 0.16667, "unknown": 0.0}


@pytest.mark.parametrize(("square", "place"), [("E9", "5-9"), ("a8", "1-1"), ("h1", "8-8"), ("3-14", "3-14")])
def test_squares_are_named_as_each_game_names_them(square: str, place: str) -> None:
    assert boards._place(square) == place


def test_photographs_must_be_named(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bench", "real"]) == 2
    assert capsys.readouterr().err == "Which photographs? Say --photos FOLDER.\n"
