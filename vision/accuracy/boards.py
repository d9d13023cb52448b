"""Measures how well real boards are read, with photographs of games with a grid.

A folder's `truth.json` has, for each photograph, `corners` (or `grid_corners`) in pixels, and `board` with the contents
of all squares that are not empty. A few photographs are used for teaching, the others are read.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from time import process_time
from typing import Any, Final

import cv2
import msgspec
import numpy as np

from companion.kernel.views import UNKNOWN, Cells
from vision.accuracy.suite import Suite, one_picture, thinned
from vision.kit.kit import Kit
from vision.layout import Grid, Layout, Point, from_data
from vision.picture.table_picture import locate, open_picture
from vision.table_reader import TableReader

LEFT_OUT_AT_ONCE: Final = 4
"""Into so many parts the taught labels are divided; each part is left out once."""
READ_WITHOUT: Final = 2
"""So many photographs are read while a part of the labels is left out: those that show most of them."""

Known = Mapping[str, Any]
"""What the truth says about one photograph."""


class Board(msgspec.Struct, frozen=True):
    """The description of a suite's board, and how many photographs are used for teaching it."""

    rows: int = 1
    columns: int = 1
    square: float = 20.0  # mm
    piece: float = 18.0  # mm across
    height: float = 4.0  # mm
    turns: bool = False
    round: bool = False
    taught: int = 3
    lessons: tuple[str, ...] = ()  # the photographs for teaching, where they are given
    sets: str = "game"  # by which words of the truth photographs are counted apart
    one_kit: bool = False  # all sets of the folder are read with one kit


BOARDS: Final = {
    "scrabble": Board(
        15,
        15,
        taught=4,
        lessons=("game03_09.jpg", "game03_01.jpg", "game06_09.jpg", "game06_01.jpg"),
        sets="light",
        one_kit=True,
    ),
    "chess": Board(8, 8, square=50.0, piece=30.0, height=60.0, taught=2, sets="set"),
    "tiles": Board(),
    "go": Board(square=22.0, piece=21.0, round=True, taught=4, one_kit=True),
}
"""By name of the folder. A photograph's own grid has precedence."""


def measure(folder: Path, part: float = 1.0) -> dict[str, Suite]:
    """Teach and read the photographs of a folder, or a part of them, and count by set."""
    board = BOARDS[folder.name]
    photographs = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    kits: dict[str, dict[str, Known]] = defaultdict(dict)
    for name, known in sorted(photographs.items()):
        kits["" if board.one_kit else _set(known, board)][name] = known
    suites: dict[str, Suite] = defaultdict(Suite)
    for members in kits.values():
        grids = [known.get("grid", (board.rows, board.columns)) for known in members.values()]
        rows, columns = max(grids)
        layout = _layout(msgspec.structs.replace(board, rows=rows, columns=columns))
        lessons = _lessons(members, board)
        for name, suite in _read(folder, layout, members, lessons, part):
            suites[_set(members[name], board)].add(suite)
    return dict(suites)


def _set(known: Known, board: Board) -> str:
    """The set that a photograph is counted in: its game, its set of pieces or its light."""
    return str(known.get(board.sets) or "normal")


def _layout(board: Board) -> Layout:
    width, height = board.columns * board.square, board.rows * board.square
    piece = {"size": [board.piece, board.piece], "height": board.height, "round": board.round}
    grid = {
        "kind": "grid",
        "rect": [0.0, 0.0, width, height],
        "columns": board.columns,
        "rows": board.rows,
        "names": "{row}-{column}",
        "holds": "piece",
        "turns": board.turns,
    }
    data = {"name": "a real board", "area": {"width": width, "height": height}}
    return from_data({**data, "pieces": {"piece": piece}, "zones": {"board": grid}}, "a real board")


def _lessons(photographs: Mapping[str, Known], board: Board) -> tuple[str, ...]:
    """Choose the photographs for teaching: the emptiest, and those that show most labels together with it."""
    if board.lessons:
        return board.lessons
    shown = {name: list(known["board"].values()) for name, known in sorted(photographs.items())}
    number = min(board.taught, len(shown) - 1)
    emptiest = [min(shown, key=lambda name: len(shown[name]))] if number > 1 else []
    others = [name for name in shown if name not in emptiest]

    def worth(chosen: Sequence[str]) -> tuple[int, int]:
        labels = [label for name in (*emptiest, *chosen) for label in shown[name]]
        return len(set(labels)), len(labels)

    return (*emptiest, *max(combinations(others, number - len(emptiest)), key=worth))


