"""Tapped corners: used if markers are missing, replaced by markers, and never silently wrong."""

from __future__ import annotations

from functools import cache

import numpy as np

from vision.cameras.camera import Frame, Image

from .test_tracker import (
    BY_HAND,
    LAYOUT,
    SIZE,
    Evening,
    camera,
    corners,
    photographed,
)


@cache
def bare(dx: float = 0.0, dy: float = 0.0) -> Image:
    """The table with a book on every marker."""
    image = photographed(dx, dy).copy()
    view = camera(dx, dy)
    assert LAYOUT.markers is not None
    for number, (x, y) in enumerate(LAYOUT.markers.at.values()):
        u, v, w = view @ np.array([x * 2, y * 2, 1.0])
        left, top = round(u / w), round(v / w)
        image[max(0, top - 90) : top + 90, max(0, left - 90) : left + 90] = (60 + 30 * number, 90, 120)
        # Pages have edges, which is what a rig is held by that has no markers.
        image[max(0, top - 60) : top - 30, max(0, left - 60) : left + 20] = (200, 210, 30 * number)
    return np.asarray(image, np.uint8)


TAPS = [(x / SIZE[0], y / SIZE[1]) for x, y in corners(camera())]


def small(image: Image) -> Frame:
    return Frame(image, 0.0, 0).shrunk()


def test_without_markers_the_table_is_lost_until_somebody_taps_its_corners() -> None:
    evening = Evening()
    assert evening.stays(bare(), 3.0)[-1].state == "lost"
    evening.watch.use_corners(TAPS)
    assert evening.stays(bare(), 0.5)[-1].state == "locked"
    assert evening.watch.by_hand
    assert evening.misses_by(camera()) < 3.0
    assert {state.state for state in evening.stays(bare(), 30.0)} == {"locked"}, "looking for markers changes nothing"


def test_a_table_that_has_no_markers_at_all_is_tapped_too() -> None:
    evening = Evening(BY_HAND)
    evening.stays(bare(), 1.0)
    evening.watch.use_corners(TAPS)
    assert evening.stays(bare(), 0.5)[-1].state == "locked"
    evening.fulls = 0
    evening.stays(bare(), 5.0)
    assert evening.fulls == 0


def test_markers_are_more_exact_than_fingers() -> None:
    evening = Evening()
    evening.watch.use_corners(TAPS)
    evening.stays(bare(), 1.0)
    assert evening.watch.by_hand
    seen = evening.stays(photographed(), 25.0)
    assert (seen[-1].state, seen[-1].markers) == ("locked", 4)
    assert evening.misses_by(camera()) < 1.0


def test_while_markers_are_seen_taps_change_nothing() -> None:
    evening = Evening()
    evening.stays(photographed(), 1.0)
    evening.watch.use_corners([(x * 0.9, y) for x, y in TAPS])
    assert {state.markers for state in evening.stays(photographed(), 2.0)} == {4}
    assert evening.misses_by(camera()) < 1.0


def test_a_bumped_rig_is_noticed_and_the_taps_are_worth_nothing_any_more() -> None:
    evening = Evening()
    evening.watch.use_corners(TAPS)
    evening.stays(bare(), 1.0)
    seen = evening.stays(bare(25, 18), 5.0)
    assert (seen[-1].state, seen[-1].why) == ("lost", "moved")
    assert evening.stays(photographed(25, 18), 3.0)[-1].markers == 4, "markers help"


def test_taps_of_yesterday_count_after_a_restart_if_the_camera_hangs_where_it_hung() -> None:
    evening = Evening()
    evening.watch.use_corners(TAPS, small(bare()))
    seen = evening.stays(bare(), 4.0)
    assert seen[10].state == "lost", "markers get their chance first"
    assert seen[-1].state == "locked"


def test_taps_of_yesterday_do_not_count_for_a_camera_that_hangs_elsewhere() -> None:
    evening = Evening()
    evening.watch.use_corners(TAPS, small(bare()))
    seen = evening.stays(bare(25, 18), 6.0)
    assert (seen[-1].state, seen[-1].why) == ("lost", "moved")


def test_going_back_to_the_markers_forgets_the_taps() -> None:
    evening = Evening()
    evening.watch.use_corners(TAPS)
    evening.stays(bare(), 1.0)
    evening.watch.use_corners(())
    assert evening.stays(bare(), 4.0)[-1].state == "lost"
    assert evening.stays(photographed(), 1.0)[-1].markers == 4


def test_corners_that_make_no_table_are_not_used() -> None:
    evening = Evening()
    evening.watch.use_corners([TAPS[0], TAPS[2], TAPS[1], TAPS[3]])
    assert evening.stays(bare(), 2.0)[-1].state == "lost"
