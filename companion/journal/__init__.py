"""A game is its journal: append-only, safe on disk before it is acknowledged, replayed to the same State.

`journal` writes, reads and replays; `standing` is how a game goes on when the rules have changed; `file` is how
events lie on disk, what can be wrong with it, and what a crash left in SQLite's log; `recovery` saves the readable part
of a damaged journal.
"""

from companion.journal.file import (
    FORMAT,
    DamagedJournal,
    Entry,
    Event,
    Head,
    JournalError,
    JournalFull,
    JournalInUse,
    NotAJournal,
    OtherVersion,
    Setup,
)
from companion.journal.journal import (
    Clock,
    Joining,
    Journal,
    OtherRules,
    crc,
    crc_before,
    replay,
)

__all__ = [
    "FORMAT",
    "Clock",
    "DamagedJournal",
    "Entry",
    "Event",
    "Head",
    "Joining",
    "Journal",
    "JournalError",
    "JournalFull",
    "JournalInUse",
    "NotAJournal",
    "OtherRules",
    "OtherVersion",
    "Setup",
    "crc",
    "crc_before",
    "replay",
]
