"""The taught colours of a table's dice: each body beside the light at its place, compared with all that were shown.

Words for colours are of no use where two kinds of dice are both grey. What a kit was shown is, and a body that could be
one kind as well as another is nobody's.
"""

from __future__ import annotations

from typing import Final

import numpy as np
import numpy.typing as npt

from vision.layout import Box, Piece, Point
from vision.picture.background import lab
from vision.picture.table_picture import TablePicture

Floats = npt.NDArray[np.float32]

STRANGE: Final = 24.0
"""A body (CIE Lab) farther from every taught one is of no taught colour."""
CLEAR: Final = 0.3
"""So much nearer than any other, as a share of what lies between the two, the taught colour of a body must be."""
_LIGHTNESS: Final = 0.6
"""How much lightness counts beside hue: lamps flicker, and every place has another light."""
_REACH: Final = 0.45
"""So many of its edges from the middle of a die's upper face there is little but that face."""
_ALIKE: Final = 6.0
"""Two pixels of a body are no farther than this apart (Lab)."""
_PIXELS_PER_MM: Final = 2.0


class Bodies:
    """What the dice of one family look like, by their labels without the value."""

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self._taught: list[tuple[str, Floats]] = []

    @property
    def taught(self) -> bool:
        return bool(self._taught)

    def learn(self, sight: TablePicture, centre: Point, label: str) -> None:
        """A die of that label lies with its middle there."""
        self._taught.append((stem(label), self.body(sight, centre)))

    def name(self, sight: TablePicture, centre: Point, light: float = 1.0) -> str | None:
        """The label, without the value, of the die that lies there; None if it could be another.

        `light` is how much brighter the ground about it is than when it was taught.
        """
        body = self.body(sight, centre, light)
        apart: dict[str, tuple[float, Floats]] = {}
        for name, known in self._taught:
            if name not in apart or _distance(body, known) < apart[name][0]:
                apart[name] = _distance(body, known), known
        (best, (near, mine)), *others = sorted(apart.items(), key=lambda one: one[1][0])
        clear = all(far - near >= CLEAR * _distance(mine, theirs) for _, (far, theirs) in others)
        return best if clear and near <= STRANGE else None

    def body(self, sight: TablePicture, centre: Point, light: float = 1.0) -> Floats:
        """The colour (Lab) of most of a die's upper face, beside the light there."""
        side = 2 * _REACH * max(self.piece.size)
        patch = lab(sight.patch(Box(centre, (side, side)), _PIXELS_PER_MM, self.piece.height) / np.float32(light))
        rows, columns = patch.shape[:2]
        down, across = np.ogrid[:rows, :columns]
        disc = np.hypot(down - (rows - 1) / 2, across - (columns - 1) / 2) <= min(rows, columns) / 2
        pixels = patch[disc]
        # A six in a blurred picture is half pips and their rims, which are of any colour; the body is of one.
        near = _squares_apart(pixels) <= _ALIKE**2
        return np.asarray(np.median(pixels[near[near.sum(1).argmax()]], axis=0), np.float32)


def stem(label: str) -> str:
    """A die's label without its value."""
    return label.rpartition(" ")[0]


def _squares_apart(pixels: Floats) -> Floats:
    """How far each of these colours is from each other, squared; channel by channel, which is many times as quick."""
    total = np.zeros((len(pixels), len(pixels)), np.float32)
    for channel in np.ascontiguousarray(pixels.T):
        apart = channel[:, None] - channel
        total += apart * apart
    return total


def _distance(one: Floats, other: Floats) -> float:
    light, red, yellow = (float(part) for part in one - other)
    return float(np.sqrt((_LIGHTNESS * light) ** 2 + red**2 + yellow**2))
