"""Motion and hands: which zones are still and can be read, which move, and which are under an arm, from which side.

Input are frames of the small stream with their own times, output is a Stillness. Each frame is compared with one a
moment ago to find motion, and with a slowly learnt picture of the table to find what lies over it. Both are first
adjusted to the present light, so that a lamp or a cloud is not taken for a hand.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Iterable
from typing import Final, Literal

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.cameras.camera import Frame, Image
from vision.layout import Layout, boxes
from vision.plane.plane import Plane

State = Literal["still", "moving", "covered"]
Side = Literal["top", "right", "bottom", "left"]
Mask = NDArray[np.uint8]
Floats = NDArray[np.float32]

SIDES: Final[tuple[Side, ...]] = ("top", "right", "bottom", "left")

STILL_FOR: Final = 0.4
MOMENT: Final = 0.15
"""Seconds between two frames that are compared for motion, long enough for a slow hand to move a pixel."""

MOVED_BY: Final = 12
"""Minimum change of a blurred pixel, in grey levels, that counts as motion."""
LIES_OVER_BY: Final = 20
"""Minimum difference from the learnt table, in grey levels, that counts as something lying over it."""

ARM_RESTS: Final = 10.0
BIG_THING_RESTS: Final = 2.0
PIECE_RESTS: Final = 1.0
"""Seconds without motion after which an arm from the edge, a big thing, or a piece counts as part of the table."""

HAND_MM2: Final = 4500.0
"""Minimum size of a thing that may be a hand without a visible arm, if the sleeve has the table's colour."""

SMALLEST_ARM: Final = 40
"""Pixels of a finger tip over the edge."""

LEARNING_SECONDS: Final = 5.0
LEARN_EVERY: Final = 0.5
"""Time constant of learning the table, and seconds between steps, which cost an idle Pi almost nothing."""

UPHEAVAL: Final = 0.6
"""If more than this share of the table looks different, the camera or the light has changed, as no hand is so big."""
UPHEAVAL_RESTS: Final = 1.5
"""Seconds without motion until this is learnt as the table. A head over the table is never still for so long."""

LIGHT_STEP: Final = 0.1
LIGHT_NOTICED: Final = 0.03
"""Logarithms of a gain: 0.1 is a lamp or a cloud, 0.03 is flicker and noise."""

CELLS: Final = (16, 9)
_SPECK: Final = np.ones((2, 2), np.uint8)
_GAP: Final = np.ones((5, 5), np.uint8)


class Hand(msgspec.Struct, frozen=True):
    """An arm or hand over the table: the side it comes from (None if unclear) and the zones under it."""

    side: Side | None
    zones: tuple[str, ...]
    share: float
    """Share of the table that it covers."""


class ZoneStillness(msgspec.Struct, frozen=True):
    """The state of one zone. `since` is when it began; `readable` means that the zone has been still for long
    enough."""

    state: State
    since: float
    readable: bool
    side: Side | None = None


class Stillness(msgspec.Struct, frozen=True):
    """The state of the table in one small frame. `light` means that the light has just changed."""

    at: float
    number: int
    zones: dict[str, ZoneStillness]
    hands: tuple[Hand, ...] = ()
    light: bool = False

    def readable(self) -> tuple[str, ...]:
        return tuple(name for name, zone in self.zones.items() if zone.readable)


class _Look(msgspec.Struct, eq=False):
    """A picture with its coarse cells, kept for comparison."""

    image: Image
    cells: Floats
    at: float


class _Patch(msgspec.Struct, frozen=True, eq=False):
    """A zone in the small picture: a window and the zone's pixels in it."""

    window: tuple[slice, slice]
    mask: Mask
    pixels: int

    def shows(self, picture: Mask) -> int:
        return int(cv2.countNonZero(cv2.bitwise_and(picture[self.window], self.mask))) if self.pixels else 0


class _Ground(msgspec.Struct, frozen=True, eq=False):
    """The table in the small picture: its area, the sides of its edge, its zones, and the size of a pixel."""

    area: Mask
    edge: NDArray[np.int8]
    zones: dict[str, _Patch]
    pixels: int
    mm2: float
    weights: NDArray[np.float64]


