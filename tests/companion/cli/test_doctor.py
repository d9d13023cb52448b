"""`companion doctor` shows the result of each check, and the PIN."""

from __future__ import annotations

import http.server
import json
import socket
import threading
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from tests.companion.daemon.tiny import free_port
from tests.web.table_backend import TableBackend
from web import phones
from web.server import WebServer


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    monkeypatch.setattr("companion.cli.doctor.PATIENCE", 60.0)
    return tmp_path


def checked(capsys: pytest.CaptureFixture[str], code: int = 0, port: int | None = None) -> dict[str, Any]:
    assert main(["doctor", "--json", "--port", str(port or free_port())]) == code
    return {check["name"]: check for check in json.loads(capsys.readouterr().out)["checks"]}


def test_before_the_first_start_there_is_no_pin_and_it_makes_none(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    checks = checked(capsys)
    assert {name: check["result"] for name, check in checks.items()} == {
        "folder": "ok",
        "rig": "info",
        "pin": "info",
        "page": "ok",
    }
    assert list(home.iterdir()) == []


def test_the_pin_is_told(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    digits = phones.kept_pin(home).digits
    assert checked(capsys)["pin"]["says"] == f"The host's PIN is {digits}."
    assert main(["doctor", "--port", str(free_port())]) == 0
    assert digits in capsys.readouterr().out


def test_a_page_of_ours_and_a_program_of_others_are_told_apart(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    backend = TableBackend(home)
    server = WebServer(backend, home, 0, "127.0.0.1", clients=2)
    server.start()
    assert "A companion's page is at" in checked(capsys, port=server.port)["page"]["says"]
    server.stop()
    assert backend.game_thread.opened is not None
    backend.game_thread.opened.table.close()
    other = http.server.HTTPServer(("127.0.0.1", 0), http.server.BaseHTTPRequestHandler)
    threading.Thread(target=other.serve_forever, daemon=True).start()
    check = checked(capsys, port=other.server_address[1])["page"]
    assert (check["result"], check["says"]) == ("warning", f"Another program has port {other.server_address[1]}.")
    other.shutdown()
    other.server_close()


def test_a_rig_file_with_a_typo_is_an_issue(capsys: pytest.CaptureFixture[str], home: Path) -> None:
    (home / "rig.toml").write_text("[buzer]\npin = 3\n", encoding="utf-8")
    assert checked(capsys, 1)["rig"]["result"] == "issue"


def test_a_service_has_its_rig_file_elsewhere(
    capsys: pytest.CaptureFixture[str],
    home: Path,
    tmp_path_factory: pytest.TempPathFactory,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rig = tmp_path_factory.mktemp("etc") / "rig.toml"
    rig.write_text('[camera]\nsource = "none"\n', encoding="utf-8")
    monkeypatch.setenv("COMPANION_RIG", str(rig))
    assert checked(capsys)["rig"]["says"] == f"The rig file {rig} is usable."
    assert main(["rig", "check"]) == 0


def test_a_folder_that_cannot_be_written_is_an_issue(
    capsys: pytest.CaptureFixture[str], home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (home / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("COMPANION_HOME", str(home / "file"))
    assert checked(capsys, 1)["folder"]["result"] == "issue"


def test_a_port_that_does_not_answer_is_somebody_elses(capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    monkeypatch.setattr("companion.cli.doctor.PATIENCE", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        assert checked(capsys, port=silent.getsockname()[1])["page"]["result"] == "warning"
