"""A move's facts in the catalogue's words: seats by colour, cities and councils by name."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.kernel.rules import Fact

from .box import COUNCILS, REGIONS, bonus_label, place_name
from .moves import HERE, UNSEEN, Move
from .rulebook.emporiums import KINGS_REWARD
from .state import State, unused_colours


def facts(state: State, move: Move) -> dict[str, Fact]:
    return {
        name: _word(state, move, name, value) for name, value in msgspec.structs.asdict(move).items() if name != "off"
    }


def _word(state: State, move: Move, name: str, value: Any) -> Fact:
    match name:
        case "seat":
            return state.colour(value)
        case "city":
            return state.city_name(value)
        case "king":
            return state.city_name(getattr(move, "city", HERE) if value == HERE else value)
        case "council":
            return COUNCILS[value] if 0 <= value < len(COUNCILS) else str(value)
        case "region":
            return REGIONS[value] if 0 <= value < len(REGIONS) else str(value)
        case "place" if hasattr(move, "council"):
            return int(value) + 1
        case "place":
            return place_name(value)
        case "tile":
            return value if value == KINGS_REWARD else bonus_label(value)
        case "cards":
            return _cards(value)
        case "unused":
            colours = unused_colours(state.box, state.seats)
            return colours[value] if 0 <= value < len(colours) else str(value)
        case "turned" | "unseen":
            return "yes" if value else "no"
        case _:
            fact: Fact = value
            return fact


def _cards(cards: tuple[str, ...]) -> tuple[str, ...]:
    """Cards that nobody saw are told together, by their number."""
    unseen = cards.count(UNSEEN)
    seen = tuple(card for card in cards if card != UNSEEN)
    return seen if not unseen else (*seen, UNSEEN if unseen == 1 else f"{UNSEEN}{unseen}")
