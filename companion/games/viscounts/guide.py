"""What people are told about a place, a piece or an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from companion.games.viscounts import guide_actions, guide_board
from companion.games.viscounts.guide_actions import steps_after
from companion.kernel.capabilities import Link, Remark, Ring
from companion.kernel.rules import Fact, SeatNo

from . import (
    guide_board as guide_cards,
)
from .box import BUILDINGS, RIBBONS, SLOTS, SYMBOLS, Card
from .components import INNER, LEFT, card_word, reward_word, section_word, segment_names
from .moves import Build, Climb, Employ, Hire, Shift, TakePair, Trade, Travel
from .referee.view import LEADER, TOP, ribbon_label, slot_cell
from .rulebook import trade as trading
from .rulebook.buildings import cost_of
from .rulebook.castle import FIRST, with_workers
from .rulebook.movement import price
from .rulebook.payment import strength
from .state import EMPTY, NO_SEAT, NOWHERE, UNSEEN, State, board, card, script_at, section_at, townsfolk_at

Tell = Callable[[State, str, SeatNo], Iterator[Remark]]


class Guide:
    """Explains the table of Viscounts."""

    def about(self, state: State, zone: str, spot: str, seat: SeatNo | None) -> tuple[Remark, ...]:
        if NOWHERE in state.order or state.castle == NOWHERE:
            return ()  # the board is still being laid out
        asks = next((one for one in (seat, state.turn) if one is not None and 0 <= one < len(state.seats)), 0)
        kind, _, rest = zone.partition(" ")
        if ring := guide_actions.ring_of(zone):
            return tuple(_section(state, *ring, asks))
        owner = next((one for one in range(state.players) if state.colour(one) == rest), NO_SEAT)
        if owner != NO_SEAT and kind in _BOARDS:
            return tuple(_BOARDS[kind](state, spot, owner))
        tell = _PLACES.get(zone)
        return () if tell is None else tuple(tell(state, spot, asks))

    def piece(self, state: State, label: str) -> Remark | None:
        return guide_cards.in_short(state, label)

    def answer(self, state: State, move: Any, field: str) -> Remark | None:
        return answer(state, move, field)

    def links(self, _state: State) -> tuple[Link, ...]:
        return ()

    def rings(self, _state: State) -> tuple[Ring, ...]:
        return ()

    def printed(self, state: State) -> Mapping[str, str]:
        """Return what is printed on cards: silver and symbols."""
        return {name: _symbols(name, one) for name, one in state.box.cards()}


# In the middle of the table


def _section(state: State, ring: int, place: int, seat: SeatNo) -> Iterator[Remark]:
    if place in range(len(state.order)):
        yield from guide_actions.section(state, ring, (place + state.castle) % len(state.order), seat)


def _top(state: State, _spot: str, _seat: SeatNo) -> Iterator[Remark]:
    yield from guide_actions.top(state)


def _segment_at(state: State, spot: str) -> int:
    """Return the segment at a place, counted clockwise from 1; NOWHERE if there is none."""
    return state.order[int(spot) - 1] if spot in map(str, range(1, len(state.order) + 1)) else NOWHERE


def _segment(state: State, spot: str, _seat: SeatNo) -> Iterator[Remark]:
    if (segment := _segment_at(state, spot)) != NOWHERE:
        yield from guide_board.segment(state, segment)


def _townsfolk(state: State, spot: str, _seat: SeatNo) -> Iterator[Remark]:
    if (segment := _segment_at(state, spot)) != NOWHERE:
        yield from guide_cards.card(state, townsfolk_at(state, segment))


def _manuscript(state: State, spot: str, seat: SeatNo) -> Iterator[Remark]:
    if (segment := _segment_at(state, spot)) != NOWHERE:
        yield from guide_cards.script(state, script_at(state, segment), seat)


def _plot(state: State, spot: str, _seat: SeatNo) -> Iterator[Remark]:
    place, _, number = spot.partition("-")
    if (segment := _segment_at(state, place)) != NOWHERE and number.isdecimal():
        yield from guide_board.plot(state, segment, int(number) - 1)


def _space(state: State, spot: str, seat: SeatNo) -> Iterator[Remark]:
    """Explain a space of the board, by its field, or a seat's viscount, by its colour."""
    owner = next((one for one in range(state.players) if state.colour(one) == spot), NO_SEAT)
    if owner != NO_SEAT:
        yield from guide_actions.from_row(state, owner)
    elif spot in map(str, range(1, 3 * len(state.order) + 1)):
        place, where = divmod(int(spot) - 1, 3)
        space = state.order[place] * 3 + where
        yield from guide_board.space(state, space)
        yield from _coming(state, space, seat)


