"""The demo with pictures, in real time, reads the table even after its camera was covered, unplugged or knocked."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from companion.daemon.app import Daemon
from companion.daemon.demo.demo import seated
from companion.daemon.demo.rendered_table import RenderedTableTop
from companion.daemon.game_thread import GameThread
from companion.daemon.hardware_link import HardwareFollower
from companion.daemon.health import Health
from companion.daemon.inbox import Inbox
from companion.daemon.journal_folder import Begin, JournalFolder
from companion.daemon.systemd import Systemd
from companion.kernel.events import EventBus
from companion.kernel.rules import Seat
from companion.table import Table
from hardware.rig import DEFAULT

LONGEST = 300.0
"""Seconds in which anything must have happened, on a machine however busy."""


class Room:
    """A demo with pictures, running."""

    def __init__(self, place: Path) -> None:
        inbox, bus = Inbox(), EventBus()
        self.table = seated(inbox, bus, DEFAULT, 8.0, "21", place)
        followers = [HardwareFollower(self.table.desk.hardware), *self.table.followers]
        self.game_thread = GameThread(inbox, bus, JournalFolder(place, Table, str), followers)
        self.game_thread.begin(Begin("tumult_royale", (Seat("blue"), Seat("yellow"))))
        self.daemon = Daemon(place, inbox, bus, self.game_thread, self.table.sources, Systemd())
        self.thread = threading.Thread(target=self.daemon.run)

    def health(self, name: str) -> Health:
        return next(part for part in self.daemon.health() if part.name == name)

    @property
    def agreed(self) -> bool:
        """Whether the table believes the true state, after more moves than the setup."""
        live = self.table.demo.live
        assert self.game_thread.opened is not None
        state = self.game_thread.opened.table.state
        return live is not None and self.game_thread.opened.table.journal.last_number > 0 and live.truth.agrees(state)


@pytest.fixture
def room(tmp_path: Path) -> Iterator[Room]:
    room = Room(tmp_path)
    room.thread.start()
    yield room
    room.daemon.stop()
    room.thread.join(LONGEST)
    room.table.desk.close()


def until(come: Callable[[], bool], what: str) -> None:
    over = time.monotonic() + LONGEST
    while not come():
        assert time.monotonic() < over, f"Nobody saw that {what}."
        time.sleep(0.05)


@pytest.mark.long
def test_the_camera_reads_what_people_do_and_recovers_from_a_hand_a_plug_and_a_knock(room: Room) -> None:
    demo, top = room.table.demo, room.table.top
    assert isinstance(top, RenderedTableTop)
    until(lambda: room.agreed, "people have begun")
    demo.act("step")
    until(lambda: demo.state()["paused"] and room.agreed, "they have stopped")

    demo.act("cover")
    until(lambda: room.health("camera").state == "troubled", "a hand is over the camera")
    assert "cheat" not in demo.state()["can"]
    demo.act("uncover")
    until(lambda: room.health("camera").state == "ok" and top.settled, "it has gone")

    demo.act("unplug")
    until(lambda: room.health("camera").state == "troubled", "the camera is unplugged")
    demo.act("plug_in")
    until(lambda: room.health("camera").state == "ok" and top.settled, "it is plugged in again")

    watcher = top._watcher
    assert watcher is not None
    before = watcher.status.plane
    demo.act("knock")
    until(
        lambda: watcher.status.plane.state != "locked" or watcher.status.plane is not before, "somebody knocked the rig"
    )
    until(lambda: watcher.status.plane.state == "locked" and top.settled, "the table is found again")

    moves = room.game_thread.opened.table.journal.last_number
    demo.act("go_on")  # not one step, which might be something wrong put right again
    until(lambda: room.game_thread.opened.table.journal.last_number > moves and room.agreed, "people play on")
    assert room.game_thread.failures == 0
