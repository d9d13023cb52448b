"""A broken connection is shown at once and restored by itself; a phone never shows an old state as current."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from tests.web.chromium.stage import Stage

Phone = Callable[..., Any]


def test_a_line_that_is_cut_is_shown_at_once_and_heals_by_itself(phone: Phone, stage: Stage) -> None:
    stage.play_until("first_statues")
    page = phone(seat=0)
    page.wait_for_selector(".panel .target")
    assert not page.is_visible(".lost-bar")
    stage.cable.pull()
    page.wait_for_selector(".lost-bar", state="visible")
    opacity = page.evaluate("getComputedStyle(document.querySelector('main')).opacity")
    assert float(opacity) < 1, "what is shown is plainly old"
    stage.play_on()
    stage.cable.plug_in()
    page.wait_for_selector(".lost-bar", state="hidden")
    newest = stage.home.backend.snapshot().table["last"][0]["says"]["de"]
    page.wait_for_selector(f".moves .line:has-text({newest!r})")


def test_a_line_that_falls_silent_counts_as_lost(phone: Phone, stage: Stage) -> None:
    page = phone(seat=0)
    stage.cable.hush()
    page.wait_for_selector(".lost-bar", state="visible")
    stage.cable.plug_in()
    page.wait_for_selector(".lost-bar", state="hidden")


def test_a_tap_into_a_broken_line_is_told_and_changes_nothing(phone: Phone, stage: Stage) -> None:
    stage.play_until("first_statues")
    page = phone(seat=0)
    page.wait_for_selector(".undo-row .button")
    before = stage.home.backend.snapshot().number
    stage.cable.pull()
    page.locator(".undo-row .button").first.click()
    page.wait_for_selector(".toast.warn")
    assert stage.home.backend.snapshot().number == before


def test_an_old_snapshot_never_follows_a_newer_one(phone: Phone) -> None:
    page = phone()
    order = """async () => {
        const { follows } = await import('/static/core/connection.js');
        const at = (edition, number) => ({ edition, number });
        return [
            follows(null, at('a', 3)), follows(at('a', 3), at('a', 4)), follows(at('a', 3), at('a', 3)),
            follows(at('a', 3), at('a', 2)), follows(at('a', 3), at('b', 1)),
        ];
    }"""
    assert page.evaluate(order) == [True, True, True, False, True]


def test_the_shell_opens_out_of_reach_and_shows_nothing_old(phone: Phone, stage: Stage) -> None:
    stage.play_until("first_statues")
    page = phone(seat=0)
    page.wait_for_selector(".panel .target")
    page.wait_for_function("() => navigator.serviceWorker.controller !== null")
    stage.cable.pull()
    page.reload()
    page.wait_for_selector(".lost-bar", state="visible")
    assert page.locator(".panel .target").count() == 0
    stage.cable.plug_in()
    page.wait_for_selector(".panel .target")
    assert not page.is_visible(".lost-bar")
