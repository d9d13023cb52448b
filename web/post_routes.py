"""The POST routes: join, become the host, send commands, raid, set up, teach. Each requires a role."""

from __future__ import annotations

import logging
import unicodedata
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, Literal

import msgspec
from flask import Response

from companion.kernel.messages import Command
from web.access import with_token
from web.backend import Refused
from web.phones import LONGEST_NAME, MOST_SEATS, NoPin, Phone, SeatTaken, new_token
from web.routes import (
    ALL_ROLES,
    FILE_BYTES,
    HOST,
    PLAYERS,
    Dashboard,
    RequestRefused,
    Route,
    Visitor,
)

_log = logging.getLogger(__name__)

PATIENCE: Final = 5.0
"""Seconds that the table has to handle a command before the phone gets the reason `late`."""

SeatNumber = Annotated[int, msgspec.Meta(ge=0, lt=MOST_SEATS)]
Word = Annotated[str, msgspec.Meta(min_length=1, max_length=100)]
Share = Annotated[float, msgspec.Meta(ge=0, le=1)]

Kind = Literal[
    "move",
    "learn",
    "answer",
    "undo",
    "redo",
    "correct",
    "take_it",
    "put_right",
    "dismiss",
    "ignore",
    "watch",
    "join",
    "begin",
    "lies",
    "enter",
    "moves",
]
BY_SEATS: Final[frozenset[Kind]] = frozenset(
    ("move", "moves", "enter", "learn", "answer", "put_right", "dismiss", "undo", "redo", "correct")
)
"""The commands that players may send; hosts may send all."""


class EmptyBody(msgspec.Struct, forbid_unknown_fields=True):
    """An empty body: the address says everything."""


class Join(msgspec.Struct, forbid_unknown_fields=True):
    """`seat` null: only watch."""

    seat: SeatNumber | None
    name: Annotated[str, msgspec.Meta(max_length=200)] = ""


class TypedPin(msgspec.Struct, forbid_unknown_fields=True):
    pin: Annotated[str, msgspec.Meta(max_length=32)]


class HostId(msgspec.Struct, forbid_unknown_fields=True):
    id: Word


class Free(msgspec.Struct, forbid_unknown_fields=True):
    seat: SeatNumber


