"""A table at which one person plays against the opponent of the solo game."""

from __future__ import annotations

from typing import Any

from companion.games.viscounts import GAME
from companion.games.viscounts.moves import (
    DrawUp,
    Slide,
    TakePair,
    TurnScheme,
)
from companion.games.viscounts.state import EMPTY, State
from companion.kernel.rules import Seat

from .table import (
    BOX,
    RED,
    changed,
    lots,
    played,
    replace,
    with_row,
)

RIVAL = 1


def drafting(**options: Any) -> State:
    """Everything is laid out for one, who is to choose a pair: card 1 with Ada, or card 2 with Bertha."""
    state = GAME.play(GAME.setup(BOX, (Seat("red"),), options), GAME_LAY_OUT)
    return played(state, *lots(1))


GAME_LAY_OUT = next(iter(GAME.moves(GAME.setup(BOX, (Seat("red"),), {}))))


def alone(**options: Any) -> State:
    """The first turn of the one who plays; the opponent has begun on space 2."""
    state = GAME.play(drafting(**options), TakePair(RED, 0))
    while state.phase == "draft":
        state = GAME.play(state, next(iter(GAME.moves(state))))
    return state


def rivals_turn(scheme: str = "", row: tuple[str, str, str] = (EMPTY, EMPTY, EMPTY), **options: Any) -> State:
    """The opponent is to turn up a scheme, or has done so."""
    state = with_row(alone(**options), "abbot", "squire", "labourer")
    state = replace(
        state, rows=changed(state.rows, RIVAL, row), schemes=tuple(s for s in state.schemes if s not in row)
    )
    state = GAME.play(replace(state, phase="hiring"), DrawUp(RED))
    if any(row):
        state = GAME.play(state, Slide(RIVAL))
    return GAME.play(state, TurnScheme(scheme)) if scheme else state
