"""A photograph of a filled mat teaches every piece without typing labels."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import cv2
import numpy as np
import pytest

from companion.cli import main
from companion.kernel.views import Cells, View
from vision import layout as layouts
from vision.kit.kit import Kit, KitError, mat_pieces
from vision.kit.store import teach_mat
from vision.rendered import any_camera, picture, scene_of
from vision.sheets import mat_layout, mat_pages, mat_truth

TUMULT = Path(layouts.__file__).parents[1] / "companion" / "games" / "tumult_royale" / "layout.toml"
LAYOUT = layouts.load(TUMULT)


def photograph_of_a_filled_mat(page: int, without: str = "") -> np.ndarray:
    """Our stand-in pieces laid on a page, seen by a camera close above it."""
    pieces = mat_pieces(LAYOUT)
    mat = mat_layout(pieces, page)
    lies = {
        zone: {field: None if label == without else label for field, label in fields.items()}
        for zone, fields in mat_truth(pieces, page).items()
    }
    view = View({zone: Cells(fields) for zone, fields in lies.items()})
    rng = Random(page)
    return picture(mat, scene_of(mat, view, rng, table_top="white"), any_camera(rng, mat), "even", rng)


def test_one_photograph_of_each_mat_teaches_every_flat_piece(tmp_path: Path) -> None:
    kit = Kit(LAYOUT)
    for page in range(1, len(mat_pages(mat_pieces(LAYOUT))) + 1):
        photo = tmp_path / f"mat{page}.png"
        cv2.imwrite(str(photo), photograph_of_a_filled_mat(page))
        kit, gained = teach_mat(tmp_path / "kit", LAYOUT, photo)
        assert gained
    for family in ("goods", "field", "follower", "rank", "mercy"):
        assert set(kit.faces[family].bank().labels) == set(LAYOUT.pieces[family].labels), family


@pytest.mark.parametrize("what", [["--teach", "tumult_royale"], ["--table", "900x600"], ["--lens"]])
def test_sheets_are_printed_as_pdf_and_never_over_another_file(
    what: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "sheet.pdf"
    assert main(["markers", str(out), *what, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["pages"] >= 1
    before = out.read_bytes()
    assert before.startswith(b"%PDF")
    assert main(["markers", str(out), *what]) == 2
    assert out.read_bytes() == before


def test_an_empty_field_of_a_mat_is_refused_and_named(tmp_path: Path) -> None:
    photo = tmp_path / "mat.png"
    cv2.imwrite(str(photo), photograph_of_a_filled_mat(1, without="meadow"))
    with pytest.raises(KitError, match="the field of 'meadow' is empty"):
        teach_mat(tmp_path / "kit", LAYOUT, photo)
    assert not (tmp_path / "kit").exists()
