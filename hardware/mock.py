"""A table's hardware and a serial board without real hardware, for the demo and for tests.

In `Desk` only the pins are mocks; the demo and the tests press its buttons. `DeskBoard` has its own clock and can be
stepped by hand; `PluggedBoard` runs one behind a real terminal device, which the serial link opens like any port.
"""

from __future__ import annotations

import os
import select
import threading
import time
import tty
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Final

import msgspec

from hardware.buttons import Put
from hardware.firmware.disc import GRAY, SectorDisc
from hardware.firmware.program import Program
from hardware.firmware.protocol import TICKS
from hardware.pins import mock_pins
from hardware.rig import DEFAULT, Pins, Rig
from hardware.table_hardware import TableHardware

_PRESS: Final = 0.12
"""Seconds that a finger stays on a button."""


class Desk:
    """The hardware of a table on mock pins, with buttons that a program can press."""

    def __init__(self, put: Put, rig: Rig = DEFAULT, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.rig = msgspec.structs.replace(rig, pins=Pins("mock"))
        self._factory = mock_pins()
        for seat in self.rig.seats:
            if seat.button is not None:
                self._factory.pin(seat.button).drive_high()  # like the pull-up of a released button
        self.hardware = TableHardware(self.rig, put, self._factory, clock)

    def down(self, colour: str) -> None:
        self._pin(colour).drive_low()

    def up(self, colour: str) -> None:
        self._pin(colour).drive_high()

    def press(self, colour: str, seconds: float = _PRESS) -> None:
        """Press a seat's button; another thread releases it after a while."""
        self.down(colour)
        finger = threading.Timer(seconds, self.up, (colour,))
        finger.daemon = True
        finger.start()

    def _pin(self, colour: str) -> Any:
        place = self.hardware.place_of(colour)
        button = next((seat.button for seat in self.rig.seats if seat.colour == place), None)
        if button is None:
            raise KeyError(f"There is no button for {colour} on this desk.")
        return self._factory.pin(button)

    def close(self) -> None:
        self.hardware.close()


TURN = 0.002
"""Maximum seconds of one step of the firmware's program without input."""


class DeskBoard:
    """A Pico for the firmware's program, without hardware. `now` is its clock in milliseconds."""

    def __init__(self, buttons: int = 6, lights: int = 2) -> None:
        self.now = 0
        self.lights = lights
        self.down = [False] * buttons
        self.points_at = 1
        self.disc = SectorDisc(lambda: GRAY[self.points_at - 1])
        self.pixels: list[tuple[int, ...]] = []
        self.levels: dict[int, int] = {}
        self.hertz = 0
        self.tones: list[int] = []
        self.came = b""
        self.wrote = b""

    def milliseconds(self) -> int:
        return self.now % TICKS

    def read(self) -> bytes:
        came, self.came = self.came, b""
        return came

    def write(self, data: bytes) -> None:
        self.wrote += data

    def buttons(self) -> list[bool]:
        return list(self.down)

    def show(self, pixels: list[tuple[int, ...]]) -> None:
        self.pixels = pixels

    def light(self, number: int, level: int) -> None:
        self.levels[number] = level

    def tone(self, hertz: int) -> None:
        self.hertz = hertz
        if hertz:
            self.tones.append(hertz)


class PluggedBoard:
    """A desk board behind a terminal device; `unplug` pulls the cable."""

    def __init__(self, board: DeskBoard | None = None, clock: Callable[[], float] = time.monotonic) -> None:
        self.board = board or DeskBoard()
        self._clock = clock
        self._master, self._slave = os.openpty()
        tty.setraw(self._slave)
        os.set_blocking(self._master, False)
        self.port = os.ttyname(self._slave)
        self.turned = threading.Condition()
        self._unplugged = False
        self._thread = threading.Thread(target=self._run, name="desk board", daemon=True)
        self._thread.start()

    def _run(self) -> None:
        program = Program(self.board)
        while not self._unplugged:
            came = select.select([self._master], [], [], TURN)[0]
            with self.turned:
                if came:
                    self.board.came += os.read(self._master, 4096)
                self.board.now = round(self._clock() * 1000)
                program.step()
                with suppress(BlockingIOError):  # the buffer is full: send the rest in the next step
                    self.board.wrote = self.board.wrote[os.write(self._master, self.board.wrote) :]
                self.turned.notify_all()

    def until(self, true: Callable[[DeskBoard], bool], seconds: float = 60.0) -> bool:
        """Wait until something is true of the board."""
        with self.turned:
            return self.turned.wait_for(lambda: true(self.board), seconds)

    def send_garbage(self, data: bytes) -> None:
        """Send bytes that the program did not write."""
        with self.turned:
            self.board.wrote += data

    def unplug(self) -> None:
        self._unplugged = True
        self._thread.join()
        os.close(self._master)
        os.close(self._slave)
