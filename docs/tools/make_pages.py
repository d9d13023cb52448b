"""Takes the pictures of the main pages: `pages-GAME.webp` with a small phone's pages in both languages, light and
dark, and `tv.webp` with the television of each game. The tables are those of the tests, well into a game of bots.

Needs Debian's chromium.

    .venv/bin/python docs/tools/make_pages.py
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from playwright.sync_api import Page, sync_playwright

DOCS: Final = Path(__file__).parents[1]
sys.path.insert(0, str(DOCS.parent))

from companion import games  # noqa: E402
from tests.web.chromium.conftest import CHROMIUM  # noqa: E402
from tests.web.chromium.midgame import Midgame, midgame, speak  # noqa: E402

PHONE: Final = {"width": 360, "height": 640}
TELEVISION: Final = {"width": 1920, "height": 1080}
PLAYERS: Final = 3
PAGES: Final = ("scores", "by_hand", "history")
"""Beside the table, of which each panel is shown."""
GAP: Final = 12
GROUND: Final = (128, 124, 120)
SMALLER: Final = 2
"""The television is shown so many times smaller."""

Picture = np.ndarray[Any, Any]


def main() -> None:
    televisions = []
    with sync_playwright() as running:
        browser = running.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        for game in games.NAMES:
            with tempfile.TemporaryDirectory() as folder, midgame(Path(folder), game, PLAYERS) as table:
                _write(f"pages-{game}.webp", _phone(table, browser), 35)
                televisions.append(_television(table, browser))
    _write("tv.webp", [televisions[:2], televisions[2:]], 60)


def _phone(table: Midgame, browser: Any) -> list[list[Picture]]:
    """A row of pages for each language and theme."""
    page = table.phone(browser, viewport=PHONE, reduced_motion="reduce")
    rows = []
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for language in ("en", "de"):
            page.goto("/#/table")
            speak(page, language)
            rows.append(_row(page))
    page.context.close()
    return rows


def _row(page: Page) -> list[Picture]:
    row = []
    for tab in page.locator(".tab").all():
        tab.click()
        row.append(_taken(page))
    for name in PAGES:
        page.goto(f"/#/{name}")
        page.wait_for_selector(f"html[data-page={name}]")
        page.locator("#page > *").first.wait_for()
        page.wait_for_timeout(400)
        row.append(_taken(page))
    return row


def _television(table: Midgame, browser: Any) -> Picture:
    page = browser.new_page(viewport=TELEVISION, locale="en", reduced_motion="reduce")
    page.goto(f"{table.address}/tv")
    page.wait_for_selector(".tv-panel .panel svg")
    page.wait_for_timeout(400)
    taken = _taken(page)
    page.close()
    size = (TELEVISION["width"] // SMALLER, TELEVISION["height"] // SMALLER)
    return cv2.resize(taken, size, interpolation=cv2.INTER_AREA)


def _taken(page: Page) -> Picture:
    picture = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return picture


def _write(name: str, rows: list[list[Picture]], quality: int) -> None:
    def framed(picture: Picture) -> Picture:
        return cv2.copyMakeBorder(picture, GAP, 0, GAP, 0, cv2.BORDER_CONSTANT, value=GROUND)

    sheet = np.vstack([np.hstack([framed(picture) for picture in row]) for row in rows])
    sheet = cv2.copyMakeBorder(sheet, 0, GAP, 0, GAP, cv2.BORDER_CONSTANT, value=GROUND)
    cv2.imwrite(str(DOCS / name), sheet, [cv2.IMWRITE_WEBP_QUALITY, quality])


if __name__ == "__main__":
    main()
