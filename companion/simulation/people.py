"""People at a simulated table: their acts and mistakes, and the truth about the table.

What is special about a game comes from its simulation.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from random import Random
from typing import Any, Final, Literal

import msgspec

from companion.kernel.game import Game
from companion.kernel.messages import Signal
from companion.kernel.simulation import LegalWays, Mistake, Simulation, World, of
from companion.kernel.views import View, same_table
from companion.referee import Explained, Referee
from companion.simulation.camera import Glimpse, Moment, countdown_moments, quick_change, slow_change

REMEMBERED_MOVES: Final = 80
"""Number of moves that people remember one by one."""


def alike(game: Game[Any, Any], one: Any, other: Any) -> bool:
    """Whether two states look the same to everyone at the table."""
    return bool(
        game.view(one) == game.view(other)
        and game.actor(one) == game.actor(other)
        and game.score(one) == game.score(other)
        and {type(move) for move in game.moves(one)} == {type(move) for move in game.moves(other)}
    )


class Truth:
    """What really happened since the companion last believed the right state."""

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
        """Whether belief is right. If so, earlier true states are forgotten."""
        compared = self._compared
        if compared is None or compared[0] is not belief or compared[1] is not self.state:
            self._compared = belief, self.state
            self._same = alike(self._game, belief, self.state)
            if self._same:
                self._states = [self.state]
        return self._same

    def knows(self, state: Any) -> bool:
        """Whether this is the true state, or one since belief was last right."""
        return any(alike(self._game, state, true) for true in reversed(self._states))

    def answer(self, states: Sequence[Any]) -> int | None:
        """The index of the true one among several states. Two may look the same and differ in what people have in their
        hands."""
        exact = (number for number, state in enumerate(states) if state in self._states)
        return next(exact, next((number for number, state in enumerate(states) if self.knows(state)), None))

    def missing(self, belief: Any) -> Sequence[Any] | None:
        """The fewest last moves that lead from belief to the truth; None if none do."""
        for number in range(len(self._moves) + 1):
            moves = self._moves[len(self._moves) - number :]
            if self._leads_here(belief, moves):
                return moves
        return None

    def way_from(self, beliefs: Iterable[Any]) -> tuple[int, Sequence[Any]] | None:
        """The number of beliefs to skip, and the moves that lead from the next one to the truth."""
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
"""Mistakes per act."""
TEMPTED: Final = 2.0
"""Factor of chances for a mistake to those that are used: most of the common ones are skipped."""
COMMON: Final = 0.35
TAKEN_BACK: Final = 0.05
SLOWLY: Final = 0.3
BY_BUTTON: Final = 0.5
"""Probability that the button is pressed for a move that no piece shows."""
LEFT_LYING: Final = 20.0
"""Seconds until people notice a mistake."""
REMEMBERED: Final = 4
"""Number of earlier positions that a mistake must not look like, since it would look like a move taken back."""


class Act(msgspec.Struct, frozen=True):
    """What people do from one still moment to the next.

    `moves` are the moves that were really made: legal ones, a mistake, or those that are taken back. `told` are those
    of them that neither a camera nor a button can show. `state` is the true state after the act.
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
        """Whether a mistake breaks exactly these rules, as far as can be seen."""
        return rules in (self.rules, *self.or_rules)

    @property
    def signals(self) -> tuple[Signal, ...]:
        """All buttons and timers of the act. Each belongs to the moment that begins with it."""
        return tuple(signal for moment in self.moments for signal in moment.signals)


