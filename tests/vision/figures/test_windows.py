"""In its window every figure leans straight up, for any position of the camera."""

from __future__ import annotations

import numpy as np
import pytest

from vision.figures.windows import SIDE, window
from vision.plane.plane import Plane


def camera_at(x: float, y: float, height: float) -> Plane:
    """A camera that looks straight down from above that table point."""
    return Plane(
        matrix=np.array([[1500.0, 0, 960], [0, 1500, 540], [0, 0, 1]]),
        lens=np.zeros(4),
        turn=np.zeros(3),
        shift=np.array([-x, -y, height]),
        size=(1920, 1080),
        error_mm=0.0,
        markers=4,
    )


@pytest.mark.parametrize("place", [(100.0, 100.0), (700.0, 80.0), (450.0, 500.0), (60.0, 560.0)])
def test_a_head_appears_straight_above_its_foot(place: tuple[float, float]) -> None:
    plane = camera_at(420.0, 310.0, 1100.0)
    through = window(plane, place)
    foot, head = plane.to_table(plane.to_pixels([place], 0.0))[0], plane.to_table(plane.to_pixels([place], 24.0))[0]
    up = np.asarray(through.to_table(SIDE / 2, 0)) - np.asarray(through.to_table(SIDE / 2, SIDE))
    lean = head - foot
    assert (up[0] * lean[1] - up[1] * lean[0]) / np.linalg.norm(up) == pytest.approx(0, abs=0.05)
    assert lean @ up / np.linalg.norm(up) == pytest.approx(24 * through.lean, rel=0.05)


def test_right_below_the_camera_nothing_leans() -> None:
    assert window(camera_at(420, 310, 1100), (420.0, 310.0)).lean == pytest.approx(0, abs=1e-6)


def test_a_large_piece_is_given_a_larger_window() -> None:
    plane = camera_at(0, 0, 1000)
    assert window(plane, (100.0, 0.0), 1.5).side == pytest.approx(1.5 * window(plane, (100.0, 0.0)).side)
