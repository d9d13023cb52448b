"""`companion bench web`: measures the delay of events on phones, pages per second, memory per phone, and the effect of
all that on the raid timer. Everything goes over real sockets; the phones are another process."""

from __future__ import annotations

import argparse
import asyncio
import multiprocessing
import os
import socket
import struct
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any, Final
from urllib.request import urlopen

from companion import games
from companion.cli.bench.timer import lateness, percentile, shares
from companion.cli.terminal import Terminal, print_figures
from companion.kernel.messages import Update
from companion.kernel.rules import Seat

if TYPE_CHECKING:
    from web.stream import Streams

CLIENTS: Final = (8, 50, 200)
APART: Final = 0.05
"""Mean seconds between two events whose delay is measured: far more often than people can cause."""
BUSY: Final = 0.003
"""Seconds between two events when lost events are counted."""
READERS: Final = 4
SECONDS: Final = 3.0
LONGEST: Final = 180.0


def run(arguments: argparse.Namespace) -> int:
    terminal = Terminal(sys.stderr)
    with tempfile.TemporaryDirectory(prefix="companion-bench-") as folder, _companion(Path(folder)) as place:
        figures = _measured(place, arguments, terminal)
    terminal.done()
    print_figures(figures, arguments.json)
    return 0


def _measured(place: Place, arguments: argparse.Namespace, terminal: Terminal) -> dict[str, Any]:
    delays, before = {}, _memory()
    per_client = 0.0
    for step, clients in enumerate(CLIENTS):
        terminal.progress(0.1 + 0.2 * step, f"{clients} phones")
        with _phones(place, clients, arguments.updates) as phones:
            per_client = max(0.0, (_memory() - before) / clients)
            place.tell(arguments.updates, lambda rng: rng.expovariate(1 / APART))
            heard, lost, floor = phones.answer()
        delays[f"{clients}_clients"] = {
            **shares(heard),
            "heard": len(heard),
            "lost": lost,
            "bare_socket": shares(floor),
            "ratio": round(percentile(heard, 99) / max(percentile(floor, 99), 1e-6), 1),
        }
    terminal.progress(0.7, "counting every update")
    with _phones(place, CLIENTS[0], arguments.counted) as phones:
        started = time.monotonic()
        place.tell(arguments.counted, lambda _rng: BUSY)
        seconds = time.monotonic() - started
        heard, lost, _ = phones.answer()
    return {
        "event_to_phone_ms": delays,
        "none_lost": {
            "updates": arguments.counted,
            "clients": CLIENTS[0],
            "heard": len(heard),
            "lost": lost,
            "updates_per_second": round(arguments.counted / seconds),
        },
        "standing_bytes": place.standing_bytes(),
        "memory_per_client_kb": round(per_client / 1024, 1),
        "main_page": _main_page(place, terminal),
        "raid_stop_late_ms": _timer(place, arguments, terminal),
    }


def _main_page(place: Place, terminal: Terminal) -> dict[str, Any]:
    """The page, compared with the same bytes from a minimal app on the same kind of server."""
    terminal.progress(0.8, "the main page")
    ours = _loads(place.port, "/")
    with _bare(place.shell()) as port:
        bare = _loads(port, "/")
    return {
        "requests_per_second": round(ours),
        "bare_requests_per_second": round(bare),
        "ratio": round(ours / bare, 3),
    }


def _timer(place: Place, arguments: argparse.Namespace, terminal: Terminal) -> dict[str, Any]:
    """The delay of the raid's stop with fifty phones that get twenty events a second, compared with none."""
    terminal.progress(0.85, "the raid's timer, alone")
    idle = lateness(arguments.timers)
    terminal.progress(0.9, "the raid's timer, with phones")
    updates = 100_000  # more than can be sent in the time
    over = threading.Event()
    with _phones(place, CLIENTS[1], updates):
        teller = threading.Thread(target=lambda: place.tell(updates, lambda rng: rng.expovariate(1 / APART), over))
        teller.start()
        loaded = lateness(arguments.timers)
        over.set()
        teller.join()
    return {
        "idle": shares(idle),
        "with_50_clients": shares(loaded),
        "loaded_p99_ms": shares(loaded)["p99"],
        "idle_p99_ms": shares(idle)["p99"],
        "ratio": round(percentile(loaded, 99) / max(percentile(idle, 99), 1e-6), 1),
    }


# The companion that is measured


