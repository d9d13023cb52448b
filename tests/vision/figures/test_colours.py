"""Colours of figures that are named by their shape."""

from __future__ import annotations

import numpy as np
import pytest

from vision.figures.colours import Colours
from vision.figures.finder import Found

# As seen on a table with the lamp at one side, where roofs shone and columns stood in the shade (Lab).
TAUGHT = {
    "red house": (40.1, 57.3, 35.8),
    "red pillar": (30.3, 45.9, 27.4),
    "orange pillar": (47.4, 29.2, 48.9),
    "white pillar": (90.0, 1.0, 4.0),
    "black pillar": (12.0, 0.5, 1.0),
}


def seen(colour: tuple[float, float, float]) -> Found:
    return Found((0.0, 0.0), 0.8, 81.0, np.array(colour, np.float32), False, False)


COLOURS = Colours(list(TAUGHT), [seen(colour) for colour in TAUGHT.values()])


def has(label: str, colour: tuple[float, float, float]) -> bool:
    return COLOURS.has(label, COLOURS.apart(np.array([colour], np.float32))[0])


def test_a_dark_red_house_may_be_as_red_as_the_pillars_are() -> None:
    assert has("red house", (27.0, 42.0, 25.0))


@pytest.mark.parametrize("label", ["orange pillar", "white pillar", "black pillar"])
def test_a_red_figure_is_none_of_another_paint(label: str) -> None:
    assert not has(label, TAUGHT["red pillar"])


def test_without_a_tint_white_is_not_painted_like_black() -> None:
    assert not has("white pillar", TAUGHT["black pillar"])
