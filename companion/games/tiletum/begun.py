"""What people may be in the middle of: the legal moves that change all the zones which do not look as they should."""

from __future__ import annotations

from collections.abc import Iterator

from companion.messages import View

from .moves import Move
from .phases import legal
from .seeing import Seen
from .state import State
from .touching import zones


def begun(state: State, view: View) -> Iterator[Move]:
    changed = Seen(state, view).changed
    return (move for move in legal(state) if changed <= zones(state, move))
