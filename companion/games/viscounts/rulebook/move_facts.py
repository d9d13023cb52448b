"""The facts of a move in the catalogue's words: seats by colour, spaces by number, places counted from 1."""

from __future__ import annotations

from typing import Any

import msgspec

from companion.kernel.rules import Fact

from ..box import BUILDINGS, RIBBONS
from ..components import card_word, effect_words, section_word
from ..moves import Choose, Destroy, Discard, Move, OfferCard
from ..state import State
from .cards import source_word
from .effects import goods_word


def facts(state: State, move: Move) -> dict[str, Fact]:
    told = {name: _word(state, name, value) for name, value in msgspec.structs.asdict(move).items() if name != "off"}
    match move:
        case Choose():
            told["option"] = _option(state, move)
        case OfferCard():
            told["number"] = card_word(move.number)
        case Discard() | Destroy():
            told["source"] = source_word(state, move)
    return told


def _option(state: State, move: Choose) -> Fact:
    either = next((due.either for due in state.due[0] if due.either), ()) if state.due else ()
    return effect_words(either[move.option]) if 0 <= move.option < len(either) else str(move.option + 1)


def _word(state: State, name: str, value: Any) -> Fact:
    match name:
        case "seat" | "owner":
            return state.colour(value)
        case "segment":
            return state.segment_name(value)
        case "space":
            return state.space_name(value)
        case "section" | "to":
            return section_word(value)
        case "pays":
            return goods_word(value)
        case "building":
            return BUILDINGS[value] if 0 <= value < len(BUILDINGS) else "?"
        case "honour":
            return f"honours {(*RIBBONS, 'leader')[value]}" if 0 <= value <= len(RIBBONS) else "?"
        case "number" if type(value) is int:
            return value
        case "row":
            return tuple(card or "gap" for card in value)
        case "place" | "slot" | "plot" | "option":
            return int(value) + 1
        case _:
            fact: Fact = value
            return fact
