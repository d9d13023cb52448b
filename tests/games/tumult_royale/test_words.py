"""Names of places and pieces that people at the table use."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale import __file__ as package
from companion.kernel.catalogue import LANGUAGES, Speaker, Text
from companion.kernel.views import Cells

from .table import table

LAYOUT: dict[str, Any] = tomllib.loads(Path(package).with_name("layout.toml").read_text(encoding="utf-8"))
CATALOGUE = GAME.catalogue
GERMAN, ENGLISH = Speaker(CATALOGUE, "de"), Speaker(CATALOGUE, "en")


def texts() -> list[Text]:
    places = [*CATALOGUE.zones.values(), *CATALOGUE.cells.values()]
    forms = [text for place in places for text in (place.name, place.source, place.to, place.at)]
    return [*CATALOGUE.expects.values(), *CATALOGUE.pieces.values(), *forms]


def test_both_languages_use_the_same_facts() -> None:
    for text in texts():
        assert set(re.findall(r"{(\w+)", text.de)) == set(re.findall(r"{(\w+)", text.en)), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_zone_and_cell_of_the_table_has_a_name_in_every_form(language: Any) -> None:
    speaker = Speaker(CATALOGUE, language)
    for zone, contents in GAME.view(table(4)).zones.items():
        assert zone in LAYOUT["zones"]
        assert zone in CATALOGUE.zones or zone.partition(" ")[0] in CATALOGUE.zones, zone
        assert (zone in CATALOGUE.cells) == isinstance(contents, Cells), zone
        for cell in ("", *(contents.at if isinstance(contents, Cells) else ())):
            for form in ("name", "source", "to", "at"):
                assert "{" not in speaker.place(zone, cell, form), zone


def test_every_label_of_the_layout_is_counted() -> None:
    for kind in LAYOUT["pieces"].values():
        for label in kind["labels"]:
            assert label in CATALOGUE.pieces


@pytest.mark.parametrize(
    ("zone", "cell", "german", "english"),
    [
        ("statues", "B3", "Feld B3", "field B3"),
        ("chronicle", "4", "Chronikfeld 4", "chronicle field 4"),
        ("middle", "", "Tischmitte", "the middle"),
        ("castle blue", "", "Burgtafel von Blau", "Blue's castle board"),
        ("cards", "blue", "Adelskarte von Blau", "Blue's nobility card"),
    ],
)
def test_a_place_goes_by_its_name(zone: str, cell: str, german: str, english: str) -> None:
    assert (GERMAN.place(zone, cell), ENGLISH.place(zone, cell)) == (german, english)


def test_a_place_in_a_sentence_and_with_a_players_name() -> None:
    speaker = Speaker(CATALOGUE, "de", {"blue": "Anna"})
    assert speaker.place("castle blue", form="to") == "auf die Burgtafel von Anna"
    assert speaker.place("supply", form="source") == "aus dem Vorrat"
    assert speaker.place("mercy", "blue", "at") == "bei Anna"


@pytest.mark.parametrize(
    ("label", "number", "german", "english"),
    [
        ("blue", 2, "2 blaue Statuen", "2 blue statues"),
        ("blue x2", 1, "2 blaue Statuen", "2 blue statues"),
        ("blue x2 + grey", 1, "2 blaue Statuen, 1 graue Statue", "2 blue statues, 1 grey statue"),
        ("bread2", 1, "1 Plättchen «2 Brote»", "1 tile “2 bread”"),
        ("follower", 3, "3 Gefolgsleute", "3 followers"),
        ("back", 1, "1 verdecktes Plättchen", "1 face-down tile"),
        ("rank1", 1, "1 Adelskarte «König»", "1 card “King”"),
        ("king", 2, "2 König", "2 king"),
    ],
)
def test_pieces_are_counted_in_words(label: str, number: int, german: str, english: str) -> None:
    assert (GERMAN.pieces(label, number), ENGLISH.pieces(label, number)) == (german, english)


def test_a_back_means_something_else_on_the_landscape() -> None:
    assert ENGLISH.pieces("back", 1, "land") == "1 hidden field"


def test_a_place_without_a_name_goes_by_its_word() -> None:
    assert ENGLISH.place("cellar", "blue") == "cellar Blue"
