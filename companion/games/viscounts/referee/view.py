"""How a State of Viscounts looks as a View.

Places on the board are counted clockwise from the segment with the number 1, as the segments lie. Piles and plots are
cells, viscounts are marks on a track of fifteen spaces, workers are loose pieces in their section. Hands and piles are
hidden and not part of it.
"""

from __future__ import annotations

from collections import Counter
from functools import lru_cache
from typing import Final

from companion.kernel.rules import SeatNo
from companion.kernel.views import UNKNOWN, Cells, Contents, Marks, Pieces, View

from ..box import BUILDINGS, GOODS, RIBBONS, SILVER, SLOTS, Box
from ..components import card_word, section_word, segment_names
from ..state import (
    EMPTY,
    NO_SEAT,
    NOWHERE,
    UNSEEN,
    State,
    kind_of,
    owner_of,
    workers_left,
)

RINGS: Final = ("first", "second")
SPACES: Final = 3
"""Spaces of a segment."""


def segment_label(name: str) -> str:
    return f"segment {name}"


def worker_label(colour: str) -> str:
    return f"{colour} worker"


def building_label(colour: str, building: int) -> str:
    return f"{colour} {BUILDINGS[building]}"


def ribbon_label(ribbon: int) -> str:
    return f"cleric {RIBBONS[ribbon]}"


def slots_zone(building: int, colour: str) -> str:
    """Return the zone with the places of one kind of building on a player board."""
    return f"{BUILDINGS[building]} {colour}"


def slot_cell(slot: int) -> str:
    return str(slot + 1)


def purse(good: str) -> str:
    """Return the kind of zone in which a good lies: silver is coins, the others are wood."""
    return "silver" if good == GOODS[SILVER] else "goods"


def plot_cell(place: int, plot: int) -> str:
    return f"{place + 1}-{plot + 1}"


def ring_zone(ring: int, place: int) -> str:
    return f"{RINGS[ring]} ring {place + 1}"


LEADER: Final = "castle leader"
TOP: Final = "third ring"


@lru_cache(maxsize=4096)
def view(state: State) -> View:
    colours = tuple(map(state.colour, range(state.players)))
    known = state.order if NOWHERE not in state.order else tuple(range(len(state.order)))
    zones: dict[str, Contents] = {
        "segments": _segments(state.box, state.order),
        "keep": _keep(state.castle),
        "townsfolk": _tops(state.offer, known, state.order),
        "manuscripts": _tops(state.scripts, known, state.order),
        "plots": _plots(colours, state.plots, known),
        "viscounts": _viscounts(colours, state.viscounts, known),
        "cards": _numbered(tuple(card_word(card) if card != NOWHERE else EMPTY for card in state.cards), state.phase),
        "heroes": _numbered(state.heroes, state.phase),
        "honours": _honours(state.bonus, state.leader),
        "kingdom": _kingdom(state.poverty, state.prosperity),
        "gone": _discards(state.gone[-1:]),
        TOP: _workers(colours, state.top),
    }
    for ring in range(len(RINGS)):
        for place in range(len(state.order)):
            section = (place + max(state.castle, 0)) % len(state.order)
            zones[ring_zone(ring, place)] = _workers(colours, state.rings[ring][section])
    for seat, colour in enumerate(colours):
        zones |= _board(state, seat, colour)
    return View(zones)


def _board(state: State, seat: SeatNo, colour: str) -> dict[str, Contents]:
    """Return the zones on and beside a player board."""
    cards = tuple(ribbon for ribbon, owner in enumerate(state.bonus) if owner == seat)
    return {
        f"row {colour}": _row(state.rows[seat]),
        f"discards {colour}": _discards(state.discards[seat][-1:]),
        f"track {colour}": _track(state.corruption[seat], state.virtue[seat]),
        f"goods {colour}": _goods(state.goods[seat], "goods"),
        f"silver {colour}": _goods(state.goods[seat], "silver"),
        f"papers {colour}": _papers(state.debts[seat], state.deeds[seat]),
        **{slots_zone(kind, colour): _buildings(colour, kind, state.built[seat]) for kind in range(len(BUILDINGS))},
        f"stock {colour}": _workers((colour,), (workers_left(state, seat),)),
        f"scripts {colour}": _loose(state.manuscripts[seat]),
        f"honours {colour}": _own_honours(cards, state.leader == seat),
    }


# Each zone is cached: the referee compares many positions, and they share most of their zones.

_cached = lru_cache(maxsize=4096)


