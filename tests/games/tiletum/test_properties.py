"""What can never happen in Tiletum, whatever people do."""

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
from companion.games.tiletum import GAME
from companion.games.tiletum.box import GOODS
from companion.games.tiletum.components import (
    all_guests,
    cities,
    city_names,
    contracts_in_play,
    guests_in_play,
    tile_numbers,
)
from companion.games.tiletum.moves import EXACT, Move
from companion.games.tiletum.setting_up import tile_places
from companion.games.tiletum.state import (
    NOBODY,
    NOWHERE,
    State,
    contract_stack,
    guest_stack,
    houses_in_stock,
    houses_on_map,
    pillars_in_stock,
    pillars_on_map,
)
from companion.rules import ANYONE, CHANCE, IllegalMove

from .playing import playing, whole_game
from .table import BOX, opened

GAMES = 40
SPEAKERS = [Speaker(GAME.catalogue, language) for language in LANGUAGES]
WORDS = set(GAME.catalogue.words)
UNKNOWN = {"?", "silver", "atlas", "fair atlas", "cost atlas", "die atlas", "nowhere"}
"""What people may name though there is no such thing."""
SAY_THEMSELVES = set(city_names(BOX))
"""Cities are called the same in all languages."""


def foreign(facts: dict[str, Any]) -> set[str]:
    """Words of facts that no catalogue knows."""
    several = [fact if isinstance(fact, tuple) else (fact,) for fact in facts.values()]
    words = {word for fact in several for word in fact if isinstance(word, str)}
    return {word for word in words - WORDS - SAY_THEMSELVES if not word.lstrip("-").isdecimal()}


def somewhere(seed: int, index: int, turn: bool) -> State:
    """A state from the middle of a game; of what is no turn as seldom as it is short."""
    states = whole_game(seed)
    found = [state for state in states if state.phase == "turn"] if turn else states
    return found[index % len(found)]


states = st.builds(somewhere, st.integers(0, GAMES - 1), st.integers(0, 999), st.sampled_from((True, True, False)))

PLACES = (*tile_places(opened(favours="three")), "nowhere")
TILES = (*BOX.tiles, *BOX.contracts, *list(all_guests(BOX))[:12], "atlas")
off = st.one_of(st.just(EXACT), st.just(EXACT), st.tuples(*[st.integers(-1, 1)] * 7))
goods = st.sampled_from((*GOODS, "silver"))
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "seat": st.integers(-1, 4),
    "round": st.integers(-1, 4),
    "city": st.integers(-1, 16),
    "fair": st.sampled_from((*BOX.fairs, "atlas")),
    "cost": st.sampled_from((*BOX.costs, "atlas")),
    "tile": st.sampled_from(TILES),
    "contract": st.sampled_from((*BOX.contracts, "atlas")),
    "guest": st.sampled_from((*all_guests(BOX), "atlas")),
    "crest": st.sampled_from(TILES),
    "section": st.integers(-1, 6),
    "colour": st.sampled_from((*BOX.dice.colours, "atlas")),
    "value": st.integers(-1, 7),
    "figure": st.sampled_from(("architect", "merchant")),
    "building": st.integers(-1, 6),
    "floor": st.integers(0, 4),
    "gives": goods,
    "gets": st.lists(goods, max_size=3).map(tuple),
    "good": goods,
    "steps": st.integers(-1, 16),
    "off": off,
    "astray": st.lists(st.integers(-1, 1), max_size=5).map(tuple),
}
PLACE = {"PutTile": st.sampled_from(PLACES)}


def value_of(kind: type[Any], name: str) -> st.SearchStrategy[Any]:
    return PLACE.get(kind.__name__, st.integers(-1, 5)) if name == "place" else VALUES[name]


def acts(kind: type[Any]) -> st.SearchStrategy[Any]:
    """Any act of a kind, sensible or not."""
    return st.builds(kind, **{name: value_of(kind, name) for name in kind.__struct_fields__})


any_act = st.one_of(*(acts(kind) for kind in Move.__args__))  # type: ignore[attr-defined]


