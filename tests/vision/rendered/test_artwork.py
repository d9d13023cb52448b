"""Stand-in artwork: every label has a face, and no two labels look alike."""

from __future__ import annotations

import string
from itertools import combinations

import numpy as np
import pytest

from companion.games.tumult_royale.box import KINDS, TILES
from vision.rendered.artwork import VARIANTS, face
from vision.rendered.solids import SHAPES, figure

FACES = {
    "goods": (*TILES, "back"),
    "field": (*KINDS, "back"),
    "rank": ("rank1", "rank2", "rank3", "rank4"),
    "mercy": ("mercy", "no_mercy"),
    "follower": ("follower1", "follower5", "follower10"),
    "letter": tuple(string.ascii_uppercase + "ÄÖÜ"),
    "permit": ("A points4 gold3", "B cards3 assistants1", "AB gold3 cards1", "O cards3 nobility1", "used"),
    "token": ("gold1", "gold3", "points3", "assistants1_gold1", "assistants1_cards1", "nobility1"),
    "card": ("card white", "card purple", "card turquoise", "card joker"),
    "assistant": ("assistant1", "assistant3"),
    "undrawn": ("reward 25", "reward 7", "sheep", "wheat", "ore", "brick", "wood pile", "old_mill", "Ω"),
}


@pytest.mark.parametrize("family", FACES)
def test_no_two_faces_of_a_family_look_alike(family: str) -> None:
    drawn = {label: face(label, family, (25.0, 25.0), 3.0).astype(np.float32) for label in FACES[family]}
    for one, other in combinations(drawn, 2):
        assert np.abs(drawn[one] - drawn[other]).mean() > 2, f"{one} and {other} look alike"


def test_a_face_is_as_large_as_its_piece() -> None:
    assert face("rank1", "rank", (44.0, 66.0), 2.5).shape == (165, 110, 3)


def test_woods_on_a_board_are_not_all_the_same_wood() -> None:
    one, other = (face("forest", "field", (28.0, 28.0), 3.0, variant) for variant in (0, 1))
    assert not np.array_equal(one, other)
    assert np.array_equal(one, face("forest", "field", (28.0, 28.0), 3.0, VARIANTS))


@pytest.mark.parametrize("shape", SHAPES)
def test_a_figure_stands_on_the_table_and_is_as_high_as_it_should_be(shape: str) -> None:
    solid = figure(shape, 16.0, 16.0, 20.0, 6)
    assert solid.points[:, 2].min() == 0
    assert solid.points[:, 2].max() == pytest.approx(20.0, abs=1.5)
    assert np.abs(solid.points[:, :2]).max() <= 8.01
