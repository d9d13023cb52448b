"""Unknown tiles are described when they turn up, checked against the known facts of the box, and used."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.tiletum import GAME
from companion.games.tiletum.components import (
    all_guests,
    contracts_in_play,
    guests_in_play,
    needed,
    section_of,
    tile_numbers,
)
from companion.games.tiletum.moves import (
    Fulfil,
    OfferContract,
    OfferGuest,
    PutCost,
    PutTile,
    Reveal,
    UseHelper,
)
from companion.games.tiletum.state import State, contract_stack, guest_stack, tile_stack
from companion.kernel.box import BoxError, Learned
from companion.kernel.forms import CannotLearn, Form
from companion.kernel.messages import NewPiece
from companion.kernel.views import Cells
from companion.text.sentences import Bilingual, in_words, why_not
from vision import layout

from .table import (
    ARCHITECT,
    BOX,
    RED,
    WILD,
    acting,
    broken_rules,
    laid_out,
    played,
    table,
    with_warehouse,
)

LEARNING = GAME.learning
SHIPPED = layout.load(GAME.box_file.with_name("layout.toml"))
SPEAKERS = Bilingual(GAME.catalogue)


def tile(mark: str = "all", does: str = "brings", look: str = "", **brings: int) -> Learned:
    return Learned("tile", {"does": does, "brings": brings, "look": look, "mark": mark})


def contract(needs: dict[str, int], brings: dict[str, int], mark: str = "all", **other: Any) -> Learned:
    return Learned("contract", {"needs": needs, "brings": brings, "mark": mark, **other})


def guest(who: str, section: str, mark: str = "all", name: str = "", **brings: int) -> Learned:
    return Learned("guest", {"character": who, "name": name, "section": section, "brings": brings, "mark": mark})


DEAR = contract({"wool": 2, "stone": 1}, {"points": 12, "gold": 1})
LADY = guest("new", "merchant", name="Frau mit Kopftuch", gold=5)
SAMPLES = (tile(gold=2, points=1), DEAR, LADY, Learned("cost", {"stone": 6, "points": 9}))
TURNED_UP: dict[str, tuple[Any, str]] = {
    "tile": (PutTile("architect", ""), "tile"),
    "contract": (OfferContract(0, ""), "contract"),
    "guest": (OfferGuest(0, ""), "guest"),
    "cost": (PutCost(1, ""), "cost"),
    "corruption": (Reveal(2, 0), "value"),
}


def learned(state: State, *what: Learned) -> State:
    for one in what:
        state = LEARNING.learn(state, one)
    return state


def last(state: State) -> NewPiece:
    return LEARNING.pieces(state.box)[-1]


def refused(state: State, what: Learned) -> str:
    with pytest.raises(CannotLearn) as refusal:
        learned(state, what)
    return refusal.value.reason


# What was described is a tile like all others


def test_a_contract_is_turned_up_and_fulfilled() -> None:
    state = learned(laid_out(), DEAR)
    name = str(last(state).name)
    assert name == "wool2 stone1 for points12 gold1"
    state = played(state, OfferContract(0, name))
    assert state.contracts[0] == name
    assert needed(state.box, name) == (0, 0, 2, 1, 0)
    state = replace(table(), box=state.box, warehouse=((name,), *table().warehouse[1:]))
    state = replace(state, goods=((0, 0, 2, 1, 0), *state.goods[1:]))
    after = played(state, Fulfil(RED, name))
    assert after.fulfilled[RED] == (name,)
    assert after.goods[RED] == (1, 0, 0, 0, 0)
    assert after.points[RED] - state.points[RED] == 12 + BOX.contract_fields.points[0]


def test_a_helper_is_laid_out_and_brings_what_is_on_it() -> None:
    state = learned(laid_out(), tile(gold=2, points=1))
    name = str(last(state).name)
    state = played(state, PutTile("architect", name))
    assert state.section_tiles[0] == name
    state = replace(table(), box=state.box, warehouse=((name,), *table().warehouse[1:]))
    after = played(state, UseHelper(RED, name))
    assert (after.goods[RED][0] - state.goods[RED][0], after.points[RED] - state.points[RED]) == (2, 1)


def test_a_helper_brings_all_that_is_on_it() -> None:
    state = learned(laid_out(), tile(joker=1, points=2, **{"raise": 2}))
    name = str(last(state).name)
    state = with_warehouse(replace(acting(ARCHITECT, 3), box=state.box), RED, name)
    after = played(state, UseHelper(RED, name))
    assert (after.ap[WILD], after.ap[ARCHITECT], after.points[RED] - state.points[RED]) == (1, 5, 2)


def test_a_guest_comes_with_a_name_of_their_own_and_a_section() -> None:
    state = learned(laid_out(), LADY)
    name = str(last(state).name)
    assert name == "Frau mit Kopftuch with gold5"
    state = played(state, OfferGuest(0, name))
    assert section_of(state.box, name) == 1
    second = guest("Frau mit Kopftuch", "merchant", merchant=2)
    state = learned(state, second)
    assert len(state.box.guests["Frau mit Kopftuch"].tiles) == 2


def test_building_costs_and_corruption_markers_are_described_too() -> None:
    state = learned(laid_out(), SAMPLES[3])
    city = state.map.cathedrals[0]
    state = played(state, PutCost(city, str(last(state).name)))
    assert state.box.costs[state.costs[city]].stone == 6
    shown = replace(table(), corruption=(-1, 0, 0))
    assert broken_rules(replace(shown, lap=2), Reveal(0, 0))
    shown = learned(shown, Learned("corruption", {"steps": 0}))
    assert last(shown).name == 0
    assert shown.box.corruption.markers.count(0) == 3


def test_a_crest_may_lie_among_bonus_tiles_and_among_contracts() -> None:
    state = learned(laid_out(), tile(does="crest", look="Adler"), contract({}, {}, crest=True))
    assert [piece.name for piece in LEARNING.pieces(state.box)] == ["crest Adler", "crest contract"]
    assert state.box.tiles["crest Adler"].crest
    assert state.box.contracts["crest contract"].crest


def test_the_same_contract_twice_is_told_apart() -> None:
    state = learned(laid_out(), DEAR)
    state = played(state, OfferContract(0, str(last(state).name)))
    state = learned(state, DEAR)
    assert last(state).name == "wool2 stone1 for points12 gold1 (2)"
    assert played(state, OfferContract(1, str(last(state).name))).contracts[1] == last(state).name


# Words and looks


@pytest.mark.parametrize(
    ("what", "german", "english"),
    [
        (DEAR, "2 Wolle, 1 Stein für 12 Siegpunkte, 1 Gold", "2 wool, 1 stone for 12 points, 1 gold"),
        (LADY, "Frau mit Kopftuch mit 5 Gold", "Frau mit Kopftuch with 5 gold"),
        (guest("abbot", "crown", any=2), "Abt mit 2 Ressourcen nach Wahl", "abbot with 2 goods of choice"),
        (tile(crown=3), "3 Felder Krone", "3 steps of the crown"),
        (tile(gold=2, points=1), "1 Siegpunkt, 2 Gold", "1 point, 2 gold"),
        (tile(does="crest", look="Adler"), "Wappen Adler", "Adler crest"),
    ],
)
def test_it_is_called_by_what_is_on_it(what: Learned, german: str, english: str) -> None:
    piece = last(learned(laid_out(), what))
    assert [SPEAKERS[language].word(piece.name) for language in ("de", "en")] == [german, english]
    assert f"«{german}»" in SPEAKERS["de"].piece(piece.label)


@pytest.mark.parametrize("what", [*SAMPLES, tile(does="crest", look="Adler"), Learned("corruption", {"steps": 2})])
def test_the_layout_has_it_wherever_its_kind_may_lie(what: Learned) -> None:
    state = replace(laid_out(), corruption=(-1, 2, 2)) if what.form == "corruption" else laid_out()
    grown = SHIPPED.grown(LEARNING.pieces(learned(state, what).box))
    piece = last(learned(state, what))
    assert piece.label in grown.pieces[piece.family].labels
    if piece.like:
        zones = [name for name, zone in SHIPPED.zones.items() if piece.like in zone.labels]
        assert zones
        assert all(piece.label in grown.zones[name].labels for name in zones)
    assert not list(grown.problems())


def test_it_lies_on_the_table_under_its_label() -> None:
    state = learned(laid_out(), DEAR)
    state = played(state, OfferContract(2, str(last(state).name)))
    offer = GAME.view(state).zones["contracts"]
    assert isinstance(offer, Cells)
    assert offer.at["3"] == last(state).label


# The numbers stay


def test_for_each_tile_that_was_described_one_less_will_come() -> None:
    """It is unknown in this game which one; the stacks are as high as before."""
    before = laid_out(2)
    state = learned(before, *SAMPLES[:3])
    for stack, family in ((tile_stack, "tiles"), (contract_stack, "contracts"), (guest_stack, "guests")):
        assert len(stack(state)) == len(stack(before)) + 1
        assert state.box.stand_ins_left_out(family, 2) == 1  # type: ignore[arg-type]
    out = contract_stack(state)[:-1]
    state = replace(state, fulfilled=(out, *state.fulfilled[1:]))
    assert not contract_stack(state), "the last one is the stand-in that never comes"


def test_in_the_next_game_a_stand_in_has_left_for_each() -> None:
    answers = {
        "learned": msgspec.to_builtins([*SAMPLES, tile("four", crown=3), contract({"iron": 1}, {"points": 2}, "three")])
    }
    box = GAME.load_box(answers)
    assert len(box.learned) == 6
    assert tile_numbers(box, 4).total() == 54
    for players in (2, 3, 4):
        assert tile_numbers(box, players).total() == tile_numbers(BOX, players).total()
        assert len(contracts_in_play(box, players)) == len(contracts_in_play(BOX, players))
        assert len(guests_in_play(box, players)) == len(guests_in_play(BOX, players))
    assert sum(cost.number for cost in box.costs.values()) == 9
    names = {piece.name for piece in LEARNING.pieces(box)}
    assert names <= {*box.tiles, *box.contracts, *all_guests(box), *box.costs}
    assert box.stand_ins_left_out("contracts", 4) == 0


def test_when_all_were_described_no_stand_in_is_left() -> None:
    all_of_them = [contract({"wool": 1 + n % 5}, {"points": n + 1}) for n in range(26)]
    guests = [guest("new", "crown", name=f"Person {n}", points=3) for n in range(9)]
    guests += [guest(f"Person {n % 9}", "crown", gold=1 + n // 9) for n in range(36)]
    box = GAME.load_box({"learned": msgspec.to_builtins([*all_of_them, *guests])})
    assert {piece.name for piece in LEARNING.pieces(box)} == {*box.contracts, *all_guests(box)}
    assert len(box.contracts) == 26
    assert set(box.guests) == {f"Person {n}" for n in range(9)}
    state = GAME.setup(box, laid_out().seats)
    assert refused(state, contract({"gold": 9}, {"points": 30})) == "all_known"


def test_a_family_that_was_entered_as_a_whole_is_known() -> None:
    box = GAME.load_box({"contracts": msgspec.to_builtins(BOX.contracts)})
    state = GAME.setup(box, laid_out().seats)
    assert refused(state, DEAR) == "all_known"


# What cannot be


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        (tile(), "nothing"),
        (tile(gold=10), "number"),
        (tile(gold=-1), "number"),
        (tile(dragons=1), "amounts"),
        (tile(gold=1, wool=1, iron=1, food=1), "kinds"),
        (tile(does="crest", gold=1), "either"),
        (tile(does="flies"), "one"),
        (tile("four", gold=1), "sorted_out"),
        (tile(architect=2), "known"),
        (contract({}, {"points": 3}), "free"),
        (contract({"wool": 2}, {}), "nothing"),
        (contract({"wool": 2}, {"points": 31}), "number"),
        (contract({"wool": 2}, {}, crest=True), "either"),
        (contract({"points": 2}, {"points": 3}), "amounts"),
        (contract({"wool": 3}, {"points": 7}), "known"),
        (contract({"wool": 2}, {"points": 7}, "three"), "sorted_out"),
        (guest("new", "crown", gold=1), "nameless"),
        (guest("new", "crown", name="abbot", gold=1), "same_name"),
        (guest("abbot", "crown"), "nothing"),
        (guest("abbot", "kitchen", gold=1), "one"),
        (guest("nobody", "crown", gold=1), "one"),
        (guest("abbot", "crown", gold=5), "known"),
        (guest("new", "crown", name="x" * 25, gold=1), "text"),
        (Learned("cost", {"stone": 0, "points": 2}), "number"),
        (Learned("cost", {"stone": 3, "points": 4}), "known"),
        (Learned("corruption", {"steps": 3}), "number"),
        (Learned("corruption", {"steps": 1}), "known"),
        (Learned("dragon", {}), "not_the_form"),
    ],
)
def test_what_no_tile_can_be_is_refused_with_a_reason_in_both_languages(what: Learned, reason: str) -> None:
    state = laid_out(2)
    with pytest.raises(CannotLearn) as refusal:
        learned(state, what)
    assert refusal.value.reason == reason
    if what.form in TURNED_UP:
        said = why_not(SPEAKERS, asked(state, what.form), refusal.value)
        assert said["de"] != said["en"]
        assert not any("{" in text for text in said.values()), said


def test_a_character_keeps_the_section_that_was_described_and_a_stand_in_does_not() -> None:
    state = learned(laid_out(), guest("abbot", "joker", iron=4))
    assert state.box.guests["abbot"].section == "joker"
    assert refused(state, guest("abbot", "crown", iron=5)) == "other_section"


def test_answers_with_a_piece_that_cannot_be_are_refused_as_a_whole() -> None:
    with pytest.raises(BoxError, match="cannot be"):
        GAME.load_box({"learned": msgspec.to_builtins([tile()])})


# The forms


def asked(state: State, form: str) -> Form:
    move, field = TURNED_UP[form]
    found = LEARNING.form(state, move, field)
    assert found is not None
    return found


@pytest.mark.parametrize("form", list(TURNED_UP))
def test_every_form_and_each_of_its_words_is_said_in_both_languages(form: str) -> None:
    body = in_words(SPEAKERS, asked(laid_out(), form))
    assert body["name"] == form
    assert body["asks"]["de"] != body["asks"]["en"]
    for one in body["fields"]:
        assert one["says"]["de"]
        for word in one.get("words", ()):
            assert word["says"]["de"] != word["value"] or word["says"]["en"] != word["value"] or word["value"].isupper()
    assert LEARNING.form(laid_out(), OfferContract(0, ""), "place") is None


def test_whoever_was_described_is_asked_for_before_the_stand_ins() -> None:
    character = asked(learned(laid_out(), LADY), "guest").fields["character"]
    assert character.words[:2] == ("new", "Frau mit Kopftuch")  # type: ignore[union-attr]


# Whole games


@pytest.mark.parametrize("players", [2, 4])
def test_whole_games_are_played_with_a_box_that_grows(players: int) -> None:
    """Of many tiles that turn up, people say that they are none of the box."""
    rng, count = Random(players + 1), 0
    state = GAME.setup(BOX, laid_out(players).seats)
    while state.phase != "over":
        move = rng.choice(list(GAME.moves(state)))
        if isinstance(move, OfferContract) and rng.random() < 0.8:
            count += 1
            state = learned(state, contract({"wool": 1, "gold": count % 9 + 1}, {"points": count}))
            move = replace(move, contract=str(last(state).name))
        state = GAME.play(state, move)
    assert count > 3
    assert len(state.box.learned) == count
    assert GAME.box_from_json(msgspec.to_builtins(state.box)) == state.box
