"""The background of a zone: how the empty zone looks, and what differs from it."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.layout import Box, Point
from vision.picture.table_picture import WHITE, Patch, TablePicture
from vision.plane.plane import Points

SCALE: Final = 4 / 3
"""Pixels per millimetre when a zone is compared with its background."""
STANDS_OUT: Final = 13.0
"""Minimum colour difference (CIE Lab) that is not noise or uneven light."""
_BRIGHTER: Final = 1.3
"""Maximum factor by which light and shadow make a place brighter than the part of the zone around it."""
_PART: Final = 64
"""Size in pixels of a part of a zone with about the same light."""
_SAMPLES: Final = 12
"""Number of samples of the light in each part, across and down."""
_LIGHTS: Final = (0.6, 1.35)
"""Limits of the light in a part of a zone, relative to the light at the markers."""
_STEADY: Final = 0.07
"""Smaller changes of light are ignored."""
_SHADOW: Final = round(5 * SCALE) | 1
"""Size in pixels within which a shadow is about equally deep. Its edges are soft, unlike those of prints and pieces."""
_DEEPEST: Final = 0.35
"""Minimum brightness of a shadow, as a share of the light."""
_OTHER: Final = 0.06
"""A larger difference from the shaded background, in brightness or tint, is not a shadow."""

_DARK: Final = np.float32(0.02 * WHITE)
_WEIGHTS: Final = np.array([[(0.7 * 100 / 255) ** 2, 1, 1]], np.float32)
"""Weights of squared differences of Lab bytes; lightness counts less than hue."""

Mask = NDArray[np.uint8]
Bytes = NDArray[np.uint8]


class Blob(msgspec.Struct, frozen=True, eq=False):
    """Something that differs from the background: its centre, area (mm²) and colour (Lab)."""

    centre: Point
    area: float
    colour: NDArray[np.float32]


class Ground:
    """The background of one zone, learnt from the empty parts of teaching pictures."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self._sum: Patch | None = None
        self._seen: NDArray[np.float32] | None = None
        self._picture: Patch | None = None
        self._holes: Mask | None = None
        self._bare: tuple[Bytes, Bytes] | None = None

    def learn(self, sight: TablePicture, covered: Iterable[tuple[Point, float]]) -> None:
        """Learn the zone from a picture, except for discs (centre, radius in mm) that are covered."""
        patch = sight.patch(self.box, SCALE)
        free = np.ones(patch.shape[:2], np.uint8)
        for centre, radius in covered:
            x, y = self.to_pixels(centre)
            cv2.circle(free, (round(x), round(y)), round(radius * SCALE), 0, -1)
        weight = free.astype(np.float32)
        if self._sum is None or self._seen is None:
            self._sum, self._seen = np.zeros_like(patch), np.zeros(patch.shape[:2], np.float32)
        self._sum += patch * weight[..., None]
        self._seen += weight
        self._picture = self._holes = self._bare = None

    def take(self, picture: Patch) -> None:
        """Set the picture of the whole zone, if it is known already."""
        self._picture, self._holes = picture, np.zeros(picture.shape[:2], np.uint8)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns of the zone's patch."""
        return max(1, round(self.box.size[1] * SCALE)), max(1, round(self.box.size[0] * SCALE))

    @property
    def known(self) -> bool:
        return self._seen is not None or self._picture is not None

    def let_go(self) -> None:
        """Keep only the finished picture, to save memory. After this, nothing more can be learnt."""
        if self.known:
            self.picture()
            self.holes()
        self._sum = self._seen = None

    def holes(self) -> Mask:
        """Where the background was never seen."""
        if self._holes is None:
            assert self._seen is not None
            self._holes = (self._seen == 0).astype(np.uint8)
        return self._holes

    def picture(self) -> Patch:
        """The empty zone. Places that were never seen empty are filled in from their surroundings."""
        if self._picture is None:
            self._picture = self._painted()
        return self._picture

    def _painted(self) -> Patch:
        assert self._sum is not None
        assert self._seen is not None
        mean = (self._sum / np.maximum(self._seen, 1)[..., None]).astype(np.float32)
        holes = self.holes()
        if not holes.any():
            return np.asarray(mean, np.float32)
        painted = cv2.inpaint(_as_bytes(mean), holes, 5, cv2.INPAINT_TELEA).astype(np.float32) / WHITE
        return np.where(holes[..., None] > 0, painted, mean).astype(np.float32)

    def to_pixels(self, point: Point) -> Point:
        """The pixel of a table point in the zone's patch; the inverse of `to_table`."""
        x, y = self.all_to_pixels(np.asarray([point], np.float64))[0]
        return float(x), float(y)

    def to_table(self, x: float, y: float) -> Point:
        return self.box.at((x + 0.5) / SCALE, (y + 0.5) / SCALE)

    def all_to_pixels(self, points: Points) -> Points:
        return np.asarray((points - self.box.at(0, 0)) @ self.axes.T * SCALE - 0.5, np.float64)

    def all_to_table(self, pixels: Points) -> Points:
        return np.asarray((pixels + 0.5) / SCALE @ self.axes + self.box.at(0, 0), np.float64)

    @cached_property
    def axes(self) -> Points:
        """The zone's own directions right and down, as vectors on the table."""
        right, down = (np.subtract(end, self.box.at(0, 0)) for end in (self.box.at(1, 0), self.box.at(0, 1)))
        return np.array([right, down])

    def look(self, sight: TablePicture) -> Over:
        """Compare a picture with the background."""
        if self._bare is None:
            picture = _smooth(_as_bytes(self.picture()))
            self._bare = picture, colours_of(picture)
        seen = _smooth(sight.bytes(self.box, SCALE))
        return Over(self, seen, colours_of(seen), *self._bare)


