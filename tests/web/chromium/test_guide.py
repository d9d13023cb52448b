"""A tap on a place of the drawn table shows what it is for, and whose emporiums are connected."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.daemon import journal_folder
from companion.kernel.rules import Seat
from companion.simulation.selfplay import open_table, playing

from .conftest import PHONE, Evening

Begin = Callable[..., Evening]

PLAYED = 170
"""Moves of a game of bots after which emporiums are connected."""


@pytest.fixture
def table(evening: Begin) -> Evening:
    names = {"red": "Ada", "yellow": "Ben"}
    seats = tuple(Seat(colour, names.get(colour, "")) for colour in ("red", "yellow", "green"))
    table = evening(wanted=journal_folder.Begin("council_of_four", seats))
    state, world = open_table(table.home.game, 3, "keen", "guide", {})
    for number, (_, move, _) in enumerate(playing(table.home.game, state, world)):
        if number == PLAYED:
            break
        table.home.tell(move)
    return table


def tap(page: Page, zone: str, spot: str = "") -> None:
    """A tap on the map of the table, which is drawn anew whenever something happens."""
    if page.locator(".true-map").is_hidden():
        page.locator(".true-map-button").click()
    place = f".map [data-zone='{zone}']" + (f" [data-spot='{spot}']" if spot else "")
    page.locator(place).first.wait_for()
    page.evaluate("at => document.querySelector(at).dispatchEvent(new MouseEvent('click', {bubbles: true}))", place)


def said(page: Page) -> Any:
    return page.locator(".map-about")


def test_an_open_permit_tells_its_cities_and_what_it_would_bring(table: Evening) -> None:
    page = table.phone("seat", 0)
    permit = table.home.state.offers[0]
    tap(page, "permits", "coast 1")
    expect(said(page)).to_contain_text("A permit for")
    first = table.home.state.box.cities[permit[0]]
    expect(said(page).locator("li").first).to_contain_text(first)
    expect(said(page)).to_contain_text("Ada")
    expect(page.locator(".map-caption")).to_contain_text(f"permit {permit}")
    tap(page, "permits", "coast 1")
    expect(page.locator(".place-info")).to_be_hidden()


def test_a_city_tells_who_is_connected_and_the_drawing_shows_it(table: Evening) -> None:
    state, guide = table.home.state, table.home.game.guide
    links = guide.links(state)
    assert links
    page = table.phone(language="de")
    tap(page, links[0].one)
    expect(page.locator(".links .link")).to_have_count(len(links))
    expect(page.locator(".links .mark")).to_have_count(len(links))
    expect(said(page)).to_contain_text("hat verbunden:")


def test_an_empty_place_is_looked_at_by_itself(table: Evening) -> None:
    """A tap on a free place is about that place, and the caption does not list what lies in all others."""
    page = table.phone("seat", 0)
    page.locator(".true-map-button").click()
    page.locator(".map .place").first.wait_for()
    view = table.home.backend.snapshot().table["view"]
    zone, cell = next(
        (zone, cell)
        for zone, contents in view.items()
        for cell, label in contents.get("at", {}).items()
        if label is None and page.locator(f"[data-zone='{zone}'] .place[data-spot='{cell}']").count()
    )
    tap(page, zone, cell)
    expect(page.locator(".map-caption")).to_contain_text("nothing")


def test_the_same_is_found_without_touching_the_drawing(table: Evening) -> None:
    page = table.phone("watcher")
    page.locator(".in-words > summary").click()
    place = page.locator(".in-words dt", has_text="Arkon").first
    place.get_by_role("button").press("Enter")
    expect(said(page)).to_contain_text("Arkon")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_what_is_told_follows_the_game(table: Evening) -> None:
    """A permit is turned up on the tapped place: the remarks about the old one disappear."""
    page = table.phone("seat", 0)
    tap(page, "city A")
    expect(said(page)).to_contain_text("Arkon")
    told = page.evaluate("() => [...document.querySelectorAll('.map-about li')].map((one) => one.textContent)")
    home = table.home
    for _ in range(60):
        home.tell(_builder(home))
        about = [remark["says"]["en"] for remark in home.backend.about(0, "city A", "")]
        if about != told:
            break
    expect(said(page).locator("li")).to_have_text(about)


def _builder(home: Any) -> Any:
    """A legal move: an emporium in Arkon if that can be, or whatever leads on."""
    moves = list(home.game.moves(home.state))
    return next((move for move in moves if getattr(move, "city", -1) == 0 and hasattr(move, "seat")), moves[-1])
