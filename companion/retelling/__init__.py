"""A written game told again: `story` goes through a journal move by move, `growing` follows one that is still being
written, `page` shows the story with its pictures."""

from companion.retelling.growing import GrowingTale
from companion.retelling.page import page
from companion.retelling.story import Happening, MoveTold, Reason, Tale, pictures, retell

__all__ = ["GrowingTale", "Happening", "MoveTold", "Reason", "Tale", "page", "pictures", "retell"]
