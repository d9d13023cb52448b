"""The serial link over a real terminal device, with the firmware's own program at the other end."""

from __future__ import annotations

import errno
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from companion.kernel.messages import Signal
from hardware.firmware.protocol import checksum
from hardware.mock import PluggedBoard
from hardware.serial.conversation import Patience
from hardware.serial.link import SerialHealth, SerialLink
from hardware.serial.ports import find_pico, open_port, why_closed
from tests.hardware.serial_cable import GENEROUS, Cable, Clock, Inbox, Stranger

BRISK = Patience(first_pause=0.01, longest_pause=0.05, hello_every=0.05, ping_every=0.05, answer_within=GENEROUS)
HASTY = Patience(first_pause=0.01, longest_pause=0.05, hello_every=0.02, ping_every=0.05, answer_within=0.2)


@pytest.fixture
def inbox() -> Inbox:
    return Inbox()


@pytest.fixture
def cable(tmp_path: Path) -> Cable:
    return Cable(tmp_path / "pico")


@pytest.fixture
def linked(cable: Cable, inbox: Inbox) -> Iterator[Callable[..., SerialLink]]:
    links: list[SerialLink] = []

    def link(patience: Patience = BRISK, clock: Callable[[], float] = time.monotonic) -> SerialLink:
        links.append(SerialLink(str(cable.path), inbox.put, clock, patience=patience))
        return links[-1]

    yield link
    for each in links:
        each.close()
        ended(each)


@pytest.fixture
def plugged(cable: Cable) -> Iterator[Callable[[], PluggedBoard]]:
    boards: list[PluggedBoard] = []

    def plug() -> PluggedBoard:
        boards.append(PluggedBoard())
        cable.plug(boards[-1].port)
        return boards[-1]

    yield plug
    for board in boards:
        with suppress(OSError):
            board.unplug()


def ended(link: SerialLink) -> None:
    """Closing gives the thread less than a second, which it may need on a busy machine."""
    link._thread.join(GENEROUS)
    assert not link._thread.is_alive()


def until(link: SerialLink, true: Callable[[SerialHealth], bool]) -> SerialHealth:
    """Wait until the health meets a condition, by polling it."""
    deadline = time.monotonic() + GENEROUS
    look = threading.Event()
    while not true(health := link.health()):
        assert time.monotonic() < deadline, health
        look.wait(0.002)
    return health


def connected(health: SerialHealth) -> bool:
    return health.state == "connected" and health.round_trip is not None


def test_a_board_that_is_there_is_simply_connected(linked, plugged, inbox: Inbox, cable: Cable) -> None:
    plugged()
    health = until(linked(), connected)
    assert health.sentence == f"The board on {cable.path} is connected, firmware 1.0."
    assert health.firmware == "1.0"
    assert (health.board.ring, health.board.buttons, health.board.sectors) == (24, 6, 4)
    assert 0 < health.round_trip < GENEROUS
    assert inbox.signals == []


def test_the_ring_the_lights_and_the_buzzer_do_as_they_are_told(linked, plugged) -> None:
    board, link = plugged(), linked()
    link.ring(6, "0000ff")
    assert board.until(lambda desk: desk.pixels == [(0, 0, 64)] * 6 + [(0, 0, 0)] * 18)
    link.pixels(["ff0000"] * 24)
    assert board.until(lambda desk: desk.pixels == [(64, 0, 0)] * 24)
    link.light(2, 99)
    assert board.until(lambda desk: desk.levels[2] == 99)
    link.sound("stop")
    assert board.until(lambda desk: desk.hertz == 392)
    link.quiet(True)
    assert board.until(lambda desk: desk.hertz == 0)


def test_a_press_is_a_signal_with_the_time_it_happened(linked, plugged, inbox: Inbox) -> None:
    board, link = plugged(), linked()
    until(link, connected)
    before = time.monotonic()
    board.board.down[1] = True
    (press,) = inbox.wait_for("press")
    assert press.source == "serial button 2"
    assert before - 0.05 <= press.at <= time.monotonic()


def test_the_disc_tells_its_sector_when_the_arrow_rests(linked, plugged, inbox: Inbox) -> None:
    board, link = plugged(), linked()
    until(link, connected)
    board.board.points_at = 3
    (dial,) = inbox.wait_for("dial")
    assert (dial.source, dial.value) == ("disc", 3)


