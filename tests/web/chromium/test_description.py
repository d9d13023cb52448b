"""A permit that the box does not hold is described on the phone, lies on the drawn table, and is bought."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from companion.daemon import journal_folder
from companion.games.council_of_four.moves import TurnUp
from companion.kernel.box import Answers
from companion.kernel.messages import ZoneReading
from companion.kernel.rules import Seat
from companion.kernel.views import UNKNOWN, Cells
from tests.games.council_of_four.table import laid_out, lots
from vision import layout as layouts

from .conftest import PHONE, Evening
from .stage import confirm

Begin = Callable[..., Evening]

THREE = journal_folder.Begin("council_of_four", (Seat("red", "Ada"), Seat("yellow", "Ben"), Seat("green")))
WORDS = {
    "en": {
        "none": "None of these: describe it",
        "asks": "What is on the permit?",
        "more": "More {}",
        "keep": "Remember and enter it",
        "done": "Remembered and entered.",
        "nothing": "A permit brings one symbol at least.",
        "cities": "Cities: please choose 1 to 5.",
    },
    "de": {
        "none": "Nichts davon: beschreiben",
        "asks": "Was steht auf der Baugenehmigung?",
        "more": "Mehr {}",
        "keep": "Merken und eintragen",
        "done": "Gemerkt und eingetragen.",
        "nothing": "Eine Baugenehmigung bringt wenigstens ein Symbol.",
        "cities": "Städte: Bitte 1 bis 5 auswählen.",
    },
}


@pytest.fixture
def table(evening: Begin) -> Evening:
    """Everything is laid out but the permit of the coast that lies left."""
    table = evening(wanted=THREE)
    state = laid_out(3)
    table.home.tell(next(iter(table.home.game.moves(table.home.state))))
    for move in lots(state):
        if move != TurnUp(0, "A"):
            table.home.tell(move)
    return table


def describe(page: Page, words: dict[str, str]) -> None:
    page.get_by_role("button", name=words["none"]).click()
    expect(page.get_by_role("heading", name=words["asks"])).to_be_focused()


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_permit_unknown_to_the_box_is_described_and_taken_in(table: Evening, language: str) -> None:
    words = WORDS[language]
    page = table.phone("seat", language=language)
    page.goto("/#/by_hand")
    describe(page, words)
    for city in ("Arkon", "Castrum"):
        page.get_by_role("checkbox", name=city).check()
    for _ in range(2):
        page.get_by_role("button", name=words["more"].format("Gold")).click()
    page.get_by_role("button", name=words["keep"]).click()
    expect(page.locator(".by-hand .told")).to_contain_text(words["done"])
    assert table.home.state.offers[0] == "AC"
    assert table.home.state.box.permits["coast"]["AC"].gold == 2
    assert Answers(table.folder, "council_of_four").read()["learned"][0]["form"] == "permit coast"


def test_it_is_drawn_bought_and_undone(table: Evening) -> None:
    page = table.phone()
    page.goto("/#/by_hand")
    describe(page, WORDS["en"])
    page.get_by_role("checkbox", name="Arkon").check()
    page.get_by_role("checkbox", name="Castrum").check()
    page.get_by_role("button", name="More Points").click()
    page.get_by_role("button", name="Remember and enter it").click()
    expect(page.locator(".by-hand .told")).to_contain_text("Remembered")
    page.goto("/#/table")
    drawn = page.get_by_role("button", name="coast 1 · permit AC")
    expect(drawn.first).to_be_visible()
    page.goto("/#/by_hand")
    page.locator(".option", has_text="Acquiring a permit").click()
    page.locator(".option", has_text="Coast 1").click()
    page.locator(".option").first.click()
    expect(page.locator(".whole-move")).to_contain_text("coast 1")
    confirm(page)
    expect(page.locator(".by-hand .told")).to_contain_text("acquires a permit")
    assert table.home.state.permits[0] == ("AC",)
    assert table.home.state.points[0] == 1
    page.goto("/#/history")
    expect(page.get_by_text("From now on I know: permit AC.")).to_be_attached()
    page.goto("/#/setup")
    page.locator(".choice .key", has_text="The Council of Four").first.click()
    expect(page.locator(".setup .box .learned")).to_have_text("Described by you: permit AC.")


def test_an_earlier_permit_turns_out_to_be_another(table: Evening) -> None:
    table.home.tell(TurnUp(0, "AB"))
    page = table.phone()
    page.goto("/#/history")
    page.locator(".small > summary").first.click()
    page.locator(".why summary").first.click()
    page.get_by_role("button", name="something else").first.click()
    describe(page, WORDS["en"])
    page.get_by_role("checkbox", name="Arkon").check()
    page.get_by_role("button", name="More Points").click()
    page.get_by_role("checkbox", name="Esti").check()
    page.get_by_role("button", name="Remember and enter it").click()
    expect(page.locator("dialog.correction")).to_have_count(0)
    assert table.home.state.offers[0] == "AE"
    assert table.home.state.box.permits["coast"]["AE"].points == 1, "the box said 2 steps of nobility"


def test_what_cannot_be_is_said_and_what_was_typed_stays(table: Evening) -> None:
    words = WORDS["de"]
    page = table.phone(language="de")
    page.goto("/#/by_hand")
    describe(page, words)
    page.get_by_role("button", name=words["keep"]).click()
    expect(page.locator(".toast")).to_contain_text(words["cities"])
    page.get_by_role("checkbox", name="Esti").check()
    page.get_by_role("button", name=words["keep"]).click()
    expect(page.locator(".toast").last).to_contain_text(words["nothing"])
    assert page.locator(".description input[type=checkbox]:checked").count() == 1
    page.evaluate("for (const note of document.querySelectorAll('.toast')) note.click()")
    page.get_by_role("button", name="Doch aus der Liste wählen").click()
    expect(page.locator(".options .option").first).to_be_visible()
    assert table.home.state.offers[0] == ""


def test_the_camera_shows_the_place_beside_the_form(table: Evening, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []
    picture = cv2.imencode(".jpg", np.full((40, 40, 3), 90, np.uint8))[1].tobytes()
    monkeypatch.setattr(table.home.backend, "camera_picture", lambda *what: asked.append(what) or picture)
    page = table.phone()
    page.goto("/#/by_hand")
    describe(page, WORDS["en"])
    expect(page.locator(".description .place-picture img")).to_be_visible()
    assert asked[-1] == (False, "permits", "coast 1")


def test_a_hint_leads_to_the_form(table: Evening) -> None:
    """The camera sees something on the place, and it is no permit that the box holds."""
    game, state = table.home.game, table.home.state
    seen = dict(game.view(state).zones)
    seen["permits"] = Cells({**seen["permits"].at, "coast 1": UNKNOWN})
    layout = layouts.load(game.box_file.with_name("layout.toml"))
    zones = {name: ZoneReading(layout.zones[name].kind, contents) for name, contents in seen.items()}
    for _ in range(4):
        table.home.look(zones)
    page = table.phone()
    page.locator(".problem-pill").click()
    expect(page.locator("dialog.problem")).to_contain_text("I don’t recognise what is there: place “coast 1”.")
    page.get_by_role("button", name="Say what it is").click()
    expect(page.locator(".asks")).to_have_text("Which permit lies there now (coast 1)?")
    describe(page, WORDS["en"])


def test_the_form_fits_a_small_phone_and_its_keys_a_thumb(table: Evening) -> None:
    page = table.phone()
    page.goto("/#/by_hand")
    describe(page, WORDS["en"])
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for small in page.locator(".description button, .description .key").all():
        box: Any = small.bounding_box()
        assert min(box["width"], box["height"]) >= 44
