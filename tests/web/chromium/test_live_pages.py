"""The live pages in a real browser: joining, the table, trouble and its ways out, both languages, sizes."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from tests.web.chromium.conftest import PHONE
from tests.web.chromium.stage import Stage, sit_down_slowly

Phone = Callable[..., Any]

PAGES = ("/#/join", "/#/table", "/#/more", "/tv")


@pytest.mark.parametrize(("language", "says"), [("de", "Wo sitzt du?"), ("en", "Where do you sit?")])
def test_a_phone_that_nobody_knows_is_asked_where_it_sits_in_its_own_language(
    phone: Phone, language: str, says: str
) -> None:
    page = phone(language=language)
    assert says in page.inner_text(".join-lead")
    assert page.get_attribute("html", "lang") == language


def test_a_high_score_keeps_its_line_beside_a_long_name(phone: Phone, stage: Stage) -> None:
    stage.play_until("placing")
    page = phone(seat=0)
    page.locator(".seat .has-phone").wait_for()
    line = page.locator(".seat").last.bounding_box()["height"]
    for name in ("Maximiliane Alexandra"[:letters] for letters in range(3, 22)):
        page.evaluate(
            """(name) => {
                const [seat] = document.querySelectorAll(".seat:has(.has-phone)");
                seat.querySelector(".points").firstChild.data = "188";
                seat.querySelector(".seat-name").textContent = name;
            }""",
            name,
        )
        assert page.locator(".seat:has(.has-phone)").bounding_box()["height"] == line, name
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_seat_that_one_phone_took_is_shown_as_taken_on_another(phone: Phone) -> None:
    camera_thread = phone()
    phone(seat=1)
    camera_thread.wait_for_selector(".place-card.taken:has-text('Ben')")
    assert camera_thread.locator(".place-list button").count() == 1


def test_the_pin_makes_a_phone_the_host_and_a_wrong_one_does_not(phone: Phone, stage: Stage) -> None:
    page = phone()
    wrong = "000000" if stage.pin != "000000" else "111111"
    page.fill("#join-pin", wrong)
    page.press("#join-pin", "Enter")
    page.wait_for_selector(".toast")
    assert page.locator(".host-key").count() == 0
    page.fill("#join-pin", stage.pin)
    page.press("#join-pin", "Enter")
    page.wait_for_selector(".host-key")


def test_a_move_changes_every_phone_without_reloading(phone: Phone, stage: Stage) -> None:
    stage.play_until("first_statues")
    one, other = phone(seat=0), phone(seat=1)
    before = one.inner_text(".expects")
    stage.play_on()
    one.wait_for_function("before => document.querySelector('.expects').innerText !== before", arg=before)
    other.wait_for_selector(".moves .line")
    newest = stage.home.backend.snapshot().table["last"][0]
    assert other.locator(".moves .line .grow").first.inner_text() == newest["says"]["de"]
    assert other.locator(".panel .is-changed").count() > 0, "what changed is marked on the drawing"


def test_the_table_is_drawn_as_the_companion_understands_it(phone: Phone, stage: Stage) -> None:
    stage.play_until("placing")
    page = phone(seat=0)
    page.locator(".true-map-button").click()
    page.wait_for_selector(".map .zone")
    view = stage.home.backend.snapshot().table["view"]
    snapshot = [label for label in view["statues"]["at"].values() if label]
    assert page.locator("[data-zone=statues] .piece").count() == len(snapshot)
    assert page.locator("[data-zone='castle blue'] .piece").count() == sum(view["castle blue"]["count"].values())
    page.locator(".in-words > summary").click()
    assert "Burgtafel" in page.inner_text(".in-words")


def test_a_zone_is_looked_at_closer_by_a_tap_and_the_whole_table_by_another(phone: Phone, stage: Stage) -> None:
    stage.play_until("placing")
    page = phone(seat=0)
    page.locator(".true-map-button").click()
    page.wait_for_selector(".map .zone")
    whole = page.get_attribute(".map", "viewBox")
    page.locator(".map [data-zone=middle]").first.click()
    page.wait_for_selector(".map-frame.zoomed")
    assert page.get_attribute(".map", "viewBox") != whole
    page.locator(".map [data-zone=middle]").first.click()
    page.wait_for_selector(".map-frame:not(.zoomed)")
    assert page.get_attribute(".map", "viewBox") == whole


def test_a_breach_is_told_with_rule_place_and_pictures_and_settled_when_it_was_put_right(
    phone: Phone, stage: Stage
) -> None:
    stage.play_until("placing")
    stage.shows(stage.home.state, looks=2)
    page = phone(seat=0)
    stage.cheat()
    page.wait_for_selector("dialog.problem[open]")
    trouble = stage.home.backend.snapshot().table["trouble"]
    told = page.inner_text("dialog.problem")
    for breach in trouble["breaches"]:
        assert breach["says"]["de"] in told
        assert breach["rule"] not in told, "ids are for the docs"
        assert page.locator(f"dialog.problem [data-rule='{breach['rule']}']").count() == 1
        assert breach["section"]["de"] in told
    assumed = {breach["rule"] for breach in trouble["breaches"] if breach["assumed"]}
    assert page.locator("dialog.problem .assumed").count() == len(assumed) > 0, "nobody has compared the box"
    assert trouble["put_right"][0]["says"]["de"] in told
    assert page.locator("dialog.problem .question-mark").count() == 2, "from where, and to where"
    # Moves that were told by hand have no picture: only the wrong table itself can be shown.
    page.wait_for_function("() => document.querySelectorAll('dialog.problem .proof img').length === 1")
    page.get_by_role("button", name="Ist wieder richtig").click()
    page.wait_for_selector("dialog.problem", state="detached")
    stage.shows(stage.home.state)
    page.wait_for_selector(".toast:has-text('in Ordnung')")


def test_a_board_that_was_turned_up_too_early_is_one_step_and_its_nine_fields_are_marked(
    phone: Phone, stage: Stage
) -> None:
    stage.play_until("placing")
    stage.shows(stage.home.state, looks=2)
    page = phone(seat=0)
    stage.turns_up_a_board()
    page.wait_for_selector("dialog.problem[open]")
    (step,) = stage.home.backend.snapshot().table["trouble"]["put_right"]
    assert step["says"]["de"].startswith("Landschaftstafel von ")
    assert page.locator("dialog.problem ol.steps li").all_inner_texts() == [step["says"]["de"]]
    assert page.locator("dialog.problem .question-mark").count() == 9


def test_that_is_wrong_is_one_tap_and_what_it_may_have_been_is_another(phone: Phone, stage: Stage) -> None:
    stage.play_until("placing")
    stage.shows(stage.home.state, looks=2)
    page = phone(seat=0)
    meant = stage.cheat()
    page.get_by_role("button", name="Das stimmt nicht").click()
    page.wait_for_selector(".alternatives")
    assert stage.home.backend.snapshot().table["trouble"] is None
    page.locator(".alternatives .button").filter(has_text="baut auf").first.click()
    page.wait_for_selector("dialog.sheet", state="detached")
    told = stage.home.backend.snapshot().table["last"][0]["move"]
    assert (told["type"], told["field"], told["seat"]) == ("Place", meant.field, meant.seat)


@pytest.mark.parametrize("act", ["Alles in Ordnung", "Beachte das nicht mehr"])
def test_a_heap_that_cannot_be_counted_is_shown_and_people_have_the_last_word(
    phone: Phone, stage: Stage, act: str
) -> None:
    stage.play_until("placing")
    stage.shows(stage.home.state, looks=2)
    page = phone(seat=0)
    page.goto(f"{stage.address}/#/join")
    page.locator("#join-pin").fill(stage.pin)
    page.locator("#join-pin").press("Enter")
    page.wait_for_selector(".host-key")
    stage.shows(stage.home.state, but="castle blue")
    page.locator(".problem-pill").click()
    assert "Das kann ich nicht zählen: Burgtafel von Anna." in page.inner_text("dialog.problem")
    assert page.locator("dialog.problem .question-mark").count() == 1, "it is marked on the drawn table"
    page.get_by_role("button", name=act).click()
    page.wait_for_selector("dialog", state="detached")
    stage.shows(stage.home.state, but="castle blue")
    assert stage.home.backend.snapshot().table["trouble"] is None, "and nobody is asked twice"


def test_who_only_watches_sees_the_trouble_and_no_buttons(phone: Phone, stage: Stage) -> None:
    stage.play_until("placing")
    stage.shows(stage.home.state, looks=2)
    page = phone()
    page.get_by_role("button", name="Nur zuschauen").click()
    page.wait_for_selector(".table-page")
    stage.cheat()
    page.wait_for_selector("dialog.problem[open]")
    assert page.locator("dialog.problem .sheet-actions").count() == 0


def test_whoever_is_just_joining_is_not_interrupted(phone: Phone, stage: Stage) -> None:
    stage.play_until("placing")
    stage.shows(stage.home.state, looks=2)
    page = phone()
    page.locator("#join-pin").press_sequentially("12")
    stage.cheat()
    page.wait_for_selector(".problem-pill")
    page.keyboard.type("34")
    assert page.input_value("#join-pin") == "1234"


def test_who_joins_is_told_of_the_trouble_though_the_table_speaks_first(phone: Phone, stage: Stage) -> None:
    stage.play_until("placing")
    stage.shows(stage.home.state, looks=2)
    page = phone()
    stage.cheat()
    page.wait_for_selector(".problem-pill")
    sit_down_slowly(page)
    page.wait_for_selector("dialog.problem[open]")


@pytest.mark.parametrize("path", PAGES)
@pytest.mark.parametrize(("width", "height"), [(360, 640), (1280, 720)])
def test_no_page_scrolls_sideways_and_every_target_fits_a_thumb(
    phone: Phone, stage: Stage, path: str, width: int, height: int
) -> None:
    stage.play_until("placing")
    page = phone(path, viewport={"width": width, "height": height})
    page.wait_for_function("() => document.querySelector('main').children.length > 0")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    small = page.evaluate(
        """() => [...document.querySelectorAll('a, button, input, summary')]
            .filter((node) => node.checkVisibility())
            .map((node) => [node.textContent || node.id, node.getBoundingClientRect()])
            .filter(([, box]) => box.width && (box.height < 43.5 || box.width < 43.5))
            .map(([name, box]) => `${name} ${box.width}x${box.height}`)"""
    )
    assert small == []


def test_another_language_is_one_tap_and_stays(phone: Phone) -> None:
    page = phone("/#/more")
    page.get_by_role("radio", name="English").click()
    page.wait_for_selector("h1:has-text('More')")
    page.reload()
    page.wait_for_selector("h1:has-text('More')")


def test_every_file_that_the_shell_names_is_there(phone: Phone) -> None:
    page = phone()
    # Without one of its files the shell is not kept, and takes over no page.
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    kept = page.evaluate(
        "async () => (await (await caches.open('shell')).keys()).map((one) => new URL(one.url).pathname)"
    )
    assert {"/", "/words/de.json", "/words/en.json", "/static/core/app.js", "/static/pages/table.js"} <= set(kept)


def test_every_key_that_a_script_says_stands_in_the_words(stage: Stage) -> None:
    from web import assets

    known = assets.load_words().in_("en")
    files = assets.load()
    said = {
        (name, key)
        for name in files.names
        if name.endswith(".js") and (found := files.get(name))
        for key in re.findall(r'\bt\(\s*"([a-z_]+\.[a-z_.]+)"', found.body.decode())
    }
    assert {key for _, key in said} - set(known) == set()


def test_the_first_page_is_light(phone: Phone, stage: Stage) -> None:
    stage.play_until("placing")
    page = phone("/#/join")
    page.context.clear_cookies()
    wire = page.context.new_cdp_session(page)
    wire.send("Network.enable")
    wire.send("Network.setCacheDisabled", {"cacheDisabled": True})
    sizes: list[float] = []
    wire.on("Network.loadingFinished", lambda event: sizes.append(event["encodedDataLength"]))
    page.goto(stage.address + "/?again#/table")
    page.wait_for_selector(".panel .target")
    page.wait_for_load_state("load")
    assert 10_000 < sum(sizes) < 160_000
