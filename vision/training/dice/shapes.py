"""The shape of a die as a camera sees it: for every pixel the point on the die and the normal there.

A shape has no colour and no pips; `bodies` paints it. So one slowly computed shape can be used for many dice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[Any]
"""Arrays of OpenCV, usually of 32-bit floats."""

REACH = 1.95
"""Half the width of a shape's picture, in half edges of the die: room for a corner turned to the side."""


@dataclass(frozen=True)
class Shape:
    """The geometry in each pixel of a square picture of one die with half edge 1."""

    point: Floats
    """Where on the die, in the die's own axes (height x width x 3)."""
    normal: Floats
    """The outward normal in the camera's axes: x right, y up, z towards the camera."""
    mask: npt.NDArray[np.bool_]
    turn: Floats
    """The rotation from the die's axes to the camera's."""
    facing: int
    """The face whose value counts: 0..5 for +x, -x, +y, -y, +z, -z."""
    centre: tuple[float, float]
    """Pixel (x, y) of the middle of that face."""

    @property
    def edge(self) -> float:
        """The die's edge in pixels."""
        return float(self.mask.shape[0] / REACH)


def axis_turn(axis: int, angle: float) -> Floats:
    """The rotation by an angle in radians around one axis."""
    c, s = np.cos(angle), np.sin(angle)
    turn = np.eye(3)
    i, j = (axis + 1) % 3, (axis + 2) % 3
    turn[i, i], turn[i, j], turn[j, i], turn[j, j] = c, -s, s, c
    return turn.astype(np.float32)


def face_normal(face: int) -> Floats:
    """The outward normal of a face in the die's axes."""
    normal = np.zeros(3, np.float32)
    normal[face // 2] = 1 if face % 2 == 0 else -1
    return normal


def _distance(p: Floats, radius: float, ball: float) -> Floats:
    """The distance of points from a cube with rounded edges, whose corners are cut off by a ball."""
    q = np.abs(p) - (1 - radius)
    box = np.linalg.norm(np.maximum(q, 0), axis=1) + np.minimum(q.max(axis=1), 0) - radius
    return np.asarray(np.maximum(box, np.linalg.norm(p, axis=1) - ball))


def cast(rng: np.random.Generator, tilt: float, lean: float = 0.0, side: int = 200) -> Shape:
    """Trace a ray through every pixel of a picture of a random die.

    `tilt` (radians) is the camera's angle from straight down; `lean` is the tilt of the die, on a fold of cloth or
    against its neighbour.
    """
    away = rng.uniform(0, 2 * np.pi)
    lying = axis_turn(2, away) @ axis_turn(0, lean) @ axis_turn(2, -away) @ axis_turn(2, rng.uniform(0, 2 * np.pi))
    turn = axis_turn(0, -tilt) @ lying
    radius, ball = rng.uniform(0.06, 0.4), rng.choice([rng.uniform(1.33, 1.6), 2.0])
    distance = rng.uniform(5, 14)

    steps = (np.arange(side, dtype=np.float32) + 0.5) / side * 2 * REACH - REACH
    u, v = np.meshgrid(steps, -steps)
    eye = np.array([0, 0, distance], np.float32)
    rays = np.stack([u.ravel(), v.ravel(), np.full(u.size, -distance, np.float32)], 1)
    rays /= np.linalg.norm(rays, axis=1, keepdims=True)
    origin, rays = eye @ turn, rays @ turn

    reach = np.full(len(rays), distance - 1.75, np.float32)
    alive = np.arange(len(rays))
    gap = np.full(len(rays), 1.0, np.float32)
    for _ in range(26):
        gap[alive] = _distance(origin + rays[alive] * reach[alive, None], radius, ball)
        reach[alive] += gap[alive]
        alive = alive[(gap[alive] > 2e-3) & (reach[alive] < distance + 1.9)]
        if not len(alive):
            break
    mask = (gap < 2e-2) & (reach < distance + 1.8)
    points = origin + rays * reach[:, None]
    normals = np.zeros_like(points)
    hit = points[mask]
    for axis in range(3):
        nudge = np.zeros(3, np.float32)
        nudge[axis] = 1e-2
        normals[mask, axis] = _distance(hit + nudge, radius, ball) - _distance(hit - nudge, radius, ball)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True) + 1e-6
    points[~mask] = 0

    facing = _facing(turn, eye, tilt)
    middle = turn @ face_normal(facing)
    scale = distance / (distance - middle[2])
    centre = (
        float((middle[0] * scale + REACH) / (2 * REACH) * side),
        float((-middle[1] * scale + REACH) / (2 * REACH) * side),
    )
    return Shape(
        points.reshape(side, side, 3).astype(np.float16),
        (normals @ turn.T).reshape(side, side, 3).astype(np.float16),
        mask.reshape(side, side),
        turn,
        facing,
        centre,
    )


def _facing(turn: Floats, eye: Floats, tilt: float) -> int:
    """The face that counts: the upper one in a slanted picture, otherwise the one that faces the camera most."""
    if tilt > np.radians(36):
        towards = np.array([0, np.sin(tilt), np.cos(tilt)], np.float32)
        return int(np.argmax([turn @ face_normal(f) @ towards for f in range(6)]))
    views = []
    for face in range(6):
        normal = turn @ face_normal(face)
        sight = eye - normal
        views.append(normal @ sight / np.linalg.norm(sight))
    return int(np.argmax(views))


def stock(seed: int, count: int) -> list[Shape]:
    """Shapes from views straight above to slanted ones, sorted by tilt."""
    rng = np.random.default_rng([seed, 1])
    shapes = []
    for tilt in np.sort(np.radians(np.abs(rng.normal(0, 27, count)).clip(0, 58))):
        lean = np.radians(rng.uniform(3, 28)) if rng.random() < 0.15 else 0.0
        shapes.append(cast(rng, float(tilt), lean))
    return shapes
