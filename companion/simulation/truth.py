"""Truth and belief: what people really did, beside what the table makes of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from companion.kernel.rules import Game
from companion.simulation.people import Act

REMEMBERED: Final = 80
"""Moves that people still know one by one."""


def alike(game: Game[Any, Any], one: Any, other: Any) -> bool:
    """Whether two states are the same to everybody at the table."""
    return bool(
        game.view(one) == game.view(other)
        and game.actor(one) == game.actor(other)
        and game.score(one) == game.score(other)
        and {type(move) for move in game.moves(one)} == {type(move) for move in game.moves(other)}
    )


class Truth:
    """What really happened, and where truth and belief were last the same."""

    def __init__(self, game: Game[Any, Any], state: Any) -> None:
        self._game = game
        self._states = [state]
        self._moves: list[Any] = []
        self._compared: tuple[Any, Any] | None = None
        self._same = True

    @property
    def state(self) -> Any:
        return self._states[-1]

    def add(self, act: Act) -> None:
        if act.kind == "moves":
            for move in act.moves:
                self._states.append(self._game.play(self.state, move))
            self._moves = [*self._moves, *act.moves][-REMEMBERED:]
        elif act.kind == "takeback":
            self._states.append(act.state)
            self._moves = self._moves[: -len(act.moves)]

    def agrees(self, belief: Any) -> bool:
        """Whether belief has caught up; where things stood before is forgotten then."""
        compared = self._compared
        if compared is None or compared[0] is not belief or compared[1] is not self.state:
            self._compared = belief, self.state
            self._same = alike(self._game, belief, self.state)
            if self._same:
                self._states = [self.state]
        return self._same

    def knows(self, state: Any) -> bool:
        """Whether this is how things stand, or have stood since truth and belief were last the same."""
        return any(alike(self._game, state, true) for true in reversed(self._states))

    def answer(self, states: Sequence[Any]) -> int | None:
        """Which of several states it is: two may look the same and differ in what people hold in their hands."""
        exact = (number for number, state in enumerate(states) if state in self._states)
        return next(exact, next((number for number, state in enumerate(states) if self.knows(state)), None))

    def missing(self, belief: Any) -> Sequence[Any] | None:
        """The last moves, as few as lead from belief to the truth; None if they do not."""
        for number in range(len(self._moves) + 1):
            moves = self._moves[len(self._moves) - number :]
            if self._leads_here(belief, moves):
                return moves
        return None

    def way_from(self, beliefs: Iterable[Any]) -> tuple[int, Sequence[Any]] | None:
        """How many of these beliefs are to be passed over, and the moves that lead from the next one to the truth."""
        for number, belief in enumerate(beliefs):
            moves = self.missing(belief)
            if moves is not None:
                return number, moves
        return None

    def _leads_here(self, state: Any, moves: Sequence[Any]) -> bool:
        for move in moves:
            if self._game.check(state, move):
                return False
            state = self._game.play(state, move)
        return alike(self._game, state, self.state)
