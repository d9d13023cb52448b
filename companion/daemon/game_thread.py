"""The game thread: handles messages one at a time and publishes updates. No other thread touches a game.

An exception does not stop the thread: the message that caused it is logged and counted, and the game stays as it was.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Final, Protocol

import msgspec

from companion.daemon.health import Health, told
from companion.daemon.inbox import Inbox
from companion.daemon.journal_folder import Begin, JournalFolder, Opened
from companion.daemon.refusals import refusal
from companion.games import UnknownGame
from companion.journal import JournalError
from companion.kernel.box import BoxError
from companion.kernel.events import EventBus
from companion.kernel.game import BadSetup
from companion.kernel.messages import Command, Message, Reading, Signal, Tick, Update
from companion.table import Table

_log = logging.getLogger(__name__)


class NoGame:
    """Stands in for a table while no game is open."""

    def __init__(self) -> None:
        self.number = 0

    def take(self, message: Message) -> tuple[Update, ...]:
        if not isinstance(message, Command):
            return ()
        self.number += 1
        return (Update(self.number, "refused", refusal(message, "no_game")),)

    def snapshot(self) -> dict[str, Any]:
        return {"game": None}

    def close(self) -> None:
        """Nothing to release."""


TICK: Final = 0.5
SLOW: Final = 5.0
"""Seconds that one message may take before the table's health is troubled."""
RECENT: Final = 60.0
"""Seconds for which the table's health stays troubled after a failed message."""
_UNFIT: Final = (UnknownGame, BadSetup, BoxError, JournalError, msgspec.ValidationError)
"""Errors of a setup that cannot be played."""


TellResult = Callable[[Command, dict[str, Any] | None], None]
"""Called after each Command, with the refusal if there was one."""


class Follower(Protocol):
    """A part that reacts to the table: lights and sounds, or the camera. Only the game thread calls it."""

    def opened(self, opened: Opened) -> None:
        """A game was begun or reopened."""

    def follow(self, opened: Opened | None, updates: tuple[Update, ...]) -> None:
        """A message was handled and led to these Updates, often none."""


