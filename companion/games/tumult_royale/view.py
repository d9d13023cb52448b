"""What the table should look like in a State, and a View read against a State."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

from companion.messages import UNKNOWN, Cells, Contents, Pieces, Pointing, View
from companion.rules import SeatNo

from .box import Tile, field_names
from .state import HIDDEN, NOBODY, UNNAMED, State

BACK: Final = "back"
"""A goods tile lying face down, or a hidden landscape board."""
FOLLOWER: Final = "follower"


def statues_label(colour: str, number: int) -> str:
    """What a cell with statues shows: `blue`, `blue x2`, `blue x3`."""
    return colour if number == 1 else f"{colour} x{number}"


def read_statues(label: str) -> tuple[str, int]:
    colour, _, number = label.partition(" x")
    return colour, int(number or 1)


def view(state: State) -> View:
    zones: dict[str, Contents] = {
        "land": Cells(dict(zip(field_names(state.columns), map(_face, state.land), strict=True))),
        "statues": Cells(
            {
                name: statues_label(state.colour(owner), number) if owner != NOBODY else None
                for name, owner, number in zip(field_names(state.columns), state.owner, state.standing, strict=True)
            }
        ),
        "chronicle": Cells(_chronicle_cells(state)),
        "disc": Pointing(next((number for number in reversed(state.demand) if number), None)),
        "supply": Pieces({FOLLOWER: state.supply}),
        "middle": Pieces(_tiles(state.middle, state.hidden_middle)),
        "cards": Cells({state.colour(seat): f"rank{rank}" if rank else None for seat, rank in enumerate(state.ranks)}),
        "mercy": Cells({state.colour(seat): "mercy" if has else "no_mercy" for seat, has in enumerate(state.mercy)}),
    }
    for seat, colour in enumerate(seat.colour for seat in state.seats):
        zones[f"castle {colour}"] = Pieces(_tiles(state.castles[seat], state.hidden_castles[seat]))
        zones[f"followers {colour}"] = Pieces({FOLLOWER: state.followers[seat]})
        zones[f"rack {colour}"] = Pieces({colour: state.box.statues_each - state.placed[seat]})
    return View(zones)


def _face(kind: str) -> str:
    return {HIDDEN: BACK, UNNAMED: UNKNOWN}.get(kind, kind)


def _tiles(face_up: tuple[Tile, ...], hidden: int) -> dict[str, int]:
    counts = dict(Counter(face_up))
    return {**counts, BACK: hidden} if hidden else counts


def _chronicle_cells(state: State) -> dict[str, str | None]:
    cells: dict[str, str | None] = {str(field + 1): None for field in range(state.box.chronicle.fields)}
    for field, (king, number) in enumerate(zip(state.chronicle, state.chronicle_statues, strict=True), start=1):
        cells[str(field)] = statues_label(state.colour(king), number)
    return cells


class Seen:
    """A View read against a State: what appeared and what went, zone by zone. A zone not seen says nothing."""

    def __init__(self, state: State, view: View) -> None:
        self.state = state
        self._zones = view.zones

    def pointing(self, zone: str) -> int | None:
        contents = self._zones.get(zone)
        return contents.value if isinstance(contents, Pointing) else None

    def cells(self, zone: str) -> dict[str, str | None]:
        contents = self._zones.get(zone)
        if not isinstance(contents, Cells):
            return {}
        return {cell: label for cell, label in contents.at.items() if label != UNKNOWN}

    def pieces(self, zone: str) -> Counter[str] | None:
        contents = self._zones.get(zone)
        return Counter(contents.count) if isinstance(contents, Pieces) else None

    def followers_gained(self, seat: SeatNo) -> int:
        seen = self.pieces(f"followers {self.state.colour(seat)}")
        return 0 if seen is None else seen[FOLLOWER] - self.state.followers[seat]

    def tiles_gone(self, seat: SeatNo) -> tuple[Tile, ...] | None:
        seen = self.pieces(f"castle {self.state.colour(seat)}")
        if seen is None:
            return None
        return tuple(sorted((Counter(self.state.castles[seat]) - seen).elements()))

    def new_statues(self) -> Iterator[tuple[SeatNo, int, int]]:
        """Seat, field and number of statues on fields that were free, or show other statues now."""
        names = field_names(self.state.columns)
        for cell, label in self.cells("statues").items():
            if label is None or cell not in names:
                continue
            field = names.index(cell)
            colour, number = read_statues(label)
            seat = seat_of(self.state, colour)
            if seat is not None and (self.state.owner[field], self.state.standing[field]) != (seat, number):
                yield seat, field, number


def seat_of(state: State, colour: str) -> SeatNo | None:
    return next((number for number, seat in enumerate(state.seats) if seat.colour == colour), None)
