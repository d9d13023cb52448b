"""Cards, buildings and manuscripts of the box, and their names.

A box is compared by its digest, so asking again costs nothing; while it is checked for contradictions it has none yet,
and nothing here may be asked of it.
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
FAR: Final = 99
PRINTED: Final = "printed "
"""Before the name of a segment: what is printed where a pile has gone."""
Five = tuple[int, int, int, int, int]
"""A number of each symbol."""
NO_SYMBOLS: Final[Five] = (0, 0, 0, 0, 0)


@cache
def segment_names(box: Box) -> tuple[str, ...]:
    return tuple(box.segments)


@cache
def all_cards(box: Box) -> Mapping[str, Card]:
    """Every townsfolk card by name, with those printed on the board and the schemes of the solo game."""
    printed = {f"{PRINTED}{name}": segment.townsfolk for name, segment in box.segments.items()}
    schemes = {name: _as_card(scheme) for name, scheme in all_schemes(box).items()}
    return {**dict(box.cards()), **printed, **schemes}


@cache
def all_schemes(box: Box) -> Mapping[str, Scheme]:
    return {**box.solo.starting, **box.solo.future}


def _as_card(scheme: Scheme) -> Card:
    """A scheme lies on a board like a card, with nothing but its symbols."""
    return Card(0, 0, scheme.builder, scheme.noble, scheme.cleric, scheme.criminal)


@cache
def all_manuscripts(box: Box) -> Mapping[str, Manuscript]:
    printed = {f"{PRINTED}{name}": segment.manuscript for name, segment in box.segments.items()}
    return {**box.manuscripts, **printed}


def symbols_in(what: Any) -> Five:
    merchant, builder, noble, cleric, criminal = (int(getattr(what, name, 0)) for name in SYMBOLS)
    return merchant, builder, noble, cleric, criminal


@cache
def card_symbols(box: Box) -> Mapping[str, Five]:
    return {name: symbols_in(card) for name, card in all_cards(box).items()}


@lru_cache(maxsize=4096)
def row_symbols(box: Box, printed: tuple[Symbols, ...], row: tuple[str, ...], more: str) -> Five:
    """The symbols on the three places of a player board, and those of somebody who was dismissed."""
    known = card_symbols(box)
    parts = [known[card] if card else symbols_in(printed[place]) for place, card in enumerate(row)]
    if more:
        parts.append(known[more])
    return added(*parts)


def added(*parts: Five) -> Five:
    if not parts:
        return NO_SYMBOLS
    merchant, builder, noble, cleric, criminal = (sum(column) for column in zip(*parts, strict=True))
    return merchant, builder, noble, cleric, criminal


@cache
def slots(box: Box) -> tuple[Slot, ...]:
    """What the nine buildings of a player board uncover, from the left."""
    return tuple(slot for kind in BUILDINGS for slot in getattr(box.slots, kind))


@lru_cache(maxsize=1024)
def built_symbols(box: Box, built: int) -> Five:
    """The symbols of buildings that have left their place; a bit for each of the nine."""
    return added(*(symbols_in(slot) for number, slot in enumerate(slots(box)) if built >> number & 1))


@lru_cache(maxsize=1024)
def built_does(box: Box, built: int) -> frozenset[str]:
    """What else those buildings do."""
    return frozenset(slot.does for number, slot in enumerate(slots(box)) if built >> number & 1 and slot.does)


@lru_cache(maxsize=256)
def bonus_symbols(box: Box, ribbons: tuple[int, ...]) -> Five:
    return added(*(symbols_in(getattr(box.ribbons, RIBBONS[ribbon])) for ribbon in ribbons))


@lru_cache(maxsize=1024)
def effect_goods(effect: Effect) -> tuple[int, ...]:
    return tuple(getattr(effect, good) for good in GOODS)


# The opponent of the solo game


def rival_slot(number: int) -> int:
    """Guildhalls stand left of trading posts on the opponent's board."""
    building, slot = divmod(number, SLOTS)
    return (1, 0, 2)[building] * SLOTS + slot


@lru_cache(maxsize=1024)
def rival_symbols(box: Box, rival: Rival, built: int) -> Five:
    known = box.solo.boards[rival].slots
    return added(*(symbols_in(known[rival_slot(number)]) for number in range(len(known)) if built >> number & 1))


