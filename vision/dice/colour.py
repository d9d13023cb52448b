"""The word for a die's body colour, judged from the pixels of its own upper face and the light in the picture.

Pips, shine and shade are left out by keeping to the pixels that agree with each other. The light is taken from the
brightest places of the picture: lamps are rarely white, and a white die under a warm lamp is still a white die.
"""

from __future__ import annotations

from collections.abc import Collection

import cv2
import numpy as np
import numpy.typing as npt

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
"""The words used when nobody says which colours the dice have."""
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
    lab = cv2.cvtColor(patch, cv2.COLOR_BGR2LAB).reshape(-1, 3).astype(np.float32)
    if len(lab) < 9:
        return np.asarray(np.median(pixels, axis=0) / 255, np.float32)
    groups = np.quantile(lab[:, 0], [0.1, 0.5, 0.9])
    middles = np.array([np.median(lab[np.abs(lab[:, 0] - light) <= 8], axis=0) for light in groups])
    for _ in range(6):
        nearest = np.linalg.norm(lab[:, None] - middles, axis=2).argmin(1)
        middles = np.array([lab[nearest == g].mean(0) if (nearest == g).any() else middles[g] for g in range(3)])
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
