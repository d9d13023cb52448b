"""Health: one line in the log when a part changes, and none while it stays as it is."""

from __future__ import annotations

from pathlib import Path

import pytest

from companion.daemon import health
from companion.daemon.health import Health, HealthLog, disk, kept_files, summed_up


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
