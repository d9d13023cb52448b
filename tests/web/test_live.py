"""Events over real sockets: all phones get all of them in order; slow, lost and too many phones do not harm others."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path

import pytest

from companion.kernel.events import KEPT
from companion.kernel.messages import Update
from tests.companion.daemon.tiny import soon
from tests.web.live import LONGEST, Listening, ask
from tests.web.table_backend import TableBackend
from web import connections
from web import server as servers
from web import stream as streams
from web.connections import OPTIONS
from web.phones import new_token
from web.routes import Limit, RateLimits
from web.server import WebServer


def high_limits() -> RateLimits:
    return RateLimits(**{name: Limit(100_000, 0.001) for name in RateLimits.__struct_fields__})


@pytest.fixture
def server(tmp_path: Path, backend: TableBackend) -> Iterator[WebServer]:
    server = WebServer(backend, tmp_path, 0, "127.0.0.1", clients=6, limits=high_limits)
    server.start()
    yield server
    server.stop()


def tell(server: WebServer, backend: TableBackend, first: int, last: int, size: int = 10) -> None:
    """Updates as a very busy table would publish them: a hundred at once."""
    for number in range(first, last + 1):
        backend.bus.publish([Update(number, "moved", {"text": "x" * size})], {"number": number, "seats": [1, 2]})
        if number % 100 == 0 or number == last:
            assert soon(lambda n=number: server.streams is not None and server.streams.told.number == n)


def test_a_page_hears_hello_then_how_things_stand_then_everything(server: WebServer, backend: TableBackend) -> None:
    page = Listening(server)
    kind, hello = page.event() or ("", {})
    assert kind == "hello"
    assert hello["me"]["role"] == "nobody"
    assert hello["edition"] == backend.snapshot().edition
    kind, snapshot = page.event() or ("", {})
    assert kind == "standing"
    assert page.last_id == f"{snapshot['edition']}:{snapshot['number']}"
    assert snapshot["table"]["game"] == "tumult_royale"
    assert snapshot["seats"] == [{"taken": False, "name": ""}] * 2
    number = backend.play()
    assert [page.until("update")["number"]][0] <= number
    after = page.until("standing")
    while after["number"] < number:
        after = page.until("standing")
    assert after["table"]["events"] == backend.events()
    page.close()


def test_an_update_comes_before_the_snapshot_that_includes_it(server: WebServer, backend: TableBackend) -> None:
    page = Listening(server)
    page.until("standing")
    tell(server, backend, 1, 60)
    seen = 0
    while seen < 60:
        event = page.event()
        assert event is not None
        kind, data = event
        if kind == "update":
            assert data["number"] == seen + 1
            seen += 1
        elif kind == "standing":
            assert data["number"] <= seen
    assert page.until("standing")["number"] == 60
    page.close()


def test_a_sign_of_life_comes_also_when_nothing_happens(
    server: WebServer, backend: TableBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "PING", 0.05)
    page = Listening(server)
    first, second = page.until("ping")["now"], page.until("ping")["now"]
    assert first < second <= backend.now()
    page.close()


def test_a_page_that_comes_back_gets_all_it_missed_and_nothing_twice(server: WebServer, backend: TableBackend) -> None:
    page = Listening(server)
    page.until("standing")
    tell(server, backend, 1, 5)
    assert page.updates(5) == [1, 2, 3, 4, 5]
    page.close()
    assert page.last_id == f"{backend.snapshot().edition}:5"
    tell(server, backend, 6, 40)
    again = Listening(server, page.last_id)
    assert again.updates(40) == list(range(6, 41))
    tell(server, backend, 41, 42)
    assert again.updates(42) == [41, 42]
    again.close()


@pytest.mark.parametrize(
    "since", ["other:3", "{edition}:99", "{edition}:-1", "{edition}:x", "x", ":", "{edition}:" + "9" * 40]
)
def test_a_page_with_a_number_that_means_nothing_gets_how_things_stand(
    server: WebServer, backend: TableBackend, since: str
) -> None:
    tell(server, backend, 1, 5)
    page = Listening(server, since.format(edition=backend.snapshot().edition))
    kinds = [event[0] for event in (page.event(), page.event()) if event is not None]
    assert kinds == ["hello", "standing"]
    page.close()


def test_a_page_that_was_away_for_too_long_gets_how_things_stand(server: WebServer, backend: TableBackend) -> None:
    tell(server, backend, 1, KEPT + 10)
    edition = backend.snapshot().edition
    late, just = Listening(server, f"{edition}:9"), Listening(server, f"{edition}:10")
    assert [late.event(), late.event()][1][0] == "standing"  # type: ignore[index]
    assert just.updates(KEPT + 10) == list(range(11, KEPT + 11))
    late.close()
    just.close()


def test_another_game_is_another_edition_and_everybody_hears_of_it(server: WebServer, backend: TableBackend) -> None:
    page = Listening(server)
    before = page.until("standing")["edition"]
    backend.bus.open(0, {"game": "other"})
    after = page.until("standing")
    while after["edition"] == before:
        after = page.until("standing")
    assert (after["number"], after["table"]) == (0, {"game": "other"})
    page.close()


def test_a_raid_is_told_at_once(server: WebServer, backend: TableBackend) -> None:
    page = Listening(server)
    page.until("standing")
    backend.raids = {"phase": "gathering", "king": 0}
    backend.bus.aside("raid", backend.raids)
    assert page.until("raid") == backend.raids
    while page.until("standing")["raid"] != backend.raids:
        pass
    page.close()


def test_a_camera_that_sees_nothing_is_told_and_so_is_its_end(server: WebServer, backend: TableBackend) -> None:
    page = Listening(server)
    assert page.until("standing")["camera"] is None
    backend.blind = {"kind": "unplugged", "since": 1.0, "says": {"de": "nichts", "en": "nothing"}}
    while page.until("standing")["camera"] != backend.blind:
        pass
    backend.blind = None
    while page.until("standing")["camera"] is not None:
        pass
    page.close()


def test_who_sits_where_is_told_to_all(server: WebServer) -> None:
    page = Listening(server)
    page.until("standing")
    assert server.phones is not None
    server.phones.join(new_token(), 1, "Bob")
    while (seats := page.until("standing")["seats"]) != [{"taken": False, "name": ""}, {"taken": True, "name": "Bob"}]:
        assert len(seats) == 2
    page.close()


def test_a_slow_phone_keeps_nobody_waiting_and_goes_on_with_how_things_stand(
    server: WebServer, backend: TableBackend
) -> None:
    slow = Listening(server, cookie=new_token())
    slow.until("standing")
    quick = Listening(server, cookie=new_token())
    quick.until("standing")
    last = KEPT * 3
    for first in range(1, last, 100):  # in all so much that no socket's buffer holds it
        tell(server, backend, first, first + 99, size=20_000)
        assert quick.updates(first + 99) == list(range(first, first + 100))
    numbers, snapshot = [], 0
    while snapshot < last:
        kind, data = slow.event() or ("", {})
        if kind == "update":
            numbers.append(data["number"])
        elif kind == "standing":
            snapshot = data["number"]
    assert numbers == sorted(set(numbers))
    assert len(numbers) < last  # it missed some, and knows how things stand
    tell(server, backend, last + 1, last + 1)
    assert slow.updates(last + 1)[-1] == last + 1
    slow.close()
    quick.close()


def test_a_page_that_was_closed_makes_room(server: WebServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(streams, "PING", 0.05)
    pages = [Listening(server, cookie=new_token()) for _ in range(6)]
    status, said = ask(server, "/api/events")
    assert status == 503
    assert said["refused"] == "full"
    assert "6" in said["says"]["de"]
    assert ask(server, "/healthz")[0] == 200  # everything else still works
    assert server.health()[0] == "troubled"
    pages.pop().close()
    assert soon(lambda: server.streams is not None and server.streams.open_now == 5)
    another = Listening(server, cookie=new_token())
    assert another.status == 200
    for page in (*pages, another):
        page.close()


def test_one_phone_with_many_pages_closes_its_own_oldest(tmp_path: Path, backend: TableBackend) -> None:
    server = WebServer(backend, tmp_path, 0, "127.0.0.1", clients=streams.EACH + 2, limits=high_limits)
    server.start()
    token = new_token()
    other, *pages = [Listening(server, cookie=cookie) for cookie in (new_token(), *([token] * (streams.EACH + 1)))]
    assert pages[0].event() is not None
    while pages[0].event() is not None:
        pass  # it comes to its end
    assert pages[-1].until("standing")
    assert other.until("standing")["phones"] <= 2
    for page in (other, *pages):
        page.close()
    server.stop()


# From start to stop


def test_nothing_listens_before_there_is_a_pin(tmp_path: Path, backend: TableBackend) -> None:
    (tmp_path / "home").write_text("no folder", encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    server = WebServer(backend, tmp_path / "home", port, "127.0.0.1")
    server.start()
    with pytest.raises(ConnectionRefusedError):
        socket.create_connection(("127.0.0.1", port), LONGEST)
    assert server.health()[0] == "failed"
    assert "PIN" in server.health()[1]
    assert server.waits
    server.stop()


def test_a_port_that_is_taken_is_tried_again(
    tmp_path: Path, backend: TableBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(servers, "AGAIN", 0.02)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        server = WebServer(backend, tmp_path, port, "127.0.0.1", clients=2)
        server.start()
        state, says = server.health()
        assert state == "failed"
        assert f"port {port}" in says
        assert server.waits
    assert soon(lambda: server.health()[0] == "ok")
    assert ask(server, "/healthz")[1]["ok"] is True
    server.stop()


def test_a_stop_says_goodbye_to_every_page_and_frees_the_port(tmp_path: Path, backend: TableBackend) -> None:
    server = WebServer(backend, tmp_path, 0, "127.0.0.1", clients=4)
    server.start()
    page = Listening(server)
    page.until("standing")
    server.stop()
    while page.event() is not None:
        pass
    page.close()
    with socket.create_server(("127.0.0.1", server.port)):
        pass


def test_both_threads_are_seen_to_go_on(server: WebServer) -> None:
    before = server.steps
    assert soon(lambda: server.steps > before + 1)
    assert not server.waits
    assert server.health() == ("ok", f"The page is at http://127.0.0.1:{server.port}/; 0 phones look at it.")


def test_seats_are_kept_over_a_restart(tmp_path: Path, backend: TableBackend) -> None:
    token = new_token()
    for restart in (False, True):
        server = WebServer(backend, tmp_path, 0, "127.0.0.1", clients=2)
        server.start()
        assert server.phones is not None
        if not restart:
            server.phones.join(token, 1, "Ada")
        page = Listening(server, cookie=token)
        assert page.until("hello")["me"]["seat"] == 1
        assert page.until("standing")["seats"][1] == {"taken": True, "name": "Ada"}
        page.close()
        server.stop()


def test_a_backend_that_fails_once_is_listened_to_again(
    server: WebServer, backend: TableBackend, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    page = Listening(server)
    page.until("standing")
    backend.bus.aside("odd", {"what": object()})  # nothing that JSON knows
    assert soon(lambda: "are restarted" in caplog.text)
    tell(server, backend, 1, 1)
    while page.until("standing")["number"] < 1:
        pass
    page.close()


@pytest.mark.parametrize(
    "sent",
    [
        b"nonsense\r\n\r\n",
        b"GET / HTTP/9.9\r\n" + b"X: y\r\n" * 4000 + b"\r\n",
        b"POST /api/join HTTP/1.1\r\nContent-Length: -4\r\n\r\n",
        b"GET http://[::1/ HTTP/1.1\r\nHost: localhost\r\n\r\n",
    ],
)
def test_what_is_no_http_gets_a_clear_answer_too(server: WebServer, sent: bytes) -> None:
    with socket.create_connection(("127.0.0.1", server.port), LONGEST) as line:
        line.sendall(sent)
        answer = b""
        while part := line.recv(4096):
            answer += part
    status = int(answer.split()[1])
    assert 400 <= status < 500
    assert b'"says":{"de":' in answer


def test_a_phone_that_takes_nothing_any_more_is_let_go_of(
    tmp_path: Path, backend: TableBackend, monkeypatch: pytest.MonkeyPatch
) -> None:
    impatient = [(level, name, 300 if name == socket.TCP_USER_TIMEOUT else value) for level, name, value in OPTIONS]
    monkeypatch.setattr(connections, "OPTIONS", impatient)
    server = WebServer(backend, tmp_path, 0, "127.0.0.1", clients=2, limits=high_limits)
    server.start()
    asleep, awake = Listening(server, cookie=new_token()), Listening(server, cookie=new_token())
    awake.until("standing")
    for first in range(1, 1000, 5):  # in all so much that no socket's buffer holds it, but each part fits into one
        tell(server, backend, first, first + 4, size=20_000)
        awake.updates(first + 4)
    assert soon(lambda: server.streams is not None and server.streams.open_now == 1)
    tell(server, backend, 1001, 1001)
    assert awake.updates(1001) == [1001]
    asleep.close()
    awake.close()
    server.stop()