class Lookout:
    """Finds motion and hands in the small frames of one table."""

    def __init__(self, layout: Layout, plane: Plane | None = None, still_for: float = STILL_FOR) -> None:
        self._layout = layout
        self._plane = plane
        self._still_for = still_for
        self._forget()

    def use(self, plane: Plane | None) -> None:
        """Use another plane, and forget the learnt table."""
        self._plane = plane
        self._forget()

    def look(self, frame: Frame) -> Stillness:
        look = _seen(frame)
        if self._ground is None or self._ground.area.shape != look.image.shape[:2]:
            self._begin(look)
        assert self._ground is not None
        motion, light = self._moving(look)
        hands, covered = self._lying_over(look, motion)
        self._recent.append(look)
        self._learn(look)
        if light:
            self._light_at = look.at
        return self._judged(frame, motion, hands, covered, light)

    def _forget(self) -> None:
        self._ground: _Ground | None = None
        self._recent: deque[_Look] = deque()
        self._zones: dict[str, ZoneStillness] = {}
        self._disturbed: dict[str, float] = {}

    def _begin(self, look: _Look) -> None:
        height, width = look.image.shape[:2]
        self._ground = _ground(self._layout, self._plane, (width, height))
        self._recent = deque([look])
        self._take_for_table(look.image)
        self._earlier: Image | None = None
        self._over: Mask = np.zeros((height, width), np.uint8)
        self._moved_at = np.full((height, width), look.at)
        self._upheaval_at = self._light_at = self._learnt_at = look.at
        self._arm_before = False
        self._zones = {name: ZoneStillness("still", look.at, False) for name in self._ground.zones}
        self._disturbed = dict.fromkeys(self._ground.zones, look.at)

    def _moving(self, look: _Look) -> tuple[Mask, bool]:
        """What differs from a moment ago, and whether the light has changed."""
        while len(self._recent) > 1 and look.at - self._recent[1].at >= MOMENT:
            self._recent.popleft()
        then = self._recent[0]
        before, change = self._relit(then.image, then.cells, look.cells)
        motion = self._differs(look.image, before, MOVED_BY, change)
        return motion, change >= LIGHT_STEP

    def _lying_over(self, look: _Look, motion: Mask) -> tuple[tuple[Hand, ...], Mask]:
        """Arms and hands: what lies over the learnt table, without pieces."""
        assert self._ground is not None
        table, change = self._relit(self._table, self._table_cells, look.cells)
        if change >= LIGHT_STEP:
            self._take_for_table(table)
        self._over = self._differs(look.image, table, LIES_OVER_BY, change)
        nothing: Mask = np.zeros_like(self._over)
        if cv2.countNonZero(motion):
            self._moved_at[motion > 0] = look.at
        share = cv2.countNonZero(self._over) / self._ground.pixels
        if share > UPHEAVAL:
            return (), self._upheaval(look, motion)
        self._upheaval_at = look.at
        if share == 0:
            self._arm_before = False
            return (), nothing
        hands, covered = self._arms(look)
        # An arm stays longer than one frame, unlike a difference while a lamp is switched on.
        sure, self._arm_before = self._arm_before, bool(hands)
        if not sure:
            motion |= covered
            return (), nothing
        return hands, covered

    def _upheaval(self, look: _Look, motion: Mask) -> Mask:
        if cv2.countNonZero(motion):
            self._upheaval_at = look.at
        motion |= self._over
        self._arm_before = False
        if look.at - self._upheaval_at >= UPHEAVAL_RESTS:
            self._take_for_table(look.image)
            self._earlier = None
            self._over = np.zeros_like(self._over)
        return np.zeros_like(self._over)

    def _arms(self, look: _Look) -> tuple[tuple[Hand, ...], Mask]:
        assert self._ground is not None
        ground = self._ground
        covered: Mask = np.zeros_like(self._over)
        hands: list[Hand] = []
        count, labels, stats, _ = cv2.connectedComponentsWithStats(self._over, connectivity=8)
        for label in np.argsort(-stats[1:count, cv2.CC_STAT_AREA])[:24] + 1:
            left, top, width, height, area = (int(value) for value in stats[label])
            window = slice(top, top + height), slice(left, left + width)
            thing = labels[window] == label
            rested = look.at - float(self._moved_at[window][thing].max())
            touched = ground.edge[window][thing]
            from_edge = area >= SMALLEST_ARM and bool(np.count_nonzero(touched >= 0) >= 3)
            big = area * ground.mm2 >= HAND_MM2
            if from_edge and self._was_there_before(look, window, thing):
                rested = math.inf
            if rested >= (ARM_RESTS if from_edge else BIG_THING_RESTS if big else PIECE_RESTS):
                self._absorb(look, window, thing, keep=from_edge)
            elif from_edge or big:
                alone: Mask = np.zeros_like(covered)
                alone[window][thing] = 255
                covered |= alone
                hands.append(Hand(_side(touched), self._under(alone), area / ground.pixels))
        return tuple(hands), covered

    def _absorb(self, look: _Look, window: tuple[slice, slice], thing: NDArray[np.bool_], keep: bool) -> None:
        if keep:
            # An arm that has rested for long may still leave; then the table under it is known already.
            self._earlier = self._table.copy()
        self._exact[window][thing] = look.image[window][thing]
        self._table[window][thing] = look.image[window][thing]
        self._table_cells = _cells(self._table)
        self._over[window][thing] = 0

    def _was_there_before(self, look: _Look, window: tuple[slice, slice], thing: NDArray[np.bool_]) -> bool:
        if self._earlier is None:
            return False
        off = np.abs(look.image[window][thing].astype(np.int16) - self._earlier[window][thing]).max(axis=1)
        return bool(np.mean(off < LIES_OVER_BY) > 0.8)

    def _under(self, covered: Mask) -> tuple[str, ...]:
        assert self._ground is not None
        return tuple(name for name, zone in self._ground.zones.items() if zone.shows(covered) > _few(zone, 0.01))

    def _take_for_table(self, image: Image) -> None:
        self._table: Image = image.copy()
        self._exact: Floats = image.astype(np.float32)
        self._table_cells = _cells(image)

    def _learn(self, look: _Look) -> None:
        since = look.at - self._learnt_at
        if since < LEARN_EVERY:
            return
        self._learnt_at = look.at
        step = 1 - math.exp(-since / LEARNING_SECONDS)
        cv2.accumulateWeighted(look.image, self._exact, step, mask=cv2.bitwise_not(self._over))
        self._table = np.asarray(cv2.convertScaleAbs(self._exact), np.uint8)
        self._table_cells = _cells(self._table)

    def _judged(self, frame: Frame, motion: Mask, hands: tuple[Hand, ...], covered: Mask, light: bool) -> Stillness:
        assert self._ground is not None
        moves, covers = cv2.countNonZero(motion) > 0, bool(hands)
        for name, zone in self._ground.zones.items():
            state: State = "still"
            side: Side | None = None
            if not zone.pixels:
                state = "covered"
            elif covers and zone.shows(covered) > _few(zone, 0.01):
                state, side = "covered", next((hand.side for hand in hands if name in hand.zones), None)
            elif moves and zone.shows(motion) > _few(zone, 0.004):
                state = "moving"
            if state != "still":
                self._disturbed[name] = frame.at
            was = self._zones[name]
            since = was.since if was.state == state else frame.at
            quiet = frame.at - max(self._disturbed[name], self._light_at) >= self._still_for - 1e-6
            self._zones[name] = ZoneStillness(state, since, state == "still" and quiet, side)
        return Stillness(frame.at, frame.number, dict(self._zones), hands, light)

    def _relit(self, image: Image, cells: Floats, now: Floats) -> tuple[Image, float]:
        """Adjust an earlier picture to the present light. Also returns the change of light as the logarithm of a
        gain."""
        assert self._ground is not None
        change = np.log((now + 4) / (cells + 4))
        if np.abs(change).max() < LIGHT_NOTICED:
            return image, 0.0
        field = _smooth(change.reshape(-1, 3).astype(np.float64), self._ground.weights)
        most = float(np.abs(field).max())
        if most < LIGHT_NOTICED:
            return image, most
        gain = np.exp(field).reshape(CELLS[1], CELLS[0], 3).astype(np.float32)
        spread = cv2.resize(gain, (image.shape[1], image.shape[0]), interpolation=cv2.INTER_LINEAR)
        return np.asarray(cv2.multiply(image, spread, dtype=cv2.CV_8U), np.uint8), most

    def _differs(self, image: Image, other: Image, by: int, light: float) -> Mask:
        assert self._ground is not None
        blue, green, red = cv2.split(cv2.absdiff(image, other))
        most = cv2.max(cv2.max(blue, green), red)
        # After a change of light, the comparison is only as exact as the smooth field that describes the change.
        _, mask = cv2.threshold(most, by + min(20, round(40 * light)), 255, cv2.THRESH_BINARY)
        mask = cv2.bitwise_and(mask, self._ground.area)
        if cv2.countNonZero(mask):
            mask = cv2.morphologyEx(mask, cv2.MORPH_OPEN, _SPECK)
            mask = cv2.morphologyEx(mask, cv2.MORPH_CLOSE, _GAP)
        return np.asarray(mask, np.uint8)


