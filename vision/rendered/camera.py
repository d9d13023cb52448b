"""The rendered camera: where it hangs, and the picture it takes of a scene."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache
from random import Random
from typing import Final

import cv2
import msgspec
import numpy as np

from vision.layout import Area, Dial, Layout
from vision.plane.plane import Plane

from . import solids
from .artwork import face
from .hands import Hand, draw_hands, shade_hands
from .light import Lamp, Light, exposed, fineness, lamp, shadowed
from .paint import Field, Image, rgb
from .projection import Standing, draw, shade
from .scene import NEEDLE, Piece, Scene
from .solids import Thing, thing
from .table_top import FlatTable, flat_table

Size = tuple[int, int]

FULL_HD: Final[Size] = (1920, 1080)

GAINS: Final = 0.96, 1.03
"""No two pieces were printed and handled alike: this much darker or brighter one may be than the next."""

_STEP: Final = 8
"""The lens map is exact at every eighth pixel and straight in between."""
_SHADOW_SCALE: Final = 0.5
_LOW: Final = 5.0
"""Pieces lower than this lie flat: figures cast their shadows on them."""


class Camera(msgspec.Struct, frozen=True):
    """A camera that looks at the middle of the table. Angles are degrees; `tilt_direction` is where it hangs,
    seen from the middle: 0 to the right, 90 below the table's lower edge."""

    height_mm: float = 1100.0
    tilt_degrees: float = 0.0
    tilt_direction: float = 90.0
    hfov: float = 65.0
    k1: float = 0.0
    roll: float = 0.0

    def plane(self, area: Area, size: Size = FULL_HD) -> Plane:
        """The true plane of this camera's pictures."""
        middle = np.array([area.width / 2, area.height / 2, 0.0])
        towards = math.radians(self.tilt_direction)
        aside = self.height_mm * math.tan(math.radians(self.tilt_degrees))
        eye = middle + np.array([aside * math.cos(towards), aside * math.sin(towards), -self.height_mm])
        forward = (middle - eye) / np.linalg.norm(middle - eye)
        right = np.cross((0.0, 1.0, 0.0), forward)
        right /= np.linalg.norm(right)
        rotation = np.stack([right, np.cross(forward, right), forward])
        spin = math.radians(self.roll)
        cos, sin = math.cos(spin), math.sin(spin)
        rotation = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1.0]]) @ rotation
        focal = size[0] / 2 / math.tan(math.radians(self.hfov) / 2)
        matrix = np.array([[focal, 0, size[0] / 2], [0, focal, size[1] / 2], [0, 0, 1.0]])
        turn, _ = cv2.Rodrigues(rotation)
        lens = np.array([self.k1, 0, 0, 0.0])
        return Plane(matrix, lens, np.asarray(turn, np.float64), (-rotation @ eye).reshape(3, 1), size, 0.0, 0)


def any_camera(rng: Random, layout: Layout | None = None) -> Camera:
    """A plausible rig: the whole area is in the picture and nearly fills it."""
    area = layout.area if layout is not None else Area(900.0, 600.0)
    camera = Camera(
        height_mm=400.0,
        tilt_degrees=rng.uniform(0, 15),
        tilt_direction=rng.uniform(0, 360),
        hfov=rng.uniform(55, 75),
        k1=rng.uniform(-0.05, 0.02),
        roll=rng.uniform(-2, 2),
    )
    while not _shows(camera, area):
        camera = msgspec.structs.replace(camera, height_mm=camera.height_mm + 10)
    return msgspec.structs.replace(camera, height_mm=camera.height_mm * rng.uniform(1.0, 1.08))


def _shows(camera: Camera, area: Area) -> bool:
    corners = [(0, 0), (area.width, 0), (area.width, area.height), (0, area.height)]
    pixels = camera.plane(area).to_pixels(corners)
    margin = 12
    return bool((pixels > margin).all() and (pixels < np.array(FULL_HD) - margin).all())


def picture(
    layout: Layout,
    scene: Scene,
    view_from: Camera,
    light: Light,
    rng: Random,
    hands: Sequence[Hand] = (),
    size: Size | None = None,
) -> Image:
    """The photograph (BGR) that a camera takes of a scene; the same seed gives the same picture."""
    size = size or layout.picture
    burning = lamp(light, rng)
    image = drawn(layout, scene, view_from, burning, lambda _piece: rng.uniform(*GAINS), size)
    add_hands(image, hands, view_from.plane(layout.area, size), burning)
    return exposed(image, burning, rng)


