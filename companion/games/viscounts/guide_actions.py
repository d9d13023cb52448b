"""The guide to actions: what the symbols of a row buy at the viscount's space, and what would follow from workers
placed in the castle.

The rules of `castle` are played on a copy, so what people are told is what would happen. If a seat may choose, the
steps take the first section and a worker of another seat; rewards that are choices themselves are left out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import msgspec
from msgspec.structs import replace

from companion.games.viscounts.box import BUILDINGS, GOODS, SILVER, Action, Effect
from companion.games.viscounts.components import INNER, card_symbols, reward_word, section_word, symbols_word
from companion.games.viscounts.guide_board import plot, script, swap
from companion.games.viscounts.moves import FREE, Climb, Dismiss, Move, Push
from companion.games.viscounts.rulebook import recruitment, trade
from companion.games.viscounts.rulebook.actions import OUTER_PATH, actions_here
from companion.games.viscounts.rulebook.buildings import cost_of, free_slots, plots_here
from companion.games.viscounts.rulebook.castle import FIRST, SECOND, castle_moves, climb, push, with_workers
from companion.games.viscounts.rulebook.effects import for_rival, goods_word
from companion.games.viscounts.rulebook.payment import GOOD, payments, strength, swaps
from companion.games.viscounts.rulebook.solo import expected_moves
from companion.games.viscounts.state import (
    EMPTY,
    NO_SEAT,
    NOWHERE,
    UNSEEN,
    Due,
    State,
    card,
    manuscript,
    script_at,
    section_at,
    segment_with,
    symbols,
    townsfolk_at,
    workers_left,
)
from companion.kernel.capabilities import Remark
from companion.kernel.rules import Fact, RuleLog, SeatNo, changed

How = Literal["free", "pays", "short"]


def from_row(state: State, seat: SeatNo) -> Iterator[Remark]:
    """Yield what a seat's symbols allow at its viscount's space.

    For the solo game's opponent only the symbols are told, because its schemes decide what it does.
    """
    if state.viscounts[seat] == NOWHERE:
        return
    if seat != state.turn:
        state = replace(state, dismissed=EMPTY)
    facts: dict[str, Fact] = {"seat": state.colour(seat)}
    outer = actions_here(state, seat) == OUTER_PATH
    have = symbols_word(symbols(state, seat, state.dismissed))
    where = {"space": state.space_name(state.viscounts[seat]), "amount": have}
    yield Remark("row_outer" if outer else "row_inner", {**facts, **where})
    if seat == state.rival:
        return
    for action in actions_here(state, seat):
        for one in swaps(state, seat, action):
            yield swap(one)
    yield from (_outside(state, seat) if outer else _inside(state, seat))
    yield from _helper(state, seat)
    if not _acting_now(state, seat):
        yield Remark("row_moves_on", facts)


def from_space(state: State, seat: SeatNo, space: int) -> Iterator[Remark]:
    """Yield the same for a space where the viscount does not stand yet."""
    return from_row(replace(state, viscounts=changed(state.viscounts, seat, space)), seat)


def _acting_now(state: State, seat: SeatNo) -> bool:
    """Whether the cards that lie there now are the ones that will count."""
    return state.turn == seat and state.phase in ("moving", "action")


# How something is paid


def _payment(state: State, seat: SeatNo, action: Action, need: int) -> tuple[How, dict[str, Fact]]:
    """Return whether the symbols are enough, what else is paid, or what is missing."""
    has = strength(state, seat, action)
    facts: dict[str, Fact] = {"needs": need, "has": has, "missing": max(0, need - has), "good": GOODS[GOOD[action]]}
    ways = payments(state, seat, action, need)
    if not ways:
        return "short", facts
    if ways == (FREE,):
        return "free", facts
    return "pays", {**facts, "pays": " or ".join(map(goods_word, ways))}


# On the outer path


def _outside(state: State, seat: SeatNo) -> Iterator[Remark]:
    yield from _trade(state, seat)
    free = plots_here(state, seat)
    if not free:
        yield Remark("no_plots", {})
        return
    for kind, name in enumerate(BUILDINGS):
        if not free_slots(state, seat, kind):
            yield Remark("none_left", {"building": name})
            continue
        how, facts = _payment(state, seat, "build", cost_of(state.box, kind))
        yield Remark(f"build_{how}", {"building": name, **facts})
    for number in free:
        yield from plot(state, segment_with(state, seat), number, brief=True)


def _trade(state: State, seat: SeatNo) -> Iterator[Remark]:
    offered, has = trade.exchange(state, seat), strength(state, seat, "trade")
    most, free = trade.most_trades(state, seat), has // offered.merchants
    facts: dict[str, Fact] = {"needs": offered.merchants, "amount": reward_word(offered.gives), "has": has}
    if not most:
        yield Remark("trade_short", {**facts, "silver": state.has(seat, SILVER)})
    elif most == free:
        yield Remark("trade_free", {**facts, "times": most})
    else:
        yield Remark("trade_silver", {**facts, "times": most, "free": free, "silver": trade.price(state, seat, most)})


# On the inner path


def _inside(state: State, seat: SeatNo) -> Iterator[Remark]:
    segment = segment_with(state, seat)
    section = section_at(state, segment)
    yield Remark("workers_to", {"section": section_word(section)})
    for number, need in enumerate(state.box.employing.nobles[: workers_left(state, seat)], start=1):
        how, facts = _payment(state, seat, "workers", need)
        facts |= {"number": number, "steps": len(steps_after(state, seat, section, number))}
        moves_on = how != "short" and facts["steps"]
        yield Remark(f"workers_{how}_then" if moves_on else f"workers_{how}", facts)
        if how == "short":
            break  # more of them cost more
    name = script_at(state, segment)
    if state.scripts[segment] != UNSEEN:
        how, facts = _payment(state, seat, "manuscript", manuscript(state, name).cost)
        yield Remark(f"copy_{how}", {"manuscript": name, **facts})
        yield from tuple(script(state, name, seat))[1:]


# A helper


def _helper(state: State, seat: SeatNo) -> Iterator[Remark]:
    """Explain that the townsfolk beside the viscount could be dismissed for its symbols."""
    segment = segment_with(state, seat)
    if state.offer[segment] == UNSEEN or state.dismissed != EMPTY:
        return
    name = townsfolk_at(state, segment)
    facts: dict[str, Fact] = {
        "card": name,
        "price": recruitment.price(state, seat, name),
        "amount": symbols_word(card_symbols(state.box)[name]),
        "brings": reward_word(card(state, name).hired),
    }
    refused = [breach.rule for breach in recruitment.check_dismiss(state, Dismiss(seat))]
    if not refused:
        yield Remark("dismiss", facts)
    elif "dismiss.silver" in refused:
        yield Remark("dismiss_dear", {**facts, "silver": state.has(seat, SILVER)})
    else:
        yield Remark("dismiss_useless", facts)


# The castle


POINTS = (1, 2, 3)
"""What a worker in each ring is worth at the end."""


def section(state: State, ring: int, section: int, seat: SeatNo) -> Iterator[Remark]:
    """Explain a section of the first or second ring."""
    castle = state.box.castle
    facts: dict[str, Fact] = {"section": section_word(section), "workers": castle.climb, "most": castle.limit}
    reward = castle.sections[section] if ring == FIRST else castle.third
    pushed = reward_word(castle.pushed[ring - 1])
    yield Remark(f"ring_{ring}", {**facts, "amount": reward_word(reward)})
    yield Remark("crowd", {**facts, "amount": pushed, "points": POINTS[ring - 1]})
    if castle_due(state):
        yield from now_due(state)
    elif ring == FIRST:
        yield from _if_placed(state, section, seat)


def top(state: State) -> Iterator[Remark]:
    """Explain the third ring and its leader."""
    leader = state.leader
    yield Remark("top", {"points": POINTS[-1], "amount": reward_word(state.box.castle.third)})
    facts: dict[str, Fact] = {"points": state.box.ending.leader}
    if leader == NO_SEAT:
        yield Remark("no_leader", facts)
    else:
        yield Remark("leads", {**facts, "seat": state.colour(leader), "workers": state.top[leader]})
    if castle_due(state):
        yield from now_due(state)


# A cascade under way


def castle_due(state: State) -> bool:
    return any(due.what == "castle" for group in state.due for due in group)


def now_due(state: State) -> Iterator[Remark]:
    """Yield all that is still to be done in the castle, in order."""
    seat = next(due.seat for group in state.due for due in group if due.what == "castle")
    if state.due[0][0].what != "castle":
        yield Remark("reward_first", {"seat": state.colour(state.due[0][0].seat)})
    found = tuple(due_steps(state, seat))
    if found:
        yield Remark("now_in_castle", {"seat": state.colour(seat)})
        yield from numbered(state, found)


def numbered(state: State, steps: tuple[Step, ...]) -> Iterator[Remark]:
    for number, step in enumerate(steps, start=1):
        key, facts = step_words(state, step)
        yield Remark(key, facts, number)


def step_words(state: State, step: Step) -> tuple[str, dict[str, Fact]]:
    """Return a step as a sentence of the catalogue."""
    facts = facts_of(state, step)
    match step.kind:
        case "climb":
            return "step_climb", facts
        case "top":
            return "step_leads" if step.leads else "step_top", facts
        case _:
            return "step_push" if len(step.owners) == 1 else "step_choose", facts


def facts_of(state: State, step: Step) -> dict[str, Fact]:
    sections = len(state.order)
    owners = tuple(map(state.colour, step.owners))
    return {
        "seat": state.colour(step.seat),
        "section": section_word(step.section),
        "left": section_word((step.section - 1) % sections),
        "right": section_word((step.section + 1) % sections),
        "ring": f"in ring {step.ring}",
        "workers": state.box.castle.climb,
        "most": state.box.castle.limit,
        "amount": reward_word(step.reward),
        "choices": step.choices,
        "owner": owners[0] if owners else "nobody",
        "owners": owners,
    }


# If workers were placed


def _if_placed(state: State, section: int, seat: SeatNo) -> Iterator[Remark]:
    """Yield what a number of workers would bring about; numbers with the same result are told together."""
    numbers = _numbers(state, section, seat)
    facts: dict[str, Fact] = {"seat": state.colour(seat), "section": section_word(section)}
    if not numbers:
        yield Remark("cannot_place", facts)
        return
    alike: dict[tuple[Step, ...], tuple[str, ...]] = {}
    for number in numbers:
        steps = steps_after(state, seat, section, number)
        alike[steps] = (*alike.get(steps, ()), str(number))
    for steps, those in alike.items():
        yield Remark("place_then" if steps else "place_quiet", {**facts, "numbers": those})
        yield from numbered(state, steps)


def _numbers(state: State, section: int, seat: SeatNo) -> list[int]:
    """Return how many workers a seat could place here: those it can pay for, if its viscount stands here; elsewhere as
    many as an effect may bring."""
    nobles = state.box.employing.nobles[: workers_left(state, seat)]
    if not stands_before(state, seat, section):
        return list(range(1, len(nobles) + 1))
    return [number for number, need in enumerate(nobles, start=1) if payments(state, seat, "workers", need)]


def stands_before(state: State, seat: SeatNo, section: int) -> bool:
    """Whether a seat's viscount stands on the inner path before this section."""
    space = state.viscounts[seat]
    return space >= 0 and space % 3 == INNER and section_at(state, segment_with(state, seat)) == section


