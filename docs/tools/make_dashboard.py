"""Takes a moving picture of the dashboard from a demo table, in a browser: `dashboard.webp`.

Needs Debian's chromium.

    .venv/bin/python docs/tools/make_dashboard.py
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from playwright.sync_api import Page, sync_playwright

DOCS: Final = Path(__file__).parents[1]
PORT: Final = 8199
PHONE: Final = {"width": 360, "height": 640}
SHARPNESS: Final = 1.5
"""Pixels of the moving picture for one of the phone's page."""
TOLD: Final = "placing."
"""The breach to show is one of these rules: a statue that was placed wrongly says most at a glance."""

Frame = tuple[bytes, int]
"""A picture of the page, and how many milliseconds it stays."""


def main() -> None:
    demo = subprocess.Popen(
        [sys.executable, "-m", "companion.cli", "demo", "--wait", "--port", str(PORT), "--pace", "5", "--seed", "4"],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert demo.stdout is not None
        for line in demo.stdout:
            if re.search("health", line):
                break
        with sync_playwright() as running:
            browser = running.chromium.launch(executable_path=_browser(), args=["--no-sandbox"])
            phone = browser.new_context(viewport=PHONE, device_scale_factor=SHARPNESS, locale="en")
            _write("dashboard.webp", _glance(phone.new_page()))
    finally:
        demo.terminate()
        demo.wait(20)


def _browser() -> str:
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if found is None:
        raise SystemExit("There is no browser here: install Debian's chromium.")
    return found


def _glance(page: Page) -> list[Frame]:
    """What the first seat's phone shows: a raid, a breach and the way back, the scores with their reasons."""
    page.goto(f"http://127.0.0.1:{PORT}/#/join")
    page.locator(".place-list li").first.locator("button").click()
    page.wait_for_selector(".table-page")
    _act(page, "go_on")
    page.wait_for_selector("dialog.countdown[data-phase=gathering]", timeout=300_000)
    _until(page, lambda: page.locator(".countdown-seats .is-ready").count() == 2)
    frames = [(page.screenshot(), 1500)]
    _raid(page)
    for left in (19.9, 17, 14, 11, 8, 5, 4, 3, 2, 1):
        page.wait_for_function(f"() => +document.querySelector('dialog.countdown').dataset.left < {left}")
        frames.append((page.screenshot(), 350))
    page.wait_for_selector("dialog.countdown[data-stopped]")
    time.sleep(0.7)
    frames.append((page.screenshot(), 1300))
    _until(page, lambda: max(_snapshot()["table"]["totals"]) > 1)
    _breach(page)
    frames.append((page.screenshot(), 3500))
    for below in ("dialog.problem .sheet-body h3", "dialog.problem .proof"):
        page.locator(below).first.evaluate("(node) => node.scrollIntoView({ block: 'start' })")
        time.sleep(0.5)
        frames.append((page.screenshot(), 2500))
    page.locator("dialog.problem .primary").click()
    _until(page, lambda: max(_snapshot()["table"]["totals"]) > 5)
    _act(page, "pause")
    page.goto(f"http://127.0.0.1:{PORT}/#/scores")
    page.wait_for_selector("svg.chart, .chart svg")
    time.sleep(1)
    frames.append((page.screenshot(), 1500))
    for line in page.locator(".sheet-of-scores li.card").first.locator("summary").all()[:2]:
        line.click()
        time.sleep(0.3)
        frames.append((page.screenshot(), 1200))
    frames[-1] = (frames[-1][0], 3500)
    page.goto(f"http://127.0.0.1:{PORT}/#/table")
    page.wait_for_selector(".table-page")
    time.sleep(1)
    table = (page.screenshot(), 2000)
    _act(page, "go_on")
    return [table, *frames]


def _breach(page: Page) -> None:
    """Let people cheat while they place statues, until one is placed wrongly; what else is wrong is put right."""
    while True:
        _until(page, lambda: _last_move() == "Place")
        _act(page, "cheat")
        page.wait_for_selector("dialog.problem.verdict[open] .proof img", timeout=300_000)
        if any(breach["rule"].startswith(TOLD) for breach in _snapshot()["table"]["trouble"]["breaches"]):
            time.sleep(1)
            return
        page.locator("dialog.problem .primary").click()
        _until(page, lambda: _snapshot()["table"]["trouble"] is None)


def _last_move() -> str:
    last = _snapshot()["table"]["last"]
    return str(last[0]["move"]["type"]) if last else ""


def _raid(page: Page) -> None:
    """Be ready, and start if that is asked."""
    while page.locator("dialog.countdown[data-phase=running]").count() == 0:
        button = page.locator("dialog.countdown[open] .countdown-thumbs .giant")
        if button.count():
            button.first.click()
        time.sleep(0.1)


def _snapshot() -> dict[str, Any]:
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/api/standing") as answer:
        found: dict[str, Any] = json.load(answer)
        return found


def _until(page: Page, holds: Callable[[], bool]) -> None:
    while not holds():
        button = page.locator("dialog.countdown[open] .countdown-thumbs .giant")
        if button.count() and page.locator("dialog.countdown[data-phase=set], .countdown-seats .is-ready").count() >= 2:
            button.first.click()
        time.sleep(0.3)


def _act(page: Page, act: str) -> None:
    _until(page, lambda: act in _snapshot()["demo"]["can"])
    page.evaluate(
        """async (act) => {
          const me = await (await fetch("/api/me")).json();
          const headers = { "Content-Type": "application/json", "X-Companion": me.csrf };
          await fetch("/api/demo", { method: "POST", headers, body: JSON.stringify({ act }) });
        }""",
        act,
    )


def _write(name: str, frames: list[Frame]) -> None:
    animation = cv2.Animation()
    animation.frames = [cv2.imdecode(np.frombuffer(shot, np.uint8), cv2.IMREAD_COLOR) for shot, _ in frames]
    animation.durations = np.array([stays for _, stays in frames], np.int32)
    cv2.imwriteanimation(str(DOCS / name), animation, [cv2.IMWRITE_WEBP_QUALITY, 85])


if __name__ == "__main__":
    main()
