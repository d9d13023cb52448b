"""What could have happened: the legal moves of which the table may show something, and the likeliest forbidden ones.

Where the order of several acts does not matter (what chance lays out), only the first is proposed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from msgspec.structs import replace

from companion.messages import UNKNOWN, View
from companion.rules import SeatNo, Story

from . import moves
from .box import BUILDINGS, RESOURCES, SLOTS
from .components import segment_names
from .moves import EXACT, Move
from .phases import carried_out, legal
from .pretending import intended
from .seeing import Seen
from .setting_up import start_space
from .state import NONE, NOWHERE, UNSEEN, State, card, segment_with
from .view import building_label, segment_label
from .words import card_word, section_word


def candidates(state: State, view: View) -> Iterator[Move]:
    """Likeliest first; each move once."""
    seen = Seen(state, view)
    if state.phase in ("laying_out", "lots"):
        yield from next(([move] for move in _lots(seen)), [])
        return
    if UNSEEN in state.offer or UNSEEN in state.scripts:
        yield from next(([move] for move in _turned_up(seen)), [])
        return
    likely: list[Any] = [move for move in legal(state) if SHOWN[type(move)](seen, move)]
    yield from likely
    yield from _off(seen, likely)


def _off(seen: Seen, likely: list[Any]) -> Iterator[Move]:
    """The same moves with goods and markers that are not as they should be."""
    for move in likely:
        if hasattr(move, "off"):
            after = Seen(carried_out(seen.state, move, Story()), seen.view)
            off = after.off(move.seat)
            if off != EXACT:
                yield replace(move, off=off)


# What chance lays out


def _lots(seen: Seen) -> Iterator[Move]:
    state = seen.state
    if state.phase == "laying_out":
        yield moves.LayOut()
        return
    names = segment_names(state.box)
    for place, there in enumerate(state.order):
        label = seen.cell("segments", str(place + 1)) if there == NOWHERE else None
        yield from (moves.PutSegment(place, one) for one, name in enumerate(names) if segment_label(name) == label)
    if state.castle == NOWHERE:
        label = seen.cell("keep", "front")
        yield from (moves.TurnCastle(one) for one in range(len(names)) if section_word(one) == label)
    if NOWHERE not in state.order:
        yield from _turned_up(seen)
    for place, number in enumerate(state.cards):
        label = seen.cell("cards", str(place + 1)) if number == NOWHERE else None
        yield from (moves.OfferCard(place, int(one)) for one in state.box.player_cards if card_word(int(one)) == label)
    for place, hero in enumerate(state.heroes):
        label = seen.cell("heroes", str(place + 1)) if not hero else None
        if label in state.box.heroes:
            yield moves.OfferHero(place, label)


def _turned_up(seen: Seen) -> Iterator[Move]:
    state = seen.state
    for segment, top in enumerate(state.offer):
        label = seen.top("townsfolk", segment) if top == UNSEEN else UNKNOWN
        if label is None:
            yield moves.ShowPrinted(segment)
        elif label in state.box.townsfolk:
            yield moves.TurnUp(segment, label)
    for segment, top in enumerate(state.scripts):
        label = seen.top("manuscripts", segment) if top == UNSEEN else None
        if label in state.box.manuscripts:
            yield moves.TurnUpManuscript(segment, label)


# What the table may show of a move


def _always(_seen: Seen, _move: Any) -> bool:
    return True


def _pair(seen: Seen, move: moves.TakePair) -> bool:
    return seen.space(move.seat) in (None, start_space(seen.state.cards[move.place]))


def _slid(seen: Seen, move: moves.Slide) -> bool:
    return seen.touched(seen.of(move.seat, "row"))


def _played(seen: Seen, move: moves.PlayCard) -> bool:
    row = seen.row(move.seat)
    return move.card in row or UNKNOWN in row


def _travelled(seen: Seen, move: moves.Travel) -> bool:
    return seen.space(move.seat) in (None, move.space)


def _pile_gone(seen: Seen, segment: int) -> bool:
    top = seen.top("townsfolk", segment)
    return top == UNKNOWN or (top or NONE) != seen.state.offer[segment]


def _dismissed(seen: Seen, move: moves.Dismiss) -> bool:
    segment = segment_with(seen.state, move.seat)
    return not seen.state.offer[segment] or _pile_gone(seen, segment)


def _traded(seen: Seen, move: moves.Trade) -> bool:
    zones = ("goods", "papers", "discards")
    return any(seen.touched(seen.of(move.seat, zone)) for zone in zones)


def _built(seen: Seen, move: moves.Build) -> bool:
    label = building_label(seen.state.colour_of(move.seat), move.building)
    zone = seen.of(move.seat, "buildings")
    place = seen.cell(zone, f"{BUILDINGS[move.building]} {move.slot + 1}")
    return seen.plot(move.segment, move.plot) in (UNKNOWN, label) and place in (UNKNOWN, None)


def _employed(seen: Seen, move: moves.Employ) -> bool:
    return seen.touched(seen.of(move.seat, "stock"))


def _copied(seen: Seen, move: moves.Copy) -> bool:
    top = seen.state.scripts[move.segment]
    return not top or seen.top("manuscripts", move.segment) != top


def _hired(seen: Seen, move: moves.Hire) -> bool:
    return _pile_gone(seen, move.segment)


def _flipped(seen: Seen, move: moves.Flip) -> bool:
    state = seen.state
    paid = state.debts[move.seat][1] if move.paper == "debt" else state.deeds[move.seat][1]
    there = seen.papers(move.seat, "paid debt" if move.paper == "debt" else "approved deed")
    return there is None or there > paid


def _rearranged(seen: Seen, move: moves.Rearrange) -> bool:
    row = seen.row(move.seat)
    return all(there in (UNKNOWN, card_ or None) for there, card_ in zip(row, move.row, strict=True))


def _discarded(seen: Seen, move: moves.Discard) -> bool:
    return seen.cell(seen.of(move.seat, "discards"), "top") in (UNKNOWN, move.card)


def _destroyed(seen: Seen, move: moves.Destroy) -> bool:
    """A card that is gone shows only in its silver."""
    if seen.pieces(seen.of(move.seat, "goods")) is None:
        return True
    return seen.more("silver", move.seat) >= card(seen.state, move.card).silver


def _shifted(seen: Seen, move: moves.Shift) -> bool:
    here = seen.workers(1, move.section, move.seat)
    return here is None or here != seen.state.rings[0][move.section][move.seat]


def _took(seen: Seen, move: moves.TakeGood) -> bool:
    """A resource may have been paid since; then it does not show."""
    gained = [good for good in RESOURCES if seen.more(good, move.seat) > 0]
    return not gained or move.good in gained


def _schemed(seen: Seen, move: moves.TurnScheme) -> bool:
    return seen.row(seen.state.rival)[0] in (UNKNOWN, move.scheme)


def _added(seen: Seen, move: moves.AddScheme) -> bool:
    return seen.cell(seen.of(seen.state.rival, "discards"), "top") in (UNKNOWN, move.scheme)


SHOWN: Final[Mapping[type[Any], Callable[[Seen, Any], bool]]] = {
    moves.TakePair: _pair,
    moves.TurnScheme: _schemed,
    moves.AddScheme: _added,
    moves.Slide: _slid,
    moves.PlayCard: _played,
    moves.Travel: _travelled,
    moves.Dismiss: _dismissed,
    moves.Trade: _traded,
    moves.Build: _built,
    moves.Employ: _employed,
    moves.Copy: _copied,
    moves.Skip: _always,
    moves.Hire: _hired,
    moves.Collide: _always,
    moves.DrawUp: _always,
    moves.TakeGood: _took,
    moves.Flip: _flipped,
    moves.Rearrange: _rearranged,
    moves.Discard: _discarded,
    moves.Destroy: _destroyed,
    moves.Shift: _shifted,
    moves.Climb: _always,
    moves.Push: _always,
    moves.Choose: _always,
    moves.Decline: _always,
}


# What may have been done against the rules


def missteps(state: State, view: View) -> Iterator[Move]:
    """Acts that show on the table, by anybody, whatever the rules say."""
    if state.phase in ("laying_out", "lots", "over"):
        return
    seen = Seen(state, view)
    for seat in range(state.players):
        for move in _acts(seen, seat):
            yield move
            after = intended(state, move) if hasattr(move, "off") else None
            off = EXACT if after is None else Seen(after, view).off(seat)
            if off != EXACT:
                yield replace(move, off=off)


def _acts(seen: Seen, seat: SeatNo) -> Iterator[Any]:
    state = seen.state
    space = seen.space(seat)
    if space is not None and space != state.viscounts[seat] and state.viscounts[seat] != NOWHERE:
        yield moves.Travel(seat, space)
    yield from _buildings(seen, seat)
    for segment, top in enumerate(state.offer):
        gone = top and seen.top("townsfolk", segment) != top
        if gone and seen.cell(seen.of(seat, "discards"), "top") == top:
            yield moves.Hire(seat, segment)
    for segment, top in enumerate(state.scripts):
        found = seen.pieces(seen.of(seat, "scripts"))
        if top and found is not None and found[top]:
            yield from (moves.Copy(seat, segment, pays) for pays in _paid(seen, seat, 0))
    yield from _workers(seen, seat)
    for good in RESOURCES:
        if seen.more(good, seat) > 0:
            yield moves.TakeGood(seat, good)
    if (seen.papers(seat, "paid debt") or 0) > state.debts[seat][1]:
        yield moves.Flip(seat, "debt")
    if (seen.papers(seat, "approved deed") or 0) > state.deeds[seat][1]:
        yield moves.Flip(seat, "deed")
    row = tuple(there or NONE for there in seen.row(seat))
    if UNKNOWN not in row and row != state.rows[seat] and sorted(row) == sorted(state.rows[seat]):
        yield moves.Rearrange(seat, (row[0], row[1], row[2]))


def _paid(seen: Seen, seat: SeatNo, good: int) -> Iterator[moves.Goods]:
    """Nothing, or what is missing of a good."""
    yield moves.FREE
    missing = -seen.more(("ink", "gold", "stone")[good], seat)
    if missing > 0:
        yield (missing, 0, 0, 0) if good == 0 else (0, missing, 0, 0) if good == 1 else (0, 0, missing, 0)


def _buildings(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    state, colour = seen.state, seen.state.colour_of(seat)
    for segment, plots in enumerate(state.plots):
        for plot, standing in enumerate(plots):
            label = seen.plot(segment, plot)
            for building in range(len(BUILDINGS)):
                if standing < 0 and label == building_label(colour, building):
                    for slot in range(SLOTS):
                        place = seen.cell(seen.of(seat, "buildings"), f"{BUILDINGS[building]} {slot + 1}")
                        if place is None and not state.built[seat] >> building * SLOTS + slot & 1:
                            for pays in _paid(seen, seat, 2):
                                yield moves.Build(seat, building, slot, segment, plot, pays)


def _workers(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    state, sections = seen.state, len(seen.state.order)
    more = [(seen.workers(1, section, seat) or 0) - state.rings[0][section][seat] for section in range(sections)]
    for section in range(sections):
        if more[section] > 0:
            for pays in _paid(seen, seat, 1):
                yield moves.Employ(seat, more[section], section, pays)
            yield from (moves.Shift(seat, other, section) for other in range(sections) if more[other] < 0)
        for ring in (1, 2):
            for owner in range(state.players):
                here = seen.workers(ring, section, owner)
                if here is not None and here < state.rings[ring - 1][section][owner]:
                    yield moves.Push(seat, ring, section, owner)
