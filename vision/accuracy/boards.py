"""Measures how well real boards are read, with photographs of games with a grid.

A folder's `truth.json` has, for each photograph, `corners` (or `grid_corners`) in pixels, and `board` with the contents
of all squares that are not empty. Three photographs of a set are used for teaching, the others are read.
"""

from __future__ import annotations

import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from pathlib import Path
from time import process_time
from typing import Any, Final

import msgspec

from companion.kernel.views import UNKNOWN, Cells
from vision.kit.kit import Kit
from vision.layout import Layout, from_data
from vision.picture.table_picture import locate, open_picture
from vision.table_reader import TableReader

TAUGHT: Final = 3
"""Number of photographs of a set that are used for teaching."""


class Board(msgspec.Struct, frozen=True):
    """The description of a suite's board."""

    rows: int
    columns: int
    square: float = 20.0  # mm
    piece: float = 18.0  # mm across
    height: float = 4.0  # mm
    turns: bool = False
    round: bool = False


BOARDS: Final = {
    "scrabble": Board(15, 15),
    "chess": Board(8, 8, square=50.0, piece=30.0, height=60.0),
    "tiles": Board(1, 1),
    "go": Board(1, 1, square=22.0, piece=21.0, round=True),
}
"""By name of the folder. A photograph's own grid has precedence."""


class Suite(msgspec.Struct):
    """Counts of pieces, empty squares and labels that were not taught, and the CPU time of each picture."""

    pictures: int = 0
    pieces: Counter[str] = msgspec.field(default_factory=Counter)
    empty: Counter[str] = msgspec.field(default_factory=Counter)
    untaught_told: int = 0
    cpu_ms: list[float] = msgspec.field(default_factory=list)


def boards(folder: Path) -> Iterator[tuple[str, Suite]]:
    """Measure every suite that a folder of photographs contains."""
    for name, board in BOARDS.items():
        if (folder / name / "truth.json").is_file():
            yield from _suites(folder / name, board)


def _suites(folder: Path, board: Board) -> Iterator[tuple[str, Suite]]:
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    sets: dict[tuple[str, tuple[int, int]], dict[str, Any]] = defaultdict(dict)
    for name, known in sorted(truth.items()):
        rows, columns = known.get("grid", (board.rows, board.columns))
        sets[known.get("set") or known["game"], (rows, columns)][name] = known
    suites: dict[str, Suite] = defaultdict(Suite)
    for (kind, (rows, columns)), photographs in sets.items():
        suite = folder.name if folder.name in ("scrabble", "go") else f"{folder.name}: {kind}"
        layout = _layout(msgspec.structs.replace(board, rows=rows, columns=columns))
        _read(folder, layout, photographs, suites[suite])
    yield from suites.items()


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


def _read(folder: Path, layout: Layout, photographs: Mapping[str, Any], suite: Suite) -> None:
    """Teach a kit with some photographs of a set, read the others, and count."""
    taught = _lessons(photographs)
    kit = Kit(layout)
    for name in taught:
        sight = locate(open_picture(folder / name), layout, _corners(photographs[name]))
        kit.show(sight, {"board": _board(layout, photographs[name])})
    kit.derive()
    labels = {label for name in taught for label in photographs[name]["board"].values()}
    for name in sorted(photographs.keys() - set(taught) if taught else ()):
        image = open_picture(folder / name)
        began = process_time()
        seen = TableReader(layout, kit).look(image, _corners(photographs[name])).reading.zones["board"]
        suite.cpu_ms.append(1000 * (process_time() - began))
        suite.pictures += 1
        at = seen.contents.at if isinstance(seen.contents, Cells) else {}
        for place, label in _board(layout, photographs[name]).items():
            told = at.get(place, UNKNOWN)
            verdict = "unknown" if told == UNKNOWN else "exact" if told == label else "wrong"
            (suite.empty if label is None else suite.pieces)[verdict] += 1
            suite.untaught_told += label is not None and label not in labels and told != UNKNOWN


def _lessons(photographs: Mapping[str, Any]) -> list[str]:
    """Choose the photographs for teaching: each time the one with most new labels, then with most pieces."""
    chosen: list[str] = []
    known: set[str] = set()
    for _ in range(min(TAUGHT, len(photographs) - 1)):
        left = [name for name in sorted(photographs) if name not in chosen]
        shown = {name: photographs[name]["board"].values() for name in left}
        best = max(left, key=lambda name: (len(set(shown[name]) - known), len(shown[name])))
        chosen.append(best)
        known |= set(shown[best])
    return chosen


def _corners(known: Mapping[str, Any]) -> list[tuple[float, float]]:
    return [(x, y) for x, y in known.get("grid_corners") or known["corners"]]


def _board(layout: Layout, known: Mapping[str, Any]) -> dict[str, str | None]:
    """Every square and its contents."""
    places: dict[str, str | None] = dict.fromkeys(layout.zones["board"].places())  # type: ignore[union-attr]
    return places | {_place(square): label for square, label in known["board"].items()}


def _place(square: str) -> str:
    """Convert `E9` (row E), `e4` (chess) and `5-9` to `row-column`, from 1 with row 1 at the top."""
    if found := re.fullmatch(r"([A-Z])(\d+)", square):
        return f"{ord(found[1]) - 64}-{found[2]}"
    if found := re.fullmatch(r"([a-h])([1-8])", square):
        return f"{9 - int(found[2])}-{ord(found[1]) - 96}"
    return square
