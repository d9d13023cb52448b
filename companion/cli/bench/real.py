"""`companion bench real`: measures how often other people's photographs are read rightly, suite by suite."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from companion.cli import accuracy as accuracy_page
from companion.cli.terminal import Terminal, Unusable

SUITES: Final = ("scrabble", "tiles", "chess", "go", "figures", "figures2", "dice", "dice2", "tables")
"""The folders with a truth that contains positions."""
COUNTED: Final = ("aruco", "boards")
"""Folders with counts instead of positions. They are reported, but not part of the sum."""


def run(arguments: argparse.Namespace, terminal: Terminal) -> dict[str, Any]:
    """Measure all suites in a folder of photographs, or the requested ones, or a share of them."""
    folder: Path | None = arguments.photos
    if not folder:
        raise Unusable("Which photographs? Say --photos FOLDER.")
    here = [name for name in (*SUITES, *COUNTED) if _truth(folder / name)]
    wanted = arguments.suite or here
    if missing := [name for name in wanted if name not in here]:
        raise Unusable(f"There is no suite {missing[0]!r} in {folder}; there are: {', '.join(here) or 'none'}.")
    if arguments.write and (wanted != here or arguments.share < 1):
        raise Unusable("The page shows whole runs only: leave out --suite and --share, or --write.")
    import cv2  # imported here, because only the commands with pictures need it

    from vision.accuracy.suite import Suite

    cv2.setNumThreads(1)  # busy waiting of threads would count as CPU time
    suites: dict[str, Any] = {}
    reported: dict[str, Any] = {}
    every = Suite()
    for done, name in enumerate(wanted):
        terminal.progress(done / len(wanted), name)
        if name in COUNTED:
            reported[name] = _counts(folder / name)
            continue
        sets = _measured(folder / name)(folder / name, arguments.share)
        whole = Suite()
        for one in sets.values():
            whole.add(one)
        every.add(whole)
        suites[name] = whole.figures()
        if len(sets) > 1:
            suites[name]["sets"] = {part: one.figures() for part, one in sets.items()}
    figures = {"suites": suites, "all": every.figures(), "reported": reported}
    if arguments.share < 1:
        figures["share"] = arguments.share
    if arguments.write:
        accuracy_page.write(arguments.write, accuracy_page.real(figures))
    return figures


def _truth(folder: Path) -> bool:
    """Whether a folder has photographs with their truth; that of tables has a folder for each renderer."""
    return (folder / "truth.json").is_file() or any(folder.glob("*/layout.json"))


def _measured(folder: Path) -> Callable[[Path, float], dict[str, Any]]:
    """The function that measures a suite: from the folder and a share it returns the counts by set."""
    from vision.accuracy import boards, dice, figures, tables

    if folder.name in boards.BOARDS:
        return boards.measure
    if folder.name in figures.BOARDS:
        return figures.measure
    return tables.measure if folder.name == "tables" else dice.measure


def _counts(folder: Path) -> dict[str, Any]:
    """The counts of a folder without positions: found markers, or pictures."""
    from vision.accuracy import tables

    if folder.name == "aruco":
        return dict(tables.markers(folder))
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    return {"pictures": len(truth), "games": dict(Counter(known["truth"]["game"] for known in truth.values()))}
