"""A damaged log is read completely, or its missing events are reported: no game becomes shorter silently."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from companion.journal import DamagedJournal, Journal, replay
from companion.journal.file import PAGE, examine_log
from companion.journal.recovery import recover

from .evening import GAME, HEAD, Evening, laid_down, now, played, written

FRAME = 24 + PAGE


def flipped(rng: Random, log: bytearray) -> None:
    log[rng.randrange(len(log))] ^= 1 << rng.randrange(8)


def zeroed(rng: Random, log: bytearray) -> None:
    at = rng.randrange(len(log)) // 512 * 512
    log[at : at + PAGE] = bytes(len(log[at : at + PAGE]))


def zeroed_to_its_end(rng: Random, log: bytearray) -> None:
    at = rng.randrange(len(log))
    log[at:] = bytes(len(log) - at)


def cut(rng: Random, log: bytearray) -> None:
    del log[rng.randrange(32, len(log)) :]


def swapped(rng: Random, log: bytearray) -> None:
    one, other = (32 + FRAME * frame for frame in rng.sample(range((len(log) - 32) // FRAME), 2))
    log[one : one + FRAME], log[other : other + FRAME] = log[other : other + FRAME], log[one : one + FRAME]


@pytest.mark.parametrize("damage", [flipped, zeroed, zeroed_to_its_end, cut, swapped])
def test_a_damaged_log_is_read_whole_or_its_loss_is_named(
    crash: Evening, tmp_path: Path, damage: Callable[[Random, bytearray], None]
) -> None:
    main, whole, events = crash
    for seed in range(12):
        log = bytearray(whole)
        damage(Random(seed), log)
        folder = tmp_path / str(seed)
        folder.mkdir()
        journal = Journal.read(laid_down(folder, main, bytes(log)))
        read, missing = list(journal.events()), journal.missing()
        assert read == events[: len(read)]
        if bytes(log) == whole:
            assert (read, missing) == (events, None), seed
        else:
            assert missing is not None, seed
            assert missing.readable == len(read)
            assert f"event {len(read)}" in str(missing)


def test_what_lies_behind_the_damage_is_counted(crash: Evening, tmp_path: Path) -> None:
    main, log, events = crash
    at = 32 + 5 * FRAME + 1000
    path = laid_down(tmp_path, main, log[:at] + b"\xff" + log[at + 1 :])
    journal = Journal.read(path)
    read, missing = len(list(journal.events())), journal.missing()
    assert missing is not None
    assert missing.unread == len(events) - read > 30
    assert f"{missing.unread} later changes in it cannot be read: run `companion replay" in str(missing)


def test_what_is_left_of_an_older_log_is_no_damage(path: Path, tmp_path: Path) -> None:
    """SQLite restarts a log at its first byte and leaves the old frames after it."""
    away = tmp_path / "away"
    away.mkdir()
    with Journal.create(path, HEAD, now) as journal:
        assert journal._db is not None
        for number in (9, 6, 2):
            for _ in range(number):
                journal.append("note", b"{}")
            journal._db.execute("PRAGMA wal_checkpoint(RESTART)")
        journal.append("note", b"{}")
        for suffix in ("", "-wal"):
            shutil.copy(f"{path}{suffix}", away)
    log = away / f"{path.name}-wal"
    assert log.stat().st_size > 32 + 15 * FRAME
    assert examine_log(log) == ("whole", 0)
    crashed = Journal.read(away / path.name)
    assert (len(crashed), crashed.missing()) == (18, None)


def test_a_game_that_is_being_written_misses_nothing(path: Path) -> None:
    """Another process may be writing an event at that moment."""
    with Journal.create(path, HEAD, now) as journal:
        journal.append("note", b"{}")
        with path.with_name(f"{path.name}-wal").open("ab") as log:
            log.write(bytes(100))
        assert Journal.read(path).missing() is None


def test_going_on_after_a_power_cut_says_where_the_journal_broke_off(crash: Evening, tmp_path: Path) -> None:
    main, log, _ = crash
    with Journal.open(laid_down(tmp_path, main, log[:-100]), now) as journal:
        assert journal.cut_short is not None
        assert "breaks off at event 39" in str(journal.cut_short)
        assert journal.append("note", b"{}") == 40
    with Journal.open(journal.path, now) as journal:
        assert journal.cut_short is None


@pytest.mark.parametrize("name", ["head_alone", "head_fixed", "head_stays", "event_fixed", "event_stays", "event_next"])
def test_a_game_is_recovered_though_the_text_of_a_trigger_is_damaged(path: Path, name: str) -> None:
    with Journal.create(path, HEAD, now) as journal:
        state = played(journal, 3, 2, 1)
    data = path.read_bytes()
    path.write_bytes(data.replace(f"CREATE TRIGGER {name} B".encode(), f"CREATE TRIGGER {name} \0".encode()))
    assert path.read_bytes() != data
    with pytest.raises(DamagedJournal, match="--recover NEW"):
        Journal.read(path)
    new = path.with_name("new.journal")
    recovery = recover(path, new, now)
    assert recovery.kept == 3
    assert "is damaged" in recovery.reason
    assert replay(Journal.read(new), GAME, verify="all") == state


def test_a_game_is_recovered_though_its_first_page_is_gone(path: Path) -> None:
    events = written(path, 300)
    path.write_bytes(b"\xff" * PAGE + path.read_bytes()[PAGE:])
    new = path.with_name("new.journal")
    assert recover(path, new, now).kept == 300
    assert list(Journal.read(new).events())[:300] == events
