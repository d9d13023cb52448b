"""The whole daemon starts, checks its health, and stops without losing a message."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from companion.daemon import app as daemons
from companion.daemon.app import Daemon
from companion.daemon.game_thread import GameThread
from companion.daemon.health import Health
from companion.daemon.inbox import Inbox
from companion.daemon.journal_folder import JournalFolder
from companion.daemon.systemd import Systemd
from companion.kernel.events import EventBus

from .tiny import TWO, TinyTable, command, echo, now, press


class Quiet:
    """A source without messages."""

    steps, waits = 0, True

    def __init__(self, name: str, said: list[str], fails: bool = False) -> None:
        self.name, self.said, self.fails = name, said, fails

    def start(self) -> None:
        if self.fails:
            raise OSError("no such thing")
        self.said.append(f"{self.name} starts")

    def stop(self) -> None:
        self.said.append(f"{self.name} stops")

    def health(self) -> Iterable[Health]:
        return [Health(self.name, "ok", "It is quiet.")]


class Place:
    def __init__(self, home: Path) -> None:
        self.notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notices.bind(str(home / "notify"))
        self.notices.settimeout(60)
        self.said: list[str] = []
        self.sources = [Quiet("camera", self.said), Quiet("web", self.said)]
        self.inbox, self.bus = Inbox(), EventBus()
        self.game_thread = GameThread(self.inbox, self.bus, JournalFolder(home, TinyTable, now))
        self.game_thread.begin(TWO)
        opened = self.game_thread.opened
        assert opened is not None
        assert isinstance(opened.table, TinyTable)
        self.table = opened.table
        self.table.hanging.clear()
        self.table.go_on.clear()
        self.looks = threading.Semaphore(0)
        systemd = Systemd(str(home / "notify"), 0.06)
        self.daemon = Daemon(home, self.inbox, self.bus, self.game_thread, self.sources, systemd, self.others)
        self.results: list[bool] = []
        self.thread = threading.Thread(target=lambda: self.results.append(self.daemon.run()))

    def others(self) -> Iterable[Health]:
        self.looks.release()
        return [Health("buzzer", "absent", "There is none.")]

    def until(self, words: str) -> list[str]:
        """The notifications to systemd, up to these words."""
        heard = [self.notices.recv(4096).decode()]
        while words not in heard[-1]:
            heard.append(self.notices.recv(4096).decode())
        return heard

    def stopped(self) -> bool:
        self.daemon.stop()
        self.thread.join(60)
        assert not self.thread.is_alive()
        return self.results[0]


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path)
    yield place
    place.table.go_on.set()
    place.daemon.stop()
    if place.thread.ident is not None:
        place.thread.join(60)
    place.notices.close()


def test_systemd_hears_ready_then_signs_of_life_then_stopping(place: Place) -> None:
    place.thread.start()
    assert place.until("READY=1")[0].startswith("READY=1\nSTATUS=tumult_royale; ")
    place.until("WATCHDOG=1")
    place.until("WATCHDOG=1")
    assert place.stopped()
    place.until("STOPPING=1")
    assert place.said == ["camera starts", "web starts", "web stops", "camera stops"]
    assert place.table.closed


def test_no_sign_of_life_while_the_game_thread_hangs(place: Place) -> None:
    place.thread.start()
    place.until("WATCHDOG=1")
    place.inbox.put(command("hang"))
    assert place.table.hanging.wait(60)
    # Two more looks, after which everything that was done before it hung has been told …
    looked(place, 4)
    place.notices.setblocking(False)
    drained(place.notices)
    # … and many in which there is nothing to tell.
    looked(place, 20)
    assert "WATCHDOG=1" not in drained(place.notices)
    place.notices.settimeout(60)
    place.table.go_on.set()
    place.until("WATCHDOG=1")


def looked(place: Place, times: int) -> None:
    while place.looks.acquire(blocking=False):
        pass
    for _ in range(times):
        assert place.looks.acquire(timeout=60)


def drained(notices: socket.socket) -> list[str]:
    said = []
    try:
        while True:
            said.append(notices.recv(4096).decode())
    except BlockingIOError:
        return said


def test_no_sign_of_life_while_the_camera_thread_hangs(place: Place) -> None:
    place.sources[0].waits = False
    place.thread.start()
    place.until("READY=1")
    looked(place, 20)
    place.notices.setblocking(False)
    assert "WATCHDOG=1" not in drained(place.notices)
    place.notices.settimeout(60)
    place.sources[0].steps = 1
    place.until("WATCHDOG=1")


def test_a_stop_takes_what_is_in_the_inbox_and_listeners_hear_of_it(place: Place) -> None:
    listener, _ = place.bus.listen()
    place.thread.start()
    place.until("READY=1")
    place.inbox.put(command("hang"))
    assert place.table.hanging.wait(60)
    asked = [echo("said", n=n) for n in range(300)]
    for message in asked:
        place.inbox.put(message)
    place.inbox.put(press())
    place.daemon.stop()
    place.until("STOPPING=1")
    place.table.go_on.set()
    assert place.stopped()
    assert [message for message in place.table.taken if message in asked] == asked
    heard = []
    while (news := listener.get(60)) is not None:
        heard.append(news)
    assert len(heard) == 301


def test_a_table_that_hangs_at_the_end_is_not_waited_for_for_ever(
    place: Place, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(daemons, "LAST_MESSAGES", 0.05)
    place.thread.start()
    place.until("READY=1")
    place.inbox.put(command("hang"))
    assert place.table.hanging.wait(60)
    place.inbox.put(command("undo"))
    assert place.stopped() is False
    assert "The table still hangs in a message; 1 others were not taken." in caplog.text
    assert place.said[-2:] == ["web stops", "camera stops"]


def test_health_is_told_of_every_part(place: Place) -> None:
    names = [part.name for part in place.daemon.health()]
    assert names == ["table", "journal", "disk", "temperature", "undervoltage", "versions", "camera", "web", "buzzer"]


def test_a_source_that_cannot_start_ends_the_daemon_and_leaves_nothing_open(place: Place) -> None:
    place.sources[1].fails = True
    with pytest.raises(OSError, match="no such thing"):
        place.daemon.run()
    assert place.said == ["camera starts", "camera stops"]
    assert place.table.closed