def _seen(frame: Frame) -> _Look:
    image = np.asarray(cv2.blur(frame.image, (3, 3)), np.uint8)
    return _Look(image, _cells(image), frame.at)


def _cells(image: Image | Floats) -> Floats:
    return np.asarray(cv2.resize(image, CELLS, interpolation=cv2.INTER_AREA), np.float32)


def _few(zone: _Patch, share: float) -> float:
    return max(2.0, share * zone.pixels)


def _side(touched: NDArray[np.int8]) -> Side | None:
    """The side of the table with most of a thing's edge pixels."""
    counts = np.bincount(touched[touched >= 0].astype(np.intp), minlength=4)
    return SIDES[int(counts.argmax())] if counts.any() else None


def _smooth(change: NDArray[np.float64], importance: NDArray[np.float64]) -> NDArray[np.float64]:
    """A smooth field for the change of light in most cells, ignoring cells that changed for other reasons.

    It is quadratic in x and y, and cells that do not fit get lower weights. The curved terms are damped a little,
    because an arm in a corner would distort them.
    """
    field = np.repeat(np.median(change, axis=0)[None], len(change), axis=0)
    for _ in range(5):
        off = np.abs(change - field).max(axis=1)
        scale = max(0.02, 1.5 * float(np.median(off)))
        weights = importance / (1 + (off / scale) ** 2) ** 2
        normal = (_BASIS.T * weights) @ _BASIS + _HELD_BACK
        field = _BASIS @ np.linalg.solve(normal, (_BASIS.T * weights) @ change)
    return np.asarray(field)


