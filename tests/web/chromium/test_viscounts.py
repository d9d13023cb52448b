"""Viscounts on the phone: begun from the menu, told by taps to its end, explained step by step, learned on sight."""

from __future__ import annotations

import json
import re
import time
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page, expect

from companion import games
from companion.daemon import journal_folder
from companion.games.viscounts.moves import OfferCard, TurnScheme, TurnUpManuscript
from companion.kernel.box import Answers
from companion.kernel.rules import Seat
from companion.kernel.simulation import of
from companion.simulation.selfplay import playing
from companion.text.move_menu import leading_to

from .conftest import PATIENCE, PHONE, Evening
from .stage import confirm, move_by_move

Begin = Callable[..., Evening]

BY_TAPS = 1
"""So many moves of each kind are told by taps; the rest by the command that the taps send."""
WORDS = {"de": ("So war es", "Das Spiel ist aus"), "en": ("That is it", "over")}

NUMBERS = {"number": "Number of the card", "cost": "Cost in cleric symbols", "steps": "Spaces that its viscount moves"}
"""Fields of the forms that are numbers."""


def bots(table: Evening, seed: str) -> Iterator[Any]:
    """The moves of a game, one after the other."""
    game, state = table.home.game, table.home.state
    world = of(game.name).world(state, "keen", Random(seed))
    return (move for _, move, _ in playing(game, state, world))


def told_by_taps(page: Page, table: Evening, move: Any, language: str) -> None:
    """Every question answered with a finger, until the page shows the whole move."""
    wanted, state = {type(move).__name__, *leading_to(move, "")}, table.home.state
    page.goto("/#/by_hand")
    option, ready = page.locator(".option"), page.get_by_role("button", name=WORDS[language][0])
    for _ in range(9):
        up_to_date(page, table)
        move_by_move(page)
        if page.locator(".one-by-one[hidden]").count():
            if page.locator(".next-moves li").count() > 1:
                return told_at_once(page, table, move)
            with page.expect_response("**/api/command"):
                page.locator(".next-moves .primary").click()
            assert table.home.state == table.home.game.play(state, move)
            return None
        expect(ready.or_(option).first).to_be_visible()
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], move
        if ready.is_visible():
            expect(page.locator(".whole-move")).to_have_text(in_words(table, move, language))
            with page.expect_response("**/api/command"):
                confirm(page, WORDS[language][0])
            assert table.home.state == table.home.game.play(state, move)
            return None
        offered = option.evaluate_all("all => all.map((one) => one.dataset.option)")
        (answer,) = [one for one in offered if one in wanted]
        whole = page.locator(f".others .option[data-option='{answer}']")
        if whole.count():
            with page.expect_response("**/api/command"):
                whole.click()
            assert table.home.state == table.home.game.play(state, move)
            return None
        with page.expect_response("**/api/choices*"):
            page.locator(f".options .option[data-option='{answer}']").click()
    raise AssertionError(f"no move came of it: {move}")


def told_at_once(page: Page, table: Evening, move: Any) -> None:
    """By the command that the taps send; meanwhile the page shows nothing that changes."""
    if not page.url.endswith("#/more"):
        page.goto("/#/more")
    table.home.tell(move)


def up_to_date(page: Page, table: Evening) -> None:
    """The page asks about the table as it stands now."""
    asking, late = page.locator(".move-choice:not([aria-busy])"), time.monotonic() + PATIENCE / 1000
    while asking.get_attribute("data-number") != str(table.home.backend.snapshot().number):
        assert time.monotonic() < late, "the page asks about an old table"
        page.wait_for_timeout(20)


def in_words(table: Evening, move: Any, language: str) -> str:
    choices = table.home.backend.choices(None, leading_to(move, ""))
    return str(choices["says"][language])


def shown(page: Page) -> str:
    """What stands on the page; no person may ever read what a program calls it."""
    text = page.locator("main").inner_text()
    assert not [sign for sign in ("{", "[object", "undefined", "_") if sign in text], text
    return str(text)


# Whole games


