"""Building permits: how they are bought, turned up, swapped, or taken without a price.

What is built with a permit is in `emporiums`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import repeat

from msgspec.structs import replace

from companion.games.council_of_four.state import (
    EMPTY,
    UNSEEN_PERMIT,
    State,
    face_down,
    fresh_count,
    next_permits,
    open_permits,
    permit_bonus,
    places_of,
    places_to_refill,
    region_of,
)
from companion.kernel.rules import Breach, RuleLog, SeatNo, broken, changed

from ..box import REGIONS, Bonus, permits_of, place_name, region_name
from ..moves import BuyPermit, Move, Swap, TakeFree, TurnUp
from .cards import (
    Fault,
    amount,
    blame_quick_action,
    deviation_breaches,
    gain,
    permit_source,
    return_assistants,
    total_amounts,
    with_nobility_fields,
)
from .councils import affordable_bribes, blame_bribe, bribe, check_bribe, most_cards_to_lay

# Bought


def buy_permit_moves(state: State) -> Iterator[tuple[Move, ...]]:
    """Yield the permits that the seat can buy, region by region."""
    seat, box = state.turn, state.box
    most = most_cards_to_lay(state, seat)
    for region in range(len(REGIONS)):
        places = tuple(place for place in places_of(region) if state.offers[place])
        if places and not places_to_refill(state, region):
            yield _buy_permits(seat, places, affordable_bribes(box, state.councils[region], most, state.gold[seat]))


@lru_cache(maxsize=4096)
def _buy_permits(seat: SeatNo, places: tuple[int, ...], bribes: tuple[tuple[str, ...], ...]) -> tuple[Move, ...]:
    return tuple([_buy_permit(seat, place, cards) for cards in bribes for place in places])


_buy_permit = lru_cache(maxsize=1 << 14)(BuyPermit)  # the same few purchases are possible again and again


def check_buy_permit(state: State, move: BuyPermit) -> Iterator[Breach]:
    """Check that the permit is there, all places of the region are filled, and the bribe and bonus are right."""
    if not 0 <= move.place < len(state.offers) or not state.offers[move.place]:
        yield broken("permit.choose", seat=state.colour(move.seat), place=place_name(move.place))
        return
    region = region_of(move.place)
    if places_to_refill(state, region):
        yield broken("permit.refill", region=REGIONS[region])
    yield from check_bribe(state, move.seat, region, move.cards)

    rewards = _rewards(state, move.seat, state.offers[move.place])

    def blame(what: str, by: int) -> Fault:
        paid = by > 0 or not any(bonus.gold for bonus in rewards)  # the payment is wrong, not the reward
        bribed = blame_bribe(state, move.cards, by) if what == "gold" and paid else None
        return bribed or _bonus_fault(state, move, rewards)

    yield from deviation_breaches(state, move.seat, move.off, blame)


def _rewards(state: State, seat: SeatNo, permit: str) -> tuple[Bonus, ...]:
    """Return the bonus of a permit, with those of the nobility fields that it leads to."""
    return with_nobility_fields(state, seat, (permit_bonus(state, permit),))


def _bonus_fault(state: State, move: BuyPermit | TakeFree, rewards: Iterable[Bonus]) -> Fault:
    """Return the rule for a deviation from what a permit brings."""
    return Fault("permit.bonus", {"permit": state.offers[move.place], "due": total_amounts(rewards)})


def buy_permit(state: State, move: BuyPermit, log: RuleLog) -> State:
    """Bribe the council and take the permit."""
    state = bribe(state, move.seat, region_of(move.place), move.cards, log)
    log.tell("permit.choose", seat=state.colour(move.seat), permit=state.offers[move.place])
    return acquire(state, move.seat, move.place, log)


def acquire(state: State, seat: SeatNo, place: int, log: RuleLog) -> State:
    """Lay a permit in front of a seat and give its bonus at once."""
    permit = state.offers[place]
    log.tell("permit.bonus", seat=state.colour(seat), permit=permit)
    state = replace(
        state,
        offers=changed(state.offers, place, EMPTY),
        permits=changed(state.permits, seat, (*state.permits[seat], permit)),
    )
    state = gain(state, seat, permit_bonus(state, permit), log, permit_source(permit), permit)
    if not next_permits(state, region_of(place)):
        log.tell("permit.none-left", region=REGIONS[region_of(place)])
    return state


# Turned up


def places_refilled_now(state: State) -> Iterator[int]:
    """Yield the places where a permit has to be turned up now."""
    for region in range(len(REGIONS)):
        if not refill_waits(state, region):
            yield from places_to_refill(state, region)


def refill_waits(state: State, region: int) -> bool:
    """Whether a free permit is taken before the one of this region that led to it is replaced."""
    if state.options.free_permit != "before_refill":
        return False
    led_there = (permit for choice in state.choices if choice.kind == "free" for permit in choice.without)
    return any(permit in permits_of(state.box, region) for permit in led_there)


def turn_up_moves(state: State) -> Iterator[Iterable[Move]]:
    """Yield the permits that may be turned up, place by place."""
    for place in places_refilled_now(state):
        yield map(TurnUp, repeat(place), next_permits(state, region_of(place)))


def check_turn_up(state: State, move: TurnUp) -> Iterator[Breach]:
    """Check that the place is empty, that it is time, and that the permit can be on top of its stack."""
    if not 0 <= move.place < len(state.offers) or state.offers[move.place]:
        yield broken("permit.refill-empty", place=place_name(move.place))
        return
    region = region_of(move.place)
    if refill_waits(state, region):
        yield broken("nobility.before-refill", seat=state.colour(state.turn))
    if move.permit not in permits_of(state.box, region):
        yield broken("setup.permits", permit=move.permit, region=REGIONS[region])
    elif move.permit not in next_permits(state, region):
        yield broken("permit.top", permit=move.permit, region=REGIONS[region])


def turn_up(state: State, move: TurnUp, log: RuleLog) -> State:
    """Put a permit on its place."""
    region = region_of(move.place)
    log.tell("permit.refill" if state.phase == "turn" else "setup.permits", permit=move.permit, region=REGIONS[region])
    below = _below_after_turn_up(state, region, move.permit) if state.below[region] else ()
    return replace(
        state,
        offers=changed(state.offers, move.place, move.permit),
        below=changed(state.below, region, below) if below != state.below[region] else state.below,
    )


def _below_after_turn_up(state: State, region: int, permit: str) -> tuple[tuple[str, ...], ...]:
    """Return what is left under a stack after a permit was turned up; an unknown one if no other was left."""
    known = any(permit in group for group in state.below[region])
    removed = permit if known or fresh_count(state, region) > 0 else UNSEEN_PERMIT
    groups = list(state.below[region])
    for number, group in enumerate(groups):
        if removed in group:
            at = group.index(removed)
            groups[number] = (*group[:at], *group[at + 1 :])
            break
    return tuple(group for group in groups if group)


# Swapped


def swap_moves(state: State) -> Iterator[Move]:
    """Yield the regions whose open permits the seat can swap."""
    if state.assistants[state.turn] >= state.box.prices.swap:
        for region in range(len(REGIONS)):
            if open_permits(state, region) and not places_to_refill(state, region):
                yield Swap(state.turn, region)


def unseen_swaps(state: State) -> Iterator[Swap]:
    """Yield swaps of permits that were never seen: people cannot tell them, but a table may show them."""
    return (Swap(state.turn, region, unseen=True) for region in range(len(REGIONS)) if places_to_refill(state, region))


def check_swap(state: State, move: Swap) -> Iterator[Breach]:
    """Check that there is something to swap, and that the seat has the assistant."""
    known = 0 <= move.region < len(REGIONS)
    missing = places_to_refill(state, move.region) if known else ()
    if not known or not (open_permits(state, move.region) or (move.unseen and missing)):
        yield broken("quick.swap-open", region=region_name(move.region))
        return
    if missing and not move.unseen:
        yield broken("permit.refill", region=region_name(move.region))
    if move.unseen and not missing:
        yield broken("permit.refill-empty", place=tuple(map(place_name, places_of(move.region))))
    price = state.box.prices.swap
    if state.assistants[move.seat] < price:
        yield broken("quick.swap", seat=state.colour(move.seat), has=state.assistants[move.seat], price=price)
    yield from deviation_breaches(
        state, move.seat, move.off, blame_quick_action(amount("assistants", price), "turned_up")
    )


def swap(state: State, move: Swap, log: RuleLog) -> State:
    """Put the open permits of a region under their stack."""
    region = region_name(move.region)
    unseen = min(len(places_to_refill(state, move.region)), face_down(state, move.region)) if move.unseen else 0
    both = (*open_permits(state, move.region), *(UNSEEN_PERMIT,) * unseen)
    if unseen:
        log.tell("permit.refill-unseen", region=region, permits=unseen)
    log.tell("quick.swap", seat=state.colour(move.seat), assistants=state.box.prices.swap, region=region)
    log.tell("quick.swap-open", permits=both, region=region)
    offers = list(state.offers)
    for place in places_of(move.region):
        offers[place] = EMPTY
    state = return_assistants(state, move.seat, state.box.prices.swap)
    return replace(
        state,
        offers=tuple(offers),
        below=changed(state.below, move.region, (*state.below[move.region], both)),
    )


# For nothing


def free_moves(state: State) -> Iterator[Move]:
    """Yield the permits that may be taken without a price."""
    for place, permit in enumerate(state.offers):
        if permit and not _refilled_first(state, place):
            yield TakeFree(state.turn, place)


def _refilled_first(state: State, place: int) -> bool:
    """Whether a missing permit is turned up before a free one may be taken."""
    return state.options.free_permit == "after_refill" and bool(places_to_refill(state, region_of(place)))


def check_take_free(state: State, move: TakeFree) -> Iterator[Breach]:
    """Check that the permit is there, and that its bonus is right."""
    if not 0 <= move.place < len(state.offers) or not state.offers[move.place]:
        yield broken("permit.choose", seat=state.colour(move.seat), place=place_name(move.place))
        return
    if _refilled_first(state, move.place):
        yield broken("permit.refill", region=REGIONS[region_of(move.place)])
    fault = _bonus_fault(state, move, _rewards(state, move.seat, state.offers[move.place]))
    yield from deviation_breaches(state, move.seat, move.off, lambda _what, _by: fault)
