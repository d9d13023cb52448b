"""Unknown manuscripts, player cards and schemes are described when they turn up, checked, and used."""

from __future__ import annotations

from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion.games.viscounts import GAME
from companion.games.viscounts.box import Effect
from companion.games.viscounts.components import all_schemes
from companion.games.viscounts.moves import (
    AddScheme,
    Copy,
    OfferCard,
    TakePair,
    TurnScheme,
    TurnUpManuscript,
)
from companion.games.viscounts.state import UNSEEN, State, unseen_manuscripts
from companion.kernel.box import BoxError, Learned
from companion.kernel.forms import CannotLearn, Form
from companion.kernel.messages import NewPiece
from companion.kernel.views import Cells
from companion.text.sentences import Bilingual, in_words, why_not
from vision import layout

from ..samples import by_liking
from .random_games import LIKED
from .table import (
    BOX,
    RED,
    has,
    inner,
    laid_out,
    lots,
    opened,
    owns,
    played,
    table,
    with_viscount,
)

LEARNING = GAME.learning
SHIPPED = layout.load(GAME.box_file.with_name("layout.toml"))
SPEAKERS = Bilingual(GAME.catalogue)


def script(ribbon: str, cost: int, counts: str = "nothing", each: int = 1, **brings: int) -> Learned:
    return Learned("manuscript", {"ribbon": ribbon, "cost": cost, "counts": counts, "each": each, "brings": brings})


def player_card(number: int, here: bool = False, **brings: int) -> Learned:
    return Learned("player_card", {"number": number, "here": here, "brings": brings})


def scheme(pile: str, symbols: dict[str, int], tries: str = "build", **other: Any) -> Learned:
    plain = {"brings": {"any": 1}, "steps": 2, "otherwise": {"virtue": 1}}
    return Learned("scheme", {"pile": pile, "symbols": symbols, "tries": tries, **plain, **other})


