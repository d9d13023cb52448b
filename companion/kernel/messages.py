"""The messages between vision, hardware, web and the table: Reading, View, Signal, Command, Tick and Update.

These are data without behaviour. A View says what the table should look like; a Reading says what the camera saw, in
the same shape.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from companion.kernel.views import Contents, View

ZoneKind = Literal["grid", "slots", "tray", "dice", "track", "dial", "pool"]

Body = dict[str, Any]
"""What phones get, and what they send: an object of JSON."""

Odd = Literal["", "edge", "stacked", "outside", "doubtful", "strange"]
"""Why a loose piece is `UNKNOWN`: it stands on its edge, lies on another piece or outside every zone, could be one of
several pieces, or does not belong there."""


class Found(msgspec.Struct, frozen=True):
    """One loose piece that the camera found, in millimetres of the table, angle in degrees."""

    label: str
    x: float
    y: float
    angle: float = 0.0
    confidence: float = 1.0
    odd: Odd = ""


class ZoneReading(msgspec.Struct, frozen=True):
    """What was seen of one zone. `contents` is None if the zone was covered, blurred or uncertain.

    `covered` means that a hand or a movement hid the zone, so that waiting will help.
    """

    kind: ZoneKind
    contents: Contents | None
    confidence: float = 1.0
    found: tuple[Found, ...] = ()
    covered: bool = False


class Reading(msgspec.Struct, frozen=True):
    """What the camera saw while the table was still.

    `at` is monotonic seconds, `picture` a small JPEG of the table, and `hands` the sides of the table from which hands
    reach in.
    """

    zones: dict[str, ZoneReading]
    at: float
    frame: int = 0
    picture: bytes = b""
    hands: tuple[str, ...] = ()

    def view(self) -> View:
        """The Reading as a View; zones that could not be seen are left out."""
        return View({name: zone.contents for name, zone in self.zones.items() if zone.contents is not None})


class Signal(msgspec.Struct, frozen=True):
    """Something that the table's hardware reports: a press, the end of a timer, the value of a dial."""

    kind: Literal["press", "long_press", "double_press", "timer", "dial", "lost", "back"]
    source: str
    at: float
    seat: int | None = None
    value: int | None = None


class Command(msgspec.Struct, frozen=True):
    """Something that a person asked for on a phone. `id` makes a repeated message harmless."""

    id: str
    kind: str
    seat: int | None = None
    body: Body = {}


class Tick(msgspec.Struct, frozen=True):
    """Time passed and nothing happened. `at` is monotonic seconds."""

    at: float


Message = Reading | Signal | Command | Tick
"""What the table takes."""


class NewPiece(msgspec.Struct, frozen=True):
    """A piece that people described because the shipped box does not contain it.

    `name` is its name in moves, `family` and `label` are those of the layout, and `look` describes in words how it is
    drawn, if the label does not. It may lie wherever the label `like` may.
    """

    name: str | int
    family: str
    label: str
    look: str = ""
    like: str = ""


class Update(msgspec.Struct, frozen=True):
    """What the table publishes after each accepted message. The number shows a subscriber what it missed."""

    number: int
    kind: str
    body: Body = {}
