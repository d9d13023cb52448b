"""States that match an unwatched table, and a state corrected by what the table shows."""

from __future__ import annotations

from companion.games.council_of_four import GAME
from companion.games.council_of_four.moves import Elect, EndTurn, Swap, TurnUp
from companion.games.council_of_four.state import NO_SEAT, State, stack
from companion.kernel.views import Pieces, View
from companion.referee import Explained, Referee

from .table import (
    COAST,
    GREEN,
    RED,
    YELLOW,
    broken_rules,
    has,
    opened,
    played,
    replace,
    table,
    with_emporiums,
    with_permits,
)


def matching_states(state: State) -> tuple[State, ...]:
    """The moments that look like this table, one for each player who may be on turn."""
    return GAME.states_matching(opened(state.players), GAME.view(state))


def with_honours() -> State:
    """Yellow had all cities of the coast first, then Red all of the hills."""
    state = with_emporiums(with_emporiums(table(3), YELLOW, "ABCDE"), RED, "FGHIJ")
    return replace(state, bonuses=(("coast", YELLOW), ("hills", RED)), rewards=(YELLOW, RED))


def test_a_game_can_be_joined_in_any_turn() -> None:
    state = table(3)
    moments = matching_states(state)
    assert [moment.turn for moment in moments] == [0, 1, 2]
    assert all(GAME.view(moment) == GAME.view(state) for moment in moments)


def test_a_turn_whose_main_action_was_not_seen_is_no_breach() -> None:
    """Red had acted before the table was watched, and Yellow goes on."""
    reds = matching_states(table(3))[RED]
    assert Elect(RED, COAST, "orange") in set(GAME.moves(reds))
    next_one = GAME.view(played(reds, EndTurn(RED), Elect(YELLOW, COAST, "orange")))
    assert Referee(GAME).judge(reds, next_one) == Explained((EndTurn(RED), Elect(YELLOW, COAST, "orange")))


def test_a_main_action_may_be_among_the_changes_taken_over_from_the_view() -> None:
    state = table(3)
    taken = GAME.state_from_view(state, GAME.view(played(state, Elect(RED, COAST, "orange"))))
    assert broken_rules(taken, EndTurn(RED)) == set()
    assert broken_rules(GAME.state_from_view(state, GAME.view(state)), EndTurn(RED)) == {"turn.must"}


def test_points_beyond_the_half_of_the_track_are_as_many_as_they_show() -> None:
    moments = matching_states(has(has(table(3), RED, points=50), YELLOW, points=99))
    assert [moment.points for moment in moments] == [(50, 99, 0)] * 3


def test_points_that_went_round_the_track_are_not_lost_in_a_state_from_the_view() -> None:
    state = has(table(3), RED, points=97)
    assert GAME.state_from_view(state, GAME.view(has(state, RED, points=104))).points == (104, 0, 0)


def test_a_state_from_the_view_does_not_know_what_went_under_the_stacks() -> None:
    """A and B were swapped; when the table could no longer be explained, A had come up and was taken again."""
    swapped = played(table(3), Swap(RED, COAST), TurnUp(0, "C"), TurnUp(1, "D"))
    owned = tuple(permit for permit in stack(swapped, COAST) if permit not in ("B", "E"))
    taken = GAME.state_from_view(swapped, GAME.view(with_permits(swapped, YELLOW, "D", *owned)))
    assert broken_rules(taken, TurnUp(1, "E")) == set()
    assert broken_rules(taken, TurnUp(1, "B")) == set()


def test_tiles_and_rewards_belong_to_those_in_front_of_whom_they_lie() -> None:
    for moment in matching_states(with_honours()):
        assert dict(moment.bonuses) == {"coast": YELLOW, "hills": RED}
        assert moment.rewards == (YELLOW, RED)
    assert len(matching_states(with_honours())) == 3


def test_in_a_state_from_the_view_a_reward_goes_to_the_seat_that_has_it() -> None:
    state = replace(with_honours(), bonuses=(("coast", RED), ("hills", YELLOW)), rewards=(RED, YELLOW))
    taken = GAME.state_from_view(state, GAME.view(with_honours()))
    assert (dict(taken.bonuses), taken.rewards) == ({"coast": YELLOW, "hills": RED}, (YELLOW, RED))


def test_in_a_state_from_the_view_no_seat_has_what_is_on_the_board_again() -> None:
    taken = GAME.state_from_view(with_honours(), GAME.view(table(3)))
    assert (taken.bonuses, taken.rewards) == ((), ())


def test_a_tile_that_lies_nowhere_stays_with_its_owner() -> None:
    """A sleeve lies over the tiles of Red."""
    seen = GAME.view(with_honours()).zones | {"honours red": Pieces({})}
    taken = GAME.state_from_view(with_honours(), View(seen))
    assert (dict(taken.bonuses), taken.rewards) == ({"coast": YELLOW, "hills": RED}, (YELLOW, RED))


ALL_TEN = "ABCDFGHKLM"


def test_a_game_joined_in_its_last_round_ends_with_it() -> None:
    state = with_emporiums(table(3), YELLOW, ALL_TEN)
    reds, _, greens = matching_states(state)
    assert (reds.turn, reds.ending) == (RED, YELLOW)
    assert played(reds, Elect(RED, COAST, "orange"), EndTurn(RED)).phase == "over"
    after = played(greens, Elect(GREEN, COAST, "orange"), EndTurn(GREEN))
    assert (after.phase, after.turn) == ("turn", RED)
    assert played(after, Elect(RED, COAST, "orange"), EndTurn(RED)).phase == "over"


def test_of_two_who_have_built_all_the_one_who_comes_next_was_first() -> None:
    """Green ended the game, Red built the tenth in the last turn, and Yellow still has one."""
    state = with_emporiums(with_emporiums(table(3), RED, ALL_TEN), GREEN, ALL_TEN)
    assert [moment.ending for moment in matching_states(state) if moment.turn == YELLOW] == [GREEN]


def test_a_last_emporium_in_a_state_from_the_view_ends_the_game_too() -> None:
    state = played(table(3), Elect(RED, COAST, "orange"))
    taken = GAME.state_from_view(state, GAME.view(with_emporiums(state, RED, ALL_TEN)))
    last = (Elect(YELLOW, COAST, "orange"), EndTurn(YELLOW), Elect(GREEN, COAST, "orange"), EndTurn(GREEN))
    assert played(taken, EndTurn(RED), *last).phase == "over"


def test_a_last_emporium_that_is_not_there_ends_no_game() -> None:
    state = replace(with_emporiums(table(3), RED, ALL_TEN), ending=RED)
    assert GAME.state_from_view(state, GAME.view(with_emporiums(table(3), RED, ALL_TEN[:-1]))).ending == NO_SEAT


def test_the_seat_that_ended_the_game_first_stays_the_one() -> None:
    state = replace(with_emporiums(with_emporiums(table(3), RED, ALL_TEN), YELLOW, ALL_TEN), ending=YELLOW, turn=GREEN)
    assert GAME.state_from_view(state, GAME.view(state)).ending == YELLOW
