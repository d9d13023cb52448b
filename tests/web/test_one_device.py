"""One device harms no other: silent, slow, greedy and vanishing clients on real sockets, each at its own address."""

from __future__ import annotations

import http.client
import logging
import socket
import struct
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.companion.daemon.tiny import soon
from tests.web.live import LONGEST, Listening, ask
from tests.web.table_backend import TableBackend
from tests.web.test_live import high_limits
from web import connections, stream
from web.connections import ConnectionLimits
from web.phones import new_token
from web.server import WebServer
from web.stream import CLIENTS, EACH_ADDRESS

GREEDY, OTHER = "127.0.0.66", "127.0.0.7"


@pytest.fixture
def serve(tmp_path: Path, backend: TableBackend, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., WebServer]]:
    monkeypatch.setattr(connections, "TICK", 0.02)
    monkeypatch.setattr(stream, "PING", 0.05)
    started: list[WebServer] = []

    def start(clients: int = CLIENTS, **caps: float) -> WebServer:
        server = WebServer(
            backend, tmp_path, 0, "127.0.0.1", clients, limits=high_limits, caps=ConnectionLimits(**caps)
        )  # type: ignore[arg-type]
        server.start()
        started.append(server)
        return server

    yield start
    for server in started:
        server.stop()


def connect(server: WebServer, address: str = GREEDY) -> socket.socket:
    return socket.create_connection(("127.0.0.1", server.port), LONGEST, (address, 0))


def is_closed(line: socket.socket) -> bool:
    """Whether the server has closed it; what it sent before does not matter."""
    line.settimeout(0.0)
    try:
        while line.recv(65536):
            pass
    except BlockingIOError:
        return False
    except ConnectionError:
        pass
    return True


def test_four_hundred_silent_connections_keep_no_other_phone_away(serve: Callable[..., WebServer]) -> None:
    server = serve()
    lines = [connect(server) for _ in range(400)]
    assert ask(server, "/healthz", source=OTHER)[0] == 200
    page = Listening(server, source=OTHER)
    assert page.until("standing")
    assert ask(server, "/healthz", source=GREEDY)[0] == 200  # the longest idle one made room
    assert soon(lambda: sum(not is_closed(line) for line in lines) <= ConnectionLimits().connections_each)
    assert is_closed(lines[0])
    assert not is_closed(lines[-1])
    page.close()
    for line in lines:
        line.close()


def test_many_addresses_together_keep_no_other_phone_away(serve: Callable[..., WebServer]) -> None:
    server = serve(connections=30, connections_each=8)
    page = Listening(server, source=OTHER)
    lines = [connect(server, f"127.0.0.{100 + number % 10}") for number in range(80)]
    assert ask(server, "/healthz", source=OTHER)[0] == 200
    assert page.until("ping")
    page.close()
    for line in lines:
        line.close()


def test_a_page_that_listens_never_makes_room_for_silent_connections(serve: Callable[..., WebServer]) -> None:
    server = serve(connections_each=4)
    page = Listening(server, source=GREEDY)
    page.until("standing")
    lines = [connect(server) for _ in range(10)]
    assert soon(lambda: sum(not is_closed(line) for line in lines) == 3)
    assert page.until("ping")
    page.close()
    for line in lines:
        line.close()


def test_a_letter_now_and_then_does_not_keep_a_request_open(serve: Callable[..., WebServer]) -> None:
    server = serve(head=0.3)
    line = connect(server)
    line.sendall(b"GET /healthz HTTP/1.1\r\nX: ")

    def is_closed_though_it_drips() -> bool:
        try:
            line.sendall(b"x")
        except ConnectionError:
            return True
        return is_closed(line)

    assert soon(is_closed_though_it_drips)
    line.close()


@pytest.mark.parametrize(
    ("begun", "deadline"),
    [(b"", "silent"), (b"POST /api/join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 9\r\n\r\n{", "body")],
)
def test_what_does_not_come_is_not_waited_for(serve: Callable[..., WebServer], begun: bytes, deadline: str) -> None:
    line = connect(serve(**{deadline: 0.1}))
    line.sendall(begun)
    assert soon(lambda: is_closed(line))
    line.close()


