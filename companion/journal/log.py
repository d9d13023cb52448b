"""A journal's log: SQLite's write-ahead file as a crash left it, and whether all of it will be read."""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Literal, NamedTuple

PAGE = 4096
"""The size of a journal's pages, part of its format: where a frame begins is known, whatever is spoilt."""
MOST_RESTARTS = 10_000
"""SQLite counts in the salt how often it began a log anew; no game comes near this."""

Tail = Literal["whole", "torn", "broken"]
Order = Literal["little", "big"]


class Log(NamedTuple):
    """How a log ends: with a whole change, with part of one, or with whole ones that SQLite will not read.

    `unread` counts those; each is one event or several that were written together.
    """

    tail: Tail
    unread: int


def examine(log: Path) -> Log:
    """SQLite stops at the first frame with a wrong checksum, without a word; look behind it.

    One unread change is what a power cut leaves, and was never acknowledged; two cannot be, for each is on the disk
    before the next is written.
    """
    data = log.read_bytes() if log.exists() else b""
    unread, open_end = 0, False
    for whole, accepted, commits in _frames(data):
        unread += whole and commits and not accepted
        open_end = not (whole and accepted and commits)
    if unread > 1:
        return Log("broken", unread)
    return Log("torn" if open_end else "whole", unread)


def _frames(data: bytes) -> Iterator[tuple[bool, bool, bool]]:
    """Each frame since the log began anew: is it whole, will SQLite accept it, does it end a change?"""
    if not data:
        return
    header = data[:32].ljust(32, b"\0")
    magic, _, page = struct.unpack_from(">III", header)
    order: Order = "big" if magic & 1 else "little"
    running = _checksum(header[:24], (0, 0), order)
    accepted = page == PAGE and header[24:] == struct.pack(">II", *running)
    # A spoilt header does not know its own salts any more, but the first frame bears the same.
    salts = header[16:24] if accepted else data[40:48]
    for start in range(32, len(data), 24 + PAGE):
        frame = data[start : start + 24 + PAGE]
        if len(frame) == 24 + PAGE and frame[8:16] == salts:
            if accepted:
                running = _checksum(frame[24:], _checksum(frame[:8], running, order), order)
                accepted = frame[16:24] == struct.pack(">II", *running)
            yield True, accepted, frame[4:8] != bytes(4)
        else:
            accepted = False
            if not _is_left_over(frame, salts):
                yield False, False, False


def _is_left_over(frame: bytes, salts: bytes) -> bool:
    """Whether a frame is from before the log began anew: then SQLite had added one to the first salt and drawn the
    second. Any other salts are damage."""
    if len(frame) < 16:
        return False
    restarts = (int.from_bytes(salts[:4], "big") - int.from_bytes(frame[8:12], "big")) & 0xFFFFFFFF
    return frame[12:16] != salts[4:] and 0 < restarts <= MOST_RESTARTS


def _checksum(data: bytes, running: tuple[int, int], order: Order) -> tuple[int, int]:
    """SQLite's checksum of a log, as its file format describes it."""
    numbers = array("I", data)
    if order != sys.byteorder:
        numbers.byteswap()
    a, b = running
    pairs = iter(numbers)
    for x, y in zip(pairs, pairs, strict=True):
        a = (a + x + b) & 0xFFFFFFFF
        b = (b + y + a) & 0xFFFFFFFF
    return a, b
