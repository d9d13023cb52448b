"""A move's facts in the catalogue's words: seats by colour, fields and places by name."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.kernel.rules import Fact

from .moves import (
    MIDDLE,
    SOMEBODY,
    DealCard,
    Exchange,
    Look,
    Move,
    Rob,
    TurnUp,
)
from .rulebook.phase2_raid import place_facts
from .state import State


def facts(state: State, move: Move) -> dict[str, Fact]:
    told: dict[str, Fact] = {}
    for name, value in msgspec.structs.asdict(move).items():
        told[name] = _word(state, move, name, value)
    return {**told, **place_facts(state, move)} if isinstance(move, TurnUp) else told


def _word(state: State, move: Move, name: str, value: Any) -> Fact:
    match name:
        case "seat":
            return "somebody" if value == SOMEBODY else state.colour(value)
        case "field":
            return state.field_name(value)
        case "place":
            return state.place_name(value)
        case "source" if isinstance(move, Look | Rob):
            return "middle" if value == MIDDLE else state.colour(value)
        case "rank" if isinstance(move, DealCard | Exchange):
            return f"rank{value}"
        case "holding":
            return tuple(state.colour(seat) for seat in value)
        case "areas":
            return tuple(map(str, value))
        case _:
            fact: Fact = value
            return fact