def ring_of(zone: str) -> tuple[int, int] | None:
    """Return the ring and the place of a zone such as `second ring 3`."""
    name, _, place = zone.rpartition(" ")
    rings = {"first ring": FIRST, "second ring": SECOND}
    return (rings[name], int(place) - 1) if name in rings and place.isdecimal() else None


Kind = Literal["climb", "top", "push"]


class Step(msgspec.Struct, frozen=True):
    """One thing that happens in the castle.

    `owners` are the seats whose worker may be pushed off; `leads` says whether the climber becomes leader of the
    castle; `choices` is the number of sections in which the same could be done first.
    """

    kind: Kind
    ring: int
    section: int
    seat: SeatNo
    reward: Effect
    owners: tuple[SeatNo, ...] = ()
    leads: bool = False
    choices: int = 1


def due_steps(state: State, seat: SeatNo) -> Iterator[Step]:
    """Yield everything that has to happen until a seat's workers are settled."""
    while True:
        found = list(_next(state, seat))
        if not found:
            return
        if isinstance(found[0], Climb):
            step, state = _climbed(state, found[0], len(found))
        else:
            step, state = _pushed(state, [move for move in found if isinstance(move, Push)])
        yield step
        state = replace(state, due=())


def steps_after(state: State, seat: SeatNo, section: int, number: int) -> tuple[Step, ...]:
    """Return what would follow if a seat put a number of workers into a section."""
    return tuple(due_steps(with_workers(replace(state, due=()), FIRST, section, seat, number), seat))


