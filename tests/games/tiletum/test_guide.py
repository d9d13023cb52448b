"""What people are told about the wheel and every other place of Tiletum's table."""

from __future__ import annotations

import pytest

from companion.games.tiletum import GAME
from companion.games.tiletum.box import ACTIONS
from companion.games.tiletum.state import State
from companion.kernel.catalogue import LANGUAGES, Speaker
from companion.kernel.rules import changed
from companion.kernel.views import Cells, Marks, Pieces
from companion.text.move_menu import ByHand

from .random_games import whole_game
from .table import ARCHITECT, GREEN, RED, laid_out, on_track, replace, table

GUIDE = GAME.guide


def said(state: State, zone: str, spot: str = "", seat: int | None = RED, language: str = "en") -> list[str]:
    speaker = Speaker(GAME.catalogue, language)  # type: ignore[arg-type]
    return [speaker.about(remark) for remark in GUIDE.about(state, zone, spot, seat)]


def rich(state: State, gold: int) -> State:
    return replace(state, goods=changed(state.goods, RED, (gold, 0, 0, 0, 0)))


# The wheel


def test_a_die_tells_its_goods_the_action_and_its_points() -> None:
    told = said(rich(table(), 0), "wheel architect", "die yellow 1")
    assert told[:2] == [
        "Gold die with 1: 1 gold and 6 action points at “architect”.",
        "A bonus tile lies here, too: 2 architect action points.",
    ]


def test_with_gold_it_tells_what_the_die_would_be_turned_by_a_pip() -> None:
    told = said(rich(table(), 2), "wheel architect", "die yellow 1")
    assert told[-2:] == [
        "Turned to 2 for 2 gold: 2 gold and 5 action points at “merchant”.",
        "Turned to 6 for 2 gold: 6 gold and 1 action point at “joker”.",
    ]
    assert not any("Turned" in one for one in said(rich(table(), 1), "wheel architect", "die yellow 1"))


def test_own_markers_count_and_a_full_warehouse_is_said() -> None:
    state = replace(table(), markers=changed(table().markers, RED, (ARCHITECT, -1, -1, -1, -1, -1)))
    state = replace(state, warehouse=changed(state.warehouse, RED, ("wool3", "iron3", "wool4", "iron4")))
    told = said(state, "wheel architect", "die yellow 1", language="de")
    assert told[0] == "Goldwürfel mit 1: 1 Gold und 9 Aktionspunkte bei «Architektur»."
    assert told[1] == "Davon kommen 3 durch Bonusmarker von Rot bei «Architektur»."
    assert "Im Lagerhaus von Rot ist kein Platz mehr." in told
    other = said(state, "wheel architect", "die yellow 1", GREEN)
    assert other[0].endswith("6 action points at “architect”.")


def test_corruption_comes_before_the_first_die_of_a_lap() -> None:
    state = replace(table(), corruption=(-1, -1, -1))
    assert any("corruption marker" in one for one in said(state, "wheel architect", "die yellow 1"))
    assert said(state, "corruption")[0].startswith("3 markers still face down: each sends everybody back by 0 to 2")


def test_a_section_tells_what_its_points_are_for() -> None:
    told = said(table(), "wheel contract")
    assert told[0] == "“contract”: dice with 4, and 3 action points."
    assert told[1] == "1 to 3 points: take a contract. 1 point: swap a good, the first time for 2."
    assert "The first point shows which it is." in said(table(), "wheel joker")
    assert said(replace(table(), wheel=()), "extras guest")[2] == "No die lies here."


@pytest.mark.parametrize("turned", range(6))
def test_the_ring_shows_the_wheel_as_it_stands(turned: int) -> None:
    state = replace(table(), turned=turned)
    (ring,) = GUIDE.rings(state)
    assert [section.word for section in ring.sections] == list(state.box.wheel.actions)
    assert sorted(section.number for section in ring.sections) == [1, 2, 3, 4, 5, 6]
    assert all(section.worth == 7 - section.number for section in ring.sections)
    assert ring.sections[turned].number == 1, "turned clockwise, the 1 has gone on by so many sections"
    view = GAME.view(state).zones
    for section in ring.sections:
        assert isinstance(view[section.zone], Pieces)
        assert all(zone in view for zone, _ in section.beside)
    assert ring.legend["die light_grey 1"] == "wool"


