"""The preview of the camera's picture: kept by the watcher on request, cut, and made small."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.cameras import Image
from vision.kit.kit import Kit
from vision.picture.preview import WHOLE_WIDTH, cut_out, part, tapped, whole
from vision.table_reader import TableReader
from vision.watcher import SHOWS_EVERY

from ..test_watcher import LAYOUT, TABLE, Evening, photographed, view


@pytest.fixture
def evening() -> Evening:
    evening = Evening()
    evening.shows(photographed(TABLE), 4.0)
    return evening


def opened(jpeg: bytes) -> Image:
    image = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert image is not None
    return np.asarray(image, np.uint8)


def test_an_idle_table_takes_full_pictures_only_while_somebody_looks(evening: Evening) -> None:
    assert evening.watcher.shown is not None
    before = evening.watcher.shown
    evening.shows(photographed(TABLE), 2.0)
    assert evening.watcher.shown is before
    seen = set()
    for _ in range(40):
        evening.watcher.show()
        evening.shows(photographed(TABLE), 0.1)
        seen.add(evening.watcher.shown.full.number)
    assert 2 <= len(seen) <= 4.0 / SHOWS_EVERY + 1, "about one a second, however often it is asked for"


def test_what_is_shown_goes_with_its_plane_and_what_was_read(evening: Evening) -> None:
    shown = evening.watcher.shown
    assert shown is not None
    assert shown.plane is not None
    assert shown.full.size == (1280, 720)
    assert shown.zones["yard"].contents == TABLE.zones["yard"]


def test_a_table_that_is_not_found_is_shown_as_it_is() -> None:
    evening = Evening()
    evening.shows(np.full((720, 1280, 3), 90, np.uint8), 2.0)
    assert evening.watcher.shown is not None
    assert evening.watcher.shown.plane is None


def test_a_pulled_cable_leaves_the_last_picture(evening: Evening) -> None:
    before = evening.watcher.shown
    evening.watcher.show()
    evening.shows(None, 1.0)
    assert evening.watcher.shown is before


def test_looking_disturbs_no_reading(evening: Evening) -> None:
    evening.watcher.show()
    other = view("tool1 bread1", "marble1")
    told = []
    for _ in range(50):
        evening.watcher.show()
        told += evening.shows(photographed(other), 0.1)
    assert told[-1].zones["yard"].contents == other.zones["yard"]


def test_a_zone_is_cut_out_from_straight_above_and_a_tap_in_it_is_a_place_on_the_table(evening: Evening) -> None:
    shown = evening.watcher.shown
    assert shown is not None
    assert shown.plane is not None
    box = part(LAYOUT.zones["yard"])
    assert box is not None
    image = opened(cut_out(shown.full.image, shown.plane, box))
    width, height = box.size
    assert image.shape[1] / image.shape[0] == pytest.approx(width / height, rel=0.02)
    assert tapped(box, 0.5, 0.5) == (420, 135)
    for found in shown.zones["yard"].found:
        assert LAYOUT.zones["yard"].area().holds((found.x, found.y))


def test_a_cell_is_cut_out_and_one_that_is_not_there_is_not() -> None:
    cell = part(LAYOUT.zones["board"], "B2")
    assert cell is not None
    assert cell.centre == (143, 153)
    assert part(LAYOUT.zones["board"], "Z9") is None
    assert part(LAYOUT.zones["yard"], "B2") is None


def test_the_whole_picture_is_no_wider_than_a_phone_needs() -> None:
    assert opened(whole(np.zeros((1080, 1920, 3), np.uint8))).shape[1] == WHOLE_WIDTH
    assert opened(whole(np.zeros((300, 400, 3), np.uint8))).shape == (300, 400, 3)


def test_with_another_kit_everything_is_read_again(evening: Evening) -> None:
    known = evening.watcher.shown
    assert known is not None
    evening.watcher._reader = TableReader(LAYOUT, evening.watcher._reader.kit)  # one that no other test looks through
    evening.watcher.use_kit(Kit(LAYOUT))
    told = evening.shows(photographed(TABLE), 3.0)
    assert told[-1].zones["yard"].contents is None, "a kit that knows nothing reads nothing"
    assert told[-1].zones["dial"].contents == TABLE.zones["dial"]


def test_tapped_corners_reach_the_watch(evening: Evening) -> None:
    assert evening.watcher.tapped_corners() == [], "markers are seen"
    shown = evening.watcher.shown
    assert shown is not None
    assert shown.plane is not None
    area = LAYOUT.area
    pixels = shown.plane.to_pixels([(0, 0), (area.width, 0), (area.width, area.height), (0, area.height)])
    covered = photographed(TABLE).copy()
    assert LAYOUT.markers is not None
    for x, y in shown.plane.to_pixels(list(LAYOUT.markers.at.values())):
        cv2.circle(covered, (round(x), round(y)), 75, (90, 60, 40), -1)
    blind = Evening()
    blind.shows(covered, 2.0)
    assert blind.status.plane.state == "lost"
    blind.watcher.use_corners([(x / 1280, y / 720) for x, y in pixels])
    told = blind.shows(covered, 4.0)
    assert blind.status.plane.state == "locked"
    assert np.allclose(blind.watcher.tapped_corners(), pixels, atol=3)
    assert told[-1].zones["dial"].contents == TABLE.zones["dial"]
