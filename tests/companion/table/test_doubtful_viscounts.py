"""A card is laid first and what it brings is taken then: until then longer stories would explain the table as well."""

from __future__ import annotations

from pathlib import Path

from companion.games.viscounts.moves import PlayCard
from tests.games.viscounts.table import RED, at, inner, replace, table, with_row, with_workers

from .evening import after, changed, none, one, viscounts


def test_a_card_without_its_silver_is_no_journey_all_the_way_round(tmp_path: Path) -> None:
    """Two silver carry a viscount round the castle on three steps, and nobody has seen them when it is back."""
    start = replace(at(with_row(table(), "", "thief", "abbot"), inner(3)), phase="playing", played="")
    for section in range(5):
        start = with_workers(start, 1, section, 1, 2, 0)
    start = replace(start, hidden=(("financer", "squire", "trader"), *start.hidden[1:]))
    evening = viscounts(start, tmp_path)
    played = after(evening, PlayCard(RED, "financer"))
    view, before = (evening.table.game.view(state) for state in (played, start))
    none(evening.shows(changed(view, silver_red=before.zones["silver red"])), "moved", "verdict")
    doubted = evening.table.judging.gone_on(view)
    assert doubted is not None
    assert len(doubted.moves) > 1, "another story, in which a worker who is pushed off brings the silver"
    moved = one(evening.shows(played), "moved")["moves"]
    assert [move["move"]["type"] for move in moved] == ["PlayCard"]
    assert evening.state == played
