"""Vorbereitungsphase: dice are drawn from the bag, rolled, and sorted round the wheel."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import replace

from companion.kernel.rules import Breach, broken

from ..box import ACTIONS, PIPS
from ..moves import Move, PutDie
from ..state import (
    State,
    Story,
    dice_missing,
    in_bag,
    section_for,
    section_value,
)
from .gains import action_word
from .turns import begin_turn


def die_label(colour: str, value: int) -> str:
    return f"die {colour} {value}"


def die_word(colour: str) -> str:
    """A die by its colour, which may be a player's colour too."""
    return f"die {colour}"


@lru_cache(maxsize=256)
def _rolls(colours: tuple[str, ...], sections: tuple[int, ...]) -> tuple[Move, ...]:
    return tuple(
        PutDie(section, colour, value) for colour in colours for value, section in enumerate(sections, start=1)
    )


def roll_moves(state: State) -> Iterator[Move]:
    sections = tuple(section_for(state, value) for value in range(1, PIPS + 1))
    return iter(_rolls(in_bag(state), sections))


def check_put_die(state: State, move: PutDie) -> Iterator[Breach]:
    if move.colour not in state.box.dice.colours or not 1 <= move.value <= PIPS:
        yield broken("roll.bag", die=die_word(move.colour))
        return
    if move.colour not in in_bag(state):
        yield broken("roll.bag", die=die_word(move.colour))
    if not 0 <= move.section < len(ACTIONS) or section_value(state, move.section) != move.value:
        right = section_for(state, move.value)
        yield broken("roll.sorted", die=die_word(move.colour), value=move.value, section=action_word(right))


def put_die(state: State, move: PutDie, story: Story) -> State:
    die, section = die_word(move.colour), action_word(move.section)
    story.tell("roll.bag", die=die, value=move.value)
    story.tell("roll.sorted", die=die, value=move.value, section=section)
    wheel = tuple(sorted((*state.wheel, (move.section, move.colour, move.value))))
    state = replace(state, wheel=wheel)
    if dice_missing(state):
        return state
    story.tell("roll.dice", dice=len(wheel), players=state.players)
    return begin_turn(replace(state, phase="turn", lap=0), state.order[0], story)
