"""Seat lights, the time bar and the buzzer."""

from __future__ import annotations

import math
import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import Final, Literal, get_args

from hardware.pins import Factory

Glow = Literal["off", "on", "pulse", "blink"]

BREATH: Final = 0.8
"""Seconds in which a pulsing light becomes bright, and dark again."""
BLINK: Final = 0.18
"""Seconds for which a blinking light is on, and for which it is off."""


class SeatLight:
    """The light in a seat's button. Off: nothing to do. On: your turn. Pulse: all wait for you. Blink: look here."""

    def __init__(self, factory: Factory, pin: int) -> None:
        from gpiozero import PWMLED

        self._led = PWMLED(pin, pin_factory=factory)
        self._changing = threading.Lock()
        self._open = True
        self.glow: Glow = "off"

    def show(self, glow: Glow) -> None:
        # The table and the raid timer both call it, and gpiozero cannot stop a blinking while another thread starts it.
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
        """Its brightness, from 0 to 1."""
        return float(self._led.value)

    def close(self) -> None:
        """Switch it off; later calls of `show` do nothing."""
        with self._changing:
            self._open = False
            self._led.close()


class TimeBar:
    """A row of lights: all are on at the start, and the last one goes off at the end of the time."""

    def __init__(self, factory: Factory, pins: Sequence[int]) -> None:
        from gpiozero import LED

        self._leds = [LED(pin, pin_factory=factory) for pin in pins]

    def show(self, left: float) -> None:
        """Show this share of the time."""
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


Sound = Literal["ready", "start", "last_five", "stop", "breach", "your_turn"]
SOUNDS: Final[tuple[Sound, ...]] = get_args(Sound)

Tune = tuple[tuple[float, float], ...]
"""Notes: hertz (0 is silence) and seconds."""

TUNES: Final[Mapping[Sound, Tune]] = {
    "ready": ((660.0, 0.08),),
    "start": ((523.0, 0.12), (659.0, 0.12), (784.0, 0.25)),
    "last_five": ((880.0, 0.07),),
    "stop": ((392.0, 0.9),),
    "breach": ((330.0, 0.15), (0.0, 0.06), (330.0, 0.15), (0.0, 0.06), (262.0, 0.35)),
    "your_turn": ((784.0, 0.1), (0.0, 0.05), (988.0, 0.15)),
}
_FULL: Final = 8
"""Maximum number of waiting sounds; further ones are dropped."""


class Buzzer:
    """A passive piezo on a pin. Silent in quiet mode."""

    def __init__(self, factory: Factory, pin: int, quiet: bool = False) -> None:
        from gpiozero import TonalBuzzer

        # Two octaves around 520 Hz hold every note of the tunes.
        self._piezo = TonalBuzzer(pin, mid_tone=_tone(523.0), octaves=2, pin_factory=factory)
        self.quiet = quiet
        self._wanted: queue.Queue[Sound | None] = queue.Queue(_FULL)
        self._hush = threading.Event()
        self._thread = threading.Thread(target=self._run, name="buzzer", daemon=True)
        self._thread.start()

    def play(self, sound: Sound) -> None:
        """Play a sound after those that wait; the stop of a raid interrupts all others."""
        if self.quiet:
            return
        if sound == "stop":
            self._drop_the_rest()
        try:
            self._wanted.put_nowait(sound)
        except queue.Full:
            return

    def _drop_the_rest(self) -> None:
        self._hush.set()
        while True:
            try:
                self._wanted.get_nowait()
            except queue.Empty:
                return

    def _run(self) -> None:
        while (sound := self._wanted.get()) is not None:
            self._hush.clear()
            for hertz, seconds in TUNES[sound]:
                self._note(hertz)
                if self._hush.wait(seconds):
                    break
            self._note(0.0)

    def _note(self, hertz: float) -> None:
        if hertz:
            self._piezo.play(_tone(hertz))
        else:
            self._piezo.stop()

    @property
    def sounding(self) -> bool:
        return bool(self._piezo.is_active)

    def close(self) -> None:
        self._drop_the_rest()
        self._wanted.put(None)
        self._thread.join(1.0)
        self._piezo.close()


def _tone(hertz: float) -> object:
    from gpiozero.tones import Tone

    make: Callable[[float], object] = Tone.from_frequency
    return make(hertz)
