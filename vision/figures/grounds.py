"""The empty places: the look of the ground in an empty window, and what on it remains unexplained."""

from __future__ import annotations

import math
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.figures.windows import SIDE, WINDOW_MM, Window
from vision.layout import Box, Point
from vision.picture.background import lab
from vision.picture.table_picture import Patch, TablePicture

Floats = NDArray[np.float32]

STANDS_OUT: Final = 12.0
"""A difference in colour (CIE Lab) that is more than noise and unevenness."""
_TINT: Final = 0.12
"""A shadow darkens; what changes the colour by more than this share is a thing."""
_NEAR_MM: Final = 16.0
"""How far from a window's middle something in the way matters."""
_EDGE_MM: Final = 2.5
"""So far around a figure its blurred edge and its gloss are its own."""


_UNSTEADY: Final = 0.08
"""A mean difference (as a share of white) by which the same ground never differs from itself."""
_DETAIL: Final = 0.012
"""How strong (as a share of white) a print must be for its absence to be noticed."""


class Grounds:
    """What places look like empty, learnt from teaching pictures."""

    def __init__(self, window_side: float) -> None:
        self.window_side = window_side
        self._tiles: dict[Point, list[Patch]] = {}
        self._usual: Patch | None = None
        self._steady: bool | None = None

    @property
    def steady(self) -> bool:
        """Whether the ground stays what it was: not so where figures stand on tiles that are laid anew."""
        if self._steady is None:
            again = [np.stack(tiles) for tiles in self._tiles.values() if len(tiles) > 1]
            shown = (
                again or [np.stack([tile for tiles in self._tiles.values() for tile in tiles])] if self._tiles else []
            )
            middle = slice(shown[0].shape[1] // 3, -(shown[0].shape[1] // 3)) if shown else slice(None)
            apart = [np.abs(tiles - np.median(tiles, axis=0))[:, middle, middle].mean() for tiles in shown]
            self._steady = bool(apart) and float(np.median(apart)) < _UNSTEADY
        return self._steady

    def learn(self, sight: TablePicture, box: Box) -> None:
        # However a window is turned and raised, it lies within a tile of this side.
        side = 1.75 * self.window_side
        tile = sight.patch(Box(box.centre, (side, side), box.angle), SIDE / self.window_side)
        self._tiles.setdefault(_key(box), []).append(tile)
        self._usual = self._steady = None

    def behind(self, patch: Patch, through: Window, box: Box) -> Patch:
        """The window as it would look empty: as its place was seen, or as others were, or plain if none was seen."""
        tile = self._tile(box) if self.steady else None
        if tile is None:
            return np.broadcast_to(np.median(patch.reshape(-1, 3), axis=0), patch.shape).astype(np.float32)
        scale = SIDE / self.window_side
        own = math.radians(box.angle)
        right, down = through.centre[0] - box.centre[0], through.centre[1] - box.centre[1]
        across = right * math.cos(own) + down * math.sin(own)
        along = -right * math.sin(own) + down * math.cos(own)
        turn = math.radians(through.angle) - own
        onto = np.array([[math.cos(turn), -math.sin(turn), 0], [math.sin(turn), math.cos(turn), 0]])
        middle = (tile.shape[0] - 1) / 2 + np.array([across, along]) * scale
        onto[:, 2] = middle - onto[:, :2] @ np.full(2, (SIDE - 1) / 2)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        empty = cv2.warpAffine(tile, onto, (SIDE, SIDE), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        return np.asarray(empty, np.float32)

    def _tile(self, box: Box) -> Patch | None:
        own = self._tiles.get(_key(box))
        if own:
            return np.asarray(np.mean(own, axis=0), np.float32)
        if self._usual is None and self._tiles:
            everything = [tile for tiles in self._tiles.values() for tile in tiles]
            self._usual = np.asarray(np.median(everything, axis=0), np.float32)
        return self._usual


def brightness(patches: Floats, grounds: Floats) -> Floats:
    """How bright the light on each window is, beside that in which its ground was learnt: less in a hand's shadow."""
    every = (slice(None), slice(1, None, 3), slice(1, None, 3))
    ratio = ((patches[every] + 0.02) / (grounds[every] + 0.02)).reshape(len(patches), -1, 3)
    # A figure and its own shadow take up less than half of a window, and seldom are both darker or both brighter.
    rank = int(ratio.shape[1] * 0.65)
    level = np.partition(ratio, rank, axis=1)[:, rank]
    mean = level.mean(1)
    alike = np.abs(level - mean[:, None]).max(1) < _TINT * mean
    return np.where(alike, np.clip(mean, 0.4, 1.2), 1.0).astype(np.float32)


def unexplained(patches: Floats, grounds: Floats, figures: Floats) -> Floats:
    """For each window the square millimetres (in its usual size) that are neither ground nor shadow nor the figure."""
    count, side = len(patches), figures.shape[1]
    seen, empty = (
        np.concatenate([cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA) for picture in pictures])
        for pictures in (patches, grounds)
    )
    apart = (lab(seen) - lab(empty)) * np.array([0.7, 1, 1], np.float32)
    ratio = (seen + 0.02) / (empty + 0.02)
    blue, green, red = (ratio[..., channel] for channel in range(3))
    level = (blue + green + red) / 3
    tint = np.maximum(np.maximum(np.abs(blue - level), np.abs(green - level)), np.abs(red - level))
    shadow = (level < 1.0) & (tint < _TINT * np.maximum(level, 0.05))
    strange = (np.einsum("yxc,yxc->yx", apart, apart) > STANDS_OUT**2) & ~shadow
    per_mm = side / WINDOW_MM
    reach = 2 * round(_EDGE_MM * per_mm) + 1
    down, across = np.mgrid[:side, :side] - (side - 1) / 2
    near = down**2 + across**2 < (_NEAR_MM * per_mm) ** 2
    found = np.zeros(count, np.float32)
    for number, marks in enumerate(strange.reshape(count, side, side)):
        if not (marks & near).any():
            continue
        own = cv2.dilate((figures[number] > 0.3).astype(np.uint8), np.ones((reach, reach), np.uint8))
        whole = cv2.morphologyEx(marks.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
        found[number] = ((whole > 0) & (own == 0) & near).sum() / per_mm**2
    return found


def vanished(patches: Floats, grounds: Floats, figures: Floats) -> NDArray[np.bool_]:
    """Whether the ground's own print is gone from a window: then something lies over it, of whatever colour."""
    side = figures.shape[1]
    gone = np.zeros(len(patches), bool)
    for number, pair in enumerate(zip(patches, grounds, strict=True)):
        fine = []
        for picture in pair:
            grey = cv2.resize(picture, (side, side), interpolation=cv2.INTER_AREA).sum(2) / 3
            fine.append(grey - cv2.blur(grey, (7, 7)))
        free = cv2.dilate((figures[number] > 0.3).astype(np.uint8), np.ones((7, 7), np.uint8)) == 0
        seen, print_ = fine[0][free], fine[1][free]
        if len(print_) > side and print_.std() > _DETAIL:
            gone[number] = float(seen @ print_) < 0.35 * float(print_ @ print_)
    return gone


def _key(box: Box) -> Point:
    return round(box.centre[0], 1), round(box.centre[1], 1)
