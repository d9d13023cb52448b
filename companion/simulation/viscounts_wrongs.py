"""Every kind of forbidden act that a camera can see on the table of Viscounts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from companion.games.viscounts import GAME, moves
from companion.games.viscounts.box import BUILDINGS, RESOURCES, SLOTS
from companion.games.viscounts.moves import Move
from companion.games.viscounts.state import NOBODY, State, acting, turning_up
from companion.messages import UNKNOWN, Cells, View, differences
from companion.simulation.legal_ways import LegalWays
from companion.simulation.pieces import Impossible, same_table
from companion.simulation.viscounts_hands import done
from companion.simulation.viscounts_manners import manner
from companion.simulation.worlds import Wrong

TRIES: Final = 6
"""How many acts of a kind are tried for one that a camera can tell."""


class Kind(NamedTuple):
    """Acts of one kind: how to make them, and which rules one of them must break at least."""

    make: Callable[[State, Random], Iterator[Move]]
    breaks: tuple[str, ...]


def _legal(state: State, kind: type[Any], rng: Random) -> list[Any]:
    """Legal moves of a kind, in any order."""
    found = [move for move in GAME.moves(state) if isinstance(move, kind)]
    return rng.sample(found, min(len(found), TRIES))


def _too_far(state: State, rng: Random) -> Iterator[Move]:
    if state.phase == "moving" and not state.due:
        spaces = range(3 * len(state.order))
        yield from (moves.Travel(state.turn, space) for space in rng.sample(spaces, len(spaces)))


def _across_the_river(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, moves.Build, rng):
        plots = range(len(state.plots[move.segment]))
        yield from (replace(move, plot=plot) for plot in rng.sample(plots, len(plots)))


def _not_paid_for(state: State, rng: Random) -> Iterator[Move]:
    """A building for less stone than it costs."""
    for move in _legal(state, moves.Build, rng):
        yield replace(move, pays=moves.FREE)


def _workers_elsewhere(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, moves.Employ, rng):
        yield replace(move, section=(move.section + rng.randrange(1, 5)) % len(state.order))


def _hired_elsewhere(state: State, rng: Random) -> Iterator[Move]:
    if state.phase == "hiring" and not state.due:
        segments = range(len(state.order))
        yield from (moves.Hire(state.turn, segment) for segment in rng.sample(segments, len(segments)))


def _copied_elsewhere(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, moves.Copy, rng):
        yield replace(move, segment=(move.segment + rng.randrange(1, 5)) % len(state.order))


def _resource_for_nothing(state: State, rng: Random) -> Iterator[Move]:
    yield moves.TakeGood(acting(state), rng.choice(RESOURCES))


def _flipped_for_nothing(state: State, rng: Random) -> Iterator[Move]:
    for paper in rng.sample(("debt", "deed"), 2):
        yield moves.Flip(acting(state), paper)  # type: ignore[arg-type]


def _building_out_of_turn(state: State, rng: Random) -> Iterator[Move]:
    seat = (acting(state) + 1) % state.players
    free = [
        (segment, plot) for segment, plots in enumerate(state.plots) for plot, one in enumerate(plots) if one == NOBODY
    ]
    for segment, plot in rng.sample(free, min(len(free), TRIES)):
        yield moves.Build(seat, rng.randrange(len(BUILDINGS)), rng.randrange(SLOTS), segment, plot)


def _silver_kept(state: State, rng: Random) -> Iterator[Move]:
    for move in _legal(state, moves.Hire, rng) if not state.due else ():
        yield replace(move, off=(0, 0, 0, 1, 0, 0, 0, 0))


KINDS: Final[dict[str, Kind]] = {
    "viscount too far": Kind(_too_far, ("move.silver",)),
    "across the river": Kind(_across_the_river, ("build.river",)),
    "building not paid for": Kind(_not_paid_for, ("action.pay",)),
    "workers elsewhere": Kind(_workers_elsewhere, ("workers.beside",)),
    "hired elsewhere": Kind(_hired_elsewhere, ("hire.beside",)),
    "copied elsewhere": Kind(_copied_elsewhere, ("script.beside",)),
    "resource for nothing": Kind(_resource_for_nothing, ("effect.nothing", "effect.due")),
    "flipped for nothing": Kind(_flipped_for_nothing, ("effect.nothing", "effect.due")),
    "building out of turn": Kind(_building_out_of_turn, ("turn.order",)),
    "silver kept": Kind(_silver_kept, ("effect.exact",)),
}


def wrongs(state: State, rng: Random, lying: View | None = None, world: Any = None) -> Iterator[Wrong]:
    """Every kind of wrong act that this state allows and a camera can tell, once, in any order."""
    if state.phase in ("laying_out", "lots", "draft", "rival", "over") or turning_up(state):
        return
    table, should = lying or GAME.view(state), GAME.view(state)
    ways = LegalWays(GAME, manner, lambda before, at, move: done(before, at, move, world), state, table)
    for name in rng.sample(list(KINDS), len(KINDS)):
        found = _of_kind(name, state, rng, table, should, ways)
        yield from (_uncovered(wrong, world) for wrong in islice(found, 1))


def _uncovered(wrong: Wrong, world: Any) -> Wrong:
    """What lay under a card that was taken lies open now."""
    if world is None:
        return wrong
    tops = {"townsfolk": world.under_townsfolk(), "manuscripts": world.under_manuscripts()}
    zones = dict(wrong.view.zones)
    for zone, under in tops.items():
        contents = zones[zone]
        if isinstance(contents, Cells) and UNKNOWN in contents.at.values():
            names = {cell: under.get(cell) if label == UNKNOWN else label for cell, label in contents.at.items()}
            zones[zone] = Cells(names)
    return replace(wrong, view=View(zones))


def _of_kind(name: str, state: State, rng: Random, table: View, should: View, ways: LegalWays) -> Iterator[Wrong]:
    kind = KINDS[name]
    for move in islice(kind.make(state, rng), TRIES):
        rules = frozenset(breach.rule for breach in GAME.check(state, move))
        if rules.isdisjoint(kind.breaks):
            continue
        try:
            view = done(table, state, move, None)
        except Impossible:
            continue
        if not same_table(view, table) and differences(view, should) and not ways.lead_to(view):
            yield Wrong(name, move, rules, view)
