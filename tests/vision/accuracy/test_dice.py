"""Counting read dice against the truth, and the figures of real photographs."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.accuracy.dice import NoTruth, evaluate
from vision.dice import Die

PHOTOS = Path(__file__).resolve().parents[4] / "shared" / "photos" / "dice"
ONE_OF_EACH = (
    *("fudw_4556.jpg", "kamil_24.jpg", "llk_15.jpg", "piotrowy_05.jpg"),
    *("roboflow_206.jpg", "tai_0179.jpg", "tomek_hard8.jpg", "wachuuu_ba.jpg"),
)
"""One photograph of each photographer."""


def _folder(tmp_path: Path, truth: object) -> Path:
    cv2.imwrite(str(tmp_path / "one.png"), np.zeros((100, 100, 3), np.uint8))
    (tmp_path / "truth.json").write_text(json.dumps({"one.png": truth}), encoding="utf-8")
    return tmp_path


def test_dice_are_matched_by_place_and_told_right_wrong_missed_and_false(tmp_path: Path) -> None:
    truth = [
        {"value": 1, "colour": "ivory", "x": 10, "y": 10},
        {"value": 2, "colour": "red", "x": 50, "y": 50},
        {"value": 3, "colour": "red", "x": 90, "y": 90},
    ]
    seen = [
        Die(1, "white", 12.0, 9.0, 10.0, 0.9),
        Die(5, "blue", 50.0, 51.0, 10.0, 0.9),
        Die(3, "red", 90.0, 80.0, 10.0, 0.9),
    ]
    counted = evaluate(_folder(tmp_path, {"values": [1, 2, 3], "dice": truth}), lambda image: seen)
    figures = {key: counted[key] for key in ("dice", "right", "wrong_value", "missed", "false", "colour_right")}
    assert figures == {"dice": 3, "right": 1, "wrong_value": 1, "missed": 1, "false": 1, "colour_right": 1}
    assert counted["photos"][0]["photo"] == "one.png"


def test_without_places_the_values_are_compared(tmp_path: Path) -> None:
    seen = [Die(1, "white", 0.0, 0.0, 9.0, 0.9), Die(4, "red", 0.0, 0.0, 9.0, 0.9)]
    counted = evaluate(_folder(tmp_path, {"values": [1, 2, 3], "colours": ["white"] * 3}), lambda image: seen)
    assert (counted["right"], counted["wrong_value"], counted["missed"], counted["false"]) == (1, 1, 1, 0)


def test_a_folder_without_truth_is_named(tmp_path: Path) -> None:
    with pytest.raises(NoTruth, match=r"has no truth\.json"):
        evaluate(tmp_path)
    (tmp_path / "truth.json").write_text("{", encoding="utf-8")
    with pytest.raises(NoTruth, match="is not JSON"):
        evaluate(tmp_path)


def test_a_picture_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    folder = _folder(tmp_path, {"values": []})
    (folder / "one.png").write_bytes(b"no picture")
    with pytest.raises(NoTruth, match=r"one\.png"):
        evaluate(folder)


@pytest.mark.skipif(not PHOTOS.is_dir(), reason="the real photographs of dice lie outside the project")
@pytest.mark.parametrize(
    "chosen", [pytest.param(ONE_OF_EACH, id="one of each"), pytest.param((), marks=pytest.mark.proof, id="all")]
)
def test_real_photographs_are_read_well(chosen: tuple[str, ...], tmp_path: Path) -> None:
    truth = json.loads((PHOTOS / "truth.json").read_text(encoding="utf-8"))
    truth = {name: truth[name] for name in chosen or truth}
    (tmp_path / "truth.json").write_text(json.dumps(truth), encoding="utf-8")
    for name in truth:
        (tmp_path / name).symlink_to(PHOTOS / name)
    counted = evaluate(tmp_path)
    assert counted["dice"] > 70
    assert counted["right_share"] > 0.96
    assert counted["wrong_share"] < 0.015
    assert counted["colour_share"] > 0.95
