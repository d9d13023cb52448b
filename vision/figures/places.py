"""Reads named places on which one figure stands: by its shape and its colour, after a few examples of each."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

import cv2
import msgspec
import numpy as np
from msgspec import structs
from numpy.typing import NDArray

from vision.figures import closeups, network
from vision.figures.grounds import Grounds, brightness, unexplained, vanished
from vision.figures.network import Masks
from vision.figures.windows import SIDE, WINDOW_MM, Window, planes, window
from vision.figures.words import Features, Words
from vision.layout import Box, Piece, Point
from vision.picture.background import lab
from vision.picture.table_picture import Patch, TablePicture
from vision.plane.plane import Plane

Floats = NDArray[np.float32]

SURE: Final = 0.90
"""A label less likely than this is not said."""
DOUBTFUL: Final = 0.98
"""A figure whose name is less likely than this at first sight is looked at again."""
NOTHING_MM2: Final = 10.0
"""A place with no more of a figure than this is empty."""
SMALLEST_SHARE: Final = 0.35
"""With this share of the smallest taught figure's area there is a figure for sure."""
_BROAD: Final = 0.75
"""So many of its widths about its middle a figure is seen, its corners with it."""
_OTHER_PAINT: Final = 25.0
"""Hues (Lab) that are so far apart are of different paints."""
_COLOURED: Final = 18.0
"""What has less colour (Lab) may be ground, or a shadow."""
_SPECK: Final = np.ones((3, 3), np.uint8)
"""What is nowhere wider (in pixels) is noise, and so far beyond a neighbour its edge is blurred."""
_NEIGHBOUR: Final = 2.5
"""Figures farther from each other than so many of their widths do not show in each other's windows."""
COVERED_MM2: Final = 20.0
"""An unexplained share, or one above the table, of more than this may hide a figure."""


class FigureGuess(msgspec.Struct, frozen=True):
    """What stands on a place: a label, None for nothing; `sure` is False if it is not certain."""

    label: str | None
    sure: bool
    confidence: float
    x: float
    y: float


class _Place(msgspec.Struct, frozen=True, eq=False):
    """A place looked at through its window."""

    box: Box
    window: Window
    seen: Patch


class _Looks(msgspec.Struct, frozen=True, eq=False):
    """What was seen and measured on several places; `hidden` is in square millimetres of the usual window."""

    seen: Floats
    grounds: Floats
    leans: Floats
    masks: Masks
    features: Features
    hidden: Floats


