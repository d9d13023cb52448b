"""What a simulated table is, and which games have one. The world of a game is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from random import Random
from typing import Any, Literal, Protocol

BotName = Literal["random", "keen"]
BOTS: tuple[BotName, ...] = ("random", "keen")


class World(Protocol):
    """The hidden truth of one game, and the people at its table."""

    def next_move(self, state: Any, moves: Sequence[Any]) -> Any:
        """What happens next: chance as the hidden truth has it, or a bot's choice among the legal moves."""

    def follow(self, before: Any, move: Any) -> None:
        """Carry the hidden truth along with a move that was played."""


class Simulation(Protocol):
    """One game's way to make worlds."""

    def options(self, rng: Random) -> Mapping[str, Any]:
        """Variants and house rules for one game, so that many games try them all."""

    def world(self, state: Any, bot: BotName, rng: Random) -> World: ...


def of(game: str) -> Simulation:
    simulation: Simulation = import_module(f"companion.simulation.{game}")
    return simulation
