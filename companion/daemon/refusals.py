"""Refusals of what a phone asks for, in the daemon's words."""

from __future__ import annotations

from typing import Any

from companion.kernel.messages import Command
from companion.text.sentences import both_words
from web.backend import Refused


def refused(reason: str, why: object = "", english: object = "") -> Refused:
    """The sentence of this reason. `english` explains it in English only, such as an error's message."""
    return Refused(reason, both_words(f"refused.{reason}", why=why, english=english), str(english))


def refusal(command: Command, reason: str, english: object = "") -> dict[str, Any]:
    """The body of an Update `refused`, as a table sends it: which Command was refused, and why."""
    no = refused(reason, english=english)
    return {"command": command.id, "reason": reason, "says": no.says, **({"detail": no.detail} if no.detail else {})}
