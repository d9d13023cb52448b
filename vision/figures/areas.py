"""Areas as the finder sees them: with a margin, so many pixels to a millimetre, several in one view where that is less.

A view is not turned to how things lean, since over a large area they lean in many ways; the network is told instead.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.layout import Box, Piece, Point
from vision.picture.background import Ground, lab
from vision.picture.table_picture import Patch, TablePicture
from vision.plane.plane import Plane

Floats = NDArray[np.float32]

SCALE: Final = 4 / 3
"""Pixels to a millimetre, for pieces of the usual size."""
CELL: Final = 4
"""Pixels of a cell's side: 3 mm, a third of the smallest figures."""
FINE: Final = 2
"""Pixels of the squares in which colours are judged."""
STEP: Final = 16
"""A view's sides are multiples of this, so that few different sizes occur."""
BRIGHTEST: Final = 1.4
"""Beside white paper; gloss beyond this says no more."""
LARGEST_MM: Final = 500.0
"""Views are not joined beyond this."""
_PART: Final = 14
"""So many cells across the light is the same."""
_NEUTRAL: Final = 0.1
"""Light that is brighter or darker keeps its colour to this share."""
_SPEAKS: Final = 0.25
"""So many of a part's cells must show the ground for it to say something of the light."""
_LIGHTS: Final = (1.0, 1.6)
"""Where it is darker than when the ground was learnt, that may be a shadow or a hand: others judge that."""
_STEADY: Final = 1.03
"""Light that is no brighter than this is the same."""
_SPARE_MM: Final = 4.0
"""So much is looked at beyond a figure that stands on the area's edge."""


class View(msgspec.Struct, frozen=True, eq=False):
    """A part of a picture from straight above, relative to the light; and how it looks empty, where that is known."""

    box: Box
    scale: float
    seen: Patch
    ground: Patch
    known: NDArray[np.bool_]
    leans: Floats
    colours: Floats  # CIE Lab, of squares of FINE pixels
    guessed: NDArray[np.bool_]  # cells whose ground was never seen, and painted in

    def to_table(self, x: float, y: float) -> Point:
        """A place in cells on the table."""
        return self.box.at(x * CELL / self.scale, y * CELL / self.scale)

    def to_cells(self, points: NDArray[np.float64]) -> NDArray[np.float64]:
        return _within(self.box, points) * (self.scale / CELL)


def size_of(piece: Piece) -> float:
    """How much larger than usual a family's pieces are: then so many fewer pixels do."""
    return max(1.0, max(piece.size) / 22, piece.height / 40)


def frames(plane: Plane, areas: Sequence[Box], piece: Piece) -> list[tuple[Box, list[int]]]:
    """What to look at: areas with their margins, joined where that leaves less to look at."""
    eye = plane.eye()
    joined: list[tuple[Box, list[int]]] = []
    for number, area in enumerate(areas):
        frame = _with_margin(area, eye, piece)
        for at, (other, members) in enumerate(joined):
            both = _around(other, frame)
            if both is not None and _extent(both) < 1.05 * (_extent(other) + _extent(frame)):
                joined[at] = (both, [*members, number])
                break
        else:
            joined.append((frame, [number]))
    return joined


def _with_margin(area: Box, eye: tuple[float, float, float], piece: Piece) -> Box:
    """Heads are seen outside the area, away from the camera; on every side half a figure and some more."""
    farthest = max(math.hypot(x - eye[0], y - eye[1]) for x, y in area.corners())
    head = piece.height * farthest / max(eye[2] - piece.height, 1.0)
    turn = math.radians(area.angle)
    aside = max(piece.size) / 2 + _SPARE_MM
    sides = []
    for across in (np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])):
        away = [float((np.asarray(corner) - eye[:2]) @ across) for corner in area.corners()]
        share = [min(max(-min(away), 0.0) / farthest, 1.0), min(max(max(away), 0.0) / farthest, 1.0)]
        sides.append([aside + head * part for part in share])
    return _cut(area, -sides[0][0], -sides[1][0], area.size[0] + sides[0][1], area.size[1] + sides[1][1])


