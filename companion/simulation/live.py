"""People who play in real time.

The table top, the buttons, the table's answers and time itself come from outside: an evening takes minutes with a
camera, and seconds in a test.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final, Literal, Protocol

import msgspec

from companion.kernel.messages import Signal
from companion.kernel.rules import Game
from companion.kernel.simulation import Simulation, of
from companion.simulation.moments import Moment
from companion.simulation.people import LEFT_LYING, Act, People, Truth

PACE: Final = 3.0
"""How many times faster than people at a real table, unless somebody says otherwise: nobody shall be bored."""
AS_IT_IS: Final = 10.0
"""Up to this pace raids last, an onlooker reads, and a mistake lies unnoticed as long as at a real table."""


def hurried(pace: float) -> float:
    """So many times shorter all that is at a pace beyond that."""
    return max(1.0, pace / AS_IT_IS)


class Gone(Exception):
    """The people got up: another game begins, or the demo is over."""


class Top(Protocol):
    """The table top, and the camera above it."""

    @property
    def blind(self) -> bool: ...

    @property
    def settled(self) -> bool:
        """Whether everything that can be seen has been read."""

    def show(self, moment: Moment) -> float:
        """Hands reach in and lay or change the table; the seconds for which they must be seen at it come back."""

    def rest(self, moment: Moment) -> None:
        """Hands go, but for those that stay over what is covered."""

    def step(self) -> None: ...


class ButtonPresser(Protocol):
    """Presses everybody's buttons, and knows how the raid stands."""

    def press(self, signal: Signal) -> None: ...

    def raid_due(self, on: bool) -> None:
        """A raid is due, or over."""

    def want(self, signal: Signal) -> None:
        """Somebody is ready, or the king starts: whoever has no phone presses by itself."""

    def happened(self, signal: Signal) -> bool:
        """Whether the timer has told this in the raid that is due."""

    @property
    def left(self) -> float:
        """Seconds of the raid that runs; 0 if none does."""

    @property
    def under_way(self) -> bool:
        """Whether the raid that is due gathers or runs; perhaps somebody's phone keeps everybody waiting."""

    def step(self, seconds: float) -> None: ...


class TableClient(Protocol):
    """What the table believes and says, and how to tell it something."""

    @property
    def state(self) -> Any: ...

    @property
    def trouble(self) -> Mapping[str, Any] | None: ...

    def earlier(self) -> Iterator[Any]:
        """What it believes, and what it would after one undo, after two, and so on."""

    def later(self) -> Iterator[Any]:
        """What it believes, and what it would after one redo, after two, and so on."""

    def options(self, question: int) -> Sequence[Any]:
        """The states after each answer to a question."""

    def tell(self, kind: str, **body: Any) -> None: ...


class Wishes:
    """What whoever looks on wants of the people. Any thread may set it."""

    def __init__(self, pace: float = PACE) -> None:
        self.pace = pace
        self.paused = False
        self.pause_soon = False
        """After this act."""
        self.cheat = False
        self.put_right = False
        self.gone = False
        self.suggested: list[Any] = []
        """Moves that were told on a phone, and that nobody has made yet."""


STEP: Final = 0.05
"""Seconds between two looks at everything that may have happened meanwhile."""
OPENS: Final = 300.0
"""Seconds in which the camera must have been opened and the table been read once."""
READ: Final = 6.0
"""Seconds for which people wait for a still table to be read,"""
UNDERSTOOD: Final = 6.0
SOONEST: Final = 1.5
RAID_UNDERSTOOD: Final = 8.0
"""then for the table to understand it (at pace 1, at the least, and after a raid), before they go on as people do,"""
HELD_UP: Final = 40.0
"""and at the most for a question to be answered."""
NOTICED: Final = 30.0
"""Seconds for which something wrong lies there before people lose interest in whether anybody notices."""
LOOKED_AT: Final = 36.0
"""Seconds at pace 1 for which it lies there after that, at the most those of people who notice it by themselves."""
GATHERED: Final = 8.0
"""Seconds for which a raid that is due is waited for; then somebody says on a phone what its timer should have told."""
AN_ACT: Final = 2.0
BY_HAND: Final = 0.8
"""Seconds that telling a move on a phone takes."""
OF_A_RAID: Final = 0.85
"""People are done with a raid a little before it stops."""
IN_HAND: Final = 0.2
"""Seconds before the stop at which somebody says who holds a tile, where no camera sees it."""
ANSWERS: Final = 18.0
REACTS: Final = 45.0
"""Seconds at pace 1 until people answer a question, or put straight what is understood wrongly, if no phone has."""
LOSES_PATIENCE: Final = 6
"""Acts after which people no longer believe that the table will understand by itself."""
MOST_UNDONE: Final = 60

Doing = Literal["laying", "playing", "raid", "wrong", "lying", "put_right", "takeback", "by_hand", "over"]


