"""Phase 3: what an action costs in symbols, which symbols a seat has, and what it pays for the rest."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Final

from companion.kernel.rules import Breach, SeatNo, broken

from ..box import (
    BUILDER,
    CLERIC,
    CRIMINAL,
    GOLD,
    GOODS,
    INK,
    MERCHANT,
    NOBLE,
    SILVER,
    STONE,
    Action,
    Swap,
)
from ..components import SymbolCounts, card_symbols
from ..moves import FREE, Goods
from ..state import State, row_cards, symbols
from .effects import goods_word

ACTIONS: Final[tuple[Action, ...]] = ("trade", "build", "workers", "manuscript")
SYMBOL: Final[dict[Action, int]] = {"trade": MERCHANT, "build": BUILDER, "workers": NOBLE, "manuscript": CLERIC}
"""The symbol of each main action."""
GOOD: Final[dict[Action, int]] = {"trade": SILVER, "build": STONE, "workers": GOLD, "manuscript": INK}
"""The good that can be paid instead of a symbol."""


def swaps(state: State, seat: SeatNo, action: Action) -> tuple[Swap, ...]:
    """Return the abilities on a player board that let something count as symbols."""
    return tuple(card.swap for card in row_cards(state, seat) if card.swap and card.swap.during == action)


def matches(state: State, seat: SeatNo, name: str, action: Action) -> bool:
    """Whether the symbols of a townsfolk fit an action."""
    have = card_symbols(state.box)[name]
    if have[SYMBOL[action]] or have[CRIMINAL]:
        return True
    by_ability = any("merchant" in swap.gives for swap in swaps(state, seat, action))
    return bool(state.options.dismiss_by_ability and by_ability and have[MERCHANT])


def strength(state: State, seat: SeatNo, action: Action) -> int:
    """Return the symbols that a seat has for an action without paying."""
    return _strength(symbols(state, seat, state.dismissed), SYMBOL[action], swaps(state, seat, action))


def _strength(have: SymbolCounts, symbol: int, abilities: tuple[Swap, ...]) -> int:
    total = have[symbol] + have[CRIMINAL]
    for swap in abilities:
        if "merchant" in swap.gives:
            return total + have[MERCHANT] // swap.number * swap.counts
    return total


def payments(state: State, seat: SeatNo, action: Action, need: int) -> tuple[Goods, ...]:
    """Return all ways to pay for an action that needs a number of symbols, without paying too much."""
    missing = need - strength(state, seat, action)
    if missing <= 0:
        return (FREE,)
    return _payments(missing, GOOD[action], swaps(state, seat, action), state.goods[seat])


@lru_cache(maxsize=8192)
def _payments(missing: int, good: int, abilities: tuple[Swap, ...], purse: tuple[int, ...]) -> tuple[Goods, ...]:
    worth = {other: _worth(other, good, missing, abilities, had) for other, had in enumerate(purse)}
    found: list[Goods] = []
    for ink, gold, stone, silver in product(*(worth[other] for other in range(len(GOODS)))):
        if worth[INK][ink] + worth[GOLD][gold] + worth[STONE][stone] + worth[SILVER][silver] >= missing:
            found.append((ink, gold, stone, silver))
    return tuple(one for one in found if not any(_is_part_of(other, one) for other in found))


def _worth(other: int, good: int, missing: int, abilities: tuple[Swap, ...], had: int) -> dict[int, int]:
    """Return how many symbols each number of a good is worth; other numbers of it are of no use."""
    name = GOODS[other]
    once = sum(swap.counts - swap.number for swap in abilities if name in swap.gives and swap.once)
    if other == good:
        return {number: number + min(number, once) for number in range(min(had, missing) + 1)}
    rates = [swap for swap in abilities if name in swap.gives and not swap.once]
    if not rates:
        return {0: 0}
    swap = rates[0]
    uses = min(had // swap.number, -(-missing // swap.counts))
    return {use * swap.number: use * swap.counts for use in range(uses + 1)}


def _is_part_of(one: Goods, other: Goods) -> bool:
    """Whether one payment is part of another."""
    return one != other and all(here <= there for here, there in zip(one, other, strict=True))


def check_pays(state: State, seat: SeatNo, rule: str, pays: Goods, need: int, action: Action) -> Iterator[Breach]:
    """Check that a payment is enough and not too much."""
    ways = payments(state, seat, action, need)
    if pays in ways:
        return
    colour, has = state.colour(seat), strength(state, seat, action)
    if not ways:
        good = GOOD[action]
        facts = {"needs": need, "has": has, "missing": need - has, "left": state.has(seat, good)}
        yield broken(rule, seat=colour, good=GOODS[good], **facts)
    else:
        right, paid = goods_word(ways[0]), goods_word(pays)
        yield broken("action.pay", seat=colour, pays=paid, right=right, needs=need, has=has)


def resource_payments(mine: tuple[int, ...], number: int) -> list[Goods]:
    """Return all ways to pay a number of resources of any kind, first those that take what there is most of."""
    found: list[Goods] = [
        (ink, gold, number - ink - gold, 0)
        for ink, gold in product(range(mine[0] + 1), range(mine[1] + 1))
        if 0 <= number - ink - gold <= mine[2]
    ]
    return sorted(found, key=lambda pays: sorted(map(int.__sub__, mine, pays), reverse=True))
