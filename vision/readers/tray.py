"""Reads `tray` zones: loose flat pieces in any position and rotation, face up or down."""

from __future__ import annotations

from collections import Counter
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.messages import Found, Pieces, ZoneReading
from vision.faces import CLEAR, COLOUR_WEIGHT, RADIUS, Bank, Faces, Guess
from vision.ground import SCALE, Ground
from vision.layout import Box, Piece, Point, Tray
from vision.light import Patch
from vision.looks import colour_distance, likeness_roughly, looks, rough_examples, roughly
from vision.sight import Sight

STEP: Final = 0.1
"""How closely the tray is searched at first, in piece widths; a look tolerates being half of that off."""
BARE: Final = 5.8
"""A mean difference from the ground (CIE Lab) that no piece stays below."""
WORTH_A_LOOK: Final = 0.22
STEPS: Final = (0.052, 0.026, 0.013)
_NUDGES: Final = np.array([(x, y) for x in (-1, 0, 1) for y in (-1, 0, 1)], np.float64)
COVERED: Final = 6.5
"""A mean difference that says: something lies here."""
A_HINT: Final = 0.5
A_PIECE: Final = 0.64
"""On pictures of taught tiles, what was a tile was above 0.72 and what was none below 0.55."""
HILLTOP: Final = 0.4
"""Within so many piece widths of a likely centre no other one is looked for."""
APART: Final = 0.62
"""Two pieces' centres are at least so many piece widths apart; closer, one lies on the other."""
UNEXPLAINED: Final = 0.06
"""If something larger than this share of a piece lies there and is none, the tray cannot be counted."""


def read(sight: Sight, zone: Tray, faces: Faces, ground: Ground | None) -> ZoneReading:
    area = zone.area()
    if not sight.plane.sees(area):
        return ZoneReading(zone.kind, None, 0.0)
    size = min(faces.piece.size)
    around = area.grown(size / 4)
    patch = sight.patch(around, faces.scale, faces.piece.height)
    cover = _Cover(sight, ground, around, size)
    kept = _kept(_search(patch, cover.worth_searching(), faces), size)
    likely = [guess for guess in kept if guess.likeness >= A_PIECE]
    places = [around.at(guess.x, guess.y) for guess in likely]
    if (
        any(guess.lead < CLEAR for guess in likely)
        or any(_doubtful(guess, likely, cover, size) for guess in kept)
        or cover.unexplained(places, faces.piece)
    ):
        return ZoneReading(zone.kind, None, 0.0)
    found = tuple(
        Found(str(guess.label), round(x, 2), round(y, 2), round(guess.angle, 1), _confidence(guess))
        for guess, (x, y) in zip(likely, places, strict=True)
    )
    counts = Counter(piece.label for piece in found)
    return ZoneReading(zone.kind, Pieces(dict(counts)), min((piece.confidence for piece in found), default=0.99), found)


def _doubtful(guess: Guess, likely: list[Guess], cover: _Cover, size: float) -> bool:
    """Something lies there apart from the pieces found, and it is nearly one of them."""
    if not A_HINT <= guess.likeness < A_PIECE:
        return False
    alone = all(np.hypot(guess.x - other.x, guess.y - other.y) >= 0.85 * size for other in likely)
    return alone and cover.at(guess.x, guess.y) > COVERED


def _confidence(guess: Guess) -> float:
    return round(float(np.clip((guess.likeness - 0.5) / 0.3, 0.0, 0.999)), 3)


