"""An HTTP server: an asyncio protocol around h11. A few threads answer requests with a WSGI app; event streams need no
thread. One device cannot block others: connections are counted by address, and each has a deadline.

Deadlines use the event loop's monotonic clock, so setting the system's clock does not change them.
"""

from __future__ import annotations

import asyncio
import io
import logging
import socket
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from math import inf
from typing import Any, Final, Protocol
from urllib.parse import unquote_to_bytes, urlsplit

import h11
import msgspec

_log = logging.getLogger(__name__)

STREAM: Final = "companion.stream"
"""The key in the WSGI environment under which the app puts an event stream to send after the headers."""

HEAD_BYTES: Final = 16 * 1024
BODY_BYTES: Final = 64 * 1024
"""Maximum number of bytes of a body; for most routes the app refuses less, with a better message."""
THREADS: Final = 8
TICK: Final = 0.5
"""Seconds between checks of the deadlines."""
UNREACHABLE: Final = 15_000
"""Milliseconds without TCP acknowledgements after which a phone counts as unreachable or asleep."""

OPTIONS: Final = (
    (socket.IPPROTO_TCP, socket.TCP_NODELAY, 1),
    (socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, UNREACHABLE),
    (socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1),
)


class ConnectionLimits(msgspec.Struct, frozen=True):
    """Maximum numbers of connections, and maximum seconds of each step."""

    connections: int = 300
    connections_each: int = 40
    """Of one address. A browser opens up to six, and one for the event stream of each page."""
    silent: float = 20.0
    """Until the first byte of the first request."""
    head: float = 10.0
    """From the first byte of a request to the end of its headers."""
    body: float = 10.0
    """From the end of the headers to the end of the request."""
    idle: float = 60.0
    """From an answer to the first byte of the next request; the client must also read the answer in this time."""
    linger: float = 2.0
    """For a refused client to stop sending, so that it can read the reason."""


class EventStream(Protocol):
    """The events that one page still has to receive."""

    def take(self) -> bytes | None:
        """The waiting events; empty if there are none, None after the end."""

    def close(self) -> None: ...


class HttpAnswer(msgspec.Struct, frozen=True):
    status: int
    headers: list[tuple[str, str]]
    body: bytes = b""
    stream: Any = None


App = Callable[[dict[str, Any], Callable[..., Any]], Iterable[bytes]]


class Connections:
    """All connections of one server. Made in a running event loop; unless noted, methods run in its thread."""

    def __init__(self, app: App, unreadable: Callable[[int], HttpAnswer], caps: ConnectionLimits | None = None) -> None:
        """`unreadable` makes the answer with this status to a request that is not valid HTTP."""
        self.app, self.unreadable, self.caps = app, unreadable, caps or ConnectionLimits()
        self.steps = 0
        self._open: dict[Connection, None] = {}
        self._threads = ThreadPoolExecutor(THREADS, thread_name_prefix="web request")
        self._loop = asyncio.get_running_loop()
        self._over = asyncio.Event()

    async def serve(self, listening: socket.socket) -> None:
        """Serve until `stop`."""
        server = await self._loop.create_server(lambda: Connection(self), sock=listening, backlog=128)
        try:
            while not self._over.is_set():
                self._close_overdue(self._loop.time())
                self.steps += 1
                try:
                    await asyncio.wait_for(self._over.wait(), TICK)
                except TimeoutError:
                    continue
        finally:
            server.close()
            self.send_events()  # the last events
            for connection in list(self._open):
                connection.close()
            await asyncio.sleep(0)
            for connection in list(self._open):
                connection.abort()
            self._threads.shutdown(wait=False, cancel_futures=True)

    def stop(self) -> None:
        """Any thread may call it."""
        self._soon(self._over.set)

    def wake(self) -> None:
        """Send the waiting events of all streams. Any thread may call it."""
        self._soon(self.send_events)

    def _soon(self, act: Callable[[], object]) -> None:
        with suppress(RuntimeError):  # the loop is closed, and all connections with it
            self._loop.call_soon_threadsafe(act)

    def __len__(self) -> int:
        return len(self._open)

    def send_events(self) -> None:
        for connection in list(self._open):
            connection.send_events()

    # For connections

    @property
    def now(self) -> float:
        return self._loop.time()

    def admit(self, new: Connection) -> None:
        """Accept a connection. If the address or the server is full, close the longest idle connection of that address,
        or of the address with the most; if none is idle, close the new one."""
        count = Counter(one.address for one in self._open)
        alone = count[new.address] >= self.caps.connections_each
        if alone or len(self._open) >= self.caps.connections:
            idle = [one for one in self._open if one.idle and (one.address == new.address or not alone)]
            if not idle:
                new.abort()
                return
            max(idle, key=lambda one: (count[one.address], -one.since)).abort()
        self._open[new] = None

    def forget(self, connection: Connection) -> None:
        self._open.pop(connection, None)

    def answer(self, environ: dict[str, Any], done: Callable[[HttpAnswer], None]) -> None:
        """Answer a request in a worker thread, then call `done` in the loop's thread, also after an error."""
        self._threads.submit(self._work, environ, done)

    def _work(self, environ: dict[str, Any], done: Callable[[HttpAnswer], None]) -> None:
        try:
            answer = call(self.app, environ)
        except Exception as error:  # the app handles its own errors; this is one of the server
            _log.exception("A request went wrong: %s.", error)
            answer = msgspec.structs.replace(self.unreadable(503), stream=environ.get(STREAM))
        self._soon(lambda: done(answer))

    def _close_overdue(self, now: float) -> None:
        for connection in list(self._open):
            if now >= connection.due:
                connection.abort()


