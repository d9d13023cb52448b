"""A journal in sentences.

`history` goes through a journal move by move, `live` follows one that is still being written and keeps the result of a
finished game, `sheet` is the score sheet in words, and `page` is one HTML file with moves, reasons and pictures.
"""

from companion.history.history import GameHistory, Happening, MoveTold, Reason, pictures, retell
from companion.history.live import LiveHistory, keep_result, kept_result
from companion.history.page import page
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
