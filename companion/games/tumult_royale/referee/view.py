"""How a State of Tumult Royale looks as a View, and how a View is read against a State."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from companion.kernel.game import Blocks
from companion.kernel.rules import SeatNo
from companion.kernel.views import UNKNOWN, Cells, Contents, Looked, Pieces, Pointing, View

from ..box import ROWS, Tile, field_names, fields_of_place
from ..state import HIDDEN, NO_SEAT, UNNAMED, State

BACK: Final = "back"
"""A goods tile lying face down, or a hidden landscape board."""
FOLLOWER: Final = "follower"
MOST_COLUMNS: Final = 4
BOARDS: Final[Blocks] = {
    "land": tuple(
        tuple(field_names(MOST_COLUMNS)[field] for field in fields_of_place(MOST_COLUMNS, place))
        for place in range(ROWS * MOST_COLUMNS)
    )
}
"""A landscape board is turned as a whole: its nine fields, in the frame for four players, which has all of them."""
_FEW: Final = ("2", "3", "4", "5", "6", "7", "8", "9")


def statues_label(colour: str, number: int) -> str:
    """What a cell with statues shows: `blue`, `blue x2`, `blue x3`."""
    return colour if number == 1 else f"{colour} x{number}"


def read_statues(label: str) -> tuple[str, int]:
    """Return colour and number of a cell's label; a label that is no group of statues counts as one piece."""
    colour, several, number = label.partition(" x")
    return (colour, int(number)) if several and number in _FEW else (label, 1)


def view(state: State) -> View:
    colours = tuple(seat.colour for seat in state.seats)
    zones: dict[str, Contents] = {
        "land": _land(state.columns, state.land),
        "statues": _statues(state.columns, colours, state.owner, state.standing),
        "chronicle": _chronicle(state.box.chronicle.fields, colours, state.chronicle, state.chronicle_statues),
        "disc": _disc(state.arrow),
        "supply": _counted(FOLLOWER, state.supply),
        "middle": _tiles(state.middle, state.hidden_middle),
        "cards": _cards(colours, state.ranks),
        "mercy": _mercy(colours, state.mercy),
    }
    for seat, colour in enumerate(colours):
        zones[f"castle {colour}"] = _tiles(state.castles[seat], state.hidden_castles[seat])
        zones[f"followers {colour}"] = _counted(FOLLOWER, state.followers[seat])
        zones[f"rack {colour}"] = _counted(colour, state.box.statues_each - state.placed[seat])
    return View(zones)


# Each zone is cached: the referee compares many positions, and they share most of their zones.

_cached = lru_cache(maxsize=4096)


@_cached
def _land(columns: int, land: tuple[str, ...]) -> Cells:
    face = {HIDDEN: BACK, UNNAMED: UNKNOWN}
    return Cells({name: face.get(kind, kind) for name, kind in zip(field_names(columns), land, strict=True)})


@_cached
def _statues(columns: int, colours: tuple[str, ...], owner: tuple[int, ...], standing: tuple[int, ...]) -> Cells:
    return Cells(
        {
            name: statues_label(colours[seat], number) if seat != NO_SEAT else None
            for name, seat, number in zip(field_names(columns), owner, standing, strict=True)
        }
    )


@_cached
def _chronicle(fields: int, colours: tuple[str, ...], kings: tuple[int, ...], statues: tuple[int, ...]) -> Cells:
    cells: dict[str, str | None] = {str(field + 1): None for field in range(fields)}
    for field, (king, number) in enumerate(zip(kings, statues, strict=True), start=1):
        cells[str(field)] = statues_label(colours[king], number)
    return Cells(cells)


@_cached
def _disc(arrow: int) -> Pointing:
    return Pointing(arrow or None)


@_cached
def _counted(label: str, number: int) -> Pieces:
    return Pieces({label: number})


@_cached
def _tiles(face_up: tuple[Tile, ...], hidden: int) -> Pieces:
    return Pieces({**Counter(face_up), BACK: hidden})


@_cached
def _cards(colours: tuple[str, ...], ranks: tuple[int, ...]) -> Cells:
    return Cells({colour: f"rank{rank}" if rank else None for colour, rank in zip(colours, ranks, strict=True)})


@_cached
def _mercy(colours: tuple[str, ...], mercy: tuple[bool, ...]) -> Cells:
    return Cells({colour: "mercy" if has else "no_mercy" for colour, has in zip(colours, mercy, strict=True)})


class Seen(Looked):
    """A View read against a State: what appeared and what is missing, zone by zone; an unseen zone says nothing."""

    def __init__(self, state: State, view: View) -> None:
        super().__init__(view)
        self.state = state

    def cells(self, zone: str) -> dict[str, str | None]:
        contents = self._zones.get(zone)
        if not isinstance(contents, Cells):
            return {}
        return {cell: label for cell, label in contents.at.items() if label != UNKNOWN}

    def rank(self, seat: SeatNo) -> int | None:
        """Return the rank on a seat's nobility card, if it can be read."""
        card = self.cells("cards").get(self.state.colour(seat)) or ""
        ranks = {f"rank{rank}": rank for rank in range(1, self.state.players + 1)}
        return ranks.get(card)

    def followers_gained(self, seat: SeatNo) -> int:
        seen = self.pieces(f"followers {self.state.colour(seat)}")
        return 0 if seen is None else seen[FOLLOWER] - self.state.followers[seat]

    def missing_tiles(self, seat: SeatNo) -> tuple[Tile, ...] | None:
        seen = self.pieces(f"castle {self.state.colour(seat)}")
        if seen is None:
            return None
        return tuple(sorted((Counter(self.state.castles[seat]) - seen).elements()))

    def new_statues(self) -> Iterator[tuple[SeatNo, int, int]]:
        """Yield seat, field and number of the statues that came to a field.

        Statues that are missing from a rack and not seen elsewhere may stand on any field that the camera cannot read.
        """
        names = field_names(self.state.columns)
        found: Counter[SeatNo] = Counter()
        for cell, label in self.cells("statues").items():
            if label is None or cell not in names:
                continue
            field = names.index(cell)
            colour, number = read_statues(label)
            seat = seat_of(self.state, colour)
            if seat is not None:
                more = number - (self.state.standing[field] if self.state.owner[field] == seat else 0)
                if more > 0:
                    found[seat] += more
                    yield seat, field, more
        unknown = [field for field, name in enumerate(names) if self._is_unknown("statues", name)]
        for seat in range(self.state.players) if unknown else ():
            missing = self._missing_from_rack(seat) - found[seat]
            if missing > 0:
                yield from ((seat, field, missing) for field in unknown if self.state.owner[field] in (NO_SEAT, seat))

    def _is_unknown(self, zone: str, cell: str) -> bool:
        contents = self._zones.get(zone)
        return isinstance(contents, Cells) and contents.at.get(cell) == UNKNOWN

    def _missing_from_rack(self, seat: SeatNo) -> int:
        colour = self.state.colour(seat)
        rack = self.pieces(f"rack {colour}")
        return 0 if rack is None else self.state.box.statues_each - self.state.placed[seat] - rack[colour]


def seat_of(state: State, colour: str) -> SeatNo | None:
    return next((number for number, seat in enumerate(state.seats) if seat.colour == colour), None)
