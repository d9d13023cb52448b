"""What can never happen in Viscounts, whatever people do."""

from __future__ import annotations

from collections import Counter
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.catalogue import LANGUAGES, Speaker
from companion.games.viscounts import GAME
from companion.games.viscounts.box import GOODS, RIBBONS
from companion.games.viscounts.components import segment_names
from companion.games.viscounts.moves import EXACT, FREE, Move
from companion.games.viscounts.state import (
    NOBODY,
    NONE,
    UNSEEN,
    State,
    built_of,
    kind_of,
    owned,
    owner_of,
    unseen_manuscripts,
    unseen_townsfolk,
    workers_left,
)
from companion.rules import ANYONE, CHANCE, IllegalMove

from .playing import playing, whole_game
from .table import BOX

GAMES = 40
SPEAKERS = [Speaker(GAME.catalogue, language) for language in LANGUAGES]
WORDS = set(GAME.catalogue.words)
UNKNOWN = {"?", "atlas", "player card 0", "player card 11"}
"""What people may name though there is no such thing."""
SAY_THEMSELVES = set(segment_names(BOX))
"""Segments are called by their numbers."""


def foreign(facts: dict[str, Any]) -> set[str]:
    """Words of facts that no catalogue knows."""
    several = [fact if isinstance(fact, tuple) else (fact,) for fact in facts.values()]
    words = {word for fact in several for word in fact if isinstance(word, str)}
    unknown = words - WORDS - SAY_THEMSELVES
    return {word for word in unknown if not word.lstrip("-").isdecimal() and GAME.catalogue.word(word, "en") == word}


def somewhere(seed: int, index: int) -> State:
    """A state from the middle of a game."""
    states = whole_game(seed)
    return states[index % len(states)]


states = st.builds(somewhere, st.integers(0, GAMES - 1), st.integers(0, 5000))
CARDS = (*BOX.townsfolk, *BOX.starters, *BOX.heroes, "atlas")
off = st.one_of(st.just(EXACT), st.just(EXACT), st.tuples(*[st.integers(-1, 1)] * 8))
pays = st.one_of(st.just(FREE), st.tuples(*[st.integers(0, 3)] * 4))
cards = st.sampled_from(CARDS)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "seat": st.integers(-1, 4),
    "owner": st.integers(-1, 4),
    "place": st.integers(-1, 5),
    "segment": st.integers(-1, 5),
    "section": st.integers(-1, 5),
    "to": st.integers(-1, 5),
    "ring": st.integers(0, 3),
    "card": cards,
    "hero": cards,
    "manuscript": st.sampled_from((*BOX.manuscripts, "atlas")),
    "number": st.integers(0, 11),
    "space": st.integers(-1, 15),
    "times": st.integers(-1, 9),
    "building": st.integers(-1, 3),
    "slot": st.integers(-1, 3),
    "plot": st.integers(-1, 5),
    "pays": pays,
    "good": st.sampled_from((*GOODS, "atlas")),
    "paper": st.sampled_from(("debt", "deed")),
    "source": st.sampled_from(("hand", "pile")),
    "row": st.tuples(*[st.one_of(st.just(""), cards)] * 3),
    "option": st.integers(-1, 2),
    "scheme": st.sampled_from((*BOX.solo.starting, *BOX.solo.future, "atlas")),
    "off": off,
    "honour": st.integers(-1, 5),
}


