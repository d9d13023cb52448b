"""The catalogue and the code and the tests speak of the same rules."""

from __future__ import annotations

import pytest

from companion.games.tiletum import GAME
from companion.games.tiletum.components import all_guests, city_names
from companion.kernel.catalogue import LANGUAGES, Speaker
from companion.kernel.rules import Breach, Fact, Note

from .table import BOX

RULES = GAME.catalogue.rules


def test_rules_stand_in_the_order_of_the_book() -> None:
    sections = [rule.section.de for rule in RULES]
    in_order = list(dict.fromkeys(sections))
    assert sections == sorted(sections, key=in_order.index)
    assert in_order == [
        "Spielmaterial",
        "Spielaufbau",
        "Ablauf einer Runde",
        "1) Vorbereitungsphase",
        "2) Aktionsphase",
        "3) Königs-Phase",
        "4) Messe-Phase",
        "5) Aufräum-Phase",
        "Aktionen",
        "Architektur",
        "Händler",
        "Gast",
        "Vertrag",
        "Krone",
        "Joker",
        "Jederzeit im eigenen Zug",
        "Ende der Partie",
    ]


def test_a_player_is_called_by_name_where_one_is_known_and_a_die_never_is() -> None:
    speaker = Speaker(GAME.catalogue, "de", {"orange": "Anna"})
    assert speaker.word("orange") == "Anna"
    assert speaker.word("die blue") == "Eisenwürfel"


@pytest.mark.parametrize(
    ("note", "german", "english"),
    [
        (
            Note("die.change", {"seat": "red", "value": 3, "gold": 4}),
            "Rot dreht den Würfel für 4 Gold auf 3.",
            "Red turns the die to 3 for 4 gold.",
        ),
        (
            Note("contract.swap", {"seat": "green", "good": "wool", "goods": ("food", "iron")}),
            "Grün tauscht Wolle gegen Nahrung, Eisen.",
            "Green swaps wool for food, iron.",
        ),
        (
            Note("fair.points", {"seat": "red", "fair": "fair houses", "points": 1}),
            "Siegpunkte für Rot (2 Siegpunkte je Haus): 1.",
            "Points for Red (2 points for each house): 1.",
        ),
        (
            Note("fair.points", {"seat": "red", "fair": "fair houses_pillars", "points": 12}),
            "Siegpunkte für Rot (6 Siegpunkte je Paar aus Haus und Säule): 12.",
            "Points for Red (6 points for each pair of house and pillar): 12.",
        ),
        (
            Note("fair.points", {"seat": "red", "fair": "fair crown", "points": 5}),
            "Siegpunkte für Rot (3 Siegpunkte und die Punkte auf der Königsleiste): 5.",
            "Points for Red (3 points and those of the king's track): 5.",
        ),
        (
            Note("king.last-round", {"seat": "green", "points": 4}),
            "Grün liegt in der letzten Runde vorn und erhält 4 Siegpunkte.",
            "Green leads in the last round and gets 4 points.",
        ),
    ],
)
def test_dice_goods_and_fairs_read_well(note: Note, german: str, english: str) -> None:
    assert Speaker(GAME.catalogue, "de").applied(note) == german
    assert Speaker(GAME.catalogue, "en").applied(note) == english


def test_goods_that_are_off_are_said_with_what_and_how_many() -> None:
    facts: dict[str, Fact] = {"seat": "red", "what": "stone", "by": 1, "way": "too_few", "amount": "stone1"}
    assert Speaker(GAME.catalogue, "de").broken(Breach("bonus.exact", facts)) == (
        "Rot hat 1 Stein zu wenig: Genommen und bezahlt wird genau, was dieser Schritt bringt und kostet."
    )
    assert Speaker(GAME.catalogue, "en").broken(Breach("bonus.exact", facts)) == (
        "Red has 1 stone less than is right: exactly what this act brings and costs is taken and paid."
    )


def test_every_tile_of_the_box_has_words_and_can_be_counted() -> None:
    named = {*BOX.tiles, *BOX.contracts, *all_guests(BOX)}
    assert named <= set(GAME.catalogue.words)
    assert named <= set(GAME.catalogue.pieces)
    assert set(BOX.guests) <= set(GAME.catalogue.words)


def test_places_read_well() -> None:
    speakers = {language: Speaker(GAME.catalogue, language) for language in LANGUAGES}
    assert speakers["de"].place("rooms red", "1-2", "to") == "in Zimmer 1-2 von Rot"
    assert speakers["en"].place("wheel guest", form="at") == "at “guest”"
    assert speakers["en"].place("city Paris", form="to") == "to Paris"
    assert speakers["de"].pieces("die blue 3", 2) == "2 Eisenwürfel mit 3"


def test_no_city_is_called_like_a_word() -> None:
    assert not set(city_names(BOX)) & set(GAME.catalogue.words)
