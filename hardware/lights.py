"""Lights: one in each seat's button, and a bar that shows the time left."""

from __future__ import annotations

import math
import threading
from collections.abc import Sequence
from typing import Final, Literal

from hardware.pins import Factory

Glow = Literal["off", "on", "pulse", "blink"]

BREATH: Final = 0.8
"""Seconds in which a pulsing light rises, and falls again."""
BLINK: Final = 0.18
"""Seconds for which a blinking light is on, and off."""


class SeatLight:
    """The light in a seat's button. Off: not asked. On: your turn. Pulse: we wait for you. Blink: look here."""

    def __init__(self, factory: Factory, pin: int) -> None:
        from gpiozero import PWMLED

        self._led = PWMLED(pin, pin_factory=factory)
        self._changing = threading.Lock()
        self._open = True
        self.glow: Glow = "off"

    def show(self, glow: Glow) -> None:
        # The table and the raid timer may both want it, and gpiozero cannot stop a blinking that is just being started.
        with self._changing:
            if self._open and glow != self.glow:
                self.glow = glow
                self._show(glow)

    def _show(self, glow: Glow) -> None:
        match glow:
            case "off":
                self._led.off()
            case "on":
                self._led.on()
            case "pulse":
                self._led.pulse(fade_in_time=BREATH, fade_out_time=BREATH)
            case "blink":
                self._led.blink(on_time=BLINK, off_time=BLINK)

    @property
    def value(self) -> float:
        """How bright it is now, from 0 to 1."""
        return float(self._led.value)

    def close(self) -> None:
        """It stays dark, whoever still wants it."""
        with self._changing:
            self._open = False
            self._led.close()


class TimeBar:
    """Lights in a row: all of them burn at the start, and the last one goes out when the time is over."""

    def __init__(self, factory: Factory, pins: Sequence[int]) -> None:
        from gpiozero import LED

        self._leds = [LED(pin, pin_factory=factory) for pin in pins]

    def show(self, left: float) -> None:
        """Show which share of the time is left."""
        burning = math.ceil(min(max(left, 0.0), 1.0) * len(self._leds) - 1e-9)
        for number, led in enumerate(self._leds):
            if led.is_lit != (number >= len(self._leds) - burning):
                led.toggle()

    @property
    def burning(self) -> int:
        return sum(led.is_lit for led in self._leds)

    def close(self) -> None:
        for led in self._leds:
            led.close()
