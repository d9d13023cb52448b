"""What people are told about the board and about player boards: plots, spaces, tracks, papers, buildings."""

from __future__ import annotations

from collections.abc import Iterator

from companion.kernel.rules import Fact, Remark, SeatNo

from .box import BUILDINGS, SILVER, SLOTS
from .components import FAR, INNER, LEFT, RIGHT, links, segment_names, symbols_in
from .rulebook.markers import collision_due
from .rulebook.movement import price
from .state import (
    NOBODY,
    UNSEEN,
    State,
    board,
    collided,
    kind_of,
    owner_of,
    script_at,
    section_at,
)
from .words import reward_word, section_word, symbols_word

# The board


def plot(state: State, segment: int, number: int, *, brief: bool = False) -> Iterator[Remark]:
    """A plot: its reward, who stands there, and what its links bring. In brief only what a new building would get."""
    side = board(state)[segment]
    if not 0 <= number < len(side.plots):
        return
    standing = state.plots[segment][number]
    facts: dict[str, Fact] = {"plot": number + 1, "segment": state.segment_name(segment)}
    facts["amount"] = reward_word(side.plots[number])
    if standing == NOBODY:
        yield Remark("plot", facts)
    else:
        kind, owner = BUILDINGS[kind_of(standing)], state.colour_of(owner_of(standing))
        yield Remark("plot_taken", {**facts, "building": kind, "seat": owner})
    for other, beyond, reward in links(state.box, len(state.seats), state.order, segment, number):
        there = owner_of(state.plots[other][beyond])
        linked: dict[str, Fact] = {"plot": beyond + 1, "segment": state.segment_name(other)}
        linked["amount"] = reward_word(reward)
        if there != NOBODY and standing == NOBODY:
            yield Remark("link_to", {**linked, "seat": state.colour_of(there)})
        elif not brief:
            yield Remark("link_made" if NOBODY not in (there, standing) else "link", linked)


def segment(state: State, number: int) -> Iterator[Remark]:
    """A segment: its three spaces, one after the other."""
    for where in (LEFT, INNER, RIGHT):
        yield from space(state, number * 3 + where)


def space(state: State, number: int) -> Iterator[Remark]:
    """What can be done on a space, whoever stands there."""
    here, where = divmod(number, 3)
    facts: dict[str, Fact] = {"space": state.space_name(number)}
    if where == INNER:
        known = state.scripts[here] != UNSEEN
        facts["section"] = section_word(section_at(state, here))
        yield Remark("space_inner", {**facts, "manuscript": script_at(state, here) if known else "?"})
    else:
        trade = state.box.segments[segment_names(state.box)[here]].trades[where != LEFT]
        yield Remark("space_outer", {**facts, "needs": trade.merchants, "amount": reward_word(trade.gives)})


def way_to(state: State, seat: SeatNo, number: int) -> Remark | None:
    """What it costs somebody who is to move to come here."""
    cost, silver = price(state, seat, number), state.has(seat, SILVER)
    facts: dict[str, Fact] = {"seat": state.colour_of(seat), "price": cost, "silver": silver}
    if cost == FAR:
        return None
    if cost > silver:
        return Remark("way_dear", facts)
    return Remark("way_paid" if cost else "way_free", facts)


# Markers and papers


def track(state: State, seat: SeatNo, field: int | None = None) -> Iterator[Remark]:
    """Virtue and corruption: how far they are from each other, and what a collision would bring."""
    corruption, virtue = state.corruption[seat], state.virtue[seat]
    facts: dict[str, Fact] = {"seat": state.colour_of(seat), "corruption": corruption, "virtue": virtue}
    if collided(state, seat):
        yield Remark("collided", {**facts, "field": corruption})
    else:
        yield Remark("apart", {**facts, "steps": virtue - corruption})
    fields = range(corruption, virtue + 1) if field is None else (field,)
    for number in fields:
        if 1 <= number <= len(state.box.track.fields):
            yield _collision(state, seat, number)
    if not (collided(state, seat) and collision_due(state)):
        yield Remark("collision_when", {})


def _collision(state: State, seat: SeatNo, number: int) -> Remark:
    field = state.box.track.fields[number - 1]
    gains = state.box.solo.track.fields[number - 1] if seat == state.rival else field.gains
    facts: dict[str, Fact] = {"field": number, "amount": reward_word(gains), "others": reward_word(field.others)}
    return Remark(f"field_{field.criminals}", facts)


def papers(state: State, seat: SeatNo) -> Iterator[Remark]:
    (unpaid, paid), (acquired, approved) = state.debts[seat], state.deeds[seat]
    debts, deeds = state.box.debts, state.box.deeds
    yield Remark("debts", {"unpaid": unpaid, "paid": paid, "points": -debts.unpaid})
    facts: dict[str, Fact] = {"acquired": acquired, "approved": approved}
    yield Remark("deeds", {**facts, "points": deeds.acquired, "more": deeds.approved})


def kingdom(state: State, which: str) -> Iterator[Remark]:
    """The pile on a card of the kingdom, and what that card brings once it has come to light."""
    left = state.poverty if which == "poverty" else state.prosperity
    if left > 0:
        yield Remark(f"{which}_left", {"left": left})
    elif not left:
        yield Remark("comes_to_end", {"card": which})
    places = tuple(map(str, state.box.ending.places))
    yield Remark(f"{which}_most", {"points": places})
    numbers = state.deeds if which == "poverty" else state.debts
    for seat in range(state.players):
        yield Remark("so_many", {"seat": state.colour_of(seat), "number": numbers[seat][1]})


# A player board


def building(state: State, seat: SeatNo, kind: int, slot: int) -> Iterator[Remark]:
    """A building that stands on a player board, or the place that it has left."""
    name = BUILDINGS[kind]
    facts = getattr(state.box.buildings, name)
    yield Remark("building", {"building": name, "needs": facts.cost, "points": tuple(map(str, facts.points))})
    if seat == state.rival:
        return
    uncovers = getattr(state.box.slots, name)[slot]
    if uncovers.does:
        yield Remark(f"slot_{uncovers.does}", {})
    else:
        yield Remark("slot_symbols", {"amount": symbols_word(symbols_in(uncovers))})
    if state.built[seat] >> kind * SLOTS + slot & 1:
        yield Remark("slot_open", {"seat": state.colour_of(seat)})
