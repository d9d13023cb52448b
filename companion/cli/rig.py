"""`companion rig check`, `companion rig test` and `companion markers`: check the rig file, test every part
of the rig, and print its sheets."""

from __future__ import annotations

import argparse
import os
import queue
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import msgspec

from companion import games
from companion.cli.terminal import Terminal, Unusable, add_json, add_language, home, print_json

PATIENCE: Final = 15.0
"""Seconds that a person has to press a button."""
BOARD_PATIENCE: Final = 5.0
"""Seconds that a board has to send its hello."""
RIG_FILE: Final = "rig.toml"


class Tried(msgspec.Struct, frozen=True):
    """A part that was tested, and the result."""

    part: str
    works: bool | None  # None: the rig has none
    says: str


def rig_file() -> Path:
    """The rig file of this companion: $COMPANION_RIG, or `rig.toml` in its folder."""
    chosen = os.environ.get("COMPANION_RIG")
    return Path(chosen) if chosen else home() / RIG_FILE


def add_to(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser(
        "rig", help="check the rig file, and try every button and light"
    )
    parser.add_argument("what", choices=("check", "test"))
    parser.add_argument("--rig", type=Path, metavar="FILE", help=f"default: {RIG_FILE} in the companion's folder")
    parser.add_argument(
        "--desk", action="store_true", help="try a rig without hardware, whose buttons press themselves"
    )
    parser.add_argument("--seen", action="store_true", help="do not ask whether lights were seen and sounds heard")
    parser.add_argument("--patience", type=float, default=PATIENCE, metavar="SECONDS", help="to wait for each press")
    add_json(parser)
    parser.set_defaults(run=run)
    add_markers(commands)


def run(arguments: argparse.Namespace) -> int:
    rig = _rig(arguments.rig, arguments.desk)
    if arguments.what == "check":
        return _check(rig, arguments.json)
    terminal = Terminal(sys.stderr)
    results = []
    for tried in _tried(rig, arguments, terminal):
        results.append(tried)
        mark = {True: terminal.paint("works", "good"), False: terminal.paint("FAILED", "alarm"), None: "absent"}
        terminal.say(f"  {mark[tried.works]:8} {tried.says}")
    failed = [tried.part for tried in results if tried.works is False]
    if arguments.json:
        print_json({"parts": results, "failed": failed})
    else:
        print(f"{len(failed)} of {len(results)} parts failed." if failed else f"All {len(results)} parts are fine.")
    return 1 if failed else 0


def _rig(path: Path | None, desk: bool) -> Any:
    from hardware import rig

    if path is None:
        path = rig_file()
        if not path.is_file():
            if not desk:
                raise Unusable(
                    f"There is no rig file {path}; copy hardware/rig.example.toml there, or name one with --rig."
                )
            return rig.DEFAULT
    return rig.load(path)


def _check(rig: Any, as_json: bool) -> int:
    remarks = list(rig.remarks())
    pins = {f"GPIO {pin}": part for pin, part in sorted(rig.uses())}
    if as_json:
        print_json({"usable": True, "pins": pins, "remarks": remarks})
        return 0
    for pin, part in pins.items():
        print(f"  {pin:8} {part}")
    for remark in remarks:
        print(f"Note: {remark}.")
    print("The rig file is usable.")
    return 0


def _tried(rig: Any, arguments: argparse.Namespace, terminal: Terminal) -> Iterator[Tried]:
    from hardware.mock import Desk
    from hardware.outputs import SOUNDS
    from hardware.table_hardware import TableHardware

    inbox: queue.SimpleQueue[Any] = queue.SimpleQueue()
    desk = Desk(inbox.put, rig) if arguments.desk else None
    hardware = desk.hardware if desk is not None else TableHardware(rig, inbox.put)
    ask: Callable[[str], bool] = (lambda _: True) if arguments.seen or arguments.desk else _asked
    try:
        _wait_for_the_board(hardware)
        for health in hardware.health():
            if health.state != "ok":
                yield Tried(health.part, None if health.state == "absent" else False, health.says)
        hardware.seat([seat.colour for seat in rig.seats])
        for number, seat in enumerate(rig.seats):
            if seat.colour in hardware.lights:
                hardware.glow(number, "blink")
                yield _judged(f"light of seat {seat.colour}", ask(f"Does the light of seat {seat.colour} blink?"))
                hardware.glow(number, "off")
            on_board = seat.board_button is not None and _ok(hardware, "board")
            if on_board or _ok(hardware, f"button of seat {seat.colour}"):
                terminal.say(f"Press the button of seat {seat.colour} ({arguments.patience:g} seconds).")
                if desk is not None:
                    desk.press(seat.colour)
                yield _pressed(inbox, number, seat.colour, arguments.patience)
        if hardware.bar is not None:
            hardware.bar.show(1.0)
            yield _judged("bar", ask("Do all lights of the bar burn?"))
            hardware.bar.show(0.0)
        if _ok(hardware, "board"):
            hardware.show_left(1.0, 1.0)
            yield _judged("ring", ask("Do all lights of the ring burn?"))
        if hardware.buzzer is not None:
            for sound in SOUNDS:
                hardware.sound(sound)
            yield _judged("buzzer", ask("Did the buzzer play some tunes?"))
    finally:
        hardware.close()


def _wait_for_the_board(hardware: Any) -> None:
    """Wait for the hello of a board that was just plugged in."""
    over = time.monotonic() + BOARD_PATIENCE
    while hardware.link is not None and not _ok(hardware, "board") and time.monotonic() < over:
        time.sleep(0.02)


def _ok(hardware: Any, part: str) -> bool:
    return any(health.part == part and health.state == "ok" for health in hardware.health())


def _judged(part: str, works: bool) -> Tried:
    return Tried(
        part, works, f"The {part} works." if works else f"The {part} was not seen or heard; look at its wires."
    )


def _pressed(inbox: queue.SimpleQueue[Any], seat: int, colour: str, patience: float) -> Tried:
    part = f"button of seat {colour}"
    others = set()
    try:
        while (signal := inbox.get(timeout=patience)).seat != seat:
            others.add(signal.source)
    except queue.Empty:
        instead = f"; {' and '.join(sorted(others))} answered instead" if others else ""
        return Tried(part, False, f"The {part} was not felt within {patience:g} seconds{instead}.")
    return Tried(part, True, f"The {part} works.")


def _asked(question: str) -> bool:
    try:
        return input(f"{question} [y/n] ").strip().lower() in ("y", "yes", "j", "ja")
    except EOFError as error:
        raise Unusable("There is no terminal to answer in; use --seen to test the buttons alone.") from error


# Sheets to print


def add_markers(commands: Any) -> None:
    parser: argparse.ArgumentParser = commands.add_parser(
        "markers", help="print corner markers and teaching mats (PDF)"
    )
    parser.add_argument("out", type=Path, metavar="OUT.pdf")
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--layout", type=Path, metavar="FILE", help="the corner markers of this layout")
    what.add_argument("--table", type=_size, metavar="WxH", default=None, help="markers for a table of this size in mm")
    what.add_argument("--teach", metavar="GAME", help="mats that say which piece to lay where")
    what.add_argument("--lens", action="store_true", help="the sheet that measures a camera's lens")
    parser.add_argument("--paper", choices=("A4", "A3", "Letter"), default="A4")
    add_json(parser)
    add_language(parser)
    parser.set_defaults(run=print_sheets)


def print_sheets(arguments: argparse.Namespace) -> int:
    from vision import layout, sheets

    if arguments.out.exists():
        raise Unusable(f"{arguments.out} is already there; name another file.")
    if arguments.lens:
        sheets.charuco_sheet(arguments.out, arguments.paper, arguments.language)
        pages = 1
    elif arguments.teach:
        pages = _mats(arguments)
    else:
        table = layout.load(arguments.layout) if arguments.layout else _bare_table(*(arguments.table or (900.0, 600.0)))
        pages = sheets.marker_sheet(table, arguments.out, arguments.paper, arguments.language)
    if arguments.json:
        print_json({"file": str(arguments.out), "pages": pages})
    else:
        print(f"{arguments.out}: {pages} page{'s' * (pages != 1)}. Print at 100 % and check the ruler.")
    return 0


def _mats(arguments: argparse.Namespace) -> int:
    from vision import layout, sheets
    from vision.kit import kit

    game = games.load(arguments.teach)
    table = layout.load(game.box_file.with_name("layout.toml"))
    pieces = kit.mat_pieces(table)
    sheets.teaching_mat(pieces, arguments.out, game.catalogue.title.in_(arguments.language), arguments.paper)
    return len(sheets.mat_pages(pieces, arguments.paper))


def _bare_table(width: float, height: float) -> Any:
    from vision.layout import from_data

    at = {"0": [36, 36], "1": [width - 36, 36], "2": [width - 36, height - 36], "3": [36, height - 36]}
    raw = {"name": "table", "area": {"width": width, "height": height}, "zones": {}, "markers": {"side": 50, "at": at}}
    return from_data(raw, "--table")


def _size(text: str) -> tuple[float, float]:
    try:
        width, height = (float(part) for part in text.lower().split("x"))
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"{text!r} is not WIDTHxHEIGHT in millimetres") from error
    return width, height
