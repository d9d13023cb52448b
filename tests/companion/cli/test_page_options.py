"""The address of the page, its lines in the log, and pictures that are too large: each gives a sentence."""

from __future__ import annotations

import os
import socket
import struct
import subprocess
import sys
import zlib
from pathlib import Path

import pytest

from companion.cli import main
from companion.cli.run import _hello
from companion.cli.terminal import host
from tests.web.table_backend import TableBackend
from web import phones
from web.server import WebServer

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("command", [["demo"], ["run"], ["doctor"]])
@pytest.mark.parametrize("port", ["70000", "0", "-1"])
def test_a_port_that_there_is_not_ends_in_a_sentence(
    capsys: pytest.CaptureFixture[str], command: list[str], port: str
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([*command, "--port", port])
    assert f"{port} is no port" in capsys.readouterr().err


def test_a_demo_whose_port_is_taken_ends_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("", 0)) as other:
        port = other.getsockname()[1]
        assert main(["demo", "--no-pixels", "--port", str(port)]) == 2
    told = capsys.readouterr()
    assert f"port {port}" in told.err
    assert "--port" in told.err
    assert told.out == ""


def test_a_demo_at_an_address_that_this_machine_has_not_ends_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["demo", "--no-pixels", "--host", "192.0.2.1"]) == 2
    assert "cannot be opened" in capsys.readouterr().err


def test_a_host_is_an_address_in_numbers(capsys: pytest.CaptureFixture[str]) -> None:
    assert [host(text) for text in ("192.168.1.7", "::1")] == ["192.168.1.7", "::1"]
    with pytest.raises(SystemExit, match="2"):
        main(["run", "--host", "companion.local"])
    assert "no address in numbers" in capsys.readouterr().err


@pytest.mark.parametrize(("address", "other"), [("127.0.0.3", "127.0.0.4"), ("::1", "127.0.0.1")])
def test_a_page_on_one_address_is_on_no_other(tmp_path: Path, address: str, other: str) -> None:
    backend = TableBackend(tmp_path)
    server = WebServer(backend, tmp_path, 0, address)
    server.start()
    try:
        assert f"//{'[::1]' if ':' in address else address}:{server.port}/" in server.address
        socket.create_connection((address, server.port), 60).close()
        with pytest.raises(ConnectionRefusedError):
            socket.create_connection((other, server.port), 60)
    finally:
        server.stop()
        assert backend.game_thread.opened is not None
        backend.game_thread.opened.table.close()


class Quiet:
    """The parts of a daemon and its rig that the greeting needs."""

    game_thread, name, names, opened = None, "kitchen", "none", None

    def __init__(self) -> None:
        self.game_thread, self.camera = self, self  # type: ignore[assignment]

    def health(self) -> tuple[()]:
        return ()


def test_a_pin_that_a_person_chose_is_not_told_to_the_log(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page, quiet = WebServer(TableBackend(tmp_path), tmp_path, 8080, "127.0.0.1"), Quiet()
    page.pin = phones.kept_pin(tmp_path)
    _hello(quiet, quiet, page)  # type: ignore[arg-type]
    assert page.pin.digits in capsys.readouterr().out
    page.pin.renew("314159")
    _hello(quiet, quiet, page)  # type: ignore[arg-type]
    said = capsys.readouterr().out
    assert "314159" not in said
    assert "companion pin" in said


def picture(size: int) -> bytes:
    """The beginning of a PNG with so many rows and columns, enough to read its size."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    head = chunk(b"IHDR", struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + head + chunk(b"IDAT", zlib.compress(bytes(1000))) + chunk(b"IEND", b"")


def test_a_picture_that_is_too_large_is_refused_by_its_header(tmp_path: Path) -> None:
    """In a separate process, because OpenCV reads its limits when it is loaded. The larger picture exceeds them too."""
    for size in (30_000, 60_000):
        (tmp_path / "large.png").write_bytes(picture(size))
        done = subprocess.run(
            [sys.executable, "-m", "companion.cli", "dice", "large.png"],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            cwd=tmp_path,
            capture_output=True,
            text=True,
            timeout=60,
        )
        assert done.returncode == 2
        assert done.stderr == (
            "The picture large.png cannot be read: it has more pixels than any camera takes; make it smaller.\n"
        )
