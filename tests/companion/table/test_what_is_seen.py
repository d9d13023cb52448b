"""Findings from Readings: accepted at once, after waiting or another look, or reported as a breach."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from companion.games.tumult_royale.moves import Atone, Place
from companion.games.tumult_royale.moves import Pass as Pass_
from companion.games.tumult_royale.rulebook.phase4_statues import whose_turn
from companion.journal import Journal, replay
from companion.kernel.views import Cells, Marks, Pieces, View
from companion.referee import Referee, Unfinished
from companion.table.decisions import HALF_DONE, UNHURRIED
from tests.games.tumult_royale.statue_table import sculptor
from tests.games.tumult_royale.table import after_raid, placing, table
from tests.nine_beds import GAME, Pass, Plant

from .evening import after, beds, changed, kinds, none, one, tumult, unchecked

BLUE, YELLOW = 0, 1
A1, B1, C1, A2, B2, C2, A3, B3, C3 = range(9)


def test_a_move_that_is_seen_is_taken_at_once_and_is_on_disk(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    planted = after(evening, Plant(BLUE, A1))
    told = evening.shows(planted)
    assert kinds(told) == ["moved", "expects"]
    (move,) = one(told, "moved")["moves"]
    assert move["seat"] == BLUE
    assert move["says"] == {"de": "Anna pflanzt auf A1", "en": "Anna plants on A1"}
    assert [reason["rule"] for reason in move["because"]] == ["points.each"]
    # Another program reads it while the table still plays.
    assert replay(Journal.read(evening.path), GAME) == planted == evening.state


def test_a_statue_in_the_big_game_is_taken_at_once_too(tmp_path: Path) -> None:
    evening = tumult(sculptor("bread1 marble1 tool1"), tmp_path)
    move = next(move for move in evening.table.game.moves(evening.state) if isinstance(move, Place))
    built = after(evening, move)
    assert kinds(evening.shows(built))[0] == "moved"
    assert evening.state == built
    evening.holds()


def test_two_moves_between_two_looks_are_both_taken(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    told = evening.shows(after(evening, Plant(BLUE, A1), Plant(YELLOW, C3)))
    assert [move["seat"] for move in one(told, "moved")["moves"]] == [BLUE, YELLOW]


def test_nothing_is_said_of_a_table_that_is_as_it_should_be(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    assert evening.shows(evening.state) == []
    assert evening.waits(60) == []


def test_a_marker_that_cannot_be_made_out_is_looked_at_again_before_a_move_counts(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    evening.shows(evening.state)
    planted = GAME.view(after(evening, Plant(BLUE, A1)))
    points = planted.zones["points"]
    assert isinstance(points, Marks)
    unclear = View({**planted.zones, "points": Marks({who: at for who, at in points.field.items() if who != "blue"})})
    assert one(evening.shows(unclear), "look_again")["zones"] == ["beds", "points", "shed blue"]
    assert kinds(evening.shows(planted)) == ["moved", "expects"]


def test_what_a_hand_covers_is_waited_for(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    planted = after(evening, Plant(BLUE, A1))
    assert evening.shows(planted, covered=["points"]) == []
    assert evening.waits(10) == []
    assert kinds(evening.shows(planted)) == ["moved", "expects"]


def test_what_stays_covered_does_not_stop_the_game(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    planted = after(evening, Plant(BLUE, A1))
    evening.shows(planted, covered=["points"])
    assert "moved" in kinds(evening.waits(25))
    assert evening.state == planted


def test_a_zone_that_was_not_made_out_is_looked_at_again_and_then_the_game_goes_on(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    planted = after(evening, Plant(BLUE, A1))
    told = evening.shows(planted, unsure=["points"])
    assert kinds(told) == ["look_again"]
    assert "points" in one(told, "look_again")["zones"]
    assert evening.waits(1) == [], "one look is asked for once"
    assert "moved" in kinds(evening.waits(4))
    assert evening.state == planted


def test_the_second_look_decides(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    planted = after(evening, Plant(BLUE, A1))
    assert kinds(evening.shows(planted, unsure=["beds"])) == ["look_again"]
    assert kinds(evening.shows(planted)) == ["moved", "expects"]


def test_one_odd_look_accuses_nobody(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    told = evening.shows(unchecked(evening, Plant(BLUE, C1)))
    assert kinds(told) == ["look_again"]
    none(evening.waits(30), "verdict", "lost", "hint")
    told = evening.shows(evening.state)
    none([*told, *evening.waits(30)], "verdict", "lost", "hint")


def test_the_same_picture_twice_is_still_one_look(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    evening.shows(unchecked(evening, Plant(BLUE, C1)))
    latest = evening.table.observations.latest
    assert latest is not None
    none([*evening.take(latest), *evening.take(latest), *evening.waits(30)], "verdict")


def test_a_forbidden_move_seen_twice_is_named_with_its_rule_and_how_to_put_it_right(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    wrong = unchecked(evening, Plant(BLUE, C1))
    evening.shows(wrong)
    verdict = one(evening.shows(wrong), "verdict")
    assert verdict["seat"] == BLUE
    assert [breach["rule"] for breach in verdict["breaches"]] == ["bed.beside"]
    assert "Neben C1 wächst nichts von Anna." in verdict["says"]["de"]
    assert {step["act"] for step in verdict["put_right"]} == {"carry", "point"}
    before = evening.state
    assert evening.table.snapshot()["trouble"]["kind"] == "verdict"
    assert evening.shows(wrong) == [], "it is said once"
    assert evening.state == before, "what is forbidden does not count"


def test_a_verdict_says_which_events_show_the_table_before_and_after(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    wrong = unchecked(evening, Plant(BLUE, C1))
    evening.shows(wrong)
    pictures = one(evening.shows(wrong), "verdict")["pictures"]
    events = {event.n: event.kind for event in evening.table.journal.events()}
    assert pictures["before"] == evening.table.ledger.now.n
    assert (events[pictures["before"]], events[pictures["after"]]) == ("move", "seen")


def test_put_right_it_is_settled_and_nothing_is_held_against_anybody(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    wrong = unchecked(evening, Plant(BLUE, C1))
    evening.shows(wrong)
    verdict = one(evening.shows(wrong), "verdict")
    settled = one(evening.shows(evening.state), "settled")
    assert settled["id"] == verdict["id"]
    assert evening.table.snapshot()["trouble"] is None
    assert kinds(evening.shows(after(evening, Plant(BLUE, B1)))) == ["moved", "expects"]
    evening.holds()


def test_what_was_allowed_before_the_forbidden_move_counts(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    first = after(evening, Plant(BLUE, B1))
    second = GAME.play_unchecked(first, Plant(YELLOW, A3))
    assert second is not None
    evening.shows(GAME.view(second))
    told = evening.shows(GAME.view(second))
    assert [move["move"]["bed"] for move in one(told, "moved")["moves"]] == [B1]
    assert one(told, "verdict")["seat"] == YELLOW
    assert evening.state == first
    evening.holds()


def test_a_price_not_yet_paid_is_left_in_peace(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, B1), Plant(YELLOW, C3))
    unpaid = unchecked(evening, Plant(BLUE, B2, 0))
    evening.shows(unpaid)
    none(evening.shows(unpaid), "verdict", "hint")
    none(evening.waits(5), "verdict", "hint")
    told = evening.shows(after(evening, Plant(BLUE, B2, 1)))
    assert kinds(told) == ["moved", "expects"]


def test_a_price_not_paid_is_a_verdict_only_after_its_time(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, B1), Plant(YELLOW, C3))
    unpaid = unchecked(evening, Plant(BLUE, B2, 0))
    evening.shows(unpaid)
    evening.shows(unpaid)
    none(evening.waits(HALF_DONE - 2), "verdict", "hint")
    verdict = one(evening.waits(3), "verdict")
    assert [breach["rule"] for breach in verdict["breaches"]] == ["bed.price"]
    assert [step["to"]["zone"] for step in verdict["finish"]] == ["compost"]


def test_a_statue_not_yet_paid_for_is_left_in_peace_and_named_after_its_time(tmp_path: Path) -> None:
    evening = tumult(sculptor("bread1 marble1 tool1"), tmp_path)
    whole = next(move for move in evening.table.game.moves(evening.state) if isinstance(move, Place))
    paid = evening.table.game.view(after(evening, whole))
    before = evening.table.game.view(evening.state)
    unpaid = changed(paid, middle=before.zones["middle"], castle_blue=before.zones["castle blue"])
    evening.shows(unpaid)
    none([*evening.shows(unpaid), *evening.waits(HALF_DONE - 3)], "verdict", "hint", "moved")
    verdict = one(evening.waits(5), "verdict")
    assert verdict["finish"]
    assert kinds(evening.shows(paid))[0] == "moved"
    assert evening.table.snapshot()["trouble"] is None
    evening.holds()


def test_followers_not_yet_taken_do_not_rewrite_what_was_paid_before(tmp_path: Path) -> None:
    evening = tumult(sculptor("bread1 marble1 tool1 bread2 marble2 tool2"), tmp_path)
    built = [move for move in evening.table.game.moves(evening.state) if isinstance(move, Place)]
    first = next(move for move in built if move.tiles == ("bread2", "marble2"))
    evening.shows(after(evening, first))
    second = next(
        move
        for move in evening.table.game.moves(evening.state)
        if isinstance(move, Place) and move.followers == 1 and move.tiles == ("bread1", "marble1", "tool2")
    )
    game, before, then = evening.table.game, evening.state, after(evening, second)
    # Without the follower it looks exactly as if the tiles had been paid the other way round.
    purse = {zone: game.view(before).zones[zone] for zone in ("supply", "followers blue")}
    assert not evening.shows(View({**game.view(then).zones, **purse}))
    assert evening.waits(HALF_DONE) == []
    told = evening.shows(then)
    assert [move["move"]["tiles"] for move in one(told, "moved")["moves"]] == [second.tiles]
    assert evening.state == then


def test_tiles_paid_before_the_statue_stands_are_not_given_back_by_somebody_who_passed(tmp_path: Path) -> None:
    start = placing(
        table(4, first={2: "H3"}), {2: ["bread1", "marble1"], **{seat: ["bread2", "marble2"] for seat in (0, 1, 3)}}
    )
    evening = tumult(start, tmp_path)
    state, passes = start, 0
    while (turn := whose_turn(state)) != 2:
        state, passes = evening.table.game.play(state, Pass_(turn)), passes + 1
    assert passes, "somebody passes before"
    move = next(one for one in evening.table.game.moves(state) if isinstance(one, Place) and len(one.tiles) == 2)
    built = evening.table.game.view(evening.table.game.play(state, move))
    before = evening.table.game.view(start)
    still = {zone: before.zones[zone] for zone in ("statues", "rack purple", "supply", "followers purple")}
    assert "moved" not in kinds(evening.shows(View({**built.zones, **still})))
    assert "moved" not in kinds(evening.waits(HALF_DONE))
    told = evening.shows(built)
    assert one(told, "moved")["moves"][-1]["move"]["tiles"] == move.tiles


def test_followers_that_atoned_for_the_other_good_are_set_right(tmp_path: Path) -> None:
    start = after_raid(table(2), {YELLOW: ["bread1", "marble2", "marble3"]}, ["tool3"], 3)
    evening = tumult(start, tmp_path)
    marble = next(one for one in evening.table.game.moves(start) if isinstance(one, Atone) and one.good == "marble")
    assert {one.good for one in evening.table.game.moves(start) if isinstance(one, Atone)} == {"bread", "marble"}
    atoned = evening.table.game.play(start, marble)
    tiles = {zone: evening.table.game.view(start).zones[zone] for zone in ("middle", "castle yellow")}
    told = evening.shows(View({**evening.table.game.view(atoned).zones, **tiles}))
    assert one(told, "moved")["moves"][0]["move"]["good"] == "bread", "so far nothing tells it from that"
    evening.shows(atoned)
    evening.waits(UNHURRIED)  # the tiles might as well be a part of the next move
    assert evening.state == atoned


def test_a_marker_not_yet_moved_is_reminded_of_and_never_held_against_anybody(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    planted = after(evening, Plant(BLUE, A1))
    lazy = changed(GAME.view(planted), points=Marks({"blue": 0, "yellow": 0}))
    none([*evening.shows(lazy), *evening.shows(lazy), *evening.waits(10)], "verdict", "hint", "lost")
    hint = one(evening.waits(5), "hint")
    assert [(step["what"], step["number"]) for step in hint["finish"]] == [("blue", 1)]
    none(evening.waits(60), "verdict", "lost")
    assert "moved" in kinds(evening.shows(planted))


def test_a_table_that_nothing_explains_is_lost_after_two_looks_and_some_seconds(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1))
    strange = changed(GAME.view(evening.state), compost=Pieces({"yellow": 4}))
    none([*evening.shows(strange), *evening.waits(20)], "lost")
    lost = one(evening.shows(strange), "lost")
    assert lost["zones"] == ["compost"]
    assert [way["way"] for way in lost["ways"]] == ["put_right", "take_it", "ignore"]
    assert kinds(evening.shows(evening.state)) == ["settled"]


def test_an_accusation_that_rests_on_what_nobody_can_see_is_only_a_doubt(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    wrong = unchecked(evening, Plant(BLUE, C1))
    told = []
    for _ in range(8):
        told += evening.shows(wrong, unsure=["points"])
    assert one(told, "hint")["says"]["en"] == (
        "Is that right? Nothing of Anna's grows beside C1. "
        "I’m not sure, because I can’t see this well: the track of points."
    )
    none(told, "verdict")


def test_a_pass_that_nobody_saw_is_taken_with_what_followed(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1))
    told = evening.shows(after(evening, Pass(YELLOW), Plant(BLUE, B1)))
    assert [move["says"]["en"] for move in one(told, "moved")["moves"]] == ["Yellow passes", "Anna plants on B1"]


def test_an_older_picture_that_comes_late_changes_nothing(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    old = evening.table.observations.latest
    assert old is not None
    evening.shows(planted := after(evening, Plant(BLUE, A1)))
    assert evening.take(old) == []
    assert evening.state == planted


def test_a_bed_under_a_sleeve_is_no_empty_bed(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1))
    none(evening.shows(evening.state, unknown=[("beds", "A1")]), "undone", "verdict")
    contents = GAME.view(evening.state).zones["beds"]
    assert isinstance(contents, Cells)
    assert evening.shows(evening.state) == []


class Undecided(Referee[Any, Any]):
    """A referee that finds a half-done move without visible remaining steps."""

    def judge(self, *_what: Any) -> Unfinished:
        return Unfinished((), ())


def test_who_has_nothing_left_to_do_is_not_told_that_something_is_missing(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    evening.table.judge.referee = Undecided(GAME)
    told = evening.shows(after(evening, Plant(BLUE, A1)))
    none([*told, *evening.waits(3 * HALF_DONE)], "hint", "verdict", "lost")
