"""Table tops: a plank table, green felt, a checked cloth and a white mat, each woven or grown from noise."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import cv2
import numpy as np

from .paint import Colour, Field, Image, grain, rgb


def table_top(kind: str, width: int, height: int, pixels_per_mm: float) -> Image:
    """A piece of table top of that many pixels."""
    return _TOPS[kind](width, height, pixels_per_mm)


def _coloured(shade: Field, dark: Colour, light: Colour) -> Image:
    """Shades from 0 to 1 as colours between two."""
    steps = np.linspace(0, 1, 256)[:, None]
    table = np.asarray(dark) + (np.asarray(light) - np.asarray(dark)) * steps
    index = np.asarray(np.clip(shade, 0, 1) * 255, np.uint8)
    palette = np.asarray(np.round(table), np.uint8).reshape(1, 256, 3)
    return np.asarray(cv2.LUT(cv2.merge([index, index, index]), palette), np.uint8)


def _wood(width: int, height: int, ppm: float) -> Image:
    plank = round(130 * ppm)
    rows = np.arange(height, dtype=np.float32)[:, None]
    bend = grain(width, height, 420 * ppm, 60 * ppm, 1)
    rings = np.sin(rows / (3.4 * ppm) + bend * 2.6 + grain(width, height, 160 * ppm, 24 * ppm, 2) * 1.4)
    fibre = grain(width, height, 40 * ppm, 0.7 * ppm, 3)
    shade = 0.5 + 0.13 * rings + 0.1 * fibre
    tones = np.random.default_rng(4).uniform(-0.14, 0.14, height // plank + 1).astype(np.float32)
    shade = shade + tones[(np.arange(height) // plank)][:, None]
    seam = np.abs((np.arange(height) % plank) - plank / 2) > plank / 2 - 0.7 * ppm
    shade[seam] *= 0.45
    return _coloured(np.asarray(shade, np.float32), rgb(92, 58, 34), rgb(188, 136, 86))


def _felt(width: int, height: int, ppm: float) -> Image:
    fluff, wear = grain(width, height, 0.6 * ppm, 0.6 * ppm, 5), grain(width, height, 90 * ppm, 90 * ppm, 6)
    shade = 0.5 + 0.16 * fluff + 0.1 * wear
    return _coloured(np.asarray(shade, np.float32), rgb(22, 62, 44), rgb(52, 108, 78))


def _cloth(width: int, height: int, ppm: float) -> Image:
    """Checks of two crossing sets of stripes."""
    pitch = 44 * ppm
    across = (np.arange(width) % pitch < pitch / 2).astype(np.float32)
    down = (np.arange(height) % pitch < pitch / 2).astype(np.float32)
    shade = 1.0 - 0.46 * (across[None, :] + down[:, None])
    weave = grain(width, height, 0.8 * ppm, 0.8 * ppm, 7) * 0.035
    folds = grain(width, height, 300 * ppm, 200 * ppm, 8) * 0.03
    return _coloured(np.asarray(shade + weave + folds, np.float32), rgb(134, 38, 42), rgb(234, 228, 216))


def _white(width: int, height: int, ppm: float) -> Image:
    paper, stains = grain(width, height, 1.2 * ppm, 1.2 * ppm, 9), grain(width, height, 240 * ppm, 240 * ppm, 10)
    shade = 0.7 + 0.1 * paper + 0.12 * stains
    return _coloured(np.asarray(shade, np.float32), rgb(204, 202, 198), rgb(232, 231, 228))


_TOPS: Final[dict[str, Callable[[int, int, float], Image]]] = {
    "wood": _wood, "felt": _felt, "cloth": _cloth, "white": _white,
}  # fmt: skip
