"""A host draws the map and a track from the real board, on a phone: by tapping, by dragging, and with keys alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from .conftest import PHONE, Evening

Begin = Callable[..., Evening]
THUMB = 44
WORDS = {
    "de": {"from": "Leer anfangen", "keep": "Fertig und merken", "road": "Straße", "home": "Es fehlt noch: Tiletum."},
    "en": {
        "from": "Begin with nothing",
        "keep": "Done, remember it",
        "road": "Road",
        "home": "Still missing: Tiletum.",
    },
}


@pytest.fixture
def table(evening: Begin) -> Evening:
    return evening(wanted=None)


def begin(page: Page, name: str, how: str = "from-nothing") -> None:
    page.goto(f"/#/sketch?game=tiletum&name={name}")
    page.locator(f"[data-act={how}]").click()
    expect(page.locator(".lacks li").first).to_be_visible()


def tap(page: Page, right: float, down: float) -> None:
    """A tap on the plan, in shares of it."""
    box: Any = page.locator(".plan").bounding_box()
    page.mouse.click(box["x"] + right * box["width"], box["y"] + down * box["height"])


def put(page: Page, name: str, right: float, down: float) -> None:
    tap(page, right, down)
    page.get_by_label("Name", exact=True).fill(name)
    page.locator("[data-act=place-done]").click()
    expect(page.locator(f"[data-place='{name}']")).to_be_visible()


def counted(page: Page) -> Any:
    return page.locator(".counted")


@pytest.mark.parametrize("language", WORDS)
def test_cities_are_put_down_and_roads_drawn_from_city_to_city(table: Evening, language: str) -> None:
    words = WORDS[language]
    page = table.phone(language=language)
    page.goto("/#/setup?game=tiletum")
    page.locator("[data-sketch=map]").click()
    page.get_by_role("button", name=words["from"]).click()
    expect(page.locator(".lacks")).to_contain_text(words["home"])
    put(page, "Tiletum", 0.5, 0.5)
    put(page, "La Rochelle", 0.25, 0.75)
    put(page, "Riga", 0.8, 0.2)
    page.get_by_role("radio", name=words["road"]).check()
    for name in ("La Rochelle", "Tiletum", "Riga"):
        page.locator(f"[data-place='{name}']").click()
    expect(page.locator(".plan .way")).to_have_count(2)
    expect(counted(page)).to_contain_text("2")
    page.locator("[data-act=undo]").click()
    expect(page.locator(".plan .way")).to_have_count(1)
    page.get_by_role("button", name=words["keep"]).click()
    expect(page.locator(".lacks .blocks").first).to_be_visible()
    assert not (table.folder / "answers").exists()


def test_what_there_is_in_a_city_is_said_in_a_small_form(table: Evening) -> None:
    page = table.phone()
    begin(page, "map", "from-assumed")
    page.locator("[data-place=Leipzig]").click()
    page.get_by_role("button", name="Place for a house: one more").click()
    page.locator(".fold summary").last.click()
    page.locator(".fold[open] [data-word=gold] .more").dblclick()
    page.get_by_role("button", name="More Places for pillars").click()
    page.get_by_role("button", name="Cathedral tile, from the top: one more").click()
    page.get_by_role("spinbutton", name="Cathedral tile, from the top 1").fill("7")
    page.locator("[data-act=place-done]").click()
    line = page.locator("[data-edit=Leipzig]")
    expect(line).to_contain_text("Place for a house: 2 (1 × Point, 2 × Gold)")
    expect(line).to_contain_text("Cathedral tile, from the top: 7")
    expect(page.locator(".lacks")).to_contain_text("10 of 9 cathedrals")
    expect(page.locator(".lacks")).to_contain_text("26 of 25 cathedral tiles")


def test_a_city_is_moved_renamed_and_deleted_and_its_roads_follow(table: Evening) -> None:
    page = table.phone()
    begin(page, "map", "from-assumed")
    before = page.locator("[data-place=Genova]").get_attribute("transform")
    place: Any = page.locator("[data-place=Genova] .dot").bounding_box()
    page.mouse.move(place["x"] + 5, place["y"] + 5)
    page.mouse.down()
    page.mouse.move(place["x"] + 60, place["y"] - 5, steps=4)
    page.mouse.up()
    expect(page.locator("[data-place=Genova]")).not_to_have_attribute("transform", before or "")
    page.locator("[data-edit=Genova]").click()
    page.get_by_label("Name", exact=True).fill("Genua")
    page.locator("[data-act=place-done]").click()
    expect(page.locator("[data-edit=Genua]")).to_contain_text("→ Arles–Genova, Milano")
    page.locator("[data-edit=Genua]").click()
    page.get_by_role("button", name="Delete").click()
    expect(page.locator("[data-place]")).to_have_count(28)
    expect(page.locator(".plan .way")).to_have_count(35)
    page.locator("[data-act=undo]").click()
    expect(page.locator(".plan .way")).to_have_count(37)


def test_a_drawing_that_is_not_finished_is_there_again_after_a_while(table: Evening) -> None:
    page = table.phone()
    begin(page, "map")
    put(page, "Tiletum", 0.5, 0.5)
    page.goto("/#/table")
    page.goto("/#/sketch?game=tiletum&name=map")
    expect(page.locator("[data-place=Tiletum]")).to_be_visible()


def test_all_of_it_can_be_done_with_keys(table: Evening) -> None:
    page = table.phone()
    begin(page, "map")
    for name in ("Tiletum", "Riga"):
        page.locator("[data-act=add]").press("Enter")
        page.get_by_label("Name", exact=True).fill(name)
        page.locator("[data-act=place-done]").press("Enter")
    before = page.locator("[data-place=Riga]").get_attribute("transform")
    page.locator("[data-place=Riga]").press("ArrowRight")
    expect(page.locator("[data-place=Riga]")).not_to_have_attribute("transform", before or "")
    page.locator("[name=mode][value=ways]").check()
    page.locator("[data-place=Tiletum]").press("Enter")
    page.locator("[data-place=Riga]").press(" ")
    expect(page.locator(".plan .way")).to_have_count(1)


def test_what_differs_from_what_is_known_is_asked_about_and_then_kept(table: Evening) -> None:
    page = table.phone()
    begin(page, "map", "from-assumed")
    page.locator("[data-edit=Köln]").click()
    page.get_by_role("button", name="Leave out Cathedral tile, from the top 3").click()
    page.locator("[data-act=place-done]").click()
    expect(page.locator(".lacks")).to_contain_text("24 of 25 cathedral tiles")
    page.locator("[data-act=keep]").click()
    page.get_by_role("button", name="Remember it all the same").click()
    expect(page.locator("[data-sketch=map]")).to_contain_text("drawn")
    kept = json.loads((table.folder / "answers" / "tiletum.json").read_text())
    assert kept["map.cities"]["Köln"]["cathedral"] == [6, 4]
    assert len(kept["map.roads"]) == 37


def test_a_track_is_filled_field_by_field(table: Evening) -> None:
    page = table.phone(language="de")
    begin(page, "crown")
    for _ in range(2):
        page.locator("[data-act=longer]").click()
    for value in range(18):
        expect(page.locator(".field-of.here .number")).to_have_text(str(value - 2))
        page.get_by_role("spinbutton").fill(str(value - 3))
        page.locator("[data-act=next]").click()
    expect(page.locator(".lacks .whole")).to_be_visible()
    page.locator("[data-act=keep]").click()
    expect(page.locator("[data-sketch=crown]")).to_contain_text("gezeichnet")
    kept = json.loads((table.folder / "answers" / "tiletum.json").read_text())
    assert kept == {"crown.lowest": -2, "crown.points": list(range(-3, 15))}


def test_a_photograph_or_the_cameras_picture_lies_below_the_plan(
    table: Evening, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    jpeg = bytes(cv2.imencode(".jpg", np.full((200, 100, 3), 90, np.uint8))[1].tobytes())
    monkeypatch.setattr(table.home.backend, "camera", lambda: {"state": "ok", "picture": True})
    monkeypatch.setattr(table.home.backend, "camera_picture", lambda *_what: jpeg)
    (tmp_path / "board.jpg").write_bytes(jpeg)
    page = table.phone()
    begin(page, "map", "from-assumed")
    page.get_by_role("button", name="Camera as background").click()
    expect(page.locator(".plan image")).to_have_attribute("href", re.compile(r"^/camera\.jpg"))
    box: Any = page.locator(".plan").bounding_box()
    assert box["height"] > box["width"], "an upright picture makes an upright plan"
    page.get_by_role("button", name="Photo off").click()
    page.locator("#plan-photo").set_input_files(str(tmp_path / "board.jpg"))
    expect(page.locator(".plan image")).to_have_attribute("href", re.compile(r"^blob:"))


def test_who_is_not_the_host_cannot_draw(table: Evening) -> None:
    page = table.phone("watcher")
    page.goto("/#/sketch?game=tiletum&name=map")
    expect(page.get_by_label("PIN")).to_be_visible()
    expect(page.locator(".plan")).to_have_count(0)


@pytest.mark.parametrize("name", ["map", "crown"])
def test_it_fits_a_small_phone_and_everything_a_thumb(table: Evening, name: str) -> None:
    page = table.phone(language="de")
    begin(page, name, "from-assumed")
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    for small in page.locator(".sketch button, .sketch .key, .plan .reach").all():
        box: Any = small.bounding_box()
        assert min(box["width"], box["height"]) >= THUMB, small.text_content()
