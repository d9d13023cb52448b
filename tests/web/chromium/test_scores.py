"""Every point has its reason; what a game came to is shown, and can be taken home."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import expect

from .conftest import Evening

Begin = Callable[..., Evening]


def test_a_line_says_why_when_it_is_tapped(evening: Begin) -> None:
    table = evening()
    table.until("mood")
    page = table.phone("watcher")
    page.goto("/#/scores")
    card = page.locator(".sheet-of-scores .card").first
    expect(card.locator(".total")).to_have_text("1 points")
    reason = card.locator("details p")
    expect(reason).to_be_hidden()
    card.locator("summary").click()
    expect(reason).to_be_visible()
    expect(reason).to_contain_text("Meadow")


def test_points_come_in_while_the_page_is_open(evening: Begin) -> None:
    table = evening()
    table.until("first_statues")
    page = table.phone("watcher")
    page.goto("/#/scores")
    expect(page.locator(".total")).to_have_text(["0 points", "0 points"])
    table.home.go_on(2)
    expect(page.locator(".total")).to_have_text(["1 points", "1 points"])


def test_the_sheet_is_taken_home_as_a_table_and_as_data(evening: Begin, tmp_path: Path) -> None:
    table = evening()
    table.until("mood")
    page = table.phone("watcher", language="de")
    page.goto("/#/scores")
    with page.expect_download() as sheet:
        page.get_by_role("link", name="Tabelle (CSV)").click()
    with Path(sheet.value.path()).open(encoding="utf-8-sig", newline="") as file:
        rows = list(csv.reader(file))
    assert {"Anna", "Bert"} <= {row[1] for row in rows}
    with page.expect_download() as data:
        page.get_by_role("link", name="Daten (JSON)").click()
    assert json.loads(Path(data.value.path()).read_bytes())["game"] == "tumult_royale"


def test_the_winner_has_a_moment_and_it_comes_once(evening: Begin) -> None:
    table = evening()
    table.home.play(10_000)
    page = table.phone("watcher", reduced_motion="reduce")
    page.goto("/#/scores")
    moment = page.locator("dialog.reveal")
    expect(moment.get_by_role("heading")).to_have_text([f"{winner(table)} wins"])
    expect(moment.locator(".places li")).to_have_count(2)
    moment.get_by_role("button").click()
    expect(moment).to_have_count(0)
    expect(page.locator(".scores .winner h2")).to_have_text(f"{winner(table)} wins")
    page.reload()
    expect(page.locator(".scores .winner")).to_be_visible()
    expect(moment).to_have_count(0)


def winner(table: Evening) -> str:
    scores = table.home.house.scores()
    name: str = table.home.house.standing().table["seats"][scores["winner"]]["name"]
    return name
