"""Pictures for training: one table, light and camera at a time, with figures on its places, empty places and hands.

Everything is drawn as the reader sees it: in table millimetres, rotated so that figures lean up, relative to the light.
"""

from __future__ import annotations

import math
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.figures.windows import RAISED_MM, SIDE, WINDOW_MM
from vision.training.figures.solids import KINDS, Facets, Shape, alike, any_shape, sibling

Floats = NDArray[np.float64]
Canvas = NDArray[np.float32]

FINE: Final = 3
"""Canvas pixels for each window pixel, in both directions, before the camera's blur."""
SCALE: Final = SIDE * FINE / WINDOW_MM
NOTHING, FIGURE, COVER = 0, 1, 2
MASK_SIDE: Final = SIDE // 2


class Lamp(msgspec.Struct, frozen=True, eq=False):
    """A light: the unit vector to it, its strength, and the softness of its shadows."""

    towards: Floats
    strength: float
    softness: float


class Rig(msgspec.Struct, frozen=True, eq=False):
    """One table under one camera: its lights, the table top, the prints, the picture's quality.

    Figures may have rounded edges (`round`, in millimetres) that catch the light, and wood that shows (`grain`).
    """

    lamps: tuple[Lamp, ...]
    sky: float
    top: Canvas
    print_kind: int
    print_size: float
    print_tone: Floats
    eye: Floats
    pixels_per_mm: float
    blur: float
    noise: float
    quality: int
    gloss: float
    tint: Floats
    contrast: float
    round: float = 0.0
    grain: float = 0.0
    shine: float = 24.0


class Place(msgspec.Struct, frozen=True, eq=False):
    """One named place of a rig: its lean, the rotation of its window, and its empty ground."""

    lean: float
    turn: float
    ground: Canvas


class Sample(msgspec.Struct, frozen=True, eq=False):
    """The input of a network: the window, the learnt ground, the lean; and the truth: mask, sizes, kind."""

    seen: NDArray[np.uint8]
    ground: NDArray[np.uint8]
    lean: float
    mask: NDArray[np.uint8]
    sizes: tuple[float, float]
    kind: int


def any_rig(rng: np.random.Generator, stark: bool = False) -> Rig:
    """A random table; in stark light its shadows are dark and sharp."""
    lamps = []
    for _ in range(int(rng.integers(1, 3 if stark else 4))):
        up, around = math.radians(rng.uniform(25, 88)), rng.uniform(0, 2 * math.pi)
        towards = np.array([math.cos(up) * math.cos(around), math.cos(up) * math.sin(around), math.sin(up)])
        lamps.append(
            Lamp(towards, float(rng.uniform(0.3, 1.0)), float(np.exp(rng.uniform(-1.2, 0.3 if stark else 1.3))))
        )
    height = rng.uniform(750, 1450)
    foot = rng.uniform(0.0, 0.55) * height
    around = rng.uniform(0, 2 * math.pi)
    return Rig(
        tuple(lamps), float(rng.uniform(*((0.03, 0.25) if stark else (0.15, 1.2)))),
        _table_top(rng), int(rng.integers(6)), float(rng.uniform(20, 34)),
        np.clip(rng.uniform(0.05, 0.6) + rng.normal(0, 0.08, 3), 0.02, 1.0),
        np.array([foot * math.cos(around), foot * math.sin(around), height]),
        float(rng.uniform(1.15, 2.2)), float(rng.uniform(0.25, 0.85)), float(rng.uniform(0.3, 4.0)),
        int(rng.integers(70, 96)), float(rng.choice([0.0, 0.05, 0.15, 0.4])), rng.uniform(0.65, 1.0, 3),
        float(rng.uniform(0.85, 1.25)),
    )  # fmt: skip