def test_pulled_and_plugged_again_on_another_port(linked, plugged, inbox: Inbox) -> None:
    first, link = plugged(), linked()
    link.ring(3, "00ff00")
    assert first.until(lambda desk: desk.pixels[2] == (0, 64, 0))
    first.unplug()
    (lost,) = inbox.wait_for("lost")
    assert lost.source == "serial"
    assert until(link, lambda health: health.state == "searching").sentence
    second = plugged()
    inbox.wait_for("lost", "back")
    assert second.until(lambda desk: desk.pixels[2] == (0, 64, 0)), "the ring shows what it showed before"
    second.board.down[0] = True
    assert inbox.wait_for("lost", "back", "press")[1].source == "serial"
    second.unplug()
    inbox.wait_for("lost", "back", "press", "lost")


def test_an_unplugged_cable_is_noticed_without_waiting_for_a_ping(linked, plugged, inbox: Inbox) -> None:
    patient = Patience(ping_every=60.0, answer_within=120.0)
    board, link = plugged(), linked(patient)
    until(link, connected)
    board.unplug()
    inbox.wait_for("lost")
    assert "was unplugged" in until(link, lambda health: health.state == "searching").sentence


def test_a_board_that_comes_late_is_lost_first_and_then_back(linked, plugged, inbox: Inbox, cable: Cable) -> None:
    link = linked()
    inbox.wait_for("lost")
    assert f"There is no serial port {cable.path}" in link.health().sentence
    plugged()
    inbox.wait_for("lost", "back")
    until(link, connected)


def test_garbage_on_the_line_is_counted_and_harms_nothing(linked, plugged, inbox: Inbox) -> None:
    board, link = plugged(), linked()
    until(link, connected)
    board.send_garbage(b"\xff\x00\x80 noise\n!1 9 press 1 77 #0000\n" + b"x" * 1000 + b"\n")
    until(link, lambda health: health.counts.garbage and health.counts.bad_checksum and health.counts.too_long)
    board.board.down[4] = True
    (press,) = inbox.wait_for("press")
    assert press.source == "serial button 5"
    assert link.health().counts.too_long == 1


def line_of_version_2(text: bytes) -> bytes:
    return b"!2 " + text + f" #{checksum(b'2 ' + text):04x}\n".encode()


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (line_of_version_2(b"0 hello 2.0 24 6 2 4 colourful"), "speaks version 2 of the line protocol"),
        (b"\r\n>>> ", "speaks something else than the line protocol"),
        (b"", "does not answer"),
    ],
)
def test_a_device_that_is_none_of_ours_is_refused(linked, inbox: Inbox, cable: Cable, answer: bytes, told: str) -> None:
    device = Stranger(answer)
    cable.plug(device.port)
    link = linked(HASTY)
    assert until(link, lambda health: told in health.sentence).state == "refused"
    inbox.wait_for("lost")
    device.unplug()


def test_the_right_board_is_taken_after_the_wrong_one(linked, plugged, inbox: Inbox, cable: Cable) -> None:
    device = Stranger(line_of_version_2(b"0 hello 2.0 24 6 2 4"))
    cable.plug(device.port)
    link = linked()
    inbox.wait_for("lost")
    plugged()
    inbox.wait_for("lost", "back")
    until(link, connected)
    device.unplug()


def test_a_board_that_freezes_is_lost_though_its_cable_is_in(linked, plugged, inbox: Inbox) -> None:
    clock = Clock()
    board, link = plugged(), linked(clock=clock)
    until(link, connected)
    with board.turned:  # the program cannot take its turn
        clock.ahead += BRISK.answer_within
        inbox.wait_for("lost")
        assert "stopped answering" in until(link, lambda health: health.state == "searching").sentence
    inbox.wait_for("lost", "back")


def test_a_board_that_does_not_read_holds_nobody_up(linked, plugged, inbox: Inbox) -> None:
    clock = Clock()
    board, link = plugged(), linked(clock=clock)
    until(link, connected)
    with board.turned:
        begun = time.monotonic()
        for lit in itertools.islice(itertools.cycle(range(25)), 2000):
            link.ring(lit, "00ff00")
            link.sound("ready")
        assert time.monotonic() - begun < GENEROUS
        link.ring(7, "0000ff")
        clock.ahead += BRISK.answer_within
        inbox.wait_for("lost")
    inbox.wait_for("lost", "back")
    assert board.until(lambda desk: desk.pixels == [(0, 0, 64)] * 7 + [(0, 0, 0)] * 17)


