"""Draws what was read over the picture it was read from: zones, pieces, and where nothing could be seen."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from companion.messages import UNKNOWN, Cells, Marks, Pieces, Pointing, Reading, ZoneReading
from vision.layout import Box, Grid, Layout, Slots, Zone
from vision.plane import Image, Plane

# Blue for what was read, orange for what was not: told apart by all eyes, and by line style too.
READ = (214, 142, 0)
UNREAD = (0, 120, 255)
INK = (255, 255, 255)


def draw(image: Image, layout: Layout, plane: Plane, reading: Reading) -> Image:
    canvas = image.copy()
    for name, zone in layout.zones.items():
        seen = reading.zones.get(name)
        if seen is None:
            continue
        known = seen.contents is not None
        _outline(canvas, plane, zone.area(), READ if known else UNREAD, 2)
        _label(canvas, plane, zone.area().corners()[0], name if known else f"{name} ?", READ if known else UNREAD)
        for where, text, sure in _marks(zone, seen):
            _label(canvas, plane, where, text, READ if sure else UNREAD)
        if isinstance(zone, Grid | Slots):
            for box in zone.places().values():
                _outline(canvas, plane, box, READ if known else UNREAD, 1)
    return canvas


def _marks(zone: Zone, seen: ZoneReading) -> Iterator[tuple[tuple[float, float], str, bool]]:
    match seen.contents:
        case Cells(at=at) if isinstance(zone, Grid | Slots):
            for cell, label in at.items():
                if label is not None:
                    yield zone.places()[cell].centre, label if label != UNKNOWN else "?", label != UNKNOWN
        case Pieces() | Marks():
            for piece in seen.found:
                yield (piece.x, piece.y), piece.label, True
        case Pointing(value=value):
            yield zone.area().centre, str(value), True
        case _:
            return


def _outline(canvas: Image, plane: Plane, box: Box, colour: tuple[int, int, int], width: int) -> None:
    corners = plane.to_pixels(box.corners()).round().astype(np.int32)
    cv2.polylines(canvas, [corners], True, colour, width, cv2.LINE_AA)


def _label(canvas: Image, plane: Plane, where: tuple[float, float], text: str, colour: tuple[int, int, int]) -> None:
    x, y = plane.to_pixels([where])[0].round().astype(int)
    size = max(0.4, canvas.shape[1] / 3600)
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, size, 1)
    left, base = int(x - width / 2), int(y + height / 2)
    cv2.rectangle(canvas, (left - 2, base - height - 3), (left + width + 2, base + 4), colour, -1)
    cv2.putText(canvas, text, (left, base), cv2.FONT_HERSHEY_SIMPLEX, size, INK, 1, cv2.LINE_AA)
