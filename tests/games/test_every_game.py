"""What holds in every game, whatever people do."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from companion import games
from companion.games.tumult_royale.moves import DealCard
from companion.kernel.game import Game
from companion.kernel.rules import ANYONE, CHANCE, IllegalMove, changed
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, differences

from .samples import Sample
from .tumult_royale import sample as tumult_royale

SAMPLES: list[Sample] = [import_module(f"tests.games.{name}.sample").SAMPLE for name in games.NAMES]
TELLING = [sample for sample in SAMPLES if "earned" in sample.game.state_type.__struct_fields__]
"""The games that keep what the points on a track were for."""
every_game = pytest.mark.parametrize("sample", SAMPLES, ids=games.NAMES)
anything = st.data()


def whole(sentence: str) -> bool:
    return "{" not in sentence


@every_game
@given(anything)
@settings(max_examples=200, deadline=None)
def test_every_listed_move_is_legal_and_listed_once(sample: Sample, data: st.DataObject) -> None:
    state = data.draw(sample.states)
    listed = list(sample.game.moves(state))
    assert len(set(listed)) == len(listed)
    for move in listed:
        assert sample.game.check(state, move) == (), move


@every_game
@given(anything)
@settings(max_examples=600, deadline=None)
def test_moves_and_check_agree_about_anything_a_person_could_do(sample: Sample, data: st.DataObject) -> None:
    state, move = data.draw(sample.states), data.draw(sample.acts)
    assert (sample.game.check(state, move) == ()) == (move in sample.possible(sample.game.moves(state)))


@every_game
@given(anything)
@settings(max_examples=400, deadline=None)
def test_moves_and_check_agree_about_acts_that_are_nearly_right(sample: Sample, data: st.DataObject) -> None:
    """One fact of a legal move changed: the likeliest mistakes."""
    state = data.draw(sample.states)
    listed = list(sample.game.moves(state))
    if not listed:
        return
    move = data.draw(st.sampled_from(listed))
    if move.__struct_fields__:
        name = data.draw(st.sampled_from(move.__struct_fields__))
        move = msgspec.structs.replace(move, **{name: data.draw(sample.value_of(type(move), name))})
    assert (sample.game.check(state, move) == ()) == (move in sample.possible(listed)), move


@every_game
@given(anything)
@settings(max_examples=400, deadline=None)
def test_every_breach_is_a_whole_sentence_in_both_languages(sample: Sample, data: st.DataObject) -> None:
    state, move = data.draw(sample.states), data.draw(sample.acts)
    for breach in sample.game.check(state, move):
        assert sample.foreign(breach.facts) <= sample.nowhere, breach
        for speaker in sample.speakers:
            said = speaker.broken(breach)
            assert said.endswith("."), said
            assert whole(said), said


@every_game
@given(anything)
@settings(max_examples=250, deadline=None)
def test_playing_what_check_refuses_raises_with_the_same_reasons(sample: Sample, data: st.DataObject) -> None:
    state, move = data.draw(sample.states), data.draw(sample.acts)
    breaches = sample.game.check(state, move)
    if breaches:
        with pytest.raises(IllegalMove) as refused:
            sample.game.play(state, move)
        assert refused.value.breaches == breaches


@every_game
@given(anything)
@settings(max_examples=300, deadline=None)
def test_whatever_is_pretended_can_be_seen_and_survives_json(sample: Sample, data: st.DataObject) -> None:
    can_be_seen_and_survives_json(sample.game, data.draw(sample.states), data.draw(sample.acts))


def can_be_seen_and_survives_json(game: Game[Any, Any], state: Any, move: Any) -> None:
    after = game.play_unchecked(state, move)
    if after is not None:
        zones = game.view(after).zones
        assert zones.keys() == game.view(state).zones.keys()
        lying = [zone.count for zone in zones.values() if isinstance(zone, Pieces)]
        assert all(number > 0 for count in lying for number in count.values())
        assert msgspec.json.decode(msgspec.json.encode(after), type=game.state_type) == after


def test_a_follower_that_no_seat_has_is_not_seen() -> None:
    """Found by chance: a seat without followers had 0 of them in the View."""
    state = tumult_royale.somewhere(18, 12, 18)
    assert 0 in state.followers
    can_be_seen_and_survives_json(tumult_royale.GAME, state, DealCard(seat=0, rank=0))


@every_game
@given(anything)
@settings(max_examples=250, deadline=None)
def test_until_the_end_there_is_always_a_move_for_whoever_is_to_act(sample: Sample, data: st.DataObject) -> None:
    state = data.draw(sample.states)
    listed, actor = list(sample.game.moves(state)), sample.game.actor(state)
    assert bool(listed) == (actor is not None) == (state.phase != "over")
    if isinstance(actor, int):
        assert any(getattr(move, "seat", None) == actor for move in listed)
    elif actor == CHANCE:
        assert any(isinstance(move, sample.dealt) or not _by_a_player(state, move) for move in listed)
    else:
        assert actor in (ANYONE, None)


def _by_a_player(state: Any, move: Any) -> bool:
    return getattr(move, "seat", None) in range(len(state.seats))


@every_game
@given(anything)
@settings(max_examples=80, deadline=None)
def test_a_state_survives_json_unchanged(sample: Sample, data: st.DataObject) -> None:
    state = data.draw(sample.states)
    text = msgspec.json.encode(state)
    back = msgspec.json.decode(text, type=sample.game.state_type)
    assert back == state
    assert hash(back) == hash(state)
    assert msgspec.json.encode(back) == text


@every_game
@given(anything)
@settings(max_examples=100, deadline=None)
def test_a_move_survives_json_unchanged(sample: Sample, data: st.DataObject) -> None:
    move = data.draw(sample.acts)
    assert msgspec.json.decode(msgspec.json.encode(move), type=sample.game.move_type) == move


@every_game
@given(anything)
@settings(max_examples=200, deadline=None)
def test_everything_told_about_a_move_is_a_whole_sentence_of_known_words(sample: Sample, data: st.DataObject) -> None:
    game, state = sample.game, data.draw(sample.states)
    listed = list(game.moves(state))
    if not listed:
        return
    move = data.draw(st.sampled_from(listed))
    notes, facts, expected = game.tell(state, move), game.facts(state, move), game.expects(state)
    assert not any(sample.foreign(note.facts) for note in notes), notes
    assert not sample.foreign(facts), move
    assert not sample.foreign(expected.facts)
    assert expected.phase in game.catalogue.words
    for speaker in sample.speakers:
        assert all(whole(speaker.applied(note) or "") for note in notes), notes
        assert whole(speaker.move(type(move).__name__, facts)), move
        assert whole(speaker.expects(expected)), expected


@every_game
@given(anything)
@settings(max_examples=300, deadline=None)
def test_what_a_move_leaves_on_the_table_points_back_to_it(sample: Sample, data: st.DataObject) -> None:
    """Among the candidates is the move, or one that no camera could tell from it."""
    game, state = sample.game, data.draw(sample.states)
    listed = [move for move in game.moves(state) if not isinstance(move, sample.turned)]
    if not listed:
        return
    move = data.draw(st.sampled_from(listed))
    then = game.view(game.play(state, move))
    if not differences(then, game.view(state)):
        return
    proposed = list(game.candidates(state, then))
    assert len(set(proposed)) == len(proposed)
    legal = [one for one in proposed if not game.check(state, one)]
    assert any(not differences(then, game.view(game.play(state, one))) for one in legal), move


@every_game
@given(anything)
@settings(max_examples=150, deadline=None)
def test_a_table_seen_whole_is_adopted_as_it_is(sample: Sample, data: st.DataObject) -> None:
    state = data.draw(sample.states)
    seen = sample.game.view(state)
    assert sample.game.view(sample.game.state_from_view(state, seen)) == seen


@every_game
@given(anything)
@settings(max_examples=60, deadline=None)
def test_the_table_can_be_drawn_in_both_languages(sample: Sample, data: st.DataObject) -> None:
    state = data.draw(sample.states)
    for speaker in sample.speakers:
        drawn = sample.game.picture(state, speaker)
        assert all(speaker.word(seat.colour) in drawn for seat in state.seats)


@every_game
@given(anything)
@settings(max_examples=100, deadline=None)
def test_the_score_sheet_adds_up_and_every_line_has_words(sample: Sample, data: st.DataObject) -> None:
    state = data.draw(sample.states)
    sheet = sample.game.score(state)
    if state.phase != "over" or len(state.seats) > 1:  # who plays alone may lose
        assert bool(sheet.winners) == (state.phase == "over")
    for seat in sheet.seats:
        assert seat.total == sum(line.points for line in seat.lines)
        for line in seat.lines:
            assert line.label in sample.game.catalogue.words
            assert not sample.foreign(line.because.facts)
            assert all(whole(speaker.applied(line.because) or "") for speaker in sample.speakers)


@pytest.mark.parametrize("sample", TELLING, ids=lambda sample: sample.game.name)
@given(anything)
@settings(max_examples=150, deadline=None)
def test_every_point_on_the_track_has_its_reason(sample: Sample, data: st.DataObject) -> None:
    """Played by the rules, what was earned is what the marker shows; where people move it, the rest has a line."""
    state = data.draw(sample.states)
    for seat, points in enumerate(state.points):
        earned = state.earned[seat] if state.earned else ()
        assert sum(one.points for one in earned) == points, seat
    seat, more = data.draw(st.integers(0, len(state.seats) - 1)), data.draw(st.integers(-5, 20))
    moved = msgspec.structs.replace(state, points=changed(state.points, seat, state.points[seat] + more))
    before, after = sample.game.score(state).seats[seat], sample.game.score(moved).seats[seat]
    assert after.total == sum(line.points for line in after.lines) == before.total + more


@every_game
@given(anything)
@settings(max_examples=100, deadline=None)
def test_every_place_and_every_piece_of_the_table_has_a_name(sample: Sample, data: st.DataObject) -> None:
    catalogue = sample.game.catalogue
    for zone, contents in sample.game.view(data.draw(sample.states)).zones.items():
        kind = zone.rpartition(" ")[0]
        assert zone in catalogue.zones or kind in catalogue.zones, zone
        if isinstance(contents, Cells):
            assert zone in catalogue.cells or kind in catalogue.cells, zone
        for label in labels(contents):
            assert catalogue.piece(label, zone) is not None, f"{label} in {zone}"


def labels(contents: Contents) -> set[str]:
    """The kinds of pieces: a place may hold a group of them, such as `blue x2 + red`."""
    match contents:
        case Cells(at=at):
            groups = {label for label in at.values() if label and label != UNKNOWN}
            return {one.split(" x")[0] for group in groups for one in group.split(" + ")}
        case Pieces(count=count):
            return set(count)
        case Marks(field=field):
            return set(field)
        case _:
            return set()
