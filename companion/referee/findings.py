"""What the referee can find: the table is as it should be, explained, asked about, forbidden, or not understood."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from companion.kernel.rules import Breach
from companion.kernel.views import Contents


class Spot(msgspec.Struct, frozen=True):
    """Where on the table: a zone, and of a grid or of slots the cell."""

    zone: str
    cell: str = ""


class Step(msgspec.Struct, frozen=True):
    """One thing a hand does to put the table right.

    `carry` takes pieces from one spot to another, of which one may be nobody's business: None. `turn` turns pieces that
    show `was` until they show `what`. `point` turns a dial, or moves a marker, to `number`. `arrange` puts right
    several cells that belong together, a board or a row, at once: cell by cell, `shows` is what should lie in `cells`.
    """

    act: Literal["carry", "turn", "point", "arrange"]
    what: str
    number: int
    source: Spot | None = None
    to: Spot | None = None
    was: str = ""
    cells: tuple[str, ...] = ()
    shows: tuple[str | None, ...] = ()


class Settled(msgspec.Struct, frozen=True, tag=True):
    """The table looks as it should."""


class Explained(msgspec.Struct, frozen=True, tag=True):
    """These legal moves, in this order.

    `half_done` says that some of them left no trace, and that people may be in the middle of another move instead,
    after so many that are done as `besides` says.
    """

    moves: tuple[Any, ...]
    half_done: bool = False
    besides: int = 0


class Takeback(msgspec.Struct, frozen=True, tag=True):
    """The table looks as it did so many positions ago, or as it would if these moves had followed then instead.

    `half_done` says that people may be in the middle of the next move instead.
    """

    back: int
    moves: tuple[Any, ...] = ()
    half_done: bool = False


class Open(msgspec.Struct, frozen=True, tag=True):
    """Several ways lead here and differ in what nobody could see: a person must say which."""

    options: tuple[Explained | Takeback, ...]


class Unfinished(msgspec.Struct, frozen=True, tag=True):
    """A legal move half done: `finish` is what is left to do for one of them."""

    moves: tuple[Any, ...]
    finish: tuple[Step, ...]


class Try(msgspec.Struct, frozen=True):
    """A move that somebody seems to have made, and the rules it breaks."""

    move: Any
    breaches: tuple[Breach, ...]


class Illegal(msgspec.Struct, frozen=True, tag=True):
    """After these legal moves, one that breaks rules; several where nobody can tell who made it.

    `put_right` leads back to the position before it. It may be a legal move `half_done` instead: then `finish` is what
    is left of that to do, as far as it can be seen. Where it was believed so many positions `back`, and what is wrong
    about it showed only later, `put_right` leads to where it should have led; where so many were taken back before it,
    to where they led back to.
    """

    moves: tuple[Any, ...]
    tries: tuple[Try, ...]
    put_right: tuple[Step, ...]
    finish: tuple[Step, ...] = ()
    half_done: bool = False
    back: int = 0


class Lost(msgspec.Struct, frozen=True, tag=True):
    """Nothing explains the table. For each zone that differs: what was seen, and what should be there."""

    zones: dict[str, tuple[Contents, Contents]]
    put_right: tuple[Step, ...] = ()


Finding = Settled | Explained | Takeback | Open | Unfinished | Illegal | Lost
