"""A table for browsers: the real server and backend of a real game, and a camera that sees what it is told."""

from __future__ import annotations

import itertools
import time
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np

from companion import games
from companion.daemon.journal_folder import Begin
from companion.games.tumult_royale.moves import Place
from companion.games.tumult_royale.state import HIDDEN
from companion.kernel.messages import Signal, ZoneReading
from companion.kernel.rules import Seat
from companion.simulation.selfplay import open_table, playing
from tests.companion.daemon.homes import PATIENCE, Home
from tests.companion.daemon.tiny import begin, soon
from tests.web.chromium.cable import Cable
from vision import layout
from web.server import WebServer

GAME = games.load("tumult_royale")
LAYOUT = layout.load(GAME.box_file.with_name("layout.toml"))
ANNA_AND_BEN = Begin(GAME.name, (Seat("blue", "Anna"), Seat("yellow", "Ben")), {"oldest": 0})
LOOKS = 6
"""Looks at an unchanged table until the companion has run out of patience with it."""


class Stage:
    """Everything behind the page. `address` leads through a cable."""

    def __init__(self, folder: Path) -> None:
        self.home = Home(folder, wanted=ANNA_AND_BEN)
        self.raid: dict[str, Any] | None = None
        self.home.backend.raid = lambda: self.raid  # type: ignore[method-assign]
        self.home.live()
        self.server = WebServer(self.home.backend, folder, 0, "127.0.0.1")
        self.server.start()
        self.cable = Cable(self.server.port)
        self.address = f"http://127.0.0.1:{self.cable.port}"
        self._looks = itertools.count(1)
        self._game = self._moves()

    def _moves(self) -> Any:
        return playing(GAME, *open_table(GAME, 2, "keen", "stage", {"oldest": 0}))

    @property
    def pin(self) -> str:
        assert self.server.pin is not None
        return self.server.pin.digits

    # The game

    def play_until(self, phase: str) -> None:
        """The moves of a game, told by hand, up to a phase."""
        while self.play_on() != phase:
            pass

    def play_on(self) -> str:
        """One move more; the phase after it."""
        _, move, after = next(self._game)
        self.home.tell(move)
        return str(after.phase)

    def do_on(self) -> None:
        """One move more, not told, but done before the camera."""
        _, _, after = next(self._game)
        self.shows(after)
        assert GAME.view(self.home.state) == GAME.view(after)

    def begin_anew(self) -> None:
        """Put the game away and play the same one once more."""
        self.home.backend.ask(begin(msgspec.structs.replace(ANNA_AND_BEN, instead=True)), PATIENCE)
        self._game = self._moves()

    def shows(self, state: Any, looks: int = LOOKS, but: str = "") -> None:
        """The camera sees the table of a state, again and again; `but` for one zone, which it cannot make out."""
        zones = {
            name: ZoneReading(LAYOUT.zones[name].kind, None if name == but else seen)
            for name, seen in GAME.view(state).zones.items()
        }
        for _ in range(looks):
            self.home.look(zones, _picture(next(self._looks)))

    def cheat(self) -> Any:
        """A player puts up a statue without paying. Returns the right move."""
        state = self.home.state
        for move in GAME.moves(state):
            if isinstance(move, Place) and move.followers == 0:
                after = GAME.play_unchecked(state, msgspec.structs.replace(move, tiles=()))
                if after is not None:
                    self.shows(after)
                    return move
        raise AssertionError("nobody can build anything here")

    def turns_up_a_board(self) -> None:
        """A player turns up a board too early."""
        state = self.home.state
        land = list(state.land)
        for one in state.place_fields(state.boards.index(HIDDEN)):
            land[one] = "forest"
        self.shows(msgspec.structs.replace(state, land=tuple(land)))

    # The raid

    def raid_is(self, phase: str, **facts: Any) -> None:
        """Tell everybody how a raid stands."""
        plain = {"king": 0, "seconds": 20.0, "ready": [], "deadline": None, "left": 20.0, "practice": False}
        self.raid = {**plain, "phase": phase, **facts}
        self.home.bus.aside("raid", self.raid)

    def stop_the_raid(self) -> None:
        """The timer stops, and tells the table and the phones."""
        assert self.home.game_thread.opened is not None
        latest = self.home.game_thread.opened.table.observations.latest
        assert latest is not None, "without a camera nothing is waited for"
        self.home.inbox.put(Signal("timer", "raid stopped", latest.at + 1.0))
        assert soon(lambda: bool(self.home.backend.snapshot().table["expects"].get("counting")))
        self.raid_is("stopped", left=0.0)

    def now(self) -> float:
        return time.monotonic()

    def close(self) -> None:
        self.cable.close()
        self.server.stop()
        self.home.close()


def sit_down_slowly(page: Any) -> None:
    """A phone takes the first seat, and hears from the table that it is taken before it knows itself who it is."""
    held: list[Any] = []
    page.route("**/api/me", lambda asking: held.append(asking))
    page.locator(".place-list button").first.click()
    page.wait_for_selector(".place-list .taken")
    while not held:
        page.wait_for_timeout(5)
    assert page.locator("dialog[open]").count() == 0, "nobody is interrupted while joining"
    held.pop().continue_()


def confirm(page: Any, label: str = "That is it") -> None:
    """Tell the whole move that the page shows, as soon as its button can be meant."""
    page.wait_for_function("() => document.querySelector('.move-choice .big.primary:enabled')")
    page.get_by_role("button", name=label).click()


def move_by_move(page: Any) -> None:
    """Leave the form, or what comes next, and answer questions about single moves, if the page offers that."""
    page.wait_for_function("() => document.querySelector('.move-choice:not([aria-busy])[data-number]')")
    page.evaluate("() => document.querySelector('.one-by-one:not([open]) > summary')?.click()")


def _picture(number: int) -> bytes:
    """A small JPEG, another one for each look."""
    pixels = np.full((60, 100, 3), (number * 37) % 256, np.uint8)
    return bytes(cv2.imencode(".jpg", pixels)[1].tobytes())
