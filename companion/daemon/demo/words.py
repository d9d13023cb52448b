"""What the demo says to whoever looks on, in both languages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import msgspec

from companion.kernel.catalogue import Text
from companion.simulation.live import Doing
from web.backend import Both

DOING: Final[Mapping[Doing, Text]] = {
    "laying": Text("Der Tisch wird gedeckt.", "The table is being laid."),
    "playing": Text("Die Leute spielen.", "People are playing."),
    "raid": Text("Steuereintreibung: Alle greifen zu.", "The raid: everybody grabs."),
    "wrong": Text("Jemand schummelt. {why}", "Somebody cheats. {why}"),
    "lying": Text("So liegt es falsch auf dem Tisch. {why}", "It lies there wrongly. {why}"),
    "put_right": Text("Der Fehler wird behoben.", "The mistake is put right."),
    "takeback": Text("Jemand nimmt einen Zug zurück.", "Somebody takes a move back."),
    "by_hand": Text(
        "Die Kamera sieht nichts; die Züge werden am Handy angesagt.",
        "The camera sees nothing; moves are told on a phone.",
    ),
    "over": Text("Das Spiel ist aus.", "The game is over."),
}
WAITING: Final = Text("Alle warten auf ein Handy: {who}", "Everybody waits for a phone: {who}")
STUMBLED: Final = Text(
    "Die Leute sind über etwas gestolpert und haben aufgehört; beginnt ein neues Spiel.",
    "The people stumbled over something and stopped; begin another game.",
)
CANNOT: Final = Text("Das geht in der Demo gerade nicht.", "The demo cannot do that now.")


def both(text: Text, **facts: Both) -> Both:
    """A text with its facts, each in its own language."""
    said = msgspec.structs.asdict(text)
    for name, fact in facts.items():
        said = {language: words.replace(f"{{{name}}}", fact[language]) for language, words in said.items()}
    return {language: words.strip() for language, words in said.items()}
