"""A journal's SQLite file, its write-ahead log, and what can be wrong with them.

There is one SQLite file per game. While it is open, and after a crash, its log (`-wal`) is part of it. What the events
mean is not known here.
"""

from __future__ import annotations

import os
import sqlite3
import struct
import sys
from array import array
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext, suppress
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, Literal, NamedTuple

import msgspec

from companion.kernel.files import sync_folder

PAGE = 4096
"""Page size of a journal in bytes, part of its format, so that frames can be found in a damaged log."""
MOST_RESTARTS = 10_000
"""Maximum number of times that SQLite restarted a log, which it counts in the salt; no game comes near this."""

Tail = Literal["whole", "torn", "broken"]
Order = Literal["little", "big"]


class Log(NamedTuple):
    """How a log ends: with a whole transaction, with a part of one, or with whole ones that SQLite does not read.

    `unread` counts the last; each is one event, or several that were written together.
    """

    tail: Tail
    unread: int


def examine_log(log: Path) -> Log:
    """Look for frames after the first one with a wrong checksum, where SQLite stops without an error.

    A power cut leaves at most one unread transaction, which was never acknowledged, since each is on disk before the
    next is written. More than one means damage.
    """
    data = log.read_bytes() if log.exists() else b""
    unread, open_end = 0, False
    for whole, accepted, commits in _frames(data):
        unread += whole and commits and not accepted
        open_end = not (whole and accepted and commits)
    if unread > 1:
        return Log("broken", unread)
    return Log("torn" if open_end else "whole", unread)


def _frames(data: bytes) -> Iterator[tuple[bool, bool, bool]]:
    """For each frame since the log was restarted: is it whole, does SQLite accept it, does it end a transaction?"""
    if not data:
        return
    header = data[:32].ljust(32, b"\0")
    magic, _, page = struct.unpack_from(">III", header)
    order: Order = "big" if magic & 1 else "little"
    running = _checksum(header[:24], (0, 0), order)
    accepted = page == PAGE and header[24:] == struct.pack(">II", *running)
    # If the header is damaged, the first frame still has the same salts.
    salts = header[16:24] if accepted else data[40:48]
    for start in range(32, len(data), 24 + PAGE):
        frame = data[start : start + 24 + PAGE]
        if len(frame) == 24 + PAGE and frame[8:16] == salts:
            if accepted:
                running = _checksum(frame[24:], _checksum(frame[:8], running, order), order)
                accepted = frame[16:24] == struct.pack(">II", *running)
            yield True, accepted, frame[4:8] != bytes(4)
        else:
            accepted = False
            if not _is_left_over(frame, salts):
                yield False, False, False


def _is_left_over(frame: bytes, salts: bytes) -> bool:
    """Whether a frame is older than the last restart of the log.

    At a restart, SQLite adds one to the first salt and draws the second. Any other salts are damage.
    """
    if len(frame) < 16:
        return False
    restarts = (int.from_bytes(salts[:4], "big") - int.from_bytes(frame[8:12], "big")) & 0xFFFFFFFF
    return frame[12:16] != salts[4:] and 0 < restarts <= MOST_RESTARTS


def _checksum(data: bytes, running: tuple[int, int], order: Order) -> tuple[int, int]:
    """SQLite's checksum of a log, as described in its file format."""
    numbers = array("I", data)
    if order != sys.byteorder:
        numbers.byteswap()
    a, b = running
    pairs = iter(numbers)
    for x, y in zip(pairs, pairs, strict=True):
        a = (a + x + b) & 0xFFFFFFFF
        b = (b + y + a) & 0xFFFFFFFF
    return a, b


FORMAT: Final = 1
"""Version of the file format; a companion reads only its own."""

MARK: Final = int.from_bytes(b"TabC", "big")
"""SQLite's `application_id`, which distinguishes a journal from any other SQLite file."""

PRIVATE: Final = 0o600
"""File mode of a journal. It contains names and pictures of people, so only its owner may read it."""

