"""What people are told about a place on the board of The Council of Four: bonuses, where to build, what is connected.

What the table waits for is in `text`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from companion.kernel.capabilities import Link, Remark, Ring
from companion.kernel.rules import Fact, SeatNo

from .box import PERMIT_PLACES, all_permits, letters
from .referee.seen_table import PERMIT_OF
from .rulebook.cards import total_amounts
from .rulebook.emporiums import may_build, token_bonuses
from .state import State, connected, other_emporiums, permit_bonus, permit_cities


class Guide:
    """Explains the table of The Council of Four."""

    def about(self, state: State, zone: str, spot: str, seat: SeatNo | None) -> tuple[Remark, ...]:
        """Explain a permit or a city, to a seat or to the seat whose turn it is."""
        asks = state.turn if seat is None or not 0 <= seat < state.players else seat
        kind, _, rest = zone.partition(" ")
        if zone == "permits" and spot in PERMIT_PLACES:
            return tuple(_permit(state, state.offers[PERMIT_PLACES.index(spot)], asks))
        if kind == "permits" and (owner := _seat(state, rest)) is not None:
            return tuple(_permit(state, spot.removeprefix(PERMIT_OF), owner))
        letter = rest if kind == "city" else spot if zone == "tokens" else ""
        return tuple(_city(state, letters(state.box).index(letter), asks)) if letter in letters(state.box) else ()

    def piece(self, _state: State, _label: str) -> Remark | None:
        """Nothing: permits and tokens are drawn with their bonuses."""
        return None  # permits and tokens are drawn with what they bring

    def answer(self, _state: State, _move: Any, _field: str) -> Remark | None:
        """Nothing: the answers have names that say enough."""
        return None

    def links(self, state: State) -> tuple[Link, ...]:
        """Return the roads between emporiums of the same seat."""
        names = [f"city {letter}" for letter in letters(state.box)]
        return tuple(
            Link(names[one], names[other], seat)
            for one, beside in enumerate(state.map.neighbours)
            for other in beside
            if one < other
            for seat in range(state.players)
            if state.owns(seat, one) and state.owns(seat, other)
        )

    def rings(self, _state: State) -> tuple[Ring, ...]:
        """Nothing: the table has no wheel."""
        return ()

    def printed(self, state: State) -> Mapping[str, str]:
        cities = zip(letters(state.box), state.map.colours, strict=True)
        points = {f"bonus {name}": str(number) for name, number in state.box.bonus_tiles.items()}
        return {f"city {letter}": colour for letter, colour in cities} | points


def _seat(state: State, colour: str) -> SeatNo | None:
    """Return the seat that plays a colour."""
    return next((number for number, seat in enumerate(state.seats) if seat.colour == colour), None)


# A permit


def _permit(state: State, permit: str, seat: SeatNo) -> Iterator[Remark]:
    """Explain a permit: its cities and bonus, and what building in each city would mean."""
    if permit not in all_permits(state.box):
        return
    cities = permit_cities(state, permit)
    yield Remark("permit", {"cities": _names(state, cities), "amount": total_amounts([permit_bonus(state, permit)])})
    for city in cities:
        yield from _prospect(state, seat, city)


def _prospect(state: State, seat: SeatNo, city: int) -> Iterator[Remark]:
    """Explain what an emporium in a city would cost a seat and bring, or why it cannot be built."""
    facts: dict[str, Fact] = {"seat": state.colour(seat), "city": state.city_name(city)}
    others = other_emporiums(state, seat, city)
    if state.owns(seat, city):
        yield Remark("built", facts)
    elif state.built(seat) >= state.box.emporiums_each:
        yield Remark("none_left", facts)
    elif not may_build(state, seat, city):
        yield Remark("too_few", {**facts, "others": others, "has": state.assistants[seat]})
    else:
        chain = _rewarding(state, connected(state, seat, city))
        key, price = ("build_paying", {"others": others}) if others else ("build", {})
        yield Remark(key, {**facts, **price, "amount": total_amounts(token_bonuses(state, chain))})
        if len(chain) > 1:
            yield Remark("from_chain", {"cities": _names(state, chain)})


# A city


def _city(state: State, city: int, seat: SeatNo) -> Iterator[Remark]:
    """Explain a city: its token, the emporiums there, and what a new one would mean."""
    name = state.city_name(city)
    token = token_bonuses(state, (city,))
    if token:
        yield Remark("token", {"city": name, "amount": total_amounts(token)})
    else:
        yield Remark("no_token", {"city": name})
    for owner in range(state.players):
        if state.owns(owner, city):
            yield _chain(state, owner, city)
    if not state.owns(seat, city):
        yield from _prospect(state, seat, city)


def _chain(state: State, owner: SeatNo, city: int) -> Remark:
    """Explain what a seat's emporium in a city is connected with."""
    together = connected(state, owner, city)
    facts: dict[str, Fact] = {"seat": state.colour(owner)}
    if len(together) == 1:
        return Remark("alone", facts)
    amount = total_amounts(token_bonuses(state, together))
    return Remark("chain", {**facts, "cities": _names(state, together), "amount": amount})


# Rewards


def _rewarding(state: State, cities: Iterable[int]) -> tuple[int, ...]:
    """Return the cities that have a reward token."""
    return tuple(city for city in cities if state.tokens[city])


def _names(state: State, cities: Iterable[int]) -> tuple[str, ...]:
    """Return the names of cities."""
    return tuple(state.city_name(city) for city in cities)