@_cached
def _segments(box: Box, order: tuple[int, ...]) -> Cells:
    names = segment_names(box)
    return Cells(
        {
            str(place): UNKNOWN if segment == NOWHERE else segment_label(names[segment])
            for place, segment in enumerate(order, start=1)
        }
    )


@_cached
def _keep(section: int) -> Cells:
    """Return the section of the castle that faces the first segment."""
    return Cells({"front": UNKNOWN if section == NOWHERE else section_word(section)})


@_cached
def _tops(tops: tuple[str, ...], known: tuple[int, ...], order: tuple[int, ...]) -> Cells:
    """Return the top of each pile, place by place; unknown while segments are missing."""
    return Cells(
        {
            str(place): UNKNOWN if tops[segment] == UNSEEN or NOWHERE in order else tops[segment] or None
            for place, segment in enumerate(known, start=1)
        }
    )


@_cached
def _plots(colours: tuple[str, ...], plots: tuple[tuple[int, ...], ...], known: tuple[int, ...]) -> Cells:
    most = max(map(len, plots))
    standing: dict[str, str | None] = {}
    for place, segment in enumerate(known):
        for plot in range(most):
            here = plots[segment][plot] if plot < len(plots[segment]) else NO_SEAT
            label = None if here == NO_SEAT else building_label(colours[owner_of(here)], kind_of(here))
            standing[plot_cell(place, plot)] = label
    return Cells(standing)


@_cached
def _viscounts(colours: tuple[str, ...], spaces: tuple[int, ...], known: tuple[int, ...]) -> Marks:
    """Return the spaces of the viscounts, counted clockwise: left, inner and right of each segment."""
    fields = {}
    for colour, space in zip(colours, spaces, strict=True):
        if space != NOWHERE:
            segment, where = divmod(space, SPACES)
            fields[colour] = known.index(segment) * SPACES + where + 1
    return Marks(fields)


@_cached
def _numbered(labels: tuple[str, ...], phase: str) -> Cells:
    missing = UNKNOWN if phase in ("laying_out", "lots") else None
    return Cells({str(place): label or missing for place, label in enumerate(labels, start=1)})


@_cached
def _honours(bonus: tuple[SeatNo, ...], leader: SeatNo) -> Cells:
    """Return the cards of honour that have not been earned yet."""
    lying: dict[str, str | None] = {
        RIBBONS[ribbon]: ribbon_label(ribbon) if owner == NO_SEAT else None for ribbon, owner in enumerate(bonus)
    }
    return Cells(lying | {"leader": LEADER if leader == NO_SEAT else None})


@_cached
def _own_honours(ribbons: tuple[int, ...], leads: bool) -> Pieces:
    labels = [*map(ribbon_label, ribbons), *([LEADER] if leads else [])]
    return Pieces(dict.fromkeys(labels, 1))


@_cached
def _kingdom(poverty: int, prosperity: int) -> Cells:
    """Return the card of poverty and that of prosperity, or what lies on them."""
    return Cells(
        {
            "poverty": "poverty" if not poverty else "debts",
            "prosperity": "prosperity" if not prosperity else "deeds",
        }
    )


@_cached
def _workers(colours: tuple[str, ...], numbers: tuple[int, ...]) -> Pieces:
    return Pieces({worker_label(colour): number for colour, number in zip(colours, numbers, strict=True)})


@_cached
def _row(row: tuple[str, str, str]) -> Cells:
    return Cells({str(place): card or None for place, card in enumerate(row, start=1)})


@_cached
def _discards(top: tuple[str, ...]) -> Cells:
    return Cells({"top": top[0] if top else None})


@_cached
def _track(corruption: int, virtue: int) -> Marks:
    return Marks({"corruption": corruption, "virtue": virtue})


@_cached
def _goods(goods: tuple[int, ...], zone: str) -> Pieces:
    return Pieces({good: number for good, number in zip(GOODS, goods, strict=True) if purse(good) == zone})


@_cached
def _papers(debts: tuple[int, int], deeds: tuple[int, int]) -> Pieces:
    return Pieces(dict(zip(("debt", "paid debt", "deed", "approved deed"), (*debts, *deeds), strict=True)))


@_cached
def _buildings(colour: str, building: int, built: int) -> Cells:
    """Return the buildings of a kind that still stand on the player board."""
    label = building_label(colour, building)
    return Cells({slot_cell(slot): None if built >> building * SLOTS + slot & 1 else label for slot in range(SLOTS)})


@_cached
def _loose(labels: tuple[str, ...]) -> Pieces:
    return Pieces(dict(Counter(labels)))