@pytest.mark.parametrize(("language", "players"), [("de", 1), pytest.param("en", 3, marks=pytest.mark.proof)])
def test_a_whole_game_is_begun_from_the_menu_and_told_by_hand(evening: Begin, language: str, players: int) -> None:
    table = evening(wanted=None)
    page = table.phone(language=language)
    page.goto("/#/setup?game=viscounts")
    page.locator(f"[name=players][value='{players}']").check()
    if players == 1:
        page.locator("[name=opponent][value=builder]").check()
        page.locator("[name=difficulty][value='1']").check()
    page.locator("[data-act=begin]").click()
    expect(page.locator(".expects")).to_be_visible()
    kinds, sentences = Counter[str](), set[str]()
    for move in bots(table, f"by hand {players}"):
        kind, key = type(move).__name__, table.home.game.expects(table.home.state).key
        if key not in sentences:
            sentences.add(key)
            page.goto("/#/table")
            says = table.home.backend.snapshot().table["expects"]["says"][language]
            expect(page.locator(".expects .sentence")).to_have_text(says)
            shown(page)
        kinds[kind] += 1
        if kinds[kind] <= BY_TAPS:
            told_by_taps(page, table, move, language)
        else:
            told_at_once(page, table, move)
    assert table.home.state.phase == "over"
    assert {"PlayCard", "Travel", "Trade", "Employ", "Hire", "DrawUp", "Slide", "TurnUp"} <= kinds.keys()
    if players == 1:
        assert {"Copy", "TurnScheme", "AddScheme"} <= kinds.keys()
        assert {"rival_reveal", "rival_walk", "rival_slide"} <= sentences
    page.goto("/#/table")
    expect(page.locator(".expects")).to_contain_text(WORDS[language][1])
    page.goto("/#/scores")
    scores, outcome = table.home.backend.scores(), page.locator(".scores .outcome")
    expect(outcome.locator("p")).to_have_text([why[language] for why in scores["because"]])
    if players == 1:
        assert scores["winners"] == []  # bots play badly
        expect(outcome.get_by_role("heading")).to_have_text("Das Spiel ist aus")
        expect(page.locator("dialog.reveal")).to_have_count(0)
    shown(page)


@pytest.mark.parametrize(
    "opponent", ["cleric", "cards", *(pytest.param(one, marks=pytest.mark.proof) for one in ("builder", "noble"))]
)
def test_each_opponents_turn_is_laid_out_step_by_step(evening: Begin, opponent: str) -> None:
    """A solo player reads each of its acts, and only has to confirm it."""
    table = evening(wanted=journal_folder.Begin("viscounts", (Seat("red", "Ada"),), {"opponent": opponent}))
    page = table.phone("seat", 0)
    acts: list[str] = []
    for move in bots(table, opponent):
        state = table.home.state
        if state.phase == "rival" and state.turn == state.rival:
            acts.append(table.home.game.expects(state).key)
            told_by_taps(page, table, move, "en")
        else:
            told_at_once(page, table, move)
        if state.round > 1:
            break
    assert {"rival_reveal", "rival_walk"} <= set(acts)
    assert len(acts) > 3


def test_the_opponents_moves_have_a_sign_of_their_own(evening: Begin) -> None:
    table = evening(wanted=journal_folder.Begin("viscounts", (Seat("red", "Ada"),)))
    until(table, "signs", lambda state: state.round > 1)
    page = table.phone("seat", 0)
    page.goto("/#/history")
    for name, letter in (("Blue", "B"), ("Ada", "R")):
        moves = page.locator(".move").filter(has=page.locator("h2", has_text=re.compile(f"^{name}")))
        expect(moves.first.locator(".mark-letter")).to_have_text(letter)
    page.goto("/#/table")
    expect(page.locator(".line").filter(has_text="Blue").first.locator(".mark-letter")).to_have_text("B")


# What people are told


def tap(page: Page, zone: str, spot: str = "") -> None:
    if page.locator(".true-map").is_hidden():
        page.locator(".true-map-button").click()
    place = f".map [data-zone='{zone}']" + (f" [data-spot='{spot}']" if spot else "")
    page.locator(place).first.wait_for()
    page.evaluate("at => document.querySelector(at).dispatchEvent(new MouseEvent('click', {bubbles: true}))", place)


def until(table: Evening, seed: str, reached: Callable[[Any], bool]) -> None:
    for move in bots(table, seed):
        if reached(table.home.state):
            return
        table.home.tell(move)
    raise AssertionError("that never happened")


THREE = journal_folder.Begin("viscounts", tuple(map(Seat, ("red", "blue", "yellow"), ("Ada", "Ben", "Cleo"))))


@pytest.mark.parametrize(("language", "climbs"), [("de", "steigt auf"), ("en", "climbs")])
def test_a_cascade_is_a_numbered_list_and_goes_on_as_workers_climb(evening: Begin, language: str, climbs: str) -> None:
    table = evening(wanted=THREE)
    until(table, "cascade", lambda state: table.home.game.expects(state).key.startswith("do_climb"))
    page = table.phone("seat", 0, language)
    expect(page.locator(".expects .phase")).to_contain_text({"de": "Burg", "en": "castle"}[language])
    tap(page, "first ring 1")
    steps = page.locator(".map-about .numbered")
    expect(steps.first).to_contain_text("1.")
    expect(steps.first).to_contain_text(climbs)
    room = page.locator(".map-about").bounding_box()
    assert room is not None
    assert all(box["width"] > room["width"] * 0.7 for one in steps.all() if (box := one.bounding_box()) is not None)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    before = steps.all_inner_texts()
    table.home.tell(next(iter(table.home.game.moves(table.home.state))))
    page.wait_for_function(
        "before => JSON.stringify([...document.querySelectorAll('.map-about .numbered')].map((one) => one.innerText))"
        " !== before",
        arg=json.dumps(before, separators=(",", ":"), ensure_ascii=False),
    )


