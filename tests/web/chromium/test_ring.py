"""The wheel on the phone: as it stands at the table, and a tap tells what a die or a section would bring."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from companion.daemon import journal_folder
from companion.kernel.rules import Seat
from companion.simulation.selfplay import open_table, playing

from .conftest import PHONE, Evening
from .test_accessible import _findings

Begin = Callable[..., Evening]


@pytest.fixture
def table(evening: Begin) -> Evening:
    """Four players, with all dice still on the wheel."""
    table = evening(wanted=journal_folder.Begin("tiletum", tuple(map(Seat, ("red", "green", "orange", "purple")))))
    state, world = open_table(table.home.game, 4, "keen", "ring", {})
    for before, move, _ in playing(table.home.game, state, world):
        if before.phase == "turn" and type(move).__name__ != "Reveal":
            break
        table.home.tell(move)
    return table


def tap(page: Page, zone: str, spot: str = "") -> None:
    place = f"[data-zone='{zone}'][data-spot='{spot}']" if spot else f"[data-zone='{zone}']:not([data-spot])"
    page.locator(f".wheel {place}").first.dispatch_event("click")


def said(page: Page) -> Any:
    return page.locator(".map-about")


def test_the_wheel_stands_as_at_the_table(table: Evening) -> None:
    page = table.phone()
    dice = page.locator(".wheel [data-spot^='die ']")
    expect(dice).to_have_count(14)
    (ring,) = table.home.game.guide.rings(table.home.state)
    expect(page.locator(".wheel .worth-number")).to_have_text([str(section.worth) for section in ring.sections])
    expect(page.locator(".wheel .disc-number")).to_have_text([str(section.number) for section in ring.sections])
    expect(page.locator(".wheel-legend li")).to_have_count(6)


def test_no_die_hides_what_a_section_is_worth_or_what_lies_beside(table: Evening) -> None:
    page = table.phone()
    expect(page.locator(".wheel [data-spot^='die ']")).to_have_count(14)
    overlaps = page.evaluate(
        """() => {
          const drawn = (one) => one.querySelector(".die-body").getBoundingClientRect();
          const dice = [...document.querySelectorAll(".wheel-die")];
          const others = [...document.querySelectorAll(".wheel-tile")].map((one) => one.getBoundingClientRect());
          const tiles = dice.flatMap((die) => others.filter((other) => apart(drawn(die), other) < 0));
          const worths = [...document.querySelectorAll(".wheel .worth")].map((one) => one.getBoundingClientRect());
          const hidden = dice.flatMap((die) => worths.filter((worth) => beside(drawn(die), worth) < worth.width / 2));
          return [tiles.length, hidden.length];
          function apart(a, b) {
            return Math.max(a.left - b.right, b.left - a.right, a.top - b.bottom, b.top - a.bottom);
          }
          function beside(die, circle) {
            const [x, y] = [circle.left + circle.width / 2, circle.top + circle.height / 2];
            const within = (value, low, high) => Math.min(Math.max(value, low), high);
            return Math.hypot(x - within(x, die.left, die.right), y - within(y, die.top, die.bottom));
          }
        }"""
    )
    assert overlaps == [0, 0]


@pytest.mark.parametrize(("language", "words"), [("de", "Aktionspunkt"), ("en", "action point")])
def test_a_tap_on_a_die_tells_what_it_would_bring(table: Evening, language: str, words: str) -> None:
    page = table.phone("seat", 1, language)
    section, colour, value = table.home.state.wheel[0]
    zone = f"wheel {('architect', 'merchant', 'guest', 'contract', 'crown', 'joker')[section]}"
    tap(page, zone, f"die {colour} {value}")
    expect(said(page).locator("li").first).to_contain_text(words)
    about = table.home.backend.about(1, zone, f"die {colour} {value}")
    expect(said(page).locator("li")).to_have_text([remark["says"][language] for remark in about])
    tap(page, zone, f"die {colour} {value}")
    expect(page.locator(".place-info")).to_be_hidden()


def test_a_section_a_tile_and_the_disc_can_be_asked_with_keys(table: Evening) -> None:
    page = table.phone("watcher")
    page.locator(".wheel [data-zone='wheel guest'][role=button]").press("Enter")
    expect(said(page)).to_contain_text("take a guest")
    tap(page, "sections", "guest")
    expect(said(page)).to_contain_text("it goes to a player who uses a die at “guest”")
    page.locator(".wheel [data-zone=dial]").press("Enter")
    expect(said(page)).to_contain_text("After each round the wheel turns")


def test_it_follows_the_game_and_what_was_asked_stays(table: Evening) -> None:
    page = table.phone()
    tap(page, "wheel joker")
    expect(said(page)).to_contain_text("joker")
    move = next(move for move in table.home.game.moves(table.home.state) if type(move).__name__ == "TakeDie")
    table.home.tell(move)
    expect(page.locator(".wheel [data-spot^='die ']")).to_have_count(13)
    expect(said(page)).to_contain_text("joker")


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_a_small_phone_and_axe_finds_nothing_serious(table: Evening, scheme: str) -> None:
    page = table.phone(color_scheme=scheme, reduced_motion="reduce")
    tap(page, "wheel joker")
    expect(said(page)).to_contain_text("joker")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    wheel: Any = page.locator(".wheel").bounding_box()
    assert wheel["width"] > 300
    assert _findings(page) == []


def test_a_table_without_a_wheel_has_no_room_for_one(evening: Begin) -> None:
    page = evening().phone()
    page.locator(".panel .square").first.wait_for()
    expect(page.locator(".wheel")).to_have_count(0)
