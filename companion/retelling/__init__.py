"""A written game told again: `story` goes through a journal move by move, `page` shows the story with its pictures."""

from companion.retelling.page import page
from companion.retelling.story import Happening, MoveTold, Reason, Tale, pictures, retell

__all__ = ["Happening", "MoveTold", "Reason", "Tale", "page", "pictures", "retell"]
