"""Reads `track` zones: coloured markers on numbered fields, several on one field too."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.messages import Found, Marks, ZoneReading
from vision.ground import SCALE, Ground, as_lab
from vision.layout import Piece, Point, Track
from vision.sight import Sight

LIKE: Final = 22.0
"""A pixel belongs to a marker when its colour is no further from it than this (CIE Lab)."""
ENOUGH: Final = 0.22
"""A marker is seen when this share of it shows."""
_LIGHTNESS: Final = np.array([0.5, 1, 1], np.float32)


class Colours:
    """The markers' colours, as they were taught."""

    def __init__(self) -> None:
        self._examples: dict[str, list[NDArray[np.float32]]] = {}

    def learn(self, sight: Sight, ground: Ground, label: str, centre: Point, piece: Piece) -> bool:
        """Take over a marker's colour from where it lies alone; False where several lie together."""
        whole = piece.size[0] * piece.size[1] * 0.785
        near = [
            blob
            for blob in ground.look(sight).blobs(ENOUGH * whole)
            if np.hypot(blob.centre[0] - centre[0], blob.centre[1] - centre[1]) < max(piece.size)
        ]
        if len(near) != 1 or near[0].area > 2 * whole:
            return False
        self._examples.setdefault(label, []).append(near[0].colour)
        return True

    def learn_among_others(self, sight: Sight, ground: Ground, label: str, centre: Point, piece: Piece) -> None:
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


def read(sight: Sight, zone: Track, colours: Colours, ground: Ground, piece: Piece) -> ZoneReading:
    names, means = colours.means()
    if not names or not ground.known or not sight.plane.sees(zone.area()):
        return ZoneReading(zone.kind, None, 0.0)
    over = ground.look(sight)
    rows, columns = np.nonzero(over.standing_out)
    apart = _apart(as_lab(over.colours[rows, columns]), means)
    nearest = np.where(apart.min(1) < LIKE, apart.argmin(1), -1) if len(rows) else np.empty(0, int)
    field: dict[str, int] = {}
    found: list[Found] = []
    for number, name in enumerate(names):
        mask = np.zeros(over.standing_out.shape, np.uint8)
        mask[rows[nearest == number], columns[nearest == number]] = 1
        spot = _spot(mask, ground, piece)
        if spot is None:
            continue
        where, share = spot
        closest = min(zone.at, key=lambda key: np.hypot(where[0] - zone.at[key][0], where[1] - zone.at[key][1]))
        field[name] = int(closest)
        found.append(Found(name, round(where[0], 2), round(where[1], 2), 0.0, round(min(0.999, 0.5 + share / 2), 3)))
    confidence = min((piece_.confidence for piece_ in found), default=0.9)
    return ZoneReading(zone.kind, Marks(field), confidence, tuple(found))


def _apart(colours: NDArray[np.float32], means: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.linalg.norm((colours[:, None] - means) * _LIGHTNESS, axis=2), np.float32)


def _spot(mask: NDArray[np.uint8], ground: Ground, piece: Piece) -> tuple[Point, float] | None:
    """Where a marker lies and how much of it shows; None when it is hidden, or might be in two places."""
    clean = cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    count, _, stats, centres = cv2.connectedComponentsWithStats(clean)
    whole = piece.size[0] * piece.size[1] * 0.785 * SCALE**2
    spots = sorted(((int(stats[n, cv2.CC_STAT_AREA]), n) for n in range(1, count)), reverse=True)
    if not spots or spots[0][0] < ENOUGH * whole:
        return None
    if len(spots) > 1 and spots[1][0] > 0.5 * spots[0][0] and spots[1][0] > ENOUGH * whole:
        return None
    x, y = centres[spots[0][1]]
    return ground.to_table(float(x), float(y)), min(1.0, spots[0][0] / whole)
