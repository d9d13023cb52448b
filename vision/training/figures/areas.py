"""Areas for training: many figures, touching or apart, on bare tables, mats and printed tiles, among flat things.

An area is drawn as the finder sees it: in table millimetres, not rotated, with the lean of its place.
"""

from __future__ import annotations

import math
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.figures.areas import CELL, SCALE
from vision.training.figures.scenes import (
    COVER,
    FINE,
    NOTHING,
    Canvas,
    Cut,
    Drawing,
    Floats,
    Place,
    Rig,
    Standing,
    a_colour,
    any_rig,
    cut,
    paint,
)
from vision.training.figures.solids import Shape, any_shape, prism, rectangle, sibling

SIDE: Final = 128
"""Pixels of an area's side; the network itself takes any size."""
MILLIMETRES: Final = SIDE / SCALE
FIRST: Final = 10
"""The number of the first figure in the truth."""
MOST: Final = 40
"""Maximum number of figures."""
_PER_MM: Final = SCALE * FINE


class AreaSample(msgspec.Struct, frozen=True, eq=False):
    """An area, its ground, the camera's position, the figure in each cell, and the figures' feet.

    Feet are (number, x, y, visible share), in millimetres from the area's middle.
    """

    seen: NDArray[np.uint8]
    ground: NDArray[np.uint8]
    known: bool
    eye: Floats
    cells: NDArray[np.uint8]
    feet: Floats


class AreaDrawing(Drawing):
    """One area being drawn."""

    def __init__(self, rig: Rig, ground: Canvas) -> None:
        super().__init__(rig, Place(0.0, 0.0, ground))
        self.eye = rig.eye
        self.side, self.millimetres = SIDE, MILLIMETRES

    def pixels(self, points: Floats) -> Floats:
        flat = self.eye[:2] + (points[:, :2] - self.eye[:2]) * (self.eye[2] / (self.eye[2] - points[:, 2:3]))
        return np.asarray(flat * _PER_MM + SIDE * FINE / 2, np.float64)

    def _fill(self, canvas: Canvas, points: Floats, _solid: Cut, _which: NDArray[np.bool_]) -> None:
        """Draw a shadow as its convex outline, which is nearly right, and faster than a hundred polygons."""
        pixels = np.round((self.pixels(points) / FINE - 0.5) * 16).astype(np.int32)
        cv2.fillConvexPoly(canvas, cv2.convexHull(pixels), 1.0, cv2.LINE_8, 4)

    def lay(self, art: Canvas, at: Floats, size: tuple[float, float], turn: float, height: float) -> None:
        """Draw a printed thing with this art, size and height."""
        across, down = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
        corners = [
            at + x * size[0] * across + y * size[1] * down
            for x, y in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
        ]
        target = self.pixels(np.array([[*corner, height] for corner in corners])).astype(np.float32)
        rows, columns = art.shape[:2]
        source = np.array([(0, 0), (columns, 0), (columns, rows), (0, rows)], np.float32)
        onto = cv2.getPerspectiveTransform(source, target)
        extent = self.canvas.shape[1::-1]
        drawn = cv2.warpPerspective(art, onto, extent, flags=cv2.INTER_LINEAR)
        there = drawn[..., 3] > 0.5
        self.canvas[there] = drawn[..., :3][there]
        self.truth[there] = NOTHING

    def arm(self, rng: np.random.Generator) -> None:
        """Draw a sleeve, wide and of one colour, with folds."""
        side = self.side * FINE
        around = rng.uniform(0, 2 * math.pi)
        inwards = np.array([math.cos(around), math.sin(around)])
        tip = side / 2 + rng.uniform(-0.5, 0.4) * side * inwards + rng.normal(0, 0.25 * side, 2)
        cover = np.zeros((side, side), np.uint8)
        ends = [tuple(int(v) for v in point) for point in (tip, tip - inwards * 2 * side)]
        thick = rng.uniform(28, 75) * _PER_MM
        cv2.line(cover, ends[0], ends[1], COVER, round(thick))
        depth = cv2.distanceTransform(cover, cv2.DIST_L2, 3) / thick * 2
        folds = cv2.GaussianBlur(rng.normal(0, 1, (side, side)).astype(np.float32), (0, 0), rng.uniform(4, 14))
        tone = np.clip(0.5 + 0.5 * depth + folds / folds.std() * 0.06, 0.2, 1.1)
        inside = cover > 0
        self.canvas[inside] = (tone[..., None] * a_colour(rng))[inside]
        self.truth[inside] = COVER

    def cells(self, figures: int) -> NDArray[np.uint8]:
        """What covers most of each cell; a figure wins from two fifths on."""
        step = FINE * CELL
        side = self.truth.shape[0] // step
        squares = self.truth.reshape(side, step, side, step).transpose(0, 2, 1, 3).reshape(side, side, -1)
        kinds = [NOTHING, COVER, *range(FIRST, FIRST + figures)]
        shares = np.stack([(squares == kind).sum(2) for kind in kinds]) * 1.0
        shares[0] *= 0.7
        return np.array(kinds, np.uint8)[shares.argmax(0)]


