"""What can never happen in The Council of Four, whatever people do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import combinations_with_replacement, product
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.catalogue import LANGUAGES, Speaker
from companion.games.council_of_four import GAME
from companion.games.council_of_four.box import REGIONS, card_kinds, permits_of, token_numbers
from companion.games.council_of_four.moves import EXACT, Move
from companion.games.council_of_four.state import NEUTRAL, State, face_down, next_permits, pool, stack
from companion.rules import CHANCE, IllegalMove

from .playing import EDITIONS, playing, whole_game
from .table import BOX

GAMES = 60
FULLEST = GAME.load_box(EDITIONS[-1])
PERMITS = [permit for region in range(3) for permit in permits_of(FULLEST, region)]
"""Of all editions."""
SPEAKERS = [Speaker(GAME.catalogue, language) for language in LANGUAGES]
WORDS = set(GAME.catalogue.words)
NOWHERE = {"gold9", "XYZ", "?"}
"""What people may name though there is no such thing."""
SAY_THEMSELVES = {*PERMITS, *BOX.cities.values(), *(noble.numeral for noble in BOX.nobility.values()), "A", "B"}
"""Permits, cities, numerals and sides of the board are the same in all languages."""


def foreign(facts: dict[str, Any]) -> set[str]:
    """Words of facts that no catalogue knows."""
    several = [fact if isinstance(fact, tuple) else (fact,) for fact in facts.values()]
    words = {word for fact in several for word in fact if isinstance(word, str)}
    strange = {word for word in words - WORDS - SAY_THEMSELVES if not word.lstrip("-").isdecimal()}
    return {word for word in strange if GAME.catalogue.word(word, "en") == word}


def somewhere(seed: int, index: int, turn: bool) -> State:
    """A state from the middle of a game; of the set-up as seldom as it is short."""
    states = whole_game(seed)
    found = [state for state in states if state.phase == "turn"] if turn else states
    return found[index % len(found)]


states = st.builds(somewhere, st.integers(0, GAMES - 1), st.integers(0, 999), st.sampled_from((True, True, False)))

cards = st.lists(st.sampled_from((*card_kinds(BOX), "green")), max_size=5).map(tuple)
off = st.one_of(st.just(EXACT), st.just(EXACT), st.tuples(*[st.integers(-1, 2)] * 4))
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "seat": st.integers(-1, 4),
    "city": st.integers(-1, 15),
    "king": st.integers(-1, 15),
    "token": st.sampled_from((*FULLEST.tokens, "gold9")),
    "council": st.integers(-1, 4),
    "place": st.integers(-1, 6),
    "colour": st.sampled_from((*BOX.councillors.colours, "green")),
    "permit": st.sampled_from((*PERMITS, "XYZ")),
    "region": st.integers(-1, 3),
    "cards": cards,
    "enters": st.integers(0, 3),
    "falls": st.integers(0, 3),
    "off": off,
    "turned": st.booleans(),
    "tile": st.sampled_from((*BOX.bonus_tiles, "kings_reward")),
}


def acts(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Any act of a kind, sensible or not."""
    return st.builds(kind, **{name: VALUES[name] for name in kind.__struct_fields__})


any_act = st.one_of(*(acts(kind) for kind in Move.__args__))  # type: ignore[attr-defined]


@given(states)
@settings(max_examples=150, deadline=None)
def test_every_listed_move_is_legal_and_listed_once(state: State) -> None:
    listed = list(GAME.moves(state))
    assert len(set(listed)) == len(listed)
    for move in listed:
        assert GAME.check(state, move) == (), move


BRIBES = [laid for number in range(1, 5) for laid in combinations_with_replacement(card_kinds(BOX), number)]
PARTS: dict[str, Any] = {
    "city": range(15),
    "token": FULLEST.tokens,
    "council": range(4),
    "place": range(6),
    "colour": BOX.councillors.colours,
    "permit": PERMITS,
    "region": range(3),
    "cards": BRIBES,
    "tile": BOX.bonus_tiles,
}


def everything(seat: int) -> Iterator[Move]:
    """All acts of a seat, of chance and of the table, done as they should be done."""
    for kind in Move.__args__:  # type: ignore[attr-defined]
        names = [name for name in kind.__struct_fields__ if name in PARTS]
        for values in product(*(PARTS[name] for name in names)):
            parts = dict(zip(names, values, strict=True))
            yield kind(**parts, seat=seat) if "seat" in kind.__struct_fields__ else kind(**parts)


