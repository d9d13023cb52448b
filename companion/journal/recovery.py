"""Recovery: writes the readable part of a damaged journal to a new one, and leaves the damaged one as it is."""

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
    create_file,
    examine_log,
    require_file,
    require_free_path,
    without_writer,
)
from companion.journal.journal import Clock, Entry, Event, Journal


class Recovery(msgspec.Struct, frozen=True):
    """The result of recovering a damaged journal.

    `kept` counts the events that were saved, and `lost` the others that the file mentions, None if unknown. Events in a
    log that was removed, or cut between two events, cannot be counted: the game seems to have ended there.
    """

    kept: int
    lost: int | None
    reason: str


def recover(path: Path, to: Path, now: Clock) -> Recovery:
    """Write the events before the damage to a new journal, and after them a note about what is missing."""
    require_file(path)
    require_free_path(to)
    # A copy made during a write would be inconsistent.
    with without_writer(path), TemporaryDirectory(prefix="journal-") as folder:
        copy = _copy(path, Path(folder))
        log = examine_log(beside(copy, "-wal"))
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
            # A size of 0 pages makes SQLite measure the file; otherwise it would not open one that was cut.
            if file.seek(0, 2) >= 100:
                file.seek(28)
                file.write(bytes(4))
    except OSError as error:
        raise JournalError(path, f"cannot be copied ({error.strerror})", "check the disk") from error
    return copy


def _readable(path: Path, copy: Path) -> tuple[Journal, list[Event], DamagedJournal | None]:
    """The journal in the copy, its events before the damage, and the damage."""
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
    """Replace the first page, which only defines tables and triggers, so it is the same in all journals."""
    pattern = copy.with_name("pattern")
    create_file(pattern, b"", b"", ())
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