# Everything else


def test_a_contract_tells_its_terms_its_price_and_what_is_missing() -> None:
    assert said(rich(table(), 0), "contracts", "1") == [
        "Asks for 3 wool, brings 7 points.",
        "Red still needs for it: 3 wool.",
        "Costs 3 action points at “contract”.",
    ]


def test_whoever_chooses_a_contract_sees_what_it_brings() -> None:
    hand = ByHand(GAME, laid_out(2).seats)
    asked = hand.choices(laid_out(2), list(GAME.moves(laid_out(2))), ["OfferContract", "place=0"])
    hints = {option["says"]["en"]: option["hint"]["de"] for option in asked["options"]}
    assert hints["3 wool"] == "Bringt 7 Siegpunkte"


def test_a_guest_a_favour_and_the_kings_track() -> None:
    assert said(table(), "guests", "1") == [
        "Abbot: brings 2 steps of the crown when moving in; the marker belongs to “crown”."
    ]
    assert said(table(), "favours", "1")[0].startswith("2 goods of choice: at the end of the round")
    assert said(table(), "crown")[0].endswith("0 points.")


def test_a_fair_of_the_kings_track_may_cost_points() -> None:
    state = on_track(replace(table(), fairs=("crown", *table().fairs[1:3], "houses")), -4, 0, 0, 5)
    assert said(state, "fairs", "1")[1] == "Red is there and would lose 3 points now."


def test_a_city_tells_its_roads_places_and_fair() -> None:
    told = said(table(), "city Paris")
    assert told[0] == "Paris: roads to Tiletum, Troyes, Paris–Bordeaux."
    assert told[1] == "For Red: the architect is 1 step away, the merchant 1 step."
    assert any(one.startswith("Cathedral: 8 points on top") for one in told)
    assert any(one.startswith("Fair 2 in Paris") for one in told)
    assert said(table(), "houses", "Paris 1") == told == said(table(), "cathedrals", "Paris")


def test_a_place_between_two_towns_has_no_places_for_houses() -> None:
    told = said(table(), "city Paris–Bordeaux", language="de")
    assert told[0] == "Paris–Bordeaux: Straßen nach Paris, Bordeaux."
    assert "Hier wird nichts gebaut: Der Ort liegt an der Straße zwischen zwei Städten." in told


def test_a_contract_for_identical_goods_tells_what_is_missing_least() -> None:
    state = replace(rich(table(), 2), contracts=("same3 iron1", *table().contracts[1:]))
    assert said(state, "contracts", "1")[:2] == [
        "Asks for 3 identical goods and 1 iron, brings 8 points.",
        "Red still needs for it: 1 gold and 1 iron.",
    ]


def test_what_lies_in_a_warehouse_is_explained() -> None:
    assert said(table(), "warehouse red", "crest lily") == ["A crest: it goes on a building, for food."]
    assert said(table(), "warehouse red", "abbot gold5")[0].startswith("Abbot: brings 5 gold")
    assert said(table(), "warehouse red", "joker1") == ["A helper for one of your own turns: 1 joker action point."]


@pytest.mark.parametrize("seed", range(6))
def test_anything_may_be_asked_of_any_place_and_every_sentence_is_whole(seed: int) -> None:
    for state in whole_game(seed)[::40]:
        for zone, contents in GAME.view(state).zones.items():
            spots = {"", "unknown", "die pink 9", "die yellow"}
            match contents:
                case Cells(at=at):
                    spots |= at.keys()
                case Pieces(count=found):
                    spots |= found.keys()
                case Marks(field=fields):
                    spots |= fields.keys()
            for spot in spots:
                for language in LANGUAGES:
                    for text in said(state, zone, spot, None, language):
                        assert "{" not in text, text
                        assert text[0].isupper() or not text[0].isalpha()
    assert GUIDE.about(whole_game(seed)[0], "nowhere", "?", 7) == ()
    assert {f"does_{action}" for action in ACTIONS} <= GAME.catalogue.about.keys()
