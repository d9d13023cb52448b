"""What is drawn on a table besides its zones: boards, roads between zones, names. Nothing is read by it."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping

import msgspec

Point = tuple[float, float]
Rect = tuple[float, float, float, float]
"""Left, top, right and bottom."""


class Drawing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Boards, lines from the middle of one zone to that of another, and words, all in one paint.

    `size` is how thick lines are and how high words. `only` names what a table must have chosen for this to be there:
    of a board with two sides, the one that lies up.
    """

    paint: str = "natural"
    rects: tuple[Rect, ...] = ()
    lines: tuple[tuple[str, str], ...] = ()
    words: dict[str, Point] = {}
    size: float = 6.0
    only: dict[str, str] = {}

    def chosen(self, options: Mapping[str, object]) -> bool:
        return all(options.get(option) == value for option, value in self.only.items())

    def problems(self, zones: Collection[str]) -> Iterator[str]:
        for name in dict.fromkeys(end for line in self.lines for end in line if end not in zones):
            yield f"a line is drawn to zone {name!r}, which the layout does not have"
        if any(left >= right or top >= bottom for left, top, right, bottom in self.rects):
            yield "a drawn rectangle has no size"
