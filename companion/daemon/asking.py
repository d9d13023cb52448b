"""Asking the table: a command goes into the inbox, and whoever brought it waits until the table has taken it."""

from __future__ import annotations

import threading
from collections import OrderedDict
from typing import Any, Final

from companion.daemon.inbox import Inbox, NotAccepted
from companion.kernel.events import Bulletin
from companion.kernel.messages import Command
from companion.text.words import both
from web.backend import Refused

REMEMBERED: Final = 1000
"""So many answers are kept for phones that did not hear them and ask again."""
PASSING: Final = frozenset({"failed", "journal", "no_game", "playing"})
"""Reasons that may be gone a moment later: who asks again is not answered from memory."""


class Answer:
    """What became of one command."""

    def __init__(self) -> None:
        self.taken = threading.Event()
        self.number = 0
        self.refusal: dict[str, Any] | None = None


class Asking:
    """Between phones and the inbox. The same command asked twice is put into the inbox once."""

    def __init__(self, inbox: Inbox, bulletin: Bulletin) -> None:
        self._inbox, self._bulletin = inbox, bulletin
        self._changed = threading.Lock()
        self._answers: OrderedDict[str, Answer] = OrderedDict()

    def ask(self, command: Command, timeout: float) -> int:
        """The number of the last Update once it was taken. Raises `Refused`."""
        answer = self._answer_to(command)
        if not answer.taken.wait(timeout):
            raise Refused("late", both("refused.late"))
        if answer.refusal is not None:
            raise Refused(str(answer.refusal.get("reason", "refused")), answer.refusal["says"])
        return answer.number

    def _answer_to(self, command: Command) -> Answer:
        with self._changed:
            known = self._answers.get(command.id)
            if known is not None:
                return known
            answer = self._answers[command.id] = Answer()
            while len(self._answers) > REMEMBERED:
                self._answers.popitem(last=False)
        try:
            self._inbox.put(command)
        except NotAccepted:
            self._forget(command.id)
            raise Refused("busy", both("refused.busy")) from None
        return answer

    def _forget(self, command: str) -> None:
        with self._changed:
            self._answers.pop(command, None)

    def answered(self, command: Command, refusal: dict[str, Any] | None) -> None:
        """Told by the table's owner after each command."""
        with self._changed:
            answer = self._answers.get(command.id)
            if refusal is not None and refusal.get("reason") in PASSING:
                self._answers.pop(command.id, None)
        if answer is not None:
            answer.number, answer.refusal = self._bulletin.standing.number, refusal
            answer.taken.set()
