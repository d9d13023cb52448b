"""A journal's SQLite file and its write-ahead log.

One SQLite file per game. While it is open, and after a crash, its log (`-wal`) is part of it.
Nothing here knows what the events mean; that is `companion.journal`.
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
"""The size of a journal's pages, part of its format: where a frame begins is known, whatever is spoilt."""
MOST_RESTARTS = 10_000
"""SQLite counts in the salt how often it began a log anew; no game comes near this."""

Tail = Literal["whole", "torn", "broken"]
Order = Literal["little", "big"]


class Log(NamedTuple):
    """How a log ends: with a whole change, with part of one, or with whole ones that SQLite will not read.

    `unread` counts those; each is one event or several that were written together.
    """

    tail: Tail
    unread: int


def examine(log: Path) -> Log:
    """SQLite stops at the first frame with a wrong checksum, without a word; look behind it.

    One unread change is what a power cut leaves, and was never acknowledged; two cannot be, for each is on the disk
    before the next is written.
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
    """Each frame since the log began anew: is it whole, will SQLite accept it, does it end a change?"""
    if not data:
        return
    header = data[:32].ljust(32, b"\0")
    magic, _, page = struct.unpack_from(">III", header)
    order: Order = "big" if magic & 1 else "little"
    running = _checksum(header[:24], (0, 0), order)
    accepted = page == PAGE and header[24:] == struct.pack(">II", *running)
    # A spoilt header does not know its own salts any more, but the first frame bears the same.
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
    """Whether a frame is from before the log began anew: then SQLite had added one to the first salt and drawn the
    second. Any other salts are damage."""
    if len(frame) < 16:
        return False
    restarts = (int.from_bytes(salts[:4], "big") - int.from_bytes(frame[8:12], "big")) & 0xFFFFFFFF
    return frame[12:16] != salts[4:] and 0 < restarts <= MOST_RESTARTS


def _checksum(data: bytes, running: tuple[int, int], order: Order) -> tuple[int, int]:
    """SQLite's checksum of a log, as its file format describes it."""
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
"""The version of the file's layout; a companion reads its own."""

MARK: Final = int.from_bytes(b"TabC", "big")
"""SQLite's `application_id`: tells a journal from any other SQLite file."""

PRIVATE: Final = 0o600
"""A journal holds names and pictures of people at the table: its files are their owner's alone, whatever the umask."""

_TABLES: Final = (
    "CREATE TABLE head (one INTEGER PRIMARY KEY CHECK (one = 1), json TEXT NOT NULL, seal BLOB NOT NULL)",
    # AUTOINCREMENT makes SQLite keep the highest number in a page of its own, which betrays a lost tail.
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
    # Also keeps out INSERT OR REPLACE, which deletes without asking the trigger above.
    "CREATE TRIGGER event_next BEFORE INSERT ON events"
    f" WHEN NEW.n IS NOT (SELECT coalesce(max(n), 0) + 1 FROM events) {_NO}",
)
INSERT: Final = "INSERT INTO events (n, at, kind, body, state_crc, seal) VALUES (?, ?, ?, ?, ?, ?)"
SELECT: Final = "SELECT n, at, kind, body, state_crc, seal FROM events WHERE n = ?"

_NO_JOURNAL: Final = "is not a journal, or damaged from its first byte on"

Row = tuple[Any, ...]
"""An event as SQLite holds it; in a damaged file a column can hold anything."""

FAILURES: Final = (sqlite3.Error, UnicodeDecodeError)
"""What SQLite can answer with. When its message quotes a damaged file, Python stumbles over the quotation."""


class JournalError(Exception):
    """Something about a journal that a person should know: the file, the fact, and what to do."""

    def __init__(self, path: Path, fact: str, advice: str = "") -> None:
        super().__init__(f"{path} {fact}{': ' if advice else ''}{advice}.")
        self.path = path
        self.fact = fact
        self.advice = advice


class NotAJournal(JournalError):
    """A path where no journal is, or where none can begin."""


class OtherVersion(JournalError):
    """A journal laid out in a way this companion does not know."""


class JournalInUse(JournalError):
    """A journal that somebody else is writing."""


class JournalFull(JournalError):
    """A disk without room for the next event; all events before it are safe."""


