"""Every physical act of Tumult Royale, as data: what was done, not whether it was allowed.

A move without a `seat` belongs to chance or to the whole table. Defaults are what the rules ask for; other values
describe mistakes, such as two tiles at once, both hands, or too many followers. Tiles, areas and seats in a move are
sorted, so that equal acts are equal moves.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import force_setattr

from .box import Tile

MIDDLE: Final = -1
"""The middle of the table, where a seat's number would name a castle."""
OWN: Final = -1
"""The seat's own castle, where a seat's number would name another."""
UNKNOWN_SEAT: Final = -1
"""Stands for a seat that was not seen: one of those who have not set tiles aside yet."""


class LayOut(msgspec.Struct, frozen=True, tag=True):
    """The table is laid out as the set-up says."""


class DealCard(msgspec.Struct, frozen=True, tag=True):
    """A seat takes the top nobility card; chance decides which one."""

    seat: int
    rank: int


class ShowBoard(msgspec.Struct, frozen=True, tag=True):
    """A face-up board is recognised: its name, and its clockwise quarter turns."""

    place: int
    board: str
    turn: int


class ShowField(msgspec.Struct, frozen=True, tag=True):
    """One field of a face-up board that the box does not hold."""

    field: int
    kind: str


class FirstStatue(msgspec.Struct, frozen=True, tag=True):
    """A seat puts its first statue on a field."""

    seat: int
    field: int


class Spin(msgspec.Struct, frozen=True, tag=True):
    """The disc's arrow stops in an area, or on the line between two; `good` is used by the gamblers' variant only."""

    seat: int
    areas: tuple[int, ...]
    good: str = ""

    def __post_init__(self) -> None:
        force_setattr(self, "areas", tuple(sorted(self.areas)))


class ForgetSpin(msgspec.Struct, frozen=True, tag=True):
    """In the gamblers' variant the spin for a good is left out."""

    good: str


class SetAside(msgspec.Struct, frozen=True, tag=True):
    """A seat takes face-down tiles out of this round; missing tiles do not show which seat took them."""

    seat: int = UNKNOWN_SEAT
    tiles: int = 3


class Ready(msgspec.Struct, frozen=True, tag=True):
    """A seat is ready for the raid."""

    seat: int


class StartRaid(msgspec.Struct, frozen=True, tag=True):
    """The king starts the raid."""

    seat: int


class Look(msgspec.Struct, frozen=True, tag=True):
    """A seat looks at a tile of the middle, or of a castle, and puts it back."""

    seat: int
    source: int = MIDDLE
    tiles: int = 1
    hands: int = 1


class Rob(msgspec.Struct, frozen=True, tag=True):
    """A seat lays a tile of the middle, or of another castle, face down on its own castle."""

    seat: int
    source: int = MIDDLE
    tiles: int = 1
    hands: int = 1


class PutBack(msgspec.Struct, frozen=True, tag=True):
    """A seat moves a tile from its castle back to the middle."""

    seat: int


class Stop(msgspec.Struct, frozen=True, tag=True):
    """The raid's time is up; `holding` are the seats with a tile in hand at that moment."""

    holding: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        force_setattr(self, "holding", tuple(sorted(self.holding)))


class LayDown(msgspec.Struct, frozen=True, tag=True):
    """After the stop a seat lays the tile in its hand on its castle (`keep`) or back in the middle."""

    seat: int
    keep: bool


class TurnUp(msgspec.Struct, frozen=True, tag=True):
    """A tile in the middle or on a castle is turned face up."""

    place: int
    tile: Tile


class Atone(msgspec.Struct, frozen=True, tag=True):
    """The greediest seat suffers a tumult: it gives back tiles of the good, and followers."""

    seat: int
    good: str
    tiles: tuple[Tile, ...]
    followers: int

    def __post_init__(self) -> None:
        force_setattr(self, "tiles", tuple(sorted(self.tiles)))


class Place(msgspec.Struct, frozen=True, tag=True):
    """A seat puts statues on a field, pays with tiles of its castle, and takes followers for the overpaid goods."""

    seat: int
    field: int
    tiles: tuple[Tile, ...]
    statues: int
    followers: int
    source: int = OWN

    def __post_init__(self) -> None:
        force_setattr(self, "tiles", tuple(sorted(self.tiles)))
        if self.source == self.seat:
            force_setattr(self, "source", OWN)


class Pass(msgspec.Struct, frozen=True, tag=True):
    """A seat passes instead of placing statues."""

    seat: int


class TakeConsolation(msgspec.Struct, frozen=True, tag=True):
    """A seat takes followers because it could not place any statue in this phase."""

    seat: int
    followers: int


class GiveBack(msgspec.Struct, frozen=True, tag=True):
    """A seat returns its unused tiles to the middle."""

    seat: int


class Exchange(msgspec.Struct, frozen=True, tag=True):
    """A seat takes the nobility card of a rank and gives its own for it."""

    seat: int
    rank: int


class Crown(msgspec.Struct, frozen=True, tag=True):
    """The king pays followers and puts statues on the chronicle."""

    seat: int
    followers: int
    statues: int


class Uncover(msgspec.Struct, frozen=True, tag=True):
    """The king turns up a hidden board."""

    seat: int
    place: int


class TurnMercy(msgspec.Struct, frozen=True, tag=True):
    """A seat turns its mercy card over."""

    seat: int


class Mix(msgspec.Struct, frozen=True, tag=True):
    """All goods tiles go face down to the middle for the next round."""


Move = (
    LayOut
    | DealCard
    | ShowBoard
    | ShowField
    | FirstStatue
    | Spin
    | ForgetSpin
    | SetAside
    | Ready
    | StartRaid
    | Look
    | Rob
    | PutBack
    | Stop
    | LayDown
    | TurnUp
    | Atone
    | Place
    | Pass
    | TakeConsolation
    | GiveBack
    | Exchange
    | Crown
    | Uncover
    | TurnMercy
    | Mix
)
