"""The games the companion knows, by name. A game is imported when it is asked for, not before."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from companion.kernel.game import Game

NAMES = ("tumult_royale", "council_of_four", "tiletum", "viscounts")


class UnknownGame(Exception):
    """An unknown game; the message lists those that exist."""


def load(name: str) -> Game[Any, Any]:
    if name not in NAMES:
        raise UnknownGame(f"There is no game called {name!r}; the companion knows {', '.join(NAMES)}.")
    game: Game[Any, Any] = import_module(f"companion.games.{name}").GAME
    return game
