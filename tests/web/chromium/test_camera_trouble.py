"""A camera that sees nothing: all pages that depend on it show that, and mark its old picture as old."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from companion.daemon.camera_page import CameraTroubles
from companion.text.sentences import both_words
from tests.companion.daemon.test_camera_page import WatchedTable

from .conftest import Evening

Begin = Callable[..., Evening]
PAGES = ("/#/table", "/#/by_hand", "/tv")


class Sight:
    """A sight that is blind when a test says so."""

    blind = ""
    knocks = 0


@pytest.fixture
def eyes(tmp_path: Path) -> Iterator[WatchedTable]:
    home = tmp_path / "eyes"
    home.mkdir()
    eyes = WatchedTable(home)
    yield eyes
    eyes.camera_thread.stop()


@pytest.mark.parametrize("language", ["de", "en"])
def test_each_trouble_is_told_on_the_table_by_hand_and_the_television(evening: Begin, language: str) -> None:
    sight = Sight()
    here = evening(blind=CameraTroubles(sight, count(0.0, 10.0).__next__).now)  # each look is later than any patience
    pages = {path: here.phone(language=language) for path in PAGES}
    for path, page in pages.items():
        page.goto(path)
        expect(page.locator(".camera-strip")).to_be_hidden()
    for kind in ("unplugged", "black", "moved", "frozen"):
        sight.blind = kind
        for page in pages.values():
            expect(page.locator(".camera-strip")).to_have_text(both_words(f"blind.{kind}")[language])
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            assert page.evaluate("document.documentElement.dataset.page !== 'tv' || scrollY === 0")
        sight.blind = ""
        for page in pages.values():
            expect(page.locator(".camera-strip")).to_be_hidden()


def test_the_strip_leads_to_the_camera_and_is_on_no_page_that_needs_none(evening: Begin) -> None:
    sight = Sight()
    page = evening(blind=CameraTroubles(sight, lambda: 0.0).now).phone()
    page.goto("/#/table")
    sight.blind = "black"
    page.locator(".camera-strip a").click()
    expect(page.locator(".camera")).to_be_visible()
    expect(page.locator(".camera-strip")).to_be_hidden()


def test_an_old_picture_is_grey_says_its_age_and_has_no_green_ticks(evening: Begin, eyes: WatchedTable) -> None:
    eyes.find_the_table()
    page = evening(camera=eyes.page).phone("watcher")
    page.goto("/#/camera")
    expect(page.locator(".checks li[data-state=ok]")).to_have_count(3)
    expect(page.locator(".view.old")).to_have_count(0)
    eyes.image = None
    expect(page.locator(".view.old .age")).to_contain_text("old")
    expect(page.locator(".checks")).to_have_count(0)
    expect(page.locator(".trouble")).to_contain_text("cable")
    page.get_by_role("button", name="Enter by hand").click()
    expect(page.locator(".by-hand")).to_be_visible()


def test_who_has_not_joined_is_told_what_to_do_and_sees_no_broken_picture(evening: Begin, eyes: WatchedTable) -> None:
    eyes.find_the_table()
    here = evening(camera=eyes.page)
    page = here.phone("nobody")
    asked: list[Any] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto("/#/camera")
    expect(page.get_by_role("heading", name="Join first")).to_be_visible()
    expect(page.locator("img.live")).to_have_count(0)
    assert not [url for url in asked if "camera.jpg" in url]
    page.get_by_role("button", name="Take a seat").click()
    expect(page.locator(".join-lead")).to_be_visible()
