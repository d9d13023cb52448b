"""Every physical act of Tiletum, as data. A move says what was done, not whether it was allowed.

A move without a `seat` is made by chance or by the whole table. Defaults are what the rules ask for; other values are
what people really did. `off` is the deviation: how many goods and steps too many (or, negative, too few) a seat has
after a move, compared with its cost and reward, in the order five goods, points, steps on the king's track. Goods in a
move are sorted, so that equal acts are equal moves.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import force_setattr

from .box import GOODS, Figure

Deviation = tuple[int, int, int, int, int, int, int]
EXACT: Final[Deviation] = (0, 0, 0, 0, 0, 0, 0)
PointDeviations = tuple[int, ...]
"""By seat, how many points too many a marker has, if all markers are moved at once; without zeros at the end."""
NO_BUILDING: Final = -1


class LayOut(msgspec.Struct, frozen=True, tag=True):
    """Board, wheel, player boards and figures are laid out as the set-up says, before anything is drawn."""


class PutVenue(msgspec.Struct, frozen=True, tag=True):
    """A city tile shows where the fair of a round is held; round 0 is the first."""

    round: int
    city: int


class PutFair(msgspec.Struct, frozen=True, tag=True):
    """A fair tile shows what the fair of a round scores."""

    round: int
    fair: str


class PutCost(msgspec.Struct, frozen=True, tag=True):
    """A tile with building costs is laid beside a cathedral."""

    city: int
    cost: str


class PutTile(msgspec.Struct, frozen=True, tag=True):
    """A bonus tile is laid out: beside a section of the wheel, at the king's track, or in a city."""

    place: str
    tile: str


class OfferContract(msgspec.Struct, frozen=True, tag=True):
    """The top contract is turned up; place 0 is the leftmost."""

    place: int
    contract: str


class OfferGuest(msgspec.Struct, frozen=True, tag=True):
    """The top guest is turned up; place 0 is the leftmost."""

    place: int
    guest: str


class PutDie(msgspec.Struct, frozen=True, tag=True):
    """A die is drawn from the bag, rolled, and laid beside a section of the wheel."""

    section: int
    colour: str
    value: int


class Reveal(msgspec.Struct, frozen=True, tag=True):
    """A corruption marker is turned up and all markers on the king's track go back; place 0 is the leftmost."""

    place: int
    value: int


class TakeDie(msgspec.Struct, frozen=True, tag=True):
    """A die goes from the wheel to a player board."""

    seat: int
    colour: str
    value: int


class TurnDie(msgspec.Struct, frozen=True, tag=True):
    """The die just taken is turned to another value, for gold."""

    seat: int
    value: int
    off: Deviation = EXACT


class Gather(msgspec.Struct, frozen=True, tag=True):
    """The die is used: the seat takes as many goods of its colour as it shows, and gets the section's action points."""

    seat: int
    good: str
    off: Deviation = EXACT


class TakeTile(msgspec.Struct, frozen=True, tag=True):
    """The bonus tile of a section goes to the warehouse."""

    seat: int
    section: int


class Walk(msgspec.Struct, frozen=True, tag=True):
    """Architect or merchant moves to another city by the shortest way."""

    seat: int
    figure: Figure
    city: int


class PutPillar(msgspec.Struct, frozen=True, tag=True):
    """A pillar is put up in the city where the architect stands, or in any city by a bonus."""

    seat: int
    city: int


class PutHouse(msgspec.Struct, frozen=True, tag=True):
    """A house is put up in the city where the merchant stands, or in any city by a bonus; place 0 is the city's first.

    `building` is the one whose guests bring their bonuses again, if the place says so.
    """

    seat: int
    city: int
    place: int
    building: int = NO_BUILDING
    off: Deviation = EXACT


class TakeFromCity(msgspec.Struct, frozen=True, tag=True):
    """The bonus tile of the city where architect or merchant stands goes to the warehouse."""

    seat: int
    city: int
    figure: Figure


class TakeGuest(msgspec.Struct, frozen=True, tag=True):
    """A guest of the offer goes to the warehouse."""

    seat: int
    place: int


class SweepGuests(msgspec.Struct, frozen=True, tag=True):
    """All guests of the offer are put aside."""

    seat: int


class Lodge(msgspec.Struct, frozen=True, tag=True):
    """A guest moves from the warehouse into a room; building 0 is the leftmost."""

    seat: int
    guest: str
    building: int
    floor: int
    off: Deviation = EXACT


