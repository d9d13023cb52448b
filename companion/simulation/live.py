"""People who play in real time.

The table top, the buttons, the table's answers and time itself come from outside: an evening takes minutes with a
camera, and seconds in a test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, Literal, Protocol

import msgspec

from companion.kernel.game import Game
from companion.kernel.messages import Signal
from companion.kernel.simulation import Simulation, of
from companion.simulation.camera import Moment
from companion.simulation.people import LEFT_LYING, Act, People, Truth

PACE: Final = 3.0
"""Default speed, as a multiple of people at a real table, so that watching is not boring."""
AS_IT_IS: Final = 10.0
"""Up to this pace, raids, readings and the time until a mistake is noticed last as long as at a real table."""


CALM: Final = 240.0
MISCHIEF: Final = 40.0
"""Seconds from one mistake to the next, whatever the pace. The first comes after half of them."""


def time_factor(pace: float) -> float:
    """The factor by which these times are shorter at a higher pace."""
    return max(1.0, pace / AS_IT_IS)


class PlayersLeft(Exception):
    """The people have left: another game begins, or the demo is over."""


class TableTop(Protocol):
    """The table top, and the camera above it."""

    @property
    def blind(self) -> bool: ...

    @property
    def settled(self) -> bool:
        """Whether everything that can be seen has been read."""

    def show(self, moment: Moment) -> float:
        """Hands reach in and change the table. Returns the seconds for which they must be seen."""

    def rest(self, moment: Moment) -> None:
        """Hands leave, except those over covered zones."""

    def step(self) -> None: ...


class ButtonPresser(Protocol):
    """Presses everybody's buttons, and knows how the raid stands."""

    def press(self, signal: Signal) -> None: ...

    def raid_due(self, on: bool) -> None:
        """Note that a raid is due, or over."""

    def want(self, signal: Signal) -> None:
        """A player is ready, or the king starts. Simulated players without a phone press by themselves."""

    def happened(self, signal: Signal) -> bool:
        """Whether the timer has sent this signal for the raid that is due."""

    @property
    def left(self) -> float:
        """Seconds left of the running raid; 0 if none is running."""

    @property
    def under_way(self) -> bool:
        """Whether players are getting ready for the raid, or it is running. A person with a phone may take a while."""

    def step(self, seconds: float) -> None: ...


class TableClient(Protocol):
    """What the table believes and says, and how to send it commands."""

    @property
    def state(self) -> Any: ...

    @property
    def trouble(self) -> Mapping[str, Any] | None: ...

    def earlier(self) -> Iterator[Any]:
        """The believed state, and the states after one undo, after two, and so on."""

    def later(self) -> Iterator[Any]:
        """The believed state, and the states after one redo, after two, and so on."""

    def options(self, question: int) -> Sequence[Any]:
        """The states after each answer to a question."""

    def tell(self, kind: str, **body: Any) -> None: ...


class LiveSettings:
    """What a spectator wants the people to do. Any thread may set it."""

    def __init__(self, pace: float = PACE, mistakes_every: float = CALM) -> None:
        self.pace, self.mistakes_every = pace, mistakes_every
        self.paused = False
        self.pause_soon = False
        """Pause after the current act."""
        self.cheat = False
        self.watched: Callable[[], bool] = lambda: True
        """Asks whether a visitor is there to see a mistake; before that, people make none."""
        self.put_right = False
        self.gone = False
        self.suggested: list[Any] = []
        """Moves that were entered on a phone and have not been made yet."""


STEP: Final = 0.05
"""Seconds between two checks of everything that may have happened."""
OPENS: Final = 300.0
"""Seconds in which the camera must have been opened and the table been read once."""
READ: Final = 6.0
"""Seconds for which people wait for a still table to be read."""
UNDERSTOOD: Final = 6.0
SOONEST: Final = 1.5
RAID_UNDERSTOOD: Final = 8.0
"""Seconds for which people then wait for the table to understand it, before they go on: at pace 1, the least, and after
a raid."""
HELD_UP: Final = 40.0
"""Maximum number of seconds for which people wait for a question to be answered."""
NOTICED: Final = 30.0
"""Maximum number of seconds for which people wait for a mistake to be noticed."""
LOOKED_AT: Final = 36.0
"""Seconds at pace 1 for which it stays after that, and not longer than until people notice it by themselves."""
GATHERED: Final = 8.0
"""Seconds for which people wait for a raid that is due. After that, they enter on a phone what its timer did not
tell."""
AN_ACT: Final = 2.0
BY_HAND: Final = 0.8
"""Seconds for entering a move on a phone."""
OF_A_RAID: Final = 0.85
"""Share of a raid's time that people use: they finish a little before it stops."""
IN_HAND: Final = 0.2
"""Seconds before the stop at which people enter who holds a tile, if no camera sees it."""
ANSWERS: Final = 18.0
REACTS: Final = 45.0
"""Seconds at pace 1 until people answer a question, or correct a wrong belief, if no phone has done it."""
LOSES_PATIENCE: Final = 6
"""Number of acts after which people no longer wait for the table to correct its belief itself."""
MOST_UNDONE: Final = 60

