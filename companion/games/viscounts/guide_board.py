"""The guide to the main board, player boards and cards."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from companion.kernel.capabilities import Remark
from companion.kernel.rules import Fact, SeatNo

from .box import BUILDINGS, GOODS, RIBBONS, SILVER, SLOTS, SYMBOLS, Card, Effect, Swap
from .components import (
    INNER,
    LEFT,
    RIGHT,
    UNREACHABLE,
    all_cards,
    all_manuscripts,
    all_schemes,
    card_word,
    links,
    reward_word,
    section_word,
    segment_names,
    symbols_in,
    symbols_word,
)
from .new_pieces import stand_in_names
from .rulebook.effects import collision_due
from .rulebook.movement import price
from .rulebook.payment import ACTIONS, GOOD, SYMBOL
from .rulebook.scoring import count_of
from .rulebook.solo import board as rival_board
from .state import (
    NO_SEAT,
    UNSEEN,
    State,
    board,
    has_collided,
    kind_of,
    manuscript,
    owner_of,
    script_at,
    section_at,
)

# The board


def plot(state: State, segment: int, number: int, *, brief: bool = False) -> Iterator[Remark]:
    """Explain a plot: its reward, its building, and what its links bring. In brief only what a new building
    would get."""
    side = board(state)[segment]
    if not 0 <= number < len(side.plots):
        return
    standing = state.plots[segment][number]
    facts: dict[str, Fact] = {"plot": number + 1, "segment": state.segment_name(segment)}
    facts["amount"] = reward_word(side.plots[number])
    if standing == NO_SEAT:
        yield Remark("plot", facts)
    else:
        kind, owner = BUILDINGS[kind_of(standing)], state.colour(owner_of(standing))
        yield Remark("plot_taken", {**facts, "building": kind, "seat": owner})
    for other, beyond, reward in links(state.box, len(state.seats), state.order, segment, number):
        there = owner_of(state.plots[other][beyond])
        linked: dict[str, Fact] = {"plot": beyond + 1, "segment": state.segment_name(other)}
        linked["amount"] = reward_word(reward)
        if there != NO_SEAT and standing == NO_SEAT:
            yield Remark("link_to", {**linked, "seat": state.colour(there)})
        elif not brief:
            yield Remark("link_made" if NO_SEAT not in (there, standing) else "link", linked)


def segment(state: State, number: int) -> Iterator[Remark]:
    """Explain the three spaces of a segment."""
    for where in (LEFT, INNER, RIGHT):
        yield from space(state, number * 3 + where)


def space(state: State, number: int) -> Iterator[Remark]:
    """Explain what can be done on a space."""
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
    """Return what it costs a seat that is to move to come here."""
    cost, silver = price(state, seat, number), state.has(seat, SILVER)
    facts: dict[str, Fact] = {"seat": state.colour(seat), "price": cost, "silver": silver}
    if cost == UNREACHABLE:
        return None
    if cost > silver:
        return Remark("way_dear", facts)
    return Remark("way_paid" if cost else "way_free", facts)


# Markers and papers


def track(state: State, seat: SeatNo, field: int | None = None) -> Iterator[Remark]:
    """Explain virtue and corruption: how far they are from each other, and what a collision would bring."""
    corruption, virtue = state.corruption[seat], state.virtue[seat]
    facts: dict[str, Fact] = {"seat": state.colour(seat), "corruption": corruption, "virtue": virtue}
    if has_collided(state, seat):
        yield Remark("collided", {**facts, "field": corruption})
    else:
        yield Remark("apart", {**facts, "steps": virtue - corruption})
    fields = range(corruption, virtue + 1) if field is None else (field,)
    for number in fields:
        if 1 <= number <= len(state.box.track.fields):
            yield _collision(state, seat, number)
    if not (has_collided(state, seat) and collision_due(state)):
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
    """Explain the pile on a card of the kingdom, and what that card brings once it is uncovered."""
    left = state.poverty if which == "poverty" else state.prosperity
    if left > 0:
        yield Remark(f"{which}_left", {"left": left})
    elif not left:
        yield Remark("comes_to_end", {"card": which})
    places = tuple(map(str, state.box.ending.places))
    yield Remark(f"{which}_most", {"points": places})
    numbers = state.deeds if which == "poverty" else state.debts
    for seat in range(state.players):
        yield Remark("so_many", {"seat": state.colour(seat), "number": numbers[seat][1]})


# A player board


def building(state: State, seat: SeatNo, kind: int, slot: int) -> Iterator[Remark]:
    """Explain a building that stands on a player board, or the place that it has left."""
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
        yield Remark("slot_open", {"seat": state.colour(seat)})


MOMENTS: Final = (
    "hired", "played", "dropped", "after_trade", "after_build", "after_workers", "after_manuscript", "collision",
    "on_debt", "on_flip",
)  # fmt: skip
"""When a card has an effect."""
PLAYER_CARD: Final = card_word(0).removesuffix("0")


# Townsfolk, heroes, schemes


def card(state: State, name: str) -> Iterator[Remark]:
    """Explain a townsfolk card or a hero, or a scheme of the opponent."""
    if name in all_schemes(state.box):
        yield from _scheme(state, name)
    elif name in all_cards(state.box):
        found = all_cards(state.box)[name]
        symbols = symbols_word(symbols_in(found))
        yield Remark("card", {"card": name, "silver": found.silver, "amount": symbols})
        yield from _abilities(found)


def _abilities(found: Card) -> Iterator[Remark]:
    for moment in MOMENTS:
        effect: Effect = getattr(found, moment)
        if effect != Effect():
            yield Remark(moment, {"amount": reward_word(effect)})
    if found.swap is not None:
        yield swap(found.swap)


def swap(found: Swap) -> Remark:
    gives = " or ".join(f"{what}{found.number}" for what in found.gives)
    facts: dict[str, Fact] = {"action": found.during, "gives": gives, "counts": found.counts}
    return Remark("swap_once" if found.once else "swap", facts)


def _scheme(state: State, name: str) -> Iterator[Remark]:
    scheme = all_schemes(state.box)[name]
    focus = rival_board(state).focus
    tries: tuple[str, ...] = tuple(dict.fromkeys(focus if one == "focus" else one for one in scheme.tries))
    symbols = symbols_word(symbols_in(scheme))
    yield Remark("scheme", {"card": name, "amount": symbols})
    yield Remark("scheme_does", {"amount": reward_word(scheme.does), "steps": scheme.steps})
    yield Remark("scheme_tries", {"tries": tries, "amount": reward_word(scheme.otherwise)})


def player_card(state: State, number: int) -> Iterator[Remark]:
    found = state.box.player_cards.get(str(number))
    if found is not None:
        facts: dict[str, Fact] = {"card": card_word(number), "number": number, "amount": reward_word(found.effect)}
        yield Remark("player_card", facts)
        if found.here:
            yield Remark("builds_here", facts)


# Manuscripts


def script(state: State, name: str, seat: SeatNo) -> Iterator[Remark]:
    found = all_manuscripts(state.box).get(name)
    if found is None:
        return
    yield Remark("script", {"manuscript": name, "needs": found.cost})
    if found.counts:
        yield Remark("script_counts", {"each": found.each, "counted": f"counted_{found.counts}"})
        itself = found.counts == "manuscript" and name not in state.manuscripts[seat]
        points = (count_of(state, seat, found) + itself) // found.each
        yield Remark("script_worth", {"seat": state.colour(seat), "points": points})
    else:
        yield Remark("script_brings", {"amount": reward_word(found.effect)})
    if found.ribbon:
        yield ribbon(state, RIBBONS.index(found.ribbon), seat)


def ribbon(state: State, number: int, seat: SeatNo) -> Remark:
    """Explain the cleric's card of a ribbon: who has it, or how many manuscripts a seat still needs."""
    owner, name = state.bonus[number], RIBBONS[number]
    facts: dict[str, Fact] = {"ribbon": f"ribbon {name}", "points": state.box.ending.bonus}
    facts["amount"] = symbols_word(symbols_in(getattr(state.box.ribbons, name)))
    if owner != NO_SEAT:
        return Remark("ribbon_taken", {**facts, "seat": state.colour(owner)})
    mine = sum(manuscript(state, one).ribbon == name for one in state.manuscripts[seat])
    return Remark("ribbon", {**facts, "seat": state.colour(seat), "number": mine, "needs": state.box.ribbons.number})


