"""The catalogue and the code and the tests speak of the same rules."""

from __future__ import annotations

from companion.games.tumult_royale import GAME
from companion.kernel.catalogue import Speaker

RULES = GAME.catalogue.rules


def test_rules_stand_in_the_order_of_the_book() -> None:
    sections = [rule.section.de for rule in RULES]
    in_order = list(dict.fromkeys(sections))
    assert sections == sorted(sections, key=in_order.index)
    assert in_order == [
        "Titelseite",
        "Spielvorbereitung",
        "Die erste Statue einsetzen",
        "Spielablauf",
        "1. Volkes Stimmung erkunden",
        "2. Steuer-Raubphase",
        "3. Eventuell Tumulte ausführen",
        "4. Statuen aufstellen",
        "5. Ränge neu verteilen",
        "6. Krönung des neuen Königs",
        "7. Gnade des Volkes erhalten",
        "Vorbereitung der nächsten Runde",
        "Die Besonderheiten der Königs-Chronik",
        "Spielende",
        "Variante: Steuern rauben für Adelige, die gerne zocken",
        "Was wäre wenn …",
    ]


def test_a_player_is_called_by_name_where_one_is_known() -> None:
    speaker = Speaker(GAME.catalogue, "de", {"blue": "Anna"})
    assert speaker.word("blue") == "Anna"
    assert speaker.word("yellow") == "Gelb"


def test_numbers_choose_their_word() -> None:
    from companion.kernel.rules import Note

    speaker = Speaker(GAME.catalogue, "en")
    one = speaker.applied(Note("placing.overpaid", {"seat": "blue", "followers": 1}))
    many = speaker.applied(Note("placing.overpaid", {"seat": "blue", "followers": 3}))
    assert one == "Blue gets 1 follower for overpaying."
    assert many == "Blue gets 3 followers for overpaying."
