"""Perft: the number of positions that can be reached in a few moves. These numbers change only when a rule does."""

from __future__ import annotations

import pytest

from companion.games.viscounts import GAME
from companion.games.viscounts.state import State

from .table import (
    RED,
    after_draft,
    has,
    inner,
    laid_out,
    ready,
    space,
    table,
    with_due,
    with_row,
    with_viscount,
    with_workers,
)


def reached(state: State, depth: int) -> list[int]:
    """How many different positions there are after 1, 2, … moves."""
    level, counts = {state}, []
    for _ in range(depth):
        level = {GAME.play(one, move) for one in level for move in GAME.moves(one)}
        counts.append(len(level))
    return counts


TRADING = has(with_row(with_viscount(table(), space(8)), "lender", "journeyman", "abbot"), silver=4)
BUILDING = has(with_row(with_viscount(table(2), space(3)), "mason", "labourer", "thief"), stone=3, silver=5)
EMPLOYING = has(
    with_workers(with_row(with_viscount(table(), inner(0)), "squire", "diplomat", "trader"), 1, 1, 2), gold=4, silver=2
)
CLIMBING = with_due(with_workers(with_workers(table(), 1, 0, 5, 1), 1, 2, 3, 1), "castle")
COPYING = has(with_row(with_viscount(table(), inner(3)), "emma", "abbot", "trader"), ink=1, gold=1, stone=1)


@pytest.mark.parametrize(
    ("state", "counts"),
    [
        (laid_out(2), [596]),
        (ready(2), [3, 8, 35]),
        (after_draft(2), [9, 132, 834, 7021]),
        (TRADING, [4, 50, 351]),
        (BUILDING, [41, 78, 419]),
        (EMPLOYING, [5, 7, 153]),
        (CLIMBING, [2, 9, 11, 40, 155]),
        (COPYING, [4, 91]),
    ],
    ids=["lots", "draft", "first turn", "trading", "building", "placing workers", "climbing", "copying"],
)
def test_as_many_positions_as_ever(state: State, counts: list[int]) -> None:
    assert reached(state, len(counts)) == counts


def test_the_table_of_this_test_is_reds() -> None:
    assert all(GAME.actor(state) == RED for state in (TRADING, BUILDING, EMPLOYING, CLIMBING, COPYING))
