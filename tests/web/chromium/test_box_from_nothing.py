"""A box made from nothing on the phone: map and tracks drawn, a dozen tiles described, and a whole game played."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable
from random import Random
from typing import Any
from urllib.parse import quote

from playwright.sync_api import Page, expect

from companion import games
from companion.games.tiletum.moves import OfferContract, OfferGuest, PutCost, PutTile
from companion.kernel.box import Answers
from companion.kernel.simulation import of
from companion.simulation.selfplay import playing
from companion.text.move_menu import leading_to
from tests.web.chromium.test_sketch import tap

from .conftest import PHONE, Evening

Begin = Callable[..., Evening]

HOME = "Tiletum"
CITIES: dict[str, tuple[float, float, list[int]]] = {
    "Brugge": (0.3, 0.15, [8, 6, 4]),
    "La Rochelle": (0.12, 0.45, [7, 5, 3]),
    "Reims": (0.45, 0.42, [6, 4, 2]),
    "Ulm": (0.62, 0.3, [8, 5, 1]),
    "Riga": (0.85, 0.12, [7, 4]),
    "Graz": (0.82, 0.5, [6, 3]),
    "Pisa": (0.62, 0.72, [5, 4, 2]),
    "Nîmes": (0.35, 0.78, [7, 3, 1]),
    "Split": (0.86, 0.84, [6, 5, 2]),
}
"""Where each lies on the plan, and the tiles of its cathedral from the top: 25 as in every box."""
ROADS = (HOME, "Brugge", "La Rochelle", "Nîmes", "Pisa", "Reims", HOME, "Ulm", "Riga", "Graz", "Split", "Pisa")
TRACKS: dict[str, list[int]] = {
    "crown": [-5, -3, -1, *range(16)],
    "fields": [2, 2, 3, 3, 4, 5],
    "offer": [3, 2, 2, 1, 1],
    "gold": [2, 3, 4, 5],
}
Field = str | list[tuple[str, int]]
"""The value of a choice, a text, or what is tapped how often."""


def test_a_box_made_from_nothing_on_the_phone_plays_a_whole_game(evening: Begin) -> None:
    table = evening(wanted=None)
    page = table.phone()
    assert not (table.folder / "answers").exists()

    draw_the_map(page)
    for name, values in TRACKS.items():
        fill_the_track(page, name, values)
    expect(page.locator(".sketch-key.drawn")).to_have_count(1 + len(TRACKS))

    begin(page)
    state = table.home.state
    assert set(state.box.map.cities) == {HOME, *CITIES}
    assert state.box.crown.points == tuple(TRACKS["crown"])
    assert not {"map.cities", "map.roads", "crown.points", "start.gold"} & set(state.box.unverified)
    table.home.tell(next(iter(table.home.game.moves(state))))

    for move, field, answers in unknown_tiles(table):
        describe(page, table, move, field, answers)
    assert len(table.home.state.box.learned) == 12

    page.goto("/#/more")
    play_on(table)
    assert table.home.state.phase == "over"
    page.goto("/#/scores")
    expect(page.locator(".scores")).to_contain_text("Ada")
    page.goto("/#/table")
    expect(page.locator(".expects")).to_contain_text("over")
    known_from_now_on(table)


# The map and the tracks


def draw_the_map(page: Page) -> None:
    page.goto("/#/setup?game=tiletum")
    page.locator("[data-sketch=map]").click()
    page.locator("[data-act=from-nothing]").click()
    tap(page, 0.45, 0.22)
    expect(page.get_by_label("Name", exact=True)).to_have_value(HOME)
    page.locator("[data-act=place-done]").click()
    for number, (name, (right, down, tiles)) in enumerate(CITIES.items()):
        tap(page, right, down)
        page.get_by_label("Name", exact=True).fill(name)
        page.get_by_role("button", name="Place for a house: one more").click()
        for _ in range(3):
            page.get_by_role("button", name="More Places for pillars").click()
        for place, value in enumerate(tiles, start=1):
            page.get_by_role("button", name="Cathedral tile, from the top: one more").click()
            page.get_by_role("spinbutton", name=f"Cathedral tile, from the top {place}").fill(str(value))
        page.get_by_role("switch", name="Place for a bonus tile").check()
        if number:
            page.get_by_role("switch", name="There is a city tile for it").check()
        page.locator("[data-act=place-done]").click()
    page.locator("[name=mode][value=ways]").check()
    for name in ROADS:
        page.locator(f"[data-place='{name}']").click()
    expect(page.locator(".plan .way")).to_have_count(len(ROADS) - 1)
    expect(page.locator(".lacks .whole")).to_be_visible()
    page.locator("[data-act=keep]").click()
    expect(page.locator("[data-sketch=map]")).to_contain_text("drawn")


def fill_the_track(page: Page, name: str, values: list[int]) -> None:
    page.locator(f"[data-sketch={name}]").click()
    page.locator("[data-act=from-nothing]").click()
    expect(page.locator(".lacks li").first).to_be_visible()
    while page.locator(".field-of").count() < len(values):
        page.locator("[data-act=longer]").click()
    for value in values:
        page.get_by_role("spinbutton").fill(str(value))
        page.locator("[data-act=next]").click()
    expect(page.locator(".lacks .whole")).to_be_visible()
    page.locator("[data-act=keep]").click()
    expect(page.locator(f"[data-sketch={name}]")).to_contain_text("drawn")


def begin(page: Page) -> None:
    page.locator("[name=players][value='2']").check()
    page.get_by_label("Name at place 1").fill("Ada")
    page.get_by_role("button", name="Begin Tiletum").click()
    expect(page.locator(".expects")).to_be_visible()


# Tiles on sight


def unknown_tiles(table: Evening) -> Iterable[tuple[Any, str, dict[str, Field]]]:
    """A dozen tiles that the box does not hold, as they turn up."""
    cathedrals = table.home.state.map.cathedrals
    for place, good in (("architect", "gold"), ("merchant", "wool"), ("favour 1", "iron"), ("Pisa", "food")):
        yield PutTile(place, ""), "tile", {"does": "brings", "brings": [(good, 2), ("points", 1)], "mark": "all"}
    for place, good in enumerate(("wool", "iron", "stone", "food")):
        terms: dict[str, Field] = {"needs": [(good, 2)], "brings": [("points", 4 + place), ("crown", 1)], "mark": "all"}
        yield OfferContract(place, ""), "contract", terms
    for place, name in enumerate(("Woman in yellow", "Old man", "Sailor")):
        lady: dict[str, Field] = {"character": "new", "name": name, "section": "merchant", "brings": [("gold", 4)]}
        yield OfferGuest(place, ""), "guest", {**lady, "mark": "all"}
    yield PutCost(cathedrals[0], ""), "cost", {"stone": "6", "points": "9"}


def describe(page: Page, table: Evening, move: Any, field: str, answers: dict[str, Field]) -> None:
    """By hand, where that tile is asked for: it is none of the list."""
    moves = [one for one in table.home.game.moves(table.home.state) if type(one) is type(move)]
    alike = next(one for one in moves if leading_to(one, field) == leading_to(move, field))
    page.goto(f"/#/by_hand?chosen={quote(json.dumps(leading_to(alike, field)))}")
    page.get_by_role("button", name="None of these").click()
    form = page.locator(".description")
    expect(form.get_by_role("button", name="Remember and enter it")).to_be_visible()  # the whole form is there
    for name, answer in answers.items():
        if isinstance(answer, list):
            box = form.locator("fieldset.amounts").nth(_amounts_before(answers, name))
            for word, number in answer:
                for _ in range(number):
                    box.locator(f"[data-word={word}] .more").click()
        elif form.locator(f"[name={name}]").count():
            form.locator(f"[name={name}][value={answer}]").check()
        elif name in ("stone", "points"):
            form.get_by_role("spinbutton", name={"stone": "Stones", "points": "Points"}[name]).fill(answer)
        else:
            form.get_by_label("Name of the new character").fill(answer)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    number = len(table.home.state.box.learned)
    page.get_by_role("button", name="Remember and enter it").click()
    expect(page.locator(".by-hand .told")).to_contain_text("Remembered")
    assert len(table.home.state.box.learned) == number + 1


def _amounts_before(answers: dict[str, Field], name: str) -> int:
    """Which of the form's fields with amounts this is."""
    return [one for one, answer in answers.items() if isinstance(answer, list)].index(name)


# The rest of the game


def play_on(table: Evening) -> None:
    """Bots tell all other moves by the same command as people do."""
    game, state = table.home.game, table.home.state
    world = of(game.name).world(state, "keen", Random("box from nothing"))
    for _, move, _ in playing(game, state, world):
        table.home.tell(move)


def known_from_now_on(table: Evening) -> None:
    """The next game begins with the map, the tracks and the tiles of this box."""
    box = games.load("tiletum").load_box(Answers(table.folder, "tiletum").read())
    assert len(box.learned) == 12
    assert len(box.contracts) == 26
    assert "Woman in yellow" in box.guests
    (offer,) = [one for one in table.home.backend.setup()["games"] if one["game"] == "tiletum"]
    assert [family["known"] for family in offer["families"]] == [4, 4, 3, 1, 0]
