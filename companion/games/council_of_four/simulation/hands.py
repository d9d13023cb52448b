"""What hands do to the table of The Council of Four in each move, allowed or not."""

from __future__ import annotations

from random import Random
from typing import Any

from companion.games.council_of_four import GAME
from companion.games.council_of_four.box import COUNCILS, PLACES, letters
from companion.games.council_of_four.moves import Move
from companion.games.council_of_four.referee.view import permit_label, view
from companion.games.council_of_four.state import State, permit_cities, unused_colours
from companion.kernel.messages import Cells, Pieces, View
from companion.kernel.pieces import Impossible, changed_zones


def done(lying: View, state: State, move: Move, _world: Any) -> View:
    """The table after a move that starts from `state` while the table lies so. Raises `Impossible`."""
    if state.phase != "turn":
        return lying  # all of it lies there from the beginning
    after = GAME.play(state, move) if not GAME.check(state, move) else GAME.pretend(state, move)
    if after is None:
        raise Impossible(f"No hand can do {move}.")
    before, then = view(state), view(after)
    return View({**lying.zones, **{zone: then.zones[zone] for zone in changed_zones(before, then)}})


def laid(state: State, world: Any, _rng: Random) -> View:
    """The whole table of a state that has just been set up, with all that chance laid out."""
    table = dict(view(state).zones)
    names = letters(state.box)
    purple = state.map.purple
    cities = [city for city in range(len(names)) if city != purple]
    table["tokens"] = Cells(
        {**dict.fromkeys(names), **{names[city]: token for city, token in zip(cities, world.tokens, strict=True)}}
    )
    for council, name in enumerate(COUNCILS):
        table[f"council {name}"] = Cells({str(n): c for n, c in enumerate(world.councils[council], start=1)})
    standing = [colour for council in world.councils for colour in council]
    each = state.box.councillors.each
    table["pool"] = Pieces(
        {c: each - standing.count(c) for c in state.box.councillors.colours if each > standing.count(c)}
    )
    table["permits"] = Cells(
        {place: permit_label(permit) for place, permit in zip(PLACES, world.opened(state), strict=True)}
    )
    for permit in world.neutral if state.players == 2 else ():
        neutral = unused_colours(state.box, state.seats)[world.unused]
        for city in permit_cities(state, permit):
            zone = f"city {names[city]}"
            there = table[zone]
            assert isinstance(there, Pieces)
            table[zone] = Pieces({**there.count, neutral: 1})
    return View(table)
