"""Every physical act of the game, as data. A move says what was done, not whether it was allowed.

A move without a `seat` is made by chance or by the whole table. Defaults are what the rules ask for; other values are
what people really did. `off` is the deviation: how many goods, steps and papers too many (or, negative, too few) a seat
has after a move, compared with its cost and reward, in the order ink, gold, stone, silver, steps of corruption, steps
of virtue, unpaid debts, acquired deeds. `pays` is what is given besides symbols: ink, gold, stone, silver. Segments,
spaces, sections and plots are counted from 0.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

Goods = tuple[int, int, int, int]
FREE: Final[Goods] = (0, 0, 0, 0)
Deviation = tuple[int, int, int, int, int, int, int, int]
EXACT: Final[Deviation] = (0, 0, 0, 0, 0, 0, 0, 0)
Source = Literal["hand", "own hand", "pile"]
"""The origin of a card that is discarded or destroyed.

A camera cannot tell a card of the hand from one of the pile: `hand` means one of both, as journals have always written
it, and `own hand` is what people say who saw it.
"""
Paper = Literal["debt", "deed"]


class LayOut(msgspec.Struct, frozen=True, tag=True):
    """Player boards, buildings, workers and markers are laid out as the set-up says, before anything is drawn."""


class PutSegment(msgspec.Struct, frozen=True, tag=True):
    """A segment of the board is laid; places go clockwise from the segment with the number 1."""

    place: int
    segment: int


class TurnCastle(msgspec.Struct, frozen=True, tag=True):
    """The castle is put in; `section` is the one that faces the segment with the number 1."""

    section: int


class TurnUp(msgspec.Struct, frozen=True, tag=True):
    """A townsfolk card is turned up on top of a pile."""

    segment: int
    card: str


class ShowPrinted(msgspec.Struct, frozen=True, tag=True):
    """A pile of townsfolk is used up: the printed one shows."""

    segment: int


class TurnUpManuscript(msgspec.Struct, frozen=True, tag=True):
    """A manuscript is turned up on top of a pile."""

    segment: int
    manuscript: str


class OfferCard(msgspec.Struct, frozen=True, tag=True):
    """A player card is laid out; place 0 is the leftmost."""

    place: int
    number: int


class OfferHero(msgspec.Struct, frozen=True, tag=True):
    """A hero is laid out below a player card."""

    place: int
    hero: str


class TakePair(msgspec.Struct, frozen=True, tag=True):
    """A player takes a player card with its hero, puts the viscount on its space and gets all it shows."""

    seat: int
    place: int
    off: Deviation = EXACT


class TurnScheme(msgspec.Struct, frozen=True, tag=True):
    """The opponent of the solo game plays a scheme: the top one of its pile is laid on the left place."""

    scheme: str


class AddScheme(msgspec.Struct, frozen=True, tag=True):
    """A future scheme is laid face up on the opponent's discards."""

    scheme: str


class Slide(msgspec.Struct, frozen=True, tag=True):
    """All cards of a player board move one place to the right; the last may fall from it."""

    seat: int


class PlayCard(msgspec.Struct, frozen=True, tag=True):
    """A card is laid on the leftmost place: from the hand, or unseen from the pile if the hand is empty."""

    seat: int
    card: str
    off: Deviation = EXACT


class Travel(msgspec.Struct, frozen=True, tag=True):
    """A viscount moves to a space; silver for further steps is paid."""

    seat: int
    space: int
    off: Deviation = EXACT


class Dismiss(msgspec.Struct, frozen=True, tag=True):
    """The townsfolk beside the viscount is paid and removed from the game; its symbols help in this action."""

    seat: int
    off: Deviation = EXACT


class Trade(msgspec.Struct, frozen=True, tag=True):
    """The exchange of the viscount's space is made a number of times."""

    seat: int
    times: int
    off: Deviation = EXACT


class Build(msgspec.Struct, frozen=True, tag=True):
    """A building goes from its place on the player board to a plot; kinds: trading post, guildhall, workshop."""

    seat: int
    building: int
    slot: int
    segment: int
    plot: int
    pays: Goods = FREE
    off: Deviation = EXACT


