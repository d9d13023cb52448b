"""A real web server on loopback, and phones that listen to it over real sockets."""

from __future__ import annotations

import http.client
import socket
import time
from typing import Any

import msgspec

from web.server import WebServer

LONGEST = 60.0
"""Seconds to wait for anything that must come."""


class Listening:
    """One page's stream of events, read as a browser reads it."""

    def __init__(self, server: WebServer, since: str = "", cookie: str = "") -> None:
        self.line = socket.create_connection(("127.0.0.1", server.port), LONGEST)
        headers = f"Host: 127.0.0.1:{server.port}\r\n"
        headers += f"Last-Event-ID: {since}\r\n" if since else ""
        headers += f"Cookie: companion={cookie}\r\n" if cookie else ""
        self.line.sendall(f"GET /api/events HTTP/1.1\r\n{headers}\r\n".encode())
        self.file = http.client.HTTPResponse(self.line)
        self.file.begin()
        self.status = self.file.status
        self.last_id = ""

    def event(self) -> tuple[str, Any] | None:
        """The next event; None when there will be none."""
        kind, data = "", None
        while line := self.file.readline():
            text = line.decode().rstrip("\n")
            name, _, value = text.partition(": ")
            if not text and kind:
                return kind, data
            if name == "event":
                kind = value
            elif name == "data":
                data = msgspec.json.decode(value)
            elif name == "id":
                self.last_id = value
        return None

    def until(self, wanted: str) -> Any:
        """The data of the next event of this kind. Signs of life do not count as news."""
        over = time.monotonic() + LONGEST
        while (event := self.event()) is not None and time.monotonic() < over:
            if event[0] == wanted:
                return event[1]
        raise AssertionError(f"There was no {wanted}.")

    def updates(self, last: int) -> list[int]:
        """The numbers of the updates from here to this one."""
        numbers: list[int] = []
        while last not in numbers:
            numbers.append(self.until("update")["number"])
        return numbers

    def close(self) -> None:
        self.file.close()
        self.line.close()


def ask(server: WebServer, path: str, method: str = "GET", **headers: str) -> tuple[int, Any]:
    line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=LONGEST)
    line.request(method, path, headers=headers)
    answer = line.getresponse()
    body = answer.read()
    line.close()
    return answer.status, msgspec.json.decode(body)