class Places:
    """The figures taught for one family of pieces, as they look through a window of their own."""

    def __init__(self, piece: Piece) -> None:
        self.piece = piece
        self.scale = max(1.0, max(piece.size) / 22, piece.height / 30)
        self._grounds = Grounds(WINDOW_MM * self.scale)
        self._examples: list[tuple[_Place, str]] = []
        self._words: Words | None = None
        self._smallest = 0.0
        self._closeness = 0.0

    def learn_ground(self, sight: TablePicture, box: Box) -> None:
        """A place that is known to be empty."""
        self._grounds.learn(sight, box)
        self._words = None

    def learn(self, sight: TablePicture, box: Box, label: str) -> None:
        """A place on which that figure stands."""
        self._examples.append((self._place(sight, box), label))
        self._words = None

    def finish(self) -> None:
        """Derive what the examples say; reading does so by itself when there is something new."""
        if not self._examples:
            return
        self._closeness = 0.0
        looks = self._look([place for place, _ in self._examples])
        self._smallest = min(self._area(mask) for mask in looks.masks.figure)
        every = range(len(self._examples))
        known = looks.features.some(every, self._again(looks, every))
        self._words = Words([label for _, label in self._examples], known, self.piece.labels)

    def read(self, sight: TablePicture, boxes: Mapping[str, Box]) -> dict[str, FigureGuess]:
        """What stands on each of these places."""
        if self._words is None:
            self.finish()
        if not boxes:
            return {}
        places = [self._place(sight, box) for box in boxes.values()]
        looks = self._look(places)
        named = self._named(looks)
        found = {}
        for number, (name, place) in enumerate(zip(boxes, places, strict=True)):
            free = looks.hidden[number] < COVERED_MM2 and sight.plane.sees(place.box)
            found[name] = self._guess(place, looks.masks.figure[number], named[number], free)
        return found

    def name(
        self, sight: TablePicture, figures: Sequence[tuple[Point, Box, Floats]], every: Sequence[tuple[Point, Floats]]
    ) -> list[FigureGuess]:
        """Figures that were found elsewhere (foot, place and colour), each looked at through its own window, without
        what it shows of `every` other one around."""
        if self._words is None:
            self.finish()
        if not figures:
            return []
        feet = [foot for foot, _, _ in figures]
        windows = [window(sight.plane, foot, self.scale) for foot in feet]
        places = [
            self._alone(_Place(box, through, through.look(sight)), foot, colour, every, sight.plane)
            for (foot, box, colour), through in zip(figures, windows, strict=True)
        ]
        looks = self._look(places)
        looks = structs.replace(looks, hidden=looks.hidden - self._neighbours(looks.masks, windows, feet, sight.plane))
        return [
            self._guess(place, mask, named, bool(hidden < COVERED_MM2))
            for place, mask, named, hidden in zip(
                places, looks.masks.figure, self._named(looks), looks.hidden, strict=True
            )
        ]

    def _alone(
        self, place: _Place, foot: Point, colour: Floats, every: Sequence[tuple[Point, Floats]], plane: Plane
    ) -> _Place:
        """A window without its figure's neighbours: told from it by their paint, or, if that is the same, by where
        they stand."""
        reach = _NEIGHBOUR * max(self.piece.size)
        near = [(other, paint) for other, paint in every if 0 < math.dist(other, foot) < reach]
        if not near:
            return place
        others = [paint for _, paint in near if _hues_apart(paint, colour) > _OTHER_PAINT]
        alike = [other for other, paint in near if _hues_apart(paint, colour) <= _OTHER_PAINT]
        seen = lab(place.seen)
        own = _hues_apart(seen, colour)
        coloured = np.hypot(seen[..., 1], seen[..., 2]) > _COLOURED
        theirs = np.min([_hues_apart(seen, paint) for paint in others], axis=0) if others else np.full_like(own, np.inf)
        mask = (coloured & (theirs < own)).astype(np.uint8)
        mask = np.asarray(cv2.dilate(cv2.morphologyEx(mask, cv2.MORPH_OPEN, _SPECK), _SPECK), np.uint8)
        mask[coloured & (own < theirs)] = 0
        if alike:
            points = _all_on_table(place.window)
            mine = _apart(points, *_body(foot, plane, self.piece.height))
            nearest = np.min([_apart(points, *_body(other, plane, self.piece.height)) for other in alike], axis=0)
            mask[((nearest < mine) & (nearest < _BROAD * max(self.piece.size))).reshape(SIDE, SIDE)] = 1
        ground = self._grounds.behind(place.seen, place.window, place.box)
        return structs.replace(place, seen=np.where(mask[..., None] > 0, ground, place.seen).astype(np.float32))

    def _place(self, sight: TablePicture, box: Box) -> _Place:
        through = window(sight.plane, box.centre, self.scale)
        return _Place(box, through, through.look(sight))

    def _look(self, places: Sequence[_Place]) -> _Looks:
        seen = np.stack([place.seen for place in places])
        grounds = np.stack([self._grounds.behind(place.seen, place.window, place.box) for place in places])
        if self._grounds.steady:
            seen = seen / brightness(seen, grounds)[:, None, None, None]
        leans = np.array([place.window.lean for place in places], np.float32)
        masks = network.masks(planes(seen, grounds, leans))
        colours = np.stack([colour_of(patch, mask) for patch, mask in zip(seen, masks.figure, strict=True)])
        shapes = self._shapes(seen, grounds, leans, masks.figure, (closeups.STRAIGHT,))
        hidden = self._above(masks)
        if self._grounds.steady:
            hidden += unexplained(seen, grounds, masks.figure)
            hidden[vanished(seen, grounds, masks.figure)] += COVERED_MM2
        return _Looks(seen, grounds, leans, masks, Features(colours, shapes), hidden)

    def _again(self, looks: _Looks, numbers: Sequence[int]) -> Floats:
        """The shapes of some of these figures, after several looks at each; one by one, so that batches stay alike."""
        each = [slice(number, number + 1) for number in numbers]
        return np.concatenate(
            [
                self._shapes(
                    looks.seen[one], looks.grounds[one], looks.leans[one], looks.masks.figure[one], closeups.LOOKS
                )
                for one in each
            ]
        )

    def _shapes(
        self, seen: Floats, grounds: Floats, leans: Floats, figures: Floats, looks: Sequence[closeups.Look]
    ) -> Floats:
        """The shapes of the figures that were found; no direction at all where there is none."""
        found = [closeups.extent(mask) for mask in figures]
        if self._closeness == 0.0:
            self._closeness = closeups.side_of([size for _, _, size in found])
        there = [number for number, (_, _, size) in enumerate(found) if size > 0]
        shapes = np.zeros((len(seen), network.DIRECTIONS), np.float32)
        if there:
            at = [found[number][:2] for number in there]
            shapes[there] = closeups.directions(seen[there], grounds[there], leans[there], at, self._closeness, looks)
        return shapes

    def _named(self, looks: _Looks) -> list[tuple[str, float]]:
        """The likeliest label of each figure and its chance, after more looks where the first leaves doubts."""
        if self._words is None:
            return [("", 0.0)] * len(looks.features)
        named = self._words.named(looks.features)
        there = [number for number, shape in enumerate(looks.features.shapes) if shape.any()]
        doubtful = [n for n in there if named[n][1] < DOUBTFUL and looks.hidden[n] < COVERED_MM2]
        if doubtful:
            again = self._words.named(looks.features.some(doubtful, self._again(looks, doubtful)))
            for number, better in zip(doubtful, again, strict=True):
                named[number] = better
        return named

    def _guess(self, place: _Place, figure: Floats, named: tuple[str, float], free: bool) -> FigureGuess:
        there = self._presence(self._area(figure))
        if there < 0.5:
            sure = free and 1 - there >= SURE
            return FigureGuess(None, sure, 1 - there if sure else min(1 - there, 0.5), *place.box.centre)
        label, chance = named
        chance = min(chance, there)
        sure = free and chance >= SURE
        return FigureGuess(label, sure, chance if sure else min(chance, 0.5), *self._foot(figure, place))

    def _area(self, figure: Floats) -> float:
        """Square millimetres of a mask."""
        return float((figure > 0.5).mean()) * (WINDOW_MM * self.scale) ** 2

    def _presence(self, area: float) -> float:
        """How likely it is that so much of a figure is one."""
        few, enough = NOTHING_MM2 * self.scale**2, SMALLEST_SHARE * self._smallest
        return float(np.clip((area - few) / max(enough - few, 1e-6), 0, 1))

    def _above(self, masks: Masks) -> Floats:
        """Square millimetres about each place where something is seen to hang above the table."""
        side = masks.cover.shape[1]
        return np.asarray((_middle(masks.cover) > 0.5).sum((1, 2)) * (WINDOW_MM / side) ** 2, np.float32)

    def _neighbours(self, masks: Masks, windows: Sequence[Window], feet: Sequence[Point], plane: Plane) -> Floats:
        """Of what is seen above the table about each figure, what belongs to the others: that hides nothing."""
        bodies = [_body(foot, plane, self.piece.height) for foot in feet]
        above = _middle(masks.cover) > 0.5
        theirs = np.zeros(len(windows), np.float32)
        for number, through in enumerate(windows):
            rows, columns = np.nonzero(above[number])
            others = [body for at, body in enumerate(bodies) if at != number]
            if len(rows) and others:
                points = _on_table(through, rows, columns, masks.cover.shape[1])
                apart = np.min([_apart(points, *body) for body in others], axis=0)
                theirs[number] = (apart <= _BROAD * max(self.piece.size)).sum()
        return np.asarray(theirs * (WINDOW_MM / masks.cover.shape[1]) ** 2, np.float32)

    def _foot(self, figure: Floats, place: _Place) -> Point:
        """Where the figure stands: half its breadth above the mask's lower end."""
        rows, columns = np.nonzero(figure > 0.5)
        if len(rows) < 4:
            return place.box.centre
        step = SIDE / figure.shape[0]
        up = min(self.piece.size) / 2 * SIDE / place.window.side
        low = float(np.percentile(rows, 97) + 1) * step
        near = rows >= np.percentile(rows, 60)
        return place.window.to_table(float(columns[near].mean() + 0.5) * step - 0.5, low - up - 0.5)


