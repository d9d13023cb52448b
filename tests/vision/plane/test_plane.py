"""Where the table is in a picture: millimetres to pixels and back, from markers or from four corners."""

from __future__ import annotations

from random import Random

import cv2
import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.kernel.views import View
from vision.layout import Box, Layout
from vision.picture.table_picture import look_at
from vision.plane.plane import (
    NoPlane,
    Plane,
    find_markers,
    find_near,
    from_corners,
    from_markers,
)
from vision.rendered import Camera, any_camera, picture, scene_of

from ..bench_table import LAYOUT


def empty_table(camera: Camera, light: str = "even", seed: int = 1, layout: Layout = LAYOUT) -> np.ndarray:
    rng = Random(seed)
    return picture(layout, scene_of(layout, View({}), rng), camera, light, rng)


def true_plane(camera: Camera) -> Plane:
    return camera.plane(LAYOUT.area, (1920, 1080))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_markers_locate_every_point_of_the_table_within_a_millimetre(seed: int) -> None:
    camera = any_camera(Random(seed), LAYOUT)
    found = from_markers(empty_table(camera, seed=seed), LAYOUT)
    assert found.markers == 4
    assert found.error_mm < 0.3
    points = [(x, y) for x in (50, 450, 850) for y in (50, 300, 550)]
    assert np.abs(found.to_pixels(points) - true_plane(camera).to_pixels(points)).max() < 1.5


def test_the_top_of_a_pawn_is_seen_where_the_camera_sees_it() -> None:
    camera = Camera(height_mm=1100, tilt_degrees=12, tilt_direction=30, hfov=64, k1=-0.02, roll=1.0)
    found = from_markers(empty_table(camera), LAYOUT)
    seen = found.to_pixels([(800, 100)], height=24.0)
    assert np.abs(seen - true_plane(camera).to_pixels([(800, 100)], height=24.0)).max() < 2.0


@given(st.floats(20, 880), st.floats(20, 580), st.floats(0, 40))
@settings(max_examples=50, deadline=None)
def test_there_and_back_again(x: float, y: float, height: float) -> None:
    plane = true_plane(Camera(height_mm=1100, tilt_degrees=9, tilt_direction=200, hfov=62, k1=-0.03, roll=0.0))
    assert np.abs(plane.to_table(plane.to_pixels([(x, y)], height), height) - (x, y)).max() < 0.05


def test_with_a_marker_hidden_the_plane_still_holds() -> None:
    camera = Camera(height_mm=1100, tilt_degrees=8, tilt_direction=100, hfov=64, k1=-0.02, roll=0.0)
    image = empty_table(camera)
    whole = from_markers(image, LAYOUT)
    x, y = whole.to_pixels([(860, 40)])[0].astype(int)
    cv2.circle(image, (int(x), int(y)), 90, (90, 120, 180), -1)
    held = from_markers(image, LAYOUT, known=whole)
    assert held.markers == 3
    points = [(100, 100), (800, 500), (800, 100)]
    assert np.abs(held.to_pixels(points) - whole.to_pixels(points)).max() < 2.0


def test_a_picture_without_markers_says_which_are_missing() -> None:
    with pytest.raises(NoPlane, match="0, 1, 2, 3 only none"):
        from_markers(np.full((1080, 1920, 3), 90, np.uint8), LAYOUT)


def test_four_corners_by_hand_locate_the_table() -> None:
    camera = Camera(height_mm=1150, tilt_degrees=5, tilt_direction=0, hfov=64, k1=0.0, roll=0.0)
    truth = true_plane(camera)
    corners = truth.to_pixels([(0, 0), (900, 0), (900, 600), (0, 600)])
    plane = from_corners([(float(x), float(y)) for x, y in corners], LAYOUT, (1920, 1080))
    points = [(200, 150), (450, 300), (800, 500)]
    assert np.abs(plane.to_pixels(points) - truth.to_pixels(points)).max() < 2.0


def test_corners_that_cross_are_refused() -> None:
    with pytest.raises(NoPlane, match="clockwise"):
        from_corners([(0, 0), (900, 600), (900, 0), (0, 600)], LAYOUT, (1920, 1080))


def test_a_patch_shows_its_box_from_straight_above() -> None:
    camera = Camera(height_mm=1100, tilt_degrees=10, tilt_direction=45, hfov=64, k1=-0.02, roll=2.0)
    image = empty_table(camera)
    plane = from_markers(image, LAYOUT)
    marker = plane.patch(image, Box((40, 40), (80, 80)), 4.0)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    corners, ids, _ = detector.detectMarkers(marker)
    assert ids.ravel().tolist() == [0]
    sides = np.linalg.norm(np.roll(corners[0][0], -1, 0) - corners[0][0], axis=1)
    assert sides == pytest.approx([240] * 4, abs=5)


