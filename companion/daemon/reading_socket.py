"""Readings from another program: a Unix socket that takes messages as JSON lines and answers with Updates.

For a table that is seen in some other way than through our camera, and for tests that need no pixels. A line that
comes in is `{"reading": …}`, `{"signal": …}` or `{"command": …}`; a line that goes out is `{"standing": …}` (the
first one), `{"update": …}`, `{"missed": …}` or `{"refused": "why"}`. Times are this machine's monotonic seconds.
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
"""Bytes of a line: a Reading with its picture is far shorter."""
MOST: Final = 16
"""Programs that may be connected at a time."""
PATIENCE: Final = 2
"""Seconds that a program has to read what is sent to it, before it is taken for gone."""
PARTING: Final = 10
"""Seconds that a program which does read has for the rest, when the daemon ends."""


class SocketTrouble(Exception):
    """A socket that cannot be had; the message says why and what to do."""


class Rubbish(Exception):
    """Something on the socket that nobody understands; the message says what."""


class Line(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A line that comes in: exactly one of these."""

    reading: Reading | None = None
    signal: Signal | None = None
    command: Command | None = None


class ReadingsSocket:
    """Listens at a path; each program that connects has two threads, one for each direction."""

    steps = 0
    waits = True  # it never has anything to do but wait for others
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
                f"Nobody can send readings to {self.path}: {why}; name another path in the rig file."
            ) from error
        self._server = server
        threading.Thread(target=self._accept, args=(server,), name="readings", daemon=True).start()

    def stop(self) -> None:
        """Let everybody go. Once the event bus is closed, they have heard all of it."""
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
                    # Only now: whoever is greeted counts as connected.
                    program.greet(self._bus)
                    threading.Thread(target=self._serve, args=(program,), name="readings in", daemon=True).start()

    def _serve(self, program: _Program) -> None:
        try:
            for text in program.lines(self._longest):
                self._take(program, text)
        except Rubbish as error:
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
    """One connection. What is sent on it comes from two threads, and stays in whole lines."""

    def __init__(self, line: socket.socket) -> None:
        self._line = line
        self._sending = threading.Lock()
        self._greeting = threading.Lock()
        self._listener: Subscription | None = None
        self._writer: threading.Thread | None = None
        # A program that does not read must not keep a thread for ever; reading may wait as long as it likes.
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDTIMEO, struct.pack("@ll", PATIENCE, 0))

    def greet(self, bus: EventBus) -> None:
        """Tell how things stand, and from then on everything that happens."""
        with self._greeting:  # whoever stops meanwhile waits for a thread that has begun, or for none
            self._listener, snapshot = bus.listen()
            tell = (self._listener, snapshot)
            self._writer = threading.Thread(target=self._tell, args=tell, name="readings out", daemon=True)
            self._writer.start()

    def lines(self, longest: int) -> Iterator[bytes]:
        with self._line.makefile("rb") as file:
            while text := file.readline(longest + 1):
                if len(text) > longest:
                    raise Rubbish(f"A line is longer than {longest} bytes.")
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
            _shut(self._line)  # nobody reads; the thread that listens to it notices too

    def finish(self) -> None:
        """Called when the event bus is closed: send the rest, and hang up."""
        with self._greeting:
            writer = self._writer
        if writer is not None:
            writer.join(PARTING)  # one that does not read is gone sooner
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
        raise Rubbish(f"A line is no message of the table: {error}.") from error
    messages = [message for message in (said.reading, said.signal, said.command) if message is not None]
    if len(messages) != 1:
        raise Rubbish("A line has to hold exactly one of reading, signal and command.")
    return messages[0]


def _shut(line: socket.socket) -> None:
    """Wake whoever waits for this socket; closing alone does not."""
    with suppress(OSError):
        line.shutdown(socket.SHUT_RDWR)


def _remove_what_a_crash_left(path: Path) -> None:
    """A socket at which nobody listens any more. Anything else at this path is somebody's."""
    if not path.exists() or not stat.S_ISSOCK(path.stat().st_mode):
        return
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as asked:
        try:
            asked.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
