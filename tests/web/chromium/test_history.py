"""Moves in the history can be undone, redone and corrected."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from playwright.sync_api import Page, expect

from .conftest import Evening
from .stage import Stage

Begin = Callable[..., Evening]
Phone = Callable[..., Page]


def newest(page: Page) -> str:
    return page.locator(".history .move:not(.back) h2").first.text_content() or ""


def test_a_move_is_taken_back_and_done_again(evening: Begin) -> None:
    table = evening()
    table.home.play(5)
    page = table.phone()
    page.goto("/#/history")
    moves = page.locator(".history .move:not(.back)")
    expect(moves).to_have_count(5)
    last = newest(page)
    page.get_by_role("button", name="Undo").click()
    expect(moves).to_have_count(4)
    expect(page.locator(".history .undone > summary")).to_have_text("1 move taken back")
    assert newest(page) != last
    page.get_by_role("button", name="Redo").click()
    expect(moves).to_have_count(5)
    assert newest(page) == last


def test_nobody_can_take_back_what_has_not_begun_or_watching(evening: Begin) -> None:
    table = evening()
    host, watcher = table.phone(), table.phone("watcher")
    for page in (host, watcher):
        page.goto("/#/history")
        expect(page.get_by_role("button", name="Undo")).to_be_disabled()
    table.home.play(1)
    expect(host.get_by_role("button", name="Undo")).to_be_enabled()
    expect(watcher.locator(".history .move")).to_have_count(1)
    expect(watcher.get_by_role("button", name="Undo")).to_be_disabled()
    expect(watcher.get_by_role("button", name="That was something else")).to_have_count(0)


def test_that_was_something_else(evening: Begin) -> None:
    """The wrong field was told for the first statue; two statues later it is corrected."""
    table = evening()
    table.until("first_statues")
    wrong = table.home.backend.snapshot().table["events"] + 1
    table.home.go_on(2)
    first = table.home.backend.history(None, 10)["moves"][1]
    page = table.phone()
    page.goto("/#/history")
    move = page.locator(f".move[data-event='{first['event']}']")
    assert first["event"] >= wrong
    move.get_by_text("Why", exact=True).click()
    move.get_by_role("button", name="That was something else").click()
    sheet = page.locator(".correction")
    expect(sheet.get_by_text(first["says"]["en"])).to_be_visible()
    other = sheet.locator(".likely .button").first
    says = other.inner_text()
    other.click()
    expect(sheet).to_have_count(0)
    expect(page.locator(".history .move:not(.back) h2", has_text=says)).to_be_visible()
    told = [one["says"]["en"] for one in table.home.backend.history(None, 10)["moves"] if not one["undone"]]
    assert says in told
    assert first["says"]["en"] not in told


def test_any_other_legal_move_can_be_chosen_instead(evening: Begin) -> None:
    table = evening()
    table.until("first_statues")
    table.home.go_on(1)
    page = table.phone()
    page.goto("/#/history")
    page.locator(".history .move").first.get_by_text("Why", exact=True).click()
    page.get_by_role("button", name="That was something else").first.click()
    spot = page.locator(".correction .spot").last
    field = int((spot.get_attribute("data-option") or "").partition("=")[2])
    spot.click()
    page.get_by_role("button", name="Correct it like this").click()
    expect(page.locator(".correction")).to_have_count(0)
    assert [number for number, owner in enumerate(table.home.state.owner) if owner >= 0] == [field]


def test_long_games_are_read_page_by_page(evening: Begin) -> None:
    table = evening()
    table.home.play(75)
    page = table.phone("watcher")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url) if "/api/history" in request.url else None)
    page.goto("/#/history")
    for _ in range(3):
        page.locator(".history .more").scroll_into_view_if_needed()
    expect(page.get_by_text("The game began here.")).to_be_visible()
    expect(page.locator(".history .move")).to_have_count(75)
    assert len(asked) == 3
    assert all("count=30" in url for url in asked)


def test_rounds_have_headings_small_steps_are_folded_and_incidents_stand_alone(stage: Stage, phone: Phone) -> None:
    stage.play_until("placing")
    stage.shows(stage.home.state, looks=2)
    stage.cheat()
    page = phone("/#/history")
    expect(page.locator(".history .moves > .finding.verdict")).to_have_count(1)
    expect(page.locator(".history .moves > .finding.verdict li").first).to_be_visible()
    for _ in range(3):
        page.locator(".history .more").scroll_into_view_if_needed()
    expect(page.locator(".round-head")).to_have_text(["Runde 1", "Aufbau"])
    folded = page.locator(".history .small").first
    expect(folded.locator(".move").first).to_be_hidden()
    folded.locator("summary").first.click()
    expect(folded.locator(".move").first).to_be_visible()


SHADE = """(image) => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 1, height: 1 });
  const paint = canvas.getContext("2d");
  paint.drawImage(image, 0, 0, 1, 1);
  return paint.getImageData(0, 0, 1, 1).data[0];
}"""
LOADED = "() => [...document.querySelectorAll('.photo img')].some((one) => one.complete && one.naturalWidth)"


def test_the_picture_of_the_last_game_never_proves_a_move_of_the_next(stage: Stage, phone: Callable[..., Page]) -> None:
    """The same move with the same number, a game later: a phone that kept the first picture must not show it."""
    page = phone("/#/history")
    shades, events = [], []
    for _ in range(2):
        stage.play_until("first_statues")
        stage.do_on()
        page.wait_for_function(LOADED)
        events.append(page.locator(".history .move:has(.photo)").get_attribute("data-event"))
        shades.append(page.locator(".photo img").evaluate(SHADE))
        assert shades[-1] == round(cv2.imdecode(np.frombuffer(_proof(stage), np.uint8), 0).mean())
        stage.begin_anew()
        expect(page.locator(".history .move")).to_have_count(0)
    assert events[0] == events[1]
    assert shades[0] != shades[1]


def _proof(stage: Stage) -> bytes:
    """The picture as it is in the journal."""
    newest = stage.home.backend.history(None, 1)
    picture = stage.home.backend.picture(newest["journal"], newest["moves"][0]["event"])
    assert picture is not None
    return picture
