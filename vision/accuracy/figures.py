"""Measures how well standing figures are read in real photographs: each is read with a kit taught from the others.

The photographs have no markers, so the corners of something flat in them were measured once, and stand here.
"""

from __future__ import annotations

import json
import math
from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from time import process_time
from typing import Any, Final

import cv2
import msgspec
import numpy as np

from companion.kernel.messages import Found
from companion.kernel.views import UNKNOWN
from vision.accuracy.suite import Suite, one_picture, thinned
from vision.kit.kit import Kit
from vision.layout import Layout, Point, from_data
from vision.picture.table_picture import TablePicture, locate, open_picture
from vision.table_reader import TableReader

Corners = tuple[Point, Point, Point, Point]


class Board(msgspec.Struct, frozen=True):
    """Photographs of one board: its size and that of its pieces in millimetres, and its corners in each of them."""

    size: Point
    piece: Point
    height: float
    corners: dict[str, Corners]
    heaps: tuple[str, ...] = ()  # read, but not used for teaching: no figure stands in them
    beside: float = 12.0  # a figure is found if it is told no further from its place


BOARDS: Final = {
    "figures": {
        # A sheet with a drawn grid of 20 mm. Its corners are those of the paper.
        "pawns": Board(
            (362.0, 297.0),
            (14.0, 14.0),
            24.0,
            {
                "greed_1.jpg": ((232.0, 59.0), (1456.0, 50.0), (1497.0, 1086.0), (204.0, 1079.0)),
                "greed_3.jpg": ((87.0, 139.0), (1082.0, 125.0), (1091.0, 981.0), (45.0, 964.0)),
                "greed_5.jpg": ((239.0, 363.0), (928.0, 348.0), (952.0, 919.0), (224.0, 926.0)),
                "greed_7.jpg": ((348.0, 193.0), (1167.0, 180.0), (1172.0, 852.0), (363.0, 863.0)),
            },
            heaps=("greed_5.jpg",),
        ),
        # A printed board; the corners are those of its pale middle. In one photograph they were carried over.
        "meeples": Board(
            (280.0, 280.0),
            (16.0, 10.0),
            16.0,
            {
                "ludo_easy.jpg": ((137.7, 14.4), (598.8, 6.0), (606.5, 467.8), (148.2, 468.6)),
                "ludo_roll_30.jpg": ((270.0, 27.0), (1141.0, 12.0), (1156.0, 882.0), (290.0, 885.0)),
            },
        ),
    },
    "figures2": {
        # A part of the island, from the corners of its frame, a hexagon with sides of 265 mm.
        "island": Board(
            (320.0, 328.0),
            (18.0, 12.0),
            12.0,
            {
                "catan_20.jpg": ((633.0, 264.6), (1581.3, 272.5), (1528.4, 1288.6), (578.3, 1203.4)),
                "catan_26.jpg": ((536.5, 731.6), (1230.2, 122.2), (1919.8, 868.2), (1120.3, 1492.0)),
                "catan_29.jpg": ((497.9, 745.2), (1100.7, 102.5), (1831.3, 734.6), (1125.5, 1428.7)),
            },
        ),
    },
}
"""By name of the folder. A photograph without a flat thing of known shape in it is left out."""


def measure(folder: Path, part: float = 1.0) -> dict[str, Suite]:
    """Read the photographs of a folder, or a part of them, each with a kit taught from the others, and count by set."""
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    suites = {}
    for name, board in BOARDS[folder.name].items():
        here = sorted(board.corners.keys() & truth.keys())
        suite = Suite()
        for photograph in thinned(here, part) if len(here) > 1 else ():
            others = [other for other in here if other not in (photograph, *board.heaps)]
            suite.add(_picture(folder, board, truth, photograph, others))
        suites[name] = suite
    return suites


def _picture(folder: Path, board: Board, truth: Mapping[str, Any], name: str, others: list[str]) -> Suite:
    """Read one photograph with what the others teach, and count."""
    layout = _layout(board, {label for other in (name, *others) for label in _labels(truth[other])})
    kit, taught = Kit(layout), set[str]()
    for other in others:
        sight = locate(open_picture(folder / other), layout, board.corners[other])
        kit.show(sight, {"figures": _standing(sight, truth[other], board)})
        taught |= set(_labels(truth[other]))
    kit.derive()
    image, reader = open_picture(folder / name), TableReader(layout, kit)
    began = process_time()
    seen = reader.look(image, board.corners[name])
    cpu_ms = 1000 * (process_time() - began)
    sight = locate(image, layout, board.corners[name])
    found = _on_the_board(sight, truth[name], seen.reading.zones["figures"].found)
    things, untaught = compared(_standing(sight, truth[name], board), found, taught, board.beside)
    return one_picture(things, Counter(), untaught, cpu_ms)


def _layout(board: Board, labels: set[str]) -> Layout:
    width, height = board.size
    piece = {"size": board.piece, "height": board.height, "labels": sorted(labels)}
    pool = {"kind": "pool", "rect": [0.0, 0.0, width, height], "holds": "figure"}
    data = {"name": "a real board", "area": {"width": width, "height": height}}
    return from_data({**data, "pieces": {"figure": piece}, "zones": {"figures": pool}}, "a real board")


def _labels(known: Mapping[str, Any]) -> list[str]:
    return [f"{thing['colour']} {thing['kind']}" for thing in known["objects"]]


def _standing(sight: TablePicture, known: Mapping[str, Any], board: Board) -> list[dict[str, Any]]:
    """What stands where, in millimetres: a truth gives the middle of a figure in the picture."""
    pixels = np.array([(thing["x"], thing["y"]) for thing in known["objects"]])
    places = sight.plane.to_table(pixels, board.height / 2)
    standing = zip(_labels(known), places, strict=True)
    return [{"label": label, "x": round(float(x), 1), "y": round(float(y), 1)} for label, (x, y) in standing]


def _on_the_board(sight: TablePicture, known: Mapping[str, Any], found: tuple[Found, ...]) -> list[Found]:
    """What was found where the truth lists everything."""
    if "area" not in known:
        return list(found)
    outline = np.array(known["area"], np.float32)
    pixels = sight.plane.to_pixels([(one.x, one.y) for one in found]) if found else ()
    return [
        one
        for one, (x, y) in zip(found, pixels, strict=True)
        if cv2.pointPolygonTest(outline, (float(x), float(y)), False) >= 0
    ]


def compared(
    standing: list[dict[str, Any]], found: list[Found], taught: set[str], beside: float
) -> tuple[Counter[str], Counter[str]]:
    """Compare figures by place, the nearest pairs first. A figure that is told where none stands is invented."""
    things, untaught = Counter[str](), Counter[str]()
    told = {number: one for number, one in enumerate(found) if one.label != UNKNOWN}
    pairs = sorted(
        (math.dist((one["x"], one["y"]), (seen.x, seen.y)), i, j)
        for i, one in enumerate(standing)
        for j, seen in told.items()
    )
    matched: dict[int, int] = {}
    for distance, i, j in pairs:
        if distance <= beside and i not in matched and j not in matched.values():
            matched[i] = j
    for i, one in enumerate(standing):
        label = told[matched[i]].label if i in matched else UNKNOWN
        if one["label"] not in taught:
            untaught["untold" if label == UNKNOWN else "told"] += 1
        else:
            things["unknown" if label == UNKNOWN else "exact" if label == one["label"] else "wrong"] += 1
    things["invented"] += len(told) - len(matched)
    return things, untaught
