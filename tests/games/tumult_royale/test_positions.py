"""Counts of reachable positions: a move generator that gains or loses a move changes these numbers."""

from __future__ import annotations

import pytest

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.state import State
from companion.simulation.selfplay import open_table, playing

from .table import opened, placing, table


def lines(state: State, depth: int) -> int:
    """How many different sequences of moves there are."""
    if depth == 0:
        return 1
    return sum(lines(GAME.play(state, move), depth - 1) for move in GAME.moves(state))


def positions(state: State, depth: int) -> int:
    """How many different states can be reached in exactly so many moves."""
    reached = {state}
    for _ in range(depth):
        reached = {GAME.play(before, move) for before in reached for move in GAME.moves(before)}
    return len(reached)


def test_the_opening_for_two_can_be_counted_by_hand() -> None:
    # One way to lay out, two cards for the first seat, one left for the second. Then a face-up place shows
    # one of ten boards in four turns, or its first field one of five kinds; the next place has one board less.
    opening = opened(2)
    assert [lines(opening, depth) for depth in (1, 2, 3, 4)] == [1, 2, 2, 2 * (10 * 4 + 5)]
    assert lines(opening, 5) == 2 * (10 * 4 * (9 * 4 + 5) + 5 * 5)


def test_before_the_raid_the_order_is_free_but_the_outcome_is_not() -> None:
    # Two seats set aside in any order, and the disc may be spun before, between or after: 4 areas and 4 lines.
    start = table(2)
    assert lines(start, 1) == 2 + 8
    assert lines(start, 2) == 2 * (1 + 8) + 8 * 2
    # Two moves in, either both have set aside, or one of them has and one of 4 numbers was spun.
    assert positions(start, 2) == 1 + 2 * 4


def test_a_purse_of_four_tiles_pays_in_so_many_ways() -> None:
    # Blue stands on C1 next to a forest and a mountain, with just enough for either.
    state = placing(table(2), {0: ("bread1", "marble1", "tool1", "tool1")})
    assert lines(state, 1) == 3  # the forest with one tool, the mountain with both, and a pass


def middle_of(players: int, phase: str, seed: int) -> State:
    """The richest state of a phase in one keen game: the one with the most moves."""
    state, world = open_table(GAME, players, "keen", f"golden/{seed}", {})
    found = [after for _, _, after in playing(GAME, state, world) if after.phase == phase]
    return max(found, key=lambda state: (len(list(GAME.moves(state))), state.round))


GOLDEN = [
    (2, "first_statues", 2, 56, 56),
    (3, "raid", 3, 3234, 775),
    (4, "raid", 2, 445, 140),
    (2, "turning_up", 3, 13737, 2478),
    (2, "placing", 2, 825, 825),
    (3, "placing", 2, 604, 604),
    (4, "placing", 2, 2761, 2761),
    (4, "uncovering", 2, 116, 116),
]


@pytest.mark.parametrize(("players", "phase", "depth", "expected_lines", "expected_positions"), GOLDEN)
def test_golden_counts(players: int, phase: str, depth: int, expected_lines: int, expected_positions: int) -> None:
    state = middle_of(players, phase, seed=1)
    assert (lines(state, depth), positions(state, depth)) == (expected_lines, expected_positions)
