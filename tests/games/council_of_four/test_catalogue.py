"""The catalogue and the code and the tests speak of the same rules."""

from __future__ import annotations

import pytest

from companion.catalogue import Speaker
from companion.games.council_of_four import GAME
from companion.rules import Breach, Fact, Note

RULES = GAME.catalogue.rules


def test_rules_stand_in_the_order_of_the_book() -> None:
    sections = [rule.section.de for rule in RULES]
    in_order = list(dict.fromkeys(sections))
    assert sections == sorted(sections, key=in_order.index)
    assert in_order == [
        "Spielmaterial",
        "1. Spielplan",
        "2. Belohnungsmarker",
        "3. Politikkarten",
        "4. Assistenten",
        "5. Baugenehmigungen",
        "6. Der König",
        "7. Königliche Belohnungen",
        "8. Bonusplättchen",
        "9. Konzil-Balkone",
        "10. Vorbereitung der Spieler",
        "Spielablauf",
        "Phase 1: Eine Karte ziehen",
        "Phase 2: Aktionen durchführen",
        "Einen Konziliar wählen",
        "Eine Baugenehmigung erwerben",
        "Symbole",
        "Eine Baugenehmigung nutzen, um ein Kontor zu bauen",
        "Ein Kontor mit Unterstützung des Königs bauen",
        "Regeln für den Bau eines Kontors",
        "Bonusplättchen und Königliche Belohnungen",
        "Schnelle Aktionen",
        "Einen Assistenten anheuern",
        "Baugenehmigungen austauschen",
        "Einen Assistenten ausschicken, um einen neuen Konziliar zu wählen",
        "Eine zusätzliche Hauptaktion durchführen",
        "Die Adelsleiste",
        "Spielende und Schlusswertung",
        "Spielvorbereitung für ein 2-Personen-Spiel",
    ]


def test_a_player_is_called_by_name_where_one_is_known() -> None:
    speaker = Speaker(GAME.catalogue, "de", {"blue": "Anna"})
    assert speaker.word("blue") == "Anna"
    assert speaker.word("light_blue") == "Hellblau"


def test_numbers_choose_their_word() -> None:
    speaker = Speaker(GAME.catalogue, "en")
    one = speaker.applied(Note("symbol.assistant", {"seat": "blue", "assistants": 1}))
    many = speaker.applied(Note("symbol.assistant", {"seat": "blue", "assistants": 3}))
    assert one == "Blue gets 1 assistant."
    assert many == "Blue gets 3 assistants."


@pytest.mark.parametrize(
    ("note", "german", "english"),
    [
        (
            Note("elect.push", {"council": "coast", "colour": "light_blue", "fallen": "white"}),
            "Konzil der Küste: Hellblau kommt links hinein, Weiß fällt rechts heraus.",
            "Council of the coast: light blue comes in on the left, white falls out on the right.",
        ),
        (
            Note("king.bribe", {"seat": "red", "council": "king"}),
            "Rot besticht das Konzil des Königs.",
            "Red bribes the council of the king.",
        ),
        (
            Note("symbol.card", {"seat": "red", "cards": 2}),
            "Das Symbol bringt Rot 2 Politikkarten.",
            "The symbol brings Red 2 politics cards.",
        ),
        (
            Note("end.tie", {"seat": "red", "together": 8}),
            "Gleichstand: Es zählen Assistenten und Karten; Rot hat zusammen 8, niemand mehr.",
            "A tie: assistants and cards count; Red has 8 together, nobody more.",
        ),
        (
            Note("bonus.set", {"seat": "green", "tile": "bonus gold", "points": 20}),
            "Alle Goldstädte: Grün erhält das Bonusplättchen mit 20 Siegpunkten.",
            "All gold cities: Green gets the bonus tile of 20 points.",
        ),
    ],
)
def test_colours_councils_and_tiles_read_well(note: Note, german: str, english: str) -> None:
    assert Speaker(GAME.catalogue, "de").applied(note) == german
    assert Speaker(GAME.catalogue, "en").applied(note) == english


def test_markers_that_are_off_are_said_with_what_and_how_many() -> None:
    facts: dict[str, Fact] = {"seat": "red", "what": "assistants", "by": 1, "way": "too_few"}
    assert Speaker(GAME.catalogue, "de").broken(Breach("symbol.exact", facts)) == "Assistenten: Rot hat 1 zu wenig."
    assert Speaker(GAME.catalogue, "en").broken(Breach("symbol.exact", facts)) == "Assistants: Red has 1 too few."