def an_art(rng: np.random.Generator, is_round: bool = False, bright: bool = False) -> Canvas:
    """A printed face: blobs, lines, houses, hills and trees in flat colours; the fourth plane says where it is."""
    side = 72
    art = np.ones((side, side, 3), np.float32) * _paper(rng, bright).astype(np.float32)
    if rng.random() < 0.4:
        frame = int(rng.integers(2, 7))
        cv2.rectangle(art, (0, 0), (side, side), _ink(rng), frame)
    kind = int(rng.integers(6))
    ink, other = _ink(rng), _ink(rng)
    size = int(rng.integers(6, 16))
    if kind == 0:
        _balls(art, ink, size, rng)
    elif kind == 1:
        for _ in range(int(rng.integers(1, 4))):
            _hill(art, ink, rng)
    elif kind == 2:
        for _ in range(int(rng.integers(1, 5))):
            _drawn_house(art, ink, other, size, rng)
    elif kind == 3:
        for _ in range(int(rng.integers(1, 6))):
            middle = tuple(int(v) for v in rng.integers(8, side - 8, 2))
            cv2.ellipse(
                art, middle, (size, int(rng.integers(4, 16))), float(rng.uniform(0, 180)), 0, 360, _ink(rng), -1
            )
    elif kind == 4:
        text = str(int(rng.integers(1, 20)))
        cv2.putText(art, text, (14, 50), cv2.FONT_HERSHEY_SIMPLEX, rng.uniform(0.6, 1.6), ink, int(rng.integers(1, 5)))
    speckle = rng.normal(0, 1, (side, side)).astype(np.float32)
    art *= (1 + cv2.GaussianBlur(speckle, (0, 0), rng.uniform(0.6, 3)) * rng.uniform(0, 0.2))[..., None]
    there = np.zeros((side, side), np.float32)
    if is_round:
        cv2.circle(there, (side // 2, side // 2), side // 2 - 1, 1.0, -1)
    else:
        there[:] = 1.0
    return np.dstack([np.clip(art, 0.01, 1.0), there]).astype(np.float32)


def _paper(rng: np.random.Generator, bright: bool) -> Floats:
    """The ground colour of mats and tiles: any, or light if `bright`, as in most games."""
    if not bright:
        return paint(rng, 0.08, 0.9, 0.6)
    return np.clip(rng.uniform(0.45, 1.0) ** 2.2 * rng.uniform(0.6, 1.1, 3), 0.02, 0.98)


def _ink(rng: np.random.Generator) -> tuple[float, float, float]:
    blue, green, red = (float(value) for value in a_colour(rng))
    return blue, green, red


def _balls(art: Canvas, ink: tuple[float, float, float], size: int, rng: np.random.Generator) -> None:
    """A forest: rows of balls with a light on them, drawn as if they were round."""
    pitch = size + int(rng.integers(4, 12))
    for y in range(pitch // 2, art.shape[0], pitch):
        for x in range(pitch // 2, art.shape[1], pitch):
            cv2.circle(art, (x + 2, y + 2), size // 2 + 1, tuple(0.4 * c for c in ink), -1)
            cv2.circle(art, (x, y), size // 2, ink, -1)
            cv2.circle(art, (x - 1, y - 1), max(1, size // 5), tuple(min(1.0, 1.6 * c) for c in ink), -1)


def _hill(art: Canvas, ink: tuple[float, float, float], rng: np.random.Generator) -> None:
    """A mountain: a lit and a shaded side, perhaps with snow."""
    x, y, wide, high = (
        int(v) for v in (rng.integers(15, 57), rng.integers(40, 68), rng.integers(10, 26), rng.integers(15, 50))
    )
    top = (x + int(rng.integers(-5, 6)), y - high)
    cv2.fillPoly(art, [np.array([(x - wide, y), top, (x, y)], np.int32)], ink)
    cv2.fillPoly(art, [np.array([(x, y), top, (x + wide, y)], np.int32)], tuple(0.5 * c for c in ink))
    if rng.random() < 0.6:
        third = [(top[0] + (x + s * wide - top[0]) // 3, top[1] + high // 3) for s in (-1, 1)]
        cv2.fillPoly(art, [np.array([third[0], top, third[1]], np.int32)], (0.85, 0.85, 0.85))


def _drawn_house(
    art: Canvas, ink: tuple[float, float, float], other: tuple[float, float, float], size: int, rng: np.random.Generator
) -> None:
    x, y = (int(v) for v in rng.integers(4, art.shape[0] - 16, 2))
    cv2.rectangle(art, (x, y + size // 2), (x + size, y + size), other, -1)
    cv2.fillPoly(art, [np.array([(x - 2, y + size // 2), (x + size // 2, y), (x + size + 2, y + size // 2)])], ink)


def _ground(rig: Rig, rng: np.random.Generator, bright: bool) -> Canvas:
    """The table there, often with a mat or printed fields on it."""
    side = SIDE * FINE
    corner = rng.integers(0, rig.top.shape[0] - side, 2)
    ground = rig.top[corner[0] : corner[0] + side, corner[1] : corner[1] + side].copy()
    if rng.random() < 0.6:
        low, high = rng.integers(-120, side * 2 // 3, 2), rng.integers(side // 3, side + 120, 2)
        paper = _paper(rng, True) if bright else paint(rng, 0.1, 0.9, 0.5)
        colour = tuple(float(c) for c in paper)
        patch = ground.copy()
        cv2.rectangle(patch, tuple(int(v) for v in low), tuple(int(v) for v in high), colour, -1)
        felt = cv2.GaussianBlur(rng.normal(0, 1, (side, side)).astype(np.float32), (0, 0), rng.uniform(0.8, 5))
        ground = patch * (1 + felt / felt.std() * rng.uniform(0, 0.06))[..., None]
        cv2.rectangle(
            ground, tuple(int(v) + 8 for v in low), tuple(int(v) - 8 for v in high), _ink(rng), int(rng.integers(1, 9))
        )
    if rng.random() < 0.3:
        pitch, line = int(rng.uniform(18, 45) * _PER_MM), int(rng.integers(1, 5))
        start, ink = int(rng.integers(0, pitch)), _ink(rng)
        for at in range(start, side, pitch):
            cv2.line(ground, (at, 0), (at, side), ink, line)
            if rng.random() < 0.8:
                cv2.line(ground, (0, at), (side, at), ink, line)
    return np.clip(ground, 0.01, 1.0).astype(np.float32)


def _tiles(drawing: AreaDrawing, rng: np.random.Generator, bright: bool) -> float:
    """Cover the area with printed tiles; returns their thickness."""
    arts = [an_art(rng, bright=bright) for _ in range(int(rng.integers(2, 7)))]
    pitch, thick, turn = rng.uniform(22, 40), rng.uniform(0.3, 2.5), rng.choice([0, rng.uniform(0, math.pi)])
    across, down = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    start, full = rng.uniform(-0.5, 0.5, 2), rng.choice([1.0, 0.7])
    for row in range(-3, 4):
        for column in range(-3, 4):
            at = ((column + start[0]) * across + (row + start[1]) * down) * pitch
            if np.abs(at).max() < MILLIMETRES * 0.75 and rng.random() < full:
                size = pitch * rng.choice([1.0, 0.97])
                spun = turn + int(rng.integers(4)) * math.pi / 2
                drawing.lay(arts[int(rng.integers(len(arts)))], at, (size, size), spun, thick)
    return float(thick)


def _flat_things(drawing: AreaDrawing, rng: np.random.Generator) -> None:
    """Tiles, cards and round tokens that lie about and are no figures."""
    for _ in range(int(rng.integers(1, 6))):
        is_round = bool(rng.random() < 0.5)
        wide = rng.uniform(9, 28)
        size = (wide, wide * (1.0 if is_round or rng.random() < 0.5 else rng.uniform(1.2, 1.6)))
        thick, turn, at = rng.uniform(0.2, 3.0), rng.uniform(0, 2 * math.pi), rng.uniform(-0.55, 0.55, 2) * MILLIMETRES
        outline = rectangle(*size)
        if is_round:
            outline = [(wide / 2 * math.cos(a), wide / 2 * math.sin(a)) for a in np.arange(20) * math.pi / 10]
        body = Standing(cut(prism(outline, 0, thick)), a_colour(rng), (float(at[0]), float(at[1])), -turn)
        drawing.shadows([body])
        drawing.figure(body, NOTHING, rng)
        if rng.random() < 0.75:
            drawing.lay(an_art(rng, is_round), at, size, turn, thick)


class Family:
    """The figures of one game: a few shapes in a few colours."""

    def __init__(self, rng: np.random.Generator, grey: bool = False) -> None:
        first = _shape(rng)
        self.shapes: list[Shape] = [first]
        while len(self.shapes) < 4 and rng.random() < 0.5:
            self.shapes.append(sibling(first, rng) if rng.random() < 0.5 else _shape(rng))
        self.facets = [cut(shape.facets()) for shape in self.shapes]
        self.colours = [_a_grey(rng) if grey else a_colour(rng) for _ in range(int(rng.integers(1, 6)))]
        self.dim = float(rng.choice([0.0, 0.0, rng.uniform(0, 0.5)]))

    def standing(self, which: int, at: Floats, lift: float, rng: np.random.Generator) -> Standing:
        colour = self.colours[int(rng.integers(len(self.colours)))]
        return Standing(
            self.facets[which], colour, (float(at[0]), float(at[1])), float(rng.uniform(0, 2 * math.pi)), lift, self.dim
        )

    def reach(self, which: int) -> float:
        return max(self.shapes[which].width, self.shapes[which].depth) / 2


def _a_grey(rng: np.random.Generator) -> Floats:
    """A grey like that of stones, which looks like shadows."""
    return np.asarray(rng.uniform(0.06, 0.4) * rng.uniform(0.88, 1.12, 3), np.float32)


def _shape(rng: np.random.Generator) -> Shape:
    """Any figure, small ones more often, and some tall ones."""
    shape = any_shape(rng)
    grow = rng.choice([0.6, 0.75, 1.0, 1.0])
    tall = rng.choice([1.0, 1.0, 1.0, 1.35])
    width, depth = max(7.0, shape.width * grow), max(6.0, shape.depth * grow)
    return Shape(shape.kind, width, depth, float(np.clip(shape.height * grow * tall, 6.5, 40)), shape.whim)


def _set_down(family: Family, lift: float, rng: np.random.Generator) -> list[Standing]:
    """Loose figures, groups that touch, or a crowd; some stand beyond the area's edge."""
    wanted = int(rng.choice([0, 1, 2, 4, 8, 12, MOST], p=[0.12, 0.1, 0.12, 0.2, 0.22, 0.14, 0.1]))
    together = rng.choice([0.1, 0.5, 0.8])
    room = rng.uniform(1.0, 1.25)
    reach = 0.5 * MILLIMETRES + 8
    down: list[tuple[Floats, float]] = []
    found: list[Standing] = []
    for _ in range(wanted * 4):
        if len(found) == wanted:
            break
        which = int(rng.integers(len(family.shapes)))
        own = family.reach(which)
        at = rng.uniform(-reach, reach, 2)
        if down and rng.random() < together:
            beside, theirs = down[int(rng.integers(len(down)))]
            angle = rng.uniform(0, 2 * math.pi)
            away = (own + theirs) * (room + 0.01 + rng.exponential(0.08))
            at = beside + away * np.array([math.cos(angle), math.sin(angle)])
        if np.abs(at).max() < reach and all(np.hypot(*(at - other)) >= (own + theirs) * room for other, theirs in down):
            down.append((at, own))
            found.append(family.standing(which, at, lift, rng))
    return found


def area(seed: int, bright: bool = False, shaded: bool = False) -> AreaSample:
    """One area with its figures and flat things. `bright` ones have light colours and whole arms over them; in `shaded`
    ones figures look like their own dark shadows, and often stand on tiles."""
    rng = np.random.default_rng(seed)
    rig = any_rig(rng, bool(rng.random() < (0.6 if shaded else 0.25)))
    plain = AreaDrawing(rig, _ground(rig, rng, bright))
    lift = 0.0
    known = rng.random() < (0.85 if shaded else 0.55)
    if rng.random() < (0.5 if shaded else 0.25 if known else 0.6):
        lift = _tiles(plain, rng, bright)
    lying_before = rng.random() < 0.5
    if rng.random() < 0.35 and lying_before:
        _flat_things(plain, rng)
    drawing = AreaDrawing(rig, plain.canvas.copy())
    if rng.random() < 0.35 and not lying_before:
        _flat_things(drawing, rng)
    figures = _set_down(Family(rng, shaded and rng.random() < 0.7), lift, rng)
    drawing.shadows(figures)
    _draw(drawing, figures, rng)
    alone = np.array([(drawing.truth == FIRST + number).sum() for number in range(len(figures))])
    if rng.random() < 0.22:
        drawing.hand(rng)
        if bright and rng.random() < 0.4:
            drawing.arm(rng)
    seen = drawing.picture(rng)
    left = np.array([(drawing.truth == FIRST + number).sum() for number in range(len(figures))])
    feet = np.array(
        [
            (FIRST + number, *figure.at, left[number] / max(_size(drawing, figure), alone[number], 1.0))
            for number, figure in enumerate(figures)
        ],
        np.float64,
    ).reshape(-1, 4)
    ground = _learnt(plain, figures, rng) if known else np.zeros_like(seen)
    return AreaSample(seen, ground, known, rig.eye, drawing.cells(len(figures)), feet)


def _draw(drawing: AreaDrawing, figures: list[Standing], rng: np.random.Generator) -> None:
    """Draw figures far from the camera first, because nearer ones lean over them."""
    apart = [-np.hypot(*(np.asarray(figure.at) - drawing.eye[:2])) for figure in figures]
    for number in np.argsort(apart):
        drawing.figure(figures[number], FIRST + int(number), rng)


def _size(drawing: AreaDrawing, figure: Standing) -> float:
    """The number of pixels of the whole figure, also beyond the canvas's edge, with nothing in front of it."""
    cos, sin = math.cos(figure.turned), math.sin(figure.turned)
    points = figure.figure.points @ np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]]) + [*figure.at, figure.lift]
    return 0.8 * float(cv2.contourArea(cv2.convexHull(drawing.pixels(points).astype(np.float32))))


def _learnt(plain: AreaDrawing, figures: list[Standing], rng: np.random.Generator) -> NDArray[np.uint8]:
    """The learnt ground: another picture, filled in where a figure always stood."""
    ground = plain.picture(rng)
    if rng.random() < 0.3:
        holes = np.zeros(ground.shape[:2], np.uint8)
        for figure in figures:
            if rng.random() < 0.4:
                middle = (np.asarray(figure.at) + MILLIMETRES / 2) * SCALE + rng.normal(0, 2, 2)
                cv2.circle(holes, (int(middle[0]), int(middle[1])), round(12 * SCALE), 1, -1)
        ground = cv2.inpaint(ground, holes, 5, cv2.INPAINT_TELEA)
    return np.asarray(ground, np.uint8)
