"""The moves that could explain what lies on the table: legal ones, forbidden ones, and legal ones that may be half
done.

Where the order of acts does not matter (what chance lays out), only one order is proposed, so that many acts at once
are one short chain and not every way to arrange them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import chain
from typing import Any, Final

from msgspec.structs import replace

from companion.kernel.rules import SeatNo
from companion.kernel.views import UNKNOWN, View, differences

from ..box import COUNCILS, JOKER, KING, REGIONS, Bonus, letters, permits_of
from ..moves import (
    EXACT,
    HERE,
    UNSEEN_CARD,
    Build,
    BuildWithKing,
    BuyAction,
    BuyPermit,
    CopyPermit,
    CopyToken,
    DrawNeutral,
    Elect,
    EndTurn,
    Hire,
    LayOut,
    Move,
    PutCouncillor,
    PutToken,
    Send,
    Swap,
    Sweep,
    TakeBonus,
    TakeFree,
    TurnUp,
)
from ..rulebook.cards import COUNTED
from ..rulebook.councils import affordable_bribes, bribe_price, council_after_push, most_cards_to_lay
from ..rulebook.emporiums import KINGS_REWARD
from ..rulebook.nobility import choice_moves
from ..rulebook.permits import unseen_swaps
from ..rulebook.phases import breaches, legal_moves
from ..rulebook.setup import cities_without_token, neutrals_due
from ..state import (
    NEUTRAL,
    UNSEEN_PERMIT,
    State,
    fresh_count,
    open_permits,
    permit_bonus,
    permit_cities,
    places_of,
    places_to_refill,
    pool,
    region_of,
    unused_colours,
)
from .play_unchecked import play_with_costs
from .seen_table import Seen
from .view import view as should_be

MOST_CHANGED: Final = 14
"""One act changes no more zones than this: an emporium with the king's help, a bonus tile and a royal reward."""


def candidates(state: State, view: View) -> Iterator[Move]:
    """Likeliest first; each move once."""
    seen = Seen(state, view)
    match state.phase:
        case "laying_out":
            yield LayOut()
        case "lots":
            yield from _lots(seen)
        case "turn":
            yield from dict.fromkeys(_of_a_turn(seen))
        case "over":
            return


# What chance lays out


def _lots(seen: Seen) -> Iterator[Move]:
    """The first piece that can be identified, in the order of the book. A permit that lay open may belong to a seat
    already, if people began before everything was seen."""
    first = next(_all_lots(seen), None)
    if isinstance(first, TurnUp):
        yield from dict.fromkeys(move for move in _turned_up(seen) if move.place == first.place)
    elif first is not None:
        yield first


def _all_lots(seen: Seen) -> Iterator[Move]:
    state = seen.state
    for city in cities_without_token(state):
        token = seen.token(city)
        if token in state.box.tokens:
            yield PutToken(city, token)
    for council, members in enumerate(state.councils):
        for place, member in enumerate(members):
            colour = seen.councillor(council, place)
            if not member and colour in state.box.councillors.colours:
                yield PutCouncillor(council, place, colour)
    yield from _turned_up(seen)
    for region in range(len(REGIONS)) if neutrals_due(state) else ():
        if not state.neutral[region]:
            yield from _neutral(seen, region)


def _neutral(seen: Seen, region: int) -> Iterator[Move]:
    there = {city: seen.neutral(city) for city in range(5 * region, 5 * region + 5)}
    for unused in range(len(unused_colours(seen.state.box, seen.state.seats))):
        colour = NEUTRAL << unused
        if colour not in there.values():
            continue
        for permit in permits_of(seen.state.box, region):
            named = permit_cities(seen.state, permit)
            if all(stands in (None, colour if city in named else 0) for city, stands in there.items()):
                yield DrawNeutral(region, permit, unused)


def _turned_up(seen: Seen) -> Iterator[TurnUp]:
    for place, offer in enumerate(seen.state.offers):
        if offer:
            continue
        permit = seen.offer(place)
        if permit and permit != UNKNOWN:
            yield TurnUp(place, permit)
        yield from (TurnUp(place, one) for one in seen.acquired_unseen(region_of(place)))


