"""Every kind of forbidden act that a camera can see on the table of Viscounts."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import islice, takewhile
from random import Random
from typing import Any, Final

from msgspec.structs import replace

from companion.games.viscounts import GAME
from companion.games.viscounts.moves import EXACT, FREE, Discard, Move, Rearrange
from companion.games.viscounts.simulation import mistakes_acts, mistakes_rival
from companion.games.viscounts.simulation.habits import done, habit
from companion.games.viscounts.simulation.mistakes_acts import TRIES, Kind
from companion.games.viscounts.state import State, pile_top_unknown
from companion.kernel.messages import UNKNOWN, Cells, View, differences
from companion.kernel.simulation import Impossible, LegalWays, Mistake, same_table

KINDS: Final[dict[str, Kind]] = mistakes_acts.KINDS | mistakes_rival.KINDS
LONGEST: Final = 3
MOST_POSITIONS: Final = 60
"""So far ahead, and into so many positions, one looks for what could have brought back what is missing."""
MOST_FAULTS: Final = 3
"""Nobody does more wrong at once."""


def mistakes(state: State, rng: Random, lying: View | None = None, world: Any = None) -> Iterator[Mistake]:
    """Every kind of wrong act that this state allows and a camera can tell, once, in any order."""
    if state.phase in ("laying_out", "lots", "over") or pile_top_unknown(state):
        return
    table, should = lying or GAME.view(state), GAME.view(state)
    ways = LegalWays(GAME, habit, lambda before, at, move: done(before, at, move, world), state, table)
    before = () if world is None else world.recent()
    for name in rng.sample(list(KINDS), len(KINDS)):
        found = _of_kind(name, state, rng, table, should, ways, before)
        yield from (_uncovered(wrong, world) for wrong in islice(found, 1))


def _uncovered(wrong: Mistake, world: Any) -> Mistake:
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


def _of_kind(
    name: str, state: State, rng: Random, table: View, should: View, ways: LegalWays, before: Sequence[State]
) -> Iterator[Mistake]:
    kind = KINDS[name]
    for move in islice(kind.make(state, rng), TRIES):
        breaches = GAME.check(state, move)
        rules = frozenset(breach.rule for breach in breaches)
        if rules.isdisjoint(kind.breaks) or len(breaches) > MOST_FAULTS:
            continue
        try:
            view = done(table, state, move, None)
        except Impossible:
            continue
        shows = not same_table(view, table) and differences(view, should)
        # Somebody who had left it alone may think better of it: nobody can say that it was not done then.
        late = isinstance(move, Discard | Rearrange) and any(not GAME.check(one, move) for one in before)
        if shows and not late and not ways.lead_to(view) and not _is_made_good(state, move, view):
            yield Mistake(name, move, rules, view, tuple(_before_what_leaves_no_trace(move, should, before)))


def _before_what_leaves_no_trace(move: Move, should: View, before: Sequence[State]) -> Iterator[frozenset[str]]:
    """The rules that it broke before each of the last moves, as far as these left no trace on the table.

    A trade whose debt is yet to be turned over may just as well not have been made, for all that anybody can see."""
    alike = takewhile(lambda one: GAME.view(one) == should, reversed(before))
    broken = (frozenset(breach.rule for breach in GAME.check(one, move)) for one in alike)
    yield from filter(None, broken)


def _bare(move: Any) -> Any:
    """A move without all that was paid or taken."""
    for name, nothing in (("off", EXACT), ("pays", FREE)):
        move = replace(move, **{name: nothing}) if hasattr(move, name) else move
    return move


def _is_made_good(state: State, move: Move, view: View) -> bool:
    """Whether the next legal moves bring back just what was not paid: then nobody can say that it was not."""
    level = {GAME.play(state, one) for one in GAME.moves(state) if _bare(one) == _bare(move)}
    for _ in range(LONGEST):
        level = {GAME.play(one, move) for one in level for move in GAME.moves(one)}
        if any(not differences(view, GAME.view(one)) for one in level):
            return True
        if len(level) > MOST_POSITIONS:
            return False
    return False
