"""The serial link: a board on a USB cable that may be pulled and plugged again at any time.

The link's thread opens the port, talks, and reconnects after every problem; no other thread waits for it. The protocol
is in `conversation`, finding a port in `ports`.
"""

from __future__ import annotations

import logging
import select
import socket
import termios
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from types import TracebackType
from typing import Literal, Self

import msgspec

from companion.kernel.messages import Signal
from hardware.firmware.protocol import FROM_BOARD, Listener
from hardware.serial.conversation import BoardInfo, Conversation, Outbox, Patience
from hardware.serial.ports import AUTO, Port, PortTrouble, find_pico, open_port

SOURCE = "serial"
PORTION = 4096
STOP_TIMEOUT = 0.9
"""Seconds that `close` waits for the thread: a port stuck in the kernel must not block the companion."""


class LineCounts(msgspec.Struct, frozen=True):
    """Numbers of lines that were not understood since the link began."""

    garbage: int = 0
    bad_checksum: int = 0
    too_long: int = 0
    missed: int = 0
    unknown: int = 0
    bad_values: int = 0


class SerialHealth(msgspec.Struct, frozen=True):
    """The state of the link. `complaint` is the last problem that the board reported."""

    state: Literal["connected", "searching", "refused"]
    sentence: str
    port: str
    board: BoardInfo | None
    round_trip: float | None
    complaint: str | None
    counts: LineCounts

    @property
    def firmware(self) -> str | None:
        return self.board.firmware if self.board else None


class SerialLink:
    """A board on a serial port. The link's thread calls `put` with its Signals."""

    def __init__(
        self,
        port: str,
        put: Callable[[Signal], None],
        clock: Callable[[], float] = time.monotonic,
        *,
        patience: Patience | None = None,
        find: Callable[[], str] = find_pico,
        opened: Callable[[str], Port] = open_port,
    ) -> None:
        self._port = port
        self._put = put
        self._clock = clock
        self._patience = patience or Patience()
        self._find = find
        self._opened = opened
        self._outbox = Outbox()
        self._listener = Listener(FROM_BOARD)
        self._talk: Conversation | None = None
        self._trouble = PortTrouble(f"Looking for the board on {port}.", "searching")
        self._missed = False
        self._pause = self._patience.first_pause
        self._closing = False
        self._wake_receiver, self._wake_sender = socket.socketpair()
        self._wake_sender.setblocking(False)
        self._thread = threading.Thread(target=self._run, name="serial link", daemon=True)
        self._thread.start()

    def ring(self, lit: int, colour: str, level: int = 255) -> None:
        """Show a colour ("ff8000") on the first `lit` LEDs of the ring; the others are off."""
        self._set("ring", "ring", lit, colour, level)

    def pixels(self, colours: Sequence[str], level: int = 255) -> None:
        """Show a colour on each LED of the ring; the remaining ones are off."""
        self._set("ring", "pixels", level, "".join(colours))

    def light(self, number: int, level: int) -> None:
        """Set an extra light. Their numbers begin at 1."""
        self._set(f"light {number}", "light", number, level)

    def quiet(self, quiet: bool) -> None:
        """Switch the board's quiet mode on or off."""
        self._set("quiet", "quiet", int(quiet))

    def sound(self, name: str) -> None:
        """Play one of the board's sounds; it is dropped if it cannot be played now."""
        self._outbox.sound(name)
        self._wake()

    def _set(self, place: str, word: str, *values: int | str) -> None:
        self._outbox.set(place, word, *values)
        self._wake()

    def health(self) -> SerialHealth:
        talk, trouble, listener = self._talk, self._trouble, self._listener
        counts = LineCounts(*(getattr(listener, name) for name in LineCounts.__struct_fields__))
        if talk is None or talk.board is None:
            return SerialHealth(trouble.state, trouble.sentence, self._name(), None, None, None, counts)
        sentence = f"The board on {talk.port} is connected, firmware {talk.board.firmware}."
        return SerialHealth("connected", sentence, talk.port, talk.board, talk.round_trip, talk.complaint, counts)

    def close(self) -> None:
        """End the link; the board switches its lights off by itself."""
        if self._closing:
            return
        self._closing = True
        self._wake()
        if threading.current_thread() is not self._thread:
            self._thread.join(STOP_TIMEOUT)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _wake(self) -> None:
        # If the pipe is full, the thread will wake anyway; if it is closed, the thread has ended.
        with suppress(OSError):
            self._wake_sender.send(b"!")

    def _run(self) -> None:
        while not self._closing:
            try:
                self._meet()
            except PortTrouble as trouble:
                self._part(trouble)
            except OSError:
                self._part(PortTrouble(f"The board on {self._name()} was unplugged: plug it in again.", "searching"))
            except Exception as error:  # an error must not end the thread; the health page reports it
                self._part(PortTrouble(f"The serial link stumbled ({error!r}) and begins again.", "searching"))
            self._rest()
        self._trouble = PortTrouble("The serial link is closed.", "searching")
        self._talk = None
        for end in (self._wake_receiver, self._wake_sender):
            end.close()

    def _meet(self) -> None:
        """Open the port and talk until the connection ends."""
        name = self._find() if self._port == AUTO else self._port
        with closing(self._opened(name)) as port:
            talk = Conversation(name, self._listener, self._outbox, self._patience, self._clock())
            self._talk = talk
            try:
                while not self._closing:
                    self._exchange(port, talk)
            finally:
                with suppress(OSError, termios.error):
                    port.reset_output_buffer()  # else closing would wait for a board that does not read

    def _exchange(self, port: Port, talk: Conversation) -> None:
        """Wait until there is something to read, write or do, and do it."""
        data = talk.speak(self._clock())
        wait = max(0.0, talk.due - self._clock())
        sources: list[Port | socket.socket] = [port, self._wake_receiver]
        readable, writable, _ = select.select(sources, [port] if data else [], [], wait)
        if self._wake_receiver in readable:
            self._wake_receiver.recv(PORTION)
        if port in readable:
            came = port.read(PORTION)
            self._hear(talk, came)
        if port in writable:
            talk.sent(port.write(data))

    def _hear(self, talk: Conversation, data: bytes) -> None:
        signals = talk.hear(data, self._clock())
        if talk.board:
            self._pause = self._patience.first_pause
            if self._missed:
                self._missed = False
                self._report(Signal(kind="back", source=SOURCE, at=self._clock()))
        for signal in signals:
            self._report(signal)

    def _report(self, signal: Signal) -> None:
        try:
            self._put(signal)
        except Exception:
            logging.getLogger(__name__).exception("%s was not delivered", signal)

    def _name(self) -> str:
        """The port's real name, if "auto" found one."""
        talk = self._talk
        return talk.port if talk else self._port

    def _part(self, trouble: PortTrouble) -> None:
        """Report once that the board is missing, also if it was missing at the start."""
        self._trouble = trouble
        self._talk = None
        if not self._missed:
            self._missed = True
            self._report(Signal(kind="lost", source=SOURCE, at=self._clock()))

    def _rest(self) -> None:
        """Wait before the next attempt, longer each time. Closing the link ends the wait."""
        until = self._clock() + self._pause
        self._pause = min(self._patience.longest_pause, 2 * self._pause)
        while not self._closing and (left := until - self._clock()) > 0:
            if select.select([self._wake_receiver], [], [], left)[0]:
                self._wake_receiver.recv(PORTION)
