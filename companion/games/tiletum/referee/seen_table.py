"""A View read against a State: what appeared and what is missing, zone by zone; an unseen zone says nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property
from typing import Final

from companion.kernel.rules import SeatNo
from companion.kernel.views import UNKNOWN, Cells, Looked, Pieces, View, differences

from ..box import ACTIONS, GOODS
from ..components import city_names
from ..moves import Deviation
from ..state import State
from .view import house_cell, room_cell
from .view import view as should_be

DIE = "die "
NOTHING: Final[Counter[str]] = Counter()
OWN = ("goods", "warehouse", "dice", "rooms", "crests", "fields", "pillars", "roofs", "markers", "stock", "honours")
"""The zones of a player board."""


class Seen(Looked):
    """A View of the table beside the State of the game."""

    def __init__(self, state: State, view: View) -> None:
        super().__init__(view)
        self.state = state

    @cached_property
    def changed(self) -> frozenset[str]:
        """The zones that have changed."""
        return frozenset(differences(self.view, should_be(self.state)))

    # Cells

    def numbered(self, zone: str, number: int) -> str | None:
        """Return what lies on a place counted from 0."""
        return self.cell(zone, str(number + 1))

    def gone(self, zone: str, cell: str, had: str) -> bool:
        """Whether what lay in a cell seems to be gone."""
        return bool(had) and self.cell(zone, cell) not in (had, UNKNOWN)

    def house(self, city: int, place: int) -> str | None:
        return self.cell("houses", house_cell(city_names(self.state.box)[city], place))

    def room(self, seat: SeatNo, building: int, floor: int) -> str | None:
        return self.cell(f"rooms {self.state.colour(seat)}", room_cell(building, floor))

    def all_readable(self, zone: str) -> bool:
        """Whether everything in a zone of cells can be read."""
        contents = self._zones.get(zone)
        return isinstance(contents, Cells) and UNKNOWN not in contents.at.values()

    # Loose pieces

    def city(self, city: int) -> Counter[str] | None:
        return self.pieces(f"city {city_names(self.state.box)[city]}")

    def figure(self, seat: SeatNo, figure: str) -> int | None:
        """Return the city where a seat's figure stands, if it can be seen."""
        label = f"{self.state.colour(seat)} {figure}"
        for city, name in enumerate(city_names(self.state.box)):
            contents = self._zones.get(f"city {name}")
            if isinstance(contents, Pieces) and contents.count.get(label):
                return city
        return None

    def gained(self, zone: str) -> Counter[str]:
        """Return the loose pieces of which a zone shows more than expected."""
        seen = self.pieces(zone) if zone in self.changed else None
        return NOTHING if seen is None else seen - self._expected(zone)

    def lost(self, zone: str) -> Counter[str]:
        """Return the loose pieces of which a zone shows fewer than expected."""
        seen = self.pieces(zone) if zone in self.changed else None
        return NOTHING if seen is None else self._expected(zone) - seen

    def _expected(self, zone: str) -> Counter[str]:
        contents = should_be(self.state).zones.get(zone)
        return Counter(contents.count) if isinstance(contents, Pieces) else Counter()

    def dice_on_wheel(self) -> Iterator[tuple[int, str, int]]:
        """Yield section, colour and value of dice that were not beside the wheel before."""
        for section, name in enumerate(ACTIONS):
            for label, number in sorted(self.gained(f"wheel {name}").items()):
                for _ in range(number):
                    colour, value = die_of(label)
                    yield section, colour, value

    def dice_gone(self) -> Iterator[tuple[str, int]]:
        """Yield colour and value of dice that are no longer beside the wheel."""
        for name in ACTIONS:
            yield from map(die_of, sorted(self.lost(f"wheel {name}")))

    # What a seat has

    def more(self, what: str, seat: SeatNo) -> int:
        """Return how many more goods, points or steps a seat has than the state says; 0 if not seen."""
        colour = self.state.colour(seat)
        if what in GOODS:
            seen = self.pieces(f"goods {colour}")
            return 0 if seen is None else seen[what] - self.state.has(seat, GOODS.index(what))
        field = self.mark("crown" if what == "steps" else "points", colour)
        if field is None:
            return 0
        if what == "steps":
            return field - self.state.crown[seat]
        length = self.state.box.tracks.points + 1
        return (field - self.state.points[seat] + length // 2) % length - length // 2

    def deviation(self, after: State, seat: SeatNo) -> Deviation:
        """Return how far a seat is from where a move would lead."""
        seen = Seen(after, View(self._zones))
        gold, food, wool, stone, iron = (seen.more(good, seat) for good in GOODS)
        return gold, food, wool, stone, iron, seen.more("points", seat), seen.more("steps", seat)

    def changed_for(self, seat: SeatNo) -> bool:
        """Whether anything that belongs to a seat has changed."""
        colour = self.state.colour(seat)
        if any(f"{sort} {colour}" in self.changed for sort in OWN):
            return True
        return any(self.more(what, seat) for what in ("points", "steps")) or any(
            self.figure(seat, figure) not in (None, where)
            for figure, where in (
                ("architect", self.state.architects[seat]),
                ("merchant", self.state.merchants[seat]),
            )
        )


def die_of(label: str) -> tuple[str, int]:
    """Return colour and value of a die's label; no colour if it is not a die."""
    colour, _, value = label.removeprefix(DIE).rpartition(" ")
    return (colour, int(value)) if label.startswith(DIE) and value.isdecimal() else ("", 0)