RICH = script("blue", 4, gold=1, virtue=1)
POINTS = script("yellow", 6, "building", 2)
MONK = scheme("start", {"cleric": 1}, "workers", then="focus")
TWINS = scheme("future", {"noble": 2})
SAMPLES = (RICH, POINTS, player_card(5, gold=2, silver=7, debt=1), MONK, TWINS)
TURNED_UP: dict[str, tuple[Any, str]] = {
    "manuscript": (TurnUpManuscript(0, ""), "manuscript"),
    "player_card": (OfferCard(0, 1), "number"),
    "scheme": (TurnScheme(""), "scheme"),
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


def alone(phase: str = "") -> State:
    """The solo game, laid out; or its first moment in which the opponent turns up a scheme, or adds one."""
    state, dice = laid_out(1, difficulty=1), Random("alone")
    while phase and not any(due.what == phase for group in state.due[:1] for due in group):
        state = GAME.play(state, by_liking(GAME, dice, state, LIKED, 3))
    return state


# What was described is a piece like all others


def test_a_manuscript_is_turned_up_and_copied() -> None:
    state = replace(with_viscount(has(table(), ink=4), inner(0)), scripts=(UNSEEN, *table().scripts[1:]))
    state = learned(state, RICH)
    name = str(last(state).name)
    state = played(state, TurnUpManuscript(0, name))
    assert state.scripts[0] == name
    copy = next(move for move in GAME.moves(state) if isinstance(move, Copy))
    after = played(state, copy)
    assert after.manuscripts[RED] == (name,)
    assert owns(after)["gold"] == 1
    assert after.virtue[RED] == state.virtue[RED] - 1


def test_a_manuscript_may_leave_a_choice() -> None:
    either = Learned("manuscript", {"ribbon": "grey", "cost": 3, "brings": {"gold": 1}, "instead": {"move": 1}})
    state = learned(laid_out(), either)
    made = state.box.manuscripts[str(last(state).name)]
    assert made.effect == Effect(either=(Effect(gold=1), Effect(move=1)))


def test_a_manuscript_that_counts_brings_points_at_the_end() -> None:
    state = learned(table(), POINTS)
    name = str(last(state).name)
    state = replace(state, manuscripts=((name,), *state.manuscripts[1:]), built=(0b10111, 0, 0))
    lines = {line.label: line.points for line in GAME.score(state).seats[RED].lines}
    assert lines["manuscripts"] == 2, "four buildings, a point for every two"


def test_a_player_card_corrects_ours_of_the_same_number() -> None:
    state = learned(laid_out(2), player_card(7, stone=3, silver=1))
    assert last(state).name == 7
    state = played(state, *lots(2))
    assert state.cards == (1, 2, 7)
    after = played(state, TakePair(1, 2))
    assert owns(after, 1) == {"stone": 3, "silver": 1}


def test_a_scheme_is_turned_up_and_followed() -> None:
    state = learned(alone("reveal"), MONK)
    assert last(state).name == "start cleric", "our stand-in with this symbol is meant"
    state = played(state, TurnScheme("start cleric"))
    assert all_schemes(state.box)["start cleric"].tries == ("workers", "focus")
    assert state.rows[state.rival][0] == "start cleric"
    assert GAME.expects(state).key == "rival_any"


def test_a_scheme_with_other_symbols_takes_the_place_of_a_stand_in() -> None:
    before = alone("scheme")
    state = learned(before, TWINS)
    name = str(last(state).name)
    assert len(state.futures) == len(before.futures)
    assert len(state.box.solo.future) == 8
    state = played(state, AddScheme(name))
    assert state.discards[state.rival][-1] == name


def test_a_scheme_that_seemed_to_stay_in_the_box_is_described_like_any_other() -> None:
    before = alone("reveal")
    assert "future noble" in before.boxed
    state = learned(before, scheme("future", {"noble": 1}, "focus", steps=3))
    assert last(state).name == "future noble"
    after = played(state, TurnScheme("future noble"))
    assert after.rows[after.rival][0] == "future noble"
    assert len(after.futures) == len(before.futures) - 1


# Words and looks


@pytest.mark.parametrize(
    ("what", "german", "english"),
    [
        (RICH, "blau 4: 1 Gold und 1 Tugend", "blue 4: 1 gold and 1 virtue"),
        (POINTS, "gelb 6: 1 Punkt für je 2 errichtete Gebäude", "yellow 6: 1 point for every 2 buildings built"),
        (TWINS, "Zukunfts-Plan 2 Adlige", "future scheme 2 nobles"),
    ],
)
def test_it_is_called_by_what_is_on_it(what: Learned, german: str, english: str) -> None:
    piece = last(learned(alone(), what))
    assert [SPEAKERS[language].word(piece.name) for language in ("de", "en")] == [german, english]
    assert f"«{german}»" in SPEAKERS["de"].piece(piece.label)


@pytest.mark.parametrize("what", SAMPLES)
def test_the_layout_has_it(what: Learned) -> None:
    piece = last(learned(alone(), what))
    grown = SHIPPED.grown([piece])
    assert piece.label in grown.pieces[piece.family].labels
    assert not list(grown.problems())


def test_it_lies_on_the_table_under_its_label() -> None:
    state = replace(table(), scripts=(UNSEEN, *table().scripts[1:]))
    state = learned(state, RICH)
    state = played(state, TurnUpManuscript(0, str(last(state).name)))
    tops = GAME.view(state).zones["manuscripts"]
    assert isinstance(tops, Cells)
    assert tops.at["1"] == last(state).label


def test_the_same_manuscript_twice_is_told_apart() -> None:
    state = replace(table(), scripts=(UNSEEN, *table().scripts[1:]))
    state = learned(state, RICH)
    first = str(last(state).name)
    state = played(state, TurnUpManuscript(0, first))
    state = learned(replace(state, scripts=(first, UNSEEN, *state.scripts[2:])), RICH)
    assert last(state).name == f"{first} (2)"
    assert SPEAKERS["en"].word(f"{first} (2)").endswith("1 virtue (2)")


# The numbers stay


def test_for_each_manuscript_a_stand_in_has_left_that_nobody_has_seen() -> None:
    seen = replace(table(), scripts=("blue 4 deed", *table().scripts[1:]))
    state = learned(seen, RICH, POINTS)
    assert len(state.box.manuscripts) == 35
    assert "blue 4 deed" in state.box.manuscripts, "this one lies on the table"
    assert "blue 4 destroy" not in state.box.manuscripts, "of the same ribbon and cost"
    assert "yellow 6 worker" not in state.box.manuscripts
    assert len(unseen_manuscripts(state)) == len(unseen_manuscripts(seen))


def test_in_the_next_game_they_are_there_from_the_beginning() -> None:
    box = GAME.load_box({"learned": msgspec.to_builtins(SAMPLES)})
    assert len(box.manuscripts) == 35
    assert (len(box.solo.starting), len(box.solo.future), len(box.player_cards)) == (8, 8, 10)
    assert box.player_cards["5"].effect.gold == 2
    names = {str(piece.name) for piece in LEARNING.pieces(box)}
    assert names <= {*box.manuscripts, *box.player_cards, *all_schemes(box)}
    families = {family.fact: (family.known, family.number) for family in LEARNING.families(box)}
    assert families == {
        "manuscripts": (23, 35),
        "player_cards": (2, 10),
        "solo.starting": (4, 8),
        "solo.future": (3, 8),
    }


def test_a_scheme_that_replaces_another_goes_back_to_the_box_where_that_one_did() -> None:
    whole = [scheme("future", {"noble": 2}, steps=step) for step in range(1, 7)]
    box = GAME.load_box({"learned": msgspec.to_builtins(whole)})
    for board in box.solo.boards.values():
        assert set(board.removed) <= set(all_schemes(box))
    assert refused(GAME.setup(box, opened(1).seats), scheme("future", {"cleric": 2})) == "all_known"


def test_when_all_stand_ins_are_gone_nothing_more_can_be_described() -> None:
    many = [script("black", 3 + n % 5, ink=1 + n // 5, gold=1) for n in range(14)]
    state = learned(laid_out(), *many)
    assert LEARNING.families(state.box)[0].known == 35
    assert refused(state, RICH) == "all_known"


def test_a_stand_in_says_in_lists_that_it_is_assumed_until_it_was_described() -> None:
    speaker = SPEAKERS["en"]
    remark = GAME.guide.piece(laid_out(), "player card 5")
    assert remark is not None
    assert speaker.about(remark).startswith("Assumed: 1 ink, 5 silver")
    remark = GAME.guide.piece(learned(laid_out(), player_card(5, gold=2)), "player card 5")
    assert remark is not None
    assert speaker.about(remark) == "Brings 2 gold"
    sure = GAME.guide.piece(laid_out(), "black 3 flip")
    assert sure is not None
    assert speaker.about(sure) == "Brings 1 flip"


# What cannot be


@pytest.mark.parametrize(
    ("what", "reason"),
    [
        (script("blue", 4), "nothing"),
        (script("blue", 4, "cleric", gold=1), "either"),
        (script("blue", 2, gold=1), "number"),
        (script("pink", 4, gold=1), "one"),
        (script("blue", 4, dragons=1), "amounts"),
        (script("blue", 4, workshop=1, guildhall=1), "once"),
        (script("blue", 4, rearrange=2), "once"),
        (script("black", 3, flip=1), "known"),
        (player_card(5), "nothing"),
        (player_card(5, True, gold=1), "here"),
        (player_card(11, gold=1), "number"),
        (player_card(1, stone=1, ink=2, silver=8, deed=2, debt=1, virtue=1), "known"),
        (scheme("start", {}), "nothing"),
        (scheme("start", {"noble": 1}, "workers", brings={"dismiss": 1}, otherwise={"flip": 1, "virtue": 1}), "known"),
        (scheme("never", {"noble": 1}), "one"),
        (Learned("dragon", {}), "not_the_form"),
    ],
)
def test_what_no_piece_can_be_is_refused_with_a_reason_in_both_languages(what: Learned, reason: str) -> None:
    state = replace(alone(), schemes=("start cleric", "start noble", "start builder"))
    with pytest.raises(CannotLearn) as refusal:
        learned(state, what)
    assert refusal.value.reason == reason
    if what.form in TURNED_UP:
        said = why_not(SPEAKERS, asked(state, what.form), refusal.value)
        assert said["de"] != said["en"]
        assert not any("{" in text for text in said.values()), said


def test_a_scheme_that_lies_there_already_is_not_described_again() -> None:
    state = replace(alone(), schemes=("start builder", "start criminal 2"))
    assert refused(state, MONK) == "out"


def test_answers_with_a_piece_that_cannot_be_are_refused_as_a_whole() -> None:
    with pytest.raises(BoxError, match="cannot be"):
        GAME.load_box({"learned": msgspec.to_builtins([script("blue", 4)])})


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
            assert "_" not in word["says"]["de"] + word["says"]["en"], word
            assert "{" not in word["says"]["de"] + word["says"]["en"], word
            assert word["says"]["de"] != word["says"]["en"] or word["value"] in ("gold", "start"), word
    assert LEARNING.form(laid_out(), OfferCard(0, 1), "place") is None
    adding = LEARNING.form(laid_out(), AddScheme(""), "scheme")
    assert adding is not None
    assert adding.fields["pile"].words == ("future",)  # type: ignore[union-attr]


# Whole games


@pytest.mark.parametrize("players", [1, 3])
def test_whole_games_are_played_with_a_box_that_grows(players: int) -> None:
    """Of many pieces that turn up, people say that they are none of the box."""
    dice, count = Random(players), 0
    state = GAME.setup(BOX, opened(players).seats)
    while state.phase != "over":
        move: Any = by_liking(GAME, dice, state, LIKED, 3)
        strange = _strange(move, dice)
        if strange is not None and dice.random() < 0.8:
            try:
                state = learned(state, strange)
                count += 1
                field = TURNED_UP[strange.form][1]
                changed = replace(move, **{field: last(state).name})
                move = changed if not GAME.check(state, changed) else next(iter(GAME.moves(state)))
            except CannotLearn:
                move = next(iter(GAME.moves(state)))
        state = GAME.play(state, move)
    assert count > 3
    assert len(state.box.learned) == count
    assert GAME.box_from_json(msgspec.to_builtins(state.box)) == state.box


def _strange(move: Any, dice: Random) -> Learned | None:
    match move:
        case TurnUpManuscript():
            return script(dice.choice(("black", "grey")), dice.randint(3, 7), silver=dice.randint(1, 9), any=1)
        case OfferCard():
            return player_card(dice.randint(1, 10), gold=dice.randint(1, 5), silver=dice.randint(1, 20))
        case TurnScheme() | AddScheme():
            symbols = {dice.choice(("cleric", "builder", "noble", "criminal")): dice.randint(1, 2)}
            pile = "future" if isinstance(move, AddScheme) or "future" in move.scheme else "start"
            return scheme(pile, symbols, dice.choice(("build", "focus")), steps=dice.randint(1, 5))
    return None
