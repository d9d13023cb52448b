"""The journal: a game is what was written down, and replaying it gives the same State, byte for byte.

Events are only ever added. Each bears a seal over itself and the seal before it, so that an event altered,
lost or moved is found and named. How they lie in the file is `companion.journal.file`; what to do with a
damaged one is `companion.journal.recovery`.
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
    lay_out,
    lock,
    look,
    missing,
    read_head,
    refuse_damaged,
    refuse_existing,
    refuse_what_is_no_file,
    seal,
    speaks_of_damage,
    told,
)
from companion.kernel.messages import View
from companion.kernel.rules import Actor, Seat

_AT_ONCE: Final = 500
"""Events fetched in one go: few, so that a reader is never long in the way."""

_STANDING: Final = """CREATE TABLE IF NOT EXISTS standing (
    one INTEGER PRIMARY KEY CHECK (one = 1), json TEXT NOT NULL, seal BLOB NOT NULL)"""
"""Beside the events, and not one of them: a single row that is replaced. Journals that never needed it have none."""

Clock = Callable[[], str]
"""Tells the time on the wall in ISO format; the journal has no clock of its own."""


class Setup(msgspec.Struct, frozen=True):
    """All a game needs to begin, so that a journal needs nothing beside it. The box is JSON, as it was."""

    box: msgspec.Raw
    seats: tuple[Seat, ...]
    options: dict[str, Any] = {}

    @classmethod
    def of(cls, box: Any, seats: Iterable[Seat], options: Mapping[str, Any] | None = None) -> Setup:
        return cls(msgspec.Raw(msgspec.json.encode(box)), tuple(seats), dict(options or {}))


class Head(msgspec.Struct, frozen=True):
    """What a journal says about itself. `rules` is the version of the companion that began it."""

    game: str
    created: str
    setup: Setup
    rules: str = __version__
    format: int = FORMAT


class Entry(msgspec.Struct, frozen=True):
    """Something to write down. Without a time of its own it gets the time of writing."""

    kind: str
    body: bytes
    state_crc: int = 0
    at: str | None = None


class Event(msgspec.Struct, frozen=True):
    """Something that was written down. `state_crc` is that of the State after it; 0 says nothing."""

    n: int
    at: str
    kind: str
    body: bytes
    state_crc: int
    seal: bytes


class Standing(msgspec.Struct, frozen=True):
    """The game after event `n`: how the table looks, who is to act, the points, and the State as compressed JSON."""

    n: int
    view: View
    actor: Actor
    totals: tuple[int, ...]
    state: bytes


class Journal:
    """One game's journal: `create` or `open` it to write, `read` it to look. Close it, or use `with`.

    Of a log cut short by a crash, what is whole is read: the journal ends with its last whole event.
    """

    def __init__(self, path: Path, head: bytes) -> None:
        self.path = path
        self.head = msgspec.json.decode(head, type=Head)
        self._last = 0
        self._last_seal = self._head_seal = seal(b"", head)
        self.cut_short: DamagedJournal | None = None
        """What a power cut may have left at the end of a journal that was opened to go on."""
        self._now: Clock = str
        self._db: sqlite3.Connection | None = None
        self._lock: sqlite3.Connection | None = None

    @classmethod
    def create(cls, path: Path, head: Head, now: Clock, entries: Iterable[Entry] = ()) -> Journal:
        """Begin a journal, with these entries already in it. It appears whole or not at all."""
        refuse_existing(path)
        with ExitStack() as undo:
            held = undo.enter_context(closing(lock(path)))
            refuse_existing(path)
            text = msgspec.json.encode(head)
            journal = cls(path, text)
            rows = journal._sealed(entries, now)
            lay_out(path, text, journal._head_seal, rows)
            journal._begin(held, now, *((rows[-1][0], rows[-1][-1]) if rows else (0, journal._head_seal)))
            undo.pop_all()
        return journal

    @classmethod
    def open(cls, path: Path, now: Clock) -> Journal:
        """Go on with a journal. It is read through first: nothing is added to a damaged one."""
        refuse_what_is_no_file(path)
        with ExitStack() as undo:
            held = undo.enter_context(closing(lock(path)))
            # Read-only: a connection that may write tidies the log away as it closes, and with it
            # what a recovery could still use.
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
        """Look at a journal, also while somebody writes it; the file stays as it is."""
        refuse_what_is_no_file(path)
        with told(path), closing(look(path)) as db:
            head = read_head(path, db)
        try:
            return cls(path, head)
        except msgspec.DecodeError as error:
            raise OtherVersion(path, f"has a head of another kind ({error})", "check who wrote it") from error

    def append(self, kind: str, body: bytes, state_crc: int = 0) -> int:
        """Write one event down; its number comes back once it would survive a power cut."""
        return self.append_many((Entry(kind, body, state_crc),))

    def append_many(self, entries: Iterable[Entry], standing: Standing | None = None) -> int:
        """Write several events down, all or none, and how the game stands after them; the last one's number comes
        back."""
        if self._db is None:
            raise JournalError(self.path, "is not open for writing", "open it to add events")
        rows = self._sealed(entries, self._now)
        if not rows:
            return self._last
        with told(self.path, f"could not take event {rows[0][0]}"):
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
        """Every event, or those after one, checked against its seal. Raises `DamagedJournal` where that ends."""
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
        """How the game stood when that was written last; None if it never was, or is not to be trusted: the events
        are what counts."""
        with suppress(*FAILURES, msgspec.DecodeError), self._reading() as db:
            text, sealed = db.execute("SELECT json, seal FROM standing").fetchone() or (b"", b"")
            kept = msgspec.json.decode(text, type=Standing)
            return kept if sealed == seal(self._seal_of(kept.n), text) else None
        return None

    def _seal_of(self, n: int) -> bytes:
        """The seal on which the event after this one follows; one that is missing bears none."""
        rows = self._rows(n - 1, n, 1) if n else []
        return bytes(rows[0][-1]) if rows else b"" if n else self._head_seal

    @property
    def id(self) -> str:
        """Tells this journal from every other, also from one of the same name in another home."""
        return seal(self._head_seal, self.path.name).hex()

    def missing(self) -> DamagedJournal | None:
        """What cannot be read behind the last event, though it is there; None if nothing is missing."""
        return self.cut_short if self._db is not None else missing(self.path, self.last_number)

    @property
    def last_number(self) -> int:
        """The number of the last event, 0 before the first."""
        if self._db is not None:
            return self._last
        with told(self.path), self._reading() as db:
            return int(db.execute("SELECT coalesce(max(n), 0) FROM events").fetchone()[0])

    def __len__(self) -> int:
        return self.last_number

    def close(self) -> None:
        """Let go of the file; closing twice is harmless."""
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
        with told(self.path), ExitStack() as undo:
            db = undo.enter_context(closing(connect(self.path, "rw")))
            db.execute("PRAGMA journal_mode = WAL")
            # In this mode SQLite syncs the log at each commit: what was acknowledged outlives a power cut.
            db.execute("PRAGMA synchronous = FULL")
            # From here on there is a log, which tells readers that somebody writes. And if the file cannot be
            # written, this is the time to say so: SQLite says it only of a change, even of one that is none.
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
        # A reader holds no connection between two looks: it is never in a writer's way, and a writer that
        # came in the meantime is noticed by its log.
        if self._db is not None:
            yield self._db
        else:
            with closing(look(self.path)) as db:
                yield db

    def _rows(self, after: int, promised: int, most: int = _AT_ONCE) -> list[Row]:
        rows: list[Row] = []
        with told(self.path), self._reading() as db:
            # One by one: asked for many, SQLite does not say which of them it could not read.
            for n in range(after + 1, after + 1 + most):
                try:
                    row: Row | None = db.execute(SELECT, (n,)).fetchone()
                except FAILURES as error:
                    if rows:
                        return rows
                    if not speaks_of_damage(error):
                        raise
                    raise self._damaged(n, f"cannot be read ({error})", promised) from error
                if row is None:
                    return rows
                rows.append(row)
        return rows

    def _promised(self) -> int:
        """The highest number the file speaks of; a part of it that cannot be read promises nothing."""
        found = 0
        with told(self.path), self._reading() as db:
            for ask in ("SELECT seq FROM sqlite_sequence WHERE name = 'events'", "SELECT max(n) FROM events"):
                with suppress(*FAILURES):
                    for (number,) in db.execute(ask):
                        found = max(found, number if isinstance(number, int) else 0)
        return found

    def _damaged(self, n: int, how: str, promised: int) -> DamagedJournal:
        lost = promised - n + 1 if promised >= n else None
        return DamagedJournal(self.path, f"is damaged: event {n} {how}", readable=n - 1, lost=lost)