def acts(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Any act of a kind, sensible or not."""
    return st.builds(kind, **{name: VALUES[name] for name in kind.__struct_fields__})


any_act = st.one_of(*(acts(kind) for kind in Move.__args__))  # type: ignore[attr-defined]


@given(states)
@settings(max_examples=300, deadline=None)
def test_every_listed_move_is_legal_and_listed_once(state: State) -> None:
    listed = list(GAME.moves(state))
    assert len(set(listed)) == len(listed)
    for move in listed:
        assert GAME.check(state, move) == (), move


@given(states, any_act)
@settings(max_examples=2500, deadline=None)
def test_moves_and_check_agree_about_anything_a_person_could_do(state: State, move: Move) -> None:
    assert (GAME.check(state, move) == ()) == (move in set(GAME.moves(state)))


@given(states, st.data())
@settings(max_examples=1200, deadline=None)
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
@settings(max_examples=1200, deadline=None)
def test_every_breach_is_a_whole_sentence_in_both_languages(state: State, move: Move) -> None:
    for breach in GAME.check(state, move):
        assert foreign(breach.facts) <= UNKNOWN, breach
        for speaker in SPEAKERS:
            said = speaker.broken(breach)
            assert said.endswith("."), said
            assert "{" not in said, said


@given(states, any_act)
@settings(max_examples=300, deadline=None)
def test_playing_what_check_refuses_raises_with_the_same_reasons(state: State, move: Move) -> None:
    breaches = GAME.check(state, move)
    if breaches:
        with pytest.raises(IllegalMove) as refused:
            GAME.play(state, move)
        assert refused.value.breaches == breaches


@given(states, any_act)
@settings(max_examples=800, deadline=None)
def test_whatever_is_pretended_can_be_seen_and_survives_json(state: State, move: Move) -> None:
    after = GAME.pretend(state, move)
    if after is not None:
        assert GAME.view(after).zones.keys() == GAME.view(state).zones.keys()
        assert min(number for mine in after.goods for number in mine) >= 0
        assert msgspec.json.decode(msgspec.json.encode(after), type=GAME.state_type) == after


@given(states, st.data())
@settings(max_examples=500, deadline=None)
def test_what_a_move_leaves_on_the_table_points_back_to_it(state: State, data: st.DataObject) -> None:
    listed = [move for move in GAME.moves(state) if GAME.view(GAME.play(state, move)) != GAME.view(state)]
    if not listed:
        return
    move = data.draw(st.sampled_from(listed))
    after = GAME.play(state, move)
    proposed = [one for one in GAME.candidates(state, GAME.view(after)) if not GAME.check(state, one)]
    assert any(GAME.view(GAME.play(state, one)) == GAME.view(after) for one in proposed), move


@given(states)
@settings(max_examples=200, deadline=None)
def test_a_table_seen_whole_is_adopted_as_it_is(state: State) -> None:
    assert GAME.view(GAME.adopt(state, GAME.view(state))) == GAME.view(state)


@given(st.integers(0, GAMES - 1), st.integers(0, 5000), st.integers(1, 9))
@settings(max_examples=200, deadline=None)
def test_a_table_seen_later_is_adopted_but_for_what_does_not_show(seed: int, index: int, later: int) -> None:
    """What is adopted looks like the table, but for what chance has still to lay out."""
    game = whole_game(seed)
    index %= max(1, len(game) - later)
    state, seen = game[index], game[min(index + later, len(game) - 1)]
    if state.phase in ("laying_out", "lots", "draft") or seen.phase in ("laying_out", "lots", "draft"):
        return
    adopted, wanted = GAME.view(GAME.adopt(state, GAME.view(seen))), GAME.view(seen)
    assert {zone for zone in wanted.zones if adopted.zones[zone] != wanted.zones[zone]} <= {"townsfolk", "manuscripts"}


# Nothing is lost or made


def conserved(state: State) -> None:
    """Cards, manuscripts, workers, buildings and the cards of honour are each in exactly one place."""
    piles = [name for name in state.offer if name not in (NONE, UNSEEN)]
    held = [card for mine in (*state.rows, *state.hidden, *state.discards) for card in mine if card]
    neutral = [card for card in held if card in state.box.townsfolk]
    gone = [name for name in state.gone if name in state.box.townsfolk]
    assert sorted([*piles, *neutral, *gone, *unseen_townsfolk(state)]) == sorted(state.box.townsfolk)
    scripts = [name for name in state.scripts if name not in (NONE, UNSEEN)]
    copied = [name for mine in state.manuscripts for name in mine]
    assert sorted([*scripts, *copied, *unseen_manuscripts(state)]) == sorted(state.box.manuscripts)
    heroes = Counter(card for card in held if card in state.box.heroes)
    assert max(heroes.values(), default=1) == 1
    starters = Counter(card for card in (*held, *state.gone) if card in state.box.starters)
    assert starters == Counter({card: len(state.seats) for card in state.box.starters})
    for seat in range(len(state.seats)):
        mine = [*state.rows[seat], *state.hidden[seat], *state.discards[seat]]
        assert max(Counter(card for card in mine if card).values()) == 1
        assert owned(state, seat) >= state.box.fewest_cards
        assert 0 <= state.hands[seat] <= len(state.hidden[seat])
        assert workers_left(state, seat) >= 0
    for seat in range(state.players):
        standing = [kind_of(one) for plots in state.plots for one in plots if one != NOBODY and owner_of(one) == seat]
        assert [standing.count(kind) for kind in range(3)] == [built_of(state, seat, kind) for kind in range(3)]
        assert 1 <= state.corruption[seat] <= state.virtue[seat] <= len(state.box.track.fields)
        assert min(*state.goods[seat], *state.debts[seat], *state.deeds[seat]) >= 0
    assert len(state.bonus) == len(RIBBONS)
    if state.rival != NOBODY:
        schemes = [*state.schemes, *state.futures, *filter(None, state.rows[state.rival]), *state.discards[state.rival]]
        removed = state.box.solo.boards[state.options.opponent].removed
        assert sorted([*schemes, *removed]) == sorted([*state.box.solo.starting, *state.box.solo.future])
        assert 0 <= state.mixed <= len(state.futures)


def test_nothing_is_lost_or_made_in_any_move_of_whole_games() -> None:
    for seed in range(25):
        for _, _, after in playing(seed):
            conserved(after)


def test_nothing_is_due_for_ever() -> None:
    """Between two moves of a turn there are only so many things to do, and at the end none is left."""
    for seed in range(GAMES):
        waiting = 0
        for _, _, after in playing(seed):
            waiting = waiting + 1 if after.due else 0
            assert waiting < 80
        assert after.due == ()


@given(states)
@settings(max_examples=300, deadline=None)
def test_before_the_end_there_is_always_a_move_for_whoever_is_to_act(state: State) -> None:
    listed = list(GAME.moves(state))
    actor = GAME.actor(state)
    assert bool(listed) == (state.phase != "over")
    if isinstance(actor, int):
        assert all(getattr(move, "seat", None) == actor for move in listed)
    elif actor in (CHANCE, ANYONE):
        assert all(getattr(move, "seat", state.rival) == state.rival for move in listed)


@given(states)
@settings(max_examples=80, deadline=None)
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
@settings(max_examples=500, deadline=None)
def test_everything_told_about_a_move_is_a_whole_sentence_of_known_words(state: State, data: st.DataObject) -> None:
    listed = list(GAME.moves(state))
    if not listed:
        return
    move = data.draw(st.sampled_from(listed))
    notes = GAME.tell(state, move)
    assert not any(foreign(note.facts) for note in notes), notes
    assert not foreign(GAME.facts(state, move)), move
    assert not foreign(GAME.expects(state).facts)
    for speaker in SPEAKERS:
        sentences = [speaker.applied(note) or "" for note in notes]
        sentences.append(speaker.move(type(move).__name__, GAME.facts(state, move)))
        sentences.append(speaker.expects(GAME.expects(state)))
        assert not any("{" in sentence for sentence in sentences), sentences
        assert GAME.expects(state).phase in WORDS


@given(states)
@settings(max_examples=60, deadline=None)
def test_the_table_can_be_drawn_in_both_languages(state: State) -> None:
    for speaker in SPEAKERS:
        drawn = GAME.picture(state, speaker)
        assert all(speaker.word(seat.colour) in drawn for seat in state.seats)


@given(states)
@settings(max_examples=100, deadline=None)
def test_the_score_sheet_adds_up_and_every_line_has_words(state: State) -> None:
    sheet = GAME.score(state)
    if state.rival == NOBODY:
        assert (sheet.winner is None) == (state.phase != "over")
    for seat in sheet.seats:
        assert seat.total == sum(line.points for line in seat.lines)
        for line in seat.lines:
            assert line.label in GAME.catalogue.words
            assert not foreign(line.because.facts)
            assert all("{" not in (speaker.applied(line.because) or "") for speaker in SPEAKERS)


def test_games_by_chance_touch_every_rule_that_play_can_touch() -> None:
    """All but those that seldom happen, and those that only show when they are broken."""
    touched: set[str] = set()
    for seed in range(140):
        for before, move, after in playing(seed):
            touched.update(note.rule for note in GAME.tell(before, move))
            last = after
        sheet = GAME.score(last)
        assert sheet.winner is not None or last.rival != NOBODY
        touched.update(line.because.rule for seat in sheet.seats for line in seat.lines)
        touched.update(why.rule for why in sheet.because)
    duties = {rule.id for rule in GAME.catalogue.rules if rule.kind in ("duty", "option")}
    assert duties - touched == set()
    assert not touched & {rule.id for rule in GAME.catalogue.rules if rule.kind == "ban"}