class _Cover:
    """How far each place of a tray is from its bare ground, seen over most of a piece's width."""

    def __init__(self, sight: Sight, ground: Ground | None, around: Box, size: float) -> None:
        self._around = around
        self._size = size
        self._ground = ground if ground is not None and ground.known else None
        if self._ground is not None:
            self._patch = sight.patch(self._ground.box, SCALE)
            self._apart = cv2.blur(self._ground.apart(self._patch), (round(size * 0.7 * SCALE),) * 2)

    def worth_searching(self) -> NDArray[np.float64]:
        """Where a piece's centre could be: all over the tray, but for where the bare ground shows."""
        margin = self._size * 0.45
        along, down = (np.arange(margin, side - margin, STEP * self._size) for side in self._around.size)
        points = np.stack(np.meshgrid(along, down), axis=-1).reshape(-1, 2)
        return np.asarray(points[self._over(points) > BARE], np.float64)

    def at(self, x: float, y: float) -> float:
        return float(self._over(np.array([[x, y]]))[0])

    def _over(self, points: NDArray[np.float64]) -> NDArray[np.float32]:
        if self._ground is None:
            return np.full(len(points), BARE + 1, np.float32)
        corner = np.asarray(self._around.at(0, 0))
        step = np.asarray(self._around.at(1, 0)) - corner
        lying = corner + points @ np.array([step, (-step[1], step[0])])
        pixels = self._ground.all_to_pixels(lying).round().astype(int)
        pixels = np.clip(pixels, 0, np.array(self._apart.shape[::-1]) - 1)
        return np.asarray(self._apart[pixels[:, 1], pixels[:, 0]], np.float32)

    def unexplained(self, places: list[Point], piece: Piece) -> bool:
        """Whether something lies in the tray that is none of the pieces found: a hand, or a piece nobody taught."""
        if self._ground is None:
            return False
        mask = self._ground.standing_out(self._patch)
        for place in places:
            x, y = self._ground.to_pixels(place)
            # A square's corners reach further than its sides, and a tile casts an edge of shadow.
            cv2.circle(mask, (round(x), round(y)), round(max(piece.size) * 0.78 * SCALE), 0, -1)
        count, _, stats, _ = cv2.connectedComponentsWithStats(mask)
        largest = max((stats[number, cv2.CC_STAT_AREA] for number in range(1, count)), default=0) / SCALE**2
        return bool(largest > UNEXPLAINED * piece.size[0] * piece.size[1])


def _search(patch: Patch, points: NDArray[np.float64], faces: Faces) -> list[Guess]:
    """Rough likeness at every point, then a close look where it is highest."""
    if not len(points):
        return []
    bank = faces.bank().only_pieces()
    seen = roughly(patch, points * faces.scale - 0.5, RADIUS)
    apart = COLOUR_WEIGHT * colour_distance(seen, bank.looks)
    rough = (likeness_roughly(seen, rough_examples(bank.looks)) - apart).max(1)
    chosen: list[int] = []
    left = rough >= WORTH_A_LOOK
    near = HILLTOP * min(faces.piece.size)
    while left.any():
        number = int(np.where(left, rough, -9.0).argmax())
        chosen.append(number)
        left &= np.hypot(*(points - points[number]).T) >= near
    return _closer(patch, points[chosen], faces, bank)


def _closer(patch: Patch, starts: NDArray[np.float64], faces: Faces, bank: Bank) -> list[Guess]:
    """Climb from each start to the best centre in ever smaller steps, all of them together."""
    if not len(starts):
        return []
    at = starts
    for step in STEPS:
        points = at[:, None] + _NUDGES * step * min(faces.piece.size)
        seen = looks(patch, points.reshape(-1, 2) * faces.scale - 0.5, RADIUS)
        scores, turned = bank.compare(seen, len(starts), finely=4 if step == STEPS[-1] else 1)
        at = points[np.arange(len(starts)), scores.max(2).argmax(1)]
    return [bank.judge(*one) for one in zip(scores, turned, points, strict=True)]


def _kept(guesses: list[Guess], size: float) -> list[Guess]:
    """The best of those that would lie on top of each other."""
    kept: list[Guess] = []
    for guess in sorted(guesses, key=lambda one: -one.likeness):
        if all(np.hypot(guess.x - other.x, guess.y - other.y) >= APART * size for other in kept):
            kept.append(guess)
    return kept
