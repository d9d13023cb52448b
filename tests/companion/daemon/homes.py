"""A backend for tests: a real table of a real game, with its game thread."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from companion.daemon.backend import DaemonBackend
from companion.daemon.camera_page import CameraPage
from companion.daemon.game_thread import GameThread
from companion.daemon.hardware_link import HardwareFollower
from companion.daemon.health import Health
from companion.daemon.inbox import Inbox
from companion.daemon.journal_folder import Begin, JournalFolder
from companion.daemon.new_pieces import NewPieceKeeper
from companion.daemon.results import ResultKeeper
from companion.daemon.setup_choices import SetupChoices
from companion.kernel.events import EventBus
from companion.kernel.messages import Command, Reading, ZoneReading
from companion.kernel.rules import Seat
from companion.simulation.selfplay import open_table, playing
from companion.table import Table
from hardware.mock import Desk
from hardware.rig import Rig

from .tiny import GAME, command, now

PATIENCE = 60.0
"""Seconds that a busy machine may take."""
BETWEEN = 4.0
"""Seconds between two looks at the table, in which nobody waits."""
ANNA_AND_BERT = Begin(GAME.name, (Seat("blue", "Anna"), Seat("yellow", "Bert")))


class Home:
    """A backend and its parts. `live` starts them, `close` stops them."""

    def __init__(
        self,
        folder: Path,
        health: Callable[[], Iterable[Health]] = tuple,
        wanted: Begin | None = ANNA_AND_BERT,
        rig: Rig | None = None,
        camera: CameraPage | None = None,
        blind: Callable[[], dict[str, Any] | None] = lambda: None,
    ) -> None:
        """With a rig there are buttons, lights and a timer on a desk."""
        self.inbox, self.bus = Inbox(), EventBus()
        self.desk = None if rig is None else Desk(self.inbox.put, rig)
        hardware = None if self.desk is None else self.desk.hardware
        lessons = NewPieceKeeper(folder, None if camera is None else camera.teach)
        followers = (
            [lessons, ResultKeeper()] if hardware is None else [HardwareFollower(hardware), lessons, ResultKeeper()]
        )
        self.game_thread = GameThread(self.inbox, self.bus, JournalFolder(folder, Table, now), followers)
        setup_choices = SetupChoices(folder, [("blue", "top"), ("yellow", "left")])
        self.backend = DaemonBackend(
            self.inbox, self.bus, self.game_thread, setup_choices, hardware, health, camera=camera, blind=blind
        )
        self._looks = itertools.count(1)
        if wanted is not None:
            self.game_thread.begin(wanted)

    def live(self) -> Home:
        self.game_thread.start()
        return self

    def close(self) -> None:
        self.backend.close()
        if self.desk is not None:
            self.desk.close()
        self.inbox.close()
        assert self.game_thread.finish(PATIENCE)

    @property
    def state(self) -> Any:
        assert self.game_thread.opened is not None
        return self.game_thread.opened.table.state

    @property
    def game(self) -> Any:
        assert self.game_thread.opened is not None
        return self.game_thread.opened.game

    def tell(self, move: Any, seat: int | None = None) -> int:
        """A move, told by hand."""
        return self.backend.ask(told(move, seat), PATIENCE)

    def look(self, zones: Mapping[str, ZoneReading], picture: bytes | None = None) -> None:
        """Send a Reading and wait until the table has handled it: a waiting one would be replaced by the next."""
        assert self.game_thread.opened is not None
        number, observations = next(self._looks), self.game_thread.opened.table.observations
        self.inbox.put(Reading(dict(zones), time.monotonic() + number * BETWEEN, number, picture))
        late = time.monotonic() + PATIENCE
        while observations.latest is None or observations.latest.frame != number:
            assert time.monotonic() < late, "the table does not look any more"
            time.sleep(0.005)

    def play(self, moves: int, until: Callable[[Any], bool] = lambda _state: False) -> None:
        """Tell the first moves of a random game by hand, or those until a condition holds."""
        state, world = open_table(GAME, 2, "keen", "home", {"oldest": 0})
        for number, (before, move, _) in enumerate(playing(GAME, state, world)):
            if number == moves or until(before):
                return
            self.tell(move)

    def go_on(self, moves: int) -> None:
        """Tell the first legal moves from here by hand."""
        for _ in range(moves):
            self.tell(next(iter(GAME.moves(self.state))))


def told(move: Any, seat: int | None = None) -> Command:
    return msgspec.structs.replace(command("move", move=msgspec.to_builtins(move)), seat=seat)
