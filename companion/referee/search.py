"""The search for what happened: from a State and a View of the camera to a Finding.

It searches for the shortest legal sequence of moves after which the table looks as it was seen; places that were not
seen are no evidence. If there is none, people may have taken a move back, be in the middle of a move, or have made a
forbidden one. The same question always has the same answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any, Final, Generic, TypeVar

import msgspec

from companion.kernel.game import Game
from companion.kernel.rules import CHANCE, MOST_BREACHES, Actor
from companion.kernel.views import View, ViewComparison, dials, differences, mismatches, on_the_way
from companion.referee.findings import (
    Explained,
    Finding,
    Illegal,
    Lost,
    Open,
    Settled,
    Step,
    Takeback,
    Try,
    Unfinished,
)
from companion.referee.positions import (
    LAST_MOVES,
    Forbidden,
    Position,
    Searched,
    drawn,
    few_differ,
    leads_on,
    strange,
    unclear,
)
from companion.referee.repair import steps

MOST_UNSEEN: Final = 5
"""Maximum number of consecutive invisible moves (four players pass, and then one acts)."""
DETOUR: Final = 8
"""Maximum number of pieces by which a move may lead away from what was seen, if nothing else explains it: a follower
that was taken and then paid is missing in two zones."""
MOST_POSITIONS: Final = 400
"""Maximum number of positions without progress, so that the answer comes soon."""
MOST_TRIES: Final = 400
"""Maximum number of forbidden moves that are tried."""
MOST_COMPARED: Final = 3000
"""Maximum number of positions that one look is compared with, so that an unexplained table does not delay the game."""
JUST_BACK: Final = (1, 2, 3)
"""Numbers of positions that people may have gone back to make another move."""
LONG_BACK: Final = (5, 8, 13, 21, 34)
"""The same, only if nothing else explains the table: then an earlier position was misread."""
MISREAD: Final = 8
"""Maximum number of pieces in wrong places after an old misreading."""
FEW_POSITIONS: Final = 60
MOST_ILLEGAL_CANDIDATES: Final = 60
"""Maximum number of positions in which forbidden moves are tried."""
MOST_TWO: Final = 40
"""Maximum number of pairs of moves that are tried as both half done."""
NEAREST: Final = 3
"""Number of closest positions in which the next move may be half done."""

S = TypeVar("S", bound=msgspec.Struct)
M = TypeVar("M", bound=msgspec.Struct)


class Referee(Generic[S, M]):
    """Explains the table of one game."""

    def __init__(self, game: Game[S, M]) -> None:
        self._game = game

    def judge(self, state: S, seen: View, earlier: Sequence[S] = (), made: Sequence[M | None] = ()) -> Finding:
        """The finding for a View, from the current state and the positions before it, the latest last.

        `made` are the moves made in these positions, as far as they are known.
        """
        comparison = ViewComparison(seen)
        start = Position(state, (), comparison.mismatches(self._game.view(state)))
        if not start.mismatches:
            return Settled()
        found = self._search(start, comparison, MOST_POSITIONS)
        earlier = self._within_reach(state, earlier)
        back = self._back(comparison, earlier)
        if back is not None and found.ways and drawn(made[-back.back :]):
            back = None
        if back is not None:
            # A legal way back to the position before is the same as a takeback.
            found = found._replace(ways=[way for way in found.ways if way.state != earlier[-back.back]])
        options: list[Explained | Takeback] = self._explained(comparison, found)
        if back is not None:
            options.append(self._or_half_done(comparison, found, back))
        else:
            options.extend(self._taken_back_instead(comparison, found, earlier, made))
        detours = found
        if not options:
            # One seat may have taken what another one has paid since: then the way first leads away from the View.
            detours = self._search(start, comparison, MOST_POSITIONS, DETOUR)
            options.extend(self._explained(comparison, detours))
        if not options:
            other = self._dropped(comparison, earlier, made) or self._otherwise(comparison, earlier, made, JUST_BACK)
            options.extend(() if other is None else (self._or_half_done(comparison, found, other),))
        if not options:
            mistaken = self._mistaken(comparison, earlier, made)
            options.extend(self._or_half_done(comparison, found, other) for other in mistaken)
        if options:
            return options[0] if len(options) == 1 else self._open(start, comparison, options)
        finding = self._half_done_or_wrong(start, comparison, found, detours)
        if not isinstance(finding, Lost) or start.mismatches > MISREAD:
            return finding
        if several := self._one_of_several(comparison, earlier, made):
            return self._open(start, comparison, several)
        return self._otherwise(comparison, earlier, made, LONG_BACK) or finding

    def _open(self, start: Position, comparison: ViewComparison, options: Sequence[Explained | Takeback]) -> Open:
        """A question about several ways. It is doubtful while they may be half of yet another one, unless a place
        cannot be read: then waiting does not help."""
        game, now = self._game, self._game.view(start.state)
        on_the_way_to = comparison.from_(now)
        ends = (
            game.view(game.play(start.state, move)) for move in game.moves_in_progress(start.state, comparison.seen)
        )
        half = (then for then in ends if on_the_way_to(then) and not comparison.is_of(then))
        if any(not unclear(comparison.seen, now, then) for then in half):
            options = [msgspec.structs.replace(option, half_done=True) for option in options]
        return Open(tuple(options))

    def after(self, state: S, moves: Sequence[M | None]) -> S | None:
        """The state after these moves, if they are legal and known."""
        for move in moves:
            if move is None or self._game.check(state, move):
                return None
            state = self._game.play(state, move)
        return state

    def left_to_do(self, seen: View, state: S) -> tuple[Step, ...]:
        """The steps that hands still have to do until the table looks like a state."""
        return steps(seen, self._game.view(state), self._game.blocks)

    # Legal ways

    def _explained(self, comparison: ViewComparison, found: Searched) -> list[Explained | Takeback]:
        """The found ways. One is doubtful if fewer moves suffice, the last of them half done: people may have laid down
        a part of their payment, and a seat does not pass before the next has begun. It is also doubtful if its last
        move, or any that may be the last, looks like half of another."""
        longest, start = max((len(way.moves) for way in found.ways), default=0), found.positions[0].state
        if longest < 2:
            return [self._way(start, way, longest) for way in found.ways]
        before = [one for one in found.positions if len(one.moves) < longest - 1 and leads_on(one, found.ways)]
        unfinished = self._half_done(comparison, before)
        doubted = unfinished is not None and (unfinished.finish or self._out_of_sight(comparison, start, unfinished))
        least = len(unfinished.moves) if unfinished is not None and doubted else longest
        return [self._way(start, way, least) for way in found.ways]

    def _way(self, start: S, way: Position, least: int) -> Explained:
        if len(way.moves) > least:
            return Explained(way.moves, True, least - 1)
        half = any(self._game.may_be_partial(state, move) for state, move in self._lasts(start, way))
        return Explained(way.moves, half, len(way.moves) - 1 if half else 0)

    def _out_of_sight(self, comparison: ViewComparison, state: S, unfinished: Unfinished) -> bool:
        """Whether the last of these moves changes a place that is not visible now."""
        for move in unfinished.moves[:-1]:
            state = self._game.play(state, move)
        now, then = self._game.view(state).zones, self._game.view(self._game.play(state, unfinished.moves[-1])).zones
        return any(name not in comparison.seen.zones and now.get(name) != contents for name, contents in then.items())

    def _lasts(self, start: S, way: Position) -> Iterator[tuple[S, M]]:
        """The moves that may be the last, with the state before each: the last one, and any move of a player that no
        later move depends on."""
        yield way.before, way.moves[-1]
        for place in range(max(0, len(way.moves) - LAST_MOVES), len(way.moves) - 1):
            move = way.moves[place]
            others = (*way.moves[:place], *way.moves[place + 1 :])
            before = self.after(start, others) if hasattr(move, "seat") else None
            if before is not None and self.after(before, (move,)) == way.state:
                yield before, move

    def _search(self, start: Position, comparison: ViewComparison, most: int, detour: int = 0) -> Searched:
        """The shortest ways to what was seen, one for each final state, by breadth-first search.

        A move may increase the distance by `detour` pieces."""
        level, known, patience = [start], {start.state}, most
        nearest = start.mismatches
        positions, forbidden = [start], list[Forbidden]()
        while level and patience > 0 and comparison.compared < MOST_COMPARED:
            reached: dict[Any, Position] = {}
            for position in sorted(level, key=lambda one: one.mismatches):
                for after in self._after(position, comparison, forbidden):
                    patience -= 1
                    near = after.mismatches <= position.mismatches + detour and after.idle <= MOST_UNSEEN
                    if near and after.state not in known:
                        known.add(after.state)
                        reached[after.state] = after
                if patience <= 0 or comparison.compared >= MOST_COMPARED:
                    break
            there = [position for position in reached.values() if not position.mismatches]
            if there:
                return Searched(there, positions, forbidden)
            level = list(reached.values())
            positions.extend(level)
            closest = min((position.mismatches for position in level), default=nearest)
            if closest < nearest:
                # Each piece in its right place is progress, so that many small acts at once can be found.
                nearest, patience = closest, most
        return Searched([], positions, forbidden)

    def _after(self, position: Position, comparison: ViewComparison, forbidden: list[Forbidden]) -> Iterator[Position]:
        game = self._game
        for move in game.candidates(position.state, comparison.seen):
            breaches = game.check(position.state, move)
            if breaches:
                forbidden.append(Forbidden(position, move, breaches))
                continue
            state = game.play(position.state, move)
            view = game.view(state)
            mismatches = comparison.mismatches(view)
            idle = position.idle + 1 if mismatches >= position.mismatches else 0
            unseen = (*position.unseen, move) if view == game.view(position.state) else position.unseen
            yield Position(state, (*position.moves, move), mismatches, idle, unseen, position.state)

    # Taken back

    def _within_reach(self, state: S, earlier: Sequence[S]) -> Sequence[S]:
        """The positions that hands can go back to. A dial's value cannot be taken back."""
        now = dials(self._game.view(state))
        if not now:
            return earlier
        first = len(earlier)
        while first and dials(self._game.view(earlier[first - 1])) == now:
            first -= 1
        return earlier[first:]

    def _back(self, comparison: ViewComparison, earlier: Sequence[S]) -> Takeback | None:
        """A takeback to an earlier position that looks like the table now."""
        for back, old in enumerate(reversed(earlier), 1):
            if comparison.is_of(self._game.view(old)):
                return Takeback(back)
        return None

    def _taken_back_instead(
        self, comparison: ViewComparison, found: Searched, earlier: Sequence[S], made: Sequence[M | None]
    ) -> list[Takeback]:
        """A takeback that explains the table as well: of the last move, with fewer moves after it than without the
        takeback, or of an earlier one that no later move depends on."""
        most = min((len(way.moves) for way in found.ways), default=0) - 1
        if most < 1 or not earlier:
            return []
        if dropped := self._dropped(comparison, earlier, made):
            return [dropped]
        if drawn(made[-1:]):
            return []
        start = Position(earlier[-1], (), comparison.mismatches(self._game.view(earlier[-1])))
        ends = {way.state for way in found.ways}
        ways = self._search(start, comparison, FEW_POSITIONS).ways
        return [Takeback(1, way.moves) for way in ways if len(way.moves) <= most and way.state not in ends]

    def _dropped(self, comparison: ViewComparison, earlier: Sequence[S], made: Sequence[M | None]) -> Takeback | None:
        """One of the last moves taken back, but not those after it, because moves in one look have no order."""
        for back in range(2, min(LAST_MOVES, len(earlier), len(made)) + 1):
            first, *rest = made[-back:]
            end = None if drawn((first,)) else self.after(earlier[-back], rest)
            if end is not None and comparison.is_of(self._game.view(end)):
                return Takeback(back, tuple(rest))
        return None

    def _otherwise(
        self, comparison: ViewComparison, earlier: Sequence[S], made: Sequence[M | None], backs: Sequence[int]
    ) -> Takeback | None:
        """A takeback with another move instead."""
        within = (back for back in backs if back <= len(earlier))
        ways = (self._instead(comparison, earlier, made, back) for back in within)
        return next((found[0] for found in ways if len(found) == 1), None)

    def _one_of_several(
        self, comparison: ViewComparison, earlier: Sequence[S], made: Sequence[M | None]
    ) -> list[Takeback]:
        """A takeback with one of several moves instead that look the same, so that people have to choose."""
        return next(
            filter(None, (self._instead(comparison, earlier, made, back) for back in JUST_BACK[: len(earlier)])), []
        )

    def _instead(
        self, comparison: ViewComparison, earlier: Sequence[S], made: Sequence[M | None], back: int
    ) -> list[Takeback]:
        start = Position(earlier[-back], (), comparison.mismatches(self._game.view(earlier[-back])))
        ways = self._search(start, comparison, FEW_POSITIONS).ways
        return (
            [Takeback(back, way.moves) for way in ways]
            if all(few_differ(way.moves, made[-back:]) for way in ways)
            else []
        )

    def _mistaken(self, comparison: ViewComparison, earlier: Sequence[S], made: Sequence[M | None]) -> list[Takeback]:
        """One of the last moves was another one of its kind, followed by the same moves: its result was only half there
        when it was accepted."""
        for back in JUST_BACK[1 : len(earlier)]:
            state, (first, *rest) = earlier[-back], made[-back:]
            others = (one for one in self._game.candidates(state, comparison.seen) if type(one) is type(first))
            ends = {self.after(state, line := (one, *rest)): line for one in others if one != first}
            lines = [line for end, line in ends.items() if end is not None and comparison.is_of(self._game.view(end))]
            if lines:
                return [Takeback(back, line) for line in lines]
        return []

    def _or_half_done(self, comparison: ViewComparison, found: Searched, takeback: Takeback) -> Takeback:
        """The takeback, doubtful if it may be half of the next move instead, perhaps after invisible ones."""
        idle = [one for one in found.positions if one.moves == one.unseen]
        unfinished = any(self._step_done(one, comparison) for one in idle)
        return msgspec.structs.replace(takeback, half_done=unfinished)

    def _step_done(self, start: Position, comparison: ViewComparison) -> bool:
        """Whether a legal move is done in some zones, and not begun in the others."""
        game, now = self._game, self._game.view(start.state)
        on_the_way_to = comparison.from_(now)
        for move in game.moves_in_progress(start.state, comparison.seen):
            then = game.view(game.play(start.state, move))
            if (
                not comparison.is_of(then)
                and on_the_way_to(then)
                and all(
                    any(not mismatches(contents, view.zones[zone]) for view in (now, then) if zone in view.zones)
                    for zone, contents in comparison.seen.zones.items()
                )
            ):
                return True
        return False

    # Half done, or forbidden

    def _half_done_or_wrong(
        self, start: Position, comparison: ViewComparison, found: Searched, detours: Searched
    ) -> Finding:
        wrong = self._wrong(comparison, [*found.forbidden, *self._illegal_candidates(comparison, found.positions)])
        near, nearer = (sorted(one.positions, key=_nearness)[:NEAREST] for one in (found, detours))
        likely = [start, *near, *(one.position for one in wrong[:1])]
        idle = [one for one in found.positions if one.moves == one.unseen and one not in likely]
        # If the next move has begun already, a marker that was not moved yet leads away from what was seen.
        legal = self._half_done(comparison, [*likely, *idle]) or self._several_half_done(
            start, comparison, [*near, *nearer]
        )
        if wrong:
            return self._illegal(comparison, wrong, legal)
        if legal is not None:
            return legal
        expected = self._game.view(start.state)
        return Lost(differences(comparison.seen, expected), self.left_to_do(comparison.seen, start.state))

    def _illegal_candidates(self, comparison: ViewComparison, positions: Sequence[Position]) -> Iterator[Forbidden]:
        """More forbidden moves, tried only if nothing legal explains the table."""
        for position in sorted(positions, key=lambda one: (len(one.moves), one.mismatches))[:MOST_ILLEGAL_CANDIDATES]:
            for move in self._game.illegal_candidates(position.state, comparison.seen):
                breaches = self._game.check(position.state, move)
                if breaches:
                    yield Forbidden(position, move, breaches)

    def _wrong(self, comparison: ViewComparison, forbidden: Sequence[Forbidden]) -> list[Forbidden]:
        """The forbidden moves that lead to exactly what was seen."""
        game = self._game
        exact: list[Forbidden] = []
        likely = [one for one in forbidden if len(one.breaches) <= MOST_BREACHES]
        for one in sorted(likely, key=lambda one: len(one.position.moves))[:MOST_TRIES]:
            state = game.play_unchecked(one.position.state, one.move)
            if state is not None and comparison.fits(game.view(state)):
                exact.append(one)
        return exact

    def _illegal(self, comparison: ViewComparison, wrong: Sequence[Forbidden], legal: Unfinished | None) -> Illegal:
        """The finding with the likeliest forbidden moves; first those that may still become legal."""
        unfinished = legal is not None and len(legal.moves) == 1
        likely = [one for one in wrong if unfinished and not one.position.moves] or wrong
        least = min(map(strange, likely))
        likeliest = list({one.move: one for one in likely if strange(one) == least}.values())
        position = likeliest[0].position
        return Illegal(
            position.moves,
            tuple(Try(one.move, one.breaches) for one in likeliest),
            self.left_to_do(comparison.seen, position.state),
            () if legal is None else legal.finish,
            legal is not None,
        )

    def _half_done(self, comparison: ViewComparison, positions: Sequence[Position]) -> Unfinished | None:
        """The nearest legal move that may be half done, with its remaining steps."""
        game, best = self._game, None
        for position in positions:
            if position.before is not None and self._nearly(comparison, position):
                return Unfinished(position.moves, self.left_to_do(comparison.seen, position.state))
            on_the_way_to = comparison.from_(game.view(position.state))
            for move in game.moves_in_progress(position.state, comparison.seen):
                then = game.view(game.play(position.state, move))
                if on_the_way_to(then) and (best is None or comparison.mismatches(then) < best[0]):
                    best = comparison.mismatches(then), (*position.moves, move), then
            if best is not None:
                _, moves, then = best
                return Unfinished(moves, steps(comparison.seen, then, game.blocks))
        return None

    def _several_half_done(
        self, start: Position, comparison: ViewComparison, positions: Sequence[Position]
    ) -> Unfinished | None:
        """Several moves that may be half done: one seat still has to move a marker, while the next has already
        begun."""
        on_the_way_to = comparison.from_(self._game.view(start.state))
        known = ((one.moves, one.state) for one in positions if one.mismatches and len(one.moves) > 1)
        for moves, state in chain(known, islice(self._two(start, comparison), MOST_TWO)):
            then = self._game.view(state)
            if on_the_way_to(then):
                return Unfinished(moves, self.left_to_do(comparison.seen, state))
        return None

    def _two(self, start: Position, comparison: ViewComparison) -> Iterator[tuple[tuple[Any, ...], Any]]:
        """Two moves, the first of which ends a turn or a part of it."""
        game = self._game
        for first in game.moves_in_progress(start.state, comparison.seen):
            between = game.play(start.state, first)
            if game.actor(between) != CHANCE and self._whose(between) != self._whose(start.state):
                for second in game.moves_in_progress(between, comparison.seen):
                    yield (first, second), game.play(between, second)

    def _whose(self, state: S) -> tuple[Actor, str]:
        """The seat that acts, and the phase of the game."""
        return self._game.actor(state), self._game.expects(state).phase

    def _nearly(self, comparison: ViewComparison, position: Position) -> bool:
        """Whether the last move that led to a position is half done."""
        before, after = (self._game.view(state) for state in (position.before, position.state))
        return position.mismatches > 0 and on_the_way(before, comparison.seen, after)


def _nearness(position: Position) -> tuple[int, int]:
    return position.mismatches, len(position.moves)
