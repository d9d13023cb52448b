"""Tables in the middle of every game: bots have played, and each move was told by hand."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion import games
from companion.daemon.journal_folder import Begin
from companion.kernel.rules import Seat
from companion.simulation.selfplay import open_table, playing
from tests.companion.daemon.homes import Home
from web.server import WebServer

SEED = "midgame"
SHARE = 0.6
"""How far into the game."""


class Midgame:
    """A table in the middle of a game, with a server for phones."""

    def __init__(self, folder: Path, game: str, players: int, share: float = SHARE) -> None:
        loaded = games.load(game)
        state, world = open_table(loaded, players, "keen", SEED, {})
        moves = [move for _, move, _ in playing(loaded, state, world)]
        seats = tuple(Seat(colour) for colour in loaded.load_box().colours[:players])
        self.home = Home(folder, wanted=Begin(game, seats, {})).live()
        done = round(len(moves) * share)
        for move in moves[:done]:
            self.home.tell(move)
        self.left = moves[done:]
        """What the bots would do next."""
        self.server = WebServer(self.home.backend, folder, 0, "127.0.0.1")
        self.server.start()
        self.address = f"http://127.0.0.1:{self.server.port}"

    def close(self) -> None:
        self.server.stop()
        self.home.close()

    def phone(self, chromium: Any, language: str = "en", seat: int | None = 0, **how: Any) -> Any:
        """A phone at the table's page."""
        context = chromium.new_context(base_url=self.address, locale=language, has_touch=True, **how)
        me = context.request.get("/api/me").json()
        asked = context.request.post("/api/join", data={"seat": seat, "name": ""}, headers={"X-Companion": me["csrf"]})
        assert asked.status == 200, asked.text()
        page = context.new_page()
        page.goto("/#/table")
        page.wait_for_selector(".panel .target")
        return page


def speak(page: Any, language: str) -> None:
    """The page in another language."""
    page.evaluate("(language) => localStorage.setItem('companion.language', language)", language)
    page.reload()
    page.wait_for_selector(f"html[lang={language}] .panel .target")


@contextmanager
def midgame(folder: Path, game: str, players: int, share: float = SHARE) -> Iterator[Midgame]:
    table = Midgame(folder, game, players, share)
    try:
        yield table
    finally:
        table.close()
