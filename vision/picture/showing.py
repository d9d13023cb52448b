"""Pictures for people: the table as small JPEGs, whole, from straight above, or cut out of it."""

from __future__ import annotations

from typing import Final

import cv2
import msgspec
import numpy as np

from companion.kernel.messages import ZoneReading
from vision.cameras import Frame
from vision.layout import Box, Grid, Layout, Point, Slots, Track, Zone
from vision.plane.plane import Image, Plane

PICTURE_WIDTH: Final = 480
PICTURE_QUALITY: Final = 70
"""Of the small JPEG that goes with a Reading: people recognise their tiles in it, and a phone loads it at once."""
WHOLE_WIDTH: Final = 1280
WHOLE_QUALITY: Final = 75
CUT_WIDTH: Final = 900
FINEST: Final = 6.0
"""Pixels to a millimetre at the most: more than a camera sees from above a table."""
MARGIN: Final = 6.0
"""Millimetres of what is around that a person sees with a zone or a cell."""


class Shown(msgspec.Struct, frozen=True, eq=False):
    """The newest full picture, for people: the plane it is seen through, if any, and what was read by then."""

    full: Frame
    small: Frame
    plane: Plane | None
    zones: dict[str, ZoneReading]


def from_above(image: Image, layout: Layout, plane: Plane) -> bytes:
    """The table as if seen from straight above, as a small JPEG."""
    width, height = layout.area.width, layout.area.height
    # Drawn twice as large first: shrinking in one go would leave every third pixel out.
    twice = plane.patch(image, Box((width / 2, height / 2), (width, height)), 2 * PICTURE_WIDTH / width)
    small = cv2.resize(twice, (PICTURE_WIDTH, round(PICTURE_WIDTH * height / width)), interpolation=cv2.INTER_AREA)
    return jpeg(np.asarray(small, np.uint8), PICTURE_QUALITY)


def whole(image: Image) -> bytes:
    """All that the camera sees, no wider than a phone needs."""
    height, width = image.shape[:2]
    if width > WHOLE_WIDTH:
        size = WHOLE_WIDTH, round(WHOLE_WIDTH * height / width)
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return jpeg(image, WHOLE_QUALITY)


def cut_out(image: Image, plane: Plane, box: Box) -> bytes:
    """A part of the table from straight above, large enough to hit a small piece in it."""
    return jpeg(plane.patch(image, box, min(FINEST, CUT_WIDTH / box.size[0])), WHOLE_QUALITY)


def part(zone: Zone, cell: str | None = None) -> Box | None:
    """The part of the table that a zone or one of its places takes, with a little of what is around it."""
    if cell is None:
        return zone.area().grown(MARGIN)
    places = zone.places() if isinstance(zone, Grid | Slots | Track) else {}
    return places[cell].grown(MARGIN) if cell in places else None


def tapped(box: Box, x: float, y: float) -> Point:
    """Where on the table somebody tapped, who saw a part of it: fractions of its width and height."""
    return box.at(x * box.size[0], y * box.size[1])


def jpeg(image: Image, quality: int) -> bytes:
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes()
