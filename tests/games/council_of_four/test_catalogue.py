"""The catalogue and the code and the tests speak of the same rules."""

from __future__ import annotations

import pytest

from companion.games.council_of_four import GAME
from companion.kernel.catalogue import Speaker
from companion.kernel.rules import Breach, Note

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
            "Gleichstand: Dann zählen Assistenten und Karten. Die meisten hat Rot, zusammen 8.",
            "A tie: then assistants and cards count. Red has the most, 8 together.",
        ),
        (
            Note("bonus.set", {"seat": "green", "tile": "bonus gold", "points": 20}),
            "Alle Goldstädte: Grün erhält das Bonusplättchen. Seine 20 Siegpunkte zählen am Spielende.",
            "All gold cities: Green gets the bonus tile. Its 20 points count at the end of the game.",
        ),
    ],
)
def test_colours_councils_and_tiles_read_well(note: Note, german: str, english: str) -> None:
    assert Speaker(GAME.catalogue, "de").applied(note) == german
    assert Speaker(GAME.catalogue, "en").applied(note) == english


@pytest.mark.parametrize(
    ("breach", "german", "english"),
    [
        (
            Breach("elect.gold", {"seat": "red", "gold": 4, "amount": "gold1", "way": "too_much"}),
            "Eine Wahl bringt 4 Gold: Rot hat 1 Gold zu viel.",
            "An election brings 4 gold: Red has 1 gold too much.",
        ),
        (
            Breach("symbol.exact", {"seat": "red", "due": "gold4", "amount": "assistantsgot1", "way": "too_few"}),
            "Das bringt 4 Gold: Rot hat 1 Assistenten zu wenig.",
            "That brings 4 gold: Red has 1 assistant too few.",
        ),
        (
            Breach("build.affords", {"seat": "red", "city": "Esti", "others": 1, "has": 0}),
            "In Esti steht 1 fremdes Kontor, das kostet 1 Assistenten. Rot hat keinen.",
            "Esti has 1 other emporium, which costs 1 assistant. Red has none.",
        ),
        (
            Breach("build.affords", {"seat": "red", "city": "Esti", "others": 2, "has": 1}),
            "In Esti stehen 2 fremde Kontore, das kostet 2 Assistenten. Rot hat nur 1.",
            "Esti has 2 other emporiums, which costs 2 assistants. Red has only 1.",
        ),
        (
            Breach("setup.one-token", {"city": "Framek"}),
            "In Framek liegt schon ein Belohnungsmarker; jede Stadt hat nur einen.",
            "Framek already has a reward token; each city has only one.",
        ),
        (
            Breach("quick.send", {"seat": "red", "price": 1, "has": 0}),
            "Eine Wahl als schnelle Aktion, ohne Gold, kostet 1 Assistenten: Rot hat keinen.",
            "An election as a quick action, without gold, costs 1 assistant: Red has none.",
        ),
        (
            Breach(
                "quick.exact",
                {"seat": "red", "cost": "assistantsgot1", "due": "elected", "amount": "gold4", "way": "too_much"},
            ),
            "Diese schnelle Aktion kostet 1 Assistenten und bringt einen neuen Konziliar, aber kein Gold: "
            "Rot hat 4 Gold zu viel.",
            "This quick action costs 1 assistant and brings a new councillor but no gold: Red has 4 gold too much.",
        ),
        (
            Breach("bonus.at-end", {"seat": "red", "amount": "points20", "way": "too_many"}),
            "Siegpunkte von Bonusplättchen und Königlichen Belohnungen zählen erst am Spielende: "
            "Rot hat auf der Leiste 20 Siegpunkte zu viel.",
            "Points of bonus tiles and royal rewards count only at the end of the game: "
            "Red has 20 points too many on the track.",
        ),
        (
            Breach("turn.phases", {"act": "Elect", "now": "now_over"}),
            "«Konziliar wählen» geht jetzt nicht: Das Spiel ist aus.",
            "Electing a councillor is not possible now: the game is over.",
        ),
    ],
)
def test_a_breach_says_what_is_wrong_and_what_would_be_right(breach: Breach, german: str, english: str) -> None:
    assert Speaker(GAME.catalogue, "de").broken(breach) == german
    assert Speaker(GAME.catalogue, "en").broken(breach) == english


def test_unseen_cards_have_a_name() -> None:
    assert Speaker(GAME.catalogue, "en").pieces("card unseen", 2, "bribe") == "2 unseen cards"
    assert Speaker(GAME.catalogue, "de").pieces("card unseen", 1, "bribe") == "1 Karte, die niemand gesehen hat"
