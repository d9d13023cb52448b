"""Every physical act of Tumult Royale, as data. What was done is a fact; whether it was allowed is not said here.

A move without a `seat` is chance's or the table's. Defaults are what the rules ask for; other values are
what somebody really did (two tiles at once, both hands, too many followers). Tiles, areas and seats in a
move are kept in order, so that equal acts are equal moves.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import force_setattr

from .box import Tile

MIDDLE: Final = -1
"""The middle of the table, where a seat's number would name a castle."""
OWN: Final = -1
"""One's own castle, where a seat's number would name another."""
SOMEBODY: Final = -1
"""One of those who have not done it yet: nobody saw who."""


class LayOut(msgspec.Struct, frozen=True, tag=True):
    """Everything lies on the table as the set-up says."""


class DealCard(msgspec.Struct, frozen=True, tag=True):
    """A seat takes the top nobility card: chance says which."""

    seat: int
    rank: int


class ShowBoard(msgspec.Struct, frozen=True, tag=True):
    """A board that lies face up is recognised: which one, and turned how far (quarter turns clockwise)."""

    place: int
    board: str
    turn: int


class ShowField(msgspec.Struct, frozen=True, tag=True):
    """One field of a face-up board that the box does not know."""

    field: int
    kind: str


class FirstStatue(msgspec.Struct, frozen=True, tag=True):
    seat: int
    field: int


class Spin(msgspec.Struct, frozen=True, tag=True):
    """The disc's arrow has come to rest in an area, or on the line between two. `good` only for gamblers."""

    seat: int
    areas: tuple[int, ...]
    good: str = ""

    def __post_init__(self) -> None:
        force_setattr(self, "areas", tuple(sorted(self.areas)))


class ForgetSpin(msgspec.Struct, frozen=True, tag=True):
    """Gamblers go on without the spin for a good."""

    good: str


class SetAside(msgspec.Struct, frozen=True, tag=True):
    """A seat takes face-down tiles out of this round. Tiles that are gone do not say who took them."""

    seat: int = SOMEBODY
    tiles: int = 3


class Ready(msgspec.Struct, frozen=True, tag=True):
    seat: int


class StartRaid(msgspec.Struct, frozen=True, tag=True):
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
    """A seat takes a tile from its castle back to the middle."""

    seat: int


class Stop(msgspec.Struct, frozen=True, tag=True):
    """The time is up; `holding` are the seats with a tile in hand at that moment."""

    holding: tuple[int, ...] = ()

    def __post_init__(self) -> None:
        force_setattr(self, "holding", tuple(sorted(self.holding)))


class LayDown(msgspec.Struct, frozen=True, tag=True):
    """After the stop a seat lays the tile in its hand on its castle (`keep`) or back."""

    seat: int
    keep: bool


class TurnUp(msgspec.Struct, frozen=True, tag=True):
    """A tile in the middle or on a castle is turned face up."""

    place: int
    tile: Tile


class Atone(msgspec.Struct, frozen=True, tag=True):
    """A seat suffers a tumult: gives back tiles of the good, and followers."""

    seat: int
    good: str
    tiles: tuple[Tile, ...]
    followers: int

    def __post_init__(self) -> None:
        force_setattr(self, "tiles", tuple(sorted(self.tiles)))


class Place(msgspec.Struct, frozen=True, tag=True):
    """A seat puts statues on a field, pays tiles of its castle, and takes followers for what it overpaid."""

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
    seat: int


class TakeConsolation(msgspec.Struct, frozen=True, tag=True):
    seat: int
    followers: int


class GiveBack(msgspec.Struct, frozen=True, tag=True):
    """A seat returns the tiles it could not use."""

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