def _read(
    folder: Path, layout: Layout, photographs: Mapping[str, Known], lessons: Collection[str], part: float
) -> Iterator[tuple[str, Suite]]:
    """Teach a kit with the lessons, and count what it reads in each of the other photographs; then what it tells of
    labels that were left out."""
    shown = {name: photographs[name] for name in lessons}
    labels = {label for known in shown.values() for label in known["board"].values()}
    reader = TableReader(layout, _taught(folder, layout, shown))
    others = thinned(sorted(photographs.keys() - shown.keys()), part)
    for name in others:
        yield name, _picture(folder / name, reader, photographs[name], labels)
    parts = [set(sorted(labels)[start::LEFT_OUT_AT_ONCE]) for start in range(LEFT_OUT_AT_ONCE)]
    for missing in filter(None, parts):
        reader = TableReader(layout, _taught(folder, layout, shown, missing))
        showing = {name: sum(label in missing for label in photographs[name]["board"].values()) for name in others}
        for name in sorted(others, key=lambda name: -showing[name])[: max(1, round(READ_WITHOUT * part))]:
            read = _picture(folder / name, reader, photographs[name], labels - missing, only=missing)
            yield name, Suite(left_out=read.untaught)


def _taught(folder: Path, layout: Layout, shown: Mapping[str, Known], missing: Collection[str] = ()) -> Kit:
    """A kit taught from photographs, in which the squares with `missing` labels are not spoken of."""
    kit = Kit(layout)
    for name, known in shown.items():
        sight = locate(open_picture(folder / name), layout, _corners(known, layout))
        truth = _squares(known, layout)
        kit.show(sight, {"board": {place: label for place, label in truth.items() if label not in missing}})
    kit.derive()
    return kit


def _picture(
    path: Path, reader: TableReader, known: Known, labels: Collection[str], only: Collection[str] | None = None
) -> Suite:
    """Read one photograph and count; labels that are not among these were not taught. With `only`, just squares with
    one of those labels count."""
    image = open_picture(path)
    began = process_time()
    seen = reader.look(image, _corners(known, reader.layout)).reading.zones["board"]
    cpu_ms = 1000 * (process_time() - began)
    at = seen.contents.at if isinstance(seen.contents, Cells) else {}
    things, empty, untaught = Counter[str](), Counter[str](), Counter[str]()
    for place, label in _squares(known, reader.layout).items():
        told = at.get(place, UNKNOWN)
        if only is not None and label not in only:
            continue
        if label is not None and label not in labels:
            untaught["untold" if told == UNKNOWN else "told"] += 1
            continue
        verdict = "unknown" if told == UNKNOWN else "exact" if told == label else "wrong"
        (empty if label is None else things)[verdict] += 1
    return one_picture(things, empty, untaught, cpu_ms)


def _corners(known: Known, layout: Layout) -> list[Point]:
    """The pixels of the layout's corners. A smaller board is its top left part: the rest lies beyond the picture."""
    corners = [(float(x), float(y)) for x, y in known.get("grid_corners") or known["corners"]]
    (rows, columns), (whole_rows, whole_columns) = _grid(known, layout), _grid({}, layout)
    if (rows, columns) == (whole_rows, whole_columns):
        return corners
    own = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32)
    whole = own * np.array([whole_columns / columns, whole_rows / rows], np.float32)
    grown = cv2.perspectiveTransform(whole[None], cv2.getPerspectiveTransform(own, np.array(corners, np.float32)))
    return [(float(x), float(y)) for x, y in grown[0]]


def _squares(known: Known, layout: Layout) -> dict[str, str | None]:
    """Every square of the photograph's board and its contents."""
    rows, columns = _grid(known, layout)
    squares: dict[str, str | None] = {
        f"{row + 1}-{column + 1}": None for row in range(rows) for column in range(columns)
    }
    return squares | {_place(square): label for square, label in known["board"].items()}


def _grid(known: Known, layout: Layout) -> tuple[int, int]:
    """The rows and columns of a photograph's board, or those of the layout."""
    grid = layout.zones["board"]
    assert isinstance(grid, Grid)
    rows, columns = known.get("grid", (grid.rows, grid.columns))
    return rows, columns


def _place(square: str) -> str:
    """Convert `E9` (row E), `e4` (chess) and `5-9` to `row-column`, from 1 with row 1 at the top."""
    if found := re.fullmatch(r"([A-Z])(\d+)", square):
        return f"{ord(found[1]) - 64}-{found[2]}"
    if found := re.fullmatch(r"([a-h])([1-8])", square):
        return f"{9 - int(found[2])}-{ord(found[1]) - 96}"
    return square
