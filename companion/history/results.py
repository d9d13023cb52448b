"""What a journal keeps of a game that is over: its score sheet, its history in both languages, and its chart.

They are shown as they were told then, whatever becomes of the rules and of the words.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from typing import Any, Final

import msgspec

from companion.history.history import GameHistory
from companion.journal import Event, Journal
from companion.kernel.catalogue import Language

RESULT: Final = "result"
_PLAYED: Final = frozenset(("move", "learn", "adopt", "join", "undo"))
"""Events after which the result is another."""


class Result(msgspec.Struct, frozen=True):
    """A game that is over, as it was told: in each language, and the points after which event."""

    histories: Mapping[Language, GameHistory] = msgspec.field(name="tales")
    chart: list[dict[str, Any]]


class _Packed(msgspec.Struct, frozen=True):
    zlib: bytes


def packed(result: Result) -> bytes:
    """The body of the event that keeps a result."""
    return msgspec.json.encode(_Packed(zlib.compress(msgspec.json.encode(result))))


def after(event: Event, known: Result | None) -> Result | None:
    """The result that counts after an event, given the one that counted before it."""
    if event.kind != RESULT:
        return None if event.kind in _PLAYED else known
    body = msgspec.json.decode(event.body, type=_Packed)
    return msgspec.json.decode(zlib.decompress(body.zlib), type=Result)


def kept_result(journal: Journal) -> Result | None:
    """The result of a game that is over, if it was kept. Raises what is said of a damaged journal."""
    last: Event | None = None
    for event in journal.events():
        if event.kind == RESULT or event.kind in _PLAYED:
            last = event
    return None if last is None else after(last, None)
