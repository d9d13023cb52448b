"""What a table learns about its box: kept for the next games, and shown to the camera while the piece lies there."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import msgspec

from companion.daemon.journal_folder import Opened
from companion.kernel.box import LEARNED, Answers, BoxError, Learned, learned_in
from companion.kernel.messages import Update
from web.backend import Refused

_log = logging.getLogger(__name__)

Teach = Callable[[str, str | None, float | None, float | None, str], Any]
"""Tells the camera what lies in a zone's place. Raises `Refused`."""
Start = Callable[[Callable[[], None]], None]


def _in_a_thread(lesson: Callable[[], None]) -> None:
    threading.Thread(target=lesson, name="lesson", daemon=True).start()


class Lessons:
    """Follows the table. The answers for its game hold what its box has learned, also after that was undone."""

    def __init__(self, home: Path, teach: Teach | None = None, start: Start = _in_a_thread) -> None:
        """A kit learns for seconds: `start` sees to it that nobody waits."""
        self._home, self._teach, self._start = home, teach, start
        self._known: tuple[Learned, ...] = ()

    def opened(self, opened: Opened) -> None:
        """A game that goes on may have learned something just before the power went."""
        self._known = _learned(opened)
        if self._known and not opened.over:
            self._keep(opened, lambda kept: [*kept, *_besides(self._known, kept)])

    def follow(self, opened: Opened | None, updates: tuple[Update, ...]) -> None:
        if opened is None:
            return
        before, self._known = self._known, _learned(opened)
        new, gone = _besides(self._known, before), _besides(before, self._known)
        if new or gone:
            self._keep(opened, lambda kept: [*_besides(kept, gone), *new])
        for update in updates:
            if update.kind == "learned":
                self._show(update)

    def _keep(self, opened: Opened, changed: Callable[[tuple[Learned, ...]], list[Learned]]) -> None:
        answers = Answers(self._home, opened.game.name)
        try:
            with answers.changing():
                kept = learned_in(answers.read())
                if list(kept) != (now := changed(kept)):
                    answers.keep(LEARNED, msgspec.to_builtins(now))
        except (BoxError, OSError) as error:
            _log.error("The next game will not know what was described: %s", error)

    def _show(self, update: Update) -> None:
        """The piece lies before the camera now, and people have just said what it is."""
        teach, label, places = self._teach, update.body["label"], update.body["lies"]
        if teach is None or len(places) != 1:
            return

        def lesson() -> None:
            try:
                teach(places[0]["zone"], places[0]["cell"], None, None, label)
            except Refused as refused:
                _log.warning("The camera has not learned %s: %s", label, refused)

        self._start(lesson)


def _learned(opened: Opened) -> tuple[Learned, ...]:
    if opened.game.learning is None:
        return ()
    learned: tuple[Learned, ...] = opened.table.state.box.learned
    return learned


def _besides(some: Iterable[Learned], others: Iterable[Learned]) -> list[Learned]:
    """Those that the others do not have, or not as often."""
    left, found = list(others), []
    for one in some:
        if one in left:
            left.remove(one)
        else:
            found.append(one)
    return found
