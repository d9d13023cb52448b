"""The map and the tracks of the real boards, drawn by people: checked by what is known, and a whole game is played."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

import pytest

from companion.daemon.setup_choices import drawn_facts, offered, take
from companion.daemon.table_map import layout_of
from companion.games.tiletum import GAME
from companion.kernel import box as kernel
from companion.kernel.box import Answers
from companion.kernel.catalogue import LANGUAGES, Speaker
from companion.kernel.rules import Seat
from companion.kernel.sketches import Graph, drawn, facts_of
from web.backend import Refused

MAP, CROWN = GAME.sketching.sketches[:2]
SHIPPED = {sketch.name: drawn(sketch, kernel.facts(GAME.box_file, sketch.facts)) for sketch in GAME.sketching.sketches}
SMALL: dict[str, Any] = {
    "nodes": {
        "Tiletum": {"at": [500, 500], "answers": {"houses": [{}, {}, {}, {}]}},
        "La Rochelle": {"at": [100, 900], "answers": {"houses": [{"gold": 2}, {}], "tile": True, "fair": True}},
        "Brugge": {
            "at": [420, 100],
            "answers": {"houses": [{}], "pillars": 3, "cathedral": [8, 3, 2], "fair": True, "tile": True},
        },
        "Riga": {"at": [1000, 0], "answers": {"houses": [{"points": 1, "crown": 1}], "fair": True}},
    },
    "edges": [["Tiletum", "La Rochelle"], ["Tiletum", "Brugge"], ["Riga", "Brugge"]],
}


def lacking(value: Any, name: str = "map") -> dict[str, bool]:
    sketch = next(one for one in GAME.sketching.sketches if one.name == name)
    return {lack.key: lack.blocks for lack in GAME.sketching.lacks(sketch, facts_of(sketch, value))}


def changed(change: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    value = deepcopy(SMALL)
    change(value["nodes"])
    return value


def test_every_sketch_has_words_and_is_about_facts_that_nobody_could_confirm() -> None:
    for sketch in GAME.sketching.sketches:
        words = GAME.catalogue.sketches[sketch.name]
        texts = (words.title, words.hint, *words.lacks.values())
        assert all(text.de != text.en for text in texts)
        assert (words.one is not None) == isinstance(sketch, Graph)
        assert set(sketch.facts) <= set(GAME.load_box().unverified)
    assert GAME.catalogue.sketches.keys() == {sketch.name for sketch in GAME.sketching.sketches}


@pytest.mark.parametrize("name", SHIPPED)
def test_what_we_assume_lacks_nothing_and_stays_what_it_is(name: str) -> None:
    sketch = next(one for one in GAME.sketching.sketches if one.name == name)
    assert lacking(SHIPPED[name], name) == {}
    answers = facts_of(sketch, SHIPPED[name])
    box, assumed = GAME.load_box(answers), GAME.load_box()
    assert (box.map.cities, box.map.at, box.crown) == (assumed.map.cities, assumed.map.at, assumed.crown)
    assert set(map(frozenset, box.map.roads)) == set(map(frozenset, assumed.map.roads))
    assert set(box.map.fair_cities) == set(assumed.map.fair_cities)
    assert not set(answers) & set(box.unverified)


def test_a_small_map_can_be_played_though_it_is_not_all_that_was_counted() -> None:
    assert lacking(SMALL) == {"cathedrals": False, "cathedral_tiles": False, "city_tiles": False}


@pytest.mark.parametrize(
    ("key", "change"),
    [
        ("home_fair", lambda nodes: nodes["Tiletum"]["answers"].update(fair=True)),
        ("home_houses", lambda nodes: nodes["Tiletum"]["answers"].update(houses=[{}])),
        ("half", lambda nodes: nodes["Brugge"]["answers"].update(pillars=0)),
        ("half", lambda nodes: nodes["Riga"]["answers"].update(pillars=2)),
        ("mixed", lambda nodes: nodes["Brugge"]["answers"].update(cathedral=[2, 8])),
        ("city_tiles", lambda nodes: nodes["Brugge"]["answers"].update(fair=False)),
        ("cathedrals", lambda nodes: nodes.update({f"C{n}": deepcopy(nodes["Brugge"]) for n in range(9)})),
        ("taken", lambda nodes: nodes.update(joker=nodes["Riga"])),
        ("taken", lambda nodes: nodes.update({"favour 1": nodes["Riga"]})),
    ],
)
def test_what_no_map_can_be_is_said_and_blocks(key: str, change: Callable[[dict[str, Any]], Any]) -> None:
    found = lacking(changed(change))
    assert found[key]
    words = GAME.catalogue.sketches["map"].lacks[key]
    facts = {"name": "Tiletum", "names": ("Riga",), "there": 1, "of": 2}
    assert all("{" not in Speaker(GAME.catalogue, language).fill(words, facts) for language in LANGUAGES)


def test_the_kings_track_goes_below_its_start() -> None:
    assert lacking({"first": 0, "values": [0] * 16}, "crown") == {"below": True}
    assert lacking({"first": -1, "values": [0] * 17}, "crown") == {}


def test_whole_games_are_played_on_a_map_that_somebody_drew() -> None:
    """Names with spaces, places with bonuses, few cities: every move by chance."""
    box = GAME.load_box(facts_of(MAP, SMALL))
    for players in (2, 4):
        rng, state = Random(players), GAME.setup(box, tuple(map(Seat, box.colours[:players])))
        while state.phase != "over":
            state = GAME.play(state, rng.choice(list(GAME.moves(state))))
        assert GAME.score(state).winner is not None


def test_the_layout_has_the_places_of_that_map() -> None:
    box = GAME.load_box(facts_of(MAP, SMALL))
    table, state = layout_of(GAME, box), GAME.setup(box, tuple(map(Seat, box.colours)))
    view = GAME.view(state).zones
    assert view.keys() <= table.zones.keys()
    assert not any(name.startswith("city Paris") for name in table.zones)
    houses = table.zones["houses"].places()  # type: ignore[union-attr]
    assert "La Rochelle 2" in houses
    assert view["houses"].at.keys() == houses.keys()  # type: ignore[union-attr]
    assert {line for one in table.drawing for line in one.lines} == {
        ("city Tiletum", "city La Rochelle"),
        ("city Tiletum", "city Brugge"),
        ("city Brugge", "city Riga"),
    }
    assert not list(table.problems())
    west, east = (table.zones[f"city {name}"].area().centre[0] for name in ("La Rochelle", "Riga"))
    assert west < east


def test_a_longer_track_has_its_fields_in_the_layout() -> None:
    box = GAME.load_box(facts_of(CROWN, {"first": -7, "values": list(range(23))}))
    fields = layout_of(GAME, box).zones["crown"].places()  # type: ignore[union-attr]
    assert set(fields) == {str(number) for number in range(-7, 16)}


# At the desk of the daemon


def test_a_drawing_is_kept_for_the_next_game(tmp_path: Path) -> None:
    told = take(tmp_path, GAME, "map", SMALL, keep=True, anyway=False)
    assert (told["kept"], told["blocked"], len(told["lacks"])) == (False, False, 3)
    assert told["lacks"][0]["says"]["de"] == "1 von 9 Kathedralen."
    assert not (tmp_path / "answers").exists()
    assert take(tmp_path, GAME, "map", SMALL, keep=True, anyway=True)["kept"]
    answers = Answers(tmp_path, "tiletum").read()
    assert answers.keys() == {"map.cities", "map.roads", "map.at", "map.fair_cities"}
    assert set(GAME.load_box(answers).map.cities) == set(SMALL["nodes"])
    now = offered(GAME, answers)[0]
    assert now["answered"]
    assert now["value"]["nodes"]["La Rochelle"]["answers"]["fair"]


def test_what_blocks_is_not_kept_whoever_insists(tmp_path: Path) -> None:
    told = take(tmp_path, GAME, "map", {**SMALL, "edges": []}, keep=True, anyway=True)
    assert (told["kept"], told["blocked"]) == (False, True)
    assert told["lacks"][0]["says"]["en"].startswith("Nothing leads there yet")
    assert not (tmp_path / "answers").exists()


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("map", {"nodes": 3}),
        ("dragon", {}),
        ("crown", SMALL),
        ("map", changed(lambda n: n["Riga"]["answers"].update(pillars=99))),
    ],
)
def test_rubbish_is_refused_with_a_sentence(tmp_path: Path, name: str, value: Any) -> None:
    with pytest.raises(Refused) as refusal:
        take(tmp_path, GAME, name, value, keep=True, anyway=True)
    assert refusal.value.says["de"] != refusal.value.says["en"]


def test_nobody_is_asked_one_by_one_for_what_is_drawn() -> None:
    assert {"map.cities", "crown.points", "start.gold"} <= drawn_facts(GAME)
