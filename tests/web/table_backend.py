"""A backend for tests: a real table, a real event bus, and small answers to everything else. It records what
was done to it, so that a test can say that nothing was."""

from __future__ import annotations

import itertools
import threading
import time
from pathlib import Path
from typing import Any

import msgspec

from companion.daemon.game_thread import GameThread
from companion.daemon.inbox import Inbox
from companion.daemon.journal_folder import JournalFolder
from companion.kernel import events
from companion.kernel.catalogue import Both
from companion.kernel.messages import Command
from companion.table import Table
from tests.companion.daemon.tiny import TWO, now
from web.backend import Export, Refused

JPEG = b"\xff\xd8 a picture \xff\xd9"


class TableBackend:
    """Callers run the table in turn, instead of a game thread."""

    def __init__(self, home: Path, begin: bool = True) -> None:
        self.bus = events.EventBus()
        self.game_thread = GameThread(Inbox(), self.bus, JournalFolder(home, Table, now))
        if begin:
            self.game_thread.begin(TWO)
        self.demo: Any = None
        self.done: list[tuple[Any, ...]] = []
        """Everything that was done besides commands."""
        self.asked: list[Command] = []
        """All commands but the names of phones that take a seat."""
        self.raids: dict[str, Any] | None = None
        self.blind: dict[str, Any] | None = None
        self._turn = threading.Lock()
        self._ids = itertools.count()

    def snapshot(self) -> events.Snapshot:
        return self.bus.snapshot

    def now(self) -> float:
        return time.monotonic()

    def ask(self, command: Command, timeout: float) -> int:
        with self._turn:
            if command.kind != "name":
                self.asked.append(command)
            listener, _ = self.bus.listen()
            try:
                self.game_thread.take(command)
                while (news := listener.get(0)) is not None:
                    if isinstance(news, events.Missed):
                        continue
                    if news.kind == "refused" and news.body.get("command") == command.id:
                        raise Refused(news.body["reason"], news.body["says"])
            finally:
                listener.close()
            return self.bus.snapshot.number

    def play(self) -> int:
        """Some legal move, told by the host."""
        opened = self.game_thread.opened
        assert opened is not None
        move = msgspec.to_builtins(next(iter(opened.game.moves(opened.table.state))))
        return self.ask(Command(f"play-{next(self._ids)}", "move", None, {"move": move}), 5.0)

    def events(self) -> int:
        opened = self.game_thread.opened
        assert opened is not None
        return opened.table.journal.last_number

    # Small answers

    def choices(self, seat: int | None, chosen: list[str]) -> dict[str, Any]:
        return {"number": 0, "seat": seat, "chosen": chosen}

    def rules(self, seat: int | None) -> dict[str, Any]:
        return {"number": 7, "seat": seat, "now": [], "rules": []}

    def acts(self) -> dict[str, Any]:
        return {"number": 0, "places": []}

    def alternatives(self, event: int, chosen: list[str]) -> dict[str, Any]:
        if event > 1:
            raise Refused("no_event", said("There is no such event."))
        return {"event": event, "chosen": chosen}

    def history(self, before: int | None, count: int) -> dict[str, Any]:
        return {"moves": [], "more": False, "before": before, "count": count}

    def picture(self, journal: str, event: int) -> bytes | None:
        return JPEG if (journal, event) == ("this", 1) else None

    def scores(self) -> dict[str, Any]:
        return {"seats": []}

    def export(self, what: Export, language: str) -> tuple[bytes, str, str]:
        kinds = {"csv": "text/csv; charset=utf-8", "json": "application/json", "page": "text/html; charset=utf-8"}
        return f"{what} {language}".encode(), kinds[what], f"game.{what}"

    def about(self, seat: int | None, zone: str, spot: str) -> list[dict[str, Any]]:
        return [{"says": said(f"{seat} {zone} {spot}"), "step": 0}]

    def layout(self) -> dict[str, Any] | None:
        return {"name": "table"}

    def setup(self) -> dict[str, Any]:
        return {"games": []}

    def health(self) -> list[dict[str, Any]]:
        return [{"name": "table", "state": "ok", "says": said("Fine.")}]

    def camera_trouble(self) -> dict[str, Any] | None:
        return self.blind

    def camera(self) -> dict[str, Any]:
        return {"state": "ok"}

    def camera_picture(self, overlay: bool, zone: str | None, cell: str | None) -> bytes | None:
        return JPEG if zone in (None, "disc") else None

    def raid(self) -> dict[str, Any] | None:
        return self.raids

    # What is done

    def keep_fact(self, game: str, fact: str, value: Any) -> None:
        self.done.append(("keep_fact", game, fact, value))

    def sketch(self, game: str, sketch: str, value: Any, keep: bool, anyway: bool) -> dict[str, Any]:
        self.done.append(("sketch", game, sketch, value, keep, anyway))
        return {"lacks": [], "blocked": False, "kept": keep}

    def export_box(self, game: str) -> tuple[bytes, str]:
        if game != "tumult_royale":
            raise Refused("unknown_game", said("There is no such game."))
        return b"{}", f"{game}-box.json"

    def import_box(self, game: str, file: Any, instead: bool) -> dict[str, Any]:
        self.done.append(("import_box", game, file, instead))
        return {"facts": 0, "pieces": 0}

    def corners(self, points: list[tuple[float, float]]) -> None:
        self.done.append(("corners", points))

    def teach(self, zone: str, cell: str | None, x: float | None, y: float | None, label: str) -> dict[str, Any]:
        self.done.append(("teach", zone, cell, x, y, label))
        return {"learned": label}

    def raid_act(self, act: str, seat: int | None) -> None:
        if act == "start":
            raise Refused("not_ready", said("Not everybody is ready."))
        self.done.append(("raid_act", act, seat))


def said(text: str) -> Both:
    return {"de": text, "en": text}