def test_an_idle_connection_is_closed_after_its_time(serve: Callable[..., WebServer]) -> None:
    server = serve(idle=0.1)
    line = connect(server)
    line.sendall(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert line.recv(65536).startswith(b"HTTP/1.1 200")
    assert soon(lambda: is_closed(line))
    line.close()


def test_an_answer_that_is_not_taken_is_not_waited_for_and_those_after_it_are_not_made(
    serve: Callable[..., WebServer], backend: TableBackend
) -> None:
    server = serve(idle=0.3)
    made = []
    large = b"x" * 8_000_000

    def picture(_journal: str, _event: int) -> bytes:
        made.append(1)
        return large

    backend.picture = picture  # type: ignore[method-assign]
    line = connect(server)
    line.sendall(b"GET /picture/game/1.jpg HTTP/1.1\r\nHost: localhost\r\n\r\n" * 50)
    assert soon(lambda: made and server.open_connections == 0)
    assert len(made) == 1
    line.close()


def test_two_hundred_streams_from_one_address_leave_room_for_others(serve: Callable[..., WebServer]) -> None:
    server = serve()
    greedy = [Listening(server, cookie=new_token(), source=GREEDY) for _ in range(30)]
    assert [page.status for page in greedy] == [200] * EACH_ADDRESS + [503] * (30 - EACH_ADDRESS)
    status, said = ask(server, "/api/events", source=GREEDY)
    assert (status, said["refused"]) == (503, "full_address")
    assert str(EACH_ADDRESS) in said["says"]["de"]
    other = Listening(server, source=OTHER)
    assert other.until("standing")
    for page in (*greedy, other):
        page.close()


@pytest.mark.parametrize("source", [GREEDY, OTHER])
def test_a_player_takes_the_place_of_an_unknown_page(serve: Callable[..., WebServer], source: str) -> None:
    """At a crowded address, and where as many pages listen as there may be."""
    server = serve(clients=EACH_ADDRESS)
    assert server.phones is not None
    token = new_token()
    server.phones.join(token, 0, "Ada")
    strangers = [Listening(server, cookie=new_token(), source=GREEDY) for _ in range(EACH_ADDRESS)]
    ada = Listening(server, cookie=token, source=source)
    assert ada.until("standing")
    while strangers[0].event() is not None:
        pass  # the oldest of them comes to its end
    assert strangers[1].until("ping")
    for page in (*strangers, ada):
        page.close()


def test_setting_the_clock_drops_no_phone_and_keeps_no_dead_one(
    serve: Callable[..., WebServer], monkeypatch: pytest.MonkeyPatch
) -> None:
    server = serve(head=0.3)
    page, line = Listening(server), http.client.HTTPConnection("127.0.0.1", server.port, timeout=LONGEST)
    line.request("GET", "/healthz")
    line.getresponse().read()
    kept, now = line.sock, time.time
    monkeypatch.setattr(time, "time", lambda: now() + 86_400)
    dead = connect(server)
    dead.sendall(b"GET")
    before = server.steps
    assert soon(lambda: server.steps > before + 3)
    monkeypatch.setattr(time, "time", lambda: now() - 86_400)
    assert soon(lambda: is_closed(dead))
    line.request("GET", "/healthz")
    assert line.getresponse().status == 200
    assert line.sock is kept
    assert page.until("ping")
    page.close()
    line.close()


def test_a_client_that_asks_before_it_sends_is_told_to_go_on(serve: Callable[..., WebServer]) -> None:
    server = serve()
    line = connect(server)
    head = "POST /api/join HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    line.sendall(f"{head}Content-Length: 13\r\nExpect: 100-continue\r\n\r\n".encode())
    assert line.recv(65536).startswith(b"HTTP/1.1 100 ")
    line.sendall(b'{"seat":null}')
    assert line.recv(65536).startswith(b"HTTP/1.1 401 ")
    line.sendall(f"{head}Content-Length: 9999999\r\nExpect: 100-continue\r\n\r\n".encode())
    assert line.recv(65536).startswith(b"HTTP/1.1 413 ")
    line.close()


def test_a_client_that_sends_too_much_can_still_read_why(serve: Callable[..., WebServer]) -> None:
    line = connect(serve())
    line.sendall(b"POST /api/join HTTP/1.1\r\nHost: localhost\r\nContent-Length: 500000\r\n\r\n" + b"x" * 500_000)
    answer = b""
    while part := line.recv(65536):
        answer += part
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b'"refused":"too_big"' in answer
    line.close()


def test_a_phone_that_vanishes_leaves_no_trace_in_the_log(
    serve: Callable[..., WebServer], backend: TableBackend, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO)
    server = serve()
    for request in (b"GET /api/events", b"GET /picture/1.jpg", b"GET /"):
        for _ in range(5):
            line = connect(server)
            line.sendall(request + b" HTTP/1.1\r\nHost: localhost\r\n\r\n")
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            line.close()  # with a reset, in the middle of the answer
    backend.play()
    assert soon(lambda: server.open_connections == 0)
    assert server.streams is not None
    assert soon(lambda: server.streams is not None and server.streams.open_now == 0)
    assert [record.getMessage() for record in caplog.records if record.exc_info or record.levelno > logging.INFO] == []
