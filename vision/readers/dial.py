"""Reads `dial` zones: the angle of an arrow, dark and narrow, with a longer side that points."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from companion.kernel.messages import Found, ZoneReading
from companion.kernel.views import Pointing
from vision.layout import Box, Dial
from vision.picture.table_picture import WHITE, TablePicture

RADII: Final = np.linspace(0.2, 0.95, 40)
TIP: Final = 36
TAIL: Final = 22
"""Of the forty rings, how many the pointing side and the other side of an arrow cover at least."""
SEEN: Final = 0.10
"""An arrow is at least so much darker than its surroundings, as a share of white."""
CLEAR: Final = 1.5
"""By this factor the arrow must be darker than anything else on the disc."""
POINTS: Final = 1.4
"""By this factor the outer part of the pointing end must be darker than that of the other end."""
_RADIUS: Final = 150
"""Pixels from the middle of a disc to its edge when it is looked at."""
_GREY: Final = np.full((1, 3), 1 / 3)
_THIN: Final = 9
"""Pixels: dark strokes up to this width are no arrow."""
ON_THE_LINE: Final = 2.0
"""Degrees from a line within which a person has to say which side the arrow is on."""


def read(sight: TablePicture, zone: Dial) -> ZoneReading:
    box = Box(zone.centre, (2 * zone.radius, 2 * zone.radius))
    if not sight.plane.sees(box):
        return ZoneReading(zone.kind, None, 0.0)
    grey = cv2.transform(sight.bytes(box, _RADIUS / zone.radius, zone.arrow_height), _GREY)
    # An arrow is broader than the lines and figures printed on a disc: first without whatever is thin, then with it.
    for thin in (_THIN, 1):
        angle, clearness = _pointing(_darkness(cv2.morphologyEx(grey, cv2.MORPH_CLOSE, np.ones((thin, thin))), _RADIUS))
        if clearness > 0:
            break
    values = {zone.value((angle + step) % 360) for step in (-ON_THE_LINE, 0.0, ON_THE_LINE)}
    if clearness <= 0 or len(values) > 1:
        return ZoneReading(zone.kind, None, 0.0)
    confidence = round(min(0.999, 0.6 + clearness / 4), 3)
    found = (Found(str(zone.value(angle)), zone.centre[0], zone.centre[1], round(angle, 1), confidence),)
    return ZoneReading(zone.kind, Pointing(zone.value(angle)), confidence, found)


def _pointing(dark: NDArray[np.float32]) -> tuple[float, float]:
    """The angle of the darkest arrow, and how much clearer it is than it must be; 0 if there is no clear arrow."""
    score = dark[:TIP].mean(0) + 0.6 * np.roll(dark[:TAIL].mean(0), 180)
    best = int(score.argmax())
    turned = np.roll(score, -best)
    rival = float(max(turned[15:165].max(), turned[195:345].max()))
    reach = np.roll(dark[TAIL + 2 : TIP].mean(0), -best)
    points = float(np.roll(reach, 3)[:7].max()), float(reach[177:184].max())
    seen = score[best] >= SEEN and points[0] >= POINTS * points[1]
    return _between(score, best), max(0.0, float(score[best]) / max(rival, 1e-3) - CLEAR) if seen else 0.0


def _darkness(grey: NDArray[Any], radius: float) -> NDArray[np.float32]:
    """How much darker than its surroundings each point of the disc is, by ring and degree (0 is up)."""
    middle = grey.shape[0] / 2 - 0.5
    turn = np.radians(np.arange(360))
    x = (middle + np.sin(turn)[None] * RADII[:, None] * radius).astype(np.float32)
    y = (middle - np.cos(turn)[None] * RADII[:, None] * radius).astype(np.float32)
    rings = cv2.remap(grey.astype(np.float32), x, y, cv2.INTER_LINEAR) / np.float32(WHITE)
    round_twice = np.concatenate([rings[:, -40:], rings, rings[:, :40]], 1)
    smooth = cv2.medianBlur((np.clip(round_twice, 0, 1.4) * 180).astype(np.uint8), 61)[:, 40:-40]
    dark = np.clip(smooth.astype(np.float32) / 180 - rings, 0, 0.5)
    closed = np.concatenate([dark[:, -10:], dark, dark[:, :10]], 1)
    return np.asarray(cv2.GaussianBlur(closed, (0, 0), 2)[:, 10:-10], np.float32)


def _between(score: NDArray[Any], best: int) -> float:
    """The peak to a fraction of a degree."""
    left, peak, right = (float(score[(best + step) % 360]) for step in (-1, 0, 1))
    bend = left - 2 * peak + right
    return (best + (0.5 * (left - right) / bend if bend else 0.0)) % 360
