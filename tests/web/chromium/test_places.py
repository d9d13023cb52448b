"""Places that people find by their names: on the drawn table, in the history, and in lists to choose from."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from companion import games
from tests.web.chromium.midgame import Midgame, midgame, speak

PHONE = {"width": 390, "height": 844}
LABELS = """async () => {
  const { app } = await import(document.querySelector('script[type=module]').src);
  const { contextOf } = await import('/static/drawing/panel.js');
  const { sceneOf, withWords } = await import('/static/pages/table_panels.js');
  const { meaning, token } = await import('/static/drawing/tokens.js');
  const context = withWords(contextOf(sceneOf(app, app.standing.table)), app);
  const coloured = ['fill', 'stroke', 'style', 'title', 'aria-label'];
  const grey = (node) => {
    for (const one of [node, ...node.querySelectorAll('*')]) for (const name of coloured) one.removeAttribute(name);
    return node.outerHTML;
  };
  const alike = [];
  for (const [zone, { kind, labels }] of Object.entries(app.layout.zones)) {
    const seen = new Map();
    for (const label of labels) {
      const said = meaning(label, context, zone);
      if (kind !== 'grid' && !said.figure && !said.die) continue; // the others have their names or numbers on them
      const [words, drawn] = [context.plain(label), grey(token(label, zone, context, 26))];
      if (seen.has(drawn) && seen.get(drawn) !== words) alike.push(`${zone}: ${seen.get(drawn)} and ${words}`);
      seen.set(drawn, words);
    }
  }
  return alike;
}"""
"""Figures, dice and fields of a zone that look alike without colours, though they have other names."""
IN_ORDER = """async () => {
  const { app } = await import(document.querySelector('script[type=module]').src);
  const { inMapOrder } = await import('/static/pages/place_map.js');
  const { facing, turning } = await import('/static/drawing/geometry.js');
  const { cells } = app.layout.zones.land;
  const mixed = Object.keys(cells).sort((a, b) => (a.at(-1) + a[0]).localeCompare(b.at(-1) + b[0]));
  const listed = inMapOrder(app, mixed.map((cell) => ({ id: cell, places: [['land', cell]] })));
  const turn = turning(app.layout.area, facing(app.layout, app.me.seat));
  return listed.map(({ id }) => turn.rect(cells[id]).slice(0, 2).map(Math.round).reverse());
}"""
"""Where the fields lie, row by row, in the order in which a list of them names them."""
FIELDS = """() => {
  const axis = [...document.querySelectorAll('.grid-part .axis')];
  const first = (style, line) => style[line].startsWith('1');
  const beside = (field, along, across) =>
    axis.find((one) => one.style[along] === field.style[along] && first(one.style, across))?.textContent;
  return [...document.querySelectorAll('.square')].map((field) => ({
    name: field.dataset.spot,
    sides: [beside(field, 'gridRow', 'gridColumn'), beside(field, 'gridColumn', 'gridRow')],
  }));
}"""
"""The fields of the drawn board: their names, and the letter and number at its sides."""


@pytest.fixture(scope="module")
def tumult(tmp_path_factory: pytest.TempPathFactory) -> Any:
    with midgame(tmp_path_factory.mktemp("tumult"), "tumult_royale", 3, 0.3) as table:
        yield table


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_letters_numbers_and_lists_turn_with_the_board(tumult: Midgame, chromium: Any, seat: int) -> None:
    page = tumult.phone(chromium, seat=seat, viewport=PHONE)
    found = page.evaluate(FIELDS)
    assert len(found) >= 27
    for field in found:
        assert field["name"] in ("".join(field["sides"]), "".join(reversed(field["sides"])))
    listed = page.evaluate(IN_ORDER)
    assert listed == sorted(listed)
    page.context.close()


def test_a_field_that_is_tapped_says_its_name_and_what_is_there(tumult: Midgame, chromium: Any) -> None:
    page = tumult.phone(chromium, seat=None, viewport=PHONE)
    land = tumult.home.backend.snapshot().table["view"]["land"]["at"]
    words = {"en": {"forest": "forest", "meadow": "meadow"}, "de": {"forest": "Wald", "meadow": "Wiese"}}
    for language, kinds in words.items():
        speak(page, language)
        for kind, word in kinds.items():
            field = next(name for name, label in land.items() if label == kind)
            page.locator(f".square[data-spot={field}]").click()
            caption = page.locator(".map-caption").inner_text()
            assert caption.startswith(f"{field} · "), caption
            assert word in caption
            page.locator(".place-info button").first.click()
    page.context.close()


def test_a_move_that_is_tapped_in_the_history_pulses_on_the_table(tumult: Midgame, chromium: Any) -> None:
    page = tumult.phone(chromium, seat=None, viewport=PHONE)
    moves = tumult.home.backend.history(None, 400)["moves"]
    placed = next(move for move in moves if len(move["places"].get("statues", ())) == 1)
    (field,) = placed["places"]["statues"]
    page.goto("/#/history")
    entry = page.locator(f".move[data-event='{placed['event']}'] .there")
    for _ in range(3000):
        if entry.count():
            break
        page.mouse.wheel(0, 4000)
        page.wait_for_timeout(20)
    entry.click()
    page.wait_for_selector(f".square.pulse[data-spot={field}]")
    page.context.close()


@pytest.mark.parametrize("game", games.NAMES)
def test_no_two_pieces_of_a_zone_look_alike_without_colours(tmp_path: Path, chromium: Any, game: str) -> None:
    with midgame(tmp_path, game, 4, 0.1) as table:
        page = table.phone(chromium, seat=None, viewport=PHONE)
        for language in ("de", "en"):
            speak(page, language)
            assert page.evaluate(LABELS) == []
        page.context.close()


def test_a_choice_among_places_names_what_lies_there(tmp_path: Path) -> None:
    with midgame(tmp_path, "council_of_four", 2, 0.05) as table:
        moves = iter(table.left)
        while "BuyPermit" not in {one["id"] for one in table.home.backend.choices(None, [])["options"]}:
            table.home.tell(next(moves))
        asked = table.home.backend.choices(None, ["BuyPermit"])
        while asked["field"] != "place":
            asked = table.home.backend.choices(
                None, [*(step["id"] for step in asked["path"]), asked["options"][0]["id"]]
            )
        for option in asked["options"]:
            assert re.fullmatch(r"(Coast|Hills|Mountains) [12]", option["says"]["en"])
            assert re.match(r"A permit for .+\. It brings .+\.", option["hint"]["en"])
            assert option["hint"]["de"].startswith("Eine Baugenehmigung für ")
