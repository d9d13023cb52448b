"""A picture of the table with its plane and its light, and which parts of the table are hidden in it."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

import cv2
import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.layout import Box, Layout, Markers, Piece, Point
from vision.plane import plane as planes
from vision.plane.plane import Image, Plane, Points, shows_marker

Patch = NDArray[np.float32]
"""A part of the table relative to the light: 1.0 is as bright as white paper there."""

_RING: Final = (0.56, 0.60)
"""Where the white border of a marker is sampled, in sides from its centre."""


class Light(msgspec.Struct, frozen=True, eq=False):
    """The colour (BGR) of white paper across the table, as a smooth surface of its logarithm."""

    slopes: Points
    measured: bool
    """Whether it was measured on white paper across the table, at three markers or more."""

    def whites(self, points: Points) -> NDArray[np.float32]:
        """The colour of white at each of these points."""
        return np.asarray(np.exp(_terms(points) @ self.slopes), np.float32)

    def over(self, box: Box, size: tuple[int, int]) -> Patch:
        """The colour of white at each pixel of a box with this size (width, height)."""
        first, second, third, fourth = self.whites(np.asarray(box.corners(), np.float64))
        width, height = size
        along, down = ((np.arange(count, dtype=np.float32) + 0.5) / count for count in (width, height))
        top = first + along[:, None] * (second - first)
        bottom = fourth + along[:, None] * (third - fourth)
        rows = np.column_stack([1 - down, down]) @ np.stack([top.ravel(), bottom.ravel()])
        return np.asarray(rows.reshape(height, width, 3), np.float32)

    def relative(self, patch: Image, box: Box) -> Patch:
        """A patch of a box, relative to the light there."""
        return np.asarray(patch / self.over(box, (patch.shape[1], patch.shape[0])), np.float32)


def look_at(image: Image, plane: Plane, layout: Layout) -> Light:
    """Measure the light at the markers' white borders or, without markers, at the brightest parts of the table."""
    places: list[Point] = []
    whites: list[Points] = []
    if layout.markers is not None:
        for name, centre in layout.markers.at.items():
            seen = _border(image, plane, layout.markers, name)
            # A marker that is covered by a cup or a sleeve is not white paper.
            if seen is not None and shows_marker(image, layout.markers, plane, name):
                places.append(centre)
                whites.append(seen)
    if not places:
        return _without_markers(image, plane, layout)
    terms = _terms(np.asarray(places, np.float64))
    # Three borders define a plane; with two or one, only the mean is used.
    terms[:, {4: 4, 3: 3}.get(min(len(places), 4), 1) :] = 0
    slopes, *_ = np.linalg.lstsq(terms, np.log(np.maximum(whites, 4.0)), rcond=None)
    return Light(np.asarray(slopes, np.float64), len(places) >= 3)


def _border(image: Image, plane: Plane, markers: Markers, name: str) -> Points | None:
    """The colour of a marker's white border, if most of it is visible and looks like paper."""
    x, y = markers.at[name]
    steps = np.linspace(-1, 1, 24)
    ring = []
    for share in _RING:
        reach = markers.side * share
        along = steps * reach
        edge = np.full_like(along, reach)
        ring += [np.column_stack(sides) for sides in ((along, -edge), (along, edge), (-edge, along), (edge, along))]
    pixels = plane.to_pixels(np.concatenate(ring) + np.array([x, y])).round().astype(int)
    height, width = image.shape[:2]
    inside = (pixels >= 0).all(1) & (pixels[:, 0] < width) & (pixels[:, 1] < height)
    if inside.mean() < 0.6:
        return None
    seen = image[pixels[inside, 1], pixels[inside, 0]].astype(np.float64)
    middle = np.median(seen, axis=0)
    spread = np.abs(seen - middle).mean() / max(float(middle.mean()), 1.0)
    return middle if spread < 0.35 else None


def _without_markers(image: Image, plane: Plane, layout: Layout) -> Light:
    width, height = layout.area.width, layout.area.height
    corners = plane.to_pixels([(0, 0), (width, 0), (width, height), (0, height)])
    left, top = np.maximum(corners.min(0), 0).astype(int)
    right, bottom = corners.max(0).astype(int) + 1
    area = image[top:bottom:4, left:right:4].reshape(-1, 3).astype(np.float64)
    slopes = np.zeros((4, 3))
    slopes[0] = np.log(np.maximum(np.percentile(area, 97, axis=0), 4.0))
    return Light(slopes, measured=False)


