"""Hands at a table where everything that lies there is in the View: a move changes just the zones that it should."""

from __future__ import annotations

from typing import Any

from companion.kernel.messages import View
from companion.kernel.pieces import Impossible, changed_zones
from companion.kernel.rules import Game


def done(game: Game[Any, Any], lying: View, state: Any, move: Any) -> View:
    """The table after a move that starts from `state` while the table lies so. Raises `Impossible`."""
    if game.setting_up(state):
        return lying  # all of it lies there from the beginning
    after = game.play(state, move) if not game.check(state, move) else game.pretend(state, move)
    if after is None:
        raise Impossible(f"No hand can do {move}.")
    before, then = game.view(state), game.view(after)
    return View({**lying.zones, **{zone: then.zones[zone] for zone in changed_zones(before, then)}})


def laid(game: Game[Any, Any], state: Any, world: Any, lay_out: Any) -> View:
    """The whole table of a state that has just been set up, with all that chance laid out."""
    state = game.play(state, lay_out)
    while game.setting_up(state):
        state = game.play(state, world.chance(state))
    return game.view(state)
