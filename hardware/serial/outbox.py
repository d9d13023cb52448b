"""What the board should show and play: filled by any thread, emptied by the serial link's own."""

from __future__ import annotations

from collections import deque
from threading import Lock
from typing import TYPE_CHECKING

from hardware.firmware.protocol import TO_BOARD, read_values

if TYPE_CHECKING:
    from hardware.firmware.protocol import Value

SOUNDS_WAITING = 4


class Outbox:
    """Lights are states, of which only the latest counts; sounds are moments, which nobody wants late."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._states: dict[str, tuple[str, tuple[Value, ...]]] = {}
        self._changed: dict[str, None] = {}
        self._sounds: deque[tuple[str, tuple[Value, ...]]] = deque(maxlen=SOUNDS_WAITING)

    def set(self, place: str, word: str, *values: Value) -> None:
        """From now on `place` (the ring, a light) is so. ValueError if no board could understand it."""
        message = word, checked(word, values)
        with self._lock:
            self._states[place] = message
            self._changed[place] = None

    def sound(self, name: str) -> None:
        message = "sound", checked("sound", (name,))
        with self._lock:
            self._sounds.append(message)

    def renew(self) -> None:
        """A board that knows nothing is listening: every state is to be told, no sound of the past."""
        with self._lock:
            self._changed = dict.fromkeys(self._states)
            self._sounds.clear()

    def take(self) -> list[tuple[str, tuple[Value, ...]]]:
        """What is to be said now; it is then counted as said."""
        with self._lock:
            said = [self._states[place] for place in self._changed] + list(self._sounds)
            self._changed = {}
            self._sounds.clear()
        return said


def checked(word: str, values: tuple[Value, ...]) -> tuple[Value, ...]:
    """The values as a board would read them."""
    return read_values(TO_BOARD, word, [str(value) for value in values])