class Position(msgspec.Struct, frozen=True):
    """A state and the table at that moment."""

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
        """All acts until the game is over."""
        while not self._over():
            if self._wants_mistake():
                yield from self._make_mistake()
            here = Position(self._state, self.lying)
            act = self._countdown() if self._way(self._next_move()) == "rush" else self._move()
            self._acted += 1
            yield act
            if self._leaves_no_trace(act):
                continue  # after it, the act before may still seem to be taken back
            if not self._can_take_back(act):
                self._before = []
            elif self._rng.random() < TAKEN_BACK and not self._over():
                yield self._take_back(here, act)
            else:
                self._before = [*self._before, here][-REMEMBERED:]

    # What a spectator may ask for between two acts

    def cheat(self) -> None:
        """Make a mistake next, as soon as there is one that a camera can see."""
        self._urged = True

    def suggest(self, move: Any) -> bool:
        """Make this move next, if it is legal and reveals nothing hidden. Returns whether it will be made."""
        free = self._way(move) in ("plain", "silent") and getattr(move, "seat", None) is not None
        if not free or self._over() or self._game.check(self._state, move):
            return False
        self._next, self._urged = move, False
        return True

    def _over(self) -> bool:
        return self._game.actor(self._state) is None

    def _next_move(self) -> Any:
        """The next move. The world is asked only once for each position, since that may change the world."""
        if self._next is None:
            self._next = self._world.next_move(self._state, tuple(self._game.moves(self._state)))
        return self._next

    def _play(self) -> Any:
        move, before = self._next_move(), self._state
        self.lying = self._simulation.done(self.lying, before, move, self._world)
        self._state = self._game.play(before, move)
        self._world.follow(before, move)
        self._next = None
        return move

    def _way(self, move: Any) -> str:
        return self._simulation.habit(move).way

    # Legal acts

    def _move(self) -> Act:
        """One move, or several in one go."""
        before, state, first = self.lying, self._state, self._next_move()
        signal = self._simulation.signal(state, first)
        if self._way(first) == "silent" and signal and (self._rng.random() < BY_BUTTON or self._ends(first)):
            self._play()
            return self._act((first,), (Moment(self.lying, signals=(signal,)),))
        moves = self._in_one_go(self._simulation.in_one_go(state, first, self._rng))
        turned = tuple(dial for move in moves for dial in self._simulation.habit(move).turns)
        visible = [move for move in moves if self._way(move) not in ("silent", "shown")]
        slowly = len(visible) == 1 and self._rng.random() < SLOWLY
        show = slow_change if slowly else quick_change
        return self._act(moves, show(before, self.lying, turned, self._simulation.sort_of, self._rng))

    def _ends(self, move: Any) -> bool:
        """Whether the game is over after a move; then people always press the button."""
        return self._game.actor(self._game.play(self._state, move)) is None

    def _in_one_go(self, number: int) -> tuple[Any, ...]:
        """A number of visible moves in one go. Invisible moves are made together with those that follow or show
        them."""
        moves: list[Any] = []
        visible = 0
        while True:
            move = self._play()
            moves.append(move)
            way = self._way(move)
            visible += way not in ("silent", "shown")
            if self._over():
                return tuple(moves)
            following = self._next_move()
            if self._way(following) == "silent" and self._ends(following):
                return tuple(moves)  # the last one is made with a button
            if self._way(following) == "shown" or not visible:
                continue
            if visible >= number or not self._joins(moves, following):
                return tuple(moves)

    def _joins(self, moves: list[Any], following: Any) -> bool:
        """Whether the next move is made in one go with these: plain moves mix, the others only with their own kind."""
        last = next(move for move in reversed(moves) if self._way(move) not in ("silent", "shown"))
        way = self._way(following)
        return way == self._way(last) and (way == "plain" or (way == "many" and type(following) is type(last)))

    def _countdown(self) -> Act:
        """A timed phase: all players act, from the first signal until the last piece is still."""
        moves: list[Any] = []
        glimpses: list[Glimpse] = []
        source, keeps = "", tuple[str, ...]()
        while not self._over() and self._way(self._next_move()) == "rush":
            signal = self._simulation.signal(self._state, self._next_move())
            moves.append(self._play())
            countdown = self._game.countdown(self._state)
            if countdown and countdown.running:
                source, keeps = countdown.source, tuple(countdown.keeps)
            glimpses.append(Glimpse(self.lying, signal, bool(source)))
        return self._act(tuple(moves), countdown_moments(glimpses, source, keeps, self._rng))

    def _act(self, moves: tuple[Any, ...], moments: tuple[Moment, ...]) -> Act:
        told = tuple(move for move in moves if self._simulation.habit(move).told)
        return Act("moves", moves, moments, self._state, told=told)

    # Moves taken back, and mistakes

    def _leaves_no_trace(self, act: Act) -> bool:
        return all(self._way(move) == "silent" for move in act.moves)

    def _can_take_back(self, act: Act) -> bool:
        return all(self._simulation.habit(move).back for move in act.moves)

    def _take_back(self, here: Position, act: Act) -> Act:
        """Put the pieces back, and choose another move. The hidden facts have not changed."""
        moments = quick_change(self.lying, here.lying, (), self._simulation.sort_of, self._rng)
        self._state, self.lying, self._next = here.state, here.lying, None
        return Act("takeback", act.moves, moments, self._state)

    def _wants_mistake(self) -> bool:
        if self._urged:
            return True
        return self._erred <= self._mistake_rate * self._acted and self._rng.random() < self._mistake_rate * TEMPTED

    def _make_mistake(self) -> Iterator[Act]:
        """A mistake, which stays on the table until it is noticed, and is then put right."""
        mistake = self._mistake()
        if mistake is None:
            return
        self._urged = False
        self._made[mistake.kind] += 1
        self._erred += 1
        turned = self._simulation.habit(mistake.move).turns
        moments = quick_change(self.lying, mistake.view, turned, self._simulation.sort_of, self._rng)
        left = (*moments[:-1], msgspec.structs.replace(moments[-1], seconds=LEFT_LYING))
        yield Act("wrong", (mistake.move,), left, self._state, mistake.rules, (), mistake.kind, mistake.or_rules)
        back = quick_change(mistake.view, self.lying, turned, self._simulation.sort_of, self._rng)
        yield Act("put_right", (), back, self._state)

    def _mistake(self) -> Mistake | None:
        """The mistake, of those possible here, that was made least often so far; often none, if it is a common one."""
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
        """Whether a mistake looks like a move taken back, like another legal move instead, or like several."""
        for position in self._before:
            ways = LegalWays(self._game, self._simulation.habit, self._done, position.state, position.lying)
            if same_table(position.lying, mistake.view) or ways.lead_to(mistake.view):
                return True
        return explained_by_referee(self._game, self._state, mistake.view)

    def _done(self, lying: View, state: Any, move: Any) -> View:
        return self._simulation.done(lying, state, move, self._world)


def explained_by_referee(game: Game[Any, Any], state: Any, target: View) -> bool:
    """Whether legal moves lead to this table by a detour that only the referee finds: a worker may be moved to the next
    place, and pushed off there."""
    return isinstance(Referee(game).judge(state, target), Explained)
