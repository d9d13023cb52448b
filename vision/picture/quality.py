"""How well a camera sees: whether there is enough even light, and whether the lens is sharp.

Both are judged at the markers, since their paper is white and their edges are straight.
"""

from __future__ import annotations

from typing import Final, Literal

import cv2
import msgspec
import numpy as np

from vision.layout import Layout, Markers
from vision.picture import table_picture
from vision.plane.plane import Image, Plane, marker_corners, shows_marker

DARK: Final = 70.0
"""If white paper is darker, there is too little contrast."""
GLARE: Final = 250.0
"""If white paper is brighter, it is overexposed and colours are lost."""
UNEVEN: Final = 0.5
"""If the light in the darkest corner is less than this share of the brightest, it is uneven."""
BLURRED_MM: Final = 2.0
"""If an edge is wider than this on the table, the print on a small tile cannot be read."""


SMALLEST_MM: Final = 3.0
"""Edges this wide are sharp enough for any piece."""
_PRINT_MM: Final = 8.0
"""Around each point so far is looked for its edge."""


class LightCheck(msgspec.Struct, frozen=True):
    """Brightness of white paper at the table's corners, of 255, and the ratio of the darkest to the brightest."""

    what: Literal["good", "dark", "glare", "uneven"]
    white: float
    evenness: float


class LensCheck(msgspec.Struct, frozen=True):
    """How wide a sharp edge looks on the table, in millimetres; None if no marker is visible."""

    what: Literal["sharp", "blurred", "unknown"]
    edge_mm: float | None = None


def light(image: Image, plane: Plane, layout: Layout) -> LightCheck:
    width, height = layout.area.width, layout.area.height
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height), (width / 2, height / 2)], np.float64)
    whites = table_picture.look_at(image, plane, layout).whites(corners).mean(axis=1)
    white, evenness = float(np.median(whites)), float(whites.min() / max(float(whites.max()), 1.0))
    if white < DARK:
        what: Literal["good", "dark", "glare", "uneven"] = "dark"
    elif white > GLARE:
        what = "glare"
    else:
        what = "uneven" if evenness < UNEVEN else "good"
    return LightCheck(what, round(white, 1), round(evenness, 2))


def edges(image: Image, plane: Plane, layout: Layout) -> float:
    """How wide the strongest edges of the whole table look, in millimetres: contrast divided by the steepest slope."""
    width, height = layout.area.width, layout.area.height
    corners = plane.to_pixels([(0, 0), (width, 0), (width, height), (0, height)])
    left, top = np.maximum(corners.min(0), 0).astype(int)
    right, bottom = corners.max(0).astype(int)
    part = cv2.cvtColor(image[top:bottom, left:right], cv2.COLOR_BGR2GRAY).astype(np.float32)
    grey = cv2.GaussianBlur(part, (0, 0), 0.7)
    scale = plane.scale((width / 2, height / 2))
    around = np.ones((max(3, int(_PRINT_MM * scale) | 1),) * 2)
    contrast = cv2.dilate(grey, around) - cv2.erode(grey, around)
    slopes = np.hypot(cv2.Sobel(grey, -1, 1, 0, scale=1 / 8), cv2.Sobel(grey, -1, 0, 1, scale=1 / 8))
    steepest = cv2.dilate(slopes, around)
    strong = contrast >= np.percentile(contrast, 95)
    return float(np.median(contrast[strong] / np.maximum(steepest[strong], 1e-3))) / scale


def lens(image: Image, plane: Plane, layout: Layout) -> LensCheck:
    """Judge every visible marker. The worst one counts, since a lens may be blurred on one side only."""
    if layout.markers is None:
        return LensCheck("unknown")
    seen = [name for name in layout.markers.at if shows_marker(image, layout.markers, plane, name)]
    edges = [edge for name in seen if (edge := _edge(image, plane, layout.markers, name)) is not None]
    if not edges:
        return LensCheck("unknown")
    worst = max(edges)
    return LensCheck("blurred" if worst > BLURRED_MM else "sharp", round(worst, 2))


def _edge(image: Image, plane: Plane, markers: Markers, name: str) -> float | None:
    """The width of a marker's outer edges in millimetres: contrast divided by the steepest slope across them."""
    outline = plane.to_pixels(marker_corners(markers)[name])
    reach = markers.side * plane.scale(markers.at[name]) * 0.1
    widths = []
    for start, end in zip(outline, np.roll(outline, -1, axis=0), strict=True):
        along = (end - start) / np.linalg.norm(end - start)
        across = np.array([-along[1], along[0]])
        middles = start + np.linspace(0.3, 0.7, 9)[:, None] * (end - start)
        steps = np.arange(-reach, reach, 0.25)
        points = (middles[:, None] + steps[None, :, None] * across).astype(np.float32)
        grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        profile = cv2.remap(grey, points[..., 0], points[..., 1], cv2.INTER_LINEAR).astype(np.float64).mean(axis=0)
        steepest = float(np.abs(np.diff(profile)).max()) * 4
        if steepest > 0:
            widths.append((float(profile.max()) - float(profile.min())) / steepest)
    return float(np.median(widths)) / plane.scale(markers.at[name]) if widths else None