def worn(rig: Rig, rng: np.random.Generator) -> Rig:
    """The same rig with realistic figures: sanded edges, more or less glossy paint, wood grain."""
    return msgspec.structs.replace(
        rig,
        round=float(rng.choice([0.0, 0.35, 0.6, 0.9])),
        grain=float(rng.uniform(0, 0.12)),
        gloss=float(rng.choice([0.0, 0.1, 0.3, 0.7])),
        shine=float(np.exp(rng.uniform(math.log(10), math.log(90)))),
        pixels_per_mm=float(rng.uniform(1.4, 2.1)),
    )


def _table_top(rng: np.random.Generator) -> Canvas:
    """The reflectance of a bare table: wood, felt, checked cloth, board print, plain."""
    side = 560
    base = paint(rng, 0.08, 0.9, 0.35)
    top = np.ones((side, side, 3), np.float32) * base.astype(np.float32)
    kind = int(rng.integers(5))
    if kind == 0:
        streaks = cv2.GaussianBlur(rng.normal(0, 1, (side, side)).astype(np.float32), (0, 0), 18, sigmaY=1.2)
        top *= (1 + streaks / (streaks.std() + 1e-6) * rng.uniform(0.02, 0.2))[..., None]
    elif kind == 1:
        felt = cv2.GaussianBlur(rng.normal(0, 1, (side, side)).astype(np.float32), (0, 0), rng.uniform(0.8, 3))
        top *= (1 + felt / felt.std() * rng.uniform(0.02, 0.1))[..., None]
    elif kind == 2:
        pitch, other = int(rng.integers(30, 140)), paint(rng, 0.1, 0.9, 0.5).astype(np.float32)
        stripes = (np.arange(side) // pitch) % 2
        share = (stripes[:, None] + stripes[None]) / 2
        top += share[..., None].astype(np.float32) * (other - top) * np.float32(rng.uniform(0.2, 1))
    elif kind == 3:
        for _ in range(int(rng.integers(4, 14))):
            points = rng.uniform(0, side, (int(rng.integers(3, 6)), 2)).astype(np.int32)
            colour = tuple(float(c) for c in paint(rng, 0.05, 0.9, 0.5))
            cv2.fillConvexPoly(top, cv2.convexHull(points), colour)
        top = cv2.GaussianBlur(top, (0, 0), rng.uniform(0.5, 6))
    return np.clip(top, 0.01, 1.0)


def paint(rng: np.random.Generator, low: float, high: float, most: float) -> Floats:
    """A colour as linear reflectance: grey with some saturation."""
    value = math.exp(rng.uniform(math.log(low), math.log(high)))
    hue = rng.uniform(0, 2 * math.pi)
    away = np.array([math.cos(hue), math.cos(hue - 2.094), math.cos(hue + 2.094)])
    return np.clip(value * (1 + away * rng.uniform(0, most)), 0.008, 0.98)


def a_colour(rng: np.random.Generator) -> Floats:
    """Wooden pieces' colours: the usual strong ones, black, white, natural."""
    draw = rng.random()
    if draw < 0.14:
        return np.full(3, rng.uniform(0.012, 0.06)) * rng.uniform(0.8, 1.2, 3)
    if draw < 0.30:
        return np.full(3, rng.uniform(0.55, 0.95)) * rng.uniform(0.92, 1.05, 3)
    if draw < 0.40:
        return paint(rng, 0.1, 0.7, 0.4)
    hue = rng.uniform(0, 180)
    pixel = np.array([[[hue, rng.uniform(130, 255), rng.uniform(90, 255)]]], np.float32).astype(np.uint8)
    return np.clip((cv2.cvtColor(pixel, cv2.COLOR_HSV2BGR)[0, 0] / 255.0) ** 2.2, 0.01, 0.98)


def any_place(rig: Rig, rng: np.random.Generator) -> Place:
    at = rng.uniform((-150, -100), (150, 100))
    away = at - rig.eye[:2]
    turn = math.atan2(away[0], -away[1])
    lean = float(np.hypot(*away) / rig.eye[2])
    return Place(
        lean, turn, _ground(rig, turn, lean, str(rng.choice(["a", "s", "x", ""])) + str(int(rng.integers(1, 30))), rng)
    )


def _ground(rig: Rig, turn: float, lean: float, name: str, rng: np.random.Generator) -> Canvas:
    """The place with nothing on it, as seen in its window."""
    side = round(64 * SCALE)
    corner = rng.integers(0, rig.top.shape[0] - side, 2)
    tile = rig.top[corner[0] : corner[0] + side, corner[1] : corner[1] + side].copy()
    middle, reach = side // 2, int(rig.print_size / 2 * SCALE)
    ink = tuple(float(c) for c in rig.print_tone)
    line = max(1, round(0.8 * SCALE))
    fill = rig.print_kind % 2 == 0
    if rig.print_kind in (1, 2):
        if fill:
            inside = np.zeros(tile.shape[:2], np.uint8)
            cv2.circle(inside, (middle, middle), reach, 1, -1)
            tile[inside > 0] *= 0.85
        cv2.circle(tile, (middle, middle), reach, ink, line, cv2.LINE_AA)
    elif rig.print_kind in (3, 4):
        if fill:
            tile[middle - reach : middle + reach, middle - reach : middle + reach] *= 0.8
        cv2.rectangle(tile, (middle - reach, middle - reach), (middle + reach, middle + reach), ink, line)
    if rig.print_kind in (1, 2, 3, 5):
        cv2.putText(
            tile, name, (middle - reach, middle + reach + 10), cv2.FONT_HERSHEY_SIMPLEX, 0.45, ink, 1, cv2.LINE_AA
        )
    cos, sin = math.cos(turn), math.sin(turn)
    half = SIDE * FINE / 2
    up = lean * RAISED_MM * SCALE
    # From window pixels to tile pixels: around the place, which is `up` below the window's middle.
    onto = np.array([[cos, -sin, 0], [sin, cos, 0]])
    onto[:, 2] = middle - onto[:, :2] @ np.array([half, half + up])
    return cv2.warpAffine(
        tile,
        onto,
        (SIDE * FINE, SIDE * FINE),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REFLECT,
    )


class Standing(msgspec.Struct, frozen=True, eq=False):
    """A figure in a window: facets in the window's millimetres around the place.

    `lift` is the height of a tile below it, `dim` is how much darker its lower parts are than its upper ones.
    """

    figure: Cut
    colour: Floats
    at: tuple[float, float]
    turned: float
    lift: float = 0.0
    dim: float = 0.0


class Cut(msgspec.Struct, frozen=True, eq=False):
    """A figure's facets in one array of points, with the start of each, and the edges between them.

    An edge is four numbers: its two points and its two facets.
    """

    points: Floats
    starts: NDArray[np.int64]
    normals: Floats
    edges: NDArray[np.int64]

    def middles(self) -> Floats:
        counts = np.diff(self.starts, append=len(self.points))
        return np.add.reduceat(self.points, self.starts, axis=0) / counts[:, None]


_SMOOTH: Final = 0.9
"""Facets whose normals have at least this cosine are parts of one round surface."""


def cut(facets: Facets) -> Cut:
    counts = [len(polygon) for polygon in facets.polygons]
    starts = np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64)
    normals = np.asarray(facets.normals)
    return Cut(np.concatenate(facets.polygons), starts, normals, _edges(facets, starts, normals))


