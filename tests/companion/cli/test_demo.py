"""`companion demo` as a separate process: it prints its address, serves its page, and stops on a signal."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from companion.journal import Journal
from tests.companion.daemon.tiny import free_port

ROOT = Path(__file__).parents[3]
LONGEST = 120.0


class Process:
    """The demo without pictures, on a free port."""

    def __init__(self, home: Path, *arguments: str) -> None:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        environment = {**os.environ, "PYTHONPATH": str(ROOT), "COMPANION_HOME": str(home), "TMPDIR": str(home)}
        self.process = subprocess.Popen(
            [sys.executable, "-m", "companion.cli", "demo", "--no-pixels", "--port", f"{self.port}", *arguments],
            env=environment,
            cwd=home,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        self.said = ""

    def until(self, words: str) -> str:
        assert self.process.stdout is not None
        while words not in self.said:
            line = self.process.stdout.readline()
            assert line, f"{words!r} was never said, but: {self.said}"
            self.said += line
        return self.said

    def get(self, path: str) -> Any:
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}{path}", timeout=LONGEST) as answer:
            return json.load(answer)

    def end(self, number: int) -> tuple[int, str]:
        self.process.send_signal(number)
        _, err = self.process.communicate(timeout=LONGEST)
        return self.process.returncode, err


@pytest.fixture
def running(tmp_path: Path) -> Iterator[Process]:
    process = Process(tmp_path)
    yield process
    process.process.kill()
    process.process.communicate()


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_it_says_where_it_is_plays_and_leaves_nothing_behind(running: Process, tmp_path: Path, number: int) -> None:
    said = running.until("█▄▄▄▄▄▄▄█")
    assert f":{running.port}/" in said
    assert f"here    http://localhost:{running.port}/" in said
    assert re.search(r"PIN +\d{6}", said)
    (folder,) = tmp_path.glob("companion-demo-*")
    assert str(folder) in said
    assert len(list((folder / "games").glob("*.journal"))) == 1
    assert running.get("/healthz")["ok"]
    assert running.get("/api/demo")["can"]
    assert running.get("/api/standing")["demo"]["pace"] == 3.0
    code, err = running.end(number)
    assert (code, err) == (0, "")
    assert not list(tmp_path.glob("companion-demo-*"))


def test_it_can_be_stopped_before_it_has_begun(running: Process, tmp_path: Path) -> None:
    running.until("is kept in")
    assert running.end(signal.SIGTERM)[0] == 0
    assert not list(tmp_path.glob("companion-demo-*"))


def test_a_game_that_is_to_be_kept_is_kept(tmp_path: Path) -> None:
    process = Process(tmp_path, "--keep", str(tmp_path / "kept"), "--players", "2", "--seed", "3", "--pace", "100")
    try:
        process.until("PIN")
        assert process.end(signal.SIGINT)[0] == 0
    finally:
        process.process.kill()
    (path,) = (tmp_path / "kept" / "games").glob("*.journal")
    with Journal.read(path) as journal:
        assert len(journal.head.setup.seats) == 2


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (("--game", "chess"), "There is no game called 'chess'"),
        (("--players", "7"), "has pieces for 4 players, not for 7"),
        (("--players", "1"), "player"),
        (("--keep", "/proc/nowhere"), "The folder /proc/nowhere cannot be made"),
    ],
)
def test_what_cannot_be_played_is_refused(
    arguments: tuple[str, ...], says: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    from companion.cli import run

    monkeypatch.setattr(run, "start_log", lambda *_how: None)  # the log belongs to pytest here
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    try:
        assert main(["demo", "--no-pixels", "--port", str(free_port()), *arguments]) == 2
    finally:
        for number, handler in zip((signal.SIGINT, signal.SIGTERM), before, strict=True):
            signal.signal(number, handler)
    assert says in capsys.readouterr().err


@pytest.mark.parametrize("pace", ["0", "-1", "nan", "fast", "101"])
def test_a_pace_that_nobody_can_keep_is_refused(pace: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as error:
        main(["demo", "--pace", pace])
    assert error.value.code == 2
    assert "--pace" in capsys.readouterr().err