@given(states)
@settings(max_examples=200, deadline=None)
def test_every_listed_move_is_legal_and_listed_once(state: State) -> None:
    listed = list(GAME.moves(state))
    assert len(set(listed)) == len(listed)
    for move in listed:
        assert GAME.check(state, move) == (), move


PARTS: dict[str, Any] = {
    "round": range(4),
    "city": range(16),
    "fair": BOX.fairs,
    "cost": BOX.costs,
    "tile": BOX.tiles,
    "contract": BOX.contracts,
    "guest": all_guests(BOX),
    "crest": [tile for tile in BOX.tiles if BOX.tiles[tile].crest],
    "section": range(6),
    "colour": BOX.dice.colours,
    "value": range(7),
    "figure": ("architect", "merchant"),
    "building": range(-1, 6),
    "floor": (1, 2, 3),
    "gives": GOODS,
    "gets": [gets for number in (1, 2) for gets in combinations_with_replacement(GOODS, number)],
    "good": GOODS,
    "steps": range(1, 20),
}


def everything(seat: int) -> Iterator[Move]:
    """All acts of a seat, of chance and of the table, done as they should be done."""
    for kind in Move.__args__:  # type: ignore[attr-defined]
        names = [name for name in kind.__struct_fields__ if name not in ("seat", "off", "astray")]
        parts = [(PLACES if kind.__name__ == "PutTile" else range(5)) if n == "place" else PARTS[n] for n in names]
        for values in product(*parts):
            facts = dict(zip(names, values, strict=True))
            yield kind(**facts, seat=seat) if "seat" in kind.__struct_fields__ else kind(**facts)


@given(states)
@settings(max_examples=25, deadline=None)
def test_of_all_acts_that_there_are_exactly_the_listed_ones_break_no_rule(state: State) -> None:
    actor = GAME.actor(state)
    seat = actor if isinstance(actor, int) else state.turn
    assert {act for act in everything(seat) if not GAME.check(state, act)} == set(GAME.moves(state))


@given(states, any_act)
@settings(max_examples=1500, deadline=None)
def test_moves_and_check_agree_about_anything_a_person_could_do(state: State, move: Move) -> None:
    assert (GAME.check(state, move) == ()) == (move in set(GAME.moves(state)))


@given(states, st.data())
@settings(max_examples=600, deadline=None)
def test_moves_and_check_agree_about_acts_that_are_nearly_right(state: State, data: st.DataObject) -> None:
    """One fact of a legal move changed: the likeliest mistakes."""
    listed = list(GAME.moves(state))
    if not listed:
        return
    move = data.draw(st.sampled_from(listed))
    if move.__struct_fields__:
        name = data.draw(st.sampled_from(move.__struct_fields__))
        move = msgspec.structs.replace(move, **{name: data.draw(value_of(type(move), name))})
    assert (GAME.check(state, move) == ()) == (move in set(listed)), move


@given(states, any_act)
@settings(max_examples=800, deadline=None)
def test_every_breach_is_a_whole_sentence_in_both_languages(state: State, move: Move) -> None:
    for breach in GAME.check(state, move):
        assert foreign(breach.facts) <= UNKNOWN, breach
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


@given(states, any_act)
@settings(max_examples=600, deadline=None)
def test_whatever_is_pretended_can_be_seen_and_survives_json(state: State, move: Move) -> None:
    after = GAME.pretend(state, move)
    if after is not None:
        assert GAME.view(after).zones.keys() == GAME.view(state).zones.keys()
        assert min(number for mine in after.goods for number in mine) >= 0
        assert msgspec.json.decode(msgspec.json.encode(after), type=GAME.state_type) == after


# Nothing is lost or made


@given(states)
@settings(max_examples=300, deadline=None)
def test_every_die_is_at_the_wheel_on_a_board_or_in_the_bag(state: State) -> None:
    lying = Counter(colour for _, colour, _ in state.wheel)
    lying.update(colour for dice in state.dice for colour, _ in dice)
    assert all(number <= state.players for number in lying.values())
    assert lying.total() <= state.box.dice.drawn[str(state.players)]
    if state.phase in ("turn", "favour", "king", "order", "fair", "tidying"):
        assert lying.total() == state.box.dice.drawn[str(state.players)]
    assert all(len(dice) <= state.box.turns for dice in state.dice)