def _cut(box: Box, left: float, top: float, right: float, bottom: float) -> Box:
    """A part of a box, or more than it, in its own millimetres."""
    return Box(box.at((left + right) / 2, (top + bottom) / 2), (right - left, bottom - top), box.angle)


def _around(one: Box, other: Box) -> Box | None:
    """The box around two that are turned alike, unless it is too large."""
    if abs(one.angle - other.angle) > 0.01:
        return None
    corners = _within(one, np.asarray([*one.corners(), *other.corners()]))
    low, high = corners.min(0), corners.max(0)
    if float((high - low).max()) > LARGEST_MM:
        return None
    return _cut(one, float(low[0]), float(low[1]), float(high[0]), float(high[1]))


def _extent(box: Box) -> float:
    return box.size[0] * box.size[1]


def _within(box: Box, points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Table points in a box's own millimetres."""
    turn = math.radians(box.angle)
    away = np.asarray(points, np.float64) - box.at(0, 0)
    turned = np.array([[math.cos(turn), -math.sin(turn)], [math.sin(turn), math.cos(turn)]])
    return np.asarray(away @ turned, np.float64)


def look(sight: TablePicture, frame: Box, grounds: Sequence[Ground], scale: float) -> View:
    """Look at a frame, grown a little to whole steps."""
    columns, rows = (STEP * math.ceil(side * scale / STEP) for side in frame.size)
    box = Box(frame.centre, (columns / scale, rows / scale), frame.angle)
    seen: Patch = _raw(sight, box, scale, rows, columns) / sight.light.over(box, (columns, rows))
    ground, known = seen, np.zeros((rows // CELL, columns // CELL), bool)
    guessed = known
    if grounds:
        ground, known, guessed = _empty(box, scale, grounds, seen)
    lean = leans(sight.plane.eye(), known, box.at(0, 0), box.angle, scale)
    return View(box, scale, seen, ground, known, lean, colours_of(seen), guessed)


def colours_of(picture: Patch) -> Floats:
    """The colours of a picture's squares."""
    size = (picture.shape[1] // FINE, picture.shape[0] // FINE)
    return lab(np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), np.float32))


def _raw(sight: TablePicture, box: Box, scale: float, rows: int, columns: int) -> Patch:
    """The box as the camera shows it; the lens bends a large one, so every few pixels are looked up."""
    across, down = np.meshgrid(np.arange(columns // STEP + 1), np.arange(rows // STEP + 1))
    millimetres = np.column_stack([across.ravel(), down.ravel()]) * (STEP / scale)
    turn = math.radians(box.angle)
    turned = np.array([[math.cos(turn), math.sin(turn)], [-math.sin(turn), math.cos(turn)]])
    nodes = sight.plane.to_pixels(millimetres @ turned + box.at(0, 0)).astype(np.float32)
    # A node lies between pixels; enlarging puts it half a step in.
    large = cv2.resize(nodes.reshape(*across.shape, 2), None, fx=STEP, fy=STEP, interpolation=cv2.INTER_LINEAR)[
        STEP // 2 : STEP // 2 + rows, STEP // 2 : STEP // 2 + columns
    ]
    seen = cv2.remap(sight.image, large, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)  # type: ignore[call-overload]
    return np.asarray(seen, np.float32)


def _empty(
    box: Box, scale: float, grounds: Sequence[Ground], seen: Patch
) -> tuple[Patch, NDArray[np.bool_], NDArray[np.bool_]]:
    """The box with nothing on it, for which cells that is known, and in which of them it is a guess."""
    rows, columns = seen.shape[:2]
    guessed = np.zeros((rows, columns), np.uint8)
    empty = seen
    there = np.zeros((rows, columns), np.uint8)
    for ground in grounds:
        picture = ground.picture()
        start, right, below = ground.all_to_pixels(np.asarray([box.at(0, 0), box.at(1, 0), box.at(0, 1)]))
        onto = np.column_stack([(right - start) / scale, (below - start) / scale, start])
        # Pixel centres: the first one lies half a pixel in.
        onto[:, 2] += onto[:, :2] @ np.full(2, 0.5)
        flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
        warped = cv2.warpAffine(picture, onto, (columns, rows), flags=flags, borderMode=cv2.BORDER_REPLICATE)
        own = np.zeros((rows, columns), np.uint8)
        corners = _within(box, np.asarray(ground.box.grown(-0.5).corners())) * scale
        cv2.fillConvexPoly(own, np.round((corners - 0.5) * 16).astype(np.int32), 1, cv2.LINE_8, 4)
        if empty is seen:
            empty = seen.copy()
        cv2.copyTo(warped, own, empty)
        there |= own
        if ground.holes().any():
            holes = cv2.warpAffine(ground.holes(), onto, (columns, rows), flags=cv2.WARP_INVERSE_MAP)
            guessed |= own & np.asarray(holes, np.uint8)
    known = np.asarray(cv2.resize(there * 255, (columns // CELL, rows // CELL), interpolation=cv2.INTER_AREA) > 127)
    today = _today(seen, empty, known)
    if today is not None:
        cv2.copyTo(cv2.multiply(empty, cv2.merge([today] * 3)), there, empty)
    partly = cv2.resize(guessed * 255, (columns // CELL, rows // CELL), interpolation=cv2.INTER_AREA) > 0
    return empty, known, np.asarray(partly, bool)


def _today(seen: Patch, empty: Patch, known: NDArray[np.bool_]) -> Floats | None:
    """How much brighter the light is in each part of a view than markers far away say, if it is: lamps flicker."""
    rows, columns = known.shape
    small = (columns, rows)
    now, then = (cv2.resize(picture, small, interpolation=cv2.INTER_AREA) + 0.02 for picture in (seen, empty))
    blue, green, red = cv2.split(now / then)
    level = (blue + green + red) / 3
    usable = known
    for channel in (blue, green, red):
        usable = usable & (np.abs(channel - level) < _NEUTRAL * level)
    across, down = max(1, round(columns / _PART)), max(1, round(rows / _PART))
    parts = np.ones((down, across), np.float32)
    for row in range(down):
        for column in range(across):
            where = (
                slice(row * rows // down, (row + 1) * rows // down),
                slice(column * columns // across, (column + 1) * columns // across),
            )
            values = level[where][usable[where]]
            if len(values) > _SPEAKS * known[where].size:
                # Figures and their shadows are darker than the ground more often than brighter.
                rank = int(0.6 * len(values))
                parts[row, column] = np.clip(np.partition(values, rank)[rank], *_LIGHTS)
    if float(parts.max()) < _STEADY:
        return None
    return np.asarray(cv2.resize(parts, seen.shape[1::-1], interpolation=cv2.INTER_LINEAR), np.float32)


def planes(seen: Floats, ground: Floats | None) -> Floats:
    """The network's first input (6, h, w): a view, and how it differs from what it looks like empty."""
    made = np.zeros((6, *seen.shape[:2]), np.float32)
    for channel, plane in enumerate(cv2.split(np.minimum(seen, BRIGHTEST))):
        np.multiply(plane, 2, out=made[channel])
    if ground is not None:
        for channel, plane in enumerate(cv2.split(np.minimum(ground, BRIGHTEST))):
            np.multiply(plane, -2, out=made[channel + 3])
        made[3:6] += made[0:3]
    made[0:3] -= 1
    return made


def leans(
    eye: tuple[float, float, float], known: NDArray[np.bool_], corner: Point, angle: float, scale: float
) -> Floats:
    """The second input (3, rows, columns): how far each millimetre of height leans right and down, and whether the
    ground is known. The corner is the area's own top left one on the table, and the angle how far the area is turned.
    """
    turn = math.radians(angle)
    away = np.asarray(corner) - np.asarray(eye[:2])
    across, along = away @ (math.cos(turn), math.sin(turn)), away @ (-math.sin(turn), math.cos(turn))
    rows, columns = known.shape
    step = CELL / scale
    made = np.empty((3, rows, columns), np.float32)
    made[0] = ((across + (np.arange(columns) + 0.5) * step) / eye[2] * 2)[None, :]
    made[1] = ((along + (np.arange(rows) + 0.5) * step) / eye[2] * 2)[:, None]
    made[2] = known
    return made
