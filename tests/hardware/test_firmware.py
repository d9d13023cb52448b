"""The firmware's program on a mock board, in steps of a millisecond."""

from __future__ import annotations

import importlib
import runpy
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hardware import firmware
from hardware.firmware import program
from hardware.firmware.disc import EncoderDisc, SectorDisc
from hardware.firmware.program import BRIGHTEST, QUIET_MS, REST_MS, SILENCE_MS, TUNES, Program
from hardware.firmware.protocol import (
    FROM_BOARD,
    RING,
    SOUNDS,
    TICKS,
    Listener,
    Speaker,
    checksum,
)
from hardware.mock import DeskBoard

DARK = (0, 0, 0)


class Desk:
    """A board, its program, and a Pi that has said hello."""

    def __init__(self, greeted: bool = True, now: int = 5000) -> None:
        self.board = DeskBoard()
        self.board.now = now
        self.program = Program(self.board)
        self.speaker = Speaker()
        self.listener = Listener(FROM_BOARD)
        if greeted:
            assert self.say("hello") == [("hello", "1.0", 24, 6, 2, 4)]

    def say(self, word: str, *values: int | str) -> list[tuple[int | str, ...]]:
        self.board.came += self.speaker.line(word, *values)
        return self.step()

    def step(self) -> list[tuple[int | str, ...]]:
        self.program.step()
        wrote, self.board.wrote = self.board.wrote, b""
        return [(message.word, *message.values) for message in self.listener.feed(wrote)]

    def wait(self, milliseconds: int) -> list[tuple[int | str, ...]]:
        told = []
        for _ in range(milliseconds):
            self.board.now += 1
            told += self.step()
        return told

    def lit(self) -> list[tuple[int, ...]]:
        return [pixel for pixel in self.board.pixels if pixel != DARK]


