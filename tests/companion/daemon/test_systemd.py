"""The notifications to systemd on a real socket, and when none are sent."""

from __future__ import annotations

import os
import secrets
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.daemon.systemd import Heartbeat, Systemd


@pytest.fixture
def notices(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as line:
        line.bind(str(tmp_path / "notify"))
        line.settimeout(60)
        yield line


def told(notices: socket.socket) -> list[str]:
    """All notifications so far: a datagram arrives as soon as it is sent."""
    notices.setblocking(False)
    said = []
    try:
        while True:
            said.append(notices.recv(4096).decode())
    except BlockingIOError:
        return said


class Part:
    def __init__(self) -> None:
        self.steps, self.waits = 0, False


def test_ready_status_and_stopping(notices: socket.socket) -> None:
    systemd = Systemd(notices.getsockname())
    systemd.ready("no game;\neverything is fine")
    systemd.status("no game;\neverything is fine")
    systemd.status("camera: failed")
    systemd.stopping()
    assert told(notices) == [
        "READY=1\nSTATUS=no game; everything is fine",
        "STATUS=camera: failed",
        "STOPPING=1\nSTATUS=Stopping.",
    ]


def test_a_name_that_begins_with_an_at_sign_is_an_abstract_one() -> None:
    name = f"companion-{secrets.token_hex(8)}"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as notices:
        notices.bind(f"\0{name}")
        Systemd(f"@{name}").alive()
        assert told(notices) == ["WATCHDOG=1"]


def test_nobody_named_or_nobody_there_is_no_trouble(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    Systemd().ready("fine")
    assert caplog.text == ""
    deaf = Systemd(str(tmp_path / "nobody"))
    deaf.alive()
    deaf.alive()
    assert caplog.text.count("systemd does not hear us") == 1


def test_somebody_who_does_not_listen_makes_nobody_wait(notices: socket.socket) -> None:
    systemd = Systemd(notices.getsockname())
    for _ in range(2000):  # far more than a socket's queue holds
        systemd.alive()
    assert 0 < len(told(notices)) < 2000


@pytest.mark.parametrize(
    ("environment", "interval"),
    [
        ({"WATCHDOG_USEC": "30000000"}, 10.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": str(os.getpid())}, 10.0),
        ({"WATCHDOG_USEC": "30000000", "WATCHDOG_PID": "1"}, None),
        ({"WATCHDOG_USEC": "0"}, None),
        ({"WATCHDOG_USEC": "soon"}, None),
        ({}, None),
    ],
)
def test_a_sign_of_life_is_due_three_times_as_often_as_asked(
    environment: dict[str, str], interval: float | None
) -> None:
    assert Systemd.from_environment(environment).interval == interval


def test_the_heart_beats_only_while_every_part_goes_on(notices: socket.socket) -> None:
    game_thread, camera_thread = Part(), Part()
    heart = Heartbeat(Systemd(notices.getsockname(), 30.0), game_thread, camera_thread)
    assert not heart.beat(0.0), "nobody has done anything yet"
    game_thread.steps = camera_thread.steps = 1
    assert heart.beat(1.0)
    game_thread.steps = camera_thread.steps = 2
    assert not heart.beat(2.0), "not due"
    assert heart.beat(11.0)
    game_thread.steps = 3
    assert not heart.beat(21.0), "the camera thread hangs"
    camera_thread.steps = 3
    assert heart.beat(22.0)
    camera_thread.steps = 4
    assert not heart.beat(32.0), "the game thread hangs"
    assert told(notices) == ["WATCHDOG=1"] * 3


def test_a_camera_thread_that_waits_for_its_camera_does_not_stop_the_heartbeat(notices: socket.socket) -> None:
    game_thread, camera_thread = Part(), Part()
    camera_thread.waits = True
    heart = Heartbeat(Systemd(notices.getsockname(), 30.0), game_thread, camera_thread)
    for beats in range(1, 4):
        game_thread.steps += 1
        assert heart.beat(10.0 * beats)
