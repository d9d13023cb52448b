"""The referee on games of bots: each act is explained or asked about, and never explained wrongly."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from companion import games
from companion.games.tumult_royale.moves import (
    UNKNOWN_SEAT,
    Crown,
    GiveBack,
    SetAside,
    StartRaid,
    TakeConsolation,
)
from companion.kernel.views import UNKNOWN, Cells, Pieces, View, distance
from companion.referee import Explained, Finding, Illegal, Lost, Open, Referee, Settled, Takeback, Unfinished
from companion.simulation.selfplay import open_table, playing
from tests.games.tumult_royale.statue_table import sculptor, with_followers
from tests.games.tumult_royale.table import PLENTY, after_raid, table

GAME = games.load("tumult_royale")
REFEREE: Referee[Any, Any] = Referee(GAME)


@cache
def evening(players: int) -> list[tuple[Any, Any, Any]]:
    """Every state, move and state after it, of one game."""
    state, world = open_table(GAME, players, "keen", f"referee/{players}", {})
    return list(playing(GAME, state, world))


def ends(state: Any, finding: Finding) -> list[Any]:
    """The states that a finding allows."""
    options = finding.options if isinstance(finding, Open) else (finding,)
    ways = [option.moves for option in options if isinstance(option, Explained)]
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
        if isinstance(move, SetAside):
            # Nobody can see who laid tiles aside, and nobody is named.
            assert finding == Explained((SetAside(UNKNOWN_SEAT, move.tiles),))
            continue
        assert after in ends(before, finding), (move, finding)
        if isinstance(finding, Open):
            asked.add(type(move).__name__)
    assert asked <= {"ShowField"}, "a board that is shown in part may be one of several"


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


def test_nobody_loses_a_turn_because_others_give_back_what_they_cannot_use() -> None:
    state = after_raid(table(3), {0: ("bread2", "marble2"), 1: ("tool1", "tool2")}, PLENTY)
    after = GAME.play(state, GiveBack(1))
    assert (state.phase, GAME.actor(state), GAME.actor(after)) == ("placing", 0, 0)
    assert REFEREE.judge(state, GAME.view(after)) == Explained((GiveBack(1),))


def test_two_things_done_at_once_are_both_explained() -> None:
    steps = evening(3)
    pairs = [(one, two) for one, two in pairwise(steps) if type(one[1]).__name__ == type(two[1]).__name__ == "TurnUp"]
    assert len(pairs) > 20
    for (before, _, between), (_, _, after) in pairs[:20]:
        assert between != after
        finding = REFEREE.judge(before, GAME.view(after))
        assert isinstance(finding, Explained)
        assert GAME.view(ends(before, finding)[0]) == GAME.view(after)


@pytest.mark.parametrize("players", [2, 3, 4])
def test_many_legal_moves_at_once_are_never_held_against_anybody(players: int) -> None:
    steps = evening(players)
    for first in range(0, len(steps) - 5, 5):
        for number in (2, 3, 4, 5):
            if any(isinstance(move, StartRaid) for _, move, _ in steps[first : first + number]):
                continue  # the timer tells that
            finding = REFEREE.judge(steps[first][0], GAME.view(steps[first + number - 1][2]))
            assert not isinstance(finding, Illegal | Unfinished), (steps[first : first + number], finding)


def test_followers_taken_and_paid_between_two_looks_are_both_explained() -> None:
    """Followers are taken and paid again: the search first has to move away from the seen table."""
    start = replace(table(2), phase="consolation", to_console=(0,))
    taken = GAME.play(start, TakeConsolation(0, 2))
    after = GAME.play(taken, next(move for move in GAME.moves(taken) if isinstance(move, Crown)))
    assert ends(start, REFEREE.judge(start, GAME.view(after))) == [after]


def test_a_table_that_nothing_explains_is_said_to_be_so_zone_by_zone() -> None:
    before, _, _ = placing()
    seen = GAME.view(before)
    supply = seen.zones["supply"]
    assert isinstance(supply, Pieces)
    strange = View({**seen.zones, "supply": Pieces({"follower": supply.count["follower"] + 7})})
    finding = REFEREE.judge(before, strange)
    assert isinstance(finding, Lost)
    assert list(finding.zones) == ["supply"]


def test_findings_can_be_written_down() -> None:
    before, _, after = placing()
    finding = REFEREE.judge(before, GAME.view(after))
    assert b"Explained" in msgspec.json.encode(finding)


def test_the_work_grows_no_faster_than_the_pieces_that_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    steps = evening(4)
    first = next(number for number, (_, move, _) in enumerate(steps) if type(move).__name__ == "TurnUp")
    played = 0
    play = GAME.play

    def counted(state: Any, move: Any) -> Any:
        nonlocal played
        played += 1
        return play(state, move)

    def work(tiles: int) -> int:
        nonlocal played
        played = 0
        assert isinstance(REFEREE.judge(steps[first][0], GAME.view(steps[first + tiles - 1][2])), Explained)
        return played

    monkeypatch.setattr(GAME, "play", counted)
    few, many = work(6), work(24)
    assert few > 0
    assert many <= 5 * few


def test_a_table_that_is_far_from_anything_is_given_up_before_the_whole_past_is_gone_through(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Half of the supply is under an arm, which no old misreading could explain."""
    steps = evening(3)
    line = [before for before, _, _ in steps[:80]]
    made = [move for _, move, _ in steps[:80]]
    now = steps[80][0]
    views = 0
    view = GAME.view

    def counted(state: Any) -> View:
        nonlocal views
        views += 1
        return view(state)

    def work(missing: int) -> int:
        nonlocal views
        views = 0
        shown = view(now)
        supply = shown.zones["supply"]
        assert isinstance(supply, Pieces)
        seen = View({**shown.zones, "supply": Pieces({"follower": supply.count["follower"] - missing})})
        assert isinstance(REFEREE.judge(now, seen, line, made), Lost)
        return views

    monkeypatch.setattr(GAME, "view", counted)
    assert work(20) < work(7)


@pytest.mark.parametrize(("followers", "doubtful"), [(3, True), (4, False)])
def test_what_looks_taken_back_may_be_a_step_of_the_next_move(followers: int, doubtful: bool) -> None:
    """Blue may overpay a field by three, and then takes that many followers, perhaps first of all."""
    paid = with_followers(sculptor("bread2 marble2 tool2"), 15, 15, 15, 15)
    before = with_followers(paid, 15 + followers, 15, 15, 15)
    assert REFEREE.judge(paid, GAME.view(before), [before]) == Takeback(1, half_done=doubtful)
