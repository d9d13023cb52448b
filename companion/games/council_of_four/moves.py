"""Every physical act of The Council of Four, as data: what was done, not whether it was allowed.

A move without a `seat` belongs to chance or to the whole table. Defaults are what the rules ask for; other values
describe mistakes. `off` is the deviation of the seat's markers and assistants from what the move costs and brings.
Cards in a move are sorted, so that equal acts are equal moves.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import force_setattr

Deviation = tuple[int, int, int, int]
"""By how much a seat's gold, points, assistants and nobility differ from what a move should leave; positive is too
much."""
EXACT: Final[Deviation] = (0, 0, 0, 0)
HERE: Final = -1
"""The city of the new emporium, where a number would name another."""
UNSEEN_CARD: Final = "unseen"
"""A card, not a joker, that was laid down and put away before it could be seen."""
ENTERS: Final = 0
"""The place of a balcony where a councillor is pushed in."""
FALLS: Final = 3
"""The place of a balcony where a councillor falls out."""


class LayOut(msgspec.Struct, frozen=True, tag=True):
    """Boards, king, tiles, markers and hands are set up; what chance decides is still missing."""


class PutToken(msgspec.Struct, frozen=True, tag=True):
    """A reward token is laid in a city."""

    city: int
    token: str


class PutCouncillor(msgspec.Struct, frozen=True, tag=True):
    """A councillor is put on a balcony; place 0 is the leftmost."""

    council: int
    place: int
    colour: str


class TurnUp(msgspec.Struct, frozen=True, tag=True):
    """The top permit of a region's stack is turned up; places 0 and 1 are the coast's, then hills and mountains."""

    place: int
    permit: str


class DrawNeutral(msgspec.Struct, frozen=True, tag=True):
    """Before a game for two, a permit is drawn whose cities get emporiums of an unused colour; `unused` is its place in
    the order of unused colours."""

    region: int
    permit: str
    unused: int = 0


class Elect(msgspec.Struct, frozen=True, tag=True):
    """A main action: a councillor of the pool is pushed into a council."""

    seat: int
    council: int
    colour: str
    enters: int = ENTERS
    falls: int = FALLS
    off: Deviation = EXACT


class BuyPermit(msgspec.Struct, frozen=True, tag=True):
    """A main action: a region's council is bribed with cards and gold, and one of its open permits is taken."""

    seat: int
    place: int
    cards: tuple[str, ...]
    off: Deviation = EXACT

    def __post_init__(self) -> None:
        force_setattr(self, "cards", tuple(sorted(self.cards)))


class BuildWithKing(msgspec.Struct, frozen=True, tag=True):
    """A main action: the king's council is bribed, the king travels, and an emporium is built in the city where he
    stops."""

    seat: int
    city: int
    cards: tuple[str, ...]
    king: int = HERE
    off: Deviation = EXACT

    def __post_init__(self) -> None:
        force_setattr(self, "cards", tuple(sorted(self.cards)))
        if self.king == self.city:
            force_setattr(self, "king", HERE)


class Build(msgspec.Struct, frozen=True, tag=True):
    """A main action: an emporium is built with a permit, which is turned over."""

    seat: int
    permit: str
    city: int
    turned: bool = True
    off: Deviation = EXACT


class Hire(msgspec.Struct, frozen=True, tag=True):
    """A quick action: gold for an assistant."""

    seat: int
    off: Deviation = EXACT


class Swap(msgspec.Struct, frozen=True, tag=True):
    """A quick action: the open permits of a region go under their stack.

    With `unseen`, missing permits had been turned up before, and went under the stack before they were seen.
    """

    seat: int
    region: int
    off: Deviation = EXACT
    unseen: bool = False


class Send(msgspec.Struct, frozen=True, tag=True):
    """A quick action: an assistant is sent back, and a councillor is pushed into a council."""

    seat: int
    council: int
    colour: str
    enters: int = ENTERS
    falls: int = FALLS
    off: Deviation = EXACT


class BuyAction(msgspec.Struct, frozen=True, tag=True):
    """A quick action: assistants for another main action."""

    seat: int
    off: Deviation = EXACT


class CopyToken(msgspec.Struct, frozen=True, tag=True):
    """Fields II and VIII of the nobility track: the bonus of a token in a city with an own emporium."""

    seat: int
    city: int
    off: Deviation = EXACT


class TakeFree(msgspec.Struct, frozen=True, tag=True):
    """Field V of the nobility track: an open permit without a price."""

    seat: int
    place: int
    off: Deviation = EXACT


class CopyPermit(msgspec.Struct, frozen=True, tag=True):
    """Field VII of the nobility track: the bonus of one of the seat's own permits."""

    seat: int
    permit: str
    off: Deviation = EXACT


class Decline(msgspec.Struct, frozen=True, tag=True):
    """The free permit of field V is declined."""

    seat: int


class TakeBonus(msgspec.Struct, frozen=True, tag=True):
    """A bonus tile, or the top royal reward (`kings_reward`), is taken alone; those that are due come with building."""

    seat: int
    tile: str


class Sweep(msgspec.Struct, frozen=True, tag=True):
    """The cards of the last bribe are put on the pile of used cards, where they are no longer seen."""


class EndTurn(msgspec.Struct, frozen=True, tag=True):
    """A seat ends its turn, and the next seat draws a card."""

    seat: int


Move = (
    LayOut
    | PutToken
    | PutCouncillor
    | TurnUp
    | DrawNeutral
    | Elect
    | BuyPermit
    | BuildWithKing
    | Build
    | Hire
    | Swap
    | Send
    | BuyAction
    | CopyToken
    | TakeFree
    | CopyPermit
    | Decline
    | TakeBonus
    | Sweep
    | EndTurn
)
