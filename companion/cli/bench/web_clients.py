"""The phones of `companion bench web`, in a separate process: many pages that listen, and some that load.

They do as little as possible with the events, so that the companion is measured and not they.
"""

from __future__ import annotations

import http.client
import re
import secrets
import selectors
import socket
import struct
import threading
import time
from multiprocessing.connection import Connection
from typing import Final

LONGEST: Final = 120.0
"""Seconds after which a phone stops waiting."""
_UPDATE: Final = re.compile(rb'event: update\nid: [^\n]*\ndata: \{"number":(\d+),"kind":"\w+","body":\{"at":([\d.]+)')


class Page:
    """One page's stream: the bytes so far, the time of each update, and the number of lost ones."""

    def __init__(self, port: int, number: int) -> None:
        # Each phone has a different address, as in a real network.
        address = f"127.0.{1 + number // 250}.{1 + number % 250}"
        self.line = socket.create_connection(("127.0.0.1", port), LONGEST, (address, 0))
        token = secrets.token_urlsafe(32)
        self.line.sendall(
            f"GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nCookie: companion={token}\r\n\r\n".encode()
        )
        self._heard = b""
        self.delays: list[float] = []
        self.last = self.lost = 0

    def wait_for_snapshot(self) -> None:
        while b"event: standing" not in self._heard:
            part = self.line.recv(65536)
            if not part:
                raise ConnectionError(f"The page does not let this phone listen: {self._heard[:200]!r}")
            self._heard += part
        self._heard = b""
        self.line.setblocking(False)

    def read(self) -> bool:
        """Read the received bytes; False at the end of the stream."""
        try:
            part = self.line.recv(1 << 20)
        except BlockingIOError:
            return True
        now = time.monotonic()
        self._heard += part
        end = 0
        for found in _UPDATE.finditer(self._heard):
            number = int(found[1])
            self.lost += number - self.last - 1
            self.last = number
            self.delays.append(now - float(found[2]))
            end = found.end()
        # The rest may be the beginning of the next update.
        self._heard = self._heard[max(end, len(self._heard) - 400) :]
        return bool(part)


class Floor:
    """A plain socket that gets the same times without a page: the minimum delay on this machine."""

    def __init__(self, port: int) -> None:
        self.line = socket.create_connection(("127.0.0.1", port), LONGEST)
        self.delays: list[float] = []

    def read(self) -> bool:
        part = self.line.recv(1 << 16)
        now = time.monotonic()
        self.delays += [now - at for (at,) in struct.iter_unpack("d", part)]
        return bool(part)


def listen(port: int, floor_port: int, number: int, updates: int, tell: Connection) -> None:
    """Let so many pages receive so many updates; at the end report their delays, lost updates, and minimum delay."""
    floor, pages = Floor(floor_port), [Page(port, each) for each in range(number)]
    for page in pages:
        page.wait_for_snapshot()
    tell.send("ready")
    _hear(pages, floor, updates)
    lost = sum(page.lost + updates - page.last for page in pages)
    tell.send(([delay for page in pages for delay in page.delays], lost, floor.delays))
    tell.recv()
    floor.line.close()
    for page in pages:
        page.line.close()


def _hear(pages: list[Page], floor: Floor, updates: int) -> None:
    chosen = selectors.DefaultSelector()
    chosen.register(floor.line, selectors.EVENT_READ, floor)
    for page in pages:
        chosen.register(page.line, selectors.EVENT_READ, page)
    waiting, over = len(pages), time.monotonic() + LONGEST
    while waiting and time.monotonic() < over:
        for key, _ in chosen.select(1.0):
            one: Page | Floor = key.data
            alive = one.read()
            if not alive or (isinstance(one, Page) and one.last >= updates):
                chosen.unregister(one.line)
                waiting -= isinstance(one, Page)


def load(port: int, path: str, readers: int, seconds: float, tell: Connection) -> None:
    """Let so many browsers load this page again and again; report the total number at the end."""
    counts = [0] * readers
    over = time.monotonic() + seconds

    def read(number: int) -> None:
        line = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST)
        while time.monotonic() < over:
            line.request("GET", path, headers={"Accept-Encoding": "gzip"})
            answer = line.getresponse()
            answer.read()
            assert answer.status == 200
            counts[number] += 1
        line.close()

    threads = [threading.Thread(target=read, args=(number,)) for number in range(readers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    tell.send(sum(counts) / seconds)
