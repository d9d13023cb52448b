"""What a phone does when the table changes: marks and pulses, ghosts, dots on tabs, panels that open by themselves."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.companion.daemon.tiny import command
from tests.web.chromium.midgame import Midgame, midgame

PHONE = {"width": 390, "height": 844}
UNTOUCHED = 8_100
"""Milliseconds after which a phone counts as lying on the table, and after which a ghost is gone."""
Phone = Callable[..., Page]


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Midgame]:
    """A landscape is named next, which changes the board and nothing else."""
    with midgame(tmp_path, "tumult_royale", 3) as table:
        assert type(table.left[0]).__name__ == "ShowBoard", table.left[0]
        yield table


@pytest.fixture
def phone(table: Midgame, chromium: Any) -> Phone:
    def opened(**how: Any) -> Page:
        context = chromium.new_context(base_url=table.address, viewport=PHONE, locale="en", **how)
        me = context.request.get("/api/me").json()
        context.request.post("/api/join", data={"seat": None}, headers={"X-Companion": me["csrf"]})
        page: Page = context.new_page()
        page.clock.install()
        page.goto("/#/table")
        page.wait_for_selector(".panel .target")
        return page

    return opened


def change(table: Midgame) -> None:
    table.home.tell(table.left[0])


def change_back(table: Midgame) -> None:
    table.home.backend.ask(command("undo"), 60.0)


def tab(page: Page, panel: str) -> Any:
    return page.locator(f".tab[data-panel={panel}]")


def selected(page: Page, panel: str) -> None:
    expect(tab(page, panel)).to_have_attribute("aria-selected", "true")


def test_what_changed_pulses_three_times_and_keeps_its_ring(table: Midgame, phone: Phone) -> None:
    page = phone()
    change(table)
    ring = page.locator(".panel.pulsing .is-changed").first
    expect(ring).to_be_visible()
    pulse = ring.evaluate(
        "(one) => [getComputedStyle(one).animationDuration, getComputedStyle(one).animationIterationCount]"
    )
    assert pulse == ["0.8s", "3"], "three times in 2.4 seconds"
    expect(page.locator(".axis.warm")).to_have_count(6)
    page.clock.fast_forward(60_000)
    expect(page.locator(".is-changed").first).to_be_visible()


def test_nothing_moves_for_those_who_asked_for_less_movement(table: Midgame, phone: Phone) -> None:
    page = phone(reduced_motion="reduce")
    change(table)
    ring = page.locator(".is-changed").first
    expect(ring).to_be_visible()
    assert ring.evaluate("(one) => getComputedStyle(one).animationName") == "none"


def test_a_panel_opens_by_itself_only_on_a_phone_that_nobody_touches(table: Midgame, phone: Phone) -> None:
    page = phone()
    tab(page, "goods").click()
    change(table)
    expect(tab(page, "board").locator(".tab-dot")).to_be_visible()
    selected(page, "goods")
    page.clock.fast_forward(UNTOUCHED)
    selected(page, "goods")  # only a change opens it
    change_back(table)
    change(table)
    selected(page, "board")
    expect(tab(page, "board").locator(".tab-dot")).to_have_count(0)


def test_no_panel_opens_while_a_finger_is_down_or_a_sheet_is_open(table: Midgame, phone: Phone) -> None:
    page = phone()
    tab(page, "goods").click()
    page.mouse.move(200, 420)
    page.mouse.down()
    page.clock.fast_forward(UNTOUCHED)
    change(table)
    expect(tab(page, "board").locator(".tab-dot")).to_be_visible()
    selected(page, "goods")
    page.mouse.up()
    page.locator(".last-move .why").first.click()
    page.wait_for_selector("dialog[open]")
    page.clock.fast_forward(UNTOUCHED)
    change_back(table)
    change(table)
    expect(page.locator(".last-move .grow").first).to_have_text(table_says(table))
    selected(page, "goods")


def table_says(table: Midgame) -> str:
    return str(table.home.backend.snapshot().table["last"][0]["says"]["en"])


def test_the_bar_of_the_last_change_opens_its_panel(table: Midgame, phone: Phone) -> None:
    page = phone()
    tab(page, "goods").click()
    change(table)
    expect(page.locator(".last-move .grow").first).to_have_text(table_says(table))
    page.locator(".last-move .line").first.click()
    selected(page, "board")
    expect(page.locator(".square.pulse")).to_have_count(9)


def test_a_permit_that_was_taken_is_seen_as_a_ghost_and_two_changes_at_once_are_one(
    tmp_path: Path, chromium: Any
) -> None:
    with midgame(tmp_path, "council_of_four", 2, 0.3) as table:
        context = chromium.new_context(base_url=table.address, viewport=PHONE, locale="en")
        page = context.new_page()
        page.clock.install()
        page.goto("/#/table")
        page.wait_for_selector(".panel .target")
        moves = iter(table.left)
        for move in moves:
            if type(move).__name__ == "BuyPermit":
                break
            table.home.tell(move)
        page.clock.fast_forward(UNTOUCHED)
        told(table, page, move)
        ghost = page.locator(".tile-box .ghost")
        expect(ghost).to_have_count(1)
        expect(ghost.locator(".seat-mark")).to_be_visible()
        expect(tab(page, "others").locator(".tab-dot")).to_be_visible()
        page.clock.fast_forward(UNTOUCHED)
        expect(ghost).to_have_count(0)

        change_back(table)
        page.clock.pause_at(page.evaluate("Date.now() + 1000"))
        told(table, page, move)
        told(table, page, next(moves))  # another permit is turned up, which only the board shows
        assert set(table.home.backend.snapshot().table["changed"]) == {"permits"}
        expect(tab(page, "others").locator(".tab-dot")).to_be_visible()
        context.close()


def told(table: Midgame, page: Page, move: Any) -> None:
    """The page shows the move, while hardly any of its time passes, however slow the machine is."""
    table.home.tell(move)
    for _ in range(3000):
        if page.locator(".last-move .grow").first.inner_text() == table_says(table):
            return
        page.clock.run_for(1)
        time.sleep(0.02)
    pytest.fail("the page never showed the move")
