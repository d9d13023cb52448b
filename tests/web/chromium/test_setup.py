"""A host begins a game on the phone, and compares the box once; everybody else is told who does that."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from companion import games

from .conftest import Evening

Begin = Callable[..., Evening]


def test_a_host_begins_a_game(evening: Begin) -> None:
    table = evening(wanted=None)
    page = table.phone()
    page.goto("/#/setup")
    page.locator("[name=players][value='3']").check()
    for place, name in enumerate(("Ada", "Grace", "Hedy"), start=1):
        page.get_by_label(f"Name at place {place}").fill(name)
    page.locator("[name=colour0][value=purple]").check()
    page.locator("[name=oldest][value='2']").check()
    page.get_by_label("gamblers").check()
    page.get_by_role("button", name="Begin Tumult Royale").click()
    expect(page).to_have_url(f"http://127.0.0.1:{table.server.port}/#/table")
    seats = table.home.backend.snapshot().table["seats"]
    assert [seat["name"] for seat in seats] == ["Ada", "Grace", "Hedy"]
    assert seats[0]["colour"] == "purple"
    assert len({seat["colour"] for seat in seats}) == 3
    assert table.home.state.options.oldest == 2
    assert table.home.state.options.gamblers


TITLES = {
    "tumult_royale": "Tumult Royale",
    "council_of_four": "The Council of Four",
    "tiletum": "Tiletum",
    "viscounts": "Viscounts of the West Kingdom",
}


@pytest.mark.parametrize("game", games.NAMES)
def test_all_four_games_begin_from_one_menu(evening: Begin, game: str) -> None:
    table = evening(wanted=None)
    page = table.phone()
    page.goto("/#/setup")
    for title in TITLES.values():
        expect(page.get_by_role("radio", name=title, exact=True)).to_be_visible()
    page.get_by_role("radio", name=TITLES[game], exact=True).check()
    page.get_by_role("button", name=f"Begin {TITLES[game]}").click()
    expect(page.locator(".expects")).to_be_visible()
    assert table.home.game.name == game


@pytest.mark.parametrize("opponent", ["cleric", "builder", "noble", "cards"])
def test_one_player_chooses_an_opponent_and_how_hard_it_is(evening: Begin, opponent: str) -> None:
    table = evening(wanted=None)
    page = table.phone()
    page.goto("/#/setup?game=viscounts")
    page.locator("[name=players][value='3']").check()
    expect(page.locator("[name=first]")).to_have_count(3)
    expect(page.locator("[name=opponent]")).to_have_count(0)
    page.locator("[name=players][value='1']").check()
    expect(page.locator("[name=first]")).to_have_count(0)
    offered = page.locator("[name=opponent]").evaluate_all("found => found.map((one) => one.value)")
    assert offered == ["cleric", "builder", "noble", "cards"], "in the order of the box"
    page.locator(f"[name=opponent][value={opponent}]").check()
    page.locator("[name=difficulty][value='2']").check()
    page.locator("[data-act=begin]").click()
    expect(page.locator(".expects")).to_be_visible()
    options = table.home.state.options
    assert (options.opponent, options.difficulty, table.home.state.players) == (opponent, 2, 2)


def test_what_was_chosen_for_other_numbers_of_players_does_not_count(evening: Begin) -> None:
    table = evening(wanted=None)
    page = table.phone()
    page.goto("/#/setup?game=viscounts")
    page.locator("[name=players][value='1']").check()
    page.locator("[name=opponent][value=cards]").check()
    page.locator("[name=players][value='2']").check()
    page.locator("[data-act=begin]").click()
    expect(page.locator(".expects")).to_be_visible()
    assert table.home.state.options.opponent == "cleric"


@pytest.mark.parametrize("game", games.NAMES)
def test_every_fact_of_a_box_is_written_as_people_would(evening: Begin, game: str) -> None:
    """Even those that are made of parts: people must not read a program's names."""
    table = evening(wanted=None)
    page = table.phone(language="de")
    page.goto(f"/#/setup?game={game}")
    page.locator("[data-act=box]").click()
    (offered,) = [one for one in table.home.backend.setup()["games"] if one["game"] == game]
    for number, doubt in enumerate(offered["unverified"], start=1):
        expect(page.locator(".box-fact h3")).to_have_text(doubt["ask"]["de"])
        said = page.locator(".box-fact").inner_text()
        assert not any(sign in said for sign in ("[object", "{", "undefined")), (number, said)
        page.get_by_role("button", name="Später").click()


def test_a_game_that_is_played_is_put_away_only_after_a_second_question(evening: Begin) -> None:
    table = evening()
    table.home.play(3)
    page = table.phone()
    page.goto("/#/setup")
    begin = page.locator("[data-act=begin]")
    begin.click()
    page.get_by_role("button", name="Cancel").click()
    assert table.home.backend.snapshot().table["events"] > 0
    begin.click()
    page.get_by_role("button", name="Put away and begin").click()
    expect(page).to_have_url(f"http://127.0.0.1:{table.server.port}/#/table")
    assert table.home.backend.snapshot().table["events"] == 0


