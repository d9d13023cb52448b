"""Draws `docs/wiring.svg`: the pins of a Raspberry Pi and what a rig joins to them, a straight wire a pin.

    python docs/tools/make_wiring.py [--rig FILE] [--out FILE]

Without a rig file it draws the rig that the companion assumes (`hardware.rig.DEFAULT`). Every part lies in the row of
its pin, between the pin and a rail of ground, so no two wires cross, whatever the pins are.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Literal, NamedTuple

from pen import BLUE, GREEN, INK, ORANGE, PALE, PAPER, ROSE, SEAT_PAINT, SOFT, box, disc, group, lines, page, text, wire

from hardware import rig as rigs

HEADER: Final[tuple[int | str, ...]] = (
    *("3.3 V", "5 V", 2, "5 V", 3, "ground", 4, 14, "ground", 15, 17, 18, 27, "ground", 22, 23, "3.3 V", 24),
    *(10, "ground", 9, 25, 11, 8, "ground", 7, 0, 1, 5, "ground", 6, 12, 13, "ground", 19, 16, 26, 20, "ground", 21),
)
"""What the header's pins are, from pin 1 on: a GPIO by its BCM number, power or ground. A Pi 4 and a Pi 5 agree."""

WIDTH, TOP, PITCH, MIDDLE = 600, 270, 44, 300
FOOT = TOP + 20 * PITCH
# Distances from the middle of the header outwards, the same to the left and to the right.
PIN, NAME, NAME_END, LABEL, RAIL = 2, 34, 114, 122, 286


class Row(NamedTuple):
    """The place of one pin: its number on the header, what it is, its height on the page and its side."""

    number: int
    what: int | str
    y: float
    side: Literal[-1, 1]

    def out(self, distance: float) -> float:
        return MIDDLE + self.side * distance

    def span(self, start: float, end: float) -> tuple[float, float]:
        """Left edge and width of something that reaches from one distance to another."""
        return min(self.out(start), self.out(end)), abs(end - start)


class Part(NamedTuple):
    """What hangs on a pin: its name in the picture, the colour of its wire, and how it is drawn in its row."""

    label: str
    colour: str
    draw: Callable[[Row], Iterator[str]]


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw the wiring of a rig.")
    parser.add_argument("--rig", type=Path, metavar="FILE", help="a rig file; without it the usual rig is drawn")
    parser.add_argument("--out", type=Path, metavar="FILE", default=Path(__file__).parents[1] / "wiring.svg")
    arguments = parser.parse_args()
    try:
        rig = rigs.load(arguments.rig) if arguments.rig else rigs.DEFAULT
    except rigs.RigError as error:
        parser.exit(1, f"{error}\n")
    arguments.out.write_text(drawing(rig), encoding="utf-8")


