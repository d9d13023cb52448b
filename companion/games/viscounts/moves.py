"""Every physical act of the game, as data. What was done is a fact; whether it was allowed is not said here.

A move without a `seat` is chance's or the table's. Defaults are what the rules ask for; other values are what somebody
really did. `off` says by how much somebody's goods, markers and papers are off after a move, compared with what it
costs and brings: ink, gold, stone, silver, steps of corruption, steps of virtue, unpaid debts, acquired deeds; positive
is too much. `pays` is what is given besides symbols: ink, gold, stone, silver. Segments, spaces, sections and plots are
counted from 0.
"""

from __future__ import annotations

from typing import Final, Literal

import msgspec

Goods = tuple[int, int, int, int]
FREE: Final[Goods] = (0, 0, 0, 0)
Off = tuple[int, int, int, int, int, int, int, int]
EXACT: Final[Off] = (0, 0, 0, 0, 0, 0, 0, 0)
Source = Literal["hand", "own hand", "pile"]
"""Where a card comes from that is discarded or destroyed. A camera cannot tell a card of the hand from one of the pile:
`hand` means one of both, as journals have always written it, and `own hand` is what people say who saw it."""
Paper = Literal["debt", "deed"]


class LayOut(msgspec.Struct, frozen=True, tag=True):
    """Player boards, buildings, workers and markers are as the set-up says; chance has laid nothing out yet."""


class PutSegment(msgspec.Struct, frozen=True, tag=True):
    """A segment of the board is laid; places go clockwise from the segment with the number 1."""

    place: int
    segment: int


class TurnCastle(msgspec.Struct, frozen=True, tag=True):
    """The castle is put in: which of its sections faces the segment with the number 1."""

    section: int


class TurnUp(msgspec.Struct, frozen=True, tag=True):
    """A townsfolk card lies on top of a pile."""

    segment: int
    card: str


class ShowPrinted(msgspec.Struct, frozen=True, tag=True):
    """A pile of townsfolk has come to its end: the printed one shows."""

    segment: int


class TurnUpManuscript(msgspec.Struct, frozen=True, tag=True):
    """A manuscript lies on top of a pile."""

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
    """Somebody chooses a player card with its hero, puts the viscount on its space and takes all it shows."""

    seat: int
    place: int
    off: Off = EXACT


class TurnScheme(msgspec.Struct, frozen=True, tag=True):
    """The opponent of the solo game plays a scheme: the top one of its pile is laid on the left place."""

    scheme: str


class AddScheme(msgspec.Struct, frozen=True, tag=True):
    """A future scheme is laid face up on the opponent's discards."""

    scheme: str


class Slide(msgspec.Struct, frozen=True, tag=True):
    """All cards of a player board move one place to the right; one may drop off."""

    seat: int


class PlayCard(msgspec.Struct, frozen=True, tag=True):
    """A card is laid on the leftmost place: from the hand, or blindly from the pile if the hand is empty."""

    seat: int
    card: str
    off: Off = EXACT


class Travel(msgspec.Struct, frozen=True, tag=True):
    """A viscount moves to a space; silver for further steps is paid."""

    seat: int
    space: int
    off: Off = EXACT


class Dismiss(msgspec.Struct, frozen=True, tag=True):
    """The townsfolk beside the viscount is paid and put out of the game; its symbols help in this action."""

    seat: int
    off: Off = EXACT


class Trade(msgspec.Struct, frozen=True, tag=True):
    """The exchange of the viscount's space is made so many times."""

    seat: int
    times: int
    off: Off = EXACT


class Build(msgspec.Struct, frozen=True, tag=True):
    """A building goes from its place on the player board to a plot; kinds: trading post, guildhall, workshop."""

    seat: int
    building: int
    slot: int
    segment: int
    plot: int
    pays: Goods = FREE
    off: Off = EXACT


class Employ(msgspec.Struct, frozen=True, tag=True):
    """Workers are put into a section of the castle's first ring."""

    seat: int
    number: int
    section: int
    pays: Goods = FREE
    off: Off = EXACT


class Copy(msgspec.Struct, frozen=True, tag=True):
    """A manuscript is taken from its pile; or a printed one is copied for its effect."""

    seat: int
    segment: int
    pays: Goods = FREE
    off: Off = EXACT


class Skip(msgspec.Struct, frozen=True, tag=True):
    """No main action is possible."""

    seat: int


class Hire(msgspec.Struct, frozen=True, tag=True):
    """A townsfolk card goes from its pile to somebody's discards."""

    seat: int
    segment: int
    off: Off = EXACT


class Collide(msgspec.Struct, frozen=True, tag=True):
    """Somebody resolves the collision of virtue and corruption."""

    seat: int
    off: Off = EXACT


class DrawUp(msgspec.Struct, frozen=True, tag=True):
    """Somebody draws up to their limit; their turn is over."""

    seat: int
    off: Off = EXACT


class TakeGood(msgspec.Struct, frozen=True, tag=True):
    """A resource of one's choice."""

    seat: int
    good: str


class Flip(msgspec.Struct, frozen=True, tag=True):
    """A debt is paid, or a deed approved: it is turned over. Only an opponent of the solo game ever pays for that."""

    seat: int
    paper: Paper
    pays: Goods = FREE


class Rearrange(msgspec.Struct, frozen=True, tag=True):
    """The cards of a player board in another order, from the left; empty places are empty."""

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
    off: Off = EXACT


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
    off: Off = EXACT


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
    """Something that one may do is left alone."""

    seat: int


class Alter(msgspec.Struct, frozen=True, tag=True):
    """Goods, markers or papers of somebody change, and nothing else: no rule ever asks for that."""

    seat: int
    off: Off


class TakeHonour(msgspec.Struct, frozen=True, tag=True):
    """Somebody takes a card of honour without having earned it: a cleric's by its ribbon, or the leader's after all."""

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