Doing = Literal["laying", "playing", "raid", "wrong", "lying", "put_right", "takeback", "by_hand", "over"]


class Live:
    """One game, in the thread that calls `play`."""

    def __init__(
        self,
        game: Game[Any, Any],
        people: People,
        state: Any,
        top: TableTop,
        presser: ButtonPresser,
        client: TableClient,
        wishes: LiveSettings,
        sleep: Callable[[float], None],
    ) -> None:
        self._game, self._people, self._top, self._presser = game, people, top, presser
        self._client, self._wishes, self._sleep = client, wishes, sleep
        self._simulation: Simulation = of(game.name)
        self.truth = Truth(game, state)
        self.act: Act | None = None
        self.doing: Doing = "laying"
        self.disagreements = 0
        """Number of acts since belief was last right."""
        self._question: int | None = None
        self._asked_for = 0.0
        self._lived = self._errs_at = 0.0

    def play(self) -> None:
        """Play until the game is over. Raises `PlayersLeft`."""
        self._show(Moment(self._people.lying), 0.0)
        self._wait(OPENS, lambda: self._top.settled)
        acts = self._people.acts()
        while True:
            self._between()
            act = next(acts, None)
            if act is None:
                break
            self._live(act)
        self.act, self.doing = None, "over"

    def rest(self) -> None:
        """Stay at the table after the game until `PlayersLeft` is raised."""
        while True:
            self._wait(1.0)

    def _between(self) -> None:
        wishes = self._wishes
        if wishes.pause_soon:
            wishes.paused, wishes.pause_soon = True, False
        self._wait(0.0)
        if wishes.suggested and not self._people.suggest(wishes.suggested.pop(0)):
            wishes.suggested.clear()
        if self._mistake_due() and not self._top.blind:
            wishes.cheat = False
            self._errs_at = self._lived + wishes.mistakes_every
            self._people.cheat()

    def _mistake_due(self) -> bool:
        """Whether a mistake is due: because a visitor asked for it, or after a while without any."""
        wishes = self._wishes
        if wishes.cheat:
            return True
        if not wishes.watched():
            self._errs_at = self._lived + wishes.mistakes_every / 2
            return False
        return self._lived >= self._errs_at

    # Acts

    def _live(self, act: Act) -> None:
        self.act, self._wishes.put_right = act, False
        raid = any(signal.kind == "timer" for signal in act.signals)
        self.doing = "raid" if raid else "playing" if act.kind == "moves" else act.kind
        by_hand = self._top.blind and act.kind != "wrong"
        if by_hand:
            self._catch_up()
        elif raid and not self._agrees():
            # With a wrong belief, the table would not ask the players to get ready.
            self._correct_belief()
        before = self.truth.state
        self.truth.add(act)
        self._presser.raid_due(raid)
        if by_hand:
            self._tell(act, before)
        else:
            self._do(act)
        self._presser.raid_due(False)
        if act.kind == "wrong":
            self._wait_until_noticed()
        else:
            self._wait_for_belief(RAID_UNDERSTOOD if raid else self._patience())
            if raid and not self._agrees():
                self._correct_belief()

    def _wait_for_belief(self, patience: float) -> None:
        """Wait a while until belief is right, and longer if the table waits for an answer; then people go on."""
        if self._wait(patience, self._agrees):
            self.disagreements = 0
            return
        self.disagreements += 1
        if self._waits_for_answer():
            self._wait(self._soon(REACTS), lambda: self._agrees() or not self._waits_for_answer())
        if not self._agrees() and (self._waits_for_answer() or self.disagreements % LOSES_PATIENCE == 0):
            self._correct_belief()

    def _correct_belief(self) -> None:
        """Correct a wrong belief: undo or redo on a phone to a true state, and enter the moves after it. If there is no
        such state, let the table take what it sees."""
        truth, client = self.truth, self._client
        ways = [
            (kind, *way)
            for kind, states in (("undo", client.earlier()), ("redo", client.later()))
            if (way := truth.way_from(islice(states, MOST_UNDONE))) is not None
        ]
        if ways:
            kind, steps, moves = min(ways, key=lambda way: len(way[2]))
            for _ in range(steps):
                self._go(kind)
            for move in moves:
                self._told(move)
            self._wait(self._patience(), self._agrees)
        elif client.trouble is not None:
            client.tell("take_it" if client.trouble["kind"] == "lost" else "dismiss")
            self._wait(BY_HAND)

    def _go(self, kind: str) -> None:
        before = self._client.state
        self._client.tell(kind)
        self._wait(SOONEST, lambda: self._client.state is not before)

    def _soon(self, seconds: float) -> float:
        """Convert seconds at pace 1 to the current pace."""
        return seconds / max(1.0, self._wishes.pace)

    def _patience(self) -> float:
        return max(SOONEST, UNDERSTOOD / self._wishes.pace)

    def _agrees(self) -> bool:
        return self.truth.agrees(self._client.state)

    def _waits_for_answer(self) -> bool:
        trouble = self._client.trouble
        return trouble is not None and trouble["kind"] in ("question", "lost", "verdict")

    def _wait_until_noticed(self) -> None:
        """Wait until a mistake has been noticed and its reason could be read, or until a spectator wants it put
        right."""
        self.doing = "lying"
        self._wait(
            NOTICED / time_factor(self._wishes.pace),
            lambda: self._wishes.put_right or self._client.trouble is not None or self._top.blind,
        )
        self._wait(min(LEFT_LYING, LOOKED_AT / self._wishes.pace), lambda: self._wishes.put_right)

    def _do(self, act: Act) -> None:
        for move in act.told:
            self._told(move)
        for number, moment in enumerate(act.moments):
            for signal in moment.signals:
                self._bring_about(signal)
            self._show(moment, self._seconds(act.moments[number:]))

    def _seconds(self, coming: Sequence[Moment]) -> float:
        """Duration of a moment: at the people's pace, or so that the acts of a raid fill its time."""
        left = self._presser.left
        if left:
            unsignalled = next((n for n, moment in enumerate(coming[1:]) if moment.signals), len(coming) - 1)
            return left * OF_A_RAID / (unsignalled + 1)
        return min(coming[0].seconds, 2 * AN_ACT) / self._wishes.pace

    def _show(self, moment: Moment, seconds: float) -> None:
        self._wait(self._top.show(moment))
        self._top.rest(moment)
        self._wait(seconds)
        if not moment.covered:
            self._wait(READ, lambda: self._top.settled)

    def _bring_about(self, signal: Signal) -> None:
        """Press a button, or wait for a timer. A signal that does not come is entered by hand."""
        if signal.kind == "press":
            self._presser.press(signal)
            return
        presser = self._presser
        presser.want(signal)
        self._wait(GATHERED, lambda: presser.happened(signal) or presser.under_way)
        while not presser.happened(signal) and presser.under_way:
            self._wait(STEP)
        if not presser.happened(signal):
            for move in self._game.signalled(self._client.state, signal)[:1]:
                self._told(move)

    # Without a camera

    def _catch_up(self) -> None:
        """Enter the moves that were made just before the camera went blind."""
        if not self._agrees():
            for move in self.truth.missing(self._client.state) or ():
                self._told(move)
            self._wait(self._patience(), self._agrees)

    def _tell(self, act: Act, state: Any) -> None:
        """Enter an act on a phone, move by move, as at a table without a camera."""
        self.doing = "by_hand"
        if act.kind == "takeback":
            self._undo(len(act.moves))
        elif act.kind == "moves":
            for move in act.moves:
                self._say(move, state)
                state = self._game.play(state, move)
        self._show(act.moments[-1], BY_HAND / self._wishes.pace)

    def _say(self, move: Any, state: Any) -> None:
        signal = self._simulation.signal(state, move)
        if signal is not None and self._game.signalled(state, signal)[:1] == (move,):
            self._bring_about(signal)
            return
        if signal is not None:
            self._wait(max(0.0, self._presser.left - IN_HAND))
        self._told(move)
        self._wait(BY_HAND / self._wishes.pace)

    def _told(self, move: Any) -> None:
        self._client.tell("move", move=msgspec.to_builtins(move))

    def _undo(self, moves: int) -> None:
        for _ in range(moves):
            if self._wait(BY_HAND / self._wishes.pace, self._agrees):
                return
            self._go("undo")

    # Time

    def _wait(self, seconds: float, until: Callable[[], bool] | None = None) -> bool:
        """Wait at most `seconds`, or until a condition is met, and return whether it was met. Pauses do not count."""
        left = seconds
        while True:
            if self._wishes.gone:
                raise PlayersLeft
            if not self._wishes.paused:
                if until is not None and until():
                    return True
                if left <= 0:
                    return False
                left -= STEP
                self._lived += STEP
                self._presser.step(STEP)
                self._react()
            self._top.step()
            self._sleep(STEP)

    def _react(self) -> None:
        """Answer a question after a while, if no phone has answered it."""
        trouble = self._client.trouble
        question = trouble["id"] if trouble is not None and trouble["kind"] == "question" else None
        if question is None or question != self._question:
            self._question, self._asked_for = question, 0.0
            return
        self._asked_for += STEP
        if self._soon(ANSWERS) <= self._asked_for < HELD_UP:
            self._asked_for = HELD_UP
            self._answer(question)

    def _answer(self, question: int) -> None:
        """Give the right answer. If none of the answers is right, give the last one."""
        states = self._client.options(question)
        if states:
            right = self.truth.answer(states)
            self._client.tell("answer", question=question, option=len(states) - 1 if right is None else right)