def test_the_ring_shows_the_time_left_as_a_bar() -> None:
    desk = Desk()
    desk.say("ring", 18, "ff8000", 255)
    assert desk.board.pixels == [(BRIGHTEST, BRIGHTEST // 2, 0)] * 18 + [DARK] * 6
    desk.say("ring", 0, "ff8000", 255)
    assert desk.lit() == []


def test_no_ring_is_brighter_than_a_usb_port_can_feed() -> None:
    desk = Desk()
    desk.say("ring", RING, "ffffff", 255)
    assert desk.board.pixels == [(BRIGHTEST,) * 3] * RING


def test_each_led_can_have_a_colour_of_its_own() -> None:
    desk = Desk()
    desk.say("pixels", 255, "ff0000" + "0000ff")
    assert desk.board.pixels == [(BRIGHTEST, 0, 0), (0, 0, BRIGHTEST)] + [DARK] * 22


def test_the_ring_does_not_count_down_by_itself_and_goes_dark_when_the_pi_is_silent() -> None:
    desk = Desk()
    desk.say("ring", 5, "ff0000", 255)
    desk.say("light", 2, 80)
    desk.wait(SILENCE_MS - 1)
    assert len(desk.lit()) == 5
    desk.wait(1)
    assert desk.lit() == []
    assert desk.board.levels[2] == 0


def test_any_good_line_keeps_the_ring_alight_but_garbage_does_not() -> None:
    desk = Desk()
    desk.say("ring", 5, "ff0000", 255)
    desk.wait(SILENCE_MS - 1)
    desk.say("ping", 1)
    desk.wait(SILENCE_MS - 1)
    assert len(desk.lit()) == 5
    desk.board.came = b"!1 0 ping 7 #0000\n\xff\xfe\n"
    desk.wait(1)
    assert desk.lit() == []


def test_after_a_silence_the_board_says_hello_so_that_the_pi_says_everything_again() -> None:
    desk = Desk()
    desk.wait(SILENCE_MS)
    assert [told[0] for told in desk.say("ping", 9)] == ["hello", "pong"]
    assert [told[0] for told in desk.say("ping", 10)] == ["pong"]


def test_the_board_is_silent_while_nobody_listens() -> None:
    desk = Desk(greeted=False)
    desk.board.down[0] = True
    assert desk.wait(100) == []


def test_a_press_counts_at_its_first_edge_with_the_boards_own_time() -> None:
    desk = Desk()
    desk.board.down[1] = True
    assert desk.step() == [("press", 2, 5000)]
    desk.wait(100)
    desk.board.down[1] = False
    assert desk.step() == [("release", 2, 5100)]


@given(st.lists(st.integers(1, 6), max_size=4), st.lists(st.integers(1, 6), max_size=4), st.integers(0, TICKS - 1))
def test_bouncing_contacts_neither_lose_nor_invent_a_press(closing: list[int], opening: list[int], now: int) -> None:
    """Each number is the time until the next bounce; bouncing ends within 25 ms."""
    desk = Desk(now=now)
    told = []
    for down, bounces in ((True, closing), (False, opening)):
        desk.board.down[0] = down
        for length in bounces:
            told += desk.wait(length)
            desk.board.down[0] = not down
            told += desk.wait(1)
            desk.board.down[0] = down
        told += desk.wait(40)
    assert [event[:2] for event in told] == [("press", 1), ("release", 1)]


def test_presses_sixty_milliseconds_apart_are_two() -> None:
    desk = Desk()
    told = []
    for down in (True, False, True, False):
        desk.board.down[3] = down
        told += desk.wait(QUIET_MS)
    assert [event[0] for event in told] == ["press", "release", "press", "release"]


def test_a_tap_shorter_than_the_quiet_time_is_a_press_and_a_release() -> None:
    desk = Desk()
    desk.board.down[0] = True
    told = desk.wait(5)
    desk.board.down[0] = False
    told += desk.wait(40)
    assert [event[0] for event in told] == ["press", "release"]


def test_a_ping_is_answered_with_the_boards_time() -> None:
    desk = Desk()
    assert desk.say("ping", 77) == [("pong", 77, 5000)]


def test_every_sound_has_a_tune_of_its_own_that_ends() -> None:
    assert set(TUNES) == set(SOUNDS)
    assert len(set(TUNES.values())) == len(SOUNDS)
    for name in SOUNDS:
        desk = Desk()
        desk.say("sound", name)
        assert desk.board.hertz == TUNES[name][0][0]
        desk.wait(sum(length for _, length in TUNES[name]))
        assert desk.board.hertz == 0
        assert desk.board.tones == [hertz for hertz, _ in TUNES[name] if hertz]


def test_quiet_stops_the_sound_and_lets_none_begin() -> None:
    desk = Desk()
    desk.say("sound", "stop")
    desk.say("quiet", 1)
    assert desk.board.hertz == 0
    desk.say("sound", "stop")
    assert desk.board.hertz == 0
    desk.say("quiet", 0)
    desk.say("sound", "stop")
    assert desk.board.hertz > 0


def test_a_light_that_is_not_there_is_complained_of() -> None:
    desk = Desk()
    desk.say("light", 1, 200)
    assert desk.board.levels[1] == 200
    (complaint,) = desk.say("light", 3, 200)
    assert " ".join(map(str, complaint)) == "error this board has 2 lights and no light 3"


def test_a_newer_pi_is_refused_with_a_sentence() -> None:
    desk = Desk(greeted=False)
    body = b"2 0 hello"
    desk.board.came = b"!" + body + f" #{checksum(body):04x}\n".encode()
    (refusal,) = desk.step()
    assert " ".join(map(str, refusal)) == "error this board speaks version 1, not 2"


def test_the_arrow_is_told_of_when_it_rests_even_where_it_was_before() -> None:
    desk = Desk()
    told = []
    for sector in (2, 3, 4, 1, 2, 3, 4, 1):
        desk.board.points_at = sector
        told += desk.wait(60)
    assert told == []
    assert desk.wait(REST_MS) == [("dial", 1, 5000 + 7 * 60 + 1 + REST_MS)]
    assert desk.wait(1000) == []


@pytest.mark.parametrize(("turn", "sector"), [(0, 1), (19, 1), (20, 2), (79, 4), (80, 1), (-1, 4), (-21, 3)])
def test_an_encoder_counts_steps_both_ways_round(turn: int, sector: int) -> None:
    position = 0
    code = (0, 1, 3, 2)
    disc = EncoderDisc(lambda: code[position % 4], 80)
    for _ in range(abs(turn)):
        position += 1 if turn > 0 else -1
        disc.edge()
    assert (disc.sector(), disc.lost) == (sector, False)


def test_an_encoder_that_missed_an_edge_says_so_instead_of_a_wrong_sector() -> None:
    desk = Desk()
    seen = iter((0, 1, 2, 0))  # from 1 to 2 both bits change at once
    disc = EncoderDisc(lambda: next(seen), 80)
    desk.board.disc = disc  # type: ignore[assignment]
    desk.program = Program(desk.board)
    desk.say("hello")
    for _ in range(3):
        disc.edge()
    (told,) = desk.wait(REST_MS + 1)
    assert told[0] == "error"
    assert "disc" in told


def test_a_sector_disc_names_its_four_sectors() -> None:
    assert [SectorDisc(lambda code=code: code).sector() for code in (0, 1, 3, 2)] == [1, 2, 3, 4]


class Pin:
    """A Pico's pin, with the parts that `board.py` uses."""

    IN, OUT, PULL_UP, IRQ_RISING, IRQ_FALLING = 0, 1, 2, 4, 8
    made: dict[int, Pin]

    def __init__(self, number: int, *modes: int) -> None:
        self.level = 1
        Pin.made[number] = self

    def value(self) -> int:
        return self.level


class PWM:
    def __init__(self, pin: Pin, freq: int, duty_u16: int) -> None:
        self.freq_set, self.duty = freq, duty_u16
        pin.pwm = self  # type: ignore[attr-defined]

    def freq(self, hertz: int) -> None:
        self.freq_set = hertz

    def duty_u16(self, duty: int) -> None:
        self.duty = duty


class NeoPixel(dict[int, tuple[int, ...]]):
    written: list[dict[int, tuple[int, ...]]]

    def __init__(self, pin: Pin, count: int) -> None:
        super().__init__()
        NeoPixel.written = []

    def write(self) -> None:
        NeoPixel.written.append(dict(self))


class Line:
    """Standard input and output of a Pico: bytes, one at a time."""

    def __init__(self) -> None:
        self.came, self.wrote = b"", b""
        self.buffer = self

    def read(self, count: int) -> bytes:
        data, self.came = self.came[:count], self.came[count:]
        return data

    def write(self, data: bytes) -> None:
        self.wrote += data


def test_main_drives_the_pins_and_leaves_the_ring_dark(monkeypatch: pytest.MonkeyPatch) -> None:
    """`board.py` and `main.py` as they lie on the Pico, on doubles of MicroPython's own modules."""
    line, naps, Pin.made = Line(), [], {}
    speaker = Speaker()
    line.came = speaker.line("hello") + speaker.line("ring", 2, "ff0000", 255) + speaker.line("light", 2, 255)
    line.came += speaker.line("sound", "stop")

    def sleep_ms(_length: int) -> None:
        naps.append(1)
        Pin.made[4].level = 0
        if len(naps) == 10:
            assert (Pin.made[15].pwm.freq_set, Pin.made[15].pwm.duty) == (392, 32768)  # type: ignore[attr-defined]
            assert Pin.made[19].pwm.duty == 65535  # type: ignore[attr-defined]
            raise KeyboardInterrupt

    poll = SimpleNamespace(register=lambda *_: None, poll=lambda _: [1] if line.came else [])
    monkeypatch.setitem(sys.modules, "machine", SimpleNamespace(Pin=Pin, PWM=PWM))
    monkeypatch.setitem(sys.modules, "neopixel", SimpleNamespace(NeoPixel=NeoPixel))
    board = importlib.import_module("hardware.firmware.board")
    monkeypatch.delitem(sys.modules, "hardware.firmware.board")  # it holds on to the doubles
    monkeypatch.setattr(board, "select", SimpleNamespace(poll=lambda: poll, POLLIN=1))
    monkeypatch.setattr(board, "sys", SimpleNamespace(stdin=line, stdout=line))
    monkeypatch.setattr(board, "time", SimpleNamespace(ticks_ms=lambda: len(naps), sleep_ms=sleep_ms))
    monkeypatch.setitem(sys.modules, "firmware", firmware)  # so the folder is called on the Pico
    monkeypatch.setitem(sys.modules, "firmware.board", board)
    monkeypatch.setitem(sys.modules, "firmware.program", program)
    with pytest.raises(KeyboardInterrupt):
        runpy.run_path(str(Path(firmware.__file__).with_name("main.py")), run_name="__main__")
    words = [message.word for message in Listener(FROM_BOARD).feed(line.wrote)]
    assert words == ["hello", "press"]
    assert any(list(shown.values())[:3] == [(64, 0, 0), (64, 0, 0), DARK] for shown in NeoPixel.written)
    assert set(NeoPixel.written[-1].values()) == {DARK}
