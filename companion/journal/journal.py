"""The journal of a game: its events, written and read.

Events are only ever added. Each has a seal over itself and the previous seal, so that an event that was changed, lost
or moved is found. The file format is in `companion.journal.file`; `companion.journal.recovery` handles damaged files.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import msgspec

from companion import __version__
from companion.journal.file import (
    FAILURES,
    FORMAT,
    INSERT,
    SELECT,
    DamagedJournal,
    JournalError,
    OtherVersion,
    Row,
    connect,
    connect_to_read,
    create_file,
    journal_errors,
    lock,
    means_damage,
    missing,
    read_head,
    refuse_damaged,
    require_file,
    require_free_path,
    seal,
)
from companion.kernel.rules import Actor, Seat
from companion.kernel.views import View

_AT_ONCE: Final = 500
"""Number of events that are read at once; small, so that readers never block a writer for long."""

_STANDING: Final = """CREATE TABLE IF NOT EXISTS standing (
    one INTEGER PRIMARY KEY CHECK (one = 1), json TEXT NOT NULL, seal BLOB NOT NULL)"""
"""A single row beside the events, which is replaced each time. The table is created when it is first needed."""

Clock = Callable[[], str]
"""Returns the current time in ISO format; the journal has no clock of its own."""


class Setup(msgspec.Struct, frozen=True):
    """All that a game needs to begin, so that a journal is complete. The box is kept as its JSON."""

    box: msgspec.Raw
    seats: tuple[Seat, ...]
    options: dict[str, Any] = {}

    @classmethod
    def of(cls, box: Any, seats: Iterable[Seat], options: Mapping[str, Any] | None = None) -> Setup:
        return cls(msgspec.Raw(msgspec.json.encode(box)), tuple(seats), dict(options or {}))


class Head(msgspec.Struct, frozen=True):
    """The head of a journal. `rules` is the version of the companion that created it."""

    game: str
    created: str
    setup: Setup
    rules: str = __version__
    format: int = FORMAT


class Entry(msgspec.Struct, frozen=True):
    """An event to be written. The default of its time is the time of writing."""

    kind: str
    body: bytes
    state_crc: int = 0
    at: str | None = None


class Event(msgspec.Struct, frozen=True):
    """An event that was written. `state_crc` is the checksum of the State after it, or 0 if there is none."""

    n: int
    at: str
    kind: str
    body: bytes
    state_crc: int
    seal: bytes


class Standing(msgspec.Struct, frozen=True):
    """The game after event `n`: how the table looks, who acts next, the points, and the State as compressed JSON."""

    n: int
    view: View
    actor: Actor
    totals: tuple[int, ...]
    state: bytes


class Journal:
    """One game's journal: `create` or `open` it for writing, `read` it for reading. Close it, or use `with`.

    After a crash, the journal ends with its last whole event.
    """

    def __init__(self, path: Path, head: bytes) -> None:
        self.path = path
        self.head = msgspec.json.decode(head, type=Head)
        self._last = 0
        self._last_seal = self._head_seal = seal(b"", head)
        self.cut_short: DamagedJournal | None = None
        """What a power cut may have left at the end of a journal that was opened for writing."""
        self._now: Clock = str
        self._db: sqlite3.Connection | None = None
        self._lock: sqlite3.Connection | None = None

    @classmethod
    def create(cls, path: Path, head: Head, now: Clock, entries: Iterable[Entry] = ()) -> Journal:
        """Create a journal that already contains these entries. It appears whole or not at all."""
        require_free_path(path)
        with ExitStack() as undo:
            held = undo.enter_context(closing(lock(path)))
            require_free_path(path)
            text = msgspec.json.encode(head)
            journal = cls(path, text)
            rows = journal._sealed(entries, now)
            create_file(path, text, journal._head_seal, rows)
            journal._begin(held, now, *((rows[-1][0], rows[-1][-1]) if rows else (0, journal._head_seal)))
            undo.pop_all()
        return journal

    @classmethod
    def open(cls, path: Path, now: Clock) -> Journal:
        """Open a journal for writing. All of it is read first: nothing is added to a damaged journal."""
        require_file(path)
        with ExitStack() as undo:
            held = undo.enter_context(closing(lock(path)))
            # Read-only, because a writing connection removes the log when it closes, and with it what a recovery
            # could still use.
            journal = cls.read(path)
            last, last_seal = 0, journal._head_seal
            for event in journal.events():
                last, last_seal = event.n, event.seal
            journal.cut_short = refuse_damaged(path, last)
            journal._begin(held, now, last, last_seal)
            undo.pop_all()
        return journal

    @classmethod
    def read(cls, path: Path) -> Journal:
        """Open a journal for reading, even while it is being written. The file is not changed."""
        require_file(path)
        with journal_errors(path), closing(connect_to_read(path)) as db:
            head = read_head(path, db)
        try:
            return cls(path, head)
        except msgspec.DecodeError as error:
            raise OtherVersion(path, f"has a head of another kind ({error})", "check who wrote it") from error

    def append(self, kind: str, body: bytes, state_crc: int = 0) -> int:
        """Write one event, and return its number once it would survive a power cut."""
        return self.append_many((Entry(kind, body, state_crc),))

    def append_many(self, entries: Iterable[Entry], standing: Standing | None = None) -> int:
        """Write several events, all or none, and the standing after them. Return the number of the last one."""
        if self._db is None:
            raise JournalError(self.path, "is not open for writing", "open it to add events")
        rows = self._sealed(entries, self._now)
        if not rows:
            return self._last
        with journal_errors(self.path, f"could not take event {rows[0][0]}"):
            try:
                self._db.execute("BEGIN IMMEDIATE")
                self._db.executemany(INSERT, rows)
                if standing is not None:
                    text = msgspec.json.encode(standing)
                    self._db.execute(_STANDING)
                    row = (text.decode(), seal(rows[-1][-1], text))
                    self._db.execute("INSERT OR REPLACE INTO standing VALUES (1, ?, ?)", row)
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:
                    self._db.execute("ROLLBACK")
                raise
        self._last, self._last_seal = rows[-1][0], rows[-1][-1]
        return self._last

    def events(self, after: int = 0) -> Iterator[Event]:
        """All events after number `after`, each checked against its seal. Raises `DamagedJournal` at the first bad
        one."""
        last, last_seal = after, self._seal_of(after)
        promised = self._promised()
        while rows := self._rows(last, promised):
            for row in rows:
                last, last_seal = last + 1, seal(last_seal, *row[:-1])
                if last_seal != row[-1]:
                    raise self._damaged(last, "does not bear its seal", promised)
                n, at, kind, body, state_crc, _ = row
                yield Event(n, at.decode(), kind.decode(), body, state_crc, last_seal)
        if last < promised:
            raise self._damaged(last + 1, "is missing", promised)

    def standing(self) -> Standing | None:
        """The standing that was written last; None if there is none, or if it does not match the events."""
        with suppress(*FAILURES, msgspec.DecodeError), self._reading() as db:
            text, sealed = db.execute("SELECT json, seal FROM standing").fetchone() or (b"", b"")
            kept = msgspec.json.decode(text, type=Standing)
            return kept if sealed == seal(self._seal_of(kept.n), text) else None
        return None

    def _seal_of(self, n: int) -> bytes:
        """The seal of event `n`; empty if the event is missing."""
        rows = self._rows(n - 1, n, 1) if n else []
        return bytes(rows[0][-1]) if rows else b"" if n else self._head_seal

    @property
    def id(self) -> str:
        """An id of this journal, different even from one of the same name in another folder."""
        return seal(self._head_seal, self.path.name).hex()

    def missing(self) -> DamagedJournal | None:
        """What exists after the last event, but cannot be read; None if nothing is missing."""
        return self.cut_short if self._db is not None else missing(self.path, self.last_number)

    @property
    def last_number(self) -> int:
        """The number of the last event, 0 before the first."""
        if self._db is not None:
            return self._last
        with journal_errors(self.path), self._reading() as db:
            return int(db.execute("SELECT coalesce(max(n), 0) FROM events").fetchone()[0])

    def __len__(self) -> int:
        return self.last_number

    def close(self) -> None:
        """Close the file. Closing twice is harmless."""
        for held in (self._db, self._lock):
            if held is not None:
                held.close()
        self._db = self._lock = None

    def __enter__(self) -> Journal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _begin(self, held: sqlite3.Connection, now: Clock, last: int, last_seal: bytes) -> None:
        with journal_errors(self.path), ExitStack() as undo:
            db = undo.enter_context(closing(connect(self.path, "rw")))
            db.execute("PRAGMA journal_mode = WAL")
            # In this mode SQLite syncs the log at each commit, so acknowledged events survive a power cut.
            db.execute("PRAGMA synchronous = FULL")
            # This creates the log, which shows readers that there is a writer. And it raises an error if the file
            # cannot be written, which SQLite does only for a change, even an empty one.
            db.execute("BEGIN IMMEDIATE")
            db.execute(f"PRAGMA user_version = {FORMAT}")
            db.execute("ROLLBACK")
            undo.pop_all()
        self._db, self._lock, self._now = db, held, now
        self._last, self._last_seal = last, last_seal

    def _sealed(self, entries: Iterable[Entry], now: Clock) -> list[Row]:
        rows: list[Row] = []
        n, link = self._last, self._last_seal
        for entry in entries:
            n, at = n + 1, now() if entry.at is None else entry.at
            try:
                msgspec.json.decode(entry.body)
            except msgspec.DecodeError as error:
                raise JournalError(self.path, f"takes only JSON, and event {n} is none ({error})") from error
            link = seal(link, n, at.encode(), entry.kind.encode(), entry.body, entry.state_crc)
            rows.append((n, at, entry.kind, entry.body.decode(), entry.state_crc, link))
        return rows

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        # Readers keep no connection open: they do not block a writer, and notice the log of a new one.
        if self._db is not None:
            yield self._db
        else:
            with closing(connect_to_read(self.path)) as db:
                yield db

    def _rows(self, after: int, promised: int, most: int = _AT_ONCE) -> list[Row]:
        rows: list[Row] = []
        with journal_errors(self.path), self._reading() as db:
            # One by one, since a query for many rows does not show which row could not be read.
            for n in range(after + 1, after + 1 + most):
                try:
                    row: Row | None = db.execute(SELECT, (n,)).fetchone()
                except FAILURES as error:
                    if rows:
                        return rows
                    if not means_damage(error):
                        raise
                    raise self._damaged(n, f"cannot be read ({error})", promised) from error
                if row is None:
                    return rows
                rows.append(row)
        return rows

    def _promised(self) -> int:
        """The highest event number that the file mentions, as far as it can be read."""
        found = 0
        with journal_errors(self.path), self._reading() as db:
            for ask in ("SELECT seq FROM sqlite_sequence WHERE name = 'events'", "SELECT max(n) FROM events"):
                with suppress(*FAILURES):
                    for (number,) in db.execute(ask):
                        found = max(found, number if isinstance(number, int) else 0)
        return found

    def _damaged(self, n: int, how: str, promised: int) -> DamagedJournal:
        lost = promised - n + 1 if promised >= n else None
        return DamagedJournal(self.path, f"is damaged: event {n} {how}", readable=n - 1, lost=lost)
