"""Anwerben and Entlassen: hiring and dismissing townsfolk, and turning up what lies below."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach, RuleLog, SeatNo, broken, changed

from ..box import SILVER, Effect
from ..moves import Dismiss, Hire, Move, ShowPrinted, TurnUp, TurnUpManuscript
from ..state import (
    EMPTY,
    UNSEEN,
    State,
    card,
    has_ability,
    segment_with,
    townsfolk_at,
    unseen_townsfolk,
)
from .actions import actions_here, possible
from .cards import remove_from_game
from .deck import add_hidden, add_to_discards
from .effects import apply, apply_all, deviation_breaches, goods_of, pay_goods
from .manuscripts import unseen_scripts
from .payment import matches

DISCARD = Effect(discard=1)


def remove_top_townsfolk(state: State, segment: int) -> State:
    """Remove the top of a pile; what lay under it is unknown."""
    taken = changed(state.taken, segment, state.taken[segment] + 1)
    state = replace(state, taken=taken, offer=changed(state.offer, segment, EMPTY))
    left = UNSEEN if unseen_townsfolk(state) else EMPTY
    return replace(state, offer=changed(state.offer, segment, left))


def hire_moves(state: State) -> Iterator[Move]:
    seat, segment = state.turn, segment_with(state, state.turn)
    name = state.offer[segment]
    if name and card(state, name).silver <= state.has(seat, SILVER):
        yield Hire(seat, segment)


def check_hire(state: State, move: Hire) -> Iterator[Breach]:
    seat, segment = state.colour(move.seat), segment_with(state, move.seat)
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
    yield from deviation_breaches(state, move.seat, move.off)


def hire(state: State, move: Hire, log: RuleLog) -> State:
    name, seat = state.offer[move.segment], state.colour(move.seat)
    price = card(state, name).silver
    log.tell("hire.silver", seat=seat, card=name, price=price, silver=state.has(move.seat, SILVER))
    log.tell("hire.one", seat=seat)
    state = pay_goods(replace(state, phase="collision"), move.seat, goods_of(SILVER, price))
    return take_townsfolk(state, move, log)


def can_hire(state: State) -> bool:
    return any(name not in (EMPTY, UNSEEN) for name in state.offer)


def free_hire_moves(state: State, seat: SeatNo) -> Iterator[Move]:
    yield from (Hire(seat, segment) for segment, name in enumerate(state.offer) if name)


def check_free_hire(state: State, move: Hire) -> Iterator[Breach]:
    if not 0 <= move.segment < len(state.offer) or not state.offer[move.segment]:
        yield broken("symbol.hire", seat=state.colour(move.seat), card="nothing")
    yield from deviation_breaches(state, move.seat, move.off)


def free_hire(state: State, move: Hire, log: RuleLog) -> State:
    log.tell("symbol.hire", seat=state.colour(move.seat), card=state.offer[move.segment])
    return take_townsfolk(state, move, log)


def take_townsfolk(state: State, move: Hire, log: RuleLog) -> State:
    """Give a townsfolk to a seat: in the draft to its hidden cards, later to its discards."""
    seat, name = move.seat, state.offer[move.segment]
    if state.phase == "draft":
        state = add_hidden(replace(state, hands=changed(state.hands, seat, state.hands[seat] + 1)), seat, name)
    else:
        state = add_to_discards(state, seat, name)
    state = remove_top_townsfolk(state, move.segment)
    log.tell("hire.effect", seat=state.colour(seat), card=name)
    effects = [card(state, name).hired]
    if has_ability(state, seat, "discard"):
        effects.append(DISCARD)
    return apply_all(state, ((seat, effect) for effect in effects), log)


# Turning up


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
    """Whether a pile may be used up: at the beginning piles are only about equal."""
    return state.taken[segment] >= state.box.piles.least


def is_unknown(names: tuple[str, ...], segment: int) -> bool:
    return 0 <= segment < len(names) and names[segment] == UNSEEN


def check_turn_up(state: State, move: TurnUp) -> Iterator[Breach]:
    if not is_unknown(state.offer, move.segment):
        yield broken("setup.place", segment=f"spot {state.segment_name(move.segment)}")
    elif move.card not in unseen_townsfolk(state):
        yield broken("setup.once", card=move.card)


def turn_up(state: State, move: TurnUp, log: RuleLog) -> State:
    rule = "setup.townsfolk" if state.phase == "lots" else "hire.next"
    log.tell(rule, segment=state.segment_name(move.segment), card=move.card)
    return replace(state, offer=changed(state.offer, move.segment, move.card))


def check_show_printed(state: State, move: ShowPrinted) -> Iterator[Breach]:
    if not is_unknown(state.offer, move.segment) or not may_be_empty(state, move.segment):
        yield broken("setup.place", segment=f"spot {state.segment_name(move.segment)}")


def show_printed(state: State, move: ShowPrinted, log: RuleLog) -> State:
    log.tell("hire.empty", segment=state.segment_name(move.segment))
    return replace(state, offer=changed(state.offer, move.segment, EMPTY))


def check_turn_up_manuscript(state: State, move: TurnUpManuscript) -> Iterator[Breach]:
    if not is_unknown(state.scripts, move.segment):
        yield broken("setup.place", segment=f"spot {state.segment_name(move.segment)}")
    elif move.manuscript not in unseen_scripts(state):
        yield broken("setup.once", card=move.manuscript)


def turn_up_manuscript(state: State, move: TurnUpManuscript, log: RuleLog) -> State:
    rule = "setup.manuscripts" if state.phase == "lots" else "script.next"
    log.tell(rule, segment=state.segment_name(move.segment), manuscript=move.manuscript)
    return replace(state, scripts=changed(state.scripts, move.segment, move.manuscript))


def price(state: State, seat: SeatNo, name: str) -> int:
    silver = card(state, name).silver
    return min(1, silver) if has_ability(state, seat, "dismiss") else silver


def with_helper(state: State, seat: SeatNo, name: str) -> State:
    """Return the state as if a townsfolk had been paid and dismissed."""
    return replace(pay_goods(state, seat, goods_of(SILVER, price(state, seat, name))), dismissed=name)


def dismiss_moves(state: State) -> Iterator[Move]:
    move = Dismiss(state.turn)
    if not any(True for _ in check_dismiss(state, move)):
        yield move


def check_dismiss(state: State, move: Dismiss) -> Iterator[Breach]:
    seat, name = move.seat, townsfolk_at(state, segment_with(state, move.seat))
    colour, cost = state.colour(seat), price(state, seat, name)
    if state.dismissed:
        yield broken("dismiss.once", seat=colour)
        return
    if cost > state.has(seat, SILVER):
        yield broken("dismiss.silver", seat=colour, card=name, price=cost, silver=state.has(seat, SILVER))
        return
    fitting = [action for action in actions_here(state, seat) if matches(state, seat, name, action)]
    if not fitting:
        yield broken("dismiss.symbols", seat=colour, card=name)
    elif not any(possible(with_helper(state, seat, name), seat, action) for action in fitting):
        yield broken("dismiss.action", seat=colour, card=name)
    yield from deviation_breaches(state, seat, move.off)


def dismiss(state: State, move: Dismiss, log: RuleLog) -> State:
    seat, segment = move.seat, segment_with(state, move.seat)
    name = townsfolk_at(state, segment)
    colour, cost = state.colour(seat), price(state, seat, name)
    log.tell("dismiss.silver", seat=colour, card=name, price=cost, silver=state.has(seat, SILVER))
    if has_ability(state, seat, "dismiss"):
        log.tell("build.second-post", seat=colour)
    state = with_helper(state, seat, name)
    if state.offer[segment]:
        state = remove_from_game(remove_top_townsfolk(state, segment), name)
    else:
        log.tell("hire.printed", seat=colour, card=name)
    log.tell("dismiss.effect", seat=colour, card=name)
    return apply(state, seat, card(state, name).hired, log)
