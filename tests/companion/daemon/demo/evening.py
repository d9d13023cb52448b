"""An evening of the demo in a time of its own: the people's thread carries it, and a visitor acts in between.

All parts are the daemon's own, threads included. Only the clock is not: it goes on when the people wait, and not before
the table has taken everything, so that an evening takes seconds.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from companion.daemon.app import Daemon
from companion.daemon.demo.demo import Seated, seated
from companion.daemon.game_thread import TICK, GameThread
from companion.daemon.hardware_link import HardwareFollower
from companion.daemon.inbox import Inbox
from companion.daemon.journal_folder import Begin, JournalFolder
from companion.daemon.systemd import Systemd
from companion.kernel.events import EventBus
from companion.kernel.messages import Command, Message, Tick
from companion.kernel.rules import Seat
from companion.simulation.live import Live
from companion.table import Table
from hardware.rig import DEFAULT

LONGEST = 300.0
"""Real seconds in which anything must have happened."""
BREATH = 0.0002
"""Real seconds between two looks whether a thread has finished."""

PATIENT = 4000
"""Steps for which a visitor waits for something after the game."""

Visitor = Generator[Callable[[], bool], None, None]
"""Yields what it waits for, and acts when that has come."""


class Evening:
    """A table of the demo, its people, and a visitor with a phone."""

    def __init__(
        self, place: Path, seed: str, players: int = 3, pace: float = 3.0, mistakes_every: float = 240.0
    ) -> None:
        self.now = 1000.0
        self.inbox, self.bus = Inbox(), EventBus()
        self.table: Seated = seated(
            self.inbox, self.bus, DEFAULT, pace, seed, None, self.clock, self.sleep, mistakes_every
        )
        self.demo, self.timer = self.table.demo, self.table.desk.hardware.timer
        followers = [HardwareFollower(self.table.desk.hardware), *self.table.followers]
        self.game_thread = GameThread(self.inbox, self.bus, JournalFolder(place, Table, str), followers, self.clock)
        self._take = self.game_thread.take
        self.game_thread.take = self._taken  # type: ignore[method-assign]
        self._ticked = threading.Condition()
        self._until = 0.0
        colours = ("blue", "yellow", "purple", "grey")[:players]
        self.game_thread.begin(Begin("tumult_royale", tuple(Seat(colour) for colour in colours)))
        self.daemon = Daemon(place, self.inbox, self.bus, self.game_thread, self.table.sources, Systemd())
        self._visitor: Visitor = (wanted for wanted in ())
        self._wants: Callable[[], bool] = lambda: False
        self._left = threading.Event()
        self._trouble: BaseException | None = None
        self._commands = self._over_for = 0

    # Time

    def clock(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        """Called by the people. The table takes everything that came until now before time goes on."""
        self.now += seconds
        if len(self.inbox) or self.now >= self._until + TICK:
            self.inbox.put(Tick(self.now))
            with self._ticked:
                self._ticked.wait_for(lambda: self._until >= self.now or self.inbox.over, LONGEST)
        self._let_hands_finish()
        self._visit()

    def _let_hands_finish(self) -> None:
        """The threads of buttons and timer have done what is due by now; on a busy machine they may be late."""
        buttons, timer = self.table.desk.hardware._buttons, self.timer
        timer.ready(-1)  # nobody sits there, but the timer looks at the clock
        until = time.monotonic() + LONGEST
        while buttons._edges or buttons._patience() == 0.0 or timer._events or self._raid_is_due():
            assert time.monotonic() < until, "Buttons and timer have something to do, and do not do it."
            time.sleep(BREATH)

    def _raid_is_due(self) -> bool:
        due = self.timer.raid.due if self.timer.raid is not None else None
        return due is not None and due <= self.now

    def _taken(self, message: Message) -> None:
        self._take(message)
        if isinstance(message, Tick):
            with self._ticked:
                self._until = max(self._until, message.at)
                self._ticked.notify_all()

    # The visitor

    def _visit(self) -> None:
        if self._left.is_set():
            return
        self._over_for = self._over_for + 1 if self.doing == "over" else 0
        try:
            assert self._over_for < PATIENT, f"The game is over, and the visitor still waits {self._where()}."
            if self._wants():
                self._wants = next(self._visitor)
        except StopIteration:
            self._left.set()
        except BaseException as trouble:  # told to the test, which waits in another thread
            self._trouble = trouble
            self._left.set()

    def visited_by(self, visitor: Visitor) -> None:
        """Play until the visitor leaves."""
        self._visitor, self._wants = visitor, lambda: True
        with self._running():
            assert self._left.wait(LONGEST), f"The visitor still waits {self._where()}; people are {self.doing}."
        if self._trouble is not None:
            raise self._trouble

    def _where(self) -> str:
        return f"in line {self._visitor.gi_frame.f_lineno}" if self._visitor.gi_frame is not None else "nowhere"

    @contextmanager
    def _running(self) -> Iterator[None]:
        thread = threading.Thread(target=self.daemon.run)
        thread.start()
        try:
            yield
        finally:
            self.daemon.stop()
            thread.join(LONGEST)
            self.table.desk.close()

    def says(self, kind: str, **body: Any) -> None:
        """A phone tells the table something."""
        self._commands += 1
        self.inbox.put(Command(f"visitor {self._commands}", kind, body=body))

    # What there is to see

    @property
    def live(self) -> Live:
        assert self.demo.live is not None
        return self.demo.live

    @property
    def doing(self) -> str:
        return self.demo.live.doing if self.demo.live is not None else ""

    @property
    def acts(self) -> str:
        return self.live.act.kind if self.demo.live is not None and self.live.act is not None else ""

    @property
    def raid(self) -> str:
        return self.timer.raid.phase if self.timer.raid is not None else ""

    @property
    def trouble(self) -> dict[str, Any]:
        return self.bus.snapshot.table.get("trouble") or {}

    @property
    def belief(self) -> Any:
        assert self.game_thread.opened is not None
        return self.game_thread.opened.table.state

    @property
    def agreed(self) -> bool:
        return self.live.truth.agrees(self.belief)
