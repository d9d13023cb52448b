"""A written game told again: `story` goes through a journal move by move, `growing` follows one that is still being
written, `sheet` is its score sheet in words, `keeping` what a journal keeps of a game that is over, `page` shows the
story with its pictures."""

from companion.history.history import GameHistory, Happening, MoveTold, Reason, pictures, retell
from companion.history.live import GrowingTale, keep_result
from companion.history.page import page
from companion.history.results import kept_result
from companion.history.sheet import SheetTold, tell_sheet

__all__ = [
    "GameHistory",
    "GrowingTale",
    "Happening",
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
