"""Readings from another program: a Unix socket that takes messages as JSON lines and answers with Updates.

For tables that another program watches instead of our camera, and for tests without pictures. An incoming line is
`{"reading": …}`, `{"signal": …}` or `{"command": …}`; an outgoing line is `{"standing": …}` (the first one),
`{"update": …}`, `{"missed": …}` or `{"refused": "why"}`. Times are this machine's monotonic seconds.
"""

from __future__ import annotations

import logging
import socket
import stat
import struct
import threading
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import msgspec

from companion.daemon.health import Health
from companion.daemon.inbox import NotAccepted
from companion.kernel.events import EventBus, Missed, Snapshot, Subscription
from companion.kernel.messages import Command, Message, Reading, Signal
from companion.text.sentences import both_words

_log = logging.getLogger(__name__)

LONGEST: Final = 8_000_000
"""Maximum number of bytes in a line; a Reading with its picture is far shorter."""
MOST: Final = 16
"""Maximum number of connected programs."""
PATIENCE: Final = 2
"""Seconds that a program has to read a line before it is disconnected."""
PARTING: Final = 10
"""Seconds that programs have to read the remaining lines when the daemon stops."""


class SocketTrouble(Exception):
    """The socket cannot be opened; the message says why and what to do."""


class InvalidLine(Exception):
    """An invalid line on the socket; the message says what is wrong."""


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An incoming line: exactly one of these."""

    reading: Reading | None = None
    signal: Signal | None = None
    command: Command | None = None


class ReadingsSocket:
    """Listens at a path; each program that connects has two threads, one for each direction."""

    steps = 0
    waits = True  # it only waits for other programs
    knocks = 0

    def __init__(self, path: Path, put: Callable[[Message], None], bus: EventBus, longest: int = LONGEST) -> None:
        self.path, self._put, self._bus, self._longest = path, put, bus, longest
        self._changed = threading.Lock()
        self._programs: set[_Program] = set()
        self._last_refusal = ""
        self._server: socket.socket | None = None

    def start(self) -> None:
        server = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            _remove_what_a_crash_left(self.path)
            server.bind(str(self.path))
            self.path.chmod(0o600)
            server.listen()
        except OSError as error:
            server.close()
            why = error.strerror or error
            raise SocketTrouble(
                f"No program can send readings to {self.path}: {why}; name another path in the rig file."
            ) from error
        self._server = server
        threading.Thread(target=self._accept, args=(server,), name="readings", daemon=True).start()

    def stop(self) -> None:
        """Disconnect all programs. Call it after closing the event bus, so that they receive every update."""
        server, self._server = self._server, None
        if server is None:
            return
        _shut(server)
        self.path.unlink(missing_ok=True)
        with self._changed:
            programs = tuple(self._programs)
        for program in programs:
            program.finish()

    @property
    def blind(self) -> str:
        return "" if self._programs else "no_readings"

    def health(self) -> Iterator[Health]:
        number = len(self._programs)
        refused = f" The last that was sent away: {self._last_refusal}" if self._last_refusal else ""
        if number:
            says = f"{number} program{'s' if number > 1 else ''} may send readings to {self.path}.{refused}"
            yield Health("camera", "ok", says, both_words("readings.connected")["de"])
        else:
            says = f"No program is connected to {self.path} to send readings.{refused}"
            yield Health("camera", "troubled", says, both_words("readings.none")["de"])

    def _accept(self, server: socket.socket) -> None:
        with server:
            while True:
                try:
                    line, _ = server.accept()
                except OSError:
                    return  # it was shut
                program = _Program(line)
                with self._changed:
                    full = len(self._programs) >= MOST or self._server is None
                    if not full:
                        self._programs.add(program)
                if full:
                    self._send_away(program, f"{MOST} programs are connected already.")
                    program.close()
                else:
                    # Greet only now, because a greeted program counts as connected.
                    program.greet(self._bus)
                    threading.Thread(target=self._serve, args=(program,), name="readings in", daemon=True).start()

    def _serve(self, program: _Program) -> None:
        try:
            for text in program.lines(self._longest):
                self._take(program, text)
        except InvalidLine as error:
            self._send_away(program, str(error))
        except OSError:
            pass  # it went away
        finally:
            with self._changed:
                self._programs.discard(program)
            program.close()

    def _take(self, program: _Program, text: bytes) -> None:
        message = _message(text)
        try:
            self._put(message)
        except NotAccepted as error:
            program.send({"refused": str(error)})

    def _send_away(self, program: _Program, why: str) -> None:
        self._last_refusal = why
        _log.warning("A program at %s was sent away: %s", self.path, why)
        with suppress(OSError):
            program.send({"refused": why})


class _Program:
    """One connection. Two threads send on it; a lock keeps their lines whole."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._sending = threading.Lock()
        self._greeting = threading.Lock()
        self._listener: Subscription | None = None
        self._writer: threading.Thread | None = None
        # A program that does not read must not block a thread for ever. Reading from it has no timeout.
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("@ll", PATIENCE, 0))

    def greet(self, bus: EventBus) -> None:
        """Send the snapshot, and from then on every update."""
        with self._greeting:  # `finish` then joins either a thread that was started, or none
            self._listener, snapshot = bus.listen()
            tell = (self._listener, snapshot)
            self._writer = threading.Thread(target=self._tell, args=tell, name="readings out", daemon=True)
            self._writer.start()

    def lines(self, longest: int) -> Iterator[bytes]:
        with self._line.makefile("rb") as file:
            while text := file.readline(longest + 1):
                if len(text) > longest:
                    raise InvalidLine(f"A line is longer than {longest} bytes.")
                if not text.endswith(b"\n"):
                    return  # it went away in the middle of a line
                yield text

    def send(self, said: dict[str, Any]) -> None:
        with self._sending:
            self._line.sendall(msgspec.json.encode(said) + b"\n")

    def _tell(self, listener: Subscription, snapshot: Snapshot) -> None:
        try:
            self.send({"standing": snapshot})
            while (news := listener.get()) is not None:
                self.send({"missed": news} if isinstance(news, Missed) else {"update": news})
        except OSError:
            _shut(self._line)  # it does not read; the listening thread notices the closed socket too

    def finish(self) -> None:
        """Send the remaining lines and disconnect, once the event bus is closed."""
        with self._greeting:
            writer = self._writer
        if writer is not None:
            writer.join(PARTING)  # a program that does not read was disconnected before
        _shut(self._line)

    def close(self) -> None:
        if self._listener is not None and self._writer is not None:
            self._listener.close()
            self._writer.join()
        _shut(self._line)
        self._line.close()


def _message(text: bytes) -> Message:
    try:
        said = msgspec.json.decode(text, type=Line)
    except msgspec.DecodeError as error:
        raise InvalidLine(f"A line is no message of the table: {error}.") from error
    messages = [message for message in (said.reading, said.signal, said.command) if message is not None]
    if len(messages) != 1:
        raise InvalidLine("A line has to hold exactly one of reading, signal and command.")
    return messages[0]


def _shut(line: socket.socket) -> None:
    """Wake the threads that wait for this socket; closing it does not."""
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)


def _remove_what_a_crash_left(path: Path) -> None:
    """Remove a socket without a listener. Any other file at this path is kept."""
    if not path.exists() or not stat.S_ISSOCK(path.stat().st_mode):
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asked:
        try:
            asked.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