@given(states)
@settings(max_examples=30, deadline=None)
def test_of_all_acts_that_there_are_exactly_the_listed_ones_break_no_rule(state: State) -> None:
    assert {act for act in everything(state.turn) if not GAME.check(state, act)} == set(GAME.moves(state))


@given(states, any_act)
@settings(max_examples=1500, deadline=None)
def test_moves_and_check_agree_about_anything_a_person_could_do(state: State, move: Move) -> None:
    assert (GAME.check(state, move) == ()) == (move in set(GAME.moves(state)))


@given(states, st.data())
@settings(max_examples=500, deadline=None)
def test_moves_and_check_agree_about_acts_that_are_nearly_right(state: State, data: st.DataObject) -> None:
    """One fact of a legal move changed: the likeliest mistakes."""
    listed = list(GAME.moves(state))
    if not listed:
        return
    move = data.draw(st.sampled_from(listed))
    if move.__struct_fields__:
        name = data.draw(st.sampled_from(move.__struct_fields__))
        move = msgspec.structs.replace(move, **{name: data.draw(VALUES[name])})
    assert (GAME.check(state, move) == ()) == (move in set(listed)), move


@given(states, any_act)
@settings(max_examples=700, deadline=None)
def test_every_breach_is_a_whole_sentence_in_both_languages(state: State, move: Move) -> None:
    for breach in GAME.check(state, move):
        assert foreign(breach.facts) <= NOWHERE, breach
        for speaker in SPEAKERS:
            said = speaker.broken(breach)
            assert said.endswith("."), said
            assert "{" not in said, said


@given(states, any_act)
@settings(max_examples=200, deadline=None)
def test_playing_what_check_refuses_raises_with_the_same_reasons(state: State, move: Move) -> None:
    breaches = GAME.check(state, move)
    if breaches:
        with pytest.raises(IllegalMove) as refused:
            GAME.play(state, move)
        assert refused.value.breaches == breaches


@given(states)
@settings(max_examples=300, deadline=None)
def test_gold_assistants_and_emporiums_stay_within_what_there_is(state: State) -> None:
    assert all(0 <= gold <= 20 for gold in state.gold)
    assert all(0 <= field <= 20 for field in state.nobility)
    assert min(state.points) >= 0
    assert min(state.assistants) >= 0
    assert sum(state.assistants) + state.supply == 48
    assert state.supply >= 0
    for seat in range(state.players):
        assert 0 <= state.built(seat) <= 10
    colours = (1 << state.players) - 1 | (NEUTRAL if state.players == 2 else 0)
    assert all(bits & ~colours == 0 for bits in state.emporiums)


@given(states)
@settings(max_examples=300, deadline=None)
def test_no_card_is_lost_or_made(state: State) -> None:
    assert state.deck + sum(state.hands) + state.discards == 90
    assert min(state.deck, *state.hands) >= 0
    assert 0 <= len(state.bribe) <= 4


@given(states)
@settings(max_examples=300, deadline=None)
def test_no_councillor_is_lost_or_made(state: State) -> None:
    sitting = Counter(colour for council in state.councils for colour in council if colour)
    assert sitting + pool(state.box, state.councils) == Counter(dict.fromkeys(state.box.councillors.colours, 4))


@given(states)
@settings(max_examples=300, deadline=None)
def test_each_permit_is_in_exactly_one_place(state: State) -> None:
    owned = [permit for mine in (*state.permits, *state.used) for permit in mine]
    stacks = [permit for region in range(len(REGIONS)) for permit in stack(state, region)]
    known = [permit for region in range(len(REGIONS)) for permit in permits_of(state.box, region)]
    assert sorted([*owned, *filter(None, state.offers), *stacks]) == sorted(known)
    for region in range(len(REGIONS)):
        out = [permit for permit in (*owned, *state.offers) if permit in permits_of(state.box, region)]
        assert len(out) + face_down(state, region) == len(permits_of(BOX, region)), "as many as there ever are"
    for region in range(len(REGIONS)):
        below = [permit for group in state.below[region] for permit in group]
        assert len(set(below)) == len(below)
        assert set(below) <= set(stack(state, region))
        assert bool(next_permits(state, region)) == bool(face_down(state, region))
        assert all(not permit or permit in permits_of(state.box, region) for permit in state.offers[2 * region :][:2])


