"""Recovery: what can still be read of a damaged journal becomes a new one; the damaged one stays as it is."""

from __future__ import annotations

import shutil
from contextlib import AbstractContextManager, closing, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from companion.journal.file import (
    DamagedJournal,
    Entry,
    Event,
    JournalError,
    NotAJournal,
    OtherVersion,
    beside,
    lock,
    refuse_existing,
    refuse_what_is_no_file,
)
from companion.journal.journal import Clock, Journal
from companion.journal.log import Tail, tail


class Recovery(msgspec.Struct, frozen=True):
    """What became of a damaged journal.

    `lost` counts the events that the file still speaks of, None where nobody can tell. It cannot speak of
    those in a log that was removed, or cut between two events: that looks like a game that ended there.
    """

    kept: int
    lost: int | None
    reason: str


def recover(path: Path, to: Path, now: Clock) -> Recovery:
    """Write the events before the damage to a new journal, and behind them a note of what is missing."""
    refuse_what_is_no_file(path)
    refuse_existing(to)
    with _nobody_writing(path), TemporaryDirectory(prefix="journal-") as folder:
        copy = _copy(path, Path(folder))
        log = tail(beside(copy, "-wal"))
        damaged, kept, damage = _readable(path, copy)
    recovery = _judged(len(kept), damage, log)
    entries = [Entry(event.kind, event.body, event.state_crc, event.at) for event in kept]
    note = msgspec.json.encode({"recovered_from": path.name, **msgspec.to_builtins(recovery)})
    Journal.create(to, damaged.head, now, [*entries, Entry("note", note)]).close()
    return recovery


def _nobody_writing(path: Path) -> AbstractContextManager[object]:
    # A copy made while somebody writes would be neither the old nor the new. Without the file that writers
    # lock there is no writer, and none is made for the sake of looking.
    return closing(lock(path, to_write=False)) if beside(path, "-lock").exists() else nullcontext()


def _copy(path: Path, folder: Path) -> Path:
    copy = folder / path.name
    try:
        shutil.copyfile(path, copy)
        if (log := beside(path, "-wal")).exists():
            shutil.copyfile(log, beside(copy, "-wal"))
        with copy.open("r+b") as file:
            # A size of 0 pages tells SQLite to measure the file itself; else it would open none that was cut.
            if file.seek(0, 2) >= 100:
                file.seek(28)
                file.write(bytes(4))
    except OSError as error:
        raise JournalError(path, f"cannot be copied ({error.strerror})", "check the disk") from error
    return copy


def _readable(path: Path, copy: Path) -> tuple[Journal, list[Event], DamagedJournal | None]:
    """The journal in the copy, its events up to the damage, and the damage."""
    try:
        journal = Journal.read(copy)
    except OtherVersion as error:
        raise OtherVersion(path, error.fact, error.advice) from error
    except (NotAJournal, DamagedJournal) as error:
        nothing = "nothing of it could be recovered, so go back to a copy of it, or begin the game again"
        raise DamagedJournal(path, error.fact, nothing, readable=0) from error
    kept: list[Event] = []
    try:
        for event in journal.events():
            kept.append(event)
    except DamagedJournal as damage:
        return journal, kept, damage
    return journal, kept, None


def _judged(kept: int, damage: DamagedJournal | None, log: Tail) -> Recovery:
    reason = damage.fact if damage else "no damage is to be seen"
    lost = damage.lost if damage else 0
    if log == "torn":
        return Recovery(kept, None, f"{reason}; its log ends within an event that may have been acknowledged")
    if log == "broken":
        return Recovery(kept, None, f"{reason}; its log is damaged, and holds events that cannot be counted")
    return Recovery(kept, lost, reason)