class PutMarker(msgspec.Struct, frozen=True, tag=True):
    """The marker of a finished building is laid beside a section of the wheel."""

    seat: int
    building: int
    section: int


class TakeContract(msgspec.Struct, frozen=True, tag=True):
    """A contract of the offer goes to the warehouse."""

    seat: int
    place: int


class Swap(msgspec.Struct, frozen=True, tag=True):
    """A good is exchanged for another one, or for two with the first swap of a turn."""

    seat: int
    gives: str
    gets: tuple[str, ...]
    off: Deviation = EXACT

    def __post_init__(self) -> None:
        force_setattr(self, "gets", tuple(sorted(self.gets, key=_good_number)))


def _without_trailing_zeros(deviations: PointDeviations) -> PointDeviations:
    return deviations if not deviations or deviations[-1] else _without_trailing_zeros(deviations[:-1])


def _good_number(good: str) -> int:
    return GOODS.index(good) if good in GOODS else len(GOODS)


class Advance(msgspec.Struct, frozen=True, tag=True):
    """A seat's marker goes forward on the king's track."""

    seat: int
    steps: int


class BuyGood(msgspec.Struct, frozen=True, tag=True):
    """A good is bought for gold."""

    seat: int
    good: str
    off: Deviation = EXACT


class TakeGood(msgspec.Struct, frozen=True, tag=True):
    """A good of choice is taken, which a bonus brought."""

    seat: int
    good: str


class Fulfil(msgspec.Struct, frozen=True, tag=True):
    """A contract of the warehouse is fulfilled and laid on the next field of the board.

    `good` is the one given as its identical goods, if it asks for any.
    """

    seat: int
    contract: str
    good: str = ""
    off: Deviation = EXACT


class UseHelper(msgspec.Struct, frozen=True, tag=True):
    """A helper of the warehouse is used; `building` is the one whose guests bring their bonuses again, if any do."""

    seat: int
    tile: str
    building: int = NO_BUILDING
    off: Deviation = EXACT


class PlaceCrest(msgspec.Struct, frozen=True, tag=True):
    """A crest of the warehouse is laid on a building, for food."""

    seat: int
    crest: str
    building: int
    off: Deviation = EXACT


class JoinCathedral(msgspec.Struct, frozen=True, tag=True):
    """A seat gives stone for a cathedral and takes its top tile."""

    seat: int
    city: int
    off: Deviation = EXACT


class EndTurn(msgspec.Struct, frozen=True, tag=True):
    """A seat ends its turn."""

    seat: int


class Slide(msgspec.Struct, frozen=True, tag=True):
    """The contracts of the offer slide to the right, without gaps."""


class TakeFavour(msgspec.Struct, frozen=True, tag=True):
    """The leader takes a bonus tile of the king's track."""

    seat: int
    place: int = 0


class DropFavour(msgspec.Struct, frozen=True, tag=True):
    """The leader discards a bonus tile of the king's track."""

    seat: int
    place: int = 0


class ScoreCrown(msgspec.Struct, frozen=True, tag=True):
    """All seats get the points of their fields on the king's track."""

    astray: PointDeviations = ()

    def __post_init__(self) -> None:
        force_setattr(self, "astray", _without_trailing_zeros(self.astray))


class SetOrder(msgspec.Struct, frozen=True, tag=True):
    """The order of play follows the king's track; markers behind the start go back to it."""


class HoldFair(msgspec.Struct, frozen=True, tag=True):
    """The fair of the round is scored."""

    astray: PointDeviations = ()

    def __post_init__(self) -> None:
        force_setattr(self, "astray", _without_trailing_zeros(self.astray))


class TidyUp(msgspec.Struct, frozen=True, tag=True):
    """Dice go back into the bag, corruption markers are laid out again, and the wheel is turned."""


Move = (
    LayOut
    | PutVenue
    | PutFair
    | PutCost
    | PutTile
    | OfferContract
    | OfferGuest
    | PutDie
    | Reveal
    | TakeDie
    | TurnDie
    | Gather
    | TakeTile
    | Walk
    | PutPillar
    | PutHouse
    | TakeFromCity
    | TakeGuest
    | SweepGuests
    | Lodge
    | PutMarker
    | TakeContract
    | Swap
    | Advance
    | BuyGood
    | TakeGood
    | Fulfil
    | UseHelper
    | PlaceCrest
    | JoinCathedral
    | EndTurn
    | Slide
    | TakeFavour
    | DropFavour
    | ScoreCrown
    | SetOrder
    | HoldFair
    | TidyUp
)
