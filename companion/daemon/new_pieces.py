"""Stores pieces that people describe for later games, and teaches them to the camera while they lie on the table."""

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
"""Teaches the camera the piece at a zone's place. Raises `Refused`."""
Start = Callable[[Callable[[], None]], None]


def _in_a_thread(lesson: Callable[[], None]) -> None:
    threading.Thread(target=lesson, name="lesson", daemon=True).start()


class NewPieceKeeper:
    """Follows the table and stores described pieces in the answers for its game, also if the move is undone."""

    def __init__(self, home: Path, teach: Teach | None = None, start: Start = _in_a_thread) -> None:
        """`start` runs a lesson in another thread, because a kit takes seconds to learn."""
        self._home, self._teach, self._start = home, teach, start
        self._known: tuple[Learned, ...] = ()

    def opened(self, opened: Opened) -> None:
        """Store the pieces of a reopened game: a power cut may have prevented that."""
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
        """Teach the camera the piece that people have just described."""
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
    """Multiset difference: those that `others` does not have, or has fewer times."""
    left, found = list(others), []
    for one in some:
        if one in left:
            left.remove(one)
        else:
            found.append(one)
    return found
