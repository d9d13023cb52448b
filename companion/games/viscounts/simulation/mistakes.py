"""Every kind of forbidden act that a camera can see on the table of Viscounts."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice, takewhile
from random import Random
from typing import Any, Final

from msgspec.structs import replace

from companion.games.viscounts import GAME, moves
from companion.games.viscounts.box import RESOURCES
from companion.games.viscounts.moves import EXACT, FREE, Discard, Move, Rearrange
from companion.games.viscounts.rulebook.solo import CHOICE_RULES
from companion.games.viscounts.simulation import mistakes_acts
from companion.games.viscounts.simulation.habits import done, habit
from companion.games.viscounts.simulation.mistakes_acts import DIFFERENT, TRIES, Kind
from companion.games.viscounts.state import NO_SEAT, State, acting_seat, pile_top_unknown
from companion.kernel.simulation import Impossible, LegalWays, Mistake
from companion.kernel.views import UNKNOWN, Cells, View, differences, same_table

# With the pieces of the opponent in the solo game: only the expected step is right


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


RIVAL_KINDS: Final[dict[str, Kind]] = {
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


# All kinds

KINDS: Final[dict[str, Kind]] = mistakes_acts.KINDS | RIVAL_KINDS
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
