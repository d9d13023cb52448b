"""Whole random games for the property tests: legal moves only, more often those that are rare."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from companion.games.viscounts import GAME, moves
from companion.games.viscounts.box import RIVALS
from companion.games.viscounts.moves import Move
from companion.games.viscounts.state import State
from companion.kernel.rules import Seat

from ..samples import all_states, by_liking

LIKED: dict[type[Any], int] = {
    moves.Build: 6,
    moves.Copy: 6,
    moves.Employ: 8,
    moves.Destroy: 5,
    moves.Skip: 1,
    moves.Decline: 2,
}
"""How likely a kind of move is, against 3 for all others."""
EDITIONS: tuple[dict[str, Any], ...] = (
    {},
    {"few_players": 4, "segments.1-2.five.left": 2},
    {"townsfolk.strongman.hired": {"any": 1}},
)
"""The box as shipped, and as somebody may have corrected it."""


def opened_by_chance(dice: Random) -> State:
    players = dice.choice((1, 2, 3, 4))
    options: dict[str, Any] = {
        "first": dice.randrange(players),
        "gaps": dice.choice(("stay", "move")),
        "building_order": dice.choice(("any", "left_to_right")),
        "opponent": dice.choice(RIVALS),
        "difficulty": dice.randrange(4),
        **{
            name: dice.random() < 0.5
            for name in ("pass_action", "dismiss_by_ability", "shuffle_symbol", "bonus_symbols")
        },
    }
    box = GAME.load_box(dice.choice(EDITIONS))
    return GAME.setup(box, tuple(Seat(colour) for colour in box.colours[:players]), options)


def playing(seed: int) -> Iterator[tuple[State, Move, State]]:
    dice = Random(f"viscounts/{seed}")
    state = opened_by_chance(dice)
    while state.phase != "over":
        move = by_liking(GAME, dice, state, LIKED, 3)
        after = GAME.play(state, move)
        yield state, move, after
        state = after


@cache
def whole_game(seed: int) -> tuple[State, ...]:
    """All states of one game."""
    return all_states(playing(seed))
