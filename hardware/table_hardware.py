"""Combines all parts of a rig. Parts that fail are reported, and the others work without them.

Presses go to the inbox as Signals. During a raid they also act at once, so that a busy table delays no player: a press
means ready, the king's press starts, his long press pauses, his next press resumes. Presses during a practice raid do
not go to the inbox, because they mean nothing else.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Literal

import msgspec

from companion.kernel.messages import Signal
from hardware.buttons import Button, Buttons, Put, pressed_at_start
from hardware.firmware.protocol import RING
from hardware.outputs import Buzzer, Glow, SeatLight, Sound, TimeBar
from hardware.pins import Factory, PinsError, open_pins
from hardware.raid_timer import LAST, UNDER_WAY, Raid, RaidEvent, RaidTimer
from hardware.rig import Rig
from hardware.serial.link import SerialLink

_log = logging.getLogger(__name__)

BOARD_BUTTON: Final = "serial button "
_SOUNDS: Final[Mapping[str, Sound]] = {
    "ready": "ready",
    "started": "start",
    "resumed": "start",
    "last_five": "last_five",
    "stopped": "stop",
}


RUNNING, ENDING, OVER = "00a040", "ff8000", "ff0000"
"""The ring's colours while a raid runs, in its last five seconds, and when it is over."""


class PartHealth(msgspec.Struct, frozen=True):
    """The state of a part of the rig: `ok`, `failed`, or `absent` from the rig file."""

    part: str
    state: Literal["ok", "failed", "absent"]
    says: str


