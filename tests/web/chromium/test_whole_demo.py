"""A whole demo as a visitor sees it: `companion demo` runs, two phones join, and the game is played to its end."""

from __future__ import annotations

import contextlib
import re
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from tests.companion.daemon.tiny import free_port
from tests.web.chromium.cable import Cable
from tests.web.chromium.conftest import PATIENCE, PHONE

playwright = pytest.importorskip("playwright.sync_api", reason="playwright drives the browser")
expect = playwright.expect

PACE = "100"
"""A hundred times as fast as people; raids are ten times as short as the rules say."""
SIMULATED = ("--no-pixels", "--wait", "--pace", PACE, "--players", "2", "--seed", "6")
STUCK = 60.0
"""Seconds without a single event after which a game does not go on any more, on the slowest machine."""


class Demo:
    """The process, and a cable to its page."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion.cli", "demo", *SIMULATED, "--port", str(free_port())],
            stdout=subprocess.PIPE,
            text=True,
        )
        said = self._said_until("health")
        self.pin = _found(r"PIN +(\d+)", said)
        self.cable = Cable(int(_found(r"page +http://\S+:(\d+)/", said)))
        self.address = f"http://127.0.0.1:{self.cable.port}"

    def _said_until(self, word: str) -> str:
        assert self.process.stdout is not None
        said = ""
        for line in self.process.stdout:
            said += line
            if word in line:
                break
        return said

    def close(self) -> int:
        self.cable.close()
        self.process.terminate()
        return self.process.wait(60)


def _found(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    assert found, text
    return found[1]


@pytest.fixture
def demo() -> Iterator[Demo]:
    demo = Demo()
    try:
        yield demo
    finally:
        code = demo.close()
    assert code == 0, "it stops cleanly when it is asked to"


def _phone(chromium: Any, demo: Demo, language: str, seat: int) -> Any:
    """A phone whose owner picks a seat on the first page."""
    context = chromium.new_context(locale=language, viewport=PHONE, has_touch=True, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    page.goto(f"{demo.address}/#/join")
    page.wait_for_selector("html[data-connection=here]")
    page.locator(".place-list li").nth(seat).locator("button").click()
    page.wait_for_selector(".table-page")
    page.evaluate(_REMEMBER_RAIDS)
    return page


_REMEMBER_RAIDS = """() => {
  window.raids = [];
  const look = () => window.raids.push(document.querySelector("dialog.countdown[open]")?.dataset.phase);
  const wanted = { subtree: true, childList: true, attributes: true, attributeFilter: ["open", "data-phase"] };
  new MutationObserver(look).observe(document.documentElement, wanted);
}"""
"""A raid lasts a few seconds here; a test on a busy machine may look too late."""


def _ran(page: Any) -> bool:
    """Whether a raid's time has run on this phone."""
    return bool(page.evaluate("() => window.raids.includes('running')"))


def _until(phones: list[Any], over: Callable[[], bool]) -> None:
    """Play along until something is the case: be ready for every raid, and start it where that is asked for."""
    events, late = -1, 0.0
    while not over():
        snapshot = _snapshot(phones[0])
        if events != (events := snapshot["table"]["events"]):
            late = time.monotonic() + STUCK
        assert time.monotonic() < late, (snapshot["raid"], snapshot["demo"], phones[0].inner_text("body"))
        for page in phones:
            wanted = page.locator("dialog.countdown[open] .countdown-thumbs .giant")
            if wanted.count():
                with_patience(lambda tap=wanted.first: tap.click(timeout=1000))
        phones[0].wait_for_timeout(150)


def with_patience(tap: Callable[[], None]) -> None:
    """A button may vanish under a finger, because another player was faster."""
    with contextlib.suppress(playwright.TimeoutError):
        tap()


def _snapshot(page: Any) -> dict[str, Any]:
    found: dict[str, Any] = page.evaluate("async () => (await fetch('/api/standing')).json()")
    return found


