"""The written game that the tests of its history share."""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import msgspec
import pytest

from companion.games.tumult_royale.moves import FirstStatue

from .evening import GAME, Evening


class Written(NamedTuple):
    """A journal, and the event of its corrected move."""

    path: Path
    corrected: int


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """A game for two: a statue in the forest, an undo, a redo, corrections, a zone ignored, the table adopted."""
    path = tmp_path_factory.mktemp("evening") / "evening.journal"
    evening = Evening(path)
    table = evening.table
    state = evening.play(until=lambda now: now.phase == "first_statues")
    forest = FirstStatue(GAME.actor(state), state.land.index("forest"))
    assert "verdict" in [update.kind for update in evening.show(GAME.view(GAME.play_unchecked(state, forest)))]
    evening.show(GAME.view(state))
    evening.play(until=lambda now: now.phase == "mood")
    evening.ask("undo", 0)
    evening.ask("redo", 0)
    first = next(point for point in table.ledger.line() if isinstance(point.move, FirstStatue))
    other = next(move for move in GAME.moves(first.parent.state) if move != first.move)
    evening.ask("correct", 1, event=first.n, move=msgspec.to_builtins(other))
    again = next(point for point in table.ledger.line() if point.move == other)
    evening.ask("correct", event=again.n, move=msgspec.to_builtins(first.move))
    evening.ask("ignore", zone="supply")
    evening.ask("take_it")
    evening.play()
    assert table.over
    table.close()
    return Written(path, first.n)
