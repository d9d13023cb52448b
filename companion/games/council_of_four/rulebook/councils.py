"""Elections and bribes: how councillors come into a council, and what it costs to win a council over.

What is bought with a bribe is in `permits` and `emporiums`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations
from typing import NamedTuple

from msgspec.structs import replace

from companion.games.council_of_four.state import State, pool
from companion.kernel.rules import Breach, Fact, RuleLog, SeatNo, broken, changed

from ..box import COUNCILS, JOKER, KING, Box, card_kinds
from ..moves import ENTERS, FALLS, UNSEEN_CARD, Elect, Move, Send
from .cards import (
    Fault,
    amount,
    blame_quick_action,
    blame_reward,
    deviation_breaches,
    gain_gold,
    lay_down,
    pay_gold,
    return_assistants,
)

# Elections


def elect_moves(state: State, kind: type[Elect] | type[Send]) -> Iterator[Move]:
    """Yield each election, or each sending of an assistant, that the pool allows."""
    return iter(_elections(kind, state.turn, tuple(pool(state.box, state.councils))))


@lru_cache(maxsize=4096)
def _elections(kind: type[Elect] | type[Send], seat: SeatNo, colours: tuple[str, ...]) -> tuple[Move, ...]:
    return tuple(kind(seat, council, colour) for council in range(len(COUNCILS)) for colour in colours)


def check_push(state: State, move: Elect | Send) -> Iterator[Breach]:
    """Check that the council exists, that the pool has the councillor, and that it is pushed in from the left."""
    if not 0 <= move.council < len(COUNCILS):
        yield broken("elect.council", council=move.council)
        return
    if not pool(state.box, state.councils)[move.colour]:
        yield broken("elect.pool", seat=state.colour(move.seat), colour=move.colour)
    if (move.enters, move.falls) != (ENTERS, FALLS):
        seat = state.colour(move.seat)
        yield broken("elect.push", seat=seat, council=COUNCILS[move.council], colour=move.colour)


def check_elect(state: State, move: Elect) -> Iterator[Breach]:
    """Check the push, and that the election brought its gold and nothing else."""
    yield from check_push(state, move)
    gold = state.box.prices.election
    other = blame_reward(amount("gold", gold))
    yield from deviation_breaches(
        state,
        move.seat,
        move.off,
        lambda what, by: Fault("elect.gold", {"gold": gold}) if what == "gold" else other(what, by),
    )


def elect(state: State, move: Elect, log: RuleLog) -> State:
    """Push in a councillor, and gain the gold of an election."""
    state = push(state, move, log)
    log.tell("elect.gold", seat=state.colour(move.seat), gold=state.box.prices.election)
    return gain_gold(state, move.seat, state.box.prices.election, log)


def push(state: State, move: Elect | Send, log: RuleLog) -> State:
    """Push a councillor into a council; the last one falls into the pool."""
    council = state.councils[move.council]
    name = COUNCILS[move.council]
    log.tell("elect.council", seat=state.colour(move.seat), council=name)
    log.tell("elect.pool", colour=move.colour, left=pool(state.box, state.councils)[move.colour] - 1)
    log.tell("elect.push", council=name, colour=move.colour, fallen=council[FALLS])
    return replace(state, councils=changed(state.councils, move.council, council_after_push(council, move)))


def council_after_push(council: tuple[str, ...], move: Elect | Send) -> tuple[str, ...]:
    """Return a council after a push at any place, allowed or not."""
    left = [*council[: move.falls], *council[move.falls + 1 :]]
    left.insert(move.enters, move.colour)
    return tuple(left)


def check_send(state: State, move: Send) -> Iterator[Breach]:
    """Check the push, that the seat has the assistant, and that it was sent back."""
    yield from check_push(state, move)
    price = state.box.prices.send
    if state.assistants[move.seat] < price:
        yield broken("quick.send", seat=state.colour(move.seat), has=state.assistants[move.seat], price=price)
    yield from deviation_breaches(
        state, move.seat, move.off, blame_quick_action(amount("assistants", price), "elected")
    )


def send(state: State, move: Send, log: RuleLog) -> State:
    """Send an assistant back, and push in a councillor."""
    log.tell("quick.send", seat=state.colour(move.seat), assistants=state.box.prices.send)
    return push(return_assistants(state, move.seat, state.box.prices.send), move, log)


# Bribes


class BribeOption(NamedTuple):
    """A way to bribe a council: its cards, and their price in gold."""

    cards: tuple[str, ...]
    gold: int


@lru_cache(maxsize=1024)
def bribe_options(box: Box, council: tuple[str, ...]) -> tuple[BribeOption, ...]:
    """Return all ways to bribe a council, the cheapest first, each set of cards once."""
    sets = {
        tuple(sorted((*coloured, *(JOKER,) * jokers)))
        for number in range(len(council) + 1)
        for coloured in combinations(council, number)
        for jokers in range(len(council) - number + 1)
        if number + jokers
    }
    options = [BribeOption(cards, bribe_price(box, cards)) for cards in sets]
    return tuple(sorted(options, key=lambda option: (option.gold, option.cards)))


def bribe_price(box: Box, cards: tuple[str, ...]) -> int:
    """Return the price in gold for these cards; too many cost no more than enough, and no cards buy nothing."""
    if not cards:
        return 0
    return box.prices.bribe[min(len(cards), len(box.prices.bribe)) - 1] + cards.count(JOKER) * box.prices.joker


def most_cards_to_lay(state: State, seat: SeatNo) -> int:
    """Return how many cards a seat can lay down at most; in a game joined later the hands are not counted."""
    most = state.box.councillors.in_a_council
    return min(state.hands[seat], most) if state.counted else most


def affordable_bribes(box: Box, council: tuple[str, ...], most: int, gold: int) -> tuple[tuple[str, ...], ...]:
    """Return the sets of cards, up to this number, that bribe a council for this much gold."""
    # Sorted councillors and no more gold than the dearest bribe: few different calls reach the cache.
    return _affordable_bribes(box, tuple(sorted(council)), most, min(gold, dearest_bribe(box)))


@lru_cache(maxsize=4096)
def _affordable_bribes(box: Box, council: tuple[str, ...], most: int, gold: int) -> tuple[tuple[str, ...], ...]:
    return tuple(cards for cards, price in bribe_options(box, council) if price <= gold and len(cards) <= most)


@cache
def dearest_bribe(box: Box) -> int:
    """Return the highest possible price of a bribe."""
    most = box.councillors.in_a_council
    return max(box.prices.bribe) + most * box.prices.joker


def check_bribe(state: State, seat: SeatNo, council: int, cards: tuple[str, ...]) -> Iterator[Breach]:
    """Check that the cards fit the council and the hand, and that the seat can pay the rest."""
    unknown = set(cards) - {*card_kinds(state.box), UNSEEN_CARD}
    if unknown:
        yield broken("bribe.council", cards=tuple(sorted(unknown)))
        return
    colour, name, members = state.colour(seat), COUNCILS[council], Counter(state.councils[council])
    laid = Counter(cards)
    if not 1 <= len(cards) <= state.box.councillors.in_a_council:
        yield broken("bribe.cards", seat=colour, cards=len(cards), most=state.box.councillors.in_a_council)
    for card in sorted(laid):
        if card in (JOKER, UNSEEN_CARD):
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
    """Return the rule about the bribe's price that explains a deviation in gold, if there is one."""
    price, jokers = bribe_price(state.box, cards), cards.count(JOKER)
    extra = jokers * state.box.prices.joker
    if jokers and by == extra:
        return Fault("bribe.joker-gold", {"jokers": jokers, "gold": extra})
    facts: dict[str, Fact] = {"councillors": len(cards), "jokers": jokers, "gold": price}
    return Fault("bribe.gold", facts) if price else None


def bribe(state: State, seat: SeatNo, council: int, cards: tuple[str, ...], log: RuleLog) -> State:
    """Lay down the cards and pay the gold."""
    colour, name = state.colour(seat), COUNCILS[council]
    coloured, jokers = tuple(card for card in cards if card not in (JOKER, UNSEEN_CARD)), cards.count(JOKER)
    log.tell("king.bribe" if council == KING else "bribe.council", seat=colour, council=name)
    log.tell("bribe.cards", seat=colour, cards=len(cards), council=name)
    if coloured:
        log.tell("bribe.colours", cards=coloured, council=name)
    if jokers:
        log.tell("bribe.joker", seat=colour, jokers=jokers)
        log.tell("bribe.joker-gold", seat=colour, gold=jokers * state.box.prices.joker)
    log.tell("bribe.gold", seat=colour, councillors=len(cards), gold=state.box.prices.bribe[len(cards) - 1])
    return lay_down(pay_gold(state, seat, bribe_price(state.box, cards)), seat, cards)
