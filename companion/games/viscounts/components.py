"""Cards, buildings and manuscripts of the box, and their names.

A box is compared by its digest, so the functions are cached. While a box is being checked for contradictions it has no
digest yet, so the check must not call them.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Any, Final

import msgspec

from .box import (
    BUILDINGS,
    GOODS,
    RIBBONS,
    SLOTS,
    SYMBOLS,
    Box,
    Card,
    Effect,
    Manuscript,
    Rival,
    Scheme,
    Side,
    Slot,
    Symbols,
)

LEFT, INNER, RIGHT = range(3)
"""The spaces of a segment."""
UNREACHABLE: Final = 99
PRINTED: Final = "printed "
"""Prefix of a segment's name: what is printed where a pile has been used up."""
SymbolCounts = tuple[int, int, int, int, int]
"""A number of each symbol."""
NO_SYMBOLS: Final[SymbolCounts] = (0, 0, 0, 0, 0)


@cache
def segment_names(box: Box) -> tuple[str, ...]:
    return tuple(box.segments)


@cache
def all_cards(box: Box) -> Mapping[str, Card]:
    """Return every townsfolk card by name, with those printed on the board and the schemes of the solo game."""
    printed = {f"{PRINTED}{name}": segment.townsfolk for name, segment in box.segments.items()}
    schemes = {name: _as_card(scheme) for name, scheme in all_schemes(box).items()}
    return {**dict(box.cards()), **printed, **schemes}


@cache
def all_schemes(box: Box) -> Mapping[str, Scheme]:
    return {**box.solo.starting, **box.solo.future}


def _as_card(scheme: Scheme) -> Card:
    """Return a scheme as a card that has only symbols."""
    return Card(0, 0, scheme.builder, scheme.noble, scheme.cleric, scheme.criminal)


@cache
def all_manuscripts(box: Box) -> Mapping[str, Manuscript]:
    printed = {f"{PRINTED}{name}": segment.manuscript for name, segment in box.segments.items()}
    return {**box.manuscripts, **printed}


def symbols_in(what: Any) -> SymbolCounts:
    merchant, builder, noble, cleric, criminal = (int(getattr(what, name, 0)) for name in SYMBOLS)
    return merchant, builder, noble, cleric, criminal


@cache
def card_symbols(box: Box) -> Mapping[str, SymbolCounts]:
    return {name: symbols_in(card) for name, card in all_cards(box).items()}


@lru_cache(maxsize=4096)
def row_symbols(box: Box, printed: tuple[Symbols, ...], row: tuple[str, ...], more: str) -> SymbolCounts:
    """Return the symbols on the three places of a player board, and those of a dismissed townsfolk."""
    known = card_symbols(box)
    parts = [known[card] if card else symbols_in(printed[place]) for place, card in enumerate(row)]
    if more:
        parts.append(known[more])
    return add_symbols(*parts)


def add_symbols(*parts: SymbolCounts) -> SymbolCounts:
    if not parts:
        return NO_SYMBOLS
    merchant, builder, noble, cleric, criminal = (sum(column) for column in zip(*parts, strict=True))
    return merchant, builder, noble, cleric, criminal


@cache
def slots(box: Box) -> tuple[Slot, ...]:
    """Return what the nine buildings of a player board uncover, from the left."""
    return tuple(slot for kind in BUILDINGS for slot in getattr(box.slots, kind))


@lru_cache(maxsize=1024)
def built_symbols(box: Box, built: int) -> SymbolCounts:
    """Return the symbols uncovered by buildings that have left their place; a bit for each of the nine."""
    return add_symbols(*(symbols_in(slot) for number, slot in enumerate(slots(box)) if built >> number & 1))


@lru_cache(maxsize=1024)
def built_abilities(box: Box, built: int) -> frozenset[str]:
    """Return the abilities uncovered by these buildings."""
    return frozenset(slot.does for number, slot in enumerate(slots(box)) if built >> number & 1 and slot.does)


@lru_cache(maxsize=256)
def bonus_symbols(box: Box, ribbons: tuple[int, ...]) -> SymbolCounts:
    return add_symbols(*(symbols_in(getattr(box.ribbons, RIBBONS[ribbon])) for ribbon in ribbons))


@lru_cache(maxsize=1024)
def effect_goods(effect: Effect) -> tuple[int, ...]:
    return tuple(getattr(effect, good) for good in GOODS)


# The opponent of the solo game


def rival_slot(number: int) -> int:
    """Return the number of a building's place on the opponent's board, where guildhalls stand left of trading posts."""
    building, slot = divmod(number, SLOTS)
    return (1, 0, 2)[building] * SLOTS + slot


@lru_cache(maxsize=1024)
def rival_symbols(box: Box, rival: Rival, built: int) -> SymbolCounts:
    known = box.solo.boards[rival].slots
    return add_symbols(*(symbols_in(known[rival_slot(number)]) for number in range(len(known)) if built >> number & 1))


