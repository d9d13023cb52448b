"""Creating, writing and reading journals; other files are refused."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from companion.journal import (
    FORMAT,
    Entry,
    Journal,
    JournalError,
    JournalInUse,
    NotAJournal,
    OtherVersion,
    replay,
)

from .evening import (
    COUNT_IT,
    GAME,
    HEAD,
    OPEN_IT,
    OPENINGS,
    TAKE_IT_OVER,
    Heap,
    crashed,
    files,
    now,
    read_only_journal,
    run,
    tampered,
    written,
)


class TestWriting:
    def test_numbers_follow_each_other_and_times_are_the_callers(self, path: Path) -> None:
        ticks = iter(["20:00", "20:01", "20:03"])
        with Journal.create(path, HEAD, lambda: next(ticks)) as journal:
            assert journal.append("note", b"1") == 1
            assert journal.append_many([Entry("note", b"2"), Entry("note", b"3", at="20:02")]) == 3
            assert journal.append("note", b"4") == 4
            assert journal.append_many([]) == 4
            assert [event.at for event in journal.events()] == ["20:00", "20:01", "20:02", "20:03"]

    def test_of_what_is_no_json_leaves_nothing(self, path: Path) -> None:
        with Journal.create(path, HEAD, now) as journal:
            with pytest.raises(JournalError, match="takes only JSON, and event 2 is none"):
                journal.append_many([Entry("note", b"{}"), Entry("note", b"{")])
            assert journal.append("note", '"Kö\u0000nig"'.encode().replace(b"\0", b"")) == 1

    def test_is_refused_to_who_only_reads(self, path: Path) -> None:
        written(path, 1)
        with Journal.read(path) as journal, pytest.raises(JournalError, match="not open for writing"):
            journal.append("note", b"{}")

    @pytest.mark.parametrize(
        "sql",
        [
            "UPDATE events SET body = '{}' WHERE n = 2",
            "DELETE FROM events WHERE n = 3",
            "DELETE FROM events",
            "INSERT OR REPLACE INTO events VALUES (2, '', 'note', '{}', 0, x'00')",
            "INSERT INTO events VALUES (5, '', 'note', '{}', 0, x'00')",
            "UPDATE head SET json = '{}'",
            "DELETE FROM head",
            "INSERT OR REPLACE INTO head VALUES (1, '{}', x'00')",
        ],
    )
    def test_only_ever_adds(self, path: Path, sql: str) -> None:
        events = written(path, 3)
        db = sqlite3.connect(path)
        with pytest.raises(sqlite3.IntegrityError, match="a journal is only ever added to"):
            db.execute(sql)
        db.close()
        assert list(Journal.read(path).events()) == events

    def test_leaves_one_file_and_an_empty_lock(self, path: Path) -> None:
        written(path, 3)
        assert files(path.parent).keys() == {path.name, f"{path.name}-lock"}
        assert files(path.parent)[f"{path.name}-lock"] == b""

    def test_is_for_nobody_elses_eyes_whatever_the_umask(self, path: Path) -> None:
        before = os.umask(0)
        try:
            with Journal.create(path, HEAD, now) as journal:
                journal.append("note", b"{}")
                modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in path.parent.iterdir()}
        finally:
            os.umask(before)
        del modes[f"{path.name}-lock"]  # there is never anything in it
        assert modes == {f"{path.name}{suffix}": 0o600 for suffix in ("", "-wal", "-shm")}

    def test_by_two_at_once_is_refused(self, path: Path) -> None:
        with Journal.create(path, HEAD, now) as first:
            for _ in range(2):
                with pytest.raises(JournalInUse, match="is open elsewhere: close it there first"):
                    Journal.open(path, now)
            assert first.append("note", b"{}") == 1
            assert run(OPEN_IT, path).stdout == "JournalInUse\n"
        with Journal.open(path, now) as second:
            assert second.append("note", b"{}") == 2
        assert run(OPEN_IT, path).stdout == "opened\n"

    def test_by_two_names_of_one_file_is_refused(self, path: Path, tmp_path: Path) -> None:
        (tmp_path / "elsewhere").mkdir()
        link = tmp_path / "elsewhere" / "tonight.journal"
        with Journal.create(path, HEAD, now) as journal:
            link.symlink_to(path)
            journal.append("note", b"{}")
            assert len(list(Journal.read(link).events())) == 1
            with pytest.raises(JournalInUse):
                Journal.open(link, now)


class TestReading:
    def test_a_game_that_is_being_played_shows_all_that_was_acknowledged(self, path: Path) -> None:
        with Journal.create(path, HEAD, now) as journal, Journal.read(path) as reader:
            for n in range(1, 6):
                journal.append("note", b"{}")
                assert reader.last_number == n
                assert list(reader.events()) == list(journal.events())
            assert run(COUNT_IT, path).stdout == "5\n"

    def test_goes_on_while_a_writer_comes_and_goes(self, path: Path) -> None:
        written(path, 1200)
        reading = Journal.read(path).events()
        next(reading)
        with Journal.open(path, now) as journal:
            journal.append_many([Entry("note", b"{}")] * 3000)
        assert len(list(reading)) == 1199 + 3000

    def test_lets_the_writers_locks_be(self, path: Path) -> None:
        """Closing a file releases all locks of its process on it, even those of a game that is being written."""
        written(path, 1)
        reader = Journal.read(path)
        with Journal.open(path, now) as journal:
            journal.append("note", b"{}")
            assert len(list(reader.events())) == 2
            assert len(list(Journal.read(path).events())) == 2
            assert run(TAKE_IT_OVER, path).stdout == "database is locked\n"
            journal.append("note", b"{}")
        assert len(list(reader.events())) == 3

    def test_a_closed_journal_leaves_no_trace(self, path: Path) -> None:
        written(path, 3)
        before = files(path.parent)
        with Journal.read(path) as journal:
            assert replay(journal, GAME) == Heap(21, (0, 0))
        assert files(path.parent) == before

    def test_a_crashed_journal_leaves_it_as_it_is(self, path: Path) -> None:
        crashed(path, 40)
        before = files(path.parent)
        assert len(list(Journal.read(path).events())) == 40
        after = files(path.parent)
        scratch = f"{path.name}-shm"  # SQLite's index of the log, which it may rebuild whenever it likes
        assert {**after, scratch: b""} == {**before, scratch: b""}

    def test_works_where_nothing_may_be_written(self) -> None:
        with read_only_journal() as path:
            assert len(list(Journal.read(path).events())) == 3
            with pytest.raises(JournalError, match="cannot be opened"):
                Journal.create(path.with_name("other.journal"), HEAD, now)
            with pytest.raises(JournalError, match=r"cannot be opened .* check that you may write to it"):
                Journal.open(path, now)


@pytest.mark.parametrize("opening", OPENINGS, ids=["open", "read", "recover"])
class TestNoJournal:
    def test_a_missing_file(self, path: Path, opening: Callable[[Path], object]) -> None:
        with pytest.raises(NotAJournal, match=r"evening\.journal does not exist: check the name"):
            opening(path)
        assert files(path.parent) == {}

    def test_a_folder(self, path: Path, opening: Callable[[Path], object]) -> None:
        with pytest.raises(NotAJournal, match="is a folder"):
            opening(path.parent)

    def test_an_empty_file(self, path: Path, opening: Callable[[Path], object]) -> None:
        path.touch()
        with pytest.raises(NotAJournal, match="is empty"):
            opening(path)

    @pytest.mark.parametrize("text", [b"x", b"Dear diary, today we played. " * 500])
    def test_a_letter(self, path: Path, opening: Callable[[Path], object], text: bytes) -> None:
        path.write_bytes(text)
        with pytest.raises(JournalError, match="is not a journal"):
            opening(path)
        assert path.read_bytes() == text

    def test_some_other_database(self, path: Path, opening: Callable[[Path], object]) -> None:
        db = sqlite3.connect(path)
        db.execute("CREATE TABLE events (n INTEGER PRIMARY KEY)")
        db.close()
        with pytest.raises(JournalError, match="is not a journal"):
            opening(path)

    def test_a_journal_from_the_future(self, path: Path, opening: Callable[[Path], object]) -> None:
        written(path, 3)
        tampered(path, f"PRAGMA user_version = {FORMAT + 1}")
        with pytest.raises(OtherVersion, match=r"is written in journal format 2, .* or a newer one"):
            opening(path)


class TestBeginning:
    def test_where_a_journal_is_already_leaves_that_alone(self, path: Path) -> None:
        events = written(path, 3)
        with pytest.raises(NotAJournal, match="exists already"):
            Journal.create(path, HEAD, now)
        assert list(Journal.read(path).events()) == events

    def test_where_there_is_no_folder(self, path: Path) -> None:
        with pytest.raises(NotAJournal, match=r"make .*attic first"):
            Journal.create(path.parent / "attic" / path.name, HEAD, now)

    def test_beside_the_log_of_a_removed_game_is_refused(self, path: Path) -> None:
        """SQLite would apply the old game's log to the new game's file."""
        crashed(path, 5)
        path.unlink()
        with pytest.raises(NotAJournal, match="the rest of another game: move that away"):
            Journal.create(path, HEAD, now)

    def test_after_a_failed_attempt_works(self, path: Path) -> None:
        for suffix in ("", "-wal", "-journal"):
            path.with_name(f"{path.name}-new{suffix}").write_bytes(b"half a draft")
        assert len(written(path, 3)) == 3
        assert files(path.parent).keys() == {path.name, f"{path.name}-lock"}
