"""Measures how much CPU a phone needs until the table can be read, for every game: the first visit, nothing kept.

What is measured is the CPU time of the page's main thread until the first panel is drawn. A slow phone is four times as
slow as this machine, so it counts four times. Unlike the time on a clock, that does not depend on what else runs here.
Needs Debian's chromium.

    .venv/bin/python docs/tools/measure_first_paint.py
"""

from __future__ import annotations

import re
import shutil
import statistics
import subprocess
import sys
import time
from typing import Any, Final

from playwright.sync_api import Browser, sync_playwright

from companion import games

PORT: Final = 8198
PHONE: Final = {"width": 360, "height": 640}
SLOWER: Final = 4
VISITS: Final = 3
DRAWN: Final = ".panel svg, .panel .target"
IN_PLAY: Final = 20
"""Events after which the table has something to show."""


def main() -> None:
    with sync_playwright() as running:
        found = shutil.which("chromium-headless-shell") or shutil.which("chromium")
        if found is None:
            raise SystemExit("There is no browser here: install Debian's chromium.")
        browser = running.chromium.launch(executable_path=found, args=["--no-sandbox"])
        for game in games.NAMES:
            seconds = statistics.median(_visits(browser, game))
            print(f"{game}: {seconds:.2f} s of CPU on a phone {SLOWER} times as slow as this machine")


def _visits(browser: Browser, game: str) -> list[float]:
    """CPU seconds of several first visits to a demo of this game that is under way."""
    command = [sys.executable, "-m", "companion.cli", "demo", "--game", game, "--no-pixels", "--pace", "50"]
    demo = subprocess.Popen([*command, "--port", str(PORT)], stdout=subprocess.PIPE, text=True)
    try:
        assert demo.stdout is not None
        for line in demo.stdout:
            if re.search("health", line):
                break
        while _standing(browser)["table"]["events"] < IN_PLAY:
            time.sleep(1)
        return [SLOWER * _until_drawn(browser) for _ in range(VISITS)]
    finally:
        demo.terminate()
        demo.wait(20)


def _standing(browser: Browser) -> Any:
    context = browser.new_context()
    standing = context.request.get(f"http://127.0.0.1:{PORT}/api/standing").json()
    context.close()
    return standing


def _until_drawn(browser: Browser) -> float:
    """The CPU seconds of one visit."""
    context = browser.new_context(viewport=PHONE, locale="de")
    page = context.new_page()
    wire = context.new_cdp_session(page)
    wire.send("Performance.enable", {"timeDomain": "threadTicks"})
    page.goto(f"http://127.0.0.1:{PORT}/#/table", wait_until="commit")
    page.wait_for_selector(DRAWN, state="attached", timeout=120_000)
    metrics = {one["name"]: one["value"] for one in wire.send("Performance.getMetrics")["metrics"]}
    context.close()
    return float(metrics["TaskDuration"])


if __name__ == "__main__":
    main()
