"""A rig on a desk: the same buttons, lights, buzzer and timer on pins that exist only here.

The demo and the tests press its buttons; nothing of it is a stand-in but the pins.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Final

import msgspec

from hardware.buttons import Put
from hardware.pins import mock_pins
from hardware.rig import DEFAULT, Pins, Rig
from hardware.table_hardware import Hands

_PRESS: Final = 0.12
"""Seconds that a finger stays on a button."""


class Desk:
    """Hands on mock pins, and fingers for its buttons."""

    def __init__(self, put: Put, rig: Rig = DEFAULT, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self.rig = msgspec.structs.replace(rig, pins=Pins("mock"))
        self._factory = mock_pins()
        for seat in self.rig.seats:
            if seat.button is not None:
                self._factory.pin(seat.button).drive_high()  # as the pull-up of a button that nobody presses does
        self.hands = Hands(self.rig, put, self._factory, clock)

    def down(self, colour: str) -> None:
        self._pin(colour).drive_low()

    def up(self, colour: str) -> None:
        self._pin(colour).drive_high()

    def press(self, colour: str, seconds: float = _PRESS) -> None:
        """Press a seat's button, and let go after a while without anybody waiting for it."""
        self.down(colour)
        finger = threading.Timer(seconds, self.up, (colour,))
        finger.daemon = True
        finger.start()

    def _pin(self, colour: str) -> Any:
        place = self.hands.place_of(colour)
        button = next((seat.button for seat in self.rig.seats if seat.colour == place), None)
        if button is None:
            raise KeyError(f"There is no button for {colour} on this desk.")
        return self._factory.pin(button)

    def close(self) -> None:
        self.hands.close()
