"""The conversation with a board on a serial port: its clock, pending output, and the protocol.

It takes received bytes and the time, and returns Signals and bytes to send.
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
"""Number of round trips to keep; older ones are wrong because clocks drift."""

OLDEST = 0.05
"""Maximum seconds from a press to its arrival; no working line is slower."""


class RoundTrip(NamedTuple):
    seconds: float
    middle: float
    ticks: int


class BoardClock:
    """Converts the board's clock to ours, from the round trips of pings."""

    def __init__(self) -> None:
        self._trips: deque[RoundTrip] = deque(maxlen=SAMPLES)

    @property
    def round_trip(self) -> float | None:
        """Seconds of the latest ping's round trip."""
        return self._trips[-1].seconds if self._trips else None

    def measure(self, sent: float, arrived: float, ticks: int) -> None:
        """A ping left at `sent`, the board read its clock as `ticks`, the answer came at `arrived`."""
        self._trips.append(RoundTrip(arrived - sent, (sent + arrived) / 2, ticks))

    def time_of(self, ticks: int, now: float) -> float:
        """Our time at which the board's clock showed `ticks`: not after now and at most `OLDEST` before."""
        if not self._trips:
            return now
        quickest = min(self._trips)  # the shortest trip has the smallest error
        since = (ticks - quickest.ticks + TICKS // 2) % TICKS - TICKS // 2
        return max(now - OLDEST, min(now, quickest.middle + since / 1000))


if TYPE_CHECKING:
    from hardware.firmware.protocol import Value

SOUNDS_WAITING = 4


class Outbox:
    """Output to send. Lights are states, of which only the latest is sent; a sound that would be late is dropped."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._states: dict[str, tuple[str, tuple[Value, ...]]] = {}
        self._changed: dict[str, None] = {}
        self._sounds: deque[tuple[str, tuple[Value, ...]]] = deque(maxlen=SOUNDS_WAITING)

    def set(self, place: str, word: str, *values: Value) -> None:
        """Set the state of `place` (the ring, a light). ValueError if it does not fit the protocol."""
        message = word, checked(word, values)
        with self._lock:
            self._states[place] = message
            self._changed[place] = None

    def sound(self, name: str) -> None:
        message = "sound", checked("sound", (name,))
        with self._lock:
            self._sounds.append(message)

    def renew(self) -> None:
        """A board has just connected: send every state again, and drop old sounds."""
        with self._lock:
            self._changed = dict.fromkeys(self._states)
            self._sounds.clear()

    def take(self) -> list[tuple[str, tuple[Value, ...]]]:
        """The pending output, which then counts as sent."""
        with self._lock:
            said = [self._states[place] for place in self._changed] + list(self._sounds)
            self._changed = {}
            self._sounds.clear()
        return said


def checked(word: str, values: tuple[Value, ...]) -> tuple[Value, ...]:
    """The values as a board reads them. ValueError if it cannot."""
    return read_values(TO_BOARD, word, [str(value) for value in values])


ECHOES = 65536


class Patience(msgspec.Struct, frozen=True):
    """The link's time limits in seconds."""

    first_pause: float = 0.2
    longest_pause: float = 5.0
    hello_every: float = 0.5
    ping_every: float = 1.0
    answer_within: float = 3.0


class BoardInfo(msgspec.Struct, frozen=True):
    """What a board reports of itself: its firmware, and its numbers of parts."""

    firmware: str
    ring: int
    buttons: int
    lights: int
    sectors: int


class Conversation:
    """One conversation. Raises `PortTrouble` if no board answers, or it stops answering."""

    def __init__(self, port: str, listener: Listener, outbox: Outbox, patience: Patience, now: float) -> None:
        self.board: BoardInfo | None = None
        self.complaint: str | None = None
        self.port = port
        self._listener = listener
        self._outbox = outbox
        self._patience = patience
        self._clock = BoardClock()
        self._speaker = Speaker()
        self._unsent = b"\n"  # ends a half line that the board may have received before
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
        """The latest time for the next call of `speak`."""
        return min(self._next, self._heard + self._patience.answer_within)

    def speak(self, now: float) -> bytes:
        """The bytes to write; call `sent` with the number of written ones."""
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
        """Send a hello until the board answers, then pings."""
        self._next = now + (self._patience.ping_every if self.board else self._patience.hello_every)
        if len(self._unsent) > 1:
            return  # the port is blocked: do not add more
        if not self.board:
            self._unsent += self._speaker.line("hello")
            return
        self._echo = (self._echo + 1) % ECHOES
        self._pinged = now
        self._unsent += self._speaker.line("ping", self._echo)

    def hear(self, data: bytes, now: float) -> list[Signal]:
        """The Signals in these bytes."""
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
            return None  # a line for the program that had the port before
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
        """The board has started or restarted: it has forgotten every state and count."""
        self.board = BoardInfo(*message.values)
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
