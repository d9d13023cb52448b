"""The lobby: what answers while no game is open. Every Command but the one that begins a game is refused."""

from __future__ import annotations

from typing import Any

from companion.kernel.messages import Command, Message, Update
from companion.text.words import refusal


class Lobby:
    """Takes what a table takes, and waits."""

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
        """There is nothing to let go of."""