def _coming(state: State, space: int, seat: SeatNo) -> Iterator[Remark]:
    """Explain what a seat that is to move would find there."""
    if state.phase == "moving" and state.turn == seat and not state.due:
        way = guide_board.way_to(state, seat, space)
        if way is not None:
            yield way
            yield from guide_actions.from_space(state, seat, space)


def _pair(state: State, spot: str, _seat: SeatNo) -> Iterator[Remark]:
    place = int(spot) - 1 if spot.isdecimal() else NOWHERE
    if place in range(len(state.cards)) and state.cards[place] != NOWHERE:
        yield from guide_cards.player_card(state, state.cards[place])


def _hero(state: State, spot: str, _seat: SeatNo) -> Iterator[Remark]:
    place = int(spot) - 1 if spot.isdecimal() else NOWHERE
    if place in range(len(state.heroes)) and state.heroes[place]:
        yield from guide_cards.card(state, state.heroes[place])


def _honour(state: State, spot: str, seat: SeatNo) -> Iterator[Remark]:
    """Explain a cleric's card or the leader's, by its place or by its label."""
    for number, name in enumerate(RIBBONS):
        if spot in (name, ribbon_label(number)):
            yield guide_cards.ribbon(state, number, seat)
    if spot in ("leader", LEADER):
        yield from guide_actions.top(state)


def _kingdom(state: State, spot: str, _seat: SeatNo) -> Iterator[Remark]:
    for which in ("poverty", "prosperity"):
        if spot in ("", which):
            yield from guide_board.kingdom(state, which)


# On a player board


def _row(state: State, spot: str, seat: SeatNo) -> Iterator[Remark]:
    """Explain a card of a row, and what the whole row allows."""
    card = state.rows[seat][int(spot) - 1] if spot in ("1", "2", "3") else EMPTY
    yield from guide_cards.card(state, card)
    if seat != state.rival:
        yield from guide_actions.from_row(state, seat)


def _discards(state: State, _spot: str, seat: SeatNo) -> Iterator[Remark]:
    yield from (one for card in state.discards[seat][-1:] for one in guide_cards.card(state, card))


def _track(state: State, spot: str, seat: SeatNo) -> Iterator[Remark]:
    yield from guide_board.track(state, seat, int(spot) if spot.isdecimal() else None)


def _papers(state: State, _spot: str, seat: SeatNo) -> Iterator[Remark]:
    yield from guide_board.papers(state, seat)


def _building(kind: int) -> Tell:
    def tell(state: State, spot: str, seat: SeatNo) -> Iterator[Remark]:
        if spot in map(slot_cell, range(SLOTS)):
            yield from guide_board.building(state, seat, kind, int(spot) - 1)

    return tell


def _scripts(state: State, spot: str, seat: SeatNo) -> Iterator[Remark]:
    yield from guide_cards.script(state, spot, seat)


def _good(_state: State, spot: str, _seat: SeatNo) -> Iterator[Remark]:
    yield from guide_cards.good(spot)


