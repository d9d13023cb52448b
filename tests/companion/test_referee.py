"""The referee on games that bots played: each thing they did is explained, or asked about, and never told wrongly."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
import pytest

from companion import games
from companion.messages import UNKNOWN, Cells, Pieces, Pointing, View
from companion.referee import Explained, Finding, Lost, Open, Referee, Settled, Takeback, distance
from companion.simulation.selfplay import open_table, playing

GAME = games.load("tumult_royale")
REFEREE: Referee[Any, Any] = Referee(GAME)


@cache
def evening(players: int) -> list[tuple[Any, Any, Any]]:
    """Every state, move and state after it, of one game."""
    state, world = open_table(GAME, players, "keen", f"referee/{players}", {})
    return list(playing(GAME, state, world))


def ends(state: Any, finding: Finding) -> list[Any]:
    """The states that a finding allows."""
    ways = [finding.moves] if isinstance(finding, Explained) else finding.options if isinstance(finding, Open) else []
    found = []
    for way in ways:
        after = state
        for move in way:
            after = GAME.play(after, move)
        found.append(after)
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_a_single_move_that_can_be_seen_is_explained_or_asked_about_and_never_told_wrongly(players: int) -> None:
    asked = set()
    for before, move, after in evening(players):
        seen = GAME.view(after)
        if not distance(seen, GAME.view(before)):
            continue  # nobody could see it
        finding = REFEREE.judge(before, seen)
        assert after in ends(before, finding), (move, finding)
        if isinstance(finding, Open):
            asked.add(type(move).__name__)
    # Nobody can see who laid tiles aside; and a board that is shown in part may be one of several.
    assert asked <= {"SetAside", "ShowField"}


def test_a_table_that_is_as_it_should_be_is_settled() -> None:
    for before, _, _ in evening(2)[::20]:
        assert REFEREE.judge(before, GAME.view(before)) == Settled()


def test_zones_that_nobody_saw_are_no_evidence() -> None:
    assert REFEREE.judge(evening(3)[100][0], View({})) == Settled()


def placing() -> tuple[Any, Any, Any]:
    return next(step for step in evening(3) if type(step[1]).__name__ == "Place")


def test_a_cell_that_was_not_seen_contradicts_nothing() -> None:
    before, move, after = placing()
    seen = GAME.view(after)
    statues = seen.zones["statues"]
    assert isinstance(statues, Cells)
    changed = next(cell for cell in statues.at if statues.at[cell] != GAME.view(before).zones["statues"].at[cell])  # type: ignore[union-attr]
    other = next(cell for cell in statues.at if cell != changed)
    partly = View({**seen.zones, "statues": Cells({**statues.at, other: UNKNOWN})})
    assert REFEREE.judge(before, partly) == REFEREE.judge(before, seen) == Explained((move,))


def test_what_was_done_is_undone_by_putting_it_back() -> None:
    before, _, after = placing()
    assert REFEREE.judge(after, GAME.view(before), [before]) == Takeback(1)
    assert REFEREE.judge(after, GAME.view(before), [before, after]) == Takeback(2)


def test_two_things_done_at_once_are_both_explained() -> None:
    steps = evening(3)
    pairs = [(one, two) for one, two in pairwise(steps) if type(one[1]).__name__ == type(two[1]).__name__ == "TurnUp"]
    assert len(pairs) > 20
    for (before, _, between), (_, _, after) in pairs[:20]:
        assert between != after
        finding = REFEREE.judge(before, GAME.view(after))
        assert isinstance(finding, Explained)
        assert GAME.view(ends(before, finding)[0]) == GAME.view(after)


def test_a_table_that_nothing_explains_is_said_to_be_so_zone_by_zone() -> None:
    before, _, _ = placing()
    seen = GAME.view(before)
    supply = seen.zones["supply"]
    assert isinstance(supply, Pieces)
    strange = View({**seen.zones, "supply": Pieces({"follower": supply.count["follower"] + 7})})
    finding = REFEREE.judge(before, strange)
    assert isinstance(finding, Lost)
    assert list(finding.zones) == ["supply"]


def test_distance_counts_pieces_and_says_nothing_of_what_is_unknown() -> None:
    should = View({"a": Cells({"x": "p", "y": None}), "b": Pieces({"p": 3}), "c": Pointing(4)})
    assert distance(should, should) == 0
    assert distance(View({"a": Cells({"x": UNKNOWN, "y": "q"})}), should) == 1
    assert distance(View({"b": Pieces({"p": 1, "q": 2})}), should) == 4
    assert distance(View({"c": Pointing(None)}), should) == 0
    assert distance(View({"c": Pointing(5)}), should) == 1


def test_findings_can_be_written_down() -> None:
    before, _, after = placing()
    finding = REFEREE.judge(before, GAME.view(after))
    assert b"Explained" in msgspec.json.encode(finding)
