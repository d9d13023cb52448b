"""The layout of a game's table: the file that we ship, with what follows from the box and with pieces described."""

from __future__ import annotations

from typing import Any

from companion.kernel.rules import Game
from vision import layout
from vision.layout import Layout


def layout_of(game: Game[Any, Any], box: Any) -> Layout:
    path = game.box_file.with_name("layout.toml")
    raw = layout.read(path)
    fitted = raw if game.sketching is None else game.sketching.layout(raw, box)
    shipped = layout.from_data(fitted, str(path))
    return shipped if game.learning is None else shipped.grown(game.learning.pieces(box))
