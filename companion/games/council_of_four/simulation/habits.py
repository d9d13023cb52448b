"""How hands carry out the moves of The Council of Four, and the habits of people: pace, signals, takebacks.

Who decides on a move is in `world`; forbidden moves are in `mistakes`.
"""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any, Final

from companion.games.council_of_four import GAME, moves
from companion.games.council_of_four.box import COUNCILS, PERMIT_PLACES, letters
from companion.games.council_of_four.moves import Move
from companion.games.council_of_four.referee.view import permit_label, view
from companion.games.council_of_four.state import State, permit_cities, unused_colours
from companion.kernel.messages import Signal
from companion.kernel.simulation import Habit, Impossible
from companion.kernel.views import Cells, Pieces, View, changed_zones


def done(lying: View, state: State, move: Move, _world: Any) -> View:
    """Return the table after a move made in `state` on the table as it lies; raises `Impossible`."""
    if state.phase != "turn":
        return lying  # everything that chance lays out is on the table from the start
    after = GAME.play(state, move) if not GAME.check(state, move) else GAME.play_unchecked(state, move)
    if after is None:
        raise Impossible(f"No hand can do {move}.")
    before, then = view(state), view(after)
    return View({**lying.zones, **{zone: then.zones[zone] for zone in changed_zones(before, then)}})


def laid(state: State, world: Any, _rng: Random) -> View:
    """Return the whole table after the set-up, with everything that chance lays out."""
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
        {place: permit_label(permit) for place, permit in zip(PERMIT_PLACES, world.opened(state), strict=True)}
    )
    for permit in world.neutral if state.players == 2 else ():
        neutral = unused_colours(state.box, state.seats)[world.unused]
        for city in permit_cities(state, permit):
            zone = f"city {names[city]}"
            figures = table[zone]
            assert isinstance(figures, Pieces)
            table[zone] = Pieces({**figures.count, neutral: 1})
    return View(table)


MADE_ALONE: Final = 0.8
"""How often a plain move is made alone."""

HABITS: Final[Mapping[type[Any], Habit]] = {
    moves.LayOut: Habit("silent"),
    moves.PutToken: Habit("shown"),
    moves.PutCouncillor: Habit("shown"),
    moves.TurnUp: Habit(),
    moves.DrawNeutral: Habit("shown"),
    moves.Elect: Habit(back=True),
    moves.BuyPermit: Habit(),
    moves.BuildWithKing: Habit(),
    moves.Build: Habit(),
    moves.Hire: Habit(back=True),
    moves.Swap: Habit(),
    moves.Send: Habit(back=True),
    moves.BuyAction: Habit(back=True),
    moves.CopyToken: Habit(),
    moves.TakeFree: Habit(),
    moves.CopyPermit: Habit(),
    moves.Decline: Habit("silent"),
    moves.TakeBonus: Habit(),
    moves.Sweep: Habit("alone"),
    moves.EndTurn: Habit("silent"),
}

PIECES_OF_ZONE: Final[Mapping[str, str]] = {
    "council": "councillors",
    "pool": "councillors",
    "city": "emporiums",
    "stock": "emporiums",
    "permits": "permits",
    "bonuses": "honours",
    "reward": "honours",
    "honours": "honours",
    "gold": "markers",
    "nobility": "markers",
    "points": "markers",
    "supply": "assistants",
    "assistants": "assistants",
}


def habit(move: Move) -> Habit:
    """Return the habit for a kind of move."""
    return HABITS[type(move)]


def in_one_go(state: State, _move: Move, rng: Random) -> int:
    """Draw how many moves people make from here before the table lies still."""
    if state.phase == "laying_out":
        return len(state.offers)  # everything is laid out before people sit down, the open permits last
    if state.phase == "turn" and rng.random() >= MADE_ALONE:
        return rng.choice((2, 2, 3))
    return 1


def signal(state: State, move: Move) -> Signal | None:
    """Return the press that goes with a move."""
    if isinstance(move, moves.EndTurn):
        return Signal("press", f"seat {state.colour(move.seat)}", 0.0, seat=move.seat)
    return None


def sort_of(zone: str) -> str:
    """Return the sort of piece that a zone holds."""
    return PIECES_OF_ZONE.get(zone.split()[0], zone)
