"""The messages that pass between the rooms: Reading, View, Signal, Command, Tick, Update, and their shapes.

Nothing here does anything: these are the contracts that vision, hardware, web and the table share.
A View says what the table should look like; a Reading says what the camera saw, in the same shape.
"""

from __future__ import annotations

from typing import Any, Literal

import msgspec

ZoneKind = Literal["grid", "slots", "tray", "dice", "track", "dial", "pool"]

UNKNOWN = "unknown"
"""What a cell holds when nobody could see it."""


class Cells(msgspec.Struct, frozen=True, tag="cells"):
    """Named places (`grid`, `slots`): what lies in each; None is empty, `UNKNOWN` was not seen."""

    at: dict[str, str | None]


class Pieces(msgspec.Struct, frozen=True, tag="pieces"):
    """Loose pieces (`tray`, `dice`, `pool`), counted by label; a label that counts 0 is absent."""

    count: dict[str, int]

    def __post_init__(self) -> None:
        if 0 in self.count.values():
            there = {label: number for label, number in self.count.items() if number}
            msgspec.structs.force_setattr(self, "count", there)


class Marks(msgspec.Struct, frozen=True, tag="marks"):
    """Markers on a numbered `track`: which field each stands on."""

    field: dict[str, int]


class Pointing(msgspec.Struct, frozen=True, tag="pointing"):
    """What a `dial` points at; None while nothing is asked of it."""

    value: int | None


Contents = Cells | Pieces | Marks | Pointing


class View(msgspec.Struct, frozen=True):
    """What the table should look like, zone by zone. Zones not named are nobody's business."""

    zones: dict[str, Contents]


Odd = Literal["", "edge", "stacked", "outside", "doubtful", "strange"]
"""Why a loose piece that was found is `UNKNOWN`: it stands on its edge, it lies on another or beside every zone, it
could be one or the other, or it is nothing that belongs there."""


class Found(msgspec.Struct, frozen=True):
    """One loose piece that the camera found, in millimetres of the table, angle in degrees."""

    label: str
    x: float
    y: float
    angle: float = 0.0
    confidence: float = 1.0
    odd: Odd = ""


class ZoneReading(msgspec.Struct, frozen=True):
    """What was seen of one zone. `contents` is None when the zone was covered, blurred or unsure.

    `covered` says that it could not be looked at yet, for a hand or a movement: waiting will help.
    """

    kind: ZoneKind
    contents: Contents | None
    confidence: float = 1.0
    found: tuple[Found, ...] = ()
    covered: bool = False


class Reading(msgspec.Struct, frozen=True):
    """What the camera saw in one still moment. `at` is monotonic seconds; `picture` is a small JPEG of the table;
    `hands` are the sides of the table from which hands reach in."""

    zones: dict[str, ZoneReading]
    at: float
    frame: int = 0
    picture: bytes = b""
    hands: tuple[str, ...] = ()

    def view(self) -> View:
        """What was seen, in the shape of what should be; zones that nobody could see are left out."""
        return View({name: zone.contents for name, zone in self.zones.items() if zone.contents is not None})


class Signal(msgspec.Struct, frozen=True):
    """Something the table's hardware reports: a press, a timer's end, the value a dial was turned to."""

    kind: Literal["press", "long_press", "double_press", "timer", "dial", "lost", "back"]
    source: str
    at: float
    seat: int | None = None
    value: int | None = None


class Command(msgspec.Struct, frozen=True):
    """Something a person asked for on a phone. `id` makes a repeated message harmless."""

    id: str
    kind: str
    seat: int | None = None
    body: dict[str, Any] = {}


class Tick(msgspec.Struct, frozen=True):
    """Nothing happened, and time went on. `at` is monotonic seconds."""

    at: float


Message = Reading | Signal | Command | Tick
"""What the table takes."""


class NewPiece(msgspec.Struct, frozen=True):
    """A piece that people described, for it is not in the box as we ship it: what moves call it, to which family of the
    layout it belongs, its label there, in words how it is drawn, if its label does not say that, and a label of the
    layout `like` it: wherever that may lie, this one may, too."""

    name: str | int
    family: str
    label: str
    look: str = ""
    like: str = ""


class Update(msgspec.Struct, frozen=True):
    """What the table publishes after each accepted message: the number tells a listener what it missed."""

    number: int
    kind: str
    body: dict[str, Any] = {}


def differences(seen: View, expected: View) -> dict[str, tuple[Contents | None, Contents]]:
    """The zones of `expected` in which `seen` shows something else; zones nobody saw are no evidence."""
    return {
        name: (seen.zones[name], should)
        for name, should in expected.zones.items()
        if name in seen.zones and not agrees(seen.zones[name], should)
    }


def agrees(seen: Contents, expected: Contents) -> bool:
    """Whether what was seen could be what was expected; unknown cells agree with anything."""
    match seen, expected:
        case Cells(at=a), Cells(at=b):
            return all(a.get(cell, UNKNOWN) in (UNKNOWN, should) for cell, should in b.items())
        case Pieces(count=a), Pieces(count=b):
            return all(a.get(label, 0) == b.get(label, 0) for label in a.keys() | b.keys())
        case Marks(field=a), Marks(field=b):
            return all(a[marker] == should for marker, should in b.items() if marker in a)
        case Pointing(value=a), Pointing(value=b):
            return b is None or a is None or a == b
        case _:
            return False