def _hues_apart(some: Floats, paint: Floats) -> Floats:
    """How far colours (Lab) are from a paint, however bright they are."""
    return np.asarray(np.linalg.norm(some[..., 1:] - paint[1:], axis=-1), np.float32)


def _middle(cover: Floats) -> Floats:
    """The part of each window in which something above the table could hide its figure."""
    edge = cover.shape[1] // 6
    return cover[:, edge : cover.shape[1] - edge, edge : cover.shape[2] - edge]


def _on_table(through: Window, rows: NDArray[np.int64], columns: NDArray[np.int64], side: int) -> NDArray[np.float64]:
    """Where on the table the squares of a window's middle are, of which there are so many on the window's side."""
    edge, step = side // 6, SIDE / side
    pairs = zip(rows.tolist(), columns.tolist(), strict=True)
    return np.array(
        [through.to_table((x + edge + 0.5) * step - 0.5, (y + edge + 0.5) * step - 0.5) for y, x in pairs], np.float64
    )


def _all_on_table(through: Window) -> NDArray[np.float64]:
    """Where on the table each pixel of a window is, row by row."""
    start, right, down = (np.array(through.to_table(*at)) for at in ((0, 0), (1, 0), (0, 1)))
    rows, columns = np.divmod(np.arange(SIDE * SIDE), SIDE)
    return np.asarray(start + columns[:, None] * (right - start) + rows[:, None] * (down - start), np.float64)