_TABLES: Final = (
    "CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), json TEXT NOT NULL, seal BLOB NOT NULL)",
    # With AUTOINCREMENT, SQLite keeps the highest number in a page of its own, which reveals a lost tail.
    """CREATE TABLE events (
        n INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, kind TEXT NOT NULL, body TEXT NOT NULL,
        state_crc INTEGER NOT NULL, seal BLOB NOT NULL)""",
)
_NO: Final = "BEGIN SELECT RAISE(ABORT, 'a journal is only ever added to'); END"
_TRIGGERS: Final = (
    f"CREATE TRIGGER head_alone BEFORE INSERT ON head {_NO}",
    f"CREATE TRIGGER head_fixed BEFORE UPDATE ON head {_NO}",
    f"CREATE TRIGGER head_stays BEFORE DELETE ON head {_NO}",
    f"CREATE TRIGGER event_fixed BEFORE UPDATE ON events {_NO}",
    f"CREATE TRIGGER event_stays BEFORE DELETE ON events {_NO}",
    # Also prevents INSERT OR REPLACE, which deletes without the trigger above.
    "CREATE TRIGGER event_next BEFORE INSERT ON events"
    f" WHEN NEW.n IS NOT (SELECT coalesce(max(n), 0) + 1 FROM events) {_NO}",
)
INSERT: Final = "INSERT INTO events (n, at, kind, body, state_crc, seal) VALUES (?, ?, ?, ?, ?, ?)"
SELECT: Final = "SELECT n, at, kind, body, state_crc, seal FROM events WHERE n = ?"

_NO_JOURNAL: Final = "is not a journal, or damaged from its first byte on"

Row = tuple[Any, ...]
"""An event as SQLite returns it; in a damaged file a column can hold anything."""

FAILURES: Final = (sqlite3.Error, UnicodeDecodeError)
"""What reading with SQLite can raise. UnicodeDecodeError comes from error messages that quote a damaged file."""


class JournalError(Exception):
    """A problem with a journal. The message is for a person: the file, the fact, and what to do."""

    def __init__(self, path: Path, fact: str, advice: str = "") -> None:
        super().__init__(f"{path} {fact}{': ' if advice else ''}{advice}.")
        self.path = path
        self.fact = fact
        self.advice = advice


class NotAJournal(JournalError):
    """There is no journal at a path, or none can be created there."""


class OtherVersion(JournalError):
    """A journal in a format that this companion does not know."""


class JournalInUse(JournalError):
    """A journal that is open for writing elsewhere."""


class JournalFull(JournalError):
    """The disk has no room for the next event. All earlier events are safe."""


class DamagedJournal(JournalError):
    """A journal that cannot be read to its end.

    `readable` counts the events before the damage and `lost` those after it, None if unknown. `unread` counts
    transactions after the damage that exist, but cannot be read.
    """

    def __init__(
        self,
        path: Path,
        fact: str,
        advice: str = "",
        readable: int | None = None,
        lost: int | None = None,
        unread: int = 0,
    ) -> None:
        keep = f"run `companion replay {path} --recover NEW` to keep the readable part"
        super().__init__(path, fact, advice or keep)
        self.readable = readable
        self.lost = lost
        self.unread = unread


def seal(previous: bytes, *parts: Any) -> bytes:
    """The seal of something that follows `previous`. Parts may be of any type, as a damaged file may contain any."""
    return blake2b(previous + msgspec.msgpack.encode(parts), digest_size=16).digest()


def beside(path: Path, suffix: str) -> Path:
    """A file that belongs to a journal by its name. SQLite puts it beside the target of a link."""
    real = path.resolve()
    return real.with_name(real.name + suffix)


def require_file(path: Path) -> None:
    # The file is not opened, since closing it would release all locks that this process has on it, even those of a
    # game that is being written.
    with _reached(path):
        if path.is_dir():
            raise NotAJournal(path, "is a folder", "name the journal inside it")
        if path.stat().st_size == 0:
            raise NotAJournal(path, "is empty", "begin the game under another name")