def _terms(points: Points) -> Points:
    x, y = points[:, 0] / 1000, points[:, 1] / 1000
    return np.column_stack([np.ones(len(points)), x, y, x * y])


_BROAD: Final = 0.7
"""What a figure hides on either side, in widths of the figure: half of it, its corners, and its shadow."""


class Capsule(msgspec.Struct, frozen=True):
    """A hidden part of the table: everything within a radius of a line, in millimetres."""

    start: Point
    end: Point
    radius: float


def hiding(sight: TablePicture, foot: Point, piece: Piece, breadth: float) -> Capsule:
    """What a standing piece hides: the table from its foot to where its top appears."""
    x, y, height = sight.plane.eye()
    lean = piece.height / max(height - piece.height, 1.0)
    head = foot[0] + (foot[0] - x) * lean, foot[1] + (foot[1] - y) * lean
    return Capsule(foot, head, breadth * _BROAD)


def hidden(points: Points, things: Sequence[Capsule]) -> NDArray[np.bool_]:
    """Which of these table points are hidden by one of the things."""
    start, end = (np.array([getattr(thing, name) for thing in things]).reshape(-1, 2) for name in ("start", "end"))
    across, down = (end - start).T[:, :, None]
    x, y = points.reshape(-1, 2).T[:, None] - start.T[:, :, None]
    share = np.clip((x * across + y * down) / np.maximum(across**2 + down**2, 1e-9), 0, 1)
    off = (x - share * across) ** 2 + (y - share * down) ** 2
    radius = np.array([thing.radius for thing in things])
    return np.asarray((off < radius[:, None] ** 2).any(0).reshape(points.shape[:-1]))


WHITE: Final = 204
"""The value of white paper in pictures relative to the light with values in bytes."""


class BadPicture(Exception):
    """An unusable picture; the message names the file."""


class TablePicture(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A picture of a table with its plane and light."""

    image: Image
    layout: Layout
    plane: Plane
    light: Light

    @cached_property
    def half(self) -> Image:
        """The picture in half its size, for coarse searches."""
        height, width = self.image.shape[:2]
        small = cv2.resize(self.image, (max(1, width // 2), max(1, height // 2)), interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8)

    def patch(self, box: Box, pixels_per_mm: float, height: float = 0.0) -> Patch:
        """A box of the table as seen from straight above, relative to the light."""
        return self.light.relative(self.plane.patch(self.image, box, pixels_per_mm, height), box)

    def bytes(self, box: Box, pixels_per_mm: float, height: float = 0.0) -> Image:
        """Like `patch`, in bytes: white paper is `WHITE`, so that there is room for highlights."""
        seen = self.plane.patch(self.image, box, pixels_per_mm, height)
        white = self.light.over(box, (seen.shape[1], seen.shape[0]))
        return np.asarray(cv2.divide(seen, white, scale=WHITE, dtype=cv2.CV_8U), np.uint8)


def why_not(error: cv2.error) -> str:
    """Why OpenCV does not decode a picture. It refuses one that is too large by its header."""
    too_large = "CV_IO_MAX_IMAGE" in str(error)
    return "it has more pixels than any camera takes; make it smaller" if too_large else str(error).strip()


def open_picture(path: Path) -> Image:
    try:
        data = np.fromfile(path, np.uint8)
    except OSError as error:
        raise BadPicture(f"The picture {path} cannot be read: {error.strerror or error}.") from error
    try:
        image = cv2.imdecode(data, cv2.IMREAD_COLOR) if len(data) else None
    except cv2.error as error:
        raise BadPicture(f"The picture {path} cannot be read: {why_not(error)}.") from error
    if image is None:
        raise BadPicture(f"{path} is not a picture, or only a part of one; take it again.")
    return np.asarray(image, np.uint8)


def locate(
    image: Image, layout: Layout, corners: Sequence[Point] | None = None, known: Plane | None = None
) -> TablePicture:
    """Locate the table in a picture, by its markers or by corners that a person gave."""
    if corners:
        plane = planes.from_corners(corners, layout, (image.shape[1], image.shape[0]))
    else:
        plane = planes.from_markers(image, layout, known)
    return through(image, layout, plane)


def through(image: Image, layout: Layout, plane: Plane) -> TablePicture:
    """A picture with a known plane."""
    return TablePicture(image, layout, plane, look_at(image, plane, layout))
