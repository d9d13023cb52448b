"""The raid under way, for the tests of phases 1 to 3: tiles aside, the sand running, the last tile down."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.moves import (
    MIDDLE,
    LayOut,
    Mix,
    Move,
    Ready,
    SetAside,
    Spin,
    StartRaid,
    Stop,
    TurnUp,
)
from companion.games.tumult_royale.state import State
from companion.kernel.catalogue import Language, Speaker

from .table import BLUE, after_raid, dealt, landscaped, opened, played, table


def all_aside(state: State) -> State:
    """Every seat has set its three tiles aside."""
    return played(state, *(SetAside(seat) for seat in range(state.players)))


def all_ready(state: State) -> State:
    return played(all_aside(state), *(Ready(seat) for seat in range(state.players)))


def raiding(players: int = 4, ranks: Sequence[int] | None = None, demand: int | None = 3, **options: Any) -> State:
    """Round 1, the sand is running; the disc showed `demand`, or was not spun when that is None."""
    state = table(players, ranks, **options)
    if demand and not state.options.gamblers:
        state = GAME.play(state, Spin(state.king, (demand,)))
    return GAME.play(all_ready(state), StartRaid(state.king))


def one_tile_down(
    state: State,
    castles: Mapping[int, Sequence[str]],
    middle: Sequence[str] = (),
    demand: int = 3,
    **facts: Any,
) -> State:
    """After the stop all tiles lie face up as given, but for one in the middle."""
    return replace(
        state,
        phase="turning_up",
        demand=(0, 0, 0) if state.options.gamblers else (demand, demand, demand),
        hidden_middle=1,
        middle=tuple(sorted(middle)),
        castles=tuple(tuple(sorted(castles.get(seat, ()))) for seat in range(state.players)),
        **facts,
    )


def at(phase: str) -> State:
    """A table of two players in this phase; blue is king, and at the stop blue holds a tile."""
    match phase:
        case "laying_out":
            return opened(2)
        case "cards":
            return GAME.play(opened(2), LayOut())
        case "boards":
            return dealt(2)
        case "first_statues":
            return landscaped(2)
        case "mood":
            return table(2)
        case "raid":
            return raiding(2)
        case "stopped":
            return GAME.play(raiding(2), Stop((BLUE,)))
        case "turning_up":
            return GAME.play(raiding(2), Stop())
        case "gambling":
            return GAME.play(one_tile_down(raiding(2, gamblers=True), {}), TurnUp(MIDDLE, "bread1"))
        case "tumults":
            return after_raid(table(2), {})
        case _:
            return replace(table(2), phase=phase)


def next_round(state: State) -> State:
    """The same table when the tiles are mixed for the next round, whatever happened in between."""
    return GAME.play(replace(state, phase="mixing"), Mix())


def reasons(state: State, move: Move, language: Language) -> list[str]:
    """The sentences about a move that is not allowed."""
    speaker = Speaker(GAME.catalogue, language)
    return [speaker.broken(breach) for breach in GAME.check(state, move)]
