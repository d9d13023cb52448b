"""An empty place shows its print, even in a shadow, but not under a palm of the same colour."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.figures.areas import CELL, SCALE, View, colours_of, leans
from vision.figures.finder import Seen
from vision.layout import Box, Piece

SIDE = 96
AREA = Box((0.0, 0.0), (SIDE / SCALE, SIDE / SCALE))
PLACE = Box((0.0, 0.0), (24.0, 24.0))
CREAM = (0.62, 0.72, 0.78)
Picture = NDArray[np.float32]


def printed() -> Picture:
    """A cream place with a dark frame and a notch, on a red board."""
    ground = np.full((SIDE, SIDE, 3), (0.3, 0.3, 0.7), np.float32)
    ground[30:66, 30:66] = (0.35, 0.45, 0.5)
    ground[34:62, 34:62] = CREAM
    ground[56:62, 46:50] = (0.35, 0.45, 0.5)
    return ground


def plain() -> Picture:
    return np.full((SIDE, SIDE, 3), CREAM, np.float32)


def vanished(seen: Picture, ground: Picture) -> bool:
    known = np.ones((SIDE // CELL, SIDE // CELL), bool)
    noise = np.random.default_rng(3).normal(0, 0.01, seen.shape).astype(np.float32)
    lean = leans((0.0, 0.0, 1000.0), known, AREA.at(0, 0), 0.0, SCALE)
    view = View(AREA, SCALE, seen + noise, ground, known, lean, colours_of(seen), ~known)
    return Seen(view, (), np.zeros(known.shape, np.int32), Piece((16.0, 16.0), 18.0)).vanished(PLACE)


def in_half_a_shadow(ground: Picture) -> Picture:
    shaded = ground.copy()
    shaded[:, :44] *= 0.4
    return shaded


@pytest.mark.parametrize(
    "seen",
    [printed(), 0.35 * printed(), in_half_a_shadow(printed()), np.roll(printed(), (1, -2), (0, 1))],
    ids=["as it was", "in a deep shadow", "half in a shadow", "not quite where it was"],
)
def test_an_empty_place_shows_its_print(seen: Picture) -> None:
    assert not vanished(seen, printed())


@pytest.mark.parametrize("bright", [0.3, 0.7, 1.0, 1.1])
def test_a_palm_of_whatever_colour_hides_it(bright: float) -> None:
    assert vanished(bright * plain(), printed())


def test_a_palm_over_one_quarter_is_enough() -> None:
    seen = printed()
    seen[:48, :48] = CREAM
    assert vanished(seen, printed())


def test_plain_ground_says_nothing() -> None:
    assert not vanished(0.5 * plain(), plain())
