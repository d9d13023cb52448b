"""Whole training pictures: a ground, clutter, dice with their shadows, light, lens and sensor, and the truth.

The pictures are drawn at twice their size and shrunk, as a lens would blend what falls on one pixel. The first step
to new weights renders them into a folder, in chunks of 250:

    python -m vision.training.dice.scenes FOLDER --seed 20 --chunks 64

A chunk depends on the seed and its number alone, so an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import functools
import multiprocessing
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import numpy.typing as npt

from vision.training.dice.bodies import Style, paint, random_style
from vision.training.dice.grounds import crowd, ground, litter
from vision.training.dice.shapes import Floats, Shape, stock

FINE = 2
"""The scale at which a scene is drawn, relative to the finished picture."""


@dataclass(frozen=True)
class TrueDie:
    """A drawn die: its place, its edge, and the visible share of its upper face."""

    value: int
    colour: str
    x: float
    y: float
    size: float
    seen: float


@dataclass(frozen=True)
class Scene:
    """A rendered picture (BGR) and every die in it."""

    image: npt.NDArray[np.uint8]
    dice: tuple[TrueDie, ...]


def render(
    rng: np.random.Generator, shapes: list[Shape], side: int = 192, size: float | None = None, busy: bool = False
) -> Scene:
    """A picture of `side` x `side` pixels with dice of about `size` pixels (any size when None).

    A `busy` one shows many things that are no dice, and dice among them only sometimes.
    """
    fine = side * FINE
    if size is None:
        size = float(np.exp(rng.uniform(np.log(14), np.log(66))))
        if rng.random() < 0.1:
            size = float(rng.uniform(66, 150))
    canvas = ground(rng, fine)
    litter(rng, canvas, size * FINE)
    bare = False
    if busy:
        crowd(rng, canvas, size * FINE)
        bare = rng.random() < 0.6
    lamp, ambient = _lamp(rng)
    canvas, drawn = (canvas, []) if bare else _throw(rng, canvas, shapes, size * FINE, lamp, ambient)
    if rng.random() < 0.06:
        litter(rng, canvas, size * FINE * 0.5)
    canvas = _illuminate(rng, canvas)
    image = cv2.resize(canvas, (side, side), interpolation=cv2.INTER_AREA)
    image = _through_the_camera(rng, image)
    return Scene(image, tuple(drawn))


def _lamp(rng: np.random.Generator) -> tuple[Floats, float]:
    """The direction of the light, and the share of ambient light."""
    across = rng.uniform(0, 6.3)
    height = rng.uniform(0.45, 2.5)
    lamp = np.array([np.cos(across), np.sin(across), height], np.float32)
    return lamp / np.linalg.norm(lamp), float(rng.uniform(0.25, 0.85))


def _places(rng: np.random.Generator, fine: int, size: float, wanted: int) -> list[tuple[float, float, float]]:
    """The places of dice (x, y, edge): apart, in groups, or in a row."""
    habit = rng.choice(["free", "clump", "row"], p=[0.5, 0.37, 0.13])
    placed: list[tuple[float, float, float]] = []
    along = rng.uniform(0, 6.3)
    mixed = rng.random() < 0.25
    for _ in range(wanted * 6):
        if len(placed) >= wanted:
            break
        own = size * (rng.uniform(0.65, 1.4) if mixed else rng.uniform(0.95, 1.05))
        if habit == "free" or not placed:
            x, y = rng.uniform(-0.05, 1.05, 2) * fine
        else:
            bx, by, other = placed[-1] if habit == "row" else placed[rng.integers(len(placed))]
            angle = along if habit == "row" else rng.uniform(0, 6.3)
            gap = (own + other) / 2 * rng.uniform(1.0, 1.3)
            x, y = bx + gap * np.cos(angle), by + gap * np.sin(angle)
        if all(np.hypot(x - px, y - py) > 0.49 * (own + ps) for px, py, ps in placed):
            placed.append((float(x), float(y), float(own)))
    return sorted(placed, key=lambda place: place[1])


def _throw(
    rng: np.random.Generator, canvas: Floats, shapes: list[Shape], size: float, lamp: Floats, ambient: float
) -> tuple[Floats, list[TrueDie]]:
    """Draw the dice of one throw, far ones first, and record the visible share of each upper face."""
    fine = canvas.shape[0]
    most = max(2, min(14, int((fine / size) ** 2 * 0.45)))
    wanted = 0 if rng.random() < 0.1 else int(rng.integers(max(1, most // 3), most + 1))
    index = int(rng.integers(len(shapes)))
    slanting = index > 0.7 * len(shapes)
    reach = max(4, len(shapes) // 12)
    styles = [random_style(rng) for _ in range(int(rng.choice([1, 1, 2, 4])))]
    stretch = float(np.exp(rng.normal(0, 0.08)))
    owner = np.full((fine, fine), -1, np.int16)
    whole: list[float] = []
    truths: list[tuple[int, str, float, float, float, bool]] = []
    shadow_share = float(rng.uniform(0.1, 0.85)) * (1 - ambient * 0.5)
    softness, length = float(rng.choice([0.02, 0.06, 0.15, 0.3])), float(rng.uniform(0, 1.1))
    for x, y, own in _places(rng, fine, size, wanted):
        shape = shapes[int(np.clip(index + rng.integers(-reach, reach + 1), 0, len(shapes) - 1))]
        style = _oddity(rng, styles[rng.integers(len(styles))])
        value = int(rng.integers(1, 7))
        roll = rng.uniform(-0.25, 0.25) if slanting else rng.uniform(0, 6.3)
        c, s = np.cos(roll), np.sin(roll)
        own_lamp = np.array([lamp[0] * c + lamp[1] * s, lamp[1] * c - lamp[0] * s, lamp[2]], np.float32)
        coarse = 1 if own > 70 else 2 if own > 44 else 3
        colour, alpha, top = paint(rng, shape, style, value, own_lamp, ambient, coarse)
        matrix, centre = _matrix(shape, coarse, own, roll, stretch, x, y)
        layers = _warp([colour[..., ::-1], alpha[..., None], top[..., None]], matrix, own / (shape.edge / coarse), fine)
        if layers is None:
            continue
        (y0, y1, x0, x1), rgb, cover, upper = layers
        _shade(canvas, cover, (y0, y1, x0, x1), lamp, own, softness, length, shadow_share)
        view = canvas[y0:y1, x0:x1]
        view[:] = view * (1 - cover[..., None]) + rgb
        owner[y0:y1, x0:x1][cover > 0.5] = -1
        owner[y0:y1, x0:x1][upper > 0.5] = len(truths)
        scale = (own / (shape.edge / coarse)) ** 2
        whole.append(float(top.sum()) * scale)
        truths.append((value, style.word, centre[0], centre[1], own, style.symbol or style.blank))
    dice = []
    for number, (value, word, x, y, own, odd) in enumerate(truths):
        seen = float((owner == number).sum()) / max(1.0, whole[number])
        if not odd:
            dice.append(TrueDie(value, word, x / FINE, y / FINE, own / FINE, min(1.0, seen)))
    return canvas, dice


def _oddity(rng: np.random.Generator, style: Style) -> Style:
    """Sometimes change a die to a cube that must not be read: plain wood, or marks instead of pips."""
    dice = rng.random()
    if dice < 0.025:
        return Style(**{**style.__dict__, "symbol": True})
    if dice < 0.06:
        return Style(**{**style.__dict__, "blank": True})
    return style


def _matrix(
    shape: Shape, coarse: int, own: float, roll: float, stretch: float, x: float, y: float
) -> tuple[Floats, tuple[float, float]]:
    """The affine map from a shape's picture to the canvas, and the place of its upper face's middle there."""
    scale = own / (shape.edge / coarse)
    c, s = np.cos(roll), np.sin(roll)
    linear = scale * np.array([[stretch, 0], [0, 1 / stretch]]) @ np.array([[c, s], [-s, c]])
    middle = np.array([shape.mask.shape[0] / coarse / 2] * 2)
    offset = np.array([x, y]) - linear @ middle
    centre = linear @ (np.array(shape.centre) / coarse) + offset
    return np.column_stack([linear, offset]).astype(np.float32), (float(centre[0]), float(centre[1]))


def _warp(
    layers: list[Floats], matrix: Floats, scale: float, fine: int
) -> tuple[tuple[int, int, int, int], Floats, Floats, Floats] | None:
    """Colour, cover and upper face on the part of the canvas that the die touches, colours already weighted."""
    colour, alpha, top = layers
    body = np.concatenate([colour * alpha, alpha], -1)
    if scale < 0.7:
        small = max(8, round(body.shape[0] * scale))
        matrix = matrix.copy()
        matrix[:, :2] *= body.shape[0] / small
        body = cv2.resize(body, (small, small), interpolation=cv2.INTER_AREA)
        top = cv2.resize(top, (small, small), interpolation=cv2.INTER_AREA)
    side = body.shape[0]
    corners = np.array([[0, 0, 1], [side, 0, 1], [0, side, 1], [side, side, 1]]) @ matrix.T
    x0, y0 = np.floor(corners.min(0)).astype(int).clip(0, fine)
    x1, y1 = np.ceil(corners.max(0)).astype(int).clip(0, fine)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return None
    local = matrix.copy()
    local[:, 2] -= (x0, y0)
    extent = (int(x1 - x0), int(y1 - y0))
    moved, upper = cv2.warpAffine(body, local, extent), cv2.warpAffine(top, local, extent)
    return (int(y0), int(y1), int(x0), int(x1)), moved[..., :3], moved[..., 3], upper


def _shade(
    canvas: Floats,
    cover: Floats,
    box: tuple[int, int, int, int],
    lamp: Floats,
    own: float,
    softness: float,
    length: float,
    share: float,
) -> None:
    """Draw the die's shadow on the ground and the dice behind it."""
    fine = canvas.shape[0]
    y0, y1, x0, x1 = box
    pad = int(own * (length + 0.4)) + 2
    top, left = max(0, y0 - pad), max(0, x0 - pad)
    bottom, right = min(fine, y1 + pad), min(fine, x1 + pad)
    quarter = 0.5
    area: Floats = np.zeros((int((bottom - top) * quarter) + 1, int((right - left) * quarter) + 1), np.float32)
    small = cv2.resize(cover, None, fx=quarter, fy=quarter, interpolation=cv2.INTER_AREA)
    flat = float(np.hypot(lamp[0], lamp[1])) + 1e-6
    towards = np.array([-lamp[0], lamp[1]]) / flat
    for step in np.linspace(0.0, length, 7):
        dx, dy = towards * step * own * quarter
        shift = np.array([[1, 0, (x0 - left) * quarter + dx], [0, 1, (y0 - top) * quarter + dy]], np.float32)
        moved = cv2.warpAffine(small, shift, (area.shape[1], area.shape[0]))
        np.maximum(area, moved, out=area)
    area = cv2.GaussianBlur(area, (0, 0), max(0.6, softness * own * quarter))
    dark = cv2.resize(area, (right - left, bottom - top), interpolation=cv2.INTER_LINEAR)
    canvas[top:bottom, left:right] *= 1 - share * dark[..., None]


