"""The catalogue and the code and the tests speak of the same rules."""

from __future__ import annotations

import pytest

from companion.games.viscounts import GAME
from companion.games.viscounts.moves import Build, Choose, Climb, Move, Push, Trade, Travel
from companion.games.viscounts.state import State
from companion.kernel.catalogue import LANGUAGES, Speaker
from companion.kernel.rules import Breach, Fact, Note

from .table import (
    BOX,
    RED,
    has,
    replace,
    space,
    table,
    with_due,
    with_row,
    with_viscount,
    with_workers,
)

RULES = GAME.catalogue.rules


def test_rules_stand_in_the_order_of_the_book() -> None:
    sections = [rule.section.de for rule in RULES]
    in_order = list(dict.fromkeys(sections))
    assert sections == sorted(sections, key=in_order.index)
    assert in_order[:16] == [
        "Spielaufbau",
        "Schuldscheine und Urkunden",
        "Tugend, Korruption & Verbrecher",
        "Spielablauf",
        "Phase 1: Kartenmanagement",
        "Phase 2: Bewegen",
        "Phase 3: Hauptaktion",
        "Handeln",
        "Ein Gebäude errichten",
        "Arbeiter einsetzen",
        "Ein Manuskript kopieren",
        "Phase 4: Anwerben",
        "Phase 5: Kollision abwickeln",
        "Phase 6: Karten nachziehen",
        "Spielende",
        "Kurzübersicht der Symbole",
    ]
    assert in_order[16:] == ["Solospiel"]


@pytest.mark.parametrize(
    ("note", "german", "english"),
    [
        (
            Note("effect.goods", {"seat": "red", "goods": "ink1_silver2"}),
            "Rot erhält 1 Tintenfass und 2 Silber.",
            "Red gets 1 ink and 2 silver.",
        ),
        (
            Note("cards.play", {"seat": "blue", "card": "woodcutter 1"}),
            "Blau spielt «Holzfällerin (Tugend)» aus.",
            "Blue plays “Woodcutter (virtue)”.",
        ),
        (
            Note("debt.gain", {"seat": "yellow", "debts": 1}),
            "Gelb erhält 1 Schuldschein.",
            "Yellow gains 1 debt.",
        ),
    ],
)
def test_goods_and_cards_read_well(note: Note, german: str, english: str) -> None:
    assert Speaker(GAME.catalogue, "de").applied(note) == german
    assert Speaker(GAME.catalogue, "en").applied(note) == english


def test_a_breach_says_what_is_missing() -> None:
    facts: dict[str, Fact] = {"seat": "red", "needs": 3, "has": 1, "number": 2, "missing": 2, "good": "gold", "left": 1}
    said = Speaker(GAME.catalogue, "de").broken(Breach("workers.nobles", facts))
    assert said == (
        "Für 2 Arbeiter braucht es 3 Adligensymbole: Rot hat 1 und kann die fehlenden 2 nicht bezahlen (nur 1 Gold)."
    )


@pytest.mark.parametrize(
    ("state", "move", "german", "english"),
    [
        (
            has(replace(with_viscount(table(), space(4)), phase="moving", played="trader"), silver=2),
            Travel(RED, space(3)),
            "Rot darf nicht zurückziehen: Feld 3 liegt hinter dem Burggrafen. "
            "Im Uhrzeigersinn ganz herum würde es 6 Silber kosten, und da sind nur 2.",
            "Red may not move back: space 3 lies behind the viscount. "
            "Clockwise all the way round would cost 6 silver, and Red has only 2.",
        ),
        (
            with_due(with_workers(table(), 1, 0, 2, 2), "castle"),
            Push(RED, 1, 1, 1),
            "Rot darf hier keinen Arbeiter herunterstoßen: "
            "Das geht erst, wenn mehr als 3 im Abschnitt stehen, und hier steht keiner.",
            "Red may not push a worker off here: "
            "that is done only where more than 3 are in a section, and there is none here.",
        ),
        (
            with_row(with_viscount(table(), space(6)), "lender", "financer", "abbot"),
            Trade(RED, 1),
            "Rot kann hier gar nicht handeln: "
            "Für ein Mal braucht es 4 Händlersymbole, und da sind nur 3 Symbole und kein Silber.",
            "Red cannot trade here: 1 trade takes 4 merchant symbols, and there are only 3 symbols and no silver.",
        ),
        (
            with_due(table(), "any"),
            Travel(RED, space(9)),
            "Rot hat zuerst noch etwas anderes zu tun: eine Ressource nach Wahl nehmen. "
            "Effekte gehen allem anderen vor.",
            "Red has something else to do first: taking a resource of choice. Effects come before anything else.",
        ),
    ],
    ids=["moving back", "pushing off", "trading", "something else is due"],
)
def test_a_breach_says_who_is_wrong_what_is_right_and_why(state: State, move: Move, german: str, english: str) -> None:
    (breach,) = GAME.check(state, move)
    assert Speaker(GAME.catalogue, "de").broken(breach) == german
    assert Speaker(GAME.catalogue, "en").broken(breach) == english


def test_moves_read_well() -> None:
    speaker = Speaker(GAME.catalogue, "en")
    build = Build(RED, 2, 0, 1, 0, (0, 0, 2, 2))
    said = speaker.move("Build", GAME.facts(table(), build))
    assert said == "Red builds on segment 3-4, plot 1: workshop from place 1 (paid: 2 stone and 2 silver)"
    castle = GAME.play(with_due(with_workers(table(), 1, 2, 3), "castle"), Climb(RED, 1, 2))
    assert speaker.move("Choose", GAME.facts(castle, Choose(RED, 0))) == "Red decides: 1 gold"


@pytest.mark.parametrize("ring", [1, 2])
def test_whoever_may_choose_where_to_climb_is_told_so_in_either_ring(ring: int) -> None:
    state = with_due(with_workers(with_workers(table(), ring, 0, 3), ring, 2, 3), "castle")
    said = {language: Speaker(GAME.catalogue, language).expects(GAME.expects(state)) for language in LANGUAGES}
    assert said["de"].startswith("Rot: In 2 Abschnitten stehen 3 Arbeiter")
    assert said["en"].startswith("Red: in 2 sections 3 workers stand")


def test_every_card_of_the_box_has_words_and_can_be_counted() -> None:
    named = {*BOX.townsfolk, *BOX.starters, *BOX.heroes, *BOX.manuscripts}
    assert named <= set(GAME.catalogue.words)
    assert named <= set(GAME.catalogue.pieces)
    for language in LANGUAGES:
        words = [GAME.catalogue.words[name].in_(language) for name in named]
        assert len(set(words)) == len(words), language


def test_places_read_well() -> None:
    speakers = {language: Speaker(GAME.catalogue, language) for language in LANGUAGES}
    assert speakers["de"].place("row red", "1", "to") == "auf Platz 1 von Rot"
    assert speakers["en"].place("first ring 3", form="at") == "in the first ring at place 3"
    assert speakers["de"].place("honours", "black") == "Kleriker schwarz"
    assert speakers["en"].place("honours red", form="to") == "to the bonus cards of Red"
    assert speakers["de"].pieces("red worker", 2) == "2 rote Arbeiter"
