"""The rig's page: the parts with the worst first, the camera's picture, and what to do without a camera."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.companion.daemon.test_camera_page import WatchedDice, WatchedTable, bare
from tests.companion.daemon.tiny import soon

from .conftest import Evening

CORNERS = {
    "Top left": (0.09, 0.02),
    "Top right": (0.91, 0.02),
    "Bottom right": (0.95, 0.98),
    "Bottom left": (0.05, 0.98),
}

Begin = Callable[..., Evening]


def test_what_is_broken_comes_first_with_what_to_do(evening: Begin) -> None:
    page = evening().phone("watcher")
    page.goto("/#/health")
    expect(page.locator(".health .summary")).to_have_text("✕1 part does not work.")
    parts = page.locator(".health .parts li")
    expect(parts.locator("h2")).to_have_text(["Cameradoes not work", "Disk spacefine", "Blue buttonnone here"])
    expect(parts.first.locator(".advice")).to_contain_text("cable")


def test_without_a_camera_the_page_leads_to_telling_by_hand(evening: Begin) -> None:
    page = evening().phone()
    page.goto("/#/camera")
    expect(page.get_by_role("heading", name="No camera picture")).to_be_visible()
    page.get_by_role("button", name="Enter by hand").click()
    expect(page.get_by_role("button", name="Done")).to_be_visible()


@pytest.fixture
def watched(tmp_path: Path) -> Iterator[WatchedTable]:
    home = tmp_path / "eyes"
    home.mkdir()
    watched = WatchedTable(home)
    yield watched
    watched.camera_thread.stop()


def test_the_picture_is_live_and_says_how_well_the_camera_sees(evening: Begin, watched: WatchedTable) -> None:
    watched.find_the_table()
    page = evening(camera=watched.page).phone("watcher")
    page.goto("/#/camera")
    picture = page.locator("img.live")
    expect(picture).to_have_attribute("src", _pattern("overlay=1"))
    first = picture.get_attribute("src") or ""
    expect(picture).not_to_have_attribute("src", first)
    expect(page.locator(".checks h3")).to_have_text(["Position", "Light", "Focus"])
    page.get_by_label("Show zones and readings").uncheck()
    expect(picture).not_to_have_attribute("src", _pattern("overlay=1"))
    expect(page.get_by_role("button", name="Tap the corners")).to_have_count(0)


def test_a_die_on_its_edge_is_told_under_the_picture(evening: Begin, tmp_path: Path) -> None:
    home = tmp_path / "dice"
    home.mkdir()
    watched = WatchedDice(home)
    try:
        watched.find_the_table()
        page = evening(camera=watched.page).phone("watcher")
        page.goto("/#/camera")
        expect(page.locator(".odd li")).to_have_text(["?A die seems to be standing on its edge, tray."])
    finally:
        watched.camera_thread.stop()


def test_nobody_asks_for_pictures_who_looks_at_another_page(evening: Begin, watched: WatchedTable) -> None:
    watched.find_the_table()
    page = evening(camera=watched.page).phone("watcher")
    asked: list[str] = []
    page.goto("/#/camera")
    expect(page.locator("img.live")).to_have_attribute("src", _pattern("camera.jpg"))
    page.goto("/#/health")
    expect(page.locator(".health .summary")).to_be_visible()
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_request("**/api/health"):  # the next look, some seconds later
        pass
    assert not [url for url in asked if "camera.jpg" in url]


def test_the_corners_of_a_table_without_markers_are_tapped_in_the_picture(
    evening: Begin, watched: WatchedTable
) -> None:
    watched.image = bare()
    watched.look()
    page = evening(camera=watched.page).phone()
    page.goto("/#/camera")
    page.get_by_role("button", name="Tap the corners").click()
    aim = page.locator(".aim")
    for corner, (x, y) in CORNERS.items():
        expect(aim).to_have_attribute("aria-label", f"{corner} corner")
        box = aim.bounding_box()
        assert box is not None
        aim.click(position={"x": x * box["width"], "y": y * box["height"]})
    page.get_by_role("button", name="Use these corners").click()
    expect(page.locator(".toast")).to_have_text("These corners are used now.")
    assert soon(lambda: watched.page.camera()["plane"]["by_hand"])
    page.get_by_role("button", name="Tap the corners").click()
    page.get_by_role("button", name="Back to the markers").click()
    assert soon(lambda: not watched.page.camera()["plane"]["by_hand"])


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(re.escape(text))
