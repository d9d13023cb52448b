"""Shadows on the ground are ignored, hands are not."""

from __future__ import annotations

import numpy as np
import pytest

from vision.figures.grounds import brightness, unexplained
from vision.figures.windows import SIDE

GROUND = np.full((1, SIDE, SIDE, 3), (0.45, 0.55, 0.6), np.float32)
NOTHING = np.zeros((1, SIDE // 2, SIDE // 2), np.float32)


def test_a_window_in_the_shadow_of_an_arm_is_known_to_be_darker() -> None:
    assert brightness(GROUND * 0.6, GROUND)[0] == pytest.approx(0.6, abs=0.03)


def test_a_window_on_another_ground_is_not_taken_for_a_shaded_one() -> None:
    felt = np.full_like(GROUND, 0.3)
    felt[..., 1] = 0.6
    assert brightness(felt, GROUND)[0] == 1.0


def test_a_figures_shadow_is_explained_and_a_finger_is_not() -> None:
    shaded, touched = GROUND.copy(), GROUND.copy()
    shaded[:, 20:40, 20:40] *= 0.5
    touched[:, 24:36, :] = (0.35, 0.5, 0.85)
    assert unexplained(shaded, GROUND, NOTHING)[0] == 0
    assert unexplained(touched, GROUND, NOTHING)[0] > 100


def test_the_figure_itself_is_explained() -> None:
    stands = GROUND.copy()
    stands[:, 24:40, 26:38] = (0.8, 0.1, 0.1)
    figure = NOTHING.copy()
    figure[:, 12:20, 13:19] = 1
    assert unexplained(stands, GROUND, figure)[0] == 0