class Order(msgspec.Struct, forbid_unknown_fields=True):
    """A command. Its seat is that of the phone."""

    id: Annotated[str, msgspec.Meta(min_length=8, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
    kind: Kind
    body: dict[str, Any] = {}


class RaidAct(msgspec.Struct, forbid_unknown_fields=True):
    act: Literal["ready", "start", "pause", "resume", "call_off", "practice"]


class BoxFact(msgspec.Struct, forbid_unknown_fields=True):
    game: Word
    fact: Word
    value: Any


class Drawn(msgspec.Struct, forbid_unknown_fields=True):
    """A map or a track that people draw. `keep`: store it; `anyway`: even if something is missing."""

    game: Word
    sketch: Word
    value: Any
    keep: bool = False
    anyway: bool = False


class BoxFile(msgspec.Struct, forbid_unknown_fields=True):
    """A decoded box file of another table."""

    game: Word
    file: Any
    instead: bool = False


class Corners(msgspec.Struct, forbid_unknown_fields=True):
    points: Annotated[list[tuple[Share, Share]], msgspec.Meta(max_length=4)]


class Teach(msgspec.Struct, forbid_unknown_fields=True):
    zone: Word
    label: Word
    cell: Word | None = None
    x: float | None = None
    y: float | None = None


class DemoAct(msgspec.Struct, forbid_unknown_fields=True):
    act: Word


class PostRoutes:
    def __init__(self, dashboard: Dashboard) -> None:
        self._dashboard, self._backend, self._phones = dashboard, dashboard.backend, dashboard.phones

    def routes(self) -> Iterator[Route]:
        yield Route("/api/join", self.join, ALL_ROLES, Join, "join")
        yield Route("/api/leave", self.leave, ALL_ROLES, EmptyBody, "join")
        yield Route("/api/host", self.become_host, ALL_ROLES, TypedPin, "pin")
        yield Route("/api/host/leave", self.leave_host, HOST, EmptyBody, "join")
        yield Route("/api/hosts/remove", self.remove_host, HOST, HostId, "tap")
        yield Route("/api/pin", self.renew_pin, HOST, EmptyBody, "join")
        yield Route("/api/seats/free", self.free, HOST, Free, "tap")
        yield Route("/api/command", self.command, PLAYERS, Order, "tap")
        yield Route("/api/raid", self.raid, PLAYERS, RaidAct, "tap")
        yield Route("/api/box", self.box, HOST, BoxFact, "tap")
        yield Route("/api/sketch", self.sketch, HOST, Drawn, "tap")
        yield Route("/api/box/import", self.import_box, HOST, BoxFile, "tap", FILE_BYTES)
        yield Route("/api/camera/corners", self.corners, HOST, Corners, "tap")
        yield Route("/api/camera/teach", self.teach, HOST, Teach, "tap")
        yield Route("/api/demo", self.demo, PLAYERS, DemoAct, "tap")

    # Seats and hosts

    def join(self, visitor: Visitor, asked: Join) -> dict[str, Any]:
        seats = len(self._backend.snapshot().table.get("seats") or ()) or MOST_SEATS
        if asked.seat is not None and asked.seat >= seats:
            raise RequestRefused(409, "no_such_seat")
        assert visitor.token is not None
        try:
            phone = self._phones.join(visitor.token, asked.seat, _name(asked.name))
        except SeatTaken as taken:
            if taken.by.name:
                raise RequestRefused(409, "taken", name=taken.by.name) from taken
            raise RequestRefused(409, "taken_by_somebody") from taken
        self._tell_name(phone)
        return self._me(visitor, phone)

    def _tell_name(self, phone: Phone) -> None:
        """Let the table call a player as the phone does. Without a name, what the table says stays."""
        seats = self._backend.snapshot().table.get("seats") or ()
        if phone.seat is None or not phone.name or not seats or seats[phone.seat]["name"] == phone.name:
            return
        try:
            self._backend.ask(Command(new_token(), "name", phone.seat, {"name": phone.name}), PATIENCE)
        except Refused as refused:  # the seat is taken all the same
            _log.warning("The table does not learn a name: %s", refused)

    def leave(self, visitor: Visitor, _asked: EmptyBody) -> dict[str, Any]:
        assert visitor.token is not None
        return self._me(visitor, self._phones.leave(visitor.token))

    def become_host(self, visitor: Visitor, typed: TypedPin) -> Response:
        assert visitor.token is not None
        if not self._dashboard.pin.matches(typed.pin.strip()):
            raise RequestRefused(403, "wrong_pin")
        token, phone = self._phones.become_host(visitor.token)
        return with_token(self._dashboard.me(Visitor(visitor.address, token, phone)), token)

    def leave_host(self, visitor: Visitor, _asked: EmptyBody) -> dict[str, Any]:
        assert visitor.token is not None
        return self._me(visitor, self._phones.stop_hosting(visitor.token))

    def remove_host(self, _visitor: Visitor, asked: HostId) -> dict[str, Any]:
        self._phones.remove_host(asked.id)
        return {}

    def renew_pin(self, _visitor: Visitor, _asked: EmptyBody) -> dict[str, Any]:
        """Renew the PIN; only the response to this host contains it. Hosts stay hosts."""
        try:
            self._dashboard.pin.renew()
        except NoPin as error:
            _log.warning("%s", error)
            raise RequestRefused(409, "no_new_pin") from error
        return {"pin": self._dashboard.pin.digits}

    def free(self, _visitor: Visitor, asked: Free) -> dict[str, Any]:
        self._phones.free(asked.seat)
        return {}

    def _me(self, visitor: Visitor, phone: Phone) -> dict[str, Any]:
        return self._dashboard.me(msgspec.structs.replace(visitor, phone=phone))

    # The table

    def command(self, visitor: Visitor, order: Order) -> dict[str, int]:
        if order.kind not in BY_SEATS and not visitor.phone.host:
            raise RequestRefused(403, "host_only")
        command = Command(order.id, order.kind, _speaks_for(visitor.phone, order), order.body)
        return {"number": self._backend.ask(command, PATIENCE)}

    def raid(self, visitor: Visitor, asked: RaidAct) -> dict[str, Any]:
        """A host with a seat gets ready as the seat and does everything else as the host."""
        phone = visitor.phone
        leads = phone.host and asked.act not in ("ready", "practice")
        self._backend.raid_act(asked.act, None if leads else phone.seat)
        return {}

    # The rig and the box

    def box(self, _visitor: Visitor, asked: BoxFact) -> dict[str, Any]:
        self._backend.keep_fact(asked.game, asked.fact, asked.value)
        return {}

    def sketch(self, _visitor: Visitor, asked: Drawn) -> dict[str, Any]:
        return self._backend.sketch(asked.game, asked.sketch, asked.value, asked.keep, asked.anyway)

    def import_box(self, _visitor: Visitor, asked: BoxFile) -> dict[str, Any]:
        return self._backend.import_box(asked.game, asked.file, asked.instead)

    def corners(self, _visitor: Visitor, asked: Corners) -> dict[str, Any]:
        if len(asked.points) not in (0, 4):
            raise RequestRefused(400, "not_understood", why="it takes four corners, or none")
        self._backend.corners(asked.points)
        return {}

    def teach(self, _visitor: Visitor, asked: Teach) -> dict[str, Any]:
        return self._backend.teach(asked.zone, asked.cell, asked.x, asked.y, asked.label)

    def demo(self, _visitor: Visitor, asked: DemoAct) -> dict[str, Any]:
        if self._backend.demo is None:
            raise RequestRefused(404, "no_demo")
        self._backend.demo.act(asked.act)
        self._dashboard.streams.refresh()
        return self._backend.demo.state()


def _speaks_for(phone: Phone, order: Order) -> int | None:
    """The seat a command comes from; None for hosts, who may enter and correct the moves of all seats."""
    if phone.host and order.kind == "correct":
        return None
    if phone.host and order.kind in ("move", "learn") and _seat_of(order.body.get("move")) != phone.seat:
        return None
    return phone.seat


def _seat_of(move: Any) -> Any:
    return move.get("seat") if isinstance(move, Mapping) else None


def _name(text: str) -> str:
    """A name for one line of text, without control characters and marks of writing direction."""
    letters = (letter for letter in unicodedata.normalize("NFC", text) if unicodedata.category(letter)[0] != "C")
    return " ".join("".join(letters).split())[:LONGEST_NAME].strip()
