"""Pieces into the picture: solids are projected by the plane, shaded by the light, and drawn from far to near."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.plane.plane import Plane

from .paint import Colour, Image
from .solids import Facet, Floats, Solid

_SHIFT: Final = 4
_CARD_EDGE: Final[Colour] = (196, 212, 220)


class Standing(msgspec.Struct, frozen=True, eq=False):
    """A solid in its place on the table; printed pieces bring their face."""

    solid: Solid
    x: float
    y: float
    angle: float
    lift: float
    colours: tuple[Colour, Colour] = (_CARD_EDGE, _CARD_EDGE)
    face: Image | None = None
    gain: float = 1.0

    def placed(self, points: Floats) -> Floats:
        """Points of the solid, carried to where it is."""
        turn = math.radians(self.angle)
        cos, sin = math.cos(turn), math.sin(turn)
        out = np.empty_like(points)
        out[:, 0] = self.x + points[:, 0] * cos - points[:, 1] * sin
        out[:, 1] = self.y + points[:, 0] * sin + points[:, 1] * cos
        out[:, 2] = points[:, 2] + self.lift
        return out


def seen(plane: Plane, points: Floats) -> Floats:
    """Where the camera sees points of (x, y, height above the table)."""
    if not len(points):
        return np.zeros((0, 2))
    pixels, _ = cv2.projectPoints(points * (1, 1, -1), plane.turn, plane.shift, plane.matrix, plane.lens)
    return np.asarray(pixels, np.float64).reshape(-1, 2)


def draw(image: Image, plane: Plane, standing: Sequence[Standing], towards_light: Floats) -> None:
    """Draw pieces; what is nearer to the camera's foot covers what is farther."""
    if not standing:
        return
    foot_x, foot_y, _ = plane.eye()
    order = sorted(standing, key=lambda piece: (piece.lift, -math.hypot(piece.x - foot_x, piece.y - foot_y)))
    walls = [piece.placed(piece.solid.points) for piece in order]
    tops = [piece.placed(piece.solid.top) for piece in order]
    sheets = [piece.placed(_sheet(piece.solid)) for piece in order]
    counts = np.cumsum([len(points) for points in (*walls, *tops, *sheets)])[:-1]
    pixels = np.split(seen(plane, np.concatenate([*walls, *tops, *sheets])), counts)
    number = len(order)
    for nth, piece in enumerate(order):
        _draw_facets(image, piece, pixels[nth], towards_light)
        if piece.face is not None:
            _draw_face(image, piece.face, piece.gain, pixels[number + nth], pixels[2 * number + nth])


def _sheet(solid: Solid) -> Floats:
    """The corners of the rectangle that a face is printed on."""
    if not len(solid.top):
        return np.zeros((0, 3))
    (left, low, z), (right, high, _) = solid.top.min(0), solid.top.max(0)
    return np.array([(left, low, z), (right, low, z), (right, high, z), (left, high, z)])


def _draw_facets(image: Image, piece: Standing, pixels: Floats, towards_light: Floats) -> None:
    turn = math.radians(piece.angle)
    cos, sin = math.cos(turn), math.sin(turn)
    fixed = np.round(pixels * (1 << _SHIFT)).astype(np.int32)
    for facet, corners in zip(piece.solid.facets, np.split(fixed, piece.solid.cuts), strict=True):
        if _away(corners):
            continue
        light = _brightness(facet, cos, sin, towards_light) * piece.gain
        colour = [min(255.0, part * light) for part in piece.colours[facet.mark]]
        if len(corners) > 4 and not cv2.isContourConvex(corners):
            cv2.fillPoly(image, [corners], colour, cv2.LINE_AA, _SHIFT)
        else:
            cv2.fillConvexPoly(image, corners, colour, cv2.LINE_AA, _SHIFT)


def _away(corners: NDArray[np.int32]) -> bool:
    """Whether a facet shows its back: then its corners run the other way round."""
    return cv2.contourArea(corners, True) <= 0


def _brightness(facet: Facet, cos: float, sin: float, towards_light: Floats) -> float:
    x, y, z = facet.normal
    facing = (x * cos - y * sin) * towards_light[0] + (x * sin + y * cos) * towards_light[1] + z * towards_light[2]
    return float(facet.tone * (0.56 + 0.46 * max(0.0, facing)))


def _draw_face(image: Image, face: Image, gain: float, outline: Floats, sheet: Floats) -> None:
    """Print a face onto the piece's top."""
    low = np.floor(outline.min(0)).astype(int) - 1
    high = np.ceil(outline.max(0)).astype(int) + 2
    left, top = max(0, int(low[0])), max(0, int(low[1]))
    right, bottom = min(image.shape[1], int(high[0])), min(image.shape[0], int(high[1]))
    if left >= right or top >= bottom:
        return
    corner = np.array([left, top])
    size = right - left, bottom - top
    tall, wide = face.shape[:2]
    source = np.array([(0, 0), (wide, 0), (wide, tall), (0, tall)], np.float32) - np.float32(0.5)
    transform = cv2.getPerspectiveTransform(source, (sheet - corner).astype(np.float32))
    printed = cv2.warpPerspective(face, transform, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
    mask = np.zeros((size[1], size[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round((outline - corner) * (1 << _SHIFT)).astype(np.int32), 255, cv2.LINE_AA, _SHIFT)
    place = image[top:bottom, left:right]
    alpha = cv2.merge([mask, mask, mask])
    covered = cv2.multiply(printed, alpha, scale=gain / 255)
    rest = cv2.multiply(place, cv2.bitwise_not(alpha), scale=1 / 255)
    place[:] = cv2.add(covered, rest)


def shade(mask: Image, plane: Plane, standing: Sequence[Standing], cast: tuple[float, float], scale: float) -> None:
    """Blacken a mask (at `scale` of the picture's size) where pieces cast their shadow; `cast` is per height."""
    outlines = []
    for piece in standing:
        rim = np.column_stack([piece.solid.outline, np.zeros(len(piece.solid.outline))])
        foot = piece.placed(rim)
        far = foot + np.array([*cast, 0.0]) * piece.solid.height
        outlines.append(np.concatenate([foot, far]))
    if not outlines:
        return
    counts = np.cumsum([len(points) for points in outlines])[:-1]
    for pixels in np.split(seen(plane, np.concatenate(outlines)), counts):
        hull = cv2.convexHull(np.round(((pixels + 0.5) * scale - 0.5) * (1 << _SHIFT)).astype(np.int32))
        cv2.fillConvexPoly(mask, hull, 255, cv2.LINE_AA, _SHIFT)
