"""What is around people who play in real time: the table top, their fingers on the buttons, the table's voice, and the
wishes of whoever looks on."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final, Protocol

from companion.kernel.messages import Signal
from companion.simulation.moments import Moment

PACE: Final = 3.0
"""How many times faster than people at a real table, unless somebody says otherwise: nobody shall be bored."""
AS_IT_IS: Final = 10.0
"""Up to this pace raids last, an onlooker reads, and a mistake lies unnoticed as long as at a real table."""


def hurried(pace: float) -> float:
    """So many times shorter all that is at a pace beyond that."""
    return max(1.0, pace / AS_IT_IS)


class Gone(Exception):
    """The people got up: another game begins, or the demo is over."""


class Top(Protocol):
    """The table top, and the eyes above it."""

    @property
    def blind(self) -> bool: ...

    @property
    def settled(self) -> bool:
        """Whether everything that can be seen has been read."""

    def show(self, moment: Moment) -> float:
        """Hands reach in and lay or change the table; the seconds for which they must be seen at it come back."""

    def rest(self, moment: Moment) -> None:
        """Hands go, but for those that stay over what is covered."""

    def step(self) -> None: ...


class Fingers(Protocol):
    """Everybody's fingers on the buttons, and how the raid stands."""

    def press(self, signal: Signal) -> None: ...

    def rush(self, on: bool) -> None:
        """A raid is due, or over."""

    def want(self, signal: Signal) -> None:
        """Somebody is ready, or the king starts: whoever has no phone presses by itself."""

    def happened(self, signal: Signal) -> bool:
        """Whether the timer has told this in the raid that is due."""

    @property
    def left(self) -> float:
        """Seconds of the raid that runs; 0 if none does."""

    @property
    def under_way(self) -> bool:
        """Whether the raid that is due gathers or runs; perhaps somebody's phone keeps everybody waiting."""

    def step(self, seconds: float) -> None: ...


class Voice(Protocol):
    """What the table believes and says, and how to tell it something."""

    @property
    def state(self) -> Any: ...

    @property
    def trouble(self) -> Mapping[str, Any] | None: ...

    def earlier(self) -> Iterator[Any]:
        """What it believes, and what it would after one undo, after two, and so on."""

    def later(self) -> Iterator[Any]:
        """What it believes, and what it would after one redo, after two, and so on."""

    def options(self, question: int) -> Sequence[Any]:
        """The states after each answer to a question."""

    def tell(self, kind: str, **body: Any) -> None: ...


class Wishes:
    """What whoever looks on wants of the people. Any thread may set it."""

    def __init__(self, pace: float = PACE) -> None:
        self.pace = pace
        self.paused = False
        self.pause_soon = False
        """After this act."""
        self.cheat = False
        self.put_right = False
        self.gone = False
        self.suggested: list[Any] = []
        """Moves that were told on a phone, and that nobody has made yet."""