def _basis() -> NDArray[np.float64]:
    down, right = np.mgrid[0 : CELLS[1], 0 : CELLS[0]]
    x = (right.ravel() + 0.5) / CELLS[0] * 2 - 1
    y = (down.ravel() + 0.5) / CELLS[1] * 2 - 1
    return np.column_stack([np.ones_like(x), x, y, x * x, x * y, y * y])


_BASIS: Final = _basis()
_HELD_BACK: Final = np.diag([1e-6, 1e-3, 1e-3, 0.5, 0.5, 0.5])


def _ground(layout: Layout, plane: Plane | None, size: tuple[int, int]) -> _Ground:
    """The table, its edge and its zones in a small picture."""
    width, height = size
    if plane is None:
        area = np.full((height, width), 255, np.uint8)
        zones: dict[str, _Patch] = {}
        mm2 = layout.area.width * layout.area.height / (width * height)
    else:
        scale = np.array([width / plane.size[0], height / plane.size[1]])
        whole = [
            (0.0, 0.0),
            (layout.area.width, 0.0),
            (layout.area.width, layout.area.height),
            (0.0, layout.area.height),
        ]
        area = _filled([plane.to_pixels(whole) * scale], size)
        zones = {
            name: _patch(_filled([plane.to_pixels(box.corners()) * scale for box in boxes(zone)], size))
            for name, zone in layout.zones.items()
        }
        middle = (layout.area.width / 2, layout.area.height / 2)
        mm2 = 1 / (plane.scale(middle) ** 2 * scale[0] * scale[1])
    weights = cv2.resize(area, CELLS, interpolation=cv2.INTER_AREA).ravel() / 255 + 0.05
    edge = _edge(area, layout, plane)
    return _Ground(area, edge, zones, max(1, int(cv2.countNonZero(area))), float(mm2), weights)


def _filled(boxes: Iterable[NDArray[np.float64]], size: tuple[int, int]) -> Mask:
    mask = np.zeros((size[1], size[0]), np.uint8)
    for corners in boxes:
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 255)
    return mask


def _patch(mask: Mask) -> _Patch:
    left, top, width, height = cv2.boundingRect(mask)
    window = slice(top, top + height), slice(left, left + width)
    return _Patch(window, np.ascontiguousarray(mask[window]), int(cv2.countNonZero(mask)))


def _edge(area: Mask, layout: Layout, plane: Plane | None) -> NDArray[np.int8]:
    """For each pixel on the edge of the visible table, the nearest side of the table; -1 for all others."""
    inner = cv2.erode(area, np.ones((5, 5), np.uint8), borderType=cv2.BORDER_CONSTANT, borderValue=0)
    rows, columns = np.nonzero(cv2.subtract(area, inner))
    edge = np.full(area.shape, -1, np.int8)
    if not len(rows):
        return edge
    pixels = np.column_stack([columns, rows]).astype(np.float64) + 0.5
    if plane is None:
        across, along = pixels[:, 0] / area.shape[1], pixels[:, 1] / area.shape[0]
    else:
        lying = plane.to_table(pixels * (plane.size[0] / area.shape[1], plane.size[1] / area.shape[0]))
        across, along = lying[:, 0] / layout.area.width, lying[:, 1] / layout.area.height
    edge[rows, columns] = np.argmin([along, 1 - across, 1 - along, across], axis=0)
    return edge