@pytest.mark.long
def test_two_phones_live_through_a_whole_demo_game(chromium: Any, demo: Demo) -> None:
    anna, ben = phones = [_phone(chromium, demo, "de", 0), _phone(chromium, demo, "en", 1)]

    # Anna's first statue is put elsewhere in the history, and everything after it follows; then back again.
    demo_acts(anna, "go_on")
    anna.wait_for_selector("dialog.countdown[data-phase=gathering]")
    anna.get_by_role("button", name="Zum Tisch").click()
    statue, before = _statue(anna), _statues(anna)
    assert statue is not None
    _corrected(anna, statue, demo)
    assert _statues(anna) != before
    moved = _statue(anna)
    assert moved is not None
    assert moved["event"] > statue["event"]
    _corrected(anna, moved, demo, back_to=statue["says"]["de"].split()[-1])
    assert _statues(anna) == before
    anna.goto(f"{demo.address}/#/table")
    anna.locator(".countdown-pill").click()

    # Both are ready, one of them starts, and the time runs on both.
    _until(phones, lambda: _ran(anna) and _ran(ben))
    _until(phones, lambda: anna.locator("dialog.countdown[data-phase=running]").count() == 0)

    # Somebody does what is forbidden: it is told in both languages, with its rule, and put right. Nobody could read it
    # at such a pace.
    demo_acts(anna, "slower")
    demo_acts(anna, "cheat")
    _until(phones, lambda: anna.locator("dialog.problem[open] .reasons").count() == 1)
    trouble = _snapshot(anna)["table"]["trouble"]
    if trouble is not None:
        expect(anna.locator("dialog.problem [data-rule]").first).to_have_attribute(
            "data-rule", trouble["breaches"][0]["rule"]
        )
    _until(phones, lambda: _snapshot(anna)["table"]["trouble"] is None)
    demo_acts(anna, "faster")

    # A cut line shows at once and heals by itself.
    demo.cable.pull()
    for page in phones:
        page.wait_for_selector("html[data-connection=lost]")
    demo.cable.plug_in()
    for page in phones:
        page.wait_for_selector("html[data-connection=here]")

    # The end: the winner has a moment, and the sheets add up.
    _until(phones, lambda: bool(_snapshot(anna)["table"]["over"]))
    anna.goto(f"{demo.address}/#/scores")
    expect(anna.locator("dialog.reveal")).to_be_visible()
    scores = anna.evaluate("async () => (await fetch('/api/scores')).json()")
    assert scores["winners"]
    for seat in scores["seats"]:
        assert seat["total"] == sum(line["points"] for line in seat["lines"])
    for page in phones:
        page.context.close()


def _statues(page: Any) -> Any:
    return _snapshot(page)["table"]["view"]["statues"]


def _statue(page: Any) -> dict[str, Any] | None:
    """Anna's first statue, as the history has it."""
    told = page.evaluate("async () => (await fetch('/api/history?count=50')).json()")
    statues = [one for one in told["moves"] if one["seat"] == 0 and "tatue" in one["says"]["de"] and not one["undone"]]
    return statues[-1] if statues else None


def _corrected(page: Any, statue: dict[str, Any], demo: Demo, back_to: str = "") -> None:
    """That was something else: the field of the first statue, chosen among the likely ones or on the map."""
    page.goto(f"{demo.address}/#/history")
    move = page.locator(f".move[data-event='{statue['event']}']")
    move.get_by_text("Warum", exact=True).click()
    move.get_by_role("button", name="Das war etwas anderes").click()
    sheet = page.locator(".correction")
    if back_to:
        sheet.locator(".option", has_text=back_to).click()
        page.get_by_role("button", name="So berichtigen").click()
    else:
        sheet.locator(".likely .button").first.click()
    expect(sheet).to_have_count(0)
    expect(page.locator(f".move[data-event='{statue['event']}'].back")).to_have_count(1)


def demo_acts(page: Any, act: str) -> None:
    """What the demo's strip on the table page does; its buttons are only there while they can be used."""
    _until([page], lambda: act in _snapshot(page)["demo"]["can"])
    page.evaluate(
        """async (act) => {
          const me = await (await fetch("/api/me")).json();
          const headers = { "Content-Type": "application/json", "X-Companion": me.csrf };
          await fetch("/api/demo", { method: "POST", headers, body: JSON.stringify({ act }) });
        }""",
        act,
    )
