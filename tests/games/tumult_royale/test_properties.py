"""What can never happen in Tumult Royale, whatever people do."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion.catalogue import LANGUAGES, Speaker
from companion.games.tumult_royale import GAME, moves
from companion.games.tumult_royale.box import GOODS, KINDS, TILES, tiles_in_play
from companion.games.tumult_royale.moves import SOMEBODY, Atone, Move, Place, SetAside, ShowField
from companion.games.tumult_royale.state import NOBODY, State
from companion.messages import agrees, differences
from companion.rules import IllegalMove
from companion.simulation.selfplay import open_table, playing
from companion.simulation.worlds import BOTS

TOTAL_TILES = {2: 21, 3: 30, 4: 39}


@cache
def whole_game(seed: int) -> dict[str, list[State]]:
    """All states of one bot game, by phase; both bots, all numbers of players."""
    state, world = open_table(GAME, 2 + seed % 3, BOTS[seed % 2], f"property/{seed}")
    by_phase: dict[str, list[State]] = {}
    for found in (state, *(after for _, _, after in playing(GAME, state, world))):
        by_phase.setdefault(found.phase, []).append(found)
    return by_phase


def somewhere(seed: int, phase: int, index: int) -> State:
    """A state from the middle of a game. The phase is chosen first, so that short ones are met as often."""
    phases = list(whole_game(seed).values())
    found = phases[phase % len(phases)]
    return found[index % len(found)]


states = st.builds(somewhere, st.integers(0, 59), st.integers(0, 17), st.integers(0, 999))
tiles = st.lists(st.sampled_from(TILES), max_size=5).map(lambda chosen: tuple(sorted(chosen)))
small = st.integers(-1, 5)


def acts(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Any act of a kind, sensible or not."""
    values: dict[str, st.SearchStrategy[Any]] = {
        "seat": st.integers(-1, 4),
        "source": small,
        "place": small,
        "field": st.integers(-1, 72),
        "rank": small,
        "turn": small,
        "tiles": tiles if kind in (Atone, Place) else small,
        "hands": st.integers(1, 2),
        "areas": st.lists(st.integers(1, 6), min_size=1, max_size=2).map(tuple),
        "good": st.sampled_from(("", *GOODS)),
        "kind": st.sampled_from((*KINDS, "swamp")),
        "board": st.sampled_from(("heron", "otter", "nessie")),
        "tile": st.sampled_from((*TILES, "bread9")),
        "followers": small,
        "statues": small,
        "keep": st.booleans(),
        "holding": st.lists(st.integers(-1, 4), max_size=4).map(tuple),
    }
    fields = {field.name: values[field.name] for field in msgspec.structs.fields(kind)}
    return st.builds(kind, **fields)


def possible(listed: Iterable[Move]) -> set[Move]:
    """The listed moves, and of tiles set aside also those of which nobody saw who did it."""
    named = set(listed)
    return named | {msgspec.structs.replace(move, seat=SOMEBODY) for move in named if isinstance(move, SetAside)}


any_act = st.one_of(*(acts(kind) for kind in Move.__args__))  # type: ignore[attr-defined]


@given(states)
@settings(max_examples=150, deadline=None)
def test_every_listed_move_is_legal_and_listed_once(state: State) -> None:
    listed = list(GAME.moves(state))
    assert len(set(listed)) == len(listed)
    for move in listed:
        assert GAME.check(state, move) == ()


@given(states, any_act)
@settings(max_examples=1500, deadline=None)
def test_moves_and_check_agree_about_anything_a_person_could_do(state: State, move: Move) -> None:
    assert (GAME.check(state, move) == ()) == (move in possible(GAME.moves(state)))


@given(states, st.data())
@settings(max_examples=300, deadline=None)
def test_moves_and_check_agree_about_acts_that_are_nearly_right(state: State, data: st.DataObject) -> None:
    """One fact of a legal move changed: the likeliest mistakes."""
    listed = list(GAME.moves(state))
    if not listed:
        return
    move = data.draw(st.sampled_from(listed))
    other = data.draw(acts(type(move)))
    names = [field.name for field in msgspec.structs.fields(type(move))]
    if names:
        name = data.draw(st.sampled_from(names))
        move = msgspec.structs.replace(move, **{name: getattr(other, name)})
    assert (GAME.check(state, move) == ()) == (move in possible(listed))


