"""A toy game with pebbles, its journals, and ways to damage them."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeVar, cast

import msgspec

from companion.journal import (
    Entry,
    Event,
    Head,
    Journal,
    JournalError,
    Setup,
    crc,
    replay,
)
from companion.journal.recovery import recover
from companion.kernel.game import BadSetup, Game
from companion.kernel.rules import IllegalMove, Seat, broken
from companion.kernel.views import Pieces, View


class PebbleBox(msgspec.Struct, frozen=True):
    pebbles: int


class Take(msgspec.Struct, frozen=True, tag="take"):
    pebbles: int


class Heap(msgspec.Struct, frozen=True):
    pebbles: int
    taken: tuple[int, ...]


class MorePebbles(msgspec.Struct, frozen=True):
    extra: int = 0


class Pebbles:
    """Seats take one to three pebbles in turn. A journal needs no more of a game."""

    name = "pebbles"
    move_type = Take
    options_type = MorePebbles
    options_before: Mapping[str, Any] = {}
    state_since: tuple[str, ...] = ()
    most = 3
    worth = 1

    def box_from_json(self, raw: Any) -> PebbleBox:
        return msgspec.convert(raw, PebbleBox)

    def setup(self, box: PebbleBox, seats: tuple[Seat, ...], options: Mapping[str, Any]) -> Heap:
        if len(seats) < 2:
            raise BadSetup("Pebbles needs two players.")
        return Heap(box.pebbles + options.get("extra", 0), (0,) * len(seats))

    def play(self, state: Heap, move: Take) -> Heap:
        if move.pebbles > min(self.most, state.pebbles):
            raise IllegalMove(move, (broken("at-most", most=self.most),))
        first, *others = state.taken
        return Heap(state.pebbles - move.pebbles, (*others, first + move.pebbles * self.worth))

    def state_from_view(self, state: Heap, view: View) -> Heap:
        heap = view.zones["heap"]
        assert isinstance(heap, Pieces)
        return Heap(heap.count["pebble"], state.taken)


class SmallHands(Pebbles):
    most = 2


class DoublePebbles(Pebbles):
    worth = 2


def rules(game: Pebbles) -> Game[Heap, Take]:
    return cast(Game[Heap, Take], game)


GAME = rules(Pebbles())


SEATS = (Seat("red", "Ada"), Seat("blue"))


HEAD = Head("pebbles", "2025-05-01T19:30:00+02:00", Setup.of(PebbleBox(21), SEATS))


T = TypeVar("T")


def now() -> str:
    return "2025-05-01T20:00:00+02:00"


def json(value: Any) -> bytes:
    return msgspec.json.encode(value)


def played(journal: Journal, *pebbles: int) -> Heap:
    """Take these pebbles move by move, and write each move."""
    state = replay(journal, GAME)
    for taken in pebbles:
        state = GAME.play(state, Take(taken))
        journal.append("move", json(Take(taken)), crc(state))
    return state


def written(path: Path, count: int, body: bytes = b'{"seen":"the heap"}') -> list[Event]:
    """A closed journal of notes."""
    with Journal.create(path, HEAD, now) as journal:
        journal.append_many([Entry("note", body)] * count)
        return list(journal.events())


def files(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in folder.iterdir()}


@contextmanager
def read_only_journal() -> Iterator[Path]:
    """A journal of three events in a folder that this process cannot write to, even as root."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "evening.journal"
        written(path, 3)
        path.chmod(0o444)
        path.parent.chmod(0o555)
        is_root = os.geteuid() == 0
        if is_root:
            os.seteuid(65534)  # nothing is read-only to root
        try:
            yield path
        finally:
            if is_root:
                os.seteuid(0)
            path.parent.chmod(0o755)


OPENINGS: list[Callable[[Path], object]] = [
    lambda path: Journal.open(path, now),
    Journal.read,
    lambda path: recover(path, path.with_name("recovered.journal"), now),
]


def tampered(path: Path, *statements: str) -> None:
    """Change a journal with a database tool that ignores the triggers."""
    db = sqlite3.connect(path)
    for (name,) in db.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
        db.execute(f"DROP TRIGGER {name}")
    for statement in statements:
        db.execute(statement)
    db.commit()
    db.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    db.close()


ROOT = Path(__file__).parents[3]


CHILD = """
import os, sys
from pathlib import Path
from companion.journal import Journal, JournalError
path = Path(sys.argv[1])
def now(): return "2025-05-01T20:00:00+02:00"
"""


OPEN_IT = """
try:
    Journal.open(path, now).close()
    print("opened")
except JournalError as error:
    print(type(error).__name__)
"""


COUNT_IT = "print(len(list(Journal.read(path).events())))"


TAKE_IT_OVER = """
import sqlite3
try:
    sqlite3.connect(path, timeout=0).execute("PRAGMA journal_mode = DELETE")
    print("taken")
except sqlite3.Error as error:
    print(error)
"""


PLAY_UNTIL_KILLED = """
with Journal.open(path, now) as journal:
    while True:
        print(journal.append("note", b'{"seen":"the heap"}'), flush=True)
"""


PLAY_AND_CRASH = """
journal = Journal.open(path, now)
for _ in range(int(sys.argv[2])):
    journal.append("note", b'{"seen":"the heap"}')
os._exit(9)
"""


def run(story: str, *words: object) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", CHILD + story, *map(str, words)], capture_output=True, text=True, cwd=ROOT
    )


def crashed(path: Path, count: int) -> None:
    """A journal whose events all lie in the log that a crash left."""
    Journal.create(path, HEAD, now).close()
    assert run(PLAY_AND_CRASH, path, count).returncode == 9


def filled(journal: Journal) -> None:
    for _ in range(1000):
        journal.append("note", json("x" * 300))


class Evening(NamedTuple):
    """The files after a game, and the events that were written."""

    main: bytes
    log: bytes
    events: list[Event]

    def __repr__(self) -> str:
        return f"an evening of {len(self.events)} events"


def laid_down(folder: Path, main: bytes, log: bytes | None = None) -> Path:
    path = folder / "evening.journal"
    path.write_bytes(main)
    if log is not None:
        path.with_name(f"{path.name}-wal").write_bytes(log)
    return path


def answer(question: Callable[[], T]) -> T | JournalError:
    """The result of reading, or the sentence of its error; other errors fail the test."""
    try:
        return question()
    except JournalError as error:
        return error


def kept_by_recovery(path: Path, events: list[Event], logged: bool = False) -> int:
    """Recover, and check what holds for every recovery. Returns the number of kept events.

    Events that were `logged` and are gone leave no trace, unless the log breaks off within one of them.
    """
    before = files(path.parent)
    with TemporaryDirectory() as folder:
        new = Path(folder) / "new.journal"
        recovery = answer(lambda: recover(path, new, now))
        assert files(path.parent) == before
        if isinstance(recovery, JournalError):
            assert str(path) in str(recovery)
            assert files(Path(folder)) == {}
            return 0
        with Journal.open(new, now) as journal:
            *kept, note = journal.events()
            assert journal.head == HEAD
        assert kept == events[: recovery.kept]
        spoken_of = len(events) if not logged else recovery.kept
        assert recovery.lost in (None, spoken_of - recovery.kept)
        assert note.kind == "note"
        assert msgspec.json.decode(note.body) == {
            "recovered_from": path.name,
            **msgspec.to_builtins(recovery),
        }
        return recovery.kept
