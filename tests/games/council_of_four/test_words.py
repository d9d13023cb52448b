"""Names of places and pieces that people at the table use, and the sentences about what the table waits for."""

from __future__ import annotations

import re
from typing import Any

import pytest

from companion.games.council_of_four import GAME
from companion.games.council_of_four.box import JOKER, METALS, REGIONS, bonus_label
from companion.games.council_of_four.moves import BuyAction, BuyPermit, Elect, EndTurn, Hire, TurnUp
from companion.games.council_of_four.referee.view import card_label, permit_label, reward_label
from companion.games.council_of_four.state import State
from companion.kernel.catalogue import LANGUAGES, Speaker, Text
from companion.kernel.rules import ANYONE, CHANCE
from companion.kernel.views import Cells, Pieces

from .table import (
    BOX,
    COAST,
    RED,
    has,
    laid_out,
    lots,
    opened,
    played,
    table,
    with_emporiums,
    with_offers,
    with_permits,
)

CATALOGUE = GAME.catalogue
GERMAN, ENGLISH = Speaker(CATALOGUE, "de"), Speaker(CATALOGUE, "en")


def texts() -> list[Text]:
    places = [*CATALOGUE.zones.values(), *CATALOGUE.cells.values()]
    forms = [text for place in places for text in (place.name, place.source, place.to, place.at)]
    return [*CATALOGUE.expects.values(), *CATALOGUE.moves.values(), *CATALOGUE.pieces.values(), *forms]


def test_both_languages_use_the_same_facts() -> None:
    for text in texts():
        assert set(re.findall(r"{(\w+)", text.de)) == set(re.findall(r"{(\w+)", text.en)), text


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_zone_and_cell_of_the_table_has_a_name_in_every_form(language: Any) -> None:
    speaker = Speaker(CATALOGUE, language)
    for zone, contents in GAME.view(table()).zones.items():
        kind = zone.partition(" ")[0]
        assert zone in CATALOGUE.zones or kind in CATALOGUE.zones, zone
        if isinstance(contents, Cells):
            assert zone in CATALOGUE.cells or kind in CATALOGUE.cells, zone
        for cell in ("", *(contents.at if isinstance(contents, Cells) else ())):
            for form in ("name", "source", "to", "at"):
                assert "{" not in speaker.place(zone, cell, form), zone


def labels() -> set[str]:
    """Everything that may lie anywhere."""
    kinds = (*BOX.councillors.colours, JOKER)
    return {
        *BOX.colours,
        *BOX.councillors.colours,
        *BOX.tokens,
        *map(card_label, kinds),
        *map(bonus_label, (*METALS, *REGIONS)),
        *map(reward_label, BOX.kings_rewards.points),
        *(permit_label(permit) for region in BOX.permits.values() for permit in region),
        "king",
        "assistant",
        "used",
        "card unseen",
    }


def test_every_label_is_counted_and_no_other() -> None:
    assert all(map(CATALOGUE.piece, labels()))
    families = {"permit", "amount"}
    assert set(CATALOGUE.pieces) - labels() == families
    assert not any(map(CATALOGUE.piece, ("dragon", "gold", "red dragon", "gold1_dragon2")))


@pytest.mark.parametrize(
    ("label", "german", "english"),
    [
        ("permit AB", "2 Baugenehmigungen AB", "2 permits AB"),
        ("points1", "2 Belohnungsmarker «1 Siegpunkt»", "2 reward tokens “1 point”"),
        ("cards2_gold7", "2 Belohnungsmarker «2 Karten und 7 Gold»", "2 reward tokens “2 cards and 7 gold”"),
    ],
)
def test_pieces_of_one_family_are_counted_alike(label: str, german: str, english: str) -> None:
    assert (GERMAN.pieces(label, 2), ENGLISH.pieces(label, 2)) == (german, english)


