"""A View read against a State: what appeared and what is missing, zone by zone; an unseen zone says nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cached_property

from companion.kernel.rules import SeatNo
from companion.kernel.views import UNKNOWN, Looked, View

from ..box import (
    COUNCILS,
    PERMIT_PLACES,
    REGIONS,
    all_permits,
    bonus_label,
    card_kinds,
    letters,
    permits_of,
)
from ..moves import Deviation
from ..rulebook.cards import COUNTED
from ..state import NEUTRAL, State, next_permits, permit_cities, unused_colours
from .view import ASSISTANT, BACK, KING_FIGURE, card_label, permit_label
from .view import view as should_be

PERMIT_OF = "permit "


class Seen(Looked):
    """A View of the table beside the State of the game."""

    def __init__(self, state: State, view: View) -> None:
        super().__init__(view)
        self.state = state

    @cached_property
    def changed(self) -> frozenset[str]:
        """The zones that do not look as they should. One with a cell that was not made out may have changed."""
        expected = should_be(self.state).zones
        return frozenset(name for name, seen in self.view.zones.items() if seen != expected.get(name, seen))

    # The board

    def token(self, city: int) -> str | None:
        return self.cell("tokens", letters(self.state.box)[city])

    def council(self, council: int) -> tuple[str, ...] | None:
        """Return who stands on a balcony, if all of them are there and can be read."""
        seen = [
            self.cell(f"council {COUNCILS[council]}", str(place + 1))
            for place in range(self.state.box.councillors.in_a_council)
        ]
        known = tuple(colour for colour in seen if colour is not None and colour != UNKNOWN)
        return known if len(known) == len(seen) else None

    def councillor(self, council: int, place: int) -> str | None:
        return self.cell(f"council {COUNCILS[council]}", str(place + 1))

    def offer(self, place: int) -> str | None:
        """Return the permit that lies open in a place; None if there is none, or `UNKNOWN`."""
        label = self.cell("permits", PERMIT_PLACES[place])
        return label if label in (None, UNKNOWN) else self._permit(label or "")

    def _permit(self, label: str) -> str:
        permit = label.removeprefix(PERMIT_OF)
        return permit if permit in all_permits(self.state.box) else UNKNOWN

    def city(self, city: int) -> Counter[str] | None:
        return self.pieces(f"city {letters(self.state.box)[city]}")

    @cached_property
    def king(self) -> int | None:
        """Where the king stands, if it can be seen."""
        cities = ((city, self.city(city)) for city in range(len(self.state.emporiums)))
        return next((city for city, seen in cities if seen and seen[KING_FIGURE]), None)

    def neutral(self, city: int) -> int | None:
        """Return the neutral emporiums in a city, as bits; None if the city was not seen."""
        seen = self.city(city)
        unused = enumerate(unused_colours(self.state.box, self.state.seats))
        return None if seen is None else sum(NEUTRAL << number for number, colour in unused if seen[colour])

    def new_emporiums(self) -> Iterator[tuple[SeatNo, int]]:
        """Yield seat and city of every new emporium."""
        for city, letter in enumerate(letters(self.state.box)):
            seen = self.city(city) if f"city {letter}" in self.changed else None
            for seat in range(self.state.players) if seen else ():
                if seen and seen[self.state.colour(seat)] > self.state.owns(seat, city):
                    yield seat, city

    @cached_property
    def purchases(self) -> int:
        """How many permits and emporiums may have been paid for since."""
        missing = (
            self.offer(place) not in (permit, UNKNOWN) for place, permit in enumerate(self.state.offers) if permit
        )
        return sum(missing) + sum(1 for _ in self.new_emporiums())

    def cards(self) -> tuple[str, ...] | None:
        """Return the cards that lie open, or None if they were not seen."""
        seen = self.pieces("bribe")
        if seen is None:
            return None
        kinds = {card_label(kind): kind for kind in card_kinds(self.state.box)}
        return tuple(sorted(kind for label, kind in kinds.items() for _ in range(seen[label])))

    # What a seat has

    def permits_gained(self, seat: SeatNo) -> tuple[str, ...] | None:
        seen = self.pieces(f"permits {self.state.colour(seat)}")
        if seen is None:
            return None
        had = set(self.state.permits[seat])
        return tuple(
            permit for permit in all_permits(self.state.box) if seen[permit_label(permit)] and permit not in had
        )

    def acquired_unseen(self, region: int) -> Iterator[str]:
        """Yield permits in front of a seat that were never seen on offer: turned up and acquired between two looks."""
        of_region = permits_of(self.state.box, region)
        for seat in range(self.state.players):
            if f"permits {self.state.colour(seat)}" in self.changed:
                gained = (*(self.permits_gained(seat) or ()), *self._built_with_unseen(seat))
                yield from (one for one in gained if one in of_region and one not in self.state.offers)

    def _built_with_unseen(self, seat: SeatNo) -> Iterator[str]:
        """Yield permits that may lie face down in front of a seat that never had them, as a new emporium suggests."""
        turned, missing = self.turned_over(seat) or 0, self.missing_permits(seat) or ()
        if turned > len(missing):
            built = {city for owner, city in self.new_emporiums() if owner == seat}
            yield from (one for one in self._face_down if built.intersection(permit_cities(self.state, one)))

    @cached_property
    def _face_down(self) -> tuple[str, ...]:
        return tuple(permit for region in range(len(REGIONS)) for permit in next_permits(self.state, region))

    def missing_permits(self, seat: SeatNo) -> tuple[str, ...] | None:
        seen = self.pieces(f"permits {self.state.colour(seat)}")
        if seen is None:
            return None
        return tuple(permit for permit in self.state.permits[seat] if not seen[permit_label(permit)])

    def turned_over(self, seat: SeatNo) -> int | None:
        """Count how many more permits lie face down in front of a seat."""
        seen = self.pieces(f"permits {self.state.colour(seat)}")
        return None if seen is None else seen[BACK] - len(self.state.used[seat])

    def bonuses_gained(self, seat: SeatNo) -> Iterator[str]:
        seen = self.pieces(f"honours {self.state.colour(seat)}") or Counter()
        mine = {tile for tile, owner in self.state.bonuses if owner == seat}
        for tile in self.state.box.bonus_tiles:
            if seen[bonus_label(tile)] and tile not in mine:
                yield tile

    def rewards_gained(self, seat: SeatNo) -> int:
        seen = self.pieces(f"honours {self.state.colour(seat)}") or Counter()
        rewards = sum(number for label, number in seen.items() if label.startswith("reward "))
        return rewards - self.state.rewards.count(seat)

    def more(self, what: str, seat: SeatNo) -> int:
        """Return how much more gold, points, assistants or nobility a seat has than the state says; 0 if not seen."""
        colour = self.state.colour(seat)
        if what == "assistants":
            seen = self.pieces(f"assistants {colour}")
            return 0 if seen is None else seen[ASSISTANT] - self.state.assistants[seat]
        field = self.mark(what, colour)
        if field is None:
            return 0
        had: int = getattr(self.state, what)[seat]
        if what == "points":
            length = self.state.box.tracks.points + 1
            return (field - had + length // 2) % length - length // 2
        return field - had

    def deviation(self, after: State, seat: SeatNo) -> Deviation:
        """Return how far a seat is from where a move would lead."""
        seen = Seen(after, View(self._zones))
        gold, points, assistants, nobility = (seen.more(what, seat) for what in COUNTED)
        return gold, points, assistants, nobility

    def changed_for(self, seat: SeatNo) -> bool:
        """Whether anything that belongs to a seat has changed."""
        colour = self.state.colour(seat)
        if any(f"{sort} {colour}" in self.changed for sort in ("assistants", "stock", "permits", "honours")):
            return True
        return any(what in self.changed and self.more(what, seat) for what in COUNTED)
