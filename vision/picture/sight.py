"""One picture, located and lit: the plane and the light with it, ready to be cut into patches."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from pathlib import Path
from typing import Final

import cv2
import msgspec
import numpy as np

from vision.layout import Box, Layout, Point
from vision.picture import light as lighting
from vision.picture.light import Light, Patch
from vision.plane import plane as planes
from vision.plane.plane import Image, Plane

WHITE: Final = 204
"""White paper, in pictures relative to the light whose values are bytes."""


class BadPicture(Exception):
    """A picture that cannot be used; the message names the file."""


class Sight(msgspec.Struct, frozen=True, eq=False, dict=True):
    """A picture of a table whose place and light are known."""

    image: Image
    layout: Layout
    plane: Plane
    light: Light

    @cached_property
    def half(self) -> Image:
        """The picture in half its size, for rough looks."""
        height, width = self.image.shape[:2]
        small = cv2.resize(self.image, (max(1, width // 2), max(1, height // 2)), interpolation=cv2.INTER_AREA)
        return np.asarray(small, np.uint8)

    def patch(self, box: Box, pixels_per_mm: float, height: float = 0.0) -> Patch:
        """A box of the table from straight above, relative to the light."""
        return self.light.relative(self.plane.patch(self.image, box, pixels_per_mm, height), box)

    def bytes(self, box: Box, pixels_per_mm: float, height: float = 0.0) -> Image:
        """The same in bytes: white paper is `WHITE`, so that there is room for highlights."""
        seen = self.plane.patch(self.image, box, pixels_per_mm, height)
        white = self.light.over(box, (seen.shape[1], seen.shape[0]))
        return np.asarray(cv2.divide(seen, white, scale=WHITE, dtype=cv2.CV_8U), np.uint8)


def why_not(error: cv2.error) -> str:
    """Why OpenCV does not decode a picture. One that is too large is refused by the size in its header."""
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


def locate(image: Image, layout: Layout, corners: Sequence[Point] | None = None, known: Plane | None = None) -> Sight:
    """Find the table in a picture, by its markers or by the corners a person gave."""
    if corners:
        plane = planes.from_corners(corners, layout, (image.shape[1], image.shape[0]))
    else:
        plane = planes.from_markers(image, layout, known)
    return through(image, layout, plane)


def through(image: Image, layout: Layout, plane: Plane) -> Sight:
    """A picture seen through a plane that is known."""
    return Sight(image, layout, plane, lighting.look_at(image, plane, layout))