def test_whatever_lies_on_the_table_has_a_label_of_the_catalogue() -> None:
    state = with_permits(table(2), RED, "A", used=("B",))
    for contents in GAME.view(played(state, Elect(RED, COAST, "orange"))).zones.values():
        match contents:
            case Cells(at=cells):
                assert {label for label in cells.values() if label} <= labels()
            case Pieces(count=counts):
                assert set(counts) <= labels()


@pytest.mark.parametrize(
    ("zone", "cell", "german", "english"),
    [
        ("council coast", "", "Konzil der Küste", "the council of the coast"),
        ("council king", "1", "Konzil des Königs, Platz 1", "the council of the king, place 1"),
        ("city I", "", "Indur", "Indur"),
        ("tokens", "I", "Belohnungsmarker von Indur", "Indur's reward token"),
        ("permits", "", "offene Baugenehmigungen", "the open permits"),
        ("permits", "hills 2", "Platz «Hügel 2»", "place “hills 2”"),
        ("permits red", "", "Baugenehmigungen von Rot", "Red's permits"),
        ("bonuses", "gold", "Platz für «Goldstädte»", "the place for “gold cities”"),
        ("reward", "top", "oberste Königliche Belohnung", "the top royal reward"),
        ("assistants blue", "", "Assistenten von Blau", "Blue's assistants"),
        ("gold", "", "Goldleiste", "the gold track"),
    ],
)
def test_a_place_goes_by_its_name(zone: str, cell: str, german: str, english: str) -> None:
    assert (GERMAN.place(zone, cell), ENGLISH.place(zone, cell)) == (german, english)


def test_a_letter_is_a_city_only_where_one_is_meant() -> None:
    assert (ENGLISH.word("I"), ENGLISH.place("city I", form="to")) == ("I", "to Indur")


@pytest.mark.parametrize(
    ("label", "number", "german", "english"),
    [
        ("red", 2, "2 rote Kontore", "2 red emporiums"),
        ("white", 1, "1 weiße Konziliar-Figur", "1 white councillor"),
        ("card white", 2, "2 weiße Politikkarten", "2 white politics cards"),
        ("permit ABC", 1, "1 Baugenehmigung ABC", "1 permit ABC"),
        (
            "assistants1_gold1",
            1,
            "1 Belohnungsmarker «1 Assistent und 1 Gold»",
            "1 reward token “1 assistant and 1 gold”",
        ),
        ("bonus coast", 1, "1 Bonusplättchen «Küstenstädte»", "1 bonus tile “cities of the coast”"),
        ("reward 25", 1, "1 Königliche Belohnung «25»", "1 royal reward “25”"),
        ("used", 3, "3 umgedrehte Baugenehmigungen", "3 permits turned over"),
    ],
)
def test_pieces_are_counted_in_words(label: str, number: int, german: str, english: str) -> None:
    assert (GERMAN.pieces(label, number), ENGLISH.pieces(label, number)) == (german, english)


# What the table waits for


def waits(state: State) -> tuple[str, dict[str, Any], Any]:
    expected = GAME.expects(state)
    for speaker in (GERMAN, ENGLISH):
        assert "{" not in speaker.expects(expected)
    assert expected.phase in CATALOGUE.words
    return expected.key, expected.facts, expected.actor


def test_it_waits_for_one_kind_of_thing_after_the_other() -> None:
    assert waits(opened(2)) == ("lay_out", {}, ANYONE)
    state = laid_out(2)
    assert waits(state) == ("put_tokens", {"left": 14}, CHANCE)
    lying = lots(state)
    state = played(state, *lying[:14])
    assert waits(state) == ("put_councillors", {"left": 16}, CHANCE)
    state = played(state, *lying[14:30])
    assert waits(state) == ("turn_up_permits", {"left": 6}, CHANCE)
    state = played(state, *lying[30:36])
    assert waits(state) == ("draw_neutral", {"region": "coast"}, CHANCE)
    state = played(state, *lying[36:])
    assert waits(state) == ("main_action", {"seat": "red", "actions": 1}, RED)


FOR_NOTHING = ("white", "black", "purple", "pink")