class Connection(asyncio.Protocol):
    """One socket: requests and answers in turn, or one request followed by events until the end."""

    def __init__(self, all_: Connections) -> None:
        self._all = all_
        self._http = h11.Connection(h11.SERVER, max_incomplete_event_size=HEAD_BYTES)
        self._transport: Any = None
        self._request: h11.Request | None = None
        self._body = bytearray()
        self._begun = self._working = self._lingering = self._blocked = self._gone = False
        self._stream: EventStream | None = None
        self.address = ""
        self.since = self.due = inf
        """Since when it waits for a request, and its deadline."""

    @property
    def idle(self) -> bool:
        """Whether it has no request in work."""
        return not self._working and self._stream is None

    # What asyncio calls

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        peer = transport.get_extra_info("peername") or ("",)
        self.address = str(peer[0]).removeprefix("::ffff:").partition("%")[0]
        line = transport.get_extra_info("socket")
        for option in OPTIONS:
            line.setsockopt(*option)
        self._transport.set_write_buffer_limits(high=0)  # `_blocked` means that unsent data waits
        self.since = self._all.now
        self.due = self.since + self._all.caps.silent
        self._all.admit(self)

    def connection_lost(self, _error: Exception | None) -> None:
        self._gone = True
        self._all.forget(self)
        if self._stream is not None:
            self._stream.close()

    def data_received(self, data: bytes) -> None:
        if self._lingering:
            return
        if self._stream is not None:  # ignore what a listening page sends
            self.abort()
            return
        if not self._begun:
            self._begun = True
            self.due = self._all.now + self._all.caps.head
        self._http.receive_data(data)
        self._read_request()

    def pause_writing(self) -> None:
        self._blocked = True

    def resume_writing(self) -> None:
        self._blocked = False
        if self._stream is not None:
            self.send_events()
        elif self._http.our_state in (h11.DONE, h11.MUST_CLOSE) and not self._lingering:
            self._next_request()

    # A request

    def _read_request(self) -> None:
        try:
            while not self._working:
                event = self._http.next_event()
                if event is h11.NEED_DATA:
                    if self._http.they_are_waiting_for_100_continue:
                        self._write(self._http.send(h11.InformationalResponse(status_code=100, headers=[])))
                    return
                if event is h11.PAUSED or isinstance(event, h11.ConnectionClosed):
                    return
                self._take(event)
        except h11.RemoteProtocolError as error:
            self._refuse(error.error_status_hint)
        except ValueError:  # an invalid address
            self._refuse(400)

    def _take(self, event: Any) -> None:
        match event:
            case h11.Request():
                self._request, self._body = event, bytearray()
                self.due = self._all.now + self._all.caps.body
                _check(event)
            case h11.Data():
                self._body += event.data
                if len(self._body) > BODY_BYTES:
                    raise h11.RemoteProtocolError("The body is too large.", error_status_hint=413)
            case h11.EndOfMessage():
                assert self._request is not None
                environ = _environ(self._request, bytes(self._body), self.address, self._transport)
                self._working, self.due = True, inf
                self._transport.pause_reading()
                self._all.answer(environ, self._answered)

    # Its answer

    def _answered(self, answer: HttpAnswer) -> None:
        if self._gone or self._transport.is_closing():
            if answer.stream is not None:
                answer.stream.close()
            return
        self._working = False
        self._transport.resume_reading()
        if answer.stream is not None and answer.status != 200:
            answer.stream.close()
            answer = msgspec.structs.replace(answer, stream=None)
        if answer.stream is None:
            self._send(answer)
            self._next_request()
        else:
            self._stream = answer.stream
            self._write(self._http.send(_head(answer)))
            self.send_events()

    def _send(self, answer: HttpAnswer) -> None:
        bare = self._request is not None and self._request.method == b"HEAD"
        self._write(
            self._http.send(_head(answer))
            + (b"" if bare else self._http.send(h11.Data(data=answer.body)))
            + self._http.send(h11.EndOfMessage())
        )

    def _next_request(self) -> None:
        """Read the next request after the client read the answer, or unread answers would pile up."""
        if self._http.our_state is h11.MUST_CLOSE or self._transport.is_closing():
            self.close()
            return
        self.since = self._all.now
        self.due = self.since + self._all.caps.idle
        if self._blocked:
            self._transport.pause_reading()
            return
        self._transport.resume_reading()
        if self._http.our_state is h11.DONE:
            self._http.start_next_cycle()
            self._request = None
            self._begun = bool(self._http.trailing_data[0])
            if self._begun:
                self.due = self.since + self._all.caps.head
        self._read_request()

    def _refuse(self, status: int) -> None:
        """Answer invalid or too large requests with the reason, then close."""
        self._lingering, self.due = True, self._all.now + self._all.caps.linger
        if self._http.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            answer = self._all.unreadable(status)
            self._send(msgspec.structs.replace(answer, headers=[*answer.headers, ("Connection", "close")]))
        if self._transport.can_write_eof():
            self._transport.write_eof()

    # Events

    def send_events(self) -> None:
        """Send the waiting events, unless the page has not read the last ones; its stream keeps what it needs."""
        while self._stream is not None and not self._blocked and not self._transport.is_closing():
            events = self._stream.take()
            if events is None:
                self._write(self._http.send(h11.EndOfMessage()))
                self.close()
            elif events:
                self._write(self._http.send(h11.Data(data=events)))
            else:
                return

    # Its end

    def _write(self, data: bytes | None) -> None:
        if data and not self._transport.is_closing():
            self._transport.write(data)

    def close(self) -> None:
        """Close once the written data was sent."""
        self.due = min(self.due, self._all.now + self._all.caps.idle)
        self._transport.close()

    def abort(self) -> None:
        """Close at once and drop unsent data. It stops counting now, before asyncio reports the end."""
        self._all.forget(self)
        self._transport.abort()