@given(states)
@settings(max_examples=300, deadline=None)
def test_every_bonus_tile_is_in_exactly_one_place(state: State) -> None:
    places = (*state.warehouse, *state.crests, state.section_tiles, state.city_tiles, state.favours, state.discards)
    lying = Counter(tile for place in places for tile in place if tile in state.box.tiles)
    assert not lying - tile_numbers(state.box, state.players)


@given(states)
@settings(max_examples=300, deadline=None)
def test_every_contract_and_every_guest_is_in_exactly_one_place(state: State) -> None:
    contracts = [*state.contracts, *(tile for mine in state.warehouse for tile in mine)]
    contracts += [contract for mine in state.fulfilled for contract in mine]
    known = [contract for contract in contracts if contract in state.box.contracts]
    assert sorted([*known, *contract_stack(state)]) == sorted(contracts_in_play(state.box, state.players))
    guests = [*state.guests, *(tile for mine in state.warehouse for tile in mine)]
    guests += [guest for mine in state.rooms for rooms in mine for guest in rooms]
    known = [guest for guest in guests if guest in all_guests(state.box)]
    aside = [guest for guest in state.aside if guest not in guest_stack(state)]
    assert sorted([*known, *aside, *guest_stack(state)]) == sorted(guests_in_play(state.box, state.players))


@given(states)
@settings(max_examples=300, deadline=None)
def test_every_figure_is_on_the_map_on_a_board_or_in_stock(state: State) -> None:
    for seat in range(state.players):
        assert 0 <= houses_in_stock(state, seat) <= 8 - houses_on_map(state, seat)
        assert 0 <= pillars_in_stock(state, seat) <= 7 - pillars_on_map(state, seat)
    for facts, owners, pillars, joined in zip(
        cities(state.box), state.houses, state.pillars, state.joined, strict=True
    ):
        standing = [owner for owner in owners if owner != NOBODY]
        assert len(set(standing)) == len(standing)
        assert pillars.bit_count() <= facts.pillars
        assert len(set(joined)) == len(joined) <= len(facts.cathedral)
        assert all(pillars >> seat & 1 for seat in joined)


@given(states)
@settings(max_examples=300, deadline=None)
def test_tracks_warehouses_and_markers_stay_within_their_bounds(state: State) -> None:
    crown = state.box.crown
    assert all(crown.lowest <= field <= crown.last for field in state.crown)
    assert sorted(state.stacked) == sorted(state.order) == list(range(state.players))
    assert all(number >= 0 for goods in state.goods for number in goods)
    assert state.options.below_zero or min(state.points) >= 0
    assert all(len(tiles) <= state.box.warehouse for tiles in state.warehouse)
    assert min(state.ap) >= 0
    for seat, sections in enumerate(state.markers):
        for building, section in enumerate(sections):
            assert section == NOWHERE or state.crests[seat][building]


@given(states)
@settings(max_examples=200, deadline=None)
def test_guests_of_one_kind_live_in_one_building(state: State) -> None:
    for mine in state.rooms:
        homes: dict[str, set[int]] = {}
        for building, rooms in enumerate(mine):
            for guest in filter(None, rooms):
                homes.setdefault(all_guests(state.box)[guest][0], set()).add(building)
        assert all(len(home) == 1 for home in homes.values())


