"""An audit of every page by axe-core in the real browser, dark and light: nothing serious is found."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest

from companion.daemon import journal_folder
from companion.games.council_of_four.moves import LayOut
from companion.kernel.rules import Seat
from tests.web.chromium.conftest import Evening
from tests.web.chromium.stage import Stage

axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-core audits the pages")

Begin = Callable[..., Evening]
Phone = Callable[..., Any]
PAGES = ("table", "scores", "by_hand", "history", "more", "join", "setup", "camera", "health", "tv")
SERIOUS = ("serious", "critical")


def _findings(page: Any) -> list[str]:
    """What is serious, with the first place where it is."""
    told = axe.Axe().run(page).response
    assert len(told["passes"]) > 5, "it looked at something"
    found = [one for one in told["violations"] if one["impact"] in SERIOUS]
    return [f"{one['id']}: {one['nodes'][0]['html'][:120]}" for one in found]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_on_any_page(evening: Begin, scheme: str) -> None:
    table = evening()
    table.until("placing")
    page = table.phone(color_scheme=scheme, reduced_motion="reduce")
    findings = {}
    for name in PAGES:
        page.goto(f"/#/{name}")
        page.wait_for_selector(f"html[data-page={name}]")
        page.locator("#page > *").first.wait_for()
        findings[name] = _findings(page)
    assert not {name: found for name, found in findings.items() if found}


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_where_a_piece_is_described(evening: Begin, scheme: str) -> None:
    table = evening(wanted=journal_folder.Begin("council_of_four", (Seat("red"), Seat("yellow"), Seat("green"))))
    table.home.tell(LayOut())
    page = table.phone(color_scheme=scheme, reduced_motion="reduce")
    page.goto(f"/#/by_hand?chosen={quote(json.dumps(['TurnUp', 'place=0']))}")
    page.reload()  # opened there at once, not while the page before is still being put together
    page.get_by_role("button", name="None of these").click(timeout=60_000)
    page.wait_for_selector(".description")
    assert _findings(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_where_a_map_and_a_track_are_drawn(evening: Begin, scheme: str) -> None:
    page = evening(wanted=None).phone(color_scheme=scheme, reduced_motion="reduce")
    for name, kind in (("crown", ".track"), ("map", ".plan")):
        page.goto(f"/#/sketch?game=tiletum&name={name}")
        page.locator("[data-act=from-assumed]").click()
        page.wait_for_selector(kind)
        page.locator(".lacks li").first.wait_for()
        assert _findings(page) == []
    page.locator("[data-edit=Paris]").click()
    page.wait_for_selector(".place-sheet[open]")
    page.locator(".fold summary").first.click()
    assert _findings(page) == []


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_a_breach_and_in_a_raid(phone: Phone, stage: Stage, scheme: str) -> None:
    stage.play_until("placing")
    stage.shows(stage.home.state, looks=2)
    page = phone(seat=0, color_scheme=scheme)
    stage.cheat()
    page.wait_for_selector("dialog.problem[open]")
    assert _findings(page) == []
    page.get_by_role("button", name="Ist wieder richtig").click()
    stage.raid_is("gathering")
    page.wait_for_selector("dialog.countdown[open]")
    assert _findings(page) == []
    stage.raid_is("running", deadline=stage.now() + 3600)
    page.wait_for_selector("dialog.countdown[data-phase=running]")
    assert _findings(page) == []
