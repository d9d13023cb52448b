"""What hands do to the table of Tiletum in each move, allowed or not."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.games.tiletum import GAME
from companion.games.tiletum.moves import LayOut, Move
from companion.games.tiletum.state import State
from companion.games.tiletum.view import view
from companion.messages import View
from companion.simulation.pieces import Impossible, changed_zones


def done(lying: View, state: State, move: Move, _world: Any) -> View:
    """The table after a move that starts from `state` while the table lies so. Raises `Impossible`."""
    if GAME.setting_up(state):
        return lying  # all of it lies there from the beginning
    after = GAME.play(state, move) if not GAME.check(state, move) else GAME.pretend(state, move)
    if after is None:
        raise Impossible(f"No hand can do {move}.")
    before, then = view(state), view(after)
    return View({**lying.zones, **{zone: then.zones[zone] for zone in changed_zones(before, then)}})


def laid(state: State, world: Any, _rng: Random) -> View:
    """The whole table of a state that has just been set up, with all that chance laid out."""
    state = GAME.play(state, LayOut())
    while GAME.setting_up(state):
        state = GAME.play(state, world.chance(state))
    return view(state)