@given(states)
@settings(max_examples=150, deadline=None)
def test_tokens_tiles_and_rewards_are_those_of_the_box(state: State) -> None:
    lying = Counter(token for token in state.tokens if token)
    assert not lying - token_numbers(state.box)
    assert state.tokens[state.map.purple] == ""
    tiles = [tile for tile, _ in state.bonuses]
    assert len(set(tiles)) == len(tiles)
    for tile, owner in state.bonuses:
        assert all(state.owns(owner, city) for city in state.map.sets[tile])
    assert len(state.rewards) <= 5


@given(states)
@settings(max_examples=200, deadline=None)
def test_before_the_end_there_is_always_a_move_for_whoever_is_to_act(state: State) -> None:
    listed = list(GAME.moves(state))
    actor = GAME.actor(state)
    assert bool(listed) == (state.phase != "over")
    if isinstance(actor, int):
        assert any(getattr(move, "seat", None) == actor for move in listed)
    elif actor == CHANCE:
        assert any(not hasattr(move, "seat") for move in listed)


@given(states)
@settings(max_examples=60, deadline=None)
def test_a_state_survives_json_unchanged(state: State) -> None:
    text = msgspec.json.encode(state)
    back = msgspec.json.decode(text, type=GAME.state_type)
    assert back == state
    assert hash(back) == hash(state)
    assert msgspec.json.encode(back) == text


@given(any_act)
@settings(max_examples=300, deadline=None)
def test_a_move_survives_json_unchanged(move: Move) -> None:
    assert msgspec.json.decode(msgspec.json.encode(move), type=GAME.move_type) == move


@given(states, st.data())
@settings(max_examples=300, deadline=None)
def test_everything_told_about_a_move_is_a_whole_sentence(state: State, data: st.DataObject) -> None:
    listed = list(GAME.moves(state))
    if not listed:
        return
    move = data.draw(st.sampled_from(listed))
    for speaker in SPEAKERS:
        sentences = [speaker.applied(note) or "" for note in GAME.tell(state, move)]
        sentences.append(speaker.move(type(move).__name__, GAME.facts(state, move)))
        sentences.append(speaker.expects(GAME.expects(state)))
        assert not any("{" in sentence for sentence in sentences), sentences


@given(states, st.data())
@settings(max_examples=300, deadline=None)
def test_every_word_that_is_told_is_in_the_catalogue(state: State, data: st.DataObject) -> None:
    listed = list(GAME.moves(state))
    if not listed:
        return
    move = data.draw(st.sampled_from(listed))
    for note in GAME.tell(state, move):
        assert not foreign(note.facts), note
    assert not foreign(GAME.facts(state, move))
    assert not foreign(GAME.expects(state).facts)


@given(states)
@settings(max_examples=100, deadline=None)
def test_the_score_sheet_adds_up_and_every_line_has_words(state: State) -> None:
    sheet = GAME.score(state)
    assert (sheet.winner is None) == (state.phase != "over")
    for seat in sheet.seats:
        assert seat.total == sum(line.points for line in seat.lines)
        for line in seat.lines:
            assert line.label in GAME.catalogue.words
            assert not foreign(line.because.facts)
            assert all("{" not in (speaker.applied(line.because) or "") for speaker in SPEAKERS)


def test_the_last_state_of_every_game_has_a_winner_with_a_reason() -> None:
    for seed in range(GAMES):
        sheet = GAME.score(whole_game(seed)[-1])
        assert sheet.winner is not None
        assert max(seat.total for seat in sheet.seats) == sheet.seats[sheet.winner].total
        assert sheet.because[0].rule == "end.winner"


def test_games_by_chance_touch_every_rule_that_play_can_touch() -> None:
    """All but those for empty supplies, and those that only show when they are broken."""
    touched: set[str] = set()
    for seed in range(120):
        for before, move, after in playing(seed):
            touched.update(note.rule for note in GAME.tell(before, move))
            last = after
        sheet = GAME.score(last)
        touched.update(line.because.rule for seat in sheet.seats for line in seat.lines)
        touched.update(why.rule for why in sheet.because)
    duties = {rule.id for rule in GAME.catalogue.rules if rule.kind in ("duty", "option")}
    assert duties - touched == set()
    assert not touched & {rule.id for rule in GAME.catalogue.rules if rule.kind == "ban"}
