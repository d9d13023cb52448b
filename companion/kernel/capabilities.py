"""Optional parts of a game: a guide to the table, boxes that people complete, a phase against a timer.

`Game` names each of them; a game without one gives None.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Generic, Protocol, TypeVar

import msgspec

from companion.kernel.box import Learned
from companion.kernel.forms import Form
from companion.kernel.messages import NewPiece
from companion.kernel.rules import Fact, SeatNo
from companion.kernel.views import UNKNOWN, Cells, Contents, Pieces

S = TypeVar("S", bound=msgspec.Struct)

# A guide to the table


class Remark(msgspec.Struct, frozen=True):
    """Something worth knowing about a place: a sentence of the catalogue's `about`, and its facts.

    If several things happen one after the other, `step` counts them from 1.
    """

    key: str
    facts: dict[str, Fact] = {}
    step: int = 0


class Link(msgspec.Struct, frozen=True):
    """Two zones that are connected for a seat; drawn as a line of its colour."""

    one: str
    other: str
    seat: SeatNo


class Section(msgspec.Struct, frozen=True):
    """A section of a ring.

    `zone` is the zone of its loose pieces, `word` its word in the catalogue, `number` what the disc in the middle shows
    beside it, and `worth` its value. `beside` are other cells or whole zones that lie there.
    """

    zone: str
    word: str
    number: int
    worth: int
    beside: tuple[tuple[str, str], ...] = ()


class Ring(msgspec.Struct, frozen=True):
    """A wheel with sections, clockwise from the top, around a disc that turns; drawn large beside the table.

    `legend` gives, by label, a word of the catalogue for what a piece means anywhere in the ring.
    """

    zone: str
    sections: tuple[Section, ...]
    legend: dict[str, str] = {}


class Guide(Protocol):
    """What people may want to know about places and pieces of the table."""

    def about(self, state: Any, zone: str, spot: str, seat: SeatNo | None) -> tuple[Remark, ...]:
        """A place in a few sentences, for a seat or for a spectator. `spot` is a cell of the zone, the label of a loose
        piece in it, or empty. Any place may be asked about; the answer may be empty."""

    def piece(self, state: Any, label: str) -> Remark | None:
        """What a piece is for, in a few words, if its name does not say it. It is shown in lists to choose from."""

    def answer(self, state: Any, move: Any, field: str) -> Remark | None:
        """What the value of a field means as an answer, in a few words, if its name does not say it. Other fields of
        the move may still be open."""

    def links(self, state: Any) -> tuple[Link, ...]:
        """The zones that are connected, and for which seat."""

    def rings(self, state: Any) -> tuple[Ring, ...]:
        """The rings of the table; most tables have none."""

    def printed(self, state: Any) -> Mapping[str, str]:
        """What is printed where no piece says it, by a zone, a zone with its cell, or a label: the colour of a place,
        the points on a tile."""


# Boxes that people complete


class Family(msgspec.Struct, frozen=True):
    """Pieces of one kind that are described when they first turn up.

    `fact` is the fact of the box that holds them, or below which each has a fact of its own. `known` of `number` pieces
    are known so far.
    """

    fact: str
    known: int
    number: int


class Learning(Protocol, Generic[S]):
    """How people add pieces to a box, for games whose boxes differ. States of such a game have a `box`."""

    def form(self, state: S, move: Any, field: str) -> Form | None:
        """The questions about a piece that the box lacks, if a field of a move can name such a piece."""

    def learn(self, state: S, learned: Learned) -> S:
        """The state with this piece added to its box. Raises `CannotLearn`."""

    def pieces(self, box: Any) -> tuple[NewPiece, ...]:
        """The pieces of a box that people described, in that order."""

    def families(self, box: Any) -> tuple[Family, ...]:
        """The facts of the box that need no check before the game, since their pieces are described when they turn
        up."""


# A phase against a timer


class Countdown(msgspec.Struct, frozen=True):
    """A phase in which all players act at once while a timer runs, and what is forbidden in it.

    Pieces go one at a time from the zone `source` to the zones of `keeps`, each of which belongs to a seat. They stay
    there, and nothing moves after the move `stop`. The last four fields are the ids of the rules that say so.
    """

    leader: SeatNo
    seconds: float
    running: bool
    source: str
    keeps: dict[str, SeatNo]
    stop: Any
    stays: str
    one_at_a_time: str
    one_hand: str
    after_stop: str


class GoodLeft(msgspec.Struct, frozen=True):
    """What is left of one good, and how much is asked for. `greediest` is the seat that pays if that is too little."""

    good: str
    left: int
    demand: int
    greediest: int | None = None
    most: int = 0
    """What counts against that seat."""


class Haul(msgspec.Struct, frozen=True):
    """The zones of the seats, in their order, what each holds in all (None while something lies face down there), and
    what is left of each good (nothing while anything lies face down)."""

    source: str
    keeps: tuple[str, ...]
    sums: tuple[int | None, ...]
    goods: tuple[GoodLeft, ...] = ()


# Parts of the table that people enter by hand in one form


class Asked(msgspec.Struct, frozen=True):
    """Some `cells` of a zone, or all its loose pieces if there are no cells. `labels` is what may lie there.

    `seat` is the player it belongs to, if it belongs to one; otherwise any player may enter it, and `by` is asked to.
    """

    zone: str
    labels: tuple[str, ...]
    cells: tuple[str, ...] = ()
    seat: int | None = None
    by: int | None = None


class Entry(msgspec.Struct, frozen=True):
    """The zones to enter now.

    With `together`, nothing follows before all zones are entered, and pieces only move between these zones.
    """

    zones: tuple[Asked, ...]
    together: bool = False

    def of(self, zone: str) -> tuple[Asked, ...]:
        """What is asked about a zone: its cells in groups, if not the same pieces may lie in all of them."""
        return tuple(asked for asked in self.zones if asked.zone == zone)


def asked_places(now: Mapping[str, Contents], outcomes: Iterable[tuple[str, Mapping[str, Contents]]]) -> Entry | None:
    """The Entry for what chance may lay out next: `outcomes` has the kind of each of its moves, and the zones after it.

    Only kinds of moves that put one piece in one place count. A single place needs no form of its own.
    """
    kinds: dict[str, dict[tuple[str, str], dict[str, None]] | None] = {}
    for kind, zones in outcomes:
        place, found = _filled(now, zones), kinds.setdefault(kind, {})
        if place is None or found is None:
            kinds[kind] = None
        else:
            found.setdefault(place[:2], {})[place[2]] = None
    places: dict[tuple[str, str], dict[str, None]] = {}
    for found in filter(None, kinds.values()):
        for spot, labels in found.items():
            places.setdefault(spot, {}).update(labels)
    if len(places) < 2:
        return None
    groups: dict[tuple[str, tuple[str, ...]], list[str]] = {}
    for (zone, cell), labels in places.items():
        groups.setdefault((zone, tuple(labels)), []).append(cell)
    return Entry(tuple(Asked(zone, labels, tuple(filter(None, cells))) for (zone, labels), cells in groups.items()))


def _filled(now: Mapping[str, Contents], after: Mapping[str, Contents]) -> tuple[str, str, str] | None:
    """Zone, cell and label of the one piece that was put down; the cell is empty for a loose piece."""
    cells, loose = list[tuple[str, str, str]](), list[tuple[str, str, str]]()
    for zone, contents in after.items():
        before = now.get(zone)
        if isinstance(contents, Cells) and isinstance(before, Cells):
            cells += [(zone, cell, label or "") for cell, label in contents.at.items() if before.at.get(cell) != label]
        elif isinstance(contents, Pieces) and isinstance(before, Pieces):
            loose += [
                (zone, "", label)
                for label, number in contents.count.items()
                for _ in range(number - before.count.get(label, 0))
            ]
    found = cells or loose
    return found[0] if len(found) == 1 and found[0][2] not in ("", UNKNOWN) else None
