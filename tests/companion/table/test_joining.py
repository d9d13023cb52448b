"""Joining a game under way: by looking, by asking, after a crash, and when it is impossible."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.games.tumult_royale.moves import LayOut
from companion.history import retell
from companion.journal import Entry, Journal, OtherRules, replay
from companion.kernel.messages import Update
from companion.kernel.views import Pieces, Pointing, View
from companion.simulation.selfplay import open_table, playing
from companion.table import Table

from ..history.evening import GAME, Evening

NOON = "2026-01-02T12:00:00.000"


def long_begun(phase: str) -> Any:
    """A state of another game for two, in a later round."""
    state, world = open_table(GAME, 2, "keen", "elsewhere", {})
    return next(after for _, _, after in playing(GAME, state, world) if after.phase == phase and after.round > 2)


def kinds(updates: list[Update]) -> list[str]:
    return [update.kind for update in updates]


@pytest.fixture
def evening(tmp_path: Path) -> Evening:
    return Evening(tmp_path / "late.journal")


def shown(evening: Evening, state: Any) -> None:
    """Send a Reading of the table of a game under way."""
    if number := next((number for number in state.demand if number), 0):
        evening.disc = (number, 10.0)
    evening.show(GAME.view(state), 1)


def asked(updates: list[Update]) -> dict[str, Any]:
    return next(update.body for update in updates if update.kind == "question")


def test_a_look_that_tells_all_is_taken_at_once(evening: Evening) -> None:
    state = long_begun("turning_up")
    shown(evening, state)
    assert "joined" in kinds(evening.ask("join", 0))
    now = evening.table.state
    assert (now.phase, now.round, now.placed) == ("turning_up", state.round, state.placed)
    assert evening.table.snapshot()["trouble"] is None
    assert not evening.table.snapshot()["can_join"]


def test_what_a_look_leaves_open_is_asked(evening: Evening) -> None:
    state = long_begun("placing")
    shown(evening, state)
    question = asked(evening.ask("join"))
    assert question["says"]["en"] == "What comes next?"
    said = evening.table.tell.expects(state)["says"]
    right = [option["says"] for option in question["options"]].index(said)
    updates = evening.ask("answer", question=question["id"], option=right)
    assert {"joined", "settled", "expects"} <= set(kinds(updates))
    assert evening.table.tell.expects(evening.table.state)["says"] == said
    assert GAME.actor(evening.table.state) == GAME.actor(state)


def test_the_question_waits_while_the_table_looks_the_same(evening: Evening) -> None:
    state = long_begun("placing")
    shown(evening, state)
    question = asked(evening.ask("join"))
    evening.show(GAME.view(state), 20)
    trouble = evening.table.snapshot()["trouble"]
    assert (trouble["kind"], trouble["id"]) == ("question", question["id"])


def test_the_game_goes_on_from_there(evening: Evening) -> None:
    state = long_begun("placing")
    shown(evening, state)
    question = asked(evening.ask("join"))
    said = [option["says"] for option in question["options"]]
    evening.ask("answer", question=question["id"], option=said.index(evening.table.tell.expects(state)["says"]))
    place = next(move for move in GAME.moves(evening.table.state) if type(move).__name__ == "Place")
    updates = evening.show(GAME.view(GAME.play(evening.table.state, place)))
    assert [move["move"]["type"] for update in updates if update.kind == "moved" for move in update.body["moves"]] == [
        "Place"
    ]


def test_a_joined_game_is_reopened_as_it_was(evening: Evening, tmp_path: Path) -> None:
    shown(evening, long_begun("turning_up"))
    evening.ask("join", 1)
    state = evening.table.state
    evening.table.close()
    table = Table.reopen(GAME, tmp_path / "late.journal", lambda: NOON)
    assert table.state == state
    assert table.ledger.earlier() == []
    table.close()
    with Journal.read(tmp_path / "late.journal") as journal:
        assert replay(journal, GAME, verify="all") == state
        history = retell(journal, GAME, "en")
    assert [(happening.kind, happening.by) for happening in history.after] == [("joined", "yellow")]


def test_joining_can_be_undone(evening: Evening) -> None:
    before = evening.table.state
    shown(evening, long_begun("turning_up"))
    evening.ask("join")
    undone = next(update.body for update in evening.ask("undo") if update.kind == "undone")
    assert undone["says"]["en"] == "Taken back: What was read from the table."
    assert evening.table.state == before
    assert evening.table.snapshot()["can_join"]


def test_what_came_before_cannot_be_corrected(evening: Evening) -> None:
    state = evening.play(until=lambda now: now.phase == "boards")
    assert GAME.setting_up(state)
    dealt = evening.table.ledger.now
    shown(evening, long_begun("turning_up"))
    evening.ask("join")
    updates = evening.ask("correct", event=dealt.n, move=msgspec.to_builtins(dealt.move))
    assert [update.body["reason"] for update in updates] == ["before_joining"]


# When it cannot be


def refused(updates: list[Update]) -> str:
    assert kinds(updates)[0] == "refused"
    reason: str = updates[0].body["reason"]
    return reason


def test_nobody_joins_what_nobody_has_seen(evening: Evening) -> None:
    assert refused(evening.ask("join")) == "nothing_seen"


def test_a_game_that_is_under_way_is_not_joined(evening: Evening) -> None:
    evening.play(until=lambda now: now.phase == "mood")
    before = evening.table.state
    shown(evening, long_begun("turning_up"))
    assert refused(evening.ask("join")) == "under_way"
    assert evening.table.state == before


def test_a_table_that_fits_no_moment_is_refused(evening: Evening) -> None:
    state = long_begun("turning_up")
    view = View({**GAME.view(state).zones, "supply": Pieces({"follower": state.supply + 1})})
    evening.disc = (state.demand[0], 10.0)
    evening.show(view, 1)
    assert refused(evening.ask("join")) == "no_moment"


def test_a_table_that_is_lost_before_the_game_offers_to_join(evening: Evening) -> None:
    state = long_begun("placing")
    evening.disc = (state.demand[0], 10.0)
    lost = next(update.body for update in evening.show(GAME.view(state), 20) if update.kind == "lost")
    assert lost["ways"][0]["way"] == "join"
    assert "question" in kinds(evening.ask("join"))


def test_a_moment_that_the_rules_no_longer_know_is_other_rules(tmp_path: Path) -> None:
    evening = Evening(tmp_path / "old.journal")
    evening.ask("move", move=msgspec.to_builtins(LayOut()))
    evening.table.close()
    with Journal.open(tmp_path / "old.journal", lambda: NOON) as journal:
        body = msgspec.json.encode({"view": View({"disc": Pointing(3)}), "choice": 0})
        journal.append_many([Entry("join", body)])
    with Journal.read(tmp_path / "old.journal") as journal, pytest.raises(OtherRules, match="no such moment"):
        replay(journal, GAME)
