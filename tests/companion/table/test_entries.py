"""Without a camera people enter what lies there in one form, each on a phone of their own; the moves follow from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion import games
from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.moves import StartRaid
from companion.kernel.views import Cells, Pieces
from companion.simulation.selfplay import open_table, playing

from .evening import Evening, kinds, none, one
from .test_counting import RAIDING, trays


def raided(folder: Path, players: int, stopped: bool) -> tuple[Evening, dict[str, dict[str, int]], Any]:
    """A game told by hand until its first raid is over; what lies there then, and the position that it leads to."""
    state, world = open_table(GAME, players, "keen", f"count {players}", {"oldest": 0})
    evening, begun = Evening.begin(GAME, folder, state.seats), False
    for before, move, _ in playing(GAME, state, world):
        if begun and type(move).__name__ not in RAIDING:
            if stopped:
                evening.timer("raid stopped")
            return evening, trays(before), before
        if type(move).__name__ not in RAIDING:
            evening.tells(move)
        begun = begun or isinstance(move, StartRaid)
    raise AssertionError("there was no raid")


@pytest.mark.parametrize("stopped", [False, True])
@pytest.mark.parametrize("players", [2, 3, 4])
def test_everybody_enters_their_own_and_the_raid_is_told_move_by_move(
    players: int, stopped: bool, tmp_path: Path
) -> None:
    evening, lying, truth = raided(tmp_path, players, stopped)
    for seat, person in enumerate(evening.table.seats):
        zone = f"castle {person.colour}"
        told = evening.asks("enter", seat, zones={zone: lying[zone]})
        assert kinds(told) == ["entered"], "nothing follows yet"
    assert evening.table.snapshot()["entered"] == sorted(zone for zone in lying if zone != "middle")
    told = evening.asks("enter", 0, zones={"middle": lying["middle"]})
    none(told, "adopted")
    assert evening.state == truth
    assert evening.table.snapshot()["entered"] == []
    taken = [move["move"]["type"] for move in one(told, "moved")["moves"]].count("Rob")
    assert taken == sum(sum(count.values()) for zone, count in lying.items() if zone != "middle")
    evening.holds()
    evening.asks("undo")
    assert evening.state.middle == (), "one step back takes back the whole form"
    evening.holds()


def test_nobody_enters_for_another_seat_but_the_host(tmp_path: Path) -> None:
    evening, lying, _ = raided(tmp_path, 2, True)
    zone = "castle blue"
    assert one(evening.asks("enter", 1, zones={zone: lying[zone]}), "refused")["reason"] == "not_your_seat"
    assert one(evening.asks("enter", None, zones={zone: lying[zone]}), "entered")["zones"] == [zone]


def test_miscounted_tiles_are_refused_and_the_right_number_is_taken(tmp_path: Path) -> None:
    evening, lying, truth = raided(tmp_path, 2, True)
    before = evening.state
    lying["middle"] = {**lying["middle"], "bread1": lying["middle"].get("bread1", 0) + 1}
    refusal = one(evening.asks("enter", None, zones=lying), "refused")
    assert refusal["reason"] == "wrong_number"
    assert "in all" in refusal["says"]["en"]
    assert evening.state == before
    lying["middle"]["bread1"] -= 1
    evening.asks("enter", 1, zones={"middle": lying["middle"]})
    assert evening.state == truth


def test_tiles_that_the_box_does_not_hold_are_refused_with_the_reason(tmp_path: Path) -> None:
    evening, lying, _ = raided(tmp_path, 2, True)
    before = evening.state
    number = sum(lying["middle"].values())
    refusal = one(evening.asks("enter", None, zones={**lying, "middle": {"tool3": number}}), "refused")
    assert refusal["reason"] == "not_a_move"
    assert evening.state == before


@pytest.mark.parametrize(
    "zones",
    [
        None,
        {},
        [],
        {"cellar": {"bread1": 1}},
        {"land": {"A1": "meadow"}},
        {"middle": {"back": 1}},
        {"middle": {"bread1": -1}},
        {"middle": {"bread1": 10**9}},
        {"middle": "all"},
    ],
)
def test_what_was_not_asked_is_refused_and_nothing_changes(zones: Any, tmp_path: Path) -> None:
    evening, _, _ = raided(tmp_path, 2, True)
    before, written = evening.state, evening.table.journal.last_number
    assert one(evening.asks("enter", zones=zones), "refused")["reason"] == "not_entered"
    assert (evening.state, evening.table.journal.last_number) == (before, written)


def lying(game: Any, entry: Any, goal: Any) -> dict[str, dict[str, Any]]:
    """What people who look at the table of a position enter into a form; what is not there yet they leave out."""
    zones, found = game.view(goal).zones, dict[str, dict[str, Any]]()
    for asked in entry.zones:
        contents = zones[asked.zone]
        if isinstance(contents, Pieces):
            found[asked.zone] = {label: n for label, n in contents.count.items() if label in asked.labels}
        elif isinstance(contents, Cells):
            cells = {cell: contents.at[cell] for cell in asked.cells if contents.at[cell] in asked.labels}
            found.setdefault(asked.zone, {}).update(cells)
    return {zone: there for zone, there in found.items() if there}


@pytest.mark.parametrize(
    ("name", "least"), [("council_of_four", 35), ("tiletum", 43), ("tumult_royale", 2), ("viscounts", 10)]
)
def test_a_set_up_is_entered_in_one_form(name: str, least: int, tmp_path: Path) -> None:
    """The form leads where the moves of chance lead one by one."""
    game = games.load(name)
    state, world = open_table(game, 2, "keen", "forms", {})
    evening, asked = Evening.begin(game, tmp_path, state.seats), None
    for before, move, _ in playing(game, state, world):
        if asked is None and (asked := game.entry(before)) is None:
            evening.tells(move)
        elif asked is not None and game.entry(before) is None:
            told = evening.asks("enter", zones=lying(game, asked, before))
            assert len(one(told, "moved")["moves"]) == least
            break
    evening.holds()


def test_a_roll_of_dice_is_entered_in_one_form(tmp_path: Path) -> None:
    game = games.load("tiletum")
    state, world = open_table(game, 3, "keen", "dice", {})
    evening, asked = Evening.begin(game, tmp_path, state.seats), None
    for before, move, _ in playing(game, state, world):
        if before.phase != "rolling" and asked is None:
            evening.tells(move)
        elif asked is None:
            asked = game.entry(before)
        elif before.phase != "rolling":
            told = evening.asks("enter", 1, zones=lying(game, asked, before))
            assert {move["move"]["type"] for move in one(told, "moved")["moves"]} == {"PutDie"}
            assert evening.state == before
            break
    evening.holds()


def test_what_has_to_come_next_is_told_by_one_tap(tmp_path: Path) -> None:
    evening, lying_there, _ = raided(tmp_path, 3, True)
    evening.asks("enter", zones=lying_there)
    moves, state = [], evening.state
    while (move := GAME.only_move(state)) is not None:
        moves.append(msgspec.to_builtins(move))
        state = GAME.play(state, move)
    assert one(evening.asks("moves", 2, moves=[*moves, {"type": "Mix"}]), "refused")["reason"] == "no_longer"
    if moves:
        evening.asks("moves", 2, moves=moves)
        assert evening.state == state
        evening.holds()
