"""The page of scores: every point has its reason, and the result can be exported."""

from __future__ import annotations

import csv
import json
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Route, expect

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


def test_an_answer_that_was_overtaken_is_not_shown(evening: Begin) -> None:
    table = evening()
    table.until("first_statues")
    page = table.phone("watcher")
    held: list[Route] = []
    page.route("**/api/scores", lambda asked: held.append(asked), times=1)
    page.goto("/#/scores")
    while not held:
        page.wait_for_timeout(5)
    old = table.home.backend.scores()
    table.home.go_on(2)
    expect(page.locator(".total")).to_have_text(["1 points", "1 points"])
    with page.expect_response("**/api/scores"):
        held.pop().fulfill(json=old)
    page.evaluate("() => new Promise((done) => setTimeout(done))")
    assert [" ".join(text.split()) for text in page.locator(".total").all_inner_texts()] == ["1 points", "1 points"]


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
    expect(page.locator(".scores .outcome h2")).to_have_text(f"{winner(table)} wins")
    page.reload()
    expect(page.locator(".scores .outcome")).to_be_visible()
    expect(moment).to_have_count(0)


def test_whoever_shares_the_victory_shares_the_moment(evening: Begin) -> None:
    table = evening()
    table.home.play(10_000)
    page = table.phone("watcher", reduced_motion="reduce")

    def both_won(route: Route) -> None:
        """This game knows no shared victory: only that word of the table's answer is changed."""
        route.fulfill(json={**route.fetch().json(), "winners": [0, 1]})

    page.route("**/api/scores", both_won)
    page.goto("/#/scores")
    moment = page.locator("dialog.reveal")
    expect(moment.get_by_role("heading")).to_have_text(["Anna, Bert win together"])
    expect(moment.locator(".champion .seat-mark")).to_have_count(2)
    expect(moment.locator(".rank")).to_have_text(["1.", "1."])
    moment.get_by_role("button").click()
    expect(page.locator(".scores .outcome h2")).to_have_text("Anna, Bert win together")


def winner(table: Evening) -> str:
    scores = table.home.backend.scores()
    (seat,) = scores["winners"]
    name: str = table.home.backend.snapshot().table["seats"][seat]["name"]
    return name


def test_every_phone_keeps_the_final_scores_whatever_page_is_open(evening: Begin) -> None:
    table = evening()
    page = table.phone("seat")
    page.goto("/#/history")
    table.home.play(2000)
    page.wait_for_function("() => JSON.parse(localStorage.getItem('companion.scores') ?? '{}').scores?.over")
    kept = page.evaluate("() => JSON.parse(localStorage.getItem('companion.scores')).scores.seats")
    assert [seat["total"] for seat in kept] == table.home.backend.snapshot().table["totals"]
