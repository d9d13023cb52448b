"""The web server: the dashboard on a port, inside the companion's own process, from its start to its stop.

Nothing listens before there is a PIN. A port that another program has is tried again: the table plays on meanwhile.
"""

from __future__ import annotations

import errno
import logging
import os
import socket
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from flask import Flask
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.server import TcpWSGIServer
from waitress.task import ErrorTask, ThreadedTaskDispatcher

from web import address, assets, pin, words
from web.app import HEADERS, make_app
from web.house import House
from web.phones import Phones
from web.routes import Dashboard, Paces, paces
from web.stream import CLIENTS, Streams

_log = logging.getLogger(__name__)

SPARE: Final = 8
"""Threads for everything that is no stream of events."""
CONNECTIONS: Final = 100
"""Connections beside the streams: a browser opens up to six."""
SILENT: Final = 15_000
"""Milliseconds after which a phone that takes nothing any more is let go of: it is out of reach, or asleep."""
LARGEST: Final = 64 * 1024
"""Bytes of a request that are read at all; most of it is refused by us with better words."""
WAITING: Final = 256 * 1024
"""Bytes that may wait for a slow phone in the server. Beyond it, what waits is only counted, not kept."""
LOOP: Final = 0.5
AGAIN: Final = 5.0
"""Seconds before a port that was taken is tried again."""

