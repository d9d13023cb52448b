"""Start all parts of the daemon, check their health, and stop them in order."""

from __future__ import annotations

import logging
import queue
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final, Protocol

from companion.daemon.game_thread import GameThread
from companion.daemon.health import Health, HealthLog, disk, kept_files, machine, summed_up
from companion.daemon.inbox import Inbox
from companion.daemon.systemd import Heartbeat, Progress, Systemd
from companion.kernel.events import EventBus
from companion.text.sentences import both_words
from web.server import WebServer

_log = logging.getLogger(__name__)

LOOK: Final = 1.0
"""Seconds between two health checks."""
LAST_MESSAGES: Final = 6.0
"""Seconds that the game thread has for waiting messages when the companion stops."""


class Source(Progress, Protocol):
    """Something that puts messages into the inbox: the camera thread, a socket, the web server."""

    def start(self) -> None: ...

    def stop(self) -> None:
        """Release all resources, within a few seconds."""

    def health(self) -> Iterable[Health]: ...


class Daemon:
    """Runs in the thread that calls `run`, usually the main one; `stop` may be called from anywhere."""

    def __init__(
        self,
        home: Path,
        inbox: Inbox,
        bus: EventBus,
        game_thread: GameThread,
        sources: Sequence[Source],
        systemd: Systemd,
        others: Callable[[], Iterable[Health]] = tuple,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """`others` returns the health of parts that are no sources: buttons and lights."""
        self._home, self._inbox, self._clock = home, inbox, clock
        self.bus, self.game_thread = bus, game_thread
        self._sources, self._systemd, self._others = sources, systemd, others
        self._heart = Heartbeat(systemd, game_thread, *sources)
        self._log = HealthLog()
        # Not an Event: a signal handler that sets it would deadlock while this thread holds the Event's lock.
        self._asked_to_stop: queue.SimpleQueue[None] = queue.SimpleQueue()

    def stop(self) -> None:
        """Ask the daemon to stop. Safe in a signal handler."""
        self._asked_to_stop.put(None)

    def health(self) -> tuple[Health, ...]:
        """The current health of every part. Any thread may call it."""
        kept = (disk(self._home), *kept_files(self._home))
        parts = [*self.game_thread.health(), *self._inbox.health(), *kept, *machine()]
        for source in self._sources:
            parts += source.health()
        return (*parts, *self._others())

    def run(self, hello: Callable[[], None] = lambda: None) -> bool:
        """Run until asked to stop. Returns whether every accepted message was handled."""
        started: list[Source] = []
        try:
            for source in self._sources:
                source.start()
                started.append(source)
            self.game_thread.start()
            hello()
            self._systemd.ready(self._summary())
            self._watch_over_it()
        finally:
            clean = self._close(started)
        return clean

    def _watch_over_it(self) -> None:
        pause = LOOK if self._systemd.interval is None else min(LOOK, self._systemd.interval)
        while True:
            try:
                return self._asked_to_stop.get(timeout=pause)
            except queue.Empty:
                self._log.look(self.health())
                self._systemd.status(self._summary())
                self._heart.beat(self._clock())

    def _summary(self) -> str:
        opened = self.game_thread.opened
        return f"{opened.game.name if opened else 'no game'}; {summed_up(self.health())}"

    def _close(self, started: Sequence[Source]) -> bool:
        """Close the inbox, handle the messages in it, and only then stop the listeners and sources."""
        self._systemd.stopping()
        self._inbox.close()
        taken = self.game_thread.finish(LAST_MESSAGES)
        if not taken:
            _log.error("The table still hangs in a message; %d others were not taken.", len(self._inbox))
        self.bus.close()
        for source in reversed(started):
            try:
                source.stop()
            except Exception as error:  # the others still have to be stopped
                _log.exception("A part could not be stopped: %s.", error)
        return taken


class WebPage:
    """The web server as a source: phones send Commands and receive Updates through it."""

    def __init__(self, server: WebServer) -> None:
        self.server = server

    @property
    def steps(self) -> int:
        return self.server.steps

    @property
    def waits(self) -> bool:
        return self.server.waits

    def start(self) -> None:
        self.server.start()

    def stop(self) -> None:
        self.server.stop()

    def health(self) -> Iterator[Health]:
        state, says = self.server.health()
        yield Health("web", state, says, both_words(f"web.{state}")["de"])

    def seated(self) -> frozenset[int]:
        """The seats that phones have taken."""
        phones = self.server.phones
        return frozenset(phones.seated()) if phones is not None else frozenset()

    def joined(self) -> bool:
        """Whether any phone has joined: a player, a host or a watcher."""
        phones = self.server.phones
        return phones is not None and phones.any_known
