"""Building permits: how they are bought, turned up, put back under their stack, or come for nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import repeat

from msgspec.structs import replace

from companion.kernel.rules import Breach, SeatNo, broken

from ..box import REGIONS, Bonus, permits_of, place_name
from ..moves import BuyPermit, Move, Swap, TakeFree, TurnUp
from ..state import (
    NONE,
    UNSEEN_PERMIT,
    RuleLog,
    State,
    changed,
    face_down,
    fresh,
    next_permits,
    open_permits,
    permit_bonus,
    places_of,
    region_of,
    to_refill,
)
from .cards import (
    Fault,
    amount,
    brings,
    costs,
    dismiss,
    from_permit,
    gain,
    off_breaches,
    with_fields,
)
from .councils import affordable, blame_bribe, bribe, cards_at_most, check_bribe

# Bought


def purchases(state: State) -> Iterator[tuple[Move, ...]]:
    """All permits that can be bought, region by region."""
    seat, box = state.turn, state.box
    most = cards_at_most(state, seat)
    for region in range(len(REGIONS)):
        places = tuple(place for place in places_of(region) if state.offers[place])
        if places and not to_refill(state, region):
            yield _purchases(seat, places, affordable(box, state.councils[region], most, state.gold[seat]))


@lru_cache(maxsize=4096)
def _purchases(seat: SeatNo, places: tuple[int, ...], bribes: tuple[tuple[str, ...], ...]) -> tuple[Move, ...]:
    return tuple([_purchase(seat, place, cards) for cards in bribes for place in places])


_purchase = lru_cache(maxsize=1 << 14)(BuyPermit)  # the same few purchases are possible again and again


def check_buy_permit(state: State, move: BuyPermit) -> Iterator[Breach]:
    if not 0 <= move.place < len(state.offers) or not state.offers[move.place]:
        yield broken("permit.choose", seat=state.colour(move.seat), place=place_name(move.place))
        return
    region = region_of(move.place)
    if to_refill(state, region):
        yield broken("permit.refill", region=REGIONS[region])
    yield from check_bribe(state, move.seat, region, move.cards)

    rewards = _rewards(state, move.seat, state.offers[move.place])

    def blame(what: str, by: int) -> Fault:
        paid = by > 0 or not any(bonus.gold for bonus in rewards)  # too little was paid, or too much
        bribed = blame_bribe(state, move.cards, by) if what == "gold" and paid else None
        return bribed or _bonus_fault(state, move, rewards)

    yield from off_breaches(state, move.seat, move.off, blame)


def _rewards(state: State, seat: SeatNo, permit: str) -> tuple[Bonus, ...]:
    return with_fields(state, seat, (permit_bonus(state, permit),))


def _bonus_fault(state: State, move: BuyPermit | TakeFree, rewards: Iterable[Bonus]) -> Fault:
    return Fault("permit.bonus", {"permit": state.offers[move.place], "due": brings(rewards)})


def buy_permit(state: State, move: BuyPermit, log: RuleLog) -> State:
    state = bribe(state, move.seat, region_of(move.place), move.cards, log)
    log.tell("permit.choose", seat=state.colour(move.seat), permit=state.offers[move.place])
    return acquired(state, move.seat, move.place, log)


def acquired(state: State, seat: SeatNo, place: int, log: RuleLog) -> State:
    """A permit is laid down in front of somebody, and brings its bonus at once."""
    permit = state.offers[place]
    log.tell("permit.bonus", seat=state.colour(seat), permit=permit)
    state = replace(
        state,
        offers=changed(state.offers, place, NONE),
        permits=changed(state.permits, seat, (*state.permits[seat], permit)),
    )
    state = gain(state, seat, permit_bonus(state, permit), log, from_permit(permit), permit)
    if not next_permits(state, region_of(place)):
        log.tell("permit.none-left", region=REGIONS[region_of(place)])
    return state


# Turned up


def refilling(state: State) -> Iterator[int]:
    """Places for which a permit is to be turned up now."""
    for region in range(len(REGIONS)):
        if not waits_for_free(state, region):
            yield from to_refill(state, region)


def waits_for_free(state: State, region: int) -> bool:
    """Whether somebody takes a free permit before the one of this region that led to it is replaced."""
    if state.options.free_permit != "before_refill":
        return False
    led_there = (permit for choice in state.choices if choice.kind == "free" for permit in choice.without)
    return any(permit in permits_of(state.box, region) for permit in led_there)


def turn_up_moves(state: State) -> Iterator[Iterable[Move]]:
    for place in refilling(state):
        yield map(TurnUp, repeat(place), next_permits(state, region_of(place)))


def check_turn_up(state: State, move: TurnUp) -> Iterator[Breach]:
    if not 0 <= move.place < len(state.offers) or state.offers[move.place]:
        yield broken("permit.refill-empty", place=place_name(move.place))
        return
    region = region_of(move.place)
    if waits_for_free(state, region):
        yield broken("nobility.before-refill", seat=state.colour(state.turn))
    if move.permit not in permits_of(state.box, region):
        yield broken("setup.permits", permit=move.permit, region=REGIONS[region])
    elif move.permit not in next_permits(state, region):
        yield broken("permit.top", permit=move.permit, region=REGIONS[region])


def turn_up(state: State, move: TurnUp, log: RuleLog) -> State:
    region = region_of(move.place)
    log.tell("permit.refill" if state.phase == "turn" else "setup.permits", permit=move.permit, region=REGIONS[region])
    below = _still_below(state, region, move.permit) if state.below[region] else ()
    return replace(
        state,
        offers=changed(state.offers, move.place, move.permit),
        below=changed(state.below, region, below) if below != state.below[region] else state.below,
    )


def _still_below(state: State, region: int, permit: str) -> tuple[tuple[str, ...], ...]:
    """What is left under a stack when a permit was turned up: one that nobody saw, where no other was left."""
    known = any(permit in group for group in state.below[region])
    gone = permit if known or fresh(state, region) > 0 else UNSEEN_PERMIT
    groups = list(state.below[region])
    for number, group in enumerate(groups):
        if gone in group:
            at = group.index(gone)
            groups[number] = (*group[:at], *group[at + 1 :])
            break
    return tuple(group for group in groups if group)


# Swapped


def swap_moves(state: State) -> Iterator[Move]:
    if state.assistants[state.turn] >= state.box.prices.swap:
        for region in range(len(REGIONS)):
            if open_permits(state, region) and not to_refill(state, region):
                yield Swap(state.turn, region)


def unseen_swaps(state: State) -> Iterator[Swap]:
    """Swaps of permits that nobody saw: nobody tells them, but a table may show them."""
    return (Swap(state.turn, region, unseen=True) for region in range(len(REGIONS)) if to_refill(state, region))


def check_swap(state: State, move: Swap) -> Iterator[Breach]:
    known = 0 <= move.region < len(REGIONS)
    missing = to_refill(state, move.region) if known else ()
    if not known or not (open_permits(state, move.region) or (move.unseen and missing)):
        yield broken("quick.swap-open", region=_region(move.region))
        return
    if missing and not move.unseen:
        yield broken("permit.refill", region=_region(move.region))
    if move.unseen and not missing:
        yield broken("permit.refill-empty", place=tuple(map(place_name, places_of(move.region))))
    price = state.box.prices.swap
    if state.assistants[move.seat] < price:
        yield broken("quick.swap", seat=state.colour(move.seat), has=state.assistants[move.seat], price=price)
    yield from off_breaches(state, move.seat, move.off, costs(amount("assistants", price), "turned_up"))


def _region(region: int) -> str:
    return REGIONS[region] if 0 <= region < len(REGIONS) else "no_region"


def swap(state: State, move: Swap, log: RuleLog) -> State:
    region = _region(move.region)
    unseen = min(len(to_refill(state, move.region)), face_down(state, move.region)) if move.unseen else 0
    both = (*open_permits(state, move.region), *(UNSEEN_PERMIT,) * unseen)
    if unseen:
        log.tell("permit.refill-unseen", region=region, permits=unseen)
    log.tell("quick.swap", seat=state.colour(move.seat), assistants=state.box.prices.swap, region=region)
    log.tell("quick.swap-open", permits=both, region=region)
    offers = list(state.offers)
    for place in places_of(move.region):
        offers[place] = NONE
    state = dismiss(state, move.seat, state.box.prices.swap)
    return replace(
        state,
        offers=tuple(offers),
        below=changed(state.below, move.region, (*state.below[move.region], both)),
    )


# For nothing


def free_moves(state: State) -> Iterator[Move]:
    for place, permit in enumerate(state.offers):
        if permit and not _refilled_first(state, place):
            yield TakeFree(state.turn, place)


def _refilled_first(state: State, place: int) -> bool:
    return state.options.free_permit == "after_refill" and bool(to_refill(state, region_of(place)))


def check_take_free(state: State, move: TakeFree) -> Iterator[Breach]:
    if not 0 <= move.place < len(state.offers) or not state.offers[move.place]:
        yield broken("permit.choose", seat=state.colour(move.seat), place=place_name(move.place))
        return
    if _refilled_first(state, move.place):
        yield broken("permit.refill", region=REGIONS[region_of(move.place)])
    fault = _bonus_fault(state, move, _rewards(state, move.seat, state.offers[move.place]))
    yield from off_breaches(state, move.seat, move.off, lambda _what, _by: fault)