def require_free_path(path: Path) -> None:
    with _reached(path):
        if not path.parent.is_dir():
            raise NotAJournal(path, "cannot begin where there is no folder", f"make {path.parent} first")
        if path.exists():
            raise NotAJournal(path, "exists already", "choose another name, or open it to go on")
        # SQLite would use the log of an earlier game with this name for the new game.
        if (log := beside(path, "-wal")).exists():
            other = f"cannot begin beside {log.name}, the rest of another game"
            raise NotAJournal(path, other, "move that away")


@contextmanager
def _reached(path: Path) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise NotAJournal(path, "does not exist", "check the name") from error
    except OSError as error:
        raise NotAJournal(path, f"cannot be reached ({error.strerror})", "check its folder") from error


def connect(path: Path, how: str, timeout: float = 5.0) -> sqlite3.Connection:
    # A journal may be opened in one thread and used in another, but never by two threads at once.
    db = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={how}",
        uri=True,
        timeout=timeout,
        isolation_level=None,
        check_same_thread=False,
    )
    # In a damaged file, text may not be valid UTF-8.
    db.text_factory = bytes
    return db


def connect_to_read(path: Path) -> sqlite3.Connection:
    """A read-only connection, which creates no files if possible.

    Without a log there is no writer, so SQLite need not create files to check for one. If there is a log, it has to be
    read, too, because it contains the latest events.
    """
    return connect(path, "ro" if beside(path, "-wal").exists() else "ro&immutable=1")


def lock(path: Path, to_write: bool = True) -> sqlite3.Connection:
    """Keep other writers out until the connection is closed or the process ends in any way.

    This is a lock of SQLite on an empty file beside the journal; a lock on the journal would exclude readers. The file
    is not removed, since a second writer could then lock a new file of the same name.
    """
    held = None
    try:
        held = connect(beside(path, "-lock"), "rwc" if to_write else "ro", timeout=0)
        held.execute("PRAGMA journal_mode = MEMORY")
        held.execute("BEGIN EXCLUSIVE" if to_write else "BEGIN")
        held.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except FAILURES as error:
        if held is not None:
            held.close()
        raise as_journal_error(path, error) from error
    return held


def create_file(path: Path, head: bytes, head_seal: bytes, rows: Iterable[Row]) -> None:
    """Write the file of a new journal under a temporary name, and rename it when it is safely on disk."""
    draft = beside(path, "-new")
    try:
        _remove(draft)
        # SQLite gives its log the same permissions.
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
        with journal_errors(path, "could not be begun"), closing(connect(draft, "rw")) as db:
            db.execute("PRAGMA synchronous = FULL")
            db.execute(f"PRAGMA page_size = {PAGE}")
            db.execute("BEGIN")
            for statement in (f"PRAGMA application_id = {MARK}", f"PRAGMA user_version = {FORMAT}", *_TABLES):
                db.execute(statement)
            db.execute("INSERT INTO head VALUES (1, ?, ?)", (head.decode(), head_seal))
            db.executemany(INSERT, rows)
            for statement in _TRIGGERS:
                db.execute(statement)
            db.execute("COMMIT")
            # Last, when nothing is left to log: the renamed file must not need a log with the old name.
            if db.execute("PRAGMA journal_mode = WAL").fetchone()[0] != b"wal":
                raise JournalError(path, "cannot be kept on this disk", "use a disk of this machine")
        os.replace(draft, path.resolve())
        sync_folder(path.resolve().parent)
    except OSError as error:
        raise JournalError(path, f"could not be begun ({error.strerror})", "check the disk") from error
    finally:
        _remove(draft)


def _remove(draft: Path) -> None:
    for suffix in ("", "-journal", "-wal", "-shm"):
        with suppress(OSError):
            beside(draft, suffix).unlink()


def read_head(path: Path, db: sqlite3.Connection) -> bytes:
    """The head as JSON. Raises an error if this companion cannot read the journal."""
    if db.execute("PRAGMA application_id").fetchone()[0] != MARK:
        raise NotAJournal(path, _NO_JOURNAL, "check the name")
    written = db.execute("PRAGMA user_version").fetchone()[0]
    if written != FORMAT:
        raise OtherVersion(
            path,
            f"is written in journal format {written}, and this companion reads format {FORMAT}",
            "open it with the companion that wrote it, or a newer one",
        )
    row: Row | None = db.execute("SELECT json, seal FROM head").fetchone()
    if row is None or row[1] != seal(b"", row[0]):
        raise DamagedJournal(path, "is damaged: its head does not bear its seal", readable=0)
    return bytes(row[0])


