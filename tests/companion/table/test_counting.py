"""Loose pieces that people count without a camera, especially after a raid."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.games.tumult_royale import GAME
from companion.history import retell
from companion.journal import Journal
from companion.kernel.views import Pieces
from companion.simulation.selfplay import open_table, playing

from .evening import Evening, kinds, none, one

RAIDING = ("Rob", "Look", "Stop", "LayDown", "TurnUp")


def trays(state: Any) -> dict[str, dict[str, int]]:
    """The tiles in the middle and on the castles, as people count them."""
    zones = GAME.view(state).zones
    wanted = ("middle", *(name for name in zones if name.startswith("castle ")))
    return {name: dict(zones[name].count) for name in wanted}  # type: ignore[union-attr]


def evening_without_a_camera(folder: Path, players: int) -> tuple[Evening, Any]:
    """A game told by hand until the timer stopped its first raid, and the position after all tiles were turned up."""
    state, world = open_table(GAME, players, "keen", f"count {players}", {"oldest": 0})
    evening = Evening.begin(GAME, folder, state.seats)
    begun = False
    for before, move, _ in playing(GAME, state, world):
        begun = begun or before.phase == "raid"
        if type(move).__name__ not in RAIDING:
            if begun:
                return evening, before
            evening.tells(move)
    raise AssertionError("there was no raid")


@pytest.mark.parametrize("players", [2, 3, 4])
def test_after_a_raid_without_a_camera_the_tiles_are_counted_and_the_game_goes_on(players: int, tmp_path: Path) -> None:
    evening, truth = evening_without_a_camera(tmp_path, players)
    evening.timer("raid stopped")
    assert evening.state.phase == "turning_up"
    assert evening.state.hidden_castles == (0,) * players, "nobody saw what was taken"
    told = evening.asks("lies", zones=trays(truth))
    assert "adopted" in kinds(told)
    assert evening.state == truth
    evening.holds()
    evening.asks("undo")
    assert evening.state.phase == "turning_up"


def test_what_legal_moves_lead_to_is_told_as_those_moves(tmp_path: Path) -> None:
    evening, _ = evening_without_a_camera(tmp_path, 2)
    middle = GAME.view(evening.state).zones["middle"]
    assert isinstance(middle, Pieces)
    hidden = middle.count["back"]
    told = evening.asks("lies", zones={"castle blue": {"back": 2}, "middle": {"back": hidden - 2}})
    assert [move["move"]["type"] for move in one(told, "moved")["moves"]] == ["Rob", "Rob"]
    none(told, "adopted")
    evening.holds()


def test_what_lies_as_it_should_changes_nothing(tmp_path: Path) -> None:
    evening, _ = evening_without_a_camera(tmp_path, 2)
    before = evening.state
    assert evening.asks("lies", zones=trays(before)) == []
    assert evening.state == before


@pytest.mark.parametrize(
    "zones",
    [
        None,
        {},
        [],
        {"cellar": {"bread1": 1}},
        {"land": {"meadow": 1}},
        {"middle": {"dragon": 1}},
        {"middle": {"bread1": -1}},
        {"middle": {"bread1": 1.5}},
        {"middle": {"bread1": 10**9}},
        {"middle": "all"},
    ],
)
def test_what_cannot_be_counted_is_refused_and_nothing_changes(zones: Any, tmp_path: Path) -> None:
    evening, _ = evening_without_a_camera(tmp_path, 2)
    before, written = evening.state, evening.table.journal.last_number
    assert one(evening.asks("lies", zones=zones), "refused")["reason"] == "not_counted"
    assert (evening.state, evening.table.journal.last_number) == (before, written)


def test_the_history_says_that_it_was_counted(tmp_path: Path) -> None:
    evening, truth = evening_without_a_camera(tmp_path, 2)
    evening.timer("raid stopped")
    evening.asks("lies", zones=trays(truth))
    with Journal.read(evening.path) as journal:
        assert [one.says for one in retell(journal, GAME, "en").after] == ["All right, that is how things are now."]
