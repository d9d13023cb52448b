"""What is counted while a suite of pictures is read: things, empty places, untaught labels, and CPU time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from math import ceil
from statistics import median
from typing import Any

import msgspec


class Suite(msgspec.Struct):
    """The counts of one suite, or of a part of it.

    A thing or an empty place is `exact`, `wrong` or `unknown`; a thing that is told and is not there is `invented`, and
    that is wrong, too. A thing whose label no teaching picture shows is
    counted in `untaught` alone, and one whose label was left out on purpose in `left_out`: both are `told` or not.
    """

    pictures: int = 0
    whole: int = 0  # pictures in which every thing and every empty place is exact, and nothing untaught is told
    things: Counter[str] = msgspec.field(default_factory=Counter)
    empty: Counter[str] = msgspec.field(default_factory=Counter)
    untaught: Counter[str] = msgspec.field(default_factory=Counter)
    left_out: Counter[str] = msgspec.field(default_factory=Counter)
    cpu_ms: list[float] = msgspec.field(default_factory=list)

    def add(self, other: Suite) -> None:
        self.pictures += other.pictures
        self.whole += other.whole
        self.things += other.things
        self.empty += other.empty
        self.untaught += other.untaught
        self.left_out += other.left_out
        self.cpu_ms += other.cpu_ms

    def figures(self) -> dict[str, Any]:
        """The counts as shares, for JSON."""
        empty = self.empty.total()
        things = self.things.total() - self.things["invented"]
        return {
            "pictures": self.pictures,
            "things": things,
            "exact": share(self.things["exact"], things),
            "wrong": share(self.things["wrong"] + self.things["invented"], things),
            "unknown": share(self.things["unknown"], things),
            "empty": {
                "things": empty,
                "exact": share(self.empty["exact"], empty),
                "false": share(self.empty["wrong"], empty),
            },
            "untaught": {"things": self.untaught.total(), "told": self.untaught["told"]},
            "left_out": {"things": self.left_out.total(), "told": self.left_out["told"]},
            "untaught_told": self.untaught["told"] + self.left_out["told"],
            "whole": share(self.whole, self.pictures),
            "cpu_ms": {"p50": round(median(self.cpu_ms or [0.0]), 1), "p95": round(_most(self.cpu_ms), 1)},
        }


def one_picture(things: Counter[str], empty: Counter[str], untaught: Counter[str], cpu_ms: float) -> Suite:
    """The counts of one picture; whether all of it is exact follows from them."""
    seen = things + empty
    flawless = not (seen["wrong"] or seen["invented"] or seen["unknown"] or untaught["told"])
    return Suite(1, int(flawless), things, empty, untaught, Counter(), [cpu_ms])


def share(part: int, whole: int) -> float:
    return round(part / max(1, whole), 5)


def thinned(names: Sequence[str], part: float) -> list[str]:
    """A share of these names, evenly spread and never none."""
    return [names[int(number / part)] for number in range(ceil(len(names) * part))]


def _most(values: Sequence[float]) -> float:
    """The value that 95 of 100 do not exceed."""
    return sorted(values)[ceil(0.95 * len(values)) - 1] if values else 0.0
