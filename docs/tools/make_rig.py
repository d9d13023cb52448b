"""Draws `docs/rig.svg`: the whole rig as somebody sees it who stands before the table.

python docs/tools/make_rig.py [--out FILE]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from pen import INK, PALE, PAPER, SEAT_PAINT, SKY, SOFT, Point, box, disc, lines, page, shape, text, wire

from hardware import rig as rigs

WOOD, WOOD_EDGE, STEEL = "#ecd9b8", "#b08d57", "#7c8794"
FRONT_LEFT, RIGHTWARD, BACKWARD = (50.0, 520.0), (400.0, 0.0), (100.0, -120.0)
CAMERA: Final = (300.0, 150.0)


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw the whole rig.")
    parser.add_argument("--out", type=Path, metavar="FILE", default=Path(__file__).parents[1] / "rig.svg")
    parser.parse_args().out.write_text(drawing(), encoding="utf-8")


def drawing() -> str:
    described = (
        "A table with an area of play of 106 by 64 cm and a printed marker in each of its corners. A camera hangs 90 "
        "to 120 cm above its middle from an arm that is clamped to the right edge and carries the Raspberry Pi. Before "
        "each player stands a button with a light; a phone scans a code that stands on the table."
    )
    return page(
        600,
        856,
        "The whole rig",
        described,
        [*table(), *sight(), *seats(), *on_the_table(), *arm(), *phone(), *notes()],
    )


def on_top(across: float, back: float) -> Point:
    """Where a point of the table top is drawn; 0, 0 is its front left corner and 1, 1 its back right."""
    return (
        FRONT_LEFT[0] + across * RIGHTWARD[0] + back * BACKWARD[0],
        FRONT_LEFT[1] + across * RIGHTWARD[1] + back * BACKWARD[1],
    )


def patch(left: float, front: float, right: float, back: float, fill: str, edge: str = INK) -> str:
    return shape(
        on_top(left, front), on_top(right, front), on_top(right, back), on_top(left, back), fill=fill, edge=edge
    )


def table() -> Iterator[str]:
    """The table, the playing area on it, and a marker in each corner of that."""
    (left, front), (right, _), (far, back) = on_top(-0.04, -0.2), on_top(1.04, -0.2), on_top(1.04, 1.2)
    for x, y, length in ((left + 14, front, 70), (right - 26, front, 70), (far - 26, back, 170)):
        yield box(x, y, 12, length, WOOD_EDGE, WOOD_EDGE, 0)
    yield shape((left, front), (right, front), (right, front + 12), (left, front + 12), fill=WOOD_EDGE, edge=WOOD_EDGE)
    yield shape((right, front), (far, back), (far, back + 12), (right, front + 12), fill=WOOD_EDGE, edge=WOOD_EDGE)
    yield patch(-0.04, -0.2, 1.04, 1.2, WOOD, WOOD_EDGE)
    yield patch(0, 0, 1, 1, "#f7eddb", WOOD_EDGE)
    for across in (0.01, 0.93):
        for deep in (0.02, 0.86):
            yield patch(across, deep, across + 0.06, deep + 0.12, PAPER)
            yield patch(across + 0.015, deep + 0.03, across + 0.045, deep + 0.09, INK)


def seats() -> Iterator[str]:
    """The buttons of the usual rig, each on its player's side, clockwise as the seats are told."""
    for side in ("top", "right", "bottom", "left"):
        here = [seat for seat in rigs.DEFAULT.seats if seat.side == side]
        if side in ("bottom", "right"):
            here.reverse()
        for number, seat in enumerate(here):
            along = (number + 0.5) / len(here)
            place = {"top": (along, 1.1), "bottom": (along, -0.1), "left": (-0.02, along), "right": (1.02, along)}[side]
            x, y = on_top(*place)
            yield disc((x, y + 3), 10, INK)
            yield disc((x, y - 2), 10, SEAT_PAINT.get(seat.colour, PAPER))


def on_the_table() -> Iterator[str]:
    yield patch(0.3, 0.28, 0.7, 0.72, "#d7e8d0", SOFT)
    x, y = on_top(0.5, 0.5)
    yield text((x, y + 6), "the game", "middle")
    x, y = on_top(0.25, 1.1)
    yield text((x + 16, y + 6), "button")
    for number in range(len(rigs.DEFAULT.bar.pins)):
        yield disc(on_top(0.36 + number * 0.034, -0.1), 6, PAPER)
    x, y = on_top(0.53, -0.1)
    yield text((x, y + 6), "time bar")
    x, y = on_top(0.48, 1.1)
    yield from qr(x - 20, y - 32, 40)


def qr(left: float, top: float, side: float) -> Iterator[str]:
    """Something that looks like a code to scan, and is none."""
    yield box(left, top, side, side, PAPER, INK, 2)
    small = side / 4
    for across, down in ((0.1, 0.1), (0.65, 0.1), (0.1, 0.65)):
        yield box(left + across * side, top + down * side, small, small, INK, INK, 0)
    for across, down in ((0.5, 0.5), (0.7, 0.62), (0.56, 0.8), (0.84, 0.84), (0.44, 0.26)):
        yield box(left + across * side, top + down * side, small / 5, small / 5, INK, INK, 0)


def sight() -> Iterator[str]:
    """The edges of what the camera sees, to the corners of the table."""
    for corner in (on_top(0, 0), on_top(1, 0), on_top(1, 1), on_top(0, 1)):
        yield wire((CAMERA[0], CAMERA[1] + 14), corner, colour=SKY, width=2, dashed=True)


def arm() -> Iterator[str]:
    x, y = CAMERA
    foot = on_top(1.04, 0.5)
    yield wire((foot[0], foot[1] + 22), (foot[0], y - 24), (x, y - 24), (x, y - 12), colour=STEEL, width=10)
    yield box(foot[0] - 22, foot[1] - 6, 44, 30, STEEL, INK)
    yield wire((x + 20, y), (foot[0] - 16, y), (foot[0] - 16, 230), width=2)
    yield box(x - 24, y - 14, 48, 28, PALE, INK)
    yield disc((x, y + 14), 7, INK)
    yield text((x, y - 42), "camera, looks straight down", "middle", bold=True)
    yield box(foot[0] - 50, 226, 100, 56, "#dff0e6", INK, 6)
    yield text((foot[0], 250), "Raspberry", "middle", bold=True)
    yield text((foot[0], 270), "Pi", "middle", bold=True)
    yield wire((foot[0] + 14, 282), (foot[0] + 14, foot[1] - 6), width=2)
    yield wire((44, y + 14), (44, on_top(0, 0.5)[1]), width=2)
    yield wire((36, y + 14), (52, y + 14), width=2)
    yield wire((36, on_top(0, 0.5)[1]), (52, on_top(0, 0.5)[1]), width=2)
    yield from lines((56, 300), ["90 to", "120 cm"])


def phone() -> Iterator[str]:
    yield box(96, 630, 72, 118, INK, INK, 10)
    yield box(102, 642, 60, 92, PAPER, INK, 4)
    yield from qr(110, 660, 44)
    yield from lines((190, 670), ["Every phone scans the code", "on the table. There is no", "app to install."])


def notes() -> Iterator[str]:
    yield text((24, 40), "The whole rig", size=24, bold=True)
    yield from lines(
        (24, 786),
        [
            "The area of play, 106 × 64 cm, has a printed marker in each",
            "corner. Dashes: what the camera must see. Buttons and time",
            "bar stand outside it; their wires run under the table.",
        ],
    )


if __name__ == "__main__":
    main()
