"""A game is its journal: append-only, on disk before it is acknowledged, and replayed to the same State.

`journal` writes and reads events; `replay` plays them again, and lets a game continue after the rules have changed;
`file` is the SQLite file, its log and its errors; `recovery` saves the readable part of a damaged journal.
"""

from companion.journal.file import (
    FORMAT,
    DamagedJournal,
    JournalError,
    JournalFull,
    JournalInUse,
    NotAJournal,
    OtherVersion,
)
from companion.journal.journal import Clock, Entry, Event, Head, Journal, Setup
from companion.journal.replay import Joining, OtherRules, crc, crc_before, replay

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
