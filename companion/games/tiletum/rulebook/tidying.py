"""Aufräumphase: dice go into the bag, corruption markers are mixed, the wheel is turned; missing tiles are replaced
before or after that."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from companion.kernel.rules import Breach

from ..moves import TidyUp
from ..state import HIDDEN, State, Story
from .setup import tiles_due


def check_tidy_up(_state: State, _move: TidyUp) -> Iterator[Breach]:
    return iter(())


def tidy_up(state: State, _move: TidyUp, story: Story) -> State:
    dice = len(state.wheel) + sum(map(len, state.dice))
    story.tell("tidy.dice", dice=dice)
    story.tell("tidy.corruption", markers=state.box.corruption.laid)
    story.tell("tidy.wheel")
    state = replace(
        state,
        wheel=(),
        dice=((),) * state.players,
        corruption=(HIDDEN,) * state.box.corruption.laid,
        turned=state.turned + 1,
        round=state.round + 1,
        phase="refilling",
    )
    return state if tiles_due(state) else replace(state, phase="rolling")
