"""The table: the only part that changes a game. It takes one message at a time and writes down what it accepts first.

It has no clock and no thread of its own: given the same messages it does the same thing. Time is what the messages say,
and a clock that jumps moves it by a little only.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from math import isfinite
from pathlib import Path
from typing import Any, Final

from companion.journal import Clock, JournalError
from companion.journal.replay import Change
from companion.kernel.capabilities import Countdown
from companion.kernel.game import Game, M, S
from companion.kernel.messages import Command, Message, Reading, Signal, Tick, Update
from companion.kernel.rules import Seat, SeatNo
from companion.referee import Explained, Settled
from companion.table import commands
from companion.table.actions import News, TableActions
from companion.table.countdown import CountdownWatch
from companion.table.ledger import Ledger
from companion.table.observations import is_late
from companion.table.snapshot import Snapshots

_log = logging.getLogger(__name__)

_STEP: Final = 5.0
"""Seconds by which time goes on at the most between two messages: a clock that jumps ends nobody's patience."""
_NO_COUNTDOWN: Final[dict[str, Any]] = {"over": True}


class Table(TableActions[S, M]):
    """One game at one table."""

    def __init__(self, ledger: Ledger[S, M], sides: Mapping[SeatNo, str] | None = None) -> None:
        super().__init__(ledger, sides)
        self.number = 0
        self.unwritten = ""
        """Why the journal could not be written last; people know. Empty if it could."""
        self._told_countdown = _NO_COUNTDOWN
        self._told_expects: dict[str, Any] = {}
        self._snapshots = Snapshots()

    @classmethod
    def begin(
        cls,
        game: Game[S, M],
        path: Path,
        seats: tuple[Seat, ...],
        options: Mapping[str, Any] | None,
        now: Clock,
        answers: Mapping[str, Any] | None = None,
        sides: Mapping[SeatNo, str] | None = None,
    ) -> Table[S, M]:
        """A new game with a journal of its own."""
        return cls(Ledger.begin(game, path, game.load_box(answers), seats, dict(options or {}), now), sides)

    @classmethod
    def reopen(cls, game: Game[S, M], path: Path, now: Clock, sides: Mapping[SeatNo, str] | None = None) -> Table[S, M]:
        """A game that was begun before, as it was when the last event was written."""
        table = cls(Ledger.reopen(game, path, now), sides)
        if (change := table.ledger.change) is not None:
            table._tell_of(change)
        return table

    def _tell_of(self, change: Change) -> None:
        """The rules are no longer those that the game was written by: said once, to whoever looks."""
        says = self.tell.plain(change.sentence, number=change.unfollowed)
        _log.warning("%s: %s (event %d: %s)", self.journal.path, says["en"], change.n, change.how)
        if not self.over:
            list(self._troubled("hint", {"says": says}))

    @property
    def waits(self) -> bool:
        """Whether time alone could lead to something."""
        return bool(self._presses) or (self._pending is not None and self._pending.waits)

    def close(self) -> None:
        self.ledger.close()

    # One message after another

    def take(self, message: Message) -> tuple[Update, ...]:
        """What one message leads to. A journal that cannot be written changes nothing and says so."""
        bodies: list[News] = []
        written = self.journal.last_number
        try:
            bodies.extend(self._led_to(message))
            if self.journal.last_number > written:
                self.unwritten = ""
        except JournalError as error:
            _log.error("%s", error)
            if isinstance(message, Command) or not self.unwritten:
                bodies.append(("refused", self.tell.refused("journal", why=str(error))))
            self.unwritten = str(error)
        return tuple(self._update(kind, _of(message, body) if kind == "refused" else body) for kind, body in bodies)

    def _led_to(self, message: Message) -> Iterator[News]:
        match message:
            case Reading():
                yield from self._read(message)
            case Signal():
                yield from self._hear(message)
            case Command():
                yield from commands.obey(self, message)
            case Tick():
                self._time(message.at)
                yield from self._weigh()
                yield from self._stop_unseen()
        if not isinstance(message, Signal):
            yield from self._heed()
        yield from self._news()

    def _update(self, kind: str, body: dict[str, Any]) -> Update:
        self.number += 1
        return Update(self.number, kind, body)

    def _time(self, at: float) -> None:
        if not isfinite(at):
            return
        self._now += min(max(at - self._last_at, 0.0), _STEP)
        self._last_at = at

    def _news(self) -> Iterator[News]:
        """What follows from where the game stands now, if it has changed."""
        countdown = self.game.countdown(self.state)
        if countdown is None or not countdown.running:
            self._pending_stop = self._countdown = None
        body = self.countdown()
        if body != self._told_countdown:
            self._told_countdown = body
            yield "rush", body
        expects = self.expects()
        if expects != self._told_expects:
            self._told_expects = expects
            yield "expects", expects
            if self.over:
                yield "over", {}

    def countdown(self) -> dict[str, Any]:
        """The countdown that is due or running; once it is stopped it is over, whatever is still to be seen."""
        countdown = self.game.countdown(self.state)
        if countdown is None or self._pending_stop is not None:
            return _NO_COUNTDOWN
        return {"leader": countdown.leader, "seconds": countdown.seconds, "running": countdown.running}

    # Signals

    def _hear(self, signal: Signal) -> Iterator[News]:
        """A button, or the timer."""
        if signal.seat is not None and not 0 <= signal.seat < len(self.seats):
            _log.info("Nobody sits at seat %s: %s is ignored.", signal.seat, signal)
            return
        if self._presses.known(signal):
            _log.info("%s was heard already.", signal)
            return
        self._time(signal.at)
        self._presses.add(signal, self._now)
        yield from self._heed()

    def _heed(self) -> Iterator[News]:
        """What was pressed, once no hand is over the table; during a countdown hands are everywhere."""
        busy = self.game.countdown(self.state) is None and self.observations.under_hands(self._now)
        for signal in self._presses.due(busy, self._now):
            try:
                yield from self._done_before(signal)
                if (move := self._meant(self.state, signal)) is not None:
                    yield from self.make([move], signal)
                    yield from self.look_afresh()
                else:
                    _log.info("%s means nothing now.", signal)
            except JournalError:
                self._presses.forget(signal)
                raise

    def _meant(self, state: S, signal: Signal) -> M | None:
        return next((move for move in self.game.signalled(state, signal) if not self.game.check(state, move)), None)

    def _done_before(self, signal: Signal) -> Iterator[News]:
        """Whoever presses a button has nothing left in the hand: what was seen and only waited to be seen better, or
        might have been half done, counts first."""
        if signal.kind != "press" or self._pending is None or isinstance(self._pending.finding, Settled):
            return
        finding = self._pending.finding
        if not isinstance(finding, Explained):
            finding = self.judging.gone_on(self.observations.view(self.ledger.ignored)) or finding
        if not isinstance(finding, Explained) or self._evidence(finding).covered:
            return
        if not finding.half_done or self._meant(self.outcomes.option(finding), signal) is not None:
            yield from self.accept(finding.moves, self.proof())

    # Readings

    def _read(self, reading: Reading) -> Iterator[News]:
        latest = self.observations.latest
        if latest is not None and is_late(reading.at, latest.at):
            # The same picture twice is no second look.
            _log.info("A reading of %.1f s came after one of %.1f s and is ignored.", reading.at, latest.at)
            return
        self._time(max(reading.at, self._last_at))
        self.observations.take(reading, self._now)
        countdown = self.game.countdown(self.state)
        if countdown is None or not countdown.running or self._stopped_before(reading):
            news = list(self._judge())
            yield from news
            if not any(kind == "look_again" for kind, _ in news):
                yield from self._look_closer()
        elif self._pending_stop is None:
            yield from self._watch(countdown, reading)

    def _look_closer(self) -> Iterator[News]:
        """What the camera could not make out may be clearer in the next picture."""
        unclear = self.observations.unclear(self.game.view(self.state), self._now) - self.ledger.ignored
        if unclear:
            yield "look_again", {"zones": sorted(unclear)}

    def _watch(self, countdown: Countdown, reading: Reading) -> Iterator[News]:
        if self._countdown is None:
            self._countdown = CountdownWatch(countdown, self._sides)
        for suspicion in self._countdown.read(reading):
            yield "hint", self.tell.suspicion(suspicion, self.state)

    def _stop_unseen(self) -> Iterator[News]:
        """A countdown that was stopped ends, too, if the camera never looks again."""
        pending_stop = self._pending_stop
        if pending_stop is not None and pending_stop.waited_in_vain(self.observations, self._now):
            self._pending_stop = None
            yield from self.accept([pending_stop.move], pending_stop.proof)

    # For phones that connect

    def snapshot(self) -> dict[str, Any]:
        """Where the game stands, for a phone that has just connected."""
        return self._snapshots.take(self, self.number, self.countdown())


def _of(message: Message, refusal: dict[str, Any]) -> dict[str, Any]:
    """A refusal, with the command that was refused."""
    return {"command": message.id, **refusal} if isinstance(message, Command) else refusal
