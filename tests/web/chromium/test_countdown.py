"""The raid on phones: in step with the table's clock, stopped in the same moment, and nothing that can be missed."""

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
