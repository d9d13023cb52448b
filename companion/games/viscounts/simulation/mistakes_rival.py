"""Mistakes of people who move the pieces of the solo game's opponent: only the expected step is right."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from random import Random
from typing import Any, Final

from msgspec.structs import replace

from companion.games.viscounts import GAME, moves
from companion.games.viscounts.box import RESOURCES
from companion.games.viscounts.moves import Move
from companion.games.viscounts.rulebook.solo import CHOICE_RULES
from companion.games.viscounts.simulation.mistakes_acts import DIFFERENT, TRIES, Kind
from companion.games.viscounts.state import NO_SEAT, State, acting_seat


def _expected(state: State, kind: type[Any], rng: Random) -> list[Any]:
    """Return the expected moves of the opponent that are of a kind."""
    if state.rival == NO_SEAT or acting_seat(state) != state.rival:
        return []
    found = [move for move in GAME.moves(state) if isinstance(move, kind)]
    return rng.sample(found, min(len(found), TRIES))


def _walked_elsewhere(state: State, rng: Random) -> Iterator[Move]:
    for move in _expected(state, moves.Travel, rng):
        away = [space for space in range(3 * len(state.order)) if space != state.viscounts[move.seat]]
        yield from (replace(move, space=space) for space in rng.sample(away, TRIES))


def _built_elsewhere(state: State, rng: Random) -> Iterator[Move]:
    for move in _expected(state, moves.Build, rng):
        plots = range(len(state.plots[move.segment]))
        yield from (replace(move, plot=plot) for plot in rng.sample(plots, len(plots)))
        yield replace(move, slot=(move.slot + 1) % 3)
        yield replace(move, building=(move.building + 1) % 3)


def _other_workers(state: State, rng: Random) -> Iterator[Move]:
    for move in _expected(state, moves.Employ, rng):
        yield replace(move, number=move.number + rng.choice((-1, 1)))
        yield replace(move, section=(move.section + rng.randrange(1, 5)) % len(state.order))


def _other_climber(state: State, rng: Random) -> Iterator[Move]:
    for move in _expected(state, moves.Climb, rng):
        yield from (replace(move, section=section) for section in range(len(state.order)))
    for move in _expected(state, moves.Push, rng):
        yield from (replace(move, owner=owner) for owner in range(state.players))


def _copied_elsewhere(state: State, rng: Random) -> Iterator[Move]:
    for move in _expected(state, moves.Copy, rng):
        yield replace(move, segment=(move.segment + rng.randrange(1, 5)) % len(state.order))


def _not_paid(state: State, rng: Random) -> Iterator[Move]:
    for kind in (moves.Build, moves.Employ, moves.Copy):
        yield from (replace(move, pays=moves.FREE) for move in _expected(state, kind, rng) if any(move.pays))


def _flipped_the_other(state: State, rng: Random) -> Iterator[Move]:
    for move in _expected(state, moves.Flip, rng):
        yield replace(move, paper="deed" if move.paper == "debt" else "debt")


def _took_another(state: State, rng: Random) -> Iterator[Move]:
    for move in _expected(state, moves.TakeGood, rng):
        yield from (replace(move, good=good) for good in rng.sample(RESOURCES, len(RESOURCES)))


def _with_deviation(state: State, rng: Random) -> Iterator[Move]:
    """Yield the right step with a deviation."""
    for kind in (moves.Collide, moves.Dismiss, moves.Build, moves.Employ, moves.Copy, moves.Climb):
        yield from (replace(move, off=rng.choice(DIFFERENT)) for move in _expected(state, kind, rng))


def _step_left_out(state: State, rng: Random) -> Iterator[Move]:
    """Yield a move of the player, or another step of the opponent, before the expected step."""
    if state.rival == NO_SEAT or acting_seat(state) != state.rival:
        return
    yield moves.Slide(0)
    yield moves.Travel(state.rival, rng.randrange(3 * len(state.order)))
    yield moves.Dismiss(state.rival)


def _slid_unasked(state: State, _rng: Random) -> Iterator[Move]:
    """Yield the beginning of the opponent's turn before the player's turn is over."""
    if state.rival != NO_SEAT and acting_seat(state) != state.rival and any(state.rows[state.rival]):
        yield moves.Slide(state.rival)


RULES: Final = ("solo.expected", *CHOICE_RULES.values())


def _kind(make: Callable[[State, Random], Iterator[Move]], *more: str) -> Kind:
    return Kind(make, (*RULES, *more))


KINDS: Final[dict[str, Kind]] = {
    "opponent walked elsewhere": _kind(_walked_elsewhere),
    "opponent built elsewhere": _kind(_built_elsewhere),
    "opponent's other workers": _kind(_other_workers),
    "opponent's other climber": _kind(_other_climber),
    "opponent copied elsewhere": _kind(_copied_elsewhere),
    "opponent did not pay": _kind(_not_paid),
    "opponent flipped the other": _kind(_flipped_the_other),
    "opponent took another good": _kind(_took_another),
    "opponent got too much": _kind(_with_deviation, "effect.exact"),
    "opponent's step left out": _kind(_step_left_out, "turn.order"),
    "opponent began too early": _kind(_slid_unasked, "turn.order"),
}
