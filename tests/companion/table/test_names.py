"""Names that players enter during a game are used from then on, and in the history of the whole game."""

from __future__ import annotations

from pathlib import Path

from companion.history import retell
from companion.history.live import LiveHistory
from companion.journal import Journal
from companion.journal.replay import named_seats
from companion.kernel.messages import Command
from tests.companion.daemon.homes import PATIENCE, Home
from tests.companion.daemon.tiny import GAME


def test_a_name_is_said_at_once_and_told_of_the_moves_before_it(tmp_path: Path) -> None:
    home = Home(tmp_path).live()
    try:
        home.play(60)
        opened = home.game_thread.opened
        assert opened is not None
        live = LiveHistory(opened.table.journal.path, GAME)
        assert "Anna" in str(live.history(None, 200))
        home.backend.ask(Command("a name of Ada", "name", 0, {"name": "Ada"}), PATIENCE)
        table = home.backend.snapshot().table
        assert [seat["name"] for seat in table["seats"]] == ["Ada", "Bert"]
        assert [seat.name for seat in opened.seats] == ["Ada", "Bert"]
        assert "Anna" not in str(table)
        told = str(live.history(None, 200))
        assert "Ada" in told
        assert "Anna" not in told
        home.go_on(2)  # what comes after it finds the same journal in order
    finally:
        home.close()
    with Journal.read(tmp_path / "games" / f"0001-{GAME.name}.journal") as journal:
        assert [seat.name for seat in named_seats(journal)] == ["Ada", "Bert"]
        assert [seat.name for seat in journal.head.setup.seats] == ["Anna", "Bert"]
        assert "Anna" not in str(retell(journal, GAME, "en"))
    again = Home(tmp_path, wanted=None)
    assert again.game_thread.reopen()
    assert [seat["name"] for seat in again.backend.snapshot().table["seats"]] == ["Ada", "Bert"]
    again.live().close()