@lru_cache(maxsize=1024)
def rival_abilities(box: Box, rival: Rival, built: int) -> frozenset[str]:
    known = box.solo.boards[rival].slots
    return frozenset(known[rival_slot(number)].does for number in range(len(known)) if built >> number & 1)


def unconfirmed_schemes(box: Box, rival: Rival) -> tuple[str, ...]:
    """Return the schemes that an opponent's board leaves in the box, if people have not confirmed which these are."""
    facts = f"solo.boards.{rival}"
    return box.solo.boards[rival].removed if {facts, f"{facts}.removed"} & {*box.unverified} else ()


# The board


def space_of(segment: int, where: int) -> int:
    return segment * 3 + where


def segment_of(space: int) -> int:
    return space // 3


@cache
def space_names(box: Box) -> tuple[str, ...]:
    """Return the names of all spaces: outer spaces by number, inner ones by segment."""
    names: list[str] = []
    for segment in segment_names(box):
        left, right = segment.split("-")
        names += [left, f"inner {segment}", right]
    return tuple(names)


@lru_cache(maxsize=4096)
def steps_to_spaces(order: tuple[int, ...], start: int, least: int) -> tuple[int, ...]:
    """Return the steps a viscount needs to each space if it has to make a least number of steps."""
    found = [UNREACHABLE] * (3 * len(order))
    here = {start}
    for steps in range(least + 3 * len(order) + 1):
        if steps >= least and steps:
            for space in here:
                found[space] = min(found[space], steps)
        here = {beyond for space in here for beyond in next_spaces(order, space)}
    return tuple(found)


def next_spaces(order: tuple[int, ...], space: int) -> tuple[int, ...]:
    """Return the spaces to which the arrows lead."""
    segment, where = divmod(space, 3)
    beyond = order[(order.index(segment) + 1) % len(order)]
    if where == LEFT:
        return space_of(segment, RIGHT), space_of(segment, INNER)
    if where == INNER:
        return space_of(segment, RIGHT), space_of(beyond, INNER)
    return (space_of(beyond, LEFT),)


@cache
def sides(box: Box, players: int) -> tuple[Side, ...]:
    """Return the side of each segment that lies up with this number of players."""
    return tuple(segment.four if players <= box.few_players else segment.five for segment in box.segments.values())


@cache
def plots_in_reach(box: Box, players: int, space: int) -> tuple[int, ...]:
    """Return the plots on the viscount's side of the river; none from the inner path."""
    segment, where = divmod(space, 3)
    side = sides(box, players)[segment]
    if where == INNER:
        return ()
    return tuple(range(side.left)) if where == LEFT else tuple(range(side.left, len(side.plots)))


@lru_cache(maxsize=4096)
def links(
    box: Box, players: int, order: tuple[int, ...], segment: int, plot: int
) -> tuple[tuple[int, int, Effect], ...]:
    """Return the plots to which a plot is linked, and what each link brings, clockwise."""
    board, place = sides(box, players), order.index(segment)
    before, after = order[place - 1], order[(place + 1) % len(order)]
    last = len(board[segment].plots) - 1
    earlier = (segment, plot - 1) if plot else (before, len(board[before].plots) - 1)
    later = (segment, plot + 1) if plot < last else (after, 0)
    both = ((*earlier, board[earlier[0]].links[earlier[1]]), (*later, board[segment].links[plot]))
    return tuple(link for link in both if link[2] != Effect())


AMOUNTS = {"flip_debt": "payment", "flip_deed": "approval", "move": "castlemove"}
"""Names of amounts have no underscores."""


def section_word(section: int) -> str:
    return f"section {section + 1}"


def card_word(number: int) -> str:
    return f"player card {number}"


@cache
def effect_word(effect: Effect) -> str:
    """Return an effect as an amount of the catalogue: what it brings, and what has to be done."""
    parts = []
    for name, value in msgspec.structs.asdict(effect).items():
        if name == "build" and value:
            parts.append(f"{value.replace('_', '')}1")
        elif name != "either" and value:
            parts.append(f"{AMOUNTS.get(name, name)}{int(value)}")
    return "_".join(parts) or "nothing"


@cache
def reward_word(effect: Effect) -> str:
    """Return an effect in one word; of alternatives all of them."""
    return " or ".join(effect_words(effect))


def symbols_word(symbols: SymbolCounts) -> str:
    """Return symbols as an amount of the catalogue."""
    return "_".join(f"{name}{number}" for name, number in zip(SYMBOLS, symbols, strict=True) if number) or "nothing"


@cache
def effect_words(effect: Effect) -> tuple[str, ...]:
    """Return an effect in words; of alternatives all of them."""
    return tuple(map(effect_word, effect.either)) if effect.either else (effect_word(effect),)
