"""`companion markers`: sheets to print in actual size, for a table's corners, a camera's lens, and teaching."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from companion import games
from companion.cli.terminal import Unusable, add_json, add_language, print_json


def add_to(commands: Any) -> None:
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
    parser.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
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
