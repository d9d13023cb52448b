"""The raid on phones: synchronous with the table's clock, stopped at the same moment, and impossible to miss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.web.chromium.stage import Stage, sit_down_slowly

Phone = Callable[..., Any]

TICK = 0.005
"""Seconds by which a browser rounds its clock, with room."""
HOUR = 3600.0
_CLOCK = """async () => {
    const { app } = await import(document.querySelector('script[type=module]').src);
    return [app.now(), app.clock.best.trip];
}"""


def test_phones_know_the_tables_clock_as_well_as_their_line_allows(phone: Phone, stage: Stage) -> None:
    for page in (phone(seat=0), phone(seat=1)):
        _knows_the_time(page)
        before = stage.now()
        said, trip = page.evaluate(_CLOCK)
        after = stage.now()
        wrong = trip / 2 + TICK
        assert before - wrong <= said <= after + wrong


def _knows_the_time(page: Any) -> None:
    page.wait_for_function(
        """async () => {
            const { app } = await import(document.querySelector('script[type=module]').src);
            return app.clock.best?.trip < 1;
        }"""
    )  # until a ping has come back, the phone only guesses, and says that it may be a second wrong


def test_two_phones_stop_in_the_same_moment_without_being_told(phone: Phone, stage: Stage) -> None:
    stage.play_until("raid")
    pages = phone(seat=0), phone(seat=1)
    stage.raid_is("set", ready=[0, 1])
    for page in pages:
        page.wait_for_selector(".countdown[open][data-phase=set]")
        _knows_the_time(page)
    trips = [page.evaluate(_CLOCK)[1] for page in pages]
    deadline = stage.now() + 3.0
    stage.raid_is("running", ready=[0, 1], deadline=deadline, left=3.0)
    for page, trip in zip(pages, trips, strict=True):
        page.wait_for_selector(".countdown[data-phase=stopped]")
        stopped = float(page.get_attribute(".countdown", "data-stopped"))
        assert stopped >= deadline - trip / 2 - TICK, "a frame may come late on a busy machine, never early"
        assert page.inner_text(".countdown-stop-word") == "STOPP"


def test_ready_is_one_large_button_and_the_king_starts(phone: Phone, stage: Stage) -> None:
    acts: list[tuple[str, int | None]] = []
    stage.home.backend.raid_act = lambda act, seat: acts.append((act, seat))  # type: ignore[method-assign]
    king, other = phone(seat=0), phone(seat=1)
    stage.raid_is("gathering")
    with other.expect_response("**/api/raid"):
        other.get_by_role("button", name="Ich bin bereit").click()
    stage.raid_is("gathering", ready=[1])
    king.wait_for_selector(".countdown-seats .is-ready:has-text('Ben')")
    stage.raid_is("set", ready=[0, 1])
    with king.expect_response("**/api/raid"):
        king.get_by_role("button", name="Los!").click()
    other.wait_for_selector(".countdown-says:has-text('Anna startet')")
    assert other.get_by_role("button", name="Los!").count() == 0
    assert acts == [("ready", 1), ("start", 0)]


def test_a_paused_raid_keeps_its_time(phone: Phone, stage: Stage) -> None:
    page = phone(seat=0)
    stage.raid_is("running", deadline=stage.now() + HOUR, left=HOUR)
    page.wait_for_selector(".countdown[data-phase=running]")
    stage.raid_is("paused", left=11.5)
    page.wait_for_selector(".countdown[data-phase=paused]")
    assert page.inner_text(".countdown-number") == "12"
    stage.raid_is("off")
    page.wait_for_selector(".countdown", state="hidden")


def test_a_raid_that_is_long_over_does_not_come_up(phone: Phone, stage: Stage) -> None:
    stage.raid_is("stopped", left=0.0)
    page = phone(seat=0)
    page.wait_for_selector(".panel .target")
    assert not page.is_visible(".countdown")


_HOLD_THE_STOP = """() => {
    const { setTimeout, clearTimeout } = window;
    window.setTimeout = (act, wait) => (wait === 9000 ? ((window.held = act), -1) : setTimeout(act, wait));
    window.clearTimeout = (id) => (id === -1 ? (window.held = () => {}) : clearTimeout(id));
}"""
"""The nine seconds for which a stop is shown end when the test says so."""


def test_the_stop_of_one_raid_does_not_hide_the_next(phone: Phone, stage: Stage) -> None:
    page = phone(seat=0)
    stage.raid_is("running", deadline=stage.now() + HOUR, left=HOUR)
    page.wait_for_selector(".countdown[data-phase=running]")
    page.evaluate(_HOLD_THE_STOP)
    stage.raid_is("stopped", left=0.0)
    page.wait_for_selector(".countdown[data-phase=stopped]")
    stage.raid_is("gathering")
    page.wait_for_selector(".countdown[data-phase=gathering]")
    page.evaluate("() => window.held()")
    assert page.is_visible(".countdown[data-phase=gathering]")


def test_who_wants_to_see_the_table_can_come_back_to_the_raid(phone: Phone, stage: Stage) -> None:
    page = phone(seat=0)
    stage.raid_is("gathering")
    page.get_by_role("button", name="Zum Tisch").click()
    page.wait_for_selector(".countdown", state="hidden")
    page.click(".countdown-pill")
    page.wait_for_selector(".countdown[open]")
    page.get_by_role("button", name="Zum Tisch").click()
    stage.raid_is("running", deadline=stage.now() + HOUR, left=HOUR)
    page.wait_for_selector(".countdown[open][data-phase=running]")


def test_a_raid_does_not_keep_anybody_from_joining(phone: Phone, stage: Stage) -> None:
    page = phone()
    stage.raid_is("gathering")
    page.wait_for_selector(".countdown-pill")
    page.locator(".place-list button").first.click()
    page.wait_for_selector(".countdown[open]")


def test_who_joins_sees_the_raid_though_the_table_speaks_first(phone: Phone, stage: Stage) -> None:
    page = phone()
    stage.raid_is("gathering")
    page.wait_for_selector(".countdown-pill")
    sit_down_slowly(page)
    page.wait_for_selector(".countdown[open]")


def test_a_button_stays_under_the_finger_while_the_game_goes_on(phone: Phone, stage: Stage) -> None:
    page = phone(seat=1)
    stage.raid_is("gathering")
    ready = page.get_by_role("button", name="Ich bin bereit")
    ready.evaluate("node => { node.dataset.same = 'yes'; }")
    stage.play_on()
    page.wait_for_selector(".moves .line", state="attached")
    assert ready.get_attribute("data-same") == "yes"


def test_a_host_on_another_page_has_a_bar_instead_of_the_raid(phone: Phone, stage: Stage) -> None:
    page = phone("/#/join")
    page.fill("#join-pin", stage.pin)
    page.press("#join-pin", "Enter")
    page.wait_for_selector(".host-key")
    for where in ("setup", "camera", "by_hand", "history", "join"):
        page.goto(f"{stage.address}/#/{where}")
        stage.raid_is("gathering", ready=[1])
        page.wait_for_selector(".countdown-pill:has-text('1 von 2 bereit')")
        stage.raid_is("running", deadline=stage.now() + HOUR, left=HOUR)
        page.wait_for_selector(".countdown-pill[data-phase=running]:has-text('noch 3')")
        stage.raid_is("stopped", left=0.0)
        page.wait_for_selector(".countdown-pill[data-phase=stopped]:has-text('STOPP')")
        assert page.locator("dialog.countdown[open]").count() == 0
    stage.raid_is("gathering")
    page.click(".countdown-pill")
    page.wait_for_selector("html[data-page=table] .countdown[open][data-phase=gathering]")


def test_the_stop_stays_until_hands_are_off_and_then_the_headline_has_changed(phone: Phone, stage: Stage) -> None:
    stage.play_until("raid")
    stage.shows(stage.home.state, looks=1)
    page = phone(seat=0)
    stage.raid_is("running", deadline=stage.now() + HOUR, left=HOUR)
    page.wait_for_selector(".countdown[data-phase=running]")
    stage.stop_the_raid()
    page.wait_for_selector(".countdown-stop-says:has-text('Hände weg – ich zähle.')")
    assert page.inner_text(".expects .sentence") == "Hände weg – ich zähle."
    stage.shows(stage.home.state, looks=1)
    page.wait_for_selector(".countdown", state="hidden")
    assert "deckt alle Plättchen auf" in page.inner_text(".expects .sentence")


def test_a_television_shows_the_raid_and_only_after_the_stop_what_was_taken(phone: Phone, stage: Stage) -> None:
    stage.play_until("raid")
    page = phone("/tv", viewport={"width": 1920, "height": 1080})
    stage.raid_is("gathering", ready=[0])
    page.wait_for_selector(".haul-seats li:first-child .tag.good")
    assert page.locator(".haul-seats .tag").all_inner_texts() == ["bereit", "noch nicht"]
    taken = {"seats": [4, 6], "left": 13}
    stage.raid_is("running", ready=[0, 1], deadline=stage.now() + HOUR, left=HOUR, taken=taken)
    page.wait_for_selector(".countdown[data-phase=running]")
    stage.raid_is("paused", ready=[0, 1], left=7.0, taken=taken)
    page.wait_for_selector(".countdown[data-phase=paused]")
    page.wait_for_selector(".haul-sum >> nth=1")
    assert page.locator(".haul-seats li").first.locator(".haul-tile .piece-back").count() == 4
    assert page.locator(".haul-sum").all_inner_texts() == ["4\nverdeckt", "6\nverdeckt"]
    assert "13 Plättchen" in page.inner_text(".haul-left")
    assert page.locator(".haul .pays, .haul-goods").count() == 0
    assert _misfits(page) == []
    stage.raid_is("running", ready=[0, 1], deadline=stage.now() + HOUR, left=HOUR, taken=taken)
    page.wait_for_selector(".countdown[data-phase=running]")
    stage.raid_is("stopped", left=0.0, taken=taken)
    page.wait_for_selector(".countdown[data-phase=stopped]")
    stage.play_until("tumults")
    page.wait_for_selector(".countdown[data-phase=haul] .haul-goods")
    haul = stage.home.backend.snapshot().table["haul"]
    assert [one.split("\n")[0] for one in page.locator(".haul-sum").all_inner_texts()] == [str(n) for n in haul["sums"]]
    assert page.locator(".haul-seats .pays").count() == len({good["greediest"] for good in haul["goods"]} - {None})
    assert page.locator(".haul-goods .few").count() == sum(good["left"] < good["demand"] for good in haul["goods"])
    assert _misfits(page) == []
    stage.play_until("placing")
    page.wait_for_selector(".countdown", state="hidden")


def _misfits(page: Any) -> list[str]:
    """Texts on a television that are cut off or smaller than 24 pixels; the screen itself if it has to be scrolled."""
    found: list[str] = page.evaluate(
        """() => {
            const screen = document.querySelector(".countdown[open]");
            const written = (node) => [...node.childNodes].some((one) => one.nodeType === 3 && one.data.trim());
            const texts = [...screen.querySelectorAll("*")].filter(
                (node) => node.checkVisibility() && written(node) && !node.closest(".visually-hidden, svg"));
            const small = (node) => parseFloat(getComputedStyle(node).fontSize) < 24;
            const cut = (node) => node.clientWidth && node.scrollWidth > node.clientWidth + 1;
            const bad = texts.filter((node) => small(node) || cut(node)).map((node) => node.outerHTML);
            return screen.scrollHeight > screen.clientHeight ? [...bad, "the screen scrolls"] : bad;
        }"""
    )
    return found
