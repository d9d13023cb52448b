"""A game for tests of its history: bots play at a Table, with mishaps."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import count
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from companion import games
from companion.kernel.messages import Command, Found, Reading, Signal, Tick, Update, ZoneReading
from companion.kernel.rules import Seat
from companion.kernel.views import Cells, Marks, Pieces, Pointing, View
from companion.simulation.selfplay import open_table, playing
from companion.table import Table

GAME = games.load("tumult_royale")
SEATS = (Seat("blue", "Anna"), Seat("yellow", "<b>Bo</b>"))
KINDS: dict[type[Any], Any] = {Cells: "grid", Pieces: "tray", Pointing: "dial", Marks: "track"}
TIMER = {"Ready": "raid ready", "StartRaid": "raid started", "Stop": "raid stopped"}


def jpeg(shade: int) -> bytes:
    """A small picture, different for each shade."""
    return bytes(cv2.imencode(".jpg", np.full((12, 20, 3), shade % 256, np.uint8))[1])


class Evening:
    """Bots play, and the Table gets Readings of it; tests tell the rest."""

    def __init__(self, path: Path, seed: str = "evening", photograph: Callable[[View], bytes] | None = None) -> None:
        shades = count(1)
        self.table = Table.begin(GAME, path, SEATS, {}, lambda: "2026-01-02T19:30:00.000")
        self.at = 0.0
        self.disc = (5, 90.0)
        self._photograph = photograph or (lambda _view: jpeg(next(shades)))
        self._commands = count(1)
        state, world = open_table(GAME, len(SEATS), "keen", seed, {})
        self._bots = playing(GAME, state, world)

    def play(self, until: Callable[[Any], bool] = lambda _state: False) -> Any:
        """Let the bots play until the state meets the condition, or to the end."""
        for _, move, after in self._bots:
            self._hands(move, after)
            if until(after):
                break
        return self.table.state

    def _hands(self, move: Any, after: Any) -> None:
        kind = type(move).__name__
        if kind in TIMER:
            self.table.take(Signal("timer", TIMER[kind], self.at, getattr(move, "seat", None)))
        if kind == "Spin":
            self.disc = (min(move.areas), (self.disc[1] + 47) % 360)
        if not any(after.holding):
            self.show(GAME.view(after), 2)

    def show(self, view: View, seconds: int = 12) -> list[Update]:
        """Show the camera this table for so many seconds."""
        self.at += 1
        zones = {name: ZoneReading(KINDS[type(what)], what) for name, what in view.zones.items()}
        dial = (Found("arrow", 0, 0, self.disc[1]),)
        zones["disc"] = ZoneReading("dial", Pointing(self.disc[0]), found=dial)
        return list(self._waiting(Reading(zones, self.at, picture=self._photograph(view)), seconds))

    def _waiting(self, reading: Reading, seconds: int) -> Iterator[Update]:
        for update in self.table.take(reading):
            yield update
            if update.kind == "look_again":
                self.at += 0.5
                yield from self._waiting(Reading(reading.zones, self.at, picture=reading.picture), 0)
        for _ in range(seconds):
            self.at += 1
            yield from self.table.take(Tick(self.at))

    def ask(self, kind: str, seat: int | None = None, **body: Any) -> list[Update]:
        """Send a command from a phone."""
        return list(self.table.take(Command(f"c{next(self._commands)}", kind, seat, body)))
