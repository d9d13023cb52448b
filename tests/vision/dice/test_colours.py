"""The words for dice colours, under white and under coloured light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.dice.colours import body_colour

BODIES = {
    "white": (240, 240, 240), "black": (25, 25, 25), "red": (30, 25, 190), "blue": (190, 80, 25),
    "green": (50, 130, 20), "yellow": (40, 215, 240), "orange": (30, 130, 235), "purple": (140, 40, 105),
    "pink": (170, 130, 240), "grey": (120, 120, 120), "brown": (30, 60, 95),
}  # fmt: skip


def _table(bgr: tuple[int, int, int], pips: int = 5) -> np.ndarray:
    """A die from straight above on a table with a white sheet."""
    image = np.full((200, 200, 3), (90, 120, 150), np.uint8)
    cv2.rectangle(image, (0, 0), (200, 40), (250, 250, 250), -1)
    cv2.rectangle(image, (70, 70), (130, 130), bgr, -1)
    pip = (20, 20, 20) if sum(bgr) > 300 else (240, 240, 240)
    for x, y in [(85, 85), (115, 115), (85, 115), (115, 85), (100, 100)][:pips]:
        cv2.circle(image, (x, y), 6, pip, -1)
    return image


@pytest.mark.parametrize("word", BODIES)
def test_a_body_is_called_what_people_call_it(word: str) -> None:
    assert body_colour(_table(BODIES[word]), 100, 100, 60) == word


@pytest.mark.parametrize("light", [(0.72, 0.9, 1.0), (1.0, 0.9, 0.78), (0.45, 0.5, 0.5)], ids=["warm", "cold", "dim"])
@pytest.mark.parametrize("word", ["white", "black", "red", "blue", "green", "orange"])
def test_the_lamp_does_not_change_the_word(word: str, light: tuple[float, float, float]) -> None:
    image = (_table(BODIES[word]) * np.array(light)).astype(np.uint8)
    seen = body_colour(image, 100, 100, 60)
    assert ("white" if seen == "ivory" else seen) == word


def test_a_box_that_knows_its_dice_gets_its_own_words() -> None:
    words = ("white", "light_grey", "dark_grey")
    assert body_colour(_table((175, 175, 175)), 100, 100, 60, words=words) == "light_grey"
    assert body_colour(_table((70, 72, 75)), 100, 100, 60, words=words) == "dark_grey"


def test_a_die_outside_the_picture_still_gets_some_word() -> None:
    assert body_colour(_table((240, 240, 240)), -500, -500, 10)