class Live:
    """One evening, in the thread that calls `play`."""

    def __init__(
        self,
        game: Game[Any, Any],
        people: People,
        state: Any,
        top: Top,
        presser: ButtonPresser,
        client: TableClient,
        wishes: Wishes,
        sleep: Callable[[float], None],
    ) -> None:
        self._game, self._people, self._top, self._presser = game, people, top, presser
        self._client, self._wishes, self._sleep = client, wishes, sleep
        self._simulation: Simulation = of(game.name)
        self.truth = Truth(game, state)
        self.act: Act | None = None
        self.doing: Doing = "laying"
        self.disagreements = 0
        """Acts since truth and belief were last the same."""
        self._question: int | None = None
        self._asked_for = 0.0

    def play(self) -> None:
        """Until the game is over. Raises `Gone`."""
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
        """The evening is over, and people stay at the table until they are gone."""
        while True:
            self._wait(1.0)

    def _between(self) -> None:
        wishes = self._wishes
        if wishes.pause_soon:
            wishes.paused, wishes.pause_soon = True, False
        self._wait(0.0)
        if wishes.suggested and not self._people.suggest(wishes.suggested.pop(0)):
            wishes.suggested.clear()
        if wishes.cheat and not self._top.blind:
            wishes.cheat = False
            self._people.cheat()

    # Acts

    def _live(self, act: Act) -> None:
        self.act, self._wishes.put_right = act, False
        raid = any(signal.kind == "timer" for signal in act.signals)
        self.doing = "raid" if raid else "playing" if act.kind == "moves" else act.kind
        by_hand = self._top.blind and act.kind != "wrong"
        if by_hand:
            self._catch_up()
        elif raid and not self._agrees():
            # Nobody would be asked to be ready where the table is elsewhere.
            self._set_straight()
        before = self.truth.state
        self.truth.add(act)
        self._presser.raid_due(raid)
        if by_hand:
            self._tell(act, before)
        else:
            self._do(act)
        self._presser.raid_due(False)
        if act.kind == "wrong":
            self._leave_it_lying()
        else:
            self._let_it_understand(RAID_UNDERSTOOD if raid else self._patience())
            if raid and not self._agrees():
                self._set_straight()

    def _let_it_understand(self, patience: float) -> None:
        """People go on before the table has understood, but not for long, and not while it waits for an answer."""
        if self._wait(patience, self._agrees):
            self.disagreements = 0
            return
        self.disagreements += 1
        if self._held_up():
            self._wait(self._soon(REACTS), lambda: self._agrees() or not self._held_up())
        if not self._agrees() and (self._held_up() or self.disagreements % LOSES_PATIENCE == 0):
            self._set_straight()

    def _set_straight(self) -> None:
        """Truth and belief have parted: somebody goes back or forth on a phone to where they were the same, and tells
        the rest. Where that leads nowhere either, the table is asked to take what it sees."""
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
        """Seconds of people at pace 1, at theirs."""
        return seconds / max(1.0, self._wishes.pace)

    def _patience(self) -> float:
        return max(SOONEST, UNDERSTOOD / self._wishes.pace)

    def _agrees(self) -> bool:
        return self.truth.agrees(self._client.state)

    def _held_up(self) -> bool:
        trouble = self._client.trouble
        return trouble is not None and trouble["kind"] in ("question", "lost", "verdict")

    def _leave_it_lying(self) -> None:
        """Until somebody has noticed it and had time to read why, or says that it is to be put right."""
        self.doing = "lying"
        self._wait(
            NOTICED / hurried(self._wishes.pace),
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
        """How long a moment lasts: at the people's pace, or so that the acts of a raid fill it."""
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
        """A button is pressed, a timer is waited for; what does not come is told by hand."""
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

    # When no camera sees it

    def _catch_up(self) -> None:
        """What was done just before the camera saw nothing any more is told too."""
        if not self._agrees():
            for move in self.truth.missing(self._client.state) or ():
                self._told(move)
            self._wait(self._patience(), self._agrees)

    def _tell(self, act: Act, state: Any) -> None:
        """Somebody says on a phone what is done, move by move, as at a table without a camera."""
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
        """Wait at most so long, and whether it came to that; time stands still while people are asked to pause."""
        left = seconds
        while True:
            if self._wishes.gone:
                raise Gone
            if not self._wishes.paused:
                if until is not None and until():
                    return True
                if left <= 0:
                    return False
                left -= STEP
                self._presser.step(STEP)
                self._react()
            self._top.step()
            self._sleep(STEP)

    def _react(self) -> None:
        """A question that nobody answers on a phone, people answer by themselves after a while."""
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
        """People know what they did. Where none of it is offered, the last answer is as good as any."""
        states = self._client.options(question)
        if states:
            right = self.truth.answer(states)
            self._client.tell("answer", question=question, option=len(states) - 1 if right is None else right)