def call(app: App, environ: dict[str, Any]) -> HttpAnswer:
    """The complete answer of a WSGI app."""
    started: list[Any] = []

    def start(status: str, headers: list[tuple[str, str]], _error: Any = None) -> None:
        started[:] = [int(status.split(" ", 1)[0]), headers]

    parts = app(environ, start)
    try:
        body = b"".join(parts)
    finally:
        getattr(parts, "close", lambda: None)()
    status, headers = started
    return HttpAnswer(status, headers, body, environ.get(STREAM))


def _check(request: h11.Request) -> None:
    """Check what h11 does not. Raises h11.RemoteProtocolError."""
    if request.http_version not in (b"1.0", b"1.1"):
        raise h11.RemoteProtocolError("This is HTTP of another kind.", error_status_hint=400)
    if len(request.target) + sum(len(name) + len(value) + 4 for name, value in request.headers) > HEAD_BYTES:
        raise h11.RemoteProtocolError("The headers are too large.", error_status_hint=431)
    length = next((value for name, value in request.headers if name == b"content-length"), b"0")
    if int(length) > BODY_BYTES:
        raise h11.RemoteProtocolError("The body is too large.", error_status_hint=413)


def _head(answer: HttpAnswer) -> h11.Response:
    headers = answer.headers
    if answer.stream is not None:
        headers = [(name, value) for name, value in headers if name.lower() != "content-length"]
    encoded = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers]
    return h11.Response(status_code=answer.status, headers=encoded)


def _environ(request: h11.Request, body: bytes, address: str, transport: Any) -> dict[str, Any]:
    """The request as a WSGI environment (PEP 3333)."""
    target = urlsplit(request.target.decode("latin-1")) if not request.target.startswith(b"/") else None
    path, _, query = (target.path + "?" + target.query if target else request.target.decode("latin-1")).partition("?")
    own = transport.get_extra_info("sockname") or ("", 0)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": request.method.decode("latin-1"),
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query,
        "SERVER_NAME": str(own[0]),
        "SERVER_PORT": str(own[1]),
        "SERVER_PROTOCOL": f"HTTP/{request.http_version.decode('latin-1')}",
        "REMOTE_ADDR": address,
        "CONTENT_LENGTH": str(len(body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "http",
        "wsgi.input": io.BytesIO(body),
        "wsgi.input_terminated": True,
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": False,
        "wsgi.run_once": False,
    }
    for raw, value in request.headers:
        name = raw.decode("latin-1").upper()
        if "_" in name or name == "CONTENT-LENGTH":  # WSGI would confuse it with the name with a hyphen
            continue
        key = "CONTENT_TYPE" if name == "CONTENT-TYPE" else f"HTTP_{name.replace('-', '_')}"
        text = value.decode("latin-1")
        environ[key] = f"{environ[key]}{'; ' if key == 'HTTP_COOKIE' else ','}{text}" if key in environ else text
    return environ
