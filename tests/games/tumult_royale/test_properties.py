"""What can never happen in Tumult Royale, whatever people do."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from companion.games.tumult_royale import GAME, moves
from companion.games.tumult_royale.box import tiles_in_play
from companion.games.tumult_royale.state import NO_SEAT, State
from companion.kernel.views import differences, mismatches

from .sample import states

TOTAL_TILES = {2: 21, 3: 30, 4: 39}


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
    assert (state.winner != NO_SEAT) == (state.phase == "over")


@given(states)
@settings(max_examples=100, deadline=None)
def test_the_score_sheet_adds_up_to_the_statues_that_stand(state: State) -> None:
    for seat in GAME.score(state).seats:
        assert seat.total == sum(line.points for line in seat.lines) == state.placed[seat.seat]


@given(states, st.data())
@settings(max_examples=250, deadline=None)
def test_what_a_legal_move_leaves_on_the_table_is_nearly_always_told_exactly(state: State, data: st.DataObject) -> None:
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
    assert move in same or (isinstance(move, moves.ShowField | moves.SetAside) and same)


@given(states, states)
@settings(max_examples=200, deadline=None)
def test_adopting_a_view_makes_the_state_look_like_it(state: State, other: State) -> None:
    if state.seats != other.seats or not (state.round and other.round):
        return  # another table, or one that is still being laid out
    seen = GAME.view(other)
    adopted = GAME.state_from_view(state, seen)
    now = GAME.view(adopted)
    for zone in (
        "land",
        "statues",
        "cards",
        "mercy",
        "chronicle",
        *(z for z in seen.zones if z.startswith("followers")),
    ):
        assert not mismatches(seen.zones[zone], now.zones[zone]), zone
    assert adopted.phase == "over" or list(GAME.moves(adopted))
    assert [seat.total for seat in GAME.score(adopted).seats] == list(adopted.placed)
