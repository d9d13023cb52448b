"""The disc: a turn that is due counts as a spin, even within the same area; at other times it causes no accusation."""

from __future__ import annotations

from pathlib import Path

from msgspec.structs import replace

from companion.games.tumult_royale.moves import Place, SetAside, Spin
from companion.kernel.views import Pointing, View
from tests.games.tumult_royale.statue_table import sculptor
from tests.games.tumult_royale.table import table

from .evening import Evening, after, kinds, none, one, tumult


def turns(evening: Evening, value: int, angle: float) -> None:
    evening.dial, evening.angle = value, angle


def test_a_turn_to_another_area_is_the_kings_spin(tmp_path: Path) -> None:
    evening = tumult(table(2), tmp_path)
    turns(evening, 4, 225.0)
    (move,) = one(evening.shows(evening.state), "moved")["moves"]
    assert move["move"] == {"type": "Spin", "seat": evening.state.king, "areas": (4,), "good": ""}
    assert evening.state.demand == (4, 4, 4)
    evening.holds()


def test_a_turn_within_the_same_area_is_a_spin_too(tmp_path: Path) -> None:
    evening = tumult(table(2), tmp_path)
    turns(evening, 2, evening.angle + 30)
    assert "moved" in kinds(evening.shows(evening.state))
    assert evening.state.demand == (2, 2, 2)


def test_an_arrow_that_only_trembles_is_no_spin(tmp_path: Path) -> None:
    evening = tumult(table(2), tmp_path)
    for nudge in (2.0, -3.0, 1.0, 358.0):
        turns(evening, 2, (45.0 + nudge) % 360)
        assert evening.shows(evening.state) == []
    assert evening.state.demand == (0, 0, 0)


def test_a_disc_that_is_turned_at_another_time_accuses_nobody(tmp_path: Path) -> None:
    evening = tumult(sculptor("bread1 marble1"), tmp_path)
    before = evening.state
    view = evening.table.game.view(before)
    evening.shows(view)
    told = []
    for value, angle in ((5, 315.0), (4, 225.0), (3, 135.0)):
        zones = {name: contents for name, contents in view.zones.items() if name != "disc"}
        turns(evening, value, angle)
        for _ in range(3):
            told += evening.shows(View({**zones, "disc": Pointing(value)}))
        told += evening.waits(20)
    none(told, "verdict", "lost", "moved", "undone")
    assert evening.state == before


def test_a_disc_that_was_touched_does_not_keep_the_game_from_going_on(tmp_path: Path) -> None:
    evening = tumult(sculptor("bread1 marble1"), tmp_path)
    move = next(move for move in evening.table.game.moves(evening.state) if isinstance(move, Place))
    built = after(evening, move)
    view = evening.table.game.view(built)
    turns(evening, 5, 315.0)
    told = evening.shows(View({**view.zones, "disc": Pointing(5)}))
    assert "moved" in kinds(told)
    assert evening.state == built


def test_the_disc_spins_once_and_playing_with_it_later_changes_nothing(tmp_path: Path) -> None:
    evening = tumult(table(2), tmp_path)
    turns(evening, 4, 225.0)
    evening.shows(evening.state)
    evening.shows(after(evening, SetAside(0)))
    before = evening.state
    assert before.demand == (4, 4, 4)
    assert before.aside_unseen == 1
    none([*evening.shows(before), *evening.waits(20)], "moved", "verdict")
    assert evening.state == before
    evening.holds()


def test_a_disc_turned_to_what_was_told_is_no_second_spin(tmp_path: Path) -> None:
    evening = tumult(replace(table(3, gamblers=True), phase="gambling"), tmp_path)
    evening.tells(Spin(evening.state.king, (4,), "bread"))
    told = evening.state
    view = evening.table.game.view(told)
    evening.shows(View({**view.zones, "disc": Pointing(2)}))
    turns(evening, 4, 225.0)
    for _ in range(3):
        evening.shows(View({**view.zones, "disc": Pointing(4)}))
    assert evening.state == told
    turns(evening, 4, 260.0)
    evening.shows(View({**view.zones, "disc": Pointing(4)}))
    assert evening.state.demand == (4, 4, 0), "the next turn is the next spin"
