"""Whole random games for the property tests: legal moves only, more often those that finish buildings."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from companion.games.tiletum import GAME, moves
from companion.games.tiletum.moves import Move
from companion.games.tiletum.state import State
from companion.kernel.rules import Seat

from ..samples import all_states, by_liking

LIKED: dict[type[Any], int] = {
    moves.EndTurn: 1,
    moves.Lodge: 20,
    moves.TakeGuest: 8,
    moves.PlaceCrest: 20,
    moves.PutHouse: 20,
    moves.PutPillar: 20,
    moves.Fulfil: 20,
    moves.TakeTile: 8,
}
"""How likely a kind of move is, against 3 for all others."""
EDITIONS: tuple[dict[str, Any], ...] = (
    {},
    {"corruption.markers": [2, 2, 2, 2, 2, 2], "buildings.floors": [[1, 2], [1, 2], [1, 2], [1], [1], [1]]},
    {
        "offers.contracts": [1, 1, 1, 1, 1],
        "crown.lowest": -8,
        "crown.points": [-9] * 4 + [-5] * 4 + [0] * 16,
        "wheel.start": 3,
    },
)
"""The box as shipped, and as somebody may have corrected it."""


def opened_by_chance(dice: Random) -> State:
    players = dice.randint(2, 4)
    options: dict[str, Any] = {
        "first": dice.randrange(players),
        "favours": dice.choice(("one", "three")),
        "section_tile": dice.choice(("any_time", "before_action")),
        "joker_marker": dice.choice(("joker_only", "chosen_too")),
        "fair_crown": dice.choice(("before_reset", "after_reset")),
        "fair_buildings": dice.choice(("full", "with_crest")),
        **{
            name: dice.random() < 0.5
            for name in (
                "leave_tile",
                "marker_at_once",
                "swap_same",
                "crown_limit",
                "seventh_contract",
                "below_zero",
                "corruption_first",
            )
        },
    }
    box = GAME.load_box(dice.choice(EDITIONS))
    return GAME.setup(box, tuple(Seat(colour) for colour in box.colours[:players]), options)


def playing(seed: int) -> Iterator[tuple[State, Move, State]]:
    dice = Random(f"tiletum/{seed}")
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
