"""A dashboard of a table for two, without a socket: Flask's test client is the phones."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.web.browser import HOST, Browser
from tests.web.table_backend import TableBackend
from web import assets
from web.address import Names
from web.app import make_app
from web.assets import Assets, asset
from web.phones import Phones, Pin
from web.routes import Dashboard, rate_limits
from web.server import open_game, seats_of
from web.stream import Streams

PIN = "271828"
FILES = {
    "index.html": ("text/html; charset=utf-8", b'<html lang="{{ lang }}" data-page="{{ page }}">{{ asset("app.js") }}'),
    "app.js": ("text/javascript; charset=utf-8", b"// the table\n" * 100),
    "pages/table.js": ("text/javascript; charset=utf-8", b"export const title = 1;"),
    "sw.js": ("text/javascript; charset=utf-8", b"// keeps"),
    "manifest.webmanifest": ("application/manifest+json", b"{}"),
    "icon.png": ("image/png", b"\x89PNG"),
}


class Clock:
    """A clock that the test advances."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


class Place:
    """A dashboard and everything that a test may want to look at."""

    def __init__(self, home: Path, backend: TableBackend, clients: int = 20) -> None:
        self.home, self.backend, self.clock = home, backend, Clock()
        self.phones = Phones(home, game=lambda: open_game(backend))
        self.streams = Streams(backend, lambda least: seats_of(self.phones, least), clients)
        self.phones.changed = self.streams.refresh
        self.dashboard = Dashboard(
            backend,
            self.phones,
            Pin(PIN),
            self.streams,
            Assets({name: asset(body, kind) for name, (kind, body) in FILES.items()}),
            assets.load_words(),
            Names("table"),
            int(HOST.partition(":")[2]),
            lambda: "192.168.1.7",
            rate_limits(),
            self.clock,
        )
        self.app: Flask = make_app(self.dashboard)

    def browser(self, address: str = "192.168.1.20") -> Browser:
        return Browser(self.app, address).arrive()

    def phone(self, role: str, seat: int = 0) -> Browser:
        """A phone in this role."""
        browser = self.browser(f"192.168.1.{30 + len(self.phones.seated())}")
        if role == "host":
            assert browser.post("/api/host", {"pin": PIN}).status_code == 200
        elif role == "seat":
            assert browser.post("/api/join", {"seat": seat, "name": "Ada"}).status_code == 200
        elif role == "watcher":
            assert browser.post("/api/join", {"seat": None}).status_code == 200
        return browser


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may need longer than a phone would wait for an answer."""
    monkeypatch.setattr("web.post_routes.PATIENCE", 60.0)


@pytest.fixture
def backend(tmp_path: Path) -> Iterator[TableBackend]:
    backend = TableBackend(tmp_path)
    yield backend
    assert backend.game_thread.opened is not None
    backend.game_thread.opened.table.close()


@pytest.fixture
def place(tmp_path: Path, backend: TableBackend) -> Iterator[Place]:
    place = Place(tmp_path, backend)
    place.streams.start()
    yield place
    place.streams.stop()


@pytest.fixture
def phone(place: Place) -> Callable[..., Browser]:
    return place.phone
