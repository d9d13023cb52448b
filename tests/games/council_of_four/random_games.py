"""Whole random games for the property tests: legal moves only, more often those that bring a game forward."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Any

from msgspec.structs import replace

from companion.games.council_of_four import GAME
from companion.games.council_of_four.moves import Build, BuildWithKing, BuyPermit, EndTurn, Move, Sweep
from companion.games.council_of_four.state import State
from companion.kernel.rules import Seat

from ..samples import all_states, by_liking

LIKED: dict[type[Any], int] = {Build: 30, BuildWithKing: 8, BuyPermit: 12, EndTurn: 4, Sweep: 1}
"""How likely a kind of move is, against 2 for all others."""
LONGEST = 3000
OTHER_PIECES: tuple[dict[str, Any], ...] = (
    {"form": "permit coast", "answers": {"city": ["A", "C"], "gold": 2, "cards": 1}},
    {"form": "permit coast", "answers": {"city": ["B", "C", "E"], "nobility": 1}},
    {"form": "permit mountains", "answers": {"city": ["K", "O"], "main": 1}},  # the box has OK, with another bonus
    {"form": "token", "answers": {"gold": 4, "cards": 2}},
    {"form": "token", "answers": {"gold": 2}},  # the box has one; here there are two
)
"""What people described who have another edition."""
EDITIONS: tuple[dict[str, Any], ...] = ({}, {"politics.jokers": 12}, {"learned": OTHER_PIECES})


def opened_by_chance(dice: Random) -> State:
    players = dice.randint(2, 4)
    options: dict[str, Any] = {
        "first": dice.randrange(players),
        **{region: dice.choice("AB") for region in ("coast", "hills", "mountains")},
        **{name: dice.random() < 0.5 for name in ("late_reward", "copy_new_permit", "used_permits")},
        "free_permit": dice.choice(("before_refill", "after_refill")),
        "last_emporium": dice.choice(("each", "first")),
        "permit_tie": dice.choice(("all", "nobody")),
        "complete_tie": ("shared", "later")[players % 2],
    }
    box = GAME.load_box(dice.choice(EDITIONS))
    return GAME.setup(box, tuple(Seat(colour) for colour in box.colours[:players]), options)


def ahead(dice: Random, state: State) -> State:
    """Everybody is somewhere on the nobility track already, so that its last fields are met as often as its first."""
    return replace(state, nobility=tuple(dice.randint(0, 18) for _ in state.seats))


def playing(seed: int) -> Iterator[tuple[State, Move, State]]:
    dice = Random(f"council/{seed}")
    state = opened_by_chance(dice)
    for _ in range(LONGEST):
        if state.phase == "over":
            return
        move = by_liking(GAME, dice, state, LIKED, 2)
        after = GAME.play(state, move)
        yield state, move, after
        begins = (state.phase, after.phase) == ("lots", "turn")
        state = ahead(dice, after) if begins and seed % 2 else after
    raise AssertionError(f"game {seed} does not end")


@cache
def whole_game(seed: int) -> tuple[State, ...]:
    """All states of one game."""
    return all_states(playing(seed))
