"""Whole games of the demo without pictures: players play, a visitor interferes, and belief matches the truth."""

from __future__ import annotations

from pathlib import Path
from random import Random

import msgspec
import pytest

from companion import games
from companion.journal import Journal, replay
from web.backend import Refused

from .evening import Evening, Visitor

GAME = games.load("tumult_royale")


def test_a_whole_game_with_cheating_a_pause_and_a_camera_that_is_unplugged(tmp_path: Path) -> None:
    evening = Evening(tmp_path, "11", players=4, pace=8)
    demo = evening.demo

    def visitor() -> Visitor:
        # Somebody cheats, the table says why, and a phone asks for it to be put right.
        yield lambda: evening.doing == "playing" and evening.agreed
        demo.act("cheat")
        yield lambda: evening.trouble.get("kind") == "verdict"
        assert evening.acts == "wrong"
        assert {breach["rule"] for breach in evening.trouble["breaches"]} == evening.live.act.rules
        asked = evening.now
        evening.says("put_right")
        yield lambda: evening.acts == "put_right"
        assert evening.now - asked < 1.0
        yield lambda: not evening.trouble

        # A pause, in which nothing happens however long it takes; then one act, and again nothing.
        demo.act("pause")
        here, paused = evening.live.act, evening.now
        yield lambda: evening.now > paused + 60
        assert evening.live.act is here
        demo.act("step")
        yield lambda: demo.state()["paused"]
        assert evening.live.act is not here or evening.agreed
        demo.act("go_on")

        # Without a camera everything is told by hand; once it is back, the table is found as it should be.
        demo.act("unplug")
        yield lambda: evening.doing == "by_hand"
        yield lambda: evening.raid == "running"
        yield lambda: evening.raid in ("stopped", "off")
        yield lambda: evening.belief.phase == "placing"
        assert evening.trouble == {}
        demo.act("plug_in")
        yield lambda: evening.doing == "playing" and evening.agreed
        yield lambda: evening.doing == "over"
        over = evening.now
        yield lambda: evening.now > over + 30

    evening.visited_by(visitor())
    assert GAME.actor(evening.belief) is None
    assert GAME.score(evening.belief) == GAME.score(evening.live.truth.state)
    assert evening.game_thread.failures == 0
    with Journal.read(tmp_path / "games" / "0001-tumult_royale.journal") as journal:
        assert replay(journal, GAME)


def test_a_raid_waits_for_the_seat_that_a_phone_has_taken(tmp_path: Path) -> None:
    evening = Evening(tmp_path, "12")
    demo, timer = evening.demo, evening.timer
    demo.leave_to_phones(lambda: {0, 1, 2})

    def visitor() -> Visitor:
        yield lambda: "phone" in demo.state()["doing"]["en"]
        assert evening.raid == "gathering"
        assert "Handy: " in demo.state()["doing"]["de"]
        long_after = evening.now + 120
        yield lambda: evening.now > long_after
        assert timer.raid.ready_seats == frozenset()
        demo.leave_to_phones(lambda: {timer.raid.king})
        yield lambda: len(timer.raid.ready_seats) == 2
        timer.ready(timer.raid.king)
        yield lambda: evening.raid == "set" and "phone" in demo.state()["doing"]["en"]
        long_after = evening.now + 120
        yield lambda: evening.now > long_after
        assert evening.raid == "set"
        timer.start(timer.raid.king)
        yield lambda: evening.raid == "stopped"
        yield lambda: evening.doing == "playing" and evening.agreed

    evening.visited_by(visitor())


def test_a_pause_stops_a_raid_and_a_practice_needs_only_a_phone_to_ask_for_it(tmp_path: Path) -> None:
    evening = Evening(tmp_path, "12")
    demo, timer = evening.demo, evening.timer

    def visitor() -> Visitor:
        yield lambda: evening.doing == "playing"
        evening.table.desk.hardware.gather(1, 5.0, practice=True)
        yield lambda: evening.raid == "stopped"
        assert timer.raid.practice
        yield lambda: evening.raid == "running"
        demo.act("pause")
        yield lambda: evening.raid == "paused"
        long_after = evening.now + 60
        yield lambda: evening.now > long_after
        demo.act("go_on")
        yield lambda: evening.raid == "stopped"
        yield lambda: evening.doing == "playing" and evening.agreed

    evening.visited_by(visitor())


