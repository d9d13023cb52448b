"""Every physical act of The Council of Four, as data. What was done is a fact; whether it was allowed is not said here.

A move without a `seat` is chance's or the table's. Defaults are what the rules ask for; other values are what somebody
really did. `off` says by how much somebody's markers and assistants are off after a move, compared with what it costs
and brings: gold, points, assistants, nobility; positive is too much. Cards in a move are kept in order, so that equal
acts are equal moves.
"""

from __future__ import annotations

from typing import Final

import msgspec
from msgspec.structs import force_setattr

Off = tuple[int, int, int, int]
EXACT: Final[Off] = (0, 0, 0, 0)
HERE: Final = -1
"""The city that is built in, where a number would name another."""
UNSEEN: Final = "unseen"
"""A card that was laid down and put away before anybody could see what it was; it was no joker."""
ENTERS: Final = 0
FALLS: Final = 3
"""Where a councillor is pushed in, and where one falls out."""


class LayOut(msgspec.Struct, frozen=True, tag=True):
    """Boards, king, tiles, markers and hands are as the set-up says; chance has laid nothing out yet."""


class PutToken(msgspec.Struct, frozen=True, tag=True):
    """A reward token is laid in a city."""

    city: int
    token: str


class PutCouncillor(msgspec.Struct, frozen=True, tag=True):
    """A councillor is stood on a balcony; place 0 is the leftmost."""

    council: int
    place: int
    colour: str


class TurnUp(msgspec.Struct, frozen=True, tag=True):
    """The top permit of a region's stack is turned up. Places 0 and 1 are the coast's, then hills and mountains."""

    place: int
    permit: str


class DrawNeutral(msgspec.Struct, frozen=True, tag=True):
    """Before a game for two, a permit is drawn whose cities get emporiums of an unused colour: the first of them in the
    order of the box, or the next."""

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
    off: Off = EXACT


class BuyPermit(msgspec.Struct, frozen=True, tag=True):
    """A main action: a region's council is bribed with cards and gold, and one of its open permits taken."""

    seat: int
    place: int
    cards: tuple[str, ...]
    off: Off = EXACT

    def __post_init__(self) -> None:
        force_setattr(self, "cards", tuple(sorted(self.cards)))


class BuildWithKing(msgspec.Struct, frozen=True, tag=True):
    """A main action: the king's council is bribed, the king travels, and an emporium is built where he stays."""

    seat: int
    city: int
    cards: tuple[str, ...]
    king: int = HERE
    off: Off = EXACT

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
    off: Off = EXACT


class Hire(msgspec.Struct, frozen=True, tag=True):
    """A quick action: gold for an assistant."""

    seat: int
    off: Off = EXACT


class Swap(msgspec.Struct, frozen=True, tag=True):
    """A quick action: the open permits of a region go under their stack.

    `unseen`: those that were missing had been turned up, and went with the others before anybody saw what they were.
    """

    seat: int
    region: int
    off: Off = EXACT
    unseen: bool = False


class Send(msgspec.Struct, frozen=True, tag=True):
    """A quick action: an assistant is sent, and a councillor pushed into a council."""

    seat: int
    council: int
    colour: str
    enters: int = ENTERS
    falls: int = FALLS
    off: Off = EXACT


class BuyAction(msgspec.Struct, frozen=True, tag=True):
    """A quick action: assistants for another main action."""

    seat: int
    off: Off = EXACT


class CopyToken(msgspec.Struct, frozen=True, tag=True):
    """Fields II and VIII of the nobility track: the bonus of a token in a city of one's own."""

    seat: int
    city: int
    off: Off = EXACT


class TakeFree(msgspec.Struct, frozen=True, tag=True):
    """Field V of the nobility track: an open permit for nothing."""

    seat: int
    place: int
    off: Off = EXACT


class CopyPermit(msgspec.Struct, frozen=True, tag=True):
    """Field VII of the nobility track: the bonus of one of one's own permits."""

    seat: int
    permit: str
    off: Off = EXACT


class Decline(msgspec.Struct, frozen=True, tag=True):
    """Nobody must take the free permit of field V."""

    seat: int


class TakeBonus(msgspec.Struct, frozen=True, tag=True):
    """A bonus tile, or the top royal reward (`kings_reward`), is taken by itself. What is due comes with building."""

    seat: int
    tile: str


class Sweep(msgspec.Struct, frozen=True, tag=True):
    """The cards of the last bribe are put on the pile of cards laid down, where nobody sees them any more."""


class EndTurn(msgspec.Struct, frozen=True, tag=True):
    """A seat is done, and the next one draws a card."""

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
