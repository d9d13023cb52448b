"""The conversation with a board on a serial port: its clock, what is sent again, and what is said.

Bytes that came go in, with the time; Signals and bytes to be sent come out.
"""

from __future__ import annotations

from collections import deque
from threading import Lock
from typing import TYPE_CHECKING, NamedTuple

import msgspec

from companion.kernel.messages import Signal
from hardware.firmware.protocol import TICKS, TO_BOARD, VERSION, Listener, Message, Speaker, read_values
from hardware.serial.ports import PortTrouble

SAMPLES = 8
"""Round trips that are remembered; older ones would have drifted away."""

OLDEST = 0.05
"""Seconds before its arrival that a press can have happened at most; no healthy line is slower."""


class RoundTrip(NamedTuple):
    seconds: float
    middle: float
    ticks: int


class BoardClock:
    """Learns from pings what time it was here when the board's clock showed a number."""

    def __init__(self) -> None:
        self._trips: deque[RoundTrip] = deque(maxlen=SAMPLES)

    @property
    def round_trip(self) -> float | None:
        """Seconds that the latest ping took there and back."""
        return self._trips[-1].seconds if self._trips else None

    def measure(self, sent: float, arrived: float, ticks: int) -> None:
        """A ping left at `sent`, the board read its clock as `ticks`, the answer came at `arrived`."""
        self._trips.append(RoundTrip(arrived - sent, (sent + arrived) / 2, ticks))

    def time_of(self, ticks: int, now: float) -> float:
        """When the board's clock showed `ticks`: never later than now, never long before."""
        if not self._trips:
            return now
        quickest = min(self._trips)  # the shorter the trip, the less its middle can be wrong
        since = (ticks - quickest.ticks + TICKS // 2) % TICKS - TICKS // 2
        return max(now - OLDEST, min(now, quickest.middle + since / 1000))


if TYPE_CHECKING:
    from hardware.firmware.protocol import Value

SOUNDS_WAITING = 4


class Outbox:
    """Lights are states, of which only the latest counts; sounds are moments, which nobody wants late."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._states: dict[str, tuple[str, tuple[Value, ...]]] = {}
        self._changed: dict[str, None] = {}
        self._sounds: deque[tuple[str, tuple[Value, ...]]] = deque(maxlen=SOUNDS_WAITING)

    def set(self, place: str, word: str, *values: Value) -> None:
        """From now on `place` (the ring, a light) is so. ValueError if no board could understand it."""
        message = word, checked(word, values)
        with self._lock:
            self._states[place] = message
            self._changed[place] = None

    def sound(self, name: str) -> None:
        message = "sound", checked("sound", (name,))
        with self._lock:
            self._sounds.append(message)

    def renew(self) -> None:
        """A board that knows nothing is listening: every state is to be told, no sound of the past."""
        with self._lock:
            self._changed = dict.fromkeys(self._states)
            self._sounds.clear()

    def take(self) -> list[tuple[str, tuple[Value, ...]]]:
        """What is to be said now; it is then counted as said."""
        with self._lock:
            said = [self._states[place] for place in self._changed] + list(self._sounds)
            self._changed = {}
            self._sounds.clear()
        return said


def checked(word: str, values: tuple[Value, ...]) -> tuple[Value, ...]:
    """The values as a board would read them."""
    return read_values(TO_BOARD, word, [str(value) for value in values])


ECHOES = 65536


class Patience(msgspec.Struct, frozen=True):
    """How long the link waits for what, in seconds."""

    first_pause: float = 0.2
    longest_pause: float = 5.0
    hello_every: float = 0.5
    ping_every: float = 1.0
    answer_within: float = 3.0


class Carried(msgspec.Struct, frozen=True):
    """What a board said of itself: its firmware, and how many of each it carries."""

    firmware: str
    ring: int
    buttons: int
    lights: int
    sectors: int


class Talk:
    """One talk. It raises `PortTrouble` when there is nobody to talk with, or no longer."""

    def __init__(self, port: str, listener: Listener, outbox: Outbox, patience: Patience, now: float) -> None:
        self.board: Carried | None = None
        self.complaint: str | None = None
        self.port = port
        self._listener = listener
        self._outbox = outbox
        self._patience = patience
        self._clock = BoardClock()
        self._speaker = Speaker()
        self._unsent = b"\n"  # ends whatever half line the board may have been left with
        self._heard = now
        self._next = now
        self._echo = 0
        self._pinged = now
        self._anything_came = False
        self._strangers = listener.strangers
        listener.restart()

    @property
    def round_trip(self) -> float | None:
        return self._clock.round_trip

    @property
    def due(self) -> float:
        """When the talk wants to be looked after, at the latest."""
        return min(self._next, self._heard + self._patience.answer_within)

    def speak(self, now: float) -> bytes:
        """What is to be written; it stays so until it is `sent`."""
        if now >= self._heard + self._patience.answer_within:
            raise self._silence()
        if now >= self._next:
            self._knock(now)
        if not self._unsent and self.board:
            self._unsent = b"".join(self._speaker.line(word, *values) for word, values in self._outbox.take())
        return self._unsent

    def sent(self, count: int) -> None:
        self._unsent = self._unsent[count:]

    def _knock(self, now: float) -> None:
        """A hello until there is an answer, then pings."""
        self._next = now + (self._patience.ping_every if self.board else self._patience.hello_every)
        if len(self._unsent) > 1:
            return  # the port is clogged; more would only clog it further
        if not self.board:
            self._unsent += self._speaker.line("hello")
            return
        self._echo = (self._echo + 1) % ECHOES
        self._pinged = now
        self._unsent += self._speaker.line("ping", self._echo)

    def hear(self, data: bytes, now: float) -> list[Signal]:
        """What these bytes mean to the table."""
        self._anything_came = True
        messages = self._listener.feed(data)
        if self._listener.strangers > self._strangers:
            raise PortTrouble(
                f"The board on {self.port} speaks version {self._listener.stranger} of the line protocol and the "
                f"companion speaks version {VERSION}: flash the firmware that came with this companion.",
                "refused",
            )
        signals = [self._understand(message, now) for message in messages]
        return [signal for signal in signals if signal]

    def _understand(self, message: Message, now: float) -> Signal | None:
        if message.word == "hello":
            self._greeted(message, now)
        if not self.board:
            return None  # a line meant for whoever had the port before
        self._heard = now
        match message.word, message.values:
            case "press", (number, ticks):
                return Signal(kind="press", source=f"serial button {number}", at=self._clock.time_of(ticks, now))
            case "dial", (sector, ticks):
                return Signal(kind="dial", source="disc", at=self._clock.time_of(ticks, now), value=sector)
            case "pong", (echo, ticks) if echo == self._echo:
                self._clock.measure(self._pinged, now, ticks)
            case "error", words:
                self.complaint = " ".join(words)
        return None

    def _greeted(self, message: Message, now: float) -> None:
        """The board has just begun, or has just begun anew: nothing it knew or counted before holds."""
        self.board = Carried(*message.values)
        self._clock = BoardClock()
        self._outbox.renew()
        self._next = now

    def _silence(self) -> PortTrouble:
        if self.board:
            return PortTrouble(f"The board on {self.port} stopped answering: unplug it and plug it in.", "searching")
        if self._anything_came:
            return PortTrouble(
                f"The device on {self.port} speaks something else than the line protocol: "
                "flash the firmware, or correct the port in the rig file.",
                "refused",
            )
        return PortTrouble(
            f"The device on {self.port} does not answer: flash the firmware, or correct the port in the rig file.",
            "refused",
        )
