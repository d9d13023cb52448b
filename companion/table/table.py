"""The table: the only part that changes a game. It handles one message at a time, and writes a move before it counts.

It has no clock and no thread: the same messages always give the same result. Time comes from the messages; a jump of
the clock advances it only a little.
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
"""Maximum seconds between two messages, so that a jump of the clock does not end any waiting time."""
_NO_COUNTDOWN: Final[dict[str, Any]] = {"over": True}


class Table(TableActions[S, M]):
    """One game at one table."""

    def __init__(self, ledger: Ledger[S, M], sides: Mapping[SeatNo, str] | None = None) -> None:
        super().__init__(ledger, sides)
        self.number = 0
        self.unwritten = ""
        """Why the last write to the journal failed, as people were told; empty if it succeeded."""
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
        """Begin a game with a new journal."""
        return cls(Ledger.begin(game, path, game.load_box(answers), seats, dict(options or {}), now), sides)

    @classmethod
    def reopen(cls, game: Game[S, M], path: Path, now: Clock, sides: Mapping[SeatNo, str] | None = None) -> Table[S, M]:
        """Continue the game of a journal from its last event."""
        table = cls(Ledger.reopen(game, path, now), sides)
        if (change := table.ledger.change) is not None:
            table._show_rules_change(change)
        return table

    def _show_rules_change(self, change: Change) -> None:
        """Show once that the rules have changed since the game was written."""
        says = self.tell.plain(change.sentence, number=change.unfollowed)
        _log.warning("%s: %s (event %d: %s)", self.journal.path, says["en"], change.n, change.how)
        if not self.over:
            list(self._troubled("hint", {"says": says}))

    @property
    def waits(self) -> bool:
        """Whether the passing of time alone can change something."""
        return bool(self._presses) or (self._pending is not None and self._pending.waits)

    def close(self) -> None:
        self.ledger.close()

    # One message after another

    def take(self, message: Message) -> tuple[Update, ...]:
        """Handle a message and return its Updates. If the journal cannot be written, nothing changes but an Update
        says so."""
        bodies: list[News] = []
        written = self.journal.last_number
        try:
            bodies.extend(self._news_of(message))
            if self.journal.last_number > written:
                self.unwritten = ""
        except JournalError as error:
            _log.error("%s", error)
            if isinstance(message, Command) or not self.unwritten:
                bodies.append(("refused", self.tell.refused("journal", english=str(error))))
            self.unwritten = str(error)
        return tuple(self._update(kind, _of(message, body) if kind == "refused" else body) for kind, body in bodies)

    def _news_of(self, message: Message) -> Iterator[News]:
        match message:
            case Reading():
                yield from self._read(message)
            case Signal():
                yield from self._handle_signal(message)
            case Command():
                yield from commands.carry_out(self, message)
            case Tick():
                self._time(message.at)
                yield from self._decide()
                yield from self._stop_unseen()
        if not isinstance(message, Signal):
            yield from self._handle_waiting()
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
        """The Updates about the new state, if it has changed."""
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
        """The countdown that is due or running. After its stop it is over, even if the table still has to be seen."""
        countdown = self.game.countdown(self.state)
        if countdown is None or self._pending_stop is not None:
            return _NO_COUNTDOWN
        return {"leader": countdown.leader, "seconds": countdown.seconds, "running": countdown.running}

    # Signals

    def _handle_signal(self, signal: Signal) -> Iterator[News]:
        """Handle a Signal of a button or the timer."""
        if signal.seat is not None and not 0 <= signal.seat < len(self.seats):
            _log.info("Seat %s does not play: %s is ignored.", signal.seat, signal)
            return
        if self._presses.known(signal):
            _log.info("%s came before and is ignored.", signal)
            return
        self._time(signal.at)
        self._presses.add(signal, self._now)
        yield from self._handle_waiting()

    def _handle_waiting(self) -> Iterator[News]:
        """Handle waiting Signals once no hand is over the table; during a countdown do not wait for hands."""
        busy = self.game.countdown(self.state) is None and self.observations.under_hands(self._now)
        for signal in self._presses.due(busy, self._now):
            try:
                yield from self._done_before(signal)
                if (move := self._meant(self.state, signal)) is not None:
                    yield from self.make([move], signal)
                    yield from self.judge_again()
                else:
                    _log.info("%s means nothing now.", signal)
            except JournalError:
                self._presses.forget(signal)
                raise

    def _meant(self, state: S, signal: Signal) -> M | None:
        return next((move for move in self.game.signalled(state, signal) if not self.game.check(state, move)), None)

    def _done_before(self, signal: Signal) -> Iterator[News]:
        """Accept moves that waited to be seen better, or that might have been half done: the player who presses a
        button has no piece in the hand any more."""
        if signal.kind != "press" or self._pending is None or isinstance(self._pending.finding, Settled):
            return
        finding = self._pending.finding
        if not isinstance(finding, Explained):
            finding = self.judge.continuation(self.observations.view(self.ledger.ignored)) or finding
        if not isinstance(finding, Explained) or self._evidence(finding).covered:
            return
        if not finding.half_done or self._meant(self.outcomes.option(finding), signal) is not None:
            yield from self.accept(finding.moves, self.proof())

    # Readings

    def _read(self, reading: Reading) -> Iterator[News]:
        latest = self.observations.latest
        if latest is not None and is_late(reading.at, latest.at):
            # The same picture again is no second look.
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
        """Ask for another look at zones with unreadable places."""
        unclear = self.observations.unclear(self.game.view(self.state), self._now) - self.ledger.ignored
        if unclear:
            yield "look_again", {"zones": sorted(unclear)}

    def _watch(self, countdown: Countdown, reading: Reading) -> Iterator[News]:
        if self._countdown is None:
            self._countdown = CountdownWatch(countdown, self._sides)
        for suspicion in self._countdown.read(reading):
            yield "hint", self.tell.suspicion(suspicion, self.state)

    def _stop_unseen(self) -> Iterator[News]:
        """End a stopped countdown even if the camera never looks again."""
        pending_stop = self._pending_stop
        if pending_stop is not None and pending_stop.waited_in_vain(self.observations, self._now):
            self._pending_stop = None
            yield from self.accept([pending_stop.move], pending_stop.proof)

    # For phones that connect

    def snapshot(self) -> dict[str, Any]:
        """The full status, for a phone that has just connected."""
        return self._snapshots.take(self, self.number, self.countdown())


def _of(message: Message, refusal: dict[str, Any]) -> dict[str, Any]:
    """A refusal with the id of its command."""
    return {"command": message.id, **refusal} if isinstance(message, Command) else refusal
