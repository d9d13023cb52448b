"""Paint and paper: colours, a small canvas in millimetres, and the grain of card. What is drawn lives elsewhere."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Field = NDArray[np.float32]
Colour = tuple[int, int, int]
"""Blue, green, red, as OpenCV wants it."""
Point = tuple[float, float]

FINENESS: Final = 3
"""Canvas pixels drawn for each pixel kept; the rest is smoothing."""
_SHIFT: Final = 4


def rgb(red: int, green: int, blue: int) -> Colour:
    return blue, green, red


WOOD: Final[dict[str, Colour]] = {
    "blue": rgb(32, 82, 168),
    "yellow": rgb(236, 190, 36),
    "purple": rgb(112, 52, 146),
    "grey": rgb(132, 134, 136),
    "red": rgb(196, 36, 40),
    "green": rgb(42, 132, 62),
    "black": rgb(40, 38, 40),
    "white": rgb(232, 230, 222),
    "orange": rgb(226, 116, 30),
    "pink": rgb(222, 118, 160),
    "brown": rgb(116, 74, 44),
    "natural": rgb(206, 168, 116),
    "turquoise": rgb(70, 176, 200),
    "sage": rgb(104, 134, 100),
}
"""The paints of wooden pieces, by the word a label uses for them."""
PLASTIC: Final[dict[str, Colour]] = {"light_grey": rgb(188, 190, 192), "dark_grey": rgb(92, 94, 98)}
"""Bodies of dice that no wood is painted like."""

INK: Final = rgb(48, 38, 32)
CREAM: Final = rgb(238, 226, 200)


def seed_of(text: str) -> int:
    """A number that stays the same for a text, whatever Python's own hash does today."""
    return zlib.crc32(text.encode())


def mixed(one: Colour, other: Colour, share: float) -> Colour:
    """`one` with a share of `other` in it."""
    blue, green, red = (round(a + (b - a) * share) for a, b in zip(one, other, strict=True))
    return blue, green, red


def lit(colour: Colour, gain: float) -> Colour:
    blue, green, red = (min(255, max(0, round(part * gain))) for part in colour)
    return blue, green, red


def grain(width: int, height: int, coarse_x: float, coarse_y: float, seed: int) -> Field:
    """Smooth noise around 0 with a spread of 1; the coarseness is in pixels."""
    small = (max(2, round(height / coarse_y)), max(2, round(width / coarse_x)))
    noise = np.random.default_rng(seed).standard_normal(small, np.float32)
    full = np.asarray(cv2.resize(noise, (width, height), interpolation=cv2.INTER_CUBIC), np.float32)
    return np.asarray((full - full.mean()) / max(float(full.std()), 1e-6), np.float32)


def textured(image: Image, strength: float, seed: int, coarse: float = 2.0) -> Image:
    """The picture with the unevenness of printed card or cloth; strength in grey levels."""
    height, width = image.shape[:2]
    noise = _card_grain(width, height, coarse, seed % 7) * strength
    return np.asarray(np.clip(image + noise[..., None], 0, 255), np.uint8)


@lru_cache(maxsize=32)
def _card_grain(width: int, height: int, coarse: float, seed: int) -> Field:
    """Remembered, because many faces have one size. Table tops are too large for that and are kept whole."""
    return grain(width, height, coarse, coarse, seed)


