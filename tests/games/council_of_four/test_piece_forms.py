"""Permits and reward tokens of another edition: described by people, and from then on pieces like all others."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest

from companion.games.council_of_four import GAME
from companion.games.council_of_four.moves import (
    Build,
    BuyPermit,
    DrawNeutral,
    Elect,
    LayOut,
    PutToken,
    TurnUp,
)
from companion.games.council_of_four.state import EMPTY, State, face_down, next_permits, permit_bonus
from companion.kernel.box import BoxError, Learned
from companion.kernel.forms import CannotLearn, Form
from companion.kernel.messages import NewPiece
from companion.kernel.simulation import BOTS, BotName, of
from companion.kernel.views import Cells, View
from companion.simulation.selfplay import playing
from companion.text.sentences import Bilingual, in_words, why_not

from .table import (
    BOX,
    COAST,
    COUNCIL,
    RED,
    broken_rules,
    city,
    has,
    laid_out,
    opened,
    played,
    table,
    with_offers,
)

LEARNING = GAME.learning
AC = Learned("permit coast", {"city": ["A", "C"], "gold": 2, "cards": 1})
GOLD7 = Learned("token", {"gold": 7})


def learned(state: State, what: Learned = AC) -> State:
    return LEARNING.learn(state, what)


def asked(move: Any, field: str) -> Form:
    form = LEARNING.form(table(), move, field)
    assert form is not None
    return form


def bought(state: State) -> State:
    """Red buys AC, which lies on the coast."""
    state = has(with_offers(learned(state), "AC", "B", "F", "G", "K", "L"), RED, gold=10, hands=6)
    return played(state, BuyPermit(RED, 0, COUNCIL))


# A permit


def test_a_permit_that_was_described_is_turned_up_bought_and_built_with() -> None:
    state = bought(table())
    assert state.permits[RED] == ("AC",)
    assert (state.gold[RED], state.hands[RED]) == (12, 3), "2 gold and a card came, four cards went"
    state = msgspec.structs.replace(state, main=1, offers=("A", *state.offers[1:]))
    assert broken_rules(state, Build(RED, "AC", city("B"))) == {"use.letter"}
    state = played(state, Build(RED, "AC", city("C")))
    assert state.owns(RED, city("C"))
    assert state.used[RED] == ("AC",)


def test_it_lies_on_the_table_under_its_own_label() -> None:
    state = with_offers(learned(table()), "AC", "B", "F", "G", "K", "L")
    offers = GAME.view(state).zones["permits"]
    assert isinstance(offers, Cells)
    assert offers.at["coast 1"] == "permit AC"
    assert LEARNING.pieces(state.box) == (NewPiece("AC", "permit", "permit AC", "AC gold2 cards1"),)


def test_what_is_seen_of_it_is_explained() -> None:
    state = with_offers(learned(table()), EMPTY, "B", "F", "G", "K", "L")
    seen = GAME.view(with_offers(state, "AC", "B", "F", "G", "K", "L"))
    assert next(GAME.candidates(state, View(seen.zones))) == TurnUp(0, "AC")
    assert GAME.state_from_view(state, seen).offers[0] == "AC"


def test_a_region_keeps_its_number_of_permits() -> None:
    """For one that is not in the box, another one of the box will never come."""
    state = learned(table())
    assert face_down(state, COAST) == face_down(table(), COAST) == 13
    assert len(next_permits(state, COAST)) == 14
    out = ("D", "E", "AB", "AE", "BC", "CD", "DE", "ABC", "ABE", "ADE", "BCD", "CDE", "AC")
    state = msgspec.structs.replace(state, permits=(out, *state.permits[1:]), offers=(EMPTY, *state.offers[1:]))
    assert face_down(state, COAST) == 1, "A or C, it is unknown which"
    state = played(state, TurnUp(0, "C"))
    assert face_down(state, COAST) == 0
    assert not next_permits(state, COAST)


def test_what_was_put_under_the_stack_comes_last_although_one_never_comes() -> None:
    out = ("E", "AB", "AE", "BC", "CD", "DE", "ABC", "ABE", "ADE", "BCD", "CDE", "AC")
    state = msgspec.structs.replace(
        learned(table()), permits=(out, (), (), ()), offers=(EMPTY, EMPTY, "F", "G", "K", "L")
    )
    state = msgspec.structs.replace(state, below=((("A", "B"),), (), ()))
    assert set(next_permits(state, COAST)) == {"C", "D"}
    assert next_permits(played(state, TurnUp(0, "C")), COAST) == ("A", "B")


def test_letters_that_the_box_knows_correct_its_bonus() -> None:
    state = learned(table(), Learned("permit hills", {"city": ["G", "H"], "points": 9}))
    assert permit_bonus(state, "HG").points == 9
    assert permit_bonus(state, "HG").assistants == 0
    assert face_down(state, 1) == 13
    assert LEARNING.pieces(state.box)[0].label == "permit HG"


# A token


def test_a_token_that_was_described_is_laid_and_brings_its_bonus() -> None:
    state = learned(laid_out(), GOLD7)
    state = played(state, PutToken(city("A"), "gold7"))
    assert state.tokens[city("A")] == "gold7"
    state = msgspec.structs.replace(table(), box=state.box, tokens=("gold7", *table().tokens[1:]))
    state = msgspec.structs.replace(state, permits=(("AB",), *state.permits[1:]))
    assert played(has(state, RED, gold=5), Build(RED, "AB", city("A"))).gold[RED] == 12


def test_a_second_one_of_a_token_is_one_more() -> None:
    state = played(laid_out(), PutToken(city("A"), "gold2"))
    assert broken_rules(state, PutToken(city("B"), "gold2")) == {"setup.token-once"}
    state = learned(state, Learned("token", {"gold": 2}))
    assert not broken_rules(state, PutToken(city("B"), "gold2"))
    assert state.box.tokens["gold2"].number == 2


# What cannot be


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        (Learned("permit coast", {"city": ["A", "F"], "gold": 1}), "several"),
        (Learned("permit coast", {"city": [], "gold": 1}), "several"),
        (Learned("permit coast", {"city": ["A", "A"], "gold": 1}), "several"),
        (Learned("permit coast", {"city": "AC", "gold": 1}), "several"),
        (Learned("permit coast", {"city": ["A", "C"], "gold": -1}), "number"),
        (Learned("permit coast", {"city": ["A", "C"], "gold": 21}), "number"),
        (Learned("permit coast", {"city": ["A", "C"], "gold": True}), "number"),
        (Learned("permit coast", {"city": ["A", "C"], "gold": 1.5}), "number"),
        (Learned("permit coast", {"city": ["A", "C"], "gold": "1"}), "number"),
        (Learned("permit coast", {"city": ["A", "C"]}), "nothing"),
        (Learned("permit coast", {"city": ["A", "C"], "dragons": 1}), "not_the_form"),
        (Learned("permit coast", {"city": ["A", "B"], "gold": 3, "cards": 1}), "known"),
        (Learned("permit moon", {"city": ["A"], "gold": 1}), "not_the_form"),
        (Learned("token", {}), "nothing"),
        (Learned("token", {"main": 1}), "not_the_form"),
        (Learned("token", {"gold": 1}), "known"),
    ],
)
def test_what_no_piece_can_be_is_refused_in_both_languages(what: Learned, reason: str) -> None:
    state = laid_out()
    with pytest.raises(CannotLearn) as refusal:
        LEARNING.learn(state, what)
    assert refusal.value.reason == reason
    form = asked(PutToken(0, "gold1"), "token") if what.form == "token" else asked(TurnUp(0, "A"), "permit")
    said = why_not(Bilingual(GAME.catalogue, state.seats), form, refusal.value)
    assert said["de"] != said["en"]
    assert all("{" not in text and text.endswith(".") for text in said.values())


def test_a_permit_that_lies_elsewhere_is_not_turned_up_again() -> None:
    """The letters are taken: the bonus is corrected, but there is only one of it."""
    state = learned(
        with_offers(table(), EMPTY, "AB", "F", "G", "K", "L"), Learned("permit coast", {"city": ["A", "B"], "gold": 9})
    )
    assert broken_rules(state, TurnUp(0, "AB")) == {"permit.top"}


# The form


def test_a_form_asks_for_the_cities_of_the_region_and_for_symbols() -> None:
    form = asked(TurnUp(2, "F"), "permit")
    assert form.name == "permit hills"
    body = in_words(Bilingual(GAME.catalogue, table().seats), form)
    cities, gold, *_ = body["fields"]
    assert [word["says"]["de"] for word in cities["words"]] == ["Framek", "Graden", "Hellar", "Indur", "Juvelar"]
    assert (cities["kind"], gold["kind"], gold["least"], gold["most"]) == ("several", "number", 0, 20)
    assert asked(DrawNeutral(2, "K"), "permit").name == "permit mountains"
    assert asked(PutToken(3, "gold1"), "token").name == "token"


@pytest.mark.parametrize(
    ("move", "field"),
    [
        (TurnUp(0, "A"), "place"),
        (TurnUp(-1, "A"), "permit"),
        (TurnUp(6, "A"), "permit"),
        (DrawNeutral(3, "A"), "permit"),
        (PutToken(0, "gold1"), "city"),
        (Build(RED, "A", 0), "permit"),
        (Elect(RED, COAST, "pink"), "colour"),
        (LayOut(), "permit"),
    ],
)
def test_nothing_else_is_described(move: Any, field: str) -> None:
    assert LEARNING.form(table(), move, field) is None


def test_every_form_has_words_for_each_of_its_fields() -> None:
    forms = [asked(TurnUp(0, "A"), "permit"), asked(PutToken(0, "gold1"), "token")]
    for form in forms:
        words = GAME.catalogue.form(form.name)
        assert set(words.fields) == set(form.fields)
        assert set(words.refuses) == {"nothing", "known"}
    assert set(GAME.catalogue.describing) == {form.name.partition(" ")[0] for form in forms}
    assert set(GAME.catalogue.amounts) - {"assistantsgot"} == set(asked(TurnUp(0, "A"), "permit").fields) - {"city"}


# Kept


def test_a_box_without_anything_learned_is_written_as_ever() -> None:
    """Old journals lead where they did."""
    text = msgspec.json.encode(opened())
    assert b"learned" not in text
    assert b"stacks" not in text
    assert b'"learned"' in msgspec.json.encode(learned(opened()))


def test_a_state_with_learned_pieces_survives_json_and_differs_by_its_digest() -> None:
    state = learned(learned(laid_out()), GOLD7)
    again = msgspec.json.decode(msgspec.json.encode(state), type=State)
    assert again == state != laid_out()
    assert GAME.box_from_json(msgspec.to_builtins(state.box)) == state.box
    assert LEARNING.pieces(again.box) == LEARNING.pieces(state.box)


def test_the_next_game_knows_it_from_the_start() -> None:
    box = GAME.load_box({"politics.jokers": 12, "learned": [msgspec.to_builtins(AC), msgspec.to_builtins(GOLD7)]})
    assert box.permits["coast"]["AC"].gold == 2
    assert box.tokens["gold7"].number == 1
    assert box.learned[0].form == AC.form


@pytest.mark.parametrize(
    "damage", ["?", [{"form": "permit coast"}], [{"form": "permit coast", "answers": {"city": []}}]]
)
def test_damaged_answers_are_named(damage: Any) -> None:
    with pytest.raises(BoxError, match="learned"):
        GAME.load_box({"learned": damage})


@pytest.mark.parametrize("bot", BOTS)
def test_bots_play_a_whole_game_with_what_was_learned(bot: BotName) -> None:
    seats = opened(3).seats
    answers = [AC, Learned("permit hills", {"city": ["F", "H"], "points": 4}), GOLD7]
    box = GAME.load_box({"learned": [msgspec.to_builtins(one) for one in answers]})
    met = set[str]()
    for seed in range(8):
        start = state = GAME.setup(box, seats)
        for _, _, state in playing(GAME, start, of(GAME.name).world(start, bot, Random(f"learned/{seed}"))):
            met |= {*state.offers, *state.tokens} & {"AC", "FH", "gold7"}
        assert state.phase == "over"
        assert GAME.score(state).winner is not None
    assert met == {"AC", "FH", "gold7"}
    assert box != BOX
