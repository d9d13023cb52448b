"""A laid-out table for the tests: short ways to a state in the middle of a game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from companion.games.tumult_royale import GAME
from companion.games.tumult_royale.box import field_names
from companion.games.tumult_royale.moves import DealCard, FirstStatue, LayOut, Move, ShowBoard
from companion.games.tumult_royale.rulebook.phase3_tumults import begin_tumults
from companion.games.tumult_royale.state import UNNAMED, State
from companion.kernel.rules import RuleLog, Seat

from ..samples import Asked

BLUE, YELLOW, PURPLE, GREY = range(4)
BOX = GAME.load_box()


def opened(players: int = 4, **options: Any) -> State:
    """The state before anything was done."""
    return GAME.setup(BOX, tuple(Seat(colour) for colour in BOX.colours[:players]), options)


def dealt(players: int = 4, ranks: Sequence[int] | None = None, **options: Any) -> State:
    """Cards drawn (blue is king unless told otherwise); the boards are still to be named."""
    state = GAME.play(opened(players, **options), LayOut())
    wanted = list(ranks or range(1, players + 1))
    for step in range(players):
        seat = (state.options.oldest + step) % players
        state = GAME.play(state, DealCard(seat, wanted[seat]))
    return state


def landscaped(players: int = 4, ranks: Sequence[int] | None = None, **options: Any) -> State:
    """All face-up places show boards in the box's order, not turned; the first statues are next."""
    state = dealt(players, ranks, **options)
    names = iter(BOX.boards)
    while UNNAMED in state.boards:
        state = GAME.play(state, ShowBoard(state.boards.index(UNNAMED), next(names), 0))
    return state


def table(
    players: int = 4,
    ranks: Sequence[int] | None = None,
    first: Mapping[int, str] | None = None,
    **options: Any,
) -> State:
    """Round 1 is about to begin; `first` names the fields of the first statues (default: the first free meadows)."""
    state = landscaped(players, ranks, **options)
    while state.phase == "first_statues":
        seat = GAME.actor(state)
        assert isinstance(seat, int)
        moves = [move for move in GAME.moves(state) if isinstance(move, FirstStatue)]
        wanted = field(state, first[seat]) if first and seat in first else moves[0].field
        state = GAME.play(state, FirstStatue(seat, wanted))
    return state


def after_raid(
    state: State,
    castles: Mapping[int, Sequence[str]],
    middle: Sequence[str] = (),
    demand: int | tuple[int, int, int] = 2,
    **facts: Any,
) -> State:
    """All tiles lie face up as given, the disc showed `demand`; the tumults have been looked at."""
    numbers = (demand, demand, demand) if isinstance(demand, int) else demand
    hands = tuple(tuple(sorted(castles.get(seat, ()))) for seat in range(state.players))
    state = replace(
        state,
        phase="turning_up",
        demand=numbers,
        aside=(True,) * state.players,
        ready=(True,) * state.players,
        hidden_middle=0,
        hidden_castles=(0,) * state.players,
        middle=tuple(sorted(middle)),
        castles=hands,
        **facts,
    )
    return begin_tumults(state, RuleLog())


PLENTY = ("bread3", "bread3", "marble3", "marble3", "tool3", "tool3")
"""Enough in the middle for every demand: no tumult."""


def placing(state: State, castles: Mapping[int, Sequence[str]], **facts: Any) -> State:
    """The placing phase, with these tiles on the castles and no tumult."""
    return after_raid(state, castles, PLENTY, 2, **facts)


def field(state: State, name: str) -> int:
    return field_names(state.columns).index(name)


_asked = Asked(GAME)
played = _asked.played
broken_rules = _asked.broken_rules
breach = _asked.breach
told_rules = _asked.told_rules
note = _asked.note


def out_of_order(state: State, move: Move) -> tuple[Any, Any]:
    """What was done out of its phase, and the phase that comes first."""
    (found,) = GAME.check(state, move)
    assert found.rule == ("end.over" if state.phase == "over" else "round.phases"), found
    return found.facts["act"], found.facts.get("now", "over")
