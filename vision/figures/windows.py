"""The window through which a place is looked at: turned so that whatever stands leans straight up in it.

A camera above the table sees a figure's head further from the camera's own foot than the figure's base. How
far, for each millimetre of height, is the lean; windows are turned so that every figure leans the same way.
"""

from __future__ import annotations

import math
from typing import Final

import msgspec
import numpy as np
from numpy.typing import NDArray

from vision.layout import Box, Point
from vision.picture.table_picture import Patch, TablePicture
from vision.plane.plane import Plane

SIDE: Final = 64
"""Pixels of a window's side."""
WINDOW_MM: Final = 40.0
"""Millimetres of a window's side, for pieces of the usual size."""
RAISED_MM: Final = 8.0
"""The window is centred on what lies this high above the place: a figure's middle rather than its base."""


class Window(msgspec.Struct, frozen=True):
    """A square of the table: its centre, its side, where up points, and how much things lean up in it."""

    centre: Point
    side: float
    angle: float
    lean: float

    def box(self) -> Box:
        return Box(self.centre, (self.side, self.side), self.angle)

    def look(self, sight: TablePicture) -> Patch:
        return sight.patch(self.box(), SIDE / self.side)

    def to_table(self, x: float, y: float) -> Point:
        """A pixel of the window on the table."""
        return self.box().at((x + 0.5) * self.side / SIDE, (y + 0.5) * self.side / SIDE)


def window(plane: Plane, place: Point, scale: float = 1.0) -> Window:
    """The window for a place, larger by a scale for large pieces."""
    x, y, height = plane.eye()
    away = np.array([place[0] - x, place[1] - y])
    distance = float(np.hypot(*away))
    lean = distance / height
    # Right under the camera nothing leans, and any way up is as good.
    angle = math.degrees(math.atan2(away[0], -away[1])) if distance > 1.0 else 0.0
    raised = away / max(distance, 1e-6) * lean * RAISED_MM * scale
    return Window((place[0] + float(raised[0]), place[1] + float(raised[1])), WINDOW_MM * scale, angle, lean)


def planes(seen: NDArray[np.float32], ground: NDArray[np.float32], lean: NDArray[np.float32]) -> NDArray[np.float32]:
    """The network's input (n, 7, side, side): windows, the same places empty, and how much things lean there."""
    count = len(seen)
    made = np.empty((count, 7, SIDE, SIDE), np.float32)
    made[:, 0:3] = np.clip(seen, 0, 1.4).transpose(0, 3, 1, 2) * 2 - 1
    made[:, 3:6] = np.clip(ground, 0, 1.4).transpose(0, 3, 1, 2) * 2 - 1
    made[:, 6] = np.asarray(lean, np.float32).reshape(count, 1, 1) * 2
    return made
