"""The Pico's pins, clock and USB line. Only this file needs MicroPython."""

import select
import sys
import time

from machine import PWM, Pin  # type: ignore[import-not-found]
from neopixel import NeoPixel  # type: ignore[import-not-found]

from . import wiring
from .disc import EncoderDisc, SectorDisc
from .protocol import RING

PORTION = 64  # bytes read at a time, so that much input cannot delay the buttons


class PicoBoard:
    """The `Board` of `program` on a real Pico."""

    def __init__(self) -> None:
        self._line = select.poll()
        self._line.register(sys.stdin, select.POLLIN)
        self._ring = NeoPixel(Pin(wiring.RING, Pin.OUT), RING)
        self._buttons = [Pin(pin, Pin.IN, Pin.PULL_UP) for pin in wiring.BUTTONS]
        self._lights = [PWM(Pin(pin), freq=1000, duty_u16=0) for pin in wiring.LIGHTS]
        self._buzzer = PWM(Pin(wiring.BUZZER), freq=1000, duty_u16=0)
        self.lights = len(self._lights)
        self.disc = self._disc()

    def _disc(self) -> EncoderDisc | SectorDisc | None:
        if not wiring.DISC:
            return None
        a, b = [Pin(pin, Pin.IN, Pin.PULL_UP) for pin in wiring.DISC]

        def bits() -> int:
            return a.value() << 1 | b.value()  # type: ignore[no-any-return]

        if not wiring.ENCODER_STEPS:
            return SectorDisc(bits)
        disc = EncoderDisc(bits, wiring.ENCODER_STEPS)
        for pin in (a, b):
            pin.irq(disc.edge, Pin.IRQ_RISING | Pin.IRQ_FALLING, hard=True)
        return disc

    def milliseconds(self) -> int:
        return time.ticks_ms()  # type: ignore[attr-defined, no-any-return]

    def read(self) -> bytes:
        """Read received bytes, perhaps none, without waiting."""
        data = b""
        while len(data) < PORTION and self._line.poll(0):
            data += sys.stdin.buffer.read(1)
        return data

    def write(self, data: bytes) -> None:
        sys.stdout.buffer.write(data)

    def buttons(self) -> list[bool]:
        """Whether each button is down; they pull their pin to ground."""
        return [pin.value() == 0 for pin in self._buttons]

    def show(self, pixels: list[tuple[int, ...]]) -> None:
        for place in range(RING):
            self._ring[place] = pixels[place]
        self._ring.write()

    def light(self, number: int, level: int) -> None:
        self._lights[number - 1].duty_u16(level * 257)

    def tone(self, hertz: int) -> None:
        if hertz:
            self._buzzer.freq(hertz)
        self._buzzer.duty_u16(32768 if hertz else 0)

    def rest(self) -> None:
        time.sleep_ms(1)  # type: ignore[attr-defined]
