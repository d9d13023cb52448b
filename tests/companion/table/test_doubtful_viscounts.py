"""A card is laid first, and its effects are taken later: until then longer sequences would explain the table too."""

from __future__ import annotations

from pathlib import Path

from companion.games.viscounts.moves import (
    Build,
    Decline,
    Dismiss,
    Employ,
    PlayCard,
    Rearrange,
    Slide,
    TurnUp,
)
from companion.games.viscounts.state import EMPTY, Due
from companion.table.decisions import HALF_DONE
from tests.games.viscounts.solo_table import RIVAL, rivals_turn
from tests.games.viscounts.table import (
    RED,
    TRADING_POST,
    has,
    inner,
    listed,
    played,
    replace,
    space,
    table,
    with_row,
    with_viscount,
    with_workers,
)

from .evening import after, changed, none, one, viscounts


def test_a_card_without_its_silver_is_no_journey_all_the_way_round(tmp_path: Path) -> None:
    """Two silver move a viscount round the castle in three steps, which are invisible once it is back."""
    start = replace(with_viscount(with_row(table(), "", "thief", "abbot"), inner(3)), phase="playing", played="")
    for section in range(5):
        start = with_workers(start, 1, section, 1, 2, 0)
    start = replace(start, hidden=(("financer", "squire", "trader"), *start.hidden[1:]))
    evening = viscounts(start, tmp_path)
    played = after(evening, PlayCard(RED, "financer"))
    view, before = (evening.table.game.view(state) for state in (played, start))
    none(evening.shows(changed(view, silver_red=before.zones["silver red"])), "moved", "verdict")
    doubted = evening.table.judge.continuation(view)
    assert doubted is not None
    assert len(doubted.moves) > 1, "another story, in which a worker who is pushed off brings the silver"
    moved = one(evening.shows(played), "moved")["moves"]
    assert [move["move"]["type"] for move in moved] == ["PlayCard"]
    assert evening.state == played


def test_what_a_hand_has_hidden_may_speak_against_what_was_doubted(tmp_path: Path) -> None:
    """Red dismisses before moving. With silver out of sight it may have been after a journey round the castle."""
    start = replace(with_viscount(has(table(), silver=12), space(3)), phase="moving")
    evening = viscounts(start, tmp_path)
    wrong = evening.table.game.play_unchecked(start, Dismiss(RED))
    wrong = played(wrong, listed(wrong, TurnUp)[0])
    none(evening.shows(wrong, covered=["silver red"]), "moved")
    doubted = evening.table.judge.continuation(evening.table.observations.view())
    assert doubted is not None
    assert [type(move).__name__ for move in doubted.moves] == ["Travel", "Dismiss", "TurnUp"]
    told = evening.shows(wrong) + evening.shows(wrong) + evening.waits(HALF_DONE + 1)
    none(told, "moved")
    assert [breach["rule"] for breach in one(told, "verdict")["breaches"]] == ["turn.phases"]
    assert evening.state == start


def test_what_is_wrong_may_have_come_after_something_was_taken_back(tmp_path: Path) -> None:
    """Red takes a worker back, or has pushed it off again and is owed silver for it; then builds from inside."""
    start = with_workers(with_viscount(with_row(table(), "antagonist", "friar", "abbot"), inner(2)), 1, 2, 1, 2, 0)
    evening = viscounts(start, tmp_path)
    evening.shows(employed := after(evening, Employ(RED, 1, 2, (0, 0, 0, 0))))
    assert evening.state == employed
    none(evening.shows(start), "undone")
    wrong = evening.table.game.view(
        evening.table.game.play_unchecked(start, Build(RED, TRADING_POST, 0, 2, 0, (0, 0, 0, 0)))
    )
    told = evening.shows(wrong) + evening.shows(wrong)
    none(told, "moved")
    assert [breach["rule"] for breach in one(told, "verdict")["breaches"]] == ["action.path"]
    one(evening.shows(start) + evening.waits(30), "undone")
    assert evening.state == start


def test_cards_that_slid_are_not_rearranged(tmp_path: Path) -> None:
    """Alone, the opponent has met red, who leaves the cards alone and slides them for the next turn (where gaps may
    move)."""
    start = with_row(rivals_turn(gaps="move"), "abbot", "squire", EMPTY)
    start = replace(start, due=((Due(RED, "rearrange"),), (Due(RIVAL, "turn"),)))
    evening = viscounts(start, tmp_path)
    slid = after(evening, Decline(RED), Slide(RED))
    same = after(evening, Rearrange(RED, (EMPTY, "abbot", "squire")))
    assert evening.table.game.view(slid) == evening.table.game.view(same)
    none(evening.shows(slid), "moved", "question")
    card = listed(slid, PlayCard)[0]
    evening.shows(on := played(slid, card))
    assert evening.state == on