def test_a_row_a_free_plot_and_a_track_tell_what_they_are_good_for(evening: Begin) -> None:
    table = evening(wanted=THREE)
    until(table, "row", lambda state: state.round == 1 and state.phase == "action" and state.turn == 0)
    page = table.phone("seat", 0)
    said = page.locator(".map-about")
    tap(page, "row red", "1")
    expect(said).to_contain_text("Ada stands")
    view = table.home.backend.snapshot().table["view"]
    free = next(cell for cell, label in view["plots"]["at"].items() if label is None)
    tap(page, "plots", free)
    expect(said).to_contain_text("for building here:")
    expect(page.locator(".map-caption")).to_contain_text("nothing")
    tap(page, "track red", "4")
    expect(said).to_contain_text("Space 4:")


def test_a_long_list_is_searched_by_a_few_letters(evening: Begin) -> None:
    table = evening(wanted=THREE)
    table.home.tell(next(bots(table, "list")))
    page = table.phone(language="de")
    page.goto(f"/#/by_hand?chosen={quote(json.dumps(['TurnUp', 'segment=0']))}")
    expect(page.locator(".option:visible")).to_have_count(len(table.home.state.box.townsfolk))
    page.get_by_role("searchbox", name="Suchen").fill("holzf")
    expect(page.locator(".option:visible .says")).to_have_text(
        ["Holzfällerin (Tugend)", "Holzfällerin (vernichten/abwerfen)"]
    )
    page.locator(".option:visible").first.click()
    expect(page.locator(".whole-move")).to_contain_text("Holzfällerin (Tugend)")


# On sight


def test_pieces_that_nobody_knew_are_described_and_known_from_then_on(evening: Begin) -> None:
    """A player card, a manuscript and a scheme of a box that differs from ours."""
    table = evening(wanted=journal_folder.Begin("viscounts", (Seat("red", "Ada"),), {"difficulty": 1}))
    page = table.phone()
    moves = bots(table, "sight")
    table.home.tell(next(moves))
    describe(page, table, OfferCard(0, 0), "number", {"number": 5}, {"brings": [("silver", 3), ("virtue", 1)]})
    assert table.home.state.cards[0] == 5
    describe(
        page, table, TurnUpManuscript(0, ""), "manuscript", {"ribbon": "grey", "cost": 4}, {"brings": [("gold", 2)]}
    )
    assert table.home.state.scripts[0] == "script ribbon_grey 4: gold2"
    for move in bots(table, "on sight"):
        if any(due.what == "reveal" for group in table.home.state.due[:1] for due in group):
            break
        table.home.tell(move)
    chosen = {"pile": "start", "steps": 3, "tries": "workers"}
    describe(page, table, TurnScheme(""), "scheme", chosen, {"symbols": [("cleric", 1)], "brings": [("deed", 1)]})
    assert table.home.state.rows[1][0] == "start cleric"
    page.goto("/#/table")
    shown(page)
    box = games.load("viscounts").load_box(Answers(table.folder, "viscounts").read())
    assert [one.form for one in box.learned] == ["player_card", "manuscript", "scheme"]
    assert box.player_cards["5"].effect.virtue == 1


def describe(
    page: Page,
    table: Evening,
    move: Any,
    field: str,
    chosen: dict[str, Any],
    amounts: dict[str, list[tuple[str, int]]],
) -> None:
    """By hand, where that piece is asked for: it is none of the list."""
    moves = [one for one in table.home.game.moves(table.home.state) if type(one) is type(move)]
    alike = next(one for one in moves if leading_to(one, field) == leading_to(move, field))
    page.goto("/#/more")
    page.goto(f"/#/by_hand?chosen={quote(json.dumps(leading_to(alike, field)))}")
    page.get_by_role("button", name="None of these").click()
    form = page.locator(".description")
    expect(form).to_be_visible()
    shown(page)
    for name, answer in chosen.items():
        if form.locator(f"[name={name}]").count():
            form.locator(f"[name={name}][value={answer}]").check()
        else:
            labels = {
                "number": "Number of the card",
                "cost": "Cost in cleric symbols",
                "steps": "Spaces that its viscount moves",
            }
            form.get_by_role("spinbutton", name=labels[name]).fill(str(answer))
    order = [one for one in ("symbols", "brings") if one in amounts]
    for place, name in enumerate(order):
        box = form.locator("fieldset.amounts").nth(place)
        for word, number in amounts[name]:
            for _ in range(number):
                box.locator(f"[data-word={word}] .more").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.get_by_role("button", name="Remember and enter it").click()
    expect(page.locator(".by-hand .told")).to_contain_text("Remembered")
