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
from companion.kernel.simulation import Impossible, LegalWays, Mistake
from companion.kernel.views import UNKNOWN, Cells, View, differences, same_table

KINDS: Final[dict[str, Kind]] = mistakes_acts.KINDS | mistakes_rival.KINDS
LONGEST: Final = 3
"""Maximum number of legal moves that may make a payment good."""
MOST_POSITIONS: Final = 60
"""Maximum number of positions in which to look for such moves."""
MOST_FAULTS: Final = 3
"""Maximum number of rules that one mistake breaks."""


def mistakes(state: State, rng: Random, lying: View | None = None, world: Any = None) -> Iterator[Mistake]:
    """Yield every kind of mistake that is possible in this state and visible to a camera, once, in random order."""
    if state.phase in ("laying_out", "lots", "over") or pile_top_unknown(state):
        return
    table, should = lying or GAME.view(state), GAME.view(state)
    ways = LegalWays(GAME, habit, lambda before, at, move: done(before, at, move, world), state, table)
    before = () if world is None else world.recent()
    for name in rng.sample(list(KINDS), len(KINDS)):
        found = _of_kind(name, state, rng, table, should, ways, before)
        yield from (_uncovered(wrong, world) for wrong in islice(found, 1))


def _uncovered(wrong: Mistake, world: Any) -> Mistake:
    """Return the mistake with the cards that lay under the taken ones."""
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
        # The act may have been legal a few moves ago, and it cannot be seen when it was done.
        late = isinstance(move, Discard | Rearrange) and any(not GAME.check(one, move) for one in before)
        if shows and not late and not ways.lead_to(view) and not _is_made_good(state, move, view):
            yield Mistake(name, move, rules, view, tuple(_before_what_leaves_no_trace(move, should, before)))


def _before_what_leaves_no_trace(move: Move, should: View, before: Sequence[State]) -> Iterator[frozenset[str]]:
    """Yield the rules broken by the move before each of the last moves that left no trace on the table.

    For example, a trade whose debt is still to be turned over cannot be told from no trade.
    """
    alike = takewhile(lambda one: GAME.view(one) == should, reversed(before))
    broken = (frozenset(breach.rule for breach in GAME.check(one, move)) for one in alike)
    yield from filter(None, broken)


def _bare(move: Any) -> Any:
    """Return a move without payment and deviation."""
    for name, nothing in (("off", EXACT), ("pays", FREE)):
        move = replace(move, **{name: nothing}) if hasattr(move, name) else move
    return move


def _is_made_good(state: State, move: Move, view: View) -> bool:
    """Whether the next legal moves give back what was not paid: then it cannot be told that it was not paid."""
    level = {GAME.play(state, one) for one in GAME.moves(state) if _bare(one) == _bare(move)}
    for _ in range(LONGEST):
        level = {GAME.play(one, move) for one in level for move in GAME.moves(one)}
        if any(not differences(view, GAME.view(one)) for one in level):
            return True
        if len(level) > MOST_POSITIONS:
            return False
    return False
