"""Health: each change of a part's state is logged once."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.cli.run import _rig_health
from companion.daemon import health
from companion.daemon.app import WebPage
from companion.daemon.health import Health, HealthLog, disk, kept_files, machine, summed_up
from companion.daemon.reading_socket import ReadingsSocket
from companion.kernel.events import EventBus
from companion.text.sentences import both_words
from hardware.rig import DEFAULT, Pins, Rig, SourceAndKit
from hardware.table_hardware import TableHardware
from web.server import WebServer

from .homes import Home


def test_a_part_that_changes_is_logged_once(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    log = HealthLog()
    fine, bad = Health("camera", "ok", "It works."), Health("camera", "troubled", "It was unplugged.")
    for part in (fine, fine, bad, bad, Health("camera", "troubled", "It was tried 3 times."), fine):
        log.look([part, Health("buzzer", "absent", "There is none.")])
    assert [(record.levelname, record.getMessage()) for record in caplog.records] == [
        ("WARNING", "camera: troubled. It was unplugged."),
        ("INFO", "camera: ok. It works."),
    ]


def test_a_part_that_is_bad_from_the_start_is_logged_too(caplog: pytest.LogCaptureFixture) -> None:
    HealthLog().look([Health("pins", "failed", "There are no pins.")])
    assert caplog.messages == ["pins: failed. There are no pins."]


def test_a_disk_with_little_room_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    free = health.shutil.disk_usage(tmp_path).free
    for little, none, state in ((0, 0, "ok"), (free * 2, 0, "troubled"), (free * 2, free * 2, "failed")):
        monkeypatch.setattr(health, "LITTLE_ROOM", little)
        monkeypatch.setattr(health, "NO_ROOM", none)
        assert disk(tmp_path / "not" / "there" / "yet").state == state


def test_the_sum_names_what_is_wrong() -> None:
    parts = [Health("a", "ok", ""), Health("b", "failed", ""), Health("c", "absent", ""), Health("d", "troubled", "")]
    assert summed_up(parts) == "b: failed; d: troubled"
    assert summed_up(parts[:1]) == "everything is fine"


def test_a_damaged_file_that_was_moved_aside_is_named_until_it_is_taken_away(tmp_path: Path) -> None:
    (tmp_path / "answers").mkdir()
    aside = tmp_path / "answers" / "tiletum.json.damaged-1"
    aside.write_bytes(b"{")
    (files,) = kept_files(tmp_path)
    assert files.state == "troubled"
    for says in (files.says, files.german):
        assert "answers/tiletum.json.damaged-1" in says
    assert files.says != files.german
    aside.unlink()
    assert list(kept_files(tmp_path)) == []


ENGLISH = ("the", "is", "are", "and", "no", "does", "by", "hand", "on", "file", "camera", "page")


def test_a_german_health_page_is_german_whatever_the_part_and_its_state(tmp_path: Path) -> None:
    home = Home(tmp_path, rig=DEFAULT)
    assert home.desk is not None
    web = WebPage(WebServer(home.backend, tmp_path, 0, "127.0.0.1"))
    none = Rig(camera=SourceAndKit("none"), pins=Pins("none"))
    parts = [
        *home.game_thread.health(),
        *home.inbox.health(),
        disk(tmp_path),
        *machine(tmp_path),
        *web.health(),
        *_rig_health(none, home.desk.hardware)(),
        *_rig_health(none, TableHardware(none, home.inbox.put))(),
        *ReadingsSocket(tmp_path / "socket", home.inbox.put, EventBus()).health(),
    ]
    home.close()
    assert {part.state for part in parts} >= {"ok", "absent", "failed", "troubled"}
    for part in parts:
        said = part.german.replace(str(tmp_path), "").lower().replace(".", " ").replace(",", " ").split()
        assert part.german, part
        assert not set(said) & set(ENGLISH), part


def test_a_fraction_is_written_as_people_write_it() -> None:
    said = both_words("plane.locked", markers=4, mm=0.4)
    assert "0,4 mm" in said["de"]
    assert "0.4 mm" in said["en"]
