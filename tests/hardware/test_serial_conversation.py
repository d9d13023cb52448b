"""The conversation with a board and its parts, without port, thread or clock."""

from __future__ import annotations

import errno
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from companion.kernel.messages import Signal
from hardware.firmware.protocol import FROM_BOARD, TICKS, TO_BOARD, Listener, Speaker, checksum
from hardware.serial.conversation import OLDEST, BoardClock, BoardInfo, Conversation, Outbox, Patience
from hardware.serial.ports import PortTrouble, find_pico, open_port, why_closed

HELLO = ("hello", "1.0", 24, 6, 2, 4)


class Table:
    """One conversation, whose board and time are controlled by the test."""

    def __init__(self) -> None:
        self.now = 100.0
        self.outbox = Outbox()
        self.listener = Listener(FROM_BOARD)
        self.talk = Conversation("/dev/pico", self.listener, self.outbox, Patience(), self.now)
        self.board = Speaker()
        self.listener = Listener(TO_BOARD)

    def told(self) -> list[tuple[int | str, ...]]:
        """The output of the conversation, sent at once."""
        data = self.talk.speak(self.now)
        self.talk.sent(len(data))
        return [(message.word, *message.values) for message in self.listener.feed(data)]

    def say(self, word: str, *values: int | str) -> list[Signal]:
        return self.talk.hear(self.board.line(word, *values), self.now)

    def greet(self) -> None:
        self.told()
        self.say(*HELLO)
        assert self.told() == [("ping", 1)]


def test_a_talk_begins_with_hello_and_goes_on_with_pings() -> None:
    table = Table()
    assert table.told() == [("hello",)]
    assert table.told() == []
    table.now = 100.5
    assert table.told() == [("hello",)]
    table.say(*HELLO)
    assert table.talk.board == BoardInfo("1.0", 24, 6, 2, 4)
    assert table.told() == [("ping", 1)]
    assert table.told() == []
    table.now = table.talk.due
    assert table.now == 101.5
    assert table.told() == [("ping", 2)]


def test_a_board_that_never_says_hello_is_given_up() -> None:
    table = Table()
    table.now = 102.9
    table.told()
    table.now = 103.0
    with pytest.raises(PortTrouble, match="/dev/pico does not answer") as trouble:
        table.told()
    assert trouble.value.state == "refused"


@pytest.mark.parametrize(
    "chatter", [b"MicroPython v1.24\r\n>>> ", b"$GPGGA,1,2*33\r\n", b"\x00", b"!1 0 hello #d3dc\n"]
)
def test_a_device_that_speaks_something_else_is_told_from_a_silent_one(chatter: bytes) -> None:
    table = Table()
    table.talk.hear(chatter, table.now)
    table.now = 103.0
    with pytest.raises(PortTrouble, match="speaks something else"):
        table.told()


def test_a_board_that_stops_answering_is_given_up_though_the_cable_is_in() -> None:
    table = Table()
    table.greet()
    table.now = 102.9
    table.say("pong", 1, 4)
    table.now = 105.8
    table.told()
    table.now = 105.9
    with pytest.raises(PortTrouble, match="stopped answering") as trouble:
        table.told()
    assert trouble.value.state == "searching"


def test_a_board_of_another_version_is_refused_at_once() -> None:
    table = Table()
    body = b"2 0 hello 9.9 24 6 2 4"
    with pytest.raises(PortTrouble, match=r"speaks version 2 .* version 1: flash") as trouble:
        table.talk.hear(b"!" + body + f" #{checksum(body):04x}\n".encode(), table.now)
    assert trouble.value.state == "refused"


def test_presses_and_the_disc_become_signals() -> None:
    table = Table()
    table.greet()
    table.now = 100.002
    table.say("pong", 1, 5001)  # the board's 5001 was our 100.001
    table.now = 100.52
    assert table.say("press", 2, 5511) == [Signal(kind="press", source="serial button 2", at=pytest.approx(100.511))]
    assert table.say("release", 2, 5515) == []
    assert table.say("dial", 3, 5519) == [
        Signal(kind="dial", source="disc", at=pytest.approx(100.519), value=3),
    ]


def test_a_press_before_hello_was_meant_for_somebody_else() -> None:
    table = Table()
    assert table.say("press", 2, 5511) == []


def test_a_late_pong_to_an_older_ping_measures_nothing() -> None:
    table = Table()
    table.greet()
    table.now = 101.0
    table.told()
    table.say("pong", 1, 5)
    assert table.talk.round_trip is None
    table.say("pong", 2, 5)
    assert table.talk.round_trip == 0


def test_a_board_that_begins_anew_is_told_everything_again() -> None:
    table = Table()
    table.outbox.set("ring", "ring", 4, "00ff00", 255)
    table.told()
    table.say(*HELLO)
    assert [told[0] for told in table.told() + table.told()] == ["ping", "ring"]
    table.say("pong", 1, 900000)
    table.board = Speaker()
    table.say(*HELLO)
    assert table.talk.round_trip is None
    assert [told[0] for told in table.told() + table.told()] == ["ping", "ring"]
    assert table.listener.missed == 0