# A turn


def _of_a_turn(seen: Seen) -> Iterator[Move]:
    state = seen.state
    yield from _turned_up(seen)
    if state.choices:
        yield from choice_moves(state)
    yield from _acts(seen, state.turn)
    cards = seen.cards()
    if state.bribe and cards is not None and cards != state.bribe:
        yield Sweep()
    yield EndTurn(state.turn)


# What is forbidden


def illegal_candidates(state: State, view: View) -> Iterator[Move]:
    """Yield moves out of turn, moves with deviating markers, and other forbidden moves."""
    seen = Seen(state, view)
    if state.phase == "turn" and len(seen.changed) <= MOST_CHANGED:
        yield from dict.fromkeys(_illegal_candidates(seen))


def _illegal_candidates(seen: Seen) -> Iterator[Move]:
    yield from _chosen_wrongly(seen)
    for seat in range(seen.state.players):
        if seat == seen.state.turn or seen.changed_for(seat):
            for move in _acts(seen, seat):
                if not _laid_again(seen, move):
                    yield move
                    yield from _with_deviation(seen, move)
    yield from _taken(seen)


def _laid_again(seen: Seen, move: Move) -> bool:
    """Whether the cards of a forbidden move are the ones that already lay there: then none were laid down."""
    return bool(seen.state.bribe) and getattr(move, "cards", None) == seen.state.bribe


def _with_deviation(seen: Seen, move: Any) -> Iterator[Move]:
    """The same move with markers that are not where they should be."""
    after = play_with_costs(seen.state, move)
    deviation = EXACT if after is None else seen.deviation(after, move.seat)
    if deviation != EXACT:
        yield replace(move, off=deviation)


def _chosen_wrongly(seen: Seen) -> Iterator[Move]:
    """Yield choices that the nobility track does not allow."""
    state = seen.state
    match state.choices[0].kind if state.choices else "":
        case "token":
            cities = enumerate(state.tokens)
            yield from (CopyToken(state.turn, city) for city, token in cities if token and state.owns(state.turn, city))
        case "own":
            mine = (*state.permits[state.turn], *state.used[state.turn])
            yield from (CopyPermit(state.turn, permit) for permit in mine)


