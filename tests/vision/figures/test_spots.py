"""Colour that is not part of a face shows which figures stand on it, and how many."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.figures.spots import Shown, Spots
from vision.picture.background import lab

BLUE, GREY, GREEN = (0.75, 0.3, 0.1), (0.45, 0.45, 0.45), (0.3, 0.7, 0.4)
SIDE, WIDE = 24, 7
Paint = tuple[float, float, float]


def face(*figures: tuple[int, int, Paint]) -> tuple[NDArray[np.float32], NDArray[np.float32], float]:
    """A green face with figures on it: its picture, its deviation from the print, and the hidden share."""
    seen = np.full((SIDE, SIDE, 3), GREEN, np.float32)
    unlike = np.zeros((SIDE, SIDE), np.float32)
    for x, y, paint in figures:
        seen[y : y + WIDE, x : x + WIDE] = paint
        unlike[y : y + WIDE + 2, x : x + WIDE + 2] = 1.0  # its shadow too
    return seen, unlike, float(unlike.sum())


@pytest.fixture(scope="module")
def spots() -> Spots:
    made = Spots({name: lab(np.array([[paint]], np.float32))[0] for name, paint in (("blue", BLUE), ("grey", GREY))})
    for name, paint in (("blue", BLUE), ("grey", GREY)):
        assert not made.taught
        made.learn(name, *face((8, 8, paint)), lean=0.2)
    return made


def look(spots: Spots, *figures: tuple[int, int, Paint]) -> Shown:
    return spots.look(*face(*figures), lean=0.2)


def test_a_single_figure_is_one(spots: Spots) -> None:
    assert spots.taught
    shown = look(spots, (3, 11, BLUE))
    assert shown.labels() == ["blue"]
    assert shown.told("blue", most=3, weak=False) == 1


@pytest.mark.parametrize(("number", "places"), [(2, [(2, 8), (11, 9)]), (3, [(1, 1), (13, 2), (8, 13)])])
def test_several_show_and_hide_as_much_more(spots: Spots, number: int, places: list[tuple[int, int]]) -> None:
    shown = look(spots, *((x, y, BLUE) for x, y in places))
    assert shown.told("blue", most=3, weak=False) == number
    assert not shown.fits("blue", number - 1, weak=False)
    assert shown.told("blue", most=number - 1, weak=False) == 0


def test_of_more_than_it_knows_nothing_is_said(spots: Spots) -> None:
    shown = look(spots, (0, 0, BLUE), (12, 0, BLUE), (0, 12, BLUE), (12, 12, BLUE))
    assert not any(shown.fits("blue", number, weak=False) for number in (1, 2, 4))
    assert shown.told("blue", most=0, weak=False) == shown.told("blue", most=4, weak=False) == 0


def test_an_empty_face_shows_no_colour(spots: Spots) -> None:
    assert look(spots).labels() == []


def test_what_is_printed_there_does_not_count(spots: Spots) -> None:
    seen, unlike, _ = face((8, 8, BLUE))
    assert spots.look(seen, np.zeros_like(unlike), 0.0, 0.2).labels() == []


def test_grey_is_weak_for_stones_are_grey_too(spots: Spots) -> None:
    assert spots.weak == {"grey"}
    seen, unlike, _ = face((8, 8, GREY))
    on_stones = spots.look(seen, unlike, 5.0, 0.2)
    assert on_stones.fits("grey", 1, weak=True)
    assert on_stones.told("grey", most=3, weak=True) == 0
    seen, unlike, _ = face((0, 0, GREY), (12, 0, GREY), (6, 12, GREY))
    assert spots.look(seen, unlike, 20.0, 0.2).told("grey", most=3, weak=True) == 3