@lru_cache(maxsize=1024)
def rival_does(box: Box, rival: Rival, built: int) -> frozenset[str]:
    known = box.solo.boards[rival].slots
    return frozenset(known[rival_slot(number)].does for number in range(len(known)) if built >> number & 1)


# The board


def space_of(segment: int, where: int) -> int:
    return segment * 3 + where


def segment_of(space: int) -> int:
    return space // 3


@cache
def space_names(box: Box) -> tuple[str, ...]:
    """Outer spaces by their number, inner ones by their segment."""
    names: list[str] = []
    for segment in segment_names(box):
        left, right = segment.split("-")
        names += [left, f"inner {segment}", right]
    return tuple(names)


@lru_cache(maxsize=4096)
def ways(order: tuple[int, ...], start: int, least: int) -> tuple[int, ...]:
    """By how many steps a viscount comes to each space, if at least so many are to be made; the fewest that will do."""
    found = [FAR] * (3 * len(order))
    here = {start}
    for steps in range(least + 3 * len(order) + 1):
        if steps >= least and steps:
            for space in here:
                found[space] = min(found[space], steps)
        here = {beyond for space in here for beyond in steps_from(order, space)}
    return tuple(found)


def steps_from(order: tuple[int, ...], space: int) -> tuple[int, ...]:
    """Where the arrows lead."""
    segment, where = divmod(space, 3)
    beyond = order[(order.index(segment) + 1) % len(order)]
    if where == LEFT:
        return space_of(segment, RIGHT), space_of(segment, INNER)
    if where == INNER:
        return space_of(segment, RIGHT), space_of(beyond, INNER)
    return (space_of(beyond, LEFT),)


@cache
def sides(box: Box, players: int) -> tuple[Side, ...]:
    """The side of each segment that lies up with so many players."""
    return tuple(segment.four if players <= box.few_players else segment.five for segment in box.segments.values())


@cache
def reach(box: Box, players: int, space: int) -> tuple[int, ...]:
    """The plots on the viscount's side of the river; none from the inner path."""
    segment, where = divmod(space, 3)
    side = sides(box, players)[segment]
    if where == INNER:
        return ()
    return tuple(range(side.left)) if where == LEFT else tuple(range(side.left, len(side.plots)))


@lru_cache(maxsize=4096)
def links(
    box: Box, players: int, order: tuple[int, ...], segment: int, plot: int
) -> tuple[tuple[int, int, Effect], ...]:
    """The plots to which a plot is linked, and what each link brings, clockwise."""
    board, place = sides(box, players), order.index(segment)
    before, after = order[place - 1], order[(place + 1) % len(order)]
    last = len(board[segment].plots) - 1
    earlier = (segment, plot - 1) if plot else (before, len(board[before].plots) - 1)
    later = (segment, plot + 1) if plot < last else (after, 0)
    both = ((*earlier, board[earlier[0]].links[earlier[1]]), (*later, board[segment].links[plot]))
    return tuple(link for link in both if link[2] != Effect())


AMOUNTS = {"flip_debt": "payment", "flip_deed": "approval", "move": "castlemove"}
"""Amounts have names without underscores."""


def section_word(section: int) -> str:
    return f"section {section + 1}"


def card_word(number: int) -> str:
    return f"player card {number}"


@cache
def effect_word(effect: Effect) -> str:
    """An effect as an amount of the catalogue: what it brings, and what is to be done."""
    parts = []
    for name, value in msgspec.structs.asdict(effect).items():
        if name == "build" and value:
            parts.append(f"{value.replace('_', '')}1")
        elif name != "either" and value:
            parts.append(f"{AMOUNTS.get(name, name)}{int(value)}")
    return "_".join(parts) or "nothing"


@cache
def reward_word(effect: Effect) -> str:
    """The same in one word, and of either effect both."""
    return " or ".join(effect_words(effect))


def symbols_word(symbols: Five) -> str:
    """Symbols as an amount of the catalogue."""
    return "_".join(f"{name}{number}" for name, number in zip(SYMBOLS, symbols, strict=True) if number) or "nothing"


@cache
def effect_words(effect: Effect) -> tuple[str, ...]:
    """The same, and of either effect both."""
    return tuple(map(effect_word, effect.either)) if effect.either else (effect_word(effect),)
