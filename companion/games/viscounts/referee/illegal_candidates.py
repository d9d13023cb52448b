"""Forbidden moves that could explain what lies on the table.

The likeliest come first, because if several explain the table the first is told: first an act that is wrong in itself,
then a right act with a wrong payment or reward, and last changes without any act.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from companion.kernel.rules import SeatNo
from companion.kernel.views import UNKNOWN, View

from .. import moves
from ..box import BUILDINGS, GOODS, RIBBONS, SLOTS
from ..components import INNER
from ..moves import EXACT, Deviation, Move
from ..rulebook import cards, trade
from ..state import (
    EMPTY,
    NOWHERE,
    State,
    acting_seat,
    clockwise,
    pile_top_unknown,
    segment_with,
)
from .candidates import legal_candidates
from .play_unchecked import play_with_costs
from .seen_table import Seen
from .view import LEADER, TOP, building_label, ribbon_label, worker_label
from .view import view as should_be

MORE_TRADES = 3
"""Maximum number of trades beyond those possible."""


def illegal_candidates(state: State, view: View) -> Iterator[Move]:
    if state.phase in ("laying_out", "lots") or pile_top_unknown(state):
        return
    seen = Seen(state, view)
    if state.phase != "over":
        yield from _forbidden_acts(seen)
    for seat in range(state.players):
        yield from _honours(seen, seat)
        deviation = seen.deviation(seat)
        if deviation != EXACT and not _only_one_good(deviation):
            yield moves.Alter(seat, deviation)


def _forbidden_acts(seen: Seen) -> Iterator[Move]:
    state = seen.state
    # If it cannot be told which seat did it, it was the acting one.
    seats = [seat for seat in clockwise(state, acting_seat(state)) if seen.changed_for(seat)]
    acts = [move for seat in seats for move in _acts(seen, seat)]
    for move in acts:
        yield from _with_payment(seen, move) if hasattr(move, "pays") else (move,)
    for move in acts:
        if not hasattr(move, "pays"):
            yield from _with_deviation(seen, move)
    for move in legal_candidates(seen):
        if not hasattr(move, "pays"):
            yield from _with_deviation(seen, move)


def _only_one_good(deviation: Deviation) -> bool:
    """Whether a seat took a single good: that is an act of its own."""
    return sorted(deviation[: len(GOODS)]) == [0, 0, 0, 1] and not any(deviation[len(GOODS) :])


def _with_payment(seen: Seen, move: Any) -> Iterator[Move]:
    """Yield the act with the payment that was seen; goods of which a seat has too many cannot be a payment."""
    after = play_with_costs(seen.state, replace(move, pays=moves.FREE))
    if after is None:
        return
    deviation = Seen(after, seen.view).deviation(move.seat)
    gone = [max(0, -number) for number in deviation[: len(GOODS)]]
    paid = replace(move, pays=(gone[0], gone[1], gone[2], gone[3]))
    yield paid
    yield from _with_deviation(seen, paid)


def _with_deviation(seen: Seen, move: Any) -> Iterator[Move]:
    """Yield the same act with wrong goods, markers and papers, if something else of it is visible."""
    after = play_with_costs(seen.state, move) if hasattr(move, "off") else None
    if after is None or should_be(after) == should_be(seen.state):
        return
    deviation = Seen(after, seen.view).deviation(move.seat)
    if deviation != EXACT:
        yield replace(move, off=deviation)


def _acts(seen: Seen, seat: SeatNo) -> Iterator[Any]:
    if seen.state.phase == "draft" and NOWHERE in seen.state.viscounts:
        yield from (moves.TakePair(seat, place) for place in range(len(seen.state.cards)) if _pair_gone(seen, place))
    yield from _on_the_board(seen, seat)
    yield from _in_the_castle(seen, seat)
    yield from _with_cards(seen, seat)
    yield from _on_the_player_board(seen, seat)


def _pair_gone(seen: Seen, place: int) -> bool:
    return seen.cell("cards", str(place + 1)) is None


def _on_the_board(seen: Seen, seat: SeatNo) -> Iterator[Any]:
    state = seen.state
    space = seen.space(seat)
    if space is not None and state.viscounts[seat] not in (space, NOWHERE):
        yield moves.Travel(seat, space)
    yield from _buildings(seen, seat)
    for segment, top in enumerate(state.offer):
        if top and seen.top("townsfolk", segment) not in (top, UNKNOWN):
            if seen.cell("gone", "top") != top:
                yield moves.Hire(seat, segment)
            elif segment == segment_with(state, seat):
                yield moves.Dismiss(seat)
    found = seen.pieces(seen.of(seat, "scripts"))
    for segment, top in enumerate(state.scripts):
        if top and found is not None and found[top]:
            yield moves.Copy(seat, segment)


def _buildings(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    state, colour = seen.state, seen.state.colour(seat)
    if not seen.touched("plots"):
        return
    for building in range(len(BUILDINGS)):
        gone = [slot for slot in range(SLOTS) if _left_its_place(seen, seat, building, slot)]
        for segment, plots in enumerate(state.plots if gone else ()):
            for plot, standing in enumerate(plots):
                if standing < 0 and seen.plot(segment, plot) == building_label(colour, building):
                    yield from (moves.Build(seat, building, slot, segment, plot) for slot in gone)


def _left_its_place(seen: Seen, seat: SeatNo, building: int, slot: int) -> bool:
    return seen.slot(seat, building, slot) is None and not seen.state.built[seat] >> building * SLOTS + slot & 1


def _in_the_castle(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    state, sections = seen.state, len(seen.state.order)
    more = [_more_workers(seen, 1, section, seat) for section in range(sections)]
    above = [_more_workers(seen, 2, section, seat) for section in range(sections)]
    for section in range(sections):
        if more[section] > 0:
            yield moves.Employ(seat, more[section], section)
            yield from (moves.Shift(seat, other, section) for other in range(sections) if more[other] < 0)
        if above[section] > 0 and more[section] < 0:
            yield moves.Climb(seat, 1, section)
        if above[section] < 0 and _on_top(seen, seat) > 0:
            yield moves.Climb(seat, 2, section)
    for ring in (1, 2):
        for section in range(sections):
            for owner in range(state.players):
                if _more_workers(seen, ring, section, owner) < 0:
                    yield moves.Push(seat, ring, section, owner)


def _more_workers(seen: Seen, ring: int, section: int, seat: SeatNo) -> int:
    here = seen.workers(ring, section, seat)
    return 0 if here is None else here - seen.state.rings[ring - 1][section][seat]


def _on_top(seen: Seen, seat: SeatNo) -> int:
    found = seen.pieces(TOP)
    return 0 if found is None else found[worker_label(seen.state.colour(seat))] - seen.state.top[seat]


def _with_cards(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    state = seen.state
    before = state.rows[seat]
    row = tuple(there or EMPTY for there in seen.row(seat))
    if UNKNOWN not in row and row != before:
        if row[1:] == before[:2]:
            yield moves.Slide(seat)
        if sorted(row) == sorted(before):
            yield moves.Rearrange(seat, (row[0], row[1], row[2]))
        if not before[0] and row[0]:
            yield moves.PlayCard(seat, row[0])
    top = seen.cell(seen.of(seat, "discards"), "top")
    if top is not None and top in state.hidden[seat]:
        yield moves.Discard(seat, "hand", top)


def _on_the_player_board(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    state = seen.state
    gained = [good for good in GOODS if seen.more(good, seat) > 0]
    yield from (moves.TakeGood(seat, good) for good in gained)
    if (seen.papers(seat, "paid debt") or 0) > state.debts[seat][1]:
        yield moves.Flip(seat, "debt")
    if (seen.papers(seat, "approved deed") or 0) > state.deeds[seat][1]:
        yield moves.Flip(seat, "deed")
    if gained and seat == state.turn and seat != state.rival and state.viscounts[seat] % 3 != INNER:
        most = trade.most_trades(state, seat)
        yield from (moves.Trade(seat, most + more) for more in range(1, MORE_TRADES + 1))


def _honours(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    state, found = seen.state, seen.pieces(seen.of(seat, "honours"))
    for ribbon in range(len(RIBBONS)):
        if found is not None and found[ribbon_label(ribbon)] and state.bonus[ribbon] != seat:
            yield moves.TakeHonour(seat, ribbon)
    if found is not None and found[LEADER] and state.leader != seat:
        yield moves.TakeHonour(seat, cards.LEADER)
