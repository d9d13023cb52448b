"""Hands that move pieces on a table, as arithmetic on Views: no rule is asked, only whether a hand could."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from companion.kernel.messages import UNKNOWN, Cells, Contents, Marks, Pieces, Pointing, View


class Impossible(Exception):
    """No hand could do this; the message says what is missing."""


class Hands:
    """Takes pieces off a table and puts them down again. What was taken is in the hand until it is put somewhere."""

    def __init__(self, table: View) -> None:
        self._zones: dict[str, Contents] = dict(table.zones)
        self.held: Counter[str] = Counter()

    @property
    def view(self) -> View:
        """The table as it lies now; what is in the hand lies nowhere."""
        return View(dict(self._zones))

    def count(self, zone: str, label: str) -> int:
        return self._loose(zone).get(label, 0)

    def labels(self, zone: str) -> Mapping[str, int]:
        """All loose pieces of a zone."""
        return dict(self._loose(zone))

    def cell(self, zone: str, cell: str) -> str | None:
        cells = self._cells(zone)
        if cell not in cells:
            raise Impossible(f"{zone} has no place {cell}.")
        return cells[cell]

    def take(self, zone: str, label: str, number: int = 1) -> None:
        """Lift loose pieces into the hand."""
        lying = self.count(zone, label)
        if not 0 <= number <= lying:
            raise Impossible(f"{number} of {label} cannot be taken from {zone}, where {lying} lie.")
        self._lay(zone, label, lying - number)
        self.held[label] += number

    def put(self, zone: str, label: str, number: int = 1) -> None:
        """Lay down loose pieces that are in the hand."""
        self._spend(label, number)
        self._lay(zone, label, self.count(zone, label) + number)

    def carry(self, source: str, to: str, label: str, number: int = 1) -> None:
        self.take(source, label, number)
        self.put(to, label, number)

    def bring(self, label: str, number: int = 1) -> None:
        """Pieces from beside the table come into the hand."""
        self.held[label] += number

    def put_away(self, label: str, number: int = 1) -> None:
        """Pieces in the hand go beside the table, where nobody looks."""
        self._spend(label, number)

    def take_cell(self, zone: str, cell: str, piece: str = "", number: int = 1) -> str:
        """Lift what lies in a cell into the hand, where it is so many pieces, and say what the cell showed."""
        label = self.cell(zone, cell)
        if label is None or label == UNKNOWN:
            raise Impossible(f"Nothing can be taken from {zone} {cell}.")
        self._set_cell(zone, cell, None)
        self.held[piece or label] += number
        return label

    def put_cell(self, zone: str, cell: str, label: str, piece: str = "", number: int = 1) -> None:
        """Put pieces of the hand into an empty cell; `label` is what the cell then shows."""
        if self.cell(zone, cell) is not None:
            raise Impossible(f"{zone} {cell} is not empty.")
        self._spend(piece or label, number)
        self._set_cell(zone, cell, label)

    def flip(self, zone: str, was: str, shows: str, number: int = 1) -> None:
        """Turn loose pieces over where they lie."""
        self.take(zone, was, number)
        self.turn_in_hand(was, shows, number)
        self.put(zone, shows, number)

    def flip_cell(self, zone: str, cell: str, shows: str) -> None:
        """Turn over what lies in a cell."""
        if self.cell(zone, cell) is None:
            raise Impossible(f"Nothing lies in {zone} {cell} to be turned.")
        self._set_cell(zone, cell, shows)

    def turn_in_hand(self, was: str, shows: str, number: int = 1) -> None:
        self._spend(was, number)
        self.held[shows] += number

    def swap_cells(self, zone: str, one: str, other: str) -> None:
        first, second = self.take_cell(zone, one), self.take_cell(zone, other)
        self.put_cell(zone, one, second)
        self.put_cell(zone, other, first)

    def point(self, zone: str, value: int) -> None:
        if not isinstance(self._zones.get(zone), Pointing):
            raise Impossible(f"{zone} has nothing that points.")
        self._zones[zone] = Pointing(value)

    def _loose(self, zone: str) -> dict[str, int]:
        contents = self._zones.get(zone)
        if not isinstance(contents, Pieces):
            raise Impossible(f"{zone} has no loose pieces.")
        return contents.count

    def _cells(self, zone: str) -> dict[str, str | None]:
        contents = self._zones.get(zone)
        if not isinstance(contents, Cells):
            raise Impossible(f"{zone} has no cells.")
        return contents.at

    def _lay(self, zone: str, label: str, number: int) -> None:
        count = {name: lying for name, lying in self._loose(zone).items() if name != label}
        self._zones[zone] = Pieces({**count, label: number})

    def _set_cell(self, zone: str, cell: str, label: str | None) -> None:
        self._zones[zone] = Cells({**self._cells(zone), cell: label})

    def _spend(self, label: str, number: int) -> None:
        if not 0 <= number <= self.held[label]:
            raise Impossible(f"{number} of {label} cannot be put down: {self.held[label]} are in the hand.")
        self.held[label] -= number


def changed_zones(before: View, after: View) -> tuple[str, ...]:
    """The zones that do not lie as they did, in the order of the table."""
    was = before.zones
    return tuple(zone for zone, contents in after.zones.items() if was[zone] is not contents and was[zone] != contents)


def same_table(one: View, other: View) -> bool:
    return not changed_zones(one, other)


def pieces_in(contents: Contents) -> int:
    """How many pieces lie here, cell by cell or counted."""
    match contents:
        case Pieces(count=count):
            return sum(count.values())
        case Cells(at=cells):
            return sum(label is not None for label in cells.values())
        case Marks(field=field):
            return len(field)
        case Pointing():
            return 0