OPTIONS: Final = (
    (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
    (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, SILENT),
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
)

State = Literal["ok", "troubled", "failed"]


class _Unreadable(ErrorTask):  # type: ignore[misc]
    """What is no HTTP gets a clear answer too, in the same shape as all others."""

    says: words.Words

    def execute(self) -> None:
        error = self.request.error
        reason = {413: "too_big", 431: "too_big"}.get(error.code, "not_json")
        said = {"refused": reason, "says": self.says.say(f"refused.{reason}", most=LARGEST)}
        body = msgspec.json.encode(said)
        self.status = f"{error.code} {error.reason}"
        self.response_headers += [*HEADERS.items(), ("Content-Type", "application/json")]
        self.set_close_on_finish()
        self.content_length = len(body)
        self.write(body)


class _Tcp(TcpWSGIServer):  # type: ignore[misc]
    def channel_class(self, *arguments: Any, **named: Any) -> HTTPChannel:
        channel = HTTPChannel(*arguments, **named)
        channel.error_task_class = _Unreadable
        return channel


class WebServer:
    """Serves one house. `start` and `stop` are called once each."""

    def __init__(
        self,
        house: House,
        home: Path,
        port: int,
        host: str = "",
        clients: int = CLIENTS,
        limits: Callable[[], Paces] = paces,
    ) -> None:
        """An empty `host` means every network that this machine is in."""
        self._house, self._home, self._host, self._limits = house, home, host, limits
        self.port, self._clients = port, clients
        self.pin: pin.Pin | None = None
        self.phones: Phones | None = None
        self.streams: Streams | None = None
        self.trouble = ""
        """Why nobody can open the page; empty if everybody can."""
        self._over = threading.Event()
        self._listening = threading.Event()
        self._steps = 0
        self._wake: Callable[[], None] = lambda: None
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)

    @property
    def address(self) -> str:
        """What a phone in the same network opens."""
        loopback = self._host.startswith("127.") or self._host == "localhost"
        return address.url(self._host if loopback else address.own(), self.port)

    # From start to stop

    def start(self) -> None:
        logging.getLogger("waitress").setLevel(logging.WARNING)  # pages come and go: that is no news
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)
        try:
            self.pin = pin.of(self._home)
        except pin.NoPin as error:
            self.trouble = str(error)
            _log.error("%s The table goes on without its page.", error)
            return
        self.phones = phones = Phones(self._home)
        self.streams = Streams(self._house, lambda least: seats_of(phones, least), self._clients)
        phones.changed = self.streams.refresh
        self.streams.start()
        self._listen()
        self._thread.start()

    def stop(self) -> None:
        if self.streams is not None:
            self.streams.stop()
        self._over.set()
        if self._thread.ident is not None:
            self._wake()
            self._thread.join(3.0)

    def make_app(self) -> Flask:
        assert self.phones is not None
        assert self.streams is not None
        assert self.pin is not None
        said = words.load()
        _Unreadable.says = said
        return make_app(
            Dashboard(
                self._house,
                self.phones,
                self.pin,
                self.streams,
                assets.load(),
                said,
                address.Names(),
                self.port,
                address.own,
                self._limits(),
            )
        )

    # The thread

    def _listen(self) -> None:
        """Open the port. Whoever has it already is told of, and nothing more happens here."""
        try:
            self._socket = _open_port(self._host, self.port)
        except OSError as error:
            why = os.strerror(error.errno) if error.errno else str(error)
            trouble = f"The page cannot be opened on port {self.port} ({why}); stop the other program, or say --port."
            if trouble != self.trouble:
                _log.warning("%s", trouble)
            self.trouble = trouble
            return
        self.port = self._socket.getsockname()[1]
        self.trouble = ""
        self._listening.set()

    def _run(self) -> None:
        while not self._listening.is_set():
            if self._over.wait(AGAIN):
                return
            self._listen()
        sockets: dict[int, Any] = {}
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(self._clients + SPARE)
        try:
            self._serve(self.make_app(), sockets, dispatcher)
        except Exception as error:  # the table goes on without its page
            self.trouble = f"The page broke down: {error}."
            _log.exception("%s", self.trouble)
        finally:
            self._wake = lambda: None
            for channel in list(sockets.values()):
                with suppress(OSError):
                    # Only this wakes a thread that waits for a slow phone to take something.
                    channel.handle_close() if isinstance(channel, HTTPChannel) else channel.close()
            dispatcher.shutdown(timeout=2)

    def _serve(self, app: Flask, sockets: dict[int, Any], dispatcher: ThreadedTaskDispatcher) -> None:
        settings = Adjustments(**_settings(self._clients), sockets=[self._socket])
        settings.socket_options = list(OPTIONS)
        info = (self._socket.family, self._socket.type, self._socket.proto, self._socket.getsockname())
        tcp = _Tcp(
            app, sockets, True, self._socket, dispatcher=dispatcher, adj=settings, sockinfo=info, bind_socket=False
        )
        self._wake = tcp.pull_trigger
        while not self._over.is_set():
            wasyncore.loop(timeout=LOOP, use_poll=True, map=sockets, count=1)
            self._steps += 1

    # Health

    @property
    def steps(self) -> int:
        """Grows only as long as both threads are alive."""
        return min(self._steps, self.streams.steps) if self.streams is not None else 0

    @property
    def waits(self) -> bool:
        """Whether it has a reason to do nothing, and tells it."""
        return bool(self.trouble)

    def health(self) -> tuple[State, str]:
        if self.trouble:
            return "failed", self.trouble
        if self.streams is None or self.phones is None:
            return "failed", "The page has not been opened yet."
        if not self._thread.is_alive() or not self.streams.alive:
            return "failed", "The page's thread has ended; start the companion again."
        if self.phones.unwritten:
            return "troubled", self.phones.unwritten
        pages, phones = self.streams.open_now, self.streams.phones
        if pages >= self._clients:
            return "troubled", f"{pages} pages are open, and more cannot be; close some."
        return "ok", f"The page is at {self.address}; {phones} phones look at it."


def seats_of(phones: Phones, least: int) -> list[dict[str, Any]]:
    """Who sits where, for at least so many seats."""
    seated = phones.seated()
    number = max([least, *(seat + 1 for seat in seated)])
    return [{"taken": seat in seated, "name": seated[seat].name if seat in seated else ""} for seat in range(number)]


def _open_port(host: str, port: int) -> socket.socket:
    if host:
        return socket.create_server((host, port), backlog=128)
    if socket.has_dualstack_ipv6():
        try:
            return socket.create_server(("", port), family=socket.AF_INET6, backlog=128, dualstack_ipv6=True)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise
    return socket.create_server(("", port), backlog=128)


def _settings(clients: int) -> Mapping[str, Any]:
    return {
        "threads": clients + SPARE,
        "connection_limit": clients + CONNECTIONS,
        "channel_timeout": 60,
        "cleanup_interval": 10,
        "max_request_body_size": LARGEST,
        "max_request_header_size": 16 * 1024,
        "outbuf_high_watermark": WAITING,
        "outbuf_overflow": 4 * WAITING,
        # Reading on while a stream is served is how a page that was closed is noticed at once.
        "channel_request_lookahead": 1,
        "asyncore_use_poll": True,
        "ident": None,
    }