def test_a_table_seen_exactly_square_is_located_by_its_corners_too() -> None:
    corners = [(210.0, 40.0), (1710.0, 40.0), (1710.0, 1040.0), (210.0, 1040.0)]
    plane = from_corners(corners, LAYOUT, (1920, 1080))
    width, height = LAYOUT.area.width, LAYOUT.area.height
    seen = plane.to_pixels([(0, 0), (width, 0), (width, height), (0, height)])
    assert np.abs(seen - corners).max() < 0.1


def test_a_known_plane_is_kept_while_every_marker_is_in_its_place_and_found_anew_when_one_is_not() -> None:
    camera = any_camera(Random(4), LAYOUT)
    known = from_markers(empty_table(camera, seed=4), LAYOUT)
    assert from_markers(empty_table(camera, seed=5), LAYOUT, known) is known
    bumped = msgspec.structs.replace(camera, roll=camera.roll + 0.2)
    assert from_markers(empty_table(bumped, seed=6), LAYOUT, known) is not known


def test_what_lies_on_a_marker_is_not_taken_for_white_paper() -> None:
    camera = any_camera(Random(4), LAYOUT)
    image = empty_table(camera, seed=4)
    plane = from_markers(image, LAYOUT)
    middle = np.array([[LAYOUT.area.width / 2, LAYOUT.area.height / 2]])
    clean = look_at(image, plane, LAYOUT).whites(middle)
    x, y = plane.to_pixels([LAYOUT.markers.at["0"]])[0]  # type: ignore[union-attr]
    cv2.circle(image, (round(x), round(y)), 90, (40, 40, 160), -1)
    assert np.abs(look_at(image, plane, LAYOUT).whites(middle) / clean - 1).max() < 0.1


def test_markers_are_found_again_where_they_were_and_nowhere_else() -> None:
    camera = Camera(tilt_degrees=9, tilt_direction=40, roll=1.0)
    image, plane = empty_table(camera), true_plane(camera)
    assert LAYOUT.markers is not None
    anywhere, near = find_markers(image, LAYOUT.markers, quick=False), find_near(image, LAYOUT.markers, plane)
    assert near.keys() == anywhere.keys() == LAYOUT.markers.at.keys()
    for name, corners in near.items():
        assert np.abs(corners - anywhere[name]).max() < 0.1
    pushed = np.roll(image, 200, axis=1)
    assert not find_near(pushed, LAYOUT.markers, plane)


def _moved(layout: Layout, name: str, point: tuple[float, float]) -> Layout:
    assert layout.markers is not None
    at = {**layout.markers.at, name: point}
    return msgspec.structs.replace(layout, markers=msgspec.structs.replace(layout.markers, at=at))


def test_a_marker_that_lies_elsewhere_is_named_with_the_error_in_millimetres() -> None:
    image = empty_table(any_camera(Random(4), LAYOUT))
    with pytest.raises(NoPlane, match=r"they are \d+\.\d mm off on average; marker 2 lies elsewhere"):
        from_markers(image, _moved(LAYOUT, "2", (840.0, 560.0)))


def test_markers_that_changed_places_are_refused() -> None:
    assert LAYOUT.markers is not None
    at = LAYOUT.markers.at
    image = empty_table(any_camera(Random(4), LAYOUT))
    with pytest.raises(NoPlane, match=r"at least one of 0, 1, 2, 3 lies elsewhere"):
        from_markers(image, _moved(_moved(LAYOUT, "0", at["1"]), "1", at["0"]))


CORNERS = [(0.0, 0.0), (900.0, 0.0), (900.0, 600.0), (0.0, 600.0)]


@pytest.mark.parametrize("order", [(1, 2, 3, 0), (0, 3, 2, 1), (1, 0, 2, 3)], ids=["turned", "mirrored", "swapped"])
def test_corners_in_another_order_are_refused(order: tuple[int, ...]) -> None:
    corners = true_plane(any_camera(Random(5), LAYOUT)).to_pixels(CORNERS)
    with pytest.raises(NoPlane, match="clockwise from the top left"):
        from_corners([corners[number] for number in order], LAYOUT, (1920, 1080))


def test_a_corner_that_lies_far_off_is_refused_with_the_error_in_millimetres() -> None:
    corners = true_plane(any_camera(Random(5), LAYOUT)).to_pixels(CORNERS)
    corners[0] += (300, 0)
    with pytest.raises(NoPlane, match=r"they are \d+ mm off on average"):
        from_corners(corners, LAYOUT, (1920, 1080))


def test_corners_in_a_stretched_picture_are_taken() -> None:
    corners = true_plane(any_camera(Random(5), LAYOUT)).to_pixels(CORNERS) * (0.7, 1.0)
    plane = from_corners(corners, LAYOUT, (1344, 1080))
    assert np.abs(plane.to_table(corners) - CORNERS).max() < 10
