"""The colour of a die's body: as a word, for dice in any photograph, or as one of the taught colours of a table.

A word is judged from the pixels of the upper face and the light in the picture. Pips, shine and shade are left out by
keeping to the pixels that agree with each other. The light is taken from the brightest places of the picture: lamps are
rarely white, and a white die under a warm lamp is still a white die.

Words do not help where two kinds of dice are both grey. `Bodies` compares a body with those that a kit was taught, and
names none if two kinds fit about equally well.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from vision.layout import Box, Piece, Point
from vision.picture.background import lab
from vision.picture.table_picture import TablePicture

Picture = npt.NDArray[np.uint8]
Floats = npt.NDArray[np.float32]

# Hue in degrees (None: greyish), saturation and value of each word as people use it for plastic.
_TYPICAL: dict[str, tuple[float | None, float, float]] = {
    "white": (None, 0.08, 0.95),
    "ivory": (48, 0.25, 0.9),
    "light_grey": (None, 0.05, 0.7),
    "grey": (None, 0.05, 0.45),
    "dark_grey": (None, 0.08, 0.28),
    "black": (None, 0.2, 0.12),
    "red": (359, 0.8, 0.7),
    "orange": (30, 0.8, 0.9),
    "yellow": (53, 0.75, 0.9),
    "green": (130, 0.75, 0.5),
    "blue": (217, 0.85, 0.65),
    "purple": (278, 0.65, 0.5),
    "pink": (333, 0.42, 0.9),
    "brown": (25, 0.65, 0.35),
}
COLOURS = tuple(word for word in _TYPICAL if word not in ("light_grey", "dark_grey"))
"""The words used when it is not known which colours the dice have."""
KNOWN = tuple(_TYPICAL)
"""All words that can be chosen from."""


def light_of(image: Picture) -> Floats:
    """The colour of the light (BGR, brightest 1), from the brightest places; strong colours count as things, not light.

    Values in the picture divided by it are what a white lamp would have shown.
    """
    small = cv2.resize(image, None, fx=0.25, fy=0.25, interpolation=cv2.INTER_AREA) if image.size > 300_000 else image
    pixels = small.reshape(-1, 3).astype(np.float32) / 255
    bright = pixels.max(1)
    brightest = np.median(pixels[bright >= np.quantile(bright, 0.985)], axis=0)
    peak = max(float(brightest.max()), 0.3)
    tint = brightest / max(float(brightest.max()), 1e-3)
    strength = 1 - float(tint.min())
    # In the dark a camera loses the white balance, so a stronger tint is still believed to be the light's.
    most = 0.35 if peak > 0.7 else 0.6
    if strength > most:
        tint = 1 - (1 - tint) * (most / strength) * max(0.0, 1 - (strength - most) * 3)
    return np.asarray(tint * peak, np.float32)


def body_colour(
    image: Picture, x: float, y: float, size: float, light: Floats | None = None, words: Collection[str] = COLOURS
) -> str:
    """The colour of the die whose upper face has its middle at (x, y) and whose edge is `size` pixels.

    `words` are the colours to choose from.
    """
    lamp = light_of(image) if light is None else light
    hue, saturation, value = _hsv((body_shade(image, x, y, size) / lamp).clip(0, 1))
    return min(words, key=lambda word: _unlike(word, hue, saturation, value))


def body_shade(image: Picture, x: float, y: float, size: float) -> Floats:
    """The colour (BGR, 0..1) of most of the upper face: pips and their blurred rims are the smaller groups there."""
    reach = max(2.0, 0.42 * size)
    top, left = max(0, int(y - reach)), max(0, int(x - reach))
    patch = image[top : int(y + reach) + 1, left : int(x + reach) + 1]
    if patch.size == 0:
        patch = image
    shrink = min(1.0, 40 / max(patch.shape[:2]))
    patch = np.asarray(cv2.resize(patch, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA), np.uint8)
    pixels = patch.reshape(-1, 3).astype(np.float32)
    shades = cv2.cvtColor(patch, cv2.COLOR_BGR2LAB).reshape(-1, 3).astype(np.float32)
    if len(shades) < 9:
        return np.asarray(np.median(pixels, axis=0) / 255, np.float32)
    groups = np.quantile(shades[:, 0], [0.1, 0.5, 0.9])
    middles = np.array([np.median(shades[np.abs(shades[:, 0] - light) <= 8], axis=0) for light in groups])
    for _ in range(6):
        nearest = np.linalg.norm(shades[:, None] - middles, axis=2).argmin(1)
        middles = np.array([shades[nearest == g].mean(0) if (nearest == g).any() else middles[g] for g in range(3)])
    most = np.bincount(nearest, minlength=3).argmax()
    return np.asarray(np.median(pixels[nearest == most], axis=0) / 255, np.float32)


def _hsv(colour: Floats) -> tuple[float, float, float]:
    """Hue in degrees, saturation and value of a BGR colour."""
    blue, green, red = (float(channel) for channel in colour)
    most, spread = max(red, green, blue), max(red, green, blue) - min(red, green, blue)
    if spread <= 1e-6:
        return 0.0, 0.0, most
    if most == red:
        hue = ((green - blue) / spread) % 6
    elif most == green:
        hue = (blue - red) / spread + 2
    else:
        hue = (red - green) / spread + 4
    return hue * 60, spread / most, most


def _unlike(word: str, hue: float, saturation: float, value: float) -> float:
    """How far a colour is from a word. Hue counts as much as there is colour; dark things hardly have any."""
    typical_hue, typical_saturation, typical_value = _TYPICAL[word]
    depth = saturation * min(1.0, value / 0.3)
    typical_depth = typical_saturation * min(1.0, typical_value / 0.3)
    apart = (0.9 * (value - typical_value)) ** 2
    if typical_hue is None:
        return apart + (1.5 * max(0.0, depth - typical_depth)) ** 2
    turn = abs((hue - typical_hue + 180) % 360 - 180) / 45
    return apart * 0.6 + (0.9 * (depth - typical_depth)) ** 2 + (turn * min(1.0, 2.5 * depth)) ** 2


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
