"""A journal in sentences.

`history` goes through a journal move by move and has the score sheet in words, `live` follows a journal that is still
being written and keeps the result of a finished game, and `page` is one HTML file with moves, reasons and pictures.
"""

from companion.history.history import GameHistory, Happening, MoveTold, Reason, SheetTold, pictures, retell, tell_sheet
from companion.history.live import LiveHistory, keep_result, kept_result
from companion.history.page import page

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
