"""The first minutes of a phone: a welcome, its name at the table, who it is in the next game, and the demo's dock."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import Page, expect

from tests.web.chromium.stage import Stage

Phone = Callable[..., Page]


def test_the_first_page_shows_which_game_it_is(phone: Phone) -> None:
    page = phone("/#/join")
    expect(page.locator(".welcome h2")).to_have_text("Tumult Royale")
    page.wait_for_function("() => document.querySelector('.welcome img')?.naturalWidth > 0")


def test_a_typed_name_is_said_everywhere_and_the_next_game_asks_again(phone: Phone, stage: Stage) -> None:
    stage.play_until("placing")
    page = phone("/#/join")
    page.fill("#join-name", "Gisela")
    page.locator(".place-list button").first.click()
    expect(page.locator(".seats .seat-name").first).to_have_text("Gisela")
    expect(page.locator(".moves").get_by_text("Anna")).to_have_count(0)
    page.goto(f"{stage.address}/#/history")
    expect(page.locator(".history .move").get_by_text("Gisela").first).to_be_attached()
    expect(page.locator(".history .move").get_by_text("Anna")).to_have_count(0)
    stage.begin_anew()
    page.wait_for_selector("html[data-page=join]")
    expect(page.locator(".join-lead")).to_have_text("Ein neues Spiel hat begonnen. Wer bist du?")
    assert page.input_value("#join-name") == "Gisela"


class PretendedTable:
    """What a demo does, without its people."""

    def __init__(self) -> None:
        self.acts: list[str] = []

    def state(self) -> dict[str, Any]:
        held = "go_on" if self.acts[-1:] == ["pause"] else "pause"
        return {"pace": 3.0, "paused": False, "doing": {"de": "Leute spielen.", "en": ""}, "can": [held, "cheat"]}

    def act(self, name: str) -> None:
        self.acts.append(name)


def test_a_demo_has_its_controls_above_the_bar_for_phones_that_have_joined(phone: Phone, stage: Stage) -> None:
    stage.home.backend.demo = demo = PretendedTable()
    page = phone("/#/join")
    dock = page.locator(".demo-dock")
    expect(dock).to_be_hidden()
    page.locator(".place-list button").first.click()
    expect(dock).to_contain_text("Leute spielen.")
    dock.get_by_role("button", name="Anhalten").click()
    dock.get_by_role("button", name="Weiter").click()
    page.goto(f"{stage.address}/#/history")
    expect(dock).to_be_visible()
    dock.get_by_role("button", name="Demo").click()
    page.locator(".demo-acts").get_by_role("button", name="Schummeln").click()
    assert demo.acts == ["pause", "go_on", "cheat"]
