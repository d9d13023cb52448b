"""Damage to a journal: changed files, a crash, a full disk."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from companion.journal import DamagedJournal, Entry, Journal, JournalError, JournalFull
from companion.journal.file import examine_log
from companion.journal.recovery import Recovery, recover

from .evening import (
    CHILD,
    HEAD,
    PLAY_UNTIL_KILLED,
    ROOT,
    crashed,
    filled,
    json,
    laid_down,
    now,
    tampered,
    written,
)


class TestTampering:
    @pytest.mark.parametrize(
        ("statements", "number", "how"),
        [
            (['UPDATE events SET body = \'{"seen":"nothing"}\' WHERE n = 7'], 7, "does not bear its seal"),
            (["UPDATE events SET at = '2025-05-02' WHERE n = 7"], 7, "does not bear its seal"),
            (["UPDATE events SET kind = 'move' WHERE n = 7"], 7, "does not bear its seal"),
            (["UPDATE events SET state_crc = 1 WHERE n = 7"], 7, "does not bear its seal"),
            (["UPDATE events SET seal = x'00' WHERE n = 7"], 7, "does not bear its seal"),
            (["UPDATE events SET body = 7.5 WHERE n = 7"], 7, "does not bear its seal"),
            (["DELETE FROM events WHERE n = 7"], 7, "is missing"),
            (["DELETE FROM events WHERE n >= 7"], 7, "is missing"),
            (["DELETE FROM events WHERE n = 7", "UPDATE sqlite_sequence SET seq = 6"], 7, "is missing"),
            (["DELETE FROM events WHERE n < 7"], 1, "is missing"),
            (
                [
                    "UPDATE events SET n = -1 WHERE n = 7",
                    "UPDATE events SET n = 7 WHERE n = 8",
                    "UPDATE events SET n = 8 WHERE n = -1",
                ],
                7,
                "does not bear its seal",
            ),
            (
                ["DELETE FROM events WHERE n = 7", "UPDATE events SET n = n - 1 WHERE n > 7"],
                7,
                "does not bear its seal",
            ),
        ],
    )
    def test_is_found_and_the_event_named(self, path: Path, statements: list[str], number: int, how: str) -> None:
        with Journal.create(path, HEAD, now) as journal:
            journal.append_many([Entry("note", json(n)) for n in range(12)])
        tampered(path, *statements)
        for opening in (lambda: Journal.open(path, now), lambda: list(Journal.read(path).events())):
            with pytest.raises(DamagedJournal, match=f"event {number} {how}: run `companion") as caught:
                opening()
            assert caught.value.readable == number - 1
        recovery = recover(path, path.with_name("recovered"), now)
        assert recovery == Recovery(number - 1, 13 - number, f"is damaged: event {number} {how}")

    @pytest.mark.parametrize(
        "statement",
        ["DROP TRIGGER event_stays", "UPDATE sqlite_master SET sql = replace(sql, 'at TEXT', 'at TEST')"],
    )
    def test_with_what_keeps_the_events_is_found_before_the_next_one(self, path: Path, statement: str) -> None:
        written(path, 3)
        db = sqlite3.connect(path)
        db.execute("PRAGMA writable_schema = ON")
        db.execute(statement)
        db.commit()
        db.close()
        assert len(list(Journal.read(path).events())) == 3
        with pytest.raises(DamagedJournal, match="is damaged, though its 3 events are not"):
            Journal.open(path, now)
        assert recover(path, path.with_name("recovered"), now).kept == 3

    def test_of_the_head_is_found(self, path: Path) -> None:
        written(path, 3)
        tampered(path, "UPDATE head SET json = replace(json, 'Ada', 'Eve')")
        with pytest.raises(DamagedJournal, match="its head does not bear its seal"):
            Journal.open(path, now)


class TestACrash:
    def test_loses_nothing_that_was_acknowledged(self, path: Path) -> None:
        Journal.create(path, HEAD, now).close()
        acknowledged = 0
        # Long enough, over the rounds, for SQLite to move its log into the file in between.
        for round_ in (1, 5, 40, 500, 3):
            child = subprocess.Popen(
                [sys.executable, "-c", CHILD + PLAY_UNTIL_KILLED, str(path)], stdout=subprocess.PIPE, cwd=ROOT
            )
            assert child.stdout is not None
            heard = [child.stdout.readline() for _ in range(round_)]
            child.send_signal(signal.SIGKILL)
            heard += child.stdout.readlines()
            child.wait()
            numbers = [int(line) for line in heard if line.endswith(b"\n")]
            assert numbers == list(range(numbers[0], numbers[-1] + 1))
            assert numbers[0] >= acknowledged + 1
            acknowledged = numbers[-1]
            # The child may have written one event whose number it could no longer print.
            assert len(list(Journal.read(path).events())) in (acknowledged, acknowledged + 1)
        with Journal.open(path, now) as journal:
            assert journal.append("note", b"{}") > acknowledged

    def test_that_cuts_the_log_keeps_whole_events(self, path: Path) -> None:
        crashed(path, 20)
        log = path.with_name(f"{path.name}-wal").read_bytes()
        seen = set()
        for cut in range(0, len(log), 3571):
            with TemporaryDirectory() as folder:
                copy = laid_down(Path(folder), path.read_bytes(), log[:cut])
                with Journal.open(copy, now) as journal:
                    seen.add(len(journal))
                    assert journal.append("note", b"{}") == len(journal)
        assert seen >= {0, 5, 10, 15, 19}

    def test_that_spoils_the_log_is_noticed_before_the_log_is_tidied_away(self, path: Path) -> None:
        """SQLite itself would open such a journal with fewer events, and say nothing."""
        crashed(path, 20)
        log = path.with_name(f"{path.name}-wal")
        whole = log.read_bytes()
        assert examine_log(log) == ("whole", 0)
        for spoilt in (10, 40, len(whole) // 2):
            log.write_bytes(whole[:spoilt] + b"\xff\xfe" + whole[spoilt + 2 :])
            before = path.read_bytes(), log.read_bytes()
            with pytest.raises(DamagedJournal, match="its log breaks off at event"):
                Journal.open(path, now)
            assert (path.read_bytes(), log.read_bytes()) == before
            recovery = recover(path, path.with_name(f"recovered-{spoilt}"), now)
            assert recovery.lost is None
            assert "its log is damaged" in recovery.reason
        log.write_bytes(whole)
        assert len(Journal.open(path, now)) == 20


class TestAFullDisk:
    def test_takes_no_more_and_loses_nothing(self, path: Path) -> None:
        with Journal.create(path, HEAD, now) as journal:
            assert journal._db is not None
            journal._db.execute("PRAGMA max_page_count = 12")
            with pytest.raises(JournalFull, match=r"could not take event .* for the disk is full: free some"):
                filled(journal)
            held = journal.last_number
            assert 0 < held < 1000
            assert len(list(journal.events())) == held
            journal._db.execute("PRAGMA max_page_count = 1000")
            assert journal.append("note", json("x" * 1000)) == held + 1
        assert len(Journal.open(path, now)) == held + 1

    @pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="only root can mount a disk")
    def test_of_real_metal(self, tmp_path: Path) -> None:
        disk = tmp_path / "disk"
        disk.mkdir()
        mount = ["mount", "-t", "tmpfs", "-o", "size=512k", "companion-test", str(disk)]
        if subprocess.run(mount, capture_output=True).returncode:
            pytest.skip("no disk can be mounted here")
        try:
            path = disk / "evening.journal"
            with Journal.create(path, HEAD, now) as journal:
                (disk / "photos").write_bytes(bytes(256 * 1024))
                with pytest.raises(JournalFull):
                    filled(journal)
                held = journal.last_number
                assert held > 0
                with pytest.raises(JournalFull):
                    journal.append("note", json("x" * 5000))
                assert len(list(journal.events())) == held
                assert len(list(Journal.read(path).events())) == held
                with pytest.raises(JournalError, match="could not be begun"):
                    Journal.create(disk / "other.journal", HEAD, now)
                assert not (disk / "other.journal").exists()
                (disk / "photos").unlink()
                assert journal.append("note", b"{}") == held + 1
            with Journal.open(path, now) as journal:
                assert len(list(journal.events())) == held + 1
        finally:
            subprocess.run(["umount", str(disk)], check=True)