# In a few words, for lists


def in_short(state: State, label: str) -> Remark | None:
    """Explain a card or a manuscript in a few words, for a list; for a stand-in, what we assume."""
    box, found = state.box, _in_short(state, label)
    if found is None or label.removeprefix(PLAYER_CARD) not in stand_in_names(box):
        return found
    return Remark(f"{found.key}_assumed", found.facts)


def _in_short(state: State, label: str) -> Remark | None:
    box = state.box
    if label in all_schemes(box):
        return Remark("short_scheme", {"amount": reward_word(all_schemes(box)[label].does)})
    if label in all_cards(box):
        found = all_cards(box)[label]
        return Remark("short_card", {"silver": found.silver, "amount": symbols_word(symbols_in(found))})
    if label in box.manuscripts:
        script = box.manuscripts[label]
        if script.counts:
            return Remark("short_counts", {"each": script.each, "counted": f"counted_{script.counts}"})
        return Remark("short_brings", {"amount": reward_word(script.effect)})
    number = label.removeprefix(PLAYER_CARD)
    if number in box.player_cards:
        return Remark("short_brings", {"amount": reward_word(box.player_cards[number].effect)})
    return None


def good(label: str) -> Iterator[Remark]:
    """Explain what a good can be paid for."""
    for action in ACTIONS:
        if GOODS[GOOD[action]] == label:
            yield Remark("good", {"good": label, "action": action, "counted": f"counted_{SYMBOLS[SYMBOL[action]]}"})