def _illuminate(rng: np.random.Generator, canvas: Floats) -> Floats:
    """Apply the room's light: warm or cold, weaker to one side, sometimes with the edge of a shadow."""
    side = canvas.shape[0]
    x, y = np.meshgrid(np.linspace(-1, 1, side, dtype=np.float32), np.linspace(-1, 1, side, dtype=np.float32))
    angle = rng.uniform(0, 6.3)
    ramp = 1 + rng.uniform(0, 0.35) * (x * np.cos(angle) + y * np.sin(angle))
    ramp -= rng.uniform(0, 0.25) * (x**2 + y**2)
    if rng.random() < 0.12:
        edge = rng.uniform(5, 60) * (x * np.cos(angle * 2) + y * np.sin(angle * 2) + rng.uniform(-0.7, 0.7))
        ramp *= 1 - rng.uniform(0.2, 0.6) / (1 + np.exp(-edge.clip(-30, 30)))
    warm = rng.normal(0, rng.choice([0.05, 0.18]))
    cast = np.array([1 - warm, 1 + rng.normal(0, 0.04), 1 + warm], np.float32)
    gain = float(np.exp(rng.normal(0.0, 0.3)))
    if rng.random() < 0.08:
        gain *= rng.uniform(0.2, 0.5)
    return np.asarray(canvas * (ramp[..., None] * cast * gain), np.float32)