def test_who_is_not_the_host_is_told_how_to_become_it(evening: Begin) -> None:
    table = evening(wanted=None)
    page = table.phone("watcher")
    page.goto("/#/setup")
    expect(page.get_by_role("button", name="Begin")).to_have_count(0)
    expect(page.get_by_text("The host does this")).to_be_visible()
    assert table.server.pin is not None
    page.get_by_label("PIN").fill(table.server.pin.digits)
    page.get_by_role("button", name="Become the host").click()
    expect(page.get_by_role("button", name="Begin Tumult Royale")).to_be_visible()


def test_a_fact_of_the_box_is_confirmed_with_one_tap_and_another_corrected(evening: Begin) -> None:
    table = evening(wanted=None)
    page = table.phone()
    page.goto("/#/setup")
    doubts = table.home.backend.setup()["games"][0]["unverified"]
    other = next(place for place, doubt in enumerate(doubts) if doubt["fact"] == "fields.village.cost.bread")
    count = page.locator(".box-fact .count")
    _unfold_the_box(page)
    page.get_by_role("button", name="Compare now").click()
    page.get_by_role("button", name="That is right").click()
    for place in range(1, other):
        expect(count).to_have_text(f"Question {place + 1} of {len(doubts)}")
        page.get_by_role("button", name="Later").click()
    expect(page.locator(".box-fact h3")).to_have_text(doubts[other]["ask"]["en"])
    page.get_by_role("button", name="Ours is different").click()
    page.locator(".box-fact input").fill("2")
    page.get_by_role("button", name="Keep this").click()
    expect(count).to_have_text(f"Question {other + 2} of {len(doubts)}")
    page.get_by_role("button", name="Close").click()
    expect(page.locator(".setup .box")).to_contain_text(f"{len(doubts) - 2} facts")
    kept = json.loads((table.folder / "answers" / "tumult_royale.json").read_text())
    assert kept == {doubts[0]["fact"]: doubts[0]["assumed"], "fields.village.cost.bread": 2}


def test_a_box_that_cannot_be_like_that_is_refused_with_the_reason(evening: Begin) -> None:
    table = evening(wanted=None)
    page = table.phone()
    page.goto("/#/setup")
    _unfold_the_box(page)
    page.get_by_role("button", name="Compare now").click()
    page.get_by_role("button", name="Ours is different").click()
    page.locator(".box-fact input").first.fill("99")
    page.get_by_role("button", name="Keep this").click()
    expect(page.locator(".toast")).to_contain_text("The box can’t be like that")
    assert not list((table.folder / "answers").iterdir())


@pytest.mark.parametrize("game", ["tumult_royale", "viscounts"])
def test_every_kind_of_fact_has_a_form_that_gives_back_what_it_was_given(evening: Begin, game: str) -> None:
    """Numbers, lists, words, rows of words, dictionaries of all these: opened and kept as they are, nothing changes."""
    table = evening(wanted=None)
    page = table.phone()
    page.goto(f"/#/setup?game={game}")
    (offered,) = [one for one in table.home.backend.setup()["games"] if one["game"] == game]
    doubts = offered["unverified"]
    _unfold_the_box(page)
    page.get_by_role("button", name="Compare now").click()
    for number in range(1, len(doubts) + 1):
        expect(page.locator(".box-fact .count")).to_have_text(f"Question {number} of {len(doubts)}")
        page.get_by_role("button", name="Ours is different").click()
        page.get_by_role("button", name="Keep this").click()
    expect(page.get_by_text("The box has been compared.")).to_be_visible()
    kept = json.loads((table.folder / "answers" / f"{game}.json").read_text())
    assert kept == {doubt["fact"]: doubt["assumed"] for doubt in doubts}


def test_a_box_file_is_taken_along_and_loaded_at_another_table(evening: Begin, tmp_path: Path) -> None:
    table = evening(wanted=None)
    page = table.phone()
    assert page.evaluate("async () => (await fetch('/export/box/tiletum')).status") == 200
    page.goto("/#/setup?game=tiletum")
    page.locator(".sharing summary").click()
    with page.expect_download() as download:
        page.locator("[data-act=export]").click()
    assert download.value.suggested_filename == "tiletum-box.json"
    box = json.loads(Path(download.value.path()).read_text())
    box["answers"] = {"crown.lowest": -1, "crown.points": list(range(17))}
    box["learned"] = [{"form": "cost", "answers": {"stone": 7, "points": 9}}]
    page.locator("#box-file").set_input_files(_file(tmp_path, box))
    expect(page.locator(".toast")).to_contain_text("Taken: 2 facts, 1 new piece.")
    expect(page.locator("[data-sketch=crown]")).to_contain_text("drawn")
    expect(page.locator(".setup .box .learned")).to_contain_text("7 stone, 9 points")
    box["answers"] = {"crown.points": [1]}
    page.locator(".sharing summary").click()
    page.locator("#box-file").set_input_files(_file(tmp_path, box))
    expect(page.locator(".toast").last).to_contain_text("The box can’t be like that")
    kept = json.loads((table.folder / "answers" / "tiletum.json").read_text())
    assert len(kept["crown.points"]) == 17


def _unfold_the_box(page: Any) -> None:
    fold = page.locator(".box-fold")
    if fold.get_attribute("open") is None:
        fold.locator("> summary").click()


def _file(folder: Path, box: Any) -> str:
    path = folder / "shared.json"
    path.write_text(json.dumps(box))
    return str(path)
