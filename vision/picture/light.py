"""The light on the table: how white looks at each place, so that colours can be judged relative to it."""

from __future__ import annotations

from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.layout import Box, Layout, Markers, Point
from vision.plane.plane import Image, Plane, Points, shows_marker

Patch = NDArray[np.float32]
"""A piece of the table relative to the light: 1.0 is as bright as white paper there."""

_RING: Final = (0.56, 0.60)
"""Where the white border of a marker is looked at: so many sides from its centre."""


class Light(msgspec.Struct, frozen=True, eq=False):
    """White paper's colour (BGR) over the table, as a smooth surface in the logarithm."""

    slopes: Points

    def whites(self, points: Points) -> NDArray[np.float32]:
        """White's colour at each of these points."""
        return np.asarray(np.exp(_terms(points) @ self.slopes), np.float32)

    def over(self, box: Box, size: tuple[int, int]) -> Patch:
        """White's colour at each pixel of a box seen in this size (width, height)."""
        first, second, third, fourth = self.whites(np.asarray(box.corners(), np.float64))
        width, height = size
        along, down = ((np.arange(count, dtype=np.float32) + 0.5) / count for count in (width, height))
        top = first + along[:, None] * (second - first)
        bottom = fourth + along[:, None] * (third - fourth)
        rows = np.column_stack([1 - down, down]) @ np.stack([top.ravel(), bottom.ravel()])
        return np.asarray(rows.reshape(height, width, 3), np.float32)

    def relative(self, patch: Image, box: Box) -> Patch:
        """What was seen of a box, beside the light there."""
        return np.asarray(patch / self.over(box, (patch.shape[1], patch.shape[0])), np.float32)


def look_at(image: Image, plane: Plane, layout: Layout) -> Light:
    """The light from the markers' white borders, or from the brightest parts of the table without markers."""
    places: list[Point] = []
    whites: list[Points] = []
    if layout.markers is not None:
        for name, centre in layout.markers.at.items():
            seen = _border(image, plane, layout.markers, name)
            # A cup or a sleeve on a marker is not white paper.
            if seen is not None and shows_marker(image, layout.markers, plane, name):
                places.append(centre)
                whites.append(seen)
    if not places:
        return _without_markers(image, plane, layout)
    terms = _terms(np.asarray(places, np.float64))
    # Three borders give a plane, two or one no more than the mean: a slope would be a guess.
    terms[:, {4: 4, 3: 3}.get(min(len(places), 4), 1) :] = 0
    slopes, *_ = np.linalg.lstsq(terms, np.log(np.maximum(whites, 4.0)), rcond=None)
    return Light(np.asarray(slopes, np.float64))


def _border(image: Image, plane: Plane, markers: Markers, name: str) -> Points | None:
    """The colour of a marker's white border, if most of it is in the picture and looks like paper."""
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
    return Light(slopes)


def _terms(points: Points) -> Points:
    x, y = points[:, 0] / 1000, points[:, 1] / 1000
    return np.column_stack([np.ones(len(points)), x, y, x * y])
