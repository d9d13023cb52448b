"""The pictures the network learns from can be made again, and show what their truth says."""

from __future__ import annotations

import numpy as np

from vision.figures.areas import CELL, SCALE
from vision.figures.training.areas import FIRST, MILLIMETRES, area
from vision.figures.training.scenes import COVER, FIGURE, Episode
from vision.figures.training.solids import KINDS, Shape


def test_the_same_seed_gives_the_same_pictures() -> None:
    one, other = Episode(5), Episode(5)
    for which in (0, 3, None):
        a, b = one.sample(which), other.sample(which)
        assert np.array_equal(a.seen, b.seen)
        assert np.array_equal(a.mask, b.mask)


def test_every_kind_of_figure_can_be_cut_and_stands_on_the_table() -> None:
    for kind in KINDS:
        for whim in range(5):
            shape = Shape(kind, 14, 12, 18, whim)
            points = np.concatenate(shape.facets().polygons)
            assert points[:, 2].min() >= -0.01
            assert points[:, 2].max() <= 18.01
            assert np.isfinite(points).all()


def test_the_mask_shows_figures_and_hands_only_where_there_are_any() -> None:
    rig = Episode(8)
    assert (rig.sample(0).mask == FIGURE).sum() > 10
    assert not rig.sample(None).mask.any()
    assert any((rig.sample(0, hand=True).mask == COVER).any() for _ in range(6))


def test_the_same_seed_gives_the_same_area() -> None:
    one, other = area(3), area(3)
    assert np.array_equal(one.seen, other.seen)
    assert np.array_equal(one.feet, other.feet)


def test_feet_lie_among_the_cells_of_their_figures() -> None:
    """Of figures in the open, far from the area's edge; thin ones may show the ground there."""
    checked = near = 0
    for seed in range(12):
        sample = area(seed)
        for number, x, y, share in sample.feet:
            if share > 0.9 and max(abs(x), abs(y)) < MILLIMETRES / 2 - 8:
                column, row = (int((value + MILLIMETRES / 2) * SCALE / CELL) for value in (x, y))
                checked += 1
                near += int((sample.cells[row - 1 : row + 2, column - 1 : column + 2] == number).any())
        assert set(sample.cells[sample.cells >= FIRST]) <= set(sample.feet[:, 0].astype(int))
    assert checked > 10
    assert near >= 0.95 * checked
