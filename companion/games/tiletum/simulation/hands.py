"""What hands do to the table of Tiletum in each move, allowed or not."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.games.tiletum import GAME
from companion.games.tiletum.moves import LayOut, Move
from companion.games.tiletum.state import State
from companion.kernel import in_view
from companion.kernel.messages import View


def done(lying: View, state: State, move: Move, _world: Any) -> View:
    """The table after a move that starts from `state` while the table lies so. Raises `Impossible`."""
    return in_view.done(GAME, lying, state, move)


def laid(state: State, world: Any, _rng: Random) -> View:
    """The whole table of a state that has just been set up, with all that chance laid out."""
    return in_view.laid(GAME, state, world, LayOut())
