"""What people are told about a place: what a die would bring, what tiles, contracts and guests are good for, what a
city has, and how the wheel stands."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import msgspec

from companion.kernel.capabilities import Link, Remark, Ring, Section
from companion.kernel.rules import Fact, SeatNo

from .box import ACTIONS, GOLD, GOODS, JOKER, PIPS, Bonus
from .components import (
    all_guests,
    cities,
    city_names,
    goods_for,
    needed,
    price_of,
    section_of,
)
from .new_pieces import SAME
from .referee.seen_table import DIE
from .rulebook.fairs import fair_points, fair_word, takes_part
from .rulebook.goods import action_word, has_room
from .rulebook.kings_track import reveal_due
from .rulebook.rounds import die_label, die_word
from .rulebook.setup import cost_word
from .state import (
    HIDDEN,
    NO_SEAT,
    State,
    cathedral_tile,
    extra_points,
    free_house_places,
    section_for,
    section_value,
)

Tell = Callable[[State, str, SeatNo], Iterator[Remark]]


class Guide:
    """Explains the table of Tiletum."""

    def about(self, state: State, zone: str, spot: str, seat: SeatNo | None) -> tuple[Remark, ...]:
        asks = state.turn if seat is None or not 0 <= seat < state.players else seat
        kind, _, rest = zone.partition(" ")
        if kind in ("wheel", "extras") and rest in ACTIONS:
            action = ACTIONS.index(rest)
            return tuple(_die(state, spot, asks) if spot.startswith(DIE) else _section(state, action, asks))
        if kind == "city" and rest in city_names(state.box):
            return tuple(_city(state, city_names(state.box).index(rest), asks))
        tell = _PLACES.get(zone) or _KINDS.get(kind)
        return () if tell is None else tuple(tell(state, spot, asks))

    def piece(self, state: State, label: str) -> Remark | None:
        """Return what a contract in a list brings; the names of described ones say it themselves."""
        contract = state.box.contracts.get(label)
        if contract is None or contract.crest or " for " in label:
            return None
        return Remark("brings", {"amount": bonus_word(contract.bonus)})

    def answer(self, _state: State, _move: Any, _field: str) -> Remark | None:
        return None

    def links(self, _state: State) -> tuple[Link, ...]:
        return ()

    def rings(self, state: State) -> tuple[Ring, ...]:
        """Return the wheel, from its first section."""
        sections = tuple(
            Section(
                f"wheel {name}",
                name,
                value := section_value(state, ACTIONS.index(name)),
                state.box.wheel.points[value - 1],
                (("sections", name), (f"extras {name}", "")),
            )
            for name in state.box.wheel.actions
        )
        legend: dict[str, str] = {die_label(colour, 1): good for colour, good in state.box.dice.colours.items()}
        return (Ring("dial", sections, legend),)

    def printed(self, state: State) -> Mapping[str, str]:
        return {f"contracts {place}": str(points) for place, points in enumerate(state.box.offers.contracts, 1)}


# The wheel


def _die(state: State, label: str, seat: SeatNo) -> Iterator[Remark]:
    """Yield what a die would bring to the seat that takes it: as it lies, and turned by a pip."""
    colour, _, number = label.removeprefix(DIE).rpartition(" ")
    if colour not in state.box.dice.colours or number not in map(str, range(1, PIPS + 1)):
        return
    value, price = int(number), state.box.dice.change
    yield Remark("die", {"die": die_word(colour), **_worth(state, colour, value, seat)})
    yield from _beside(state, section_for(state, value), seat)
    if reveal_due(state):
        yield Remark("corruption_first", {"seat": state.colour(state.turn)})
    if state.has(seat, GOLD) >= price:
        for turned in (value % PIPS + 1, (value - 2) % PIPS + 1):
            yield Remark("turned", {"price": price, **_worth(state, colour, turned, seat)})


def _worth(state: State, colour: str, value: int, seat: SeatNo) -> dict[str, Fact]:
    section = section_for(state, value)
    points = state.box.wheel.points[value - 1] + extra_points(state, seat, section)
    goods = f"{state.box.dice.colours[colour]}{value}"
    return {"value": value, "amount": goods, "section": action_word(section), "points": points}


def _beside(state: State, section: int, seat: SeatNo) -> Iterator[Remark]:
    """Yield what comes with a section besides its points."""
    extra, tile = extra_points(state, seat, section), state.section_tiles[section]
    if extra:
        yield Remark("markers", {"seat": state.colour(seat), "points": extra, "section": action_word(section)})
    if tile:
        yield Remark("tile_here", {"tile": tile})
        if not has_room(state, seat):
            yield Remark("no_room", {"seat": state.colour(seat)})


def _section(state: State, section: int, seat: SeatNo) -> Iterator[Remark]:
    value = section_value(state, section)
    points = state.box.wheel.points[value - 1]
    yield Remark("section", {"section": action_word(section), "value": value, "points": points})
    yield Remark(f"does_{ACTIONS[section]}", _prices(state))
    if section == JOKER:
        yield Remark("joker", {})
    dice = any(where == section for where, _, _ in state.wheel)
    yield Remark("dice", {"value": value}) if dice else Remark("no_dice", {})
    yield from _beside(state, section, seat)


def _prices(state: State) -> dict[str, Fact]:
    prices = state.box.prices
    return {
        "swap": prices.first_swap,
        "least": min(state.box.offers.contracts),
        "most": max(state.box.offers.contracts),
    }


def _disc(state: State, _spot: str, _seat: SeatNo) -> Iterator[Remark]:
    yield Remark("disc", {"rounds": state.box.rounds - state.round - 1})


def _section_tile(state: State, spot: str, seat: SeatNo) -> Iterator[Remark]:
    if spot in ACTIONS and state.section_tiles[ACTIONS.index(spot)]:
        yield Remark("section_tile", {"tile": state.section_tiles[ACTIONS.index(spot)], "section": spot})
        if not has_room(state, seat):
            yield Remark("no_room", {"seat": state.colour(seat)})


# Offers and what people have


def _contract(state: State, spot: str, seat: SeatNo) -> Iterator[Remark]:
    place = _place(spot, len(state.contracts))
    if place is not None and state.contracts[place]:
        yield from _terms(state, state.contracts[place], seat)
        yield Remark("contract_price", {"points": state.box.offers.contracts[place]})


def _terms(state: State, contract: str, seat: SeatNo) -> Iterator[Remark]:
    if contract not in state.box.contracts:
        return
    if state.box.contracts[contract].crest:
        yield Remark("crest", {})
        return
    bonus, same = state.box.contracts[contract].bonus, state.box.contracts[contract].same or 0
    asked: dict[str, int] = dict(zip(GOODS, needed(state.box, contract), strict=True))
    yield Remark("contract", {"needs": _amounts({SAME: same, **asked}), "amount": bonus_word(bonus)})
    lacking = _lacking(state, contract, seat)
    facts: dict[str, Fact] = {"seat": state.colour(seat)}
    yield Remark("lacks", {**facts, "amount": _amounts(lacking)}) if lacking else Remark("can_fulfil", facts)


def _lacking(state: State, contract: str, seat: SeatNo) -> dict[str, int]:
    """Return the goods that a seat does not have yet; for identical ones, those of which the fewest are missing."""
    prices = [price_of(state.box, contract, good) for good in goods_for(state.box, contract)]
    short = [[max(0, asked - had) for asked, had in zip(price, state.goods[seat], strict=True)] for price in prices]
    return {good: number for good, number in zip(GOODS, min(short, key=sum), strict=True) if number}


def _guest(state: State, spot: str, seat: SeatNo) -> Iterator[Remark]:
    place = _place(spot, len(state.guests))
    if place is not None and state.guests[place]:
        yield from _lodger(state, state.guests[place], seat)


def _lodger(state: State, guest: str, _seat: SeatNo) -> Iterator[Remark]:
    found = all_guests(state.box).get(guest)
    if found is not None:
        facts: dict[str, Fact] = {"guest": found[0], "amount": bonus_word(found[1].bonus)}
        yield Remark("guest", {**facts, "section": action_word(section_of(state.box, guest))})


def _held(state: State, spot: str, seat: SeatNo) -> Iterator[Remark]:
    """Explain something in a warehouse, by its label."""
    yield from _terms(state, spot, seat)
    yield from _lodger(state, spot, seat)
    if spot in state.box.tiles:
        yield Remark("crest", {}) if state.box.tiles[spot].crest else Remark("helper", {"tile": spot})


def _favour(state: State, spot: str, _seat: SeatNo) -> Iterator[Remark]:
    place = _place(spot, len(state.favours))
    if place is not None and state.favours[place]:
        yield Remark("favour", {"tile": state.favours[place]})


def _place(spot: str, places: int) -> int | None:
    return int(spot) - 1 if spot in map(str, range(1, places + 1)) else None


# The king's track and the fairs


def _crown(state: State, _spot: str, _seat: SeatNo) -> Iterator[Remark]:
    for seat in sorted(range(state.players), key=lambda one: -state.crown[one]):
        field = state.crown[seat]
        yield Remark("crown", {"seat": state.colour(seat), "field": field, "points": state.box.crown.worth(field)})


def _corruption(state: State, _spot: str, _seat: SeatNo) -> Iterator[Remark]:
    hidden = state.corruption.count(HIDDEN)
    markers = state.box.corruption.markers
    yield Remark("corruption", {"hidden": hidden, "least": min(markers), "most": max(markers)})


def _fair(state: State, spot: str, seat: SeatNo) -> Iterator[Remark]:
    round_ = _place(spot, len(state.fairs))
    if round_ is None or not state.fairs[round_]:
        return
    venue = state.venues[round_]
    yield Remark("fair", {"round": round_ + 1, "city": state.city_name(venue), "fair": fair_word(state.fairs[round_])})
    there = takes_part(msgspec.structs.replace(state, round=round_), seat)
    points = fair_points(state, seat, state.fairs[round_])
    key = "fair_away" if not there else "fair_there" if points >= 0 else "fair_costs"
    yield Remark(key, {"seat": state.colour(seat), "points": abs(points) if there else points})


# A city


def _city(state: State, city: int, seat: SeatNo) -> Iterator[Remark]:
    names, here = city_names(state.box), cities(state.box)[city]
    facts: dict[str, Fact] = {"city": names[city], "seat": state.colour(seat)}
    yield Remark("roads", {**facts, "cities": tuple(names[one] for one in state.map.neighbours[city])})
    far = state.map.far[city]
    yield Remark("way", {**facts, "architect": far[state.architects[seat]], "merchant": far[state.merchants[seat]]})
    places = free_house_places(state, city)
    free = [place for place in places if state.houses[city][place] == NO_SEAT]
    brings = tuple(word for place in free if (word := bonus_word(here.houses[place])) != "nothing")
    yield Remark("houses", {"free": len(free), "of": len(places)}) if places else Remark("no_houses", {})
    if brings:
        yield Remark("house_brings", {"amounts": brings})
    if here.cathedral:
        yield from _cathedral(state, city)
    if state.city_tiles[city]:
        yield Remark("tile_here", {"tile": state.city_tiles[city]})
    for round_, venue in enumerate(state.venues):
        if venue == city and round_ >= state.round:
            yield from _fair(state, str(round_ + 1), seat)


def _cathedral(state: State, city: int) -> Iterator[Remark]:
    top, cost = cathedral_tile(state, city), state.costs[city]
    if top and cost:
        yield Remark("cathedral", {"points": top, "cost": cost_word(cost)})
    elif not top:
        yield Remark("cathedral_done", {})


def _in_city(state: State, spot: str, seat: SeatNo) -> Iterator[Remark]:
    """Explain a place that is named after its city, perhaps with a number."""
    names = city_names(state.box)
    city = spot if spot in names else spot.rpartition(" ")[0]
    if city in names:
        yield from _city(state, names.index(city), seat)


# Amounts


def bonus_word(bonus: Bonus) -> str:
    """Return all that a bonus brings, as a word of the catalogue."""
    return _amounts(msgspec.structs.asdict(bonus))


def _amounts(found: Mapping[str, int]) -> str:
    return "_".join(f"{what}{number}" for what, number in found.items() if number) or "nothing"


_PLACES: Final[Mapping[str, Tell]] = {
    "dial": _disc,
    "sections": _section_tile,
    "contracts": _contract,
    "guests": _guest,
    "favours": _favour,
    "crown": _crown,
    "corruption": _corruption,
    "fairs": _fair,
    "venues": _fair,
    "houses": _in_city,
    "city_tiles": _in_city,
    "cathedrals": _in_city,
    "costs": _in_city,
}
"""Explanations by zone."""
_KINDS: Final[Mapping[str, Tell]] = {"warehouse": _held}
"""Explanations by the first word of zones that each seat has."""