class GameThread:
    """Owns the table. `begin` and `reopen` are called before `start`, or by the thread itself."""

    def __init__(
        self,
        inbox: Inbox,
        bus: EventBus,
        journals: JournalFolder,
        followers: Sequence[Follower] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._inbox, self._bus, self._journals, self._clock = inbox, bus, journals, clock
        self._followers = followers
        self._no_game = NoGame()
        self.opened: Opened | None = None
        self.answer: TellResult = lambda _command, _refusal: None
        self._begun_by = ""
        self._not_reopened = ""
        """Why the newest game was not reopened."""
        self._refusal: dict[str, Any] | None = None
        self._busy: tuple[Message, float] | None = None
        self._failed_at = float("-inf")
        self._failure = ""
        self.failures = 0
        self.steps = 0
        """Number of handled messages: it grows as long as the thread is alive."""
        self._thread = threading.Thread(target=self._run, name="game", daemon=True)
        bus.open(0, self._no_game.snapshot())

    @property
    def _table(self) -> Table[Any, Any] | NoGame:
        return self._no_game if self.opened is None else self.opened.table

    @property
    def waits(self) -> bool:
        return False  # ticks come at any time

    def begin(self, wanted: Begin) -> None:
        self._use_table(self._journals.begin(wanted))

    def reopen(self) -> bool:
        """Reopen the newest game; False if there is none or it is over."""
        try:
            opened = self._journals.reopen()
        except Exception as error:
            self._not_reopened = str(error)
            raise
        if opened is not None:
            self._use_table(opened)
            if (cut := opened.table.journal.cut_short) is not None:
                _log.warning("%s", cut)
        return opened is not None and not opened.over

    def _use_table(self, opened: Opened) -> None:
        self._table.close()
        self.opened = opened
        self._bus.open(opened.table.number, opened.table.snapshot())
        self._notify(lambda follower: follower.opened(opened))

    # The thread

    def start(self) -> None:
        self._thread.start()

    def finish(self, timeout: float) -> bool:
        """Wait until the closed inbox is empty. Returns whether every message was handled."""
        if self._thread.ident is None:
            self._table.close()  # it never started
            return True
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _run(self) -> None:
        next_tick = self._clock()
        while not self._inbox.over:
            now = self._clock()
            if now >= next_tick:
                # Through the inbox, so that a handled tick proves that the inbox works too.
                self._inbox.put(Tick(now))
                next_tick = now + TICK
            message = self._inbox.take(next_tick - now)
            if message is not None:
                self.take(message)
        self._table.close()

    def take(self, message: Message) -> None:
        """Handle one message. Never raises."""
        self._busy = message, self._clock()
        self._refusal = None
        try:
            updates = self._taken(message)
        except Exception as error:  # a bug in a game's rules must not stop the companion
            why = str(error).rstrip(".") or type(error).__name__
            first = why != self._failure
            self._failure, self._failed_at = why, self._clock()
            self.failures += 1
            _log.error("The table could not take %s: %s.", described(message), why, exc_info=first)
            if isinstance(message, Command):
                self._refuse(message, "failed", why)
        else:
            self._notify(lambda follower: follower.follow(self.opened, updates))
        if isinstance(message, Command):
            self._say_taken(message)
        self._busy = None
        self.steps += 1

    def _taken(self, message: Message) -> tuple[Update, ...]:
        if isinstance(message, Command) and message.kind == "begin":
            return self._begin_command(message)
        updates = self._table.take(message)
        if updates:
            self._bus.publish(updates, self._table.snapshot())
        self._refusal = next((update.body for update in updates if update.kind == "refused"), None)
        return updates

    def _refuse(self, command: Command, reason: str, english: str = "") -> None:
        self._refusal = refusal(command, reason, english)
        self._bus.aside("refused", self._refusal)

    def _say_taken(self, command: Command) -> None:
        try:
            self.answer(command, self._refusal)
        except Exception as error:  # a phone's answer must not stop the game
            _log.exception("The answer to %s could not be delivered: %s.", described(command), error)

    def _begin_command(self, command: Command) -> tuple[Update, ...]:
        if command.id == self._begun_by:
            return ()  # a repeated message: the phone did not receive the first answer
        try:
            wanted = msgspec.convert(command.body, Begin)
            if self.opened is not None and not self.opened.over and not wanted.instead:
                self._refuse(command, "playing")
                return ()
            self.begin(wanted)
        except _UNFIT as error:
            self._refuse(command, "not_begun", str(error))
            return ()
        self._begun_by = command.id
        return ()

    def _notify(self, act: Callable[[Follower], None]) -> None:
        for follower in self._followers:
            try:
                act(follower)
            except Exception as error:  # a broken light must not stop the game
                _log.exception("The %s could not follow the table: %s.", type(follower).__name__.lower(), error)

    # Health

    def health(self) -> Iterator[Health]:
        yield self._table_health(self._clock())
        if self.opened is None and self._not_reopened:
            yield told("journal", "failed", "journal.left_alone", english=self._not_reopened)
        elif self.opened is None:
            yield told("journal", "absent", "journal.none")
        else:
            yield _journal_health(self.opened.table)

    def _table_health(self, now: float) -> Health:
        busy = self._busy
        if self._thread.ident is not None and not self._thread.is_alive():
            return told("table", "failed", "table.ended")
        if busy is not None and now - busy[1] > SLOW:
            return told("table", "failed", "table.busy", english=described(busy[0]))
        counted = {"number": self.failures, "english": self._failure}
        if now - self._failed_at < RECENT:
            return told("table", "troubled", "table.stumbled", **counted)
        return told("table", "ok", "table.stumbled_once" if self.failures else "table.fine", **counted)


def _journal_health(table: Table[Any, Any]) -> Health:
    journal = table.journal
    if table.unwritten:
        return told("journal", "failed", "journal.unwritten", english=table.unwritten)
    # Report the cut only until something is written after it: then people have seen where the game continued.
    if journal.cut_short is not None and journal.cut_short.readable == journal.last_number:
        return told("journal", "troubled", "journal.cut_short", number=journal.last_number)
    return told("journal", "ok", "journal.written", path=journal.path)


def described(message: Message) -> str:
    """A short description of a message for the log."""
    match message:
        case Reading():
            return f"the reading of frame {message.frame}"
        case Signal():
            return f"the signal {message.kind!r} from {message.source!r}"
        case Command():
            return f"the command {message.kind!r} {msgspec.json.encode(message.body).decode()[:200]} ({message.id})"
        case Tick():
            return "a tick"
