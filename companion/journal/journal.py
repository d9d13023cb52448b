"""The journal: a game is what was written down, and replaying it gives the same State, byte for byte.

Events are only ever added. Each bears a seal over itself and the seal before it, so that an event altered,
lost or moved is found and named. How they lie in the file is `companion.journal.file`; what to do with a
damaged one is `companion.journal.recovery`.
"""

from __future__ import annotations

import sqlite3
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Final, Generic, Literal

import msgspec

from companion import __version__
from companion.journal.file import (
    FAILURES,
    FORMAT,
    INSERT,
    SELECT,
    DamagedJournal,
    Entry,
    Event,
    Head,
    JournalError,
    NotAJournal,
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
from companion.journal.standing import Carried, Standing, set_up, taken_over
from companion.kernel.box import BoxError, Learned
from companion.kernel.forms import CannotLearn
from companion.kernel.messages import View
from companion.kernel.rules import BadSetup, Breach, Game, IllegalMove, M, S

_AT_ONCE: Final = 500
"""Events fetched in one go: few, so that a reader is never long in the way."""

_STANDING: Final = """CREATE TABLE IF NOT EXISTS standing (
    one INTEGER PRIMARY KEY CHECK (one = 1), json TEXT NOT NULL, seal BLOB NOT NULL)"""
"""Beside the events, and not one of them: a single row that is replaced. Journals that never needed it have none."""

Clock = Callable[[], str]
"""Tells the time on the wall in ISO format; the journal has no clock of its own."""


class OtherRules(JournalError):
    """A journal that the rules, as they are now, do not lead to the States it was written with."""

    def __init__(self, journal: Journal, number: int, how: str, breaches: tuple[Breach, ...] = ()) -> None:
        where = f"event {number}" if number else "the set-up"
        rules = f"companion {journal.head.rules}, this is {__version__}"
        fact = f"comes from other rules ({rules}): at {where} {how}"
        super().__init__(journal.path, fact, "open it with the companion that wrote it")
        self.number = number
        self.breaches = breaches


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


def crc(state: msgspec.Struct) -> int:
    """What an event keeps of the State after it."""
    return zlib.crc32(msgspec.json.encode(state))


def crc_before(game: Game[S, M], state: S) -> int:
    """The same without what came into the State after companion 0.1.0, whose journals keep nothing else of it."""
    if not game.state_since:
        return crc(state)
    written = msgspec.to_builtins(state)
    for path in game.state_since:
        *around, name = path.split(".")
        part = written
        for one in around:
            part = part[one]
        part.pop(name, None)
    return zlib.crc32(msgspec.json.encode(written))


class Joining(msgspec.Struct, frozen=True):
    """A game that had begun unwatched: what the table looked like, and which of the moments that look so it was."""

    view: View
    choice: int


class _Undo(msgspec.Struct, frozen=True):
    """Back to the State after event `to`; 0 is the set-up."""

    to: int


def replay(journal: Journal, game: Game[S, M], upto: int | None = None, verify: Literal["last", "all"] = "last") -> S:
    """The State after event `upto`, or after the last one. Raises `OtherRules` if the rules lead elsewhere.

    `verify="last"` compares only the last State with what was written, which costs little. If it differs, all
    are compared, to name the event at which they parted.
    """
    if journal.head.game != game.name:
        raise NotAJournal(journal.path, f"holds {journal.head.game}, not {game.name}", "check the name")
    if upto is not None and not 0 <= upto <= journal.last_number:
        raise JournalError(journal.path, f"has no event {upto}", f"its last is {journal.last_number}")
    through = _Replay(journal, game)
    if verify == "last":
        try:
            return through.play(upto, compare_all=False)
        except OtherRules:
            pass
    return through.play(upto, compare_all=True)


class _Replay(Generic[S, M]):
    """One journal, played again by one game's rules."""

    def __init__(self, journal: Journal, game: Game[S, M]) -> None:
        self._journal = journal
        self._game = game
        self._move = msgspec.json.Decoder(game.move_type)
        self._view = msgspec.json.Decoder(View)
        self._undo = msgspec.json.Decoder(_Undo)
        self._joining = msgspec.json.Decoder(Joining)
        self._learned = msgspec.json.Decoder(Learned)
        self._carried = msgspec.json.Decoder(Carried)

    def play(self, upto: int | None, compare_all: bool) -> S:
        states = [self._set_up()]
        uncompared: Event | None = None
        for event in islice(self._journal.events(), upto):
            states.append(self._after(event, states))
            if event.state_crc and compare_all:
                self._compare(event, states[-1])
            elif event.state_crc:
                uncompared = event
        if uncompared is not None:
            self._compare(uncompared, states[uncompared.n])
        return states[-1]

    def _set_up(self) -> S:
        setup = self._journal.head.setup
        try:
            return set_up(self._game, setup)
        except (BadSetup, BoxError, msgspec.ValidationError) as error:
            raise OtherRules(self._journal, 0, str(error).rstrip(".")) from error

    def _after(self, event: Event, states: list[S]) -> S:
        try:
            match event.kind:
                case "move":
                    return self._game.play(states[-1], self._move.decode(event.body))
                case "adopt":
                    return self._game.state_from_view(states[-1], self._view.decode(event.body))
                case "join":
                    return self._joined(event, states[-1])
                case "learn":
                    return self._taught(event, states[-1])
                case "carried":
                    return taken_over(self._game, states[-1], self._carried.decode(event.body).standing)
                case "undo":
                    return states[self._earlier(event)]
                case _:
                    return states[-1]
        except IllegalMove as error:
            ids = ", ".join(breach.rule for breach in error.breaches)
            refused = f"the rules now refuse the move ({ids})"
            raise OtherRules(self._journal, event.n, refused, error.breaches) from error
        except msgspec.ValidationError as error:
            unknown = f"the rules now know no such {event.kind} ({error})"
            raise OtherRules(self._journal, event.n, unknown) from error

    def _joined(self, event: Event, state: S) -> S:
        joining = self._joining.decode(event.body)
        moments = self._game.states_matching(state, joining.view)
        if not 0 <= joining.choice < len(moments):
            raise OtherRules(self._journal, event.n, "the rules now know no such moment of the game")
        return moments[joining.choice]

    def _taught(self, event: Event, state: S) -> S:
        learning = self._game.learning
        if learning is None:
            raise OtherRules(self._journal, event.n, "the rules now learn nothing")
        try:
            return learning.learn(state, self._learned.decode(event.body))
        except CannotLearn as error:
            raise OtherRules(self._journal, event.n, f"the rules now know no such piece ({error.reason})") from error

    def _earlier(self, event: Event) -> int:
        to = self._undo.decode(event.body).to
        if not 0 <= to < event.n:
            raise OtherRules(self._journal, event.n, f"no event {to} comes before it")
        return to

    def _compare(self, event: Event, state: S) -> None:
        if crc(state) != event.state_crc:
            raise OtherRules(self._journal, event.n, "the rules now lead to another state")
