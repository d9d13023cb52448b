"""Figures are shown once and told from then on, on whichever place they stand."""

from __future__ import annotations

import subprocess
import sys
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest

from tests.vision.figures.table import LABELS, LAYOUT, PLACES, places, seen, taught
from tests.work import cpu_seconds
from vision.figures import Figures, closeups
from vision.figures import places as figure_places
from vision.rendered import Hand


def any_table(seed: int) -> dict[str, str | None]:
    rng = Random(seed)
    return {place: rng.choice(LABELS) if rng.random() < 0.7 else None for place in PLACES}


@pytest.fixture(scope="module")
def figures() -> Figures:
    return taught()


def test_figures_shown_once_are_told_on_other_places(figures: Figures) -> None:
    right = wrong = total = 0
    for seed in range(10, 16):
        at = any_table(seed)
        for place, guess in figures.read(seen(at, seed), places()).items():
            total += 1
            right += guess.sure and guess.label == at[place]
            wrong += guess.sure and guess.label != at[place]
    assert right / total >= 0.9
    assert wrong <= 1


def test_only_doubtful_figures_are_looked_at_again(figures: Figures, monkeypatch: pytest.MonkeyPatch) -> None:
    looked: list[tuple[int, int]] = []
    directions = closeups.directions

    def counted(seen: Any, ground: Any, lean: Any, places: Any, side: float, looks: Any) -> Any:
        looked.append((len(seen), len(looks)))
        return directions(seen, ground, lean, places, side, looks)

    sights = [seen(any_table(seed), seed) for seed in (10, 11, 12)]
    figures.read(sights[0], {})
    monkeypatch.setattr(closeups, "directions", counted)
    for sight in sights:
        figures.read(sight, places())
    standing = sum(number for number, looks in looked if looks == 1)
    again = sum(number for number, looks in looked if looks > 1)
    assert again <= 0.3 * standing
    monkeypatch.setattr(figure_places, "DOUBTFUL", 2.0)
    looked.clear()
    figures.read(sights[0], places())
    assert sum(number for number, looks in looked if looks > 1) == looked[0][0]


def test_an_empty_table_is_read_as_empty(figures: Figures) -> None:
    read = figures.read(seen(dict.fromkeys(PLACES), 30), places())
    assert all(guess.label is None for guess in read.values() if guess.sure)
    assert sum(guess.sure for guess in read.values()) >= len(PLACES) - 1


def test_the_foot_of_a_figure_is_found_near_its_place(figures: Figures) -> None:
    at: dict[str, str | None] = {**dict.fromkeys(PLACES), "p1": "red_pawn", "p5": "blue_cube", "p8": "yellow_pawn"}
    read = figures.read(seen(at, 31), places())
    for place in ("p1", "p5", "p8"):
        x, y = places()[place].centre
        assert np.hypot(read[place].x - x, read[place].y - y) < 7


def test_what_a_hand_covers_is_not_guessed(figures: Figures) -> None:
    at = any_table(32)
    for place in ("p3", "p7"):
        read = figures.read(seen(at, 32, hands=(Hand("bottom", places()[place].centre),)), places())
        assert not read[place].sure


def test_a_figure_nobody_taught_is_not_given_another_ones_name(figures: Figures) -> None:
    """A green house where only pawns and cubes in other colours were shown."""
    at: dict[str, str | None] = {**dict.fromkeys(PLACES), "p2": "green_house", "p9": "green_meeple"}
    read = figures.read(seen(at, 33), places())
    assert not (read["p2"].sure and read["p9"].sure)


def test_untaught_figures_are_seen_but_not_named() -> None:
    read = Figures(LAYOUT.pieces["figure"]).read(seen({**dict.fromkeys(PLACES), "p2": "red_pawn"}, 34), places())
    assert not read["p2"].sure


def test_the_same_picture_is_always_read_the_same(figures: Figures) -> None:
    sight = seen(any_table(35), 35)
    assert figures.read(sight, places()) == figures.read(sight, places()) == taught().read(sight, places())


def test_no_places_are_read_at_once(figures: Figures) -> None:
    assert figures.read(seen(dict.fromkeys(PLACES), 36), {}) == {}


def test_reading_costs_about_as_much_as_finding_the_markers(figures: Figures) -> None:
    sight = seen(any_table(37), 37)
    grey = cv2.cvtColor(sight.image, cv2.COLOR_BGR2GRAY)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50))
    reading = cpu_seconds(lambda: figures.read(sight, places()))
    finding = cpu_seconds(lambda: detector.detectMarkers(grey))
    assert reading < 3 * finding


def test_reading_needs_nothing_of_the_training() -> None:
    check = "import sys, vision.figures; print(sorted(m for m in sys.modules if 'training' in m or m == 'torch'))"
    assert (
        subprocess.run([sys.executable, "-c", check], capture_output=True, text=True, check=True).stdout.strip() == "[]"
    )