class Canvas:
    """A sheet to draw on, in millimetres from its top left corner."""

    def __init__(self, width: float, height: float, pixels_per_mm: float, ground: Colour) -> None:
        self.width, self.height = width, height
        self.pixels = max(1, round(width * pixels_per_mm)), max(1, round(height * pixels_per_mm))
        self.scale = self.pixels[0] / width * FINENESS
        self._image: Image = np.empty((self.pixels[1] * FINENESS, self.pixels[0] * FINENESS, 3), np.uint8)
        self._image[:] = ground

    def finished(self) -> Image:
        return np.asarray(cv2.resize(self._image, self.pixels, interpolation=cv2.INTER_AREA), np.uint8)

    def polygon(self, points: Sequence[Point], colour: Colour, edge: Colour | None = None, line: float = 0.0) -> None:
        corners = self._fixed(points)
        cv2.fillPoly(self._image, [corners], colour, cv2.LINE_8, _SHIFT)
        if edge is not None:
            cv2.polylines(self._image, [corners], True, edge, self._thick(line), cv2.LINE_8, _SHIFT)

    def rectangle(
        self, left: float, top: float, right: float, bottom: float, colour: Colour, corner: float = 0.0
    ) -> None:
        self.polygon(rounded((left + right) / 2, (top + bottom) / 2, right - left, bottom - top, corner), colour)

    def frame(self, left: float, top: float, right: float, bottom: float, colour: Colour, line: float) -> None:
        self.line([(left, top), (right, top), (right, bottom), (left, bottom), (left, top)], colour, line)

    def circle(
        self, x: float, y: float, radius: float, colour: Colour, edge: Colour | None = None, line: float = 0.0
    ) -> None:
        self.ellipse(x, y, radius, radius, 0.0, colour, edge, line)

    def ellipse(
        self, x: float, y: float, across: float, along: float, angle: float, colour: Colour,
        edge: Colour | None = None, line: float = 0.0,
    ) -> None:  # fmt: skip
        self.polygon(oval(x, y, across, along, angle), colour, edge, line)

    def line(self, points: Sequence[Point], colour: Colour, width: float) -> None:
        cv2.polylines(self._image, [self._fixed(points)], False, colour, self._thick(width), cv2.LINE_8, _SHIFT)

    def text(self, text: str, x: float, y: float, height: float, colour: Colour, weight: float = 0.14) -> None:
        """Words centred on a point; `weight` is the stroke's width as a share of the height."""
        font = cv2.FONT_HERSHEY_TRIPLEX
        (_, tall), _ = cv2.getTextSize("H", font, 1.0, 1)
        size = height * self.scale / tall
        thick = max(1, round(weight * height * self.scale * 0.5))
        (wide, tall), _ = cv2.getTextSize(text, font, size, thick)
        foot = round(x * self.scale - wide / 2), round(y * self.scale + tall / 2)
        cv2.putText(self._image, text, foot, font, size, colour, thick, cv2.LINE_AA)

    def _fixed(self, points: Sequence[Point]) -> NDArray[np.int32]:
        exact = (np.asarray(points, np.float64) * self.scale - 0.5) * (1 << _SHIFT)
        return np.asarray(np.round(exact), np.int32)

    def _thick(self, width: float) -> int:
        return max(1, round(width * self.scale))


def oval(x: float, y: float, across: float, along: float, angle: float = 0.0, steps: int = 28) -> list[Point]:
    turn = math.radians(angle)
    points = []
    for step in range(steps):
        at = 2 * math.pi * step / steps
        right, down = across * math.cos(at), along * math.sin(at)
        points.append(
            (x + right * math.cos(turn) - down * math.sin(turn), y + right * math.sin(turn) + down * math.cos(turn))
        )
    return points


def rounded(x: float, y: float, width: float, height: float, corner: float, steps: int = 4) -> list[Point]:
    """A rectangle about (x, y) with rounded corners, clockwise from its top left."""
    if corner <= 0:
        half, tall = width / 2, height / 2
        return [(x - half, y - tall), (x + half, y - tall), (x + half, y + tall), (x - half, y + tall)]
    points = []
    for centre_x, centre_y, start in (
        (-width / 2 + corner, -height / 2 + corner, 180),
        (width / 2 - corner, -height / 2 + corner, 270),
        (width / 2 - corner, height / 2 - corner, 0),
        (-width / 2 + corner, height / 2 - corner, 90),
    ):
        for step in range(steps + 1):
            at = math.radians(start + 90 * step / steps)
            points.append((x + centre_x + corner * math.cos(at), y + centre_y + corner * math.sin(at)))
    return points


def turned(points: Sequence[Point], x: float, y: float, angle: float, size: float = 1.0) -> list[Point]:
    """A shape about the origin, scaled, turned clockwise and carried to (x, y)."""
    turn = math.radians(angle)
    cos, sin = math.cos(turn) * size, math.sin(turn) * size
    return [(x + px * cos - py * sin, y + px * sin + py * cos) for px, py in points]
