"""A View read against a State: what lies where, by segments, seats and sections; an unseen zone says nothing."""

from __future__ import annotations

from functools import cached_property
from typing import Final

from companion.kernel.rules import SeatNo
from companion.kernel.views import Looked, View

from ..box import GOODS
from ..moves import Deviation
from ..state import State
from .view import (
    SPACES,
    plot_cell,
    purse,
    ring_zone,
    slot_cell,
    slots_zone,
    view,
    worker_label,
)

_SHARED: Final = ("townsfolk", "manuscripts", "plots", "viscounts", "cards", "third ring")
"""Zones of the board that hold pieces of all seats."""


class Seen(Looked):
    """A View of the table beside the State of the game."""

    def __init__(self, state: State, seen: View) -> None:
        super().__init__(seen)
        self.state = state
        self._should = view(state).zones

    def touched(self, zone: str) -> bool:
        """Whether a zone has changed or was not seen."""
        contents = self._zones.get(zone)
        return contents is None or contents != self._should.get(zone)

    def differs(self, zone: str) -> bool:
        """Whether a zone was seen and has changed."""
        return zone in self._zones and self.touched(zone)

    # The board

    def place(self, segment: int) -> str:
        return str(self.state.order.index(segment) + 1)

    def top(self, zone: str, segment: int) -> str | None:
        """Return what lies on top of a pile."""
        return self.cell(zone, self.place(segment))

    def plot(self, segment: int, plot: int) -> str | None:
        return self.cell("plots", plot_cell(self.state.order.index(segment), plot))

    def space(self, seat: SeatNo) -> int | None:
        """Return where a seat's viscount stands, if it can be seen."""
        field = self.mark("viscounts", self.state.colour(seat))
        if field is None or not 1 <= field <= SPACES * len(self.state.order):
            return None
        place, where = divmod(field - 1, SPACES)
        return self.state.order[place] * SPACES + where

    def workers(self, ring: int, section: int, seat: SeatNo) -> int | None:
        """Return the number of a seat's workers in a section of the first or second ring."""
        place = (section - max(self.state.castle, 0)) % len(self.state.order)
        found = self.pieces(ring_zone(ring - 1, place))
        return None if found is None else found[worker_label(self.state.colour(seat))]

    # What a seat has

    def changed_for(self, seat: SeatNo) -> bool:
        """Whether a zone of a seat, or one that it shares, has changed."""
        colour = self.state.colour(seat)
        return any(
            zone.endswith(f" {colour}") or zone in _SHARED or zone.startswith(("first ring", "second ring"))
            for zone in self.changed
        )

    @cached_property
    def changed(self) -> frozenset[str]:
        """The zones that were seen and have changed."""
        return frozenset(name for name in self._zones if name in self._should and self.differs(name))

    def of(self, seat: SeatNo, zone: str) -> str:
        return f"{zone} {self.state.colour(seat)}"

    def row(self, seat: SeatNo) -> tuple[str | None, ...]:
        return tuple(self.cell(self.of(seat, "row"), str(place)) for place in (1, 2, 3))

    def slot(self, seat: SeatNo, building: int, slot: int) -> str | None:
        """Return what stands on a place for buildings of a player board."""
        return self.cell(slots_zone(building, self.state.colour(seat)), slot_cell(slot))

    def more(self, good: str, seat: SeatNo) -> int:
        """Return how many more of a good a seat has than the state says; 0 if not seen."""
        found = self.pieces(self.of(seat, purse(good)))
        return 0 if found is None else found[good] - self.state.has(seat, GOODS.index(good))

    def papers(self, seat: SeatNo, label: str) -> int | None:
        found = self.pieces(self.of(seat, "papers"))
        return None if found is None else found[label]

    def deviation(self, seat: SeatNo) -> Deviation:
        """Return how far a seat's goods and markers are from the state."""
        ink, gold, stone, silver = (self.more(good, seat) for good in GOODS)
        corruption = self.mark(self.of(seat, "track"), "corruption")
        virtue = self.mark(self.of(seat, "track"), "virtue")
        right = 0 if corruption is None else corruption - self.state.corruption[seat]
        left = 0 if virtue is None else self.state.virtue[seat] - virtue
        return ink, gold, stone, silver, right, left, self._unpaid(seat), self._acquired(seat)

    def _unpaid(self, seat: SeatNo) -> int:
        """Return how many debts too many a seat has, paid or not: to turn one over is another act."""
        found = self.pieces(self.of(seat, "papers"))
        return 0 if found is None else found["debt"] + found["paid debt"] - sum(self.state.debts[seat])

    def _acquired(self, seat: SeatNo) -> int:
        found = self.pieces(self.of(seat, "papers"))
        return 0 if found is None else found["deed"] + found["approved deed"] - sum(self.state.deeds[seat])
