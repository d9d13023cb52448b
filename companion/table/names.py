"""What players want to be called: the names that they give after a game has begun."""

from __future__ import annotations

import msgspec

from companion.journal import Journal
from companion.kernel.rules import Seat, SeatNo


class Named(msgspec.Struct, frozen=True):
    """The body of an event: what a player wants to be called from now on."""

    seat: SeatNo
    name: str

    def among(self, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
        """These seats, this one with its new name."""
        return tuple(Seat(seat.colour, self.name) if n == self.seat else seat for n, seat in enumerate(seats))


def named_seats(journal: Journal) -> tuple[Seat, ...]:
    """The players of a journal, with the last name that each has given."""
    seats = journal.head.setup.seats
    for event in journal.events():
        if event.kind == "named":
            seats = msgspec.json.decode(event.body, type=Named).among(seats)
    return seats
