"""Photographs of the ChArUco sheet determine the lens that took them."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest

from vision.plane.lens import (
    MARKER_MM,
    SQUARE_MM,
    SQUARES,
    Image,
    Lens,
    LensError,
    board,
    calibrate,
    load,
    save,
)

SIZE = (960, 540)
FOCAL = 750.0
K1 = -0.12


@cache
def photographs() -> tuple[Image, ...]:
    """The sheet seen from eight sides through a lens that bends lines."""
    per_mm = 6
    flat = board().generateImage((SQUARES[0] * 25 * per_mm, SQUARES[1] * 25 * per_mm))
    matrix = np.array([[FOCAL, 0, SIZE[0] / 2], [0, FOCAL, SIZE[1] / 2], [0, 0, 1.0]])
    down, right = np.mgrid[0 : SIZE[1], 0 : SIZE[0]].astype(np.float32)
    bent = np.column_stack([right.ravel(), down.ravel()]).reshape(-1, 1, 2)
    rays = cv2.undistortPoints(bent, matrix, np.array([K1, 0, 0, 0.0])).reshape(-1, 2)
    taken = []
    sides = [
        (0.0, 0.0, 0.0),
        (0.4, 0, 0.2),
        (-0.4, 0.1, 0),
        (0, 0.45, 0.5),
        (0.1, -0.45, 0),
        (0.3, 0.3, 1.2),
        (-0.3, 0.3, 0),
    ]
    for number, side in enumerate(sides):
        rotation, _ = cv2.Rodrigues(np.array(side))
        middle = np.array([SQUARES[0] * SQUARE_MM / 2, SQUARES[1] * SQUARE_MM / 2, 0])
        shift = np.array([(number % 3 - 1) * 30.0, 0, 330.0]) - rotation @ middle
        homography = np.linalg.inv(np.column_stack([rotation[:, 0], rotation[:, 1], shift]))
        lying = np.column_stack([rays, np.ones(len(rays))]) @ homography.T
        where = (lying[:, :2] / lying[:, 2:] * per_mm).astype(np.float32).reshape(SIZE[1], SIZE[0], 2)
        seen = cv2.remap(flat, where[..., 0], where[..., 1], cv2.INTER_LINEAR, borderValue=255)
        noisy = cv2.GaussianBlur(seen, (3, 3), 0) + np.random.default_rng(number).normal(0, 2, seen.shape)
        taken.append(np.asarray(np.clip(noisy, 0, 255), np.uint8))
    return tuple(taken)


def test_the_lens_that_took_the_pictures_is_found() -> None:
    lens = calibrate(photographs())
    assert lens.matrix[0, 0] == pytest.approx(FOCAL, rel=0.01)
    assert lens.dist[0] == pytest.approx(K1, abs=0.02)
    assert lens.error_px < 0.5
    assert lens.pictures == 7
    assert lens.size == SIZE


def test_a_kept_lens_comes_back_the_same(tmp_path: Path) -> None:
    lens = calibrate(photographs()[:5])
    save(lens, tmp_path / "lens.json")
    again = load(tmp_path / "lens.json")
    assert np.array_equal(again.matrix, lens.matrix)
    assert np.array_equal(again.dist, lens.dist)
    assert (again.size, again.error_px, again.pictures) == (lens.size, lens.error_px, lens.pictures)


def test_a_lens_fits_larger_pictures_of_the_same_shape_only() -> None:
    lens = Lens(np.diag([FOCAL, FOCAL, 1.0]), np.zeros(5), SIZE, 0.2, 7)
    assert lens.known((1920, 1080)).matrix[0, 0] == pytest.approx(1500)
    with pytest.raises(LensError, match="another shape of picture"):
        lens.at((1440, 1080))


def test_pictures_that_cannot_give_a_lens_are_answered_with_a_sentence() -> None:
    blank = np.full((540, 960), 255, np.uint8)
    with pytest.raises(LensError, match="Only 2 of 5 pictures"):
        calibrate([*photographs()[:2], blank, blank, blank])
    with pytest.raises(LensError, match="differ in size"):
        calibrate([photographs()[0], np.asarray(cv2.resize(photographs()[1], (640, 360)), np.uint8)])
    with pytest.raises(LensError, match="Only 0 of 0"):
        calibrate([])


@pytest.mark.parametrize(
    "content", ["", "{}", "[1, 2]", '{"matrix": [[1]], "dist": [0], "size": [1, 1], "error_px": 0, "pictures": 1}']
)
def test_a_file_that_holds_no_lens_is_answered_with_a_sentence(tmp_path: Path, content: str) -> None:
    path = tmp_path / "lens.json"
    path.write_text(content)
    with pytest.raises(LensError, match="does not hold a lens"):
        load(path)
    with pytest.raises(LensError, match="cannot be read"):
        load(tmp_path / "nowhere.json")
    with pytest.raises(LensError, match="cannot be kept"):
        save(Lens(np.eye(3), np.zeros(5), SIZE, 0.0, 4), path / "lens.json")


def test_the_sheet_has_room_for_a_marker_in_every_white_square() -> None:
    assert MARKER_MM < SQUARE_MM
    assert len(board().getIds()) == SQUARES[0] * SQUARES[1] // 2
