"""Loads and checks the rig file (`rig.toml`): the table's pins, seats, camera and serial port."""

from __future__ import annotations

import difflib
import re
import tomllib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal, get_args

import msgspec

from companion.kernel.camera_source import CAMERAS, CameraSource, source_of

Side = Literal["top", "right", "bottom", "left"]
Backend = Literal["auto", "lgpio", "rpigpio", "mock", "none"]

GPIO: Final = range(2, 28)
"""The usable pins of the header, by BCM number."""
DATA: Final = {2: "I²C data", 3: "I²C clock", 14: "the serial console", 15: "the serial console"}
"""Pins that the system may use too; a rig should avoid them."""
BOARD_BUTTONS: Final = range(1, 7)
"""The numbers of buttons on a serial board."""
_LONGEST: Final = 600.0
SOURCES: Final = (*CAMERAS, "readings", "none")
"""What may stand before the colon in the camera's source."""


class RigError(Exception):
    """An invalid rig file; the message names the file and every problem in it."""


class _Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the rig file."""


class SeatPins(_Part, frozen=True):
    """A player's place: its colour, its button with its light, and its side of the table.

    Games with other colours assign the places in order (`Rig.places`).
    A button on the serial board has its number there in `board_button`, instead of a pin.
    """

    colour: str
    button: int | None = None
    light: int | None = None
    side: Side = "top"
    board_button: int | None = None


class BuzzerPin(_Part, frozen=True):
    pin: int | None = None


class BarPins(_Part, frozen=True):
    """A row of lights that shows the time left, from the first to go off to the last."""

    pins: tuple[int, ...] = ()


class Raid(_Part, frozen=True):
    seconds: float = 20.0


class SourceAndKit(_Part, frozen=True):
    """The camera's source, or `readings:PATH` for Readings of another program; and the kit of pieces."""

    source: str = "pi"
    kit: str = ""

    @property
    def names(self) -> CameraSource:
        """The source, taken apart."""
        return source_of(self.source)


class Serial(_Part, frozen=True):
    """The serial port of a microcontroller: `auto`, a path, or empty for none."""

    port: str = ""


class Pins(_Part, frozen=True):
    backend: Backend = "auto"


