"""The raid: all seats ready, twenty seconds with hands everywhere, the stop, and the moves that follow from it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from companion.games.tumult_royale.box import WORTH
from companion.games.tumult_royale.moves import MIDDLE, Ready, Rob, SetAside, Spin, StartRaid, Stop, TurnUp
from companion.kernel.views import Pieces, View
from tests.games.tumult_royale.table import table

from .evening import (
    Evening,
    TumultFrom,
    after,
    changed,
    kinds,
    none,
    one,
    tumult,
)

BLUE, YELLOW = 0, 1
SIDES = {BLUE: "top", YELLOW: "bottom"}


def gathered(folder: Path) -> Evening:
    """The disc was spun and both seats have set their tiles aside: the raid is due."""
    start = table(2)
    evening = tumult(start, folder, SIDES)
    evening.shows(after(evening, Spin(start.king, (3,))))
    evening.shows(after(evening, SetAside(BLUE), SetAside(YELLOW)))
    assert all(evening.state.aside)
    assert evening.state.demand == (3, 3, 3)
    return evening


def running(folder: Path) -> Evening:
    evening = gathered(folder)
    evening.timer("raid ready", BLUE)
    evening.timer("raid ready", YELLOW)
    evening.timer("raid started")
    assert evening.state.phase == "raid"
    return evening


def goods_counted(evening: Evening, blue: int = 0, yellow: int = 0) -> Any:
    return after(evening, *[Rob(BLUE)] * blue, *[Rob(YELLOW)] * yellow)


def test_the_raid_is_due_when_all_tiles_are_set_aside(tmp_path: Path) -> None:
    evening = gathered(tmp_path)
    countdown = next(update.body for update in evening.told if update.kind == "rush" and "leader" in update.body)
    assert countdown == {"leader": evening.state.king, "seconds": evening.state.box.raid_seconds, "running": False}


def test_everybody_is_ready_by_a_press_and_the_king_starts(tmp_path: Path) -> None:
    evening = gathered(tmp_path)
    assert "moved" in kinds(evening.timer("raid ready", YELLOW))
    assert evening.timer("raid started") == [], "not before everybody is ready"
    assert "moved" in kinds(evening.timer("raid ready", BLUE))
    started = evening.timer("raid started")
    assert one(started, "rush")["running"] is True
    evening.holds()


def test_two_who_press_at_the_same_moment_are_both_ready(tmp_path: Path) -> None:
    evening = gathered(tmp_path)
    evening.timer("raid ready", BLUE)
    evening.timer("raid ready", YELLOW, seconds=0.0)
    assert evening.state.ready == (True, True)


def test_a_press_that_arrives_late_still_counts(tmp_path: Path) -> None:
    evening = gathered(tmp_path)
    evening.timer("raid ready", BLUE)
    evening.timer("raid ready", YELLOW, seconds=-0.2)
    assert evening.state.ready == (True, True)


def test_the_same_press_twice_is_one(tmp_path: Path) -> None:
    evening = gathered(tmp_path)
    assert "moved" in kinds(evening.timer("raid ready", BLUE))
    assert evening.timer("raid ready", BLUE, seconds=0.0) == []


def test_what_is_counted_while_it_runs_gives_only_hints(tmp_path: Path) -> None:
    evening = running(tmp_path)
    before = evening.state
    told = [*evening.shows(goods_counted(evening, 2, 1)), *evening.shows(goods_counted(evening, 1, 1))]
    assert kinds(told) == ["hint"]
    assert [breach["rule"] for breach in one(told, "hint")["breaches"]] == ["raid.no-return"]
    assert evening.waits(15) == []
    assert evening.state == before, "nothing counts before the stop"


def test_several_tiles_at_once_are_a_hint_and_said_once(tmp_path: Path) -> None:
    evening = running(tmp_path)
    evening.shows(goods_counted(evening))
    told = evening.shows(goods_counted(evening, blue=3), seconds=0.4)
    assert [breach["rule"] for breach in one(told, "hint")["breaches"]] == ["raid.one-tile"]
    evening.shows(goods_counted(evening, blue=3), seconds=0.4)
    assert evening.shows(goods_counted(evening, blue=6), seconds=0.4) == []


def test_more_hands_from_one_side_than_people_are_a_hint(tmp_path: Path) -> None:
    evening = running(tmp_path)
    assert evening.shows(evening.state, hands=("top", "bottom")) == []
    told = evening.shows(evening.state, hands=("top", "top", "bottom"))
    assert [breach["rule"] for breach in one(told, "hint")["breaches"]] == ["raid.one-hand"]


@pytest.mark.parametrize(
    ("kind", "body"), [("ignore", {"zone": "mercy"}), ("watch", {"zone": "mercy"}), ("dismiss", {})]
)
def test_nothing_said_on_a_phone_while_it_runs_makes_the_hands_count(
    kind: str, body: dict[str, Any], tmp_path: Path
) -> None:
    evening = running(tmp_path)
    before = evening.state
    evening.shows(goods_counted(evening, blue=2))
    none([*evening.asks(kind, **body), *evening.waits(3)], "moved", "verdict", "lost", "question")
    assert evening.state == before


def test_the_stop_asks_for_a_look_and_waits_until_everything_that_lies_there_was_seen(tmp_path: Path) -> None:
    evening = running(tmp_path)
    evening.shows(goods_counted(evening, blue=1))
    final = goods_counted(evening, 2, 3)
    told = evening.timer("raid stopped")
    assert one(told, "look_again")["zones"] == ["castle blue", "castle yellow", "middle"]
    assert one(told, "rush") == {"over": True}
    assert evening.state.phase == "raid"
    evening.shows(final, covered=["castle yellow"])
    assert evening.state.phase == "raid", "a hand lies on a castle"
    told = evening.shows(final)
    assert evening.state.hidden_castles == (2, 3)
    assert evening.state.phase == "turning_up"
    none(told, "verdict", "hint", "lost")
    evening.holds()


def test_hands_that_were_over_the_middle_for_the_whole_raid_are_waited_for_after_the_stop(tmp_path: Path) -> None:
    evening = running(tmp_path)
    for _ in range(20):
        evening.shows(goods_counted(evening, blue=1), covered=["middle"], seconds=1.0)
    evening.timer("raid stopped")
    evening.shows(goods_counted(evening, blue=1, yellow=1), covered=["middle"])
    assert evening.state.phase == "raid", "a hand still lays down the tile that it held"
    told = [*evening.shows(goods_counted(evening, blue=1, yellow=2)), *evening.waits(5)]
    none(told, "verdict", "hint", "lost")
    assert evening.state.hidden_castles == (1, 2)
    assert evening.state.phase == "turning_up"


def test_a_zone_that_nobody_could_see_before_the_raid_is_not_waited_for_after_it(tmp_path: Path) -> None:
    evening = running(tmp_path)
    for _ in range(50):
        evening.shows(goods_counted(evening, blue=1), covered=["castle yellow"], seconds=1.0)
    evening.timer("raid stopped")
    evening.shows(goods_counted(evening, blue=1), covered=["castle yellow"])
    assert evening.state.phase == "turning_up"


def test_a_picture_from_before_the_stop_does_not_end_the_raid(tmp_path: Path) -> None:
    evening = running(tmp_path)
    evening.timer("raid stopped", seconds=5.0)
    evening.shows(goods_counted(evening, 1, 1), seconds=-2.0)
    assert evening.state.phase == "raid"
    assert evening.state.hidden_castles == (0, 0)
    evening.shows(goods_counted(evening, 1, 1), seconds=4.0)
    assert evening.state.phase == "turning_up"


def test_a_stop_that_no_camera_can_follow_counts_after_a_while(tmp_path: Path) -> None:
    evening = running(tmp_path)
    evening.shows(goods_counted(evening, 1, 1))
    evening.timer("raid stopped")
    assert evening.waits(10) == []
    assert "moved" in kinds(evening.waits(15))
    assert evening.state.phase == "turning_up"
    evening.holds()


def test_a_stop_does_not_count_before_what_was_robbed_is_understood(tmp_path: Path) -> None:
    evening = running(tmp_path)
    final = goods_counted(evening, 1, 1)
    evening.timer("raid stopped")
    odd = changed(evening.table.game.view(final), supply=Pieces({"follower": 1}))
    none([*evening.shows(odd), *evening.waits(2)], "moved")
    assert evening.state.phase == "raid"
    told = evening.shows(final)
    none([*told, *evening.waits(10)], "verdict", "lost")
    assert evening.state.hidden_castles == (1, 1)
    assert evening.state.phase == "turning_up"


def test_a_stop_without_any_camera_counts_at_once(tmp_path: Path) -> None:
    start = table(2)
    evening = Evening.begin(TumultFrom(start), tmp_path, start.seats)
    for move in (SetAside(BLUE), SetAside(YELLOW), Ready(BLUE), Ready(YELLOW), StartRaid(start.king)):
        evening.tells(move)
    assert "moved" in kinds(evening.timer("raid stopped"))
    assert evening.state.phase == "turning_up"


def test_the_same_stop_told_twice_waits_all_the_same(tmp_path: Path) -> None:
    evening = running(tmp_path)
    evening.shows(goods_counted(evening, 1, 1))
    evening.tells(Stop())
    evening._commands -= 1
    assert evening.tells(Stop()) == []
    assert evening.state.phase == "raid"


@pytest.mark.parametrize("first", ["heard", "told"])
@pytest.mark.parametrize("second", ["heard", "told"])
def test_a_raid_that_is_stopped_twice_waits_all_the_same(tmp_path: Path, first: str, second: str) -> None:
    evening = running(tmp_path)
    final = goods_counted(evening, 2, 1)
    evening.shows(goods_counted(evening, 1, 0))
    for way in (first, second):
        told = evening.timer("raid stopped") if way == "heard" else evening.tells(Stop())
        assert "look_again" in kinds(told)
        none(told, "moved")
    evening.shows(final)
    assert evening.state.phase == "turning_up"
    assert evening.state.hidden_castles == (2, 1)
    evening.holds()


def test_a_move_told_after_the_stop_does_not_start_the_raid_again(tmp_path: Path) -> None:
    evening = running(tmp_path)
    final = goods_counted(evening, 2, 1)
    evening.shows(goods_counted(evening, 1, 0))
    evening.timer("raid stopped")
    none(evening.tells(Rob(BLUE)), "rush")
    evening.shows(final)
    assert evening.state.phase == "turning_up"
    assert evening.state.hidden_castles == (2, 1)


def stopped(folder: Path, blue: int, yellow: int) -> Evening:
    evening = running(folder)
    final = goods_counted(evening, blue, yellow)
    evening.shows(final)
    evening.timer("raid stopped")
    evening.shows(final)
    assert evening.state.phase == "turning_up"
    return evening


def castles(evening: Evening, blue: int, yellow: int, middle: int) -> View:
    """So many tiles lie face down."""
    view = evening.table.game.view(evening.state)
    return changed(
        view,
        castle_blue=Pieces({"back": blue}),
        castle_yellow=Pieces({"back": yellow}),
        middle=Pieces({"back": middle}),
    )


def test_a_tile_taken_after_the_stop_is_a_verdict_by_its_rule(tmp_path: Path) -> None:
    evening = stopped(tmp_path, 2, 2)
    late = castles(evening, 3, 2, evening.state.hidden_middle - 1)
    assert kinds(evening.shows(late)) == ["look_again"]
    verdict = one([*evening.shows(late), *evening.waits(10)], "verdict")
    assert verdict["seat"] == BLUE
    assert [breach["rule"] for breach in verdict["breaches"]] == ["raid.stop"]
    assert [(step["source"]["zone"], step["to"]["zone"]) for step in verdict["put_right"]] == [
        ("castle blue", "middle")
    ]
    assert kinds(evening.shows(evening.state)) == ["settled"]
    evening.holds()


def test_a_tile_that_lay_on_a_castle_and_is_gone_after_the_stop_is_hinted_at(tmp_path: Path) -> None:
    evening = running(tmp_path)
    for _ in range(3):
        evening.shows(goods_counted(evening, 3, 1))
    final = goods_counted(evening, 2, 1)
    evening.timer("raid stopped")
    told = evening.shows(final)
    none(told, "verdict")
    assert [breach["rule"] for breach in one(told, "hint")["breaches"]] == ["raid.no-return"]


def test_a_castle_that_nobody_saw_after_the_stop_accuses_nobody_and_keeps_its_tiles(tmp_path: Path) -> None:
    evening = running(tmp_path)
    final = goods_counted(evening, 3, 1)
    for _ in range(3):
        evening.shows(final)
    evening.timer("raid stopped")
    told = []
    for _ in range(12):
        told += evening.shows(final, covered=["castle blue"], seconds=2.0)
    none(told, "verdict", "hint", "lost")
    assert evening.state.phase == "turning_up"
    assert evening.state.hidden_castles == (3, 1)


def test_tiles_turned_up_at_once_end_the_raid_too_and_the_next_one_begins_fresh(tmp_path: Path) -> None:
    evening = running(tmp_path)
    evening.shows(goods_counted(evening, 1, 0))
    evening.timer("raid stopped")
    turned = after(evening, Rob(BLUE), Stop(), TurnUp(MIDDLE, "bread1"))
    evening.shows(turned)
    assert evening.state == turned
    assert evening.table._pending_stop is None
    evening.holds()


def test_a_false_start_that_is_undone_leaves_nothing_behind(tmp_path: Path) -> None:
    evening = running(tmp_path)
    for _ in range(3):
        evening.shows(goods_counted(evening, 4, 1))
    evening.timer("raid stopped")
    evening.asks("undo")
    assert evening.state.phase == "mood"
    evening.shows(evening.state)
    evening.timer("raid started")
    evening.shows(goods_counted(evening, 1, 1))
    assert evening.state.phase == "raid", "the stop of the false start is not owed"
    evening.timer("raid stopped")
    told = evening.shows(goods_counted(evening, 2, 1))
    none(told, "verdict", "hint")
    assert evening.state.hidden_castles == (2, 1)
    evening.holds()


def test_after_the_stop_nothing_is_taken_back_to_before_it(tmp_path: Path) -> None:
    evening = stopped(tmp_path, 2, 2)
    none([*evening.shows(castles(evening, 0, 0, evening.state.hidden_middle + 4)), *evening.waits(2)], "undone")


# What phones and the television show of it


def test_after_the_stop_nobody_is_asked_to_go_on_taking(tmp_path: Path) -> None:
    evening = running(tmp_path)
    evening.shows(goods_counted(evening, blue=1))
    assert "counting" not in evening.table.snapshot()["expects"]
    final = goods_counted(evening, 2, 3)
    told = one(evening.timer("raid stopped"), "expects")
    assert told["says"] == {"de": "Hände weg – ich zähle.", "en": "Hands off – counting."}
    assert evening.table.snapshot()["expects"] == told
    assert told["counting"] is True
    after_it = one(evening.shows(final), "expects")
    assert "counting" not in after_it
    assert "turn up all tiles" in after_it["says"]["en"]


def test_while_it_runs_the_tiles_on_each_castle_are_counted_and_only_counted(tmp_path: Path) -> None:
    evening = running(tmp_path)
    assert evening.table.taken == {}
    middle = evening.state.hidden_middle
    evening.shows(goods_counted(evening, 2, 1))
    assert evening.table.taken == {"seats": [2, 1], "left": middle - 3}
    assert evening.table.snapshot()["haul"] is None, "what they are is told after the stop"


def test_sums_and_the_greediest_are_told_once_every_tile_is_turned_up(tmp_path: Path) -> None:
    evening = running(tmp_path)
    evening.shows(goods_counted(evening, 9, 1))
    evening.timer("raid stopped")
    evening.shows(goods_counted(evening, 9, 1))
    assert evening.table.snapshot()["haul"]["sums"] == (None, None)
    while evening.state.phase == "turning_up":
        moves = [move for move in evening.table.game.moves(evening.state) if isinstance(move, TurnUp)]
        evening.tells(min(moves, key=lambda move: (move.place == MIDDLE, not move.tile.startswith("bread"))))
        haul = evening.table.snapshot()["haul"]
        if evening.state.phase == "turning_up":
            assert haul["goods"] == []
    assert evening.state.phase == "tumults"
    assert [good["good"] for good in haul["goods"]] == ["bread", "marble", "tool"]
    assert (haul["goods"][0]["greediest"], haul["goods"][0]["says"]["en"]) == (BLUE, "bread")
    for good in haul["goods"]:
        assert (good["greediest"] is not None) is (good["left"] < good["demand"])
    assert haul["sums"] == tuple(sum(WORTH[tile] for tile in castle) for castle in evening.state.castles)
