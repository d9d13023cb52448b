"""Measures how well dice are found in a folder of photographs.

The folder's `truth.json` has, for each picture, `values`, `colours` and, if known, `dice` with their centres.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from time import process_time
from typing import Any

import cv2
import numpy as np

from vision.accuracy.suite import Suite, one_picture, thinned
from vision.dice.finder import Die, Picture, find

_SAME = {"ivory": "white", "gray": "grey"}


class NoTruth(ValueError):
    """The folder has no usable truth or pictures."""


def measure(folder: Path, part: float = 1.0) -> dict[str, Suite]:
    """Read the photographs of a folder, or a part of them, and count. A die that is not there counts as wrong."""
    suite = Suite()
    for row in evaluate(folder, part=part)["photos"]:
        things = Counter(exact=row["right"], wrong=row["wrong_value"], invented=row["false"], unknown=row["missed"])
        suite.add(one_picture(things, Counter(), Counter(), row["cpu_ms"]))
    return {"": suite}


def evaluate(folder: Path, reader: Callable[[Picture], list[Die]] = find, part: float = 1.0) -> dict[str, Any]:
    """Read every picture of the folder, or a part of them, and count.

    `dice` counts the real ones, each of which is `right`, `wrong_value` or `missed`. `false` counts dice that do not
    exist, and `colour_right` the right colours among the dice found in place. `photos` has the same for each picture.
    """
    try:
        truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise NoTruth(f"{folder} has no truth.json, so nothing can be compared there.") from None
    except json.JSONDecodeError as trouble:
        raise NoTruth(f"{folder / 'truth.json'} is not JSON: {trouble}.") from None
    rows: list[dict[str, Any]] = []
    for name in thinned(sorted(truth), part):
        image = cv2.imread(str(folder / name))
        if image is None:
            raise NoTruth(f"{folder / name} is named in truth.json but cannot be read as a picture.")
        began = process_time()
        found = reader(np.asarray(image, np.uint8))
        cpu_ms = 1000 * (process_time() - began)
        rows.append({"photo": name, "cpu_ms": cpu_ms, **_compare(truth[name], found)})
    keys = ("dice", "right", "wrong_value", "false", "missed", "colour_right", "placed")
    total: dict[str, Any] = {key: sum(row[key] for row in rows) for key in keys}
    dice = max(1, total["dice"])
    total["right_share"] = round(total["right"] / dice, 4)
    total["wrong_share"] = round((total["wrong_value"] + total["false"]) / dice, 4)
    total["colour_share"] = round(total["colour_right"] / max(1, total["placed"]), 4)
    total["photos"] = rows
    return total


def _compare(known: dict[str, Any], found: Sequence[Die]) -> dict[str, int]:
    if "dice" in known:
        return _by_place(known["dice"], found)
    return _by_value(known["values"], known.get("colours", []), found)


def _by_place(known: Sequence[dict[str, Any]], found: Sequence[Die]) -> dict[str, int]:
    """Compare dice by position: the nearest pairs first, up to half the size of a die."""
    pairs = sorted(
        (float(np.hypot(die.x - true["x"], die.y - true["y"])), i, j)
        for i, true in enumerate(known)
        for j, die in enumerate(found)
    )
    mine: dict[int, int] = {}
    for far, i, j in pairs:
        if i not in mine and j not in mine.values() and far < 0.5 * found[j].size:
            mine[i] = j
    right = sum(known[i]["value"] == found[j].value for i, j in mine.items())
    return {
        "dice": len(known),
        "right": right,
        "wrong_value": len(mine) - right,
        "false": len(found) - len(mine),
        "missed": len(known) - len(mine),
        "placed": sum("colour" in known[i] for i in mine),
        "colour_right": sum(_plain(known[i].get("colour")) == _plain(found[j].colour) for i, j in mine.items()),
    }


def _by_value(values: Sequence[int], colours: Sequence[str], found: Sequence[Die]) -> dict[str, int]:
    """Compare only the values, without positions: what is left over on both sides is a wrong value."""
    right = sum((Counter(values) & Counter(die.value for die in found)).values())
    wrong = min(len(values), len(found)) - right
    words, seen = Counter(map(_plain, colours)), Counter(_plain(die.colour) for die in found)
    return {
        "dice": len(values),
        "right": right,
        "wrong_value": wrong,
        "false": len(found) - right - wrong,
        "missed": len(values) - right - wrong,
        "placed": min(len(colours), len(found)),
        "colour_right": sum((words & seen).values()),
    }


def _plain(colour: str | None) -> str | None:
    """One word for colours that cannot be told apart."""
    return _SAME.get(colour, colour) if colour else None
