"""The web server: serves the dashboard on a port, in threads of the companion's process.

It starts only once there is a PIN. If another program has the port, it is tried again; the table works meanwhile.
"""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import logging
import os
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal

import msgspec
from flask import Flask

from web import address, assets
from web.app import HEADERS, make_app
from web.backend import Backend
from web.connections import BODY_BYTES, ConnectionLimits, Connections, HttpAnswer
from web.phones import NoPin, Phones, Pin, kept_pin
from web.routes import Dashboard, RateLimits, rate_limits
from web.stream import CLIENTS, EACH_ADDRESS, Streams

_log = logging.getLogger(__name__)

AGAIN: Final = 5.0
"""Seconds before a busy port is tried again."""

State = Literal["ok", "troubled", "failed"]


class WebServer:
    """Serves one backend. `start` and `stop` are called once each."""

    def __init__(
        self,
        backend: Backend,
        home: Path,
        port: int,
        host: str = "",
        clients: int = CLIENTS,
        clients_each: int = EACH_ADDRESS,
        limits: Callable[[], RateLimits] = rate_limits,
        caps: ConnectionLimits | None = None,
    ) -> None:
        """An empty `host` means all networks of this machine. `clients` is the maximum number of listening pages,
        `clients_each` that of one address."""
        self._backend, self._home, self._host, self._limits, self._caps = backend, home, host, limits, caps
        self.port, self._clients, self._clients_each = port, clients, clients_each
        self.pin: Pin | None = None
        self.phones: Phones | None = None
        self.streams: Streams | None = None
        self.trouble = ""
        """Why the page cannot be opened; empty if it can."""
        self._over = threading.Event()
        self._listening = threading.Event()
        self._connections: Connections | None = None
        self._thread = threading.Thread(target=self._run, name="web", daemon=True)

    @property
    def address(self) -> str:
        """The page's address for a phone in the same network."""
        everywhere = not self._host or ipaddress.ip_address(self._host).is_unspecified
        named = f"[{self._host}]" if ":" in self._host else self._host
        return address.url(address.own_address() if everywhere else named, self.port)

    @property
    def address_here(self) -> str:
        """What a browser on this machine opens, whatever the network is like."""
        everywhere = not self._host or ipaddress.ip_address(self._host).is_unspecified
        return address.url("localhost", self.port) if everywhere else self.address

    # From start to stop

    def start(self) -> None:
        try:
            self.pin = kept_pin(self._home)
        except NoPin as error:
            self.trouble = str(error)
            _log.error("%s The table goes on without its page.", error)
            return
        self.phones = phones = Phones(self._home, game=lambda: open_game(self._backend))
        self.streams = Streams(self._backend, lambda least: seats_of(phones, least), self._clients, self._clients_each)
        phones.changed = self.streams.refresh
        self.streams.start()
        self._listen()
        self._thread.start()

    def stop(self) -> None:
        if self.streams is not None:
            self.streams.stop()
        self._over.set()
        if self._connections is not None:
            self._connections.stop()
        if self._thread.ident is not None:
            self._thread.join(3.0)

    def make_app(self) -> Flask:
        assert self.phones is not None
        assert self.streams is not None
        assert self.pin is not None
        return make_app(
            Dashboard(
                self._backend,
                self.phones,
                self.pin,
                self.streams,
                assets.load(),
                assets.load_words(),
                address.Names(),
                self.port,
                address.own_address,
                self._limits(),
            )
        )

    # The thread

    def _listen(self) -> None:
        """Try to open the port; log each new reason why that fails."""
        try:
            self._socket = open_port(self._host, self.port)
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
        try:
            asyncio.run(self._serve())
        except Exception as error:  # the table works on without the page
            self.trouble = f"The page broke down: {error}."
            _log.exception("%s", self.trouble)

    async def _serve(self) -> None:
        assert self.streams is not None
        self._connections = connections = Connections(self.make_app(), unreadable(assets.load_words()), self._caps)
        self.streams.wake = connections.wake
        if not self._over.is_set():
            await connections.serve(self._socket)

    # Health

    @property
    def steps(self) -> int:
        """Grows while both threads are alive."""
        if self.streams is None or self._connections is None:
            return 0
        return min(self._connections.steps, self.streams.steps)

    @property
    def open_connections(self) -> int:
        return len(self._connections) if self._connections is not None else 0

    @property
    def waits(self) -> bool:
        """Whether it rightly does nothing; its health tells the reason."""
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


def open_game(backend: Backend) -> str:
    """The id of the game that is open; empty if none is."""
    return backend.snapshot().table.get("journal") or ""


def seats_of(phones: Phones, least: int) -> list[dict[str, Any]]:
    """The name at each seat, for at least this many seats."""
    seated = phones.seated()
    number = max([least, *(seat + 1 for seat in seated)])
    return [{"taken": seat in seated, "name": seated[seat].name if seat in seated else ""} for seat in range(number)]


def unreadable(said: assets.Words) -> Callable[[int], HttpAnswer]:
    """Makes the answer to invalid HTTP, in the same form as all refusals."""

    def answer(status: int) -> HttpAnswer:
        reason = {413: "too_big", 431: "too_big", 503: "failed"}.get(status, "not_json")
        body = msgspec.json.encode({"refused": reason, "says": said.say(f"refused.{reason}", most=BODY_BYTES)})
        kind = [("Content-Type", "application/json"), ("Content-Length", str(len(body)))]
        return HttpAnswer(status, [*HEADERS.items(), *kind], body)

    return answer


def open_port(host: str, port: int) -> socket.socket:
    """A listening socket; an empty `host` means all interfaces."""
    if host:
        family = socket.AF_INET6 if ":" in host else socket.AF_INET
        return socket.create_server((host, port), family=family, backlog=128)
    if socket.has_dualstack_ipv6():
        try:
            return socket.create_server(("", port), family=socket.AF_INET6, backlog=128, dualstack_ipv6=True)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise
    return socket.create_server(("", port), backlog=128)