def test_what_the_board_complains_of_is_kept() -> None:
    table = Table()
    table.greet()
    table.say("error", "the", "disc", "is", "lost")
    assert table.talk.complaint == "the disc is lost"


def test_a_clogged_port_gets_only_the_newest_ring() -> None:
    table = Table()
    table.greet()
    table.outbox.set("ring", "ring", 24, "00ff00", 255)
    stuck = table.talk.speak(table.now)
    for lit in range(23, 5, -1):
        table.outbox.set("ring", "ring", lit, "00ff00", 255)
        assert table.talk.speak(table.now) == stuck
    table.talk.sent(3)
    assert table.talk.speak(table.now) == stuck[3:]
    table.talk.sent(len(stuck) - 3)
    assert table.told() == [("ring", 6, "00ff00", 255)]
    assert table.told() == []


def test_the_outbox_keeps_states_and_forgets_old_sounds() -> None:
    outbox = Outbox()
    outbox.set("light 1", "light", 1, 5)
    outbox.set("light 2", "light", 2, 5)
    outbox.set("light 1", "light", 1, 9)
    for name in ("ready", "start", "last_five", "last_five", "stop"):
        outbox.sound(name)
    said = outbox.take()
    assert said[:2] == [("light", (1, 9)), ("light", (2, 5))]
    assert [values[0] for _, values in said[2:]] == ["start", "last_five", "last_five", "stop"]
    assert outbox.take() == []
    outbox.sound("stop")
    outbox.renew()
    assert outbox.take() == [("light", (1, 9)), ("light", (2, 5))]


def test_what_no_board_could_show_is_refused_where_it_is_asked_for() -> None:
    outbox = Outbox()
    with pytest.raises(ValueError, match="25 is no number from 0 to 24"):
        outbox.set("ring", "ring", 25, "00ff00", 255)
    with pytest.raises(ValueError, match="tada"):
        outbox.sound("tada")
    assert outbox.take() == []


def test_without_a_ping_a_press_happened_when_it_arrived() -> None:
    assert BoardClock().time_of(123, 50.0) == 50.0


def test_the_quickest_round_trip_is_believed() -> None:
    clock = BoardClock()
    clock.measure(10.0, 10.002, 1001)
    clock.measure(11.0, 11.040, 2000)  # slow on the way there: its middle is 20 ms off
    assert clock.time_of(3000, 12.01) == pytest.approx(12.0)
    assert clock.round_trip == pytest.approx(0.04)


def test_the_clock_goes_on_when_the_boards_milliseconds_begin_anew() -> None:
    clock = BoardClock()
    clock.measure(10.0, 10.0, TICKS - 500)
    assert clock.time_of(500, 11.02) == pytest.approx(11.0)


@given(st.lists(st.tuples(st.floats(0, 1), st.integers(0, TICKS - 1)), max_size=12), st.integers(0, TICKS - 1))
def test_no_press_is_in_the_future_or_long_past(trips: list[tuple[float, int]], ticks: int) -> None:
    clock = BoardClock()
    for length, there in trips:
        clock.measure(1000.0, 1000.0 + length, there)
    assert 1002.0 - OLDEST <= clock.time_of(ticks, 1002.0) <= 1002.0


def listed(device: str, vid: int | None, pid: int | None = None) -> SimpleNamespace:
    return SimpleNamespace(device=device, vid=vid, pid=pid)


def test_auto_takes_the_pico_and_rather_one_with_micropython() -> None:
    ports = [listed("/dev/ttyS0", None), listed("/dev/ttyUSB0", 0x1A86, 5), listed("/dev/ttyACM1", 0x2E8A, 0x000C)]
    assert find_pico(lambda: ports) == "/dev/ttyACM1"
    ports += [listed("/dev/ttyACM3", 0x2E8A, 0x0005), listed("/dev/ttyACM2", 0x2E8A, 0x0005)]
    assert find_pico(lambda: ports) == "/dev/ttyACM2"


def test_auto_without_a_pico_says_so() -> None:
    with pytest.raises(PortTrouble, match="No Pico is plugged in") as trouble:
        find_pico(lambda: [listed("/dev/ttyS0", None)])
    assert trouble.value.state == "searching"


@pytest.mark.parametrize(
    ("number", "state", "told"),
    [
        (errno.ENOENT, "searching", "There is no serial port /dev/x"),
        (errno.EACCES, "refused", "may not open the serial port /dev/x: add the user to the group dialout"),
        (errno.EBUSY, "refused", "/dev/x is used by another program"),
        (errno.ENOTTY, "refused", "/dev/x cannot be opened as a serial port"),
    ],
)
def test_a_port_that_cannot_be_opened_is_one_sentence(number: int, state: str, told: str) -> None:
    trouble = why_closed("/dev/x", OSError(number, "no"))
    assert trouble.state == state
    assert told in trouble.sentence
    assert trouble.sentence.endswith(".")


def test_a_file_is_no_port(tmp_path) -> None:
    file = tmp_path / "notes.txt"
    file.write_text("no port")
    with pytest.raises(PortTrouble, match="cannot be opened as a serial port"):
        open_port(str(file))
    with pytest.raises(PortTrouble):
        open_port("nul\0byte")
