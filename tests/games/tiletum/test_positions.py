"""Perft: the number of positions that can be reached in a few moves. These numbers change only when a rule does."""

from __future__ import annotations

import pytest

from companion.games.tiletum import GAME
from companion.games.tiletum.moves import Gather, TakeDie
from companion.games.tiletum.state import State

from .table import (
    ARCHITECT,
    CONTRACT,
    GUEST,
    MERCHANT,
    RED,
    acting,
    fresh,
    laid_out,
    played,
    ready,
    table,
    with_warehouse,
)


def reached(state: State, depth: int) -> list[int]:
    """How many different positions there are after 1, 2, … moves."""
    level, counts = {state}, []
    for _ in range(depth):
        level = {GAME.play(one, move) for one in level for move in GAME.moves(one)}
        counts.append(len(level))
    return counts


@pytest.mark.parametrize(
    ("state", "counts"),
    [
        (laid_out(2), [589]),
        (ready(2), [30, 465, 4680]),
        (fresh(2), [3, 24, 48, 771]),
        (table(4), [14, 28, 479, 5099]),
        (played(table(2), TakeDie(RED, "yellow", 1), Gather(RED, "gold")), [34, 237, 1190, 6445]),
        (acting(MERCHANT, 4), [24, 114, 807, 5086]),
        (with_warehouse(acting(ARCHITECT, 3), RED, "crest lily", "joker1"), [19, 165, 2294]),
        (acting(CONTRACT, 3), [62, 503, 2781]),
        (with_warehouse(acting(GUEST, 3), RED, "captain merchantstep2", "abbot crown2"), [102, 3536]),
    ],
    ids=["lots", "rolling", "two", "four", "die used", "merchant", "architect", "contract", "guest"],
)
def test_as_many_positions_as_ever(state: State, counts: list[int]) -> None:
    assert reached(state, len(counts)) == counts