class Over:
    """A zone compared with its background: the difference of each pixel, and what stands out."""

    def __init__(self, ground: Ground, seen: Bytes, colours: Bytes, bare: Bytes, bare_colours: Bytes) -> None:
        self.ground = ground
        self.seen, self.bare = seen, bare
        self.colours = colours
        self.apart = _distances(colours, bare_colours)

    @cached_property
    def apart_today(self) -> NDArray[np.float32]:
        """The difference of each pixel from the background in the present light."""
        light = self._today
        if float(light.min()) > 1 - _STEADY and float(light.max()) < 1 + _STEADY:
            return self.apart
        lit = cv2.multiply(self.bare, cv2.merge([light] * 3), dtype=cv2.CV_8U)
        return _distances(self.colours, colours_of(np.asarray(lit, np.uint8)))

    @cached_property
    def standing_out(self) -> Mask:
        """The pixels that differ from the background by more than light and shadow can explain."""
        mask = self.apart > STANDS_OUT
        places = np.flatnonzero(mask)
        seen, bare = (picture.reshape(-1, 3).take(places, 0) for picture in (self.seen, self.bare))
        # One row for each channel, since sums over three neighbouring numbers are much slower.
        ratio = (np.ascontiguousarray(seen.T) + _DARK) / (np.ascontiguousarray(bare.T) + _DARK)
        level = ratio.mean(0)
        tint = np.abs(ratio - level).max(0) / np.maximum(level, 0.05)
        brightest = _BRIGHTER * np.maximum(self._today.reshape(-1).take(places), 1.0)
        mask.reshape(-1)[places[(level < brightest) & (level > _DEEPEST) & (tint < 0.10)]] = False
        return np.asarray(cv2.morphologyEx(mask.view(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8)), np.uint8)

    def in_shadow(self, free: Mask | None = None) -> NDArray[np.bool_]:
        """Where the background is visible, even under shadows. `free` excludes pixels that are certainly covered.

        A shadow darkens the background and its print equally, has soft edges, and does not change colours.
        """
        level, tint = self._relit
        weight = np.ones_like(level) if free is None else free.astype(np.float32)
        around = (cv2.blur(each, (_SHADOW, _SHADOW)) for each in (level * weight, weight))
        depth = np.divide(*(np.maximum(each, 1e-6) for each in around))
        same = (np.abs(level - depth) < _OTHER * depth) & (tint < _OTHER * level)
        return np.asarray(same & (depth > _DEEPEST) & (depth < _BRIGHTER * np.maximum(self._today, 1.0)))

    @property
    def lit(self) -> float:
        """Brightness of the brighter parts, relative to when the background was learnt."""
        return float(np.percentile(self._relit[0], 90))

    @cached_property
    def _relit(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The brightness of each pixel relative to the background, and the largest deviation of a colour channel from
        it."""
        blue, green, red = cv2.split((self.seen + _DARK) / (self.bare + _DARK))
        level = (blue + green + red) / 3
        tint = np.maximum(np.maximum(np.abs(blue - level), np.abs(green - level)), np.abs(red - level))
        return np.asarray(level, np.float32), np.asarray(tint, np.float32)

    def light(self, point: Point) -> float:
        """The brightness around a table point, relative to when the background was learnt."""
        x, y = self.ground.to_pixels(point)
        rows, columns = self._today.shape
        return float(self._today[min(max(round(y), 0), rows - 1), min(max(round(x), 0), columns - 1)])

    @cached_property
    def _today(self) -> NDArray[np.float32]:
        """The brightness of each part of the zone, relative to when the background was learnt: lamps flicker, and
        people cast shadows."""
        height, width = self.apart.shape
        across, down = (max(1, round(side / _PART)) for side in (width, height))
        size = (across * _SAMPLES, down * _SAMPLES)
        now, then = (cv2.resize(picture, size, interpolation=cv2.INTER_AREA) for picture in (self.seen, self.bare))
        blue, green, red = cv2.split((now + _DARK) / (then + _DARK))
        level = (blue + green + red) / 3
        tinted = np.maximum(np.maximum(np.abs(blue - level), np.abs(green - level)), np.abs(red - level))
        level[tinted > 0.1 * level] = np.inf
        each = level.reshape(down, _SAMPLES, across, _SAMPLES).transpose(0, 2, 1, 3).reshape(down * across, -1)
        each.sort(axis=1)
        ground = np.isfinite(each).sum(1)
        # If less than half of a part shows the background, its pieces would falsify the light.
        parts = np.where(ground > each.shape[1] / 2, each[np.arange(len(each)), ground // 2], 1.0)
        parts = np.clip(parts, *_LIGHTS).reshape(down, across).astype(np.float32)
        return np.asarray(cv2.resize(parts, (width, height), interpolation=cv2.INTER_LINEAR), np.float32)

    def blobs(self, smallest: float) -> list[Blob]:
        """The things that stand out, with an area of at least `smallest` square millimetres."""
        mask = cv2.morphologyEx(self.standing_out, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8))
        count, labels, stats, centres = cv2.connectedComponentsWithStats(mask)
        found = []
        for number in range(1, count):
            area = stats[number, cv2.CC_STAT_AREA] / SCALE**2
            if area < smallest:
                continue
            left, top, width, height = stats[number, : cv2.CC_STAT_AREA]
            # Only its own box is used: on a large table there are hundreds of others.
            around = slice(max(0, top - 1), top + height + 1), slice(max(0, left - 1), left + width + 1)
            own = (labels[around] == number).astype(np.uint8)
            inner = cv2.erode(own, np.ones((3, 3), np.uint8))
            pixels = self.colours[around][(inner if inner.sum() > 12 else own) > 0]
            x, y = centres[number]
            found.append(Blob(self.ground.to_table(x, y), area, np.median(as_lab(pixels), 0)))
        return found


def _distances(colours: Bytes, bare: Bytes) -> NDArray[np.float32]:
    """The distance of two pictures in Lab bytes for each pixel; lightness counts less than hue."""
    differences = cv2.absdiff(colours, bare)
    squares = cv2.multiply(differences, differences, dtype=cv2.CV_32F)
    return np.asarray(cv2.sqrt(cv2.transform(squares, _WEIGHTS)), np.float32)


def lab(patch: Patch) -> NDArray[np.float32]:
    """Convert to Lab, with some room above white for highlights."""
    lab_image: Any = cv2.cvtColor(np.clip(patch * 0.8, 0, 1).astype(np.float32), cv2.COLOR_BGR2LAB)
    return np.asarray(lab_image, np.float32)


def _smooth(picture: Bytes) -> Bytes:
    """Blur the sensor's noise, which would make every pixel differ from the background."""
    return np.asarray(cv2.blur(picture, (3, 3)), np.uint8)


def colours_of(picture: Bytes) -> Bytes:
    """Convert to Lab in bytes, for pictures in which white is `WHITE`."""
    return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2LAB), np.uint8)


def as_lab(colours: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Convert Lab in bytes to real Lab values."""
    proper = colours * np.array([100 / 255, 1, 1], np.float32) - np.array([0, 128, 128], np.float32)
    return np.asarray(proper, np.float32)


def _as_bytes(patch: Patch) -> Bytes:
    return np.clip(patch * WHITE, 0, 255).astype(np.uint8)
