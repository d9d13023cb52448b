"""The drawn table can be read on any phone: every panel of every game, with tables that were played."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion import games
from tests.web.chromium.midgame import Midgame, midgame, speak

LOOK = Path(__file__).with_name("readable.js").read_text(encoding="utf-8")
WIDTHS = (320, 360, 390, 430)
HIGH = 3000
"""Pixels of a screen on which nothing has to be scrolled, so that all of a panel can be looked at."""
LANGUAGES = ("de", "en")
SMALLEST = 12
"""Pixels that any text has at least."""
AFAR = 24
"""Pixels that a text has at least on a television, which is 1/45 of its height."""
TELEVISION = {"width": 1920, "height": 1080}
TALL = {"width": 390, "height": 844}
ROUNDED = 1
FREE = """() => {
  const sentence = document.querySelector('.expects .sentence');
  const lines = sentence.getBoundingClientRect().height / parseFloat(getComputedStyle(sentence).lineHeight);
  const longer = Math.max(0, Math.round(lines) - 3) * parseFloat(getComputedStyle(sentence).lineHeight);
  const bar = document.querySelector('nav.thumbs').getBoundingClientRect().top;
  return bar - document.querySelector('.seats').getBoundingClientRect().bottom - scrollY + longer;
}"""
"""Pixels between the scores and the bar at the bottom of the screen, with a sentence of up to three lines."""
UNDRAWN = """async () => {
  const { app } = await import(document.querySelector('script[type=module]').src);
  const { panelsOf, zonesOf } = await import('/static/drawing/panels.js');
  const { sceneOf } = await import('/static/pages/table_panels.js');
  const shown = new Set(panelsOf(sceneOf(app, app.standing.table)).flatMap(zonesOf));
  return Object.keys(app.standing.table.view).filter((zone) => !shown.has(zone));
}"""


def everywhere(page: Any, widths: tuple[int, ...]) -> dict[str, list[str]]:
    """What is wrong in any panel at any of these widths, each in the dark, too: colours change there, and sizes must
    not."""
    found = {}
    for width in widths:
        page.set_viewport_size({"width": width, "height": HIGH})
        for number, tab in enumerate(page.locator(".tab").all()):
            tab.click()
            for scheme in ("light", "dark") if number == 0 else ("light",):
                page.emulate_media(color_scheme=scheme)
                found[f"{width} px, {scheme}, panel {number}"] = page.evaluate(LOOK, SMALLEST)
    return {where: wrong for where, wrong in found.items() if wrong}


def looked_over(table: Midgame, chromium: Any, languages: tuple[str, ...], widths: tuple[int, ...]) -> dict[str, Any]:
    page = table.phone(chromium, viewport={"width": widths[0], "height": HIGH}, reduced_motion="reduce")
    found = {}
    for language in languages:
        speak(page, language)
        assert page.evaluate(UNDRAWN) == [], "every zone is in a panel"
        if len(table.home.backend.snapshot().table["seats"]) < 4:
            page.set_viewport_size(TALL)
            page.locator(".tab").first.click()
            assert page.evaluate(FREE) >= -ROUNDED, "whose turn, a panel, the last change and scores are on one screen"
        found[language] = everywhere(page, widths)
    page.context.close()
    return {language: wrong for language, wrong in found.items() if wrong}


@pytest.mark.parametrize(
    ("game", "players", "language", "width"),
    [
        ("tumult_royale", 4, "de", 360),
        ("council_of_four", 3, "en", 320),
        ("tiletum", 2, "de", 320),
        ("viscounts", 3, "en", 390),
    ],
)
def test_a_table_can_be_read(tmp_path: Path, chromium: Any, game: str, players: int, language: str, width: int) -> None:
    with midgame(tmp_path, game, players) as table:
        assert looked_over(table, chromium, (language,), (width,)) == {}


@pytest.mark.proof
@pytest.mark.parametrize("share", [0.2, 0.6, 0.95])
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("game", games.NAMES)
def test_every_table_can_be_read_on_every_phone(
    tmp_path: Path, chromium: Any, game: str, players: int, share: float
) -> None:
    with midgame(tmp_path, game, players, share) as table:
        assert looked_over(table, chromium, LANGUAGES, WIDTHS) == {}


def on_television(table: Midgame, chromium: Any, language: str) -> list[str]:
    """What is wrong on a television, with its table as large as it has to be, and nothing to tap."""
    page = chromium.new_page(viewport=TELEVISION, locale=language, reduced_motion="reduce")
    page.goto(f"{table.address}/tv")
    page.wait_for_selector(".tv-panel .panel svg")
    assert page.locator("main :is(button, a, input, [role=button], [tabindex])").count() == 0
    panel = page.locator(".tv-panel .panel").bounding_box()
    assert 0.62 < panel["width"] / TELEVISION["width"] < 0.68
    found: list[str] = page.evaluate(LOOK, AFAR)
    page.close()
    return found


@pytest.mark.parametrize(("game", "players", "language"), [("council_of_four", 4, "de"), ("tumult_royale", 4, "en")])
def test_a_television_can_be_read_across_a_room(
    tmp_path: Path, chromium: Any, game: str, players: int, language: str
) -> None:
    with midgame(tmp_path, game, players) as table:
        assert on_television(table, chromium, language) == []


@pytest.mark.proof
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("game", games.NAMES)
def test_every_table_can_be_read_on_a_television(tmp_path: Path, chromium: Any, game: str, players: int) -> None:
    for share in (0.2, 0.6, 0.95):
        with midgame(tmp_path / str(share), game, players, share) as table:
            found = {language: on_television(table, chromium, language) for language in LANGUAGES}
        assert found == {"de": [], "en": []}, share


def test_what_cannot_be_read_is_found(chromium: Any) -> None:
    """The look itself: each fault that it is for, once."""
    page = chromium.new_page(viewport={"width": 360, "height": 640})
    page.set_content(
        """<div id="page" class="all" style="font: 16px sans-serif">
          <p class="tiny" style="font-size: 11px">tiny words</p>
          <p class="cut" style="width: 30px; overflow: hidden; white-space: nowrap">much too long a line</p>
          <p class="one" style="position: absolute; top: 200px; left: 20px">over</p>
          <p class="two" style="position: absolute; top: 203px; left: 24px">under</p>
          <button class="small" style="position: absolute; top: 300px; width: 30px; height: 60px">x</button>
          <p class="below" style="position: absolute; top: 400px">hidden words</p>
          <div class="lid" style="position: absolute; top: 400px; width: 300px; height: 60px; background: red"></div>
          <div class="wide" style="width: 400px; height: 9px"></div>
        </div>"""
    )
    found = page.evaluate(LOOK, SMALLEST)
    page.close()
    for fault in (
        "11 px",
        "cut off by .cut",
        "on top of each other",
        "a target of 30 x 60",
        "covered by DIV.lid",
        "px wide",
    ):
        assert sum(fault in one for one in found) == 1, (fault, found)
