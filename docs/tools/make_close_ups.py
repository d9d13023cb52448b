"""Draws `docs/wiring-parts.svg`: each kind of part on its own, with every leg named.

python docs/tools/make_close_ups.py [--out FILE]
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from pathlib import Path

from pen import BLUE, INK, ORANGE, PALE, PAPER, ROSE, SOFT, box, disc, lines, page, text, wire

WIDTH, LEFT, RIGHT = 600, 24, 576
PICO = "#dff0e6"


def main() -> None:
    parser = argparse.ArgumentParser(description="Draw the parts of the rig, one by one.")
    parser.add_argument("--out", type=Path, metavar="FILE", default=Path(__file__).parents[1] / "wiring-parts.svg")
    parser.parse_args().out.write_text(drawing(), encoding="utf-8")


def drawing() -> str:
    described = "How a button, a light, a buzzer, a 5 V lamp and a ring of lights are joined to the pins."
    return page(WIDTH, 1182, "The parts, one by one", described, [*button(), *light(), *buzzer(), *lamp(), *ring()])


def button() -> Iterator[str]:
    y = 70
    yield from words(
        y - 36,
        "A button",
        y + 88,
        ["Either way round. The pin rests at 3.3 V by the Pi's own", "pull-up; a press joins it to ground."],
    )
    yield from ends(y, "GPIO", "ground", BLUE)
    yield wire((114, y), (270, y), colour=BLUE)
    yield wire((330, y), (486, y))
    yield wire((270, y), (318, y - 22))
    yield disc((270, y), 5, INK)
    yield disc((330, y), 5, INK)
    yield wire((200, y), (200, y + 40), (294, y + 40), colour=SOFT, dashed=True)
    yield wire((306, y + 40), (400, y + 40), (400, y), colour=SOFT, dashed=True)
    yield wire((294, y + 26), (294, y + 54), colour=SOFT)
    yield wire((306, y + 26), (306, y + 54), colour=SOFT)
    yield text((412, y + 46), "100 nF, optional", colour=SOFT)


def light() -> Iterator[str]:
    y = 270
    told = ["About 4 mA for red, yellow and green. Blue, violet and", "white are dim with 330 Ω; give those 100 Ω."]
    yield from words(y - 36, "A light (LED)", y + 66, told)
    yield from ends(y, "GPIO", "ground", ORANGE)
    yield wire((114, y), (340, y), colour=ORANGE)
    yield wire((340, y), (486, y))
    yield resistor(180, y, "330 Ω")
    yield disc((340, y), 18, "#f7d038")
    yield wire((358, y - 12), (358, y + 12), width=4)
    yield text((306, y - 10), "+", "middle", bold=True)
    yield text((374, y - 8), "−", "middle", bold=True)
    yield text((318, y + 34), "long leg", "end")
    yield text((362, y + 34), "short leg, flat side")


def buzzer() -> Iterator[str]:
    y = 442
    told = ["A passive piezo: it sings whatever note the Pi plays.", "An active buzzer knows only one note."]
    yield from words(y - 36, "The buzzer", y + 58, told)
    yield from ends(y, "GPIO", "ground", ROSE)
    yield wire((114, y), (340, y), colour=ROSE)
    yield wire((340, y), (486, y))
    yield resistor(180, y, "330 Ω")
    yield disc((340, y), 22, PALE)
    yield disc((340, y), 6, INK)


def lamp() -> Iterator[str]:
    """The variant for arcade buttons whose lamps want 5 V, more than a pin has and may bear."""
    y = 604
    told = [
        "The GPIO switches the transistor (BC337, 2N2222), and only",
        "the lamp sees 5 V. Look up which leg is which. Tidier for",
        "four lamps: one ULN2803. GPIO to IN, lamp − to OUT,",
        "GND to ground, COM to 5 V; it needs no 1 kΩ.",
    ]
    yield from words(y - 36, "Instead of an LED: the 5 V lamp of an arcade button", y + 164, told)
    yield box(LEFT, y - 15, 90, 30, "#fbe3d6", ORANGE)
    yield text((LEFT + 45, y + 6), "5 V", "middle")
    yield wire((114, y), (420, y), (420, y + 44))
    yield disc((240, y), 20, "#f7d038")
    yield text((240, y + 40), "lamp", "middle")
    yield text((208, y - 8), "+", "middle", bold=True)
    yield text((272, y - 8), "−", "middle", bold=True)
    yield from ends(y + 80, "GPIO", "ground", ORANGE)
    yield wire((114, y + 80), (350, y + 80), colour=ORANGE)
    yield resistor(180, y + 80, "1 kΩ")
    yield wire((420, y + 100), (420, y + 134), (531, y + 134), (531, y + 95))
    yield box(350, y + 42, 104, 76, PAPER)
    yield text((420, y + 62), "C", "middle", bold=True)
    yield text((362, y + 86), "B", "middle", bold=True)
    yield text((420, y + 112), "E", "middle", bold=True)
    yield text((412, y + 87), "NPN", "middle", colour=SOFT)


def ring() -> Iterator[str]:
    y = 936
    told = [
        "The Pico hangs on a USB cable of the Pi. Its pins are in",
        "hardware/firmware/wiring.py. The ring's far end (DOUT)",
        "stays free.",
    ]
    yield from words(y - 44, "Optional: a ring of 24 lights on a Pico", y + 176, told)
    yield box(LEFT, y + 44, 90, 58, PICO)
    yield text((LEFT + 45, y + 70), "the Pi's", "middle")
    yield text((LEFT + 45, y + 90), "USB", "middle")
    yield wire((114, y + 73), (156, y + 73), colour=SOFT, dashed=True)
    yield box(156, y, 110, 146, PICO, SOFT, dashed=True)
    yield text((211, y - 10), "Pico", "middle", bold=True)
    yield disc((500, y + 73), 72, PAPER, SOFT, dashed=True)
    yield disc((504, y + 73), 30, PAPER, SOFT, dashed=True)
    for down, leaves, arrives in ((28, "VBUS", "5 V"), (73, "GP 22", "DIN"), (118, "GND", "GND")):
        edge = 428 if down == 73 else 444
        yield wire((266, y + down), (edge, y + down), colour=SOFT, dashed=True)
        yield text((258, y + down + 6), leaves, "end")
        yield text((edge + 8, y + down + 6), arrives)
    yield resistor(310, y + 73, "330 Ω")


def words(head: float, title: str, foot: float, told: Iterable[str]) -> Iterator[str]:
    yield text((LEFT, head), title, size=18, bold=True)
    yield from lines((LEFT, foot), told)


def ends(y: float, start: str, end: str, colour: str) -> Iterator[str]:
    """The pin a part begins at and the one it ends at."""
    yield box(LEFT, y - 15, 90, 30, PAPER, colour)
    yield text((LEFT + 45, y + 6), start, "middle")
    yield box(RIGHT - 90, y - 15, 90, 30, INK, INK)
    yield text((RIGHT - 45, y + 6), end, "middle", colour=PAPER)


def resistor(x: float, y: float, value: str) -> str:
    return box(x, y - 13, 76, 26, "#f6efe2") + text((x + 38, y + 6), value, "middle")


if __name__ == "__main__":
    main()