def _edges(facets: Facets, starts: NDArray[np.int64], normals: Floats) -> NDArray[np.int64]:
    """The edges at which two facets meet at an angle."""
    first: dict[tuple[float, ...], tuple[int, int, int]] = {}
    found = []
    for facet, polygon in enumerate(facets.polygons):
        rounded = np.round(polygon, 3).tolist()
        for i, point in enumerate(rounded):
            j = (i + 1) % len(rounded)
            name = (*min(point, rounded[j]), *max(point, rounded[j]))
            other = first.setdefault(name, (int(starts[facet]) + i, int(starts[facet]) + j, facet))
            if other[2] != facet and float(normals[facet] @ normals[other[2]]) < _SMOOTH:
                found.append((*other[:2], other[2], facet))
    return np.array(found, np.int64).reshape(-1, 4)


def _placed(standing: Standing) -> Cut:
    cos, sin = math.cos(standing.turned), math.sin(standing.turned)
    turn = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]])
    figure = standing.figure
    points = figure.points @ turn + np.array([*standing.at, standing.lift])
    return Cut(points, figure.starts, figure.normals @ turn, figure.edges)


class Drawing:
    """One window being drawn."""

    def __init__(self, rig: Rig, place: Place) -> None:
        self.rig, self.place = rig, place
        self.canvas: Canvas = place.ground.copy()
        self.truth = np.zeros(self.canvas.shape[:2], np.uint8)
        cos, sin = math.cos(place.turn), math.sin(place.turn)
        # The lamps in the rotated window.
        turn = np.array([[cos, sin, 0], [-sin, cos, 0], [0, 0, 1]])
        self.lamps = [(turn @ lamp.towards, lamp) for lamp in rig.lamps]
        self.level = rig.sky + sum(lamp.strength * max(float(to[2]), 0.05) for to, lamp in self.lamps)
        self.eye = np.array([0.0, place.lean * rig.eye[2], rig.eye[2]])
        self.side, self.millimetres = SIDE, WINDOW_MM

    def pixels(self, points: Floats) -> Floats:
        """Table points (with height) as the camera projects them onto the table, in canvas pixels."""
        flat = self.eye[:2] + (points[:, :2] - self.eye[:2]) * (self.eye[2] / (self.eye[2] - points[:, 2:3]))
        half = SIDE * FINE / 2
        return flat * SCALE + (half, half + self.place.lean * RAISED_MM * SCALE)

    def shadows(self, figures: list[Standing]) -> None:
        """Darken the ground by the figures' shadows: of each lamp, and near their feet of some of the sky."""
        placed = [_placed(figure) for figure in figures]
        if not placed:
            return
        kept = np.ones((self.side, self.side), np.float32)
        coarse = self.side / self.millimetres
        for towards, lamp in self.lamps:
            shade = np.zeros(kept.shape, np.float32)
            slope = towards[:2] / max(float(towards[2]), 0.2)
            for solid in placed:
                flat = np.column_stack(
                    [solid.points[:, :2] - solid.points[:, 2:3] * slope, np.zeros(len(solid.points))]
                )
                self._fill(shade, flat, solid, solid.normals @ towards > 0)
            shade = cv2.GaussianBlur(shade, (0, 0), lamp.softness * coarse * 0.7)
            kept -= shade * (lamp.strength * max(float(towards[2]), 0.05) / self.level)
        near = np.zeros(kept.shape, np.float32)
        for solid in placed:
            self._fill(near, solid.points * (1, 1, 0), solid, solid.normals[:, 2] > 0)
        kept -= cv2.GaussianBlur(near, (0, 0), 2.2 * coarse) * (0.6 * self.rig.sky / self.level)
        self.canvas *= cv2.resize(np.maximum(kept, 0.05), self.canvas.shape[1::-1])[..., None]

    def _fill(self, canvas: Canvas, points: Floats, solid: Cut, which: NDArray[np.bool_]) -> None:
        pixels = np.round((self.pixels(points) / FINE - 0.5) * 16).astype(np.int32)
        ends = [*solid.starts[1:], len(points)]
        for number in np.flatnonzero(which):
            cv2.fillPoly(canvas, [pixels[solid.starts[number] : ends[number]]], 1.0, cv2.LINE_8, 4)

    def figure(self, standing: Standing, truth: int, rng: np.random.Generator) -> None:
        """Draw a figure; its pixels get the number `truth`."""
        solid = _placed(standing)
        middles = solid.middles()
        views = self.eye - middles
        distance = np.linalg.norm(views, axis=1)
        views /= distance[:, None]
        facing = (solid.normals * views).sum(1) > 0
        bright, gloss = self._shade(solid.normals, middles, views)
        wood = bright * rng.uniform(0.97, 1.03, len(bright))
        wood *= 1 - standing.dim * (1 - middles[:, 2] / max(float(solid.points[:, 2].max()), 1.0))
        colours = (standing.colour[None] * wood[:, None] + gloss[:, None]).tolist()
        pixels = np.round(self.pixels(solid.points) * 16).astype(np.int32)
        ends = [*solid.starts[1:], len(pixels)]
        order = np.argsort(-distance)
        rounded = self._rounded(standing, solid, facing, order) if self.rig.round else {}
        for number in order:
            if facing[number]:
                polygon = [pixels[solid.starts[number] : ends[number]]]
                cv2.fillPoly(self.canvas, polygon, colours[number], cv2.LINE_8, 4)
                cv2.fillPoly(self.truth, polygon, truth, cv2.LINE_8, 4)
                for start, end, colour in rounded.get(int(number), ()):
                    line = (pixels[start].tolist(), pixels[end].tolist())
                    cv2.line(self.canvas, *line, colour, max(1, round(self.rig.round * SCALE)), cv2.LINE_8, 4)
        if self.rig.grain:
            self._grain(truth, rng)

    def _rounded(
        self, standing: Standing, solid: Cut, facing: NDArray[np.bool_], order: NDArray[np.int64]
    ) -> dict[int, list[tuple[int, int, list[float]]]]:
        """The edges to draw after each facet: their points and their colour, between those of the two facets."""
        if not len(solid.edges):
            return {}
        starts, ends, ones, others = solid.edges.T
        middles = (solid.points[starts] + solid.points[ends]) / 2
        views = self.eye - middles
        views /= np.linalg.norm(views, axis=1)[:, None]
        colours = np.zeros((len(middles), 3))
        shares = (0.2, 0.4, 0.6, 0.8)
        for share in shares:
            normals = solid.normals[ones] * (1 - share) + solid.normals[others] * share
            normals /= np.maximum(np.linalg.norm(normals, axis=1), 1e-6)[:, None]
            bright, gloss = self._shade(normals, middles, views)
            colours += (standing.colour[None] * bright[:, None] + gloss[:, None]) / len(shares)
        when = np.empty(len(order), np.int64)
        when[order] = np.arange(len(order))
        found: dict[int, list[tuple[int, int, list[float]]]] = {}
        for number in np.flatnonzero(facing[ones] & facing[others]):
            after = max(int(ones[number]), int(others[number]), key=lambda facet: int(when[facet]))
            found.setdefault(after, []).append((int(starts[number]), int(ends[number]), colours[number].tolist()))
        return found

    def _grain(self, truth: int, rng: np.random.Generator) -> None:
        """Draw wood grain on the pixels of a figure, as darker and brighter streaks."""
        side = self.canvas.shape[0] // 2
        along, across = np.exp(rng.uniform(0.0, 1.6, 2))
        grain = cv2.GaussianBlur(rng.normal(0, 1, (side, side)).astype(np.float32), (0, 0), along, sigmaY=across)
        grain = cv2.resize(grain, self.canvas.shape[1::-1]) * (self.rig.grain / (float(grain.std()) + 1e-6))
        self.canvas *= np.where(self.truth == truth, 1 + np.clip(grain, -0.5, 0.5), 1.0)[..., None]

    def _shade(self, normals: Floats, middles: Floats, views: Floats) -> tuple[Floats, Floats]:
        """The brightness of facets relative to flat ground, and their gloss."""
        # Sides near the table see less sky, but the table reflects some of it.
        light = self.rig.sky * (0.62 + 0.38 * normals[:, 2]) * np.clip(0.72 + middles[:, 2] / 40, 0, 1)
        gloss = np.zeros(len(normals))
        for towards, lamp in self.lamps:
            light += lamp.strength * np.maximum(normals @ towards, 0)
            half = views + towards
            half /= np.linalg.norm(half, axis=1)[:, None]
            gloss += lamp.strength * np.maximum((normals * half).sum(1), 0) ** self.rig.shine
        return light / self.level, gloss / self.level * self.rig.gloss

    def hand(self, rng: np.random.Generator) -> None:
        """Draw fingers, an arm or something else above the table, from one side."""
        side = self.side * FINE
        per_mm = side / self.millimetres
        around = rng.uniform(0, 2 * math.pi)
        inwards = np.array([math.cos(around), math.sin(around)])
        tip = side / 2 - inwards * side * rng.uniform(-0.35, 0.45) + rng.normal(0, side * 0.12, 2)
        colour = paint(rng, 0.05, 0.8, 0.5)
        if rng.random() < 0.7:
            colour = np.array([0.18, 0.27, 0.5]) * rng.uniform(0.25, 1.5)
        shade = np.zeros((side, side), np.float32)
        cover = np.zeros((side, side), np.uint8)
        thick = rng.uniform(9, 20) * per_mm
        across = np.array([-inwards[1], inwards[0]])
        for finger in range(int(rng.integers(1, 5))):
            end = tip + across * finger * thick * 0.95 - inwards * rng.uniform(0, 0.5) * thick
            start = end - inwards * side * 1.6 + across * rng.normal(0, side * 0.2)
            ends = [tuple(int(v) for v in point) for point in (start, end)]
            cv2.line(cover, ends[0], ends[1], COVER, round(thick))
            off = rng.normal(0, 8, 2) * per_mm
            cv2.line(shade, *(tuple(int(v) for v in np.asarray(point) + off) for point in ends), 1.0, round(thick))
        self.canvas *= (1 - rng.uniform(0.1, 0.6) * cv2.GaussianBlur(shade, (0, 0), rng.uniform(1, 6) * per_mm))[
            ..., None
        ]
        if rng.random() < 0.2:
            return
        inside = cover > 0
        depth = cv2.distanceTransform((cover > 0).astype(np.uint8), cv2.DIST_L2, 3) / thick * 2
        tone = (0.55 + 0.45 * np.clip(depth, 0, 1))[..., None] * colour
        self.canvas[inside] = tone[inside]
        self.truth[inside] = COVER

    def picture(self, rng: np.random.Generator) -> NDArray[np.uint8]:
        """The camera's picture: blurred, coarse, noisy, compressed, and then mapped to the window again."""
        rig = self.rig
        side = max(24, round(self.millimetres * rig.pixels_per_mm))
        small = cv2.resize(self.canvas, (side, side), interpolation=cv2.INTER_AREA)
        small = np.maximum(cv2.GaussianBlur(small, (0, 0), rig.blur), 0)
        white = 190 * rig.tint
        encoded = np.power(small, rig.contrast / 2.2) * white + rng.normal(0, rig.noise, small.shape)
        coarse = np.clip(encoded, 0, 255).astype(np.uint8)
        _, data = cv2.imencode(".jpg", coarse, [cv2.IMWRITE_JPEG_QUALITY, rig.quality])
        coarse = cv2.imdecode(data, cv2.IMREAD_COLOR)
        slip = rng.normal(0, 0.35, 2)
        onto = np.array([[side / self.side, 0, slip[0]], [0, side / self.side, slip[1]]])
        onto[:, 2] += side / self.side / 2 - 0.5
        again = cv2.warpAffine(
            coarse,
            onto,
            (self.side, self.side),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderMode=cv2.BORDER_REPLICATE,
        )
        relative = again / white * rng.uniform(0.93, 1.07) * rng.uniform(0.98, 1.02, 3)
        return np.clip(relative * 180, 0, 255).astype(np.uint8)

    def mask(self) -> NDArray[np.uint8]:
        """The truth at low resolution: what covers most of each square."""
        step = SIDE * FINE // MASK_SIDE
        squares = (
            self.truth.reshape(MASK_SIDE, step, MASK_SIDE, step).transpose(0, 2, 1, 3).reshape(MASK_SIDE, MASK_SIDE, -1)
        )
        counts = np.stack([(squares == kind).sum(2) for kind in (NOTHING, FIGURE, COVER)])
        return counts.argmax(0).astype(np.uint8)


