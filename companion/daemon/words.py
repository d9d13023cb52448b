"""What the daemon itself says to people at the table, in both languages; everything else is said by the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, Literal

import msgspec

from companion.catalogue import Text
from companion.messages import Command

Reason = Literal["no_game", "playing", "failed", "not_begun"]

REASONS: Final[Mapping[Reason, Text]] = {
    "no_game": Text(
        "Es ist noch kein Spiel offen; beginne zuerst eines.",
        "No game is open yet; begin one first.",
    ),
    "playing": Text(
        "Es läuft schon ein Spiel; spielt es zu Ende, oder legt es ausdrücklich weg.",
        "A game is being played; finish it, or say that it is put away.",
    ),
    "failed": Text(
        "Dabei ist dem Companion ein Fehler unterlaufen ({why}); was davor geschah, ist sicher.",
        "The companion made a mistake there ({why}); all before it is safe.",
    ),
    "not_begun": Text("Das Spiel kann so nicht beginnen: {why}", "The game cannot begin like this: {why}"),
}


def refusal(command: Command, reason: Reason, why: str = "") -> dict[str, Any]:
    """The body of an Update `refused`, in the shape that a table gives it: which Command was not taken, and why not."""
    text = msgspec.structs.asdict(REASONS[reason])
    says = {language: words.replace("{why}", why) for language, words in text.items()}
    return {"command": command.id, "reason": reason, "says": says}