def _body(foot: Point, plane: Plane, height: float) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Where a figure of that height is seen, from its foot to its head."""
    x, y, eye = plane.eye()
    lean = height / max(eye - height, 1.0)
    return np.array(foot), np.array([foot[0] + (foot[0] - x) * lean, foot[1] + (foot[1] - y) * lean])


def _apart(points: NDArray[np.float64], start: NDArray[np.float64], end: NDArray[np.float64]) -> NDArray[np.float64]:
    """How far points are from a straight line between two others."""
    along = end - start
    share = np.clip((points - start) @ along / max(float(along @ along), 1e-9), 0.0, 1.0)
    return np.asarray(np.linalg.norm(points - (start + share[:, None] * along), axis=1))


def colour_of(patch: Patch, figure: Floats) -> Floats:
    """The colour of a figure's own pixels: the middle of the brighter half of those that surely belong to it.

    The darker half is the side turned from the light, which says more about the lamp than about the paint.
    """
    rows, columns = np.flatnonzero(figure.max(1) > 0.3), np.flatnonzero(figure.max(0) > 0.3)
    if not len(rows):
        return np.zeros(3, np.float32)
    step = SIDE // figure.shape[0]
    around = (slice(rows[0] * step, (rows[-1] + 1) * step), slice(columns[0] * step, (columns[-1] + 1) * step))
    mask = cv2.resize(figure, (SIDE, SIDE), interpolation=cv2.INTER_LINEAR)[around]
    enough = max(0, mask.size - 40)
    level = float(np.clip(np.partition(mask, enough, axis=None)[enough], 0.3, 0.9))
    pixels = lab(patch[around])[mask >= level]
    if not len(pixels):
        return np.zeros(3, np.float32)
    return np.median(pixels[pixels[:, 0] >= np.median(pixels[:, 0])], axis=0).astype(np.float32)
