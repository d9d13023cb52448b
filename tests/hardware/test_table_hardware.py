"""A whole raid on mock pins: presses, lights, bar, buzzer, signals; and a rig with failing parts."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import msgspec
import pytest

from companion.kernel.messages import Signal
from hardware.buttons import Button, Buttons
from hardware.firmware.program import QUIET_MS
from hardware.mock import Desk, PluggedBoard
from hardware.outputs import SOUNDS, TUNES, Buzzer, SeatLight, TimeBar
from hardware.pins import mock_pins
from hardware.rig import DEFAULT, Pins, Rig, SeatPins, Serial
from hardware.table_hardware import TableHardware
from tests.hardware.serial_cable import Clock

Inbox = queue.SimpleQueue[Signal]


@pytest.fixture
def inbox() -> Inbox:
    return queue.SimpleQueue()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def desk(inbox: Inbox, clock: Clock) -> Iterator[Desk]:
    desk = Desk(inbox.put, clock=clock)
    desk.hardware.seat(["blue", "grey"])
    yield desk
    desk.close()


def until(inbox: Inbox, source: str) -> list[Signal]:
    signals = [inbox.get(timeout=60)]
    while signals[-1].source != source:
        signals.append(inbox.get(timeout=60))
    return signals


def soon(holds: Callable[[], bool]) -> bool:
    """Whether a condition becomes true within a while, because of another thread."""
    over = time.monotonic() + 60
    while not holds() and time.monotonic() < over:
        time.sleep(0.002)
    return holds()


def tapped(desk: Desk, inbox: Inbox, colour: str) -> Signal:
    """Press a button, and release it once the press was signalled."""
    desk.down(colour)
    signal = inbox.get(timeout=60)
    while signal.kind != "press":
        signal = inbox.get(timeout=60)
    desk.up(colour)
    place = desk.hardware.place_of(colour)
    button = next(b for b in desk.hardware._buttons._buttons if b.source == f"seat {place}")
    assert soon(lambda: not button.down)
    return signal


def glows(desk: Desk) -> dict[str, str]:
    return {colour: light.glow for colour, light in desk.hardware.lights.items()}


def test_a_press_is_a_signal_of_its_seat_with_the_time_of_its_edge(desk: Desk, inbox: Inbox) -> None:
    before = time.monotonic()
    signal = tapped(desk, inbox, "grey")
    assert (signal.kind, signal.source, signal.seat) == ("press", "seat grey", 1)
    assert before <= signal.at <= time.monotonic()


def test_a_button_nobody_plays_with_belongs_to_nobody(desk: Desk, inbox: Inbox) -> None:
    assert tapped(desk, inbox, "purple").seat is None


def test_colours_that_the_rig_does_not_have_press_and_glow_in_the_order_of_their_seats(
    desk: Desk, inbox: Inbox
) -> None:
    desk.hardware.seat(["red", "yellow", "green", "blue"])
    assert desk.hardware.seats == (0, 1, 2, 3)
    assert [tapped(desk, inbox, colour).seat for colour in ("red", "yellow", "green", "blue")] == [0, 1, 2, 3]
    assert desk.hardware.place_of("blue") == "grey", "the last place of the rig"
    desk.hardware.glow(2, "on")
    assert glows(desk) == {"blue": "off", "yellow": "off", "purple": "on", "grey": "off"}
    desk.hardware.glow_all("pulse")
    assert set(glows(desk).values()) == {"pulse"}


def test_who_has_no_place_plays_without_a_button(desk: Desk) -> None:
    desk.hardware.seat(["blue", "red", "yellow", "green", "purple"])
    desk.hardware.glow(1, "on")
    assert set(glows(desk).values()) == {"off"}
    assert desk.hardware.seats == (0, 1, 2, 3, 4), "and is waited for all the same"


def test_a_whole_raid(desk: Desk, inbox: Inbox, clock: Clock) -> None:
    desk.hardware.gather(king=1, seconds=3600)
    assert glows(desk) == {"blue": "pulse", "yellow": "off", "purple": "off", "grey": "pulse"}
    assert desk.hardware.bar is not None
    assert desk.hardware.bar.burning == 5
    tapped(desk, inbox, "blue")
    until(inbox, "raid ready")
    assert soon(lambda: glows(desk)["blue"] == "on")
    tapped(desk, inbox, "grey")
    until(inbox, "raid all_ready")
    assert soon(lambda: glows(desk)["grey"] == "blink")
    tapped(desk, inbox, "blue")  # no king starts nothing
    start = tapped(desk, inbox, "grey")
    [*_, started] = until(inbox, "raid started")
    assert started.at == start.at
    assert soon(lambda: set(glows(desk).values()) == {"on", "off"})
    clock.ahead += 3600
    [*_, stopped] = until(inbox, "raid stopped")
    assert stopped.at == pytest.approx(start.at + 3600)
    assert stopped.value is not None
    assert stopped.value >= 0, "how late it was told, in milliseconds"
    assert soon(lambda: desk.hardware.bar is not None and desk.hardware.bar.burning == 0)
    assert glows(desk)["blue"] == "blink"


def test_the_king_pauses_with_a_long_press_and_goes_on_with_a_short_one(desk: Desk, inbox: Inbox) -> None:
    desk.hardware.gather(king=0, seconds=3600)
    tapped(desk, inbox, "blue")
    tapped(desk, inbox, "grey")
    tapped(desk, inbox, "blue")
    until(inbox, "raid started")
    desk.down("blue")
    until(inbox, "raid paused")
    desk.up("blue")
    button = next(b for b in desk.hardware._buttons._buttons if b.source == "seat blue")
    assert soon(lambda: not button.down)
    tapped(desk, inbox, "blue")
    until(inbox, "raid resumed")
    desk.hardware.timer.call_off()
    until(inbox, "raid called_off")


def test_bouncing_edges_on_a_pin_are_one_press() -> None:
    factory, inbox = mock_pins(), queue.SimpleQueue[Signal]()
    factory.pin(5).drive_high()
    buttons = Buttons([Button(factory, 5, "seat blue")], inbox.put)
    for _ in range(5):
        factory.pin(5).drive_low()
        factory.pin(5).drive_high()
    factory.pin(5).drive_low()
    assert inbox.get(timeout=60).kind == "press"
    assert inbox.get(timeout=60).kind == "long_press", "held, and nothing in between"
    buttons.close()


def test_lights_do_what_they_are_told() -> None:
    light = SeatLight(mock_pins(), 16)
    light.show("on")
    assert light.value == 1.0
    light.show("pulse")
    assert soon(lambda: 0 < light.value < 1)
    light.show("blink")
    assert soon(lambda: light.value == 0.0)
    assert soon(lambda: light.value == 1.0)
    light.show("off")
    assert light.value == 0.0
    light.close()


def test_a_light_can_be_put_away_while_somebody_else_still_wants_it() -> None:
    factory = mock_pins()
    for _ in range(50):
        light = SeatLight(factory, 16)
        wanted = threading.Event()
        failures: list[BaseException] = []

        def show(
            light: SeatLight = light, wanted: threading.Event = wanted, into: list[BaseException] = failures
        ) -> None:
            try:
                for number in range(12):
                    light.show("blink" if number % 2 else "pulse")
                    wanted.set()
            except BaseException as failure:
                into.append(failure)

        somebody = threading.Thread(target=show)
        somebody.start()
        wanted.wait()
        light.close()
        somebody.join()
        assert not failures


def test_a_bar_burns_down_and_its_last_light_goes_out_at_the_end() -> None:
    bar = TimeBar(mock_pins(), [17, 27, 22, 23, 24])
    shown = []
    for left in (1.0, 0.81, 0.8, 0.41, 0.4, 0.01, 0.0, -1.0, 2.0):
        bar.show(left)
        shown.append(bar.burning)
    assert shown == [5, 5, 4, 3, 2, 1, 0, 0, 5]
    bar.close()


def test_every_sound_is_distinct_and_short_enough() -> None:
    assert set(TUNES) == set(SOUNDS)
    assert len(set(TUNES.values())) == len(SOUNDS)
    assert all(sum(seconds for _, seconds in tune) <= 1.0 for tune in TUNES.values())


def listened(buzzer: Buzzer, pin: Any) -> list[int]:
    """The notes on the pin, in hertz, as they are played; 0 is silence."""
    note, heard = buzzer._note, list[int]()

    def played(hertz: float) -> None:
        note(hertz)
        heard.append(round(pin.frequency) if buzzer.sounding else 0)

    buzzer._note = played  # type: ignore[method-assign]
    return heard


def test_the_buzzer_plays_and_a_quiet_one_does_not() -> None:
    factory = mock_pins()
    buzzer = Buzzer(factory, 18)
    heard = listened(buzzer, factory.pin(18))
    buzzer.play("stop")
    assert soon(lambda: heard == [392, 0])
    buzzer.quiet = True
    buzzer.play("start")
    buzzer.close()
    assert heard == [392, 0]


def test_the_stop_cuts_other_sounds_short() -> None:
    factory = mock_pins()
    buzzer = Buzzer(factory, 18)
    heard = listened(buzzer, factory.pin(18))
    for _ in range(20):
        buzzer.play("breach")
    buzzer.play("stop")
    assert soon(lambda: heard[-1:] == [392])
    assert heard.count(262) < 2, "at most the one that was already playing ends"
    buzzer.close()


def test_without_a_pi_everything_is_named_and_nothing_breaks(inbox: Inbox) -> None:
    hardware = TableHardware(DEFAULT, inbox.put)
    health = {one.part: one for one in hardware.health()}
    assert "no Raspberry Pi" in health["pins"].says
    assert all(one.state == "failed" for one in health.values() if one.part != "board")
    hardware.seat(["blue", "grey"])
    hardware.gather(king=0, seconds=0.05)
    hardware.glow(0, "on")
    hardware.sound("breach")
    hardware.timer.ready(0)
    hardware.timer.ready(1)
    hardware.timer.start(0)
    until(inbox, "raid stopped")
    hardware.close()


def test_a_part_whose_pin_is_in_use_is_left_out(inbox: Inbox) -> None:
    from gpiozero import LED

    factory = mock_pins()
    factory.pin(5).drive_high()
    other = LED(18, pin_factory=factory)
    hardware = TableHardware(msgspec.structs.replace(DEFAULT, seats=DEFAULT.seats[:1]), inbox.put, factory)
    health = {one.part: one for one in hardware.health()}
    assert health["buzzer"].state == "failed"
    assert health["buzzer"].says.startswith("The buzzer on GPIO 18 does not work: pin GPIO18 is already in use")
    assert health["button of seat blue"].state == "ok"
    other.close()
    hardware.close()


def test_a_button_that_is_stuck_is_named(inbox: Inbox) -> None:
    from gpiozero.pins.mock import MockFactory, MockPin

    class Shorted(MockPin):  # type: ignore[misc]
        """A pin that is shorted to ground: the pull-up has no effect."""

        def _set_pull(self, value: str) -> None:
            super()._set_pull(value)
            self._change_state(False)

    rig = Rig(seats=(SeatPins("yellow", button=6),))
    hardware = TableHardware(rig, inbox.put, MockFactory(pin_class=Shorted))
    failed = [one.says for one in hardware.health() if one.state == "failed"]
    assert failed == ["The button of seat yellow is down at the start; check it."]
    hardware.close()


def test_a_raid_with_a_board_its_button_and_its_ring(inbox: Inbox) -> None:
    plugged = PluggedBoard()
    rig = Rig(
        seats=(SeatPins("blue", board_button=2),),
        serial=Serial(plugged.port),
        pins=Pins("none"),
        camera=DEFAULT.camera,
    )
    assert list(rig.problems()) == []
    hardware = TableHardware(rig, inbox.put)
    assert soon(lambda: any(one.part == "board" and one.state == "ok" for one in hardware.health()))
    hardware.seat(["blue"])
    hardware.gather(king=0, seconds=0.5)
    assert plugged.until(lambda board: sum(any(pixel) for pixel in board.pixels) == 24)
    for _ in ("ready", "start"):
        plugged.board.down[1] = True
        until(inbox, "seat blue")
        plugged.board.down[1] = False
        released = plugged.board.now
        assert plugged.until(lambda board, since=released: board.now > since + QUIET_MS), "the board has seen that"
    until(inbox, "raid stopped")
    assert plugged.until(
        lambda board: len(board.pixels) == 24 and all(red > 0 == green == blue for red, green, blue in board.pixels)
    )
    assert plugged.until(lambda board: bool(board.tones)), "without a buzzer of its own the table sounds on the board"
    hardware.close()
    plugged.unplug()


def test_a_board_that_is_not_there_is_named_and_nobody_waits_for_it(inbox: Inbox) -> None:
    hardware = TableHardware(Rig(serial=Serial("/dev/no-such-port"), pins=Pins("none")), inbox.put)
    assert soon(lambda: any("no-such-port" in one.says for one in hardware.health()))
    assert {one.part: one.state for one in hardware.health()}["board"] == "failed"
    hardware.sound("breach")
    hardware.quiet(True)
    hardware.close()


def test_what_the_rig_file_leaves_out_is_absent(inbox: Inbox) -> None:
    hardware = TableHardware(Rig(pins=Pins("none")), inbox.put)
    assert {one.state for one in hardware.health()} == {"absent"}
    hardware.close()