class Rig(_Part, frozen=True):
    """The hardware of one table."""

    name: str = "table"
    seats: tuple[SeatPins, ...] = ()
    buzzer: BuzzerPin = BuzzerPin()
    bar: BarPins = BarPins()
    raid: Raid = Raid()
    camera: SourceAndKit = SourceAndKit()
    serial: Serial = Serial()
    pins: Pins = Pins()
    quiet: bool = False

    def places(self, colours: Sequence[str]) -> dict[str, int]:
        """The seat of a game at each place; places are named by their colour in the rig file.

        If every player has a colour of the rig, the colours decide. Otherwise the order does: the first seat has the
        first place, and so on around the table. Seats beyond the last place play without a button.
        """
        own = [seat.colour for seat in self.seats]
        if len(colours) <= len(own) and not set(colours) <= set(own):
            return {place: number for number, place in enumerate(own[: len(colours)])}
        return {colour: number for number, colour in enumerate(colours) if colour in own}

    def sides(self, colours: Sequence[str]) -> dict[int, Side]:
        """The side of the table of each seat, as far as the rig file has it."""
        where = {seat.colour: seat.side for seat in self.seats}
        return {number: where[place] for place, number in self.places(colours).items()}

    def uses(self) -> Iterator[tuple[int, str]]:
        """Every pin with the part that uses it."""
        for seat in self.seats:
            if seat.button is not None:
                yield seat.button, f"the button of seat {seat.colour}"
            if seat.light is not None:
                yield seat.light, f"the light of seat {seat.colour}"
        if self.buzzer.pin is not None:
            yield self.buzzer.pin, "the buzzer"
        for number, pin in enumerate(self.bar.pins, 1):
            yield pin, f"light {number} of the bar"

    def problems(self) -> Iterator[str]:
        """The problems of the rig, one sentence each, without a full stop."""
        yield from self._pin_problems()
        colours = [seat.colour for seat in self.seats]
        for colour in dict.fromkeys(colours):
            if colours.count(colour) > 1:
                yield f"there are {colours.count(colour)} seats of the colour {colour}"
        if not all(colour.strip() for colour in colours):
            yield "a seat has no colour"
        yield from self._board_problems()
        if not 1 <= self.raid.seconds <= _LONGEST:
            yield f"a raid of {self.raid.seconds:g} seconds is not between 1 and {_LONGEST:g}"
        source = self.camera.names
        if not source.kind:
            yield 'the camera has no source; without a camera write source = "none"'
        elif source.kind not in SOURCES:
            yield f"the camera '{source}' is none of {', '.join(SOURCES)}"
        elif source.kind == "readings" and not source.place:
            yield 'readings need a path, such as source = "readings:/run/table-companion/readings"'

    def _pin_problems(self) -> Iterator[str]:
        users: dict[int, list[str]] = {}
        for pin, part in self.uses():
            users.setdefault(pin, []).append(part)
        for pin, parts in users.items():
            if pin not in GPIO:
                yield f"GPIO {pin} ({parts[0]}) is no pin of the header; choose from {GPIO.start} to {GPIO.stop - 1}"
            if len(parts) > 1:
                yield f"GPIO {pin} is used by {' and by '.join(parts)}"

    def _board_problems(self) -> Iterator[str]:
        users: dict[int, list[str]] = {}
        for seat in self.seats:
            if seat.board_button is not None:
                users.setdefault(seat.board_button, []).append(f"seat {seat.colour}")
        for number, seats in users.items():
            if number not in BOARD_BUTTONS:
                yield f"the board has no button {number} ({seats[0]}); it has 1 to {BOARD_BUTTONS.stop - 1}"
            if len(seats) > 1:
                yield f"button {number} of the board is used by {' and by '.join(seats)}"
        if users and not self.serial.port:
            yield "a seat uses a button of the board, but [serial] names no port"

    def remarks(self) -> Iterator[str]:
        """Warnings: pins that the system uses too."""
        for pin, part in self.uses():
            if pin in DATA:
                yield f"GPIO {pin} ({part}) is also {DATA[pin]}; switch that off in raspi-config, or take another pin"


_KNOWN: Final = sorted(
    {
        name
        for part in (Rig, SeatPins, BuzzerPin, BarPins, Raid, SourceAndKit, Serial, Pins)
        for name in part.__struct_fields__
    }
)
DEFAULT: Final = Rig(
    seats=(
        SeatPins("blue", button=5, light=16, side="top"),
        SeatPins("yellow", button=6, light=20, side="top"),
        SeatPins("purple", button=13, light=21, side="bottom"),
        SeatPins("grey", button=19, light=26, side="bottom"),
    ),
    buzzer=BuzzerPin(18),
    bar=BarPins((17, 27, 22, 23, 24)),
)
"""The rig in `docs/wiring.svg`."""


def load(path: Path) -> Rig:
    """Load a rig file. Parts that it does not name are absent."""
    try:
        raw = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise RigError(f"The rig file {path} cannot be read: {error.strerror or error}.") from error
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise RigError(f"The rig file {path} is not valid TOML: {error}.") from error
    try:
        rig = msgspec.convert(raw, Rig)
    except msgspec.ValidationError as error:
        raise RigError(f"The rig file {path} is not usable: {_where(error)}.") from error
    problems = list(rig.problems())
    if problems:
        raise RigError(f"The rig file {path} is not usable: {'; '.join(problems)}.")
    return rig


def _where(error: msgspec.ValidationError) -> str:
    what, _, where = str(error).partition(" - at `$")
    where = re.sub(r"seats\[(\d+)\]", lambda seat: f"seat {int(seat[1]) + 1}", where.rstrip("`").lstrip("."))
    if unknown := re.fullmatch(r"Object contains unknown field `(.+)`", what):
        near = difflib.get_close_matches(unknown[1], _KNOWN, 1)
        what = f"unknown key `{unknown[1]}`" + (f" (did you mean `{near[0]}`?)" if near else "")
    elif wrong := re.fullmatch(r"Invalid enum value '(.*)'", what):
        choices = get_args(Side if where.endswith("side") else Backend)
        what = f"{wrong[1]!r} is none of {', '.join(choices)}"
    return f"{where}: {what}" if where else what
