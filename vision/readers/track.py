"""Reads `track` zones: coloured markers on numbered fields, several on one field too, even one on another."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.kernel.messages import Found, ZoneReading
from companion.kernel.views import Marks
from vision.layout import Piece, Point, Track
from vision.picture.background import SCALE, Ground, Over, as_lab
from vision.picture.table_picture import TablePicture

LIKE: Final = 22.0
"""A pixel belongs to a marker when its colour is no further from it than this (CIE Lab)."""
ENOUGH: Final = 0.22
"""A marker is seen when this share of it shows."""
SLIVER: Final = 0.025
"""Of a marker under another one this share must show."""
BENEATH: Final = 1.2
"""What shows of it is no more than so many of its breadths from the middle of the upper one."""
ALONE: Final = 1.75
"""What shows more than so many markers is two of them."""
_EDGE_MM: Final = 1.0
"""By so much a marker seems larger on every side: edges are blurred, and its side shows."""
_LIGHTNESS: Final = np.array([0.5, 1, 1], np.float32)


class Colours:
    """The markers' colours, as they were taught."""

    def __init__(self) -> None:
        self._examples: dict[str, list[NDArray[np.float32]]] = {}

    def learn(self, sight: TablePicture, ground: Ground, label: str, centre: Point, piece: Piece) -> bool:
        """Take over a marker's colour from where it lies alone; False where several lie together."""
        whole = piece.size[0] * piece.size[1] * 0.785
        near = [
            blob
            for blob in ground.look(sight).blobs(ENOUGH * whole)
            if np.hypot(blob.centre[0] - centre[0], blob.centre[1] - centre[1]) < max(piece.size)
        ]
        if len(near) != 1 or near[0].area > ALONE * _seen(piece):
            return False
        self._examples.setdefault(label, []).append(near[0].colour)
        return True

    def learn_among_others(self, sight: TablePicture, ground: Ground, label: str, centre: Point, piece: Piece) -> None:
        """Take over the colour of a marker that always lay beside others: what is left when theirs are taken out."""
        names, means = self.means()
        if label in names or not names:
            return
        over = ground.look(sight)
        mask = over.standing_out.copy()
        rows, columns = np.nonzero(mask)
        known = _apart(as_lab(over.colours[rows, columns]), means).min(1) < LIKE
        mask[rows[known], columns[known]] = 0
        x, y = ground.to_pixels(centre)
        near = np.zeros_like(mask)
        cv2.circle(near, (round(x), round(y)), round(max(piece.size) * SCALE), 1, -1)
        left = cv2.erode(mask & near, np.ones((2, 2), np.uint8))
        if left.sum() >= ENOUGH * piece.size[0] * piece.size[1] * 0.785 * SCALE**2:
            self._examples[label] = [np.median(as_lab(over.colours[left > 0]), 0)]

    def means(self) -> tuple[list[str], NDArray[np.float32]]:
        names = list(self._examples)
        return names, np.array([np.mean(self._examples[name], 0) for name in names], np.float32)


def read(sight: TablePicture, zone: Track, colours: Colours, ground: Ground, piece: Piece) -> ZoneReading:
    names, means = colours.means()
    if not names or not ground.known or not sight.plane.sees(zone.area()):
        return ZoneReading(zone.kind, None, 0.0)
    over = ground.look(sight)
    nearest = _nearest(over, means, _fields(zone, ground, piece))
    found: list[Found] = []
    for number, name in enumerate(names):
        spot = _spot((nearest == number).astype(np.uint8), ground, piece)
        if spot is not None:
            where, share = spot
            found.append(Found(name, *_rounded(where), 0.0, round(min(0.999, 0.5 + share / 2), 3)))
    if len(found) == len(names) - 1 and (under := _beneath(over, names, means, found, piece)) is not None:
        found.append(under)
    field = {one.label: _field(zone, (one.x, one.y)) for one in found}
    confidence = min((one.confidence for one in found), default=0.9)
    return ZoneReading(zone.kind, Marks(field), confidence, tuple(found))