def without_writer(path: Path) -> AbstractContextManager[object]:
    """Keep writers out for a moment. Raises `JournalInUse`."""
    # Without the lock file there is no writer, so it is not created for this.
    return closing(lock(path, to_write=False)) if beside(path, "-lock").exists() else nullcontext()


def missing(path: Path, last: int) -> DamagedJournal | None:
    """What is missing after event `last`, the last that could be read; None if nothing is missing.

    A log that is being written at this moment is not checked: this was done when it was opened for writing.
    """
    try:
        with without_writer(path):
            return _log_fault(path, last)
    except JournalInUse:
        return None


def _log_fault(path: Path, last: int) -> DamagedJournal | None:
    tail, unread = examine_log(beside(path, "-wal"))
    match tail:
        case "broken":
            fact = f"is damaged: its log breaks off at event {last}, and {unread} later changes in it cannot be read"
            return DamagedJournal(path, fact, readable=last, unread=unread)
        case "torn":
            fact = f"breaks off at event {last}: its log ends within the next change"
            power_cut = "a power cut leaves that of an event that did not count yet; else it is lost"
            return DamagedJournal(path, fact, power_cut, readable=last, unread=unread)
        case "whole":
            return None


def refuse_damaged(path: Path, last: int) -> DamagedJournal | None:
    """Check that events can be added after `last`, up to which the events were found whole. Raises `DamagedJournal`.

    The result of a power cut at the end of the log does not prevent this, and is returned.
    """
    with journal_errors(path), closing(connect_to_read(path)) as db:
        faults = [row[0] for row in db.execute("PRAGMA quick_check(1)")]
        layout = {row[0] for row in db.execute("SELECT sql FROM sqlite_master")}
    if faults != [b"ok"] or not layout.issuperset(sql.encode() for sql in _TABLES + _TRIGGERS):
        raise DamagedJournal(path, f"is damaged, though its {last} events are not", readable=last)
    fault = _log_fault(path, last)
    if fault is not None and fault.unread > 1:
        raise fault
    return fault


@contextmanager
def journal_errors(path: Path, what: str = "") -> Iterator[None]:
    """Turn SQLite's errors into sentences about this journal."""
    try:
        yield
    except FAILURES as error:
        raise as_journal_error(path, error, what) from error


def _code(error: Exception) -> int:
    return int(getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR))


_NO_DAMAGE: Final = frozenset(
    (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_FULL,
    )
)


def means_damage(error: Exception) -> bool:
    """Whether an error while reading means damage, and not a lack of access."""
    return _code(error) & 0xFF not in _NO_DAMAGE


def as_journal_error(path: Path, error: Exception, what: str = "") -> JournalError:
    """An error of SQLite as a sentence for a person."""
    code = _code(error)
    if code in (sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR_SHMSIZE):
        room = "free some space and try again; nothing written before is lost"
        return JournalFull(path, f"{what or 'cannot be opened'}, for the disk is full", room)
    match code & 0xFF:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            return JournalInUse(path, "is open elsewhere", "close it there first, or only read it")
        case sqlite3.SQLITE_NOTADB:
            return NotAJournal(path, _NO_JOURNAL, "check the name")
        case sqlite3.SQLITE_READONLY | sqlite3.SQLITE_CANTOPEN | sqlite3.SQLITE_PERM:
            rights = "check that you may write to it and to its folder, or copy it (with its -wal) elsewhere"
            return JournalError(path, f"{what or 'cannot be opened'} ({error})", rights)
        case sqlite3.SQLITE_CORRUPT | sqlite3.SQLITE_ERROR:
            return DamagedJournal(path, f"is damaged ({error})")
        case _:
            return JournalError(path, f"{what or 'cannot be used'} ({error})", "check the disk")
