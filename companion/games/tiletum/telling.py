"""A move's facts in the catalogue's words: seats by colour, cities by name, places counted from 1."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.kernel.rules import Fact

from .moves import NO_BUILDING, Move, UseHelper
from .rulebook.fairs import fair_word
from .rulebook.figures import figure_word
from .rulebook.gains import action_word
from .rulebook.rolling import die_word
from .rulebook.setup import cost_word
from .state import State


def facts(state: State, move: Move) -> dict[str, Fact]:
    parts = msgspec.structs.asdict(move).items()
    found = {name: _word(state, name, value) for name, value in parts if name not in ("off", "astray")}
    if isinstance(move, UseHelper) and move.building != NO_BUILDING:
        found["tile"] = (move.tile, f"building {move.building + 1}")
    return found


def _word(state: State, name: str, value: Any) -> Fact:
    match name:
        case "seat":
            return state.colour_of(value)
        case "city":
            return state.city_name(value)
        case "section":
            return action_word(value)
        case "figure":
            return figure_word(value)
        case "colour":
            return die_word(value)
        case "fair":
            return fair_word(value)
        case "cost":
            return cost_word(value)
        case "building" if value == NO_BUILDING:
            return "nothing"
        case "round" | "building":
            return int(value) + 1
        case "place" if isinstance(value, int):
            return value + 1
        case _:
            fact: Fact = value
            return fact
