"""`companion run` as a separate process: started, used, stopped, killed."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import msgspec
import numpy as np
import pytest

from companion.cli import main
from companion.journal import Journal, JournalInUse

from .test_reading_socket import Client
from .tiny import GAME, TWO, begin, command, free_port, now, press, some_move

ROOT = Path(__file__).parents[3]
RIG = """
name = "kitchen"
[camera]
source = "{source}"
[pins]
backend = "mock"
[[seats]]
colour = "yellow"
button = 5
light = 16
[[seats]]
colour = "blue"
button = 6
light = 20
"""


class Program:
    """A companion's home, and the companion in it."""

    def __init__(self, home: Path) -> None:
        self.home, self.rig, self.socket = home, home / "rig.toml", home / "readings"
        self.rig.write_text(RIG.format(source=f"readings:{self.socket}"), encoding="utf-8")
        self.notices = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.notices.bind(str(home / "notify"))
        self.notices.settimeout(60)
        self.port = free_port()
        self.process: subprocess.Popen[str] | None = None

    def start(self, *arguments: str) -> subprocess.Popen[str]:
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "COMPANION_HOME": str(self.home),
            "NOTIFY_SOCKET": str(self.home / "notify"),
            "WATCHDOG_USEC": "600000",
        }
        self.process = subprocess.Popen(
            [
                sys.executable,
                "-m",
                "tests.companion.daemon.with_tiny_table",
                "run",
                "--port",
                str(self.port),
                *arguments,
            ],
            cwd=ROOT,
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        return self.process

    def until(self, words: str) -> None:
        while words not in self.notices.recv(4096).decode():
            pass

    def end(self, number: int) -> tuple[int, str, str]:
        assert self.process is not None
        self.process.send_signal(number)
        out, err = self.process.communicate(timeout=60)
        return self.process.returncode, out, err

    def journals(self) -> list[Path]:
        return sorted((self.home / "games").glob("*.journal"))


class Phone:
    """A phone that comes to the page of a companion."""

    def __init__(self, port: int) -> None:
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        self._headers = {"Content-Type": "application/json"}
        self._headers["X-Companion"] = self.ask("GET", "/api/me")["csrf"]

    def ask(self, method: str, path: str, body: Any = None) -> Any:
        sent = None if body is None else msgspec.json.encode(body)
        self._line.request(method, path, sent, self._headers)
        answer = self._line.getresponse()
        if cookie := answer.headers["Set-Cookie"]:
            self._headers["Cookie"] = cookie.partition(";")[0]
        said = msgspec.json.decode(answer.read())
        if path == "/api/host":  # a host has a new token
            self._headers["X-Companion"] = said["csrf"]
        return said

    def part(self, name: str) -> Any:
        return next(part for part in self.ask("GET", "/api/health") if part["name"] == name)


@pytest.fixture
def program(tmp_path: Path) -> Iterator[Program]:
    program = Program(tmp_path)
    yield program
    if program.process is not None:
        program.process.kill()
        program.process.communicate()
    program.notices.close()


def first_move() -> object:
    return some_move(GAME.setup(GAME.load_box(), TWO.seats, {}))


def test_an_evening_it_is_started_played_stopped_and_gone_on_with(program: Program) -> None:
    program.start("--rig", str(program.rig), "--game", GAME.name, "--colours", "blue,yellow")
    program.until("READY=1")
    program.until("WATCHDOG=1")
    client = Client(program.socket)
    assert client.hear()["standing"]["table"] == {"game": GAME.name, "events": 0}
    client.say(command=first_move())
    assert client.hear()["update"]["kind"] == "moved"
    client.say(signal=press())
    assert client.hear()["update"] == {"number": 2, "kind": "felt", "body": {"source": "seat blue", "kind": "press"}}
    code, out, _ = program.end(signal.SIGTERM)
    program.until("STOPPING=1")
    assert code == 0
    assert f"game    {GAME.name} ({program.journals()[0]})" in out
    assert client.hear() is None
    assert not program.socket.exists()
    Journal.open(program.journals()[0], now).close()  # nobody holds it any more

    program.start("--rig", str(program.rig))
    program.until("READY=1")
    again = Client(program.socket)
    assert again.hear()["standing"]["table"] == {"game": GAME.name, "events": 1}
    assert program.end(signal.SIGINT)[0] == 0


def test_the_page_is_there_with_a_pin_and_a_code_and_a_phone_plays_by_it(program: Program) -> None:
    program.start("--rig", str(program.rig), "--game", GAME.name, "--colours", "blue,yellow")
    program.until("READY=1")
    phone = Phone(program.port)
    pin = (program.home / "pin").read_text(encoding="ascii").strip()
    assert phone.ask("POST", "/api/host", {"pin": pin})["role"] == "host"
    told = msgspec.to_builtins(first_move())
    answer = phone.ask("POST", "/api/command", {"id": "a-move-by-hand", "kind": "move", "body": told["body"]})
    assert answer == {"number": 1}
    assert phone.ask("GET", "/api/standing")["table"] == {"game": GAME.name, "events": 1}
    assert {"name": "web", "state": "ok"}.items() <= phone.part("web").items()
    code, out, _ = program.end(signal.SIGTERM)
    assert code == 0
    assert f":{program.port}/" in out
    assert f"PIN     {pin}" in out
    assert "█▄▄▄█" in out  # a corner of the QR code


def test_a_port_that_is_taken_keeps_nobody_from_playing(program: Program) -> None:
    with socket.create_server(("", program.port)):
        program.start("--rig", str(program.rig), "--game", GAME.name, "--players", "2")
        program.until("web: failed")
        program.until("WATCHDOG=1")
        code, out, err = program.end(signal.SIGTERM)
    assert code == 0
    assert f"The page cannot be opened on port {program.port}" in out
    assert f"The page cannot be opened on port {program.port}" in err


def test_a_companion_that_was_killed_goes_on_with_all_it_acknowledged(program: Program) -> None:
    program.start("--rig", str(program.rig), "--game", GAME.name, "--colours", "blue,yellow")
    program.until("READY=1")
    client = Client(program.socket)
    client.hear()
    client.say(command=first_move())
    assert client.hear()["update"]["kind"] == "moved"
    assert program.end(signal.SIGKILL)[0] == -signal.SIGKILL
    program.start("--rig", str(program.rig))
    program.until("READY=1")
    assert Client(program.socket).hear()["standing"]["table"]["events"] == 1


def test_without_a_game_it_waits_for_somebody_to_begin_one(program: Program) -> None:
    program.start("--rig", str(program.rig), "--json-log")
    program.until("STATUS=no game; ")
    client = Client(program.socket)
    assert client.hear()["standing"]["table"] == {"game": None}
    client.say(command=command("undo"))
    assert client.hear()["update"]["kind"] == "refused"
    client.say(command=begin())
    assert "missed" in client.hear()
    client.say(command=command("stumble"))
    assert client.hear()["update"]["kind"] == "refused"
    code, _, err = program.end(signal.SIGTERM)
    assert code == 0
    says = [json.loads(line) for line in err.splitlines()]
    assert any("could not take the command 'stumble'" in line["says"] and "trace" in line for line in says)


def test_a_second_signal_ends_at_once(program: Program) -> None:
    process = program.start("--rig", str(program.rig), "--game", GAME.name, "--players", "2")
    program.until("READY=1")
    client = Client(program.socket)
    client.hear()
    client.say(command=command("hang"))
    client.say(command=command("undo"))
    process.send_signal(signal.SIGTERM)
    program.until("STOPPING=1")
    code, _, _ = program.end(signal.SIGTERM)
    assert code == 128 + signal.SIGTERM


def test_a_table_without_camera_and_without_a_rig_file_is_told_by_hand(program: Program) -> None:
    program.rig.unlink()
    program.start("--game", GAME.name, "--players", "3", "--options", '{"oldest": 2}')
    program.until("READY=1")
    code, out, err = program.end(signal.SIGTERM)
    assert code == 0
    assert "camera  none" in out
    assert "this table has no camera" in err
    with Journal.read(program.journals()[0]) as journal:
        assert len(journal.head.setup.seats) == 3
        assert journal.head.setup.options == {"oldest": 2}


def test_the_rig_seats_the_players_and_a_game_that_is_not_over_goes_on_unless_it_is_put_away(program: Program) -> None:
    order = ("--rig", str(program.rig), "--game", GAME.name, "--players", "2")
    for extra, journals in (((), 1), ((), 1), (("--new",), 2)):
        program.start(*order, *extra)
        program.until("READY=1")
        assert program.end(signal.SIGTERM)[0] == 0
        assert len(program.journals()) == journals
    with Journal.read(program.journals()[0]) as journal:
        assert [seat.colour for seat in journal.head.setup.seats] == ["yellow", "blue"]


def test_with_a_camera_the_table_is_watched_as_long_as_a_game_is_open(program: Program) -> None:
    picture = program.home / "empty.png"
    cv2.imwrite(str(picture), np.full((360, 640, 3), 120, np.uint8))
    program.rig.write_text(RIG.format(source=f"picture:{picture}"), encoding="utf-8")
    program.start("--rig", str(program.rig), "--game", GAME.name, "--players", "2")
    program.until("STATUS=tumult_royale; plane: troubled")  # there is no table in this picture, and that is told
    program.until("WATCHDOG=1")
    program.until("WATCHDOG=1")
    code, _, err = program.end(signal.SIGTERM)
    assert code == 0
    assert "WARNING: plane: troubled. The markers are not found yet" in err


def test_a_damaged_journal_keeps_nobody_from_playing(program: Program) -> None:
    (program.home / "games").mkdir()
    (program.home / "games" / "0001-tumult_royale.journal").write_bytes(b"no journal at all" * 100)
    program.start("--rig", str(program.rig))
    program.until("STATUS=no game")
    code, _, err = program.end(signal.SIGTERM)
    assert code == 0
    assert "The last game cannot be gone on with" in err


# What cannot be used is said in a sentence, and systemd does not try again


def refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    from companion.cli import run

    from .tiny import TinyTable

    monkeypatch.setattr(run, "tables", lambda: TinyTable)
    monkeypatch.setattr(run, "start_log", lambda _as_json: None)  # the log belongs to pytest here
    assert main(["run", *arguments]) == 2
    return capsys.readouterr().err


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--players", "2"), "Which game? Say --game too"),
        (("--game", "tumult_royale"), "Who plays? Say --players N, or --colours blue,yellow."),
        (("--game", "chess", "--players", "2"), "There is no game called 'chess'"),
        (("--game", "tumult_royale", "--players", "3", "--colours", "blue,grey"), "--players says 3"),
        (("--game", "tumult_royale", "--colours", "blue,pink"), "has no seat of the colour pink"),
        (("--rig", "/no/such/rig.toml"), "The rig file /no/such/rig.toml cannot be read"),
    ],
)
def test_a_command_that_cannot_be_used_is_refused(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    arguments: tuple[str, ...],
    says: str,
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    assert says in refused(monkeypatch, capsys, *arguments)


def test_two_companions_do_not_share_a_game(
    program: Program, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    program.start("--rig", str(program.rig), "--game", GAME.name, "--players", "2")
    program.until("READY=1")
    monkeypatch.setenv("COMPANION_HOME", str(program.home))
    assert "is open elsewhere" in refused(monkeypatch, capsys, "--rig", str(program.rig))
    with pytest.raises(JournalInUse):
        Journal.open(program.journals()[0], now)
