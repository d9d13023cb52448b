"""Takes the pictures of the dashboard for the README: phones at a demo table, in a browser. Needs Debian's chromium.

.venv/bin/python docs/make_dashboard.py
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

DOCS: Final = Path(__file__).parent
PORT: Final = 8199
PHONE: Final = {"width": 360, "height": 640}
TELEVISION: Final = {"width": 1280, "height": 720}
BETWEEN: Final = 24
"""Pixels between two phones in a row."""


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
            _row("dashboard.png", *_phones(browser.new_context(viewport=PHONE, device_scale_factor=2, locale="en")))
            screen = browser.new_context(viewport=TELEVISION, locale="en", color_scheme="dark").new_page()
            screen.goto(f"http://127.0.0.1:{PORT}/tv")
            _until(screen, lambda: bool(screen.inner_text("main").strip()))
            time.sleep(2)
            (DOCS / "tv.png").write_bytes(screen.screenshot())
    finally:
        demo.terminate()
        demo.wait(20)


def _browser() -> str:
    found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
    if found is None:
        raise SystemExit("There is no browser here: install Debian's chromium.")
    return found


def _phones(context: Any) -> list[bytes]:
    """What somebody sees who has taken the first seat."""
    page = context.new_page()
    page.goto(f"http://127.0.0.1:{PORT}/#/join")
    page.locator(".place-list li").first.locator("button").click()
    page.wait_for_selector(".table-page")
    _act(page, "go_on")
    page.wait_for_selector("dialog.raid[data-phase=gathering]", timeout=300_000)
    _until(page, lambda: page.locator(".raid-seats .is-ready").count() == 2)
    gathering = page.screenshot()
    _raid(page)
    page.wait_for_function("() => +document.querySelector('dialog.raid').dataset.left < 13")
    running = page.screenshot()
    _until(page, lambda: max(_standing()["table"]["totals"]) > 1)
    _act(page, "cheat")
    page.wait_for_selector("dialog.trouble[open] .proof img", timeout=300_000)
    time.sleep(1)
    breach = page.screenshot()
    page.locator("dialog.trouble .primary").click()
    _until(page, lambda: _standing()["table"]["trouble"] is None)
    page.goto(f"http://127.0.0.1:{PORT}/#/table")
    _until(page, lambda: max(_standing()["table"]["totals"]) > 5)
    time.sleep(1)
    table = page.screenshot()
    page.goto(f"http://127.0.0.1:{PORT}/#/scores")
    page.wait_for_selector("svg.chart, .chart svg")
    time.sleep(1)
    return [table, gathering, running, breach, page.screenshot()]


def _raid(page: Page) -> None:
    """Be ready, and start if that is asked."""
    while page.locator("dialog.raid[data-phase=running]").count() == 0:
        button = page.locator("dialog.raid[open] .raid-thumbs .giant")
        if button.count():
            button.first.click()
        time.sleep(0.1)


def _standing() -> dict[str, Any]:
    with urllib.request.urlopen(f"http://127.0.0.1:{PORT}/api/standing") as answer:
        found: dict[str, Any] = json.load(answer)
        return found


def _until(page: Page, holds: Callable[[], bool]) -> None:
    while not holds():
        button = page.locator("dialog.raid[open] .raid-thumbs .giant")
        if button.count() and page.locator("dialog.raid[data-phase=set], .raid-seats .is-ready").count() >= 2:
            button.first.click()
        time.sleep(0.3)


def _act(page: Page, act: str) -> None:
    _until(page, lambda: act in _standing()["demo"]["can"])
    page.evaluate(
        """async (act) => {
          const me = await (await fetch("/api/me")).json();
          const headers = { "Content-Type": "application/json", "X-Companion": me.csrf };
          await fetch("/api/demo", { method: "POST", headers, body: JSON.stringify({ act }) });
        }""",
        act,
    )


def _row(name: str, *shots: bytes) -> None:
    pictures = [cv2.imdecode(np.frombuffer(shot, np.uint8), cv2.IMREAD_COLOR) for shot in shots]
    gap = np.full((pictures[0].shape[0], BETWEEN, 3), 255, np.uint8)
    parts = [part for picture in pictures for part in (picture, gap)][:-1]
    row = cv2.resize(np.hstack(parts), None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    cv2.imwrite(str(DOCS / name), row, [cv2.IMWRITE_PNG_COMPRESSION, 9])


if __name__ == "__main__":
    main()
