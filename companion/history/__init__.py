"""A written game told again: `history` goes through a journal move by move, `live` follows one that is still being
written, `sheet` is its score sheet in words, `results` what a journal keeps of a game that is over, and `page` shows it
with pictures."""

from companion.history.history import GameHistory, Happening, MoveTold, Reason, pictures, retell
from companion.history.live import LiveHistory, keep_result
from companion.history.page import page
from companion.history.results import kept_result
from companion.history.sheet import SheetTold, tell_sheet

__all__ = [
    "GameHistory",
    "Happening",
    "LiveHistory",
    "MoveTold",
    "Reason",
    "SheetTold",
    "keep_result",
    "kept_result",
    "page",
    "pictures",
    "retell",
    "tell_sheet",
]
