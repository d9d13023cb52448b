"""`companion dice` on a photograph, and the dice zone of a table."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from companion.cli import main
from tests.vision.bench_table import LAYOUT, PHOTOS, TABLES, with_photos
from vision.picture.table_picture import locate, open_picture
from vision.readers import dice


@with_photos
def test_the_dice_of_a_photograph_are_told_with_value_colour_and_place(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    overlay = tmp_path / "seen.png"
    assert main(["dice", str(PHOTOS / "dice" / "tomek_easy10.jpg"), "--overlay", str(overlay), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["dice"]
    truth = json.loads((PHOTOS / "dice" / "truth.json").read_text())["tomek_easy10.jpg"]
    assert sorted(die["value"] for die in found) == sorted(truth["values"])
    assert set(found[0]) == {"value", "colour", "x", "y", "size", "confidence"}
    assert overlay.exists()


def test_a_file_that_is_no_picture_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "dice.jpg").write_bytes(b"dice")
    assert main(["dice", str(tmp_path / "dice.jpg"), "--json"]) == 2
    assert "is not a picture" in capsys.readouterr().err


@with_photos
@pytest.mark.parametrize("rig", [1, 3])
def test_small_dice_in_a_zone_of_a_table_are_read_where_they_lie(rig: int) -> None:
    truth = json.loads((TABLES / f"rig{rig}" / "truth.json").read_text())["pictures"]["test_1"]["dice"]
    sight = locate(open_picture(TABLES / f"rig{rig}" / "test_1.jpg"), LAYOUT)
    seen = dice.read(sight, LAYOUT.zones["dice"], LAYOUT.pieces["die"])  # type: ignore[arg-type]
    right = 0
    for one in seen.found:
        nearest = min(truth, key=lambda die: np.hypot(die["x"] - one.x, die["y"] - one.y))
        assert one.label.endswith(f" {nearest['value']}")
        right += 1
    assert right >= 0.8 * len(truth)