def drawing(rig: rigs.Rig) -> str:
    parts = parts_of(rig)
    rows = [
        Row(number, what, TOP + PITCH * ((number - 1) // 2 + 0.5), 1 if number % 2 == 0 else -1)
        for number, what in enumerate(HEADER, 1)
    ]
    told = "; ".join(
        f"GPIO {row.what} (pin {row.number}): {parts[row.what].label}" for row in rows if row.what in parts
    )
    return page(
        WIDTH,
        FOOT + 190,
        "Wiring of the table",
        f"The 40 pins of a Raspberry Pi and the parts joined to them. {told}. Every part's other end goes to ground.",
        [*heading(), *header(rows, parts), *rails(rows, parts), *pico()],
    )


def parts_of(rig: rigs.Rig) -> dict[int | str, Part]:
    """Every part of the rig by its GPIO."""
    parts: dict[int | str, Part] = {}
    for seat in rig.seats:
        paint = SEAT_PAINT.get(seat.colour, PAPER)
        if seat.button is not None:
            parts[seat.button] = Part(f"{seat.colour} button", BLUE, button)
        if seat.light is not None:
            parts[seat.light] = Part(f"{seat.colour} light", ORANGE, light(paint))
    if rig.buzzer.pin is not None:
        parts[rig.buzzer.pin] = Part("piezo buzzer", ROSE, buzzer)
    for number, pin in enumerate(rig.bar.pins, 1):
        parts[pin] = Part(f"time bar {number}", GREEN, light("#ffffff", str(number)))
    return parts


def heading() -> Iterator[str]:
    yield text((22, 40), "Wiring of the table", size=24, bold=True)
    yield from lines(
        (152, 72),
        [
            "Hold the Pi with its USB sockets down:",
            "the 40 pins are along its right edge,",
            "pin 1 at the top left. Switch it off first.",
            "Never join 5 V to a GPIO.",
        ],
    )
    yield box(36, 58, 84, 112, "#dff0e6", INK, 8)
    yield box(98, 66, 14, 76, INK, INK, 2)
    for left in (44, 66, 88):
        yield box(left, 158, 18, 20, PALE, INK, 2)
    yield text((66, 96), "pin 1", "middle")
    yield wire((88, 91), (97, 76), width=2)
    yield text((66, 150), "USB", "middle")
    yield from key(214)
    yield text((MIDDLE - 36, TOP - 8), "inside of the board", "end", colour=SOFT)
    yield text((MIDDLE + 36, TOP - 8), "edge of the board", colour=SOFT)


def key(y: float) -> Iterator[str]:
    """What the signs in the rows mean, for a person who meets them for the first time."""
    yield wire((24, y), (50, y - 12))
    yield disc((24, y), 4, INK)
    yield disc((56, y), 4, INK)
    yield text((68, y + 6), "button")
    yield box(146, y - 10, 64, 20, "#f6efe2")
    yield text((178, y + 6), "330 Ω", "middle")
    yield text((218, y + 6), "resistor")
    yield disc((318, y), 13, PAPER)
    yield text((298, y + 16), "+", "middle", bold=True)
    yield text((338, y + 6), "LED, + is its long leg")


def header(rows: list[Row], parts: dict[int | str, Part]) -> Iterator[str]:
    yield box(MIDDLE - 33, TOP - 2, 66, 20 * PITCH + 4, INK, INK, 6)
    for row in rows:
        part = parts.get(row.what)
        drawn = [*pin(row, part), *(joined(row, part) if part else noted(row))]
        said = f"pin {row.number}: {_name(row)}"
        yield group(f"pin-{row.number}", f"{said}, {part.label}" if part else said, drawn)


def pin(row: Row, part: Part | None) -> Iterator[str]:
    """The square of a pin with its number, and its name beside it."""
    fill, edge, ink = {
        "ground": (INK, INK, PAPER),
        "5 V": ("#fbe3d6", ORANGE, INK),
        "3.3 V": ("#fff3c4", SOFT, INK),
    }.get(str(row.what), (PALE, PALE, SOFT) if part is None else (PAPER, part.colour, INK))
    left, width = row.span(PIN, PIN + 28)
    yield box(left, row.y - 14, width, 28, "#f4e3a1", INK, 14 if row.number > 1 else 2)
    yield text((left + width / 2, row.y + 6), str(row.number), "middle")
    left, width = row.span(NAME, NAME_END)
    yield box(left, row.y - 13, width, 26, fill, edge)
    yield text((left + width / 2, row.y + 6), _name(row), "middle", colour=ink)


def joined(row: Row, part: Part) -> Iterator[str]:
    yield wire((row.out(NAME_END), row.y), (row.out(RAIL), row.y), colour=part.colour)
    yield from part.draw(row)
    yield text((row.out(LABEL), row.y - 15), part.label, "start" if row.side > 0 else "end", bold=True)


def noted(row: Row) -> Iterator[str]:
    notes = {"5 V": "not for these parts", 0: "leave free", 1: "leave free"}
    if row.what in notes:
        anchor = "start" if row.side > 0 else "end"
        yield text((row.out(LABEL), row.y + 6), notes[row.what], anchor, colour=SOFT)


def button(row: Row) -> Iterator[str]:
    """A switch that stands open."""
    inner, outer = row.out(236), row.out(270)
    yield wire((inner, row.y), (outer, row.y), colour=PAPER, width=5)
    yield wire((inner, row.y), (row.out(264), row.y - 13), colour=INK)
    yield disc((inner, row.y), 4, INK)
    yield disc((outer, row.y), 4, INK)
    yield wire((outer, row.y), (row.out(RAIL), row.y), colour=INK)


def light(paint: str, words: str = "") -> Callable[[Row], Iterator[str]]:
    """A resistor and a light behind it; the plus is the light's long leg."""

    def draw(row: Row) -> Iterator[str]:
        yield from resistor(row, 140)
        yield wire((row.out(260), row.y), (row.out(RAIL), row.y), colour=INK)
        yield disc((row.out(260), row.y), 13, paint)
        yield text((row.out(260), row.y + 6), words, "middle", bold=True)
        yield text((row.out(239), row.y + 15), "+", "middle", bold=True)

    return draw


def buzzer(row: Row) -> Iterator[str]:
    yield from resistor(row, 140)
    yield wire((row.out(260), row.y), (row.out(RAIL), row.y), colour=INK)
    yield disc((row.out(260), row.y), 13, PALE)
    yield disc((row.out(260), row.y), 4, INK)


def resistor(row: Row, start: float) -> Iterator[str]:
    left, width = row.span(start, start + 64)
    yield box(left, row.y - 10, width, 20, "#f6efe2")
    yield text((left + width / 2, row.y + 6), "330 Ω", "middle")


def rails(rows: list[Row], parts: dict[int | str, Part]) -> Iterator[str]:
    """On each side that has parts a rail of ground, joined to the lowest ground pin of that side."""
    for side in (-1, 1):
        used = [row for row in rows if row.side == side and row.what in parts]
        if not used:
            continue
        ground = [row for row in rows if row.side == side and row.what == "ground"][-1]
        heights = [row.y for row in (*used, ground)]
        rail, anchor = ground.out(RAIL), "start" if side < 0 else "end"
        yield wire((ground.out(NAME_END), ground.y), (rail, ground.y), width=5)
        yield wire((rail, min(heights)), (rail, max(heights)), width=5)
        yield text((rail, min(heights) - 38), "ground rail", anchor, bold=True)
        yield text((ground.out(LABEL), ground.y - 9), "one wire to the rail", "start" if side > 0 else "end")


def pico() -> Iterator[str]:
    """What may stand on the table besides: a microcontroller on a USB cable, with a ring of lights."""
    top = FOOT + 24
    middle = top + 84
    yield text((22, top + 14), "Optional: a ring of 24 lights, on a Pico, on USB", bold=True)
    yield wire((132, middle), (214, middle), colour=SOFT, dashed=True)
    yield text((173, middle - 10), "USB", "middle")
    yield box(22, middle - 26, 110, 52, "#dff0e6", INK)
    yield text((77, middle - 3), "the Pi's", "middle")
    yield text((77, middle + 17), "USB socket", "middle")
    yield box(214, middle - 26, 110, 52, "#dff0e6", SOFT, dashed=True)
    yield text((269, middle + 6), "Pico", "middle")
    for height, name in ((-18, "5 V"), (0, "data"), (18, "ground")):
        yield wire((324, middle + height), (364, middle + height), colour=SOFT, dashed=True)
        yield wire((442, middle + height), (462, middle + height), colour=SOFT, dashed=True)
        yield text((403, middle + height + 6), name, "middle")
    yield disc((520, middle), 58, PAPER, SOFT, dashed=True)
    yield disc((520, middle), 36, PAPER, SOFT, dashed=True)
    yield text((520, middle - 1), "24", "middle", bold=True)
    yield text((520, middle + 17), "lights", "middle")


def _name(row: Row) -> str:
    return f"GPIO {row.what}" if isinstance(row.what, int) else row.what


if __name__ == "__main__":
    main()