def test_people_do_what_somebody_tells_on_a_phone(tmp_path: Path) -> None:
    evening = Evening(tmp_path, "13")
    told = []

    def visitor() -> Visitor:
        yield lambda: evening.belief.phase == "placing" and evening.agreed
        evening.demo.act("step")
        yield lambda: evening.demo.state()["paused"]
        seat = GAME.actor(evening.belief)
        move = next(move for move in GAME.moves(evening.belief) if getattr(move, "seat", None) == seat)
        told.append(move)
        evening.says("move", move=msgspec.to_builtins(move))
        yield lambda: move in [point.move for point in evening.game_thread.opened.table.ledger.line()]
        evening.demo.act("go_on")
        yield lambda: evening.live.act is not None and move in evening.live.act.moves
        yield lambda: evening.agreed

    evening.visited_by(visitor())
    assert told


def test_when_truth_and_belief_part_people_play_on_and_the_table_finds_its_way_out(tmp_path: Path) -> None:
    evening = Evening(tmp_path, "14", pace=8)
    rng = Random(14)

    def visitor() -> Visitor:
        for _ in range(15):
            soon = evening.now + rng.uniform(1, 20)
            yield lambda soon=soon: evening.now > soon
            match rng.choice(("undo", "redo", "dismiss", "put_right", "take_it", "move", "correct", "join")):
                case "move":
                    evening.says("move", move=msgspec.to_builtins(rng.choice(list(GAME.moves(evening.belief)))))
                case "correct":
                    evening.says("correct", event=rng.randint(1, 30), move={})
                case kind:
                    evening.says(kind)
        yield lambda: evening.agreed
        yield lambda: evening.doing == "over"

    evening.visited_by(visitor())
    assert evening.game_thread.failures == 0
    assert GAME.actor(evening.live.truth.state) is None


def test_the_next_game_begins_only_when_somebody_asks_for_it(tmp_path: Path) -> None:
    evening = Evening(tmp_path, "15", players=4, pace=8)

    def visitor() -> Visitor:
        yield lambda: evening.doing == "over"
        first, over = evening.live, evening.now
        yield lambda: evening.now > over + 60
        assert evening.live is first
        assert evening.demo.state()["can"].count("again") == 1
        evening.demo.act("again")
        yield lambda: evening.demo.live is not first
        yield lambda: evening.doing == "playing" and len(evening.live.truth.state.chronicle) == 0 and evening.agreed
        assert [path.name for path in sorted((tmp_path / "games").glob("*.journal"))] == [
            "0001-tumult_royale.journal",
            "0002-tumult_royale.journal",
        ]

    evening.visited_by(visitor())


def test_what_cannot_be_done_now_is_refused_in_both_languages(tmp_path: Path) -> None:
    evening = Evening(tmp_path, "16")
    refused = []

    def visitor() -> Visitor:
        yield lambda: evening.doing == "playing"
        can = set(evening.demo.state()["can"])
        assert {"pause", "step", "faster", "slower", "cheat", "cover", "unplug"} <= can
        for name in ("go_on", "again", "uncover", "plug_in", "knock", "no such thing", ""):
            assert name not in can
            with pytest.raises(Refused) as error:
                evening.demo.act(name)
            refused.append(error.value.says)
        evening.demo.act("faster")
        assert evening.demo.state()["pace"] == 5.0
        evening.demo.act("slower")
        evening.demo.act("slower")
        assert evening.demo.state()["pace"] == 2.0

    evening.visited_by(visitor())
    assert all(says.keys() == {"de", "en"} for says in refused)
    assert len(refused) == 7


def test_nobody_errs_before_a_phone_has_joined_and_then_every_few_minutes(tmp_path: Path) -> None:
    every = 90.0
    evening = Evening(tmp_path, "17", players=4, pace=1, mistakes_every=every)
    demo = evening.demo
    joined = False
    demo.wait_for_visitors(lambda: joined)

    def visitor() -> Visitor:
        nonlocal joined
        erred = 0
        begun = evening.now

        def calm() -> bool:
            nonlocal erred
            erred += evening.acts == "wrong"
            return evening.now > begun + 400

        yield calm
        assert not erred
        joined, came = True, evening.now
        yield lambda: evening.acts == "wrong"
        first = evening.now
        assert every / 4 <= first - came < every
        yield lambda: evening.acts not in ("wrong", "put_right")
        yield lambda: evening.acts == "wrong"
        assert evening.now - first >= every - 1.0

    evening.visited_by(visitor())