def test_it_waits_for_actions_and_for_the_end_of_a_turn() -> None:
    state = played(table(), Elect(RED, COAST, "orange"))
    assert waits(state) == ("quick_action", {"seat": "red"}, RED)
    assert waits(played(state, Hire(RED))) == ("turn_over", {"seat": "red"}, RED)
    assert waits(played(has(table(), RED, gold=3), Hire(RED))) == (
        "main_action_left",
        {"seat": "red", "actions": 1},
        RED,
    )
    twice = played(has(table(), RED, assistants=3), BuyAction(RED))
    assert waits(twice) == ("main_action_left", {"seat": "red", "actions": 2}, RED)
    more = played(with_offers(table(), "E", "B", "F", "G", "K", "L"), BuyPermit(RED, 0, FOR_NOTHING))
    assert waits(more) == ("refill", {"region": "coast"}, CHANCE)
    assert waits(played(more, TurnUp(0, "CD"))) == ("another_action", {"seat": "red", "actions": 1}, RED)


def test_a_seat_that_can_pay_for_no_quick_action_is_not_asked_for_one() -> None:
    elected = played(has(table(), RED, gold=0), Elect(RED, COAST, "orange"))
    assert waits(has(elected, RED, gold=2, assistants=0)) == ("turn_over", {"seat": "red"}, RED)
    assert waits(has(elected, RED, gold=3, assistants=0)) == ("quick_action", {"seat": "red"}, RED)
    assert waits(has(elected, RED, gold=2, assistants=1)) == ("quick_action", {"seat": "red"}, RED)


@pytest.mark.parametrize(
    ("field", "key", "numeral"), [(4, "choose_token", "II"), (10, "choose_free", "V"), (14, "choose_own", "VII")]
)
def test_it_waits_for_choices_of_the_nobility_track(field: int, key: str, numeral: str) -> None:
    state = with_permits(with_emporiums(has(table(), RED, nobility=field - 1), RED, "A"), RED, "D")
    state = played(with_offers(state, "CDE", "B", "F", "G", "K", "L"), BuyPermit(RED, 0, FOR_NOTHING))
    if field != 10:  # the free permit is taken before others are turned up
        state = played(state, TurnUp(0, "CD"))
    assert waits(state) == (key, {"seat": "red", "field": field, "numeral": numeral}, RED)


def test_at_the_end_it_names_the_winner() -> None:
    state = table(facts={"phase": "over", "points": (3, 40, 0, 0), "nobility": (0, 1, 0, 0)})
    assert waits(state) == ("over", {"seat": "yellow", "points": 45}, None)
    assert ENGLISH.expects(GAME.expects(state)) == "The game is over. Yellow wins with 45 points!"
    assert EndTurn(RED) not in set(GAME.moves(state))


def test_at_the_end_it_names_all_who_share_the_victory() -> None:
    state = table(facts={"phase": "over", "points": (40, 0, 40, 0), "assistants": (1,) * 4, "hands": (6,) * 4})
    assert waits(state) == ("over_shared", {"seats": ("red", "green"), "points": 45}, None)
    assert (
        GERMAN.expects(GAME.expects(state))
        == "Das Spiel ist aus. Rot, Grün teilen sich den Sieg mit je 45 Siegpunkten!"
    )


def test_at_the_end_of_a_game_that_was_joined_a_tie_is_left_to_those_who_hold_the_cards() -> None:
    state = table(facts={"phase": "over", "points": (40, 40, 0, 0), "counted": False})
    assert waits(state) == ("over_tied", {"points": 45}, None)


def test_all_sentences_about_waiting_are_used() -> None:
    named = {
        "lay_out", "put_tokens", "put_councillors", "turn_up_permits", "draw_neutral", "refill",
        "choose_token", "choose_free", "choose_own", "main_action", "main_action_left", "another_action",
        "quick_action", "turn_over", "over", "over_tied", "over_shared",
    }  # fmt: skip
    assert set(CATALOGUE.expects) == named
