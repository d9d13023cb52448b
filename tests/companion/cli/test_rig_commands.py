"""`companion rig check`, `companion rig test` and `companion bench timer`."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from companion.cli import main
from hardware.mock import PluggedBoard

EXAMPLE = str(Path(__file__).parents[3] / "hardware" / "rig.example.toml")


def ran(capsys: pytest.CaptureFixture[str], code: int, *command: str) -> Any:
    assert main([*command, "--json"]) == code
    return json.loads(capsys.readouterr().out)


def test_a_usable_rig_file_says_what_is_on_which_pin(capsys: pytest.CaptureFixture[str]) -> None:
    told = ran(capsys, 0, "rig", "check", "--rig", EXAMPLE)
    assert told["usable"] is True
    assert told["pins"]["GPIO 18"] == "the buzzer"


def test_a_rig_file_with_a_typo_is_refused_in_a_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "rig.toml").write_text("[buzer]\npin = 3\n", encoding="utf-8")
    assert main(["rig", "check", "--rig", str(tmp_path / "rig.toml")]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert "did you mean `buzzer`?" in told.err


def test_without_a_rig_file_it_says_where_one_belongs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COMPANION_HOME", str(tmp_path))
    assert main(["rig", "check"]) == 2
    assert f"There is no rig file {tmp_path / 'rig.toml'}" in capsys.readouterr().err


def test_a_desk_tries_itself_and_every_part_works(capsys: pytest.CaptureFixture[str]) -> None:
    told = ran(capsys, 0, "rig", "test", "--desk", "--rig", EXAMPLE)
    assert told["failed"] == []
    assert [part["part"] for part in told["parts"] if part["works"] is None] == ["board"]
    assert sum(part["works"] is True for part in told["parts"]) == 10


def test_without_pins_every_part_is_said_to_have_failed(capsys: pytest.CaptureFixture[str]) -> None:
    told = ran(capsys, 1, "rig", "test", "--seen", "--rig", EXAMPLE)
    assert "pins" in told["failed"]
    assert "no Raspberry Pi" in told["parts"][0]["says"]


def test_a_button_that_nobody_presses_has_failed(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    (tmp_path / "rig.toml").write_text(
        '[pins]\nbackend = "mock"\n[[seats]]\ncolour = "blue"\nbutton = 5\n', encoding="utf-8"
    )
    told = ran(capsys, 1, "rig", "test", "--seen", "--patience", "0.05", "--rig", str(tmp_path / "rig.toml"))
    assert told["failed"] == ["button of seat blue"]


def test_a_board_is_tried_too(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("companion.cli.rig.BOARD_PATIENCE", 60.0)
    plugged = PluggedBoard()
    (tmp_path / "rig.toml").write_text(
        f'[pins]\nbackend = "none"\n[serial]\nport = "{plugged.port}"\n[[seats]]\ncolour = "blue"\nboard_button = 1\n',
        encoding="utf-8",
    )
    tried = threading.Event()

    def finger() -> None:
        while not tried.wait(0.1):
            plugged.board.down[0] = not plugged.board.down[0]

    pressing = threading.Thread(target=finger)
    pressing.start()
    told = ran(capsys, 0, "rig", "test", "--seen", "--patience", "60", "--rig", str(tmp_path / "rig.toml"))
    tried.set()
    pressing.join()
    plugged.unplug()
    assert {part["part"] for part in told["parts"] if part["works"]} == {"ring", "button of seat blue"}


def test_bench_timer_says_how_late_the_stop_is(capsys: pytest.CaptureFixture[str]) -> None:
    figures = ran(capsys, 0, "bench", "timer", "--timers", "40")
    assert figures["timers"] == 40
    for load in ("idle", "loaded"):
        late = figures["stop_late_ms"][load]
        assert 0 <= late["p50"] <= late["p99"] <= late["max"]
        assert figures["press_to_signal_ms"][load]["p50"] >= 1.0, "a press is confirmed before it is told"
    assert figures["load"]["tables_read"] > 0
