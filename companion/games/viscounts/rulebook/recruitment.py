"""Hiring and dismissing townsfolk."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, RuleLog, SeatNo, broken, changed

from ..box import SILVER, Effect
from ..moves import Dismiss, Hire, Move, ShowPrinted, TurnUp, TurnUpManuscript
from ..state import (
    NONE,
    UNSEEN,
    State,
    card,
    does,
    segment_with,
    townsfolk_at,
    unseen_townsfolk,
)
from .actions import actions_here, possible
from .cards import out_of_the_game
from .deck import concealed, discarded
from .effects import apply, apply_all, off_breaches, pay_goods, some
from .manuscripts import unseen_scripts
from .payment import matches

DISCARD = Effect(discard=1)


def pile_taken(state: State, segment: int) -> State:
    """The top of a pile is gone, and nobody has told what lay under it."""
    taken = changed(state.taken, segment, state.taken[segment] + 1)
    state = replace(state, taken=taken, offer=changed(state.offer, segment, NONE))
    left = UNSEEN if unseen_townsfolk(state) else NONE
    return replace(state, offer=changed(state.offer, segment, left))


def hire_moves(state: State) -> Iterator[Move]:
    seat, segment = state.turn, segment_with(state, state.turn)
    name = state.offer[segment]
    if name and card(state, name).silver <= state.has(seat, SILVER):
        yield Hire(seat, segment)


def check_hire(state: State, move: Hire) -> Iterator[Breach]:
    seat, segment = state.colour_of(move.seat), segment_with(state, move.seat)
    if move.segment != segment:
        yield broken("hire.beside", seat=seat, segment=state.segment_name(segment))
        return
    name = state.offer[segment]
    if not name:
        yield broken("hire.printed", seat=seat, card=f"printed {state.segment_name(segment)}")
        return
    price, silver = card(state, name).silver, state.has(move.seat, SILVER)
    if price > silver:
        yield broken("hire.silver", seat=seat, card=name, price=price, silver=silver)
    yield from off_breaches(state, move.seat, move.off)


def hire(state: State, move: Hire, log: RuleLog) -> State:
    name, seat = state.offer[move.segment], state.colour_of(move.seat)
    price = card(state, name).silver
    log.tell("hire.silver", seat=seat, card=name, price=price, silver=state.has(move.seat, SILVER))
    log.tell("hire.one", seat=seat)
    state = pay_goods(replace(state, phase="collision"), move.seat, some(SILVER, price))
    return joined(state, move, log)


def can_hire(state: State) -> bool:
    return any(name not in (NONE, UNSEEN) for name in state.offer)


def free_hire_moves(state: State, seat: SeatNo) -> Iterator[Move]:
    yield from (Hire(seat, segment) for segment, name in enumerate(state.offer) if name)


def check_free_hire(state: State, move: Hire) -> Iterator[Breach]:
    if not 0 <= move.segment < len(state.offer) or not state.offer[move.segment]:
        yield broken("symbol.hire", seat=state.colour_of(move.seat), card="nothing")
    yield from off_breaches(state, move.seat, move.off)


def free_hire(state: State, move: Hire, log: RuleLog) -> State:
    log.tell("symbol.hire", seat=state.colour_of(move.seat), card=state.offer[move.segment])
    return joined(state, move, log)


def joined(state: State, move: Hire, log: RuleLog) -> State:
    """The card is somebody's. In the draft it is mixed with the others; later it goes to the discards."""
    seat, name = move.seat, state.offer[move.segment]
    if state.phase == "draft":
        state = concealed(replace(state, hands=changed(state.hands, seat, state.hands[seat] + 1)), seat, name)
    else:
        state = discarded(state, seat, name)
    state = pile_taken(state, move.segment)
    log.tell("hire.effect", seat=state.colour_of(seat), card=name)
    effects = [card(state, name).hired]
    if does(state, seat, "discard"):
        effects.append(DISCARD)
    return apply_all(state, ((seat, effect) for effect in effects), log)


# What comes to light


def turn_up_moves(state: State) -> Iterator[Move]:
    hidden = unseen_townsfolk(state) if UNSEEN in state.offer else ()
    for segment, name in enumerate(state.offer):
        if name == UNSEEN:
            yield from (TurnUp(segment, one) for one in hidden)
            if may_be_empty(state, segment):
                yield ShowPrinted(segment)
    scripts = unseen_scripts(state) if UNSEEN in state.scripts else ()
    for segment, name in enumerate(state.scripts):
        if name == UNSEEN:
            yield from (TurnUpManuscript(segment, one) for one in scripts)