class DamagedJournal(JournalError):
    """A journal that cannot be read to its end.

    `readable` counts the events before the damage, `lost` those from there on; None where nobody can tell. `unread`
    counts changes behind the damage that are there, but cannot be read.
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
    """The seal of something that follows on `previous`. Any parts will do: a damaged file may hold any."""
    return blake2b(previous + msgspec.msgpack.encode(parts), digest_size=16).digest()


def beside(path: Path, suffix: str) -> Path:
    """The file that belongs to a journal by its name; SQLite puts it beside what a link points to."""
    real = path.resolve()
    return real.with_name(real.name + suffix)


def refuse_what_is_no_file(path: Path) -> None:
    # Only asked for its size, never opened: closing a file lets go of all locks this process has on it,
    # also those of a game that is being written.
    with _reached(path):
        if path.is_dir():
            raise NotAJournal(path, "is a folder", "name the journal inside it")
        if path.stat().st_size == 0:
            raise NotAJournal(path, "is empty", "begin the game under another name")


def refuse_existing(path: Path) -> None:
    with _reached(path):
        if not path.parent.is_dir():
            raise NotAJournal(path, "cannot begin where there is no folder", f"make {path.parent} first")
        if path.exists():
            raise NotAJournal(path, "exists already", "choose another name, or open it to go on")
        # SQLite would take the log of the game that had this name for the new game's own.
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
    # The thread that opens a journal need not be the one that plays; only one at a time uses it.
    db = sqlite3.connect(
        f"{path.resolve().as_uri()}?mode={how}",
        uri=True,
        timeout=timeout,
        isolation_level=None,
        check_same_thread=False,
    )
    # Bytes as they are: text in a damaged file need not be text.
    db.text_factory = bytes
    return db


def look(path: Path) -> sqlite3.Connection:
    """A connection that only reads, and leaves nothing behind where it can.

    Without a log nobody writes, and SQLite need not make files beside the journal to find that out. With one
    it must be read too: it holds what was acknowledged last.
    """
    return connect(path, "ro" if beside(path, "-wal").exists() else "ro&immutable=1")


def lock(path: Path, to_write: bool = True) -> sqlite3.Connection:
    """Keep other writers out until the connection is closed or the process ends, however it ends.

    The lock is SQLite's own, on an empty file beside the journal: on the journal it would shut out readers.
    The file stays, for to remove it is to let a second writer lock another one of the same name.
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
        raise sentence(path, error) from error
    return held


def lay_out(path: Path, head: bytes, head_seal: bytes, rows: Iterable[Row]) -> None:
    """Write a new journal's file under another name, and give it its own when it is safe on the disk."""
    draft = beside(path, "-new")
    try:
        _remove(draft)
        # SQLite gives its log the same rights.
        os.close(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, PRIVATE))
        with told(path, "could not be begun"), closing(connect(draft, "rw")) as db:
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
            # Last, when there is nothing left to log: what is renamed must not need a log of the old name.
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
    """The head's JSON, once it is sure that this companion can read the journal."""
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


def nobody_writing(path: Path) -> AbstractContextManager[object]:
    """Keep writers out for a moment. Raises `JournalInUse`."""
    # Without the file that writers lock there is no writer, and none is made for the sake of looking.
    return closing(lock(path, to_write=False)) if beside(path, "-lock").exists() else nullcontext()


def missing(path: Path, last: int) -> DamagedJournal | None:
    """What is missing behind event `last`, with which reading ended; None if nothing is.

    A log in which somebody writes at this moment is sound: it was looked at before the first event was added.
    """
    try:
        with nobody_writing(path):
            return _log_fault(path, last)
    except JournalInUse:
        return None


def _log_fault(path: Path, last: int) -> DamagedJournal | None:
    tail, unread = examine(beside(path, "-wal"))
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
    """Look behind the events, which were found whole up to `last`, at what the next one will need.

    What a power cut may have left at the end of the log is no reason to refuse it, and comes back."""
    with told(path), closing(look(path)) as db:
        faults = [row[0] for row in db.execute("PRAGMA quick_check(1)")]
        layout = {row[0] for row in db.execute("SELECT sql FROM sqlite_master")}
    if faults != [b"ok"] or not layout.issuperset(sql.encode() for sql in _TABLES + _TRIGGERS):
        raise DamagedJournal(path, f"is damaged, though its {last} events are not", readable=last)
    fault = _log_fault(path, last)
    if fault is not None and fault.unread > 1:
        raise fault
    return fault


@contextmanager
def told(path: Path, what: str = "") -> Iterator[None]:
    """Turn SQLite's errors into sentences about this journal."""
    try:
        yield
    except FAILURES as error:
        raise sentence(path, error, what) from error


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


def speaks_of_damage(error: Exception) -> bool:
    """Whether an error while reading is about what was read, and not about who may read it when."""
    return _code(error) & 0xFF not in _NO_DAMAGE


def sentence(path: Path, error: Exception, what: str = "") -> JournalError:
    """One of SQLite's errors, said to a person."""
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