def _next(state: State, seat: SeatNo) -> Iterator[Move]:
    """Yield what can be done now; the solo game's opponent chooses by rules of its own."""
    return expected_moves(state, Due(seat, "castle")) if seat == state.rival else castle_moves(state, seat)


def _climbed(state: State, move: Climb, choices: int) -> tuple[Step, State]:
    """Return a climb as a step, with the state after it."""
    after = climb(state, move, RuleLog())
    top = move.ring != FIRST
    reward = state.box.castle.third if top else state.box.castle.sections[move.section]
    leads = after.leader != state.leader
    step = Step(
        "top" if top else "climb",
        move.ring,
        move.section,
        move.seat,
        _effect_for(state, move.seat, reward),
        leads=leads,
        choices=choices,
    )
    return step, after


def _pushed(state: State, moves: list[Push]) -> tuple[Step, State]:
    """Return the push off the first crowded section, with the state after it.

    Its owners are the seats whose worker may go, other seats before the one that pushes.
    """
    here = [move for move in moves if (move.ring, move.section) == (moves[0].ring, moves[0].section)]
    here.sort(key=lambda move: move.owner == move.seat)
    owners = tuple(move.owner for move in here)
    move, reward = here[0], state.box.castle.pushed[here[0].ring - 1]
    if len(owners) == 1:
        reward = _effect_for(state, move.owner, reward)
    return Step("push", move.ring, move.section, move.seat, reward, owners), push(state, move, RuleLog())


def _effect_for(state: State, seat: SeatNo, effect: Effect) -> Effect:
    return for_rival(effect) if seat == state.rival else effect
