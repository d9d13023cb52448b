"""What the daemon itself says to people at the table, in both languages; everything else is said by the table.

The texts are in `words.toml`."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Final

import msgspec

from companion.kernel.catalogue import Text
from companion.kernel.messages import Command
from companion.text.sentences import Sentences

FILE: Final = Path(__file__).with_suffix(".toml")
Both = dict[str, str]


@cache
def texts() -> dict[str, Text]:
    return dict(Sentences.load(FILE).texts)


def both(key: str, **facts: object) -> Both:
    """A sentence in both languages, with its facts."""
    said: Both = msgspec.structs.asdict(texts()[key])
    for name, fact in facts.items():
        said = {language: words.replace(f"{{{name}}}", str(fact)) for language, words in said.items()}
    return said


def known(key: str) -> bool:
    """Whether there is such a text."""
    return key in texts()


def refusal(command: Command, reason: str, why: str = "") -> dict[str, Any]:
    """The body of an Update `refused`, in the shape that a table gives it: which Command was not taken, and why not."""
    return {"command": command.id, "reason": reason, "says": both(f"refused.{reason}", why=why)}
