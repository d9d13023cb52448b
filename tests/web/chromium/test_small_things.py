"""Small things that people stumbled over: notes that pile up, pills over the last line, pictures that are not there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from playwright.sync_api import expect

from tests.web.chromium.stage import Stage

Phone = Callable[..., Any]

_APP = "const { app } = await import(document.querySelector('script[type=module]').src);"
_TOAST = f"async (text) => {{ {_APP} app.toast(text); }}"


def _boxes(page: Any, selector: str) -> list[dict[str, float]]:
    return [node.bounding_box() for node in page.locator(selector).all()]


def test_notes_do_not_pile_up_and_each_is_whole(phone: Phone) -> None:
    page = phone(seat=0)
    sentence = "Das kam nicht an. Bitte noch einmal tippen, sobald die Verbindung wieder da ist. " * 2
    for number in range(4):
        page.evaluate(_TOAST, f"{number}: {sentence}")
    expect(page.locator(".toast")).to_have_count(2)
    expect(page.locator(".toast").last).to_have_text(f"3: {sentence}")
    bar = page.locator("nav.thumbs").bounding_box()
    for box in _boxes(page, ".toast"):
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= 360
        assert box["y"] + box["height"] <= bar["y"]
    assert page.evaluate("[...document.querySelectorAll('.toast')].every((one) => one.scrollWidth <= one.clientWidth)")


def test_a_note_over_a_sheet_covers_none_of_its_buttons(phone: Phone, stage: Stage) -> None:
    stage.play_until("first_statues")
    page = phone(seat=0)
    page.locator(".moves .why").first.click()
    page.wait_for_selector("dialog.sheet[open]")
    page.evaluate(_TOAST, "Das stimmt nicht.")
    (note,) = _boxes(page, "dialog .toast")
    for button in _boxes(page, "dialog .sheet-actions .button, dialog .sheet-head button"):
        assert button["y"] >= note["y"] + note["height"] or button["y"] + button["height"] <= note["y"]
    page.keyboard.press("Escape")
    page.wait_for_selector("dialog.sheet", state="detached")
    expect(page.locator(".floating .toast")).to_be_visible()


def test_the_last_line_of_a_page_can_be_read_below_a_pill(phone: Phone, stage: Stage) -> None:
    stage.play_until("placing")
    stage.shows(stage.home.state, looks=2)
    page = phone(seat=0)
    stage.cheat()
    page.wait_for_selector("dialog.problem[open]")
    page.keyboard.press("Escape")
    pill = page.locator(".problem-pill")
    expect(pill).to_be_visible()
    page.evaluate("scrollTo(0, document.body.scrollHeight)")
    last = page.evaluate(
        """() => {
            const seen = [...document.querySelectorAll("main *")].filter((node) => node.checkVisibility());
            return Math.max(...seen.map((node) => node.getBoundingClientRect().bottom));
        }"""
    )
    assert last <= pill.bounding_box()["y"]


def test_no_picture_is_asked_for_that_is_not_there(phone: Phone, stage: Stage) -> None:
    stage.play_until("placing")
    stage.shows(stage.home.state, looks=2)
    page = phone(seat=0)
    missing: list[str] = []
    page.on("response", lambda answer: missing.append(answer.url) if answer.status == 404 else None)
    with page.expect_response("**/api/pictures/**"):
        page.locator(".moves .why").first.click()
    page.keyboard.press("Escape")
    with page.expect_response("**/picture/**"):
        stage.cheat()
    assert missing == []


def test_words_are_only_broken_between_their_letters_where_a_hyphen_shows_it(phone: Phone, stage: Stage) -> None:
    page = phone(seat=0)
    page.evaluate("(text) => { document.querySelector('h1').textContent = text; }", "Landschaftstafel")
    assert page.evaluate("getComputedStyle(document.body).overflowWrap") == "break-word"
    assert page.evaluate("getComputedStyle(document.body).hyphens") == "auto"


def test_the_last_scores_stay_readable_after_the_companion_was_switched_off(phone: Phone, stage: Stage) -> None:
    stage.play_until("placing")
    page = phone(seat=0)
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    page.goto(f"{stage.address}/#/scores")
    page.wait_for_selector(".sheet-of-scores .card")
    before = page.locator(".sheet-of-scores").inner_text()
    page.wait_for_function("async () => Boolean(await (await caches.open('shell')).match('/static/pages/scores.js'))")
    stage.cable.pull()
    page.reload()
    page.wait_for_selector(".kept")
    assert page.locator(".sheet-of-scores").inner_text() == before
    assert "Tumult Royale: Stand vom" in page.inner_text(".kept")
    assert page.locator(".exports, .outcome .button").count() == 0
    stage.cable.plug_in()
    page.wait_for_selector(".kept", state="detached")
    page.wait_for_selector(".exports")


def test_one_thing_to_compare_is_spoken_of_as_one(phone: Phone) -> None:
    page = phone(language="en")
    say = """async (number) => {
        const { t } = await import('/static/core/words.js');
        return t('setup.box_left', { number });
    }"""
    assert "1 fact about the box has not been checked" in page.evaluate(say, 1)
    assert "Compare it with" in page.evaluate(say, 1)
    assert "3 facts about the box have not" in page.evaluate(say, 3)
    assert "Compare them with" in page.evaluate(say, 3)


def test_a_television_shows_an_address_that_can_be_typed_and_is_whole(phone: Phone, stage: Stage) -> None:
    page = phone("/tv", viewport={"width": 1920, "height": 1080})
    address = page.locator(".address")
    expect(address).to_have_text(page.evaluate("async () => (await (await fetch('/api/address')).json()).short"))
    assert not address.inner_text().startswith("127.")
    box = address.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 1920
