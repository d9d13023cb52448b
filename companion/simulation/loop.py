"""The closed loop: people move pieces, a camera reads the table, the Table explains it, and belief is compared with
truth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from itertools import islice
from operator import eq
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from time import thread_time
from typing import Any, Final, Protocol

import msgspec

from companion.kernel.game import Game
from companion.kernel.messages import Command, Message, Reading, Tick, Update
from companion.kernel.views import View
from companion.referee import Finding, Referee
from companion.simulation.camera import Moment
from companion.simulation.people import Act, People, alike
from companion.simulation.selfplay import open_table
from companion.table import Table

TICK: Final = 0.5
"""Simulated seconds between two ticks."""
LAST_LOOK: Final = 25.0
"""Simulated seconds for which nothing changes at the end, longer than the table waits for anything."""


class Observer(Protocol):
    """What looks at the table while people act."""

    def show(self, moment: Moment, now: float) -> Iterator[Reading]: ...

    def look_again(self, zones: Collection[str], now: float) -> Iterator[Reading]: ...

    def spread(self, zones: Collection[str], now: float) -> Iterator[Reading]:
        """The Readings after people have spread the pieces of these zones."""


class Percentiles(msgspec.Struct, frozen=True):
    p50: float
    p95: float


class Outcome(msgspec.Struct):
    """The result of a series of games."""

    game: str
    players: int
    games: int = 0
    finished: int = 0
    moves: int = 0
    explained_right: int = 0
    explained_wrong: int = 0
    asked: int = 0
    hints: int = 0
    false_accusations: int = 0
    illegal_tried: int = 0
    illegal_caught: int = 0
    illegal_reason_right: int = 0
    takebacks: int = 0
    takebacks_right: int = 0
    lost: int = 0
    final_scores_right: int = 0
    readings: int = 0
    finding_ms: Percentiles = Percentiles(0.0, 0.0)
    reading_ms: Percentiles = Percentiles(0.0, 0.0)
    seconds: float = 0.0
    tried: dict[str, int] = {}
    """Mistakes by kind. `missed` are those that were not caught, `misnamed` those with the wrong rule."""
    missed: dict[str, int] = {}
    misnamed: dict[str, int] = {}
    odd: list[str] = []
    """One line for each problem, for people to look at."""


class TimedReferee(Referee[Any, Any]):
    """A referee that measures its own CPU time."""

    def __init__(self, game: Game[Any, Any]) -> None:
        super().__init__(game)
        self.seconds: list[float] = []

    def judge(self, state: Any, seen: View, earlier: Sequence[Any] = (), made: Sequence[Any] = ()) -> Finding:
        started = thread_time()
        finding = super().judge(state, seen, earlier, made)
        self.seconds.append(thread_time() - started)
        return finding


def percentiles(seconds: Sequence[float]) -> Percentiles:
    """The median and the 95th percentile, in milliseconds."""
    if not seconds:
        return Percentiles(0.0, 0.0)
    ordered = sorted(seconds)
    return Percentiles(
        round(1000 * ordered[len(ordered) // 2], 2),
        round(1000 * ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))], 2),
    )


def play(
    game: Game[Any, Any],
    players: int,
    seed: str,
    observer: Callable[[Random], Observer],
    outcome: Outcome,
    made: Counter[str],
    on_act: Callable[[], None] = lambda: None,
    fixed: Mapping[str, Any] | None = None,
    acts: int | None = None,
) -> list[float]:
    """Play one game, with some options `fixed`, to its end or for a number of `acts`. Returns the seconds that the
    referee needed for each finding."""
    state, world = open_table(game, players, "keen", seed, fixed=fixed)
    rng = Random(f"people/{seed}")
    people = People(game, state, world, rng, made=made)
    referee = TimedReferee(game)
    options = msgspec.to_builtins(state.options)
    with TemporaryDirectory() as folder:
        table = Table.begin(game, Path(folder) / "loop.journal", state.seats, options, str)
        table.judge.referee = referee
        try:
            evening = Evening(game, table, observer(Random(f"eyes/{seed}")), state, outcome, seed)
            for act in islice(people.acts(), acts):
                evening.live(act)
                on_act()
            evening.end()
        finally:
            table.close()
    return referee.seconds


class Evening:
    """One game as it is really played, beside what the Table believes."""

    def __init__(
        self, game: Game[Any, Any], table: Table[Any, Any], observer: Observer, state: Any, outcome: Outcome, seed: str
    ) -> None:
        self._game = game
        self._seed = seed
        self._table = table
        self._observer = observer
        self._outcome = outcome
        self._now = 0.0
        self._truths = [state]
        """Every true state since the Table last believed the right one."""
        self._same = table.ledger.now
        self._unexplained: list[Any] = []
        """The moves that were really made since then."""
        self._act: Act | None = None
        self._caught = False
        self._diverged = False
        self._to_spread: list[str] = []
        """Heaps that people were asked to spread."""
        self._commands = 0

    def live(self, act: Act) -> None:
        self._act, self._caught = act, False
        out = self._outcome
        if act.kind == "wrong":
            out.illegal_tried += 1
            out.tried[act.mistake] = out.tried.get(act.mistake, 0) + 1
        self._remember(act)
        for move in act.told:
            self._take([self._command("move", move=msgspec.to_builtins(move))])
        for moment in act.moments:
            self._live_through(moment)
        self._compare(act)

    def _remember(self, act: Act) -> None:
        if act.kind == "moves":
            self._outcome.moves += len(act.moves)
            self._unexplained += act.moves
            state = self._truths[-1]
            for move in act.moves:
                state = self._game.play(state, move)
                self._truths.append(state)
        elif act.kind == "takeback":
            self._outcome.takebacks += 1
            self._truths.append(act.state)

    # Time

    def _live_through(self, moment: Moment) -> None:
        for signal in moment.signals:
            self._now += 0.05
            self._take([msgspec.structs.replace(signal, at=self._now)])
        end = self._now + moment.seconds
        self._wait(end, self._watch(self._observer.show(moment, self._now)))

    def _wait(self, end: float, asked: set[str]) -> None:
        """Let time pass. People only do what the table asks for."""
        while self._now < end:
            if self._to_spread:
                heaps, self._to_spread = self._to_spread, []
                asked |= self._watch(self._observer.spread(heaps, self._now))
            elif asked:
                asked = self._watch(self._observer.look_again(sorted(asked), self._now))
            elif not self._table.waits and self._now + TICK < end:
                self._now = end  # waiting would change nothing
            else:
                self._now += TICK
                asked = self._take([Tick(self._now)])

    def _watch(self, readings: Iterable[Reading]) -> set[str]:
        """Give Readings to the table. Returns the zones that need another look."""
        asked: set[str] = set()
        for reading in readings:
            self._outcome.readings += 1
            self._now = max(self._now, reading.at)
            asked |= self._take([reading])
        return asked

    def _take(self, messages: Iterable[Message]) -> set[str]:
        asked: set[str] = set()
        todo = list(messages)
        while todo:
            for update in self._table.take(todo.pop(0)):
                if update.kind == "look_again":
                    asked |= set(update.body["zones"])
                todo += self._note(update)
        return asked

    def _command(self, kind: str, **body: Any) -> Command:
        self._commands += 1
        return Command(f"loop {self._commands}", kind, body=body)

    # What the table says

    def _note(self, update: Update) -> list[Message]:
        out = self._outcome
        match update.kind:
            case "verdict":
                self._accused(update.body)
            case "question":
                out.asked += 1
                return [self._answer(update.body)]
            case "hint":
                out.hints += 1
                self._to_spread = update.body.get("spread", [])
                if "strange" in update.body:
                    return self._say_what_lies_there()
            case "lost":
                out.lost += 1
                self._odd("lost", update.body["says"]["en"])
            case "refused":
                self._odd("refused", update.body["says"]["en"])
        return []

    def _accused(self, body: dict[str, Any]) -> None:
        out, act = self._outcome, self._act
        rules = frozenset(breach["rule"] for breach in body["breaches"])
        if act is None or act.kind != "wrong":
            out.false_accusations += 1
            self._odd("false accusation", body["says"]["en"])
        elif not self._caught:
            self._caught = True
            out.illegal_caught += 1
            out.illegal_reason_right += act.breaks(rules)
            if not act.breaks(rules):
                out.misnamed[act.mistake] = out.misnamed.get(act.mistake, 0) + 1
                self._odd("misnamed", f"{act.moves[0]} {sorted(act.rules)} as {sorted(rules)}")

    def _answer(self, body: dict[str, Any]) -> Command:
        """The answer of people, who know what they did, and with which of two figures."""
        assert self._table.question is not None
        _, options = self._table.question
        ends = [self._table.state if option is None else self._table.outcomes.option(option) for option in options]
        for same in (eq, self._alike):  # two answers may look the same and differ in what people have in their hands
            for number, after in enumerate(ends):
                if any(same(after, truth) for truth in reversed(self._truths)):
                    return self._command("answer", question=body["id"], option=number)
        if self._alike(self._table.state, self._truths[-1]):
            return self._command("dismiss")  # it was none of these, and nothing has changed
        self._odd("no answer", str([one["says"]["en"] for one in body["options"]]))
        self._outcome.explained_wrong += 1
        return self._command("answer", question=body["id"], option=len(options) - 1)

    def _say_what_lies_there(self) -> list[Message]:
        """People look at what chance has turned up, and choose it from a list."""
        chance = (move for move in self._unexplained if not hasattr(move, "seat"))
        known = (move for move in chance if not self._game.check(self._table.state, move))
        return [self._command("move", move=msgspec.to_builtins(move)) for move in islice(known, 1)]

    # Truth and belief

    def _compare(self, act: Act) -> None:
        out, belief = self._outcome, self._table.state
        if act.kind == "wrong":
            if not self._caught:
                out.missed[act.mistake] = out.missed.get(act.mistake, 0) + 1
                self._odd("missed", f"{act.moves[0]} {sorted(act.rules)}")
            return
        if act.kind == "takeback":
            out.takebacks_right += self._alike(belief, act.state)
        if self._alike(belief, self._truths[-1]):
            out.explained_right += len(self._unexplained)
            self._unexplained, self._truths, self._same = [], [self._truths[-1]], self._table.ledger.now
            self._diverged = False
        elif self._lags(belief):
            self._diverged = False
        elif not self._diverged:
            out.explained_wrong += not self._table.troubled
            self._odd("wrong", f"after {act.kind} {[type(move).__name__ for move in act.moves]}")
            self._diverged = True

    def _lags(self, belief: Any) -> bool:
        """Whether belief is only late: it is an earlier true state, or has some of the real moves and no other."""
        if any(self._alike(belief, truth) for truth in self._truths):
            return True
        believed = [point.move for point in self._table.ledger.line() if point.n > self._same.n]
        return not Counter(believed) - Counter(self._unexplained)

    def _alike(self, one: Any, other: Any) -> bool:
        return alike(self._game, one, other)

    def end(self) -> None:
        """Leave the table unchanged until the table has said who won, and compare the final scores."""
        self._wait(self._now + LAST_LOOK, set())
        if self._act is not None and self._act.kind == "moves":
            self._compare(self._act)
        out, truth, belief = self._outcome, self._truths[-1], self._table.state
        out.games += 1
        out.finished += self._game.actor(truth) is None
        right = self._game.score(belief) == self._game.score(truth) and self._game.actor(belief) == self._game.actor(
            truth
        )
        out.final_scores_right += right
        if not right:
            self._odd("final score", str([seat.total for seat in self._game.score(belief).seats]))

    def _odd(self, what: str, says: str) -> None:
        if len(self._outcome.odd) < 200:
            self._outcome.odd.append(f"game {self._seed}, {self._now:.0f} s: {what}: {says}"[:300])
