"""A journal that cannot be written: only written moves count, people are told once, and later the game continues."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import msgspec
import pytest

from tests.nine_beds import Plant

from .evening import Evening, after, beds, kinds, none, one, unchecked

BLUE, YELLOW = 0, 1
A1, B1, C1, A2, B2, C2, A3, B3, C3 = range(9)

Fill = Callable[[Evening], Callable[[], None]]


def small(evening: Evening) -> Callable[[], None]:
    """Limit the journal's size; the returned function removes the limit."""
    db = evening.table.journal._db
    assert db is not None
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    pages = int(db.execute("PRAGMA page_count").fetchone()[0])
    db.execute(f"PRAGMA max_page_count = {pages}")
    return lambda: db.execute("PRAGMA max_page_count = 100000") and None


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A real disk with little space."""
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root can mount a disk")
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1m", "companion-test", str(folder)]
    if subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no disk can be mounted here")
    yield folder
    subprocess.run(["umount", "-l", str(folder)], check=True)


def stuffed(evening: Evening) -> None:
    """Write until the journal is full."""
    for _ in range(10000):
        told = evening.asks("put_right")
        if "refused" in kinds(told):
            return
    raise AssertionError("the disk has no end")


def test_a_move_seen_on_a_full_disk_does_not_count_and_is_told_once(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    room = small(evening)
    stuffed(evening)
    before, number = evening.state, evening.table.journal.last_number
    planted = after(evening, Plant(BLUE, A1))
    for _ in range(3):
        assert evening.shows(planted) == []
    assert evening.state == before
    assert evening.table.journal.last_number == number
    evening.holds()
    room()
    assert "moved" in kinds(evening.shows(planted))
    assert evening.state == planted
    evening.holds()


def test_somebody_who_asks_is_always_told_that_the_disk_is_full(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1))
    small(evening)
    stuffed(evening)
    before = evening.state
    for kind in ("undo", "put_right", "dismiss", "take_it"):
        refused = one(evening.asks(kind), "refused")
        assert refused["reason"] == "journal"
        assert "full" in refused["says"]["en"]
    assert one(evening.tells(Plant(YELLOW, C3)), "refused")["reason"] == "journal"
    assert evening.asks("ignore", zone="compost")
    assert evening.state == before
    assert evening.table.snapshot()["ignored"] == []
    evening.holds()


def test_a_verdict_that_could_not_be_written_is_told_when_there_is_room(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3))
    room = small(evening)
    stuffed(evening)
    wrong = unchecked(evening, Plant(BLUE, C1))
    evening.shows(wrong)
    none(evening.shows(wrong), "verdict")
    assert evening.waits(5) == [], "the full disk was told already"
    room()
    assert "verdict" in kinds(evening.waits(1))


def test_a_correction_on_a_full_disk_changes_nothing_at_all(tmp_path: Path) -> None:
    evening = beds(tmp_path, Plant(BLUE, A1), Plant(YELLOW, C3), Plant(BLUE, B1))
    room = small(evening)
    stuffed(evening)
    before = evening.state
    event = next(point.n for point in evening.table.ledger.line() if point.move == Plant(YELLOW, C3))
    move = msgspec.to_builtins(Plant(YELLOW, C2))
    assert one(evening.asks("correct", event=event, move=move), "refused")["reason"] == "journal"
    assert evening.state == before
    assert not evening.table.snapshot()["can_redo"]
    room()
    assert "corrected" in kinds(evening.asks("correct", event=event, move=move))
    evening.holds()


def test_a_press_on_a_full_disk_counts_when_it_is_pressed_again(tmp_path: Path) -> None:
    evening = beds(tmp_path)
    room = small(evening)
    stuffed(evening)
    none(evening.presses(BLUE), "moved")
    room()
    assert "moved" in kinds(evening.presses(BLUE))
    evening.holds()


def test_a_real_disk_that_is_full_refuses_and_goes_on_when_there_is_room(disk: Path) -> None:
    evening = beds(disk)
    (disk / "photos").write_bytes(bytes(600 * 1024))
    stuffed(evening)
    before = evening.state
    planted = after(evening, Plant(BLUE, A1))
    none(evening.shows(planted), "moved")
    assert evening.state == before
    evening.holds()
    (disk / "photos").unlink()
    assert "moved" in kinds(evening.shows(planted))
    again = evening.reopened()
    assert again.state == planted
    again.table.close()
