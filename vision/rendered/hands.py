"""Hands over the table: a forearm in a sleeve, a palm and five fingers, reaching in from a side."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final, Literal

import cv2
import msgspec
import numpy as np

from vision.plane.plane import Plane

from .paint import Colour, Field, Image, Point, grain, rgb, seed_of
from .projection import seen
from .solids import Floats

Side = Literal["left", "right", "top", "bottom"]

HEIGHT: Final = 55.0
"""Millimetres at which a hand hovers while it takes or puts something."""

_SKINS: Final = (rgb(232, 190, 160), rgb(214, 164, 130), rgb(166, 116, 84), rgb(112, 74, 52))
_SLEEVES: Final = (rgb(52, 66, 92), rgb(120, 50, 52), rgb(70, 78, 66), rgb(88, 84, 88), rgb(176, 168, 150))
_FINGERS: Final = ((30, 54, 9.5, 13), (11, 74, 10.5, 4), (-10, 78, 10.5, -3), (-29, 68, 10, -9))
"""Little finger first: offset across the palm away from the thumb, length, half width, spread in degrees."""


class Hand(msgspec.Struct, frozen=True):
    """A hand from a side of the table whose palm is over a point (in table millimetres)."""

    side: Side
    over: Point


class Limb(msgspec.Struct, frozen=True, eq=False):
    """A rounded bar of skin or cloth between two points, with a half width at each end."""

    start: Point
    end: Point
    thick: tuple[float, float]
    colour: Colour
    skin: bool = True


def limbs(hand: Hand) -> Iterator[Limb]:
    """The parts of an arm and its hand, in table millimetres."""
    seed = seed_of(f"{hand.side}{hand.over[0]:.1f}{hand.over[1]:.1f}")
    skin, cloth = _SKINS[seed % len(_SKINS)], _SLEEVES[seed // 7 % len(_SLEEVES)]
    aim = _direction(hand, seed)
    along = math.cos(aim), math.sin(aim)

    def at(forward: float, across: float) -> Point:
        return (
            hand.over[0] + along[0] * forward - along[1] * across,
            hand.over[1] + along[1] * forward + along[0] * across,
        )

    thumb = 1 if seed // 3 % 2 else -1
    yield Limb(at(-165, 3), at(-40, 0), (31, 25), skin)
    yield Limb(at(-40, 0), at(-12, 0), (25, 34), skin)
    yield Limb(at(-14, thumb * 4), at(20, 0), (34, 40), skin)
    for across, length, thick, spread in _FINGERS:
        turn = math.radians(spread)
        tip = at(30 + length * math.cos(turn), -thumb * across - thumb * length * math.sin(turn))
        yield Limb(at(20, -thumb * across * 0.95), tip, (thick, thick * 0.84), skin)
    yield Limb(at(-16, thumb * 24), at(24, thumb * 50), (17, 12.5), skin)
    yield Limb(at(24, thumb * 50), at(50, thumb * 56), (12, 10), skin)
    yield Limb(at(-900, 10), at(-135, 3), (58, 42), cloth, skin=False)


def hands_mask(hands: Sequence[Hand], plane: Plane) -> Image:
    """White where hands cover the picture, black elsewhere."""
    mask = np.zeros((plane.size[1], plane.size[0]), np.uint8)
    for hand in hands:
        for limb in limbs(hand):
            cv2.fillConvexPoly(mask, _fixed(seen(plane, _capsule(limb, HEIGHT))), 255, cv2.LINE_AA, 4)
    return mask


def shade_hands(mask: Image, hands: Sequence[Hand], plane: Plane, cast: Point, scale: float) -> None:
    """Whiten a smaller mask where hands keep the light from the table."""
    for hand in hands:
        for limb in limbs(hand):
            shadow = _capsule(limb, 0.0) + np.array([*cast, 0.0]) * HEIGHT
            pixels = (seen(plane, shadow) + 0.5) * scale - 0.5
            cv2.fillConvexPoly(mask, _fixed(pixels), 255, cv2.LINE_AA, 4)


def draw_hands(image: Image, hands: Sequence[Hand], plane: Plane, towards_light: Floats) -> None:
    for hand in hands:
        parts = list(limbs(hand))
        # The sleeve lies over the wrist, and each is one smooth surface of its own.
        skin, cloth = [part for part in parts if part.skin], [part for part in parts if not part.skin]
        for surface in (skin, cloth):
            _draw_surface(image, [(part, seen(plane, _capsule(part, HEIGHT))) for part in surface], towards_light)


def _draw_surface(image: Image, parts: Sequence[tuple[Limb, Floats]], towards_light: Floats) -> None:
    """Limbs of one colour, grown together: their heights make a surface, and the light falls on it."""
    every = np.concatenate([outline for _, outline in parts])
    left, top = (max(0, int(low) - 6) for low in every.min(0))
    right = min(image.shape[1], int(every[:, 0].max()) + 7)
    bottom = min(image.shape[0], int(every[:, 1].max()) + 7)
    if left >= right or top >= bottom:
        return
    mask = np.zeros((bottom - top, right - left), np.uint8)
    height = np.zeros(mask.shape, np.float32)
    for _, outline in parts:
        one = np.zeros_like(mask)
        cv2.fillConvexPoly(one, _fixed(outline - (left, top)), 255, cv2.LINE_AA, 4)
        # A limb goes on beyond the picture's edge: only its own outline is its border.
        inside = cv2.copyMakeBorder((one > 127).astype(np.uint8), 40, 40, 40, 40, cv2.BORDER_REPLICATE)
        depth = cv2.distanceTransform(inside, cv2.DIST_L2, 3)[40:-40, 40:-40]
        half = max(1.0, float(depth.max()))
        np.maximum(height, np.sqrt(np.maximum(0, 2 * half * depth - depth**2)) * min(1.0, 16 / half), out=height)
        np.maximum(mask, one, out=mask)
    height = np.asarray(cv2.GaussianBlur(height, (0, 0), 2.2), np.float32)
    colour = _lit_surface(height, towards_light)[..., None] * np.asarray(parts[0][0].colour, np.float32)
    alpha = mask[..., None].astype(np.float32) / 255
    place = image[top:bottom, left:right]
    place[:] = np.clip(place * (1 - alpha) + colour * alpha, 0, 255).astype(np.uint8)


def _lit_surface(height: Field, towards_light: Floats) -> Field:
    slope_x = cv2.Sobel(height, cv2.CV_32F, 1, 0, scale=1 / 8)
    slope_y = cv2.Sobel(height, cv2.CV_32F, 0, 1, scale=1 / 8)
    facing = towards_light[2] - slope_x * towards_light[0] - slope_y * towards_light[1]
    facing = facing / np.sqrt(1 + slope_x**2 + slope_y**2)
    tall, wide = height.shape
    skin = 1 + 0.012 * grain(wide, tall, 5, 5, 12)
    return np.asarray((0.5 + 0.52 * np.clip(facing, 0, 1)) * skin, np.float32)


def _direction(hand: Hand, seed: int) -> float:
    """The way the arm points: into the table, leaning a little as people sit where they sit."""
    lean = math.radians(seed // 11 % 41 - 20)
    return {"left": 0.0, "right": math.pi, "top": math.pi / 2, "bottom": -math.pi / 2}[hand.side] + lean


def _capsule(limb: Limb, height: float) -> Floats:
    """The outline of a limb, clockwise, at a height."""
    (x0, y0), (x1, y1) = limb.start, limb.end
    aim = math.atan2(y1 - y0, x1 - x0)
    points = []
    for (x, y), thick, start in (((x1, y1), limb.thick[1], -90), ((x0, y0), limb.thick[0], 90)):
        for step in range(9):
            turn = aim + math.radians(start + 180 * step / 8)
            points.append((x + thick * math.cos(turn), y + thick * math.sin(turn), height))
    return np.array(points)


def _fixed(pixels: Floats) -> np.ndarray[tuple[int, ...], np.dtype[np.int32]]:
    return np.round(pixels * 16).astype(np.int32)