_PLACES: Final[Mapping[str, Tell]] = {
    "segments": _segment,
    "keep": _top,
    TOP: _top,
    "townsfolk": _townsfolk,
    "manuscripts": _manuscript,
    "plots": _plot,
    "viscounts": _space,
    "cards": _pair,
    "heroes": _hero,
    "honours": _honour,
    "kingdom": _kingdom,
}
"""Explanations by zone."""
_BOARDS: Final[Mapping[str, Tell]] = {
    "row": _row,
    "discards": _discards,
    "track": _track,
    "papers": _papers,
    **{name: _building(kind) for kind, name in enumerate(BUILDINGS)},
    "scripts": _scripts,
    "honours": _honour,
    "goods": _good,
    "silver": _good,
}
"""Explanations by the first word of zones that each seat has; the seat is the owner."""


def answer(state: State, move: Any, field: str) -> Remark | None:
    match move, field:
        case Travel(), "space":
            return _space_answer(state, move)
        case TakePair(), "place":
            number = state.cards[move.place]
            facts: dict[str, Fact] = {"card": card_word(number), "hero": state.heroes[move.place]}
            brings = reward_word(state.box.player_cards[str(number)].effect)
            return Remark("answer_pair", {**facts, "amount": brings})
        case Trade(), "times":
            return Remark("answer_trade", {"silver": trading.price(state, move.seat, move.times)})
        case Build(), "building" if state.phase == "action":
            has = strength(state, move.seat, "build")
            return Remark("answer_needs", {"needs": cost_of(state.box, move.building), "has": has})
        case Build(), "building":
            return Remark("answer_points", {"points": _points(state, move.building)})
        case Build(), "plot":
            plot = board(state)[move.segment].plots[move.plot]
            return Remark("short_brings", {"amount": reward_word(plot)})
        case Employ(), "number":
            return _workers(state, move)
        case Climb(), "section":
            reward = state.box.castle.sections[move.section] if move.ring == FIRST else state.box.castle.third
            return Remark("short_brings", {"amount": reward_word(reward)})
        case Hire(), "segment" if state.offer[move.segment] != UNSEEN:
            name = state.offer[move.segment]
            hired = reward_word(card(state, name).hired)
            return Remark("answer_hire", {"card": name, "amount": hired})
        case Shift(), "to":
            steps = steps_after(with_workers(state, FIRST, move.section, move.seat, -1), move.seat, move.to, 1)
            return Remark("answer_then", {"steps": len(steps)}) if steps else None
        case _:
            return None


def _space_answer(state: State, move: Travel) -> Remark:
    """Explain what can be done on a space, and what the way costs."""
    here, where = divmod(move.space, 3)
    facts: dict[str, Fact] = {"price": 0}
    if move.seat != state.rival:
        facts["price"] = price(state, move.seat, move.space)
    if where == INNER:
        facts["section"] = section_word(section_at(state, here))
        facts["manuscript"] = "?" if state.scripts[here] == UNSEEN else script_at(state, here)
        return Remark("answer_inner" if not facts["price"] else "answer_inner_paid", facts)
    trade = state.box.segments[segment_names(state.box)[here]].trades[where != LEFT]
    facts |= {"needs": trade.merchants, "amount": reward_word(trade.gives)}
    return Remark("answer_outer" if not facts["price"] else "answer_outer_paid", facts)


def _workers(state: State, move: Employ) -> Remark:
    facts: dict[str, Fact] = {
        "needs": state.box.employing.nobles[move.number - 1],
        "has": strength(state, move.seat, "workers"),
        "steps": len(steps_after(state, move.seat, move.section, move.number)),
    }
    return Remark("answer_needs_then" if facts["steps"] else "answer_needs", facts)


def _points(state: State, building: int) -> tuple[str, ...]:
    return tuple(map(str, getattr(state.box.buildings, BUILDINGS[building]).points))


# Cards


def _symbols(name: str, of: Card) -> str:
    found = [f"{word}{number}" for word in ("silver", *SYMBOLS) if (number := getattr(of, word))]
    return f"{name}: {' '.join(found)}"