def _acts(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    state = seen.state
    for council, name in enumerate(COUNCILS):
        for colour, enters, falls in _pushes(seen, council) if f"council {name}" in seen.changed else ():
            yield Elect(seat, council, colour, enters, falls)
            yield Send(seat, council, colour, enters, falls)
    yield from _bought(seen, seat)
    yield from _built(seen, seat)
    # Gold and assistants that came since may hide those that went.
    if not state.quick or seen.more("assistants", seat) > 0 or seen.more("gold", seat) < 0:
        yield Hire(seat)
    for region in range(len(REGIONS)):
        if _perhaps_swapped(seen, seat, region):
            # A permit that was to be turned up may have gone under the stack with the others without being seen.
            yield Swap(seat, region, unseen=bool(places_to_refill(state, region)))
    if not state.quick or seen.more("assistants", seat) < 0:
        yield BuyAction(seat)


def _pushes(seen: Seen, council: int) -> Iterator[tuple[str, int, int]]:
    """Who may have been pushed into a council, and where: from the left as the rules say, or otherwise."""
    state, members, now = seen.state, seen.state.councils[council], seen.council(council)
    free = pool(state.box, state.councils)
    if now is None:
        yield from _half_seen(seen, council)
        return
    if now == members:
        return
    most = len(members)
    for times in range(1, most + 1):
        # Several may have been pushed in one after the other; the first of them is the rightmost.
        if now[times:] == members[: most - times]:
            yield now[times - 1], 0, most - 1
            break
    for falls in range(most):
        for enters in range(most):
            colour = now[enters]
            if free[colour] and council_after_push(members, Elect(0, council, colour, enters, falls)) == now:
                yield colour, enters, falls


def _half_seen(seen: Seen, council: int) -> Iterator[tuple[str, int, int]]:
    """If a councillor cannot be read, any that may have been pushed in from the left."""
    members, most = seen.state.councils[council], len(seen.state.councils[council])
    now = [seen.councillor(council, place) for place in range(most)]
    if any(known not in (UNKNOWN, None, member) for known, member in zip(now, members, strict=True)):
        for colour in pool(seen.state.box, seen.state.councils):
            after = (colour, *members[:-1])
            if all(known in (UNKNOWN, there) for known, there in zip(now, after, strict=True)):
                yield colour, 0, most - 1


def _perhaps_swapped(seen: Seen, seat: SeatNo, region: int) -> bool:
    """Whether a seat may have swapped the open permits of a region: all are gone, or an assistant is and the swap
    cannot be seen, because the same permits may come up again or the places were empty."""
    lying = [place for place in places_of(region) if seen.state.offers[place]]
    if "permits" in seen.changed and lying and all(_permit_missing(seen, place) for place in lying):
        return True
    again = fresh_count(seen.state, region) < len(places_of(region)) if lying else places_to_refill(seen.state, region)
    return bool(again) and seen.more("assistants", seat) < 0


def _permit_missing(seen: Seen, place: int) -> bool:
    """Whether the permit that lay in a place seems to be gone."""
    return seen.offer(place) not in (seen.state.offers[place], UNKNOWN)


def _bought(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    state = seen.state
    if "permits" not in seen.changed and f"permits {state.colour(seat)}" not in seen.changed:
        return
    gained, turned = seen.permits_gained(seat), seen.turned_over(seat)
    for place, permit in enumerate(state.offers):
        # One that was bought and built with at once lies face down already.
        if permit and (permit in gained if gained is not None and not turned else _permit_missing(seen, place)):
            if state.choices and state.choices[0].kind == "free":
                yield TakeFree(seat, place)
            for cards in _laid(seen, seat, region_of(place)):
                yield BuyPermit(seat, place, cards)


def _laid(seen: Seen, seat: SeatNo, council: int) -> Iterator[tuple[str, ...]]:
    """Yield the cards with which a seat may have bribed a council."""
    cards = seen.cards()
    if cards:
        yield cards
        if cards == seen.state.bribe:
            yield ()
        elif seen.purchases > 1:
            yield from _unseen(seen)  # the cards of the next bribe lie over them
        return
    yield from _unseen(seen)
    if cards is None:
        members, most = seen.state.councils[council], most_cards_to_lay(seen.state, seat)
        yield from affordable_bribes(seen.state.box, members, most, seen.state.gold[seat])
    else:
        yield ()


def _unseen(seen: Seen) -> Iterator[tuple[str, ...]]:
    """Yield cards that are no longer there: the gold tells how many there were, and how many jokers."""
    for number in range(1, seen.state.box.councillors.in_a_council + 1):
        for jokers in range(number + 1):
            yield (*(JOKER,) * jokers, *(UNSEEN_CARD,) * (number - jokers))


def _built(seen: Seen, seat: SeatNo) -> Iterator[Move]:
    state = seen.state
    missing, turned = seen.missing_permits(seat), seen.turned_over(seat)
    for owner, city in seen.new_emporiums():
        if owner != seat:
            continue
        mine = state.permits[seat]
        used = [permit for permit in mine if missing is None or permit in missing]
        fitting = [permit for permit in used if city in permit_cities(state, permit)]
        yield from (Build(seat, permit, city) for permit in (*fitting, *(p for p in used if p not in fitting)))
        king = HERE if seen.king is None else seen.king
        for cards in _laid(seen, seat, KING):
            yield BuildWithKing(seat, city, cards)  # he may have travelled on since
            yield BuildWithKing(seat, city, cards, king)
        if not missing and not turned:
            yield from (
                Build(seat, permit, city, turned=False) for permit in mine if city in permit_cities(state, permit)
            )


def _taken(seen: Seen) -> Iterator[Move]:
    """Yield tiles that were taken without building for them."""
    for seat in range(seen.state.players):
        if f"honours {seen.state.colour(seat)}" not in seen.changed:
            continue
        yield from (TakeBonus(seat, tile) for tile in seen.bonuses_gained(seat))
        if seen.rewards_gained(seat) > 0:
            yield TakeBonus(seat, KINGS_REWARD)


# What may be half done


def moves_in_progress(state: State, view: View) -> Iterator[Move]:
    """Yield the legal moves that may be half done: those that can change every zone that looks wrong."""
    seen = Seen(state, view)
    changed = differences(view, should_be(state)).keys()
    proposed = set[Any]()
    unseen = (swap for swap in unseen_swaps(state) if not any(breaches(state, swap)))
    for move in chain(legal_moves(state), unseen):
        if not changed <= _zones(state, move):
            continue
        cards: tuple[str, ...] | None = getattr(move, "cards", None)
        if cards is not None:
            # Cards that are not on the table yet differ only in number and price.
            sort = (type(move), getattr(move, "place", 0), getattr(move, "city", 0))
            how = cards if "bribe" in changed else (len(cards), bribe_price(state.box, cards))
            if (*sort, how) in proposed or ("bribe" in changed and not _on_the_way(seen, cards)):
                continue
            proposed.add((*sort, how))
        yield move


def _on_the_way(seen: Seen, cards: tuple[str, ...]) -> bool:
    """Whether the cards on the table are some of these, or some of the last bribe that are not put away yet."""
    lying = seen.cards()
    return lying is None or not Counter(lying) - (Counter(cards) | Counter(seen.state.bribe))


def _zones(state: State, move: Move) -> frozenset[str]:
    """Return the zones that a move may change."""
    colour = state.colour(getattr(move, "seat", 0))
    hired = {f"assistants {colour}", "supply"}
    gains = {"gold", "points", "nobility", *hired}
    built = {f"stock {colour}", "bonuses", "reward", f"honours {colour}", *gains}
    names = letters(state.box)
    match move:
        case Elect():
            return frozenset({f"council {COUNCILS[move.council]}", "pool", "gold"})
        case Send():
            return frozenset({f"council {COUNCILS[move.council]}", "pool", *hired})
        case BuyPermit():
            return frozenset({"permits", f"permits {colour}", "bribe", *gains})
        case TakeFree():
            return frozenset({"permits", f"permits {colour}", *gains})
        case Build():
            return frozenset({f"city {names[move.city]}", f"permits {colour}", *built})
        case BuildWithKing():
            return frozenset({f"city {names[move.city]}", f"city {names[state.king]}", "bribe", *built})
        case Hire():
            return frozenset({"gold", *hired})
        case Swap():
            return frozenset({"permits", *hired})
        case BuyAction():
            return frozenset(hired)
        case CopyToken() | CopyPermit():
            return frozenset(gains)
        case TurnUp():
            return frozenset({"permits"})
        case Sweep():
            return frozenset({"bribe"})
        case _:
            return frozenset()


def may_be_partial(state: State, move: Move) -> bool:
    """Whether the same table may be the first half of another move.

    That is so for cards laid on equal cards, for a reward that is part of another possible one, and for a swap of which
    only the assistant was seen.
    """
    if isinstance(move, Swap | TurnUp):
        return _unseen_whole(state, move)
    if isinstance(move, CopyToken | CopyPermit):
        return any(_more(_reward(state, one), _reward(state, move)) for one in choice_moves(state))
    return bool(state.bribe) and getattr(move, "cards", ()) == state.bribe


def _unseen_whole(state: State, move: Swap | TurnUp) -> bool:
    """Whether none of the swapped permits was seen."""
    if isinstance(move, Swap):
        return move.unseen and not open_permits(state, move.region)
    below = state.below[region_of(move.place)]
    return state.quick and bool(below) and set(below[-1]) == {UNSEEN_PERMIT}


def _reward(state: State, move: Move) -> Bonus:
    match move:
        case CopyToken():
            return state.box.tokens[state.tokens[move.city]].bonus
        case CopyPermit():
            return permit_bonus(state, move.permit)
        case _:
            return Bonus()


def _more(one: Bonus, other: Bonus) -> bool:
    """Whether one reward brings everything that can be seen of the other, and more."""
    gains = [(getattr(one, what), getattr(other, what)) for what in COUNTED]
    return all(many >= few for many, few in gains) and any(many > few for many, few in gains)
