"""Random wooden figures as facets in millimetres: boxes, houses, turned pawns, cut-out silhouettes, stacks of them."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Outline = Sequence[tuple[float, float]]


class Facets:
    """Polygons of a solid that stands on z = 0 around the origin; z points up, y down the picture."""

    def __init__(self) -> None:
        self.polygons: list[Floats] = []
        self.normals: list[Floats] = []

    def add(self, points: Sequence[Sequence[float]], outwards: Sequence[float]) -> None:
        """A polygon whose normal lies on the side of `outwards`."""
        polygon = np.asarray(points, np.float64)
        # Newell's method: exact for any polygon, without a choice of three corners.
        ahead = np.roll(polygon, -1, 0)
        normal = np.cross(polygon, ahead).sum(0)
        length = float(np.linalg.norm(normal))
        if length < 1e-9:
            return
        normal = normal / length
        if float(normal @ np.asarray(outwards)) < 0:
            normal = -normal
        self.polygons.append(polygon)
        self.normals.append(normal)

    def join(self, other: Facets, shift: tuple[float, float, float] = (0, 0, 0)) -> None:
        self.polygons += [polygon + shift for polygon in other.polygons]
        self.normals += other.normals


class Shape(msgspec.Struct, frozen=True):
    """One figure: its kind, its size, and the seed of its other random features."""

    kind: str
    width: float
    depth: float
    height: float
    whim: int

    def facets(self) -> Facets:
        return KINDS[self.kind](self, np.random.default_rng(self.whim))


def prism(outline: Outline, low: float, high: float, top_scale: float = 1.0, bevel: float = 0.0) -> Facets:
    """A column over an outline in either direction, perhaps narrowing, perhaps with a bevelled upper edge."""
    made = Facets()
    points = np.asarray(outline, np.float64)
    middle = points.mean(0)
    upper = middle + (points - middle) * top_scale
    rings = [(points, low), (upper, high)]
    if bevel > 0:
        size = max(float(np.ptp(points, axis=0).max()), 1e-6)
        rings = [(points, low), (upper, high - bevel), (middle + (upper - middle) * (1 - 2 * bevel / size), high)]
    clockwise = _area(points)
    for (lower, z0), (above, z1) in pairwise(rings):
        for i in range(len(points)):
            j = (i + 1) % len(points)
            along = lower[j] - lower[i]
            side = np.array([along[1], -along[0]]) * (1 if clockwise > 0 else -1)
            made.add([(*lower[i], z0), (*lower[j], z0), (*above[j], z1), (*above[i], z1)], (*side, 0.3))
    if top_scale > 0.02:
        made.add([(*point, high) for point in rings[-1][0]], (0, 0, 1))
    return made


def turned(profile: Sequence[tuple[float, float]], steps: int = 18) -> Facets:
    """Turned wood: (radius, height) from the bottom up."""
    made = Facets()
    angles = np.arange(steps + 1) * 2 * math.pi / steps
    circle = np.column_stack([np.cos(angles), np.sin(angles)])
    for (r0, z0), (r1, z1) in pairwise(profile):
        slope = (z1 - z0, r0 - r1)
        for i in range(steps):
            a, b = circle[i], circle[i + 1]
            middle = (a + b) / 2
            made.add(
                [(*(a * r0), z0), (*(b * r0), z0), (*(b * r1), z1), (*(a * r1), z1)],
                (middle[0] * slope[0], middle[1] * slope[0], slope[1]),
            )
    radius, top = profile[-1]
    if radius > 0.3:
        made.add([(*(point * radius), top) for point in circle[:-1]], (0, 0, 1))
    return made


def standing(outline: Outline, thickness: float) -> Facets:
    """A silhouette (x, z) sawn out of a board, upright."""
    made = Facets()
    points = np.asarray(outline, np.float64)
    half = thickness / 2
    turn = 1 if _area(points) > 0 else -1
    made.add([(x, half, z) for x, z in points], (0, 1, 0))
    made.add([(x, -half, z) for x, z in points], (0, -1, 0))
    for i in range(len(points)):
        (x0, z0), (x1, z1) = points[i], points[(i + 1) % len(points)]
        if z0 + z1 > 0.05:
            made.add(
                [(x0, -half, z0), (x1, -half, z1), (x1, half, z1), (x0, half, z0)],
                ((z1 - z0) * turn, 0, -(x1 - x0) * turn),
            )
    return made


def _area(points: Floats) -> float:
    x, y = points[:, 0], points[:, 1]
    return float((x * np.roll(y, -1) - np.roll(x, -1) * y).sum())


def rectangle(width: float, depth: float) -> Outline:
    return [(-width / 2, -depth / 2), (width / 2, -depth / 2), (width / 2, depth / 2), (-width / 2, depth / 2)]


def polygon(sides: int, width: float, depth: float) -> Outline:
    angles = (np.arange(sides) + 0.5) * 2 * math.pi / sides
    return [(math.cos(a) * width / 2, math.sin(a) * depth / 2) for a in angles]


_PERSON: Final = (
    (0.0, 1.0), (0.13, 0.97), (0.19, 0.86), (0.14, 0.72), (0.42, 0.62), (0.5, 0.5), (0.44, 0.42),
    (0.22, 0.42), (0.36, 0.1), (0.34, 0.0), (0.12, 0.0), (0.0, 0.2),
)  # fmt: skip
_KNIGHT: Final = (
    (-0.4, 0.0), (0.4, 0.0), (0.36, 0.14), (0.2, 0.3), (0.28, 0.6), (0.16, 0.9), (0.0, 1.0),
    (-0.1, 0.88), (-0.42, 0.66), (-0.4, 0.52), (-0.1, 0.56), (-0.24, 0.3), (-0.34, 0.14),
)  # fmt: skip
_CHURCH: Final = ((-0.5, 0.0), (0.5, 0.0), (0.5, 0.5), (0.1, 0.5), (0.1, 0.72), (-0.2, 1.0), (-0.5, 0.72))
_BOAT: Final = ((-0.3, 0.0), (0.3, 0.0), (0.5, 0.3), (0.1, 0.3), (0.05, 1.0), (-0.3, 0.35), (-0.5, 0.35))
_TREE: Final = ((-0.1, 0), (0.1, 0), (0.1, 0.2), (0.5, 0.2), (0.2, 0.55), (0.35, 0.55), (0, 1),
                (-0.35, 0.55), (-0.2, 0.55), (-0.5, 0.2), (-0.1, 0.2))  # fmt: skip
_CITY: Final = ((-0.5, 0.0), (0.5, 0.0), (0.5, 0.42), (0.05, 0.42), (0.05, 0.7), (-0.22, 1.0), (-0.5, 0.7))


def _silhouette(rng: np.random.Generator) -> Outline:
    drawn = [_PERSON, _KNIGHT, _CHURCH, _BOAT, _TREE, _CITY][int(rng.integers(6))]
    if drawn is _PERSON:
        return [*drawn, *((-x, y) for x, y in reversed(drawn[1:-1]))]
    return drawn


def _mark(rng: np.random.Generator) -> Outline:
    """An outline seen from above: star, cross, gear, heart-like, wedge."""
    which = int(rng.integers(4))
    if which == 0:
        points, inner = int(rng.integers(4, 8)), rng.uniform(0.35, 0.75)
        angles = np.arange(2 * points) * math.pi / points
        reach = np.where(np.arange(2 * points) % 2, inner, 1.0) * 0.5
        return [(math.cos(a) * r, math.sin(a) * r) for a, r in zip(angles, reach, strict=True)]
    if which == 1:
        arm = rng.uniform(0.12, 0.25)
        corner = [(arm, -0.5), (arm, -arm), (0.5, -arm), (0.5, arm), (arm, arm), (arm, 0.5)]
        return [*corner, *((-x, -y) for x, y in corner)]
    if which == 2:
        return [(-0.5, 0.5), (0.5, 0.5), (rng.uniform(-0.5, 0.5), -0.5)]
    bite = rng.uniform(0.0, 0.3)
    return [(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (bite, 0.5), (bite, bite - 0.1), (-0.5, bite - 0.1)]


def _box(shape: Shape, rng: np.random.Generator) -> Facets:
    bevel = rng.uniform(0.3, 0.9) if rng.random() < 0.6 else 0.0
    return prism(rectangle(shape.width, shape.depth), 0, shape.height, 1.0, bevel)


def _column(shape: Shape, rng: np.random.Generator) -> Facets:
    sides = int(rng.choice([3, 5, 6, 8]))
    return prism(polygon(sides, shape.width, shape.depth), 0, shape.height, 1.0, rng.uniform(0, 0.7))


def _taper(shape: Shape, rng: np.random.Generator) -> Facets:
    sides = int(rng.choice([4, 4, 6, 8]))
    return prism(polygon(sides, shape.width * 1.2, shape.depth * 1.2), 0, shape.height, rng.choice([0.01, 0.4, 0.7]))


def _house(shape: Shape, rng: np.random.Generator) -> Facets:
    """Walls and a roof with its ridge along the width, sometimes hipped."""
    half, deep, high = shape.width / 2, shape.depth / 2, shape.height
    eaves = high * rng.uniform(0.35, 0.75)
    ridge = half * (rng.uniform(0.2, 0.8) if rng.random() < 0.25 else 1.0)
    made = Facets()
    walls = prism(rectangle(shape.width, shape.depth), 0, eaves)
    made.polygons, made.normals = walls.polygons[:-1], walls.normals[:-1]
    for side in (-1, 1):
        made.add(
            [(-half, side * deep, eaves), (half, side * deep, eaves), (ridge, 0, high), (-ridge, 0, high)],
            (0, side, 0.5),
        )
        made.add([(side * half, -deep, eaves), (side * half, deep, eaves), (side * ridge, 0, high)], (side, 0, 0.5))
    return made


def _ball(radius: float, centre: float, low: float = -80.0) -> list[tuple[float, float]]:
    angles = np.radians(np.linspace(low, 88, 9))
    return [(radius * math.cos(a), centre + radius * math.sin(a)) for a in angles]


def _pawn(shape: Shape, rng: np.random.Generator) -> Facets:
    foot, high = shape.width / 2, shape.height
    head = min(foot * rng.uniform(0.55, 0.95), high * 0.35)
    neck = head * rng.uniform(0.4, 0.8)
    lip = high * rng.uniform(0.05, 0.2)
    waist = high - 2 * head * 0.93
    profile = [(foot, 0), (foot, lip)]
    if rng.random() < 0.5:
        profile.append((foot * 0.75, lip + 0.15 * (waist - lip)))
    if waist > lip:
        profile.append((neck, waist))
    return turned([*profile, *_ball(head, high - head, -55)])


def _cylinder(shape: Shape, rng: np.random.Generator) -> Facets:
    radius, edge = shape.width / 2, rng.uniform(0, 0.8)
    return turned([(radius, 0), (radius, shape.height - edge), (radius - edge, shape.height)], 24)


def _cone(shape: Shape, rng: np.random.Generator) -> Facets:
    return turned([(shape.width / 2, 0), (shape.width / 2 * rng.choice([0.02, 0.3, 0.6]), shape.height)], 24)


def _vase(shape: Shape, rng: np.random.Generator) -> Facets:
    """Bottles, bells, bishops: anything else that is round."""
    heights = np.concatenate([[0], np.sort(rng.uniform(0.08, 0.95, int(rng.integers(2, 5)))), [1.0]])
    radii = rng.uniform(0.3, 1.0, len(heights))
    radii[0] = rng.uniform(0.7, 1.0)
    radii *= shape.width / 2 / radii.max()
    return turned([(float(r), float(z * shape.height)) for r, z in zip(radii, heights, strict=True)])


def _egg(shape: Shape, _rng: np.random.Generator) -> Facets:
    radius = min(shape.width / 2, shape.height / 2)
    return turned([(radius * 0.6, 0), *_ball(radius, shape.height - radius, -40)])


def _upright(shape: Shape, rng: np.random.Generator) -> Facets:
    outline = [(x * shape.width, z * shape.height) for x, z in _silhouette(rng)]
    return standing(outline, float(np.clip(shape.depth * 0.6, 4, 10)))


def _lying(shape: Shape, rng: np.random.Generator) -> Facets:
    outline = _silhouette(rng) if rng.random() < 0.5 else [(x, y + 0.5) for x, y in _mark(rng)]
    flat = [(x * shape.width * 1.15, (0.5 - y) * shape.depth * 1.15) for x, y in outline]
    return prism(flat, 0, float(np.clip(shape.height * 0.5, 4, 12)))


def _stack(shape: Shape, rng: np.random.Generator) -> Facets:
    """One solid on another, smaller one: towers, statues on plinths, bowls."""
    share = rng.uniform(0.3, 0.65)
    foot = str(rng.choice(["box", "column", "cylinder", "taper"]))
    lower = Shape(foot, shape.width, shape.depth, shape.height * share, shape.whim + 1)
    small = rng.uniform(0.45, 0.85)
    upper = Shape(
        str(rng.choice(["box", "house", "cylinder", "egg", "cone", "column", "pawn"])),
        shape.width * small, shape.depth * small, shape.height * (1 - share), shape.whim + 2,
    )  # fmt: skip
    made = lower.facets()
    made.join(upper.facets(), (0, 0, lower.height))
    return made


KINDS: Final[dict[str, Callable[[Shape, np.random.Generator], Facets]]] = {
    "box": _box, "column": _column, "taper": _taper, "house": _house, "pawn": _pawn, "cylinder": _cylinder,
    "cone": _cone, "vase": _vase, "egg": _egg, "upright": _upright, "lying": _lying, "stack": _stack,
}  # fmt: skip
_WEIGHTS: Final = np.array([3, 1.5, 1, 3, 3, 1.5, 1, 2, 1, 2, 1.5, 2.5])


def any_shape(rng: np.random.Generator) -> Shape:
    width = float(rng.uniform(8, 22))
    depth = width if rng.random() < 0.5 else float(np.clip(width * rng.uniform(0.6, 1.0), 7, 25))
    height = float(np.clip(width * np.exp(rng.normal(0.2, 0.4)), 6, 30))
    kind = str(rng.choice(list(KINDS), p=_WEIGHTS / _WEIGHTS.sum()))
    return Shape(kind, width, depth, height, int(rng.integers(2**31)))


def sibling(shape: Shape, rng: np.random.Generator) -> Shape:
    """A figure that is easily confused with another: the same size in another shape, or the reverse."""
    if rng.random() < 0.65:
        other = any_shape(rng)
        near = rng.uniform(0.82, 1.2, 3)
        height = float(np.clip(shape.height * near[2], 6, 30))
        return Shape(other.kind, shape.width * near[0], shape.depth * near[1], height, other.whim)
    grow = rng.choice([0.65, 1.5])
    if shape.height * grow > 30 or shape.height * grow < 6:
        grow = 1 / grow
    if rng.random() < 0.5:
        return Shape(shape.kind, shape.width, shape.depth, float(np.clip(shape.height * grow, 6, 30)), shape.whim)
    return Shape(shape.kind, shape.width * 0.75, shape.depth * 0.75, shape.height, shape.whim)


_ALIKE: Final = ("box", "house", "taper", "column", "cylinder", "pawn", "stack", "lying", "upright")


def alike(rng: np.random.Generator, count: int) -> list[Shape]:
    """A family of one size, hard to distinguish from above: always a house and a box, then others of similar size."""
    width = float(rng.uniform(8.5, 18))
    depth, height = width * rng.uniform(0.75, 1.0), float(np.clip(width * np.exp(rng.normal(0.05, 0.25)), 7, 26))
    # Families of exactly the same size are the hardest; usually sizes differ a little, as in real games.
    stray = float(rng.choice([0.03, 0.15, 0.25]))
    family = []
    for kind in ["house", "box", *rng.choice(_ALIKE, count - 2)]:
        grow = np.exp(rng.uniform(-stray, stray, 3))
        tall = height * grow[2] * (rng.uniform(1.2, 1.9) if kind == "pawn" and rng.random() < 0.7 else 1.0)
        deep = width if kind == "box" and rng.random() < 0.5 else depth
        family.append(
            Shape(str(kind), width * grow[0], deep * grow[1], float(np.clip(tall, 6, 30)), int(rng.integers(2**31)))
        )
    return family