@given(states)
@settings(max_examples=200, deadline=None)
def test_before_the_end_there_is_always_a_move_for_whoever_is_to_act(state: State) -> None:
    listed = list(GAME.moves(state))
    actor = GAME.actor(state)
    assert bool(listed) == (state.phase != "over")
    if isinstance(actor, int):
        assert any(getattr(move, "seat", None) == actor for move in listed)
    elif actor in (CHANCE, ANYONE):
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
@settings(max_examples=400, deadline=None)
def test_everything_told_about_a_move_is_a_whole_sentence_of_known_words(state: State, data: st.DataObject) -> None:
    listed = list(GAME.moves(state))
    if not listed:
        return
    move = data.draw(st.sampled_from(listed))
    notes = GAME.tell(state, move)
    assert not any(foreign(note.facts) for note in notes), notes
    assert not foreign(GAME.facts(state, move))
    assert not foreign(GAME.expects(state).facts)
    for speaker in SPEAKERS:
        sentences = [speaker.applied(note) or "" for note in notes]
        sentences.append(speaker.move(type(move).__name__, GAME.facts(state, move)))
        sentences.append(speaker.expects(GAME.expects(state)))
        assert not any("{" in sentence for sentence in sentences), sentences


@given(states, st.data())
@settings(max_examples=300, deadline=None)
def test_what_a_move_leaves_on_the_table_points_back_to_it(state: State, data: st.DataObject) -> None:
    listed = [move for move in GAME.moves(state) if GAME.view(GAME.play(state, move)) != GAME.view(state)]
    if not listed:
        return
    move = data.draw(st.sampled_from(listed))
    after = GAME.play(state, move)
    proposed = [one for one in GAME.candidates(state, GAME.view(after)) if not GAME.check(state, one)]
    assert any(GAME.view(GAME.play(state, one)) == GAME.view(after) for one in proposed), move


@given(states)
@settings(max_examples=150, deadline=None)
def test_a_table_seen_whole_is_adopted_as_it_is(state: State) -> None:
    assert GAME.view(GAME.adopt(state, GAME.view(state))) == GAME.view(state)


def test_tiles_of_two_cathedrals_that_look_alike_are_given_to_whom_they_fit() -> None:
    state = somewhere(14, 348, True)
    blank = GAME.setup(state.box, state.seats, msgspec.to_builtins(state.options))
    adopted = GAME.adopt(msgspec.structs.replace(blank, phase="turn"), GAME.view(state))
    assert adopted.joined == state.joined


@given(states)
@settings(max_examples=150, deadline=None)
def test_a_table_can_be_adopted_by_somebody_who_has_seen_nothing_before(state: State) -> None:
    seen = GAME.view(state)
    blank = GAME.setup(state.box, state.seats, msgspec.to_builtins(state.options))
    if state.phase not in ("laying_out", "lots") and max(state.points) < 50:
        adopted = GAME.adopt(msgspec.structs.replace(blank, phase="turn"), seen)
        assert GAME.view(adopted) == seen


@given(states)
@settings(max_examples=150, deadline=None)
def test_a_game_that_is_joined_looks_like_its_table(state: State) -> None:
    blank = GAME.setup(state.box, state.seats, msgspec.to_builtins(state.options))
    moments = GAME.joins(blank, GAME.view(state))
    assert all(GAME.view(moment) == GAME.view(state) for moment in moments)
    assert all(any(True for _ in GAME.moves(moment)) for moment in moments)
    if state.phase == "turn" and state.stage == "no_die" and not state.filling and max(state.points) < 50:
        assert any((moment.turn, moment.lap) == (state.turn, state.lap) for moment in moments)


@given(states)
@settings(max_examples=60, deadline=None)
def test_the_table_can_be_drawn_in_both_languages(state: State) -> None:
    for speaker in SPEAKERS:
        drawn = GAME.picture(state, speaker)
        assert all(name in drawn for name in city_names(state.box))


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


def test_games_by_chance_touch_every_rule_that_play_can_touch() -> None:
    """All but those for empty supplies, and those that only show when they are broken."""
    touched: set[str] = set()
    for seed in range(120):
        for before, move, after in playing(seed):
            touched.update(note.rule for note in GAME.tell(before, move))
            last = after
        sheet = GAME.score(last)
        assert sheet.winner is not None
        touched.update(line.because.rule for seat in sheet.seats for line in seat.lines)
        touched.update(why.rule for why in sheet.because)
    duties = {rule.id for rule in GAME.catalogue.rules if rule.kind in ("duty", "option")}
    assert duties - touched == set()
    assert not touched & {rule.id for rule in GAME.catalogue.rules if rule.kind == "ban"}
