"""The readings socket: other programs send Readings, and none of them can disturb the others."""

from __future__ import annotations

import queue
import socket
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from companion.daemon import reading_socket
from companion.daemon.inbox import NotAccepted
from companion.daemon.reading_socket import MOST, ReadingsSocket, SocketTrouble
from companion.kernel.events import EventBus
from companion.kernel.messages import Command, Message, Reading, Signal, Update, ZoneReading
from companion.kernel.views import Cells

from .tiny import command, press, reading, soon


class Client:
    """A connected program."""

    def __init__(self, path: Path) -> None:
        self.line = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.line.settimeout(60)
        self.line.connect(str(path))
        self.file = self.line.makefile("rb")

    def say(self, **message: Any) -> None:
        self.line.sendall(msgspec.json.encode(message) + b"\n")

    def hear(self) -> Any:
        """The next line; None if the connection was closed."""
        try:
            text = self.file.readline()
        except ConnectionResetError:
            return None
        return msgspec.json.decode(text) if text else None

    def close(self) -> None:
        self.file.close()
        self.line.close()


class Place:
    def __init__(self, path: Path) -> None:
        self.path = path
        self.inbox: queue.SimpleQueue[Message] = queue.SimpleQueue()
        self.bus = EventBus()
        self.socket = ReadingsSocket(path, self.put, self.bus, longest=2000)
        self.full = False
        self.clients: list[Client] = []

    def put(self, message: Message) -> None:
        if self.full and isinstance(message, Command):
            raise NotAccepted("No room.")
        self.inbox.put(message)

    def client(self) -> Client:
        """A greeted client, which receives every Update from then on."""
        client = Client(self.path)
        self.clients.append(client)
        assert "standing" in client.hear()
        return client


@pytest.fixture
def place(tmp_path: Path) -> Iterator[Place]:
    place = Place(tmp_path / "readings")
    place.socket.start()
    yield place
    place.bus.close()
    place.socket.stop()
    for client in place.clients:
        client.close()


def test_readings_signals_and_commands_arrive_as_they_were_sent_and_in_order(place: Place) -> None:
    seen = Reading({"castle": ZoneReading("grid", Cells({"A1": "blue", "A2": None}), 0.9)}, 12.5, 7, b"\xff\xd8")
    felt, asked = Signal("press", "seat blue", 1.0, 0), command("undo")
    client = place.client()
    client.say(reading=seen)
    client.say(signal=felt)
    client.say(command=asked)
    assert [place.inbox.get(timeout=60) for _ in range(3)] == [seen, felt, asked]


def test_updates_come_back_to_every_client(place: Place) -> None:
    clients = [place.client(), place.client()]
    place.bus.publish([Update(1, "moved", {"event": 1})], {})
    for client in clients:
        assert client.hear() == {"update": {"number": 1, "kind": "moved", "body": {"event": 1}}}
    late = Client(place.path)
    place.clients.append(late)
    assert late.hear()["standing"]["number"] == 1


def test_another_table_is_told(place: Place) -> None:
    client = place.client()
    place.bus.open(0, {})
    assert client.hear() == {"missed": {"edition": place.bus.edition}}


@pytest.mark.parametrize(
    ("rubbish", "why"),
    [
        (b"hello\n", "is no message of the table"),
        (b"\xff\xfe\x00\n", "is no message of the table"),
        (b"{}\n", "exactly one of reading, signal and command"),
        (b'{"reading": {"zones": {}}}\n', "missing required field `at`"),
        (b'{"telegram": 1}\n', "unknown field `telegram`"),
        (b'{"reading": {"zones": {}, "at": 1}, "command": {"id": "1", "kind": "undo"}}\n', "exactly one"),
        (b"x" * 3000, "longer than 2000 bytes"),
    ],
)
def test_rubbish_is_refused_with_a_sentence_and_ends_that_connection_only(
    place: Place, rubbish: bytes, why: str
) -> None:
    good, bad = place.client(), place.client()
    bad.line.sendall(rubbish)
    assert why in bad.hear()["refused"]
    assert bad.hear() is None
    good.say(reading=reading(3))
    assert place.inbox.get(timeout=60) == reading(3)
    place.bus.publish([Update(1, "moved")], {})
    assert good.hear()["update"]["number"] == 1


def test_a_command_that_is_not_accepted_is_answered_and_the_connection_stays(place: Place) -> None:
    client = place.client()
    place.full = True
    client.say(command=command("undo"))
    assert client.hear() == {"refused": "No room."}
    client.say(signal=press())
    assert place.inbox.get(timeout=60) == press()


