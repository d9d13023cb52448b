"""Words of the catalogue for what is counted: effects, sections, player cards."""

from __future__ import annotations

from functools import cache

import msgspec

from .box import SYMBOLS, Effect
from .components import Five

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
