"""Recovery: what can still be read of a damaged journal becomes a new one; the damaged one stays as it is."""

from __future__ import annotations

import shutil
from pathlib import Path
from tempfile import TemporaryDirectory

import msgspec

from companion.journal.file import (
    PAGE,
    DamagedJournal,
    JournalError,
    Log,
    NotAJournal,
    OtherVersion,
    beside,
    examine,
    lay_out,
    nobody_writing,
    refuse_existing,
    refuse_what_is_no_file,
)
from companion.journal.journal import Clock, Entry, Event, Journal


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
    # A copy made while somebody writes would be neither the old nor the new.
    with nobody_writing(path), TemporaryDirectory(prefix="journal-") as folder:
        copy = _copy(path, Path(folder))
        log = examine(beside(copy, "-wal"))
        damaged, kept, damage = _readable(path, copy)
    recovery = _judged(len(kept), damage, log)
    entries = [Entry(event.kind, event.body, event.state_crc, event.at) for event in kept]
    note = msgspec.json.encode({"recovered_from": path.name, **msgspec.to_builtins(recovery)})
    Journal.create(to, damaged.head, now, [*entries, Entry("note", note)]).close()
    return recovery


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
    first_page: DamagedJournal | None = None
    try:
        try:
            journal = Journal.read(copy)
        except (NotAJournal, DamagedJournal) as error:
            first_page = DamagedJournal(path, error.fact, lost=0)
            _replace_first_page(copy)
            journal = Journal.read(copy)
    except OtherVersion as error:
        raise OtherVersion(path, error.fact, error.advice) from error
    except (NotAJournal, DamagedJournal) as error:
        nothing = "nothing of it could be recovered, so go back to a copy of it, or begin the game again"
        raise DamagedJournal(path, (first_page or error).fact, nothing, readable=0) from error
    kept: list[Event] = []
    try:
        for event in journal.events():
            kept.append(event)
    except DamagedJournal as damage:
        return journal, kept, damage
    return journal, kept, first_page


def _replace_first_page(copy: Path) -> None:
    """The first page says only what a journal's tables and triggers are, and that is the same in all of them."""
    pattern = copy.with_name("pattern")
    lay_out(pattern, b"", b"", ())
    with pattern.open("rb") as whole, copy.open("r+b") as file:
        file.write(whole.read(PAGE))
        file.seek(28)
        file.write(bytes(4))


def _judged(kept: int, damage: DamagedJournal | None, log: Log) -> Recovery:
    reason = damage.fact if damage else "no damage is to be seen"
    lost = damage.lost if damage else 0
    if log.tail == "torn":
        return Recovery(kept, None, f"{reason}; its log ends within an event that may have been acknowledged")
    if log.tail == "broken":
        unread = f"its log is damaged, and {log.unread} later changes in it cannot be read"
        return Recovery(kept, None, f"{reason}; {unread}")
    return Recovery(kept, lost, reason)