class Employ(msgspec.Struct, frozen=True, tag=True):
    """Workers are put into a section of the castle's first ring."""

    seat: int
    number: int
    section: int
    pays: Goods = FREE
    off: Deviation = EXACT


class Copy(msgspec.Struct, frozen=True, tag=True):
    """A manuscript is taken from its pile, or a printed one is copied for its effect."""

    seat: int
    segment: int
    pays: Goods = FREE
    off: Deviation = EXACT


class Skip(msgspec.Struct, frozen=True, tag=True):
    """No main action is possible."""

    seat: int


class Hire(msgspec.Struct, frozen=True, tag=True):
    """A townsfolk card goes from its pile to a seat's discards."""

    seat: int
    segment: int
    off: Deviation = EXACT


class Collide(msgspec.Struct, frozen=True, tag=True):
    """A seat resolves the collision of virtue and corruption."""

    seat: int
    off: Deviation = EXACT


class DrawUp(msgspec.Struct, frozen=True, tag=True):
    """A seat draws cards up to its limit and ends its turn."""

    seat: int
    off: Deviation = EXACT


class TakeGood(msgspec.Struct, frozen=True, tag=True):
    """A resource of choice is taken."""

    seat: int
    good: str


class Flip(msgspec.Struct, frozen=True, tag=True):
    """A debt is paid, or a deed approved: it is turned over. Only an opponent of the solo game may pay for that."""

    seat: int
    paper: Paper
    pays: Goods = FREE


class Rearrange(msgspec.Struct, frozen=True, tag=True):
    """The cards of a player board are put in another order, from the left; empty places stay empty strings."""

    seat: int
    row: tuple[str, str, str]


class Discard(msgspec.Struct, frozen=True, tag=True):
    """A card from the hand, or the top one of the pile, goes to the discards."""

    seat: int
    source: Source
    card: str


class Destroy(msgspec.Struct, frozen=True, tag=True):
    """A card from the hand, or the top one of the pile, leaves the game; the player takes its silver."""

    seat: int
    source: Source
    card: str
    off: Deviation = EXACT


class Shift(msgspec.Struct, frozen=True, tag=True):
    """A worker in the first ring moves to a neighbouring section."""

    seat: int
    section: int
    to: int


class Climb(msgspec.Struct, frozen=True, tag=True):
    """A worker climbs to the next ring; from the first ring, its two companions move to both sides."""

    seat: int
    ring: int
    section: int
    off: Deviation = EXACT


class Push(msgspec.Struct, frozen=True, tag=True):
    """A worker is pushed off a section that holds too many; `owner` gets it back, with a reward."""

    seat: int
    ring: int
    section: int
    owner: int


class Choose(msgspec.Struct, frozen=True, tag=True):
    """One of several effects is chosen; 0 is the first."""

    seat: int
    option: int


class Decline(msgspec.Struct, frozen=True, tag=True):
    """Something optional is not done."""

    seat: int


class Alter(msgspec.Struct, frozen=True, tag=True):
    """Goods, markers or papers of a seat change, and nothing else; no rule allows that."""

    seat: int
    off: Deviation


class TakeHonour(msgspec.Struct, frozen=True, tag=True):
    """A seat takes a card of honour that it has not earned: a cleric's, by its ribbon, or after those the leader's."""

    seat: int
    honour: int


Move = (
    LayOut
    | PutSegment
    | TurnCastle
    | TurnUp
    | ShowPrinted
    | TurnUpManuscript
    | OfferCard
    | OfferHero
    | TakePair
    | TurnScheme
    | AddScheme
    | Slide
    | PlayCard
    | Travel
    | Dismiss
    | Trade
    | Build
    | Employ
    | Copy
    | Skip
    | Hire
    | Collide
    | DrawUp
    | TakeGood
    | Flip
    | Rearrange
    | Discard
    | Destroy
    | Shift
    | Climb
    | Push
    | Choose
    | Decline
    | Alter
    | TakeHonour
)