def _fields(zone: Track, ground: Ground, piece: Piece) -> NDArray[np.uint8]:
    """Where markers may be seen: on the fields and a little beside them. A track may run around a board, on which
    other things of the same colours lie."""
    mask = np.zeros(ground.shape, np.uint8)
    for box in zone.places().values():
        corners = ground.all_to_pixels(np.array(box.grown(max(piece.size) / 2).corners()))
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 1)
    return mask


def _field(zone: Track, where: Point) -> int:
    return int(min(zone.at, key=lambda key: math.dist(where, zone.at[key])))


def _rounded(where: Point) -> Point:
    return round(where[0], 2), round(where[1], 2)


def _beneath(
    over: Over, names: Sequence[str], means: NDArray[np.float32], found: Sequence[Found], piece: Piece
) -> Found | None:
    """The one marker that was not found, if a sliver of it shows beside exactly one other: it lies under that.

    If two were missing, the sliver could be of either: paint seen past an edge is mixed with the paint above.
    """
    [missing] = set(names) - {one.label for one in found}
    reach = BENEATH * max(piece.size)
    enough = SLIVER * _whole(piece)
    uppers = []
    for upper in found:
        # Whatever lies elsewhere cannot be here as well, however its paint may resemble the mixture.
        here = [missing, *(one.label for one in found if math.dist((one.x, one.y), (upper.x, upper.y)) < 2 * reach)]
        near = np.zeros(over.ground.shape, np.uint8)
        x, y = over.ground.to_pixels((upper.x, upper.y))
        cv2.circle(near, (round(x), round(y)), round(reach * SCALE), 1, -1)
        mine = _nearest(over, means[[names.index(name) for name in here]], near) == 0
        if (slivers := _parts(mine.astype(np.uint8))) and slivers[0][0] >= enough:
            uppers.append(upper)
    if len(uppers) != 1:
        return None
    return Found(missing, uppers[0].x, uppers[0].y, 0.0, 0.5)


def _nearest(over: Over, means: NDArray[np.float32], within: NDArray[np.uint8]) -> NDArray[np.int8]:
    """For each pixel within a mask that stands out: the number of the colour it is most like; -1 if it is like none."""
    numbers = np.full(within.shape, -1, np.int8)
    rows, columns = np.nonzero(over.standing_out & within)
    if len(rows):
        apart = _apart(as_lab(over.colours[rows, columns]), means)
        numbers[rows, columns] = np.where(apart.min(1) < LIKE, apart.argmin(1), -1)
    return numbers


def _apart(colours: NDArray[np.float32], means: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.linalg.norm((colours[:, None] - means) * _LIGHTNESS, axis=2), np.float32)


def _parts(mask: NDArray[np.uint8]) -> list[tuple[int, Point]]:
    """What hangs together in a mask, but for specks and thin lines: pixels and middle, the largest first."""
    clean = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    count, _, stats, centres = cv2.connectedComponentsWithStats(clean)
    parts = [(int(stats[n, cv2.CC_STAT_AREA]), (float(centres[n][0]), float(centres[n][1]))) for n in range(1, count)]
    return sorted(parts, reverse=True)


def _whole(piece: Piece) -> float:
    """The pixels of a whole marker."""
    return piece.size[0] * piece.size[1] * 0.785 * SCALE**2


def _seen(piece: Piece) -> float:
    """How large (mm²) one marker seems."""
    return (piece.size[0] + 2 * _EDGE_MM) * (piece.size[1] + 2 * _EDGE_MM) * 0.785


def _spot(mask: NDArray[np.uint8], ground: Ground, piece: Piece) -> tuple[Point, float] | None:
    """Where a marker lies and how much of it shows; None when it is hidden, or might be in two places."""
    spots, whole = _parts(mask), _whole(piece)
    if not spots or spots[0][0] < ENOUGH * whole:
        return None
    if len(spots) > 1 and spots[1][0] > 0.5 * spots[0][0] and spots[1][0] > ENOUGH * whole:
        return None
    return ground.to_table(*spots[0][1]), min(1.0, spots[0][0] / whole)
