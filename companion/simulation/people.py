"""People at a simulated table: their acts and mistakes, and the truth about the table.

No game is named here. What is peculiar to one comes from its simulation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any, Final, Literal

import msgspec

from companion.kernel.messages import Signal, View
from companion.kernel.rules import Game
from companion.kernel.simulation import LegalWays, Mistake, Simulation, World, of, same_table
from companion.referee import Explained, Referee
from companion.simulation.moments import Glimpse, Moment, at_leisure, at_once, rushing

REMEMBERED_MOVES: Final = 80
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
            self._moves = [*self._moves, *act.moves][-REMEMBERED_MOVES:]
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


MISTAKE_RATE: Final = 1 / 12
"""How often people do something wrong."""
TEMPTED: Final = 2.0
"""How often people come near a wrong act, for each that they make: the common ones they mostly leave."""
COMMON: Final = 0.35
TAKEN_BACK: Final = 0.05
SLOWLY: Final = 0.3
BY_BUTTON: Final = 0.5
"""How often somebody presses the button for a move that no piece shows."""
LEFT_LYING: Final = 20.0
"""Seconds until somebody notices that something is wrong."""
REMEMBERED: Final = 4
"""So many positions back a table may lie and look like a move taken back."""


class Act(msgspec.Struct, frozen=True):
    """What people do from one still moment to the next.

    `moves` were really made, in this order: legal ones, the wrong one, or those that are taken back. `told` are those
    of them that neither camera nor button can show. `state` is the truth at the end.
    """

    kind: Literal["moves", "wrong", "put_right", "takeback"]
    moves: tuple[Any, ...]
    moments: tuple[Moment, ...]
    state: Any
    rules: frozenset[str] = frozenset()
    told: tuple[Any, ...] = ()
    mistake: str = ""
    or_rules: tuple[frozenset[str], ...] = ()

    def breaks(self, rules: frozenset[str]) -> bool:
        """Whether a wrong act breaks just these rules, for all that anybody can see."""
        return rules in (self.rules, *self.or_rules)

    @property
    def signals(self) -> tuple[Signal, ...]:
        """All buttons and timers of the act; each belongs to the moment that begins with it."""
        return tuple(signal for moment in self.moments for signal in moment.signals)


class Position(msgspec.Struct, frozen=True):
    """Where the game stood, and how the table lay."""

    state: Any
    lying: View


class People:
    """Plays one game with hands. `mistake_rate` says how often they err; games may share `made` for fair shares."""

    def __init__(
        self,
        game: Game[Any, Any],
        state: Any,
        world: World,
        rng: Random,
        mistake_rate: float = MISTAKE_RATE,
        made: Counter[str] | None = None,
    ) -> None:
        self._game = game
        self._world = world
        self._rng = rng
        self._mistake_rate = mistake_rate
        self._made: Counter[str] = Counter() if made is None else made
        self._simulation: Simulation = of(game.name)
        self._state = state
        self.lying = self._simulation.laid(state, world, rng)
        self._next: Any = None
        self._urged = False
        self._acted = self._erred = 0
        self._before: list[Position] = []

    def acts(self) -> Iterator[Act]:
        """The evening until the game is over."""
        while not self._over():
            if self._tempted():
                yield from self._err()
            here = Position(self._state, self.lying)
            act = self._countdown() if self._way(self._peek()) == "rush" else self._move()
            self._acted += 1
            yield act
            if self._leaves_no_trace(act):
                continue  # it does not keep anybody from seeming to take back what was done before
            if not self._can_take_back(act):
                self._before = []
            elif self._rng.random() < TAKEN_BACK and not self._over():
                yield self._take_back(here, act)
            else:
                self._before = [*self._before, here][-REMEMBERED:]

    # What somebody who looks on may say, from one act to the next

    def cheat(self) -> None:
        """Somebody does something wrong next, as soon as anything wrong can be done that a camera can tell."""
        self._urged = True

    def suggest(self, move: Any) -> bool:
        """Somebody said what they do now: they do it, if it is allowed and nothing hidden comes to light by it."""
        free = self._way(move) in ("plain", "silent") and getattr(move, "seat", None) is not None
        if not free or self._over() or self._game.check(self._state, move):
            return False
        self._next, self._urged = move, False
        return True

    def _over(self) -> bool:
        return self._game.actor(self._state) is None

    def _peek(self) -> Any:
        """The move that comes next; asked once a position, for asking may change the world."""
        if self._next is None:
            self._next = self._world.next_move(self._state, tuple(self._game.moves(self._state)))
        return self._next

    def _play(self) -> Any:
        move, before = self._peek(), self._state
        self.lying = self._simulation.done(self.lying, before, move, self._world)
        self._state = self._game.play(before, move)
        self._world.follow(before, move)
        self._next = None
        return move

    def _way(self, move: Any) -> str:
        return self._simulation.habit(move).way

    # Legal acts

    def _move(self) -> Act:
        """One move, or as many as people make in one go."""
        before, state, first = self.lying, self._state, self._peek()
        signal = self._simulation.signal(state, first)
        if self._way(first) == "silent" and signal and (self._rng.random() < BY_BUTTON or self._ends(first)):
            self._play()
            return self._act((first,), (Moment(self.lying, signals=(signal,)),))
        moves = self._in_one_go(self._simulation.in_one_go(state, first, self._rng))
        turned = tuple(dial for move in moves for dial in self._simulation.habit(move).turns)
        visible = [move for move in moves if self._way(move) not in ("silent", "shown")]
        slowly = len(visible) == 1 and self._rng.random() < SLOWLY
        show = at_leisure if slowly else at_once
        return self._act(moves, show(before, self.lying, turned, self._simulation.sort_of, self._rng))

    def _ends(self, move: Any) -> bool:
        """Whether the game is over after it: nobody goes home without having said so."""
        return self._game.actor(self._game.play(self._state, move)) is None

    def _in_one_go(self, number: int) -> tuple[Any, ...]:
        """So many visible moves of a kind; what leaves no trace goes along with what follows, or with what shows it."""
        moves: list[Any] = []
        visible = 0
        while True:
            move = self._play()
            moves.append(move)
            way = self._way(move)
            visible += way not in ("silent", "shown")
            if self._over():
                return tuple(moves)
            following = self._peek()
            if self._way(following) == "silent" and self._ends(following):
                return tuple(moves)  # which is said with a button
            if self._way(following) == "shown" or not visible:
                continue
            if visible >= number or not self._joins(moves, following):
                return tuple(moves)

    def _joins(self, moves: list[Any], following: Any) -> bool:
        """Whether the next move is made before anybody looks up: plain moves mix, of many there is one kind."""
        last = next(move for move in reversed(moves) if self._way(move) not in ("silent", "shown"))
        way = self._way(following)
        return way == self._way(last) and (way == "plain" or (way == "many" and type(following) is type(last)))

    def _countdown(self) -> Act:
        """Everybody at once, from the first signal until the last piece lies still."""
        moves: list[Any] = []
        glimpses: list[Glimpse] = []
        source, keeps = "", tuple[str, ...]()
        while not self._over() and self._way(self._peek()) == "rush":
            signal = self._simulation.signal(self._state, self._peek())
            moves.append(self._play())
            countdown = self._game.countdown(self._state)
            if countdown and countdown.running:
                source, keeps = countdown.source, tuple(countdown.keeps)
            glimpses.append(Glimpse(self.lying, signal, bool(source)))
        return self._act(tuple(moves), rushing(glimpses, source, keeps, self._rng))

    def _act(self, moves: tuple[Any, ...], moments: tuple[Moment, ...]) -> Act:
        told = tuple(move for move in moves if self._simulation.habit(move).told)
        return Act("moves", moves, moments, self._state, told=told)

    # Moves taken back, and wrong ones

    def _leaves_no_trace(self, act: Act) -> bool:
        return all(self._way(move) == "silent" for move in act.moves)

    def _can_take_back(self, act: Act) -> bool:
        return all(self._simulation.habit(move).back for move in act.moves)

    def _take_back(self, here: Position, act: Act) -> Act:
        """The pieces go back where they were, and people think again. What a world hides has not changed by it."""
        moments = at_once(self.lying, here.lying, (), self._simulation.sort_of, self._rng)
        self._state, self.lying, self._next = here.state, here.lying, None
        return Act("takeback", act.moves, moments, self._state)

    def _tempted(self) -> bool:
        if self._urged:
            return True
        return self._erred <= self._mistake_rate * self._acted and self._rng.random() < self._mistake_rate * TEMPTED

    def _err(self) -> Iterator[Act]:
        """Something wrong, left lying until it is noticed, and put right."""
        mistake = self._mistake()
        if mistake is None:
            return
        self._urged = False
        self._made[mistake.kind] += 1
        self._erred += 1
        turned = self._simulation.habit(mistake.move).turns
        moments = at_once(self.lying, mistake.view, turned, self._simulation.sort_of, self._rng)
        left = (*moments[:-1], msgspec.structs.replace(moments[-1], seconds=LEFT_LYING))
        yield Act("wrong", (mistake.move,), left, self._state, mistake.rules, (), mistake.kind, mistake.or_rules)
        back = at_once(mistake.view, self.lying, turned, self._simulation.sort_of, self._rng)
        yield Act("put_right", (), back, self._state)

    def _mistake(self) -> Mistake | None:
        """Of all that could go wrong here, what went wrong least often so far; often nothing where that is common."""
        mistakes = list(self._simulation.mistakes(self._state, self._rng, self.lying, self._world))
        self._rng.shuffle(mistakes)
        self._made.update({mistake.kind: 0 for mistake in mistakes})
        mistakes.sort(key=lambda mistake: self._made[mistake.kind])
        mistake = next((mistake for mistake in mistakes if not self._like_legal(mistake)), None)
        if mistake is None or self._urged:
            return mistake
        fair = self._made.total() / len(self._made)
        return mistake if self._made[mistake.kind] <= fair or self._rng.random() < COMMON else None

    def _like_legal(self, mistake: Mistake) -> bool:
        """Whether it looks like a move taken back, like another one made in its place, or like several."""
        for position in self._before:
            ways = LegalWays(self._game, self._simulation.habit, self._done, position.state, position.lying)
            if same_table(position.lying, mistake.view) or ways.lead_to(mistake.view):
                return True
        return by_a_detour(self._game, self._state, mistake.view)

    def _done(self, lying: View, state: Any, move: Any) -> View:
        return self._simulation.done(lying, state, move, self._world)


def by_a_detour(game: Game[Any, Any], state: Any, target: View) -> bool:
    """Whether legal moves lead to this table by a way on which something comes and goes again: a worker may be moved
    next door, and pushed off there. The referee knows such ways."""
    return isinstance(Referee(game).judge(state, target), Explained)
