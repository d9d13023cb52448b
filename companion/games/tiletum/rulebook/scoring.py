"""The score sheet: the points on the track by origin; at the end also figures on the map, buildings and goods; and who
won, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.kernel.rules import (
    Line,
    Note,
    Scoresheet,
    SeatNo,
    SeatScore,
    earned_lines,
    tally,
)

from ..state import State, finished_buildings, houses_on_map, pillars_on_map

HEADINGS: Final = (
    *("score_crown", "score_fair", "score_contract", "score_field", "score_cathedral", "score_guest", "score_crest"),
    *("score_place", "score_tile", "points"),
)
"""What brings points during the game, in the order of the score sheet."""


def score(state: State) -> Scoresheet:
    over = state.phase == "over"
    seats = tuple(tally(seat, _lines(state, seat, over)) for seat in range(state.players))
    if not over:
        return Scoresheet(seats)
    winner = _winner(state, seats)
    return Scoresheet(seats, (winner,), tuple(_winning_reasons(state, seats, winner)))


def _lines(state: State, seat: SeatNo, over: bool) -> Iterator[Line]:
    earned = state.earned[seat] if state.earned else ()
    yield from sorted(earned_lines(earned, state.points[seat], "end.points"), key=_sort_key)
    if not over:
        return
    houses, pillars = houses_on_map(state, seat), pillars_on_map(state, seat)
    yield Line("houses_pillars", houses * pillars, Note("end.map", {"houses": houses, "pillars": pillars}))
    buildings = finished_buildings(state, seat)
    points = state.box.ending.buildings[buildings]
    yield Line("buildings", points, Note("end.buildings", {"buildings": buildings}))
    goods = sum(state.goods[seat])
    yield Line("goods", goods // state.box.ending.goods, Note("end.goods", {"goods": goods}))


def _sort_key(line: Line) -> tuple[int, int, str]:
    facts = line.because.facts
    return HEADINGS.index(line.label), int(str(facts.get("round", facts.get("field", 0)))), str(facts)


def _winner(state: State, seats: tuple[SeatScore, ...]) -> SeatNo:
    """Return the seat with most points; of several the earliest in the order of play."""
    return max(seats, key=lambda sheet: (sheet.total, -state.order.index(sheet.seat))).seat


def _winning_reasons(state: State, seats: tuple[SeatScore, ...], winner: SeatNo) -> Iterator[Note]:
    best, colour = seats[winner].total, state.colour(winner)
    yield Note("end.winner", {"seat": colour, "points": best})
    if sum(sheet.total == best for sheet in seats) > 1:
        yield Note("end.tie", {"seat": colour})