def drawn(
    layout: Layout, scene: Scene, view_from: Camera, burning: Lamp, gain: Callable[[Piece], float], size: Size
) -> Image:
    """The scene before the sensor has made a photograph of it. `gain` says how bright each piece is."""
    plane = view_from.plane(layout.area, size)
    image = _empty_table(msgspec.json.encode(layout), scene.table_top, scene.mats, view_from, size).copy()
    standing = [(piece, _standing(piece, layout, plane, gain(piece))) for piece in scene.pieces]
    boards = [s for piece, s in standing if s.solid.height < _LOW and _is_board(piece, layout)]
    low = [s for piece, s in standing if s.solid.height < _LOW and not _is_board(piece, layout)]
    tall = [s for _, s in standing if s.solid.height >= _LOW]
    for layer, softness in ((boards, 1.5), (low, 1.5), (tall, 2.5)):
        _add(image, plane, layer, burning, softness * fineness(size[0]))
    return image


def add_hands(image: Image, hands: Sequence[Hand], plane: Plane, burning: Lamp) -> None:
    """Draw hands over a scene, their shadows first."""
    if hands:
        mask = _blank(plane.size)
        shade_hands(mask, hands, plane, burning.cast, _SHADOW_SCALE)
        shadowed(image, mask, burning.shadow, 9.0 * fineness(plane.size[0]))
        draw_hands(image, hands, plane, burning.towards)


def _add(image: Image, plane: Plane, layer: Sequence[Standing], burning: Lamp, softness: float) -> None:
    """Shadows first, then the pieces that cast them."""
    if not layer:
        return
    mask = _blank(plane.size)
    shade(mask, plane, layer, burning.cast, _SHADOW_SCALE)
    shadowed(image, mask, burning.shadow, softness)
    draw(image, plane, layer, burning.towards)


def _blank(size: Size) -> Image:
    return np.zeros((round(size[1] * _SHADOW_SCALE), round(size[0] * _SHADOW_SCALE)), np.uint8)


def _is_board(piece: Piece, layout: Layout) -> bool:
    """Whether a piece is part of a board on which others may stand."""
    return piece.lift == 0 and layout.zones[piece.zone].kind == "grid"


def _standing(piece: Piece, layout: Layout, plane: Plane, gain: float) -> Standing:
    zone = layout.zones[piece.zone]
    if isinstance(zone, Dial) and piece.label == NEEDLE:
        solid = solids.needle(zone.radius)
        return Standing(solid, piece.x, piece.y, piece.angle, piece.lift, (rgb(34, 30, 30), rgb(206, 170, 84)))
    what = thing(piece.label, zone, layout)
    if what.shape:
        solid = solids.figure(what.shape, *what.size, what.height, what.value)
        solid = solids.tilted(solid, piece.tilt) if piece.tilt else solid
        colours = what.colour, what.mark
        return Standing(solid, piece.x, piece.y, piece.angle, piece.lift, colours, None, gain)
    return _printed(piece, what, plane, gain)


def _printed(piece: Piece, what: Thing, plane: Plane, gain: float) -> Standing:
    # A face a little finer than the picture stays crisp and does not alias.
    fineness = max(1.0, math.ceil(plane.scale((piece.x, piece.y)) * 1.25 * 2) / 2)
    print_ = face(what.look, what.family, what.size, fineness, piece.variant)
    solid = solids.flat(*what.size, what.height, what.is_round)
    return Standing(solid, piece.x, piece.y, piece.angle, piece.lift, face=print_, gain=gain)


@lru_cache(maxsize=2)
def _empty_table(encoded: bytes, top: str, mats: bool, camera: Camera, size: Size) -> Image:
    """The table without pieces, through this camera; remembered, because a rig takes many pictures."""
    layout = msgspec.json.decode(encoded, type=Layout)
    flat = flat_table(layout, top, mats)
    x, y = _lens_map(camera.plane(layout.area, size), size)
    # Far beyond the table's edge the top is mirrored, never the mats: the margin is wide enough.
    return np.asarray(cv2.remap(flat.image, x, y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REFLECT), np.uint8)


def _lens_map(plane: Plane, size: Size) -> tuple[Field, Field]:
    """Which point of the flat table each pixel shows."""
    wide, tall = size[0] // _STEP + 2, size[1] // _STEP + 2
    down, across = np.mgrid[0:tall, 0:wide].astype(np.float64) * _STEP
    table = plane.to_table(np.column_stack([across.ravel(), down.ravel()]))
    pixels = FlatTable.pixels(table)
    stretch = np.array([[1 / _STEP, 0, 0], [0, 1 / _STEP, 0]])
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    maps = (np.asarray(part, np.float32).reshape(tall, wide) for part in pixels.T)
    fine_x, fine_y = (np.asarray(cv2.warpAffine(part, stretch, size, flags=flags), np.float32) for part in maps)
    return fine_x, fine_y