PLACES: Final = 6


class Episode:
    """One rig with a family of figures; draws any number of samples."""

    def __init__(self, seed: int, shapes: int = 6, stark: bool = False, close: bool = False) -> None:
        self.rng = np.random.default_rng(seed)
        self.rig = any_rig(self.rng, stark)
        if close:
            self.rig = worn(self.rig, self.rng)
        self.places = [any_place(self.rig, self.rng) for _ in range(PLACES)]
        family = alike(self.rng, shapes) if close else [any_shape(self.rng)]
        while len(family) < shapes:
            family.append(sibling(family[-1], self.rng) if self.rng.random() < 0.6 else any_shape(self.rng))
        self.shapes: list[Shape] = family
        self.facets = [cut(shape.facets()) for shape in family]
        self.colours = [a_colour(self.rng) for _ in range(6)]
        self.pitch = float(self.rng.uniform(26, 55))
        self.grounds = [self._learnt(place) for place in self.places]

    def _someone(self, at: tuple[float, float], which: int, colour: int | None = None) -> Standing:
        paint = self.colours[int(self.rng.integers(len(self.colours))) if colour is None else colour]
        return Standing(self.facets[which], paint, at, float(self.rng.uniform(0, 2 * math.pi)))

    def _learnt(self, place: Place) -> list[NDArray[np.uint8]]:
        """The learnt ground of a place: seen empty, or taken from the rig's other places if it was never empty."""
        like = Place(place.lean, place.turn, _ground(self.rig, place.turn, place.lean, "", self.rng))
        return [self._empty(place, True), self._empty(like, False)]

    def _neighbours(self, place: Place) -> list[Standing]:
        found: list[Standing] = []
        if self.pitch > 46:
            return found
        for step in range(4):
            if self.rng.random() < 0.4:
                angle = place.turn + step * math.pi / 2
                at = np.array([math.cos(angle), -math.sin(angle)]) * self.pitch + self.rng.normal(0, 1.5, 2)
                which = int(self.rng.integers(len(self.facets)))
                room = max(self.shapes[which].width, self.shapes[which].depth) / 2
                if self.pitch - room > 14:
                    found.append(self._someone((float(at[0]), float(at[1])), which))
        return found

    def _empty(self, place: Place, neighbours: bool) -> NDArray[np.uint8]:
        drawing = Drawing(self.rig, place)
        others = self._neighbours(place) if neighbours else []
        drawing.shadows(others)
        for other in others:
            drawing.figure(other, NOTHING, self.rng)
        return drawing.picture(self.rng)

    def sample(self, which: int | None, hand: bool = False, colour: int | None = None) -> Sample:
        """A window with this figure, in any of the rig's colours, or without a figure, and perhaps with a hand."""
        rng = self.rng
        number = int(rng.integers(PLACES))
        place = self.places[number]
        drawing = Drawing(self.rig, place)
        others = self._neighbours(place)
        own = []
        if which is not None:
            loose = rng.normal(0, 2.2, 2)
            own = [self._someone((float(loose[0]), float(loose[1])), which, colour)]
        drawing.shadows([*others, *own])
        # Lower in the window is nearer to the point below the camera; what leans away is behind.
        for standing, mine in sorted(
            [*((o, False) for o in others), *((o, True) for o in own)], key=lambda pair: pair[0].at[1]
        ):
            drawing.figure(standing, FIGURE if mine else NOTHING, rng)
        if hand:
            drawing.hand(rng)
        seen = drawing.picture(rng)
        known = rng.random()
        if known < 0.85:
            ground = self.grounds[number][0 if known < 0.6 else 1]
        else:
            ground = np.broadcast_to(np.median(seen.reshape(-1, 3), axis=0).astype(np.uint8), seen.shape).copy()
        shape = self.shapes[which] if which is not None else None
        sizes = (math.log(shape.height / 14), math.log(shape.width * shape.depth / 150)) if shape else (0.0, 0.0)
        kind = list(KINDS).index(shape.kind) if shape else -1
        return Sample(seen, ground, place.lean, drawing.mask(), sizes, kind)
