"""Whether legal moves could have led to a table. What could be legal is no wrong that anybody can see."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final, Protocol

from companion.kernel.messages import Cells, Marks, Pieces, View
from companion.kernel.pieces import Impossible, changed_zones, same_table
from companion.kernel.worlds import Manner

LONGEST: Final = 4
"""So many visible moves people make between two still moments, at the most."""
MOST_POSITIONS: Final = 300

MannerOf = Callable[[Any], Manner]
Done = Callable[[View, Any, Any], View]
"""The table after a move, from the table as it lies and the state before."""
Step = tuple[Any, View, bool]
"""A legal move, the table after it, and whether a piece moved."""


class Playable(Protocol):
    """Of a game, what it takes to play on."""

    def moves(self, state: Any) -> Iterator[Any]: ...

    def play(self, state: Any, move: Any) -> Any: ...


class LegalWays:
    """Looks for legal ways from one position to tables; keeps the legal moves of positions it has seen."""

    def __init__(self, game: Playable, manner: MannerOf, done: Done, state: Any, lying: View) -> None:
        self._game = game
        self._manner = manner
        self._done = done
        self._start = (state, lying)
        self._steps: dict[Any, list[Step]] = {}

    def lead_to(self, target: View) -> bool:
        """Whether a short legal sequence ends at this table; also when it is too long a search to say no."""
        todo = [(*self._start, LONGEST)]
        known = {self._start[0]}
        while todo:
            state, lying, left = todo.pop()
            for move, view, moved in self._legal(state, lying):
                if moved and not _on_the_way(lying, view, target):
                    continue
                if moved and same_table(view, target):
                    return True
                if left - moved < 1:
                    continue
                after = self._game.play(state, move)
                if after not in known:
                    known.add(after)
                    todo.append((after, view, left - moved))
            if len(known) > MOST_POSITIONS:
                return True
        return False

    def _legal(self, state: Any, lying: View) -> list[Step]:
        if state not in self._steps:
            self._steps[state] = list(self._make_steps(state, lying))
        return self._steps[state]

    def _make_steps(self, state: Any, lying: View) -> Iterator[Step]:
        """Moves that show, and those that leave no trace; what a timer or a dial announces is not among them."""
        for move in self._game.moves(state):
            try:
                view = self._done(lying, state, move)
            except Impossible:
                continue
            moved = not same_table(view, lying)
            manner = self._manner(move)
            if moved or not (manner.way == "rush" or manner.turns):
                yield move, view, moved


def _on_the_way(lying: View, view: View, target: View) -> bool:
    """Whether a step changes only what must change, and not beyond what the target shows."""
    for zone in changed_zones(lying, view):
        was, now, goal = lying.zones[zone], view.zones[zone], target.zones[zone]
        if isinstance(now, Marks):
            continue  # what was paid may have come back since
        if was == goal:
            return False
        if isinstance(now, Cells) and isinstance(was, Cells) and isinstance(goal, Cells):
            swapped = sorted(map(str, was.at.values())) == sorted(map(str, now.at.values()))
            if not swapped and any(now.at[cell] not in (was.at.get(cell), goal.at.get(cell)) for cell in now.at):
                return False
        if isinstance(now, Pieces) and isinstance(was, Pieces) and isinstance(goal, Pieces):
            labels = was.count.keys() | now.count.keys() | goal.count.keys()
            # Pieces of one kind are a number that may go up and down on the way; tiles that differ never turn back.
            if len(labels) > 1 and any(_beyond(was, now, goal, label) for label in labels):
                return False
    return True


def _beyond(was: Pieces, now: Pieces, goal: Pieces, label: str) -> bool:
    wanted = goal.count.get(label, 0)
    return abs(now.count.get(label, 0) - wanted) > abs(was.count.get(label, 0) - wanted)