def test_a_client_that_goes_away_in_the_middle_of_a_line_disturbs_nobody(place: Place) -> None:
    stays, goes = place.client(), place.client()
    goes.line.sendall(msgspec.json.encode({"reading": reading(1)}))  # without a newline, so the line may go on
    goes.close()
    assert soon(lambda: "1 program may" in next(iter(place.socket.health())).says)
    place.bus.publish([Update(1, "moved")], {})
    assert stays.hear()["update"]["number"] == 1
    assert place.inbox.empty()


def test_a_client_that_never_reads_keeps_the_table_from_nothing(place: Place) -> None:
    place.client()
    quick = place.client()
    for number in range(1, 501):
        place.bus.publish([Update(number, "moved", {"text": "x" * 5000})], {})
        if number % 10 == 0:  # so few that a socket holds them, however long the machine keeps the reader waiting
            while quick.hear()["update"]["number"] < number:
                pass


def test_health_tells_whether_anybody_sees_for_us(place: Place) -> None:
    (health,) = place.socket.health()
    assert (health.name, health.state) == ("camera", "troubled")
    place.client()
    (health,) = place.socket.health()
    assert health.state == "ok"


def test_too_many_clients_are_sent_away(place: Place) -> None:
    for _ in range(MOST):
        place.client()
    late = Client(place.path)
    place.clients.append(late)
    assert late.hear() == {"refused": f"{MOST} programs are connected already."}
    assert late.hear() is None


def test_whoever_is_connected_hears_the_last_update_before_the_end(
    place: Place, monkeypatch: pytest.MonkeyPatch
) -> None:
    for limit in ("PATIENCE", "PARTING"):
        monkeypatch.setattr(reading_socket, limit, 60)  # on a busy machine this test itself is one that reads slowly
    client = place.client()
    # More than fits into a socket: the rest is sent while it stops, as the program reads.
    place.bus.publish([Update(number, "moved", {"text": "x" * 20_000}) for number in range(1, 101)], {})
    place.bus.close()
    stopping = threading.Thread(target=place.socket.stop)
    stopping.start()
    assert soon(lambda: not place.path.exists())
    assert [client.hear()["update"]["number"] for _ in range(100)] == list(range(1, 101))
    assert client.hear() is None
    stopping.join(60)
    assert not place.path.exists()


def test_whoever_was_just_greeted_hears_the_last_update_too(place: Place, monkeypatch: pytest.MonkeyPatch) -> None:
    begin = threading.Thread.start

    def begin_and_dawdle(thread: threading.Thread) -> None:
        begin(thread)
        if thread.name == "readings out":
            greeted.wait(60)  # the program has heard how things stand before its greeting is over
            soon(lambda: not place.path.exists())  # and the socket is already being stopped

    greeted = threading.Event()
    monkeypatch.setattr(threading.Thread, "start", begin_and_dawdle)
    client = place.client()
    greeted.set()
    place.bus.publish([Update(number, "moved", {"text": "x" * 20_000}) for number in range(1, 51)], {})
    place.bus.close()
    stopping = threading.Thread(target=place.socket.stop)
    begin(stopping)
    assert [client.hear()["update"]["number"] for _ in range(50)] == list(range(1, 51))
    stopping.join(60)


def test_what_a_crash_left_is_no_obstacle_but_anything_else_is(tmp_path: Path, place: Place) -> None:
    left = tmp_path / "left"
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as dead:
        dead.bind(str(left))
    again = ReadingsSocket(left, place.put, place.bus)
    again.start()
    again.stop()
    (tmp_path / "file").write_text("a file")
    for path in (place.path, tmp_path / "file", tmp_path / "no" / "folder"):
        with pytest.raises(SocketTrouble, match=f"No program can send readings to {path}: .*; name another path"):
            ReadingsSocket(path, place.put, place.bus).start()
    assert (tmp_path / "file").read_text() == "a file"


def test_the_page_about_the_rig_shows_lines_that_are_understood(place: Place) -> None:
    page = (Path(__file__).parents[3] / "docs" / "rig.md").read_text(encoding="utf-8")
    sent, _ = page.partition("## Another way of seeing")[2].partition("```json\n")[2].split("```", 1)
    client = place.client()
    client.line.sendall(sent.encode())
    kinds = [type(place.inbox.get(timeout=60)).__name__ for _ in sent.splitlines()]
    assert kinds == ["Reading", "Signal", "Command"]