class TableHardware:
    """The buttons, lights, buzzer and raid timer of one table."""

    def __init__(
        self, rig: Rig, put: Put, factory: Factory | None = None, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.rig, self._put, self._clock = rig, put, clock
        self._health: dict[str, PartHealth] = {}
        self._colours: tuple[str, ...] = ()
        self._seat_of: dict[str, int] = {}
        """The seat at each place, by the place's colour in the rig file."""
        self._factory = factory if factory is not None else self._pins()
        self.lights: dict[str, SeatLight] = {}
        self.bar: TimeBar | None = None
        self.buzzer: Buzzer | None = None
        buttons = self._build()
        self._buttons = Buttons(buttons, self._pressed, clock)
        for source in pressed_at_start(buttons):
            self._fail(f"button of {source}", f"The button of {source} is down at the start; check it.")
        self.raid_changed: Callable[[], None] = lambda: None
        """Called at once for each event of a raid, usually in the timer's thread: it must not wait."""
        self.timer = RaidTimer(self._raid_event, clock)
        self._board_seats = {s.board_button: s.colour for s in rig.seats if s.board_button is not None}
        self.link = SerialLink(rig.serial.port, self._from_board, clock) if rig.serial.port else None
        if self.link is not None:
            self.link.quiet(rig.quiet)

    def _pins(self) -> Factory | None:
        try:
            factory = open_pins(self.rig.pins.backend)
        except PinsError as reason:
            if self.rig.pins.backend == "none":
                self._health["pins"] = PartHealth("pins", "absent", str(reason))
            else:
                self._fail("pins", str(reason))
            return None
        self._health["pins"] = PartHealth("pins", "ok", f"The pins are open ({type(factory).__name__}).")
        return factory

    def _build(self) -> list[Button]:
        buttons: list[Button] = []
        for seat in self.rig.seats:
            source = f"seat {seat.colour}"
            button = self._part(f"button of {source}", seat.button, partial(self._button, source))
            if button is not None:
                buttons.append(button)
            light = self._part(f"light of {source}", seat.light, lambda pin: SeatLight(self._factory, pin))
            if light is not None:
                self.lights[seat.colour] = light
        self.buzzer = self._part("buzzer", self.rig.buzzer.pin, lambda pin: Buzzer(self._factory, pin, self.rig.quiet))
        pins = self.rig.bar.pins
        self.bar = self._part("bar", pins[0] if pins else None, lambda _: TimeBar(self._factory, pins))
        return buttons

    def _button(self, source: str, pin: int) -> Button:
        return Button(self._factory, pin, source)

    def _part(self, name: str, pin: int | None, make: Callable[[int], Any]) -> Any:
        """A part on a pin, or None if that fails; `health` reports the reason."""
        if pin is None:
            self._health[name] = PartHealth(name, "absent", f"The rig file names no pin for the {name}.")
            return None
        if self._factory is None:
            self._health[name] = PartHealth(name, "failed", f"The {name} does not work without pins.")
            return None
        try:
            part = make(pin)
        except Exception as error:  # pin in use, no permission, missing chip: each backend raises its own errors
            self._fail(name, f"The {name} on GPIO {pin} does not work: {str(error) or type(error).__name__}.")
            return None
        self._health[name] = PartHealth(name, "ok", f"The {name} is on GPIO {pin}.")
        return part

    def _fail(self, name: str, says: str) -> None:
        _log.warning("%s", says)
        self._health[name] = PartHealth(name, "failed", says)

    def health(self) -> list[PartHealth]:
        return [*self._health.values(), self._link_health()]

    def _link_health(self) -> PartHealth:
        if self.link is None:
            return PartHealth("board", "absent", "The rig file names no serial port for a board.")
        health = self.link.health()
        return PartHealth("board", "ok" if health.state == "connected" else "failed", health.sentence)

    def seat(self, colours: Sequence[str]) -> None:
        """Assign the places to these colours, in seat order. Other buttons have no seat."""
        self._colours, self._seat_of = tuple(colours), self.rig.places(colours)

    @property
    def seats(self) -> tuple[int, ...]:
        """The seats with a place."""
        return tuple(range(len(self._colours)))

    def place_of(self, colour: str) -> str:
        """The place of the seat with this colour; the colour itself if no seat has it."""
        seat = self._colours.index(colour) if colour in self._colours else None
        return self._place(seat) or colour

    def _place(self, seat: int | None) -> str | None:
        return next((place for place, number in self._seat_of.items() if number == seat), None)

    def glow(self, seat: int, glow: Glow) -> None:
        light = self.lights.get(self._place(seat) or "")
        if light is not None:
            light.show(glow)

    def glow_all(self, glow: Glow) -> None:
        for place in self._seat_of:
            if place in self.lights:
                self.lights[place].show(glow)

    def sound(self, sound: Sound) -> None:
        """Play a sound on the table's buzzer, or on the board's if there is none."""
        if self.buzzer is not None:
            self.buzzer.play(sound)
        elif self.link is not None:
            self.link.sound(sound)

    def quiet(self, quiet: bool) -> None:
        if self.buzzer is not None:
            self.buzzer.quiet = quiet
        if self.link is not None:
            self.link.quiet(quiet)

    def gather(self, king: int, seconds: float | None = None, practice: bool = False) -> None:
        """Start a raid, which waits for all seats to be ready."""
        raid = Raid(self.seats, king, seconds or self.rig.raid.seconds, practice)
        self.glow_all("pulse")
        self.show_left(raid.seconds, raid.seconds)
        self.timer.gather(raid)
        self.raid_changed()

    def _from_board(self, signal: Signal) -> None:
        """Handle presses of a seat's button on the board; pass all other Signals on."""
        number = signal.source.removeprefix(BOARD_BUTTON)
        colour = self._board_seats.get(int(number)) if number.isdecimal() else None
        if colour is None:
            self._put(signal)
        else:
            self._pressed(msgspec.structs.replace(signal, source=f"seat {colour}"))

    def _pressed(self, signal: Signal) -> None:
        colour = signal.source.removeprefix("seat ")
        signal = msgspec.structs.replace(signal, seat=self._seat_of.get(colour))
        raid = self.timer.raid
        practising = raid is not None and raid.practice and raid.phase in UNDER_WAY
        if not practising:
            self._put(signal)
        if signal.seat is not None and raid is not None:
            self._in_a_raid(raid, signal)

    def _in_a_raid(self, raid: Raid, signal: Signal) -> None:
        seat = signal.seat
        assert seat is not None
        match signal.kind, raid.phase:
            case "press", "gathering":
                self.timer.ready(seat, signal.at)
            case "press", "set" if seat == raid.king:
                self.timer.start(seat, signal.at)
            case "long_press", "running" if seat == raid.king:
                self.timer.pause()
            case "press", "paused" if seat == raid.king:
                self.timer.resume()
            case _:
                return

    def _raid_event(self, event: RaidEvent) -> None:
        """Report an event to the inbox and the phones first, then update lights and sounds."""
        left = round(event.left * 1000)
        value = round(event.late * 1000) if event.kind == "stopped" else left
        if not event.practice:
            self._put(Signal("timer", f"raid {event.kind}", event.at, event.seat, value))
        self.raid_changed()
        if event.kind in _SOUNDS:
            self.sound(_SOUNDS[event.kind])
        raid = self.timer.raid
        match event.kind:
            case "ready" if event.seat is not None:
                self.glow(event.seat, "on")
            case "all_ready" if raid is not None:
                self.glow_all("off")
                self.glow(raid.king, "blink")
            case "started" | "resumed":
                self.glow_all("on")
            case "paused":
                self.glow_all("pulse")
            case "stopped":
                self.glow_all("blink")
            case "called_off":
                self.glow_all("off")
            case _:
                pass
        if raid is not None and event.kind not in ("ready", "all_ready"):
            self.show_left(0.0 if event.kind == "called_off" else event.left, raid.seconds)
        if event.kind == "stopped" and self.link is not None:
            self.link.ring(RING, OVER)

    def show_left(self, left: float, seconds: float) -> None:
        """Show the remaining share of the seconds on the bar and the ring."""
        if self.bar is not None:
            self.bar.show(left / seconds)
        if self.link is not None:
            lit = math.ceil(min(left / seconds, 1.0) * RING - 1e-9)
            self.link.ring(lit, ENDING if left <= LAST else RUNNING)

    def close(self) -> None:
        self.timer.close()
        if self.link is not None:
            self.link.close()
        self._buttons.close()
        for part in (*self.lights.values(), self.bar, self.buzzer):
            if part is not None:
                part.close()
        if self._factory is not None:
            self._factory.close()