def may_be_empty(state: State, segment: int) -> bool:
    """Piles were only about equal at the beginning."""
    return state.taken[segment] >= state.box.piles.least


def waits(names: tuple[str, ...], segment: int) -> bool:
    return 0 <= segment < len(names) and names[segment] == UNSEEN


def check_turn_up(state: State, move: TurnUp) -> Iterator[Breach]:
    if not waits(state.offer, move.segment):
        yield broken("setup.place", segment=f"spot {state.segment_name(move.segment)}")
    elif move.card not in unseen_townsfolk(state):
        yield broken("setup.once", card=move.card)


def turn_up(state: State, move: TurnUp, log: RuleLog) -> State:
    rule = "setup.townsfolk" if state.phase == "lots" else "hire.next"
    log.tell(rule, segment=state.segment_name(move.segment), card=move.card)
    return replace(state, offer=changed(state.offer, move.segment, move.card))


def check_show_printed(state: State, move: ShowPrinted) -> Iterator[Breach]:
    if not waits(state.offer, move.segment) or not may_be_empty(state, move.segment):
        yield broken("setup.place", segment=f"spot {state.segment_name(move.segment)}")


def show_printed(state: State, move: ShowPrinted, log: RuleLog) -> State:
    log.tell("hire.empty", segment=state.segment_name(move.segment))
    return replace(state, offer=changed(state.offer, move.segment, NONE))


def check_turn_up_manuscript(state: State, move: TurnUpManuscript) -> Iterator[Breach]:
    if not waits(state.scripts, move.segment):
        yield broken("setup.place", segment=f"spot {state.segment_name(move.segment)}")
    elif move.manuscript not in unseen_scripts(state):
        yield broken("setup.once", card=move.manuscript)


def turn_up_manuscript(state: State, move: TurnUpManuscript, log: RuleLog) -> State:
    rule = "setup.manuscripts" if state.phase == "lots" else "script.next"
    log.tell(rule, segment=state.segment_name(move.segment), manuscript=move.manuscript)
    return replace(state, scripts=changed(state.scripts, move.segment, move.manuscript))


def price(state: State, seat: SeatNo, name: str) -> int:
    silver = card(state, name).silver
    return min(1, silver) if does(state, seat, "dismiss") else silver


def helped(state: State, seat: SeatNo, name: str) -> State:
    """As if somebody had been dismissed and paid for."""
    return replace(pay_goods(state, seat, some(SILVER, price(state, seat, name))), dismissed=name)


def dismiss_moves(state: State) -> Iterator[Move]:
    move = Dismiss(state.turn)
    if not any(True for _ in check_dismiss(state, move)):
        yield move


def check_dismiss(state: State, move: Dismiss) -> Iterator[Breach]:
    seat, name = move.seat, townsfolk_at(state, segment_with(state, move.seat))
    colour, cost = state.colour_of(seat), price(state, seat, name)
    if state.dismissed:
        yield broken("dismiss.once", seat=colour)
        return
    if cost > state.has(seat, SILVER):
        yield broken("dismiss.silver", seat=colour, card=name, price=cost, silver=state.has(seat, SILVER))
        return
    fitting = [action for action in actions_here(state, seat) if matches(state, seat, name, action)]
    if not fitting:
        yield broken("dismiss.symbols", seat=colour, card=name)
    elif not any(possible(helped(state, seat, name), seat, action) for action in fitting):
        yield broken("dismiss.action", seat=colour, card=name)
    yield from off_breaches(state, seat, move.off)


def dismiss(state: State, move: Dismiss, log: RuleLog) -> State:
    seat, segment = move.seat, segment_with(state, move.seat)
    name = townsfolk_at(state, segment)
    colour, cost = state.colour_of(seat), price(state, seat, name)
    log.tell("dismiss.silver", seat=colour, card=name, price=cost, silver=state.has(seat, SILVER))
    if does(state, seat, "dismiss"):
        log.tell("build.second-post", seat=colour)
    state = helped(state, seat, name)
    if state.offer[segment]:
        state = out_of_the_game(pile_taken(state, segment), name)
    else:
        log.tell("hire.printed", seat=colour, card=name)
    log.tell("dismiss.effect", seat=colour, card=name)
    return apply(state, seat, card(state, name).hired, log)