class Place:
    """A companion with a page, whose table publishes the requested updates."""

    def __init__(self, folder: Path) -> None:
        from companion.daemon.backend import DaemonBackend
        from companion.daemon.game_thread import GameThread
        from companion.daemon.inbox import Inbox
        from companion.daemon.journal_folder import Begin, JournalFolder
        from companion.daemon.setup_choices import SetupChoices
        from companion.kernel.events import EventBus
        from companion.table import Table
        from web.server import WebServer

        inbox, self._bus = Inbox(), EventBus()
        self._game_thread = GameThread(inbox, self._bus, JournalFolder(folder, Table, lambda: "2000-01-01T00:00:00Z"))
        game = games.load(games.NAMES[0])
        self._game_thread.begin(Begin(game.name, tuple(Seat(colour) for colour in game.load_box().colours)))
        backend = DaemonBackend(inbox, self._bus, self._game_thread, SetupChoices(folder))
        self._server = WebServer(backend, folder, 0, "127.0.0.1", limits=_no_limits)
        self._server.start()
        self._floor = socket.create_server(("127.0.0.1", 0))
        self._bare: socket.socket | None = None

    @property
    def port(self) -> int:
        return self._server.port

    def tell(self, updates: int, pause: Callable[[Random], float], over: threading.Event | None = None) -> None:
        """Publish so many updates of a table without a game, each with its time."""
        rng, table = Random("events"), self._bus.snapshot.table
        self._bus.open(0, table)  # numbers start over
        self.wait_for(lambda streams: streams.told.edition == self._bus.edition)
        due = time.monotonic()
        for number in range(1, updates + 1):
            due += pause(rng)
            if (patience := due - time.monotonic()) > 0:
                time.sleep(patience)
            if over is not None and over.is_set():
                return
            at = time.monotonic()
            if self._bare is not None:
                self._bare.sendall(struct.pack("d", at))
            self._bus.publish([Update(number, "moved", {"at": at})], table)

    @property
    def floor_port(self) -> int:
        port: int = self._floor.getsockname()[1]
        return port

    def accept_bare(self) -> None:
        """Accept the plain socket of the newest phones."""
        self._bare, _ = self._floor.accept()
        self._bare.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def wait_for(self, holds: Callable[[Streams], bool]) -> None:
        streams, over = self._server.streams, time.monotonic() + LONGEST
        assert streams is not None
        while not holds(streams):
            if time.monotonic() > over:
                raise TimeoutError("The page of the bench did not come to rest.")
            time.sleep(0.01)

    def standing_bytes(self) -> int:
        import msgspec

        streams = self._server.streams
        assert streams is not None
        return len(msgspec.json.encode(streams.whole(streams.told)))

    def shell(self) -> bytes:
        with urlopen(f"http://127.0.0.1:{self.port}/", timeout=LONGEST) as answer:
            body: bytes = answer.read()
        return body

    def close(self) -> None:
        self._server.stop()
        self._floor.close()
        if self._bare is not None:
            self._bare.close()
        assert self._game_thread.opened is not None
        self._game_thread.opened.table.close()


def _no_limits() -> Any:
    """Rate limits without effect: the phones of the bench send requests without a pause."""
    from web.routes import Limit, RateLimits

    return RateLimits(**{name: Limit(10**9, 1.0) for name in RateLimits.__struct_fields__})


@contextmanager
def _companion(folder: Path) -> Iterator[Place]:
    place = Place(folder)
    try:
        yield place
    finally:
        place.close()


@contextmanager
def _bare(body: bytes) -> Iterator[int]:
    """The minimum to compare with: the server with an app that only returns these bytes."""
    from web.connections import Connections, HttpAnswer

    def app(_environ: Any, start: Callable[..., Any]) -> list[bytes]:
        start("200 OK", [("Content-Type", "text/html"), ("Content-Length", str(len(body)))])
        return [body]

    line = socket.create_server(("127.0.0.1", 0))
    running: list[Connections] = []

    async def serve() -> None:
        running.append(Connections(app, lambda status: HttpAnswer(status, [])))
        await running[0].serve(line)

    thread = threading.Thread(target=lambda: asyncio.run(serve()), name="bare")
    thread.start()
    try:
        yield line.getsockname()[1]
    finally:
        running[0].stop()
        thread.join()


# The other process


class Phones:
    def __init__(self, line: Connection) -> None:
        self._line = line

    def answer(self) -> Any:
        if not self._line.poll(LONGEST):
            raise TimeoutError("The phones of the bench did not answer.")
        return self._line.recv()


@contextmanager
def _phones(place: Place, clients: int, updates: int) -> Iterator[Phones]:
    """Listening phones. On entry all of them are connected, and none of the earlier ones."""
    from companion.cli.bench.web_clients import listen

    place.wait_for(lambda streams: streams.open_now == 0)
    with _other_process(listen, place.port, place.floor_port, clients, updates) as line:
        phones = Phones(line)
        place.accept_bare()
        phones.answer()
        yield phones
        line.send("thank you")


def _loads(port: int, path: str) -> float:
    from companion.cli.bench.web_clients import load

    with _other_process(load, port, path, READERS, SECONDS) as line:
        rate: float = Phones(line).answer()
        return rate


@contextmanager
def _other_process(task: Callable[..., None], *arguments: Any) -> Iterator[Connection]:
    # Spawned, not forked: this process has many threads.
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=task, args=(*arguments, theirs), daemon=True)
    process.start()
    theirs.close()
    try:
        yield ours
    finally:
        process.join(1.0)
        if process.is_alive():
            process.terminate()
        process.join(10.0)


def _memory() -> int:
    """The resident memory of this process in bytes."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1]) * os.sysconf("SC_PAGE_SIZE")