def test_a_busy_port_is_refused_until_it_is_free(linked, plugged, inbox: Inbox) -> None:
    other = open_port(plugged().port)
    link = linked()
    health = until(link, lambda health: health.state == "refused")
    assert "is used by another program" in health.sentence
    other.close()
    inbox.wait_for("lost", "back")


def test_no_permission_is_a_sentence_and_no_exception(inbox: Inbox) -> None:
    def opened(name: str):
        raise why_closed(name, PermissionError(errno.EACCES, "Permission denied"))

    with SerialLink("/dev/ttyACM0", inbox.put, patience=BRISK, opened=opened) as link:
        inbox.wait_for("lost")
        assert (link.health().state, "dialout" in link.health().sentence) == ("refused", True)


def test_even_an_unexpected_error_does_not_end_the_link(plugged, inbox: Inbox) -> None:
    stumbles = iter([ZeroDivisionError("oops"), MemoryError()])
    board = plugged()

    def opened(name: str):
        for stumble in stumbles:
            raise stumble
        return open_port(name)

    with SerialLink(board.port, inbox.put, patience=BRISK, opened=opened) as link:
        inbox.wait_for("lost", "back")
        until(link, connected)


def test_an_inbox_that_raises_does_not_end_the_link(plugged, inbox: Inbox) -> None:
    board = plugged()

    def put(signal: Signal) -> None:
        inbox.put(signal)
        raise RuntimeError("the table is closed")

    with SerialLink(board.port, put, patience=BRISK) as link:
        until(link, connected)
        board.board.down[0] = True
        inbox.wait_for("press")
        board.board.down[1] = True
        inbox.wait_for("press", "press")


def test_pauses_between_attempts_grow_up_to_the_longest() -> None:
    times: list[float] = []
    enough = threading.Event()

    def opened(name: str):
        times.append(time.monotonic())
        if len(times) == 6:
            enough.set()
        raise why_closed(name, FileNotFoundError(errno.ENOENT, "none"))

    patience = Patience(first_pause=0.01, longest_pause=0.04)
    with SerialLink("/dev/none", lambda _: None, patience=patience, opened=opened):
        assert enough.wait(GENEROUS)
    gaps = [later - earlier for earlier, later in itertools.pairwise(times[:6])]
    assert all(gap >= least for gap, least in zip(gaps, [0.01, 0.02, 0.04, 0.04, 0.04], strict=True)), gaps


def test_auto_finds_the_board_and_names_its_port(plugged, inbox: Inbox) -> None:
    board = plugged()
    with SerialLink("auto", inbox.put, patience=BRISK, find=lambda: board.port) as link:
        assert until(link, connected).port == board.port


def test_auto_without_a_board_searches(inbox: Inbox) -> None:
    with SerialLink("auto", inbox.put, patience=BRISK, find=lambda: find_pico(list)) as link:
        inbox.wait_for("lost")
        assert link.health().sentence.startswith("No Pico is plugged in")


@pytest.mark.parametrize("there", [True, False])
def test_closing_waits_for_no_pause_and_no_ping(linked, plugged, inbox: Inbox, there: bool) -> None:
    hour = 3600.0
    slow = Patience(first_pause=hour, longest_pause=hour, ping_every=hour, answer_within=hour)
    link = SerialLink(plugged().port if there else "/dev/none", inbox.put, patience=slow)
    until(link, lambda health: connected(health) or not there)
    link.close()
    link.close()
    ended(link)
    link.ring(3, "ffffff")
    assert link.health().sentence == "The serial link is closed."


def test_closing_does_not_wait_for_an_inbox_that_hangs(plugged) -> None:
    hung, release = threading.Event(), threading.Event()

    def put(_signal: Signal) -> None:
        hung.set()
        release.wait(GENEROUS)

    link = SerialLink("/dev/none", put)
    assert hung.wait(GENEROUS)
    begun = time.monotonic()
    link.close()
    assert time.monotonic() - begun < GENEROUS / 2
    release.set()