def _through_the_camera(rng: np.random.Generator, image: Floats) -> npt.NDArray[np.uint8]:
    """Apply the camera's focus, motion blur, tone, sharpening, noise and JPEG."""
    if rng.random() < 0.55:
        image = cv2.GaussianBlur(image, (0, 0), float(rng.choice([rng.uniform(0.3, 0.8), rng.uniform(0.6, 1.5)])))
    if rng.random() < 0.1:
        reach = int(rng.integers(2, 6))
        streak = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
        angle = rng.uniform(0, 3.15)
        step = reach * np.array([np.cos(angle), np.sin(angle)]) * 0.6
        start, end = (reach - step).round().astype(int), (reach + step).round().astype(int)
        cv2.line(streak, tuple(map(int, start)), tuple(map(int, end)), 1.0, 1)
        image = cv2.filter2D(image, -1, streak / streak.sum())
    image = np.maximum(image, 0) ** rng.uniform(0.6, 1.3)
    grey = image.mean(-1, keepdims=True)
    image = grey + (image - grey) * rng.uniform(0.5, 1.3)
    if rng.random() < 0.3:
        image = image + rng.uniform(0.3, 1.2) * (image - cv2.GaussianBlur(image, (0, 0), 1.2))
    image = image + rng.standard_normal(image.shape).astype(np.float32) * rng.choice([0.0, 0.01, 0.02, 0.045])
    eight = (image.clip(0, 1) * 255).astype(np.uint8)
    if rng.random() < 0.6:
        _, data = cv2.imencode(".jpg", eight, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(35, 96))])
        return np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return eight


