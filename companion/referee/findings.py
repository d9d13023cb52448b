"""The referee's findings: the table matches, is explained, needs a question, shows a forbidden move, or is lost."""

from __future__ import annotations

from typing import Any, Literal

import msgspec

from companion.kernel.rules import Breach
from companion.kernel.views import Contents


class Spot(msgspec.Struct, frozen=True):
    """A place on the table: a zone, with a cell if it is a grid or slots."""

    zone: str
    cell: str = ""


class Step(msgspec.Struct, frozen=True):
    """One act of a hand to put the table right.

    `carry` takes pieces from one spot to another; None stands for beside the table. `turn` turns pieces that show `was`
    until they show `what`. `point` turns a dial, or moves a marker, to `number`. `arrange` puts several cells that
    belong together (a board, a row) right at once: `shows` is what should lie in each of `cells`.
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
    """These legal moves were made, in this order.

    `half_done` means that some of them are invisible, and that people may be in the middle of another move instead;
    `besides` is the number of moves before that one.
    """

    moves: tuple[Any, ...]
    half_done: bool = False
    besides: int = 0


class Takeback(msgspec.Struct, frozen=True, tag=True):
    """The table looks as it did `back` positions ago, or as after these moves from there.

    `half_done` means that people may be in the middle of the next move instead.
    """

    back: int
    moves: tuple[Any, ...] = ()
    half_done: bool = False


class Open(msgspec.Struct, frozen=True, tag=True):
    """Several sequences of moves lead here and differ in invisible things: a person must choose."""

    options: tuple[Explained | Takeback, ...]


class Unfinished(msgspec.Struct, frozen=True, tag=True):
    """A half-done legal move: `finish` has the remaining steps of one such move."""

    moves: tuple[Any, ...]
    finish: tuple[Step, ...]


class Try(msgspec.Struct, frozen=True):
    """A forbidden move that may have been made, and the rules it breaks."""

    move: Any
    breaches: tuple[Breach, ...]


class Illegal(msgspec.Struct, frozen=True, tag=True):
    """A forbidden move after these legal moves. There are several `tries` if it is unknown which seat made it.

    `put_right` leads back to the position before it. If it may be a half-done legal move instead (`half_done`),
    `finish` has the visible remaining steps of that. If it was accepted `back` positions ago and its fault showed late,
    `put_right` leads to the right result of it; if so many positions were taken back before it, to the position there.
    """

    moves: tuple[Any, ...]
    tries: tuple[Try, ...]
    put_right: tuple[Step, ...]
    finish: tuple[Step, ...] = ()
    half_done: bool = False
    back: int = 0


class Lost(msgspec.Struct, frozen=True, tag=True):
    """Nothing explains the table. `zones` has the seen and the right contents of each zone that differs."""

    zones: dict[str, tuple[Contents, Contents]]
    put_right: tuple[Step, ...] = ()


Finding = Settled | Explained | Takeback | Open | Unfinished | Illegal | Lost
