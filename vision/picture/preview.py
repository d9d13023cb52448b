"""Pictures for people: the overlay with what was read, and the table as seen from above."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

import cv2
import msgspec
import numpy as np

from companion.kernel.messages import Reading, ZoneReading
from companion.kernel.views import UNKNOWN, Cells, Marks, Pieces, Pointing
from vision.cameras import Frame
from vision.layout import Box, Grid, Layout, Point, Pool, Slots, Track, Zone, boxes
from vision.plane.plane import Image, Plane

# Blue for what was read, orange for what was not: colour-blind people can distinguish them, too.
READ = (214, 142, 0)
UNREAD = (0, 120, 255)
INK = (255, 255, 255)
_RING_MM = 16.0


def draw(image: Image, layout: Layout, plane: Plane, reading: Reading, words: bool = True) -> Image:
    """`words`: the names of zones and pieces as programs know them; for people at the table they are left out."""
    canvas = image.copy()
    for name, zone in layout.zones.items():
        seen = reading.zones.get(name)
        if seen is None:
            continue
        colour = READ if seen.contents is not None else UNREAD
        for box in zone.places().values() if isinstance(zone, Grid) else boxes(zone):
            _outline(canvas, plane, box, colour, 1 if isinstance(zone, Grid | Slots) else 2)
        if words:
            _label(canvas, plane, boxes(zone)[0].corners()[0], _title(name, zone, seen), colour, beside=True)
        for piece in seen.found if seen.contents is None else ():
            if piece.label == UNKNOWN:
                _ring(canvas, plane, (piece.x, piece.y), UNREAD)
        if isinstance(zone, Pool):
            for piece in seen.found if seen.contents is not None else ():
                _dot(canvas, plane, (piece.x, piece.y), READ)
            continue
        for where, text, sure, room in _marks(zone, seen):
            if words or not sure:
                _label(canvas, plane, where, text, READ if sure else UNREAD, room)
            else:
                _dot(canvas, plane, where, READ)
    return canvas


def names_at(layout: Layout, plane: Plane) -> dict[str, Point]:
    """Where the name of each zone belongs: its middle, as fractions of the picture."""
    width, height = plane.size
    middles = plane.to_pixels([boxes(zone)[0].centre for zone in layout.zones.values()])
    return {name: (float(x) / width, float(y) / height) for name, (x, y) in zip(layout.zones, middles, strict=True)}


def _title(name: str, zone: Zone, seen: ZoneReading) -> str:
    if seen.contents is None:
        return f"{name} ?"
    if isinstance(zone, Pool) and isinstance(seen.contents, Pieces):
        counts = ", ".join(f"{number} {label}" for label, number in sorted(seen.contents.count.items()) if number)
        return f"{name}: {counts or 0}"
    return name


def _marks(zone: Zone, seen: ZoneReading) -> Iterator[tuple[Point, str, bool, float]]:
    """Position and text of each mark, whether it is certain, and its maximum width in millimetres (0: any width)."""
    match seen.contents:
        case Cells(at=at) if isinstance(zone, Grid | Slots):
            for cell, label in at.items():
                if label is not None:
                    box = zone.places()[cell]
                    yield box.centre, label if label != UNKNOWN else "?", label != UNKNOWN, box.size[0] * 0.9
        case Pieces() | Marks():
            for piece in seen.found:
                yield (piece.x, piece.y), piece.label, True, 0.0
        case Pointing(value=value):
            yield zone.area().centre, str(value), True, 0.0
        case _:
            return


def _outline(canvas: Image, plane: Plane, box: Box, colour: tuple[int, int, int], width: int) -> None:
    corners = plane.to_pixels(box.corners()).round().astype(np.int32)
    cv2.polylines(canvas, [corners], True, colour, width, cv2.LINE_AA)


def _dot(canvas: Image, plane: Plane, where: Point, colour: tuple[int, int, int]) -> None:
    x, y = plane.to_pixels([where])[0].round().astype(int)
    radius = max(3, canvas.shape[1] // 320)
    cv2.circle(canvas, (int(x), int(y)), radius, INK, -1, cv2.LINE_AA)
    cv2.circle(canvas, (int(x), int(y)), radius, colour, 2, cv2.LINE_AA)


def _ring(canvas: Image, plane: Plane, where: Point, colour: tuple[int, int, int]) -> None:
    """A thick ring around something that could not be read, with a question mark beside it."""
    x, y = plane.to_pixels([where])[0].round().astype(int)
    radius = max(8, round(_RING_MM * plane.scale(where)))
    width = max(2, canvas.shape[1] // 640)
    cv2.circle(canvas, (int(x), int(y)), radius, INK, 2 * width, cv2.LINE_AA)
    cv2.circle(canvas, (int(x), int(y)), radius, colour, width, cv2.LINE_AA)
    size = max(0.7, canvas.shape[1] / 1400)
    beside = int(x) + radius + 2 * width, int(y)
    cv2.putText(canvas, "?", beside, cv2.FONT_HERSHEY_SIMPLEX, size, INK, 3 * width, cv2.LINE_AA)
    cv2.putText(canvas, "?", beside, cv2.FONT_HERSHEY_SIMPLEX, size, colour, width, cv2.LINE_AA)


def _label(
    canvas: Image,
    plane: Plane,
    where: Point,
    text: str,
    colour: tuple[int, int, int],
    room: float = 0.0,
    beside: bool = False,
) -> None:
    """A word on a point, or beginning there. It is made smaller for the room it has, as long as it can be read."""
    x, y = plane.to_pixels([where])[0].round().astype(int)
    size = max(0.4, canvas.shape[1] / 3600)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    if room and width + 4 > room * plane.scale(where):
        size *= max(0.55, room * plane.scale(where) / (width + 4))
        (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    left, base = int(x if beside else x - width / 2), int(y + height / 2)
    cv2.rectangle(canvas, (left - 2, base - height - 3), (left + width + 2, base + 4), colour, -1)
    cv2.putText(canvas, text, (left, base), cv2.FONT_HERSHEY_SIMPLEX, size, INK, 1, cv2.LINE_AA)


PICTURE_WIDTH: Final = 480
PICTURE_QUALITY: Final = 70
"""Quality of the small JPEG in a Reading: good enough to recognise tiles, and quick to load on a phone."""
WHOLE_WIDTH: Final = 1280
WHOLE_QUALITY: Final = 75
CUT_WIDTH: Final = 900
FINEST: Final = 6.0
"""Maximum number of pixels per millimetre, which is more than a camera above a table provides."""
MARGIN: Final = 6.0
"""Millimetres around a zone or cell that are shown as well."""


class Shown(msgspec.Struct, frozen=True, eq=False):
    """The newest full picture, for people, with its plane, if known, and what was read by then."""

    full: Frame
    small: Frame
    plane: Plane | None
    zones: dict[str, ZoneReading]


def from_above(image: Image, layout: Layout, plane: Plane) -> bytes:
    """The table as seen from straight above, as a small JPEG."""
    width, height = layout.area.width, layout.area.height
    # Drawn twice as large first, since shrinking in one go would leave out every third pixel.
    twice = plane.patch(image, Box((width / 2, height / 2), (width, height)), 2 * PICTURE_WIDTH / width)
    small = cv2.resize(twice, (PICTURE_WIDTH, round(PICTURE_WIDTH * height / width)), interpolation=cv2.INTER_AREA)
    return jpeg(np.asarray(small, np.uint8), PICTURE_QUALITY)


def whole(image: Image) -> bytes:
    """The whole picture, not wider than a phone needs."""
    height, width = image.shape[:2]
    if width > WHOLE_WIDTH:
        size = WHOLE_WIDTH, round(WHOLE_WIDTH * height / width)
        image = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    return jpeg(image, WHOLE_QUALITY)


def cut_out(image: Image, plane: Plane, box: Box) -> bytes:
    """A part of the table as seen from straight above, large enough to tap a small piece in it."""
    return jpeg(plane.patch(image, box, min(FINEST, CUT_WIDTH / box.size[0])), WHOLE_QUALITY)


def part(zone: Zone, cell: str | None = None) -> Box | None:
    """The box of a zone, or of one of its places, with a margin around it."""
    if cell is None:
        return zone.area().grown(MARGIN)
    places = zone.places() if isinstance(zone, Grid | Slots | Track) else {}
    return places[cell].grown(MARGIN) if cell in places else None


def tapped(box: Box, x: float, y: float) -> Point:
    """The table point of a tap in a picture of a box, given as fractions of its width and height."""
    return box.at(x * box.size[0], y * box.size[1])


def jpeg(image: Image, quality: int) -> bytes:
    _, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    return data.tobytes()