@given(states, any_act)
@settings(max_examples=500, deadline=None)
def test_every_breach_is_a_whole_sentence_in_both_languages(state: State, move: Move) -> None:
    for breach in GAME.check(state, move):
        for language in LANGUAGES:
            said = Speaker(GAME.catalogue, language).broken(breach)
            assert said.endswith(".")
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
@settings(max_examples=200, deadline=None)
def test_nothing_is_lost_or_made(state: State) -> None:
    """Followers, tiles and statues stay 105, 21/30/39 and 25 a seat."""
    assert sum(state.followers) + state.supply == 105
    assert min(state.followers) >= 0
    assert state.supply >= 0
    aside = 3 * sum(state.aside)
    lying = state.hidden_middle + sum(state.hidden_castles) + len(state.middle) + sum(map(len, state.castles))
    assert lying + aside == TOTAL_TILES[state.players]
    on_land = [
        sum(n for n, owner in zip(state.standing, state.owner, strict=True) if owner == s) for s in range(state.players)
    ]
    on_chronicle = [
        sum(n for n, king in zip(state.chronicle_statues, state.chronicle, strict=True) if king == s)
        for s in range(state.players)
    ]
    for seat in range(state.players):
        assert state.placed[seat] == on_land[seat] + on_chronicle[seat] <= 25


@given(states)
@settings(max_examples=100, deadline=None)
def test_no_kind_of_tile_is_seen_more_often_than_the_box_has_it(state: State) -> None:
    seen = [*state.middle, *(tile for castle in state.castles for tile in castle)]
    for tile, number in tiles_in_play(state.box, state.players).items():
        assert seen.count(tile) <= number


@given(states)
@settings(max_examples=150, deadline=None)
def test_until_the_end_there_is_always_a_move_and_afterwards_none(state: State) -> None:
    assert (GAME.actor(state) is None) == (state.phase == "over")
    assert bool(list(GAME.moves(state))) == (state.phase != "over")
    assert (state.winner != NOBODY) == (state.phase == "over")


@given(states)
@settings(max_examples=60, deadline=None)
def test_a_state_survives_json_unchanged(state: State) -> None:
    text = msgspec.json.encode(state)
    back = msgspec.json.decode(text, type=State)
    assert back == state
    assert hash(back) == hash(state)
    assert msgspec.json.encode(back) == text


@given(states, st.data())
@settings(max_examples=100, deadline=None)
def test_a_move_survives_json_unchanged(state: State, data: st.DataObject) -> None:
    listed = list(GAME.moves(state))
    if listed:
        move = data.draw(st.sampled_from(listed))
        assert msgspec.json.decode(msgspec.json.encode(move), type=Move) == move


@given(states, st.data())
@settings(max_examples=150, deadline=None)
def test_everything_told_about_a_move_is_a_whole_sentence(state: State, data: st.DataObject) -> None:
    listed = list(GAME.moves(state))
    if not listed:
        return
    move = data.draw(st.sampled_from(listed))
    for language in LANGUAGES:
        speaker = Speaker(GAME.catalogue, language)
        sentences = [speaker.applied(note) or "" for note in GAME.tell(state, move)]
        sentences.append(speaker.move(type(move).__name__, GAME.facts(state, move)))
        assert not any("{" in sentence for sentence in sentences), sentences


@given(states)
@settings(max_examples=100, deadline=None)
def test_the_score_sheet_adds_up_to_the_statues_that_stand(state: State) -> None:
    for seat in GAME.score(state).seats:
        assert seat.total == sum(line.points for line in seat.lines) == state.placed[seat.seat]


@given(states, st.data())
@settings(max_examples=250, deadline=None)
def test_what_a_legal_move_leaves_on_the_table_points_back_to_it(state: State, data: st.DataObject) -> None:
    """Among the candidates is a move with the same View: the one played, or one no camera could tell from it.

    A move that leaves no trace is proposed only where something else shows that it was made.
    """
    listed = list(GAME.moves(state))
    if not listed:
        return
    move = data.draw(st.sampled_from(listed))
    if isinstance(move, moves.Spin):
        return  # the table follows the arrow itself
    seen = GAME.view(GAME.play(state, move))
    guesses = list(GAME.candidates(state, seen))
    assert len(set(guesses)) == len(guesses)
    if not differences(seen, GAME.view(state)):
        return
    legal = [guess for guess in guesses if not GAME.check(state, guess)]
    same = [guess for guess in legal if not differences(seen, GAME.view(GAME.play(state, guess)))]
    assert move in same or (isinstance(move, ShowField | moves.SetAside) and same)


@given(states, states)
@settings(max_examples=200, deadline=None)
def test_adopting_a_view_makes_the_state_look_like_it(state: State, other: State) -> None:
    if state.seats != other.seats or not (state.round and other.round):
        return  # another table, or one that is still being laid out
    seen = GAME.view(other)
    adopted = GAME.adopt(state, seen)
    now = GAME.view(adopted)
    for zone in (
        "land",
        "statues",
        "cards",
        "mercy",
        "chronicle",
        *(z for z in seen.zones if z.startswith("followers")),
    ):
        assert agrees(seen.zones[zone], now.zones[zone]), zone
    assert adopted.phase == "over" or list(GAME.moves(adopted))


@given(states)
@settings(max_examples=60, deadline=None)
def test_adopting_what_already_lies_there_changes_nothing(state: State) -> None:
    assert GAME.view(GAME.adopt(state, GAME.view(state))) == GAME.view(state)
