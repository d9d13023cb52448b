"""A minimal table: it plays and journals moves by the real rules, and echoes commands."""

from __future__ import annotations

import itertools
import socket
import threading
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import msgspec

from companion import games
from companion.daemon.journal_folder import Begin
from companion.journal import Clock, Head, Journal, Setup, crc, replay
from companion.kernel.game import Game
from companion.kernel.messages import Command, Message, Reading, Signal, Tick, Update
from companion.kernel.rules import Seat, SeatNo

GAME = games.load("tumult_royale")
TWO = Begin(GAME.name, (Seat("blue"), Seat("yellow")))


def now() -> str:
    return "2026-01-01T20:00:00+00:00"


class TinyTable:
    """A table with additional Commands that make it raise an error or hang."""

    hanging = threading.Event()
    """Set while a table hangs."""
    go_on = threading.Event()
    unwritten = ""

    def __init__(self, game: Game[Any, Any], journal: Journal, sides: Mapping[SeatNo, str] | None = None) -> None:
        self.game, self.journal, self.sides = game, journal, sides
        self.state = replay(journal, game)
        self.number = journal.last_number
        self.taken: list[Message] = []
        self.closed = False

    @property
    def seats(self) -> tuple[Seat, ...]:
        return self.journal.head.setup.seats

    @classmethod
    def begin(
        cls,
        game: Game[Any, Any],
        path: Path,
        seats: tuple[Seat, ...],
        options: Mapping[str, Any],
        now: Clock,
        answers: Mapping[str, Any] | None = None,
        sides: Mapping[SeatNo, str] | None = None,
    ) -> TinyTable:
        box = game.load_box(answers)
        game.setup(box, seats, options)
        return cls(game, Journal.create(path, Head(game.name, now(), Setup.of(box, seats, options)), now), sides)

    @classmethod
    def reopen(
        cls, game: Game[Any, Any], path: Path, now: Clock, sides: Mapping[SeatNo, str] | None = None
    ) -> TinyTable:
        return cls(game, Journal.open(path, now), sides)

    def take(self, message: Message) -> tuple[Update, ...]:
        self.taken.append(message)
        match message:
            case Command(kind="move", body=body):
                return self._play(msgspec.convert(body["move"], self.game.move_type))
            case Command(kind="echo", body=body):
                return self._say(body["kind"], **body["body"])
            case Command(kind="stumble"):
                raise ZeroDivisionError("somebody divided by zero")
            case Command(kind="hang"):
                self.hanging.set()
                self.go_on.wait(120)
                return ()
            case Command(id=number, kind=kind):
                return self._say("refused", command=number, kind=kind)
            case Reading(frame=frame):
                return self._say("seen", frame=frame)
            case Signal():
                return self._say("felt", source=message.source, kind=message.kind)
            case Tick():
                return ()

    def _play(self, move: Any) -> tuple[Update, ...]:
        after = self.game.play(self.state, move)
        written = self.journal.append("move", msgspec.json.encode(move), crc(after))
        self.state = after
        return self._say("moved", event=written)

    def _say(self, kind: str, /, **body: Any) -> tuple[Update, ...]:
        self.number += 1
        return (Update(self.number, kind, body),)

    def snapshot(self) -> dict[str, Any]:
        return {"game": self.game.name, "events": self.journal.last_number}

    def close(self) -> None:
        self.closed = True
        self.journal.close()


_ids = itertools.count()


def command(kind: str, /, **body: Any) -> Command:
    return Command(f"c{next(_ids)}", kind, body=body)


def echo(update: str, /, **body: Any) -> Command:
    return command("echo", kind=update, body=body)


def begin(wanted: Begin = TWO) -> Command:
    return command("begin", **msgspec.to_builtins(wanted))


def some_move(state: Any) -> Command:
    """A legal move, told by hand."""
    return command("move", move=msgspec.to_builtins(next(iter(GAME.moves(state)))))


def reading(frame: int) -> Reading:
    return Reading({}, at=float(frame), frame=frame)


def press(source: str = "seat blue", at: float = 0.0) -> Signal:
    return Signal("press", source, at)


def free_port() -> int:
    """A port without a listener."""
    with socket.create_server(("", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


def soon(holds: Callable[[], bool]) -> bool:
    """Whether a condition becomes true within a while, because of another thread."""
    over = time.monotonic() + 60
    while not holds() and time.monotonic() < over:
        time.sleep(0.002)
    return holds()
