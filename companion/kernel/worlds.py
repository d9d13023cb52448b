"""What a simulated table is, and which games have one. The world of a game is imported when it is asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from random import Random
from typing import Any, Literal, Protocol

import msgspec

from companion.kernel.messages import Signal, View

BotName = Literal["random", "keen"]
BOTS: tuple[BotName, ...] = ("random", "keen")


class World(Protocol):
    """The hidden truth of one game, and the people at its table."""

    def next_move(self, state: Any, moves: Sequence[Any]) -> Any:
        """What happens next: chance as the hidden truth has it, or a bot's choice among the legal moves."""

    def follow(self, before: Any, move: Any) -> None:
        """Carry the hidden truth along with a move that was played."""


class Manner(msgspec.Struct, frozen=True):
    """How people make one kind of move.

    `way` is plain (one after another, sometimes two at once), alone (the table lies still before and after), many (as
    many in one go as people like), rush (all at once while a timer runs), silent (no piece moves, so it shows only in
    what follows) or shown (no piece moves, for it lay there to be seen). `back` says that people can take it back,
    because nothing hidden came to light; `told`, that only a person's word tells it; `turns` are the dials it turns.
    """

    way: Literal["plain", "alone", "many", "rush", "silent", "shown"] = "plain"
    back: bool = False
    told: bool = False
    turns: tuple[str, ...] = ()


class Wrong(msgspec.Struct, frozen=True):
    """Something forbidden that a camera can see: what was done, the rules it breaks, and the table after it.

    `or_rules` are those that it breaks just as truly, where nobody can see whether the last moves were made."""

    kind: str
    move: Any
    rules: frozenset[str]
    view: View
    or_rules: tuple[frozenset[str], ...] = ()


class Simulation(Protocol):
    """One game's way to make worlds, and to let people act in them with their hands."""

    def options(self, rng: Random) -> Mapping[str, Any]:
        """Variants and house rules for one game, so that many games try them all."""

    def world(self, state: Any, bot: BotName, rng: Random) -> World: ...

    def laid(self, state: Any, world: Any, rng: Random) -> View:
        """The whole table at the start, with what lies there but is in no State."""

    def done(self, lying: View, state: Any, move: Any, world: Any) -> View:
        """The table after hands did a move, allowed or not. Raises `Impossible`."""

    def manner(self, move: Any) -> Manner: ...

    def in_one_go(self, state: Any, move: Any, rng: Random) -> int:
        """How many moves people make from here before the table lies still."""

    def signal(self, state: Any, move: Any) -> Signal | None:
        """The button or the timer that goes with a move."""

    def sort_of(self, zone: str) -> str:
        """Pieces of one sort are moved together: the zones between which they go have one name."""

    def wrongs(self, state: Any, rng: Random, lying: View | None = None, world: Any = None) -> Iterator[Wrong]:
        """Every kind of forbidden act that is possible here and that a camera can tell, once, in any order."""


def of(game: str) -> Simulation:
    simulation: Simulation = import_module(f"companion.games.{game}.simulation.world")
    return simulation
