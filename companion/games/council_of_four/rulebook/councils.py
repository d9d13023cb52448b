"""Elections and bribes: how councillors come into a council, and what it takes to win them over."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from msgspec.structs import replace

from companion.kernel.rules import Breach, Fact, SeatNo, broken

from ..box import COUNCILS, JOKER, KING, Box, card_kinds
from ..moves import ENTERS, FALLS, UNSEEN, Elect, Move, Send
from ..state import RuleLog, State, changed, pool
from .cards import (
    Fault,
    amount,
    costs,
    dismiss,
    earn,
    exactly,
    lay_down,
    off_breaches,
    pay,
)

# Elections


def elect_moves(state: State, kind: type[Elect] | type[Send]) -> Iterator[Move]:
    return iter(_elections(kind, state.turn, tuple(pool(state.box, state.councils))))


@lru_cache(maxsize=4096)
def _elections(kind: type[Elect] | type[Send], seat: SeatNo, colours: tuple[str, ...]) -> tuple[Move, ...]:
    return tuple(kind(seat, council, colour) for council in range(len(COUNCILS)) for colour in colours)


def check_push(state: State, move: Elect | Send) -> Iterator[Breach]:
    if not 0 <= move.council < len(COUNCILS):
        yield broken("elect.council", council=move.council)
        return
    if not pool(state.box, state.councils)[move.colour]:
        yield broken("elect.pool", seat=state.colour(move.seat), colour=move.colour)
    if (move.enters, move.falls) != (ENTERS, FALLS):
        seat = state.colour(move.seat)
        yield broken("elect.push", seat=seat, council=COUNCILS[move.council], colour=move.colour)


def check_elect(state: State, move: Elect) -> Iterator[Breach]:
    yield from check_push(state, move)
    gold = state.box.prices.election
    other = exactly(amount("gold", gold))
    yield from off_breaches(
        state,
        move.seat,
        move.off,
        lambda what, by: Fault("elect.gold", {"gold": gold}) if what == "gold" else other(what, by),
    )


def elect(state: State, move: Elect, log: RuleLog) -> State:
    state = push(state, move, log)
    log.tell("elect.gold", seat=state.colour(move.seat), gold=state.box.prices.election)
    return earn(state, move.seat, state.box.prices.election, log)


def push(state: State, move: Elect | Send, log: RuleLog) -> State:
    council = state.councils[move.council]
    name = COUNCILS[move.council]
    log.tell("elect.council", seat=state.colour(move.seat), council=name)
    log.tell("elect.pool", colour=move.colour, left=pool(state.box, state.councils)[move.colour] - 1)
    log.tell("elect.push", council=name, colour=move.colour, fallen=council[FALLS])
    return replace(state, councils=changed(state.councils, move.council, pushed(council, move)))


def pushed(council: tuple[str, ...], move: Elect | Send) -> tuple[str, ...]:
    """A council after somebody was pushed in, wherever that was."""
    left = [*council[: move.falls], *council[move.falls + 1 :]]
    left.insert(move.enters, move.colour)
    return tuple(left)


def check_send(state: State, move: Send) -> Iterator[Breach]:
    yield from check_push(state, move)
    price = state.box.prices.send
    if state.assistants[move.seat] < price:
        yield broken("quick.send", seat=state.colour(move.seat), has=state.assistants[move.seat], price=price)
    yield from off_breaches(state, move.seat, move.off, costs(amount("assistants", price), "elected"))


def send(state: State, move: Send, log: RuleLog) -> State:
    log.tell("quick.send", seat=state.colour(move.seat), assistants=state.box.prices.send)
    return push(dismiss(state, move.seat, state.box.prices.send), move, log)


# Bribes


class Way(NamedTuple):
    """A way to bribe a council: the cards, and the gold."""

    cards: tuple[str, ...]
    gold: int


@lru_cache(maxsize=1024)
def ways(box: Box, council: tuple[str, ...]) -> tuple[Way, ...]:
    """All ways to bribe a council, each set of cards once."""
    sets = {
        tuple(sorted((*coloured, *(JOKER,) * jokers)))
        for number in range(len(council) + 1)
        for coloured in combinations(council, number)
        for jokers in range(len(council) - number + 1)
        if number + jokers
    }
    return tuple(sorted((Way(cards, bribe_price(box, cards)) for cards in sets), key=lambda way: (way.gold, way.cards)))


def bribe_price(box: Box, cards: tuple[str, ...]) -> int:
    """What these cards cost besides; too many cost no more than enough, and no card at all buys nothing."""
    if not cards:
        return 0
    return box.prices.bribe[min(len(cards), len(box.prices.bribe)) - 1] + cards.count(JOKER) * box.prices.joker


def cards_at_most(state: State, seat: SeatNo) -> int:
    """So many cards somebody can lay down; in a game that was joined nobody has counted them."""
    most = state.box.councillors.in_a_council
    return min(state.hands[seat], most) if state.counted else most


def affordable(box: Box, council: tuple[str, ...], most: int, gold: int) -> tuple[tuple[str, ...], ...]:
    """The cards, so many at the most, with which a council can be bribed for so much gold."""
    # Neither the order of the councillors matters nor gold beyond the dearest bribe: few questions are left.
    return _affordable(box, tuple(sorted(council)), most, min(gold, dearest(box)))


@lru_cache(maxsize=4096)
def _affordable(box: Box, council: tuple[str, ...], most: int, gold: int) -> tuple[tuple[str, ...], ...]:
    return tuple(cards for cards, price in ways(box, council) if price <= gold and len(cards) <= most)


@cache
def dearest(box: Box) -> int:
    """What a bribe costs at the most."""
    most = box.councillors.in_a_council
    return max(box.prices.bribe) + most * box.prices.joker


def check_bribe(state: State, seat: SeatNo, council: int, cards: tuple[str, ...]) -> Iterator[Breach]:
    """What is wrong with the cards, and whether there is gold for the rest."""
    unknown = set(cards) - {*card_kinds(state.box), UNSEEN}
    if unknown:
        yield broken("bribe.council", cards=tuple(sorted(unknown)))
        return
    colour, name, members = state.colour(seat), COUNCILS[council], Counter(state.councils[council])
    laid = Counter(cards)
    if not 1 <= len(cards) <= state.box.councillors.in_a_council:
        yield broken("bribe.cards", seat=colour, cards=len(cards), most=state.box.councillors.in_a_council)
    for card in sorted(laid):
        if card in (JOKER, UNSEEN):
            continue
        if not members[card]:
            yield broken("bribe.colours", seat=colour, colour=card, council=name)
        elif laid[card] > members[card]:
            facts: dict[str, Fact] = {"cards": laid[card], "councillors": members[card]}
            yield broken("bribe.once", seat=colour, colour=card, council=name, **facts)
    if state.counted and len(cards) > state.hands[seat]:
        yield broken("bribe.hand", seat=colour, cards=len(cards), hand=state.hands[seat])
    price = bribe_price(state.box, cards)
    if price > state.gold[seat]:
        yield broken("bribe.affords", seat=colour, price=price, gold=state.gold[seat])


def blame_bribe(state: State, cards: tuple[str, ...], by: int) -> Fault | None:
    """The rule about the price of a bribe that explains so much gold too much (or too little)."""
    price, jokers = bribe_price(state.box, cards), cards.count(JOKER)
    extra = jokers * state.box.prices.joker
    if jokers and by == extra:
        return Fault("bribe.joker-gold", {"jokers": jokers, "gold": extra})
    facts: dict[str, Fact] = {"councillors": len(cards), "jokers": jokers, "gold": price}
    return Fault("bribe.gold", facts) if price else None


def bribe(state: State, seat: SeatNo, council: int, cards: tuple[str, ...], log: RuleLog) -> State:
    colour, name = state.colour(seat), COUNCILS[council]
    coloured, jokers = tuple(card for card in cards if card not in (JOKER, UNSEEN)), cards.count(JOKER)
    log.tell("king.bribe" if council == KING else "bribe.council", seat=colour, council=name)
    log.tell("bribe.cards", seat=colour, cards=len(cards), council=name)
    if coloured:
        log.tell("bribe.colours", cards=coloured, council=name)
    if jokers:
        log.tell("bribe.joker", seat=colour, jokers=jokers)
        log.tell("bribe.joker-gold", seat=colour, gold=jokers * state.box.prices.joker)
    log.tell("bribe.gold", seat=colour, councillors=len(cards), gold=state.box.prices.bribe[len(cards) - 1])
    return lay_down(pay(state, seat, bribe_price(state.box, cards)), seat, cards)
