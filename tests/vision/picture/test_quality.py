"""The quality of light and lens, measured on the markers."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.cameras import Image
from vision.layout import Layout, from_data
from vision.picture.quality import BLURRED_MM, lens, light
from vision.plane.plane import Plane, from_markers

from ..test_watcher import LAYOUT, TABLE, photographed


@pytest.fixture(scope="module")
def plane() -> Plane:
    return from_markers(photographed(TABLE), LAYOUT)


def lit(image: Image, left: float, right: float) -> Image:
    """The picture in a light that falls off from one side to the other."""
    gains = np.linspace(left, right, image.shape[1])[None, :, None]
    return np.clip(image * gains, 0, 255).astype(np.uint8)


def test_a_good_light_is_good(plane: Plane) -> None:
    found = light(photographed(TABLE), plane, LAYOUT)
    assert found.what == "good"
    assert found.evenness > 0.7


@pytest.mark.parametrize(
    ("left", "right", "what"), [(0.25, 0.25, "dark"), (3.0, 3.0, "glare"), (1.0, 0.3, "uneven"), (0.3, 1.0, "uneven")]
)
def test_a_bad_light_is_named(plane: Plane, left: float, right: float, what: str) -> None:
    assert light(lit(photographed(TABLE), left, right), plane, LAYOUT).what == what


def test_a_sharp_lens_is_sharp_and_a_soft_one_is_not(plane: Plane) -> None:
    sharp = photographed(TABLE)
    edges = [lens(cv2.GaussianBlur(sharp, (0, 0), blur) if blur else sharp, plane, LAYOUT) for blur in (0, 1, 2)]
    assert edges[0].what == "sharp"
    widths = [edge.edge_mm or 0.0 for edge in edges]
    assert widths == sorted(widths), "more blur, wider edges"
    soft = lens(np.asarray(cv2.GaussianBlur(sharp, (0, 0), 3), np.uint8), plane, LAYOUT)
    assert soft.what == "blurred"
    assert soft.edge_mm is not None
    assert soft.edge_mm > BLURRED_MM


def test_a_lens_that_is_soft_on_one_side_is_soft(plane: Plane) -> None:
    image = photographed(TABLE).copy()
    image[:, 640:] = cv2.GaussianBlur(image, (0, 0), 3)[:, 640:]
    assert lens(image, plane, LAYOUT).what == "blurred"


def test_without_markers_nobody_can_tell(plane: Plane) -> None:
    none: Layout = from_data({"name": "bare", "area": {"width": 640, "height": 400}, "zones": {}}, "test")
    assert lens(photographed(TABLE), plane, none).what == "unknown"
    assert lens(np.full((720, 1280, 3), 90, np.uint8), plane, LAYOUT).what == "unknown"