# Pictures in chunks


SCENES = 250
"""Scenes in a chunk."""
SHAPES = 500


@functools.cache
def _stock(seed: int) -> list[Shape]:
    return stock(seed, SHAPES)


def chunk(folder: Path, seed: int, number: int, busy: bool) -> None:
    """One chunk: the pictures, and a row per die with its scene, value, x, y, size and visible share."""
    path = folder / f"{seed}-{number:04d}.npz"
    if path.exists():
        return
    cv2.setNumThreads(1)
    images, rows = [], []
    for index in range(SCENES):
        scene = render(np.random.default_rng([seed, number, index]), _stock(seed), busy=busy)
        images.append(scene.image)
        rows += [(index, die.value, die.x, die.y, die.size, die.seen) for die in scene.dice]
    np.savez(path, images=np.stack(images), dice=np.array(rows, np.float32).reshape(-1, 6))


def main() -> None:
    """Read the command line and render."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=20)
    parser.add_argument("--chunks", type=int, default=64)
    parser.add_argument("--processes", type=int, default=2)
    parser.add_argument("--busy", action="store_true", help="crowds of things that are no dice")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    _stock(options.seed)
    with multiprocessing.get_context("fork").Pool(options.processes) as pool:
        pool.starmap(
            chunk, [(options.folder, options.seed, n, options.busy) for n in range(options.chunks)], chunksize=1
        )


if __name__ == "__main__":
    main()
