"""A journal's log: SQLite's write-ahead file as a crash left it, and whether all of it will be read."""

from __future__ import annotations

import struct
import sys
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Literal

PAGE = 4096
"""The size of a journal's pages, part of its format: where a frame begins is known, whatever is spoilt."""

Tail = Literal["whole", "torn", "broken"]
Order = Literal["little", "big"]


def tail(log: Path) -> Tail:
    """How a write-ahead log ends: with a whole event, with part of one, or with whole ones nobody will read.

    SQLite stops at the first frame with a wrong checksum, without a word. One event there is what a power cut
    leaves, and was never acknowledged; two cannot be, for each is on the disk before the next is written.
    """
    data = log.read_bytes() if log.exists() else b""
    unread, open_end = 0, False
    for cut, accepted, commits in _frames(data):
        unread += commits and not accepted
        open_end = cut or not (accepted and commits)
    if unread > 1:
        return "broken"
    return "torn" if open_end else "whole"


def _frames(data: bytes) -> Iterator[tuple[bool, bool, bool]]:
    """Each frame since the log began anew: is it cut short, will SQLite accept it, does it end an event?"""
    if not data:
        return
    header = data[:32].ljust(32, b"\0")
    magic, _, page = struct.unpack_from(">III", header)
    order: Order = "big" if magic & 1 else "little"
    running = _checksum(header[:24], (0, 0), order)
    known = accepted = page == PAGE and header[24:] == struct.pack(">II", *running)
    for start in range(32, len(data), 24 + PAGE):
        frame = data[start : start + 24 + PAGE]
        if len(frame) < 24 + PAGE:
            yield True, False, False
        elif known and frame[8:16] != header[16:24]:
            # Left from before the log began anew, with other salts. A spoilt header knows its own no more.
            accepted = False
        else:
            if accepted:
                running = _checksum(frame[24:], _checksum(frame[:8], running, order), order)
                accepted = frame[16:24] == struct.pack(">II", *running)
            yield False, accepted, frame[4:8] != bytes(4)


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
